"""A text under examination: lines with a name and a role, and shares of lines that have some property."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Any, Literal, TypeVar

T = TypeVar("T")
Role = Literal["reference", "system", "source"]


@dataclass(frozen=True, eq=False)
class TextColumn:
    """The lines of one file or system. None is a reference that does not exist."""

    name: str
    role: Role
    lines: tuple[str | None, ...]
    _known: dict[Any, Any] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.lines)

    @cached_property
    def filled(self) -> tuple[tuple[int, str], ...]:
        """Lines that have text, with their places."""
        return tuple([(i, line) for i, line in enumerate(self.lines) if line is not None and line.strip()])

    @cached_property
    def text(self) -> str:
        """All lines in one string: a pattern that is rare is sought there once, not in every line."""
        return "\n".join([line or "" for line in self.lines])

    @cached_property
    def _starts(self) -> list[int]:
        return list(accumulate((len(line or "") + 1 for line in self.lines), initial=0))

    def matching(self, pattern: re.Pattern[str]) -> list[int]:
        """Places (from 0) of lines in which the pattern matches."""
        starts = self._starts
        return list(dict.fromkeys(bisect_right(starts, m.start()) - 1 for m in pattern.finditer(self.text)))

    def once(self, make: Callable[[TextColumn], T]) -> T:
        """`make(self)`, made once however many ask: all systems are compared with the same reference."""
        if make not in self._known:
            self._known[make] = make(self)
        found: T = self._known[make]
        return found

    def where(self, has: Callable[[str], object]) -> list[int]:
        """Places (from 0) of lines with a property."""
        return [i for i, line in enumerate(self.lines) if line is not None and has(line)]


def share(part: int, whole: int) -> float:
    """part / whole; 0 of nothing."""
    return part / whole if whole else 0.0


def percent(value: float) -> str:
    """A share for people; small ones are not nothing.

    >>> percent(0.5), percent(0.0004)
    ('50%', '0.04%')
    """
    return f"{100 * value:.0f}%" if value >= 0.1 else f"{100 * value:.2g}%"
