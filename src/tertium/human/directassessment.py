"""Direct assessment: scores from 0 to 100 by many annotators, made comparable and averaged (Graham et al. 2013, 2015).

raw scores --quality control--> --z by annotator--> --mean by translation--> --mean by system--> Ave z
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError
from tertium.human.judgement import Gold, segment_gold
from tertium.human.quality import QualityControl, QualityRule, quality_control
from tertium.io.coverage import Coverage, OpenCoverage
from tertium.io.judgementtable import (
    DEGRADED,
    GENUINE,
    KINDS,
    REPEAT,
    Judgements,
    Kind,
    Protocol,
    kind_code,
)
from tertium.io.tables import Column, Table, number_column
from tertium.results import Result
from tertium.stats.clusters import rank_clusters
from tertium.stats.ranktests import rank_sum_test

MINIMUM = 15  # judgements that make the score of one translation repeatable
PLAIN: tuple[Protocol, ...] = ("ESA", "MQM")  # plain means over all annotators, as their authors compute them
Control = QualityRule | Literal["protocol"] | None


@dataclass(frozen=True)
class DirectAssessment(Result):
    """Gold from direct assessment: standardised (z) and raw, by segment and by system, and how it was made."""

    kind = "direct assessment"
    z: Gold  # by segment
    raw: Gold  # by segment
    quality: QualityControl | None
    coverage: Coverage
    minimum: int = MINIMUM
    standardised: bool = True  # which of the two is the gold
    protocol: Protocol = "DA"

    @property
    def gold(self) -> Gold:
        """The scores that rank systems, by segment: z or raw."""
        return self.z if self.standardised else self.raw

    @property
    def nobody_passed(self) -> bool:
        """Whether no annotator passed quality control, so that the scores are those of all annotators."""
        return self.quality is not None and not self.quality.kept

    @property
    def z_systems(self) -> Gold:
        """WMT's "Ave z"."""
        return self.z.by_system()

    @property
    def raw_systems(self) -> Gold:
        """WMT's "Ave %"."""
        return self.raw.by_system()

    @property
    def translations(self) -> int:
        """Translations that were judged at least once."""
        return int((self.raw.counts > 0).sum())

    @property
    def with_enough(self) -> int:
        """Translations with the minimum of judgements."""
        return int((self.raw.counts >= self.minimum).sum())

    def clusters(self, alpha: float = 0.05) -> list[list[str]]:
        """Systems from the best down, in clusters as WMT draws them: all systems of a cluster are significantly
        better than all below, by Wilcoxon's rank-sum test on the scores of their segments, one-sided."""
        scores = self.gold.by_system().scores
        order = sorted(scores.systems, key=lambda system: -(scores.system(system) or 0.0))
        segments = {system: _known(self.gold.scores.row(system)) for system in order}

        def beats(above: str, below: str) -> bool:
            p = rank_sum_test(segments[above], segments[below], alternative="greater").p
            return p is not None and p < alpha

        return rank_clusters(order, beats)

    def contents(self) -> Mapping[str, Any]:
        keys = ("ave_raw", "ave_z", "segments", "judgements")
        return {
            "systems": {
                system: dict(zip(keys, self._row(system), strict=True)) for system in self.raw.scores.systems
            },
            "protocol": self.protocol,
            "standardised": self.standardised,
            "clusters": self.clusters(),
            "translations": self.translations,
            "minimum": self.minimum,
            "with_minimum": self.with_enough,
            "quality": self.quality,
            "coverage": self.coverage,
        }

    def _row(self, system: str) -> tuple[float | None, float | None, int, int]:
        """Ave %, Ave z, segments and judgements of a system."""
        i = self.raw.scores.systems.index(system)
        scores = (self.raw_systems.scores.system(system), self.z_systems.scores.system(system))
        return *scores, int((self.raw.counts[i] > 0).sum()), int(self.raw.counts[i].sum())

    def tables(self) -> Iterator[Table]:
        if self.quality is not None:
            yield self.quality.table()
        yield self.table()

    def table(self) -> Table:
        """A row for each system, the best first, as in WMT's findings."""
        mqm = self.protocol == "MQM"
        columns = (
            number_column("cluster"),
            Column("system"),
            number_column("MQM", "ave_raw", 2) if mqm else number_column("Ave %", "ave_raw", 1),
            number_column("Ave z", "ave_z", 3),
            number_column("segments"),
            number_column("judgements"),
        )
        rows = tuple(
            (number, system, *self._row(system))
            for number, cluster in enumerate(self.clusters(), 1)
            for system in cluster
        )
        ranked = "z by annotator" if self.standardised else "plain means"
        notes = (
            f"systems are ranked by {ranked}",
            str(self.coverage),
            f"{self.with_enough} of {self.translations} translations have at least {self.minimum} judgements",
        )
        title = "Direct assessment" if self.protocol == "DA" else self.protocol
        return Table(title, columns, rows, notes)


