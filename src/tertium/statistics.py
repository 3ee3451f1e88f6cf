"""Rows of statistics, and what adds.

A metric turns every segment into a row. Rows add: the row of a document, a bucket, a resample or a shard is the
sum of its segments' rows, and a sum of rows is again rows, so one type serves for segments and for totals. A
score is a function of rows. Dense rows have a fixed number of columns; type rows are sparse, keyed by word type.

All columns are integers. A real-valued column is kept as digits of a fixed-point number (four integers that add
like any others), so that sums are exact and the same bits come out whatever the grouping.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from tertium import _native

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Integers = Sequence[int] | NDArray[np.int64]
    Weights = Sequence[Sequence[int]] | NDArray[Any]  # m x n whole numbers


def _int64(values: Integers) -> Any:
    """`values` as a contiguous buffer of int64, without numpy where they are plain Python."""
    if hasattr(values, "astype"):
        import numpy as np

        return np.ascontiguousarray(values, dtype=np.int64)
    return array("q", values)


LARGEST_WEIGHT = 32767


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
            raise ValueError(f"weights are whole numbers, not {given.dtype}")
        if given.size and (given.max() > LARGEST_WEIGHT or given.min() < -LARGEST_WEIGHT):
            raise ValueError(f"weights lie between -{LARGEST_WEIGHT} and {LARGEST_WEIGHT}")
    return np.ascontiguousarray(given, dtype=np.int16)


class Statistics(ABC):
    """Rows that add. `len()` is the number of rows."""

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

    def __add__(self, other: Self) -> Self:
        """Row by row: row i of the result is our row i plus the other's row i."""
        if type(other) is not type(self):
            return NotImplemented
        if len(self) != len(other):
            raise ValueError(f"cannot add {len(self)} rows to {len(other)}")
        n = len(self)
        return self.concat(other).grouped([*range(n), *range(n)], n)


def mask_weights(masks: NDArray[np.uint8], n: int) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """Weights for the rows of two systems, one behind the other, that swap the rows whose bit is set.

    >>> import numpy as np
    >>> ours, theirs = mask_weights(np.array([[0b10]], dtype=np.uint8), 2)
    >>> ours.tolist(), theirs.tolist()
    ([[1, 0, 0, 1]], [[0, 1, 1, 0]])
    """
    import numpy as np

    moved = np.unpackbits(masks, axis=1, count=n, bitorder="little").astype(np.int16)
    kept = 1 - moved
    return np.hstack([kept, moved]), np.hstack([moved, kept])


@dataclass(frozen=True)
class StatisticColumn:
    """A named column. `real` columns hold real numbers as digits that add exactly."""

    name: str
    real: bool = False

    @property
    def width(self) -> int:
        return _native.DIGITS if self.real else 1


def columns(*names: str, real: Iterable[str] = ()) -> tuple[StatisticColumn, ...]:
    """Columns with these names, those in `real` for real numbers.

    >>> [c.width for c in columns("edits", "length", real=["length"])]
    [1, 4]
    """
    reals = set(real)
    return tuple(StatisticColumn(name, name in reals) for name in names)


@dataclass(frozen=True, eq=False)
class DenseStatistics(Statistics):
    """Rows with the same few columns for every segment.

    >>> s = DenseStatistics.build(columns("match", "length"), [[2, 4], [1, 2]])
    >>> s.total()["match"].tolist()
    [3]
    """

    columns: tuple[StatisticColumn, ...]
    data: Any  # any contiguous buffer of int64, n x width; a memoryview as it comes from a kernel

    @classmethod
    def build(cls, columns: tuple[StatisticColumn, ...], rows: Any) -> DenseStatistics:
        """From a list of rows or an array with a value for each column; real values become digits here."""
        import numpy as np

        given = np.asarray(rows)
        if given.size == 0:
            given = given.reshape(0, len(columns))
        if given.ndim != 2 or given.shape[1] != len(columns):
            raise ValueError(f"rows need {len(columns)} columns, one for each of {[c.name for c in columns]}")
        parts = []
        for i, column in enumerate(columns):
            if column.real:
                values = np.ascontiguousarray(given[:, i], dtype=np.float64)
                parts.append(np.asarray(_native.to_digits(values)))
            else:
                values = given[:, i]
                if not np.array_equal(values, np.trunc(values)) or np.any(np.abs(values) > 2**62):
                    raise ValueError(f"column {column.name!r} counts, but not all values are whole numbers")
                parts.append(values.astype(np.int64)[:, None])
        return cls(columns, np.ascontiguousarray(np.hstack(parts)))

    def __len__(self) -> int:
        return int(self.data.shape[0])

    @property
    def array(self) -> NDArray[np.int64]:
        """All integers, n x width, as numpy sees them."""
        import numpy as np

        return np.asarray(self.data, dtype=np.int64)

    def __getitem__(self, name: str) -> NDArray[Any]:
        """A column by its name: integers, or correctly rounded real numbers."""
        import numpy as np

        place, column = self._place(name)
        if column.real:
            return np.asarray(_native.from_digits(self.data, place))
        return self.array[:, place]

    def row(self, i: int) -> list[int]:
        """The integers of one row, without numpy."""
        flat = memoryview(self.data).cast("B").cast("q")
        width = len(flat) // len(self)
        return flat[i * width : (i + 1) * width].tolist()

    def only(self, name: str) -> int | float:
        """The value of a column in a single row, without numpy."""
        if len(self) != 1:
            raise ValueError(f"one row was expected, there are {len(self)}")
        place, column = self._place(name)
        if column.real:
            return float(_native.from_digits(self.data, place)[0])
        return self.row(0)[place]

    def _place(self, name: str) -> tuple[int, StatisticColumn]:
        place = 0
        for column in self.columns:
            if column.name == name:
                return place, column
            place += column.width
        raise KeyError(name)

    def total(self) -> Self:
        return type(self)(self.columns, _native.sum_rows(self.data))

    def grouped(self, groups: Integers, n_groups: int) -> Self:
        return type(self)(self.columns, _native.sum_groups(self.data, _int64(groups), n_groups))

    def take(self, index: Integers) -> Self:
        return type(self)(self.columns, _native.take_rows(self.data, _int64(index)))

    def concat(self, other: Self) -> Self:
        self._same_columns(other)
        return type(self)(self.columns, _native.concat_rows(self.data, other.data))

    def without_each(self) -> Self:
        return type(self)(self.columns, _native.rows_without_each(self.data))

    def __add__(self, other: Self) -> Self:
        if type(other) is not type(self):
            return NotImplemented
        self._same_columns(other)
        return type(self)(self.columns, _native.add_rows(self.data, other.data))

    def __sub__(self, other: Self) -> Self:
        if type(other) is not type(self):
            return NotImplemented
        self._same_columns(other)
        if len(self) != len(other):
            raise ValueError(f"cannot subtract {len(other)} rows from {len(self)}")
        return type(self)(self.columns, self.array - other.array)

    def weighted(self, weights: Weights, *, threads: int = 1) -> Self:
        return type(self)(
            self.columns, _native.weighted_rows(self.data, as_weights(weights, len(self)), threads)
        )

    def swapped(self, other: Self, masks: NDArray[np.uint8], *, threads: int = 1) -> tuple[Self, Self]:
        self._same_columns(other)
        ours, theirs = _native.swapped_rows(self.data, other.data, masks, threads)
        return type(self)(self.columns, ours), type(self)(self.columns, theirs)

    def _same_columns(self, other: Self) -> None:
        if self.columns != other.columns:
            raise ValueError("the rows have different columns")


