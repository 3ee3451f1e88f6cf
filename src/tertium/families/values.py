"""Options of a metric, and their values in spec strings."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Sequence
from functools import cache
from typing import Any, get_args, get_type_hints

from tertium.errors import SpecError, did_you_mean


def option(
    default: Any,
    help: str,
    *,
    choices: tuple[str, ...] = (),
    aliases: tuple[str, ...] = (),
    between: tuple[float, float] | None = None,
    key: str = "",
    decides: bool = True,
    file: bool = False,
) -> Any:
    """A field of a metric: its default, one line of help, the values and other names it may have.

    `key` is its name in signatures, which leave out the default if the key ends in a question mark. An option that does
    not decide the number (a time limit, a device) says so: metrics that differ only there are equal. One that may
    name a `file` says so, too: whoever scores elsewhere sends it along.

    >>> field = option(4, "longest n-gram", aliases=("n",))
    >>> field.default, field.metadata["aliases"]
    (4, ('n',))
    """
    described = {
        "help": help,
        "choices": choices,
        "aliases": aliases,
        "between": between,
        "key": key,
        "file": file,
    }
    return dataclasses.field(default=default, metadata=described, compare=decides)


@cache
def type_hints(cls: type) -> dict[str, Any]:
    """The types of a metric's options: looking them up takes longer than scoring a hundred segments."""
    return get_type_hints(cls)


def written(value: Any) -> str:
    """A value of an option as a spec string has it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.17g}" if float(f"{value:g}") != value else f"{value:g}"
    text = str(value)
    return f'"{text}"' if any(c in text for c in ',:="') else text


def references_said(number: int | None, pseudo: Sequence[str] = ()) -> dict[str, str]:
    """What a signature says of references; `pseudo` has the labels of those that are outputs of other systems.

    >>> references_said(2, ["online-A"]), references_said(None)
    ({'nrefs': '1', 'pseudo': 'online-A'}, {'nrefs': 'var'})
    """
    items = {"nrefs": "var" if number is None else str(number - len(pseudo))}
    if pseudo:
        labels = "+".join(pseudo)
        items["pseudo"] = labels if re.fullmatch(r"[\w.+/-]+", labels) else f'"{labels}"'
    return items


def parsed(metric: str, name: str, text: Any, hint: Any) -> Any:
    """The value of an option that a spec string gives, of the type that the option has."""
    if not isinstance(text, str):
        return text
    kinds = get_args(hint) or (hint,)
    if type(None) in kinds and text.lower() in ("none", ""):
        return None
    words = [word for kind in kinds for word in get_args(kind)]  # of a Literal
    if text in words:
        return text
    try:
        if bool in kinds:
            return {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}[
                text.lower()
            ]
        if int in kinds and float not in kinds:
            return int(text)
        if float in kinds:
            return float(text)
    except (KeyError, ValueError):
        wanted = " or ".join(["yes", "no", *words]) if bool in kinds else "a number"
        raise SpecError(f"{metric}: {name} must be {wanted}, not {text!r}") from None
    return text


def check_options(metric: Any) -> None:
    """Refuses values that are not among the `choices` of an option, or not `between` its limits."""
    for field in dataclasses.fields(metric):
        value, choices, between = (
            getattr(metric, field.name),
            *map(field.metadata.get, ("choices", "between")),
        )
        if choices and value not in choices:
            advice = did_you_mean(str(value), filter(None, choices))
            raise SpecError(f"{metric.name}: {field.name}={value!r} is not valid{advice}")
        if between and value is not None and (not between[0] <= value <= between[1] or value == math.inf):
            low, high = between
            bound = f"at least {low:g}" if high == math.inf else f"from {low:g} to {high:g}"
            raise SpecError(f"{metric.name}: {field.name} must be {bound}, not {value}")
