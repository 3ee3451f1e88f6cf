"""What a memory teaches the policy about its words: how rare each is, what it becomes, which documents use it.

The tables lie beside the memory (`.words`), written whole or not at all, and are made anew where the memory has grown.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError, TertiumWarning
from tertium.io.arrayfiles import read_arrays, write_arrays
from tertium.io.memories.unit import Unit
from tertium.text.keyed import KeyedWords
from tertium.text.lexical import LexicalModel

if TYPE_CHECKING:
    import numpy.typing as npt

    from tertium.matching.index import MemoryIndex
    from tertium.text.keyed import Keys, Numbers

ENDING = ".words"
FORM = "words of a memory"
VERSION = 1
DIMENSIONS = 256  # of a document's vector: words are added up in so many places, with signs
LEARNT_FROM = 60_000  # units for the lexical models, evenly spread
_GROWN = 1.2  # times as many units as before: made anew
_BATCH = 4096
_SIGN, _PLACE = np.uint64(1 << 40), np.uint64(DIMENSIONS)


@dataclass(frozen=True, eq=False)
class MemoryWords:
    """Tables of a memory's words; `keys` are sorted."""

    units: int
    keys: Keys
    counts: npt.NDArray[np.float32]  # of units whose source has the word
    forward: LexicalModel  # of target words, given those of the source
    backward: LexicalModel
    documents: dict[tuple[str, str], int]  # client and name: a row of `vectors`
    vectors: npt.NDArray[np.float32]

    @classmethod
    def learn(cls, units: Iterable[Unit], total: int) -> MemoryWords:
        """From so many units."""
        step = max(1, total // LEARNT_FROM)
        documents: dict[tuple[str, str], int] = {}
        sources: list[str] = []
        targets: list[str] = []
        parts: list[tuple[Keys, npt.NDArray[np.int64], npt.NDArray[np.int64]]] = []
        seen = 0
        for batch in _batches(units):
            owners = np.array([documents.setdefault((u.client, u.document), len(documents)) for u in batch])
            words = KeyedWords.of([unit.source for unit in batch])
            lines, keys = _once(words)
            parts.append(_counted(keys, owners[lines]))
            for unit in batch[-seen % step :: step]:
                sources.append(unit.source)
                targets.append(unit.target)
            seen += len(batch)
        keys, owners, times = (np.concatenate(own) for own in zip(*parts, strict=True))
        known, places = np.unique(keys, return_inverse=True)
        counts = np.bincount(places, times).astype(np.float32)
        one, other = KeyedWords.of(sources), KeyedWords.of(targets)
        found = cls(
            seen,
            known,
            counts,
            LexicalModel.learn(other, one, most=LEARNT_FROM),
            LexicalModel.learn(one, other, most=LEARNT_FROM),
            documents,
            np.zeros((len(documents), DIMENSIONS), np.float32),
        )
        found.vectors[:] = found.sketched(keys, owners, times, len(documents))
        return found

    @cached_property
    def weights(self) -> Numbers:
        return np.log((self.units + 1) / (self.counts + 0.5))

    def rareness(self, keys: Keys) -> Numbers:
        """The logarithm of how few units have each word; new words are the rarest."""
        places = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        there = self.keys[places] == keys
        return np.asarray(np.where(there, self.weights[places], np.log((self.units + 1) / 0.5)))

    def known(self, keys: Keys) -> Numbers:
        """1 for each word that some source has, else 0."""
        places = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.asarray(self.keys[places] == keys, float)

    def sketched(
        self, keys: Keys, owners: npt.NDArray[np.int64], times: npt.NDArray[np.int64], number: int
    ) -> npt.NDArray[np.float32]:
        """Vectors of documents, of length 1: words, the rarer the more, in places and with signs by their keys."""
        pairs, rows = np.unique(np.stack([owners.astype(np.uint64), keys]), axis=1, return_inverse=True)
        values = np.log1p(np.bincount(rows.ravel(), times)) * self.rareness(pairs[1])
        values = np.where(pairs[1] & _SIGN, values, -values)
        places = pairs[0] * _PLACE + pairs[1] % _PLACE
        flat = np.bincount(places.astype(np.int64), values, number * DIMENSIONS)
        vectors = flat.reshape(number, DIMENSIONS)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.maximum(lengths, 1e-9), np.float32)

    def topics(self, texts: list[str]) -> dict[tuple[str, str], float]:
        """How much like each stored document a new one is: cosines."""
        lines, keys = _once(KeyedWords.of(texts))
        counted = _counted(keys, np.zeros(len(lines), np.int64))
        values = self.vectors @ self.sketched(*counted, 1)[0]
        return {name: float(values[row]) for name, row in self.documents.items()}

    def save(self, path: str, about: dict[str, object]) -> None:
        names = [list(name) for name in self.documents]
        arrays: dict[str, npt.NDArray[np.generic]] = {
            "keys": self.keys,
            "counts": self.counts,
            "vectors": self.vectors.ravel(),
        }
        for side, model in (("forward", self.forward), ("backward", self.backward)):
            arrays |= {f"{side} keys": model.keys, f"{side} chances": model.chances}
        write_arrays(path, FORM, {**about, "units": self.units, "documents": names}, arrays)

    @classmethod
    def load(cls, path: str, about: dict[str, object]) -> MemoryWords | None:
        """None where the file is of something else; InputError where there is none, or a damaged one."""
        facts, arrays = read_arrays(path, FORM)
        if any(facts.get(name) != value for name, value in about.items()):
            return None
        forward, backward = (
            LexicalModel(
                np.asarray(arrays[f"{side} keys"], np.uint32),
                np.asarray(arrays[f"{side} chances"], np.float32),
            )
            for side in ("forward", "backward")
        )
        return cls(
            facts["units"],
            np.asarray(arrays["keys"], np.uint64),
            np.asarray(arrays["counts"], np.float32),
            forward,
            backward,
            {(client, name): row for row, (client, name) in enumerate(facts["documents"])},
            np.asarray(arrays["vectors"], np.float32).reshape(-1, DIMENSIONS),
        )


