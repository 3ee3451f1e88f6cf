"""Pictures as SVG text: tags, words, scales and their ticks; no style attributes, which pages' policy forbids."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from tertium.io import escaping

FONT = "system-ui, 'Segoe UI', 'Noto Sans', 'DejaVu Sans', 'Liberation Sans', Arial, sans-serif"
_LETTER = 8.0  # of text at 12.5 pixels, generously


def ticks_of(low: float, high: float) -> list[float]:
    """Round numbers around what is shown, five to ten of them."""
    span = max(high - low, 0.01)
    step = 10.0 ** math.floor(math.log10(span / 4))
    step *= next(factor for factor in (1, 2, 5, 10) if span / (step * factor) <= 8)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    if first == last:  # all values are one round number
        first, last = first - 1, last + 1
    return [round(i * step, 10) for i in range(first, last + 1)]


def tick_text(value: float, ticks: Sequence[float]) -> str:
    """All of a scale with the same decimals."""
    return f"{value:.{max(len(f'{tick:g}'.partition('.')[2]) for tick in ticks)}f}"


def scale(low: float, high: float, start: float, end: float) -> Callable[[float], float]:
    """From values to places."""
    return lambda value: start + (value - low) / (high - low) * (end - start)


def width_of(names: Sequence[str]) -> float:
    """What the longest of some names takes."""
    return max((escaping.display_width(name) for name in names), default=0) * _LETTER


def picture(width: float, height: float, title: str, description: str, parts: Sequence[str]) -> str:
    """A whole picture, with its name and what it shows."""
    w, h = math.ceil(width), math.ceil(height)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" role="img" '
        f'font-family="{FONT}" font-size="12.5">'
    )
    return f"{head}{titled(title)}<desc>{plain(description)}</desc>{''.join(parts)}</svg>"


def titled(text: str) -> str:
    """What is said of the thing that this stands in."""
    return f"<title>{plain(text)}</title>"


def plain(text: str) -> str:
    """Text of an XML file: control characters and halves of pairs are none."""
    return escaping.html(escaping.one_line(text.encode("utf-8", "replace").decode()))


def words(x: float, y: float, text: str, anchor: str = "start", **attributes: str) -> str:
    """Words at a place."""
    return tag("text", x=x, y=y, text_anchor=anchor, fill="currentColor", inside=plain(text), **attributes)


def rule(x1: float, x2: float, y1: float, y2: float) -> str:
    """A faint line of the grid."""
    return tag("line", x1=x1, x2=x2, y1=y1, y2=y2, stroke="currentColor", stroke_opacity=0.18)


def tag(name: str, inside: str = "", **attributes: str | float) -> str:
    """An element.

    >>> tag("line", x1=1.0, stroke_width=0.333)
    '<line x1="1" stroke-width="0.33"/>'
    """
    said = "".join(
        f' {key.replace("_", "-")}="{num(value) if isinstance(value, int | float) else value}"'
        for key, value in attributes.items()
    )
    return f"<{name}{said}>{inside}</{name}>" if inside else f"<{name}{said}/>"


def num(value: float) -> str:
    """A number with two decimals at most."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
