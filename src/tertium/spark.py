"""Scores of a Spark DataFrame: segment by segment as another DataFrame, and summed up as `Scores`."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from tertium.engines.frames import FILE, ROW, SUMS, AddedSums, FramePlan, FrameSums, Scored, Summed
from tertium.engines.spark import check_workers, plain_errors
from tertium.errors import InputError, did_you_mean
from tertium.families.base import Level
from tertium.measured import Measured
from tertium.measuring import Specs, analyses, joined, metrics_named
from tertium.scores import Scores
from tertium.scoring import scores_of

if TYPE_CHECKING:
    from tertium.families.base import Metric

FEW = 8  # sums that the driver adds by itself


class FrameScores(NamedTuple):
    """A DataFrame with a column of scores for each metric, made when it is used; and the scores of all."""

    segments: Any
    scores: Scores


def refusal(metric: Metric) -> str:
    """Why a metric cannot be scored on a cluster; empty where it can."""
    if metric.needs_whole_set:
        return "it needs all references together, and a cluster has them in parts"
    if metric.scope == "document":
        return "it reads documents from beginning to end, and rows of a dataset have no order"
    if metric.runs_programs:
        return "it runs a program of this machine"
    return ""


def score(
    frame: Any,
    hypothesis: str | Sequence[str],
    reference: str | Sequence[str],
    metrics: Specs = ("bleu", "chrf"),
    *,
    source: str | None = None,
    group: str | Sequence[str] = (),
    document: str | None = None,
) -> FrameScores:
    """Score columns of a DataFrame, in one pass for all metrics: several hypotheses are several systems.

    `group` are columns whose values are scored apart (system, domain, language); with `document`, a column of ids,
    there is a score for each document. Scores are those of `tertium.score`, to the last bit.
    """
    chosen = tuple(dict.fromkeys(metrics_named(metrics)))
    for metric in chosen:
        if why := refusal(metric):
            raise InputError(f"{metric.label} cannot be scored on a cluster: {why} (--engine local can)")
        if metric.needs_source and source is None:
            raise InputError(f"{metric.label} compares with the source text: name its column (source=)")
    hypotheses, references, groups = _names(hypothesis), _names(reference), _names(group)
    own = (document,) if document is not None else ()
    of = analyses(chosen, 1 if len(references) == 1 else None)
    plan = FramePlan(hypotheses, references, source, (*groups, *own), tuple(dict.fromkeys(of.values())))
    for name in plan.columns:
        if name not in frame.columns:
            raise InputError(f"the dataset has no column {name!r}{did_you_mean(name, frame.columns)}")
    check_workers(frame.sparkSession)
    sums = _summed(frame, plan)
    if not sums.rows:
        raise InputError("there is nothing to score: no segments")
    measured = _measured(sums, plan, of, "document" if own else "corpus")
    return FrameScores(_scored(frame, plan, of), scores_of(measured))


def read_frame(session: Any, path: str) -> Any:
    """A dataset of Parquet or JSON Lines, wherever it lies, with columns that say where each row comes from."""
    from pyspark.sql.functions import col

    json = path.rstrip("/").lower().split(".")[-1] in ("jsonl", "json", "ndjson")
    with plain_errors():
        frame = session.read.json(path) if json else session.read.parquet(path)
        said = (
            {FILE: "_metadata.file_path"}
            if json
            else {FILE: "_metadata.file_path", ROW: "_metadata.row_index"}
        )
        return frame.select("*", *(col(where).alias(name) for name, where in said.items()))


def _summed(frame: Any, plan: FramePlan) -> FrameSums:
    """Sums of partitions, added where there are many before they come here: a tree of three levels."""
    places = [name for name in (FILE, ROW) if name in frame.columns]
    sums = FrameSums(plan.analyses)
    with plain_errors():
        partial = frame.select(*plan.columns, *places).mapInArrow(Summed(plan), SUMS)
        number = int(partial.rdd.getNumPartitions())
        if number > FEW:
            partial = partial.repartition(isqrt(number - 1) + 1).mapInArrow(AddedSums(plan), SUMS)
        for batch in partial.toArrow().to_batches():
            sums.add_arrow(batch)
    return sums


def _measured(sums: FrameSums, plan: FramePlan, of: dict[Metric, Metric], level: Level) -> Measured:
    """Groups and hypotheses as systems, and documents in the order of their ids."""
    cut = len(plan.groups) - (level == "document")
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


def _scored(frame: Any, plan: FramePlan, of: dict[Metric, Metric]) -> Any:
    from pyspark.sql.types import DoubleType, StructField, StructType

    columns = tuple(
        (
            f"{name}/{metric}" if len(plan.hypotheses) > 1 else str(metric),
            name,
            plan.analyses.index(own),
            metric,
        )
        for name in plan.hypotheses
        for metric, own in of.items()
    )
    fields = [StructField(name, DoubleType()) for name, *_ in columns]
    return frame.mapInArrow(Scored(plan, columns), StructType([*frame.schema.fields, *fields]))


def _names(given: str | Sequence[str]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given)
