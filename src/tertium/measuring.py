"""One way to measure: texts in, rows of statistics out, for all systems and metrics.

Nothing is analysed twice. Metrics that only score differently share rows (`Metric.analysis`), metrics that read
references alike share them prepared (`Metric.preparation`), and all systems share both. Rows are added up as they come
unless they are needed one by one, so that files of any size are measured in constant memory.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from tertium import _native, registry
from tertium.engines.base import Engine, RowsWanted, engine_named, joined_documents
from tertium.errors import InputError, SpecError, TextError, did_you_mean
from tertium.families.base import Level, Metric
from tertium.families.for_texts import ChosenMetrics, metrics_for_language, metrics_for_texts
from tertium.io.door import Batch, Inputs
from tertium.measured import Measured
from tertium.progress import steps
from tertium.statistics import Statistics
from tertium.text import units
from tertium.text.segments import References
from tertium.watching import OwnOutputs, watched

if TYPE_CHECKING:
    from tertium.testset import TestSet

Specs = str | Metric | Sequence[str | Metric] | ChosenMetrics
PIECE = 65536  # segments a thread analyses at a time: memory stays constant however many there are
MOST_THREADS = 4096  # a larger number is a typing error


def measure(
    texts: TestSet | Inputs,
    metrics: Specs = ("bleu", "chrf"),
    level: Level = "segment",
    *,
    systems: Sequence[str] | None = None,
    threads: int = 1,
    force: bool = False,
    engine: str | Engine = "local",
) -> Measured:
    """Measure a test set, or files as they are read (`Inputs`), in one pass for all systems and metrics.

    A row is kept for each segment, each document, or the corpus; the last two take constant memory. `systems` chooses
    from a test set; `force` suppresses the warning about files that look tokenised already. `threads`
    0 means all cores, `engine` says where the work is done; no number depends on either.

    >>> from tertium import TestSet
    >>> measured = measure(TestSet.sample(), ["bleu", "bleu:smooth=floor", "macrof1"])
    >>> len(measured["strong", "bleu"]), round(measured.corpus_score("strong", "macrof1"), 1)
    (69, 56.5)
    """
    threads, where = thread_number(threads), engine_named(engine)
    if isinstance(texts, Inputs):
        chosen, notes, texts = chosen_for_inputs(metrics, texts)
        chosen = tuple(dict.fromkeys(chosen))
        ledger = _Ledger(tuple(texts.systems), chosen, level, threads, where)
        batches = watched(texts, chosen, force=force)
        for _ in _kept(where, (ticket for batch in batches for ticket in ledger.tickets(batch))):
            pass
        return replace(ledger.measured(), units=texts.units, origin=texts.origin, notes=notes)
    found = chosen_for(metrics, texts.references, texts.origin)
    chosen, notes = tuple(dict.fromkeys(found.metrics)), found.notes
    names = _chosen_systems(texts, systems)
    for metric in chosen:
        if metric.needs_source and texts.sources is None:
            raise InputError(f"{metric.name} compares with the source text, but this test set has none")
    if len(texts) > PIECE:  # what was freed before and lies about would add to what is needed now
        _native.give_back_memory()
    ledger = _Ledger(names, chosen, level, threads, where)
    outputs = [texts.systems[name] for name in names]
    batch = Batch(outputs, texts.references, texts.sources, list(texts.documents or ()) or None)
    own = OwnOutputs(names)
    own.see(batch)
    own.refuse()
    for _ in _kept(where, ledger.tickets(batch, in_one=True)):
        pass  # texts and rows are in memory: references, prepared, are little beside them
    return replace(ledger.measured(texts), units=texts.units, origin=texts.origin, notes=notes)


def measure_pieces(
    inputs: Inputs,
    metrics: Specs,
    *,
    threads: int = 1,
    force: bool = False,
    engine: str | Engine = "local",
) -> Iterator[Measured]:
    """A `Measured` for some segments at a time, where each row is needed only once."""
    threads, where = thread_number(threads), engine_named(engine)
    chosen, notes, inputs = chosen_for_inputs(metrics, inputs)
    whole = read_whole(chosen)

    def tickets() -> Iterator[_Ticket]:
        for batch in watched(inputs, chosen, force=force):
            pieces = _pieces(batch.n_segments, None if whole else PIECE * threads)
            for begin, end in pieces:
                ledger = _Ledger(tuple(inputs.systems), chosen, "segment", threads, where)
                yield from ledger.tickets(batch if len(pieces) == 1 else _part(batch, begin, end))

    ledger: _Ledger | None = None
    for ticket in _kept(where, tickets()):
        if ledger is not None and ticket.ledger is not ledger:
            yield replace(ledger.measured(), units=inputs.units, origin=inputs.origin, notes=notes)
        ledger = ticket.ledger
    if ledger is not None:
        yield replace(ledger.measured(), units=inputs.units, origin=inputs.origin, notes=notes)


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


class _Ticket(NamedTuple):
    """Rows that were asked for, and where they go."""

    ledger: _Ledger
    wanted: RowsWanted
    groups: list[int]  # numbers of documents
    n_places: int | None = None  # of all segments, where rows of documents stand among them
    more: bool = False  # further rows stand beside these
    place: Callable[[str], str] | None = None  # says where a text comes from


def _kept(engine: Engine, tickets: Iterable[_Ticket]) -> Iterator[_Ticket]:
    """Has all rows made, and put in their places."""
    open_ones: deque[_Ticket] = deque()

    def jobs() -> Iterator[RowsWanted]:
        for ticket in tickets:
            open_ones.append(ticket)
            yield ticket.wanted

    try:
        for rows in engine.rows(jobs()):
            ticket = open_ones.popleft()
            ticket.ledger.keep(ticket, rows)
            yield ticket
    except TextError as error:
        place = open_ones[0].place if open_ones else None
        if place is None:
            raise
        raise InputError(f"{place(error.text)}{error}") from None


class _Ledger:
    """Adds batches: rows of every system by every analysis, each made once."""

    def __init__(
        self,
        systems: tuple[str, ...],
        metrics: tuple[Metric, ...],
        level: Level,
        threads: int,
        engine: Engine,
    ) -> None:
        self._systems, self._metrics, self._level, self._threads = systems, metrics, level, threads
        self._engine = engine
        self._analyses: dict[Metric, Metric] = {}
        self._kept: dict[tuple[str, Metric], list[Statistics]] = {}
        self._beside: list[tuple[list[int], list[Statistics]]] = []
        self._documents: dict[str, int] = {}
        self._begins: frozenset[int] | None = None
        self._references: set[int | None] = set()
        self._pseudo: tuple[str, ...] = ()
        self._segments = 0

    def tickets(self, batch: Batch, *, in_one: bool = False) -> Iterator[_Ticket]:
        """What is to be done with a batch: a piece at a time, or all of it in one."""
        n = len(batch.references)
        if batch.sources is not None and len(batch.sources) != n:
            raise InputError(f"there are {n} hypotheses, but {len(batch.sources)} sources")
        if not self._analyses:
            streams = len(batch.references.streams)
            self._analyses = analyses(self._metrics, streams if streams == 1 else None)
        groups = self._number(batch.documents, n) if self._level == "document" else []
        yield from self._of_documents(batch)
        most = None if in_one else PIECE * self._threads
        for whole in (False, True):
            chosen: dict[Hashable, list[Metric]] = {}
            for analysis in dict.fromkeys(self._analyses.values()):
                if analysis.needs_whole_set == whole and analysis.scope == "segment":
                    chosen.setdefault(analysis.preparation, []).append(analysis)
            for begin, end in _pieces(n if chosen else 0, None if whole else self._engine.step(n, most)):
                piece = batch if end - begin == n else _part(batch, begin, end)
                for alike in steps(chosen.values(), _labels):
                    yield _Ticket(self, self._wanted(piece, alike), groups[begin:end])
        self._references.add(batch.references.number)
        self._pseudo = batch.references.pseudo
        self._segments += n

    def _of_documents(self, batch: Batch) -> Iterator[_Ticket]:
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
        places = begins if self._level == "segment" else list(range(len(begins)))
        for alike in steps(chosen.values(), _labels):
            piece = joined_documents(batch, groups, alike[0].separator)
            place = partial(self._place, piece=piece, batch=batch, begins=begins)
            whole = any(own.needs_whole_set for own in alike)
            pieces = _pieces(len(begins), None if whole else self._engine.step(len(begins), None))
            for begin, end in pieces:
                own = piece if len(pieces) == 1 else _part(piece, begin, end)
                more = end < len(begins)
                wanted = self._wanted(own, alike)
                yield _Ticket(self, wanted, places[begin:end], batch.n_segments, more, place)

    def _wanted(self, piece: Batch, alike: Sequence[Metric]) -> RowsWanted:
        return RowsWanted(self._systems, tuple(alike), piece, self._level == "corpus", self._threads)

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

    def keep(self, ticket: _Ticket, found: list[Statistics]) -> None:
        """Rows of analyses that share prepared references."""
        self._beside.append((ticket.groups, found))
        if ticket.more:
            return
        groups = [number for own, _ in self._beside for number in own]
        columns = zip(*(rows for _, rows in self._beside), strict=True)
        self._beside = []
        names = [(name, analysis) for analysis in ticket.wanted.alike for name in self._systems]
        for key, parts in zip(names, columns, strict=True):
            kept = self._kept.setdefault(key, [])
            if self._level == "corpus":
                for rows in parts:
                    kept[:] = [kept[0].accumulate(rows) if kept else rows]
                continue
            rows = joined(list(parts))
            if self._level == "document":
                rows = rows.grouped(groups, len(self._documents))
                if kept:  # documents seen before keep their rows, new ones come behind
                    order = [*range(len(kept[0])), *range(len(rows))]
                    rows = kept.pop().concat(rows).grouped(order, len(rows))
            elif ticket.n_places is not None:
                rows = rows.grouped(groups, ticket.n_places)
            kept.append(rows)

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


def chosen_for(
    metrics: Specs, references: References, origin: Sequence[str] = (), language: str | None = None
) -> ChosenMetrics:
    """The metrics as they score these texts: in languages without spaces between words with their tokenisers. What the
    language is says the caller, or the name of the test set (`origin`), or else the script of the references.

    >>> [str(metric) for metric in chosen_for(["bleu", "chrf"], References.of(["今日は天気がいいです。"])).metrics][1]
    'chrf'
    """
    if isinstance(metrics, ChosenMetrics):
        return metrics
    if language is not None:
        return metrics_for_language(_specs(metrics), language)
    true = references.streams[: len(references.streams) - len(references.pseudo)] or references.streams
    return metrics_for_texts(_specs(metrics), true[0], origin)


class ChosenForInputs(NamedTuple):
    """`ChosenMetrics`, and the texts with the batch that was looked at."""

    metrics: tuple[Metric, ...]
    notes: tuple[str, ...]
    inputs: Inputs


def chosen_for_inputs(metrics: Specs, inputs: Inputs) -> ChosenForInputs:
    """The same for files as they are read: their first batch decides."""
    if isinstance(metrics, ChosenMetrics):
        return ChosenForInputs(metrics.metrics, metrics.notes, inputs)
    first = next(inputs.batches, None)
    if first is None:
        return ChosenForInputs(metrics_named(metrics), (), inputs)
    found = chosen_for(metrics, first.references, inputs.origin)
    inputs = inputs._replace(batches=chain([first], inputs.batches))
    return ChosenForInputs(found.metrics, found.notes, inputs)


def _specs(metrics: str | Metric | Sequence[str | Metric]) -> list[str | Metric]:
    specs = [metrics] if isinstance(metrics, str | Metric) else list(metrics)
    if not specs:
        raise SpecError("there are no metrics to score with")
    return specs


def metrics_named(metrics: Specs) -> tuple[Metric, ...]:
    """The metrics that these specs name, at least one.

    >>> [str(metric) for metric in metrics_named("chrf++")]
    ['chrf:word_order=2']
    """
    if isinstance(metrics, ChosenMetrics):
        return metrics.metrics
    return tuple(map(registry.metric, _specs(metrics)))


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
