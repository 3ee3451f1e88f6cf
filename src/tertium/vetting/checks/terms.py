"""Terms of a glossary: where the source has one, the target has its translation, inflected as it may be."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import MissingExtraError
from tertium.io.memories.unit import Unit
from tertium.text.stemmers import LANGUAGES, Stem, stemmer
from tertium.vetting.checks.base import Doubt, Span

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.vetting.batches import UnitBatch

_WORD = re.compile(r"\w+")
_CODES = {
    "da": "danish", "nl": "dutch", "en": "english", "fi": "finnish", "fr": "french", "de": "german", "hu": "hungarian",
    "it": "italian", "no": "norwegian", "nb": "norwegian", "pt": "portuguese", "ro": "romanian", "ru": "russian",
    "es": "spanish", "sv": "swedish", "tr": "turkish",
}  # fmt: skip
Stems = tuple[str, ...]


@cache
def _stem(language: str) -> Stem:
    """Stems of a language; where there is no stemmer, words without their last letters."""
    name = _CODES.get(re.split("[-_]", language.lower())[0], "")
    if name in LANGUAGES:
        try:
            found = stemmer(name)
            found("a")
        except MissingExtraError:
            pass
        else:
            return cache(found)
    return lambda word: word if len(word) < 5 else word[: max(4, len(word) - 2)]


def _stems(text: str, language: str) -> tuple[list[str], list[Span]]:
    stem = _stem(language)
    found = [(stem(own.group().lower()), own.span()) for own in _WORD.finditer(text)]
    return [own for own, _ in found], [span for _, span in found]


class GlossaryTerms:
    """Terms whose listed translation the target lacks."""

    name = "terms"
    sentence = "Terms of the glossary (--glossary) are translated as it says, inflected as they may be."

    def __init__(self) -> None:
        self._glossary: Mapping[str, Sequence[str]] = {}
        self._indexed: dict[tuple[str, str], dict[str, list[tuple[str, Stems, list[Stems]]]]] = {}

    def use(self, glossary: Mapping[str, Sequence[str]]) -> None:
        self._glossary = glossary

    def _index(self, pair: tuple[str, str]) -> dict[str, list[tuple[str, Stems, list[Stems]]]]:
        """Terms by their first stems, the longest first, with the stems of their translations."""
        made: dict[str, list[tuple[str, Stems, list[Stems]]]] = {}
        for term, listed in self._glossary.items():
            own = tuple(_stems(term, pair[0])[0])
            if own:
                targets = [tuple(_stems(text, pair[1])[0]) for text in listed]
                made.setdefault(own[0], []).append((term, own, targets))
        for terms in made.values():
            terms.sort(key=lambda entry: -len(entry[1]))
        return made

    def sieve(self, batch: UnitBatch) -> NDArray[np.bool_]:
        return np.full(len(batch), bool(self._glossary))

    def look(self, unit: Unit) -> Doubt | None:
        """
        >>> check = GlossaryTerms()
        >>> check.use({"folder": ("dossier", "répertoire"), "hard disk": ("disque dur",)})
        >>> check.look(Unit("Open folders", "Ouvrir les dossiers", "en", "fr"))
        >>> check.look(Unit("On hard disks", "Sur les disquettes", "en", "fr")).sentence
        'hard disk is not translated as disque dur'
        """
        if not self._glossary:
            return None
        pair = (unit.source_language, unit.target_language)
        index = self._indexed.get(pair)
        if index is None:
            index = self._indexed[pair] = self._index(pair)
        words, spans = _stems(unit.source, pair[0])
        if not any(word in index for word in words):
            return None
        target = _stems(unit.target, pair[1])[0]
        wrong: list[tuple[str, Span]] = []
        at = 0
        while at < len(words):
            entry = next(
                (own for own in index.get(words[at], ()) if tuple(words[at : at + len(own[1])]) == own[1]),
                None,
            )
            if entry is None:
                at += 1
                continue
            if not any(_holds(target, own) for own in entry[2]):
                wrong.append((entry[0], (spans[at][0], spans[at + len(entry[1]) - 1][1])))
            at += len(entry[1])
        if not wrong:
            return None
        term = wrong[0][0]
        listed = " or ".join(self._glossary[term])
        more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
        places = tuple(span for _, span in wrong)
        return Doubt(self.name, f"{term} is not translated as {listed}{more}", 0.5, places)


def _holds(words: list[str], part: Stems) -> bool:
    """Whether some words follow each other in a text."""
    size = len(part)
    return bool(size) and any(tuple(words[i : i + size]) == part for i in range(len(words) - size + 1))
