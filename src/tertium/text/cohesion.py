"""Lexical cohesion: for each content word of a text the most similar one before it (Wong and Kit 2012).

A measure of relatedness is anything with `links`: repetition, sets of synonyms and what is near them in WordNet's
graph, cosines of word vectors. Words in context are compared where the encoder is (families/cohesion.py).
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from tertium import _native
from tertium.io.caches import told
from tertium.text.content import ContentWords
from tertium.text.vectors import Vectors


class Links(NamedTuple):
    """For each content word the greatest similarity to an earlier one, 0 to 1, and which that is (-1: none)."""

    similarities: list[float]
    earlier: list[int]


class Relatedness(Protocol):
    def links(self, texts: Sequence[ContentWords], threads: int = 1) -> list[Links]: ...


class Repetition:
    """Words are related if they are the same: as lemmas, stems or words.

    >>> one = ContentWords((), [], [], ["cat", "dog", "cat"], [])
    >>> Repetition().links([one])
    [Links(similarities=[0.0, 0.0, 1.0], earlier=[-1, -1, 0])]
    """

    def links(self, texts: Sequence[ContentWords], threads: int = 1) -> list[Links]:
        return [_repeated(text.keys) for text in texts]


def _repeated(keys: Sequence[str]) -> Links:
    last: dict[str, int] = {}
    found = Links([], [])
    for place, key in enumerate(keys):
        before = last.get(key, -1)
        found.earlier.append(before)
        found.similarities.append(1.0 if before >= 0 else 0.0)
        last[key] = place
    return found


@dataclass(frozen=True, eq=False)
class Synonyms:
    """Words are related if one is repeated, or if two of their sets of synonyms are at most so many steps apart."""

    table: _native.SynonymTable
    neighbours: Mapping[int, Sequence[int]] = field(default_factory=dict)
    distance: int = 0
    known: dict[tuple[str, str], dict[int, int]] = field(default_factory=dict)

    def links(self, texts: Sequence[ContentWords], threads: int = 1) -> list[Links]:
        return list(map(self._of, texts))

    def _of(self, text: ContentWords) -> Links:
        found = _repeated(text.keys)
        seen: dict[int, tuple[int, int]] = {}  # of a set the fewest steps to an earlier word, and which
        words: dict[tuple[str, str], None] = {}
        for place, word in enumerate(zip(text.forms, text.lemmas, strict=True)):
            if word in words:
                continue
            words[word] = None
            near = self.known.get(word)
            if near is None:
                near = self.known[word] = self._near(*word)
            if found.earlier[place] < 0:
                for one in seen.keys() & near.keys():
                    steps, before = seen[one]
                    if near[one] + steps <= self.distance and before > found.earlier[place]:
                        found.similarities[place], found.earlier[place] = 1.0, before
            for one, steps in near.items():
                if one not in seen or steps <= seen[one][0]:
                    seen[one] = steps, place
        return found

    def _near(self, form: str, lemma: str) -> dict[int, int]:
        """The sets of a word with those around them, and the fewest steps to each. Two words that are n steps apart
        meet where neither has gone more than half of them, rounded up."""
        if len(self.known) > 1 << 18:
            self.known.clear()
        found = {one: 0 for word in (form.lower(), lemma) for one in self.table.sets_of(word)}
        edge = list(found)
        for steps in range(1, (self.distance + 1) // 2 + 1):
            edge = [one for at in edge for one in self.neighbours.get(at, ()) if one not in found]
            found.update(dict.fromkeys(edge, steps))
        return found


@dataclass(frozen=True, eq=False)
class StaticVectors:
    """Words are similar as far as their vectors point the same way; 1 where a word is repeated, with or without one."""

    vectors: Vectors
    known: dict[str, int] = field(default_factory=dict)

    @told()
    def links(self, texts: Sequence[ContentWords], threads: int = 1) -> list[Links]:
        distinct = [list(dict.fromkeys(text.forms)) for text in texts]
        rows, starts = array("q"), array("q", [0])
        for forms in distinct:
            rows.extend(map(self._row, forms))
            starts.append(len(rows))
        if not rows:
            return [Links([], []) for _ in texts]
        most, earlier = _native.earlier_words(self.vectors.table, rows, starts, threads)
        values, places = most.tolist(), earlier.tolist()
        return [
            _with_vectors(text, forms, values[begin:end], places[begin:end])
            for text, forms, begin, end in zip(texts, distinct, starts, starts[1:], strict=False)
        ]

    def _row(self, word: str) -> int:
        row = self.known.get(word)
        if row is None:
            if len(self.known) > 1 << 20:
                self.known.clear()
            table = self.vectors.table
            row = self.known[word] = table.find(word.encode("utf-8", "surrogatepass"), "unicode")
        return row


def _with_vectors(
    text: ContentWords, forms: Sequence[str], most: Sequence[float], earlier: Sequence[int]
) -> Links:
    """Of distinct forms to all words: a word that is repeated is the same, others have what their form has."""
    found = _repeated(text.keys)
    first: dict[str, int] = {}
    numbers = {form: number for number, form in enumerate(forms)}
    for place, form in enumerate(text.forms):
        first.setdefault(form, place)
        if found.earlier[place] < 0:
            number = numbers[form]
            found.similarities[place] = most[number]
            found.earlier[place] = first[forms[earlier[number]]] if earlier[number] >= 0 else -1
    return found
