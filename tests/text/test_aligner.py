"""The monolingual aligner: links inside a language, over texts of any number of sentences."""

from __future__ import annotations

import random
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tertium.text.alignment import Aligner, align
from tertium.text.parses import Parsed
from tools import edinburghpp
from tools.aligner import measured, sides

WORDS = st.lists(
    st.sampled_from(["a", "b", "c", "the", "dog", "dogs", "cat", "ran", ".", "é", "x\xa0y", "", "two words"]),
    max_size=30,
)


@given(WORDS, WORDS)
def test_links_are_one_to_one_and_in_range(hypothesis: list[str], reference: list[str]) -> None:
    links = align(hypothesis, reference)
    assert list(links) == sorted(links)
    assert len({i for i, _ in links}) == len({j for _, j in links}) == len(links)
    assert all(0 <= i < len(hypothesis) and 0 <= j < len(reference) for i, j in links)


def test_equal_texts_are_linked_word_by_word() -> None:
    draw = random.Random(1)
    words = [
        draw.choice(["the", "a", "of", "dog", "cat", "runs", "sleeps", ",", ".", "night"]) for _ in range(300)
    ]
    assert align(words, words) == tuple((i, i) for i in range(300))
    assert align([], words) == align(words, []) == ()


def test_sentence_boundaries_do_not_matter() -> None:
    hypothesis = ["he", "slept", ".", "the", "dog", "barked", "all", "night", "."]
    reference = ["the", "dog", "was", "barking", "while", "he", "slept", "."]
    assert {(0, 5), (1, 6), (3, 0), (4, 1), (5, 3)} <= set(align(hypothesis, reference))


def test_many_are_aligned_as_one_by_one() -> None:
    pairs = [(["a", "b", "c"], ["c", "b", "a"]), ([], ["x"]), (["the", "cat"], ["a", "cat"])]
    aligner = Aligner(lang="de")
    assert aligner.align_many(*zip(*pairs, strict=True), threads=2) == [
        align(*pair, aligner) for pair in pairs
    ]


def test_people_s_links(shared: Path) -> None:
    """Edinburgh++ with the weights learned from it: the figures of docs/document.md are from cross-validation."""
    pairs = edinburghpp.read(shared / "data" / "edinburghpp")
    assert len(pairs) == 714
    assert sum(len(pair.links) for pair in pairs) == 13314
    for known, least in (((), 0.855), (("parses",), 0.865)):
        links = Aligner().align_many(*sides(pairs, known))
        assert measured(pairs, list(map(frozenset, links))).f1 > least
    words, parses = (Aligner().align_many(*sides(pairs, known)) for known in ((), ("parses",)))
    assert words != parses


def test_lemmas_stand_for_stems() -> None:
    words = ("mice", "slept", "today"), ("nobody", "sleeps", "anywhere")
    lemmas = ("mouse", "sleep", "today"), ("nobody", "sleep", "anywhere")
    plain = [Parsed(" ".join(text), text) for text in words]
    known = [Parsed(" ".join(text), text, lemmas=own) for text, own in zip(words, lemmas, strict=True)]
    assert (1, 1) not in align(*plain)
    assert (1, 1) in align(*known)
    assert align(known[0], plain[1]) == align(*plain)


def test_vectors_make_links(tmp_path: Path) -> None:
    path = tmp_path / "toy.vec"
    path.write_text("4 2\nsofa 1 0\ncouch 0.98 0.2\nred 0 1\nwine -1 0\n")
    texts = ["the", "red", "sofa", "stood", "here"], ["a", "couch", "stood", "here", "then"]
    assert (2, 1) in align(*texts, Aligner(vectors=str(path)))
    strange = ["the", "red", "zzz", "stood", "here"], texts[1]
    assert (2, 1) not in align(*strange, Aligner(vectors=str(path)))
