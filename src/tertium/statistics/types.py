"""Sparse rows, keyed by word type: what MacroF and MicroF make, and medians (`bags`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from tertium import _native
from tertium.statistics.base import Columns, Parts, Statistics, as_int64, as_weights
from tertium.statistics.parcels import TYPE_PARTS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tertium.statistics.base import Integers, Weights


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
class SparseStatistics(Statistics):
    """Rows of types with three counts each; derived classes say what the types are."""

    rows: _native.TypeRows

    def _parts(self) -> tuple[Columns, Parts]:
        return (), dict(zip(TYPE_PARTS, self.rows.parts(), strict=True))

    @classmethod
    def _from_parts(cls, columns: Columns, parts: Parts) -> Self:
        return cls(_native.TypeRows(*(bytes(parts[name]) for name in TYPE_PARTS)))

    def __reduce__(self) -> Any:
        return type(self).from_bytes, (self.to_bytes(),)

    def __len__(self) -> int:
        return len(self.rows)

    def total(self) -> Self:
        return type(self)(self.rows.sum())

    def grouped(self, groups: Integers, n_groups: int) -> Self:
        return type(self)(self.rows.sum_groups(as_int64(groups), n_groups))

    def take(self, index: Integers) -> Self:
        return type(self)(self.rows.take(as_int64(index)))

    def concat(self, other: Self) -> Self:
        return type(self)(self.rows.concat(other.rows))

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


@dataclass(frozen=True, eq=False)
class TypeStatistics(SparseStatistics):
    """For each segment, its word types with predicted, reference and matched counts."""

    kind: ClassVar[str] = "types"

    def without_each(self) -> TypeComplements:
        return TypeComplements(_native.TypeComplements(self.rows))

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
    """For every row of type statistics the sum of all others. It can only be scored.

    Written out, the sums would need space quadratic in the size of the corpus; to score one costs as much as the types
    of the row that is left out.
    """

    rows: _native.TypeComplements

    def __len__(self) -> int:
        return len(self.rows)
