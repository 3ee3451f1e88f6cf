"""Medians of segment scores, by rows that add: each row is a bag of values, and a sum of bags is a bag.

A mean adds as score and weight. A median needs all values, so a row holds which values there are and how often, as
the types of `TypeStatistics`; documents, buckets, resamples and shards are then sums of rows as for every metric.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Self

from tertium import _native
from tertium._native import Lines
from tertium.statistics.base import Columns, Parts, as_weights
from tertium.statistics.types import SparseStatistics

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class ValueStatistics(SparseStatistics):
    """Rows that are bags of values. A segment has one value, or none where its score is undefined.

    >>> rows = ValueStatistics.of([3.0, 1.0, None, 10.0, 2.0])
    >>> list(rows.total().medians()), list(rows.take([0, 2]).medians())
    ([2.5], [3.0, nan])
    """

    kind: ClassVar[str] = "values"  # types are values as text, exact to the last bit
    bootstrappable: ClassVar[bool] = True  # for intervals; the bootstrap test of medians finds too little

    @classmethod
    def of(cls, values: Sequence[float | None]) -> Self:
        """One row for each value."""
        # + 0.0 turns -0.0 into 0.0
        lines = Lines(["" if value is None else (float(value) + 0.0).hex() for value in values])
        words = _native.WordReferences([lines], "none", 1)
        return cls(_native.type_rows(lines, words, "none", 1, False, 1))

    @classmethod
    def _from_parts(cls, columns: Columns, parts: Parts) -> Self:
        made = super()._from_parts(columns, parts)
        for text in made.types:
            float.fromhex(text)
        return made

    def bags(self) -> Iterator[list[tuple[float, int]]]:
        """For each row its values with their counts, in ascending order."""
        values = [float.fromhex(text) for text in self.rows.types()]
        parts: list[Any] = [memoryview(part).tolist() for part in self.rows.entries()]
        starts, types, counts = parts
        for (begin,), (end,) in pairwise(starts):
            yield sorted((values[types[e][0]], counts[e][0]) for e in range(begin, end))

    def medians(self) -> list[float]:
        """The median of each row; NaN for a bag with nothing in it."""
        return [median(bag) for bag in self.bags()]

    def without_each(self) -> Remainders:
        return Remainders(self)

    def weighted_medians(self, weights: Any) -> NDArray[np.float64]:
        """The median of each weighted sum of rows, without holding the sums."""
        import numpy as np

        given = as_weights(weights, len(self))
        cells = [(value, count, row) for row, bag in enumerate(self.bags()) for value, count in bag]
        cells.sort()
        values, counts, rows = (np.array([cell[i] for cell in cells]) for i in range(3))
        found = np.full(len(given), np.nan)
        step = max(1, 2**22 // max(1, len(cells)))
        for begin in range(0, len(given) if cells else 0, step):
            times = given[begin : begin + step, rows].astype(np.int64) * counts
            if (times < 0).any():
                raise ValueError("a median cannot be taken of values with negative weights")
            reached = times.cumsum(axis=1)
            n = reached[:, -1]
            low = (reached <= ((n - 1) // 2)[:, None]).sum(axis=1)
            high = (reached <= (n // 2)[:, None]).sum(axis=1)
            last = len(cells) - 1
            middle = (values[np.minimum(low, last)] + values[np.minimum(high, last)]) / 2
            found[begin : begin + step] = np.where(n > 0, middle, np.nan)
        return found


@dataclass(frozen=True, eq=False)
class Remainders:
    """For every row the bag of all others. It can only be scored."""

    rows: ValueStatistics

    def __len__(self) -> int:
        return len(self.rows)

    def medians(self) -> list[float]:
        """The median of what is left without each row."""
        (whole,) = self.rows.total().bags()
        found: dict[tuple[tuple[float, int], ...], float] = {}  # rows with one value: few are different
        medians = []
        for bag in self.rows.bags():
            key = tuple(bag)
            if key not in found:
                gone = dict(bag)
                found[key] = median([(value, count - gone.get(value, 0)) for value, count in whole])
            medians.append(found[key])
        return medians


def median(bag: Sequence[tuple[float, int]]) -> float:
    """The median of values in ascending order with their counts: the mean of the two in the middle; NaN of none.

    >>> median([(1.0, 2), (4.0, 1), (6.0, 1)])
    2.5
    """
    n = sum(count for _, count in bag)
    if n == 0:
        return float("nan")
    seen, low = 0, None
    for value, count in bag:
        seen += count
        if low is None and seen > (n - 1) // 2:
            low = value
        if seen > n // 2:
            assert low is not None
            return (low + value) / 2
    raise AssertionError("counts do not add up")
