"""Who repeats themselves: annotators of comparisons are kept if they give the same answer again more often than chance.

One filter for campaigns and for files: both are comparisons with their repeats.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium.errors import InputError
from tertium.human.ranking import THREE_ANSWERS
from tertium.io.comparisons import Comparisons
from tertium.io.tables import Column, Table, number_column
from tertium.results import Result
from tertium.stats.agreement import kappa


@dataclass(frozen=True)
class SelfAgreement(Result):
    """How often each annotator gives the same answer again."""

    kind = "self-agreement"
    annotators: tuple[tuple[str, int, float], ...]  # name, comparisons judged twice, share of equal answers
    least: float

    @property
    def failed(self) -> tuple[str, ...]:
        """Those who agree with themselves no more than `least`."""
        return tuple(name for name, _, share in self.annotators if share <= self.least)

    def contents(self) -> Mapping[str, Any]:
        own = [{"annotator": name, "repeated": n, "agreement": share} for name, n, share in self.annotators]
        return {"annotators": own, "least": self.least, "failed": self.failed}

    def table(self) -> Table:
        """A row for each annotator with repeats."""
        columns = (
            Column("annotator"),
            number_column("repeated"),
            number_column("same answer", "agreement", 3),
            number_column("kappa", digits=3),
            Column("kept"),
        )
        rows = tuple(
            (name, n, share, kappa(share, THREE_ANSWERS), "no" if name in self.failed else "yes")
            for name, n, share in self.annotators
        )
        return Table(
            "Self-agreement",
            columns,
            rows,
            (f"kept: annotators who repeat their answer in more than {self.least:.0%}",),
        )


def comparison_agreement(comparisons: Comparisons, least: float = THREE_ANSWERS) -> SelfAgreement | None:
    """How often the repeats of comparisons got the same answer; None without repeats.

    >>> first, again = [("ann", "1", "A", "B", 1)], [("ann", "1", "B", "A", -1)]
    >>> comparison_agreement(Comparisons.of(first, repeats=Comparisons.of(again))).annotators
    (('ann', 1, 1.0),)
    """
    if comparisons.repeats is None:
        return None
    before = dict(_answers(comparisons))
    counts: dict[str, list[int]] = {}
    for place, answer in _answers(comparisons.repeats):
        if place in before:
            counts.setdefault(place[0], []).append(int(before[place] == answer))
    if not counts:
        return None
    return SelfAgreement(tuple((name, len(own), sum(own) / len(own)) for name, own in counts.items()), least)


def _answers(comparisons: Comparisons) -> list[tuple[tuple[str, str, str, str], int]]:
    """Who said what of which two systems of a segment, the two in the order of their names."""
    names = comparisons.systems
    found = []
    for who, segment, a, b, sign in zip(
        comparisons.annotator,
        comparisons.segment,
        comparisons.first.tolist(),
        comparisons.second.tolist(),
        comparisons.sign.tolist(),
        strict=True,
    ):
        turned = names[a] > names[b]
        low, high = (names[b], names[a]) if turned else (names[a], names[b])
        found.append(((who, segment, low, high), -sign if turned else sign))
    return found


def consistent(
    comparisons: Comparisons, least: float = THREE_ANSWERS
) -> tuple[Comparisons, SelfAgreement | None]:
    """The comparisons of those who repeat themselves well enough (or were never asked again), and how all did."""
    found = comparison_agreement(comparisons, least)
    if found is None or not found.failed:
        return comparisons, found
    trusted = ~np.isin(comparisons.annotator.names, found.failed)
    rows = np.flatnonzero(trusted[comparisons.annotator.codes])
    if not len(rows):
        raise InputError(
            f"{comparisons.origin}: no annotator with repeats agrees with themselves better than chance"
        )
    return comparisons.take(rows), found
