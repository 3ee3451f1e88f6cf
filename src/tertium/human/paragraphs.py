"""Preferences between two paragraphs by several annotators: majority vote, agreement, and what a person could reach.

Libovický, Brovelli and Cartoni (2018), sections 4 and 5: three annotators say which of two paragraphs is better, or
cannot decide.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tertium.errors import InputError
from tertium.human.ranking import as_ratings
from tertium.io.comparisons import Comparisons
from tertium.io.coverage import Coverage, OpenCoverage
from tertium.io.tables import Table, number_column
from tertium.results import Result
from tertium.stats.agreement import kappa, raw_agreement

ANSWERS = 3  # first, second, undecided


@dataclass(frozen=True)
class Vote:
    """The majority's decision on one pair: the better system and the other, or neither (a tie)."""

    segment: str
    first: str
    second: str
    sign: int  # 1: the first is better, -1: the second, 0: undecided by majority
    votes: int
    for_it: int


@dataclass(frozen=True)
class Votes(Result):
    """Majority votes on pairs of paragraphs, and how far the annotators agree."""

    kind = "votes"
    votes: tuple[Vote, ...]
    agreement: float | None  # the share of pairs on which all annotators agree
    coverage: Coverage
    title: str = "Paragraph preferences"

    @property
    def decided(self) -> tuple[Vote, ...]:
        """Those with a better paragraph: what metrics are measured by."""
        return tuple(vote for vote in self.votes if vote.sign)

    @property
    def kappa(self) -> float | None:
        """(agreement - 1/3) / (2/3), as in table 3 of Libovický et al. (2018)."""
        return None if self.agreement is None else kappa(self.agreement, 1 / ANSWERS)

    @property
    def ceiling(self) -> float | None:
        """What a person would reach: the square root of the agreement. None unless all pairs have three votes."""
        if self.agreement is None or any(vote.votes != 3 for vote in self.votes):
            return None
        return human_ceiling(self.agreement)

    def contents(self) -> Mapping[str, Any]:
        return {
            "pairs": len(self.votes),
            "decided": len(self.decided),
            "agreement": self.agreement,
            "kappa": self.kappa,
            "ceiling": self.ceiling,
            "coverage": self.coverage,
            "votes": self.votes,
        }

    def table(self) -> Table:
        """One row, as in table 3 of Libovický et al. (2018), and the first line of table 4."""
        columns = (
            number_column("pairs"),
            number_column("decided"),
            number_column("agr.", "agreement", 3),
            number_column("κ", "kappa", 2),
            number_column("human ceiling", "ceiling", 3),
        )
        row = (len(self.votes), len(self.decided), self.agreement, self.kappa, self.ceiling)
        return Table(self.title, columns, (row,), (str(self.coverage),))


def majority_votes(comparisons: Comparisons) -> Votes:
    """The majority on each pair of a paragraph's translations. More than half of the annotators must give the same
    answer; pairs without such a majority are left out and accounted for, but count in the agreement.

    >>> rows = [("a", "p1", "A", "B", 1), ("b", "p1", "A", "B", 1), ("c", "p1", "B", "A", 1),
    ...         ("a", "p2", "A", "B", 0), ("b", "p2", "A", "B", 0), ("c", "p2", "A", "B", 0)]
    >>> found = majority_votes(Comparisons.of(rows))
    >>> [(vote.segment, vote.sign, vote.for_it) for vote in found.votes], found.agreement
    ([('p1', 1, 2), ('p2', 0, 3)], 0.5)
    """
    book = OpenCoverage(comparisons.origin, "pairs")
    votes = []
    by_pair = comparisons.votes()
    if not by_pair:
        raise InputError(f"{comparisons.origin}: there are no comparisons")
    for (segment, first, second), signs in by_pair.items():
        sign = max((1, 0, -1), key=signs.count)
        if 2 * signs.count(sign) <= len(signs):
            book.leave_out("no majority")
            continue
        votes.append(Vote(segment, first, second, sign, len(signs), signs.count(sign)))
    undecided = sum(vote.sign == 0 for vote in votes)
    if undecided:
        book.note(f"in {undecided} of them the majority is undecided")
    agreed = raw_agreement(as_ratings(list(by_pair.values())))
    return Votes(tuple(votes), agreed.share, book.closed(len(votes)))


def human_ceiling(agreement: float) -> float:
    """The chance that one annotator agrees with the majority, if all three agree with probability `agreement`.

    All three agree if two agree, which makes the majority, and the third agrees with it. If both are equally likely,
    each has the probability sqrt(agreement) (Libovický et al. 2018, section 5).

    >>> round(human_ceiling(0.372), 3)
    0.61
    """
    if not 0 <= agreement <= 1:
        raise InputError(f"agreement must be between 0 and 1, not {agreement}")
    return math.sqrt(agreement)
