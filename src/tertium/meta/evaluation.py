"""A whole task, run: every language pair at every level, and the tables that WMT prints of it."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium.errors import InputError, TertiumError, TertiumWarning
from tertium.io.escaping import html
from tertium.io.scorematrix import ScoreMatrix
from tertium.meta.against_people import judge_pairs, judge_segments, judge_systems
from tertium.meta.by_document import judge_documents
from tertium.meta.correlations import LEVEL_NAMES, CorrelationCell, Correlations, everywhere
from tertium.meta.macrotables import SYMBOLS, judged_grid
from tertium.meta.materials import PairData, pair_data, pairs_of
from tertium.meta.paired_tests import compare_hybrids
from tertium.meta.pooled import PooledCorrelations, pooled
from tertium.meta.scored_metrics import ScoredMetric, measure_metrics
from tertium.meta.tables import wmt_tables
from tertium.meta.task import Task
from tertium.progress import steps
from tertium.results import Result
from tertium.stats.outliers import find_outliers

if TYPE_CHECKING:
    from tertium.io.tables import Table
    from tertium.measured import Measured
    from tertium.stats.hybrids import Hybrids

Progress = Callable[[str], None]


@dataclass(frozen=True, eq=False)
class Evaluation(Result):
    """What came out of a task. Prints itself; `.data()` is everything as plain JSON types."""

    kind = "evaluation"
    task: Task
    judged: tuple[Correlations, ...]
    seconds: Mapping[str, Mapping[str, float]]  # by metric and pair: what scoring took
    signatures: Mapping[str, Mapping[str, str]]  # by metric and pair
    scores: Mapping[str, tuple[ScoredMetric, ...]]  # by pair
    notes: tuple[str, ...] = ()
    translations: Mapping[str, int] = field(default_factory=dict)  # by pair: how many were scored

    @property
    def levels(self) -> list[str]:
        return list(dict.fromkeys(own.level for own in self.judged))

    def of(self, level: str, pair: str | None = None) -> list[Correlations]:
        """The results at a level, of one pair or of all."""
        return [own for own in self.judged if own.level == level and pair in (None, own.pair)]

    def pooled(self, level: str) -> PooledCorrelations | None:
        """Metrics compared over all language pairs of a level; None with one pair, or without a paired test."""
        return pooled(self.of(level), alpha=self.task.alpha, seed=self.task.seed)

    def tables(self) -> Iterator[Table]:
        """The tables of all levels and language pairs, in the shape of WMT's."""
        yield from wmt_tables(self.judged, self.task.name, str(self.task.human.get("kind", "")))

    def level_tables(self, level: str) -> Iterator[Table]:
        """Those of one level, without the task's name."""
        return wmt_tables(self.of(level), kind=str(self.task.human.get("kind", "")))

    def summary_tables(self) -> Iterator[Table]:
        """Summaries over the language pairs of each level, as Gowda et al. (2021) have them, and pooled tests."""
        yield from filter(None, map(self.summary_table, self.levels))
        yield from (found.table() for found in map(self.pooled, self.levels) if found)

    def summary_table(self, level: str) -> Table | None:
        """The table of one level; None if the statistic is not a correlation."""
        judged = self.of(level)
        if judged[0].statistic not in SYMBOLS:
            return None
        return judged_grid(judged, alpha=self.task.alpha).table_with_summary()

    def costs(self, level: str) -> dict[str, dict[str, tuple[float, float]]]:
        """By metric and pair, microseconds per translation and the correlation they buy; our own metrics only."""
        found: dict[str, dict[str, tuple[float, float]]] = {}
        for name, times in self.seconds.items():
            for own in self.of(level):
                value = own.shown(own[name]) if name in own.names else None
                if value is not None and own.pair in times and self.translations.get(own.pair):
                    cost = 1e6 * times[own.pair] / self.translations[own.pair]
                    found.setdefault(name, {})[own.pair] = cost, value
        return found

    def used(self) -> list[str]:
        """What was used and what was left out, a line each."""
        covered = (f"{own.pair}, {own.level}s: {found}" for own in self.judged for found in own.coverages)
        return [*covered, *self.notes]

    def words(self) -> Iterator[str]:
        """The first sentence is the one to remember."""
        for level in self.levels:
            yield from _level_words(LEVEL_NAMES[level], self.of(level))
        costs = self.costs("system")
        means = {name: sum(cost for cost, _ in own.values()) / len(own) for name, own in costs.items()}
        ordered = sorted(means, key=means.__getitem__)
        if len(set(means.values())) > 1:
            fast, slow = ordered[0], ordered[-1]
            yield (
                f"{fast} is the fastest metric with {means[fast]:.1f} microseconds per translation, "
                f"{slow} the slowest with {means[slow]:,.1f}."
            )
        yield from self._cautions()

    def _cautions(self) -> Iterator[str]:
        if few := [own.pair for own in self.of("system") if own.n == 2]:
            yield f"{_listed(few)}: two systems only, where every correlation is 1 or -1 by construction."
        cells = [(own, cell) for own in self.judged for cell in own.cells]
        backwards = [
            f"{cell.name} on {own.pair} ({LEVEL_NAMES[own.level].lower()})"
            for own, cell in cells
            if cell.value is not None and cell.value < 0
        ]
        if backwards:
            yield f"Ranks systems backwards, although tables show absolute values: {_listed(backwards)}."
        if undefined := [f"{cell.name} on {own.pair}" for own, cell in cells if cell.reason]:
            yield f"Undefined: {_listed(list(dict.fromkeys(undefined)))}; the notes below the tables say why."

    def html(self) -> str:
        return super().html() + "".join(f"<p>{html(line)}</p>" for line in ("What was used:", *self.used()))

    def text(self, *, terminal: bool | None = None, width: int | None = None) -> str:
        """Tables, sentences, and what was used."""
        used = "\n".join(["What was used:", *(f"  {line}" for line in self.used())])
        return f"{super().text(terminal=terminal, width=width)}\n\n{used}"

    def records(self) -> list[dict[str, Any]]:
        """A row for each level, language pair and metric."""
        return [
            {"level": own.level, "pair": own.pair, "statistic": own.statistic, "n": own.n, **record}
            for own in self.judged
            for record in own.records()
        ]

    def contents(self) -> Mapping[str, Any]:
        shown = ("name", "seed", "levels", "statistic", "segment_statistic", "significance", "alpha")
        return {
            **{key: getattr(self.task, key) for key in shown},
            "results": self.judged,
            "pooled": [over_pairs for over_pairs in map(self.pooled, self.levels) if over_pairs],
            "seconds": self.seconds,
            "signatures": self.signatures,
            "translations": self.translations,
            "notes": self.notes,
        }


