"""The three answers, and the ways in which people write them."""

from __future__ import annotations

from typing import Literal

from tertium.errors import InputError

Answer = Literal["yes", "no", "na"]
ANSWERS: tuple[Answer, ...] = ("yes", "no", "na")
SHOWN: dict[str, str] = {"yes": "yes", "no": "no", "na": "not applicable"}

_WRITTEN: dict[Answer, str] = {
    "yes": "y yes oui o ja j si sí sim 1 true vrai ✓ ✔ 🗸 + correct",
    "no": "n no non nein nej não 0 false faux ✗ ✘ 🗴 incorrect",
    "na": "na n/a n.a. n.a s/o s.o. not_applicable sans_objet nicht_anwendbar",
}
_MEANING: dict[str, Answer] = {word: answer for answer, words in _WRITTEN.items() for word in words.split()}


def parse_answer(value: object, where: str) -> Answer | None:
    """The answer that a cell or a field holds; None for an empty one. Anything else is refused with its place.

    >>> parse_answer("Y ", "sheet.csv cell C7"), parse_answer("oui", ""), parse_answer(1, ""), parse_answer("", "")
    ('yes', 'yes', 'yes', None)
    >>> parse_answer("x", "sheet.csv cell C7")
    Traceback (most recent call last):
    tertium.errors.InputError: sheet.csv cell C7: 'x' is not an answer: write yes, no or n/a
    """
    if value is None:
        return None
    text = _text(value)
    if not text:
        return None
    found = _MEANING.get(text.casefold().rstrip("!").replace("-", "_").replace(" ", "_"))
    if found is None:
        raise InputError(f"{where}: {value!r} is not an answer: write yes, no or n/a")
    return found


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, str | int):
        return " ".join(str(value).split())
    return repr(value)
