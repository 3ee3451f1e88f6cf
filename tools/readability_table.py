"""The tables of docs/readability.md: marks of ReadMe++ against the scale, every formula, length and rarity; whether it
is one scale, by what is said where people gave the same mark; and what people marked where it says a level.

python -m tools.readability_table --page docs/readability.md               # cross-validated on the training parts
python -m tools.readability_table --page docs/readability.md --validation  # validation parts, by the scale that ships
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tertium.io.marks import MarkedTexts, read_marked
from tertium.readability.counting import Counter, easy_words
from tertium.readability.features import FEATURES, Numbers, Seen, WordTable
from tertium.readability.formulas import FORMULAS
from tertium.readability.frequencies import frequencies
from tertium.readability.learning import Material, cross_validated, equalised, put_on_scale
from tertium.readability.scale import usual_scale
from tertium.stats.correlation import pearson, spearman
from tools.pages import put, table_parser

LANGS = ("en", "fr")
RESAMPLES, SEED = 1000, 12345


def others(marked: MarkedTexts) -> dict[str, Numbers]:
    """What formulas, length and rarity say, more for harder."""
    counts = Counter(marked.lang, easy_words("en") if marked.lang == "en" else None).of(marked.texts)
    found = {}
    for name in FORMULAS.table:
        if name != "dale-chall" or marked.lang == "en":
            sign = -1 if FORMULAS[name].easier else 1
            found[name] = sign * np.nan_to_num(np.array([FORMULAS[name](own) for own in counts]))
    rows = Seen(WordTable(marked.lang, frequencies(marked.lang)), marked.texts).features()
    names = list(FEATURES)
    return found | {
        "length alone": rows[:, names.index("words")],
        "rarity alone": rows[:, names.index("rank 90")],
    }


def interval(marks: Numbers, said: Numbers) -> str:
    """Pearson's r with a 95% interval by resampling sentences."""
    draws = np.random.default_rng(SEED).integers(0, len(marks), (RESAMPLES, len(marks)))
    values = np.sort([pearson(marks[draw], said[draw]).value or 0.0 for draw in draws])
    return f"{pearson(marks, said).value:.3f} [{values[25]:.3f}, {values[974]:.3f}]"


def line(name: str, said: dict[str, Numbers], marks: dict[str, Numbers]) -> str:
    """A row: Pearson and Spearman in each language and pooled."""
    cells = []
    for langs in (*((lang,) for lang in said), tuple(said)) if len(said) > 1 else ((lang,) for lang in said):
        both = (np.concatenate([own[lang] for lang in langs]) for own in (marks, said))
        mine, theirs = both
        cells.append(f"{interval(mine, theirs)} | {spearman(mine, theirs).value:.3f}")
    cells += [" | "] * (len(LANGS) + 1 - len(cells))
    return f"| {name} | {' | '.join(cells)} |"


def pearsons(
    levels: Mapping[str, Numbers], beside: Mapping[str, dict[str, Numbers]], marks: dict[str, Numbers]
) -> str:
    """The scale, then all others."""
    rows = [
        "| | en r | en rho | fr r | fr rho | pooled r | pooled rho |\n|---|---|---|---|---|---|---|",
        line("the scale", dict(levels), marks),
    ]
    for name in beside["en"]:
        rows.append(line(name, {lang: beside[lang][name] for lang in LANGS if name in beside[lang]}, marks))
    return "\n".join(rows)


def same_marks(
    levels: Mapping[str, Numbers], formula: Mapping[str, Numbers], marks: Mapping[str, Numbers]
) -> str:
    """By how much English is said to be harder than French where both have the same mark, with 95% by resampling."""
    head = "| mark | en | fr | the scale: en - fr | Flesch-Kincaid: en - fr | the same in levels |"
    rows = [f"{head}\n|---|---|---|---|---|---|"]
    rng = np.random.default_rng(SEED)
    every, said = (np.concatenate([of[lang] for lang in LANGS]) for of in (marks, formula))
    slope = float(
        np.polyfit(said, every, 1)[0]
    )  # one line for both languages puts the formula on the scale of marks
    for mark in range(1, 7):
        own = {lang: np.flatnonzero(np.round(marks[lang]) == mark) for lang in LANGS}
        cells = []
        for of in (levels, formula, {lang: slope * formula[lang] for lang in LANGS}):
            draws = [
                of[lang][rng.choice(own[lang], (RESAMPLES, len(own[lang])))].mean(axis=1) for lang in LANGS
            ]
            ends = np.sort(draws[0] - draws[1])[[25, 974]]
            gap = float(of["en"][own["en"]].mean() - of["fr"][own["fr"]].mean())
            cells.append(f"{gap:+.2f} [{ends[0]:+.2f}, {ends[1]:+.2f}]")
        rows.append(f"| {mark} | {len(own['en'])} | {len(own['fr'])} | {' | '.join(cells)} |")
    return "\n".join(rows)


def calibration(levels: Mapping[str, Numbers], marks: Mapping[str, Numbers]) -> str:
    """What people marked where the scale says a level."""
    rows = ["| said | en | fr | mean mark en | mean mark fr | mean mark |\n|---|---|---|---|---|---|"]
    for level in range(1, 7):
        own = {lang: np.round(levels[lang]) == level for lang in LANGS}
        found = {lang: marks[lang][own[lang]] for lang in LANGS}
        means = [f"{one.mean():.2f}" for one in (*found.values(), np.concatenate(list(found.values())))]
        rows.append(f"| {level} | {own['en'].sum()} | {own['fr'].sum()} | {' | '.join(means)} |")
    return "\n".join(rows)


def main() -> None:
    parser = table_parser(__doc__)
    parser.add_argument("--validation", action="store_true")
    options = parser.parse_args()
    part = "val" if options.validation else "train"
    folder = options.shared / "data" / "readme-pp"
    marked = {lang: read_marked(str(folder / f"{lang}.{part}.tsv.gz"), lang) for lang in LANGS}
    marks = {lang: np.array(own.marks) for lang, own in marked.items()}
    if options.validation:
        levels = {lang: usual_scale().levels(own.texts, lang) for lang, own in marked.items()}
    else:
        material = Material.of(list(marked.values()), encoder="use")
        said = cross_validated(material)
        every = put_on_scale(said, material.langs, equalised(said, material.marks, material.langs))
        levels = {lang: every[material.langs == lang] for lang in LANGS}
    beside = {lang: others(own) for lang, own in marked.items()}
    formula = {lang: beside[lang]["flesch-kincaid"] for lang in LANGS}
    name = "validation" if options.validation else "cross-validated"
    tables = {
        name: pearsons(levels, beside, marks),
        f"{name} marks": same_marks(levels, formula, marks),
        f"{name} calibration": calibration(levels, marks),
    }
    put(tables, options.page)


if __name__ == "__main__":
    main()
