"""Terms of a document in its proposals: one that translates a term otherwise than the document is flagged, and waits.

A term is a word or a run of words that the document repeats, or one of a glossary. What a proposal makes of it is read
from the links of its words; forms of a word are one choice (text/term_choices.py). The document's choice is that of the
glossary, or else of the first proposal that has the term.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from tertium.matching.linking import links_of
from tertium.matching.proposals import EXACT, SOURCE, Proposal, TermFlag
from tertium.text.cut import words_only
from tertium.text.keyed import WORD, KeyedWords
from tertium.text.term_choices import alike, folding
from tertium.text.terms import GlossaryFinder, TermFinder, common_words, is_word

if TYPE_CHECKING:
    from tertium.matching.words import MemoryWords

NEAR = 5  # points of the rate: proposals that are no further apart are near-equals
NEAR_WORTH = 0.03  # the same, of what a policy expects
Key = tuple[str, ...]
_ELIDED = re.compile(r"^\w{1,2}['’](?=\w)")  # l’axe, d'os


class ChosenTerm(NamedTuple):
    """What a document makes of a term: as written, folded, and the segment that decided (0: the glossary)."""

    text: str
    key: Key
    segment: int


class TermKeeper:
    """Looks at the proposals for a document's segments, one after the other."""

    def __init__(
        self,
        words: MemoryWords,
        languages: tuple[str, str],
        glossary: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        self.words, self.glossary = words, dict(glossary or {})
        self.source, target = (own.lower().replace("_", "-").split("-")[0] for own in languages)
        self.fold, self.common = folding(target), common_words(target)

    def document(
        self,
        texts: Sequence[str],
        proposals: Sequence[Sequence[Proposal]],
        targets: Sequence[str] = (),
    ) -> list[tuple[Proposal, ...]]:
        """The proposals, with flags; of near-equals those that agree with the document come first. `targets`: what is
        translated already, which decides (else empty)."""
        finder = self._finder(texts)
        places = _by_segment(finder, texts)
        flat = [own for one in proposals for own in one]
        stored = iter(self._translations(finder, flat))
        chosen: dict[str, list[ChosenTerm]] = {
            term: [ChosenTerm(text, self._key(text), 0) for text in listed]
            for term, listed in self.glossary.items()
        }
        done = [(n, _done(text, own)) for n, (text, own) in enumerate(zip(texts, targets), 1) if own]  # noqa: B905 - or none
        for (number, _), terms in zip(
            done, self._translations(finder, [own for _, own in done]), strict=True
        ):
            for term, text in terms.items():
                if text:
                    chosen.setdefault(term, [ChosenTerm(text, self._key(text), number)])
        found = []
        for number, (own, there) in enumerate(zip(proposals, places, strict=True), 1):
            told = [(one, {k: v for k, v in next(stored).items() if k in there}) for one in own]
            flagged = [(self._flagged(one, terms, chosen), terms) for one, terms in told]
            flagged = _agreeing_first(flagged)
            stored_first = next((terms for one, terms in flagged if one.origin != SOURCE), {})
            for term, text in stored_first.items():
                if text:
                    chosen.setdefault(term, [ChosenTerm(text, self._key(text), number)])
            found.append(tuple(one for one, _ in flagged))
        return found

    def _finder(self, texts: Sequence[str]) -> GlossaryFinder:
        """Of the glossary's terms, and of those that the document repeats."""
        repeated = TermFinder(self.source, common=common_words(self.source))
        terms = {term.text: () for term in repeated.terms([words_only(text) for text in texts])}
        return GlossaryFinder.of({**terms, **self.glossary}, self.source)

    def _translations(self, finder: GlossaryFinder, proposals: Sequence[Proposal]) -> list[dict[str, str]]:
        """What each proposal makes of each term that its source has: the words that are linked to it."""
        sources = KeyedWords.of([own.source for own in proposals])
        targets = KeyedWords.of([own.target for own in proposals])
        links = list(links_of(self.words, sources, targets))
        parsed = [words_only(own.source) for own in proposals]
        found: list[dict[str, str]] = [{} for _ in proposals]
        for term in finder.terms(parsed):  # the source as it stands makes nothing of a term
            for place in term.places:
                if proposals[place.segment].origin == SOURCE:
                    continue
                spans = parsed[place.segment].spans
                begin, end = spans[place.begin][0], spans[place.begin + place.words - 1][1]
                source = proposals[place.segment].source
                inside = {n for n, word in enumerate(WORD.finditer(source)) if begin <= word.start() < end}
                forms = targets.forms[place.segment]
                own = sorted({j for i, j in links[place.segment] if i in inside})
                linked = [_ELIDED.sub("", forms[j]) for j in own]
                kept = [word for word in linked if is_word(word) and word.lower() not in self.common]
                found[place.segment].setdefault(term.text, " ".join(kept))
        return found

    def _flagged(
        self, own: Proposal, terms: Mapping[str, str], chosen: Mapping[str, Sequence[ChosenTerm]]
    ) -> Proposal:
        flags = tuple(
            TermFlag(term, text, chosen[term][0].text, chosen[term][0].segment)
            for term, text in terms.items()
            if text and term in chosen and not any(self._has(own, text, one) for one in chosen[term])
        )
        reasons = tuple(flag.words() for flag in flags)
        return replace(own, terms=flags, reasons=(*own.reasons, *reasons)) if flags else own

    def _has(self, own: Proposal, text: str, chosen: ChosenTerm) -> bool:
        """Whether a proposal has a choice: it is its own, or stands somewhere in it."""
        short, long = sorted((self._key(text), chosen.key), key=len)
        if all(any(alike(word, other) for other in long) for word in short):
            return True
        words = self._key(own.target)
        return all(any(alike(word, other) for other in words) for word in chosen.key)

    def _key(self, text: str) -> Key:
        return tuple(self.fold(_ELIDED.sub("", word)) for word in WORD.findall(text) if is_word(word))


def _done(source: str, target: str) -> Proposal:
    """A translation that the document has, as proposals are looked at."""
    return Proposal(source, target, EXACT, 1.0, 1.0, (), ())


def _by_segment(finder: GlossaryFinder, texts: Sequence[str]) -> list[set[str]]:
    """The terms of each segment."""
    found: list[set[str]] = [set() for _ in texts]
    for term in finder.terms([words_only(text) for text in texts]):
        for place in term.places:
            found[place.segment].add(term.text)
    return found


def _agreeing_first(
    proposals: Sequence[tuple[Proposal, dict[str, str]]],
) -> list[tuple[Proposal, dict[str, str]]]:
    """Among those that are near the first, the fewest flags first; else as they were."""
    if not proposals:
        return []
    best = proposals[0][0]
    near = [one for one in proposals if _near(one[0], best)]
    far = [one for one in proposals if not _near(one[0], best)]
    return [*sorted(near, key=lambda one: len(one[0].terms)), *far]


def _near(own: Proposal, best: Proposal) -> bool:
    if max(own.rate, best.rate) >= EXACT:
        return own.rate == best.rate
    if own.worth is not None and best.worth is not None:
        return own.worth >= best.worth - NEAR_WORTH
    return own.rate >= best.rate - NEAR
