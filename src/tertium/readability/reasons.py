"""Why a sentence is hard to read, or harder than another, in words.

How much each kind of feature adds to a level says which reasons count, and in which order; what is said of them is
counted in the texts. A kind that adds nothing is not named, however many words it could be said in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tertium.readability.counting import APOSTROPHES, CLITICS
from tertium.readability.features import Numbers, WordTable
from tertium.readability.frequencies import Frequencies
from tertium.readability.further import PARSES, SURPRISE
from tertium.readability.scale import Scale
from tertium.text.cut import cut_words

RARE = 6_000  # ranks beyond which words are named
_LONG = 10  # letters
_LEAST = 0.1  # of a level: what adds less is no reason
_NAMED = 4  # words
_BREAKS = frozenset(',;:.!?()[]{}\u2013\u2014\u2026"\u201c\u201d\u00ab\u00bb')
_COUNTED = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

# Kinds of features: what is said of them when nothing can be counted, and the features by their names.
KINDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "length": (
        "there is more of it",
        (
            "words", "letters", "syllables", "many words", "content words", "density", "rarity",
            "longest clause", "clause", "commas", "number of commas", "stops", "colons", "dashes",
            *(f"band {n}" for n in range(5)),
        ),
    ),
    "vocabulary": (
        "its words are less usual",
        (
            "rank", "rank 75", "rank 90", "rarest", "second rarest", "third rarest", "content rank",
            "content rank 25", "content rank 75", "beyond 2000", "beyond 6000", "beyond 16000",
            "beyond 50000", "unknown", "letters a word", "longest word", "long words", "very long words",
            "syllables a word", "polysyllables", "number of polysyllables", "learned words",
            "number of learned words", "of letters", *SURPRISE, *(f"band {n}" for n in range(5, 14)),
        ),
    ),
    "clauses": ("it is built of more clauses", ("subordination", "subordinate share", "connectives", *PARSES)),
    "passive": ("", ("passive",)),
    "negation": ("", ("negation",)),
    "persons": ("it speaks to nobody", ("persons", "pronouns", "questions", "exclamations")),
    "brackets": ("", ("brackets", "quotes")),
}  # fmt: skip
OF_LETTERS = "of letters"  # the last part: what the letters of words say


@dataclass(frozen=True)
class RankedWord:
    """A content word of a text and its rank; None: it is not in the list."""

    word: str
    rank: int | None

    @property
    def order(self) -> float:
        return float("inf") if self.rank is None else self.rank


@dataclass(frozen=True)
class TextFacts:
    """What is counted in the sentences of a unit."""

    sentences: tuple[int, ...]  # words of each
    clause: int  # the most words between two signs
    content: tuple[RankedWord, ...]  # content words but for names, each once
    subordinate: int
    passive: int
    negation: int
    persons: int
    brackets: int

    @cached_property
    def rarest(self) -> RankedWord | None:
        return max(self.content, key=lambda one: one.order, default=None)

    @property
    def rare(self) -> list[RankedWord]:
        """Rare words, the rarest first."""
        return sorted((own for own in self.content if own.order > RARE), key=lambda own: -own.order)

    @property
    def long(self) -> list[RankedWord]:
        found = [own for own in self.content if len(own.word) >= _LONG]
        return sorted(found, key=lambda own: -len(own.word))


def facts_of(texts: Sequence[str], table: WordTable) -> TextFacts:
    """Count what reasons are made of.

    >>> from tertium.readability.frequencies import of_counts
    >>> table = WordTable("en", of_counts("few", {"the": 9, "cat": 3, "sat": 2}))
    >>> facts_of(["The cat sat, which was not seen."], table).subordinate
    1
    """
    own = _Counting(table)
    lengths = [own.add(words) for words in cut_words(texts)]
    return TextFacts(
        tuple(n for n in lengths if n) or (0,),
        own.clause,
        tuple(RankedWord(word, rank) for word, rank in own.content.items()),
        own.subordinate, own.passive, own.negation, own.persons, own.brackets,
    )  # fmt: skip


class _Counting:
    def __init__(self, table: WordTable) -> None:
        self._marked, self._frequencies = table.markers, table.frequencies
        self._clitics = CLITICS.get(table.lang, frozenset())
        self.content: dict[str, int | None] = {}
        self.clause = self.subordinate = self.passive = self.negation = self.persons = self.brackets = 0

    def add(self, words: Sequence[str]) -> int:
        """A sentence; how many words it has."""
        count, run, auxiliary, before, marked = 0, 0, 0, "", self._marked
        for word in words:
            lower = word.lower().replace("\u2019", "'")
            bare = lower.rstrip("'")
            if not any(map(str.isalpha, bare)):
                run = 0 if word in _BREAKS else run
                self.brackets += word in ("(", "[")
                before = word
                continue
            if word in self._clitics and before[-1:] in APOSTROPHES:
                self.negation += word == "t"
                before = word
                continue
            count, run, auxiliary = count + 1, run + 1, auxiliary - 1
            self.clause = max(self.clause, run)
            either = {lower, bare}
            self.subordinate += bool(either & marked.subordinate)
            self.negation += bool(either & marked.negation)
            self.persons += bool(either & marked.personal)
            self.passive += auxiliary >= 0 and marked.participle.fullmatch(bare) is not None
            if either & marked.auxiliaries:
                auxiliary = 2
            name = word[0].isupper() and count > 1
            if not name and not either & marked.closed and not any(map(str.isdigit, bare)) and len(bare) > 1:
                self.content.setdefault(bare, rank_of(bare, self._frequencies))
            before = word
        return count


def rank_of(word: str, known: Frequencies) -> int | None:
    """The rank of a word; None where the list has none."""
    place = known.place(word)
    return None if place is None else round(10**place)


def shares(parts: Numbers, words: Sequence[int], scale: Scale) -> dict[str, float]:
    """What each kind of feature adds to the level of a unit, by its sentences (rows of `parts`) and their words."""
    mean = np.average(parts, axis=0, weights=np.maximum(words, 1))
    names = [*scale.features, OF_LETTERS]
    by_name = dict(zip(names, mean[: len(names)].tolist(), strict=False))
    return {kind: sum(by_name.get(name, 0.0) for name in own) for kind, (_, own) in KINDS.items()}


def why_hard(facts: TextFacts, added: dict[str, float]) -> tuple[str, ...]:
    """Why a sentence is harder than most of its language, what adds most first."""
    said = {kind: phrase for kind, say in _HARD.items() if (phrase := say(facts))}
    order = sorted(said, key=lambda kind: -added.get(kind, 0.0))
    return tuple(said[kind] for kind in order if added.get(kind, 0.0) >= _LEAST)


def why_harder(source: TextFacts, target: TextFacts, added: dict[str, float]) -> tuple[str, ...]:
    """Why a target is harder than its source, what adds most first; `added` is what it has more."""
    found: list[str] = []
    for kind in sorted(added, key=lambda kind: -added[kind]):
        if added[kind] < _LEAST:
            break
        phrase = _HARDER[kind](source, target) or (KINDS[kind][0] if not found else "")
        found += [phrase] if phrase else []
    return tuple(found)


def counted(number: int, noun: str, several: str = "") -> str:
    """
    >>> counted(1, "word"), counted(3, "clause"), counted(12, "word")
    ('one word', 'three clauses', '12 words')
    """
    told = _COUNTED[number] if number < len(_COUNTED) else str(number)
    return f"{told} {noun if number == 1 else several or noun + 's'}"


def _named(words: Sequence[RankedWord]) -> str:
    more = ", ..." if len(words) > _NAMED else ""
    return ", ".join(own.word for own in words[:_NAMED]) + more


def _hard_length(own: TextFacts) -> str:
    most = max(own.sentences)
    without = f", {own.clause} of them without a pause" if own.clause >= 20 and own.clause < most else ""
    return f"a sentence of {most} words{without}" if most >= 15 else ""


def _hard_words(own: TextFacts) -> str:
    if own.rare:
        return f"{counted(len(own.rare), 'word')} beyond the {RARE:,} most frequent: {_named(own.rare)}"
    return f"{counted(len(own.long), 'long word')}: {_named(own.long)}" if len(own.long) > 1 else ""


def _from_two(noun: str, count: Callable[[TextFacts], int]) -> Callable[[TextFacts], str]:
    return lambda own: counted(count(own), noun) if count(own) > 1 else ""


_HARD: dict[str, Callable[[TextFacts], str]] = {
    "length": _hard_length,
    "vocabulary": _hard_words,
    "clauses": _from_two("subordinate clause", lambda own: own.subordinate),
    "passive": _from_two("passive", lambda own: own.passive),
    "negation": _from_two("negation", lambda own: own.negation),
    "brackets": _from_two("bracket", lambda own: own.brackets),
}


def _longer(source: TextFacts, target: TextFacts) -> str:
    ours, theirs = source.sentences, target.sentences
    if len(theirs) < len(ours) and max(theirs) > max(ours):
        has = _COUNTED[len(ours)] if len(ours) < len(_COUNTED) else len(ours)
        if len(theirs) == 1:
            return f"one sentence of {theirs[0]} words where the source has {has}"
        return f"{counted(len(theirs), 'sentence')}, the longest of {max(theirs)} words, where the source has {has}"
    usual, given = sum(ours) / len(ours), sum(theirs) / len(theirs)
    if given >= usual + 3 and len(theirs) == len(ours) == 1:
        return f"a sentence of {theirs[0]} words for one of {ours[0]}"
    if given >= usual + 3:
        return f"sentences of {given:.0f} words on average for {usual:.0f}"
    if target.clause >= max(15, source.clause + 6):
        return f"{target.clause} words without a pause where the source has {source.clause}"
    return ""


def _rarer(source: TextFacts, target: TextFacts) -> str:
    rarest = source.rarest
    least = max(RARE / 2, rarest.order if rarest else 0.0)
    known = {own.word for own in source.content}  # what both say is no reason
    rarer = [own for own in target.rare if own.order > least and own.word not in known]
    if rarer and rarest:
        return (
            f"{counted(len(rarer), 'word')} rarer than the source's rarest ({rarest.word}): {_named(rarer)}"
        )
    if len(target.rare) > len(source.rare):
        has = _COUNTED[len(source.rare)] if len(source.rare) < len(_COUNTED) else len(source.rare)
        have = "none" if has == "no" else has
        told = counted(len(target.rare), "word")
        return f"{told} beyond the {RARE:,} most frequent where the source has {have}: {_named(target.rare)}"
    if len(target.long) > len(source.long):
        told = counted(len(target.long), "word")
        have = "none" if not source.long else len(source.long)
        return f"{told} of {_LONG} letters or more where the source has {have}: {_named(target.long)}"
    return ""


def _more(noun: str, count: Callable[[TextFacts], int]) -> Callable[[TextFacts, TextFacts], str]:
    def said(source: TextFacts, target: TextFacts) -> str:
        ours, theirs = count(source), count(target)
        has = "none" if not ours else _COUNTED[ours] if ours < len(_COUNTED) else ours
        return f"{counted(theirs, noun)} where the source has {has}" if theirs > ours else ""

    return said


def _nobody(source: TextFacts, target: TextFacts) -> str:
    if target.persons >= source.persons:
        return ""
    told = counted(source.persons, "time")
    left = "" if not target.persons else f" {counted(target.persons, 'time')}"
    return (
        f"says I, we or you{left} where the source says it {told}"
        if left
        else (f"never says I, we or you, as the source does {told}")
    )


_HARDER: dict[str, Callable[[TextFacts, TextFacts], str]] = {
    "length": _longer,
    "vocabulary": _rarer,
    "clauses": _more("subordinate clause", lambda own: own.subordinate),
    "passive": _more("passive", lambda own: own.passive),
    "negation": _more("negation", lambda own: own.negation),
    "persons": _nobody,
    "brackets": _more("bracket", lambda own: own.brackets),
}
