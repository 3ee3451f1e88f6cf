"""Texts cut by rule: as regular expressions cut them, whatever is in them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium import _native
from tertium.text.cut import Cut, cut_words, words_only
from tertium.text.parses import Parsed
from tests.twins import cutting as twin

PIECES = st.sampled_from(
    [
        *(
            "a",
            "B",
            "é",
            "É",
            "ß",
            "İ",
            "ǅ",
            "Σ",
            "ς",
            "漢",
            "ア",
            "7",
            "²",
            "½",
            "_",
            "'",
            "\u2019",
            "-",
            "\u2010",
        ),
        *(
            "\u2011",
            ".",
            "!",
            "?",
            "\u2026",
            '"',
            "\u201d",
            "\u00bb",
            ")",
            "]",
            "(",
            ",",
            " ",
            "\n",
            "\u00a0",
            "\t",
        ),
        *("\u0301", "\ud800", "😀", "\x1c", "\u3000", "ab", "'ab", ". B", '." A', " " * 13),
    ]
)
TEXTS = st.one_of(st.text(max_size=40), st.lists(PIECES, max_size=40).map("".join))


@settings(deadline=None, max_examples=500)
@given(st.lists(TEXTS, max_size=4))
def test_as_the_twin_cuts(texts: list[str]) -> None:
    found = Cut.of(texts)
    assert found.numbered.words() == [twin.words(text) for text in texts] == cut_words(texts)
    assert found.numbered.sentences() == [twin.sentences(text) for text in texts]
    for text, parsed in zip(texts, found.parses, strict=True):
        assert tuple(text[begin:end] for begin, end in parsed.spans) == parsed.words


def test_every_character_is_what_python_takes_it_for() -> None:
    """Letters are asked of `str`, a block of 256 at a time: every one of them, alone and between others."""
    characters = [chr(c) for c in range(1, 0x110000) if not 0xD800 <= c < 0xE000]
    texts = ["".join(characters[i : i + 4096]) for i in range(0, len(characters), 4096)]
    assert cut_words(texts) == [twin.words(text) for text in texts]
    between = [f". {c}b" for c in characters[:0x3000] + characters[0xA000:0x12000]]
    assert Cut.of(between).numbered.sentences() == [twin.sentences(text) for text in between]


def test_spans_are_looked_for_when_asked() -> None:
    parsed = Parsed("a b", ("a", "c"))
    with pytest.raises(ValueError, match="'c' is not in ' b'"):
        _ = parsed.spans
    assert words_only("a  b") == Parsed("a  b", ("a", "b"), spans=((0, 1), (3, 4)))
    assert Parsed("", ()).spans == ()


def test_texts_that_do_not_belong_together() -> None:
    one, other = (Cut.of(["a"]).numbered for _ in "ab")
    with pytest.raises(ValueError, match="one table of forms"):
        _native.learnt_links(
            one, other, iterations=1, longest=9, most=9, alike=2.0, floor=0.0, empty=0.1, tension=1.0
        )
    with pytest.raises(ValueError, match="in order"):
        _native.CutTexts.of_words(_native.Forms(), [("a", "b")], [(1, 0)])
    with pytest.raises(ValueError, match="out of its text"):
        _native.pronoun_translations(one, one, _native.TextLinks([((0, 1),)]), [1], ["a"], [])
