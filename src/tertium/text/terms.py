"""Terms of a document and what they become: repeated words of the source, and the words of a translation for them.

Without a glossary, a term is a word or a run of words that a document repeats, without common words at its ends."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from tertium import _native
from tertium.text import stemmers
from tertium.text.cut import Cut, words_only
from tertium.text.parses import Parsed

LEAST = 2  # occurrences that make a term
WORDS = 4  # of the longest term
SHARE = 0.05  # of the documents: a word that occurs in more is common
LISTED_SHARE = 0.25  # the same, where a list of common words is known
FEW = 20  # documents: in fewer, nothing is said of how common words are
_SHORT = 4  # letters: shorter words are terms only in capitals
_COMMON = Path(__file__).parent.parent / "data" / "common_words"
Key = tuple[str, ...]  # folded words


@lru_cache(maxsize=8)
def common_words(code: str) -> frozenset[str]:
    """Words of a language that are no terms, in lower case; of some languages none are known."""
    path = _COMMON / f"{code}.txt"
    words = path.read_text(encoding="utf-8").split() if path.is_file() else []
    return frozenset(words)


_PLURALS = {
    "en": ("s",),
    "fr": ("s", "x"),
    "es": ("s",),
    "pt": ("s",),
    "de": ("en", "es", "e", "n", "s"),
    "nl": ("en", "s"),
}
_NO_TERMS = {"en": ("ly", "ed")}  # endings of words that are hardly ever nouns


@lru_cache(maxsize=8)
def grouping(code: str) -> stemmers.Stem:
    """What makes words of a source one term: lower case, without the ending of a plural. Stems would go too far: a
    protester is no protest.

    >>> [grouping("en")(word) for word in ("Contracts", "boss", "Naira's")]
    ['contract', 'boss', 'naira']
    """
    endings = _PLURALS.get(code, ())

    @lru_cache(maxsize=1 << 16)
    def grouped(word: str) -> str:
        plain = word.lower().replace("\u2019", "'").removesuffix("'s")
        for ending in endings:
            if plain.endswith(ending) and len(plain) - len(ending) >= 3 and not plain.endswith("ss"):
                return plain.removesuffix(ending)
        return plain

    return grouped


class TermPlace(NamedTuple):
    """An occurrence: the segment of the document, the first word, and how many."""

    segment: int
    begin: int
    words: int


@dataclass(frozen=True)
class Term:
    """A term of a document, as it is written most often, and where it stands."""

    text: str
    places: tuple[TermPlace, ...]
    listed: tuple[str, ...] = ()  # the translations that a glossary has


def common_among(documents: Sequence[Sequence[Parsed]], lang: str, share: float) -> frozenset[str]:
    """Common words: those of a list, and those in more than this share of the documents, in lower case."""
    found: Counter[str] = Counter()
    for document in documents:
        found.update({word.lower() for segment in document for word in segment.words})
    most = most_documents(len(documents), lang, share)
    return common_words(lang) | {word for word, number in found.items() if number > most}


def most_documents(number: int, lang: str, share: float) -> float:
    """In more documents than these, of so many, a word is common."""
    share = max(share, LISTED_SHARE) if common_words(lang) else share
    return max(3.0, share * number) if number >= FEW else float("inf")


@dataclass(frozen=True)
class TermFinder:
    """Finds repeated terms in documents of one language."""

    lang: str = "en"
    least: int = LEAST
    words: int = WORDS
    common: frozenset[str] = field(default=frozenset(), compare=False)

    @classmethod
    def over(cls, documents: Sequence[Sequence[Parsed]], lang: str = "en", **how: int) -> TermFinder:
        """One that knows which words are common, by a list and by these documents."""
        return cls(lang, common=common_among(documents, lang, SHARE), **how)

    def terms(self, document: Sequence[Parsed]) -> list[Term]:
        """The terms of a document, in the order in which they first occur; words inside longer terms do not count."""
        small = {word for segment in document for word in segment.words if word.islower()}
        runs: dict[Key, list[TermPlace]] = defaultdict(list)
        for number, segment in enumerate(document):
            for begin, key in self._runs(segment, small):
                runs[key].append(TermPlace(number, begin, len(key)))
        taken: set[tuple[int, int]] = set()
        found: list[Term] = []
        for key in sorted(runs, key=lambda key: (-len(key), runs[key][0])):
            free = [
                p
                for p in _apart(runs[key])
                if not any((p.segment, p.begin + k) in taken for k in range(p.words))
            ]
            if len(free) >= self.least:
                taken.update((p.segment, p.begin + k) for p in free for k in range(p.words))
                found.append(Term(usual(_written(document[p.segment], p) for p in free), tuple(free)))
        return sorted(found, key=lambda term: term.places[0])

    def _runs(self, segment: Parsed, small: set[str]) -> Iterator[tuple[int, Key]]:
        """Runs of words that may be terms. A word with a capital inside a sentence that the document has without, too,
        is part of a name, and not that word (but in German)."""
        group, starts = grouping(self.lang), set(segment.starts)
        folded = [
            (lemma.lower() or group(word))
            + "^"
            * (self.lang != "de" and word[:1].isupper() and place not in starts and word.lower() in small)
            for place, (word, lemma) in enumerate(zip(segment.words, segment.lemmas, strict=True))
        ]
        ends = [self._may_end(word, tag) for word, tag in zip(segment.words, segment.tags, strict=True)]
        last = {end - 1 for _, end in segment.sentences}
        for begin in range(len(folded)):
            if not ends[begin]:
                continue
            for length in range(1, self.words + 1):
                end = begin + length - 1
                if end >= len(folded) or not is_word(segment.words[end]):
                    break
                if ends[end] and (length > 1 or self._may_stand_alone(segment.words[end], segment.tags[end])):
                    yield begin, tuple(folded[begin : end + 1])
                if end in last:
                    break

    def _may_end(self, word: str, tag: str) -> bool:
        """Whether a term may begin or end with a word: nouns and adjectives, if that is known."""
        known = not tag or tag in ("NOUN", "PROPN", "ADJ", "X")
        acronym = len(word) > 1 and word.isupper()
        return known and is_word(word) and (acronym or word.lower() not in self.common)

    def _may_stand_alone(self, word: str, tag: str) -> bool:
        if tag:
            return tag != "ADJ"
        if len(word) < _SHORT:
            return len(word) > 1 and word.isupper()
        return not word.endswith(_NO_TERMS.get(self.lang, ()))


def repeated(cut: Cut, segments: Sequence[int], finder: TermFinder) -> _native.TermLists:
    """The terms of documents without parses, as `TermFinder` finds them: natively, for rows of metrics.

    `segments` are the numbers of texts that each document has.
    """
    lang = finder.lang
    return _native.repeated_terms(
        cut.numbered,
        segments,
        common_forms(cut, segments, lang, SHARE),
        finder.least,
        finder.words,
        lang != "de",
        _PLURALS.get(lang, ()),
        _NO_TERMS.get(lang, ()),
    )


def common_forms(cut: Cut, segments: Sequence[int], lang: str, share: float) -> _native.CommonForms:
    """`common_among`, natively."""
    most = most_documents(len(segments), lang, share)
    return _native.CommonForms(cut.numbered, segments, most, sorted(common_words(lang)))


@dataclass(frozen=True)
class GlossaryFinder:
    """Finds the terms of a glossary; of overlapping ones the longest."""

    entries: Mapping[Key, tuple[str, tuple[str, ...]]]  # the term as it is listed, and its translations
    lang: str

    @classmethod
    def of(cls, glossary: Mapping[str, tuple[str, ...]], lang: str = "en") -> GlossaryFinder:
        group = grouping(lang)
        keys = {term: tuple(group(word) for word in words_only(term).words) for term in glossary}
        return cls({keys[term]: (term, listed) for term, listed in glossary.items() if keys[term]}, lang)

    def terms(self, document: Sequence[Parsed]) -> list[Term]:
        """The terms of a document, in the order in which they first occur.

        >>> finder = GlossaryFinder.of({"power plant": ("Kraftwerk",)})
        >>> [(term.text, len(term.places)) for term in finder.terms([words_only("Power plants and a power plant")])]
        [('power plant', 2)]
        """
        group = grouping(self.lang)
        found: dict[Key, list[TermPlace]] = {}
        longest = max(map(len, self.entries), default=0)
        for number, segment in enumerate(document):
            words = [group(word) for word in segment.words]
            begin = 0
            while begin < len(words):
                lengths = range(min(longest, len(words) - begin), 0, -1)
                keys = (tuple(words[begin : begin + length]) for length in lengths)
                key = next((key for key in keys if key in self.entries), ())
                if key:
                    found.setdefault(key, []).append(TermPlace(number, begin, len(key)))
                begin += len(key) or 1
        return [
            Term(self.entries[key][0], tuple(places), self.entries[key][1]) for key, places in found.items()
        ]


def is_word(word: str) -> bool:
    return any(map(str.isalpha, word))


def _apart(places: Iterable[TermPlace]) -> Iterator[TermPlace]:
    """Those that do not overlap the one before."""
    segment, end = -1, 0
    for place in places:
        if place.segment != segment or place.begin >= end:
            yield place
            segment, end = place.segment, place.begin + place.words


def _written(parsed: Parsed, place: TermPlace) -> str:
    first, last = parsed.spans[place.begin], parsed.spans[place.begin + place.words - 1]
    return " ".join(parsed.text[first[0] : last[1]].split())


def usual(texts: Iterable[str]) -> str:
    """The text that is written most often; of several the first."""
    return Counter(texts).most_common(1)[0][0]
