"""One way to measure: texts in, rows of statistics out, for all systems and metrics.

Nothing is analysed twice. Metrics that only score differently share rows (`Metric.analysis`), metrics that read
references alike share them prepared (`Metric.preparation`), and all systems share both. Rows are added up as they come
unless they are needed one by one, so that files of any size are measured in constant memory.
"""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tertium import _native, registry
from tertium._native import Lines
from tertium.errors import InputError, SpecError, TertiumWarning, TextError, did_you_mean
from tertium.families.base import Level, Metric
from tertium.io.caches import mended
from tertium.io.door import Batch, Inputs
from tertium.measured import Measured
from tertium.progress import steps
from tertium.statistics import Statistics
from tertium.text import units

if TYPE_CHECKING:
    from tertium.testset import TestSet

Specs = str | Metric | Sequence[str | Metric]
PIECE = 65536  # segments a thread analyses at a time: memory stays constant however many there are
MOST_THREADS = 4096  # a larger number is a typing error
TOKENISED_LINES = 100  # sacrebleu's threshold: this many lines that end in " ." look tokenised


def measure(
    texts: TestSet | Inputs,
    metrics: Specs = ("bleu", "chrf"),
    level: Level = "segment",
    *,
    systems: Sequence[str] | None = None,
    threads: int = 1,
    force: bool = False,
) -> Measured:
    """Measure a test set, or files as they are read (`Inputs`), in one pass for all systems and metrics.

    A row is kept for each segment, each document, or the corpus; the last two take constant memory. `systems` chooses
    from a test set; `force` suppresses the warning about files that look tokenised already. `threads`
    0 means all cores; no number depends on it.

    >>> from tertium import TestSet
    >>> measured = measure(TestSet.sample(), ["bleu", "bleu:smooth=floor", "macrof1"])
    >>> len(measured["strong", "bleu"]), round(measured.corpus_score("strong", "macrof1"), 1)
    (69, 56.5)
    """
    threads = thread_number(threads)
    chosen = tuple(dict.fromkeys(metrics_named(metrics)))
    if isinstance(texts, Inputs):
        ledger = _Ledger(tuple(texts.systems), chosen, level, threads)
        for batch in watched(texts, chosen, force=force):
            ledger.add(batch)
        return replace(ledger.measured(), units=texts.units)
    names = _chosen_systems(texts, systems)
    for metric in chosen:
        if metric.needs_source and texts.sources is None:
            raise InputError(f"{metric.name} compares with the source text, but this test set has none")
    if len(texts) > PIECE:  # what was freed before and lies about would add to what is needed now
        _native.give_back_memory()
    ledger = _Ledger(names, chosen, level, threads)
    outputs = [texts.systems[name] for name in names]
    batch = Batch(outputs, texts.references, texts.sources, list(texts.documents or ()) or None)
    own = _OwnOutputs(names)
    own.see(batch)
    own.refuse()
    ledger.add(
        batch, in_one=True
    )  # texts and rows are in memory: references, prepared, are little beside them
    return replace(ledger.measured(texts), units=texts.units)


def measure_pieces(
    inputs: Inputs,
    metrics: Sequence[Metric],
    *,
    threads: int = 1,
    force: bool = False,
) -> Iterator[Measured]:
    """A `Measured` for some segments at a time, where each row is needed only once."""
    threads = thread_number(threads)
    whole = read_whole(metrics)
    for batch in watched(inputs, metrics, force=force):
        pieces = _pieces(batch.n_segments, None if whole else PIECE * threads)
        for begin, end in pieces:
            ledger = _Ledger(tuple(inputs.systems), tuple(metrics), "segment", threads)
            ledger.add(batch if len(pieces) == 1 else _part(batch, begin, end))
            yield replace(ledger.measured(), units=inputs.units)


def read_whole(metrics: Iterable[Metric]) -> bool:
    """Whether files must be read whole: a document may begin in one batch and end in another."""
    return any(metric.needs_whole_set or metric.scope == "document" for metric in metrics)


