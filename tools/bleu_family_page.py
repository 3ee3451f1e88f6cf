"""Writes the WMT12 table of docs/metrics/bleu_family.md: BLEU's family on a year that its paper had not seen.

    python -m tools.bleu_family_page [--shared ../shared] [--page docs/metrics/bleu_family.md]

The protocol of Song, Cohn and Specia (2013). Sentences: pairs of translations that two or more judges ranked, of whom
60% agree; Kendall's tau, ties of either side ignored. Systems: Spearman's rho with how often one outperformed others.
"""

from __future__ import annotations

import argparse
import os
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tertium.human import consensus, open_wmt, pairwise, win_rate
from tertium.human.wmttasks import chosen_tasks
from tertium.io.wmtjudgements import read_wmt_judgements
from tertium.meta import Correlations, MetricEntry, judge_pairs, judge_systems, measure_metrics
from tertium.stats.resampling import SEED
from tools.pages import filled

_HERE = Path(__file__).resolve().parent.parent
PAIRS = ("cs-en", "de-en")
# The paper's variants, with its tau on WMT09-11 (tables 3 to 5) and its mean rho on WMT08 (table 6).
PAPER: dict[str, tuple[float | None, float | None]] = {
    "PGBC4": (0.2116, 0.7955), "RGBC4": (0.1942, 0.7881), "FGBC4": (0.1905, None),
    "PGB4": (0.2102, 0.7955), "RGB4": (0.1913, None), "FGB4": (0.1868, None),
    "PGC4": (0.1879, None), "RGC4": (0.2387, None), "FGC4": (0.2054, None),
    "PABC4": (0.2288, 0.8006), "RABC4": (0.2126, None), "FABC4": (0.2076, None),
    "PAB4": (0.2267, None), "RAB4": (0.2411, None), "FAB4": (0.2036, None),
    "PAC4": (0.2055, None), "RAC4": (0.2462, 0.7928), "FAC4": (0.2178, None),
    "PGBC3": (0.2252, None), "PGBC2": (0.2295, 0.7992), "PGBC1": (0.2284, None),
    "PGB3": (0.2230, None), "PGB2": (0.2278, None), "PGB1": (0.2181, None),
    "PABC3u": (0.2375, None), "PABC2u": (0.2353, None), "PABC1u": (0.2293, None),
    "RAC3": (0.2491, None), "RAC2": (0.2501, None), "RAC1": (0.2726, None),
}  # fmt: skip


def judged(
    folder: Path, names: tuple[str, ...] = tuple(PAPER)
) -> Iterator[tuple[Correlations, Correlations, NDArray[np.float64]]]:
    """Sentences and systems of each language pair; and by variant, how much better it finds the better sentence."""
    rankings = read_wmt_judgements(folder / "rankings.csv")
    entries = [MetricEntry(name, f"bleu:{name}") for name in names]
    for pair in PAIRS:
        comparisons = pairwise(chosen_tasks(rankings, pair).tasks[0].rankings)
        metrics, _ = measure_metrics(open_wmt(folder, pair), entries, pair)
        pairs = consensus(comparisons).pairs
        sentences = judge_pairs(pairs, metrics, pair, matrix="ties ignored")
        people = win_rate(comparisons, ties="lose").scores
        systems = judge_systems(people, metrics, pair, statistic="spearman", significance="none")
        scores = np.stack([own.segments.selected(pairs.systems).values for own in metrics if own.segments])
        places = pairs.segment.astype(int) - 1
        yield sentences, systems, scores[:, pairs.better, places] - scores[:, pairs.worse, places]


def lead(apart: NDArray[np.float64], resamples: int = 10_000) -> str:
    """tau of the first variant less that of the second, with its paired bootstrap interval over pairs of sentences."""
    signs = np.sign(apart)
    n = signs.shape[1]
    counts = np.random.default_rng(SEED).multinomial(n, np.full(n, 1 / n), resamples)
    taus = (counts @ signs.T) / (counts @ (signs != 0).T)
    low, high = np.quantile(taus[:, 0] - taus[:, 1], [0.025, 0.975])
    both = signs.sum(axis=1) / (signs != 0).sum(axis=1)
    return f"{both[0] - both[1]:.3f} [{low:.3f}, {high:.3f}]"


def table(folder: Path) -> str:
    """A row for each variant, best for sentences first."""
    found = [own[:2] for own in judged(folder)]
    columns = [f"τ {pair}" for pair in PAIRS] + ["mean τ", "τ in the paper"]
    columns += [f"ρ {pair}" for pair in PAIRS] + ["mean ρ", "ρ in the paper"]
    sizes = [f"{sentences.n:,}" for sentences, _ in found] + ["", "10,278"]
    sizes += [str(systems.n) for _, systems in found] + ["", ""]
    rows = []
    for name, (tau, rho) in PAPER.items():
        taus, rhos = ([own[name].value or 0.0 for own in level] for level in zip(*found, strict=True))
        cells = [*taus, sum(taus) / len(taus), tau, *rhos, sum(rhos) / len(rhos), rho]
        rows.append((name, cells))
    rows.sort(key=lambda row: -(row[1][2] or 0.0))
    best = [max(cells[c] or 0.0 for _, cells in rows) for c in range(len(columns))]
    lines = ["| variant | " + " | ".join(columns) + " |", "| :--- |" + " ---: |" * len(columns)]
    lines.append("| n | " + " | ".join(sizes) + " |")
    for name, cells in rows:
        texts = ["—" if cell is None else f"{cell:.3f}" for cell in cells]
        marked = [
            f"**{text}**" if cell == top else text for text, cell, top in zip(texts, cells, best, strict=True)
        ]
        lines.append(f"| {name} | " + " | ".join(marked) + " |")
    return "\n".join(lines)


def leads(folder: Path) -> str:
    """What the paper's claims for sentences come to, both language pairs together."""
    said = []
    for first, second in (("RAC1", "PGBC4"), ("RAC1", "RAC2"), ("RAC4", "PGBC4"), ("PABC4", "PGBC4")):
        apart = np.concatenate([own for *_, own in judged(folder, (first, second))], axis=1)
        said.append(f"{first} over {second} {lead(apart)}")
    return f"τ of all {apart.shape[1]:,} pairs of sentences, with paired 95% intervals: {', '.join(said)}."


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--shared", type=Path, default=os.environ.get("TERTIUM_SHARED", _HERE.parent / "shared")
    )
    parser.add_argument("--page", type=Path, default=_HERE / "docs" / "metrics" / "bleu_family.md")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        with tarfile.open(given.shared / "data" / "wmt12" / "wmt12-to-en.tar.xz") as archive:
            archive.extractall(made, filter="data")
        folder = Path(made, "wmt12")
        blocks = {"wmt12": table(folder), "wmt12-lead": leads(folder)}
    given.page.write_text(filled(given.page.read_text(encoding="utf-8"), blocks), encoding="utf-8")
    print(f"{given.page}: {len(blocks)} blocks written")


if __name__ == "__main__":
    main()
