"""How time is taken: CPU time, the least of several runs, peers back to back."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


def seconds(run: Callable[[], object], repeats: int) -> float:
    """The least CPU time of `repeats` runs."""
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        run()
        best = min(best, time.process_time() - start)
    return best


@dataclass(frozen=True)
class Line:
    """One line of the report: us against a peer."""

    what: str
    segments: int
    ours: float
    peer: str
    theirs: float
    target: float | None = None

    @property
    def ratio(self) -> float:
        return self.theirs / self.ours

    def text(self) -> str:
        per = self.ours / self.segments * 1e6
        theirs = self.theirs / self.segments * 1e6
        wanted = f"(target {self.target:g}x)" if self.target else ""
        ours = f"{self.what:<34}{self.segments:>8}{per:>11.2f}"
        return f"{ours}{self.peer:>22}{theirs:>12.1f}{self.ratio:>9.1f}x {wanted}".rstrip()


HEADER = f"{'what':<34}{'segments':>8}{'us/segment':>11}{'peer':>22}{'us/segment':>12}{'ratio':>10}"
