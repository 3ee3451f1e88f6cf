"""Small checks that fit together: is this value of the shape that was agreed, and if not, where and why not.

A shape takes a value and the place where it stands, and gives it back in plain JSON types. What is wrong is said in
one line with that place: `comparison["scores"]["A"]["BLEU"]["value"] must be a number, not a string`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from tertium.errors import InputError, did_you_mean

Shape = Callable[[Any, str], Any]

_WORDS: tuple[tuple[type, str], ...] = (
    (bool, "true or false"),
    (str, "a string"),
    (int, "a number"),
    (float, "a number"),
    (Mapping, "a mapping"),
    (Sequence, "a list"),
)


def refuse(where: str, what: str) -> NoReturn:
    """The error that people see."""
    raise InputError(f"the report cannot be made: {where} {what}")


def _kind(value: Any) -> str:
    if value is None:
        return "None"
    return next((word for kind, word in _WORDS if isinstance(value, kind)), type(value).__name__)


def text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        refuse(where, f"must be a string, not {_kind(value)}")
    return value


def name(value: Any, where: str) -> str:
    """A string that somebody will look for."""
    if not text(value, where).strip():
        refuse(where, "must not be empty")
    return str(value)


def whole(value: Any, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        refuse(where, f"must be a whole number, not {_kind(value)}")
    return value


def flag(value: Any, where: str) -> bool:
    if not isinstance(value, bool):
        refuse(where, f"must be true or false, not {_kind(value)}")
    return value


def number(value: Any, where: str) -> int | float:
    """A finite number: what is undefined must say so by None, not by NaN."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        refuse(where, f"must be a number, not {_kind(value)}")
    if not math.isfinite(value):
        refuse(where, f"is {value}: write None where there is no number")
    return value


def share(value: Any, where: str) -> int | float:
    if not -1e-9 <= number(value, where) <= 1 + 1e-9:
        refuse(where, f"is {value}: a share is between 0 and 1")
    return value if isinstance(value, int | float) else 0


def scalar(value: Any, where: str) -> Any:
    """Anything that stands in one cell of a table."""
    if value is None or isinstance(value, str | bool):
        return value
    return number(value, where)


def optional(shape: Shape) -> Shape:
    """None, or this shape."""
    return lambda value, where: None if value is None else shape(value, where)


def either(first: Shape, second: Shape, choose: Callable[[Any], bool]) -> Shape:
    """The first shape where `choose` says so, the second elsewhere."""
    return lambda value, where: (first if choose(value) else second)(value, where)


def list_of(shape: Shape) -> Shape:
    def check(value: Any, where: str) -> list[Any]:
        if isinstance(value, str | bytes) or not isinstance(value, Sequence):
            refuse(where, f"must be a list, not {_kind(value)}")
        return [shape(item, f"{where}[{i}]") for i, item in enumerate(value)]

    return check


def strings(value: Any, where: str) -> list[str | None]:
    """A long list of texts, None where there is none: checked at one go, for there may be a hundred thousand."""
    return _column(value, where, (str,), optional(text))


def numbers(value: Any, where: str) -> list[float | None]:
    """A long list of numbers, None where one is undefined."""
    made = _column(value, where, (int, float), optional(number))
    if any(isinstance(item, bool) or (item is not None and not math.isfinite(item)) for item in made):
        list_of(optional(number))(made, where)  # says which one
    return made


def _column(value: Any, where: str, kinds: tuple[type, ...], shape: Shape) -> list[Any]:
    if isinstance(value, str | bytes) or not isinstance(value, Sequence):
        refuse(where, f"must be a list, not {_kind(value)}")
    made = list(value)
    if not {type(item) for item in made} <= {*kinds, type(None)}:
        return [shape(item, f"{where}[{i}]") for i, item in enumerate(made)]
    return made


def mapping_of(shape: Shape) -> Shape:
    def check(value: Any, where: str) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            refuse(where, f"must be a mapping, not {_kind(value)}")
        return {
            text(key, f"a key of {where}"): shape(item, f'{where}["{key}"]') for key, item in value.items()
        }

    return check


def record(
    required: Mapping[str, Shape], extra: Mapping[str, Shape] | None = None, *, closed: bool = False
) -> Shape:
    """A mapping with these keys. An optional key that is missing is None; a `closed` record allows no others."""
    known = {**required, **(extra or {})}

    def check(value: Any, where: str) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            refuse(where, f"must be a mapping, not {_kind(value)}")
        for key in required:
            if key not in value:
                refuse(where, f"has no {key!r}")
        for key in value:
            if closed and key not in known:
                refuse(where, f"has an unknown key {key!r}{did_you_mean(str(key), known)}")
        return {
            key: None
            if key not in required and value.get(key) is None
            else shape(value[key], f'{where}["{key}"]')
            for key, shape in known.items()
        }

    return check
