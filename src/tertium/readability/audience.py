"""What to change in a text for readers of a level: which sentences to split, which words to replace, what helps most
first. Each change is tried: the sentence is cut where clauses meet, or a word is replaced by a usual one, and looked
at again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tertium.errors import SpecError, did_you_mean, many, shortened
from tertium.io.marks import LEVELS
from tertium.io.tables import Column, Table, number_column
from tertium.readability.features import WordTable
from tertium.readability.frequencies import Frequencies
from tertium.readability.presentation import presentation_table
from tertium.readability.reasons import facts_of
from tertium.readability.results import ReadabilityLevels, TextLevel
from tertium.readability.scale import Scale, cefr
from tertium.readability.sentences import mean_level, words_of
from tertium.results import Result

SHOWN = 15  # changes that are printed
_KNOWN = 2_000  # words among so many most frequent ones are left alone
_LONG = 25  # words: longer parts are split again
_FEWEST = 5  # words of a part
_SPLIT = 15  # words of a sentence that is split at all
_LEAST = 0.02  # of a level, for the sentences that change: what helps less is not listed
_WEAKER = 0.25  # of a sentence: so much nearer to the middle a weak joint must be
_JOINTS = {
    "en": "and but or so yet then",
    "fr": "et mais ou donc or puis car",
}


@dataclass(frozen=True)
class SuggestedChange:
    """A change, and by how much it lowers the level of the text."""

    kind: str  # split, or replace
    what: str  # in words
    text: str  # the sentence, or the word
    sentences: Sequence[int]  # where, from 1
    gain: float
    before: float | None = None  # of a split sentence
    after: float | None = None


@dataclass(frozen=True)
class TextAdvice:
    """A text and what to change in it; no changes where it has no level."""

    text: TextLevel
    there: bool  # it is at the level already, or below
    above: Sequence[int]  # sentences above the level, from 1
    changes: Sequence[SuggestedChange]  # what helps most first
    reached: float | None  # the level with all of them


@dataclass(frozen=True)
class ReadabilityAdvice(Result):
    """What to change in texts for an audience."""

    kind: ClassVar[str] = "readability advice"
    lang: str
    audience: str
    texts: Sequence[TextAdvice]

    def levels(self) -> ReadabilityLevels:
        return ReadabilityLevels(self.lang, [one.text for one in self.texts])

    def words(self) -> Iterator[str]:
        for one in self.texts[:2]:
            yield self._answer(one)
            if one.changes and not one.there:
                yield self._promise(one)
        rest = self.texts[2:]
        if rest:
            there = sum(one.there for one in rest)
            yield f"Of {many(len(rest), 'more text')}, {there} are at {self.audience} already (-f json shows all)."

    def _answer(self, one: TextAdvice) -> str:
        text = one.text
        if text.level is None:
            return f"{text.name}: no number would mean anything: {text.withheld}."
        at = f"{cefr(text.level)} ({text.level:.1f} [{text.low:.1f}, {text.high:.1f}])"
        if not one.there:
            are = "is" if len(one.above) == 1 else "are"
            return (
                f"{text.name} is at {at}, above {self.audience}: {len(one.above)} of "
                f"{many(text.sentences, 'sentence')} {are} above it."
            )
        if not one.above:
            return f"{text.name} is there already: {at} for readers of {self.audience}, no sentence above it."
        are = "sentence is" if len(one.above) == 1 else "sentences are"
        return (
            f"{text.name} is there already: {at} for readers of {self.audience}; "
            f"{len(one.above)} single {are} above it."
        )

    def _promise(self, one: TextAdvice) -> str:
        if one.reached is None:
            return ""
        told = f"about {one.reached:.1f} ({cefr(one.reached)})"
        if one.reached < _edge(self.audience):
            return f"With all {many(len(one.changes), 'change')} below it would be at {told}."
        return (
            f"With all {many(len(one.changes), 'change')} below it would still be at {told}: "
            "shorter sentences and commoner words alone will not do."
        )

    def table(self) -> Table:
        several = len(self.texts) > 1
        columns = (
            *([Column("text")] if several else []),
            Column("what to change"),
            number_column("lowers by", digits=3),
            Column("sentence"),
        )
        every = [(one, change) for one in self.texts for change in one.changes]
        rows = tuple(
            (*((one.text.name,) if several else ()), _listed(change), change.gain, _where(change))
            for one, change in every[:SHOWN]
        )
        more = len(every) - len(rows)
        notes = ("what a change lowers the level of the whole text by is tried, not promised",)
        return Table(
            "", columns, rows, (*notes, *([f"and {more:,} more (-f json shows all)"] if more else []))
        )

    def tables(self) -> tuple[Table, ...]:
        shown = (
            self.table(),
            presentation_table([(one.text.name, one.text.presentation) for one in self.texts]),
        )
        return tuple(own for own in shown if own.rows)


def _listed(change: SuggestedChange) -> str:
    if change.before is None or change.after is None:
        return change.what
    told = f"{change.what} ({change.before:.1f} \u2192 {change.after:.1f})"
    return f"{told}: {shortened(change.text, 70)}"


def _where(change: SuggestedChange) -> str:
    return ", ".join(map(str, change.sentences[:3])) + (", ..." if len(change.sentences) > 3 else "")


def _edge(audience: str) -> float:
    """Where the next level begins."""
    return LEVELS.index(audience) + 1.5


def advise(
    found: ReadabilityLevels, audience: str, scale: Scale, own: Frequencies | None = None
) -> ReadabilityAdvice:
    """What to change in texts that are on the scale already.

    >>> from tertium.readability.results import text_level
    >>> from tertium.readability.scale import usual_scale
    >>> text = text_level("a", ["The cat sat on the mat."], "en", usual_scale())
    >>> advise(ReadabilityLevels("en", [text]), "B1", usual_scale()).texts[0].there
    True
    """
    if audience not in LEVELS:
        raise SpecError(f"no level {audience!r}{did_you_mean(audience, LEVELS)}")
    return ReadabilityAdvice(
        found.lang, audience, [_advised(one, audience, found.lang, scale, own) for one in found.texts]
    )


def _advised(text: TextLevel, audience: str, lang: str, scale: Scale, own: Frequencies | None) -> TextAdvice:
    if text.level is None:
        return TextAdvice(text, False, [], [], None)
    edge = _edge(audience)
    above = [n for n, one in enumerate(text.read) if one.level is not None and one.level >= edge]
    trial = _Trial(text, above, lang, scale, own)
    changes = [*trial.splits(), *trial.words()]
    helping = [own for own in changes if own.gain >= _LEAST * trial.share(own.sentences)]
    listed = sorted(helping, key=lambda own: -own.gain)
    return TextAdvice(
        text,
        text.level < edge,
        [n + 1 for n in above],
        listed,
        trial.reached(listed) if listed else text.level,
    )


class _Trial:
    """Sentences of a text with changes, looked at all at once."""

    def __init__(
        self, text: TextLevel, above: Sequence[int], lang: str, scale: Scale, own: Frequencies | None
    ) -> None:
        self.text, self.above, self._lang, self._scale, self._own = text, above, lang, scale, own
        self._table = scale.table(lang, own)
        self._usual = usual_word(self._table)
        self._total = sum(one.words for one in text.read if one.level is not None)

    def share(self, sentences: Sequence[int]) -> float:
        """Which share of the text's words are in some sentences, counted from 1."""
        return sum(self.text.read[n - 1].words for n in sentences) / self._total

    def splits(self) -> list[SuggestedChange]:
        parts = {n: split(self.text.read[n].text, self._table) for n in self.above}
        levels = self._levels({n: own for n, own in parts.items() if len(own) > 1})
        found = []
        for n, after in levels.items():
            one = self.text.read[n]
            what = f"split the sentence of {many(one.words, 'word')} into {len(parts[n])}"
            gain = ((one.level or 0.0) - after) * one.words / self._total
            found.append(SuggestedChange("split", what, one.text, (n + 1,), gain, one.level, after))
        return found

    def words(self) -> list[SuggestedChange]:
        places: dict[str, list[int]] = {}
        for n in self.above:
            for own in facts_of([self.text.read[n].text], self._table).content:
                if own.order > _KNOWN:
                    places.setdefault(own.word, []).append(n)
        tried = [(word, n) for word, where in places.items() for n in where]
        texts = [replaced(self.text.read[n].text, [word], self._usual) for word, n in tried]
        gains = dict.fromkeys(places, 0.0)
        now = [self.text.read[n].text for _, n in tried]
        less = np.zeros(0)
        if texts:  # beyond the ends of the scale, too: a sentence of C2 has several words to change
            before, after = (self._scale.unbounded(own, self._lang, self._own) for own in (now, texts))
            less = before - after
        for (word, n), gain in zip(tried, less.tolist(), strict=True):
            gains[word] += gain * self.text.read[n].words / self._total
        return [
            SuggestedChange(
                "replace",
                f"replace \u201c{word}\u201d by a commoner word"
                + (f" ({len(places[word])} times)" if len(places[word]) > 1 else ""),
                word,
                tuple(n + 1 for n in places[word]),
                gain,
            )
            for word, gain in gains.items()
        ]

    def reached(self, changes: Sequence[SuggestedChange]) -> float:
        """The level with all changes."""
        words: dict[int, list[str]] = {}
        cut = {n - 1 for own in changes if own.kind == "split" for n in own.sentences}
        for own in changes:
            if own.kind == "replace":
                for n in own.sentences:
                    words.setdefault(n - 1, []).append(own.text)
        made = {}
        for n in {*words, *cut}:
            text = replaced(self.text.read[n].text, words.get(n, []), self._usual)
            made[n] = split(text, self._table) if n in cut else [text]
        after = self._levels(made)
        sums = sum(
            after.get(n, one.level) * one.words
            for n, one in enumerate(self.text.read)
            if one.level is not None
        )
        return (self.text.level or 0.0) + sums / self._total - mean_level(self.text.read)

    def _levels(self, parts: dict[int, list[str]]) -> dict[int, float]:
        """Levels of sentences that are cut: the mean of their parts, by words."""
        texts = [text for own in parts.values() for text in own]
        if not texts:
            return {}
        levels = iter(self._scale.levels(texts, self._lang, self._own).tolist())
        words = iter(words_of(texts, self._table))
        found = {}
        for n, own in parts.items():
            pairs = [(next(levels), next(words)) for _ in own]
            found[n] = sum(level * size for level, size in pairs) / max(1, sum(size for _, size in pairs))
        return found


