"""Scoring: texts in, numbers out, for any metrics, systems and level.

A `Tally` adds batches, so that files of any size are scored in flat memory; `score` is a tally with one batch.
"""

from __future__ import annotations

import warnings
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tertium import registry
from tertium._native import Lines
from tertium.errors import InputError, SpecError, TertiumWarning
from tertium.families.base import Level, Metric, Prepared, checked_level
from tertium.scores import Score, Scores
from tertium.statistics import Statistics
from tertium.text.segments import References, Texts, as_lines

PIECE = 65536  # segments a thread analyses at once: memory stays flat however many there are


class Tally:
    """Adds up one metric over batches of segments, for several systems against the same references."""

    def __init__(self, metric: Metric, systems: Sequence[str], level: Level, threads: int = 1) -> None:
        self.metric, self.systems, self.level, self.threads = metric, list(systems), level, threads
        self._totals: list[Statistics | None] = [None] * len(self.systems)
        self._values = [array("d") for _ in self.systems]
        self._documents: dict[str, int] = {}
        self._references: set[int | None] = set()

    def add(
        self,
        hypotheses: Sequence[Lines],
        references: References,
        sources: Lines | None = None,
        documents: Sequence[str] | None = None,
    ) -> None:
        """A batch: hypotheses of every system, and the references of the same segments."""
        add_to_all([self], hypotheses, references, sources, documents)

    def _add_piece(self, piece: _Piece, groups: list[int]) -> None:
        prepared = piece.prepared(self.metric, self.threads)
        self._references.add(prepared.n_references)
        for i in range(len(self.systems)):
            known = self._totals[i]
            if self.level == "corpus":
                total = piece.total(self.metric, i, prepared, self.threads)
                self._totals[i] = total if known is None else known.accumulate(total)
                continue
            rows = piece.rows(self.metric, i, prepared, self.threads)
            if self.level == "segment":
                self._values[i].extend(self.metric._scores(rows, "segment"))
            else:
                part = rows.grouped(groups, len(self._documents))
                if known is not None:  # documents seen before keep their rows, new ones come behind
                    order = [*range(len(known)), *range(len(part))]
                    part = known.concat(part).grouped(order, len(part))
                self._totals[i] = part

    def _number(self, documents: Sequence[str] | None, n: int) -> list[int]:
        if documents is None:
            raise InputError("document scores need to know the documents: give an id for each segment")
        if len(documents) != n:
            raise InputError(f"there are {n} segments, but {len(documents)} document ids")
        return [self._documents.setdefault(name, len(self._documents)) for name in documents]

    def scores(self) -> list[Score]:
        """One Score a system."""
        number = next(iter(self._references)) if len(self._references) == 1 else None
        signature = self.metric.signature(number, self.level)
        return [self._score(i, name, signature) for i, name in enumerate(self.systems)]

    def _score(self, i: int, name: str, signature: str) -> Score:
        if self.level == "segment":
            values = self._values[i]
            ids: Sequence[str] = [str(number) for number in range(1, len(values) + 1)]
            return Score(name, self.metric, self.level, ids, _defined(values), signature)
        total = self._totals[i]
        if total is None:
            raise InputError("there is nothing to score: no segments")
        values = self.metric._scores(total, self.level)
        if self.level == "document":
            return Score(name, self.metric, self.level, list(self._documents), _defined(values), signature)
        verbose = self.metric.verbose(total)
        return Score(
            name,
            self.metric,
            self.level,
            [""],
            _defined(values),
            signature,
            verbose,
            _Components(self.metric, total),
        )


