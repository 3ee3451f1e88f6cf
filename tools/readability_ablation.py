"""What each part of the scale earns: the table of feature sets in docs/readability.md.

    python -m tools.readability_ablation [--parser en=conllu:en.conllu fr=spacy:fr_core_news_sm] [--page PAGE]

Cross-validated on the training parts of ReadMe++ (../shared/data/readme-pp), with the same folds and strengths in every
row. Surprise is by n-gram models of both sides of a memory (../shared/data/memory/en-fr.jsonl.xz: Debian's catalogues),
which knows nothing of ReadMe++. English parses are those of tools/ud_heads.py (`--texts` writes the sentences for it).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from tertium.io.marks import MarkedTexts, read_marked
from tertium.io.memories.formats import open_units
from tertium.io.memories.pairs import Pair
from tertium.readability.features import FEATURES, Numbers
from tertium.readability.further import SETS, Helpers, LanguageModel, helpers, names
from tertium.readability.learning import WORDS_STRENGTH, Material, cross_validated, equalised, put_on_scale
from tertium.readability.reasons import KINDS
from tertium.stats.correlation import pearson
from tertium.text.sentences import sentence_vectors
from tools.pages import put, table_parser

LANGS = ("en", "fr")
ENCODER = "use"
SENTENCES_STRENGTH = 2.0
RESAMPLES, SEED = 1000, 12345
HEAD = "| | en r | fr r | pooled r | pooled, less the scale's |\n|---|---|---|---|---|"


def columns(material: Material, kept: set[str]) -> Material:
    """Some features only."""
    every = names(material.sets)
    chosen = [place for place, name in enumerate(every) if name in kept]
    return replace(material, rows=material.rows[:, chosen])


def variants(material: Material, marked: list[MarkedTexts]) -> Iterator[tuple[str, Material]]:
    """Names and what is learnt from."""
    shipped = columns(material, set(FEATURES))
    yield "the scale", shipped
    nothing = {"words": material.words[:, :0], "buckets": np.zeros((len(material.marks), 1), np.float32)}
    yield "without scores of words", replace(shipped, words=nothing["words"])
    yield "without letters", replace(shipped, buckets=nothing["buckets"])
    yield "features only", replace(shipped, **nothing)
    for kind, (_, own) in KINDS.items():
        yield f"without {kind}", columns(material, set(FEATURES) - set(own))
    for name in material.sets:
        yield f"with {name}", columns(material, {*FEATURES, *SETS[name]})
        beside = replace(columns(material, {*FEATURES, *SETS[name]}), **nothing)
        yield f"features only, with {name}", beside
    vectors = sentence_vectors(ENCODER, [text for one in marked for text in one.texts]).astype(float)
    scaled = vectors * (WORDS_STRENGTH / SENTENCES_STRENGTH) ** 0.5
    yield "with vectors of sentences", replace(shipped, words=np.hstack([shipped.words, scaled]))


def levels(material: Material) -> Numbers:
    said = cross_validated(material)
    return put_on_scale(said, material.langs, equalised(said, material.marks, material.langs))


def r(marks: Numbers, said: Numbers) -> float:
    return float(pearson(marks, said).value or 0.0)


def row(name: str, said: Numbers, first: Numbers, material: Material) -> str:
    marks = material.marks
    values = [r(marks[own], said[own]) for own in (*(material.langs == lang for lang in LANGS), marks > 0)]
    cells = " | ".join(f"{value:.3f}" for value in values)
    if said is first:
        return f"| {name} | {cells} | |"
    draws = np.random.default_rng(SEED).integers(0, len(marks), (RESAMPLES, len(marks)))
    gaps = np.sort([r(marks[own], said[own]) - r(marks[own], first[own]) for own in draws])
    told = f"{values[-1] - r(marks, first):+.3f} [{gaps[25]:+.3f}, {gaps[974]:+.3f}]"
    return f"| {name} | {cells} | {told} |"


def main() -> None:
    parser = table_parser(__doc__)
    parser.add_argument("--parser", nargs="*", default=[], metavar="LANG=PARSER")
    parser.add_argument(
        "--texts", type=Path, metavar="FILE", help="write the English sentences, and do no more"
    )
    options = parser.parse_args()
    folder: Path = options.shared / "data"
    marked = [read_marked(str(folder / "readme-pp" / f"{lang}.train.tsv.gz"), lang) for lang in LANGS]
    if options.texts:
        options.texts.write_text("".join(f"{' '.join(text.split())}\n" for text in marked[0].texts), "utf-8")
        return
    units = list(open_units(str(folder / "memory" / "en-fr.jsonl.xz"), pair=Pair(*LANGS)))
    texts = {"en": [unit.source for unit in units], "fr": [unit.target for unit in units]}
    parsers = dict(one.split("=", 1) for one in options.parser)
    own = {
        lang: Helpers(LanguageModel.of(texts[lang]), helpers(parser=parsers.get(lang)).parser)
        for lang in LANGS
    }
    material = Material.of(marked, encoder=ENCODER, helpers=own)
    made = [(name, levels(one)) for name, one in variants(material, marked)]
    rows = [row(name, said, made[0][1], material) for name, said in made]
    put({"ablation": "\n".join([HEAD, *rows])}, options.page)


if __name__ == "__main__":
    main()
