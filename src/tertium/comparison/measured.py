"""A test set, measured: the rows of every system by every metric, made once and shared by all analyses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tertium import _native, registry
from tertium._native import Lines
from tertium.errors import InputError, SpecError, did_you_mean
from tertium.families.base import Metric
from tertium.statistics import Statistics
from tertium.testset import TestSet
from tertium.text import tokenizers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Measured:
    """What all analyses start from: statistics of every system by every metric. Nothing is tokenised again.

    >>> from tertium import TestSet
    >>> measured = Measured.of(TestSet.sample(), ["bleu", "chrf"])
    >>> measured.systems
    ('literal', 'smooth', 'strong')
    >>> round(measured.corpus_score("strong", measured.metrics[0]), 1)
    64.2
    """

    testset: TestSet
    systems: tuple[str, ...]
    metrics: tuple[Metric, ...]
    rows: Mapping[tuple[str, Metric], Statistics]
    threads: int = 1
    _segments: dict[tuple[str, Metric], Any] = field(default_factory=dict, repr=False)
    _tokens: dict[tuple[str, str], Any] = field(default_factory=dict, repr=False)

    @classmethod
    def of(
        cls,
        testset: TestSet,
        metrics: str | Metric | Sequence[str | Metric] = ("bleu", "chrf"),
        *,
        systems: Sequence[str] | None = None,
        threads: int = 1,
    ) -> Measured:
        """The rows of these systems (all of the test set by default) by these metrics."""
        specs = [metrics] if isinstance(metrics, str | Metric) else list(metrics)
        chosen = tuple(dict.fromkeys(registry.metric(spec) for spec in specs))
        if not chosen:
            raise SpecError("there are no metrics to compare by")
        names = tuple(testset.systems) if systems is None else tuple(systems)
        if not names:
            raise InputError(f"test set {testset.name!r} has no systems to compare")
        if len(set(names)) < len(names):
            raise InputError(f"a system is named twice: {', '.join(names)}")
        for name in names:
            if name not in testset.systems:
                raise InputError(f"there is no system {name!r}{did_you_mean(name, testset.systems)}")
        rows: dict[tuple[str, Metric], Statistics] = {}
        for metric in chosen:
            if metric.needs_source and testset.sources is None:
                raise InputError(f"{metric.name} compares with the source text, which this test set has not")
            prepared = metric.prepare(testset.references, threads=threads)
            for name in names:
                lines = testset.systems[name]
                rows[name, metric] = metric.statistics(
                    lines, prepared, sources=testset.sources, threads=threads
                )
        return cls(testset, names, chosen, rows, threads)

    def __len__(self) -> int:
        return len(self.testset)

    def metric(self, spec: str | Metric) -> Metric:
        """The metric of ours that a spec string names."""
        wanted = registry.metric(spec)
        if wanted not in self.metrics:
            raise SpecError(f"{wanted} was not measured (measured: {', '.join(map(str, self.metrics))})")
        return wanted

    def pair(self, systems: Sequence[str] | None = None) -> tuple[str, str]:
        """Two systems by name; without names the only two there are."""
        names = self.systems if systems is None else tuple(systems)
        if len(names) != 2:
            shown = ", ".join(self.systems)
            raise InputError(
                f"two systems are compared here, but there are {len(names)}: choose from {shown}"
            )
        for name in names:
            if name not in self.systems:
                raise InputError(f"there is no system {name!r}{did_you_mean(name, self.systems)}")
        if names[0] == names[1]:
            raise InputError(f"{names[0]!r} cannot be compared with itself")
        return names[0], names[1]

    def statistics(self, system: str, metric: str | Metric) -> Statistics:
        """A row for each segment."""
        return self.rows[system, self.metric(metric)]

    def corpus_score(self, system: str, metric: str | Metric) -> float | None:
        """None where it is undefined."""
        found = self.metric(metric)
        return found.score_total(self.rows[system, found])

    def segment_scores(self, system: str, metric: str | Metric) -> Vector:
        """A score for each segment; NaN where it is undefined."""
        found = self.metric(metric)
        key = system, found
        if key not in self._segments:
            self._segments[key] = found.score_rows(self.rows[key], "segment")
        scores: Vector = self._segments[key]
        return scores

    def lengths(self, side: str, tok: str = "13a") -> NDArray[np.int64]:
        """Tokens of each segment: of the "source", of the "reference" (the first there is), or of a system."""
        key = side, tok
        if key not in self._tokens:
            self._tokens[key] = token_counts(self._texts(side), tok)
        counts: NDArray[np.int64] = self._tokens[key]
        return counts

    def _texts(self, side: str) -> Lines:
        if side == "source":
            if self.testset.sources is None:
                raise InputError("lengths of sources need the source text, which this test set has not")
            return self.testset.sources
        if side == "reference":
            return first_references(self.testset)
        if side not in self.testset.systems:
            known = ["source", "reference", *self.testset.systems]
            raise InputError(f"there is no text {side!r}{did_you_mean(side, known)}")
        return self.testset.systems[side]

    def word_weights(self, tok: str = "13a") -> tuple[NDArray[np.int64], str]:
        """Tokens that say how much of the text a segment is: of the source where there is one, else the reference."""
        side = "source" if self.testset.sources is not None else "reference"
        return self.lengths(side, tok), side


def first_references(testset: TestSet) -> Lines:
    """For each segment the first reference it has."""
    streams = testset.references.streams
    if not streams[0].count_missing():
        return streams[0]
    found = (next(s[i] for s in streams if s[i] is not None) for i in range(len(testset)))
    return Lines(list(found))


def token_counts(lines: Lines, tok: str = "13a") -> NDArray[np.int64]:
    """How many tokens each line has.

    >>> token_counts(Lines(["Hello, world.", ""])).tolist()
    [4, 0]
    """
    import numpy as np

    native, before = tokenizers.plan(tok)
    texts = lines if before is None else before(lines)
    return np.asarray(_native.count_tokens(texts, native, 1), dtype=np.int64)[:, 0]


def better(metric: Metric, first: float | None, second: float | None, tolerance: float = 1e-9) -> int:
    """1 where the first score is better, -1 where the second is, 0 where they are equal or one is undefined."""
    if first is None or second is None or first != first or second != second:
        return 0
    gap = (first - second) if metric.higher_is_better else (second - first)
    return 0 if abs(gap) <= tolerance * max(1.0, abs(first), abs(second)) else 1 if gap > 0 else -1
