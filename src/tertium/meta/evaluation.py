"""A whole task, run: every language pair at every level, and the tables that WMT prints of it."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from tertium.errors import InputError, TertiumError, TertiumWarning, TextError
from tertium.io.escaping import html
from tertium.io.scorematrix import ScoreMatrix
from tertium.io.tables import sentences
from tertium.io.wmtlayout import ELSEWHERE
from tertium.meta.against_pairs import TIE_NOTES, judge_pairs, judge_pooled_pairs
from tertium.meta.against_people import judge_segments, judge_systems
from tertium.meta.by_document import judge_documents
from tertium.meta.correlations import Correlations
from tertium.meta.judged_hybrids import judge_hybrids
from tertium.meta.macrotables import SYMBOLS, judged_grid
from tertium.meta.materials import PairData, pair_data, pairs_of, pairs_without_gold
from tertium.meta.pair_gold import pair_gold
from tertium.meta.pooled import PooledCorrelations, pooled
from tertium.meta.run_sentences import answer, notes
from tertium.meta.scored_metrics import ScoredMetric, measure_metrics, reads_parses
from tertium.meta.standard import FolderDefaults
from tertium.meta.tables import wmt_tables
from tertium.meta.task import Task
from tertium.progress import steps
from tertium.results import Result
from tertium.stats.outliers import find_outliers

if TYPE_CHECKING:
    from tertium.io.pairs import BetterWorse
    from tertium.io.tables import Table
    from tertium.measured import Measured

Progress = Callable[[str], None]


class Places(NamedTuple):
    """Where segments stand in a test set; None where it does not say."""

    documents: Sequence[str] | None
    domains: Sequence[str] | None


@dataclass(frozen=True, eq=False)
class Evaluation(Result):
    """What came out of a task. Prints itself; `.data()` is everything as plain JSON types."""

    kind = "evaluation"
    task: Task
    judged: tuple[Correlations, ...]
    seconds: Mapping[str, Mapping[str, float]]  # by metric and pair: what scoring took
    signatures: Mapping[str, Mapping[str, str]]  # by metric and pair
    scores: Mapping[str, tuple[ScoredMetric, ...]]  # by pair
    notes: tuple[str, ...] = ()  # what was read and what was left out, and the remarks
    translations: Mapping[str, int] = field(default_factory=dict)  # by pair: how many were scored
    pooled: tuple[Correlations, ...] = ()  # better-worse pairs of all language pairs together
    references: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # by pair: their names
    places: Mapping[str, Places] = field(default_factory=dict)  # by pair: document and domain of each segment
    remarks: tuple[str, ...] = ()  # those of the notes that are printed
    defaults: tuple[FolderDefaults, ...] = ()  # by pair of an mt-metrics-eval folder: what was used of it
    pairs_not_judged: tuple[str, ...] = ()  # of the folder, for want of human scores
    several_references: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # by pair of a WMT folder
    unread: Mapping[str, int] = field(default_factory=dict)  # by pair: rows of its own left out of files
    tokenizers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # by pair: notes on tokenisers

    @property
    def levels(self) -> list[str]:
        return list(dict.fromkeys(own.level for own in self.judged))

    def of(self, level: str, pair: str | None = None) -> list[Correlations]:
        """The results at a level, of one pair or of all."""
        return [own for own in self.judged if own.level == level and pair in (None, own.pair)]

    def over_pairs(self, level: str) -> PooledCorrelations | None:
        """Metrics compared over all language pairs of a level; None with one pair, or without a paired test."""
        return pooled(self.of(level), alpha=self.task.alpha, seed=self.task.seed)

    def tables(self) -> Iterator[Table]:
        """The tables of all levels and language pairs, in the shape of WMT's."""
        kind = str(self.task.human.get("kind", ""))
        yield from wmt_tables((*self.judged, *self.pooled), self.task.name, kind)

    def level_tables(self, level: str) -> Iterator[Table]:
        """Those of one level, without the task's name."""
        pooled = [own for own in self.pooled if own.level == level]
        return wmt_tables([*self.of(level), *pooled], kind=str(self.task.human.get("kind", "")))

    def summary_tables(self) -> Iterator[Table]:
        """Summaries over the language pairs of each level, as Gowda et al. (2021) have them, and pooled tests."""
        yield from filter(None, map(self.summary_table, self.levels))
        yield from (found.table() for found in map(self.over_pairs, self.levels) if found)

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
        """The answer; what a reader must know of tokenisers, and what is not known of the data, come first."""
        for note in dict.fromkeys(note for of_pair in self.tokenizers.values() for note in of_pair):
            pairs = [pair for pair, of_pair in self.tokenizers.items() if note in of_pair]
            yield f"{', '.join(pairs)}: {note}"
        yield from answer(self)

    def html(self) -> str:
        return "".join(
            (
                *(f"<p>{html(line)}</p>" for line in self.words()),
                *(table.html() for table in self.tables()),
                *(f"<p>{html(line)}</p>" for line in (*notes(self), *self.remarks)),
            )
        )

    def text(self, *, terminal: bool | None = None, width: int | None = None) -> str:
        """The answer, then the tables, then what was used by default. `used()` has every file and what was left out."""
        parts = [sentences(self.words(), terminal=terminal, width=width)]
        parts += [table.text(terminal=terminal, width=width) for table in self.tables()]
        parts.append(sentences((*notes(self), *self.remarks), terminal=terminal, width=width))
        return "\n\n".join(part for part in parts if part)

    def records(self) -> list[dict[str, Any]]:
        """A row for each level, language pair and metric."""
        return [
            {"level": own.level, "pair": own.pair, "statistic": own.statistic, "n": own.n, **record}
            for own in (*self.judged, *self.pooled)
            for record in own.records()
        ]

    def contents(self) -> Mapping[str, Any]:
        shown = ("name", "seed", "levels", "statistic", "segment_statistic", "significance", "alpha")
        return {
            **{key: getattr(self.task, key) for key in shown},
            "results": self.judged,
            "pooled": self.pooled,
            "over_pairs": [found for found in map(self.over_pairs, self.levels) if found],
            "seconds": self.seconds,
            "signatures": self.signatures,
            "translations": self.translations,
            "notes": self.notes,
            "tokenizers": self.tokenizers,
            "defaults": self.defaults,
            "pairs_not_judged": self.pairs_not_judged,
            "words": tuple(self.words()),
        }


