"""Is a document more than the mean of its sentences? The table of docs/readability.md.

Texts of 3, 10 and 30 sentences of one kind are drawn from the training part; levels are cross-validated. What
length-weighted quantiles of the levels add to their mean is learnt on four fifths of the kinds and tried on the rest,
with a ridge of several strengths.

python -m tools.readability_step DATA
"""

from __future__ import annotations

import sys
import zlib
from pathlib import Path

import numpy as np

from tertium.io.marks import read_marked
from tertium.readability.documents import weighted_quantile
from tertium.readability.features import FEATURES
from tertium.readability.learning import Material, cross_validated, equalised, put_on_scale

SIZES, DRAWS, SEED = (3, 10, 30), 20, 12345
QUANTILES = (0.25, 0.5, 0.75, 0.9)
STRENGTHS = (10.0, 100.0, 1000.0)


def main(folder: str) -> None:
    marked = [read_marked(Path(folder, f"{lang}.train.tsv.gz"), lang) for lang in ("en", "fr")]
    material = Material.of(marked, encoder="use")
    said = cross_validated(material)
    levels = put_on_scale(said, material.langs, equalised(said, material.marks, material.langs))
    words = np.exp(material.rows[:, list(FEATURES).index("words")])
    draws = np.random.default_rng(SEED)
    print(
        "| sentences | texts | error of the mean | "
        + " | ".join(f"quantiles, {s:g}" for s in STRENGTHS)
        + " |"
    )
    print("|---|---|---|" + "---|" * len(STRENGTHS))
    for size in SIZES:
        rows, marks, folds = [], [], []
        for kind in np.unique(material.kinds):
            own = np.flatnonzero(material.kinds == kind)
            for _ in range(DRAWS if len(own) >= size else 0):
                drawn = draws.choice(own, size, replace=False)
                mean = np.average(levels[drawn], weights=words[drawn])
                found = [weighted_quantile(levels[drawn], words[drawn], q) - mean for q in QUANTILES]
                rows.append([mean, *found])
                marks.append(np.average(material.marks[drawn], weights=words[drawn]))
                folds.append(zlib.crc32(kind.encode()) % 5)
        x, y, fold = np.array(rows), np.array(marks), np.array(folds)
        cells = [f"{np.sqrt(np.mean((y - x[:, 0]) ** 2)):.3f}"]
        for strength in STRENGTHS:
            out = np.zeros(len(y))
            for held in range(5):
                own = fold != held
                centre, rest = x[own].mean(axis=0), y[own] - x[own, 0]
                z = x[own] - centre
                weights = np.linalg.solve(z.T @ z + strength * np.eye(z.shape[1]), z.T @ (rest - rest.mean()))
                out[~own] = x[~own, 0] + (x[~own] - centre) @ weights + rest.mean()
            cells.append(f"{np.sqrt(np.mean((y - out) ** 2)):.3f}")
        print(f"| {size} | {len(y):,} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main(sys.argv[1])
