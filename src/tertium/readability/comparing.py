"""Where a translation is harder to read than its source, by how much, and why."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from tertium.errors import InputError, many, shortened
from tertium.io.memories.pairs import Pair
from tertium.io.tables import Column, Table, number_column
from tertium.readability.documents import document_level
from tertium.readability.features import Numbers
from tertium.readability.frequencies import Frequencies
from tertium.readability.pairing import USUAL, PairedTexts, paired_lines
from tertium.readability.reasons import facts_of, shares, why_harder
from tertium.readability.scale import EIGHTY, Scale, base_language, cefr, usual_scale
from tertium.readability.sentences import ReadSentence, mean_level, with_shares, withheld
from tertium.results import Result
from tertium.stats.blocks import sign_flip_p
from tertium.stats.distributions import student_quantile
from tertium.stats.groups import group_mean_interval
from tertium.stats.pvalues import MANY_UNITS, percentile_interval
from tertium.stats.resampling import SEED, Draws
from tertium.text.splitting import sentences

LEAST = 0.5  # of a level: a segment that differs by less is counted as the same
ALPHA = 0.05
SHOWN = 10  # segments that are printed
_RESAMPLES = 2000
_NAMED = 4  # reasons why units are without a number


@dataclass(frozen=True)
class ComparedUnit:
    """A segment, or a document: levels of both sides, and what made the target harder; None: withheld, and why."""

    number: int  # from 1
    document: str
    source: Sequence[ReadSentence]
    target: Sequence[ReadSentence]
    source_level: float | None
    target_level: float | None
    difference: float | None
    low: float | None  # of the difference: 80%, by errors of the scale
    high: float | None
    reasons: Sequence[str]
    withheld: str


@dataclass(frozen=True)
class ReadabilityComparison(Result):
    """A source and its translation on one scale."""

    kind: ClassVar[str] = "readability comparison"
    source_language: str
    target_language: str
    unit: str  # segment or document
    source_level: float | None
    target_level: float | None
    difference: float | None  # target - source: above 0 the target is harder
    low: float | None  # 95%, by drawing `drawn`
    high: float | None
    p: float | None  # signs of differences turned by `drawn`
    drawn: str  # segment, document; sentence: sides that are not paired
    least: float
    counts: Mapping[str, int]  # of units: harder, easier, same, withheld
    left_out: Mapping[str, int]  # units by why they are withheld
    shared_error: float  # of the scale, for all texts of a kind
    notes: Sequence[str]
    units: Sequence[ComparedUnit]

    def harder(self) -> list[ComparedUnit]:
        """Units that became harder by `least` or more, the worst first."""
        found = [own for own in self.units if own.difference is not None and own.difference >= self.least]
        return sorted(found, key=lambda own: -(own.difference or 0.0))

    def words(self) -> Iterator[str]:
        yield self._answer()
        counts = self.counts
        if len(self.units) > 1:
            yield (
                f"Of {len(self.units):,} {self.unit}s, {counts['harder']:,} became harder by {self.least:g} of a "
                f"level or more, {counts['easier']:,} easier, {counts['same']:,} stayed the same."
            )
        if self.left_out:
            first = list(self.left_out.items())[:_NAMED]
            rest = sum(self.left_out.values()) - sum(number for _, number in first)
            told = [f"{why} ({number:,})" for why, number in first] + ([f"others ({rest:,})"] if rest else [])
            yield f"Without a number: {'; '.join(told)}."
        if self.difference is not None and self.source_language != self.target_language:
            yield (
                f"The scale itself may be off by about {self.shared_error:.2f} of a level for all texts of a kind; "
                "that is not in the interval."
            )
        if self.notes:
            told_notes = "; ".join(self.notes)
            yield f"{told_notes[0].upper()}{told_notes[1:]}."

    def _answer(self) -> str:
        gap, ours, theirs = self.difference, self.source_level, self.target_level
        if gap is None or ours is None or theirs is None:
            return "No number would mean anything here: too little of both texts is sentences on the scale."
        levels = f"{theirs:.1f} ({cefr(theirs)}) against {ours:.1f} ({cefr(ours)})"
        told = f"by {abs(gap):.2f} of a level"
        if self.low is not None and self.high is not None:
            ends = sorted((abs(self.low), abs(self.high))) if self.low * self.high > 0 else None
            between = (
                f"[{self.low:+.2f}, {self.high:+.2f}]" if ends is None else f"[{ends[0]:.2f}, {ends[1]:.2f}]"
            )
            told += f" {between}, 95% by {self.drawn}s"
        if self.p is not None:
            told += f", p = {self.p:.2g}" + ("" if self.low is not None else f" by {self.drawn}s")
        which = "harder" if gap > 0 else "easier"
        sure = (
            self.p < ALPHA
            if self.p is not None
            else bool(self.low and self.high and self.low * self.high > 0)
        )
        if sure:
            return f"The target is {which} to read than the source: {levels}, {told}."
        if self.drawn != "sentence" and 2.0 ** (1 - self._drawn()) > ALPHA:
            return f"Too few {self.drawn}s to say for sure: the target has {levels}, {which} {told}."
        return f"Nothing shows that target and source differ: {levels}, {which} {told}."

    def _drawn(self) -> int:
        """How many things the test turns."""
        paired = [own for own in self.units if own.difference is not None]
        return len({own.document if self.drawn == "document" else str(own.number) for own in paired})

    def table(self) -> Table:
        chosen = self.units if self.unit == "document" else self.harder()
        columns = (
            Column(self.unit) if self.unit == "document" else number_column(self.unit, digits=None),
            *(number_column(name) for name in ("source", "target", "harder by")),
            Column("target, and why" if self.unit == "segment" else "why"),
        )
        rows = tuple(
            (
                own.document if self.unit == "document" else own.number,
                *(own.source_level, own.target_level, own.difference),
                _explained(own, quoted=self.unit == "segment"),
            )
            for own in chosen[:SHOWN]
        )
        more = len(chosen) - len(rows)
        notes = (f"and {more:,} more (-f json shows all)",) if more else ()
        return Table("", columns, rows, notes)

    def tables(self) -> tuple[Table, ...]:
        found = self.table()
        return (found,) if found.rows else ()

    def records(self) -> list[dict[str, Any]]:
        return [
            {
                "number": own.number,
                "document": own.document,
                "source": own.source_level,
                "target": own.target_level,
                "difference": own.difference,
                "low": own.low,
                "high": own.high,
                "reasons": "; ".join(own.reasons) or own.withheld,
                "source_text": " ".join(one.text for one in own.source),
                "target_text": " ".join(one.text for one in own.target),
            }
            for own in self.units
        ]


def _explained(own: ComparedUnit, *, quoted: bool) -> str:
    """The beginning of the target, and what made it harder."""
    why = "; ".join(own.reasons) or own.withheld
    text = " ".join(one.text for one in own.target)
    if not quoted:
        return why
    return f"\u201c{shortened(text)}\u201d" + (f": {why}" if why else "")


def compare(
    sources: Sequence[str],
    targets: Sequence[str],
    *,
    source_language: str = USUAL.source,
    target_language: str = USUAL.target,
    documents: Sequence[str] | None = None,
    scale: Scale | None = None,
    least: float = LEAST,
) -> ReadabilityComparison:
    """Compare segments with their translations, one by one.

    >>> easy = ["The cat sat on the mat. It was warm. It slept."] * 3
    >>> found = compare(easy, ["Nonobstant ces considérations, le félin, dont la somnolence persistait, "
    ...     "s'assoupissait sur le paillasson."] * 3)
    >>> found.counts["harder"], "one sentence of 14 words where the source has three" in found.units[0].reasons
    (3, True)
    """
    pair = Pair(source_language, target_language)
    found = paired_lines(sources, targets, pair)
    if documents is not None and len(documents) != len(sources):
        raise InputError(f"{many(len(documents), 'document name')} for {many(len(sources), 'segment')}")
    texts = PairedTexts(pair, found.unit, found.sources, found.targets, documents)
    return compare_paired(texts, scale or usual_scale(), least=least)


def compare_paired(
    texts: PairedTexts,
    scale: Scale,
    *,
    frequencies: Mapping[str, Frequencies] | None = None,
    least: float = LEAST,
) -> ReadabilityComparison:
    """Compare what was read; `frequencies` of words by language, instead of wordfreq's."""
    own = frequencies or {}
    sides = (
        _Side(texts.sources, texts.pair.source, scale, own.get(base_language(texts.pair.source))),
        _Side(texts.targets, texts.pair.target, scale, own.get(base_language(texts.pair.target))),
    )
    names = texts.documents or [""] * len(texts)
    whole = texts.unit == "document"
    units = [_unit(i, names[i], sides, scale, least, whole=whole) for i in range(len(texts))]
    paired = [own for own in units if own.difference is not None]
    ours, theirs, gap, weights = _weighted(paired)
    low = high = p = None
    drawn = texts.unit
    if len(paired) > 1:
        by_document = texts.unit == "segment" and texts.documents is not None
        drawn = "document" if by_document and len({own.document for own in paired}) > 1 else texts.unit
        low, high, p = _tested(paired, weights, drawn)
    elif len(paired) == 1 and texts.unit == "document":
        drawn = "sentence"
        low, high = _unpaired(paired[0])
    kinds = Counter(_kind(own.difference, least) for own in units)
    why = Counter(own.withheld for own in units if own.withheld)
    return ReadabilityComparison(
        texts.pair.source, texts.pair.target, texts.unit,
        ours, theirs, gap, low, high, p, drawn, least,
        {name: kinds[name] for name in ("harder", "easier", "same", "withheld")},
        dict(why.most_common()), scale.between, list(texts.notes), units,
    )  # fmt: skip


