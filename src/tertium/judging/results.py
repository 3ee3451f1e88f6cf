"""What language models said of translations, and what it took."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from tertium.errors import many
from tertium.io.judges.answers import JudgedError
from tertium.io.judges.asking import Spending
from tertium.results import Result

if TYPE_CHECKING:
    from tertium.io.tables import Table


@dataclass(frozen=True)
class RatedSegment:
    """A segment of a system: its score, that of each sample, the errors behind it, why it has none."""

    system: str
    segment: int  # from 1
    score: float | None
    samples: tuple[float | None, ...]
    errors: tuple[JudgedError, ...]
    reason: str


@dataclass(frozen=True)
class RatedSystem:
    """A system: its mean, segments with and without a score; over several samples how far answers lie apart."""

    system: str
    score: float | None
    scored: int
    missing: int
    spread: float | None  # mean standard deviation of a segment's samples
    same: float | None  # share of segments whose samples all say the same


@dataclass(frozen=True)
class JudgedLead:
    """How far one of the two best systems is ahead of the other, on segments that both have scores for.

    `p`: of Wilcoxon's test, two-sided; 1 where the ranks speak for the one behind, or nothing sets them apart.
    """

    first: str
    second: str
    difference: float
    segments: int
    p: float


@dataclass(frozen=True)
class JudgedTranslations(Result):
    """Ratings of systems by a language model. Prints itself as a line for each system."""

    kind = "judged translations"
    signature: str
    systems: tuple[RatedSystem, ...]
    segments: tuple[RatedSegment, ...]
    spending: Spending

    def table(self) -> Table:
        from tertium.io.tables import Column, Table, number_column

        columns = [
            Column("system"),
            number_column("score", digits=2),
            number_column("segments", "scored", None),
        ]
        columns += [number_column("without", "missing", None)]
        rows = [
            (own.system, own.score, own.scored, own.missing, own.spread, own.same) for own in self.systems
        ]
        if all(own.same is None for own in self.systems):
            return Table("", tuple(columns), tuple(row[:4] for row in rows))
        columns += [number_column("spread", digits=2), number_column("same", digits=3)]
        return Table("", tuple(columns), tuple(rows))

    def lead(self) -> JudgedLead | None:
        """The two best against each other; None where fewer than two have scores of the same segments."""
        ranked = sorted((-own.score, own.system) for own in self.systems if own.score is not None)
        if len(ranked) < 2:
            return None
        ahead, behind = (name for _, name in ranked[:2])
        first, second = (
            {own.segment: own.score for own in self.segments if own.system == name and own.score is not None}
            for name in (ahead, behind)
        )
        both = sorted(first.keys() & second.keys())
        if not both:
            return None
        from tertium.stats.ranktests import signed_rank_test

        differences = [first[segment] - second[segment] for segment in both]
        if fmean(differences) < 0:  # it was first by segments for which the other has no score
            ahead, behind = behind, ahead
            differences = [-difference for difference in differences]
        p = signed_rank_test(differences, alternative="greater").p
        return JudgedLead(ahead, behind, fmean(differences), len(both), 1.0 if p is None else min(1.0, 2 * p))

    def words(self) -> Iterator[str]:
        lead = self.lead()
        if lead is not None and not lead.difference:
            yield (
                f"The judge puts {lead.first} and {lead.second} level on the {lead.segments} segments that both have "
                "scores for."
            )
        elif lead is not None:
            sure = "more than chance" if lead.p < 0.05 else "no more than chance would give"
            yield (
                f"The judge puts {lead.first} first, {lead.difference:.2f} ahead of {lead.second} on the "
                f"{lead.segments} segments that both have scores for: {sure} (p = {lead.p:.3g}, signed-rank test)."
            )
        if any(own.same is not None for own in self.systems):
            yield (
                "Spread is the mean standard deviation of a segment's answers, same the share of segments whose "
                "answers all agree."
            )
        yield self.spending.sentence()
        yield f"Signature: {self.signature}"


@dataclass(frozen=True)
class JudgedPair:
    """A segment of two systems: what was said in either order (`first`: the first system), and what follows."""

    segment: int
    shown_first: str  # the verdict where the first system was shown first: "first", "second", "tie", or empty
    shown_second: str
    verdict: str  # "first", "second", "tie"; empty: no answer
    reason: str


@dataclass(frozen=True)
class ComparedByJudge(Result):
    """Two systems compared by a language model, segment by segment, in both orders.

    A segment goes to a system if both orders say so, or one does and the other sees a tie; orders that contradict each
    other make a tie.
    """

    kind = "judged pairs"
    signature: str
    first: str
    second: str
    wins: int
    losses: int
    ties: int
    missing: int
    p: float  # sign test of wins and losses
    contradictions: int  # segments whose two orders say the opposite of each other
    answered: int  # segments with an answer in either order
    shown_first_wins: int  # of all questions whose answer prefers one, those where it is the one shown first
    preferences: int
    position_interval: tuple[float, float] | None
    position_p: float
    consistency: (
        float | None
    )  # of several samples: mean share of a question's answers that say the most frequent
    pairs: tuple[JudgedPair, ...]
    spending: Spending

    @property
    def position_bias(self) -> float | None:
        """How often the one shown first is preferred, where one is: 0.5 is none."""
        return self.shown_first_wins / self.preferences if self.preferences else None

    def table(self) -> Table:
        from tertium.io.tables import Column, Table, number_column

        columns = (Column("system"), number_column("wins", digits=None), number_column("ties", digits=None))
        return Table("", columns, ((self.first, self.wins, self.ties), (self.second, self.losses, self.ties)))

    def words(self) -> Iterator[str]:
        better, worse = (self.first, self.second) if self.wins >= self.losses else (self.second, self.first)
        counts = f"{max(self.wins, self.losses)} to {min(self.wins, self.losses)}, {many(self.ties, 'tie')}"
        if not self.wins + self.losses + self.ties:
            yield "The judge gave no verdict on any segment."
        elif self.wins == self.losses:
            yield f"The judge prefers neither ({counts})."
        else:
            sure = "more than chance" if self.p < 0.05 else "no more than chance would give"
            yield f"The judge prefers {better} to {worse}, {counts}: {sure} (p = {self.p:.3g})."
        if self.missing:
            yield f"Without a verdict: {many(self.missing, 'segment')}."
        if self.position_bias is not None and self.position_interval is not None:
            low, high = self.position_interval
            yield (
                f"Position: of {self.preferences} preferences {self.position_bias:.1%} are for the one shown first "
                f"({low:.1%} to {high:.1%}); {self.contradictions} of {self.answered} segments are decided by the "
                "order alone."
            )
        if self.consistency is not None:
            yield f"Asked the same again, {self.consistency:.1%} of its answers agree with the most frequent one."
        yield self.spending.sentence()
        yield f"Signature: {self.signature}"
