"""The monolingual aligner: links inside a language, over texts of any number of sentences."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from tertium.text.alignment import Aligner, align

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
