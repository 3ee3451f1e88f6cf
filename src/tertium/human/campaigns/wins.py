"""Who wins against whom: win matrices with sign flips by segment, and preferences plain and weighted by length."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np

from tertium.comparison.preferences import Rates, rates
from tertium.errors import InputError
from tertium.human.campaigns.collected import Collected
from tertium.human.campaigns.conversions import labels
from tertium.human.campaigns.designs import PAIRWISE
from tertium.io.tables import Column, Table, chance_column, number_column
from tertium.results import Result
from tertium.stats.blocks import sign_flip_p
from tertium.stats.resampling import SEED

FLIPS = 10_000


@dataclass(frozen=True)
class Duel:
    """Two systems on all screens that show both: how often each was better, and p of sign flips by segment."""

    systems: tuple[str, str]
    comparisons: int
    first: int
    second: int
    tied: int
    p: float
    plain: Rates | None
    weighted: Rates | None  # by tokens of the source (or of the reference)


@dataclass(frozen=True)
class WinMatrix(Result):
    """All duels. A cell says how often the system of its *column* was judged better than that of its row."""

    kind = "win matrix"
    systems: tuple[str, ...]
    duels: tuple[Duel, ...]
    seed: int
    flips: int  # of signs, drawn where there are more patterns of signs than this

    def share(self, row: str, column: str) -> float | None:
        """How often `column` was better than `row`, among all their comparisons, ties included."""
        for duel in self.duels:
            if set(duel.systems) == {row, column} and duel.comparisons:
                wins = duel.first if duel.systems[0] == column else duel.second
                return wins / duel.comparisons
        return None

    def contents(self) -> Mapping[str, Any]:
        facts = {"systems": self.systems, "seed": self.seed, "flips": self.flips}
        return {**facts, "pairs": self.duels}

    def table(self) -> Table:
        """The matrix as in table 7 of Song et al. (2013); marked where the column's system won more than it lost."""
        columns = (Column("better →"), *(number_column(name, digits=2) for name in self.systems))
        rows = tuple(
            (row, *(None if row == column else self.share(row, column) for column in self.systems))
            for row in self.systems
        )
        best = {
            (r, c + 1)
            for r, row in enumerate(self.systems)
            for c, column in enumerate(self.systems)
            if (self.share(row, column) or 0) > (self.share(column, row) or 0)
        }
        note = "each cell: how often the column's system was better than the row's"
        return Table("Wins", columns, rows, (note,), frozenset(best))

    def preferences(self) -> Table:
        """A row for each pair: shares in percent, plain and weighted by length, and the test of the plain ones."""
        columns = (
            Column("A"),
            Column("B"),
            number_column("comparisons"),
            number_column("A better", "a", 1),
            number_column("B better", "b", 1),
            number_column("equal", "tied", 1),
            number_column("A by words", "a_weighted", 1),
            number_column("B by words", "b_weighted", 1),
            chance_column(),
        )

        def percent(of: Rates | None, *names: str) -> list[float | None]:
            return [None if of is None else 100 * float(getattr(of, name)) for name in names]

        rows = tuple(
            (
                *duel.systems,
                duel.comparisons,
                *percent(duel.plain, "first", "second", "tied"),
                *percent(duel.weighted, "first", "second"),
                duel.p,
            )
            for duel in self.duels
        )
        test = f"sign flips by segment: all, or {self.flips} drawn ones with seed {self.seed}"
        return Table("Preferences", columns, rows, ("percent of comparisons and of words", f"p: {test}"))


def win_matrix(collected: Collected, *, seed: int = SEED, flips: int = FLIPS) -> WinMatrix:
    """Wins and losses of every two systems, with a sign-flip test. All comparisons of a segment change their signs
    together, because annotators of the same segment agree for reasons that lie in the segment."""
    found: dict[tuple[str, str], list[tuple[int, int, tuple[str, str]]]] = {
        pair: [] for pair in combinations(collected.systems, 2)
    }
    for one in collected.genuine:
        for first, second, sign in one.outcomes():
            for a, b in product(first, second):
                key, own = ((a, b), sign) if a < b else ((b, a), -sign)
                found[key].append((own, one.item.tokens, (one.item.document, one.item.segment)))
    duels = tuple(_duel(pair, outcomes, seed, flips) for pair, outcomes in found.items() if outcomes)
    if not duels:
        raise InputError(f"{collected.settings.name}: nothing has been compared yet")
    return WinMatrix(collected.systems, duels, seed, flips)


def _duel(
    pair: tuple[str, str], outcomes: list[tuple[int, int, tuple[str, str]]], seed: int, flips: int
) -> Duel:
    signs = np.array([sign for sign, _, _ in outcomes])
    tokens = np.array([weight for _, weight, _ in outcomes])
    by_segment: dict[tuple[str, str], int] = {}
    for sign, _, segment in outcomes:
        by_segment[segment] = by_segment.get(segment, 0) + sign
    [p] = sign_flip_p([[total] for total in by_segment.values()], trials=flips, seed=seed)
    return Duel(
        pair,
        len(signs),
        int((signs > 0).sum()),
        int((signs < 0).sum()),
        int((signs == 0).sum()),
        p,
        rates(signs, None),
        rates(signs, tokens),
    )


@dataclass(frozen=True)
class Equivalence(Result):
    """What forced choices hide: the share of pairs that were equally good (Simard 2019)."""

    kind = "equivalence"
    first: int  # labels 1: the output shown first was chosen
    second: int
    of_first: float | None
    overall: float | None

    def table(self) -> Table:
        columns = (
            number_column("first shown"),
            number_column("second shown"),
            number_column("equivalent of first", "of_first", 3),
            number_column("equivalent of all", "overall", 3),
        )
        note = "annotators who find both equally good choose the first one shown: its surplus estimates such pairs"
        row = (self.first, self.second, self.of_first, self.overall)
        return Table("Equivalence", columns, (row,), (note,))


def equivalence(collected: Collected) -> Equivalence | None:
    """The rate of equivalent pairs in forced choices; None where annotators could be undecided."""
    if collected.design != PAIRWISE or collected.settings.options["undecided"]:
        return None
    found = labels(collected)
    return Equivalence(*found.counts, found.equivalence_of_first, found.equivalence)
