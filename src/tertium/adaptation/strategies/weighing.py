"""How much what was learnt counts beside what was known: a weight that is itself learnt, from every correction.

Both sides say how probable a correction is before either learns from it. The weight of the dynamic side is the
posterior probability that it is the better one, with a share that changes sides after each correction (fixed share,
Herbster and Warmuth 1998), so that it follows changes; evidence is tempered by the length of the correction, since
pieces of a text say the same thing more than once:

    w <- w exp(e d) / (w exp(e d) + (1 - w)),  w <- (1 - s) w + s / 2

where d is the mean gain in log-probability of a piece, in nats, at most 2 either way, e the trust in one correction,
and s the share.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

TRUST, SHARE, MOST = 1.0, 0.02, 2.0


class DynamicWeight:
    """The weight of what is dynamic, 0 to 1.

    >>> balance = DynamicWeight()
    >>> for _ in range(10):
    ...     balance.learn(0.5)
    >>> round(balance.value, 2)
    0.97
    >>> for _ in range(10):
    ...     balance.learn(-2.0)
    >>> round(balance.value, 2)
    0.01
    """

    def __init__(self, value: float = 0.5) -> None:
        self.first = self.value = value

    def learn(self, gain: float) -> None:
        """Takes in a correction's gain: log-probability of a piece, dynamic minus static."""
        if not math.isfinite(gain):
            gain = -MOST
        odds = math.exp(TRUST * max(-MOST, min(MOST, gain)))
        value = self.value * odds / (self.value * odds + 1 - self.value)
        self.value = (1 - SHARE) * value + SHARE / 2

    def forget(self) -> None:
        """As in the beginning."""
        self.value = self.first

    def state(self) -> dict[str, Any]:
        """What it knows, in plain JSON types."""
        return {"value": self.value}

    def take(self, state: Mapping[str, Any]) -> None:
        """Knows what a state says."""
        self.value = float(state["value"])
