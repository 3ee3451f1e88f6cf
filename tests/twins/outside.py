"""The example program's similarity, and corpus scores by the book."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from difflib import SequenceMatcher


def ratio(hypothesis: str, references: Sequence[str]) -> float:
    """What examples/outside_metric.py says of a segment."""
    return max(SequenceMatcher(None, hypothesis, one, autojunk=False).ratio() for one in references)


def aggregate(values: Sequence[float | None], how: str) -> float | None:
    """The mean or the median of the scores that there are."""
    known = [value for value in values if value is not None]
    if not known:
        return None
    return statistics.fmean(known) if how == "mean" else statistics.median(known)