def evaluate(task: Task, *, threads: int = 1) -> Evaluation:
    """Run a task."""
    judged: list[Correlations] = []
    seconds: dict[str, dict[str, float]] = {}
    signatures: dict[str, dict[str, str]] = {}
    scores: dict[str, tuple[ScoredMetric, ...]] = {}
    translations: dict[str, int] = {}
    references: dict[str, tuple[str, ...]] = {}
    several_references: dict[str, tuple[str, ...]] = {}
    places: dict[str, Places] = {}
    read: list[str] = []
    remarks: list[str] = []
    unread: dict[str, int] = {}
    defaults: list[FolderDefaults] = []
    tokenizers: dict[str, tuple[str, ...]] = {}
    missing: dict[str, list[str]] = {}  # by level: why language pairs have nothing to judge
    compared: list[tuple[BetterWorse, Sequence[ScoredMetric]]] = []
    given, pairs = task, pairs_of(task)
    _check_specs(task, pairs)
    for pair in steps(pairs, str):
        data = pair_data(task, pair)
        read += map(str, data.coverages)
        left_out = (left for coverage in data.coverages for left in coverage.left_out)
        unread[pair] = sum(left.rows for left in left_out if left.reason != ELSEWHERE)
        if data.defaults is not None:
            defaults.append(data.defaults)
        of_folder = tuple(name for name in data.references if name not in task.pseudo_references)
        if task.layout is not None and data.defaults is None and task.entries and len(of_folder) > 1:
            several_references[pair] = of_folder
        task = _with_test(given, data)
        metrics, measured = _metrics(task, data, threads)
        if measured is not None and measured.notes:
            tokenizers[pair] = measured.notes
        if not metrics:
            raise InputError(f"{task.origin}: {pair} has no metric with scores")
        for metric in metrics:
            if metric.seconds is not None:
                seconds.setdefault(metric.name, {})[pair] = metric.seconds
                signatures.setdefault(metric.name, {})[pair] = metric.signature
        scores[pair] = metrics
        references[pair] = data.references
        if data.testset is not None:
            places[pair] = Places(data.testset.documents, data.testset.metadata.get("domain"))
        if data.testset is not None:
            translations[pair] = len(data.testset) * len(data.testset.systems)
        judged += _judge(task, data, metrics, remarks)
        if "pairs" in task.levels:
            gold = pair_gold(data, from_scores="pairs" in task.asked_levels)
            if gold.pairs is not None:
                compared.append((gold.pairs, metrics))
                judged.append(_judge_pairs(task, data.pair, gold.pairs, gold.rule, metrics))
            else:
                missing.setdefault("pairs", []).append(f"{pair}: {gold.reason}")
        if "hybrids" in task.levels:
            before = len(remarks)
            judged += judge_hybrids(task, data, metrics, measured, remarks, threads)
            missing.setdefault("hybrids", []).extend(remarks[before:])
        for level in ("system", "segment"):
            if level in task.levels and level not in data.human:
                missing.setdefault(level, []).append(f"{pair}: people gave no scores of {level}s")
    for level in task.asked_levels:
        if not any(own.level == level for own in judged):
            why = "; ".join(dict.fromkeys(missing.get(level, ())))
            raise InputError(f"{task.origin}: nothing was judged at the level {level!r}: {why}")
    if not judged:
        raise InputError(f"{task.origin}: nothing could be judged at the levels {', '.join(task.levels)}")
    remarks += [why for level in task.asked_levels for why in missing.get(level, ())]
    return Evaluation(
        task,
        tuple(judged),
        seconds,
        signatures,
        scores,
        tuple(dict.fromkeys((*read, *remarks))),
        translations,
        _pooled(task, compared),
        references,
        places,
        tuple(dict.fromkeys(remarks)),
        tuple(defaults),
        tuple(pairs_without_gold(task)),
        several_references,
        unread,
        tokenizers,
    )