def analyses(metrics: Iterable[Metric], n_references: int | None) -> dict[Metric, Metric]:
    """For each metric the one whose rows it scores: of all that are needed anyway, the one that holds most.

    >>> of = analyses(map(registry.metric, ["bleu", "bleu:order=2,smooth=floor", "chrf"]), 1)
    >>> [str(analysis) for analysis in of.values()]
    ['bleu', 'bleu', 'chrf']
    """
    needed = {metric: metric.analysis(n_references) for metric in metrics}
    found: dict[Metric, Metric] = {}
    for metric, analysis in needed.items():
        found[metric] = analysis
        for other in dict.fromkeys(needed.values()):
            if other != found[metric] and other.covers(found[metric], n_references):
                found[metric] = other
    return found


class _Ledger:
    """Adds batches: rows of every system by every analysis, each made once."""

    def __init__(
        self, systems: tuple[str, ...], metrics: tuple[Metric, ...], level: Level, threads: int
    ) -> None:
        self._systems, self._metrics, self._level, self._threads = systems, metrics, level, threads
        self._analyses: dict[Metric, Metric] = {}
        self._kept: dict[tuple[str, Metric], list[Statistics]] = {}
        self._documents: dict[str, int] = {}
        self._begins: frozenset[int] | None = None
        self._references: set[int | None] = set()
        self._pseudo: tuple[str, ...] = ()
        self._segments = 0

    def add(self, batch: Batch, *, in_one: bool = False) -> None:
        """A piece at a time, or all of it in one."""
        n = len(batch.references)
        if batch.sources is not None and len(batch.sources) != n:
            raise InputError(f"there are {n} hypotheses, but {len(batch.sources)} sources")
        if not self._analyses:
            streams = len(batch.references.streams)
            self._analyses = analyses(self._metrics, streams if streams == 1 else None)
        groups = self._number(batch.documents, n) if self._level == "document" else []
        self._add_documents(batch)
        for whole in (False, True):
            chosen: dict[Hashable, list[Metric]] = {}
            for analysis in dict.fromkeys(self._analyses.values()):
                if analysis.needs_whole_set == whole and analysis.scope == "segment":
                    chosen.setdefault(analysis.preparation, []).append(analysis)
            for begin, end in _pieces(n if chosen else 0, None if whole or in_one else PIECE * self._threads):
                piece = batch if end - begin == n else _part(batch, begin, end)
                for alike in steps(chosen.values(), _labels):
                    self._add(piece, alike, groups[begin:end])
        self._references.add(batch.references.number)
        self._pseudo = batch.references.pseudo
        self._segments += n

    def _add_documents(self, batch: Batch) -> None:
        """Analyses of whole documents: the row of a document stands where its first segment is, among empty rows."""
        chosen: dict[Hashable, list[Metric]] = {}
        for analysis in dict.fromkeys(self._analyses.values()):
            if analysis.scope == "document":
                chosen.setdefault((analysis.separator, analysis.preparation), []).append(analysis)
        if not chosen:
            return
        if batch.documents is None or self._segments:
            raise InputError(
                f"{next(iter(chosen.values()))[0].label} scores whole documents: give a document id for each "
                "segment (--documents FILE), or say what a document is (--units blank, --units words:180)"
            )
        groups = self._number(batch.documents, batch.n_segments)
        begins = units.beginnings(groups)
        self._begins = frozenset(begins)
        for alike in steps(chosen.values(), _labels):
            piece = _joined(batch, groups, alike[0].separator)
            places = begins if self._level == "segment" else range(len(begins))
            try:
                self._add(piece, alike, list(places), batch.n_segments)
            except TextError as error:
                raise InputError(f"{self._place(error.text, piece, batch, begins)}{error}") from None

    def _place(self, text: str, piece: Batch, batch: Batch, begins: Sequence[int]) -> str:
        """Which document of whom a text is, and the line or segment where it begins."""
        sides = [("the reference", stream) for stream in piece.references.streams]
        sides += [*zip(self._systems, piece.hypotheses, strict=True)]
        sides += [] if piece.sources is None else [("the source", piece.sources)]
        for name, texts in sides:
            for document, own in enumerate(texts):
                if own == text:
                    at = begins[document]
                    identity = (batch.documents or ())[at]
                    return f"document {identity!r} of {name}, from segment {at + 1} on: "
        return ""

    def _add(
        self, piece: Batch, alike: Sequence[Metric], groups: list[int], n_places: int | None = None
    ) -> None:
        """Analyses that share prepared references."""
        for name, analysis, rows in mended(lambda: self._rows(piece, alike)):
            kept = self._kept.setdefault((name, analysis), [])
            if self._level == "corpus":
                kept[:] = [kept[0].accumulate(rows) if kept else rows]
                continue
            if self._level == "document":
                rows = rows.grouped(groups, len(self._documents))
                if kept:  # documents seen before keep their rows, new ones come behind
                    order = [*range(len(kept[0])), *range(len(rows))]
                    rows = kept.pop().concat(rows).grouped(order, len(rows))
            elif n_places is not None:
                rows = rows.grouped(groups, n_places)
            kept.append(rows)

    def _rows(self, piece: Batch, alike: Sequence[Metric]) -> list[tuple[str, Metric, Statistics]]:
        prepared = alike[0].prepare(piece.references, threads=self._threads)
        how: Any = {"sources": piece.sources, "threads": self._threads}
        jobs = [
            (name, own, lines)
            for own in alike
            for name, lines in zip(self._systems, piece.hypotheses, strict=True)
        ]
        return [
            (name, own, (own.total if self._level == "corpus" else own.statistics)(lines, prepared, **how))
            for name, own, lines in steps(jobs, lambda job: job[0])
        ]

    def _number(self, documents: Sequence[str] | None, n: int) -> list[int]:
        if documents is None:
            raise InputError("document scores need document ids: give one for each segment")
        if len(documents) != n:
            raise InputError(f"there are {n} segments, but {len(documents)} document ids")
        return [self._documents.setdefault(name, len(self._documents)) for name in documents]

    def measured(self, texts: TestSet | None = None) -> Measured:
        if not self._segments:
            raise InputError("there is nothing to score: no segments")
        # one after the other, so that not all rows are there twice
        whole = {key: joined(self._kept.pop(key)) for key in list(self._kept)}
        return Measured(
            systems=self._systems,
            metrics=self._metrics,
            rows={
                (name, metric): whole[name, self._analyses[metric]]
                for name in self._systems
                for metric in self._metrics
            },
            level=self._level,
            n_segments=self._segments,
            n_references=next(iter(self._references)) if len(self._references) == 1 else None,
            pseudo=self._pseudo,
            documents=tuple(self._documents) if self._level == "document" else (),
            begins=self._begins,
            threads=self._threads,
            texts=texts,
        )


