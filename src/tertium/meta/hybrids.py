"""Hybrid super-sampling: thousands of mixed systems scored by people and by every metric (Graham and Liu 2016).

A hybrid's row is the sum of its segments' rows, so its true corpus score costs a few additions of rows that exist
already. The mean of its segment scores, which WMT17 took for chrF and others, is the same with another row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tertium.errors import InputError, SpecError, did_you_mean
from tertium.families.base import Metric
from tertium.io.hybrids import read_hybrids, write_hybrids
from tertium.io.streams import FilePath
from tertium.io.tables import Column, Table, Value, number_column
from tertium.measured import Measured
from tertium.meta.mixed_documents import MixedDocuments, mixes_documents
from tertium.progress import steps
from tertium.results import Result, metric_labels
from tertium.statistics import DenseStatistics, weighted_scores
from tertium.stats.correlation import Correlation, pearson
from tertium.stats.hybrids import FEWEST_SYSTEMS, HYBRIDS, Hybrids, draw_hybrids
from tertium.stats.resampling import SEED
from tertium.stats.williams import WilliamsTests, williams_tests
from tertium.stats.wins import not_outperformed, significant_wins
from tertium.text.units import numbered

AGGREGATIONS = ("corpus", "segments")
_FROM = {
    "segments": "human scores of hybrids are means over their judged segments",
    "shares": "human scores of hybrids are those of the two systems, mixed by share: none are known for segments",
}
Vector = NDArray[np.float64]
Scorer = Callable[[int, int, NDArray[np.uint8]], Vector]


@dataclass(frozen=True, eq=False)
class HybridMetric:
    """One metric on all hybrids. `aggregation` is "corpus" for true corpus scores, "segments" for means of segments."""

    label: str
    aggregation: str
    higher_is_better: bool
    scores: Vector  # NaN where undefined
    undefined: int = 0  # segments of the systems without a score, which are left out of means
    mixed: bool = False  # its documents were put together from two systems, and scored anew


@dataclass(frozen=True, eq=False)
class HybridScores(Result):
    """People and metrics on the same hybrids."""

    kind = "hybrid scores"
    systems: tuple[str, ...]
    hybrids: Hybrids
    human: Vector  # NaN where none of a hybrid's segments was judged
    human_from: str  # "segments" or "shares"
    metrics: tuple[HybridMetric, ...]
    alpha: float = 0.05

    @property
    def used(self) -> NDArray[np.bool_]:
        """Hybrids that people and all metrics have a score for."""
        columns = np.stack([self.human, *(own.scores for own in self.metrics)])
        return np.asarray(np.isfinite(columns).all(axis=0))

    def correlations(self) -> tuple[Correlation, ...]:
        """Pearson's r of each metric with people, over the hybrids that all have a score for."""
        used = self.used
        return tuple(pearson(self.human[used], own.scores[used]) for own in self.metrics)

    def williams(self) -> WilliamsTests:
        """Williams' test of |r| for each pair of metrics."""
        used = self.used
        return williams_tests(self.human[used], np.stack([own.scores[used] for own in self.metrics]))

    def notes(self) -> tuple[str, ...]:
        """What was used, in sentences."""
        seed = "" if self.hybrids.seed is None else f", seed {self.hybrids.seed}"
        found = [
            f"{len(self.hybrids):,} hybrids of {len(self.systems)} systems, {self.hybrids.n_segments:,} segments{seed}",
            _FROM[self.human_from],
        ]
        if missing := int((~self.used).sum()):
            found.append(f"{missing} hybrids without a human or metric score are left out")
        if mixed := [own.label for own in self.metrics if own.mixed]:
            found.append(f"documents put together from two systems, and scored as such: {', '.join(mixed)}")
        for own in self.metrics:
            if own.aggregation == "segments":
                without = f", {own.undefined} segments without a score left out" if own.undefined else ""
                found.append(f"{own.label}: mean of segment scores{without}")
        return tuple(found)

    def contents(self) -> Mapping[str, Any]:
        wins = significant_wins(self.williams().p, self.alpha)
        return {
            "systems": self.systems,
            "hybrids": len(self.hybrids),
            "segments": self.hybrids.n_segments,
            "seed": self.hybrids.seed,
            "human_from": self.human_from,
            "metrics": {
                own.label: found.data() | {"aggregation": own.aggregation, "not_outperformed": bool(best)}
                for own, found, best in zip(
                    self.metrics, self.correlations(), not_outperformed(wins), strict=True
                )
            },
            "notes": self.notes(),
        }

    def table(self) -> Table:
        """|r| of each metric with four decimals; those that no other beats significantly are marked."""
        leading = not_outperformed(significant_wins(self.williams().p, self.alpha))
        rows: list[tuple[Value, ...]] = []
        notes = list(self.notes())
        for own, found in zip(self.metrics, self.correlations(), strict=True):
            rows.append((own.label, own.aggregation, None if found.value is None else abs(found.value)))
            if found.reason:
                notes.append(f"{own.label} is undefined, because {found.reason}")
        best = frozenset((i, 2) for i, leads in enumerate(leading) if leads and rows[i][2] is not None)
        columns = (Column("metric"), Column("score of", "aggregation"), number_column("|r|", "r", 4))
        title = "Correlation with people over hybrid systems"
        star = "not significantly outperformed by any other metric (Williams' test)"
        return Table(title, columns, tuple(rows), tuple(notes), best, star=star)


