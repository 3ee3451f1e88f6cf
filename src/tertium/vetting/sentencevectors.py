"""Vectors of both texts by an encoder that knows both languages: how much nearer they are than others of the memory.

The cosine of two texts says little by itself: a general text is near to many. So it is compared with the nearest other
texts of a sample of the memory (the margin of Artetxe and Schwenk 2019, as a difference), and what a margin means is
learnt from the sample: its own pairs, and each source with the target that is nearest to it of all others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from tertium.vetting.combining import Combination, fitted

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.io.memories.unit import Unit

MOST = 2000  # units of the sample
LEAST = 50  # fewer teach nothing
NEAREST = 4  # texts that a pair is compared with, on either side
TREES, LEAVES, RATE, LEAST_ROWS = 20, 4, 0.2, 10


class SentenceVectors:
    """A learner that sees nothing before it has been told which encoder to `use`."""

    names = ("vector cosine", "vector margin", "vectors")

    def __init__(self) -> None:
        self._encoder: str | None = None
        self._step, self._seen = 1, 0
        self._kept: list[Unit] = []
        self._pools: list[NDArray[np.float32]] = []
        self._trees: Combination | None = None

    def use(self, encoder: str) -> None:
        """`use`, or an encoder: a folder in Hugging Face format, or a package that carries one."""
        from tertium.text.sentences import check_encoder

        check_encoder(encoder)
        self._encoder = encoder

    def learn(self, units: Sequence[Unit]) -> None:
        if self._encoder is None:
            return
        for unit in units:
            if unit.source.strip() and unit.target.strip():
                self._seen += 1
                if self._seen % self._step == 0:
                    self._kept.append(unit)
        while len(self._kept) > MOST:
            self._kept, self._step = self._kept[1::2], 2 * self._step

    def ready(self) -> None:
        units, self._kept = self._kept, []
        if self._encoder is None or len(units) < LEAST:
            return
        self._pools = list(self._vectors(units))
        self._texts = [[unit.source for unit in units], [unit.target for unit in units]]
        scores = self._pools[0] @ self._pools[1].T
        for i, target in enumerate(self._texts[1]):
            scores[i, [k for k, other in enumerate(self._texts[1]) if other == target]] = -1.0
        others = [
            unit.changed(target=units[k].target) for unit, k in zip(units, scores.argmax(1), strict=True)
        ]
        rows = np.concatenate([self._numbers(units), self._numbers(others)])
        wrong = np.repeat([0.0, 1.0], len(units))
        how = {"trees": TREES, "leaves": LEAVES, "least": LEAST_ROWS}
        self._trees = fitted(self.names[:2], rows, wrong, np.ones(len(wrong)), rate=RATE, **how)

    @property
    def knows(self) -> bool:
        """Whether it has learnt what a margin means."""
        return self._trees is not None

    def measure(self, units: Sequence[Unit]) -> NDArray[np.float64]:
        """The cosine, the margin, and how sure it is that a unit is wrong: 0, or from one half on."""
        if self._trees is None or not units:
            return np.zeros((len(units), len(self.names)))
        rows = self._numbers(units)
        odds = self._trees.odds(self.names[:2], rows)
        empty = np.array([not (unit.source.strip() and unit.target.strip()) for unit in units])
        sure = np.where((odds > 0.0) & ~empty, 1.0 / (1.0 + np.exp(-odds)), 0.0)
        return np.column_stack([rows, sure])

    def _vectors(self, units: Sequence[Unit]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        from tertium.text.sentences import sentence_vectors

        texts = [unit.source for unit in units] + [unit.target for unit in units]
        both = sentence_vectors(self._encoder or "", texts)
        return both[: len(units)], both[len(units) :]

    def _numbers(self, units: Sequence[Unit]) -> NDArray[np.float64]:
        sources, targets = self._vectors(units)
        cosines = (sources * targets).sum(axis=1, dtype=np.float64)
        usual = np.zeros(len(units))
        sides = ((sources, 1, [unit.target for unit in units]), (targets, 0, [unit.source for unit in units]))
        for own, other, partners in sides:
            scores = own @ self._pools[other].T
            places: dict[str, list[int]] = {}
            for k, text in enumerate(self._texts[other]):
                places.setdefault(text, []).append(k)
            for i, text in enumerate(partners):  # a text is not compared with itself
                if text in places:
                    scores[i, places[text]] = -1.0
            usual += np.sort(scores, axis=1)[:, -NEAREST:].mean(axis=1) / 2.0
        return np.column_stack([cosines, cosines - usual])
