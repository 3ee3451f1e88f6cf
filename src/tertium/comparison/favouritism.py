"""Favouritism: which segments decide, for a metric, that one system is better than another.

    benefit of segment i      d_M(i; h)      = M(h, y) - M(h without i, y without i)
    favouritism towards A     d_M(i; h, h')  = d_M(i; h) - d_M(i; h')

(Gowda, You, Lignos and May 2021, section 4.1, https://aclanthology.org/2021.naacl-main.90). Both are in points of the
metric and exact: M without i is the corpus score of all other segments. Where lower scores are better the sign is
flipped, so that a positive benefit is always a benefit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tertium.errors import InputError
from tertium.families.base import Metric
from tertium.io.tables import Column, Table, number_column
from tertium.measured import Measured
from tertium.results import Result
from tertium.statistics import Statistics

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float64]

NOTHING = 1e-12  # points below which a segment favours nobody


def leave_one_out(metric: Metric, statistics: Statistics) -> Vector:
    """For each segment the corpus score of all others, in time linear in the corpus; NaN where undefined.

    >>> import tertium as tt
    >>> metric = tt.metric("macrof1")
    >>> rows = metric.statistics(["a b", "c d", "a x"], ["a b", "c e", "a y"])
    >>> leave_one_out(metric, rows).round(2).tolist()
    [33.33, 50.0, 60.0]
    """
    if len(statistics) < 2:
        raise InputError("leaving one segment out needs at least two segments")
    return metric.score_rows(statistics.without_each(), "corpus")


def benefits(metric: Metric, statistics: Statistics) -> Vector:
    """What each segment adds to the corpus score, in points; positive is good. NaN where it is undefined.

    >>> import tertium as tt
    >>> metric = tt.metric("ter")
    >>> rows = metric.statistics(["a b c d", "a b x y"], ["a b c d", "a b c d"])
    >>> benefits(metric, rows).tolist()
    [25.0, -25.0]
    """
    import numpy as np

    whole = metric.score_total(statistics)
    difference = (np.nan if whole is None else whole) - leave_one_out(metric, statistics)
    return difference if metric.higher_is_better else -difference


@dataclass(frozen=True, eq=False)
class Favouritism(Result):
    """What each segment does for the first of two systems against the second, by one metric."""

    kind = "favouritism"
    metric: Metric
    systems: tuple[str, str]
    scores: tuple[float | None, float | None]  # corpus scores of the two
    benefits: tuple[Vector, Vector]

    @property
    def values(self) -> Vector:
        """Positive: the metric favours the first system's translation. NaN where it is undefined."""
        return self.benefits[0] - self.benefits[1]

    def strongest(self, k: int = 10) -> list[int]:
        """Segments (from 0) by |favouritism|, the strongest first; those that favour nobody are left out.

        Ties are in the order of the text.
        """
        import numpy as np

        size = np.nan_to_num(np.abs(self.values), nan=0.0)
        order = np.argsort(-size, kind="stable")[: max(k, 0)]
        return [int(i) for i in order if size[i] > NOTHING]

    def favoured(self, segment: int) -> str | None:
        """The system that a segment (from 0) favours; None where it favours neither or is undefined."""
        value = float(self.values[segment])
        if value != value or abs(value) <= NOTHING:
            return None
        return self.systems[0] if value > 0 else self.systems[1]

    def contents(self) -> Mapping[str, Any]:
        return {
            **super().contents(),
            "label": self.metric.label,
            "favouritism": self.values,
            "benefits": dict(zip(self.systems, self.benefits, strict=True)),
        }

    def table(self, k: int = 10) -> Table:
        """The k strongest segments by their numbers."""
        a, b = self.systems
        values = self.values
        rows = tuple(
            (i + 1, float(values[i]), self.favoured(i), *(float(own[i]) for own in self.benefits))
            for i in self.strongest(k)
        )
        columns = (
            number_column("segment", digits=None),
            number_column("favouritism", digits=3),
            Column("favours"),
            number_column(f"benefit to {a}", digits=3),
            number_column(f"benefit to {b}", digits=3),
        )
        notes = [f"in points of {self.metric.label}; positive favours {a}"]
        if not rows:
            notes.append(f"no segment favours {a} or {b}")
        undefined = sum(value != value for value in values.tolist())
        if undefined:
            reason = self.metric.undefined or "nothing to compare"
            notes.append(f"undefined for {undefined} segments: without them there is {reason}")
        return Table(f"Favouritism by {self.metric.label}: {a} against {b}", columns, rows, tuple(notes))


def measure_favouritism(
    measured: Measured, metric: str | Metric, systems: Sequence[str] | None = None
) -> Favouritism:
    """The favouritism of a metric towards the first of two systems, for every segment.

    >>> from tertium import TestSet, measure
    >>> measured = measure(TestSet.sample(), "bleu", systems=["smooth", "literal"])
    >>> found = measure_favouritism(measured, "bleu")
    >>> [(i + 1, round(float(found.values[i]), 2), found.favoured(i)) for i in found.strongest(2)]
    [(47, -0.82, 'literal'), (67, -0.78, 'literal')]
    """
    chosen, (a, b) = measured.metric(metric), measured.pair(systems)
    scores = measured.corpus_score(a, chosen), measured.corpus_score(b, chosen)
    found = benefits(chosen, measured.rows[a, chosen]), benefits(chosen, measured.rows[b, chosen])
    return Favouritism(chosen, (a, b), scores, found)
