"""Translators for a document, best first, with reasons."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium.assignment.choice import PastChoice, learned, probabilities
from tertium.assignment.evidence import EVIDENCE, Evidence, Question, columns_of
from tertium.assignment.history import History
from tertium.assignment.identities import Identities
from tertium.assignment.staff import Staff, read_due, read_marks, read_people, read_types
from tertium.errors import InputError, did_you_mean, many
from tertium.io.memories.formats import files_of
from tertium.io.pages import paragraphs
from tertium.memory.reading import Source
from tertium.results import Result
from tertium.text.vectors import Vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.io.tables import Table

LEARNT = 500  # of the latest jobs, weights are learned from
FEW = 3  # documents of somebody about whom too little is known
REASONS = 3
LABELS = {"domain": "domain", "type": "document type"}  # what a memory may say of its documents
LEAST_FOUND = 0.5  # of the words of a document should have vectors
QUALITY = 1.0  # what a standard deviation of marks is worth; a quarter of it, revisions


class Model:
    """Weights for a history's evidence, learned from jobs before a day."""

    def __init__(self, history: History, without: Sequence[str] = ()) -> None:
        self.history = history
        self.kinds: list[Evidence] = [EVIDENCE[name] for name in EVIDENCE if name not in without]
        self.prior = np.array([own for kind in self.kinds for own in kind.prior])
        self._known: dict[int, PastChoice | None] = {}
        self._weights: dict[int, NDArray[np.float64]] = {}

    def choice(self, job: int) -> PastChoice | None:
        """A job as a choice among those who were there; None where the one who did it was new."""
        if job not in self._known:
            asked = Question.of_job(self.history, job)
            there = np.flatnonzero(asked.candidates)
            chosen = np.flatnonzero(there == self.history.translator[job])
            self._known[job] = (
                PastChoice(columns_of(asked, self.kinds)[there], int(chosen[0])) if len(chosen) else None
            )
        return self._known[job]

    def weights(self, past: int) -> NDArray[np.float64]:
        """Learned from the first `past` jobs."""
        if past not in self._weights:
            jobs = range(past) if self.history.dated else ()
            choices = (found for job in reversed(jobs) if (found := self.choice(job)) is not None)
            self._weights[past] = learned(list(islice(choices, LEARNT)), self.prior)
        return self._weights[past]

    def shares(self, asked: Question) -> NDArray[np.float64]:
        """How likely each translator is to get the document, by what happened before."""
        there = np.flatnonzero(asked.candidates)
        result = np.zeros(len(self.history.translators))
        result[there] = probabilities(columns_of(asked, self.kinds)[there], self.weights(asked.past))
        return result


@dataclass(frozen=True)
class ListedTranslator:
    """A translator: place, id, share (all add to 1), reasons in words, and what stands in the way."""

    place: int
    translator: str
    share: float
    reasons: tuple[str, ...]
    obstacle: str = ""
    too_little_known: bool = False


