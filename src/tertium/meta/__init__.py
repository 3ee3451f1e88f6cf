"""Judging the metrics themselves: how well their scores agree with people, and with what translations are used for.

    import tertium as tt
    task = tt.meta.Task.load("wmt17.toml")
    print(tt.meta.evaluate(task))

Every result is small and frozen, with `.data()` for JSON and `.table()` for people. Names are imported when they are
first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

_WHERE = {
    "Cell": "judged",
    "CorrelationGrid": "macrotables",
    "DownstreamCorrelations": "downstream",
    "Evaluation": "evaluation",
    "HybridScores": "hybrids",
    "Judged": "judged",
    "MetricEntry": "entries",
    "Outside": "task",
    "RetrievalScores": "downstream",
    "ScoredMetric": "scored",
    "Task": "task",
    "correlate_downstream": "downstream",
    "correlate_table": "macrotables",
    "evaluate": "evaluation",
    "evaluate_run": "downstream",
    "judge_pairs": "judging",
    "judge_segments": "judging",
    "judge_systems": "judging",
    "judged_grid": "macrotables",
    "load_hybrids": "hybrids",
    "measure_metrics": "scored",
    "outside_metric": "scored",
    "overlap_with": "downstream",
    "pseudo_relevance": "downstream",
    "query_weighted_value": "downstream",
    "retrieve": "downstream",
    "save_hybrids": "hybrids",
    "score_hybrids": "hybrids",
    "wmt_table": "tables",
    "wmt_tables": "tables",
    "write_scores": "writing",
    "years_table": "macrotables",
}

__all__ = [
    "Cell",
    "CorrelationGrid",
    "DownstreamCorrelations",
    "Evaluation",
    "HybridScores",
    "Judged",
    "MetricEntry",
    "Outside",
    "RetrievalScores",
    "ScoredMetric",
    "Task",
    "correlate_downstream",
    "correlate_table",
    "evaluate",
    "evaluate_run",
    "judge_pairs",
    "judge_segments",
    "judge_systems",
    "judged_grid",
    "load_hybrids",
    "measure_metrics",
    "outside_metric",
    "overlap_with",
    "pseudo_relevance",
    "query_weighted_value",
    "retrieve",
    "save_hybrids",
    "score_hybrids",
    "wmt_table",
    "wmt_tables",
    "write_scores",
    "years_table",
]

if TYPE_CHECKING:
    from tertium.meta.downstream import (
        DownstreamCorrelations,
        RetrievalScores,
        correlate_downstream,
        evaluate_run,
        overlap_with,
        pseudo_relevance,
        query_weighted_value,
        retrieve,
    )
    from tertium.meta.entries import MetricEntry
    from tertium.meta.evaluation import Evaluation, evaluate
    from tertium.meta.hybrids import HybridScores, load_hybrids, save_hybrids, score_hybrids
    from tertium.meta.judged import Cell, Judged
    from tertium.meta.judging import judge_pairs, judge_segments, judge_systems
    from tertium.meta.macrotables import CorrelationGrid, correlate_table, judged_grid, years_table
    from tertium.meta.scored import ScoredMetric, measure_metrics, outside_metric
    from tertium.meta.tables import wmt_table, wmt_tables
    from tertium.meta.task import Outside, Task
    from tertium.meta.writing import write_scores


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)


def __dir__() -> list[str]:
    return list(__all__)
