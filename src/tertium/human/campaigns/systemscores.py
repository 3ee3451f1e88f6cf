"""Scores of systems with confidence intervals and rank clusters, after quality control and standardisation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from tertium.errors import InputError
from tertium.human.campaigns.collected import Collected
from tertium.human.campaigns.conversions import protocol_of, scores
from tertium.human.campaigns.designs import CHALLENGE
from tertium.human.directassessment import Control, DirectAssessment, assess
from tertium.human.quality import QualityControl
from tertium.io.tables import Column, Table, number_column
from tertium.results import Result, plain
from tertium.stats.proportions import wilson_interval
from tertium.stats.pvalues import Interval, percentile_interval
from tertium.stats.resampling import SEED, Draws

RESAMPLES = 1000


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
            "clusters: Wilcoxon's rank-sum test at p < 0.05",
            f"low, high: 95% of {mean} over {RESAMPLES} resamples of the segments, seed {self.seed}",
        ]
        return Table("Systems", columns, rows, tuple(notes))


def system_scores(collected: Collected, *, control: Control = "protocol", seed: int = SEED) -> SystemScores:
    """What `tertium meta gold` says of the same judgements, with intervals (`human.directassessment.assess`)."""
    found = assess(scores(collected), protocol_of(collected), control=control)
    intervals = {}
    for system in found.gold.scores.systems:
        row = found.gold.scores.row(system)
        own = row[~np.isnan(row)]
        if len(own) < 2:
            intervals[system] = Interval()
            continue
        means = [counts @ own / len(own) for counts in Draws(seed).counts(len(own), RESAMPLES)]
        intervals[system] = percentile_interval(np.concatenate(means))
    return SystemScores(found, intervals, seed)


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
