"""Rows with the same few columns for every segment: what most metrics make."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self, cast

from tertium import _native
from tertium.statistics import parcels
from tertium.statistics.base import Columns, Parts, Statistics, as_int64, as_weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tertium.statistics.base import Integers, Weights


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

    kind: ClassVar[str] = "dense"
    bootstrappable: ClassVar[bool] = True
    usual_test: ClassVar[str] = "bootstrap"
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

    @classmethod
    def of_lists(
        cls, columns: tuple[StatisticColumn, ...], rows: Sequence[Sequence[float]]
    ) -> DenseStatistics:
        """From rows with a value for each column, without numpy.

        >>> DenseStatistics.of_lists(columns("edits", "length", real=["length"]), [[2, 0.5], [1, 1.5]]).listed("length")
        [0.5, 1.5]
        """
        width = sum(column.width for column in columns)
        if not rows:
            nothing = memoryview(array("q", [0] * width)).cast("B").cast("q", (1, width))
            return cls(columns, nothing).take([])
        places = [place for place, column in enumerate(columns) if column.real]
        reals = array("d", [row[place] for row in rows for place in places] or [0.0])
        digits: Iterator[list[int]] = iter(cast(Any, _native.to_digits(reals).tolist()))
        flat = array("q")
        for row in rows:
            for column, value in zip(columns, row, strict=True):
                flat.extend(next(digits) if column.real else (int(value),))
        return cls(columns, memoryview(flat).cast("B").cast("q", (len(rows), width)))

    def _parts(self) -> tuple[Columns, Parts]:
        return tuple((c.name, c.real) for c in self.columns), {"rows": parcels.as_octets(self.data)}

    @classmethod
    def _from_parts(cls, columns: Columns, parts: Parts) -> Self:
        named = tuple(StatisticColumn(*column) for column in columns)
        return cls(named, _native.rows_of_bytes(parts["rows"], sum(column.width for column in named)))

    def __reduce__(self) -> Any:
        return type(self).from_bytes, (self.to_bytes(),)

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

    def listed(self, name: str) -> list[Any]:
        """A column by its name, without numpy."""
        place, column = self._place(name)
        if column.real:
            return list(_native.from_digits(self.data, place))
        if not len(self):
            return []
        flat = memoryview(self.data).cast("B").cast("q")
        return flat[place :: len(flat) // len(self)].tolist()

    def row(self, i: int) -> list[int]:
        """The integers of one row, without numpy."""
        flat = memoryview(self.data).cast("B").cast("q")
        width = len(flat) // len(self)
        return flat[i * width : (i + 1) * width].tolist()

    def only(self, name: str) -> int | float:
        """The value of a column in a single row, without numpy."""
        if len(self) != 1:
            raise ValueError(f"expected one row, found {len(self)}")
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
        return type(self)(self.columns, _native.sum_groups(self.data, as_int64(groups), n_groups))

    def take(self, index: Integers) -> Self:
        return type(self)(self.columns, _native.take_rows(self.data, as_int64(index)))

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
        return WeightedTogether([self])(weights, threads=threads)[0]  # type: ignore[return-value]

    def swapped(self, other: Self, masks: NDArray[np.uint8], *, threads: int = 1) -> tuple[Self, Self]:
        self._same_columns(other)
        ours, theirs = _native.swapped_rows(self.data, other.data, masks, threads)
        return type(self)(self.columns, ours), type(self)(self.columns, theirs)

    def exchanged(self, first: Integers, before: Integers, after: Integers, ends: Integers) -> Self:
        numbers = map(as_int64, (first, before, after, ends))
        return type(self)(self.columns, _native.exchanged(self.data, *numbers))

    def _same_columns(self, other: Self) -> None:
        if self.columns != other.columns:
            raise ValueError("the rows have different columns")


class WeightedTogether:
    """Weighted sums of the rows of many systems and metrics: what they have in common is summed once.

    >>> names = columns("match", "length")
    >>> rows = [DenseStatistics.build(names, given) for given in ([[2, 4], [1, 2]], [[0, 4], [1, 2]])]
    >>> [sums.array.tolist() for sums in WeightedTogether(rows)([[1, 1], [2, 0]])]
    [[[3, 6], [4, 8]], [[1, 6], [0, 8]]]
    """

    def __init__(self, rows: Sequence[DenseStatistics]) -> None:
        self._rows = rows
        self._sums = _native.WeightedSums([own.data for own in rows])

    def __call__(self, weights: Weights, *, threads: int = 1) -> list[DenseStatistics]:
        sums = self._sums(as_weights(weights, len(self._rows[0])), threads)
        return [type(own)(own.columns, found) for own, found in zip(self._rows, sums, strict=True)]


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