def _level_words(where: str, judged: Sequence[Correlations]) -> Iterator[str]:
    """Who agrees best with people at a level, and how surely."""
    values = everywhere(judged)
    pairs = f"{len(judged)} language pairs" if len(judged) > 1 else judged[0].pair
    if not values:
        yield f"{where}: no metric has a correlation on all of {pairs}."
        return
    means = {name: sum(own.values()) / len(own) for name, own in values.items()}
    best, *others = ranked = sorted(means, key=lambda name: (-means[name], name))
    mean = "mean " if len(judged) > 1 else ""
    found = f"with people on {pairs} ({mean}{judged[0].symbol} {means[best]:.3f})"
    if not others:
        yield f"{where}: {best} agrees {found}."
        return
    yield f"{where}: {best} agrees best {found}, {others[-1]} least ({means[others[-1]]:.3f})."
    tested = [own for own in judged if own.wins is not None]
    if len(tested) == len(judged) == 1:
        level = [name for name in others if name in tested[0].leading]
        yield (
            f"{where}: {best} is not significantly better than {_listed(level)}."
            if level
            else f"{where}: every other metric is significantly outperformed."
        )
    if len(tested) > 1:
        count = {name: sum(name in own.leading for own in tested) for name in values}
        most = max(count.values())
        names = [name for name in ranked if count[name] == most]
        yield (
            f"{where}: {_listed(names)} {'is' if len(names) == 1 else 'are'} not significantly outperformed on {most} "
            f"of {len(tested)} pairs, more often than any other metric."
        )


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def evaluate(task: Task, *, threads: int = 1) -> Evaluation:
    """Run a task."""
    judged: list[Correlations] = []
    seconds: dict[str, dict[str, float]] = {}
    signatures: dict[str, dict[str, str]] = {}
    scores: dict[str, tuple[ScoredMetric, ...]] = {}
    translations: dict[str, int] = {}
    notes: list[str] = []
    pairs = pairs_of(task)
    _check_specs(task, pairs)
    for pair in steps(pairs, str):
        data = pair_data(task, pair)
        notes += map(str, data.coverages)
        metrics, measured = _metrics(task, data, threads)
        if not metrics:
            raise InputError(f"{task.origin}: {pair} has no metric with scores")
        for metric in metrics:
            if metric.seconds is not None:
                seconds.setdefault(metric.name, {})[pair] = metric.seconds
                signatures.setdefault(metric.name, {})[pair] = metric.signature
        scores[pair] = metrics
        if data.testset is not None:
            translations[pair] = len(data.testset) * len(data.testset.systems)
        judged += _judge(task, data, metrics, notes)
        if "hybrids" in task.levels:
            judged += _hybrids(task, data, metrics, measured, notes, threads)
    if not judged:
        raise InputError(f"{task.origin}: nothing could be judged at the levels {', '.join(task.levels)}")
    told = tuple(dict.fromkeys(notes))
    return Evaluation(task, tuple(judged), seconds, signatures, scores, told, translations)


