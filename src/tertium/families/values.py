"""Values of a metric's options, to spec strings and back."""

from __future__ import annotations

from functools import cache
from typing import Any, get_args, get_type_hints

from tertium.errors import SpecError


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