class _Piece:
    """Some segments; references and rows that several metrics have in common (`Metric.analysis`) are made once."""

    def __init__(
        self,
        hypotheses: Sequence[Lines],
        references: References,
        sources: Lines | None,
        metrics: Iterable[Metric],
    ) -> None:
        self._hypotheses, self._references, self._sources = hypotheses, references, sources
        self._wanted = Counter(metric.analysis for metric in metrics)
        self._prepared: dict[Metric, Prepared] = {}
        self._rows: dict[tuple[Metric, int], Statistics] = {}
        self._totals: dict[tuple[Metric, int], Statistics] = {}

    def prepared(self, metric: Metric, threads: int) -> Prepared:
        made = self._prepared.get(metric.analysis)
        if made is None:
            made = metric.prepare(self._references, threads=threads)
            if self._wanted[metric.analysis] > 1:  # else nobody will ask again
                self._prepared[metric.analysis] = made
        return made

    def rows(self, metric: Metric, system: int, prepared: Prepared, threads: int) -> Statistics:
        key = metric.analysis, system
        made = self._rows.get(key)
        if made is None:
            made = metric.statistics(
                self._hypotheses[system], prepared, sources=self._sources, threads=threads
            )
            if self._wanted[metric.analysis] > 1:
                self._rows[key] = made
        return made

    def total(self, metric: Metric, system: int, prepared: Prepared, threads: int) -> Statistics:
        key = metric.analysis, system
        made = self._totals.get(key)
        if made is None:
            made = metric.total(self._hypotheses[system], prepared, sources=self._sources, threads=threads)
            if self._wanted[metric.analysis] == 1:
                return made
            self._totals[key] = made
        return made.total()  # a copy: tallies add to theirs in place


def add_to_all(
    tallies: Sequence[Tally],
    hypotheses: Sequence[Lines],
    references: References,
    sources: Lines | None = None,
    documents: Sequence[str] | None = None,
) -> None:
    """A batch for several tallies of the same systems, piece by piece, so that they can share rows in flat memory."""
    n = len(references)
    if sources is not None and len(sources) != n:
        raise InputError(f"there are {n} hypotheses, but {len(sources)} sources")
    groups = [tally._number(documents, n) if tally.level == "document" else [] for tally in tallies]
    for whole in (False, True):
        chosen = [(t, g) for t, g in zip(tallies, groups, strict=True) if t.metric.needs_whole_set == whole]
        step = max(1, n) if whole else PIECE * max([1, *(tally.threads for tally, _ in chosen)])
        for begin in range(0, n if chosen else 0, step):
            end = min(begin + step, n)
            piece = _Piece(
                [lines.slice(begin, end) for lines in hypotheses],
                references.map(lambda lines, b=begin, e=end: lines.slice(b, e))
                if end - begin < n
                else references,
                None if sources is None else sources.slice(begin, end),
                (tally.metric for tally, _ in chosen),
            )
            for tally, numbers in chosen:
                tally._add_piece(piece, numbers[begin:end])


class _Components(Mapping[str, Any]):
    """The parts of a score, computed when somebody looks."""

    def __init__(self, metric: Metric, total: Statistics) -> None:
        self._metric, self._total, self._parts = metric, total, dict[str, Any]()

    def _known(self) -> dict[str, Any]:
        if not self._parts:
            self._parts = self._metric.components(self._total)
        return self._parts

    def __getitem__(self, key: str) -> Any:
        return self._known()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._known())

    def __len__(self) -> int:
        return len(self._known())

    def __repr__(self) -> str:
        return repr(self._known())

    def __reduce__(self) -> Any:
        """Pickled and copied as what they are: computed."""
        return dict, (self._known(),)


TOKENISED_LINES = 100  # so many lines that end in " ." look like tokenised text, says sacrebleu


