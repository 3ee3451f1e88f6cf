"""Has a series become worse? A test that is asked again after every batch, and whose false alarms are counted.

Page's CUSUM over sequential ranks: where a batch stands among those before it tells nothing of their distribution, so
that the number of false alarms is the promised one for any distribution, as long as the batches are exchangeable.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from dataclasses import dataclass, field
from math import exp
from statistics import NormalDist

from tertium.errors import InputError

SLACK = 0.35  # a fall of one standard error has 0.65 of it left in every batch
KNOWN = 500  # batches that a new one is compared with
_NORMAL = NormalDist()


def run_length(threshold: float, slack: float = SLACK) -> float:
    """Batches until a false alarm, on average, of a CUSUM over standard normal values (Siegmund 1985).

    >>> round(run_length(8.56), -2)
    3700.0
    """
    reach = 2 * slack * (threshold + 1.166)
    return (exp(reach) - reach - 1) / (2 * slack * slack)


def threshold_for(batches: float, slack: float = SLACK) -> float:
    """The threshold that has one false alarm in so many batches.

    >>> round(threshold_for(3650), 2)
    8.55
    """
    if not batches > 10:
        raise InputError(f"a false alarm in {batches:g} batches: more than 10 are needed")
    low, high = 0.0, 100.0
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (middle, high) if run_length(middle, slack) < batches else (low, middle)
    return high


@dataclass
class Chart:
    """One series, batch by batch: how far it has fallen, or risen, against what it was.

    >>> chart = Chart()
    >>> for batch in range(200):
    ...     alarm = chart.add(batch % 7 - 3.0 - 4 * (batch >= 150), 9.0)
    ...     if alarm:
    ...         print(batch, alarm)
    155 fell 9
    """

    slack: float = SLACK
    known: list[float] = field(default_factory=list)  # in the order of time
    fallen: float = 0.0
    risen: float = 0.0
    falling: int = 0  # batches since the sum was 0 last
    rising: int = 0
    _ordered: list[float] = field(default_factory=list, repr=False)

    def __post_init__(self) -> None:
        self._ordered = sorted(self.known)

    def add(self, value: float, threshold: float) -> Shift | None:
        """One more batch; says whether the series has changed, and since how many batches. Then it begins anew."""
        score = self._score(value)
        self._remember(value)
        self.fallen = max(0.0, self.fallen - score - self.slack)
        self.risen = max(0.0, self.risen + score - self.slack)
        self.falling = self.falling + 1 if self.fallen else 0
        self.rising = self.rising + 1 if self.risen else 0
        for kind, level, since in (("fell", self.fallen, self.falling), ("rose", self.risen, self.rising)):
            if level > threshold:
                found = Shift(kind, since)
                self._begin_anew()
                return found
        return None

    def _score(self, value: float) -> float:
        """Where a batch stands among those before it, as a normal score."""
        less = bisect_left(self._ordered, value)
        same = bisect_right(self._ordered, value) - less
        return _NORMAL.inv_cdf((less + same / 2 + 0.5) / (len(self._ordered) + 1))

    def _remember(self, value: float) -> None:
        self.known.append(value)
        insort(self._ordered, value)
        if len(self.known) > KNOWN:
            oldest = self.known.pop(0)
            del self._ordered[bisect_left(self._ordered, oldest)]

    def _begin_anew(self) -> None:
        """Not even with what raised the alarm: it was chosen for being low, or high, and what follows is not."""
        self.known, self._ordered = [], []
        self.fallen = self.risen = 0.0
        self.falling = self.rising = 0


@dataclass(frozen=True)
class Shift:
    """A change of a series: it `fell` or `rose`, and so many batches belong to it."""

    kind: str
    batches: int

    def __str__(self) -> str:
        return f"{self.kind} {self.batches}"