def usual_word(table: WordTable) -> str:
    """The most frequent content word of four to six letters: what stands for a commoner word."""
    marked = table.markers
    words = (word for word in table.frequencies.ranks if 4 <= len(word) <= 6 and word.isalpha())
    return next((word for word in words if word not in marked.closed), "xxxx")


def replaced(text: str, words: Sequence[str], by: str) -> str:
    """A text with words replaced, whatever their case.

    >>> replaced("Felines sleep; a feline's sleep.", ["felines"], "cats")
    "cats sleep; a feline's sleep."
    """
    if not words:
        return text
    either = "|".join(re.escape(word).replace("'", "['\u2019]") for word in words)
    return re.sub(rf"(?<!\w)(?:{either})(?!\w)", by, text, flags=re.IGNORECASE)


def split(text: str, table: WordTable) -> list[str]:
    """A sentence cut where clauses meet, nearest to the middle, and again where parts are still long.

    >>> from tertium.readability.frequencies import of_counts
    >>> long = "The old man went down to the sea, and his young friend, who was late, came after him with the boat."
    >>> split(long, WordTable("en", of_counts("few", {"the": 1})))
    ['The old man went down to the sea.', 'And his young friend, who was late, came after him with the boat.']
    """
    count = words_of([text], table)[0]
    if count < _SPLIT:
        return [text]
    strong, weak = _joints(table)
    better = {own.start() for own in strong.finditer(text)}
    places = {*better, *(own.start() for own in weak.finditer(text))}
    order = {place: abs(place / len(text) - 0.5) + (0.0 if place in better else _WEAKER) for place in places}
    for place in sorted(places, key=lambda place: (order[place], place)):
        first, rest = text[:place].rstrip(" ,;:\u2013\u2014-"), text[place:].lstrip(" ,;:\u2013\u2014-")
        sizes = words_of([first, rest], table)
        if min(sizes) >= _FEWEST:
            ended = [f"{first}.", rest[0].upper() + rest[1:]]
            return [
                piece
                for part, size in zip(ended, sizes, strict=True)
                for piece in (split(part, table) if size > _LONG else [part])
            ]
    return [text]


def _joints(table: WordTable) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Where main clauses meet, as far as signs say so; and other signs, and words that begin a clause."""
    joints = _JOINTS.get(table.lang, "").split()
    words = {*joints, *table.markers.subordinate}
    main, any_clause = (
        "|".join(sorted((re.escape(word) for word in own if word.isalpha()), key=len, reverse=True))
        for own in (joints, words)
    )
    strong = rf"[;:]\s|,\s(?=(?:{main})\s)" if main else r"[;:]\s"
    return re.compile(strong), re.compile(rf"[,;:\u2013\u2014]\s|\s(?=(?:{any_clause})\s)")