def words_of(index: MemoryIndex, *, keep: bool = True) -> MemoryWords:
    """The words of an index's units: as they lie beside the memory, or made anew where it has grown by a fifth."""
    path = os.path.abspath(index.memory.path) + ENDING
    about: dict[str, object] = {"version": VERSION, **index.facts()}
    if keep:
        try:
            found = MemoryWords.load(path, about)
        except (InputError, KeyError, ValueError):
            found = None
            if os.path.exists(path):
                warnings.warn(
                    f"{path}: these words are damaged or of another version; they are made anew",
                    TertiumWarning,
                    stacklevel=2,
                )
        if found is not None and found.units <= len(index) < found.units * _GROWN + _BATCH:
            return found
    made = MemoryWords.learn(index.units(), len(index))
    if keep:
        with suppress(InputError):  # a folder that nothing can be written to
            made.save(path, about)
    return made


def _batches(units: Iterable[Unit]) -> Iterable[list[Unit]]:
    given = iter(units)
    while batch := list(islice(given, _BATCH)):
        yield batch


def _once(words: KeyedWords) -> tuple[npt.NDArray[np.int64], Keys]:
    """Lines and words, each word of a line once."""
    order = np.lexsort((words.keys, words.segments))
    lines, keys = words.segments[order], words.keys[order]
    new = np.ones(len(keys), bool)
    new[1:] = (lines[1:] != lines[:-1]) | (keys[1:] != keys[:-1])
    return lines[new], keys[new]


def _counted(
    keys: Keys, owners: npt.NDArray[np.int64]
) -> tuple[Keys, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Words of documents, and how often they are there."""
    order = np.lexsort((keys, owners))
    keys, owners = keys[order], owners[order]
    new = np.ones(len(keys), bool)
    new[1:] = (owners[1:] != owners[:-1]) | (keys[1:] != keys[:-1])
    starts = np.flatnonzero(new)
    return keys[starts], owners[starts], np.diff(np.append(starts, len(keys)))
