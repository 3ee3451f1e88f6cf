"""How much what was learnt counts beside what was known before: a parameter that is learned online, and shown.

Experts are thresholds: each takes what was learnt (dynamic knowledge) from its rate on, and the static system below;
the last always takes the static one. After a correction it is known what each choice would have cost, by the share of
words to edit. Weights are multiplied by exp(-rate x cost), and a small share is dealt out evenly each time, so that
what was bad for long can come back (fixed share: Herbster and Warmuth 1998).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

THRESHOLDS = (0.3, 0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0)
NEVER = 2.0  # the threshold of the static expert
LEARNING = 1.5  # how fast weights follow
SHARED = 0.005  # of all weights, dealt out evenly with each correction
RECENT = 0.95  # of the shown balance stays, with each segment


class Balance:
    """Weights of static and dynamic knowledge.

    >>> balance = Balance()
    >>> for _ in range(60):
    ...     balance.learn(0.8, static=0.6, dynamic=0.1)
    >>> balance.share(0.8) > 0.8, balance.share(0.1)
    (True, 0.0)
    """

    def __init__(self, thresholds: Sequence[float] = THRESHOLDS) -> None:
        self.thresholds = np.array([*thresholds, NEVER])
        self.weights = self._first()
        self.shown: float | None = None
        self.held = False

    def _first(self) -> np.ndarray:
        """Before anything is known, half of the weight is static."""
        others = len(self.thresholds) - 1
        return np.array([0.5 / others] * others + [0.5])

    def share(self, rate: float) -> float:
        """The weight of those who take what was learnt at this rate; 0 while corrections are doubted."""
        return 0.0 if self.held else float(self.weights[self.thresholds <= rate].sum())

    def show(self, share: float) -> None:
        """One more segment in the balance that is shown."""
        self.shown = share if self.shown is None else RECENT * self.shown + (1 - RECENT) * share

    def learn(self, rate: float, *, static: float, dynamic: float) -> None:
        """What either would have cost (0 to 1), now that it is known what was wanted."""
        costs = np.where(self.thresholds <= rate, dynamic, static)
        weights = self.weights * np.exp(-LEARNING * (costs - costs.min()))
        weights /= weights.sum()
        self.weights = (1 - SHARED) * weights + SHARED / len(weights)

    def hold(self) -> None:
        """Back to static: corrections are doubted."""
        self.held, self.weights, self.shown = True, self._first(), 0.0

    def go_on(self) -> None:
        self.held = False

    def state(self) -> dict[str, Any]:
        return {"weights": self.weights.tolist(), "shown": self.shown, "held": self.held}

    def take(self, state: Mapping[str, Any]) -> None:
        self.weights = np.array(state["weights"], float)
        self.shown, self.held = state["shown"], bool(state["held"])

    def words(self) -> str:
        """In a few words: from which rate on what was learnt is taken, or that it is not."""
        found = [float(own) for own in THRESHOLDS if self.share(float(own)) >= 0.5]
        if not found:
            return "static counts"
        return f"what was learnt counts from {min(found):.0%} on"