def _check_specs(task: Task, pairs: Sequence[str]) -> None:
    """Every metric of every language pair, before any is scored: hours of work must not end in a misspelt name."""
    for entry in task.entries:
        for pair in pairs:
            try:
                entry.metric(pair).signature()
            except TertiumError as error:
                raise type(error)(f"{task.origin}: metric {entry.name} on {pair}: {error}") from None


def _metrics(task: Task, data: PairData, threads: int) -> tuple[tuple[ScoredMetric, ...], Measured | None]:
    own: tuple[ScoredMetric, ...] = ()
    measured: Measured | None = None
    if task.entries:
        if data.testset is None:
            raise InputError(
                f"{task.origin}: our metrics need texts: name a layout, or references and systems"
            )
        with warnings.catch_warnings():  # tokenised or empty texts: these outputs are not the user's own
            warnings.simplefilter("ignore", TertiumWarning)
            own, measured = measure_metrics(data.testset, task.entries, data.pair, threads=threads)
    names = [metric.name for metric in own]
    for metric in data.outside:
        if metric.name in names:
            raise InputError(f"{task.origin}: there are two metrics {metric.name!r} on {data.pair}")
        names.append(metric.name)
    return (*own, *data.outside), measured


def _judge(
    task: Task, data: PairData, metrics: Sequence[ScoredMetric], notes: list[str]
) -> Iterator[Correlations]:
    common: dict[str, Any] = {"significance": task.significance, "alpha": task.alpha, "missing": task.missing}
    if "system" in task.levels and "system" in data.human:
        human = data.human["system"]
        if task.outliers:
            human = _without_outliers(human, data.pair, notes)
        yield judge_systems(
            human,
            metrics,
            data.pair,
            statistic=task.statistic,
            human_segments=data.human.get("segment"),
            resamples=task.resamples,
            seed=task.seed,
            **{**common, "missing": "leave out" if task.outliers else task.missing},
        )
    if "segment" in task.levels and "segment" in data.human:
        yield judge_segments(
            data.human["segment"],
            metrics,
            data.pair,
            statistic=task.segment_statistic,
            averaging=task.averaging,
            resamples=task.resamples,
            seed=task.seed,
            **common,
        )
    if "document" in task.levels:
        yield _judge_documents(task, data, metrics)
    if "pairs" in task.levels and data.better_worse is not None:
        yield judge_pairs(
            data.better_worse,
            metrics,
            data.pair,
            matrix=task.ties,
            **_testing(task),
        )


def _testing(task: Task) -> dict[str, Any]:
    """How metrics are compared."""
    names = ("significance", "alpha", "resamples", "seed")
    return {name: getattr(task, name) for name in names}


def _judge_documents(task: Task, data: PairData, metrics: Sequence[ScoredMetric]) -> Correlations:
    documents = None if data.testset is None else data.testset.documents
    if documents is None or "segment" not in data.human:
        raise InputError(
            f"{task.origin}: {data.pair}: document level needs texts with document ids and human scores of segments"
        )
    return judge_documents(
        data.human["segment"].document_means(documents),
        [metric.by_document(documents) for metric in metrics],
        data.pair,
        statistic=task.segment_statistic,
        averaging=task.averaging,
        significance=task.significance,
        alpha=task.alpha,
        missing=task.missing,
        resamples=task.resamples,
        seed=task.seed,
    )


