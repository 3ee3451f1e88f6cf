"""Rows of statistics, and what adds.

A metric turns every segment into a row. Rows add: the row of a document, a bucket, a resample or a shard is the
sum of its segments' rows, and a sum of rows is again rows, so one type serves for segments and for totals. A
score is a function of rows. Dense rows have a fixed number of columns; type rows are sparse, keyed by word type.

All columns are integers. A real-valued column is kept as digits of a fixed-point number (four integers that add
like any others), so that sums are exact and the same bits come out whatever the grouping.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from array import array
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

from tertium.errors import InputError
from tertium.statistics import parcels

if TYPE_CHECKING:
    import numpy as np
    import pyarrow
    from numpy.typing import NDArray

    from tertium.families.base import Metric

    Integers = Sequence[int] | NDArray[np.int64]
    Weights = Sequence[Sequence[int]] | NDArray[Any]  # m x n whole numbers


Columns = tuple[tuple[str, bool], ...]  # names, and whether they are real numbers
Parts = Mapping[str, Any]  # buffers of bytes


def as_int64(values: Integers) -> Any:
    """`values` as a contiguous buffer of int64, without numpy where they are plain Python."""
    if hasattr(values, "astype"):
        import numpy as np

        return np.ascontiguousarray(values, dtype=np.int64)
    return array("q", values)


LARGEST_WEIGHT = 32767
_EXCHANGES = 128  # sums that are made at a time


def as_weights(weights: Weights, n: int) -> NDArray[np.int16]:
    """Weights of `n` rows as kernels take them: m x n, whole, from -32767 to 32767.

    >>> as_weights([[1, 0, 2]], 3).dtype.name
    'int16'
    """
    import numpy as np

    given = np.asarray(weights)
    if given.ndim != 2 or given.shape[1] != n:
        raise ValueError(f"weights need a row with {n} numbers for each sum, not the shape {given.shape}")
    if given.dtype != np.int16:
        if given.dtype.kind not in "biu":
            raise ValueError(f"weights must be whole numbers, not {given.dtype}")
        if given.size and (given.max() > LARGEST_WEIGHT or given.min() < -LARGEST_WEIGHT):
            raise ValueError(f"weights lie between -{LARGEST_WEIGHT} and {LARGEST_WEIGHT}")
    return np.ascontiguousarray(given, dtype=np.int16)


class Statistics(ABC):
    """Rows that add. `len()` is the number of rows.

    They pickle, and go to bytes and to Arrow and back (docs/rows.md).
    """

    kind: ClassVar[str] = ""  # what bytes call rows that can be taken apart; it names one class
    # Whether a score of segments drawn with replacement is like one of other segments: where it comes from sums of the
    # same few columns, not where it depends on which types there are, since a resample has fewer of them.
    bootstrappable: ClassVar[bool] = False
    usual_test: ClassVar[str] = "randomisation"  # exact whatever a score is made of; the bootstrap is faster
    _kinds: ClassVar[dict[str, type[Statistics]]] = {}

    def __init_subclass__(cls) -> None:
        if "kind" in cls.__dict__:
            Statistics._kinds[cls.kind] = cls

    def _parts(self) -> tuple[Columns, Parts]:
        """Columns (name, whether real) and buffers, from which `_from_parts` makes us again."""
        raise InputError(f"{type(self).__name__} cannot be written as bytes: it does not define its parts")

    @classmethod
    def _from_parts(cls, columns: Columns, parts: Parts) -> Self:
        raise NotImplementedError

    def _parcel(self, metric: Metric | str | None) -> parcels.Parcel:
        return parcels.Parcel(self.kind, parcels.signed(metric), *self._parts())

    @classmethod
    def _opened(cls, parcel: parcels.Parcel) -> Self:
        kind: Any = cls._kinds.get(parcel.kind)
        if kind is None:
            known = ", ".join(sorted(cls._kinds))
            raise InputError(f"these rows are of an unknown kind, {parcel.kind!r} (known: {known})")
        if not (issubclass(kind, cls) or issubclass(cls, kind)):
            raise InputError(f"these rows are of kind {parcel.kind!r}, not {cls.kind!r}")
        try:
            made: Self = (kind if issubclass(kind, cls) else cls)._from_parts(parcel.columns, parcel.parts)
        except InputError:
            raise
        except (ValueError, KeyError, TypeError) as error:
            missing = isinstance(error, KeyError)
            reason = f"{error.args[0]} is missing" if missing else str(error).splitlines()[0]
            raise InputError(f"these rows are damaged: {reason}") from None
        return made

    def to_bytes(self, metric: Metric | str | None = None) -> bytes:
        """Our rows as bytes, for other processes and for keeping, signed by the metric that made them.

        >>> from tertium.statistics import DenseStatistics, columns
        >>> rows = DenseStatistics.build(columns("match", "length"), [[2, 4], [1, 2]])
        >>> Statistics.from_bytes(rows.to_bytes("my metric"), "my metric").total()["match"].tolist()
        [3]
        """
        return parcels.to_bytes(self._parcel(metric))

    @classmethod
    def from_bytes(cls, data: Any, metric: Metric | str | None = None) -> Self:
        """The rows that `to_bytes` wrote. Those of another metric or version are refused, and damaged ones."""
        return cls._opened(parcels.from_bytes(data).checked(metric))

    def to_arrow(self, metric: Metric | str | None = None) -> pyarrow.RecordBatch:
        """Our rows as Arrow has them, one to a row: dense ones without a copy. Needs the extra `frames`."""
        return parcels.to_arrow(self._parcel(metric))

    @classmethod
    def from_arrow(cls, table: Any, metric: Metric | str | None = None) -> Self:
        """The rows that `to_arrow` gave, from a record batch or a table."""
        return cls._opened(parcels.from_arrow(table).checked(metric))

    def __copy__(self) -> Self:
        """Sums may grow in place (`accumulate`), so a copy shares nothing."""
        return copy.deepcopy(self)

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def total(self) -> Self:
        """One row: the sum of all."""

    @abstractmethod
    def grouped(self, groups: Integers, n_groups: int) -> Self:
        """`n_groups` rows: row g is the sum of the rows i with groups[i] == g (negative: left out)."""

    @abstractmethod
    def take(self, index: Integers) -> Self:
        """The rows with these numbers, in this order; a row may be taken several times."""

    @abstractmethod
    def concat(self, other: Self) -> Self:
        """Our rows, then the other's: two batches of segments become one."""

    def without_each(self) -> Any:
        """As many rows as ours, for `Metric.score_rows`: row i is the sum of all our rows but row i.

        This is the slow way, for statistics of other packages; ours know how to do it in linear time.
        """
        n = len(self)
        found = self.take([])
        for i in range(n):
            found = found.concat(self.take([*range(i), *range(i + 1, n)]).total())
        return found

    @abstractmethod
    def __sub__(self, other: Self) -> Self:
        """Row by row, the opposite of adding: a total less a row is the total without that segment."""

    def accumulate(self, rows: Self) -> Self:
        """A total that grows: our one row plus the sum of `rows`. Go on with the result; we may have changed."""
        return self + rows.total()

    @abstractmethod
    def weighted(self, weights: Weights, *, threads: int = 1) -> Self:
        """One row for each row of `weights` (m x n whole numbers): the sum of our rows, each times its weight.

        A resample is a row of counts. The result has m rows: for many sums of sparse rows, score them in blocks
        (`Metric.score_weighted`).
        """

    def swapped(self, other: Self, masks: NDArray[np.uint8], *, threads: int = 1) -> tuple[Self, Self]:
        """Both totals after the rows whose bit is set have changed sides, for each row of `masks`.

        Bits are packed as `numpy.packbits(..., axis=1, bitorder="little")` packs them.
        """
        kept, moved = mask_weights(masks, len(self))
        both = self.concat(other)
        return both.weighted(kept, threads=threads), both.weighted(moved, threads=threads)

    def exchanged(self, first: Integers, before: Integers, after: Integers, ends: Integers) -> Self:
        """A row for each of `ends`, which ascend: the sum of our rows `first` after so many exchanges, in each of which
        row before[j] goes and row after[j] comes.

        >>> from tertium.statistics import DenseStatistics, columns
        >>> rows = DenseStatistics.build(columns("match"), [[1], [10], [100]])
        >>> rows.exchanged([0, 1], [0, 1], [2, 0], [0, 1, 2])["match"].tolist()
        [11, 110, 101]
        """
        import numpy as np

        begin, gone, come, marks = (
            np.asarray(given, dtype=np.int64) for given in (first, before, after, ends)
        )
        total, made, done = self.take(begin).total(), self.take([]), 0
        for marked in np.array_split(marks, max(1, -(-len(marks) // _EXCHANGES))):
            last = int(marked[-1]) if len(marked) else done
            moved = total.concat(self.take(come[done:last])).concat(self.take(gone[done:last]))
            over = (np.arange(last - done) < (marked - done)[:, None]).astype(np.int16)
            sums = moved.weighted(np.hstack([np.ones((len(marked), 1), dtype=np.int16), over, -over]))
            made, done = made.concat(sums), last
            total = sums.take([len(sums) - 1]) if len(sums) else total
        return made

    def __add__(self, other: Self) -> Self:
        """Row by row: row i of the result is our row i plus the other's row i."""
        if type(other) is not type(self):
            return NotImplemented
        if len(self) != len(other):
            raise ValueError(f"cannot add {len(self)} rows to {len(other)}")
        n = len(self)
        return self.concat(other).grouped([*range(n), *range(n)], n)


def mask_weights(masks: NDArray[np.uint8], n: int) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """Weights for the rows of two systems, one after the other, that swap the rows whose bit is set.

    >>> import numpy as np
    >>> ours, theirs = mask_weights(np.array([[0b10]], dtype=np.uint8), 2)
    >>> ours.tolist(), theirs.tolist()
    ([[1, 0, 0, 1]], [[0, 1, 1, 0]])
    """
    import numpy as np

    moved = np.unpackbits(masks, axis=1, count=n, bitorder="little").astype(np.int16)
    kept = 1 - moved
    return np.hstack([kept, moved]), np.hstack([moved, kept])
