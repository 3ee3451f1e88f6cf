"""Post-edits that stray: their words have no more to do with their sources than with others.

A post-edit is odd where it is no nearer to its source than random texts are, by an estimator's lexical tables
(`explaining.beside_others`), while the translation that was edited is nearer: so tables that know nothing of these
texts say nothing. One that belongs elsewhere is odd in 95 of 100 cases, a good one as often as has been usual. The sum
of the logarithms of likelihood ratios (CUSUM, Page 1954) passes `LIMIT` by chance once in exp(LIMIT) = 100,000
corrections at most, on average (Lorden 1971), if the usual share is right; a column that is shifted by a line passes it
within a handful.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from tertium.estimation.explaining import beside_others
from tertium.estimation.view import Learnt
from tertium.io.translations import Translations

EDGE, SHARE = 1.645, 0.95  # deviations of random texts, and the share of those that is below
LIMIT = math.log(1e5)
ODD, SEEN, MEMORY = 0.05, 20.0, 0.995  # share of odd ones before any is known, and its weight; forgetting
MOST = 0.5  # odd ones, beyond which the tables say nothing
NEAR, KEPT = (
    99.0,
    0.5,
)  # what is said of a post-edit that keeps so many of the translation's words: it is one, for sure


def related_edits(learnt: Learnt, texts: Translations, others: Sequence[str] = ()) -> list[float | None]:
    """How far the words of each post-edit have more to do with its source than with other sources; None where there is
    none, or where not even the translation has. `NEAR` where it keeps half of the translation: whatever the tables know
    of such texts, this was edited."""
    if texts.post_edits is None:
        return [None] * len(texts)
    edited, before = (
        beside_others(learnt, texts.sources, own, others) for own in (texts.post_edits, texts.translations)
    )
    known = np.isfinite(edited) & (before >= EDGE)
    found = [round(value, 3) if told else None for value, told in zip(edited.tolist(), known, strict=True)]
    sides = zip(texts.translations, texts.post_edits, strict=True)
    return [NEAR if _keeps(*both) else own for both, own in zip(sides, found, strict=True)]


def _keeps(translation: str, post_edit: str) -> bool:
    """Whether half of the words, and three at least, are the same on both sides.

    >>> _keeps("the cat sat on mat", "the cat sat on the mat"), _keeps("the cat sat on mat", "the dog ran over a road")
    (True, False)
    """
    ours, theirs = Counter(translation.split()), Counter(post_edit.split())
    return (ours & theirs).total() >= max(3, KEPT * max(ours.total(), theirs.total()))


class StrayedTexts:
    """How much post-edits so far look as if they belonged elsewhere.

    >>> strays = StrayedTexts()
    >>> [strays.look(value) for value in (6.0, 5.0, 0.1, -0.4, 0.7, 0.2, 0.3, 0.1)]
    [False, False, False, False, False, False, False, True]
    """

    def __init__(self) -> None:
        self.odd, self.seen = ODD * SEEN, SEEN
        self.doubt = 0.0
        self.held = False

    @property
    def usual(self) -> float:
        """The share of good post-edits that are odd."""
        return float(np.clip(self.odd / self.seen, 0.01, MOST))

    def look(self, related: float) -> bool:
        """Whether it is now that post-edits are seen to stray."""
        odd, usual = related < EDGE, self.usual
        ratio = math.log(SHARE / usual) if odd else math.log((1 - SHARE) / (1 - usual))
        self.doubt = float(np.clip(self.doubt + ratio, 0.0, 2 * LIMIT))
        if self.doubt <= LIMIT / 2:
            self.odd, self.seen = MEMORY * self.odd + odd, MEMORY * self.seen + 1
        if self.held:
            self.held = self.doubt > 0
            return False
        self.held = self.doubt > LIMIT
        return self.held

    def calm(self) -> None:
        """What was seen so far is trusted."""
        self.doubt, self.held = 0.0, False

    @property
    def state(self) -> np.ndarray:
        return np.array([self.odd, self.seen, self.doubt, self.held], float)

    @state.setter
    def state(self, given: np.ndarray) -> None:
        self.odd, self.seen, self.doubt = (float(value) for value in given[:3])
        self.held = bool(given[3])
