"""The aligner's kernel finds the links that its readable twin finds."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium import _native
from tertium.text import meteor
from tertium.text.alignment import _TAGS, CONTENT, NONE, Aligner, _relation_class
from tertium.text.alignment_weights import FIRST, SECOND, Weights, weights
from tertium.text.parses import Parsed
from tests.twins import aligner as twin

VOCABULARY = [
    *(
        "the",
        "a",
        "of",
        "and",
        ",",
        ".",
        "!",
        "dog",
        "dogs",
        "cat",
        "run",
        "running",
        "national",
        "nationally",
        "x",
    ),
    *("international", "12", "1992", "naïve", "naively", "élan", "bank", "banks"),
]
TAGS = ("NOUN", "VERB", "DET", "PUNCT", "ADP", "")
RELATIONS = ("nsubj", "nsubj:pass", "obj", "det", "case", "obl:tmod", "root", "dep", "")
WORDS = st.lists(st.sampled_from(VOCABULARY), max_size=25)
FUNCTION = frozenset(Path(meteor.own_function_words("en")).read_text(encoding="utf-8").split())


@st.composite
def trees(draw: st.DrawFn) -> Parsed:
    words = draw(WORDS)
    n = len(words)
    heads = [draw(st.integers(-1, n - 1)) for _ in words]
    tags = [draw(st.sampled_from(TAGS)) for _ in words]
    relations = [draw(st.sampled_from(RELATIONS)) for _ in words]
    if n:
        tags[0], relations[0] = "NOUN", "root"
    return Parsed(
        " ".join(words), tuple(words), tags=tuple(tags), heads=tuple(heads), relations=tuple(relations)
    )


def side(text: Parsed | list[str]) -> twin.Side:
    words = list(text.words) if isinstance(text, Parsed) else text
    stems = _native.stem_english(words)
    signs = [not any(character.isalnum() for character in word) for word in words]
    if not isinstance(text, Parsed):
        classes = [twin.SIGN if sign else int(w in FUNCTION) for w, sign in zip(words, signs, strict=True)]
        return twin.Side(words, stems, classes)
    classes = [twin.SIGN if sign else int(t not in CONTENT) for t, sign in zip(text.tags, signs, strict=True)]
    tags, relations = [_TAGS.get(t, NONE) for t in text.tags], [_relation_class(r) for r in text.relations]
    return twin.Side(words, stems, classes, (), tags, text.heads, relations)


def as_twin(ours: Parsed | list[str], theirs: Parsed | list[str], used: Weights) -> object:
    return twin.align(side(ours), side(theirs), *used)


@settings(max_examples=150)
@given(WORDS, WORDS)
def test_links_of_words(ours: list[str], theirs: list[str]) -> None:
    assert Aligner().align_many([ours], [theirs]) == [as_twin(ours, theirs, weights(()))]


@settings(max_examples=150)
@given(trees(), trees())
def test_links_of_trees(ours: Parsed, theirs: Parsed) -> None:
    parsed = weights(["parses"] if ours.words and theirs.words else ())
    assert Aligner().align_many([ours], [theirs]) == [as_twin(ours, theirs, parsed)]


@pytest.mark.parametrize("length", [60, 400])
def test_links_of_long_texts(length: int) -> None:
    """Frequent words, of which not all pairs are looked at."""
    draw = random.Random(length)
    words = [*VOCABULARY, *["the"] * 8, *(f"word{n}" for n in range(length // 4))]
    ours = draw.choices(words, k=length)
    theirs = [draw.choice(words) if draw.random() < 0.3 else word for word in ours][5:] + ours[:9]
    found = Aligner().align_many([ours], [theirs])[0]
    assert len(found) > length / 3
    assert found == as_twin(ours, theirs, weights(()))


def test_any_weights() -> None:
    """Nothing rests on the weights that were learned."""
    draw = random.Random(5)
    for _ in range(40):
        rows = [
            [[draw.gauss(0, 1) for _ in range(width + 1)] for _ in range(4)]
            for width in (len(FIRST), len(SECOND))
        ]
        used = Weights(rows[0], rows[1], draw.gauss(0, 1))
        ours, theirs = (draw.choices(VOCABULARY, k=draw.randrange(20)) for _ in range(2))
        assert Aligner(weights=used).align_many([ours], [theirs]) == [as_twin(ours, theirs, used)]
    with pytest.raises(ValueError, match="weights"):
        _native.WordAligner([0.0], False, False, None)


def test_synonyms() -> None:
    """Words with a common set are candidates wherever they stand."""
    sets = {"dog": [1], "cat": [2], "run": [3, 1], "bank": [2, 3]}
    text = "".join(f"{word}\n{' '.join(map(str, numbers))}\n" for word, numbers in sets.items())
    table = _native.SynonymTable(text.encode(), b"", False)
    lexicon = _native.MeteorLexicon("english", sorted(FUNCTION), table, None)
    used = weights(["synonyms"])
    kernel = _native.WordAligner(used.flat(), True, False, None)
    draw = random.Random(2)
    for _ in range(60):
        pair = [draw.choices(VOCABULARY, k=draw.randrange(1, 20)) for _ in range(2)]
        read = [lexicon.read(_native.Lines([" ".join(words)])) for words in pair]
        links = kernel.links(read[0], _native.MeteorReferences(lexicon, [read[1]]), None, [], False, 1)
        sides = [side(words) for words in pair]
        for one in sides:
            one.sets = [frozenset(sets.get(word, [])) for word in one.words]
        expected = twin.align(*sides, *used)
        assert tuple(sorted((i, j) for i, _, j, _, _ in links.matches(0)[0][0])) == expected


def test_layers_that_do_not_fit_are_refused() -> None:
    aligner = Aligner()
    texts = aligner.read([["a", "b"]], [["a"]], ())
    kernel = aligner.opened()
    for layers, said in (
        (_native.AlignerLayers(b"\0", b"", b"", [], []), "a value for each word"),
        (_native.AlignerLayers(b"", b"\0\0", b"\0\0", [5, 0], []), "outside its text"),
        (_native.AlignerLayers(b"", b"", b"", [0, 0], []), "trees need"),
    ):
        with pytest.raises(ValueError, match=said):
            kernel.links(texts.hypotheses, texts.references, layers, [], False, 1)


def test_evidence_of_paraphrases_and_vectors(tmp_path: Path) -> None:
    """What the twin leaves out: words of paraphrases that stand in corresponding places, and cosines."""
    table, vectors = tmp_path / "paraphrase", tmp_path / "toy.vec"
    table.write_text("0.5\nkicked the bucket\npassed away\n0.5\nbig\nlarge\n")
    vectors.write_text("2 2\nbig 1 0\nlarge 0.6 0.8\n")
    aligner = Aligner(modules=("exact", "stem", "paraphrase"), paraphrases=str(table), vectors=str(vectors))
    pair = ["he", "kicked", "the", "bucket", "big"], ["he", "passed", "away", "large"]
    counts, places, evidence = aligner.opened().evidence(*aligner.read([pair[0]], [pair[1]], ()), False)
    assert counts == [len(places.tolist())]
    found = {
        (i, j): dict(zip(FIRST, row, strict=True))
        for (i, j, _), row in zip(places.tolist(), evidence.tolist(), strict=True)
    }
    within = {place for place, row in found.items() if row["in paraphrases"]}
    assert within == {(1, 1), (2, 1), (2, 2), (3, 2)}  # not further apart than half a phrase
    assert {place for place, row in found.items() if row["paraphrase"]} == {(4, 3)}
    assert found[4, 3]["cosine"] == pytest.approx(0.6)
    assert found[4, 3]["cosine above 0.5"] == pytest.approx(0.1)
    assert found[0, 0]["equal"] == 1
