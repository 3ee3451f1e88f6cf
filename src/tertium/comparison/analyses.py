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
    texts: Callable[[Comparison], Iterable[str]] = (
        lambda _found: ()
    )  # what stands below the tables, for people


SIGNIFICANCE = ComparisonAnalysis(
    "Whether differences are real: significance tests of every pair by every metric.",
    lambda found: (table for tests in found.tests for table in tests.tables()),
)
BUCKETS = ComparisonAnalysis(
    "Scores by length, document and metadata.", lambda found: (own.table() for own in found.buckets)
)
FREQUENCIES = ComparisonAnalysis(
    "Words by their frequency in the training data.",
    lambda found: [] if found.frequencies is None else [found.frequencies.table()],
)
UNSEEN = ComparisonAnalysis(
    "What becomes of source words that the training data lacks: copied, translated, dropped; words invented.",
    lambda found: [] if found.unseen is None else [found.unseen.table()],
)
ERROR_CLASSES = ComparisonAnalysis(
    "Kinds of errors: order, inflection, missing, extra and wrong words.",
    lambda found: [found.error_classes.table()],
)
MEANS = ComparisonAnalysis(
    "Plain and length-weighted means of segment scores.", lambda found: [found.means.table()]
)
PREFERENCES = ComparisonAnalysis(
    "How often each system is better, and whether people agree.",
    lambda found: (own.table() for own in found.preferences),
)
COMPONENTS = ComparisonAnalysis(
    "What the scores are made of: precisions, lengths, edits.", lambda found: [found.components.table()]
)
TYPES = ComparisonAnalysis(
    "How well frequent and rare words are translated.", lambda found: [found.curve.table()]
)
TYPE_DIFFERENCES = ComparisonAnalysis(
    "Words that one system gets right and the other misses.",
    lambda found: (own.table(SHOWN) for own in found.type_differences),
)
NGRAMS = ComparisonAnalysis(
    "n-grams that each system produces too often or too rarely, and those that one matches more often.",
    lambda found: [
        *(own.table(SHOWN) for own in found.ngrams.values()),
        *(own.table(SHOWN) for own in found.matched_ngrams),
    ],
)
STRONGEST = ComparisonAnalysis(
    "The segments that favour one of two systems most.",
    lambda found: (own.table() for own in found.strongest) if found.k else [],
    texts=lambda found: (own.excerpts() for own in found.strongest) if found.k else [],
)
DOCTOR = ComparisonAnalysis(
    "What is wrong with the texts.",
    lambda found: [],
    texts=lambda found: [found.doctor.text()],
)
TAGS = ComparisonAnalysis(
    "How people tagged the outputs.",
    lambda found: [found.tags.table()] if any(e.looked_at for e in found.tags.entries.values()) else [],
)
GATE = ComparisonAnalysis(
    "Whether the conditions of the gate are met.",
    lambda found: [] if found.gate is None else [found.gate.table()],
)

_OURS = (
    *(
        "significance",
        "buckets",
        "frequencies",
        "unseen",
        "error-classes",
        "means",
        "preferences",
        "components",
        "types",
    ),
    *("type-differences", "ngrams", "strongest", "tags", "doctor", "gate"),
)
ANALYSES: Registry[ComparisonAnalysis] = Registry(
    "analysis",
    "tertium.analyses",
    {name: f"{__name__}:{name.replace('-', '_').upper()}" for name in _OURS},
)
