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
    "CorrelationCell": "correlations",
    "CorrelationGrid": "macrotables",
    "Correlations": "correlations",
    "DownstreamCorrelations": "downstream",
    "Evaluation": "evaluation",
    "HybridScores": "hybrids",
    "MetricEntry": "metric_lists",
    "OutsideScores": "task",
    "RetrievalScores": "downstream",
    "ScoredMetric": "scored_metrics",
    "Task": "task",
    "correlate_downstream": "downstream",
    "correlate_table": "macrotables",
    "evaluate": "evaluation",
    "evaluate_run": "downstream",
    "judge_pairs": "against_people",
    "judge_segments": "against_people",
    "judge_systems": "against_people",
    "judged_grid": "macrotables",
    "load_hybrids": "hybrids",
    "measure_metrics": "scored_metrics",
    "outside_metric": "scored_metrics",
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
    "CorrelationCell",
    "CorrelationGrid",
    "Correlations",
    "DownstreamCorrelations",
    "Evaluation",
    "HybridScores",
    "MetricEntry",
    "OutsideScores",
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
    from tertium.meta.against_people import judge_pairs, judge_segments, judge_systems
    from tertium.meta.correlations import CorrelationCell, Correlations
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
    from tertium.meta.evaluation import Evaluation, evaluate
    from tertium.meta.hybrids import HybridScores, load_hybrids, save_hybrids, score_hybrids
    from tertium.meta.macrotables import CorrelationGrid, correlate_table, judged_grid, years_table
    from tertium.meta.metric_lists import MetricEntry
    from tertium.meta.scored_metrics import ScoredMetric, measure_metrics, outside_metric
    from tertium.meta.tables import wmt_table, wmt_tables
    from tertium.meta.task import OutsideScores, Task
    from tertium.meta.writing import write_scores


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)


def __dir__() -> list[str]:
    return list(__all__)
