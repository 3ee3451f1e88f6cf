"""How far annotators agree with each other and with themselves, at the end and while a campaign runs.

Comparisons have three answers (better, worse, equal), so that kappa = (P(A) - P(E)) / (1 - P(E)) with P(E) = 1/3, as
in Song, Cohn and Specia (2013), section 5; beside it stand Cohen's, Fleiss' and Krippendorff's coefficients, for which
each pair is read both ways round: better and worse are then equally frequent, whatever systems are called.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

from tertium.human.campaigns.collected import Collected, Judged
from tertium.human.campaigns.conversions import SCORED, comparisons, scores
from tertium.human.campaigns.designs import CHALLENGE, SPANS
from tertium.human.campaigns.span_agreement import span_agreement
from tertium.human.consistency import comparison_agreement
from tertium.human.quality import quality_control
from tertium.human.ranking import THREE_ANSWERS
from tertium.io.tables import Column, Table, number_column
from tertium.results import Result
from tertium.stats.agreement import (
    Level,
    cohen_kappa,
    fleiss_kappa,
    kappa,
    krippendorff_alpha,
    raw_agreement,
)

_ANSWERS = {"yes": 1.0, "no": 0.0, "na": 2.0}


@dataclass(frozen=True)
class RaterAgreement(Result):
    """Agreement between annotators on what several of them judged."""

    kind = "rater agreement"
    things: int  # judged by two or more
    pairwise: float | None  # P(A)
    chance_third: float | None  # kappa with P(E) = 1/3, of comparisons
    cohen: float | None  # mean over pairs of annotators with something in common
    fleiss: float | None
    krippendorff: float | None
    what: str
    span_f1: float | None = None  # of marked characters, mean over pairs of annotators
    span_alpha: float | None = None

    def table(self) -> Table:
        """A row for each coefficient."""
        named = (
            ("P(A), agreeing pairs", self.pairwise),
            ("kappa, P(E) = 1/3", self.chance_third),
            ("Cohen's kappa, mean of pairs", self.cohen),
            ("Fleiss' kappa", self.fleiss),
            ("Krippendorff's alpha", self.krippendorff),
            ("marked characters, F1, mean of pairs", self.span_f1),
            ("marked characters, Krippendorff's alpha", self.span_alpha),
        )
        rows = (("judged by two or more", self.things), *(row for row in named if row[1] is not None))
        columns = (Column("agreement"), number_column("value", digits=3))
        return Table("Agreement between annotators", columns, rows, (f"of {self.what}",))


def agreement(collected: Collected) -> RaterAgreement | None:
    """Agreement between annotators; None where nothing was judged twice.

    Comparisons are compared by pair of outputs, challenge answers by output, scores by translation (as intervals).
    """
    design = collected.design
    cells: dict[tuple[str, ...], dict[str, float]] = {}
    for one in collected.genuine:
        for place, value in _cells(one, design):
            cells.setdefault(place, {})[one.annotator] = value
    twice = [own for own in cells.values() if len(own) > 1]
    if not twice:
        return None
    people = sorted({name for own in twice for name in own})
    ratings = [[own.get(name) for name in people] for own in twice]
    scored = design in SCORED
    if not scored and design != CHALLENGE:
        # A pair has no first and second: read both ways round, no coefficient depends on how systems are called.
        ratings += [[None if value is None else -value for value in row] for row in ratings]
    level: Level = "interval" if scored else "nominal"
    raw = None if scored else raw_agreement(ratings).pairwise
    sizes = {len(own) for own in twice}
    span_f1, span_alpha = span_agreement(collected) if design == SPANS else (None, None)
    return RaterAgreement(
        things=len(twice),
        pairwise=raw,
        chance_third=None if raw is None or design == CHALLENGE else kappa(raw, THREE_ANSWERS),
        cohen=None if scored else _cohen(ratings),
        fleiss=None if scored or len(sizes) > 1 else fleiss_kappa(ratings),
        krippendorff=krippendorff_alpha(ratings, level=level),
        what="scores, as intervals" if scored else "answers" if design == CHALLENGE else "pairs of outputs",
        span_f1=span_f1,
        span_alpha=span_alpha,
    )


def _cells(one: Judged, design: str) -> list[tuple[tuple[str, ...], float]]:
    segment = one.item.segment
    if design in SCORED:
        return [((segment, *one.shown[0]), one.score)]
    if design == CHALLENGE:
        return [
            ((segment, *systems), _ANSWERS[answer])
            for systems, answer in zip(one.shown, one.answer["answers"], strict=True)
        ]
    found: list[tuple[tuple[str, ...], float]] = []
    for first, second, sign in one.outcomes():
        a, b, own = (first, second, sign) if first < second else (second, first, -sign)
        found.append(((segment, *a, "|", *b), float(own)))
    return found


def _cohen(ratings: Sequence[Sequence[float | None]]) -> float | None:
    found = []
    for i, j in combinations(range(len(ratings[0])), 2):
        both = [(row[i], row[j]) for row in ratings if row[i] is not None and row[j] is not None]
        value = cohen_kappa([a for a, _ in both], [b for _, b in both]) if both else None
        if value is not None:
            found.append(value)
    return sum(found) / len(found) if found else None


@dataclass(frozen=True)
class Monitored:
    """What an administrator sees while a campaign runs."""

    agreement: tuple[tuple[str, str], ...] = ()  # coefficient and value
    control: dict[str, str] = field(default_factory=dict)  # by annotator
    verdict: str = ""  # good, fair or low; empty: nothing was judged twice


def monitored(collected: Collected) -> Monitored:
    """The state of a campaign so far; nothing here is a final verdict."""
    if not len(collected):
        return Monitored()
    found = agreement(collected)
    named: list[tuple[str, str]] = []
    verdict = ""
    if found is not None:
        values = (
            ("P(A)", found.pairwise),
            ("kappa", found.chance_third),
            ("Krippendorff's alpha", found.krippendorff),
            ("F1 of marked characters", found.span_f1),
        )
        named = [(label, f"{value:.2f}") for label, value in values if value is not None]
        if (alpha := found.krippendorff) is not None:  # the limits are Krippendorff's own (2004)
            verdict = "good" if alpha >= 0.8 else "fair" if alpha >= 0.667 else "low"
    return Monitored(tuple(named), _control(collected), verdict)


def _control(collected: Collected) -> dict[str, str]:
    if collected.design not in SCORED:
        found = comparison_agreement(comparisons(collected))
        if found is None:
            return {}
        return {name: f"repeats: {share:.0%} of {n} the same" for name, n, share in found.annotators}
    lines = {}
    for check in quality_control(scores(collected)).checks:
        parts = []
        if check.degraded:
            p = "" if check.p_degraded is None else f", p = {check.p_degraded:.3f}"
            parts.append(f"degraded lower by {check.drop:.1f} ({check.degraded}{p})")
        if check.repeats:
            parts.append(f"repeats differ by {check.shift:.1f} ({check.repeats})")
        if parts:
            lines[check.annotator] = "; ".join(parts)
    return lines
