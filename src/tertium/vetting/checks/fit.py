"""Whether the sides of a unit fit each other better than texts that merely look like them would."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import exp
from typing import TYPE_CHECKING

from tertium.vetting.checks.base import Doubt, Span
from tertium.vetting.selftaught import SelfTaught

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tertium.io.memories.unit import Unit

DOUBTED = 1.0  # logarithm of the odds, from which on it is told
_NAMED = re.compile(r"(?<!\w)(?:\d+|[^\W\d_a-z][^\W\d_]+)(?!\w)")
_SHOWN = 4


class Fit:
    """A unit that looks like a source with the target of another, similar unit."""

    name = "fit"
    sentence = "The sides fit each other better than the most similar other texts of this memory would."
    learner = SelfTaught

    def sieve(self, rows: NDArray[np.float64]) -> NDArray[np.bool_]:
        found: NDArray[np.bool_] = rows[:, 0] >= DOUBTED
        return found

    def doubt(self, _taught: SelfTaught, unit: Unit, row: Sequence[float]) -> Doubt | None:
        if row[0] < DOUBTED:
            return None
        source, target = alone(unit.source, unit.target), alone(unit.target, unit.source)
        texts = [unit.source[a:b] for a, b in source] + [unit.target[a:b] for a, b in target]
        only = f"; only one side has {', '.join(texts[:_SHOWN])}" if texts else ""
        what = f"the target looks like that of another unit{only}"
        return Doubt(self.name, what, 1.0 / (1.0 + exp(-min(50.0, row[0]))), source, target)


def alone(text: str, other: str) -> tuple[Span, ...]:
    """Names and numbers of a text that have nothing like them in the other.

    >>> text = "Send 3 flowers to Sydney"
    >>> [text[a:b] for a, b in alone(text, "Envía 3 flores a Yerevan")]
    ['Sydney']
    """
    lower = other.lower()
    first = re.search(r"\w", text)
    return tuple(
        own.span()
        for own in _NAMED.finditer(text)
        if own.group().lower()[:4] not in lower and (first is None or own.start() > first.start())
    )