def thread_number(threads: int) -> int:
    """How many threads are started: as many as asked for, within reason; 0 is one for each core.

    >>> thread_number(3), thread_number(0) >= 1
    (3, True)
    """
    if not isinstance(threads, int) or not 0 <= threads <= MOST_THREADS:
        raise SpecError(f"threads must be from 0 (all cores) to {MOST_THREADS}, not {threads}")
    return _native.thread_count(threads)


def joined(parts: list[Statistics]) -> Statistics:
    """All rows in one, joined two by two, so that none is copied more often than the logarithm of their number."""
    while len(parts) > 1:
        pairs = [one.concat(other) for one, other in zip(parts[::2], parts[1::2], strict=False)]
        parts = [*pairs, *parts[2 * len(pairs) :]]
    return parts[0]


def _labels(metrics: Sequence[Metric]) -> str:
    return ", ".join(metric.label for metric in metrics)


def _pieces(n: int, step: int | None) -> list[tuple[int, int]]:
    size = max(1, n) if step is None else step
    return [(begin, min(begin + size, n)) for begin in range(0, n, size)]


def _part(batch: Batch, begin: int, end: int) -> Batch:
    return Batch(
        [lines.slice(begin, end) for lines in batch.hypotheses],
        batch.references.map(lambda lines: lines.slice(begin, end)),
        None if batch.sources is None else batch.sources.slice(begin, end),
        None if batch.documents is None else batch.documents[begin:end],
    )