class _Side:
    """One side of all units: sentences on the scale, all at once."""

    def __init__(
        self, units: Sequence[Sequence[str]], lang: str, scale: Scale, own: Frequencies | None
    ) -> None:
        self.lang, self.scale = base_language(lang), scale
        self.table = scale.table(self.lang, own)
        cut = [sentences(parts, self.lang, extra="readability") for parts in units]
        texts = [text for found, _ in cut for text in found]
        paragraphs = [n for _, begins in cut for n in (np.cumsum(begins) - 1).tolist()] if texts else []
        read, self._parts = with_shares(texts, paragraphs, self.lang, scale, own)
        self._ends = np.cumsum([0, *(len(found) for found, _ in cut)]).tolist()
        self.units = [read[a:b] for a, b in pairwise(self._ends)]

    def level(self, unit: int, *, whole: bool) -> float:
        """The level of a segment, or of a whole document, by the scale's step to documents if it has one."""
        read = self.units[unit]
        found = document_level(read, self.lang, self.scale) if whole else None
        return mean_level(read) if found is None else found.level

    def shares(self, unit: int) -> dict[str, float]:
        kept = [n for n, own in enumerate(self.units[unit]) if own.level is not None]
        parts = np.stack([self._parts[self._ends[unit] + n] for n in kept])
        return shares(parts, [self.units[unit][n].words for n in kept], self.scale)


