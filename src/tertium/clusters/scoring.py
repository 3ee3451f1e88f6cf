"""Scores of a Spark DataFrame: segment by segment as another DataFrame, and summed up as `Scores`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import isqrt
from typing import Any

from tertium.engines.frames import PLACES, FramePlan, LearntKey
from tertium.engines.frametasks import (
    LEARNT,
    PACKED,
    SUMS,
    AddedSums,
    CountedWhole,
    FrameSums,
    Packed,
    Scored,
    Summed,
)
from tertium.engines.luggage import Luggage, files_of
from tertium.engines.spark import check_workers, plain_errors
from tertium.errors import InputError, did_you_mean
from tertium.families.base import Level, Metric
from tertium.families.for_texts import ChosenMetrics, leaves_words_open, metrics_for_texts, warn_of
from tertium.measured import Measured
from tertium.measuring import Specs, analyses, joined, metrics_named
from tertium.scores import Scores
from tertium.scoring import scores_of
from tertium.statistics import WholeCounts

FEW = 8  # sums that the driver adds by itself
LOOKED_AT = 200  # references whose script decides, of a dataset that nobody named the language of


@dataclass(frozen=True)
class FrameScores:
    """The scores of all, and DataFrames that are made when they are used."""

    scores: Scores
    planned: PlannedFrame

    @cached_property
    def segments(self) -> Any:
        """The DataFrame with a column of scores for each metric."""
        return self.planned.segments()

    @cached_property
    def rows(self) -> Any:
        """A DataFrame with the rows of segments, packed (`tertium.spark.write_rows` makes a file of it)."""
        return self.planned.packed()


def refusal(metric: Metric, *, ordered: bool = True) -> str:
    """Why a metric cannot be scored on a cluster; empty where it can. `ordered`: whether rows of documents have an
    order."""
    if metric.runs_programs:
        return "it runs a program of this machine"
    if metric.needs_whole_set and not metric.learns:
        return "it needs the whole set together, and what it learns from it cannot be added up"
    if metric.scope == "document" and not ordered:
        return (
            "it reads documents from beginning to end, and rows of a dataset have no order: name columns of both "
            "(--columns document=COLUMN,order=COLUMN)"
        )
    return ""


def score(
    frame: Any,
    hypothesis: str | Sequence[str],
    reference: str | Sequence[str] = (),
    metrics: Specs = ("bleu", "chrf"),
    *,
    source: str | None = None,
    group: str | Sequence[str] = (),
    document: str | None = None,
    order: str | None = None,
    level: Level | None = None,
) -> FrameScores:
    """Score columns of a DataFrame, in one pass for all metrics: several hypotheses are several systems.

    `group` are columns whose values are scored apart (system, domain, language); with `document`, a column of ids,
    there is a score for each document, unless `level` is "corpus". Metrics of whole documents need `order`, too: a
    column by which the rows of a document are sorted. Metrics that need the whole set (NIST, idf weights) take two
    passes; where a metric leaves its tokeniser open, the first 200 references are looked at before. Scores are those of
    `tertium.score`, to the last bit.
    """
    wanted: Level = level or ("corpus" if document is None else "document")
    if wanted == "segment":
        raise InputError("scores of segments are in .segments: level is corpus or document")
    own = planned(
        frame,
        hypothesis,
        reference,
        metrics,
        source=source,
        group=group,
        document=document,
        order=order,
        by_document=wanted == "document",
    )
    return FrameScores(level_scores(own, wanted), own)


def level_scores(planned: PlannedFrame, level: Level) -> Scores:
    """Scores of everything, or of documents."""
    sums = planned.sums()
    if not sums.rows:
        raise InputError("there is nothing to score: no segments")
    return scores_of(measured_of(sums, planned.plan, planned.of, level))


@dataclass(frozen=True)
class PlannedFrame:
    """A DataFrame, and what is to be done with it."""

    frame: Any
    plan: FramePlan
    of: dict[Metric, Metric]  # the analysis of each metric
    order: str | None = None  # a column: how segments follow each other where rows come home

    def _given(self, *, everything: bool = False) -> Any:
        """The rows as workers need them: where documents must not be cut, sorted."""
        plan = self.plan
        places = [name for name in PLACES if name in self.frame.columns]
        own = self.frame if everything else self.frame.select(*plan.columns, *places)
        if plan.order is None:
            return own
        number = int(own.rdd.getNumPartitions())
        return own.repartition(number, *plan.keys).sortWithinPartitions(*plan.keys, plan.order)

    def knowing(self) -> PlannedFrame:
        """The first pass, if one is needed: what the whole set tells, added up by the cluster, and sent to all."""
        needed = [own for own in self.plan.analyses if own.needs_whole_set]
        if not needed:
            return self
        from pyspark.sql.functions import col
        from pyspark.sql.functions import sum as added

        rare = sorted({kind for own in needed for kind in own.often})
        with plain_errors():
            counted = self._given().mapInArrow(CountedWhole(self.plan), LEARNT)
            merged = counted.groupBy("key", "kind", "type").agg(added("count").alias("count"))
            found = merged.filter((col("count") > 1) | ~col("kind").isin(rare)).toArrow()
        known = _by_system(found, self.plan)
        sent = self.frame.sparkSession.sparkContext.broadcast(known)
        return replace(self, plan=replace(self.plan, learnt=sent))

    def sums(self) -> FrameSums:
        """Sums of partitions, added where there are many before they come here: a tree of three levels."""
        sums = FrameSums()
        with plain_errors():
            partial = self._given().mapInArrow(Summed(self.plan), SUMS)
            number = int(partial.rdd.getNumPartitions())
            if number > FEW:
                partial = partial.repartition(isqrt(number - 1) + 1).mapInArrow(AddedSums(), SUMS)
            for batch in partial.toArrow().to_batches():
                sums.add_arrow(batch)
        return sums

    def segments(self) -> Any:
        """The DataFrame with a column of scores for each hypothesis and metric."""
        from pyspark.sql.types import DoubleType, StructField, StructType

        plan = self.plan
        columns = tuple(
            (
                f"{name}/{metric}" if len(plan.hypotheses) > 1 else str(metric),
                name,
                plan.analyses.index(own),
                metric,
            )
            for name in plan.hypotheses
            for metric, own in self.of.items()
        )
        fields = [StructField(name, DoubleType()) for name, *_ in columns]
        schema = StructType([*self.frame.schema.fields, *fields])
        with plain_errors():
            return self._given(everything=True).mapInArrow(Scored(plan, columns), schema)

    def packed(self) -> Any:
        """A DataFrame with rows of segments, some thousand to a block, and where each block stands."""
        plan = self.plan
        if plan.groups:
            raise InputError("rows of groups are kept group by group: choose one (DataFrame.filter)")
        for own in plan.analyses:
            if own.scope == "document":
                raise InputError(f"{own.label} scores whole documents: rows of segments cannot hold it")
        with plain_errors():
            given = self._given()
            if self.order is not None:
                named = dict.fromkeys((*given.columns, self.order))
                given = self.frame.select(*named).orderBy(self.order)
            return given.mapInArrow(Packed(plan, self.order), PACKED)


def planned(
    frame: Any,
    hypothesis: str | Sequence[str],
    reference: str | Sequence[str] = (),
    metrics: Specs = ("bleu", "chrf"),
    *,
    source: str | None = None,
    group: str | Sequence[str] = (),
    document: str | None = None,
    order: str | None = None,
    by_document: bool = False,
) -> PlannedFrame:
    """What `score` does first: columns and workers are checked, files are sent, and what the whole set tells is
    counted."""
    hypotheses, references, groups = _names(hypothesis), _names(reference), _names(group)
    chosen = tuple(dict.fromkeys(_for_references(frame, references, metrics)))
    for metric in chosen:
        metric._check_required()
        if why := refusal(metric, ordered=document is not None and order is not None):
            raise InputError(f"{metric.label} cannot be scored on a cluster: {why} (--engine local can)")
        if metric.needs_source and source is None:
            raise InputError(f"{metric.label} compares with the source text: name its column (source=)")
        if metric.needs_references and not references:
            raise InputError(f"{metric.label} compares with references: name their columns (reference=)")
    of = analyses(chosen, 1 if len(references) == 1 else None)
    needed = tuple(dict.fromkeys(of.values()))
    whole = any(own.scope == "document" for own in needed)
    plan = FramePlan(
        hypotheses, references, source, groups, needed, document, order if whole else None, by_document
    )
    _check_columns(frame, plan, order)
    session = frame.sparkSession
    check_workers(session)
    with plain_errors():
        paths = [path for own in (*needed, *chosen) for path in files_of(own)]
        luggage = Luggage.sent(paths, session.sparkContext) if paths else Luggage()
    return PlannedFrame(frame, replace(plan, luggage=luggage), of, order).knowing()


def _for_references(frame: Any, references: Sequence[str], metrics: Specs) -> tuple[Metric, ...]:
    """The metrics with the tokenisers that the first references call for, where specs leave that open: languages
    without spaces between words are scored as they are elsewhere."""
    if isinstance(metrics, ChosenMetrics):
        return metrics.metrics
    specs = [metrics] if isinstance(metrics, str | Metric) else list(metrics)
    if not references or references[0] not in frame.columns or not any(map(leaves_words_open, specs)):
        return metrics_named(specs)
    with plain_errors():
        rows = [row[0] for row in frame.select(references[0]).limit(LOOKED_AT).collect()]
    texts = [text[0] if isinstance(text, list) and text else text for text in rows]
    found = metrics_for_texts(specs, [text for text in texts if isinstance(text, str)])
    warn_of(found.notes)
    return found.metrics


def _check_columns(frame: Any, plan: FramePlan, order: str | None) -> None:
    kinds = dict(frame.dtypes)
    for name in (*plan.columns, *(() if order is None else (order,))):
        if name not in kinds:
            raise InputError(f"the dataset has no column {name!r}{did_you_mean(name, frame.columns)}")
    listed = [name for name in plan.references if kinds[name] == "array<string>"]
    if listed and len(plan.references) > 1:
        raise InputError(f"column {listed[0]!r} has lists of references: it must be the only one")
    texts = (*plan.hypotheses, *plan.references, *(() if plan.source is None else (plan.source,)))
    for name in texts:
        if kinds[name] != "string" and name not in listed:
            raise InputError(f"column {name!r} does not hold texts, but {kinds[name]}")


def _by_system(found: Any, plan: FramePlan) -> dict[LearntKey, WholeCounts]:
    """What is to be known for each hypothesis: what all share, and what is its own."""
    import pyarrow.compute as pc

    parts: dict[LearntKey, WholeCounts] = {}
    for said in pc.unique(found["key"]).to_pylist():
        names, hypothesis, analysis = json.loads(said)
        parts[tuple(names), hypothesis, analysis] = WholeCounts.of_arrow(
            found.filter(pc.equal(found["key"], said))
        )
    known: dict[LearntKey, WholeCounts] = {}
    for names, _, analysis in {(names, "", analysis): None for names, _, analysis in parts}:
        shared = parts.get((names, "", analysis), WholeCounts())
        for hypothesis in plan.hypotheses:
            own = parts.get((names, hypothesis, analysis))
            if own is not None:
                own.add(shared)
            known[names, hypothesis, analysis] = shared if own is None else own
    return known


def measured_of(sums: FrameSums, plan: FramePlan, of: dict[Metric, Metric], level: Level) -> Measured:
    """Groups and hypotheses as systems, and documents in the order of their ids."""
    cut = len(plan.groups)
    several = len(plan.hypotheses) > 1

    def named(names: tuple[str, ...], hypothesis: str) -> str:
        parts = (*names[:cut], *((hypothesis,) if several or not cut else ()))
        return "/".join(parts)

    found: dict[str, dict[int, dict[tuple[str, ...], Any]]] = {}
    for names, hypothesis, analysis in sorted(sums.rows):
        own = found.setdefault(named(names, hypothesis), {}).setdefault(analysis, {})
        own[names[cut:]] = sums.rows[names, hypothesis, analysis]
    documents: list[str] = []
    if level == "document":
        each = {system: sorted(own[0]) for system, own in found.items()}
        if len({tuple(ids) for ids in each.values()}) > 1:
            raise InputError(
                "the groups have different documents: score them one by one, or group by document"
            )
        documents = [ids[0] for ids in next(iter(each.values()))]
    numbers = set(sums.references.values())
    rows = {
        (system, metric): joined([own[plan.analyses.index(of[metric])][key] for key in sorted(own[0])])
        for system, own in found.items()
        for metric in of
    }
    segments = sum(n for (_, hypothesis, at), n in sums.segments.items() if at == 0) // len(plan.hypotheses)
    return Measured(
        systems=tuple(found),
        metrics=tuple(of),
        rows=rows,
        level=level,
        n_segments=segments,
        n_references=numbers.pop() if len(numbers) == 1 and min(numbers) >= 0 else None,
        documents=tuple(documents),
    )


def _names(given: str | Sequence[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)