def _with_test(task: Task, data: PairData) -> Task:
    """The task with the test that it leaves open: that of mt-metrics-eval on the test sets that tool knows."""
    if task.significance is not None:
        return task
    official = data.defaults is not None and bool(data.defaults.testset)
    return dataclasses.replace(task, significance="perm-both" if official else "permutation")


def _judge_pairs(
    task: Task, pair: str, pairs: BetterWorse, rule: str, metrics: Sequence[ScoredMetric]
) -> Correlations:
    found = judge_pairs(pairs, metrics, pair, matrix=task.tie_matrix, **_testing(task))
    own_notes = (*([rule] if rule else ()), TIE_NOTES[task.tie_matrix], *found.notes)
    return dataclasses.replace(found, notes=own_notes)


def _pooled(
    task: Task, compared: Sequence[tuple[BetterWorse, Sequence[ScoredMetric]]]
) -> tuple[Correlations, ...]:
    """The better-worse pairs of all language pairs together, where there are several."""
    if len(compared) < 2:
        return ()
    return (judge_pooled_pairs(compared, matrix=task.tie_matrix, **_testing(task)),)


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
            judged = _judged_places(task, data)
            try:
                own, measured = measure_metrics(
                    data.testset, task.entries, data.pair, threads=threads, judged=judged
                )
            except TextError as error:
                if judged is not None or not any(reads_parses(one.metric(data.pair)) for one in task.entries):
                    raise
                why = "systems, documents and hybrids need parses of all segments; at the levels segment and pairs "
                raise InputError(f"{error} ({why}alone, those of judged ones do)") from None
    names = [metric.name for metric in own]
    for metric in data.outside:
        if metric.name in names:
            raise InputError(f"{task.origin}: there are two metrics {metric.name!r} on {data.pair}")
        names.append(metric.name)
    return (*own, *data.outside), measured


def _judged_places(task: Task, data: PairData) -> dict[str, list[int]] | None:
    """By system the places of the segments that people judged, where nothing else is needed; None where systems,
    documents or hybrids are scored, too."""
    if not set(task.levels) <= {"segment", "pairs"}:
        return None
    places: dict[str, set[int]] = {}
    if (scores := data.human.get("segment")) is not None and "segment" in task.levels:
        for system, known in zip(scores.systems, scores.defined, strict=True):
            judged = (item for item, there in zip(scores.items, known, strict=True) if there)
            places.setdefault(system, set()).update(int(item) - 1 for item in judged if item.isdecimal())
    pairs = pair_gold(data).pairs if "pairs" in task.levels else None
    if pairs is not None:
        for codes in (pairs.better, pairs.worse):
            for code, segment in zip(codes.tolist(), pairs.segment.tolist(), strict=True):
                places.setdefault(pairs.systems[code], set()).add(segment - 1)
    size = 0 if data.testset is None else len(data.testset)
    return {system: sorted(place for place in own if place < size) for system, own in places.items()}


def _judge(
    task: Task, data: PairData, metrics: Sequence[ScoredMetric], notes: list[str]
) -> Iterator[Correlations]:
    common: dict[str, Any] = {"significance": task.significance, "alpha": task.alpha, "missing": task.missing}
    if data.defaults is not None:
        metrics = [_limited(metric, data.human) for metric in metrics]
    if "system" in task.levels and "system" in data.human:
        human = data.human["system"]
        if task.outliers:
            human = _without_outliers(human, data.pair, notes)
        yield judge_systems(
            human,
            metrics,
            data.pair,
            statistic=task.statistic,
            human_segments=data.human_segments or data.human.get("segment"),
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


def _limited(metric: ScoredMetric, human: Mapping[str, ScoreMatrix]) -> ScoredMetric:
    """A metric's scores of the systems that people scored, level by level: a shared task's folder has others, too."""

    def limited(scores: ScoreMatrix | None) -> ScoreMatrix | None:
        people = None if scores is None else human.get(scores.level)
        if scores is None or people is None:
            return scores
        return scores.selected([name for name in scores.systems if name in people.systems])

    return dataclasses.replace(metric, systems=limited(metric.systems), segments=limited(metric.segments))


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
        significance=task.significance or "permutation",
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
