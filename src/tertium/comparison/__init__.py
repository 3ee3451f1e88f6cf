"""Comparing systems: which one is better, on which segments, words, lengths and documents, and would a person agree.

    from tertium import TestSet
    from tertium.comparison import Measured, score_buckets
    measured = Measured.of(TestSet.load("newstest"), ["bleu", "chrf", "macrof1"])
    print(score_buckets(measured).table())

Every analysis takes a `Measured` (rows of all systems by all metrics, made once) and gives a small frozen result with
`.data()` for JSON and `.table()` for people. Names are imported when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

_WHERE = {
    "BiasProbe": "bias",
    "Bucket": "buckets",
    "Buckets": "buckets",
    "Comparison": "comparison",
    "Components": "components",
    "Diagnosis": "doctor",
    "Favouritism": "favouritism",
    "Finding": "doctor",
    "Grouping": "groupings",
    "Label": "labels",
    "Labels": "labels",
    "Means": "means",
    "Measured": "measured",
    "NGrams": "ngrams",
    "PairTests": "pair_results",
    "Preferences": "preferences",
    "StrongestSegments": "strongest",
    "Tagged": "tags",
    "Tags": "tags",
    "TypeBuckets": "typebuckets",
    "TypeCurve": "types",
    "TypeDifferences": "types",
    "benefits": "favouritism",
    "by_document": "groupings",
    "by_labels": "groupings",
    "by_length": "groupings",
    "by_metadata": "groupings",
    "by_rarest_word": "groupings",
    "by_score_difference": "groupings",
    "compare": "comparison",
    "compare_components": "components",
    "count_ngrams": "ngrams",
    "examine": "doctor",
    "examine_testset": "doctor",
    "leave_one_out": "favouritism",
    "measure_favouritism": "favouritism",
    "pair_tests": "significance",
    "preference_rates": "preferences",
    "probe_bias": "bias",
    "score_buckets": "buckets",
    "segment_means": "means",
    "strongest_segments": "strongest",
    "training_counts": "groupings",
    "type_buckets": "typebuckets",
    "type_curve": "types",
    "type_differences": "types",
}

__all__ = [
    "BiasProbe",
    "Bucket",
    "Buckets",
    "Comparison",
    "Components",
    "Diagnosis",
    "Favouritism",
    "Finding",
    "Grouping",
    "Label",
    "Labels",
    "Means",
    "Measured",
    "NGrams",
    "PairTests",
    "Preferences",
    "StrongestSegments",
    "Tagged",
    "Tags",
    "TypeBuckets",
    "TypeCurve",
    "TypeDifferences",
    "benefits",
    "by_document",
    "by_labels",
    "by_length",
    "by_metadata",
    "by_rarest_word",
    "by_score_difference",
    "compare",
    "compare_components",
    "count_ngrams",
    "examine",
    "examine_testset",
    "leave_one_out",
    "measure_favouritism",
    "pair_tests",
    "preference_rates",
    "probe_bias",
    "score_buckets",
    "segment_means",
    "strongest_segments",
    "training_counts",
    "type_buckets",
    "type_curve",
    "type_differences",
]

if TYPE_CHECKING:
    from tertium.comparison.bias import BiasProbe, probe_bias
    from tertium.comparison.buckets import Bucket, Buckets, score_buckets
    from tertium.comparison.comparison import Comparison, compare
    from tertium.comparison.components import Components, compare_components
    from tertium.comparison.doctor import Diagnosis, Finding, examine, examine_testset
    from tertium.comparison.favouritism import Favouritism, benefits, leave_one_out, measure_favouritism
    from tertium.comparison.groupings import (
        Grouping,
        by_document,
        by_labels,
        by_length,
        by_metadata,
        by_rarest_word,
        by_score_difference,
        training_counts,
    )
    from tertium.comparison.labels import Label, Labels
    from tertium.comparison.means import Means, segment_means
    from tertium.comparison.measured import Measured
    from tertium.comparison.ngrams import NGrams, count_ngrams
    from tertium.comparison.pair_results import PairTests
    from tertium.comparison.preferences import Preferences, preference_rates
    from tertium.comparison.significance import pair_tests
    from tertium.comparison.strongest import StrongestSegments, strongest_segments
    from tertium.comparison.tags import Tagged, Tags
    from tertium.comparison.typebuckets import TypeBuckets, type_buckets
    from tertium.comparison.types import TypeCurve, TypeDifferences, type_curve, type_differences


def __getattr__(name: str) -> Any:
    if name in _WHERE:
        value = getattr(import_module(f"tertium.comparison.{_WHERE[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'tertium.comparison' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
