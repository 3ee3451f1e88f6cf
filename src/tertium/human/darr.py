"""DARR: direct assessment read as relative ranking (WMT17 metrics task, section 2.3.2).

Of two translations of the same source, one is better if its score is more than 25 points higher; closer ones make no
pair. Identical translations count as one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium._native import Lines
from tertium.errors import InputError, many
from tertium.human.judgement import Gold
from tertium.io.pairs import BetterWorse
from tertium.io.records import whole_number
from tertium.io.tables import Table, number_column
from tertium.results import Result

MARGIN = 25.0  # the scale is marked at every 25 points


@dataclass(frozen=True)
class Darr(Result):
    """Pairs of better and worse, and the counts of table 1 of the WMT17 metrics task."""

    kind = "better-worse pairs"
    pairs: BetterWorse
    sources: int  # "DA>1": sources with at least two judged translations
    translations: int  # judged translations of those sources
    all_pairs: int  # "DA pairs"
    merged: int  # translations that were the same text as another system's
    margin: float = MARGIN

    @property
    def average(self) -> float | None:
        """ "Ave": judged translations for each such source."""
        return self.translations / self.sources if self.sources else None

    def contents(self) -> Mapping[str, Any]:
        return {
            "DA>1": self.sources,
            "Ave": self.average,
            "DA pairs": self.all_pairs,
            "DARR": len(self.pairs),
            "margin": self.margin,
            "identical": self.merged,
        }

    def table(self) -> Table:
        """The row of table 1."""
        columns = (
            number_column("DA>1"),
            number_column("Ave", digits=1),
            *map(number_column, ("DA pairs", "DARR")),
        )
        row = (self.sources, self.average, self.all_pairs, len(self.pairs))
        notes = [f"a pair differs by more than {self.margin:g} points"]
        if self.merged:
            notes.append(f"{self.merged} translations are identical to another system's and count as one")
        return Table("DARR", columns, (row,), tuple(notes))


def darr_pairs(
    gold: Gold,
    *,
    margin: float = MARGIN,
    texts: Mapping[str, Lines | Sequence[str | None]] | None = None,
) -> Darr:
    """All pairs of distinct translations of one source whose raw scores differ by more than `margin`.

    With `texts` (each system's output, a line a segment) identical outputs are one translation, judged by all
    judgements of them and named after its first system. Without, every system's translation is taken for distinct.

    >>> from tertium.human.judgement import Judgements, segment_gold
    >>> judged = Judgements.of(system=["A", "B", "C"], segment=["1", "1", "1"], score=[90, 60, 65])
    >>> found = darr_pairs(segment_gold(judged, "raw"))
    >>> found.all_pairs, [(found.pairs.systems[b], found.pairs.systems[w])
    ...                   for b, w in zip(found.pairs.better, found.pairs.worse)]
    (3, [('A', 'B')])
    """
    if gold.level != "segment":
        raise InputError(
            f"{gold.name}: pairs are made from segment scores, but these are at {gold.level} level"
        )
    if not margin >= 0:
        raise InputError(f"a margin cannot be below 0: {margin}")
    scores = gold.scores
    if texts is not None:
        for system in scores.systems:
            if system not in texts:
                raise InputError(f"{scores.label}: there is no output of system {system!r}")
    chosen: list[tuple[int, str, str]] = []
    sources = translations = all_pairs = merged = 0
    for j, item in enumerate(scores.items):
        rows = np.flatnonzero(gold.counts[:, j] > 0)
        values = scores.values[rows, j]
        number = whole_number(item, "segment", scores.label)
        if texts is not None and len(rows) > 1:
            rows, values, same = _distinct(rows, values, gold.counts[rows, j], scores.systems, texts, number)
            merged += same
        if len(rows) < 2:
            continue
        sources += 1
        translations += len(rows)
        all_pairs += len(rows) * (len(rows) - 1) // 2
        judged = zip((scores.systems[row] for row in rows), values.tolist(), strict=True)
        for (a, x), (b, y) in combinations(judged, 2):
            if abs(x - y) > margin:
                chosen.append((number, a, b) if x > y else (number, b, a))
    pairs = BetterWorse.of(chosen, systems=scores.systems, origin=scores.label)
    return Darr(pairs, sources, translations, all_pairs, merged, margin)


def _distinct(
    rows: NDArray[np.int64],
    values: NDArray[np.float64],
    counts: NDArray[np.int64],
    systems: Sequence[str],
    texts: Mapping[str, Lines | Sequence[str | None]],
    number: int,
) -> tuple[NDArray[np.int64], NDArray[np.float64], int]:
    """Rows of different texts, with the mean of all judgements of each; and how many rows were merged."""
    groups: dict[str | None, list[int]] = {}
    for k, row in enumerate(rows):
        own = texts[systems[row]]
        if number > len(own):
            raise InputError(
                f"segment {number} is beyond the output of {systems[row]!r}, which has {many(len(own), 'line')}"
            )
        groups.setdefault(own[number - 1], []).append(k)
    if len(groups) == len(rows):
        return rows, values, 0
    means = [float(np.average(values[own], weights=counts[own])) for own in groups.values()]
    return rows[[own[0] for own in groups.values()]], np.array(means), len(rows) - len(groups)