@dataclass(frozen=True)
class TypeCounts:
    """One line of the per-type table: counts of a word type, with precision, recall and F."""

    type: str
    predicted: int
    reference: int
    matched: int
    beta: float = 1.0

    @property
    def precision(self) -> float | None:
        """None where the type was never predicted."""
        return self.matched / self.predicted if self.predicted else None

    @property
    def recall(self) -> float | None:
        """None where the type is not in the references."""
        return self.matched / self.reference if self.reference else None

    @property
    def f(self) -> float:
        if not self.matched:
            return 0.0
        square = self.beta * self.beta
        return (1 + square) * self.matched / (square * self.reference + self.predicted)


@dataclass(frozen=True, eq=False)
class TypeStatistics(Statistics):
    """Sparse rows: for each segment, its word types with predicted, reference and matched counts."""

    rows: _native.TypeRows

    def __len__(self) -> int:
        return len(self.rows)

    def total(self) -> Self:
        return type(self)(self.rows.sum())

    def grouped(self, groups: Integers, n_groups: int) -> Self:
        return type(self)(self.rows.sum_groups(_int64(groups), n_groups))

    def take(self, index: Integers) -> Self:
        return type(self)(self.rows.take(_int64(index)))

    def concat(self, other: Self) -> Self:
        return type(self)(self.rows.concat(other.rows))

    def without_each(self) -> TypeComplements:
        return TypeComplements(_native.TypeComplements(self.rows))

    def __sub__(self, other: Self) -> Self:
        if type(other) is not type(self):
            return NotImplemented
        if len(self) != len(other):
            raise ValueError(f"cannot subtract {len(other)} rows from {len(self)}")
        return type(self)(self.rows.subtract(other.rows))

    def accumulate(self, rows: Self) -> Self:
        self.rows.absorb(rows.rows)
        return self

    def weighted(self, weights: Weights, *, threads: int = 1) -> Self:
        return type(self)(self.rows.weighted(as_weights(weights, len(self))))

    @property
    def types(self) -> list[str]:
        """All types; their positions are the numbers used in `entries`."""
        return self.rows.types()

    @property
    def entries(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Compressed sparse rows: (starts, type numbers, counts n x 3 as predicted, reference, matched)."""
        import numpy as np

        starts, types, counts = (np.asarray(part, dtype=np.int64) for part in self.rows.entries())
        return starts[:, 0], types[:, 0], counts

    def table(self, beta: float = 1.0) -> list[TypeCounts]:
        """The per-type table of the sum of all rows, most frequent reference types first."""
        total = self.total()
        names = total.types
        _, types, counts = total.entries
        table = [
            TypeCounts(names[number], int(c[0]), int(c[1]), int(c[2]), beta)
            for number, c in zip(types.tolist(), counts.tolist(), strict=True)
        ]
        return sorted(table, key=lambda row: (-row.reference, -row.predicted, row.type))


@dataclass(frozen=True, eq=False)
class TypeComplements:
    """For every row of type statistics the sum of all others, to be scored and for nothing else.

    Written out they would take room with the square of the corpus; scored, each costs as much as the types of the one
    row that is left out.
    """

    rows: _native.TypeComplements

    def __len__(self) -> int:
        return len(self.rows)


def weighted_scores(scores: Any, weights: Any = None) -> DenseStatistics:
    """Rows for a metric whose corpus score is a mean of segment scores: score x weight, and weight.

    The plain mean is the case of equal weights; length weighting is the same code.

    >>> s = weighted_scores([0.5, 1.0], [1, 3])
    >>> (s.total()["weighted"] / s.total()["weight"]).tolist()
    [0.875]
    """
    import numpy as np

    values = np.asarray(scores, dtype=np.float64)
    by = np.ones_like(values) if weights is None else np.asarray(weights, dtype=np.float64)
    names = columns("weighted", "weight", real=["weighted", "weight"])
    return DenseStatistics.build(names, np.column_stack([values * by, by]))
