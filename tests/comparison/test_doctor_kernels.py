"""The doctor's native kernels against readable Python."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from itertools import chain, pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tertium._native import Lines, equal_lines, first_equal
from tertium.comparison.doctor import order
from tertium.comparison.doctor.column import TextColumn
from tertium.comparison.doctor.scripts import script_of
from tertium.comparison.doctor.survey import Has, counts_by_class
from tertium.comparison.doctor.words import Vocabulary
from tests.twins import doctor_lines as twin
from tests.twins.doctor_words import is_dense, is_repeated, types_of, words_of

_PIECES = st.sampled_from(
    [
        *("the", "The", "ΣΟΦΙΑΣ", "Σ", "İ", "ß", "ǅ", "日", "本", "ー", "・", "한", "ไทย", "é", "e\u0301"),
        *(
            "\0",
            "\ud800",
            "2",
            "²",
            "½",
            "_",
            "!",
            "«",
            "€",
            "\u200b",
            "😀",
            "@-@",
            ":",
            " .",
            " AI",
            "aaaaaa",
            *"\t\x1c\x85\xa0\u2028\n ",
        ),
    ]
)
_LINE = st.one_of(
    st.text(max_size=20),
    st.lists(_PIECES, max_size=12).map("".join),
    st.lists(_PIECES, max_size=6).map(" ".join),
    st.lists(_PIECES, max_size=4).map(lambda pieces: " ".join(pieces * 3)),
)
_LINES = st.lists(st.one_of(st.none(), _LINE), max_size=6)


def _column(lines: Sequence[str | None], vocabulary: Vocabulary | None = None) -> TextColumn:
    return TextColumn("A", "system", Lines(lines), Vocabulary() if vocabulary is None else vocabulary)


@given(_LINES, _LINES)
def test_words_are_those_of_the_twin(first: list[str | None], second: list[str | None]) -> None:
    vocabulary = Vocabulary()
    for lines in (first, second):  # which share their numbers
        words = _column(lines, vocabulary).words
        theirs = [words_of(line or "") for line in lines]
        assert [vocabulary.name(number) for number in words.number.tolist()] == list(
            chain.from_iterable(theirs)
        )
        assert np.diff(words.starts).tolist() == list(map(len, theirs))
        types = words.types
        names = [vocabulary.name(number) for number in types.numbers.tolist()]
        starts = types.starts.tolist()
        found = [names[a:b] for a, b in pairwise(starts)]
        assert [set(own) for own in found] == [types_of(line or "") for line in lines]
        assert all(len(own) == len(set(own)) for own in found)
        assert words.repeated(4, 3) == [
            i for i, own in enumerate(theirs) if any(is_repeated(own, period, 3) for period in range(1, 5))
        ]
    kinds = vocabulary.kinds().tolist()
    names = list(map(vocabulary.name, range(len(vocabulary))))
    assert len(set(names)) == len(names)
    assert vocabulary.known([*names, "nowhere to be seen"]).tolist() == list(range(len(names)))
    for name, kind in zip(names, kinds, strict=True):
        telling = len(name) > (1 if is_dense(name) else 2) and name[0].isalnum()
        assert kind == name.isalpha() + 2 * telling + 4 * is_dense(name), name


@given(_LINES)
def test_the_survey_says_of_lines_what_python_says(lines: list[str | None]) -> None:
    texts = [line or "" for line in lines]
    found = _column(lines).survey
    assert found.missing.tolist() == [line is None for line in lines]
    assert found.filled.tolist() == [bool(text.strip()) for text in texts]
    assert found.characters.tolist() == list(map(len, texts))
    assert found.stripped.tolist() == [len(text.strip()) for text in texts]
    assert found.words.tolist() == [len(text.split()) for text in texts]
    assert found.first.tolist() == [ord(text.strip()[:1] or "\0") for text in texts]
    assert found.last.tolist() == [ord(text.strip()[-1:] or "\0") for text in texts]
    having = {kind: set(found.having(kind).tolist()) for kind in Has}
    for i, text in enumerate(texts):
        assert (i in having[Has.LETTER]) == any(map(str.isalpha, text))
        assert (i in having[Has.RUN]) == any(c.isalpha() and 6 * c in text for c in set(text))
        assert (i in having[Has.UPPER] and i not in having[Has.NOT_UPPER]) == text.isupper()
        assert (i in having[Has.CAPITAL]) == (text.lower() != text)
        assert (i in having[Has.CASED]) == (text.lower() != text.upper())
        assert (i in having[Has.COLON]) == (":" in text or "：" in text)
        assert (i in having[Has.AI]) == (" AI" in text)
        assert (i in having[Has.SPACED]) == any(s in text for s in (" .", " ,", " n't", " 's", "@-@"))
        if not unicodedata.is_normalized("NFC", text):
            assert i in having[Has.COMBINING]


def test_only_characters_that_count_as_combining_compose_with_others() -> None:
    """Unicode's pairs that make one character: the second of each."""
    parts = (unicodedata.decomposition(chr(code)).split() for code in range(0x110000))
    seconds = {chr(int(part[1], 16)) for part in parts if len(part) == 2 and not part[0].startswith("<")}
    hangul = {*map(chr, range(0x1161, 0x1176)), *map(chr, range(0x11A8, 0x11C3))}
    found = _column(sorted(seconds | hangul)).survey
    assert len(found.having(Has.COMBINING)) == len(seconds | hangul) > 80