def score_hybrids(
    measured: Measured,
    human: Mapping[str, float | ArrayLike],
    *,
    aggregation: str | Mapping[str, str] = "corpus",
    outside: Mapping[str, Mapping[str, ArrayLike]] | None = None,
    outside_errors: Sequence[str] = (),
    hybrids: int | Hybrids = HYBRIDS,
    seed: int = SEED,
    threads: int | None = None,
) -> HybridScores:
    """Draw hybrids of the systems that people scored, and score them by people and by every metric.

    `human` has for each system a score, or a score for each segment (NaN where people did not judge). `aggregation`
    is "corpus", "segments", or one of them by metric spec. `outside` has segment scores of metrics that are not ours,
    by metric and system; those in `outside_errors` are error metrics. `hybrids` is how many to draw, or hybrids that
    are known already (`load_hybrids`). Where they mix documents, metrics of whole documents score their texts.

    >>> from tertium import TestSet, measure
    >>> measured = measure(TestSet.sample(), ["bleu", "ter"])
    >>> found = score_hybrids(measured, {"literal": 60.0, "smooth": 55.0, "strong": 80.0}, hybrids=500)
    >>> found.human_from, [round(r.value, 1) for r in found.correlations()]
    ('shares', [1.0, -0.9])
    """
    names, people = _human_scores(measured, human)
    drawn = _checked_hybrids(hybrids, names, len(measured), seed)
    ways = _aggregations(measured, aggregation)
    jobs = threads if threads is not None else measured.threads
    columns: list[tuple[Vector, Scorer]] = []
    if people.ndim == 2:
        columns.append(_mean_column(people, len(drawn)))
    found: list[HybridMetric] = []

    def add_means(label: str, segments: Vector, *, higher_is_better: bool) -> None:
        columns.append(_mean_column(segments, len(drawn)))
        undefined = int(np.isnan(segments).sum())
        found.append(HybridMetric(label, "segments", higher_is_better, columns[-1][0], undefined))

    labels = metric_labels(measured.metrics)
    texts = _texts_of_documents(measured, names, drawn, jobs)
    for metric, label, way in zip(measured.metrics, labels, ways, strict=True):
        if texts is not None and metric.scope == "document":
            columns.append((np.empty(len(drawn)), partial(texts.scores, metric, way)))
            found.append(HybridMetric(label, way, metric.higher_is_better, columns[-1][0], mixed=True))
        elif way == "segments":
            segments = np.stack([measured.segment_scores(name, metric) for name in names])
            add_means(label, segments, higher_is_better=metric.higher_is_better)
        else:
            columns.append(_corpus_column(measured, metric, names, len(drawn), jobs))
            found.append(HybridMetric(label, way, metric.higher_is_better, columns[-1][0]))
    for label, by_system in (outside or {}).items():
        segments = _outside_scores(label, by_system, names, len(measured))
        add_means(label, segments, higher_is_better=label not in outside_errors)
    pairs = list(drawn.by_pair())
    for first, second, places in steps(
        pairs, lambda pair: f"hybrids of {names[pair[0]]} and {names[pair[1]]}"
    ):
        masks = np.ascontiguousarray(drawn.masks[places])
        for scores, score in columns:
            scores[places] = score(first, second, masks)
    if people.ndim == 2:
        return HybridScores(names, drawn, columns[0][0], "segments", tuple(found))
    return HybridScores(names, drawn, drawn.mixed_by_share(people), "shares", tuple(found))


def save_hybrids(path: FilePath, systems: Sequence[str], hybrids: Hybrids) -> None:
    """Write a description of hybrids (`tertium.io.hybrids` says what it looks like); `.gz` is packed."""
    write_hybrids(path, systems, hybrids.first, hybrids.second, hybrids.masks, hybrids.n_segments)


def load_hybrids(path: FilePath, systems: Sequence[str], n_segments: int) -> Hybrids:
    """Read a description of hybrids of these systems.

    >>> import tempfile, pathlib
    >>> drawn = draw_hybrids(3, 20, 5)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "hybrids.tsv.gz")
    ...     save_hybrids(path, ["A", "B", "C"], drawn)
    ...     again = load_hybrids(path, ["A", "B", "C"], 20)
    >>> bool((again.masks == drawn.masks).all())
    True
    """
    return Hybrids(*read_hybrids(path, systems, n_segments), len(systems), n_segments)


