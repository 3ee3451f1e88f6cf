"""Counts of every word type, for several systems in one numbering."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tertium import registry
from tertium.errors import SpecError
from tertium.families.base import Metric
from tertium.measured import Measured
from tertium.measuring import joined as joined_rows
from tertium.measuring import measure
from tertium.statistics import TypeCounts, TypeStatistics

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class TypeTable:
    """Types by frequency in the references, most frequent first, with the counts of each system.

    Equally frequent types are in the order of their letters; types that only systems have come last.
    """

    systems: tuple[str, ...]
    names: tuple[str, ...]
    reference: NDArray[np.int64]  # for each type
    predicted: NDArray[np.int64]  # systems x types
    matched: NDArray[np.int64]
    beta: float = 1.0

    @cached_property
    def f(self) -> NDArray[np.float64]:
        """F of each type for each system: systems x types; 0 where nothing matches."""
        import numpy as np

        square = self.beta * self.beta
        below = square * self.reference + self.predicted
        return np.where(below > 0, (1 + square) * self.matched / np.maximum(below, 1e-300), 0.0)

    def of(self, systems: Sequence[str]) -> TypeTable:
        """Some of the systems: without the types that only others have."""
        if tuple(systems) == self.systems:
            return self
        rows = [self.systems.index(name) for name in systems]
        predicted, matched = self.predicted[rows], self.matched[rows]
        kept = ((self.reference > 0) | (predicted > 0).any(axis=0)).nonzero()[0]
        return TypeTable(
            tuple(systems),
            tuple(self.names[i] for i in kept.tolist()),
            self.reference[kept],
            predicted[:, kept],
            matched[:, kept],
            self.beta,
        )

    def counts(self, system: int, places: Sequence[int]) -> list[TypeCounts]:
        """Some types of one system."""
        words = [self.names[i] for i in places]
        columns = (self.predicted[system, places], self.reference[places], self.matched[system, places])
        predicted, reference, matched = (column.tolist() for column in columns)
        counted = zip(words, predicted, reference, matched, strict=True)
        return [TypeCounts(*counts, self.beta) for counts in counted]


def type_table(
    measured: Measured, metric: str | Metric = "macrof", systems: Sequence[str] | None = None
) -> TypeTable:
    """Counts per type as a metric over types (MacroF, MicroF) sees them; measured here if it was not yet.

    >>> from tertium import TestSet
    >>> table = type_table(measure(TestSet.sample(), "macrof"))
    >>> table.names[:3], table.reference[:3].tolist()
    (('the', '.', ','), [89, 73, 61])
    """
    chosen = registry.metric(metric)
    whole = measured.once(("types", chosen), lambda: _whole_table(measured, chosen))
    return whole.of(measured.systems if systems is None else systems)


def _whole_table(measured: Measured, metric: Any) -> TypeTable:
    """All systems; sums are enough."""
    import numpy as np

    if metric not in measured.metrics:
        how: Any = {"systems": measured.systems, "threads": measured.threads}
        measured = measure(measured.testset, metric, "corpus", **how)
    names = measured.systems
    joined = joined_rows([measured.totals()[name, metric] for name in names])
    if not isinstance(joined, TypeStatistics):
        raise SpecError(f"{metric} does not count word types: use macrof or microf")
    words = joined.types
    starts, types, counts = joined.entries
    predicted = np.zeros((len(names), len(words)), dtype=np.int64)
    matched = np.zeros_like(predicted)
    reference = np.zeros(len(words), dtype=np.int64)
    for row in range(len(names)):
        part = slice(starts[row], starts[row + 1])
        predicted[row, types[part]] = counts[part, 0]
        matched[row, types[part]] = counts[part, 2]
        reference[types[part]] = counts[part, 1]  # the same for every system that has the type at all
    by_name = np.array(sorted(range(len(words)), key=words.__getitem__), dtype=np.int64)
    order = by_name[np.argsort(-reference[by_name], kind="stable")]
    return TypeTable(
        systems=names,
        names=tuple(words[i] for i in order.tolist()),
        reference=reference[order],
        predicted=predicted[:, order],
        matched=matched[:, order],
        beta=float(getattr(metric, "beta", 1.0)),
    )