@given(_LINES, _LINES)
def test_equal_lines_are_those_of_the_twin(first: list[str | None], second: list[str | None]) -> None:
    lines = [*first, *second, *first]
    for stripped in (False, True):
        assert list(first_equal(Lines(lines), stripped)) == twin.first_equal(lines, stripped=stripped)
    size = min(len(first), len(second))
    pairs = list(zip(first[:size], second[:size], strict=True))
    one, other = (Lines(own[:size]) for own in (first, second))
    assert [bool(same) for same in equal_lines(one, other, False)] == [a == b for a, b in pairs]
    assert [bool(same) for same in equal_lines(one, other, True)] == [
        a == b if a is None or b is None else a.strip() == b.strip() for a, b in pairs
    ]


@given(_LINES)
def test_letters_are_counted_by_script(lines: list[str | None]) -> None:
    found = counts_by_class(Lines(lines), _column(lines).codes, script_of)
    for i, line in enumerate(lines):
        theirs = Counter(filter(None, map(script_of, line or "")))
        assert {name: count[i] for name, count in found.items() if count[i]} == theirs


_NAMES = st.sampled_from(["abc", "def", "ghi", "jkl", "mno", "pqr", "stu", "日本", "本日", "x"])
_TEXTS = st.lists(st.lists(_NAMES, max_size=7).map(" ".join), min_size=1, max_size=12)


@given(_TEXTS, _TEXTS, st.integers(-4, 4))
def test_displaced_lines_are_those_of_the_twin(own: list[str], other: list[str], distance: int) -> None:
    vocabulary = Vocabulary()
    column, reference = (_column(text, vocabulary) for text in (own, other))
    found = order.displaced(column, reference)
    ours, theirs = ([types_of(line) for line in text] for text in (own, other))
    assert (found.lines, found.judged) == twin.displaced(ours, theirs)
    arrays = order._gains(column, reference, distance)
    gains = list(zip(*(array.tolist() for array in arrays), strict=True))
    expected = twin.gains(ours, theirs, distance)
    assert [(i, more) for i, _, more in gains] == [(i, more) for i, _, more in expected]
    assert np.allclose([gain for _, gain, _ in gains], [gain for _, gain, _ in expected], rtol=0, atol=1e-12)


_TABLES = ({"the", "of", "in", "die"}, {"die", "der", "in"}, {"de", "la", "der"}, {"x"})


@given(
    st.lists(st.lists(st.sampled_from(["the", "of", "in", "die", "der", "de", "la", "x", "y"])), max_size=6)
)
def test_languages_are_those_of_the_twin(lines: list[list[str]]) -> None:
    words = _column([" ".join(line) for line in lines]).words
    bits = np.zeros(len(words.vocabulary), np.uint64)
    for i, table in enumerate(_TABLES):
        bits[words.vocabulary.known(table)] |= np.uint64(1 << i)
    for expected, others in ((0, [1, 2, 3]), (1, [2, 0]), (3, [])):
        best, settled = words.native.languages(bits, expected, others, 2, 2)
        assert list(zip(best, map(bool, settled), strict=True)) == [
            twin.language(line, _TABLES, expected, others) for line in lines
        ]
