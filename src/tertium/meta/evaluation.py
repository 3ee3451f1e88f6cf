"""A whole task, run: every language pair at every level, and the tables that WMT prints of it."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from tertium.errors import InputError, TertiumError, TertiumWarning, TextError
from tertium.io.escaping import html
from tertium.io.scorematrix import ScoreMatrix
from tertium.meta.against_people import (
    TIE_NOTES,
    judge_pairs,
    judge_pooled_pairs,
    judge_segments,
    judge_systems,
)
from tertium.meta.by_document import judge_documents
from tertium.meta.correlations import LEVEL_NAMES, Correlations, everywhere
from tertium.meta.judged_hybrids import judge_hybrids
from tertium.meta.macrotables import SYMBOLS, judged_grid
from tertium.meta.materials import PairData, pair_data, pairs_of
from tertium.meta.pair_gold import pair_gold
from tertium.meta.scored_metrics import ScoredMetric, measure_metrics, reads_parses
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
    notes: tuple[str, ...] = ()
    translations: Mapping[str, int] = field(default_factory=dict)  # by pair: how many were scored
    pooled: tuple[Correlations, ...] = ()  # better-worse pairs of all language pairs together
    references: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # by pair: their names
    places: Mapping[str, Places] = field(default_factory=dict)  # by pair: document and domain of each segment
    tokenizers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # by pair: notes on tokenisers

    @property
    def levels(self) -> list[str]:
        return list(dict.fromkeys(own.level for own in self.judged))

    def of(self, level: str, pair: str | None = None) -> list[Correlations]:
        """The results at a level, of one pair or of all."""
        return [own for own in self.judged if own.level == level and pair in (None, own.pair)]

    def tables(self) -> Iterator[Table]:
        """The tables of all levels and language pairs, in the shape of WMT's."""
        kind = str(self.task.human.get("kind", ""))
        yield from wmt_tables((*self.judged, *self.pooled), self.task.name, kind)

    def level_tables(self, level: str) -> Iterator[Table]:
        """Those of one level, without the task's name."""
        pooled = [own for own in self.pooled if own.level == level]
        return wmt_tables([*self.of(level), *pooled], kind=str(self.task.human.get("kind", "")))

    def summary_tables(self) -> Iterator[Table]:
        """Median, mean, deviation and wins over the language pairs of each level, as Gowda et al. (2021) have them."""
        return filter(None, map(self.summary_table, self.levels))

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
        """The first sentence is the one to remember. What a reader must know of tokenisers comes before it."""
        for note in dict.fromkeys(note for notes in self.tokenizers.values() for note in notes):
            yield f"{_listed([pair for pair, notes in self.tokenizers.items() if note in notes])}: {note}"
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
            for own in (*self.judged, *self.pooled)
            for record in own.records()
        ]

    def contents(self) -> Mapping[str, Any]:
        shown = ("name", "seed", "levels", "statistic", "segment_statistic", "significance", "alpha")
        return {
            **{key: getattr(self.task, key) for key in shown},
            "results": self.judged,
            "pooled": self.pooled,
            "seconds": self.seconds,
            "signatures": self.signatures,
            "translations": self.translations,
            "notes": self.notes,
            "tokenizers": self.tokenizers,
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
    references: dict[str, tuple[str, ...]] = {}
    places: dict[str, Places] = {}
    tokenizers: dict[str, tuple[str, ...]] = {}
    notes: list[str] = []
    missing: dict[str, list[str]] = {}  # by level: why language pairs have nothing to judge
    compared: list[tuple[BetterWorse, Sequence[ScoredMetric]]] = []
    pairs = pairs_of(task)
    _check_specs(task, pairs)
    for pair in steps(pairs, str):
        data = pair_data(task, pair)
        notes += map(str, data.coverages)
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
        judged += _judge(task, data, metrics, notes)
        if "pairs" in task.levels:
            gold = pair_gold(data, from_scores="pairs" in task.asked_levels)
            if gold.pairs is not None:
                compared.append((gold.pairs, metrics))
                judged.append(_judge_pairs(task, data.pair, gold.pairs, gold.rule, metrics))
            else:
                missing.setdefault("pairs", []).append(f"{pair}: {gold.reason}")
        if "hybrids" in task.levels:
            before = len(notes)
            judged += judge_hybrids(task, data, metrics, measured, notes, threads)
            missing.setdefault("hybrids", []).extend(notes[before:])
        for level in ("system", "segment"):
            if level in task.levels and level not in data.human:
                missing.setdefault(level, []).append(f"{pair}: people gave no scores of {level}s")
    for level in task.asked_levels:
        if not any(own.level == level for own in judged):
            why = "; ".join(dict.fromkeys(missing.get(level, ())))
            raise InputError(f"{task.origin}: nothing was judged at the level {level!r}: {why}")
    if not judged:
        raise InputError(f"{task.origin}: nothing could be judged at the levels {', '.join(task.levels)}")
    notes += [why for level in task.asked_levels for why in missing.get(level, ())]
    pooled = _pooled(task, compared)
    told = tuple(dict.fromkeys(notes))
    return Evaluation(
        task,
        tuple(judged),
        seconds,
        signatures,
        scores,
        told,
        translations,
        pooled,
        references,
        places,
        tokenizers,
    )


def _judge_pairs(
    task: Task, pair: str, pairs: BetterWorse, rule: str, metrics: Sequence[ScoredMetric]
) -> Correlations:
    found = judge_pairs(
        pairs, metrics, pair, matrix=task.tie_matrix, resamples=task.resamples, seed=task.seed
    )
    return replace(found, notes=(*([rule] if rule else ()), TIE_NOTES[task.tie_matrix], *found.notes))


def _pooled(
    task: Task, compared: Sequence[tuple[BetterWorse, Sequence[ScoredMetric]]]
) -> tuple[Correlations, ...]:
    """The better-worse pairs of all language pairs together, where there are several."""
    if len(compared) < 2:
        return ()
    found = judge_pooled_pairs(compared, matrix=task.tie_matrix, resamples=task.resamples, seed=task.seed)
    return (found,)


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
