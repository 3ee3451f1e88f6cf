"""Gold: what people say of systems, as scores to compare with a metric's; and our metrics' scores in the same shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tertium.errors import InputError
from tertium.io.coverage import Coverage
from tertium.io.judgementtable import Judgements
from tertium.io.namecolumn import in_natural_order
from tertium.io.scorematrix import WHOLE, Level, ScoreMatrix
from tertium.io.tables import Column, Table, number_column
from tertium.results import Result, metric_labels

if TYPE_CHECKING:
    from tertium.scores import Scores

__all__ = ["Gold", "Judgements", "score_matrices", "segment_gold"]
_LEVEL_OF: dict[str, Level] = {"corpus": "system", "document": "document", "segment": "segment"}


@dataclass(frozen=True, eq=False, repr=False)
class Gold(Result):
    """Human scores by system and segment (or by system), and how many judgements stand behind each. Higher is better.

    >>> judged = Judgements.of(system=["A", "A", "B"], segment=["1", "1", "1"], score=[60, 80, 50])
    >>> gold = segment_gold(judged, "DA")
    >>> gold.scores.row("A").tolist(), gold.counts[0].tolist(), gold.by_system().scores.system("A")
    ([70.0], [2], 70.0)
    """

    kind = "gold"
    scores: ScoreMatrix
    counts: NDArray[np.int64]  # judgements behind each score; 0 where there is none
    coverage: Coverage = field(default_factory=lambda: Coverage("gold", "judgements", 0))

    def __post_init__(self) -> None:
        if self.counts.shape != self.scores.values.shape:
            raise InputError(f"{self.name}: counts of judgements and scores have different shapes")

    @property
    def name(self) -> str:
        return self.scores.name

    @property
    def level(self) -> Level:
        return self.scores.level

    @property
    def judgements(self) -> int:
        """All judgements behind these scores."""
        return int(self.counts.sum())

    def with_minimum(self, minimum: int) -> Gold:
        """Only scores with at least this many judgements (15 make a segment's score repeatable: Graham et al. 2015).

        >>> judged = Judgements.of(system=["A", "A", "B"], segment=["1", "1", "1"], score=[60, 80, 50])
        >>> segment_gold(judged, "DA").with_minimum(2).scores.cells()
        {('A', '1'): 70.0}
        """
        keep = self.counts >= minimum
        dropped = int((self.scores.defined & ~keep).sum())
        notes = self.coverage.notes
        if dropped:
            notes += (f"{dropped} scores have fewer than {minimum} judgements and are left out",)
        return Gold(
            self.scores.masked(keep),
            np.where(keep, self.counts, 0),
            replace(self.coverage, notes=notes),
        )

    def selected(self, systems: Sequence[str] | None = None, items: Sequence[str] | None = None) -> Gold:
        """Some systems and items, in this order.

        >>> judged = Judgements.of(system=["A", "A", "B"], segment=["1", "1", "1"], score=[60, 80, 50])
        >>> segment_gold(judged, "DA").selected(["B"]).counts.tolist()
        [[1]]
        """
        rows = self.scores.systems if systems is None else systems
        columns = self.scores.items if items is None else items
        place = {name: i for i, name in enumerate(self.scores.systems)}
        column = {name: i for i, name in enumerate(self.scores.items)}
        index = np.ix_([place[name] for name in rows], [column[name] for name in columns])
        return replace(self, scores=self.scores.selected(rows, columns), counts=self.counts[index])

    def by_system(self) -> Gold:
        """A score for each system: the mean over its segments, however often each was judged."""
        if self.level == "system":
            return self
        scores = self.scores.system_means()
        return Gold(scores, self.counts.sum(axis=1, keepdims=True), self.coverage)

    def contents(self) -> Mapping[str, Any]:
        return {
            **self.scores.data(),
            "judgements": {system: self.counts[i].tolist() for i, system in enumerate(self.scores.systems)},
            "coverage": self.coverage,
        }

    def table(self) -> Table:
        """A row for each system, the best first."""
        columns = (
            Column("system"),
            number_column(self.name, "score", 3),
            *(() if self.level == "system" else (number_column(f"{self.level}s", "segments"),)),
            number_column("judgements"),
        )
        scored = self.scores.defined.sum(axis=1)
        rows = [
            (
                system,
                self.scores.system(system),
                *(() if self.level == "system" else (int(scored[i]),)),
                int(self.counts[i].sum()),
            )
            for i, system in enumerate(self.scores.systems)
        ]
        rows.sort(key=lambda row: (row[1] is None, -float(row[1] or 0.0)))
        return Table(f"{self.name}, {self.level} level", columns, tuple(rows), (str(self.coverage),))

    def __repr__(self) -> str:
        n = int(self.scores.defined.sum())
        return f"<Gold {self.name!r} at {self.level} level: {n} scores from {self.judgements} judgements>"


def segment_gold(
    judgements: Judgements,
    name: str,
    *,
    values: NDArray[np.float64] | None = None,
    coverage: Coverage | None = None,
) -> Gold:
    """The mean of all judgements of each translation (MQM, ESA, raw direct assessment), or of `values` beside them,
    where NaN is no value.

    >>> judged = Judgements.of(system=["A", "B"], segment=["10", "2"], score=[1, 0])
    >>> segment_gold(judged, "MQM").scores.items
    ('2', '10')
    """
    if not len(judgements):
        raise InputError(f"{judgements.origin}: there are no judgements to make {name} from")
    scores = judgements.score if values is None else values
    items = in_natural_order(judgements.segment.names)
    place = {item: i for i, item in enumerate(items)}
    column = np.array([place[item] for item in judgements.segment.names], dtype=np.int64)
    systems = judgements.system.names
    cell = judgements.system.codes.astype(np.int64) * len(items) + column[judgements.segment.codes]
    size = len(systems) * len(items)
    known = ~np.isnan(scores)
    counts = np.bincount(cell[known], minlength=size)
    sums = np.bincount(cell[known], weights=scores[known], minlength=size)
    means = np.full(size, np.nan)
    np.divide(sums, counts, out=means, where=counts > 0)
    shape = (len(systems), len(items))
    matrix = ScoreMatrix(name, "segment", systems, tuple(items), means.reshape(shape), judgements.origin)
    used = coverage or Coverage(judgements.origin, "judgements", len(judgements))
    return Gold(matrix, counts.reshape(shape).astype(np.int64), used)


def score_matrices(scores: Scores) -> list[ScoreMatrix]:
    """A matrix for each metric of a run of `tertium.score`: corpus scores are at system level.

    >>> import tertium as tt
    >>> scores = tt.TestSet.sample().score("chrf", level="segment")
    >>> score_matrices(scores)
    [<ScoreMatrix 'chrF2' at segment level: 3 systems, 69 segments, 207 scores>]
    """
    level = _LEVEL_OF[scores.level]
    matrices = []
    for metric, label in zip(scores.metrics, metric_labels(scores.metrics), strict=True):
        own = [score for score in scores if score.metric == metric]
        items = (WHOLE,) if level == "system" else tuple(map(str, own[0].ids))
        for score in own:
            if level != "system" and tuple(map(str, score.ids)) != items:
                raise InputError(
                    f"{label}: the systems {own[0].system!r} and {score.system!r} have different {level}s"
                )
        values = np.array(
            [[np.nan if value is None else value for value in score.values] for score in own],
            dtype=np.float64,
        )
        systems = tuple(score.system for score in own)
        matrices.append(ScoreMatrix(label, level, systems, items, values.reshape(len(own), len(items))))
    return matrices
