"""A text under examination: lines with a name and a role, and shares of lines that have some property."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from tertium._native import Lines
from tertium.comparison.doctor.words import CHARACTER, LETTERS, TELLING, NumberedWords, Vocabulary

T = TypeVar("T")
Role = Literal["reference", "system", "source"]


@dataclass(frozen=True, eq=False)
class TextColumn:
    """The lines of one file or system. None is a reference that does not exist."""

    name: str
    role: Role
    lines: tuple[str | None, ...]
    vocabulary: Vocabulary = field(
        default_factory=Vocabulary, repr=False
    )  # that of all texts examined together
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

    @cached_property
    def words(self) -> NumberedWords:
        return NumberedWords.of(Lines(self.lines), self.vocabulary)

    @cached_property
    def sizes(self) -> list[float]:
        """NumberedWords of each line, without punctuation; in scripts without spaces two characters make one."""
        kinds = self.words.kinds
        chosen = (kinds & (LETTERS | TELLING)) > 0
        dense = chosen & ((kinds & CHARACTER) > 0)
        found: list[float] = (self.words.per_line(chosen) - self.words.per_line(dense) / 2).tolist()
        return found

    @property
    def codes(self) -> npt.NDArray[np.uint32]:
        """The characters of the text as numbers; quickly made, and too large to keep."""
        return np.frombuffer(self.text.encode("utf-32-le", "surrogatepass"), np.uint32)

    @cached_property
    def characters(self) -> str:
        """Every character of the text, once."""
        return "".join(map(chr, np.flatnonzero(np.bincount(self.codes))))

    def matching(self, pattern: re.Pattern[str], needs: re.Pattern[str] | None = None) -> list[int]:
        """Places (from 0) of lines in which the pattern matches, which has one of the characters it `needs`."""
        if needs is not None and not needs.search(self.characters):
            return []
        return list(dict.fromkeys(self.line_at(m.start()) for m in pattern.finditer(self.text)))

    def line_at(self, character: int) -> int:
        """The line (from 0) that this character of the text is in."""
        return bisect_right(self._starts, character) - 1

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