def _human_scores(
    measured: Measured, human: Mapping[str, float | ArrayLike]
) -> tuple[tuple[str, ...], Vector]:
    """The systems that people scored, and their scores: one for each, or systems x segments."""
    for name in human:
        if name not in measured.systems:
            hint = did_you_mean(name, measured.systems)
            raise InputError(f"people scored a system {name!r} that does not exist{hint}")
    names = tuple(name for name in measured.systems if name in human)
    if len(names) < FEWEST_SYSTEMS:
        raise InputError(f"hybrids need {FEWEST_SYSTEMS} or more systems with human scores, not {len(names)}")
    given = [np.asarray(human[name], dtype=np.float64) for name in names]
    if len({own.shape for own in given}) > 1 or given[0].ndim > 1:
        raise InputError("give one human score for each system, or one for each segment of every system")
    people = np.stack(given)
    if people.ndim == 2 and people.shape[1] != len(measured):
        raise InputError(f"each system has {people.shape[1]} human scores for {len(measured)} segments")
    if np.isinf(people).any() or (people.ndim == 1 and np.isnan(people).any()):
        raise InputError("a human score is not a finite number")
    return names, people


def _checked_hybrids(hybrids: int | Hybrids, names: Sequence[str], n_segments: int, seed: int) -> Hybrids:
    if isinstance(hybrids, int):
        return draw_hybrids(len(names), n_segments, hybrids, seed=seed)
    if (hybrids.n_systems, hybrids.n_segments) != (len(names), n_segments):
        raise InputError(
            f"the hybrids are of {hybrids.n_systems} systems and {hybrids.n_segments} segments, people scored "
            f"{len(names)} systems and the test set has {n_segments} segments"
        )
    return hybrids


def _aggregations(measured: Measured, aggregation: str | Mapping[str, str]) -> list[str]:
    """How each metric makes a system's score."""
    if isinstance(aggregation, str):
        ways = [aggregation] * len(measured.metrics)
    else:
        chosen = {measured.metric(spec): way for spec, way in aggregation.items()}
        ways = [chosen.get(metric, "corpus") for metric in measured.metrics]
    for way in ways:
        if way not in AGGREGATIONS:
            raise SpecError(f"unknown aggregation {way!r}{did_you_mean(way, AGGREGATIONS)}")
    return ways


def _texts_of_documents(
    measured: Measured, names: Sequence[str], drawn: Hybrids, threads: int
) -> MixedDocuments | None:
    """What scores mixed documents; None where no metric looks at documents, or each comes from one system."""
    own = [metric for metric in measured.metrics if metric.scope == "document"]
    if not own or measured.texts is None or measured.testset.documents is None:
        return None
    if not mixes_documents(drawn, numbered(measured.testset.documents)):
        return None
    return MixedDocuments(measured, own, names, threads)


def _corpus_column(
    measured: Measured, metric: Metric, names: Sequence[str], n: int, threads: int
) -> tuple[Vector, Scorer]:
    rows = [measured.rows[name, metric] for name in names]

    def score(first: int, second: int, masks: NDArray[np.uint8]) -> Vector:
        return metric.score_mixed(rows[first], rows[second], masks, threads=threads)

    return np.empty(n), score


def _mean_column(scores: Vector, n: int) -> tuple[Vector, Scorer]:
    """Means of what is defined (systems x segments), summed exactly."""
    defined = np.isfinite(scores)
    filled = np.where(defined, scores, 0.0)
    rows: list[DenseStatistics] = [
        weighted_scores(own, known.astype(np.float64)) for own, known in zip(filled, defined, strict=True)
    ]

    def score(first: int, second: int, masks: NDArray[np.uint8]) -> Vector:
        sums, _ = rows[first].swapped(rows[second], masks)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(sums["weighted"] / sums["weight"])

    return np.empty(n), score


def _outside_scores(
    label: str, by_system: Mapping[str, ArrayLike], names: Sequence[str], n_segments: int
) -> Vector:
    missing = [name for name in names if name not in by_system]
    if missing:
        raise InputError(f"{label} has no scores of {', '.join(missing)}")
    given = [np.asarray(by_system[name], dtype=np.float64) for name in names]
    for name, own in zip(names, given, strict=True):
        if own.shape != (n_segments,):
            raise InputError(f"{label} has {own.size} scores of {name} for {n_segments} segments")
        if np.isinf(own).any():
            segment = np.flatnonzero(np.isinf(own))[0] + 1
            raise InputError(f"{label}: the score of {name}, segment {segment} is infinite")
    return np.stack(given)
