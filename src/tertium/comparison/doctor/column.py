"""A text under examination: lines with a name and a role, and shares of lines that have some property."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from tertium._native import Lines
from tertium.comparison.doctor.survey import Codes, Has, Integers, Survey, codes_of
from tertium.comparison.doctor.words import CHARACTER, LETTERS, TELLING, NumberedWords, Vocabulary

T = TypeVar("T")
Role = Literal["reference", "system", "source"]


@dataclass(frozen=True, eq=False)
class TextColumn:
    """The lines of one file or system. None is a reference that does not exist."""

    name: str
    role: Role
    lines: Lines
    vocabulary: Vocabulary = field(
        default_factory=Vocabulary, repr=False
    )  # that of all texts examined together
    _known: dict[Any, Any] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.lines)

    @cached_property
    def codes(self) -> Codes:
        """Every character of the text, once."""
        return codes_of(self.lines)

    @cached_property
    def survey(self) -> Survey:
        return Survey.of(self.lines, self.codes)

    @cached_property
    def words(self) -> NumberedWords:
        return NumberedWords.of(self.lines, self.codes, self.vocabulary)

    @cached_property
    def sizes(self) -> npt.NDArray[np.float64]:
        """Words of each line, without punctuation; in scripts without spaces two characters make one."""
        kinds = self.words.vocabulary.kinds()
        chosen = (kinds & (LETTERS | TELLING)) > 0
        halves = np.where(chosen, np.where(kinds & CHARACTER, 1, 2), 0).astype(np.uint8)
        return self.words.per_line(halves[self.words.number]) / 2

    def line(self, place: int) -> str:
        """The text of a line; nothing if it is missing."""
        return self.lines[int(place)] or ""

    @property
    def filled(self) -> Iterator[tuple[int, str]]:
        """Lines that have text, with their places."""
        return ((i, self.line(i)) for i in np.flatnonzero(self.survey.filled).tolist())

    def matching(self, pattern: re.Pattern[str], *needs: Has) -> list[int]:
        """Places (from 0) of lines in which the pattern matches, which have something of each kind it `needs`."""
        return self.where(pattern.search, self.survey.having(*needs))

    def where(self, has: Callable[[str], object], places: Integers) -> list[int]:
        """Those of these places whose lines have a property."""
        return [i for i in places.tolist() if has(self.line(i))]

    def once(self, make: Callable[[TextColumn], T]) -> T:
        """`make(self)`, made once however many ask: all systems are compared with the same reference."""
        if make not in self._known:
            self._known[make] = make(self)
        found: T = self._known[make]
        return found


def share(part: int, whole: int) -> float:
    """part / whole; 0 of nothing."""
    return part / whole if whole else 0.0


def percent(value: float) -> str:
    """A share for people; small ones are not nothing.

    >>> percent(0.5), percent(0.0004)
    ('50%', '0.04%')
    """
    return f"{100 * value:.0f}%" if value >= 0.1 else f"{100 * value:.2g}%"
