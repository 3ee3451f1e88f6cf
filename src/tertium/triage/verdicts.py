"""Pass, edit or block: what is to be done with a translation, by its mark from 0 to 100, or by a promise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tertium.errors import InputError, many
from tertium.estimation.words import Numbers
from tertium.triage.promises import Promise

PASS, EDIT, BLOCK = "pass", "edit", "block"
VERDICTS = (PASS, EDIT, BLOCK)
PASS_FROM, EDIT_FROM = 90.0, 70.0


@dataclass(frozen=True)
class Thresholds:
    """Marks from which translations pass, or are edited; a promise takes the place of the first."""

    passes: float = PASS_FROM
    edits: float = EDIT_FROM
    promise: Promise | None = None

    def __post_init__(self) -> None:
        for name, value in (("pass", self.passes), ("edit", self.edits)):
            if not 0 <= value <= 100:
                raise InputError(f"--{name}: marks are from 0 to 100, not {value:g}")
        if self.edits > self.passes:
            raise InputError(
                f"what passes ({self.passes:g}) cannot be worth less than what is edited ({self.edits:g})"
            )

    def verdicts(
        self, marks: Numbers, estimates: Numbers, blocked: np.ndarray | None = None
    ) -> tuple[str, ...]:
        """One for each; `blocked` are never shown, whatever their mark. Estimates are the better the higher."""
        passes = marks >= self.passes if self.promise is None else self.promise.passes(estimates)
        found = np.where(passes, PASS, np.where(marks >= self.edits, EDIT, BLOCK))
        if blocked is not None:
            found = np.where(blocked, BLOCK, found)
        return tuple(found.tolist())


def verdict_words(verdicts: Sequence[str]) -> str:
    """How many of each.

    >>> verdict_words(["pass", "edit", "edit", "block"])
    'Of 4 segments 1 can pass, 2 are to be edited, 1 is blocked.'
    """
    counts = Counter(verdicts)
    edit, block = (f"{counts[own]:,} {'is' if counts[own] == 1 else 'are'}" for own in (EDIT, BLOCK))
    segments = many(len(verdicts), "segment").replace(str(len(verdicts)), f"{len(verdicts):,}", 1)
    return f"Of {segments} {counts[PASS]:,} can pass, {edit} to be edited, {block} blocked."
