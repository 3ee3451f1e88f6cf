"""What proposals are worth, on one scale: what of 100 edits they save.

Of a match: its rate, and for the same source how often it was translated before, whether always so, for whom and by
whom. Each of these is one of a few kinds; a ridge regression over the kinds says what each adds, and what was seen of
the very same kinds corrects it, the more of it there is. Of a machine translation: its own score (or that of an
estimator), by a curve that only rises.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tertium.adaptation.base import SourceSegment
from tertium.adaptation.memories import GrowingMemory
from tertium.matching.proposals import Proposal
from tertium.stats.reliability import equal_bins, isotonic

Numbers = NDArray[np.float64]
RIDGE, SHRINK = 5.0, 20.0
_BIN, _MOST_BINS = 30, 25
RATES = (50, 60, 70, 80, 90, 95, 100, 101)
LENGTHS = (2, 4, 8)
TIMES = (2, 3, 4, 8)


@dataclass(frozen=True)
class MatchKind:
    """What is known of a match, in few words each."""

    rate: int
    times: int
    agreed: str  # always, mostly, or not
    client: bool
    translator: bool
    length: int

    def traits(self) -> tuple[str, ...]:
        same = self.rate >= 100
        return (
            f"rate {_band(self.rate, RATES)}",
            f"length {self.length}" + (" same" if same else ""),
            f"times {self.times} {self.agreed}" if same else "other",
            f"client {self.client} {self.agreed if same else ''}",
            f"translator {self.translator}",
        )

    def words(self) -> str:
        """For people."""
        if self.rate < 100:
            return f"{self.rate}% match"
        often = (
            "once"
            if self.times == 1
            else f"{self.times} times or more"
            if self.times > TIMES[-2]
            else "twice"
        )
        who = ", for this client" if self.client else ""
        return f"the same text was translated {often} before, {self.agreed} so{who}"


def _band(value: int, edges: Sequence[int]) -> int:
    return sum(value >= edge for edge in edges)


def kind_of(segment: SourceSegment, match: Proposal, memory: GrowingMemory) -> MatchKind:
    """What is known of a match that the memory gave."""
    same = memory.same(segment.source) if match.rate >= 100 else []
    share = sum(unit.target == match.target for unit in same) / len(same) if same else 0.0
    agreed = "always" if share == 1 else "mostly" if share > 0.5 else "not always"
    client = bool(segment.client) and any(
        unit.client == segment.client and unit.target == match.target for unit in same or ()
    )
    translator = bool(segment.translator) and any(
        unit.translator == segment.translator and unit.target == match.target for unit in same
    )
    if not same:
        client = bool(segment.client) and match.client == segment.client
        translator = bool(segment.translator) and match.translator == segment.translator
    times = 1 + _band(len(same), TIMES)
    return MatchKind(
        match.rate, times, agreed, client, translator, _band(len(segment.source.split()), LENGTHS)
    )


class MatchWorth:
    """What matches save, by their kinds.

    >>> kinds = [MatchKind(100, 1 + n % 2, "always", True, False, 0) for n in range(200)]
    >>> worth = MatchWorth(kinds, [90.0 if n % 2 else 50.0 for n in range(200)])
    >>> [round(float(value)) for value in worth.marks(kinds[:2])]
    [50, 90]
    """

    def __init__(self, kinds: Sequence[MatchKind], saved: Sequence[float]) -> None:
        self.names = sorted({key for kind in kinds for key in kind.traits()})
        self._places = {name: place for place, name in enumerate(self.names)}
        truth = np.asarray(saved, float)
        self.mean = float(truth.mean()) if len(truth) else 0.0
        rows = self._rows(kinds)
        inverse = rows.T @ rows + RIDGE * np.eye(len(self.names))
        self.weights = np.linalg.solve(inverse, rows.T @ (truth - self.mean)) if len(truth) else np.zeros(0)
        missed: dict[MatchKind, list[float]] = {}
        for kind, more in zip(kinds, truth - self.mean - rows @ self.weights, strict=True):
            missed.setdefault(kind, []).append(float(more))
        self.own = {kind: sum(more) / (len(more) + SHRINK) for kind, more in missed.items()}

    def _rows(self, kinds: Sequence[MatchKind]) -> Numbers:
        rows = np.zeros((len(kinds), len(self.names)))
        for row, kind in zip(rows, kinds, strict=True):
            for key in kind.traits():
                if key in self._places:
                    row[self._places[key]] = 1.0
        return rows

    def marks(self, kinds: Sequence[MatchKind]) -> Numbers:
        """What of 100 edits each saves. Above 100 for the very best kinds: their order counts, too."""
        made = self.mean + self._rows(kinds) @ self.weights
        more = np.array([self.own.get(kind, 0.0) for kind in kinds])
        return np.asarray(np.maximum(made + more, 0.0))


class ScoreWorth:
    """What machine translations save, by their scores; without scores all save the same.

    >>> worth = ScoreWorth([n / 100 for n in range(100)], [float(n) for n in range(100)])
    >>> worth.marks([0.0, 0.9]).round().tolist()
    [16.0, 83.0]
    """

    def __init__(self, scores: Sequence[float | None], saved: Sequence[float]) -> None:
        truth = np.asarray(saved, float)
        known = np.array([own is not None for own in scores], bool)
        self.mean = float(truth.mean()) if len(truth) else 0.0
        values = np.array([own for own in scores if own is not None], float)
        self.curve: tuple[Numbers, Numbers] | None = None
        if len(values) >= 2 * _BIN and float(np.ptp(values)) > 0:
            bins = equal_bins(values, max(1, min(_MOST_BINS, len(values) // _BIN)))
            at = np.array([values[own].mean() for own in bins])
            means = [float(truth[known][own].mean()) for own in bins]
            self.curve = at, np.asarray(isotonic(means, [len(own) for own in bins]))

    def marks(self, scores: Sequence[float | None]) -> Numbers:
        curve = self.curve
        if curve is None:
            return np.full(len(scores), self.mean)
        return np.array([self.mean if own is None else float(np.interp(own, *curve)) for own in scores])
