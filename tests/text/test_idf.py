"""Weights of words: counted by line, stored and read back, refused by line."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from tertium.errors import InputError
from tertium.text import idf

CORPUS = ["The cat , the cat", "the dog", "", "a cat"]


def test_counts_are_lines() -> None:
    weights = idf.learn(CORPUS, tok="none")
    assert weights.lines == 4
    assert weights.counts() == {b"The": 1, b"cat": 2, b",": 1, b"the": 2, b"dog": 1, b"a": 1}
    assert weights.weight(b"cat", "exact") == math.log2(1 + 5 / 3)
    assert weights.weight(b"CAT", "exact") == math.log2(1 + 5 / 1)
    assert weights.weight(b"CAT", "ascii") == weights.weight(b"cat", "exact")
    assert weights.weight("ÀÉ".encode(), "ascii") == math.log2(6)
    assert idf.alike().weight(b"anything", "ascii") == 1.0


def test_tokenisers_cut_the_corpus() -> None:
    assert idf.learn(["Well, well."]).counts() == {b"Well": 1, b",": 1, b"well": 1, b".": 1}


def test_what_is_stored_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "idf.tsv"
    weights = idf.learn([*CORPUS, "naïve # tertium"], tok="none")
    idf.save(weights, path)
    again = idf.load(path)
    assert (again.lines, again.counts()) == (weights.lines, weights.counts())
    assert path.read_text(encoding="utf-8").startswith("# tertium idf\t5\n2\tcat\n2\tthe\n")


def test_a_corpus_can_be_given_instead(tmp_path: Path) -> None:
    path = tmp_path / "corpus.txt"
    path.write_text("The cat\nthe dog\n", encoding="utf-8")
    assert idf.load(path, "none").counts() == {b"The": 1, b"cat": 1, b"the": 1, b"dog": 1}
    assert idf.load(path, "none", lowercase=True).counts() == {b"the": 2, b"cat": 1, b"dog": 1}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("# tertium idf\n", "line 1: the number of lines is missing"),
        ("# tertium idf\tmany\n", "line 1: the number of lines is missing"),
        ("# tertium idf\t4\n2\tcat\ndog\n", "line 3: expected a count from 1 to 4 and a word, not 'dog'"),
        ("# tertium idf\t4\n5\tcat\n", "line 2: expected a count from 1 to 4"),
        ("# tertium idf\t4\n-1\tcat\n", "line 2: expected a count from 1 to 4"),
    ],
)
def test_bad_counts_are_refused_by_line(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "bad.tsv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        idf.load(path)