def _unit(
    i: int, name: str, sides: tuple[_Side, _Side], scale: Scale, least: float, *, whole: bool
) -> ComparedUnit:
    ours, theirs = (side.units[i] for side in sides)
    why = _withheld(ours, theirs)
    if why:
        return ComparedUnit(i + 1, name, ours, theirs, None, None, None, None, None, (), why)
    first, second = (side.level(i, whole=whole) for side in sides)
    gap = second - first
    wide = EIGHTY * math.hypot(*(scale.within / math.sqrt(_kept(own)) for own in (ours, theirs)))
    reasons: tuple[str, ...] = ()
    if gap >= least:
        more, fewer = sides[1].shares(i), sides[0].shares(i)
        facts = [facts_of([own.text for own in side.units[i]], side.table) for side in sides]
        reasons = why_harder(facts[0], facts[1], {kind: more[kind] - fewer[kind] for kind in more})
    return ComparedUnit(i + 1, name, ours, theirs, first, second, gap, gap - wide, gap + wide, reasons, "")


def _kept(read: Sequence[ReadSentence]) -> int:
    return max(1, sum(own.level is not None for own in read))


def _withheld(ours: Sequence[ReadSentence], theirs: Sequence[ReadSentence]) -> str:
    if not ours or not theirs:
        return "empty" if not ours and not theirs else f"no {'source' if not ours else 'target'}"
    for name, own in (("source", ours), ("target", theirs)):
        if why := withheld(own):
            return f"{name}: {why}"
    return ""


