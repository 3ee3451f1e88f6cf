"""Words and sentences by rule, as regular expressions say it."""

from __future__ import annotations

import re
from bisect import bisect_left

_TOKEN = re.compile(r"\w+(?:['\u2019](?=\w\w)|(?:[-\u2010\u2011]\w+)*)|[^\w\s]")
_GAP = re.compile(r"""[.!?\u2026"'\u201d\u2019\u00bb)\]]\s+""")  # where a sentence may end
_LINE_END = re.compile(r"\n\s*")
_ENDING = re.compile(r"""[.!?\u2026]+["'\u201d\u2019\u00bb)\]]*$""")


def words(text: str) -> tuple[str, ...]:
    return tuple(_TOKEN.findall(text))


def sentences(text: str) -> tuple[int, ...]:
    """The first word of each sentence."""
    begins = [one.start() for one in _TOKEN.finditer(text)]
    starts = [0] * bool(begins)
    for begin in sorted(_sentence_begins(text)):
        place = bisect_left(begins, begin)
        if 0 < place < len(begins) and begins[place] == begin:
            starts.append(place)
    return tuple(starts)


def _sentence_begins(text: str) -> set[int]:
    """Where sentences begin behind white space, as far as its surroundings say."""
    found = {gap.end() for gap in _LINE_END.finditer(text)}
    for gap in _GAP.finditer(text):
        begin = gap.end()
        before = text[max(0, begin - 12) : begin].rstrip()
        if begin < len(text) and not text[begin].islower() and _ENDING.search(before):
            found.add(begin)
    return found
