"""What a system was worth in a stream: scores by segment, repeated errors, recovery after a change, and tests in pairs.

**Repeated errors.** Words are those with content (letters; not among the common words of the language), capitals aside.
M(t) are the words of correction t that translation t lacks: somebody had to write them. A word of correction t is
*needed again* if it is in M(s) for an earlier s: it was corrected once. It is a repeated error if it is in M(t), too.

    repeated-error rate = sum_t |{w in M(t): w in M(s), s < t}| / sum_t |{w in C(t): w in M(s), s < t}|

with C(t) the words of correction t: of the corrections that were made once and were needed again, how many had to be
made again. A system that never learns and never errs twice has 0, one that learns nothing of what it cannot do near 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium import registry
from tertium.adaptation.streams import StreamItem
from tertium.stats.multiple import holm
from tertium.stats.pvalues import exact_randomisation_p, randomisation_p, resample_interval
from tertium.stats.resampling import SEED, Draws
from tertium.text.terms import common_words

Numbers = NDArray[np.float64]

_WORD = re.compile(r"[^\W\d_]{2,}")
RESAMPLES = 2000
BLOCK = 25  # segments that are resampled together: what follows each other is alike
WINDOW = 100  # segments of a point of the learning curve, and of a level before and after a change
NEAR = 0.95  # of the level in the end: then a system has recovered
EXACT_BLOCKS = 16  # up to so many blocks every swap is looked at
MEASURES = ("chrF", "TER", "saved")


def content_words(text: str, language: str = "") -> frozenset[str]:
    """Words that say something, capitals aside.

    >>> sorted(content_words("La neige cessera dans la soirée.", "fr"))
    ['cessera', 'neige', 'soirée']
    """
    return frozenset(map(str.casefold, _WORD.findall(text))) - common_words(language)


@dataclass(frozen=True)
class RepeatedErrors:
    """Corrections that were made once: how often they were needed again, and made again."""

    needed: int
    repeated: int
    words: int  # of all corrections

    @property
    def rate(self) -> float | None:
        """Of those needed again, how many were made again; None where none was needed."""
        return self.repeated / self.needed if self.needed else None

    @property
    def per_hundred(self) -> float:
        """Repeated errors in 100 words of the corrections."""
        return 100 * self.repeated / self.words if self.words else 0.0


def repeated_errors(
    translations: Sequence[str], corrections: Sequence[str], language: str = ""
) -> RepeatedErrors:
    """What had to be corrected again.

    >>> found = repeated_errors(["snow here", "snow there", "neige"], ["neige ici", "neige là", "neige"])
    >>> found.needed, found.repeated
    (2, 1)
    """
    once: set[str] = set()
    needed = repeated = words = 0
    for translation, correction in zip(translations, corrections, strict=True):
        right = content_words(correction, language)
        missed = right - content_words(translation, language)
        words += len(right)
        needed += len(right & once)
        repeated += len(missed & once)
        once |= missed
    return RepeatedErrors(needed, repeated, words)


@dataclass(frozen=True, eq=False)
class MeasuredStream:
    """Translations of a stream by one system, against its corrections: rows of chrF and TER, edits saved."""

    translations: Sequence[str]
    corrections: Sequence[str]

    @cached_property
    def rows(self) -> dict[str, Any]:
        return {
            name: (metric := registry.metric(name.lower())).statistics(
                list(self.translations), metric.prepare(list(self.corrections))
            )
            for name in ("chrF", "TER")
        }

    @cached_property
    def segments(self) -> dict[str, Numbers]:
        """By measure, a number for each segment: chrF and TER (0 to 100), edits saved (0 to 1)."""
        found = {
            name: np.nan_to_num(registry.metric(name.lower()).score_rows(rows, "segment"), nan=100.0)
            for name, rows in self.rows.items()
        }
        return {**found, "saved": np.clip(1 - found["TER"] / 100, 0.0, 1.0)}

    def of(self, measure: str, begin: int = 0, end: int | None = None) -> float:
        """Of a part of the stream: chrF and TER of the texts together, the mean of edits saved."""
        if measure == "saved":
            return float(self.segments["saved"][begin:end].mean())
        metric = registry.metric(measure.lower())
        places = np.arange(len(self.translations))[begin:end]
        return float(metric.score_total(self.rows[measure].take(places).total()) or 0.0)

    def among(self, measure: str, places: Sequence[int]) -> float:
        """The same of some segments."""
        index = np.asarray(places, np.int64)
        if measure == "saved":
            return float(self.segments["saved"][index].mean())
        metric = registry.metric(measure.lower())
        return float(metric.score_total(self.rows[measure].take(index).total()) or 0.0)

    def resampled(self, measure: str, blocks: NDArray[np.int64], weights: Any) -> Numbers:
        """The measure in resamples of blocks."""
        n = int(blocks.max()) + 1
        if measure == "saved":
            sums = np.bincount(blocks, self.segments["saved"], n)
            sizes = np.bincount(blocks, minlength=n)
            drawn = np.asarray(weights, float)
            return np.asarray((drawn @ sums) / (drawn @ sizes))
        metric = registry.metric(measure.lower())
        rows = self.rows[measure].grouped(blocks, n).weighted(weights)
        return np.asarray(metric.score_rows(rows, "corpus"))

    def swapped(
        self, other: MeasuredStream, measure: str, blocks: NDArray[np.int64], masks: NDArray[np.uint8]
    ) -> tuple[Numbers, Numbers]:
        """The measure of this stream and another after the blocks whose bit is set have changed sides."""
        n = int(blocks.max()) + 1
        if measure == "saved":
            ours, theirs = (np.bincount(blocks, one.segments["saved"], n) for one in (self, other))
            bits = np.unpackbits(masks, axis=1, count=n, bitorder="little").astype(float)
            moved = bits @ (theirs - ours)
            return (ours.sum() + moved) / len(blocks), (theirs.sum() - moved) / len(blocks)
        metric = registry.metric(measure.lower())
        first, second = (one.rows[measure].grouped(blocks, n) for one in (self, other))
        return metric.score_swapped(first, second, masks)


def blocks_of(items: Sequence[StreamItem], size: int = BLOCK) -> NDArray[np.int64]:
    """The block of each segment: up to so many that follow each other in one document."""
    found, block, filled, document = [], -1, size, None
    for item in items:
        own = item.segment.client, item.segment.document
        if own != document or filled >= size:
            block, filled, document = block + 1, 0, own
        filled += 1
        found.append(block)
    return np.array(found, np.int64)


@dataclass(frozen=True)
class PairedDifference:
    """Second minus first by one measure, with the 95% interval from resampled blocks (None: two blocks have none that
    holds) and p of randomisation by blocks (two-sided; after Holm)."""

    first: str
    second: str
    measure: str
    difference: float
    low: float | None
    high: float | None
    p: float


def paired_tests(
    measured: dict[str, MeasuredStream],
    items: Sequence[StreamItem],
    *,
    seed: int = SEED,
    resamples: int = RESAMPLES,
) -> Iterator[PairedDifference]:
    """All systems against each other. Blocks of segments are drawn or change sides as a whole: in a stream, segments
    that follow each other are alike, and tests of single ones would reject too many true nulls."""
    blocks = blocks_of(items)
    n = int(blocks.max()) + 1
    pairs = list(combinations(measured, 2))
    if n < 2 or not pairs:
        return
    draws = Draws(seed)
    weights = np.concatenate(list(draws.counts(n, resamples)))
    masks = Draws.every_swap(n) if n <= EXACT_BLOCKS else np.concatenate(list(draws.swaps(n, resamples)))
    for measure in MEASURES:
        drawn = {name: own.resampled(measure, blocks, weights) for name, own in measured.items()}
        whole = {name: own.of(measure) for name, own in measured.items()}
        raw = [
            _randomised(measured[a], measured[b], measure, blocks, whole[b] - whole[a], masks)
            for a, b in pairs
        ]
        for (a, b), p in zip(pairs, holm(raw), strict=True):
            interval = resample_interval(drawn[b] - drawn[a], whole[b] - whole[a], n)
            yield PairedDifference(
                a, b, measure, whole[b] - whole[a], interval.low, interval.high, 1.0 if p is None else p
            )


def _randomised(
    first: MeasuredStream,
    second: MeasuredStream,
    measure: str,
    blocks: NDArray[np.int64],
    difference: float,
    masks: NDArray[np.uint8],
) -> float:
    """The p-value of swapped blocks, exact where the masks are all there are."""
    scores = first.swapped(second, measure, blocks, masks)
    exact = int(blocks.max()) < EXACT_BLOCKS
    return (exact_randomisation_p if exact else randomisation_p)(*scores, difference)


@dataclass(frozen=True)
class Recovery:
    """A change in the stream: chrF before it, after it and in the end, and how many segments recovery took (None: the
    stream ends before)."""

    at: int  # the first segment of what is new
    before: str
    after: str
    level_before: float
    level_after: float
    level_end: float
    segments: int | None


def recoveries(items: Sequence[StreamItem], chrf: Numbers, field: str = "client") -> Iterator[Recovery]:
    """After each change of `field` between two long runs: a system has recovered with the first segment from which the
    mean of the next 100 is 95% of that of the last 100 before the next change."""
    runs: list[tuple[str, int, int]] = []
    for place, item in enumerate(items):
        own = str(getattr(item.segment, field))
        if runs and runs[-1][0] == own:
            runs[-1] = own, runs[-1][1], place + 1
        else:
            runs.append((own, place, place + 1))
    for (old, first, at), (new, _, end) in pairwise(runs):
        if at - first < WINDOW or end - at < 2 * WINDOW:
            continue
        last = float(chrf[end - WINDOW : end].mean())
        sums = np.concatenate([[0.0], np.cumsum(chrf[at:end])])
        means = (sums[WINDOW:] - sums[:-WINDOW]) / WINDOW
        good = np.flatnonzero(means >= NEAR * last)
        yield Recovery(
            at + 1,
            old,
            new,
            float(chrf[at - WINDOW : at].mean()),
            float(chrf[at : at + WINDOW].mean()),
            last,
            int(good[0]) if len(good) else None,
        )


@dataclass(frozen=True)
class CurvePoint:
    """Up to so many segments: of the last of them, and of all so far."""

    segments: int
    chrf: float
    saved: float
    all_chrf: float
    all_saved: float


def learning_curve(own: MeasuredStream, window: int = WINDOW) -> tuple[CurvePoint, ...]:
    """A point for each window; a short last one belongs to the one before it."""
    n = len(own.translations)
    ends = [*range(window, n - window // 2, window), n]
    return tuple(
        CurvePoint(
            end,
            own.of("chrF", begin, end),
            own.of("saved", begin, end),
            own.of("chrF", 0, end),
            own.of("saved", 0, end),
        )
        for begin, end in zip([0, *ends], ends, strict=False)
    )
