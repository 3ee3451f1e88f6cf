"""Scores of systems with confidence intervals and rank clusters, after quality control and standardisation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError
from tertium.human.campaigns.collected import Collected
from tertium.human.campaigns.conversions import protocol_of, scores
from tertium.human.campaigns.designs import CHALLENGE
from tertium.human.campaigns.items import GENUINE
from tertium.human.directassessment import Control, DirectAssessment, assess
from tertium.human.quality import QualityControl
from tertium.io.tables import Column, Table, number_column
from tertium.results import Result, plain
from tertium.stats.groups import group_mean_interval
from tertium.stats.proportions import wilson_interval
from tertium.stats.pvalues import MANY_UNITS, Interval
from tertium.stats.resampling import SEED

RESAMPLES = 1000
# Of fewer segments or documents, intervals of skewed scores hold less than 93% of the time (docs/evidence/tests.md).
FEWEST = 20
_METHOD = f"{RESAMPLES} resamples; below {MANY_UNITS} units Student's, below {FEWEST} none, which would hold too rarely"


@dataclass(frozen=True)
class SystemScores(Result):
    """Assessment of all systems, each with the interval of its mean over resampled segments."""

    kind = "system scores"
    found: DirectAssessment
    intervals: dict[str, Interval]
    seed: int

    @property
    def quality(self) -> QualityControl | None:
        return self.found.quality

    def contents(self) -> Mapping[str, Any]:
        data: dict[str, Any] = plain(self.found)
        for system, interval in self.intervals.items():
            data["systems"][system] |= {"low": interval.low, "high": interval.high}
        return data | {"seed": self.seed, "nobody_passed": self.found.nobody_passed}

    def table(self) -> Table:
        """A row for each system, the best first."""
        plain = self.found.table()
        columns = (*plain.columns, number_column("low", digits=3), number_column("high", digits=3))
        rows = tuple(
            (*row, self.intervals[str(row[1])].low, self.intervals[str(row[1])].high) for row in plain.rows
        )
        mean = "Ave z" if self.found.standardised else "the mean"
        notes = [
            *plain.notes,
            "clusters: Wilcoxon's rank-sum test at p < 0.05, one-sided in the order of the means as at WMT: up to "
            "a tenth of equal pairs come out as different",
            f"low, high: 95% interval of {mean} over segments ({_METHOD}, seed {self.seed})",
        ]
        return Table("Systems", columns, rows, tuple(notes))


def system_scores(collected: Collected, *, control: Control = "protocol", seed: int = SEED) -> SystemScores:
    """What `tertium meta gold` says of the same judgements, with intervals (`human.directassessment.assess`)."""
    found = assess(scores(collected), protocol_of(collected), control=control)
    intervals = {}
    for system in found.gold.scores.systems:
        row = found.gold.scores.row(system)
        intervals[system] = _interval(row[~np.isnan(row)], seed)
    return SystemScores(found, intervals, seed)


def _interval(values: NDArray[np.float64], seed: int) -> Interval:
    """The 95% interval of the mean; none of fewer values than `FEWEST`."""
    if len(values) < FEWEST:
        return Interval()
    return group_mean_interval(values, resamples=RESAMPLES, seed=seed)


@dataclass(frozen=True)
class DocumentScores(Result):
    """The scores that whole documents were given: mean by system over documents, each the mean of its annotators."""

    kind = "document scores"
    documents: dict[str, tuple[float, ...]]  # by system
    seed: int

    def contents(self) -> Mapping[str, Any]:
        return {"systems": {row[0]: dict(zip(_DOCUMENT_KEYS, row[1:], strict=True)) for row in self._rows()}}

    def _rows(self) -> list[tuple[str, int, float, float | None, float | None]]:
        found = []
        for system, values in self.documents.items():
            own = np.array(values)
            interval = _interval(own, self.seed)
            found.append((system, len(own), float(own.mean()), interval.low, interval.high))
        return sorted(found, key=lambda row: (-row[2], row[0]))

    def table(self) -> Table:
        """A row for each system, the best first."""
        columns = (
            Column("system"),
            number_column("documents"),
            *(number_column(key, digits=1) for key in _DOCUMENT_KEYS[1:]),
        )
        note = f"low, high: 95% interval of the mean over documents ({_METHOD}, seed {self.seed})"
        return Table("Documents", columns, tuple(self._rows()), (note,))


_DOCUMENT_KEYS = ("documents", "mean", "low", "high")


def document_scores(collected: Collected, *, seed: int = SEED) -> DocumentScores | None:
    """The scores of whole documents without control items; None where none were asked for."""
    found: dict[str, dict[str, list[float]]] = {}
    for one in collected.documents:
        for system in one.shown[0] if one.item.kind == GENUINE else ():
            found.setdefault(system, {}).setdefault(one.item.document, []).append(one.score)
    if not found:
        return None
    means = {system: tuple(float(np.mean(own)) for own in by.values()) for system, by in found.items()}
    return DocumentScores(means, seed)


@dataclass(frozen=True)
class QuestionRates(Result):
    """How often each system's outputs got a yes, by category and in all; "not applicable" is not positive."""

    kind = "question rates"
    rows: tuple[tuple[str, str, int, int, int, int], ...]  # category ("" for all), system, yes, no, na, all

    def contents(self) -> Mapping[str, Any]:
        keys = ("category", "system", "yes", "no", "na", "answers")
        return {"rates": [dict(zip(keys, row, strict=True)) for row in self.rows]}

    def table(self) -> Table:
        """A row for each category and system."""
        columns = (
            Column("category"),
            Column("system"),
            number_column("yes"),
            number_column("no"),
            number_column("n/a", "na"),
            number_column("percent yes", "percent", 1),
            number_column("low", digits=1),
            number_column("high", digits=1),
        )
        rows = []
        for category, system, yes, no, na, total in self.rows:
            low, high = wilson_interval(yes, total) or (0.0, 1.0)
            rows.append((category or "all", system, yes, no, na, 100 * yes / total, 100 * low, 100 * high))
        return Table("Questions", columns, tuple(rows), ("low, high: 95%, Wilson's interval",))


def question_rates(collected: Collected) -> QuestionRates:
    """Answers to challenge questions, counted for each system and category."""
    if collected.design != CHALLENGE:
        raise InputError(f"the design {collected.design} asks no questions")
    counts: dict[tuple[str, str], dict[str, int]] = {}
    for one in collected.genuine:
        for systems, answer in zip(one.shown, one.answer["answers"], strict=True):
            for system, category in product(systems, {one.item.document, ""}):
                own = counts.setdefault((category, system), {"yes": 0, "no": 0, "na": 0})
                own[answer] += 1
    rows = [
        (category, system, own["yes"], own["no"], own["na"], sum(own.values()))
        for (category, system), own in sorted(counts.items())
    ]
    return QuestionRates(tuple(rows))
