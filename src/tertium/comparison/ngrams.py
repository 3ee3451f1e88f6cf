"""n-grams that a system produces too often or too rarely, compared with the references.

Two rankings: by count (occurrences too many or too few), which shows what matters for the text as a whole, and by log
odds, which shows what is most out of proportion. With y of n n-grams of the same order in the outputs and y' of n' in
the references,

    log odds = log (y + .5)/(n - y + .5) - log (y' + .5)/(n' - y' + .5),

and the ranking is by log odds over its standard error sqrt(1/(y+.5) + 1/(n-y+.5) + 1/(y'+.5) + 1/(n'-y'+.5)), so that a
handful of chance occurrences does not come first (Monroe, Colaresi and Quinn 2008, with a flat prior of a half).
Where there are several references the outputs are compared with the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from tertium.comparison.typecounts import type_table
from tertium.errors import SpecError
from tertium.io.tables import Column, Table, Value, number_column
from tertium.measured import Measured
from tertium.measuring import measure
from tertium.results import Result
from tertium.text.segments import References


@dataclass(frozen=True)
class NGram:
    """An n-gram with its occurrences in outputs and references."""

    text: str
    order: int
    produced: int
    reference: int
    log_odds: float
    z: float  # log odds over their standard error

    @property
    def surplus(self) -> int:
        """Occurrences too many (positive) or too few."""
        return self.produced - self.reference


@dataclass(frozen=True)
class NGrams(Result):
    """What one system over- and under-produces, in two rankings each."""

    kind = "n-grams"
    system: str
    over_by_count: tuple[NGram, ...]
    over_by_odds: tuple[NGram, ...]
    under_by_count: tuple[NGram, ...]
    under_by_odds: tuple[NGram, ...]

    def table(self, k: int | None = None) -> Table:
        """All four rankings, or the first k of each."""
        rows: list[tuple[Value, ...]] = [
            (side, by, rank, found.text, found.produced, found.reference, found.surplus, found.log_odds)
            for side, by, ranking in (
                ("over", "count", self.over_by_count),
                ("over", "log odds", self.over_by_odds),
                ("under", "count", self.under_by_count),
                ("under", "log odds", self.under_by_odds),
            )
            for rank, found in enumerate(ranking[:k], 1)
        ]
        columns = (
            Column("produced"),
            Column("ranked by"),
            number_column("rank", digits=None),
            Column("n-gram"),
            number_column("in outputs", digits=None),
            number_column("in references", digits=None),
            number_column("surplus", digits=None),
            number_column("log odds", digits=2),
        )
        return Table(f"n-grams that {self.system} over- and under-produces", columns, tuple(rows))


def count_ngrams(
    measured: Measured,
    systems: Sequence[str] | None = None,
    *,
    order: int = 4,
    k: int = 20,
    tok: str = "13a",
    lowercase: bool = False,
) -> dict[str, NGrams]:
    """n-grams of orders 1 to `order` that each system over- and under-produces, the k strongest of each kind.

    >>> from tertium import TestSet
    >>> found = count_ngrams(measure(TestSet.sample(), "bleu"), ["smooth"], k=2)
    >>> [(one.text, one.surplus) for one in found["smooth"].under_by_count]
    [('the', -18), ('of', -14)]
    """
    import numpy as np

    from tertium.families.macrof import MacroF

    if not 1 <= order <= 9:
        raise SpecError(f"the order of n-grams must be from 1 to 9, not {order}")
    names = measured.systems if systems is None else tuple(systems)
    metric = MacroF(tok=tok, order=order, lowercase=lowercase)
    if len(measured.testset.references.streams) > 1:
        # the largest count in several references is nobody's habit
        one = References((measured.testset.references.first,))
        measured = measure(replace(measured.testset, references=one), metric, "corpus", systems=names)
    types = type_table(measured, metric, names)
    orders = np.array([1 + name.count(" ") for name in types.names], dtype=np.int64)
    found = {}
    for row, system in enumerate(names):
        produced, reference = types.predicted[row], types.reference
        n = np.bincount(orders, weights=produced, minlength=order + 1)[orders]
        m = np.bincount(orders, weights=reference, minlength=order + 1)[orders]
        parts = [produced + 0.5, n - produced + 0.5, reference + 0.5, m - reference + 0.5]
        odds = np.log(parts[0] / parts[1]) - np.log(parts[2] / parts[3])
        z = odds / np.sqrt(sum(1 / part for part in parts))
        surplus = produced - reference

        def strongest(
            key: Any, sign: int, produced: Any = produced, odds: Any = odds, z: Any = z
        ) -> tuple[NGram, ...]:
            order_of = np.argsort(
                -sign * key, kind="stable"
            )  # equal ones by frequency, as the table has them
            return tuple(
                NGram(
                    types.names[i], *(own[i].item() for own in (orders, produced, types.reference, odds, z))
                )
                for i in order_of[:k].tolist()
                if sign * (produced[i] - types.reference[i]) > 0
            )

        found[system] = NGrams(
            system,
            over_by_count=strongest(surplus, 1),
            over_by_odds=strongest(z, 1),
            under_by_count=strongest(surplus, -1),
            under_by_odds=strongest(z, -1),
        )
    return found