def _without_outliers(human: ScoreMatrix, pair: str, notes: list[str]) -> ScoreMatrix:
    found = find_outliers(human.values[:, 0])
    gone = [name for name, kept in zip(human.systems, found.kept, strict=True) if not kept]
    if gone:
        notes.append(f"{pair}: outliers by people's scores are left out: {', '.join(gone)}")
    return human.selected([name for name in human.systems if name not in gone])


def _drawn(task: Task, data: PairData, systems: Sequence[str], segments: int) -> Hybrids:
    """The hybrids of a pair: as their description says, where there is one; else drawn, and described."""
    from tertium.meta.hybrids import load_hybrids, save_hybrids
    from tertium.stats.hybrids import draw_hybrids
    from tertium.text.units import numbered

    path = None if task.hybrid_files is None else task.hybrid_files / f"{data.pair}.hybrids.tsv.gz"
    if path is not None and path.is_file():
        return load_hybrids(path, systems, segments)
    documents = None
    if task.hybrid_units == "documents":
        if data.testset is None or data.testset.documents is None:
            raise InputError(f"{task.origin}: {data.pair}: hybrid_units = 'documents' needs document ids")
        documents = numbered(data.testset.documents)
    drawn = draw_hybrids(len(systems), segments, task.hybrids, seed=task.seed, documents=documents)
    if path is None:
        return drawn
    path.parent.mkdir(parents=True, exist_ok=True)
    save_hybrids(path, systems, drawn)
    return drawn


def _hybrids(
    task: Task,
    data: PairData,
    metrics: Sequence[ScoredMetric],
    measured: Measured | None,
    notes: list[str],
    threads: int,
) -> Iterator[Correlations]:
    from dataclasses import replace

    from tertium.meta.hybrids import score_hybrids
    from tertium.stats.hybrids import FEWEST_SYSTEMS

    level = "segment" if task.hybrid_human == "segments" else "system"
    human = data.human.get(level)
    if human is None:
        notes.append(f"{data.pair}: no hybrids, because there are no human scores of {level}s")
        return
    if measured is None:
        notes.append(f"{data.pair}: no hybrids, because they need texts")
        return
    if (scored := len(human.systems)) < FEWEST_SYSTEMS:
        notes.append(
            f"{data.pair}: no hybrids, because people scored {scored} systems: it takes {FEWEST_SYSTEMS}"
        )
        return
    value_of = human.row if level == "segment" else human.system
    people: dict[str, Any] = {name: value_of(name) for name in human.systems}
    drawn = _drawn(task, data, human.systems, len(measured))
    outside = {
        metric.name: {name: metric.segments.row(name) for name in human.systems}
        for metric in metrics
        if metric.metric is None and metric.segments is not None
    }
    chosen = [metric for metric in metrics if metric.metric is not None and metric.systems is not None]
    columns: list[Any] = []
    found = None
    for way in dict.fromkeys(metric.aggregation for metric in chosen):
        own = [metric for metric in chosen if metric.aggregation == way]
        part = replace(measured, metrics=tuple(dict.fromkeys(m.metric for m in own if m.metric is not None)))
        found = score_hybrids(part, people, aggregation=way, outside=outside, hybrids=drawn, threads=threads)
        by_metric = dict(zip([*part.metrics, *outside], found.metrics, strict=True))
        own += [metric for metric in metrics if metric.name in outside]
        columns += [(m, by_metric[m.name if m.metric is None else m.metric].scores) for m in own]
        outside = {}
    if found is None:
        return
    order = {metric.name: i for i, metric in enumerate(metrics)}
    columns.sort(key=lambda column: order[column[0].name])
    table = np.stack([metric.sign * scores for metric, scores in columns])
    used = np.isfinite(table).all(axis=0) & np.isfinite(found.human)
    tests = compare_hybrids(found.human, table, drawn, used, **_testing(task))
    from tertium.stats.correlation import pearson

    cells = []
    for (metric, _), row in zip(columns, table, strict=True):
        r = pearson(found.human[used], row[used])
        cells.append(CorrelationCell(metric.name, r.value, r.p, r.reason, ensemble=metric.ensemble))
    yield Correlations(
        data.pair,
        "hybrids",
        "pearson",
        int(used.sum()),
        tuple(cells),
        tests.wins,
        tests.words,
        (*(note for note in found.notes() if "mean of segment" not in note), *tests.notes),
        p_values=tests.p_values,
        resampled=tests.resampled,
    )
