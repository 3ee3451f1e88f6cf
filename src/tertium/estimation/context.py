"""Features of what stands around a segment: its neighbours in its document, and the document.

They depend on the other segments of the document, and on no other document: a document has to be estimated whole, its
segments in their order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tertium.errors import InputError
from tertium.estimation.view import QualityFeatures, View
from tertium.estimation.words import KeyedWords, Numbers, Places, mixed

RARE = 20  # a word is rare if at most so many words stand before it in what was learnt
SHORTEST = 3  # characters of a word that may be a term
_SIGNS = ("target translated", "source translated", "surprise", "log-probability", "ratio")


def check_documents(documents: Sequence[str], number: int) -> None:
    """Refuses names of documents that are not one for each of so many translations."""
    if len(documents) != number:
        raise InputError(f"there are {number} translations, but names of documents for {len(documents)}")
    for line, name in enumerate(documents, 1):
        if not name.strip():
            raise InputError(f"line {line}: the name of the document is empty")


class Surroundings(NamedTuple):
    """Where segments stand in their documents."""

    document: Places  # its number, for each segment
    sizes: Places  # segments of the document of each
    place: Places  # of each in its document, from 0
    before: Places  # the segment before each in its document; itself if there is none
    after: Places

    @classmethod
    def of(cls, documents: Sequence[str]) -> Surroundings:
        """
        >>> found = Surroundings.of(["a", "b", "a"])
        >>> found.place.tolist(), found.before.tolist(), found.after.tolist()
        ([0, 0, 1], [0, 1, 0], [2, 1, 2])
        """
        numbers: dict[str, int] = {}
        document = np.array([numbers.setdefault(name, len(numbers)) for name in documents], np.int64)
        order = np.argsort(document, kind="stable")
        counts = np.bincount(document, minlength=len(numbers))
        place = np.zeros(len(document), np.int64)
        place[order] = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
        before, after = np.arange(len(order)), np.arange(len(order))
        same = document[order[1:]] == document[order[:-1]]
        before[order[1:][same]] = order[:-1][same]
        after[order[:-1][same]] = order[1:][same]
        return cls(document, counts[document], place, before, after)


def _context(view: View) -> Sequence[Numbers]:
    if view.documents is None:
        raise InputError("these features need the names of documents")
    check_documents(view.documents, len(view))
    layout, signs = Surroundings.of(view.documents), _signs(view)
    sums = np.array([np.bincount(layout.document, own)[layout.document] for own in signs])
    others = np.where(layout.sizes > 1, (sums - signs) / np.maximum(layout.sizes - 1, 1), signs)
    return (
        *signs[:, layout.before],
        *signs[:, layout.after],
        *others,
        layout.place / np.maximum(layout.sizes - 1, 1),
        np.log(layout.sizes),
        *_topic(view, layout),
        *_terms(view, layout),
    )


def _signs(view: View) -> Numbers:
    """What is looked at in other segments, a row for each of `_SIGNS`."""
    target, source = view.target, view.source
    logs = np.zeros(len(view))  # where there are no log-probabilities
    if view.scores is not None:
        logs = np.array([own.mean() if len(own) else 0.0 for own in view.scores.values])
    return np.array(
        [
            target.mean(np.log(view.forward[0])),
            source.mean(np.log(view.backward[0])),
            target.mean(view.surprise["target"]),
            logs,
            np.log((target.sizes + 1) / (source.sizes + 1)),
        ]
    )


def _in_documents(side: KeyedWords, layout: Surroundings, words: Places) -> Places:
    """For each of these words a number: the same for the same word of the same document."""
    keys = mixed(layout.document[side.segments[words]].astype(np.uint64), side.keys[words])
    return np.asarray(np.unique(keys, return_inverse=True)[1], np.int64)


def _topic(view: View, layout: Surroundings) -> Sequence[Numbers]:
    """By rarity, the share of a segment's source words that no other segment of its document has; and of how many of
    the others they are words. 0 in a document of one segment."""
    side, weights = view.source, np.maximum(view.rarity["source"], 0.1)
    numbers = _in_documents(side, layout, np.arange(len(side.keys)))
    once = np.unique(numbers * max(len(view), 1) + side.segments)  # a word and a segment that has it
    having = np.bincount(once // max(len(view), 1), minlength=1)[numbers] if len(numbers) else numbers
    whole = np.maximum(side.sums(weights), 1e-9)
    alone = layout.sizes == 1
    share = (having - 1) / np.maximum(layout.sizes[side.segments] - 1, 1)
    shift = side.sums(np.where(having == 1, weights, 0.0)) / whole
    return np.where(alone, 0.0, shift), side.sums(share * weights) / whole


def _terms(view: View, layout: Surroundings) -> Sequence[Numbers]:
    """Of the rare source words that an earlier segment of the document has: the share whose translation, by the lexical
    model, is another than the last time; and the logarithm of how many there are, and one."""
    words, links = _linked(view)
    side = view.source
    numbers, segments = _in_documents(side, layout, words), side.segments[words]
    order = np.lexsort((words, layout.place[segments], numbers))
    if len(order):  # a word counts once in a segment, where it stands first
        first = np.ones(len(order), bool)
        mine, here = numbers[order], segments[order]
        first[1:] = (mine[1:] != mine[:-1]) | (here[1:] != here[:-1])
        order = order[first]
    mine, made = numbers[order], view.target.keys[links[order]]
    again = mine[1:] == mine[:-1]
    later = segments[order[1:]][again]
    repeated = np.bincount(later, minlength=len(view)).astype(float)
    changed = np.bincount(later, (made[1:] != made[:-1])[again].astype(float), len(view))
    return changed / np.maximum(repeated, 1), np.log1p(repeated)


def _linked(view: View) -> tuple[Places, Places]:
    """Rare source words that have a translation, and that target word: the same word, or else the likeliest."""
    source, target = view.source, view.target
    rare = (view.read["source"][1] <= RARE) & (source.characters >= SHORTEST)
    words = np.flatnonzero(rare & (target.sizes[source.segments] > 0))
    if not len(words):
        return words, words
    segments = source.segments[words]
    counts = target.sizes[segments]
    begins = np.cumsum(counts) - counts
    others = np.arange(counts.sum()) - np.repeat(begins - target.starts[segments], counts)
    given, made = np.repeat(source.keys[words], counts), target.keys[others]
    chances = np.where(given == made, 2.0, view.learnt.forward.of(given, made))
    best = np.maximum.reduceat(chances, begins)
    found = np.flatnonzero(chances == np.repeat(best, counts))  # the first of equals is taken
    own, place = np.unique(np.repeat(np.arange(len(words)), counts)[found], return_index=True)
    linked = best[own] > 0
    return words[own[linked]], others[found[place[linked]]]


CONTEXT = QualityFeatures(
    "the segments before and after in the document, the document, its topic, and terms translated before",
    (
        *(f"{where} {sign}" for where in ("before", "after", "document") for sign in _SIGNS),
        *("position", "segments", "topic shift", "topic", "terms changed", "terms repeated"),
    ),
    _context,
    needs_documents=True,
)
