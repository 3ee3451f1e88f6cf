r"""Highlighted spans written inside a text: `The repeated *calls* came.`

A backslash takes the meaning away: `\*` is a star, `\\` a backslash; `\t`, `\n` and `\r` are a tab and line breaks, so
that a marked text stays in one field of a table. Spans may touch (`*a**b*`); none is empty.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tertium.errors import InputError

_SPECIAL = re.compile(r"[\\*\t\n\r]")
_ESCAPES = {"\\": "\\", "*": "*", "\t": "t", "\n": "n", "\r": "r"}
_MEANT = {escape: character for character, escape in _ESCAPES.items()}


def marked(text: str, spans: Sequence[tuple[int, int]]) -> str:
    r"""The text with stars around its spans.

    >>> marked("2 * 3 is six", [(9, 12)])
    '2 \\* 3 is *six*'
    """
    parts, last = [], 0
    for start, end in spans:
        parts += [_plain(text[last:start]), "*", _plain(text[start:end]), "*"]
        last = end
    return "".join([*parts, _plain(text[last:])])


def _plain(text: str) -> str:
    return _SPECIAL.sub(lambda found: "\\" + _ESCAPES[found.group()], text)


def unmarked(text: str, where: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    r"""The text and its spans; the inverse of `marked`.

    >>> unmarked("The *calls* came", "line 1")
    ('The calls came', ((4, 9),))
    """
    out: list[str] = []
    spans: list[tuple[int, int]] = []
    start: int | None = None
    characters = iter(text)
    for c in characters:
        if c == "\\":
            following = next(characters, "")
            if following not in _MEANT:
                raise InputError(
                    f"{where}: a backslash stands before {following!r}: write \\\\ for a backslash"
                )
            out.append(_MEANT[following])
        elif c != "*":
            out.append(c)
        elif start is None:
            start = len(out)
        elif start == len(out):
            raise InputError(
                f"{where}: two stars with nothing in between highlight nothing: write \\* for a star"
            )
        else:
            spans.append((start, len(out)))
            start = None
    if start is not None:
        raise InputError(f"{where}: a star opens a highlighted span that never closes: write \\* for a star")
    return "".join(out), tuple(spans)
