"""Systems against each other, and two versions of one system: exact McNemar tests over the same items."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Any

from tertium.challenge.judgements import Place
from tertium.challenge.outputs import System
from tertium.challenge.rates import OVERALL, Group, percent, share
from tertium.challenge.results import Results
from tertium.errors import InputError
from tertium.io.tables import Column, Table, number_column
from tertium.results import Result
from tertium.stats.multiple import holm
from tertium.stats.proportions import mcnemar_exact


@dataclass(frozen=True)
class Contest:
    """Two systems on the items on which both were judged: which ones each got right by majority.

    `p` is McNemar's exact test (1947), `adjusted` the same after Holm (1979) over all pairs of systems; the categories
    are one family of tests, the whole set another.
    """

    group: Group
    first: System
    second: System
    both: int
    only_first: tuple[str, ...]
    only_second: tuple[str, ...]
    neither: int
    p: float
    adjusted: float

    @property
    def items(self) -> int:
        return self.both + self.neither + len(self.only_first) + len(self.only_second)

    @property
    def right(self) -> tuple[int, int]:
        return self.both + len(self.only_first), self.both + len(self.only_second)

    @property
    def shares(self) -> tuple[float | None, float | None]:
        first, second = self.right
        return share(first, self.items), share(second, self.items)

    @property
    def error_reduction(self) -> float | None:
        """By what share the second system has fewer errors: (e1 - e2) / e1; None where the first has none.

        This is the relative error reduction of Isabelle and Kuhn (2018) for two versions of a system.
        """
        first, second = self.right
        return share(second - first, self.items - first)

    @property
    def better(self) -> System | None:
        """The system that is better at 5%, if one is."""
        if self.adjusted >= 0.05:
            return None
        first, second = self.right
        return self.first if first > second else self.second

    def __str__(self) -> str:
        first, second = self.first.label, self.second.label
        counts = (
            f"{first} alone is right on {len(self.only_first)}, {second} alone on {len(self.only_second)}"
        )
        p = "p < 0.001" if self.adjusted < 0.001 else f"p = {self.adjusted:.3f}"
        if self.better is None:
            return f"{first} and {second} cannot be told apart: {counts} ({p})."
        worse = second if self.better == self.first else first
        return f"{self.better.label} is better than {worse}: {counts} ({p})."

    def contents(self) -> dict[str, Any]:
        """Everything, with the ids of the items that only one of them got right."""
        names = ("items", "right", "both", "only_first", "only_second", "neither", "p", "error_reduction")
        return {
            **self.group.data(),
            "first": self.first.label,
            "second": self.second.label,
            **{name: getattr(self, name) for name in names},
            "p_holm": self.adjusted,
        }


def contests(results: Results, *, baseline: System | None = None) -> tuple[Contest, ...]:
    """All pairs of systems (or each one against the baseline), on the whole set and in each category."""
    if len(results.systems) < 2:
        raise InputError("only one system was judged: a comparison needs two")
    if baseline is None:
        pairs = list(combinations(results.systems, 2))
    else:
        pairs = [(baseline, system) for system in results.systems if system != baseline]
    return (*_family(results, (OVERALL,), pairs), *_family(results, results.categories, pairs))


def progress(results: Results, before: System, after: System) -> tuple[Contest, ...]:
    """Two versions of a system: what was gained and lost, overall and in every category and subcategory."""
    for system in (before, after):
        if system not in results.systems:
            raise InputError(f"{system.label} was not judged")
    pairs = [(before, after)]
    fine = [group for group in results.groups if group.subcategory is not None]
    return (
        *_family(results, (OVERALL,), pairs),
        *_family(results, results.categories, pairs),
        *_family(results, fine, pairs),
    )


def versions(results: Results) -> list[tuple[System, System]]:
    """Neighbouring versions of the same system, in the order of their versions (write dates as 2018-01-16)."""
    by_name: dict[str, list[System]] = {}
    for system in results.systems:
        by_name.setdefault(system.name, []).append(system)
    found: list[tuple[System, System]] = []
    for systems in by_name.values():
        ordered = sorted(systems, key=lambda system: system.version)
        found += pairwise(ordered)
    return found


def _family(
    results: Results, groups: Sequence[Group], pairs: Sequence[tuple[System, System]]
) -> list[Contest]:
    """The contests of one family of tests, corrected together."""
    found = [_contest(results, group, *pair) for group in groups for pair in pairs]
    adjusted = holm([contest.p if contest.items else None for contest in found])
    return [
        replace(contest, adjusted=1.0 if p is None else p) for contest, p in zip(found, adjusted, strict=True)
    ]


def _contest(results: Results, group: Group, first: System, second: System) -> Contest:
    outcomes: dict[tuple[bool, bool], list[str]] = {(a, b): [] for a in (True, False) for b in (True, False)}
    for decision in results.of(group, first):
        other = results.decisions.get(Place(decision.place.item, second))
        if other is not None and decision.right is not None and other.right is not None:
            outcomes[decision.right, other.right].append(decision.place.item)
    only_first, only_second = outcomes[True, False], outcomes[False, True]
    return Contest(
        group,
        first,
        second,
        len(outcomes[True, True]),
        tuple(only_first),
        tuple(only_second),
        len(outcomes[False, False]),
        p=mcnemar_exact(len(only_first), len(only_second)),
        adjusted=1.0,
    )


@dataclass(frozen=True)
class Contests(Result):
    """Pairs of systems, and steps between versions of the same system, overall and in every category."""

    kind = "challenge comparison"
    pairs: tuple[Contest, ...]
    versions: tuple[tuple[Contest, ...], ...]
    digits: int = 1

    @classmethod
    def of(cls, results: Results, *, baseline: System | None = None, digits: int = 1) -> Contests:
        """All pairs (or each system against the baseline) and all steps between versions."""
        steps = tuple(progress(results, *step) for step in versions(results))
        return cls(contests(results, baseline=baseline), steps, digits)

    def contents(self) -> Mapping[str, Any]:
        return {
            "pairs": [contest.contents() for contest in self.pairs],
            "versions": [[contest.contents() for contest in step] for step in self.versions],
        }

    def words(self) -> Iterator[str]:
        return (str(contest) for contest in self.pairs if contest.group == OVERALL)

    def tables(self) -> Iterator[Table]:
        if self.pairs:
            yield contests_table(self.pairs, digits=self.digits)
        yield from (progress_table(step, digits=self.digits) for step in self.versions)


def contests_table(found: Sequence[Contest], *, digits: int = 1) -> Table:
    """Pairs of systems: success on the items they share, and whether they differ by more than chance."""
    both = ("first", "second")
    columns = (
        *map(Column, ("category", *both)),
        number_column("#", "items"),
        *(number_column(f"{which} %", f"{which}_rate", digits) for which in both),
        *(number_column(f"only {which}", f"only_{which}") for which in both),
        number_column("p", digits=None),
        number_column("p (Holm)", "p_holm", None),
        Column("better at 5%", "better"),
    )
    rows = tuple(
        (
            contest.group.label,
            contest.first.label,
            contest.second.label,
            contest.items,
            *map(percent, contest.shares),
            len(contest.only_first),
            len(contest.only_second),
            *map(three_digits, (contest.p, contest.adjusted)),
            contest.better.label if contest.better else "",
        )
        for contest in found
    )
    notes = (
        "exact McNemar test over the items that, by majority, only one of the two got right",
        "Holm's correction over all pairs: the whole set is one family of tests, the categories another",
    )
    return Table("Systems compared", columns, rows, notes)


def three_digits(p: float) -> float:
    """A p-value to three significant digits.

    >>> three_digits(0.000012345)
    1.23e-05
    """
    return float(f"{p:.3g}")


def progress_table(found: Sequence[Contest], *, digits: int = 1) -> Table:
    """Two versions of a system: rates, gained, lost, relative error reduction."""
    columns = (
        *map(Column, ("category", "subcategory")),
        number_column("#", "items"),
        *(number_column(f"{when} %", when, digits) for when in ("before", "after")),
        *map(number_column, ("gained", "lost")),
        number_column("error reduction %", "error_reduction", digits),
        number_column("p", digits=None),
    )
    rows = tuple(
        (
            *contest.group.columns,
            contest.items,
            *map(percent, contest.shares),
            len(contest.only_second),
            len(contest.only_first),
            percent(contest.error_reduction),
            three_digits(contest.p),
        )
        for contest in found
    )
    names = f"{found[0].first.label} to {found[0].second.label}"
    notes = (
        "error reduction: (errors before - errors after) / errors before; p: exact McNemar, uncorrected",
    )
    return Table(f"From {names}", columns, rows, notes)
