"""Tags of words: made of post-edits, read from files, learnt, kept, and refused."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from tertium.errors import InputError
from tertium.estimation.tags import edit_tags, read_links, tags_of
from tertium.io.translations import Translations
from tertium.io.wordtags import TagLines, read_word_tags


def tercom(ours: list[str], theirs: list[str]) -> tuple[list[bool], list[bool]]:
    """A readable twin: the table of edits filled as tercom does, word by word, and its path walked back."""
    a, b = [[word.lower() for word in side] for side in (ours, theirs)]
    best = {(0, 0): 0}
    came: dict[tuple[int, int], str] = {}
    for j in range(len(b) + 1):
        for i in range(len(a) + 1):
            ways = []
            if i and j:
                ways.append((best[i - 1, j - 1] + (a[i - 1] != b[j - 1]), "both"))
            if i:
                ways.append((best[i - 1, j] + 1, "ours"))
            if j:
                ways.append((best[i, j - 1] + 1, "theirs"))
            if ways:
                best[i, j], came[i, j] = min(ways, key=lambda way: way[0])  # the first of the cheapest
    words, gaps = [True] * len(ours), [False] * (len(ours) + 1)
    i, j, put_in = len(a), len(b), False
    while i or j:
        way = came[i, j]
        if way == "theirs":
            put_in, j = True, j - 1
            continue
        if way == "both" and put_in:
            gaps[i], put_in = True, False
        if way == "both":
            words[i - 1], j = ours[i - 1] != theirs[j - 1], j - 1
        i -= 1
    gaps[0] |= put_in
    return words, gaps


def test_tags_of_post_edits_are_those_of_a_plain_table() -> None:
    draw = Random(5)
    texts = [[draw.choice("abcAB") for _ in range(draw.randint(0, 9))] for _ in range(600)]
    ours, theirs = texts[:300], texts[300:]
    found, _ = edit_tags([" ".join(own) for own in ours], [" ".join(own) for own in theirs])
    assert found.gaps is not None
    expected = [tercom(a, b) for a, b in zip(ours, theirs, strict=True)]
    assert found.words.tolist() == [tag for words, _ in expected for tag in words]
    assert found.gaps.tolist() == [tag for _, gaps in expected for tag in gaps]


def test_a_source_word_is_bad_by_its_links() -> None:
    texts = Translations(
        "a", ["ein Haus", "der Hund"], ["a house", "the cat"], post_edits=["a house", "the big dog"],
        links=[((0, 0), (1, 1)), ((0, 0), (1, 1))],
    )  # fmt: skip
    found = tags_of(texts)
    assert found is not None
    assert found.source is not None
    assert found.words.tolist() == [False, False, False, True]
    assert found.source.tolist() == [False, False, False, True]
    assert tags_of(Translations("a", ["ein Haus"], ["a house"])) is None
    given = tags_of(
        Translations("a", ["ein"], ["a"], tags=TagLines([[True]]), source_tags=TagLines([[False]]))
    )
    assert given is not None
    assert given.source is not None
    assert (given.words.tolist(), given.gaps, given.source.tolist()) == ([True], None, [False])
    assert np.array_equal(edit_tags([], [])[0].words, [])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("OK OK\nOK\n", r"line 1: has 2 tags, but 3 words need 3 \(7 with gaps\)"),
        (
            "OK OK OK\nOK OK\n",
            r"line 1: has tags for words but none for gaps \(3; other lines have both: 7\)",
        ),
        ("OK OK OK OK OK OK OK\nOK OK\n", "line 2: has 2 tags, but 1 word and the gaps around them need 3"),
        ("OK OK GOOD\nOK\n", r"line 1: 'GOOD' is no tag \(known: BAD, OK\)"),
        ("OK OK bad\nOK\n", "'bad' is no tag"),
        ("OK OK OK\n", "has 1 line of tags for 2 texts"),
    ],
)
def test_bad_tags(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "a.tags").write_text(text)
    with pytest.raises(InputError, match=message):
        read_word_tags(tmp_path / "a.tags", ["a b c", "d"])


def test_tags_are_read_with_gaps_and_without(tmp_path: Path) -> None:
    path = tmp_path / "a.tags"
    path.write_text("OK BAD\n\n")
    assert read_word_tags(path, ["a b", ""]) == TagLines([[False, True], []])
    path.write_text("BAD OK OK BAD OK\nBAD\n")
    assert read_word_tags(path, ["a b", ""]) == TagLines([[False, True], []], [[True, False, False], [True]])
    with pytest.raises(InputError, match=r"has 5 tags, but 2 words need 2$"):
        read_word_tags(path, ["a b", ""], gaps=False)


def test_bad_links(tmp_path: Path) -> None:
    path = tmp_path / "a.align"
    for text, message in (
        ("0-0\n0-5\n", "line 2: the link 0-5 is out of range: the target has 1 words"),
        ("0-0\nx\n", "is not a link between words"),
        ("0-0\n", "has 1 line of links for 2 texts"),
    ):
        path.write_text(text)
        with pytest.raises(InputError, match=message):
            read_links(path, ["a b", "c"], ["x y", "z"])