@dataclass(frozen=True)
class RankedTranslators:
    """The list for one document, and what the ranking could not use."""

    document: str
    words: int
    due: str
    candidates: tuple[ListedTranslator, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class TranslatorRanking(Result):
    """Translators for documents, best first."""

    kind = "translator ranking"
    memory: str
    client: str
    jobs: int
    documents: tuple[RankedTranslators, ...]

    def words(self) -> Iterator[str]:
        for own in self.documents[:2]:
            best = next((one for one in own.candidates if not one.obstacle), None)
            if best is None:
                yield f"{own.document}: nobody is available."
                continue
            why = f": {best.reasons[0]}" if best.reasons else ""
            yield f"{own.document}: {best.translator} ({best.share:.0%}){why}."
        if len(self.documents) > 2:
            yield f"{many(len(self.documents) - 2, 'more document')} below."
        yield from dict.fromkeys(note for own in self.documents for note in own.notes)

    def tables(self) -> Iterator[Table]:
        from tertium.io.tables import Column, Table, number_column

        columns = (
            number_column("place", digits=None),
            Column("translator", whole=True),
            number_column("share", digits=2),
            Column("why"),
        )
        for own in self.documents:
            rows = tuple(
                (one.place, one.translator, one.share, "; ".join(_why(one))) for one in own.candidates
            )
            yield Table(f"{own.document}, {many(own.words, 'word')}", columns, rows)

    def records(self) -> list[dict[str, Any]]:
        return [
            {
                "document": own.document,
                "place": one.place,
                "translator": one.translator,
                "share": one.share,
                "why": "; ".join(_why(one)),
            }
            for own in self.documents
            for one in own.candidates
        ]


def rank_translators(documents: Sequence[str], memory: str, **how: Any) -> TranslatorRanking:
    """Rank the translators of a memory for each document (plain text or HTML), as of a day (today).

    The rest is as for `rank_texts`.
    """
    return rank_texts({path: paragraphs(path) for path in documents}, memory, **how)


def rank_texts(
    texts: Mapping[str, Sequence[str]],
    memory: str,
    *,
    client: str = "",
    domain: str = "",
    type: str = "",
    on: date | None = None,
    people: str | None = None,
    marks: str | None = None,
    due: str | None = None,
    types: str | None = None,
    vectors: str | None = None,
    top: int = 10,
    key: str | None = None,
    **how: Any,
) -> TranslatorRanking:
    """Rank the translators of a memory for texts, paragraphs by the name of the document, as of a day (today).

    `types` is a table with the types of the memory's documents, `vectors` a file of word vectors of the source
    language, `key` a file with the key that makes ids of names, if it is not to lie beside the memory.
    """
    today = on or date.today()
    ids = Identities(memory, key)
    staff = Staff(
        read_people(people, ids.translator) if people else {},
        read_marks(marks, today, ids.translator) if marks else {},
    )
    client = ids.client(client)
    dues = read_due(due) if due else {}
    if isinstance(dues, dict):
        names = [os.path.basename(path) for path in texts]
        for name in dues:
            if name not in names and name not in texts:
                raise InputError(f"{due}: there is no document {name!r}{did_you_mean(name, names)}")
    files = tuple(map(_stamp, (*files_of(memory), f"{memory}-wal", key or f"{memory}.key", types, vectors)))
    model, told = _learned(memory, tuple(sorted(how.items())), today, key, types, vectors, files)
    history = model.history
    for name in {*staff.people, *staff.marks} - {*history.translators, *history.later}:
        raise InputError(f"{people if name in staff.people else marks}: {memory} has no translator {name!r}")
    merits = _merits(history, staff)
    ranked = []
    for path, blocks in texts.items():
        if not blocks:
            raise InputError(f"{path}: there is no text in this document")
        name = os.path.basename(path)
        when = dues if isinstance(dues, date) else dues.get(name, dues.get(path))
        asked = Question(
            history,
            history.before(today.toordinal()),
            client,
            today.toordinal(),
            history.terms_in(blocks),
            domain,
            type or told.get((client, name)) or told.get(("", name)) or "",
        )
        n_words = sum(len(block.split()) for block in blocks)
        found = _ranked(model, asked, merits, staff, (today, when, n_words), top)
        ranked.append(
            RankedTranslators(name, n_words, str(when or ""), found, tuple(_notes(asked, history, memory)))
        )
    return TranslatorRanking(memory, client, len(history.jobs), tuple(ranked))


@lru_cache(maxsize=2)
def _learned(
    memory: str,
    how: tuple[tuple[str, Any], ...],
    today: date,
    key: str | None,
    types: str | None,
    vectors: str | None,
    _files: tuple[object, ...],
) -> tuple[Model, dict[tuple[str, str], str]]:
    """What a memory teaches, and the types of documents that are told beside: kept as long as no file changes."""
    ids = Identities(memory, key)
    history = History.read(Source(memory, **dict(how)), before=today, ids=ids)
    told = equipped(history, types, vectors, ids)
    return Model(history), told


def _stamp(path: str | None) -> object:
    """What changes when a file does; of what is no file, always something new."""
    if path is None or not os.path.exists(path):
        return None
    about = os.stat(path)
    return (about.st_mtime_ns, about.st_size) if os.path.isfile(path) else object()


def equipped(
    history: History, types: str | None, vectors: str | None, ids: Identities
) -> dict[tuple[str, str], str]:
    """Give a history what files know besides; and what types they name."""
    found = read_types(types, ids.client) if types else {}
    history.typed(found)
    if vectors:
        history.use(Vectors.open(vectors))
    return found


def _ranked(
    model: Model,
    asked: Question,
    merits: Mapping[str, tuple[float, str]],
    staff: Staff,
    time: tuple[date, date | None, int],
    top: int,
) -> tuple[ListedTranslator, ...]:
    history = model.history
    shares = model.shares(asked)
    shares *= np.exp([merits.get(name, (0.0, ""))[0] for name in history.translators])
    shares /= shares.sum()
    obstacles = [staff.obstacle(name, *time) for name in history.translators]
    order = sorted(
        np.flatnonzero(asked.candidates), key=lambda who: (bool(obstacles[who]), -shares[who], who)
    )
    done = asked.sums(np.ones(asked.past))
    return tuple(
        ListedTranslator(
            place,
            history.translators[who],
            float(shares[who]),
            _reasons(model, asked, int(who), merits.get(history.translators[who], (0.0, ""))[1]),
            obstacles[who],
            bool(done[who] < FEW),
        )
        for place, who in enumerate(order[:top], 1)
    )


def _reasons(model: Model, asked: Question, who: int, merit: str) -> tuple[str, ...]:
    """What speaks most for somebody, against the mean of all, in words."""
    weights, at, found = model.weights(asked.past), 0, []
    for kind in model.kinds:
        columns = kind.columns(asked).astype(float)
        own = weights[at : at + columns.shape[1]]
        at += columns.shape[1]
        gain = float((columns[who] - columns[asked.candidates].mean(axis=0)) @ own)
        found.append((gain, kind.reason(asked, who)))
    said = [words for gain, words in sorted(found, key=lambda one: -one[0]) if gain > 0 and words]
    return (*said[:REASONS], *filter(None, [merit]))


def _merits(history: History, staff: Staff) -> dict[str, tuple[float, str]]:
    """What quality adds to the logarithm of a share, and words for it: marks, and how much was revised by others."""
    found: dict[str, tuple[float, str]] = {}
    for name, value in staff.quality().items():
        own = staff.marks[name]
        found[name] = (QUALITY * value, f"mean mark {sum(own) / len(own):.3g} of {many(len(own), 'mark')}")
    changed, seen = map(sum, zip(*history.revised.values(), strict=True)) if history.revised else (0, 0)
    for name, (own_changed, own_seen) in history.revised.items():
        rate = (own_changed + 10 * changed / seen) / (own_seen + 10)
        before = found.get(name, (0.0, ""))
        words = f"{own_changed:,} of {many(own_seen, 'segment')} later changed by others"
        value = before[0] - QUALITY / 4 * (rate - changed / seen) * 10
        found[name] = (value, "; ".join(filter(None, (before[1], words))))
    return found


def _notes(asked: Question, history: History, memory: str) -> Iterator[str]:
    if not asked.client:
        yield "No client was named (--client), so what was done for clients is not used."
    elif not asked.ours.any():
        near = did_you_mean(asked.client, list(history.clients))
        yield f"Too little known: {memory} has no document of client {asked.client!r}{near}; other evidence is used."
    elif int(asked.ours.sum()) < FEW:
        yield f"Little is known about client {asked.client!r}: {many(int(asked.ours.sum()), 'document')}."
    unknown = [
        words for kind, words in LABELS.items() if not history.labelled(kind) or not getattr(asked, kind)
    ]
    if unknown:
        yield f"Not known, and so not used: {' and '.join(unknown)}."
    for kind, what in LABELS.items():
        own, known = getattr(asked, kind), history.labelled(kind)
        if own and known and own not in known:
            yield f"Nobody has translated documents of {what} {own!r}{did_you_mean(own, sorted(known))}."
    if history.meanings is not None and (share := history.meanings.found(asked.terms[0])) < LEAST_FOUND:
        yield f"Only {share:.0%} of the document's words have vectors in {history.meanings.vectors.path}."
    if not history.dated:
        yield f"{memory} has no dates: what is recent and who was revised is not known, and weights are not learned."
    if history.nameless:
        yield f"{many(history.nameless, 'document')} without a translator left out."


def _why(one: ListedTranslator) -> Iterator[str]:
    if one.obstacle:
        yield one.obstacle
    if one.too_little_known:
        yield "too little known"
    yield from one.reasons
