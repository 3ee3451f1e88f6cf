"""Writes the table of docs/estimate.md that shows what features of context earn, on MLQE-PE with its articles.

    python -m tools.context_table [--shared ../shared] [--kept /tmp/context] [--parts dev test20] [--page PAGE]

Estimators with and without context are trained on the training part, in parts by document; they are kept in a folder
and not trained again. Nothing was chosen on `test20`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tertium.estimation.estimator import Estimator, trained
from tertium.io.translations import Translations
from tertium.triage.results import evaluate
from tools.estimate_table import PAIRS, lines, material
from tools.pages import put, table_parser

_HERE = Path(__file__).resolve().parent.parent
WAYS = {"without context": False, "with context": True}


def articles(shared: Path, pair: str, part: str) -> Translations:
    """Translations with log-probabilities and the names of their articles."""
    folder = shared / "data" / "mlqe-pe" / pair / "direct-assessments"
    return replace(material(shared, pair, part), documents=lines(folder / f"{part}.doc_ids.xz")[1:])


def estimators(shared: Path, kept: Path, pair: str) -> dict[str, Estimator]:
    """With and without context, trained unless they are there."""
    kept.mkdir(parents=True, exist_ok=True)
    found = {}
    for name, context in WAYS.items():
        path = kept / f"{pair}.{'context' if context else 'alone'}.model"
        if not path.exists():
            trained(articles(shared, pair, "train"), pair=pair, context=context).write(path)
        found[name] = Estimator.read(path)
        print(pair, name, f"{found[name].correlation:.4f}", flush=True)
    return found


def table(shared: Path, kept: Path, parts: Sequence[str]) -> str:
    """Pearson's r, a line for each part and way."""
    cells: dict[tuple[str, str], list[str]] = {}
    for pair in PAIRS:
        own = estimators(shared, kept, pair)
        for name, one in own.items():
            cells.setdefault(("parts left out", name), []).append(f"{one.correlation:.3f}")
        for part in parts:
            texts = articles(shared, pair, part)
            for name, one in own.items():
                found = evaluate(one, texts, pair=pair)
                cells.setdefault((part, name), []).append(f"{found.pearson or 0.0:.3f}")
                print(pair, part, name, found.pearson, flush=True)
    order = ("parts left out", *parts)
    rows = [("on", "estimator", *PAIRS), ("---", "---", *["---:"] * len(PAIRS))]
    rows += [(part, name, *cells[part, name]) for part in order for name in WAYS]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main() -> None:
    parser = table_parser(__doc__)
    parser.add_argument("--kept", type=Path, default=Path("/tmp/context"))
    parser.add_argument("--parts", nargs="+", default=("dev",), metavar="PART")
    given = parser.parse_args()
    put({"context": table(given.shared, given.kept, given.parts)}, given.page)


if __name__ == "__main__":
    main()