def _joined(batch: Batch, groups: list[int], separator: str) -> Batch:
    """The documents of a batch, each as one segment."""

    def own(lines: Iterable[str | None]) -> Lines:
        return Lines(units.joined(lines, groups, separator))

    return Batch(
        [own(lines) for lines in batch.hypotheses],
        units.joined_references(batch.references, groups, separator),
        None if batch.sources is None else own(batch.sources),
    )


def metrics_named(metrics: Specs) -> tuple[Metric, ...]:
    """The metrics that these specs name, at least one.

    >>> [str(metric) for metric in metrics_named("chrf++")]
    ['chrf:word_order=2']
    """
    specs = [metrics] if isinstance(metrics, str | Metric) else metrics
    if not specs:
        raise SpecError("there are no metrics to score with")
    return tuple(map(registry.metric, specs))


def _chosen_systems(testset: TestSet, systems: Sequence[str] | None) -> tuple[str, ...]:
    names = tuple(testset.systems) if systems is None else tuple(systems)
    if not names:
        raise InputError(f"test set {testset.name!r} has no systems to compare")
    if len(set(names)) < len(names):
        raise InputError(f"a system is named twice: {', '.join(names)}")
    for name in names:
        if name not in testset.systems:
            raise InputError(f"there is no system {name!r}{did_you_mean(name, testset.systems)}")
    return names


class _OwnOutputs:
    """Whether a pseudo-reference is the very output that it is compared with, batch by batch."""

    def __init__(self, systems: Sequence[str]) -> None:
        self._systems = systems
        self._same: set[tuple[int, int]] | None = None
        self._labels: tuple[str, ...] = ()

    def see(self, batch: Batch) -> None:
        if not batch.references.pseudo:
            return
        self._labels = batch.references.pseudo
        streams = batch.references.streams[-len(self._labels) :]
        if self._same is None:
            self._same = {(i, k) for i in range(len(batch.hypotheses)) for k in range(len(streams))}
        self._same = {
            (i, k)
            for i, k in self._same
            if all(a == b for a, b in zip(batch.hypotheses[i], streams[k], strict=True))
        }

    def refuse(self) -> None:
        for i, k in sorted(self._same or ()):
            raise InputError(
                f"{self._systems[i]}: is pseudo-reference {self._labels[k]!r} in every segment: no system is compared "
                "with its own output"
            )


def watched(inputs: Inputs, metrics: Sequence[Metric], *, force: bool = False) -> Iterator[Batch]:
    """The batches, with progress on the way; warns at the end of hypotheses that are scored but look wrong: all
    empty, or tokenised already. `force` says that the text is meant to look tokenised."""
    empty, tokenised = [0] * len(inputs.systems), [0] * len(inputs.systems)
    segments, own = 0, _OwnOutputs(inputs.systems)
    for batch in steps(inputs.batches, "segments", size=lambda batch: batch.n_segments):
        own.see(batch)
        yield batch
        segments += batch.n_segments
        for i, lines in enumerate(batch.hypotheses):
            empty[i] += lines.count_empty()
            tokenised[i] += lines.count_ending(" .")
    own.refuse()
    tokenising = any(getattr(metric, "tok", "none") != "none" for metric in metrics)
    for name, without, periods in zip(inputs.systems, empty, tokenised, strict=True):
        if without == segments > 0:
            warnings.warn(f"{name}: all hypotheses are empty", TertiumWarning, stacklevel=3)
        if periods >= TOKENISED_LINES and tokenising and not force:
            warnings.warn(
                f"{name}: {periods} lines end in ' .': it looks tokenised, which may hurt the score "
                "(detokenise it, or use --force, in Python force=True)",
                TertiumWarning,
                stacklevel=3,
            )
