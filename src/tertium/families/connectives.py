"""Connectives preserved: whether a translation marks as many contrasts, causes and conditions as its reference."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from tertium.families.base import Level, option
from tertium.families.parsed import ParsedMetric
from tertium.statistics import DenseStatistics, StatisticColumn, columns
from tertium.text.alignment import Links
from tertium.text.connectives import CLASSES, ConnectiveList, connectives

Classes = tuple[str, ...]
_COUNTS = ("same", "hypothesis", "reference")
COLUMNS: tuple[StatisticColumn, ...] = columns(*(f"{name} {count}" for name in CLASSES for count in _COUNTS))


def matched(ours: Sequence[Classes], theirs: Sequence[Classes]) -> Counter[tuple[Classes, Classes]]:
    """As many pairs as possible whose classes overlap, one to one: a flow between kinds of connectives.

    >>> sum(matched([("cause", "temporal"), ("cause",)], [("cause",), ("temporal",)]).values())
    2
    """
    left, right = Counter(ours), Counter(theirs)
    flow: Counter[tuple[Classes, Classes]] = Counter()
    for kind in sorted(left.keys() & right.keys()):  # what is the same on both sides first
        both = min(left[kind], right[kind])
        flow[kind, kind], left[kind], right[kind] = both, left[kind] - both, right[kind] - both
    while path := _path(left, right, flow):
        left[path[0]] -= 1
        right[path[-1]] -= 1
        for place in range(0, len(path) - 1, 2):
            flow[path[place], path[place + 1]] += 1
            if place:
                flow[path[place], path[place - 1]] -= 1
    return +flow


def _path(
    left: Mapping[Classes, int], right: Mapping[Classes, int], flow: Mapping[tuple[Classes, Classes], int]
) -> list[Classes]:
    """A shortest path from what is left over of ours to what is left over of theirs, pairs in between undone."""
    paths = [[kind] for kind in sorted(left) if left[kind]]
    seen_left, seen_right = {path[0] for path in paths}, set()
    for path in paths:  # grows while it is read
        for kind in sorted(right):
            if kind in seen_right or not set(kind) & set(path[-1]):
                continue
            seen_right.add(kind)
            if right[kind]:
                return [*path, kind]
            for back in sorted({mine for (mine, own), n in flow.items() if own == kind and n} - seen_left):
                seen_left.add(back)
                paths.append([*path, kind, back])
    return []


@dataclass(frozen=True)
class Connectives(ParsedMetric):
    """Connectives of the same class in hypothesis and reference.

    >>> import tertium as tt
    >>> m = tt.metric("doc:connectives")
    >>> m.score(["It rained. However, we went."], ["But although it rained, we went."])
    66.66666666666667
    """

    name: ClassVar[str] = "doc:connectives"
    title: ClassVar[str] = (
        "discourse connectives kept, by class: contrast, cause, condition... (lang=en, fr, de)"
    )
    formula: ClassVar[str] = (
        "Connectives of both texts are found by a list and matched one to one where they share a class, as many as\n"
        "possible: m pairs of h and r. F1 = 2 m / (h + r); counts add over documents."
    )
    paper: ClassVar[str] = (
        "after Meyer, Hajlaoui and Popescu-Belis 2015, IEEE/ACM TASLP 23 (ACT, which aligns with the source)"
    )
    quirks: ClassVar[str] = (
        "Classes are counted over the document, whatever the place. Ambiguous words count only where a clause begins\n"
        "(or, with a parser, with the right tag); those with two classes match either."
    )
    perfect: ClassVar[float | None] = None  # 100 where there are connectives
    undefined: ClassVar[str] = "neither text has a connective"
    aligned: ClassVar[bool] = False

    list: str = option("", "a file of connectives, for other languages", key="list?", file=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.list:
            connectives(self.lang)

    @property
    def _list(self) -> ConnectiveList:
        return connectives(self.lang, self.list)

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        return super().signature_items(level) | ({"list-hash": self._list.hash} if self.list else {})

    @property
    def _columns(self) -> tuple[StatisticColumn, ...]:
        return COLUMNS

    def _seen(self, texts: Sequence[str]) -> Sequence[Any]:
        """The classes of the connectives of each text."""
        listed = self._list
        return [tuple([own.classes for own in listed.find(one)]) for one in self._parser.parse(texts)]

    def _row(
        self, hypothesis: Sequence[Classes], reference: Sequence[Classes], links: Links
    ) -> Sequence[int]:
        row = [0] * len(COLUMNS)
        left, right = Counter(hypothesis), Counter(reference)
        for (mine, own), number in matched(hypothesis, reference).items():
            first = len(_COUNTS) * CLASSES.index(next(name for name in mine if name in own))
            for place in range(len(_COUNTS)):
                row[first + place] += number
            left[mine] -= number
            right[own] -= number
        for place, rest in enumerate((left, right), 1):
            for classes, number in rest.items():
                row[len(_COUNTS) * CLASSES.index(classes[0]) + place] += number
        return row

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        sums = (
            [
                sum(own)
                for own in zip(*(statistics.listed(f"{name} {count}") for name in CLASSES), strict=True)
            ]
            for count in _COUNTS
        )
        return array("d", [_f1(*row) for row in zip(*sums, strict=True)])

    def components(self, total: DenseStatistics, level: Level = "corpus") -> dict[str, Any]:
        """Precision and recall, and of each class F1 and how many the reference has."""
        rows = {name: [int(total.only(f"{name} {count}")) for count in _COUNTS] for name in CLASSES}
        same, ours, theirs = (sum(row[place] for row in rows.values()) for place in range(3))
        found: dict[str, Any] = {
            "precision": 100 * same / ours if ours else None,
            "recall": 100 * same / theirs if theirs else None,
        }
        for name, row in rows.items():
            value = _f1(*row)
            found[name] = None if math.isnan(value) else value
            found[f"{name} reference"] = row[2]
        return found

    def verbose(self, total: DenseStatistics, level: Level = "corpus") -> str:
        parts = self.components(total, level)
        return " ".join(f"{name} = {parts[name]:.1f}" for name in CLASSES if parts[name] is not None)


def _f1(same: int, ours: int, theirs: int) -> float:
    return 200 * same / (ours + theirs) if ours + theirs else math.nan
