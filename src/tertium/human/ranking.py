"""Relative ranking: from n-way ranks to pairs, from pairs to scores of systems.

WMT ranked five systems at a time from 2008 to 2016. What a system is worth was measured in several ways, all of them
here: the share of comparisons it won, with ties counted or not, and expected wins (Bojar et al. 2013).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError, SpecError
from tertium.human.judgement import Gold
from tertium.io.comparisons import Comparisons
from tertium.io.coverage import Coverage, OpenCoverage
from tertium.io.pairs import BetterWorse
from tertium.io.rankings import Ranking
from tertium.io.records import whole_number
from tertium.io.scorematrix import WHOLE, ScoreMatrix
from tertium.io.tables import Table, number_column
from tertium.results import Result
from tertium.stats.agreement import kappa, raw_agreement

Ties = Literal["ignore", "lose", "half", "win"]
_WORTH: dict[str, float | None] = {"ignore": None, "lose": 0.0, "half": 0.5, "win": 1.0}
JUDGES, AGREEMENT = 2, 0.6  # of Song et al. (2013), section 3.1
THREE_ANSWERS = 1 / 3  # better, worse, equal: the agreement of people who guess


def pairwise(rankings: Iterable[Ranking], *, origin: str = "rankings") -> Comparisons:
    """All pairs on each screen: n ranked systems make n (n - 1) / 2 comparisons; equal ranks are ties. Repeats are
    those of the comparisons.

    >>> pairwise([Ranking("ann", "1", ("A", "B", "C"), (1, 2, 2))]).votes()
    {('1', 'A', 'B'): [1], ('1', 'A', 'C'): [1], ('1', 'B', 'C'): [0]}
    """
    given = list(rankings)
    again = [replace(one, repeat=False) for one in given if one.repeat]
    repeats = pairwise(again, origin=origin) if again else None
    rows, lines = [], []
    for ranking in given:
        placed = [] if ranking.repeat else list(zip(ranking.systems, ranking.ranks, strict=True))
        for (a, rank_a), (b, rank_b) in combinations(placed, 2):
            sign = (rank_b > rank_a) - (rank_b < rank_a)  # rank 1 is the best
            rows.append((ranking.annotator, ranking.segment, a, b, sign))
            lines.append(ranking.line)
    if not rows:
        raise InputError(f"{origin}: there are no rankings of two systems")
    known = [line for line in lines if line is not None]
    numbers = known if len(known) == len(lines) else None
    return Comparisons.of(rows, lines=numbers, origin=origin, repeats=repeats)


def win_counts(comparisons: Comparisons) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """How often the system of a row was better than that of a column, and how often they were equal.

    >>> wins, ties = win_counts(Comparisons.of([("ann", "1", "A", "B", 1), ("bob", "1", "B", "A", 0)]))
    >>> wins.tolist(), ties.tolist()
    ([[0, 1], [0, 0]], [[0, 1], [1, 0]])
    """
    n = len(comparisons.systems)
    wins = np.zeros((n, n), dtype=np.int64)
    ties = np.zeros((n, n), dtype=np.int64)
    up, down, equal = (comparisons.sign == sign for sign in (1, -1, 0))
    np.add.at(wins, (comparisons.first[up], comparisons.second[up]), 1)
    np.add.at(wins, (comparisons.second[down], comparisons.first[down]), 1)
    np.add.at(ties, (comparisons.first[equal], comparisons.second[equal]), 1)
    return wins, ties + ties.T


def expected_wins(comparisons: Comparisons) -> Gold:
    """The probability of winning against another system drawn at random (WMT13), ties ignored:

        score(i) = 1 / |others| sum over j of win(i, j) / (win(i, j) + win(j, i))

    over the others that it met without a tie.

    >>> judged = [("ann", "1", "A", "B", 1), ("ann", "2", "A", "B", 1), ("bob", "2", "A", "B", -1),
    ...           ("ann", "1", "A", "C", 1)]
    >>> gold = expected_wins(Comparisons.of(judged))
    >>> round(gold.scores.system("A"), 4), gold.scores.system("C")
    (0.8333, 0.0)
    """
    wins, _ = win_counts(comparisons)
    met = wins + wins.T
    with np.errstate(invalid="ignore"):
        shares = np.where(met > 0, wins / np.maximum(met, 1), np.nan)
    scores = [float(row[~np.isnan(row)].mean()) if (~np.isnan(row)).any() else np.nan for row in shares]
    return _gold("expected wins", comparisons, scores, met.sum(axis=1))


def win_rate(comparisons: Comparisons, *, ties: Ties = "ignore") -> Gold:
    """The share of its comparisons that a system won. A tie is ignored (WMT12: wins / (wins + losses)), or counts as
    lost (how often it outperformed the others), as half a win, or as won ("better than or equal", WMT08 to WMT11).

    >>> judged = Comparisons.of([("ann", "1", "A", "B", 1), ("bob", "1", "A", "B", 0)])
    >>> [win_rate(judged, ties=ties).scores.system("A") for ties in ("ignore", "lose", "half", "win")]
    [1.0, 0.5, 0.75, 1.0]
    """
    if ties not in _WORTH:
        raise SpecError(f"a tie must be ignored, or count as lost, half or won, not {ties!r}")
    wins, equal = win_counts(comparisons)
    worth = _WORTH[ties]
    won = wins.sum(axis=1) + (0.0 if worth is None else worth) * equal.sum(axis=1)
    all_of = (wins + wins.T).sum(axis=1) + (0 if worth is None else equal.sum(axis=1))
    scores = [float(a) / int(b) if b else np.nan for a, b in zip(won, all_of, strict=True)]
    return _gold(f"win rate, ties {ties}", comparisons, scores, all_of)


def _gold(name: str, comparisons: Comparisons, scores: list[float], counts: NDArray[np.int64]) -> Gold:
    values = np.array(scores, dtype=np.float64)[:, None]
    matrix = ScoreMatrix(name, "system", comparisons.systems, (WHOLE,), values, comparisons.origin)
    coverage = Coverage(comparisons.origin, "comparisons", len(comparisons))
    return Gold(matrix, counts.astype(np.int64)[:, None], coverage)


def as_ratings(votes: Sequence[Sequence[int]]) -> list[list[float | None]]:
    """Votes on several pairs as a table of ratings: None where a pair has fewer votes than another.

    >>> as_ratings([[1, 1, 0], [1, -1]])
    [[1, 1, 0], [1, -1, None]]
    """
    most = max(map(len, votes), default=0)
    return [[*own, *[None] * (most - len(own))] for own in votes]


@dataclass(frozen=True)
class Consensus(Result):
    """Pairs on which judges agree well enough, and how well they agree on those."""

    kind = "consensus"
    pairs: BetterWorse
    ties: int  # pairs that the judges agree to find equal
    agreement: float | None  # P(A): the mean share of agreeing judges, by pair
    kappa: float | None  # beyond chance, P(E) = 1/3
    coverage: Coverage
    judges: int = JUDGES
    share: float = AGREEMENT

    @property
    def rule(self) -> str:
        """Which pairs these are, in words."""
        judges = "one judge" if self.judges == 1 else f"{self.judges} judges"
        return f"pairs of translations compared by at least {judges}, at least {self.share:.0%} of whom agree"

    def contents(self) -> Mapping[str, Any]:
        return {
            "judges": self.judges,
            "share": self.share,
            "pairs": len(self.pairs),
            "ties": self.ties,
            "agreement": self.agreement,
            "kappa": self.kappa,
            "coverage": self.coverage,
        }

    def table(self) -> Table:
        """One row."""
        columns = (
            number_column("pairs"),
            number_column("ties"),
            number_column("P(A)", "agreement", 4),
            number_column("kappa", digits=4),
        )
        row = (len(self.pairs), self.ties, self.agreement, self.kappa)
        return Table("Consensus of judges", columns, (row,), (self.rule, str(self.coverage)))


def consensus(comparisons: Comparisons, *, judges: int = JUDGES, agreement: float = AGREEMENT) -> Consensus:
    """Pairs of one segment's translations with at least so many judges, of whom at least such a share gives the same
    answer (better, worse or equal); Song et al. (2013), section 3.1, ask for two judges and 60%. An even split at the
    top is no consensus.

    Pairs that are found equal belong to the consensus, but are neither better nor worse.

    >>> votes = [("a", "1", "A", "B", 1), ("b", "1", "A", "B", 1), ("c", "1", "B", "A", 1),  # 2 of 3 for A
    ...          ("a", "2", "A", "B", 1), ("b", "2", "A", "B", -1),                          # 1 of 2
    ...          ("a", "3", "A", "B", 1)]                                                    # one judge
    >>> found = consensus(Comparisons.of(votes))
    >>> print(found.coverage)  # doctest: +ELLIPSIS
    comparisons: 1 pairs used; 1 left out: fewer than 60% of the judges agree; 1 left out: fewer than 2 judges
    """
    if judges < 1 or not 0 < agreement <= 1:
        raise SpecError(
            f"judges must be at least 1 and agreement between 0 and 1, not {judges} and {agreement}"
        )
    book = OpenCoverage(comparisons.origin, "pairs")
    chosen: list[tuple[int, str, str]] = []
    ratings: list[list[int]] = []
    ties = 0
    for (segment, a, b), signs in comparisons.votes().items():
        counts = {sign: signs.count(sign) for sign in (1, 0, -1)}
        most = max(counts.values())
        leaders = [sign for sign, count in counts.items() if count == most]
        if len(signs) < judges:
            book.leave_out(f"fewer than {judges} judges")
            continue
        if len(leaders) > 1 or most < agreement * len(signs) - 1e-9:
            book.leave_out(f"fewer than {agreement:.0%} of the judges agree")
            continue
        ratings.append(signs)
        if leaders[0] == 0:
            ties += 1
            continue
        better, worse = (a, b) if leaders[0] > 0 else (b, a)
        chosen.append((whole_number(segment, "segment", comparisons.origin), better, worse))
    if ties:
        book.note(f"{ties} of them are judged equal")
    together = raw_agreement(as_ratings(ratings)).pairwise if ratings else None
    return Consensus(
        BetterWorse.of(chosen, systems=comparisons.systems, origin=comparisons.origin),
        ties,
        together,
        None if together is None else kappa(together, THREE_ANSWERS),
        book.closed(len(ratings)),
        judges,
        agreement,
    )
