"""Writes the table of docs/detectors.md on an estimator's lexical tables: detached translations, made on purpose.

    python -m tools.tables_table [--shared ../shared] [--part dev] [--page docs/detectors.md]

One translation in twenty of MLQE-PE becomes that of another segment. Tables are those of an estimator of the first
segments of the training part. What is told, and from where on, was chosen on `dev`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tertium.detection.detecting import detect
from tertium.estimation.explaining import related, unrelated
from tertium.estimation.view import Learnt
from tertium.estimation.words import KeyedWords
from tertium.stats.detection import area_under_curve
from tools.estimate_table import PAIRS, material
from tools.pages import put, table_parser

SIZES = (300, 1_000, 7_000)  # of the training
LINES = ((20, 20), (200, 5))  # looked at, and how often they are drawn
TOLD = 0.5


def tables_table(shared: Path, part: str) -> str:
    names = ("pair", "lines", "words", "area", "found", "told of others")
    rows = [f"| {' | '.join(names)} |", "| --- | ---: | --- | ---: | ---: | ---: |"]
    for pair in PAIRS:
        train, test = material(shared, pair, "train"), material(shared, pair, part)
        learnt = {size: _tables(train.sources[:size], train.translations[:size]) for size in SIZES}
        for number, draws in LINES:
            found: dict[str, list[tuple[float, float, float]]] = {}
            for draw in range(draws):
                bad, sources, outputs = damaged(test.sources, test.translations, number, draw)
                own = detect(sources, outputs, pair=pair).scores["detachment"]
                found.setdefault("of these lines (`detachment`)", []).append(_seen(bad, own, own))
                for size, tables in learnt.items():
                    above = related(tables, KeyedWords.of(sources), KeyedWords.of(outputs))
                    scores = _seen(bad, -above, unrelated(above))
                    found.setdefault(f"tables of {size:,} segments", []).append(scores)
            for name, seen in found.items():
                area, share, others = np.mean(seen, axis=0)
                cells = (pair, number, name, f"{area:.3f}", f"{share:.0%}", f"{others:.1%}")
                rows.append(f"| {' | '.join(map(str, cells))} |")
                print(rows[-1], flush=True)
    return "\n".join(rows)


def _tables(sources: list[str], outputs: list[str]) -> Learnt:
    return Learnt.of(KeyedWords.of(sources), KeyedWords.of(outputs), np.arange(len(sources)) % 7.0)


def damaged(
    sources: list[str], outputs: list[str], number: int, draw: int
) -> tuple[np.ndarray, list[str], list[str]]:
    """Some segments, of which the first, one in twenty, have the translation of another."""
    chance = np.random.default_rng([number, draw])
    order = chance.permutation(len(sources)).tolist()
    wrong = number // 20
    texts = [outputs[i] for i in order[number : number + wrong] + order[wrong:number]]
    return np.arange(number) < wrong, [sources[i] for i in order[:number]], texts


def _seen(bad: np.ndarray, doubt: np.ndarray, scores: np.ndarray) -> tuple[float, float, float]:
    told = scores >= TOLD
    return area_under_curve(bad, doubt), float(told[bad].mean()), float(told[~bad].mean())


def main() -> None:
    parser = table_parser(__doc__)
    parser.add_argument("--part", default="dev")
    given = parser.parse_args()
    put({"tables": tables_table(given.shared, given.part)}, given.page)


if __name__ == "__main__":
    main()
