"""From which size of text the scale can be trusted, and how many marks a second language needs: tables and plots.

    python -m tools.readability_curves [--only reliability transfer] [--page docs/readability.md]

Everything is on the training parts of ReadMe++ (../shared/data/readme-pp), by weights that never saw the fold that is
asked. With --page the tables are written there, and the plots beside it (readability-reliability.svg and
readability-transfer.svg).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tertium.io.marks import MarkedTexts, read_marked
from tertium.readability.counting import Counter
from tertium.readability.features import Numbers
from tertium.readability.formulas import FORMULAS
from tertium.readability.learning import (
    FOLDS,
    FittedScale,
    Material,
    cross_validated,
    equalised,
    errors,
    fitted,
    put_on_scale,
)
from tertium.readability.scale import EIGHTY
from tertium.report.figures import lines
from tertium.stats.correlation import pearson
from tools.pages import put, table_parser

LANGS = ("en", "fr")
SIZES = (1, 3, 10, 30)
AMOUNTS = (0, 50, 200, 1000, None)  # marks of the second language; None: all
DRAWS, SEED = 400, 12345
ENCODER = "use"  # as the scale that comes with Tertium was learnt

Mask = npt.NDArray[np.bool_]


def read(shared: Path) -> tuple[list[MarkedTexts], Material]:
    folder = shared / "data" / "readme-pp"
    marked = [read_marked(str(folder / f"{lang}.train.tsv.gz"), lang) for lang in LANGS]
    return marked, Material.of(marked, encoder=ENCODER)


def r(a: Numbers, b: Numbers) -> float:
    return float(pearson(a, b).value or 0.0)


def reliability(marked: Sequence[MarkedTexts], material: Material) -> tuple[str, str]:
    """Texts of 1, 3, 10 and 30 sentences of one kind (what ReadMe++ calls a sub-domain), drawn without replacement."""
    said = cross_validated(material)
    levels = put_on_scale(said, material.langs, equalised(said, material.marks, material.langs))
    within, between = errors(levels, material.marks, material.kinds)
    every = [Counter(one.lang).rows(one.texts) for one in marked]
    counts = np.vstack([np.asarray(rows) for rows in every])
    places = [np.flatnonzero(material.kinds == kind) for kind in np.unique(material.kinds)]
    kinds = [own for own in places if len(own) >= SIZES[-1]]
    rng = np.random.default_rng(SEED)
    columns = ("halves of the scale", "halves of marks", "the scale and marks", "Flesch-Kincaid and marks")
    series: dict[str, list[float | None]] = {name: [] for name in columns}
    rows = []
    for size in SIZES:
        half = min(size, SIZES[-1] // 2)
        found = np.zeros((DRAWS, 4))
        off: list[float] = []
        for draw in range(DRAWS):
            orders = [rng.permutation(own) for own in kinds]
            texts = [order[:size] for order in orders]
            halves = [[order[half * n : half * (n + 1)] for order in orders] for n in (0, 1)]
            ours, theirs = _means(levels, counts, texts), _means(material.marks, counts, texts)
            formula = FORMULAS["flesch-kincaid"].every([counts[own].sum(axis=0) for own in texts])
            found[draw] = (
                _stepped(r(*(_means(levels, counts, own) for own in halves)), size / half),
                _stepped(r(*(_means(material.marks, counts, own) for own in halves)), size / half),
                r(ours, theirs),
                r(np.nan_to_num(formula), theirs),
            )
            off.extend(ours - theirs)
        means = found.mean(axis=0)
        for name, value in zip(columns, means, strict=True):
            series[name].append(float(value))
        error = float(np.sqrt(np.mean(np.square(off))))
        wide = EIGHTY * np.sqrt(between**2 + within**2 / size)
        inside = float(np.mean(np.abs(off) <= wide))
        rows.append(
            f"| {size} | {' | '.join(f'{value:.2f}' for value in means)} | {error:.2f} | {wide:.2f} | {inside:.0%} |"
        )
    head = f"| sentences | {' | '.join(columns)} | error | interval, ± | marks in it |\n|---|{'---|' * 7}"
    told = f"Reliability by size of text: {len(kinds)} kinds of text, English and French."
    plot = lines(
        "Reliability by size of text", [str(size) for size in SIZES], series, ("sentences", "r"), told
    )
    return "\n".join([head, *rows]), plot


def _stepped(value: float, times: float) -> float:
    """Spearman and Brown's step, where a text of this size has no second one beside it."""
    return times * value / (1 + (times - 1) * value)


def _means(of: Numbers, counts: npt.NDArray[np.int64], texts: Sequence[npt.NDArray[np.int64]]) -> Numbers:
    """Levels of texts, or their marks: those of sentences, by their words."""
    return np.array([np.average(of[own], weights=np.maximum(counts[own, 0], 1)) for own in texts])


def transfer(material: Material) -> tuple[str, str]:
    """A language asked in folds, with all marks of the other and a growing number of its own."""
    rng = np.random.default_rng(SEED)
    head = (
        "| asked | other language's marks | "
        + " | ".join("all" if n is None else f"{n:,}" for n in AMOUNTS)
        + " |"
    )
    rows, series = [head, f"|---|---|{'---|' * len(AMOUNTS)}"], {}
    for lang in reversed(LANGS):
        own = material.langs == lang
        order = rng.permutation(np.flatnonzero(own))
        for name, others in (("all", ~own), ("none", np.zeros(len(own), bool))):
            values: list[float | None] = []
            for amount in AMOUNTS:
                if amount == 0 and not others.any():
                    values.append(None)
                    continue
                said = np.zeros(len(own))
                for fold in range(FOLDS):
                    held = own & (material.folds == fold)
                    free = order[material.folds[order] != fold]
                    chosen = others.copy()
                    chosen[free[:amount]] = True
                    said[held] = _foreign(fitted(material, chosen), material, lang, free).of(material, held)
                values.append(r(material.marks[own], said[own]))
            cells = " | ".join("" if value is None else f"{value:.3f}" for value in values)
            rows.append(f"| {lang} | {name} | {cells} |")
            series[f"{lang}, {'with' if others.any() else 'without'} the other"] = values
    said_of = "Pearson's r with marks of a language, by how many of its own marks were learnt from."
    labels = ["all" if n is None else f"{n:,}" for n in AMOUNTS]
    plot = lines(
        "One language trained, the other asked", labels, series, ("marks of the language", "r"), said_of
    )
    return "\n".join(rows), plot


def _foreign(found: FittedScale, material: Material, lang: str, free: npt.NDArray[np.int64]) -> FittedScale:
    """Without marks, what is usual in a language is what its texts have."""
    if lang in found.usual:
        return found
    rows = material.rows[free]
    spread = rows.std(axis=0)
    letters, words = (
        float(of[free].mean(axis=0) @ weights)
        for of, weights in ((material.buckets, found.letters), (material.words, found.words))
    )
    usual = (rows.mean(axis=0), np.where(spread > 1e-9, spread, 1.0), letters, words)
    return replace(found, usual={**found.usual, lang: usual})


def main() -> None:
    tables = ("reliability", "transfer")
    options = table_parser(__doc__, tables).parse_args()
    marked, material = read(options.shared)
    made: Mapping[str, tuple[str, str]] = {
        name: reliability(marked, material) if name == "reliability" else transfer(material)
        for name in options.only
    }
    put({name: table for name, (table, _) in made.items()}, options.page)
    if options.page:
        for name, (_, plot) in made.items():
            (options.page.parent / f"readability-{name}.svg").write_text(plot + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
