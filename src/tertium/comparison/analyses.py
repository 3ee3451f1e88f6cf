"""The analyses that a comparison shows, in their order; packages add theirs (`tertium.analyses`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tertium.registry import Registry

if TYPE_CHECKING:
    from tertium.comparison.comparison import Comparison
    from tertium.io.tables import Table

SHOWN = 5  # types and n-grams in a table


@dataclass(frozen=True)
class ComparisonAnalysis:
    """A part of a comparison: a sentence, its tables, and what it adds to `.data()` (None: that is there already)."""

    sentence: str
    tables: Callable[[Comparison], Iterable[Table]]
    data: Callable[[Comparison], Any] | None = None


SIGNIFICANCE = ComparisonAnalysis(
    "Is the difference real: tests of every pair by every metric.",
    lambda found: (table for tests in found.tests for table in tests.tables()),
)
BUCKETS = ComparisonAnalysis(
    "Where: scores by length, document, metadata.", lambda found: (own.table() for own in found.buckets)
)
FREQUENCIES = ComparisonAnalysis(
    "Where: words by their frequency in training.",
    lambda found: [] if found.frequencies is None else [found.frequencies.table()],
)
MEANS = ComparisonAnalysis(
    "Plain and length-weighted means of segment scores.", lambda found: [found.means.table()]
)
PREFERENCES = ComparisonAnalysis(
    "How often one is better, and would people agree.",
    lambda found: (own.table() for own in found.preferences),
)
COMPONENTS = ComparisonAnalysis("Why: precisions, lengths, edits.", lambda found: [found.components.table()])
TYPES = ComparisonAnalysis("How rare words fare.", lambda found: [found.curve.table()])
TYPE_DIFFERENCES = ComparisonAnalysis(
    "Words that one gets and the other misses.",
    lambda found: (own.table(SHOWN) for own in found.type_differences),
)
NGRAMS = ComparisonAnalysis(
    "What each says too often and too rarely.",
    lambda found: (own.table(SHOWN) for own in found.ngrams.values()),
)
STRONGEST = ComparisonAnalysis(
    "The segments that speak most for one of the two.",
    lambda found: (own.table() for own in found.strongest) if found.k else [],
)
TAGS = ComparisonAnalysis(
    "What people said of outputs.",
    lambda found: [found.tags.table()] if any(e.looked_at for e in found.tags.entries.values()) else [],
)
GATE = ComparisonAnalysis(
    "What the conditions say.", lambda found: [] if found.gate is None else [found.gate.table()]
)

_OURS = (
    *("significance", "buckets", "frequencies", "means", "preferences", "components", "types"),
    *("type-differences", "ngrams", "strongest", "tags", "gate"),
)
ANALYSES: Registry[ComparisonAnalysis] = Registry(
    "analysis",
    "tertium.analyses",
    {name: f"{__name__}:{name.replace('-', '_').upper()}" for name in _OURS},
)
