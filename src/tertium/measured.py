"""What was measured: rows of every system by every metric, made once and shared by all analyses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from tertium import _native, registry
from tertium._native import Lines
from tertium.errors import InputError, SpecError, did_you_mean
from tertium.families.base import Level, Metric
from tertium.families.for_texts import asked_for
from tertium.statistics import Statistics
from tertium.text import tokenizers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tertium.testset import TestSet

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Measured:
    """Rows of every system by every metric: what scores and analyses start from. Nothing is tokenised again.

    A row is that of a segment, of a document, or of everything (`level`). Metrics with the same analysis have the very
    same rows here; `each` works on them once. Indexed by system and metric, or by number.

    >>> from tertium import TestSet
    >>> from tertium.measuring import measure
    >>> measured = measure(TestSet.sample(), ["bleu", "bleu:smooth=floor", "chrf"])
    >>> measured.systems
    ('literal', 'smooth', 'strong')
    >>> round(measured.corpus_score("strong", "bleu"), 1)
    64.2
    >>> measured.rows["strong", measured.metrics[0]] is measured.rows["strong", measured.metrics[1]]
    True
    """

    systems: tuple[str, ...]
    metrics: tuple[Metric, ...]
    rows: Mapping[tuple[str, Metric], Statistics]
    level: Level = "segment"
    n_segments: int = 0
    n_references: int | None = 1  # None: it varies
    pseudo: tuple[str, ...] = ()  # labels of those references that are outputs of other systems
    documents: tuple[str, ...] = ()  # their names, where a row is a document's
    begins: frozenset[int] | None = (
        None  # where documents begin: elsewhere metrics of documents have no score
    )
    units: str = "documents"  # what a document is, by ids or otherwise
    origin: tuple[str, ...] = ()  # of a test set by name: test:wmt17, lang:de-en
    notes: tuple[str, ...] = ()  # on tokenisers, for texts in languages without spaces between words
    threads: int = 1
    texts: TestSet | None = None  # None: they were streamed and not kept
    _known: dict[Any, Any] = field(default_factory=dict, repr=False)  # what was computed before

    def __len__(self) -> int:
        return self.n_segments

    def __getitem__(self, key: int | str | tuple[str, str | Metric]) -> Statistics:
        """measured["A", "bleu"]; measured["bleu"] where there is one system; measured[0], metric by metric."""
        if isinstance(key, int):
            return list(self.rows.values())[key]
        if not isinstance(key, tuple) and len(self.systems) > 1:
            raise KeyError(f"{key!r} is ambiguous: there are several systems, write measured[system, metric]")
        return self.statistics(*(key if isinstance(key, tuple) else (self.systems[0], key)))

    def signature(self, metric: Metric, level: Level = "corpus") -> str:
        """A metric's signature for these texts; for metrics over documents with what a document is, if not by ids."""
        whole = registry.said_of_texts(
            metric.signature(self.n_references, level, pseudo=self.pseudo), self.origin
        )
        if metric.scope == "segment" or self.units == "documents":
            return whole
        *items, version = whole.split("|")
        return "|".join([*items, f'units:"{self.units}"', version])

    @property
    def testset(self) -> TestSet:
        """The texts, for analyses that show or count words."""
        if self.texts is None:
            raise InputError("the texts were not kept: measure a TestSet to analyse words")
        return self.texts

    def metric(self, spec: str | Metric) -> Metric:
        """The measured metric that a spec string names."""
        wanted = asked_for(spec, self.metrics)
        if wanted not in self.metrics:
            raise SpecError(f"{wanted} was not measured (measured: {', '.join(map(str, self.metrics))})")
        return wanted

    def pair(self, systems: Sequence[str] | None = None) -> tuple[str, str]:
        """Two systems by name; by default the only two there are."""
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
        """The rows of a system by a metric, with the columns that the metric itself would make."""
        found = self.metric(metric)
        fitted: Statistics = found.fitted(self.rows[system, found])
        return fitted

    def each(self, change: Callable[[Statistics], T]) -> dict[tuple[str, Metric], T]:
        """`change(rows)` for every system and metric, called once for rows that metrics share."""
        made: dict[int, T] = {}
        for rows in self.rows.values():
            if id(rows) not in made:
                made[id(rows)] = change(rows)
        return {key: made[id(rows)] for key, rows in self.rows.items()}

    def sharing(self) -> list[tuple[Metric, ...]]:
        """The metrics, those together that have the same rows."""
        found: dict[int, tuple[Metric, ...]] = {}
        for metric in self.metrics:
            place = id(self.rows[self.systems[0], metric])
            found[place] = (*found.get(place, ()), metric)
        return list(found.values())

    def totals(self) -> Mapping[tuple[str, Metric], Statistics]:
        """One row for each system and metric: the sum of all."""
        return self.once("totals", lambda: self.each(lambda rows: rows.total()))

    def corpus_score(self, system: str, metric: str | Metric) -> float | None:
        """None where it is undefined."""
        found = self.metric(metric)
        return self.once((system, found), lambda: found.score_total(self.totals()[system, found]))

    def segment_scores(self, system: str, metric: str | Metric) -> NDArray[np.float64]:
        """A score for each segment; NaN where it is undefined. By a metric of documents the first segment of each has
        the document's score, and the others none."""
        found = self.metric(metric)

        def scored() -> NDArray[np.float64]:
            scores = found.score_rows(self.rows[system, found], "segment")
            if found.scope == "document" and self.begins is not None:
                scores[[i for i in range(len(scores)) if i not in self.begins]] = float("nan")
            return scores

        return self.once(("segments", system, found), scored)

    def lengths(self, side: str, tok: str = "13a") -> NDArray[np.int64]:
        """Tokens of each segment: of the "source", of the "reference" (the first there is), or of a system."""
        return self.once(("tokens", side, tok), lambda: token_counts(self._texts(side), tok))

    def once(self, key: Any, make: Callable[[], T]) -> T:
        """What `make` makes, made once for each key: what several analyses of the same rows have in common."""
        if key not in self._known:
            self._known[key] = make()
        found: T = self._known[key]
        return found

    def _texts(self, side: str) -> Lines:
        if side == "source":
            if self.testset.sources is None:
                raise InputError("source lengths need the source text, but this test set has none")
            return self.testset.sources
        if side == "reference":
            return self.testset.references.first
        if side not in self.testset.systems:
            known = ["source", "reference", *self.testset.systems]
            raise InputError(f"there is no text {side!r}{did_you_mean(side, known)}")
        return self.testset.systems[side]

    def word_weights(self, tok: str = "13a") -> tuple[NDArray[np.int64], str]:
        """Tokens of each segment as its weight: of the source where there is one, else of the reference."""
        side = "source" if self.testset.sources is not None else "reference"
        return self.lengths(side, tok), side

    @property
    def length_side(self) -> str:
        """The side whose tokens say how long a segment is: the reference, or the source where there are none. Whether
        sources are there too does not change it."""
        return "source" if self.testset.references.number == 0 else "reference"

    def segmentwise(self) -> Measured:
        """Without metrics that score whole documents, which say nothing of single segments."""
        return self.by_metrics([metric for metric in self.metrics if metric.scope == "segment"])

    def by_metrics(self, metrics: Sequence[Metric]) -> Measured:
        """The same by some of the metrics."""
        own = tuple(metrics)
        if own == self.metrics:
            return self
        rows = {key: rows for key, rows in self.rows.items() if key[1] in own}
        return replace(self, metrics=own, rows=rows, _known={})

    def renamed(self, systems: Mapping[str, str]) -> Measured:
        """Some of the systems under other names: `systems` has the old name of each new one."""
        if tuple(systems.items()) == tuple(zip(self.systems, self.systems, strict=True)):
            return self
        texts = self.texts
        if texts is not None:
            texts = replace(texts, systems={new: texts.systems[old] for new, old in systems.items()})
        rows = {
            (new, metric): self.rows[old, metric] for new, old in systems.items() for metric in self.metrics
        }
        return replace(self, systems=tuple(systems), rows=rows, texts=texts, _known={})

    def joined(self, other: Measured) -> Measured:
        """The metrics of both, on the same texts."""
        metrics = tuple(dict.fromkeys((*self.metrics, *other.metrics)))
        notes = tuple(dict.fromkeys((*self.notes, *other.notes)))
        return replace(self, metrics=metrics, rows={**self.rows, **other.rows}, notes=notes, _known={})


def token_counts(lines: Lines, tok: str = "13a") -> NDArray[np.int64]:
    """How many tokens each line has.

    >>> token_counts(Lines(["Hello, world.", ""])).tolist()
    [4, 0]
    """
    import numpy as np

    native, before = tokenizers.plan(tok)
    texts = lines if before is None else before(lines)
    return np.asarray(_native.count_tokens(texts, native, 1), dtype=np.int64)[:, 0]
