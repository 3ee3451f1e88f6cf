"""The doctor's native kernels against readable Python."""

from __future__ import annotations

from itertools import chain, pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tertium._native import Lines
from tertium.comparison.doctor.words import NumberedWords, Vocabulary
from tests.twins.doctor_words import is_dense, is_repeated, types_of, words_of

_PIECES = st.sampled_from(
    [
        *("the", "The", "ΣΟΦΙΑΣ", "Σ", "İ", "ß", "ǅ", "日", "本", "ー", "・", "한", "ไทย", "é", "e\u0301"),
        *("\0", "\ud800", "2", "²", "½", "_", "!", "«", "€", "\u200b", "😀", *"\t\x1c\x85\xa0\u2028\n "),
    ]
)
_LINE = st.one_of(
    st.text(max_size=20),
    st.lists(_PIECES, max_size=12).map("".join),
    st.lists(_PIECES, max_size=6).map(" ".join),
    st.lists(_PIECES, max_size=4).map(lambda pieces: " ".join(pieces * 3)),
)
_LINES = st.lists(st.one_of(st.none(), _LINE), max_size=6)


@given(_LINES, _LINES)
def test_words_are_those_of_the_twin(first: list[str | None], second: list[str | None]) -> None:
    vocabulary = Vocabulary()
    for lines in (first, second):  # which share their numbers
        words = NumberedWords.of(Lines(lines), vocabulary)
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
