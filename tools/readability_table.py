"""The table of docs/readability.md: marks of ReadMe++ against the scale, every formula, length and rarity.

python -m tools.readability_table DATA              # cross-validated on the training parts
python -m tools.readability_table DATA --validation # the validation parts, by the scale that comes with Tertium
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from tertium.io.marks import MarkedTexts, read_marked
from tertium.readability.counting import Counter, easy_words
from tertium.readability.features import FEATURES, Numbers, Seen, WordTable
from tertium.readability.formulas import FORMULAS
from tertium.readability.frequencies import frequencies
from tertium.readability.learning import Material, cross_validated, equalised, put_on_scale
from tertium.readability.scale import usual_scale
from tertium.stats.correlation import pearson, spearman

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
    return f"| {name} | {' | '.join(cells)} |"


def main(folder: str, *, validation: bool) -> None:
    part = "val" if validation else "train"
    marked = {lang: read_marked(Path(folder, f"{lang}.{part}.tsv.gz"), lang) for lang in LANGS}
    marks = {lang: np.array(own.marks) for lang, own in marked.items()}
    if validation:
        levels = {lang: usual_scale().levels(own.texts, lang) for lang, own in marked.items()}
    else:
        material = Material.of(list(marked.values()), encoder="use")
        said = cross_validated(material)
        every = put_on_scale(said, material.langs, equalised(said, material.marks, material.langs))
        levels = {lang: every[material.langs == lang] for lang in LANGS}
    print("| | en r | en rho | fr r | fr rho | pooled r | pooled rho |\n|---|---|---|---|---|---|---|")
    print(line("the scale", levels, marks))
    beside = {lang: others(own) for lang, own in marked.items()}
    for name in beside["en"]:
        print(line(name, {lang: beside[lang][name] for lang in LANGS if name in beside[lang]}, marks))
    print("\n| mark | en | fr | the scale: en - fr | Flesch-Kincaid: en - fr |\n|---|---|---|---|---|")
    for mark in range(1, 7):
        own = {lang: np.round(marks[lang]) == mark for lang in LANGS}
        ours, theirs = (
            float(said["en"][own["en"]].mean() - said["fr"][own["fr"]].mean())
            for said in (levels, {lang: beside[lang]["flesch-kincaid"] for lang in LANGS})
        )
        print(f"| {mark} | {own['en'].sum()} | {own['fr'].sum()} | {ours:+.2f} | {theirs:+.2f} |")
    print("\n| said | en | fr | mean mark en | mean mark fr | mean mark |\n|---|---|---|---|---|---|")
    for level in range(1, 7):
        own = {lang: np.round(levels[lang]) == level for lang in LANGS}
        found = {lang: marks[lang][own[lang]] for lang in LANGS}
        means = [f"{one.mean():.2f}" for one in (*found.values(), np.concatenate(list(found.values())))]
        print(f"| {level} | {own['en'].sum()} | {own['fr'].sum()} | {' | '.join(means)} |")


if __name__ == "__main__":
    main(sys.argv[1], validation="--validation" in sys.argv)
