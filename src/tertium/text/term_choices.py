"""What terms of a document become in a translation, and whether that is always the same.

An occurrence is translated by the words that are linked to it. Inflected forms, compounds and parts of a choice are one
choice; of several choices the one counts first that is found in most places, linked or not, so that a missing link
makes no inconsistency: only what cannot be explained by a choice that was made elsewhere is another one.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import NamedTuple

from tertium import _native
from tertium.text import meteor, stemmers
from tertium.text.alignment import Links
from tertium.text.crosslinks import CrossAligner
from tertium.text.cut import Cut
from tertium.text.parses import Parsed
from tertium.text.terms import (
    SHARE,
    Term,
    TermFinder,
    TermPlace,
    common_among,
    common_forms,
    is_word,
    repeated,
    usual,
)

Key = tuple[str, ...]  # folded words
_SHORT = 4  # letters that a word must have to be found inside another


@lru_cache(maxsize=8)
def folding(code: str) -> stemmers.Stem:
    """What makes forms of a word equal: lower case, the stem where there is a stemmer, no diacritics.

    >>> [folding("de")(word) for word in ("Häuser", "Haus")]
    ['haus', 'haus']
    """
    name = meteor.language(code).name
    stem = stemmers.stemmer(name) if name in stemmers.LANGUAGES else str

    @lru_cache(maxsize=1 << 16)
    def folded(word: str) -> str:
        plain = unicodedata.normalize("NFD", stem(word.lower()))
        return "".join(letter for letter in plain if not unicodedata.combining(letter)) or word.lower()

    return folded


_COMPOUNDING = ("da", "de", "fi", "hu", "nl", "no", "nb", "se", "sv")
_NO_HEADS = ("schaft",)  # ends that are no words by themselves


@lru_cache(maxsize=1 << 16)
def alike(one: str, other: str, *, compounds: bool = False) -> bool:
    """Whether folded words are one choice: equal, one in the other, or a long beginning in common; in languages with
    compounds also a long end.

    >>> alike("vertrag", "vertragspartn"), alike("vertrag", "vertret")
    (True, False)
    """
    if one == other:
        return True
    if "-" in one or "-" in other:
        return any(
            alike(a, b, compounds=compounds) for a in one.split("-") for b in other.split("-") if a and b
        )
    short, long = sorted((one, other), key=len)
    if len(short) >= _SHORT and short in long:
        return True
    shared = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(short))
    if shared >= 6 and 10 * shared >= 6 * len(long):
        return True
    end = _shared_end(one, other) if compounds else ""
    return len(end) >= 6 and 2 * len(end) >= len(short) and not end.endswith(_NO_HEADS)


def _shared_end(one: str, other: str) -> str:
    pairs = enumerate(zip(reversed(one), reversed(other), strict=False))
    length = next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))
    return one[len(one) - length :]


@dataclass(frozen=True)
class TermChoice:
    """One translation of a term, as it is written most often, and the occurrences that have it, counted from 0."""

    text: str
    occurrences: tuple[int, ...]
    listed: bool = False  # in a glossary


@dataclass(frozen=True)
class TermUse:
    """A term of a document and its translations, the most frequent first. Occurrences without any are in none."""

    term: Term
    choices: tuple[TermChoice, ...]

    @property
    def pairs(self) -> tuple[int, int]:
        """Pairs of translated occurrences, and those whose choice is the same."""
        sizes = [len(choice.occurrences) for choice in self.choices]
        return sum(sizes) * (sum(sizes) - 1) // 2, sum(size * (size - 1) // 2 for size in sizes)

    @property
    def consistent(self) -> bool:
        return len(self.choices) < 2

    def segments(self, choice: TermChoice) -> list[int]:
        """The segments of the document, from 0, in which a choice was made."""
        return sorted({self.term.places[i].segment for i in choice.occurrences})


class Version(NamedTuple):
    """A translation: documents of segments, and the links of each segment."""

    sources: Sequence[Sequence[Parsed]]
    targets: Sequence[Sequence[Parsed]]
    links: Sequence[Sequence[Links]]


@dataclass(frozen=True)
class TermTranslations:
    """What is known of a whole set of translated documents: its common words, and which words are linked how often."""

    lang: str
    common: frozenset[str] = frozenset()
    known: frozenset[tuple[str, str]] = frozenset()  # source word, folded word: linked in more than one place

    @classmethod
    def over(cls, versions: Sequence[Version], lang: str) -> list[TermTranslations]:
        """Of each of several translations of the same documents. What they have in common, each of them knows: a link
        counts as known if it is found in two segments, or in two translations of one that differ there (a quarter)."""
        fold = folding(lang)
        seen: dict[tuple[str, str], set[tuple[str, tuple[str, ...]]]] = defaultdict(set)
        for version in versions:
            for document in zip(version.sources, version.targets, version.links, strict=True):
                for source, target, own in zip(*document, strict=True):
                    for i, j in own:
                        pair = source.words[i].lower(), fold(target.words[j])
                        seen[pair].add((source.text, target.words[max(0, j - 2) : j + 3]))
        least = max(2, len(versions) / 4)
        known = frozenset(
            pair
            for pair, texts in seen.items()
            if len(texts) > 1 and (len(texts) >= least or len({source for source, _ in texts}) > 1)
        )
        return [cls(lang, common_among(version.targets, lang, 2 * SHARE), known) for version in versions]

    def uses(
        self,
        terms: Iterable[Term],
        sources: Sequence[Parsed],
        targets: Sequence[Parsed],
        links: Sequence[Links],
    ) -> list[TermUse]:
        """What the terms of a document become."""
        chooser = _Chooser(self, sources, targets, links)
        return [chooser.use(term) for term in terms]


class TermRows:
    """Rows of counts of terms in translations, natively: what `TermUse` says of each, without names and places.

    Sources are read once, with their terms, and shared by all translations.
    """

    def __init__(self, sources: Sequence[str], segments: Sequence[int], finder: TermFinder) -> None:
        self._forms = _native.Forms()
        self._sources = Cut.of(sources, self._forms)
        self._segments = segments
        self._terms = repeated(self._sources, segments, finder)
        numbers: dict[str, int] = {}
        self._texts = [numbers.setdefault(text, len(numbers)) for text in sources]
        self._folds: dict[str, _native.FoldedForms] = {}

    def rows(self, texts: Sequence[str], lang: str, aligner: CrossAligner) -> memoryview:
        """A row for each document: pairs, same, terms, consistent, occurrences, translated, listed (0)."""
        targets = Cut.of(texts, self._forms)
        folds = self._folds.setdefault(lang, _native.FoldedForms(self._forms))
        places, words = folds.wanted(targets.numbered)
        folds.tell(places, list(map(folding(lang), words)))
        return _native.term_rows(
            self._terms,
            self._sources.numbered,
            targets.numbered,
            aligner.links(self._sources, targets),
            folds,
            common_forms(targets, self._segments, lang, 2 * SHARE),
            lang in _COMPOUNDING,
            self._texts,
        )


class _Linked(NamedTuple):
    """What an occurrence is linked to: as written, folded, from which words of the term, and whether it is known."""

    text: str
    key: Key
    offsets: frozenset[int]
    known: bool


class _Chooser:
    """Looks at one translation of one document."""

    def __init__(
        self,
        known: TermTranslations,
        sources: Sequence[Parsed],
        targets: Sequence[Parsed],
        links: Sequence[Links],
    ) -> None:
        self.known, self.sources, self.targets = known, sources, targets
        self.fold = folding(known.lang)
        self.folded = [list(map(self.fold, target.words)) for target in targets]
        self._alike = partial(alike, compounds=known.lang in _COMPOUNDING)
        self.linked: list[dict[int, list[int]]] = []
        for own in links:
            found: dict[int, list[int]] = defaultdict(list)
            for i, j in own:
                found[i].append(j)
            self.linked.append(found)

    def use(self, term: Term) -> TermUse:
        """Choices one after the other: the one that explains most of what is left, those of a glossary first. A choice
        of a single segment counts only if its words are linked to those of the term elsewhere, too, and if it is
        written with a capital where the first one is."""
        linked = [self._linked(place) for place in term.places]
        candidates: dict[Key, frozenset[int]] = {self._key(text): frozenset() for text in term.listed}
        for found in filter(None, linked):
            candidates[found.key] = candidates.get(found.key, frozenset()) | found.offsets
        preferred = {self._key(text): text for text in term.listed}
        left = set(range(len(term.places)))
        choices: list[TermChoice] = []
        while left and candidates:
            covered = {key: self._covered(key, own, term, left, linked) for key, own in candidates.items()}
            ranked = [key for key in candidates if key in preferred and covered[key]] or list(candidates)
            best = max(ranked, key=lambda key: len(covered[key]))  # of several the first
            own = covered[best]
            candidates = {key: own for key, own in candidates.items() if not self._one(key, best)}
            if not own:
                continue
            links = [one for i in sorted(own) if (one := linked[i]) and self._one(one.key, best)]
            several = len({term.places[i].segment for i in own}) > 1
            if not (best in preferred or (links and several) or any(one.known for one in links)):
                continue  # one link in one place: rather a mistake of the aligner
            name = preferred.get(best, "")
            text = name or usual(one.text for one in links)
            if choices and best not in preferred and _capital(choices[0].text) and not _capital(text):
                continue
            choices.append(TermChoice(text, tuple(sorted(own)), bool(name)))
            left -= own
        choices.sort(key=lambda choice: (-len(choice.occurrences), choice.occurrences))
        return TermUse(term, tuple(choices))

    def _key(self, text: str) -> Key:
        return tuple(self.fold(word) for word in text.split())

    def _linked(self, place: TermPlace) -> _Linked | None:
        """The words that an occurrence is linked to, common words left out."""
        own = self.linked[place.segment]
        source, target = self.sources[place.segment], self.targets[place.segment]
        folded = self.folded[place.segment]
        pairs = [(i, j) for i in range(place.begin, place.begin + place.words) for j in own.get(i, ())]
        pairs = [
            (i, j)
            for i, j in pairs
            if is_word(target.words[j]) and target.words[j].lower() not in self.known.common
        ]
        if not pairs:
            return None
        found = sorted({j for _, j in pairs})
        known = any((source.words[i].lower(), folded[j]) in self.known.known for i, j in pairs)
        offsets = frozenset(i - place.begin for i, _ in pairs)
        return _Linked(
            " ".join(target.words[j] for j in found), tuple(folded[j] for j in found), offsets, known
        )

    def _covered(
        self, key: Key, offsets: frozenset[int], term: Term, left: set[int], linked: Sequence[_Linked | None]
    ) -> set[int]:
        """The occurrences that a choice explains: linked to it, in a segment that has it often enough, or linked from
        other words of the term only, which says nothing."""
        by_segment: dict[int, list[int]] = defaultdict(list)
        for i in sorted(left):
            by_segment[term.places[i].segment].append(i)
        found: set[int] = set()
        for segment, own in by_segment.items():
            sure = [
                i
                for i in own
                if (one := linked[i])
                and (self._one(one.key, key) or (bool(offsets) and not one.offsets & offsets))
            ]
            found.update(sure)
            if len(sure) < len(own):
                folded, same = self.folded[segment], self._alike
                number = min(sum([same(word, part) for word in folded]) for part in key)
                found.update([i for i in own if i not in sure][: max(0, number - len(sure))])
        return found

    def _one(self, key: Key, other: Key) -> bool:
        """Whether two choices are one: each word of the shorter is like a word of the other."""
        short, long = sorted((key, other), key=len)
        return all(any(self._alike(word, own) for own in long) for word in short)


def _capital(text: str) -> bool:
    return text.split()[-1][:1].isupper()
