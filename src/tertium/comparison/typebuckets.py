"""Word types in buckets by their frequency in a training corpus: what a system does with words it has rarely seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tertium.comparison.groupings import FREQUENCIES, frequency_ranges
from tertium.comparison.typecounts import type_table
from tertium.errors import InputError
from tertium.families.base import Metric
from tertium.io.tables import Column, Table, Value, number_column
from tertium.measured import Measured
from tertium.results import Result


@dataclass(frozen=True)
class TypeScores:
    """One system on the types of a bucket, in percent; None where there is nothing to divide by."""

    precision: float | None
    recall: float | None
    f: float | None  # of pooled counts
    macro_f: float | None  # mean over types


@dataclass(frozen=True)
class TypeBucket:
    """Types of similar frequency."""

    name: str
    types: int
    words: int  # tokens of these types in the references
    share_of_words: float | None
    scores: Mapping[str, TypeScores]


@dataclass(frozen=True)
class TypeBuckets(Result):
    """All buckets of types."""

    kind = "type buckets"
    by: str
    systems: tuple[str, ...]
    buckets: tuple[TypeBucket, ...]

    def table(self) -> Table:
        """A row for each bucket and system."""
        rows: list[tuple[Value, ...]] = []
        for bucket in self.buckets:
            share = None if bucket.share_of_words is None else 100 * bucket.share_of_words
            rows += [
                (bucket.name, bucket.types, share, name, own.precision, own.recall, own.f, own.macro_f)
                for name, own in bucket.scores.items()
            ]
        columns = (
            Column("frequency"),
            number_column("types", digits=None),
            number_column("% of words", "percent_of_words", 1),
            Column("system"),
            number_column("precision"),
            number_column("recall"),
            number_column("F"),
            number_column("mean F of types", "macro_f"),
        )
        return Table(f"Words by {self.by}", columns, tuple(rows), ("words are reference tokens",))


def type_buckets(
    measured: Measured,
    training: Mapping[str, int] | None = None,
    starts: Sequence[int] = FREQUENCIES,
    *,
    metric: str | Metric = "macrof",
) -> TypeBuckets:
    """Precision, recall and F of word types by frequency in `training` (see `training_counts`), else in the references.

    >>> from tertium import TestSet, measure
    >>> ts = TestSet.of(["a b", "a c"], {"A": ["a b", "a d"]})
    >>> found = type_buckets(measure(ts, "macrof"), {"a": 5}, [5])
    >>> [(bucket.name, bucket.types, bucket.scores["A"].f) for bucket in found.buckets]
    [('0-4', 3, 50.0), ('5+', 1, 100.0)]
    """
    import numpy as np

    if list(starts) != sorted(set(starts)) or (starts and starts[0] < 1):
        raise InputError(f"frequency buckets must begin at increasing numbers above 0, not at {list(starts)}")
    types = type_table(measured, metric)
    if training is None:
        frequency = types.reference
    else:
        frequency = np.array([training.get(name, 0) for name in types.names], dtype=np.int64)
    bounds = [0, *starts]
    places = np.searchsorted(np.asarray(bounds), frequency, side="right") - 1
    all_words = int(types.reference.sum())
    square = types.beta**2
    made = []
    for g, name in enumerate(frequency_ranges(bounds)):
        own = np.flatnonzero(places == g)
        if not len(own):
            continue
        reference = int(types.reference[own].sum())
        scores = {}
        for row, system in enumerate(types.systems):
            here = own[
                (types.reference[own] > 0) | (types.predicted[row, own] > 0)
            ]  # the system's own vocabulary
            predicted, matched = int(types.predicted[row, own].sum()), int(types.matched[row, own].sum())
            below = square * reference + predicted
            scores[system] = TypeScores(
                100 * matched / predicted if predicted else None,
                100 * matched / reference if reference else None,
                100 * (1 + square) * matched / below if below else None,
                100 * float(types.f[row, here].mean()) if len(here) else None,
            )
        share = reference / all_words if all_words else None
        made.append(TypeBucket(name, len(own), reference, share, scores))
    where = "the references" if training is None else "the training corpus"
    return TypeBuckets(f"frequency in {where}", types.systems, tuple(made))
