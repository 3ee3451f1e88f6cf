"""What a memory teaches about work: what its proposals saved when its own documents were translated.

Some documents of the memory are looked up again, each among the other documents that were there before it, and the best
proposal for each segment is compared with what was written in the end. So every match rate has a mean of what it
saves (a curve that only rises); and what is left over says how far a document can be from such a mean: by its segments,
each for itself, and as a whole, since a translator or a text can be far from all others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from tertium.estimation.estimator import edit_rates
from tertium.io.memories.unit import Unit
from tertium.matching.matching import Matcher
from tertium.matching.proposals import EXACT, Context
from tertium.progress import steps
from tertium.stats.reliability import equal_bins, isotonic

LEAST = 40  # segments with a proposal: fewer teach nothing
BIN, MOST_BINS = 20, 25  # segments in a bin of the curve, and bins
DOCUMENTS, SEGMENTS = 120, 20  # that are looked up: documents, and of each so many segments
ENOUGH = 5  # segments of a document that tell how it differs
LEAST_DOCUMENTS = 8  # fewer do not tell how documents differ
CHUNK = 50  # units without the name of a document: so many are taken for one

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Spread:
    """How far shares of saved words are from what was expected: of segments, and of whole documents."""

    segments: float  # standard deviations
    documents: float


@dataclass(frozen=True, eq=False)
class Experience:
    """Segments of the past: match rates, shares of words that needed no edit, words, and which document each is of."""

    rates: Numbers
    saved: Numbers
    words: Numbers
    documents: NDArray[np.int64]

    @classmethod
    def learnt(
        cls, matcher: Matcher, *, documents: int = DOCUMENTS, segments: int = SEGMENTS, seed: int = 12345
    ) -> Experience:
        """From some documents of a memory."""
        chosen = _sample(matcher, documents, segments, seed)
        rates, proposed, wanted, words, places = [], [], [], [], []
        for place, units in enumerate(steps(chosen, "what proposals saved before")):
            for unit in units:
                best = matcher.propose(
                    unit.source, Context(client=unit.client), keep=partial(_was_there, unit)
                )
                if best:
                    rates.append(min(best[0].rate, EXACT))
                    proposed.append(best[0].target)
                    wanted.append(unit.target)
                    words.append(len(unit.source.split()))
                    places.append(place)
        saved = 1 - edit_rates(proposed, wanted) if proposed else np.zeros(0)
        return cls(
            np.array(rates, float), np.asarray(saved), np.array(words, float), np.array(places, np.int64)
        )

    @property
    def learned(self) -> bool:
        """Whether there was enough to learn from; if not, a proposal is taken to save what its rate says."""
        return len(self.rates) >= LEAST

    @cached_property
    def curve(self) -> tuple[Numbers, Numbers]:
        """Rates, and the share of the words that proposals of such rates save: a line that only rises."""
        bins = equal_bins(self.rates, max(1, min(MOST_BINS, len(self.rates) // BIN)))
        words = np.maximum(self.words, 1.0)
        at = np.array([self.rates[own].mean() for own in bins])
        saved = [float(np.average(self.saved[own], weights=words[own])) for own in bins]
        return at, isotonic(saved, [float(words[own].sum()) for own in bins])

    def expected(self, rates: Sequence[float]) -> Numbers:
        """Shares of words that proposals of these rates save, on average."""
        given = np.minimum(np.asarray(rates, float), EXACT)
        return np.asarray(np.interp(given, *self.curve)) if self.learned else given / 100

    @cached_property
    def exact(self) -> Spread | None:
        return self._spread(self.rates >= EXACT)

    @cached_property
    def fuzzy(self) -> Spread | None:
        return self._spread(self.rates < EXACT)

    def _spread(self, among: NDArray[np.bool_]) -> Spread | None:
        """By moments: within documents, and what documents differ beyond that: documents by their words, or those with
        some segments all alike, whichever is more."""
        if not self.learned or len(np.unique(self.documents[among])) < LEAST_DOCUMENTS:
            return None
        left = (self.saved - self.expected(self.rates.tolist()))[among]
        words, documents = np.maximum(self.words[among], 1.0), self.documents[among]
        within = sizes = 0.0
        means, total, inner, sizes_of = [], [], [], []
        for own in np.unique(documents):
            here = documents == own
            all_words = words[here].sum()
            mean = float(left[here] @ words[here] / all_words)
            within += float(words[here] @ (left[here] - mean) ** 2)
            sizes += float(all_words - (words[here] ** 2).sum() / all_words)
            means.append(mean)
            total.append(all_words)
            sizes_of.append(int(here.sum()))
            inner.append((words[here] ** 2).sum() / all_words**2)
        variance = within / sizes if sizes > 0 else 0.0
        beyond = np.array(means) ** 2 - variance * np.array(inner)
        large = np.array(sizes_of) >= ENOUGH
        by_words = float(np.average(beyond, weights=total))
        by_documents = float(beyond[large].mean()) if large.any() else 0.0
        return Spread(float(np.sqrt(variance)), float(np.sqrt(max(by_words, by_documents, 0.0))))


def _was_there(asked: Unit, stored: Unit) -> bool:
    """Whether a stored unit was there when a document was translated: another document's, and not later."""
    if (stored.client, stored.document) == (asked.client, asked.document) and stored.document:
        return False
    if stored == asked:
        return False
    return not (stored.date and asked.date) or stored.date[:10] < asked.date[:10]


def _sample(matcher: Matcher, documents: int, segments: int, seed: int) -> list[list[Unit]]:
    """Segments of some documents, drawn with this seed."""
    memory, numbers = matcher.index.memory, set(matcher.index.numbers)
    found: dict[tuple[str, str], list[int]] = {}
    for number, client, document in memory.places():
        if number in numbers:
            key = (client, document) if document else ("", str(number // CHUNK))
            found.setdefault(key, []).append(number)
    draws = np.random.default_rng(seed)
    several = [own for own in found.values() if len(own) > 1]
    chosen = [several[i] for i in draws.permutation(len(several))[:documents]]
    return [
        [unit for _, unit in memory.chosen(sorted(draws.permutation(own)[:segments].tolist()))]
        for own in chosen
    ]
