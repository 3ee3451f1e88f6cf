"""What is known of each word of a translation, of the gaps between them, and of each word of its source.

Models are over words cut at punctuation, tags over what stands between blanks: a word has the worst of its parts. Words
are linked to the word of the other side that is the likeliest translation, both ways together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from tertium.estimation.glassbox import placed
from tertium.estimation.view import View
from tertium.estimation.words import KeyedWords, Numbers, Places
from tertium.text.keyed import Keys
from tertium.text.lexical import LONGEST, UNSEEN
from tertium.wordtags.tags import BlankWords

_CELLS = 2_000_000  # pairs of words that are looked at together
_NEAR = 0.02  # how much a link gains by lying on the diagonal
_PART = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, eq=False)
class WordSide:
    """The words of one side, between blanks, over its words as models cut them."""

    words: BlankWords
    keyed: KeyedWords
    firsts: Places  # the first part of each word
    owners: Places  # the word of each part

    @classmethod
    def of(cls, keyed: KeyedWords) -> WordSide:
        words = BlankWords.of(keyed.lines)
        ends = np.cumsum([len(form) for form in words.forms])
        begins = np.cumsum(keyed.characters) - keyed.characters
        owners = np.searchsorted(ends, begins, side="right").astype(np.int64)
        return cls(words, keyed, np.searchsorted(owners, np.arange(len(words.forms))), owners)

    def __len__(self) -> int:
        return len(self.words.forms)

    def least(self, values: Numbers) -> Numbers:
        return np.minimum.reduceat(values, self.firsts) if len(self) else np.zeros(0)

    def total(self, values: Numbers) -> Numbers:
        return np.asarray(np.bincount(self.owners, values, len(self)), float)

    @cached_property
    def segments(self) -> Places:
        return self.words.segments

    @cached_property
    def places(self) -> Places:
        """Where each word stands in its text, from 0."""
        return np.arange(len(self)) - self.words.starts[self.segments]

    @cached_property
    def keys(self) -> Keys:
        parts = np.arange(len(self.owners)) - self.firsts[self.owners]
        own = self.keyed.keys * (2 * parts + 1).astype(np.uint64)
        return np.add.reduceat(own, self.firsts) if len(self) else np.zeros(0, np.uint64)

    @cached_property
    def kinds(self) -> Places:
        """The number of each form among the different ones."""
        known: dict[str, int] = {}
        return np.array([known.setdefault(form, len(known)) for form in self.words.forms], np.int64)

    def each(self, of: Callable[[str], float]) -> Numbers:
        """A number for each word by its form; it is asked for once for each form."""
        forms = dict(zip(self.kinds.tolist(), self.words.forms, strict=True))
        found = np.zeros(len(forms))
        for kind, form in forms.items():
            found[kind] = of(form)
        return found[self.kinds]

    def beside(self, values: npt.NDArray[Any], by: int, empty: float = 0.0) -> npt.NDArray[Any]:
        """For each word the value of the word so far away in the same text."""
        place = np.arange(len(self)) + by
        inside = (place >= 0) & (place < len(self))
        place = np.clip(place, 0, max(0, len(self) - 1))
        if not len(self):
            return values
        inside &= self.segments[place] == self.segments
        return np.where(inside, values[place], np.asarray(empty).astype(values.dtype))


@dataclass(frozen=True, eq=False)
class WordView:
    """Words of some segments and what models say of them."""

    view: View
    estimates: Numbers  # of the segments

    @cached_property
    def target(self) -> WordSide:
        return WordSide.of(self.view.target)

    @cached_property
    def source(self) -> WordSide:
        return WordSide.of(self.view.source)

    @cached_property
    def links(self) -> tuple[Places, Numbers, Places, Numbers]:
        """The source word of each target word (-1: none) and the logarithm of how likely the link is; and the same
        the other way."""
        target, source = self.target, self.source
        found = [np.full(len(side), -1, np.int64) for side in (target, source)]
        chances = [np.full(len(side), np.log(UNSEEN * UNSEEN)) for side in (target, source)]
        for first, last in _batches(self.view.target.sizes * self.view.source.sizes):
            ours, theirs, own = self._pairs(first, last)
            for at, (mine, other) in enumerate(((ours, theirs), (theirs, ours))):
                order = np.lexsort((-own, mine))
                best = order[np.flatnonzero(np.diff(mine[order], prepend=-1))]
                likely = best[own[best] > UNSEEN * UNSEEN * (1 + _NEAR)]
                found[at][mine[likely]] = other[likely]
                chances[at][mine[likely]] = np.log(own[likely])
        return found[0], chances[0], found[1], chances[1]

    def _pairs(self, first: int, last: int) -> tuple[Places, Places, Numbers]:
        """All pairs of words of these segments, and how likely they are translations of each other, both ways."""
        ours, theirs = self.view.target, self.view.source
        sizes = [np.minimum(side.sizes, LONGEST)[first:last] for side in (ours, theirs)]
        segment = np.repeat(np.arange(first, last), sizes[0] * sizes[1])
        within = np.arange(len(segment)) - np.repeat(
            np.cumsum(sizes[0] * sizes[1]) - sizes[0] * sizes[1], sizes[0] * sizes[1]
        )
        wide = np.maximum(sizes[1][segment - first], 1)
        a, b = within // wide, within % wide
        i, j = ours.starts[segment] + a, theirs.starts[segment] + b
        made, given = ours.keys[i], theirs.keys[j]
        learnt = self.view.learnt
        same = made == given
        ways = [learnt.forward.of(given, made), learnt.backward.of(made, given)]
        near = 1 - np.abs(a / np.maximum(sizes[0][segment - first], 1) - b / wide)
        chance = np.maximum(ways[0], UNSEEN) * np.maximum(ways[1], UNSEEN)
        chance = np.where(same, np.maximum(chance, 0.25), chance) * (1 + _NEAR * near)
        return self.target.owners[i], self.source.owners[j], chance

    @cached_property
    def pieces(self) -> tuple[Numbers, Numbers, Numbers] | None:
        """Of the pieces of each target word: the sum of their log-probabilities, the least, and how many they are."""
        scores = self.view.scores
        if scores is None:
            return None
        total, least, number = (np.zeros(len(self.target)) for _ in range(3))
        starts, forms = self.target.words.starts.tolist(), self.target.words.forms
        for i, (pieces, values) in enumerate(zip(scores.pieces, scores.values, strict=True)):
            place = placed(forms[starts[i] : starts[i + 1]], pieces)
            if place is None:
                continue
            place = place + starts[i]
            own = np.asarray(values[: len(place)], float)
            np.add.at(total, place, own)
            np.minimum.at(least, place, own)
            np.add.at(number, place, 1.0)
        return total, least, number


def _batches(cells: Places) -> list[tuple[int, int]]:
    """Neighbouring segments, with no more cells together than are held."""
    found, first, held = [], 0, 0
    for i, own in enumerate(cells.tolist()):
        if held and held + own > _CELLS:
            found.append((first, i))
            first, held = i, 0
        held += own
    return [*found, (first, len(cells))]
