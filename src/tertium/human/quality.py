"""Quality control of annotators, as in WMT's direct assessment.

Among the genuine items an annotator sees some again (repeats) and some damaged on purpose (degraded, "bad references").
Annotators are kept if they score degraded items significantly lower than the same translations undamaged, and repeats
not significantly differently from the first time (Graham et al. 2016; Bojar et al. 2017, "Findings", section 3).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tertium.errors import SpecError, did_you_mean
from tertium.io.judgementtable import DEGRADED, GENUINE, REPEAT, Judgements
from tertium.io.tables import Column, Table, chance_column, number_column
from tertium.results import Result
from tertium.stats.ranktests import Alternative, RankTest, signed_rank_test
from tertium.stats.welch import MeanTest, paired_t_test, welch_test

Tests = Literal["wilcoxon", "welch", "paired-t", "both", "either"]
_Test = Callable[..., RankTest | MeanTest]
_TESTS: dict[str, tuple[_Test, ...]] = {
    "wilcoxon": (signed_rank_test,),
    "welch": (welch_test,),
    "paired-t": (paired_t_test,),
    "both": (signed_rank_test, welch_test),
    "either": (signed_rank_test, welch_test),
}


@dataclass(frozen=True)
class QualityRule:
    """Who is kept: the test on degraded items (Wilcoxon's signed ranks, Welch's t, both or either of these, or the
    paired t of the organisers' first scripts), its level, whether repeats must agree, and what happens to annotators
    who saw no degraded item."""

    test: Tests = "wilcoxon"
    alpha: float = 0.05
    repeats: bool = True
    untested: Literal["drop", "keep"] = "drop"

    def __post_init__(self) -> None:
        if self.test not in _TESTS:
            raise SpecError(f"there is no test {self.test!r}{did_you_mean(self.test, _TESTS)}")
        if not 0 < self.alpha < 1:
            raise SpecError(f"alpha must be between 0 and 1, not {self.alpha}")
        if self.untested not in ("drop", "keep"):
            raise SpecError(f"untested annotators must be dropped or kept, not {self.untested!r}")


@dataclass(frozen=True)
class AnnotatorCheck:
    """What the control items say of one annotator."""

    annotator: str
    genuine: int
    degraded: int  # with a genuine counterpart
    drop: float | None  # by how much degraded items score lower, on average
    p_degraded: float | None
    repeats: int
    shift: float | None  # mean absolute difference of repeats
    p_repeats: float | None
    kept: bool
    reason: str


@dataclass(frozen=True)
class QualityControl(Result):
    """All annotators, with the reason why each is kept or dropped."""

    kind = "quality control"
    rule: QualityRule
    checks: tuple[AnnotatorCheck, ...]
    unpaired: int  # control items without a genuine counterpart of the same annotator
    applied: bool = True  # False: nobody is left out, whatever the checks say

    @property
    def kept(self) -> tuple[str, ...]:
        return tuple(check.annotator for check in self.checks if check.kept)

    def contents(self) -> Mapping[str, Any]:
        return {
            "rule": self.rule,
            "annotators": self.checks,
            "kept": len(self.kept),
            "unpaired": self.unpaired,
            "applied": self.applied,
        }

    def table(self) -> Table:
        """A row for each annotator."""
        columns = (
            Column("annotator"),
            number_column("genuine"),
            number_column("degraded"),
            number_column("drop"),
            chance_column("p", "p_degraded"),
            number_column("repeats"),
            number_column("shift"),
            chance_column("p", "p_repeats"),
            Column("kept" if self.applied else "passed", "kept"),
        )
        rows = tuple(
            (
                *(getattr(check, column.name) for column in columns[:-1]),
                f"{'yes' if check.kept else 'no'}: {check.reason}",
            )
            for check in self.checks
        )
        kept = "kept" if self.applied else "passed, all are kept"
        notes = [f"{len(self.kept)} of {len(self.checks)} annotators {kept} ({self._rule()})"]
        if self.unpaired:
            notes.append(f"{self.unpaired} control items have no genuine counterpart")
        return Table("Quality control", columns, rows, tuple(notes))

    def _rule(self) -> str:
        repeats = ", repeats not significantly different" if self.rule.repeats else ""
        several = self.rule.test == "either" or (self.rule.test == "both" and self.rule.repeats)
        more = (
            "; of two tests one is enough: up to 8% of equal items come out as different" if several else ""
        )
        return f"degraded lower at p < {self.rule.alpha} by {self.rule.test}{repeats}{more}"


def quality_control(judgements: Judgements, rule: QualityRule | None = None) -> QualityControl:
    """Check each annotator by the control items.

    A degraded or repeated item is compared with the mean of the annotator's genuine scores of the same translation.
    Degraded items are tested one-sided (are they lower?), repeats two-sided (do they differ?), with the same test;
    for repeats one significant test is enough to fail.

    >>> n = 8
    >>> judged = Judgements.of(annotator=["ann"] * 16, system=["A"] * 16, segment=[str(i) for i in range(n)] * 2,
    ...                        kind=["genuine"] * n + ["degraded"] * n, score=[70 + i for i in range(n)] + [20] * n)
    >>> quality_control(judged).checks[0].p_degraded
    0.00390625
    """
    asked = rule or QualityRule()
    segments = len(judgements.segment.names)
    place = judgements.segment.codes + judgements.system.codes.astype(np.int64) * segments
    checks, unpaired = [], 0
    for code, name in enumerate(judgements.annotator.names):
        own = np.flatnonzero(judgements.annotator.codes == code)
        kind, where, score = judgements.kind[own], place[own], judgements.score[own]
        genuine = kind == GENUINE
        known, at = np.unique(where[genuine], return_inverse=True)
        means = np.bincount(at, weights=score[genuine]) / np.bincount(at)
        bad = _paired(kind == DEGRADED, where, score, known, means)
        again = _paired(kind == REPEAT, where, score, known, means)
        unpaired += int(((kind == DEGRADED) | (kind == REPEAT)).sum()) - len(bad) - len(again)
        checks.append(_check(name, int(genuine.sum()), bad, again, asked))
    return QualityControl(asked, tuple(checks), unpaired)


def _paired(
    chosen: NDArray[np.bool_],
    where: NDArray[np.int64],
    score: NDArray[np.float64],
    known: NDArray[np.int64],
    means: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Rows of (control item, genuine counterpart) where there is a counterpart."""
    places, scores = where[chosen], score[chosen]
    if not len(known):
        return np.zeros((0, 2))
    at = np.minimum(np.searchsorted(known, places), len(known) - 1)
    there = known[at] == places
    return np.column_stack([scores[there], means[at[there]]])


def _check(
    name: str, genuine: int, bad: NDArray[np.float64], again: NDArray[np.float64], rule: QualityRule
) -> AnnotatorCheck:
    p_bad = _p(bad, rule.test, "less")
    # repeats disagree as soon as one of the tests says so
    p_again = _p(again, "either" if rule.test == "both" else rule.test, "two-sided")
    if not len(bad):
        kept, reason = rule.untested == "keep", "no degraded items to test"
    elif p_bad is None or not p_bad < rule.alpha:
        kept, reason = False, "degraded items are not significantly lower"
    elif rule.repeats and p_again is not None and p_again < rule.alpha:
        kept, reason = False, "repeats differ significantly"
    else:
        tested = "" if len(again) or not rule.repeats else ", no repeats to test"
        kept, reason = True, f"degraded items are lower{tested}"
    return AnnotatorCheck(
        annotator=name,
        genuine=genuine,
        degraded=len(bad),
        drop=float((bad[:, 1] - bad[:, 0]).mean()) if len(bad) else None,
        p_degraded=p_bad,
        repeats=len(again),
        shift=float(np.abs(again[:, 0] - again[:, 1]).mean()) if len(again) else None,
        p_repeats=p_again,
        kept=kept,
        reason=reason,
    )


def _p(pairs: NDArray[np.float64], test: Tests, alternative: Alternative) -> float | None:
    """The p-value of a rule: of both tests the larger, of either the smaller; None where there is nothing to test."""
    if not len(pairs):
        return None
    found = [run(pairs[:, 0], pairs[:, 1], alternative=alternative).p for run in _TESTS[test]]
    known = [p for p in found if p is not None]
    if not known or (test == "both" and len(known) < 2):
        return None
    return min(known) if test == "either" else max(known)