class Doubts:
    """Hypotheses that are scored but look wrong: all empty, or tokenised already."""

    def __init__(self, systems: Sequence[str]) -> None:
        self._systems = list(systems)
        self._empty, self._tokenised = [0] * len(self._systems), [0] * len(self._systems)
        self._segments = 0

    def add(self, hypotheses: Sequence[Lines]) -> None:
        """A batch: the outputs of every system."""
        self._segments += len(hypotheses[0])
        for i, lines in enumerate(hypotheses):
            self._empty[i] += lines.count_empty()
            self._tokenised[i] += lines.count_ending(" .")

    def warn(self, metrics: Sequence[Metric], *, force: bool = False) -> None:
        """A TertiumWarning for each doubt; `force` says that the text is meant to look tokenised."""
        tokenising = any(getattr(metric, "tok", "none") != "none" for metric in metrics)
        for name, empty, periods in zip(self._systems, self._empty, self._tokenised, strict=True):
            if empty == self._segments:
                warnings.warn(f"{name}: all hypotheses are empty", TertiumWarning, stacklevel=3)
            if periods >= TOKENISED_LINES and tokenising and not force:
                warnings.warn(
                    f"{name}: {periods} lines end in ' .': it looks tokenised, which may hurt the score "
                    "(detokenise it, or say --force, in Python force=True)",
                    TertiumWarning,
                    stacklevel=3,
                )


def reference_free(metrics: Iterable[str | Metric]) -> bool:
    """Whether none of these metrics looks at references.

    >>> reference_free(["yisi2"]), reference_free(["yisi2", "bleu"])
    (True, False)
    """
    return not any(registry.metric(spec).needs_references for spec in metrics)


def _defined(values: Any) -> list[float | None]:
    return [None if value != value else value for value in map(float, values)]


def score(
    hypotheses: Texts | Mapping[str, Texts],
    references: Any = None,
    metrics: str | Metric | Sequence[str | Metric] = ("bleu", "chrf"),
    *,
    references_per_segment: Any = None,
    sources: Texts | None = None,
    documents: Sequence[str] | None = None,
    level: str = "corpus",
    threads: int = 1,
    force: bool = False,
) -> Scores:
    """Score one system (a list of strings) or several (a mapping from name to list).

    `references` is one list of strings or a list of streams, each as long as the hypotheses;
    `references_per_segment` a list of references for each segment.

    >>> result = score(["the cat sat on the mat"], ["the cat sat on a mat"], ["bleu", "ter"])
    >>> [round(s.value, 1) for s in result]
    [53.7, 16.7]
    """
    wanted = checked_level(level)
    systems = dict(hypotheses) if isinstance(hypotheses, Mapping) else {"system": hypotheses}
    if not systems:
        raise InputError("there are no systems to score")
    columns = {
        name: as_lines(texts, f"hypotheses of {name}" if len(systems) > 1 else "hypotheses")
        for name, texts in systems.items()
    }
    lengths = {len(lines) for lines in columns.values()}
    if len(lengths) > 1:
        sizes = ", ".join(f"{name}: {len(lines)}" for name, lines in columns.items())
        raise InputError(f"the systems differ in their number of segments ({sizes})")
    n = lengths.pop()
    if n == 0:
        raise InputError("there is nothing to score: no segments")
    source_lines = None if sources is None else as_lines(sources, "sources")
    chosen = [metrics] if isinstance(metrics, str | Metric) else list(metrics)
    if not chosen:
        raise SpecError("there are no metrics to score with")
    if references is references_per_segment is None and source_lines is not None and reference_free(chosen):
        references = source_lines  # nobody looks at it
    if (references is None) == (references_per_segment is None):
        raise InputError("give references or references_per_segment, one of the two")
    checked = (
        References.of(references, n)
        if references_per_segment is None
        else References.per_segment(references_per_segment)
    )
    if len(checked) != n:
        raise InputError(f"there are {n} hypotheses, but references for {len(checked)} segments")
    ids = None if documents is None else as_lines(documents, "documents")
    names = None if ids is None else [str(ids[i]) for i in range(len(ids))]
    tallies = [Tally(registry.metric(spec), list(columns), wanted, threads) for spec in chosen]
    add_to_all(tallies, list(columns.values()), checked, source_lines, names)
    found = [score for tally in tallies for score in tally.scores()]
    doubts = Doubts(list(columns))
    doubts.add(list(columns.values()))
    doubts.warn([score.metric for score in found], force=force)
    order = {name: i for i, name in enumerate(columns)}
    return Scores(wanted, tuple(sorted(found, key=lambda s: order[s.system])))
