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
class Analysis:
    """A part of a comparison: a sentence, its tables, and what it adds to `.data()` (None: that is there already)."""

    sentence: str
    tables: Callable[[Comparison], Iterable[Table]]
    data: Callable[[Comparison], Any] | None = None


SIGNIFICANCE = Analysis(
    "Is the difference real: tests of every pair by every metric.",
    lambda found: (table for tests in found.tests for table in tests.tables()),
)
BUCKETS = Analysis(
    "Where: scores by length, document, metadata.", lambda found: (own.table() for own in found.buckets)
)
FREQUENCIES = Analysis(
    "Where: words by their frequency in training.",
    lambda found: [] if found.frequencies is None else [found.frequencies.table()],
)
MEANS = Analysis("Plain and length-weighted means of segment scores.", lambda found: [found.means.table()])
PREFERENCES = Analysis(
    "How often one is better, and would people agree.",
    lambda found: (own.table() for own in found.preferences),
)
COMPONENTS = Analysis("Why: precisions, lengths, edits.", lambda found: [found.components.table()])
TYPES = Analysis("How rare words fare.", lambda found: [found.curve.table()])
TYPE_DIFFERENCES = Analysis(
    "Words that one gets and the other misses.",
    lambda found: (own.table(SHOWN) for own in found.type_differences),
)
NGRAMS = Analysis(
    "What each says too often and too rarely.",
    lambda found: (own.table(SHOWN) for own in found.ngrams.values()),
)
STRONGEST = Analysis(
    "The segments that speak most for one of the two.",
    lambda found: (own.table() for own in found.strongest) if found.k else [],
)
TAGS = Analysis(
    "What people said of outputs.",
    lambda found: [found.tags.table()] if any(e.looked_at for e in found.tags.entries.values()) else [],
)
GATE = Analysis("What the conditions say.", lambda found: [] if found.gate is None else [found.gate.table()])

ANALYSES: Registry[Analysis] = Registry(
    "analysis",
    "tertium.analyses",
    {
        "significance": "tertium.comparison.analyses:SIGNIFICANCE",
        "buckets": "tertium.comparison.analyses:BUCKETS",
        "frequencies": "tertium.comparison.analyses:FREQUENCIES",
        "means": "tertium.comparison.analyses:MEANS",
        "preferences": "tertium.comparison.analyses:PREFERENCES",
        "components": "tertium.comparison.analyses:COMPONENTS",
        "types": "tertium.comparison.analyses:TYPES",
        "type-differences": "tertium.comparison.analyses:TYPE_DIFFERENCES",
        "ngrams": "tertium.comparison.analyses:NGRAMS",
        "strongest": "tertium.comparison.analyses:STRONGEST",
        "tags": "tertium.comparison.analyses:TAGS",
        "gate": "tertium.comparison.analyses:GATE",
    },
)
