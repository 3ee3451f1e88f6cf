"""Batches of an epoch: encoded anew each time (other pieces, tags and matches shown), sorted by length, cut by tokens.

An epoch depends on the seed and its number alone, whatever the number of processes that encode it; but for pieces that
are cut at random (`sampling`): since its version 0.2.2 SentencePiece draws otherwise in each process, seed or not.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium.adaptation.nmt import examples
from tertium.adaptation.nmt.examples import TaggedPair
from tertium.adaptation.nmt.hardness import drawn_harder
from tertium.adaptation.nmt.pieces import PieceVocabulary, sentencepiece
from tertium.adaptation.nmt.settings import NetworkSetting

PARTS = 8  # an epoch is encoded, sorted and cut in so many parts
_SAMPLED = 0.7  # share of examples cut at random; the others are as when it translates
_MULTIPLE = 8  # lengths are padded to a multiple of this, which matrix units like


@dataclass(frozen=True)
class PaddedBatch:
    """Sources and targets as padded numbers."""

    source: NDArray[np.int32]
    target: NDArray[np.int32]


class Epochs:
    """The epochs of a run; the next one is encoded by other processes while one is learnt."""

    def __init__(self, folder: str, setting: NetworkSetting, processes: int = 0) -> None:
        self.folder, self.setting = folder, setting
        self.examples = examples.read(folder, "train")
        self.vocabulary = PieceVocabulary.load(folder)
        self._pool = None
        if processes:
            self._pool = ProcessPoolExecutor(
                processes, get_context("spawn"), initializer=_begin, initargs=(folder, setting)
            )
        self._asked: dict[int, list[Future[list[PaddedBatch]]]] = {}

    def batches(self, epoch: int) -> list[PaddedBatch]:
        """The batches of an epoch in their order."""
        if self._pool is None:
            parts = [
                _part_of(self.examples, self.vocabulary, self.setting, epoch, part) for part in range(PARTS)
            ]
        else:
            for wanted in (epoch, epoch + 1):
                if wanted not in self._asked:
                    self._asked[wanted] = [self._pool.submit(_part, wanted, part) for part in range(PARTS)]
            parts = [future.result() for future in self._asked.pop(epoch)]
        found = [batch for part in parts for batch in part]
        order = np.random.default_rng([self.setting.seed, epoch, 1]).permutation(len(found))
        return [found[place] for place in order]

    def close(self) -> None:
        """Ends the processes."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)


def padded(rows: Sequence[list[int]], pad: int, multiple: int = _MULTIPLE) -> NDArray[np.int32]:
    """Rows of numbers as one table."""
    width = -(-max(map(len, rows)) // multiple) * multiple
    table = np.full((len(rows), width), pad, np.int32)
    for place, row in enumerate(rows):
        table[place, : len(row)] = row
    return table


def held_out(
    folder: str, part: str, vocabulary: PieceVocabulary, setting: NetworkSetting, *, match: bool
) -> list[PaddedBatch]:
    """A part as it is when it is translated: nothing left to chance, with tags."""
    rows = examples.read(folder, part)
    longest = setting.longest
    encoded = sorted(
        (
            (vocabulary.source(own, match=match, longest=longest), vocabulary.target(own, longest=longest))
            for own in rows
        ),
        key=lambda pair: (len(pair[1]), len(pair[0])),
    )
    size = 64
    return [
        _batch(own, vocabulary.pad)
        for own in (encoded[place : place + size] for place in range(0, len(encoded), size))
    ]


_own: dict[str, Any] = {}  # what a process that encodes has read


def _begin(folder: str, setting: NetworkSetting) -> None:
    _own.update(
        examples=examples.read(folder, "train"), vocabulary=PieceVocabulary.load(folder), setting=setting
    )


def _part(epoch: int, part: int) -> list[PaddedBatch]:
    return _part_of(_own["examples"], _own["vocabulary"], _own["setting"], epoch, part)


def _part_of(
    rows: Sequence[TaggedPair],
    vocabulary: PieceVocabulary,
    setting: NetworkSetting,
    epoch: int,
    part: int,
) -> list[PaddedBatch]:
    """A part of an epoch, in a thread of its own: SentencePiece seeds its draws once a thread."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(_encoded, rows, vocabulary, setting, epoch, part).result()


def _encoded(
    rows: Sequence[TaggedPair], vocabulary: PieceVocabulary, setting: NetworkSetting, epoch: int, part: int
) -> list[PaddedBatch]:
    """A part of an epoch: every so many examples of its order, encoded, and cut into batches."""
    generator = np.random.default_rng([setting.seed, epoch])
    order = generator.permutation(len(rows))
    if setting.hard:
        order = drawn_harder(order, np.array([own.points for own in rows]), setting.hard, generator)
    order = order[part::PARTS]
    draw = random.Random(f"{setting.seed} {epoch} {part}")
    if setting.sampling:
        sentencepiece().set_random_generator_seed(draw.getrandbits(31))
    encoded: list[tuple[list[int], list[int]]] = []
    for own in map(rows.__getitem__, order):
        tags, match = draw.random() < setting.tags, draw.random() < setting.matches
        sampling = setting.sampling if draw.random() < _SAMPLED else 0.0
        encoded.append(
            (
                vocabulary.source(own, tags=tags, match=match, sampling=sampling, longest=setting.longest),
                vocabulary.target(own, sampling=sampling, longest=setting.longest),
            )
        )
    encoded.sort(key=lambda pair: (-(-max(map(len, pair)) // _MULTIPLE), len(pair[1]), len(pair[0])))
    return list(_cut(encoded, setting.tokens, vocabulary.pad))


def _cut(encoded: Sequence[tuple[list[int], list[int]]], tokens: int, pad: int) -> Iterator[PaddedBatch]:
    group: list[tuple[list[int], list[int]]] = []
    for pair in encoded:
        widest = -(-max(map(len, pair)) // _MULTIPLE) * _MULTIPLE  # they grow
        if group and (len(group) + 1) * widest > tokens:
            yield _batch(group, pad)
            group = []
        group.append(pair)
    if group:
        yield _batch(group, pad)


def _batch(group: Sequence[tuple[list[int], list[int]]], pad: int) -> PaddedBatch:
    return PaddedBatch(
        padded([source for source, _ in group], pad), padded([target for _, target in group], pad)
    )