def assess(
    judgements: Judgements,
    protocol: Protocol = "DA",
    *,
    control: Control = "protocol",
    standardise: bool | None = None,
    minimum: int = MINIMUM,
) -> DirectAssessment:
    """From raw judgements to gold by their protocol: one filter and one score for files and for campaigns.

    Direct assessment drops annotators who fail quality control and standardises by annotator; ESA and MQM take plain
    means over all annotators, and quality control is for information. `control` and `standardise` override this. Where
    nothing was degraded nobody can be checked, and where nobody passes everybody is kept; notes say so.

    >>> judged = Judgements.of(annotator=["ann", "ann", "bob"], system=["A", "B", "A"], segment=list("111"),
    ...                        score=[90, 70, 40])
    >>> assess(judged, "ESA").gold.scores.row("A").tolist()
    [65.0]
    """
    plain = protocol in PLAIN
    rule = QualityRule() if control == "protocol" else control
    apply = not plain or control != "protocol"
    quality = None if rule is None else quality_control(judgements, rule)
    notes: tuple[str, ...] = ()
    if quality is not None and not (judgements.kind == DEGRADED).any():
        notes = ("no annotator saw degraded items, so none is checked",) if apply else ()
        quality = None
    elif quality is not None and not (apply and quality.kept):
        quality = replace(quality, applied=False)
        passed = f"{len(quality.kept)} of {len(quality.checks)} annotators passed quality control"
        why = (
            f"{protocol} keeps everybody (--control excludes those who fail)"
            if quality.kept
            else "everybody is kept"
        )
        notes = (f"{passed}: {why}",)
    applied = rule if quality is not None and quality.applied else None
    found = direct_assessment(
        judgements,
        control=applied,
        minimum=minimum,
        standardise=not plain if standardise is None else standardise,
    )
    coverage = replace(found.coverage, notes=(*found.coverage.notes, *notes))
    z, raw = (replace(own, coverage=coverage) for own in (found.z, found.raw))
    return replace(found, z=z, raw=raw, quality=quality, coverage=coverage, protocol=protocol)


def direct_assessment(
    judgements: Judgements,
    *,
    control: QualityRule | None = QualityRule(),  # noqa: B008 - frozen
    minimum: int = MINIMUM,
    repeats: bool = False,
    over: Sequence[Kind] = ("genuine",),
    standardise: bool = True,
) -> DirectAssessment:
    """From raw judgements to gold.

    Annotators who fail quality control are dropped (`control=None` keeps everybody). The scores of each annotator are
    standardised by mean and standard deviation of their items of the kinds in `over`. Judgements of the same
    translation are averaged first, then the translations of a system, so that one judged often weighs no more than
    another. Repeats count as judgements only if asked for; degraded items and references never do. Annotators who gave
    everything the same score have no z and are left out of both means, unless `standardise=False` asks for raw means.

    >>> judged = Judgements.of(annotator=["ann", "ann", "bob", "bob"], system=["A", "B", "A", "B"],
    ...                        segment=["1", "1", "1", "1"], score=[90, 70, 40, 30])
    >>> found = direct_assessment(judged, control=None)
    >>> round(found.z_systems.scores.system("A"), 4), found.raw_systems.scores.system("A")
    (0.7071, 65.0)
    """
    book = OpenCoverage(judgements.origin, "judgements")
    quality = None if control is None else quality_control(judgements, control)
    keep = np.isin(judgements.kind, (GENUINE, REPEAT) if repeats else (GENUINE,))
    for code, kind in enumerate(KINDS):
        dropped = int(((judgements.kind == code) & ~keep).sum())
        if dropped:
            book.leave_out(f"{kind} items, used for control only", rows=dropped)
    if quality is not None:
        trusted = np.isin(judgements.annotator.names, quality.kept)[judgements.annotator.codes]
        book.note(f"{len(quality.kept)} of {len(quality.checks)} annotators passed quality control")
        if not quality.kept:
            tested = any(check.degraded for check in quality.checks)
            why = "failed" if tested else "saw degraded items, so none can be checked: all failed"
            raise InputError(
                f"{judgements.origin}: {'all annotators' if tested else 'no annotator'} {why} quality control "
                "(control=None keeps everybody)"
            )
        if (keep & ~trusted).any():
            book.leave_out("by annotators who failed quality control", rows=int((keep & ~trusted).sum()))
        keep &= trusted
    scores, without = standardised(judgements, over)
    flat = [name for name in judgements.take(keep).annotator.names if name in without]
    if flat and standardise:
        gone = np.isin(judgements.annotator.names, flat)[judgements.annotator.codes] & keep
        book.leave_out(
            f"by {len(flat)} annotators who gave only one score ({', '.join(flat[:5])})", rows=int(gone.sum())
        )
        keep &= ~gone
    used = judgements.take(keep)
    if not len(used):
        raise InputError(f"{judgements.origin}: no judgement is left ({book.closed(0)})")
    raw = segment_gold(used, "raw")
    z = segment_gold(used, "z", values=scores[keep])
    coverage = book.closed(len(used))
    return DirectAssessment(
        replace(z, coverage=coverage),
        replace(raw, coverage=coverage),
        quality,
        coverage,
        minimum,
        standardise,
    )


def standardised(
    judgements: Judgements, over: Sequence[Kind] = ("genuine",)
) -> tuple[NDArray[np.float64], tuple[str, ...]]:
    """z = (score - mean) / sd by annotator, with mean and sd (n - 1) over the items of these kinds; NaN for annotators
    without any spread, whose names follow. The organisers' scripts take all items, or genuine ones and repeats.

    >>> judged = Judgements.of(annotator=["ann"] * 3 + ["bob"] * 2, system=["A"] * 5, segment=list("12312"),
    ...                        score=[50, 60, 70, 10, 10])
    >>> z, flat = standardised(judged)
    >>> z[:3].tolist(), flat
    ([-1.0, 0.0, 1.0], ('bob',))
    """
    z = np.full(len(judgements), np.nan)
    flat = []
    counted = np.isin(judgements.kind, [kind_code(kind) for kind in over])
    for code, name in enumerate(judgements.annotator.names):
        own = judgements.annotator.codes == code
        basis = judgements.score[own & counted]
        if len(basis) < 2 or np.ptp(basis) == 0:
            flat.append(name)
            continue
        z[own] = (judgements.score[own] - basis.mean()) / basis.std(ddof=1)
    return z, tuple(flat)


def _known(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    return scores[~np.isnan(scores)]
