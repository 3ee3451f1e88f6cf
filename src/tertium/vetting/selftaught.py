"""What a memory teaches about itself: which numbers tell its own pairs from pairs that merely look right.

Of a sample of its units, copies are made wrong: the target becomes that of the unit whose target is most like it (which
has the same words but for the ones that matter), the source becomes such a target, or the target becomes a source.
Boosted trees (native/boosting.hpp) then learn to tell the copies from the units as they are, cross-fitted: units fall
into parts by a hash of their source, and no unit is judged by trees that saw it or a copy of it. Units that are wrong
already are among those that count as right; they are few enough not to be learnt.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from math import log
from random import Random
from re import compile as pattern
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from tertium.io.memories.unit import Unit
from tertium.vetting.combining import Combination, fitted
from tertium.vetting.lengths import Lengths
from tertium.vetting.lexicon import MemoryLexicon
from tertium.vetting.likeness import Likeness

if TYPE_CHECKING:
    from numpy.typing import NDArray

Rows = Callable[[Sequence[Unit]], "NDArray[np.float64]"]

MOST = 5000  # units that teach
LONGEST = 10_000  # characters of their texts that are kept
LEAST = 400  # fewer teach nothing
PARTS = 3
TREES, LEAVES, RATE, LEAST_ROWS = 60, 10, 0.12, 40
RARE = 8  # words of a text that its likeness to others is looked for by
SHARED = 40  # texts that have such a word, at most
_WORD = pattern(r"\w+")


class SelfTaught:
    """A learner that stands on the numbers of others: units first, then `found` asks for their rows."""

    names = ("fit odds",)
    stands_on = (MemoryLexicon, Lengths, Likeness)

    def __init__(self, *, most: int = MOST) -> None:
        self._most, self._step, self._seen = most, 1, 0
        self._kept: list[Unit] = []
        self._trees: list[Combination] = []

    def learn(self, units: Sequence[Unit]) -> None:
        for unit in units:
            if unit.source.strip() and unit.target.strip():
                self._seen += 1
                if self._seen % self._step == 0:
                    texts = (unit.source[:LONGEST], unit.target[:LONGEST])
                    self._kept.append(Unit(*texts, unit.source_language, unit.target_language))
        while len(self._kept) > self._most:
            self._kept, self._step = self._kept[1::2], 2 * self._step

    def found(self, names: Sequence[str], rows: Rows) -> None:
        """The first pass has ended: `rows` gives the numbers of units, `names` says which."""
        kept, self._kept = self._kept, []
        if len(kept) < LEAST:
            return
        sets = [kept, *wrong_copies(kept)]
        numbers = np.nan_to_num(np.concatenate([rows(own) for own in sets]))
        wrong = np.concatenate([np.full(len(own), float(k > 0)) for k, own in enumerate(sets)])
        weights = np.concatenate(
            [np.full(len(own), 1.0 if k == 0 else 1.0 / (len(sets) - 1)) for k, own in enumerate(sets)]
        )
        parts = np.array([_part(unit) for unit in kept] * len(sets))
        for part in range(PARTS):
            own = parts != part
            self._trees.append(
                fitted(
                    tuple(names),
                    numbers[own],
                    wrong[own],
                    weights[own],
                    trees=TREES,
                    leaves=LEAVES,
                    rate=RATE,
                    least=LEAST_ROWS,
                )
            )

    def weigh(
        self, units: Sequence[Unit], names: Sequence[str], rows: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Logarithms of the odds that a unit is a wrong copy, where half of all are; 0: nobody knows."""
        found = np.zeros((len(units), 1))
        if self._trees:
            parts = np.array([_part(unit) for unit in units])
            for part, trees in enumerate(self._trees):
                own = np.flatnonzero(parts == part)
                found[own, 0] = trees.odds(names, rows[own])
        return found


def wrong_copies(units: Sequence[Unit]) -> list[list[Unit]]:
    """All units, made wrong in five ways: each side becomes the text nearest to either, and the target a source."""
    targets = [units[k].target for k in nearest([unit.target for unit in units])]
    sources = [units[k].source for k in nearest([unit.source for unit in units])]
    draw = Random(1)
    copied = [
        unit.source if draw.random() < 0.5 else units[draw.randrange(len(units))].source for unit in units
    ]
    pairs = [list(zip(units, texts, strict=True)) for texts in (sources, targets, copied)]
    return [
        [unit.changed(target=target) for unit, target in pairs[1]],
        [unit.changed(source=source) for unit, source in pairs[0]],
        [unit.changed(source=target) for unit, target in pairs[1]],
        [unit.changed(target=source) for unit, source in pairs[0]],
        [unit.changed(target=source) for unit, source in pairs[2]],
    ]


def nearest(texts: Sequence[str]) -> list[int]:
    """For each text, the other one that is most like it: by words that both have, rare ones weighing more.

    >>> nearest(["flowers for Rome", "hotels", "flowers for Oslo", "cheap hotels"])
    [2, 3, 0, 1]
    """
    words = [
        sorted({*_WORD.findall(text.lower())}) for text in texts
    ]  # in order: sums are the same in every run
    counts = Counter(word for own in words for word in own)
    weights = {word: log(1.0 + len(texts) / count) for word, count in counts.items()}
    lengths = [sum(weights[word] ** 2 for word in own) ** 0.5 or 1.0 for own in words]
    holders: dict[str, list[int]] = defaultdict(list)
    for i, own in enumerate(words):
        for word in own:
            if len(holders[word]) < SHARED:
                holders[word].append(i)
    found = []
    for i, own in enumerate(words):
        shared: dict[int, float] = defaultdict(float)
        for word in sorted(own, key=lambda word: (counts[word], word))[:RARE]:
            for k in holders[word]:
                shared[k] += weights[word] ** 2
        best, most = (i + 1) % len(texts), 0.0
        for k, value in shared.items():
            if texts[k] != texts[i] and value / lengths[k] > most:
                best, most = k, value / lengths[k]
        found.append(best)
    return found


def _part(unit: Unit) -> int:
    return crc32(unit.source.encode("utf-8", "surrogatepass")) % PARTS
