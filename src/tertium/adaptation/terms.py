"""Terms from corrections: the words that a translation lacked, each kept with the word of the source that asks for it.

What somebody had to write is linked to a word of the source: by how likely it is as its translation in the memory (IBM
model 1), by how often both came together in corrections, and by where it stands; words of the source that the
translation had rendered well count less. When the word of the source comes again and the translation lacks its term,
the term takes the place of what stood there when it was corrected, or of the output's word that is linked to the
source's or stands where it does; where there is none, it is put in. One correction is enough. A term that people left
out as often as they wrote it is used only beside the words that it was written beside.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium.text.keyed import KeyedWords
from tertium.text.lexical import LexicalModel
from tertium.text.terms import common_words

LONGEST = 4  # words of a term
LEARNT_FROM = 60_000  # segments of the memory that likelihoods are learnt from
RENDERED = 0.2  # likelihood of a word that says that the source's word was rendered
LINKED = 0.1  # likelihood of a word of the output as the source's word, from which on it says something
NEAR, PLACED = 0.6, 0.05  # what it counts that a word stands where the source's does; what a place must count
BESIDE = 0.2  # what a neighbour of the source's word counts that stood there when the term was written
SURE = 0.5  # a term with less is not used
MOST = 2  # terms that a word of the source can ask for
AGAIN, SURER = 2, 0.6  # how often the second must have been written, and how sure it must be
_WORD = re.compile(r"[^\W\d_]{2,}")


def spaced(text: str) -> str:
    """The words of a text with blanks between them: nothing is elided.

    >>> spaced("Ouvrir l'icône (2).")
    'Ouvrir icône'
    """
    return " ".join(_WORD.findall(text))


@dataclass
class TermRule:
    """A word of a source and what people wrote for it."""

    right: str
    wrong: set[str] = field(default_factory=set)  # what stood in its place
    made: int = 1
    refused: int = 0
    first: int = 0  # the correction that taught it
    last: int = 0
    beside: set[str] = field(default_factory=set)  # what stood beside the source's word when it was written

    @property
    def confidence(self) -> float:
        """That people will write it again."""
        return (self.made + 0.5) / (self.made + self.refused + 1)


@dataclass(frozen=True)
class _Word:
    """A word of a text: where it stands, without capitals, and whether it says something."""

    begin: int
    end: int
    text: str
    content: bool
    place: float  # 0 to 1


class LearntTerms:
    """Terms by the words of the source that ask for them.

    >>> terms = LearntTerms("en", "fr")
    >>> terms.learn("Hide the toolbar", "Cacher la toolbar", "Cacher la barre à outils", 1)
    >>> terms.apply("Show the toolbar", "Montrer la toolbar")[0]
    'Montrer la barre à outils'
    """

    def __init__(self, source: str = "", target: str = "", chances: LexicalModel | None = None) -> None:
        self.languages, self.chances = (source, target), chances
        self.common = common_words(source), common_words(target)
        self.lessons: list[tuple[str, str, str, int]] = []
        self.rules: dict[str, list[TermRule]] = {}
        self.together: Counter[tuple[str, str]] = Counter()
        # Corrections that have a word: of the source, of the target.
        self.seen: tuple[Counter[str], Counter[str]] = (Counter(), Counter())

    def words(self, text: str, side: int) -> list[_Word]:
        found = list(_WORD.finditer(text))
        return [
            _Word(
                own.start(),
                own.end(),
                (word := own.group().casefold()),
                word not in self.common[side],
                n / len(found),
            )
            for n, own in enumerate(found)
        ]

    def linked(self, ours: Sequence[_Word], theirs: Sequence[_Word]) -> NDArray[np.float64]:
        """How likely each word of the target is as a translation of each of the source, 0 to 1: a row for each of the
        source."""
        table = np.zeros((len(ours), len(theirs)))
        if not len(ours) or not len(theirs):
            return table
        if self.chances is not None:
            given, made = (
                KeyedWords.of([" ".join(word.text for word in side)]).keys for side in (ours, theirs)
            )
            if len(given) == len(ours) and len(made) == len(theirs):
                table = self.chances.of(np.repeat(given, len(made)), np.tile(made, len(given))).reshape(
                    table.shape
                )
        for i, a in enumerate(ours):
            for j, x in enumerate(theirs):
                if a.text == x.text:
                    table[i, j] = max(table[i, j], 0.5)
                elif both := self.together[a.text, x.text]:
                    other = self.seen[0][a.text] + self.seen[1][x.text] - both
                    table[i, j] = max(table[i, j], both / (other + 1))
        return table

    def learn(self, source: str, output: str, correction: str, number: int) -> None:
        """From a source, what the machine made of it, and what people made of that."""
        self.lessons.append((source, output, correction, number))
        every = self.words(source, 0)
        ours, context = [word for word in every if word.content], beside(every)
        right, wrong = self.words(correction, 1), self.words(output, 1)
        written = {word.text for word in right}
        said = {word.text for word in wrong}
        for word in {own.text for own in ours}:
            for rule in self.rules.get(word, ()):
                if {own.text for own in self.words(rule.right, 1) if own.content} <= written:
                    rule.made, rule.last = rule.made + 1, number
                    rule.beside |= context[word]
                else:
                    rule.refused += 1
                    rule.beside -= context[word]
        if ours:
            self._new(correction, ours, right, wrong, written, said, number, context)
        once = {word.text for word in ours}, {word.text for word in right if word.content}
        for counted, words in zip(self.seen, once, strict=True):
            counted.update(words)
        self.together.update((a, x) for a in once[0] for x in once[1])

    def _new(
        self,
        correction: str,
        ours: list[_Word],
        right: list[_Word],
        wrong: list[_Word],
        written: set[str],
        said: set[str],
        number: int,
        context: dict[str, set[str]],
    ) -> None:
        chances = self.linked(ours, right)
        well = [
            any(
                chances[i, j] > RENDERED for j, word in enumerate(right) if word.content and word.text in said
            )
            for i in range(len(ours))
        ]
        asks: dict[int, int] = {}  # a word of the correction, the source's word that asks for it
        for j, word in enumerate(right):
            if word.content and word.text not in said:
                near = [math.exp(-3 * abs(own.place - word.place)) for own in ours]
                scores = [
                    (chances[i, j] + 0.01) * (0.2 if well[i] else 1.0) * (0.5 + 0.5 * near[i])
                    for i in range(len(ours))
                ]
                asks[j] = int(np.argmax(scores))
        if not asks:
            return
        back = self.linked(ours, wrong)
        for i in sorted(set(asks.values())):
            extra = [(j, word) for j, word in enumerate(wrong) if word.content and word.text not in written]
            stood = {word.text for j, word in extra if back[i, j] == back[:, j].max() and back[i, j] > 0}
            if not stood:  # what nothing else explains, where the source's word stands
                free = [word for j, word in extra if not back[:, j].any()]
                stood = {min(free, key=lambda own: abs(own.place - ours[i].place)).text} if free else set()
            for begin, end in _runs([j for j, own in asks.items() if own == i], right):
                self._add(
                    ours[i].text,
                    correction[right[begin].begin : right[end].end],
                    stood,
                    number,
                    context[ours[i].text],
                )

    def _add(self, word: str, right: str, wrong: set[str], number: int, context: set[str]) -> None:
        known = self.rules.setdefault(word, [])
        for rule in known:
            if rule.right.casefold() == right.casefold():
                rule.wrong |= wrong
                return
        known.append(TermRule(right, wrong, first=number, last=number, beside=set(context)))

    def apply(self, source: str, output: str) -> tuple[str, list[tuple[str, TermRule]]]:
        """The output with terms in it that it lacked, and which they are."""
        used: list[tuple[str, TermRule]] = []
        every = self.words(source, 0)
        ours = [word for word in every if word.content]
        asking = {own.text: own for own in ours}
        context = beside(every)
        wanted = {
            own.text
            for word in asking
            for rule in self._wanted(word, context[word])[:1]
            for own in self.words(rule.right, 1)
        }
        for word in asking.values():
            for n, rule in enumerate(self._wanted(word.text, context[word.text])):
                if n and (rule.made < AGAIN or rule.confidence < SURER):
                    continue
                theirs = self.words(output, 1)
                missing = {own.text for own in self.words(rule.right, 1) if own.content}
                if missing <= {own.text for own in theirs}:
                    continue
                place = self._place(word, rule, ours, theirs, wanted)
                if place is not None:
                    output = _put(output, *place, rule.right)
                    used.append((word.text, rule))
        return output, used

    def _wanted(self, word: str, beside: set[str]) -> list[TermRule]:
        """The terms of a source's word that are sure enough, the surest first, no more than two."""
        found = [
            (min(rule.confidence + BESIDE * len(rule.beside & beside), 1.0), rule.last, n, rule)
            for n, rule in enumerate(self.rules.get(word, ()))
        ]
        return [own[-1] for own in sorted(found, reverse=True) if own[0] > SURE][:MOST]

    def _place(
        self, word: _Word, rule: TermRule, ours: list[_Word], theirs: list[_Word], wanted: set[str]
    ) -> tuple[int, int] | None:
        """Where a term goes: in place of a word of the output, or between two."""
        for own in theirs:
            if own.text in rule.wrong:
                return own.begin, own.end
        chances = self.linked(ours, theirs)
        mine = np.array([own.text == word.text for own in ours])
        best: tuple[float, int] | None = None
        for j, own in enumerate(theirs):
            if not own.content or own.text in wanted:
                continue
            here, elsewhere = chances[mine, j].max(), chances[~mine, j].max(initial=0.0)
            if here < elsewhere:
                continue
            score = here + NEAR * math.exp(-5 * abs(own.place - word.place))
            if score >= PLACED and (best is None or score > best[0]):
                best = score, j
        if best is not None:
            return theirs[best[1]].begin, theirs[best[1]].end
        if not theirs:
            return None
        at = min(theirs, key=lambda own: abs(own.place - word.place))
        return at.end, at.end

    def cut(self, number: int) -> None:
        """Only what the first so many corrections taught stays."""
        kept = [own for own in self.lessons if own[3] <= number]
        if len(kept) < len(self.lessons):
            self.take(kept)

    def state(self) -> list[list[Any]]:
        """What it was taught, from which all else follows."""
        return [list(own) for own in self.lessons]

    def take(self, lessons: Sequence[Sequence[Any]]) -> None:
        """Knows what these lessons teach."""
        fresh = LearntTerms(*self.languages, self.chances)
        for source, output, correction, number in lessons:
            fresh.learn(source, output, correction, number)
        self.__dict__.update(fresh.__dict__)

    def __len__(self) -> int:
        return sum(map(len, self.rules.values()))


