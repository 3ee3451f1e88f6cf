"""Is a document more than the mean of its sentences? Two tables of docs/readability.md.

    python -m tools.readability_step [--only step cohesion] [--page docs/readability.md]

Levels are cross-validated on the training parts of ReadMe++ (../shared/data/readme-pp). `step`: texts of 3, 10 and 30
sentences of one kind; what length-weighted quantiles of the levels add to their mean is learnt on four fifths of the
kinds and tried on the rest, with a ridge of several strengths. `cohesion`: sentences with what stands before them in
their paragraph; what the share of content words that were there already adds to the scale.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from tertium.io.marks import MarkedTexts, read_marked
from tertium.io.records import HeadedTable
from tertium.readability.documents import weighted_quantile
from tertium.readability.features import FEATURES, Numbers
from tertium.readability.learning import Material, cross_validated, equalised, put_on_scale
from tertium.stats.correlation import pearson
from tertium.text.content import Choice
from tools.pages import put, table_parser

LANGS = ("en", "fr")
SIZES, DRAWS, SEED = (3, 10, 30), 20, 12345
QUANTILES = (0.25, 0.5, 0.75, 0.9)
STRENGTHS = (10.0, 100.0, 1000.0)


def on_scale(material: Material) -> Numbers:
    said = cross_validated(material)
    return put_on_scale(said, material.langs, equalised(said, material.marks, material.langs))


def step(material: Material, levels: Numbers, _marked: Sequence[MarkedTexts], _folder: Path) -> str:
    """Texts drawn from one kind: the error of the mean, and that of quantiles beside it."""
    words = np.exp(material.rows[:, list(FEATURES).index("words")])
    draws = np.random.default_rng(SEED)
    heads = " | ".join(f"quantiles, {strength:g}" for strength in STRENGTHS)
    lines = [
        f"| sentences | texts | error of the mean | {heads} |",
        "|---|---|---|" + "---|" * len(STRENGTHS),
    ]
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
        lines.append(f"| {size} | {len(y):,} | {' | '.join(cells)} |")
    return "\n".join(lines)


def cohesion(material: Material, levels: Numbers, marked: Sequence[MarkedTexts], folder: Path) -> str:
    """Whether words that were said before make a sentence easier than the scale says."""
    shares = np.full(len(material.marks), np.nan)
    shares[:] = np.concatenate([repeated(one, folder / f"{one.lang}.train.tsv.gz") for one in marked])
    known = np.isfinite(shares)
    rows = np.column_stack([known, np.nan_to_num(shares)]).astype(float)
    beside = on_scale(replace(material, rows=np.hstack([material.rows, rows])))
    lines = [
        "| | sentences | repeated | r with marks | r with marks less levels | r of the scale | with cohesion |"
    ]
    lines.append("|---" * 7 + "|")
    for lang in LANGS:
        own = known & (material.langs == lang)
        told = (
            r(shares[own], material.marks[own]),
            r(shares[own], (material.marks - levels)[own]),
            r(levels[own], material.marks[own]),
            r(beside[own], material.marks[own]),
        )
        cells = f"{told[0]:+.2f} | {told[1]:+.2f} | {told[2]:.3f} | {told[3]:.3f}"
        lines.append(f"| {lang} | {own.sum():,} | {shares[own].mean():.0%} | {cells} |")
    return "\n".join(lines)


def repeated(marked: MarkedTexts, path: Path) -> Numbers:
    """The share of each sentence's content words that stand before it in its paragraph; nan where nothing does."""
    choice = Choice(marked.lang)
    found = np.full(len(marked), np.nan)
    for place, row in enumerate(HeadedTable(str(path), [])):
        text = marked.texts[place]
        before = row.get("context").partition(text)[0].strip()
        if before:
            earlier, own = choice.read([before, text])
            if own.keys:
                found[place] = np.mean([key in set(earlier.keys) for key in own.keys])
    return found


def r(one: Numbers, other: Numbers) -> float:
    return float(pearson(one, other).value or 0.0)


TABLES: dict[str, Callable[[Material, Numbers, Sequence[MarkedTexts], Path], str]] = {
    "step": step,
    "cohesion": cohesion,
}


def main() -> None:
    options = table_parser(__doc__, TABLES).parse_args()
    folder = options.shared / "data" / "readme-pp"
    marked = [read_marked(str(folder / f"{lang}.train.tsv.gz"), lang) for lang in LANGS]
    material = Material.of(marked, encoder="use")
    levels = on_scale(material)
    put({name: TABLES[name](material, levels, marked, folder) for name in options.only}, options.page)


if __name__ == "__main__":
    main()
