"""Regular expressions that finish: what could take forever on some output is refused before any output is seen.

Python's matcher goes back and tries again. Its time is exponential in the length of the text where a repeat can take
the same text in two ways, as `(a+)+` does; `ambiguity.py` finds that. Runs over any text (`.*`) one after the other
cost a power of the length: they are counted, and whoever matches bounds the text.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from tertium.challenge.judges.ambiguity import REPEATS, ambiguous, atoms, characters, nodes
from tertium.errors import InputError
from tertium.text.normalize import plain_characters

LONGEST = 500  # characters of an expression
WIDE = 3  # runs over any text, such as .*, in one expression
LONG = 6  # repeats without a small limit
_FAR = 30  # times, from which on a repeat counts as such

_parser: Any = re._parser  # type: ignore[attr-defined]  # the standard library's own, so that we read what it reads


@lru_cache(maxsize=4096)
def compiled(expression: str) -> re.Pattern[str]:
    """The expression over plain typography, case ignored; what cannot be used is refused.

    >>> bool(compiled(r"\\bme manque").search("Tu ME MANQUES"))
    True
    >>> compiled("(a+)+")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tertium.errors.InputError: '(a+)+': a repeat can match the same text in two ways...
    """
    if not expression.strip():
        raise InputError(f"{expression!r}: the pattern is empty")
    if len(expression) > LONGEST:
        raise InputError(f"the pattern has {len(expression)} characters; at most {LONGEST} are allowed")
    plain = plain_characters(expression)
    try:
        found = re.compile(plain, re.IGNORECASE)
        tree = _parser.parse(plain, re.IGNORECASE)
    except (re.error, OverflowError, RecursionError) as error:
        raise InputError(f"{expression!r}: is not a regular expression: {error}") from None
    if found.search("") is not None:
        raise InputError(f"{expression!r}: matches the empty text, so it would match anything")
    if trouble := _trouble(tree):
        raise InputError(f"{expression!r}: {trouble}")
    return found


def _trouble(tree: Any) -> str:
    wide = long = 0
    for name, value in nodes(tree):
        if name.startswith("GROUPREF"):
            return "a back-reference to a group is not allowed: write the text out"
        if name in REPEATS and value[1] > _FAR:
            long += 1
            wide += " " in characters(atoms(value[2]))
    if ambiguous(tree):
        return (
            "a repeat can match the same text in two ways, which can take forever; "
            "let each repetition begin or end with a character that occurs nowhere else in it, as in (?: \\w+){0,3}"
        )
    if wide > WIDE:
        return f"has {wide} runs over any text (such as .*); at most {WIDE} are allowed: write .{{0,{_FAR}}}"
    if long > LONG:
        return f"has {long} repeats without a small limit; at most {LONG} are allowed: write {{0,{_FAR}}}"
    return ""