def _runs(places: list[int], words: list[_Word]) -> Iterator[tuple[int, int]]:
    """Words of a text that stand together, with common words between them."""
    begin = last = None
    for place in places:
        if begin is None or last is None:
            begin = place
        elif place - begin >= LONGEST or any(words[n].content for n in range(last + 1, place)):
            yield begin, last
            begin = place
        last = place
    if begin is not None and last is not None:
        yield begin, last


def _put(output: str, begin: int, end: int, term: str) -> str:
    """A term in place of a part of an output, with its capitals; in place of nothing, with a blank."""
    if begin == end:
        return f"{output[:begin]} {term[:1].lower() + term[1:] if term[1:].islower() else term}{output[end:]}"
    if not begin and output[0].isupper():
        term = term[:1].upper() + term[1:]
    elif term[1:].islower() and not output[begin].isupper():
        term = term[:1].lower() + term[1:]
    return output[:begin] + term + output[end:]


def beside(words: Sequence[_Word]) -> dict[str, set[str]]:
    """What stands before and after each word, with the side on which it stands."""
    texts = ["", *(word.text for word in words), ""]
    found: dict[str, set[str]] = {}
    for before, word, after in zip(texts, texts[1:], texts[2:], strict=False):
        found.setdefault(word, set()).update((f"{before} _", f"_ {after}"))
    return found