def _kind(gap: float | None, least: float) -> str:
    if gap is None:
        return "withheld"
    return "harder" if gap >= least else "easier" if gap <= -least else "same"


def _weighted(
    paired: Sequence[ComparedUnit],
) -> tuple[float | None, float | None, float | None, Numbers]:
    """Levels of both sides and their difference, by the words of units (the mean of both sides)."""
    weights = np.array([sum(one.words for one in (*own.source, *own.target)) / 2 for own in paired])
    if not len(paired):
        return None, None, None, weights
    ours, theirs = (
        float(np.average([getattr(own, side) for own in paired], weights=weights))
        for side in ("source_level", "target_level")
    )
    return ours, theirs, theirs - ours, weights


def _tested(
    paired: Sequence[ComparedUnit], weights: Numbers, drawn: str
) -> tuple[float | None, float | None, float]:
    """An interval by drawing units with replacement, and p by turning the signs of their differences."""
    keys = [own.document if drawn == "document" else str(own.number) for own in paired]
    place = {key: n for n, key in enumerate(dict.fromkeys(keys))}
    where = [place[key] for key in keys]
    gaps = np.bincount(where, weights * np.array([own.difference for own in paired]), len(place))
    sizes = np.bincount(where, weights, len(place))
    interval = group_mean_interval(gaps, sizes, resamples=_RESAMPLES)
    return interval.low, interval.high, sign_flip_p(gaps[:, None])[0]


def _unpaired(unit: ComparedUnit) -> tuple[float, float] | tuple[None, None]:
    """Two texts that nobody aligned: sentences of each are drawn by themselves."""
    sides, levels, errors, degrees = [], [], [], []
    for n, read in enumerate((unit.source, unit.target)):
        kept = [own for own in read if own.level is not None]
        if len(kept) < 2:
            return None, None
        sizes = np.array([own.words for own in kept], float)
        sums = sizes * np.array([own.level for own in kept])
        draws = Draws(SEED + n).counts(len(kept), _RESAMPLES)
        sides.append(np.concatenate([(block @ sums) / (block @ sizes) for block in draws]))
        levels.append(float(sums.sum() / sizes.sum()))
        degrees.append(len(kept) - 1)
        errors.append(float(sides[-1].var(ddof=1)) * len(kept) / (len(kept) - 1))
    if min(degrees) + 1 < MANY_UNITS:
        # Welch's interval: percentiles of few sentences are too narrow.
        if not (error := sum(errors)):
            return None, None
        freedom = error**2 / sum(own**2 / n for own, n in zip(errors, degrees, strict=True))
        half = student_quantile(0.975, freedom) * error**0.5
        return levels[1] - levels[0] - half, levels[1] - levels[0] + half
    interval = percentile_interval(sides[1] - sides[0])
    return (
        (interval.low, interval.high)
        if interval.low is not None and interval.high is not None
        else (None, None)
    )
