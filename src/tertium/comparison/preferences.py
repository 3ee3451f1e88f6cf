"""Preference rates: for what share of the segments a metric prefers one system, and whether people agree.

A rate says more about two systems than two scores do (Simard 2019, "MT for Parliamentary Debates", section 3). Rates
are plain, or weighted by the length of the source; ties are shown by themselves and belong to no system.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tertium.comparison.labels import Labels
from tertium.errors import InputError
from tertium.families.base import Metric
from tertium.io.tables import Column, Table, Value, number_column
from tertium.measured import Measured
from tertium.results import Result, metric_labels

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TIE = 1e-9  # scores closer than this are equal: what is left is rounding


@dataclass(frozen=True)
class Rates:
    """Shares of segments (or of words): preferred in the first system, in the second, tied."""

    first: float
    second: float
    tied: float


@dataclass(frozen=True)
class LabelAgreement:
    """How often a metric agrees with people on single segments."""

    labels: int  # that could be compared
    raw: float | None
    adjusted: float | None  # for forced choices
    equivalence_of_first: float | None  # e: the share of labels "1" that mean "equally good"


@dataclass(frozen=True)
class Preference:
    """One metric on two systems."""

    metric: Metric
    plain: Rates | None  # None: no segment has a score
    weighted: Rates | None
    undefined: int  # segments left out: a system has no score there
    agreement: LabelAgreement | None = None


@dataclass(frozen=True)
class Preferences(Result):
    """What all metrics prefer, segment by segment, beside what people prefer."""

    kind = "preferences"
    systems: tuple[str, str]
    weights: str
    metrics: tuple[Preference, ...]
    human: Rates | None = None
    human_weighted: Rates | None = None
    labels: Labels | None = None

    def contents(self) -> Mapping[str, Any]:
        labels = self.labels
        return {
            "systems": self.systems,
            "weights": self.weights,
            "metrics": {
                own.metric: {
                    "plain": own.plain,
                    "weighted": own.weighted,
                    "segments_left_out": own.undefined,
                    "agreement": own.agreement,
                    "words": self._agreement(own),
                }
                for own in self.metrics
            },
            "human": None
            if labels is None
            else {
                "labels": len(labels),
                "counts": labels.counts,
                "equivalence_of_first": labels.equivalence_of_first,
                "equivalence": labels.equivalence,
                "plain": self.human,
                "weighted": self.human_weighted,
            },
        }

    def words(self) -> Iterator[str]:
        """How far each metric agrees with people, where labels were given."""
        return (said for own in self.metrics if (said := self._agreement(own)) is not None)

    def _agreement(self, own: Preference) -> str | None:
        found, human = own.agreement, self.human
        if found is None or found.raw is None or human is None:
            return None
        label = dict(zip(self.metrics, metric_labels(one.metric for one in self.metrics), strict=True))[own]
        a, b = self.systems
        said = (
            f"people prefer {a} in {100 * human.first:.1f} % and {b} in {100 * human.second:.1f} % "
            f"of {found.labels} judgements; {label} agrees with {100 * found.raw:.1f} %"
        )
        adjusted = found.adjusted
        return said + ("" if adjusted is None else f", {100 * adjusted:.1f} % adjusted for forced choices")

    def table(self) -> Table:
        """A row for each metric, and one for people; in percent."""
        a, b = self.systems
        columns = [
            Column("metric"),
            number_column(a, f"{a} plain", 1),
            number_column(b, f"{b} plain", 1),
            number_column("tied", "tied plain", 1),
            number_column(f"{a} by words", f"{a} weighted", 1),
            number_column(f"{b} by words", f"{b} weighted", 1),
            number_column("tied by words", "tied weighted", 1),
        ]
        if self.labels is not None:
            columns += [number_column("agreement", digits=1), number_column("adjusted", digits=1)]
        rows: list[tuple[Value, ...]] = []
        names = metric_labels(own.metric for own in self.metrics)
        for own, name in zip(self.metrics, names, strict=True):
            row: list[Value] = [name, *_percent(own.plain), *_percent(own.weighted)]
            if self.labels is not None:
                found = own.agreement
                row += [None, None] if found is None else map(_hundredfold, (found.raw, found.adjusted))
            rows.append(tuple(row))
        if self.labels is not None:
            rows.append(("people", *_percent(self.human), *_percent(self.human_weighted), "", ""))
        notes = [f"percent of segments, and of words ({self.weights})"]
        notes += [
            f"{name}: {own.undefined} segments without a score are left out"
            for own, name in zip(self.metrics, names, strict=True)
            if own.undefined
        ]
        if self.labels is not None and self.labels.equivalence_of_first is not None:
            ones, twos = self.labels.counts
            notes.append(
                f"{ones} labels 1 and {twos} labels 2: {100 * self.labels.equivalence_of_first:.1f}% of the labels 1, "
                f"{100 * (self.labels.equivalence or 0.0):.1f}% of all, are taken as 'equally good'"
            )
        return Table(f"Preferences: {a} or {b}", tuple(columns), tuple(rows), tuple(notes))


def preference_rates(
    measured: Measured,
    systems: Sequence[str] | None = None,
    *,
    labels: Labels | None = None,
    tok: str = "13a",
) -> Preferences:
    """How often each metric prefers each of two systems, and how often people (`labels`) agree with it.

    >>> from tertium import TestSet, measure
    >>> found = preference_rates(measure(TestSet.sample(), "chrf"), ["strong", "smooth"])
    >>> found.metrics[0].plain
    Rates(first=0.9710144927536232, second=0.028985507246376812, tied=0.0)
    """
    import numpy as np

    a, b = measured.pair(systems)
    weights, side = measured.word_weights(tok)
    own = None if labels is None else labels.between(a, b)
    if own is not None and not len(own):
        raise InputError(f"there are no labels that compare {a!r} with {b!r}")
    human: tuple[Rates | None, Rates | None] = (None, None)
    if own is not None:
        chosen = np.array([1 if label.preferred == a else -1 for label in own.labels])
        at = np.array([label.segment - 1 for label in own.labels])
        if at.max() >= len(measured) or at.min() < 0:
            raise InputError(f"a label is for segment {at.max() + 1}, but there are {len(measured)}")
        human = rates(chosen, None), rates(chosen, weights[at])
    found = []
    for metric in measured.metrics:
        signs, defined = signs_of(measured, metric, (a, b))
        found.append(
            Preference(
                metric,
                rates(signs[defined], None),
                rates(signs[defined], weights[defined]),
                int((~defined).sum()),
                None if own is None else agreement(signs, defined, own, (a, b)),
            )
        )
    return Preferences((a, b), f"{side} tokens, {tok}", tuple(found), *human, own)


def signs_of(
    measured: Measured, metric: Metric, systems: tuple[str, str]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """For each segment 1 (the first system is better), -1 or 0 (equal); and whether both have a score."""
    import numpy as np

    a, b = (measured.segment_scores(name, metric) for name in systems)
    gap = (a - b) if metric.higher_is_better else (b - a)
    defined = ~np.isnan(gap)
    gap = np.nan_to_num(gap)
    size = np.maximum(1.0, np.maximum(np.abs(np.nan_to_num(a)), np.abs(np.nan_to_num(b))))
    return np.where(np.abs(gap) <= TIE * size, 0, np.sign(gap)).astype(np.int64), defined


def rates(signs: NDArray[Any], weights: NDArray[Any] | None) -> Rates | None:
    """Shares of 1, -1 and 0 among the signs; None where all weights are nothing.

    >>> import numpy as np
    >>> rates(np.array([1, -1, -1, 0]), None)
    Rates(first=0.25, second=0.5, tied=0.25)
    """
    import numpy as np

    by = np.ones(len(signs), dtype=np.int64) if weights is None else weights
    total = int(by.sum())
    if not total:
        return None
    first, second = int(by[signs > 0].sum()), int(by[signs < 0].sum())
    return Rates(first / total, second / total, (total - first - second) / total)


def agreement(
    signs: NDArray[np.int64], defined: NDArray[np.bool_], labels: Labels, systems: tuple[str, str]
) -> LabelAgreement:
    """How often a metric agrees with people, raw and adjusted for forced choices.

    With e the share of labels "1" that mean "equally good", an agreement on a label "1" counts 1 - e, one on "2" counts
    1, a tie of the metric on a label "1" counts e, and everything else 0 (Simard 2019, appendix A, whose prose is right
    where its formula has a slip). Raw agreement counts 1 for each agreement, 0 for ties.

    >>> import numpy as np
    >>> from tertium.comparison.labels import Label
    >>> labels = Labels(tuple(Label(i, "A", "B", 1 if i < 4 else 2) for i in range(1, 6)))  # e = 1/3
    >>> found = agreement(np.array([1, 0, -1, -1, 0]), np.array([True] * 5), labels, ("A", "B"))
    >>> found.raw, round(found.adjusted * 5, 9)  # 2 of 5; 2/3 + 1/3 + 0 + 1 + 0
    (0.4, 2.0)
    """
    e = labels.equivalence_of_first
    known = [label for label in labels.labels if defined[label.segment - 1]]
    raw, adjusted = 0, 0.0
    for label in known:
        sign = int(signs[label.segment - 1])
        agrees = sign != 0 and (label.preferred == systems[0]) == (sign > 0)
        raw += agrees
        if label.label == 2:
            adjusted += agrees
        elif e is not None:
            adjusted += (1 - e) if agrees else e if sign == 0 else 0.0
    n = len(known)
    return LabelAgreement(n, raw / n if n else None, adjusted / n if n else None, e)


def _hundredfold(value: float | None) -> float | None:
    return None if value is None else 100 * value


def _percent(rates: Rates | None) -> list[float | None]:
    return [None] * 3 if rates is None else [100 * share for share in (rates.first, rates.second, rates.tied)]
