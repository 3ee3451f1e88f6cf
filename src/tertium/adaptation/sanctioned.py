"""The figure of seed 002: the share of source sentences that a system translates into a sanctioned translation.

Held out are the documents of a memory from a day on. A translation is sanctioned narrowly if it is the target that
somebody wrote in the held-out document; widely if it is that one or any target that the whole memory has for the same
source. Both exactly, and up to case and punctuation; of the best 1, 5 or 20 candidates.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tertium.adaptation.base import Materials, system
from tertium.adaptation.streams import StreamChoice, StreamItem, memory_stream, units_of_memory
from tertium.errors import InputError
from tertium.io.files import write_atomically
from tertium.io.memories.pairs import Pair
from tertium.io.records import json_line
from tertium.io.tables import Column, Table, number_column
from tertium.matching.index import plain
from tertium.progress import steps
from tertium.results import Result
from tertium.stats.proportions import wilson_interval

SIZES = (1, 5, 20)
LENGTHS = ((1, 1), (2, 3), (4, 7), (8, 15), (16, None))  # words
CLIENTS = 15  # that are listed
_WORD = re.compile(r"\w+")


def same_words(text: str) -> str:
    """A text up to case and punctuation; one without any word stays as it is.

    >>> same_words("Ouvrir le fichier…"), same_words("%")
    ('ouvrir le fichier', '%')
    """
    return " ".join(_WORD.findall(text.casefold())) or plain(text)


FORMS: dict[str, Callable[[str], str]] = {"exactly": plain, "up to case and punctuation": same_words}


@dataclass(frozen=True)
class SanctionedShare:
    """Of so many sentences, those with a sanctioned translation among the best candidates."""

    size: int  # candidates
    form: str
    sentences: int
    narrow: int  # what was written in the held-out document
    wide: int  # or anything that is stored for the source

    @property
    def share(self) -> float:
        return self.narrow / self.sentences

    @property
    def wide_share(self) -> float:
        return self.wide / self.sentences


@dataclass(frozen=True)
class GroupShare:
    """The best candidates (1 and 20, exactly) of a client, or of sentences of some length."""

    name: str
    sentences: int
    first: float
    last: float
    wide: float  # of the first


@dataclass(frozen=True)
class Sanctioned(Result):
    """How much of what was written later a system would have said."""

    kind = "sanctioned translations"
    memory: str
    system: str
    since: str
    sentences: int
    documents: int
    silent: int  # sentences without any candidate
    shares: tuple[SanctionedShare, ...]
    clients: tuple[GroupShare, ...]
    lengths: tuple[GroupShare, ...]

    def of(self, size: int, form: str = "exactly") -> SanctionedShare:
        return next(own for own in self.shares if (own.size, own.form) == (size, form))

    def words(self) -> Iterator[str]:
        first, last = self.of(SIZES[0]), self.of(SIZES[-1])
        low, high = wilson_interval(first.narrow, first.sentences) or (0.0, 1.0)
        yield (
            f"{self.system} translates {first.share:.1%} ({low:.1%} to {high:.1%}) of {self.sentences:,} sources "
            f"since {self.since} exactly as they were translated; {last.share:.1%} are among its best {last.size}."
        )
        yield (
            f"If any target that the memory has for the same source counts, it is {first.wide_share:.1%} (the best), "
            f"and {last.wide_share:.1%} (the best {last.size})."
        )
        if self.silent:
            yield f"It has nothing to say for {self.silent / self.sentences:.1%} of them."

    def tables(self) -> Iterator[Table]:
        columns = (
            number_column("candidates", digits=0),
            Column("equal"),
            number_column("as written", "narrow", digits=4),
            Column("95%", align="right", whole=True),
            number_column("or stored", "wide", digits=4),
        )
        rows = []
        for own in self.shares:
            low, high = wilson_interval(own.narrow, own.sentences) or (0.0, 1.0)
            rows.append((own.size, own.form, own.share, f"{low:.4f} to {high:.4f}", own.wide_share))
        note = (
            "95% by Wilson; sentences of a document are alike, so that they are too narrow for another year"
        )
        yield Table(f"Sanctioned translations, since {self.since}", columns, tuple(rows), (note,))
        for title, groups in (("By client", self.clients), ("By words of the source", self.lengths)):
            heads = (
                Column(title[3:]),
                number_column("sentences", digits=0),
                number_column("best", digits=3),
                number_column(f"best {SIZES[-1]}", digits=3),
                number_column("best, or stored", digits=3),
            )
            yield Table(
                f"{title}, exactly",
                heads,
                tuple((own.name, own.sentences, own.first, own.last, own.wide) for own in groups),
            )


def sanctioned(
    memory: str,
    since: str,
    spec: str = "memory",
    materials: Materials | None = None,
    *,
    until: str = "",
    clients: Sequence[str] = (),
    pair: Pair | None = None,
    least_words: int = 1,
    most: int | None = None,
    output: str | None = None,
) -> Sanctioned:
    """Documents of a memory from a day on, translated by a system that knows what came before it (`materials`; without
    any, the memory itself before that day). Nothing is learnt on the way."""
    choice = StreamChoice(since, until, tuple(clients), least_words)
    items = memory_stream(memory, choice, pair).items
    if most is not None and most < len(items):
        items = tuple(items[place * len(items) // most] for place in range(most))  # evenly thinned
    wanted = {plain(item.segment.source) for item in items}
    stored: dict[str, set[str]] = {}
    for unit in units_of_memory(memory, pair):
        if (source := plain(unit.source)) in wanted:
            stored.setdefault(source, set()).add(unit.target)
    given = materials or Materials(memory=memory, before=since, pair=pair)
    own = system(spec, given)
    try:
        candidates = [
            own.translate(item.segment, candidates=SIZES[-1]).candidates for item in steps(items, spec)
        ]
    finally:
        own.close()
    if output is not None:
        _write(output, items, candidates)
    return judged(memory, since, str(own), items, candidates, stored)


def judged(
    memory: str,
    since: str,
    name: str,
    items: Sequence[StreamItem],
    candidates: Sequence[Sequence[str]],
    stored: Mapping[str, set[str]],
) -> Sanctioned:
    """What candidates are worth, given what was written, and what the memory has for each source."""
    if not items:
        raise InputError(f"{memory}: there is nothing since {since}")
    ranks: dict[str, list[tuple[int | None, int | None]]] = {}
    for form, same in FORMS.items():
        ranks[form] = []
        for item, own in zip(items, candidates, strict=True):
            texts = [same(text) for text in own]
            right = {same(item.correction)}
            other = right | {same(text) for text in stored.get(plain(item.segment.source), ())}
            ranks[form].append((_rank(texts, right), _rank(texts, other)))
    shares = tuple(
        SanctionedShare(
            size,
            form,
            len(items),
            sum(own[0] is not None and own[0] < size for own in ranks[form]),
            sum(own[1] is not None and own[1] < size for own in ranks[form]),
        )
        for form in FORMS
        for size in SIZES
    )
    by_client: dict[str, list[int]] = {}
    by_length: dict[str, list[int]] = {_length_name(*own): [] for own in LENGTHS}
    for place, item in enumerate(items):
        by_client.setdefault(item.segment.client, []).append(place)
        size = len(item.segment.source.split())
        low_high = next(own for own in LENGTHS if own[1] is None or size <= own[1])
        by_length[_length_name(*low_high)].append(place)
    largest = sorted(by_client, key=lambda own: (-len(by_client[own]), own))[:CLIENTS]
    exact = ranks["exactly"]
    return Sanctioned(
        memory,
        name,
        since,
        len(items),
        len({(item.segment.client, item.segment.document) for item in items}),
        sum(not own for own in candidates),
        shares,
        tuple(_group(own, by_client[own], exact) for own in largest),
        tuple(_group(own, places, exact) for own, places in by_length.items() if places),
    )


def _rank(texts: Sequence[str], right: set[str]) -> int | None:
    return next((place for place, text in enumerate(texts) if text in right), None)


def _length_name(low: int, high: int | None) -> str:
    return f"{low} and more" if high is None else str(low) if low == high else f"{low} to {high}"


def _group(name: str, places: Sequence[int], ranks: Sequence[tuple[int | None, int | None]]) -> GroupShare:
    own = [ranks[place] for place in places]
    size = len(own)
    return GroupShare(
        name,
        size,
        sum(rank[0] == 0 for rank in own) / size,
        sum(rank[0] is not None and rank[0] < SIZES[-1] for rank in own) / size,
        sum(rank[1] == 0 for rank in own) / size,
    )


def _write(path: str, items: Sequence[StreamItem], candidates: Sequence[Sequence[str]]) -> None:
    with write_atomically(path) as file:
        for item, own in zip(items, candidates, strict=True):
            record: dict[str, Any] = {"source": item.segment.source, **item.segment.context()}
            file.write(json_line({**record, "reference": item.correction, "candidates": list(own)}))
