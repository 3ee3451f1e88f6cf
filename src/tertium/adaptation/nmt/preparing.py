"""From a memory to examples: what is learnt from, what is held out, the best match of each, and the vocabulary.

Held out are the last documents before the cut (`dev`), and sources that are new since then (`test`). An example's match
is the stored source most alike that is not the same text, of any document that is learnt from; so nothing that is held
out is ever shown.
"""

from __future__ import annotations

import os
import shutil
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from hashlib import sha256

from tertium import _native
from tertium.adaptation.nmt import examples
from tertium.adaptation.nmt.examples import TaggedPair
from tertium.adaptation.nmt.hardness import with_points
from tertium.adaptation.nmt.pieces import LEAST, PieceVocabulary
from tertium.adaptation.nmt.settings import NetworkSetting
from tertium.errors import InputError
from tertium.io.memories.unit import Unit
from tertium.matching.index import plain

_LARGEST = 1000  # units of a document that is held out
_SHARE = 0.015  # of the units that are
_FEWEST = 50  # examples that teach anything
_BATCH = 4096


def prepare(
    units: Iterable[Unit],
    folder: str,
    setting: NetworkSetting,
    *,
    since: str = "",
    test: int = 2000,
    threads: int = 1,
    vocabulary: PieceVocabulary | None = None,
) -> dict[str, int]:
    """Writes the examples of a memory into a folder; how many there are of each part.

    Units of the day `since` and later are for the test. A `vocabulary` that is given is used instead of a new one.
    """
    before: list[Unit] = []
    later: list[Unit] = []
    for unit in units:
        if unit.source.strip() and unit.target.strip() and (unit.date or not since):
            (later if since and unit.date >= since else before).append(unit)
    held = _last_documents(before)
    train = _distinct(unit for unit in before if _document(unit) not in held)
    known = {plain(own.source) for own in train}
    dev = _new(_distinct(unit for unit in before if _document(unit) in held), known)
    if not dev:  # a memory of one document, or of large ones: every fiftieth source
        chosen = {
            own.source for own in train if sha256(own.source.encode("utf-8", "replace")).digest()[0] < 6
        }
        dev = _new([own for own in train if own.source in chosen], set())
        train = [own for own in train if own.source not in chosen]
    if len(train) < _FEWEST:
        raise InputError(f"the memory has {len(train)} units to learn from; {_FEWEST} are the least")
    unseen = _new(_distinct(later), known | {plain(own.source) for own in dev})
    unseen.sort(key=lambda own: sha256(own.source.encode("utf-8", "replace")).digest())
    part = folder + ".part"
    shutil.rmtree(part, ignore_errors=True)
    os.makedirs(part)
    parts = {"train": train, "dev": dev, "test": unseen[:test]}
    if setting.matches:
        matcher = OtherMatches(train)
        parts = {name: matcher.matched(own, threads) for name, own in parts.items()}
    if setting.hard:
        parts["train"] = with_points(parts["train"])
    numbers = {name: examples.write(part, name, own) for name, own in parts.items()}
    (vocabulary or PieceVocabulary.learn(train, setting.pieces)).save(part)
    shutil.rmtree(folder, ignore_errors=True)
    os.replace(part, folder)
    return numbers


class OtherMatches:
    """The targets of stored sources that are like a text but not the same."""

    def __init__(self, stored: Sequence[TaggedPair]) -> None:
        self._own: dict[str, list[TaggedPair]] = defaultdict(list)
        for own in stored:
            self._own[plain(own.source)].append(own)
        self._texts = list(self._own)
        self._index = _native.TextIndex()
        for place in range(0, len(self._texts), _BATCH):
            self._index.add(self._texts[place : place + _BATCH])

    def matched(self, rows: Sequence[TaggedPair], threads: int = 1) -> list[TaggedPair]:
        """The examples with their matches; the client's own is taken where there are several targets."""
        found: list[TaggedPair] = []
        for place in range(0, len(rows), _BATCH):
            batch = rows[place : place + _BATCH]
            texts = [plain(own.source) for own in batch]
            for own, text, near in zip(
                batch, texts, self._index.find_all(texts, LEAST, 2, threads=threads), strict=True
            ):
                best = next(
                    ((self._texts[at], likeness) for at, likeness in near if self._texts[at] != text), None
                )
                if best is None:
                    found.append(own)
                    continue
                stored = self._own[best[0]]
                chosen = next((unit for unit in stored if unit.client == own.client), stored[-1])
                found.append(replace(own, match=chosen.target.strip(), likeness=best[1]))
        return found


def _document(unit: Unit) -> tuple[str, str]:
    return unit.client, unit.document


def _last_documents(units: Sequence[Unit]) -> set[tuple[str, str]]:
    """The last documents, as far as they are not large, up to a share of all units."""
    sizes: dict[tuple[str, str], int] = defaultdict(int)
    dates: dict[tuple[str, str], str] = {}
    for unit in units:
        sizes[_document(unit)] += 1
        dates[_document(unit)] = max(unit.date, dates.get(_document(unit), ""))
    held: set[tuple[str, str]] = set()
    room = _SHARE * len(units)
    for document in sorted(dates, key=lambda own: (dates[own], own), reverse=True):
        if dates[document] and sizes[document] <= min(_LARGEST, room):
            held.add(document)
            room -= sizes[document]
    return held


def _distinct(units: Iterable[Unit]) -> list[TaggedPair]:
    rows = (TaggedPair(own.source, own.target, own.client, own.about()) for own in units)
    return list(dict.fromkeys(rows))


def _new(rows: Sequence[TaggedPair], known: set[str]) -> list[TaggedPair]:
    """Those whose sources are not known, each source once."""
    found: dict[str, TaggedPair] = {}
    for own in rows:
        text = plain(own.source)
        if text not in known:
            found.setdefault(text, own)
    return list(found.values())
