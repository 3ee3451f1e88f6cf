"""Texts cut into words and sentences by rule, as kernels take them: words by number, in one table of forms.

The rule (native/cut_texts.hpp): a word is letters and digits, with parts joined by hyphens, or with an apostrophe
before two letters or more (*l'* of *l'ami*); every other sign is a word of its own. A sentence ends with its line, or
with a full stop before what is not in lower case.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from tertium._native import CutTexts, Forms, Lines
from tertium.text.parses import Parsed


@dataclass(frozen=True, eq=False)
class Cut:
    """Texts with their words by number; as parses, where somebody wants to see words.

    >>> [one.words for one in Cut.of(["L'ami dort.", "Oui!"]).parses]
    [("L'", 'ami', 'dort', '.'), ('Oui', '!')]
    """

    texts: Sequence[str]
    numbered: CutTexts

    @classmethod
    def of(cls, texts: Sequence[str], forms: Forms | None = None) -> Cut:
        """Texts by rule; those that are compared with others need the same table of forms."""
        return cls(texts, CutTexts(Forms() if forms is None else forms, Lines(texts)))

    @classmethod
    def of_parses(cls, parses: Sequence[Parsed], forms: Forms) -> Cut:
        """Texts as a parser cut them."""
        words = CutTexts.of_words(forms, [one.words for one in parses], [one.starts for one in parses])
        found = cls([one.text for one in parses], words)
        found.__dict__["parses"] = list(parses)
        return found

    @cached_property
    def parses(self) -> list[Parsed]:
        """Words and sentences, without any layers."""
        found = zip(self.texts, self.numbered.words(), self.numbered.sentences(), strict=True)
        return [Parsed(text, words, starts=starts) for text, words, starts in found]


def cut_words(texts: Sequence[str]) -> list[tuple[str, ...]]:
    """The words and signs of texts, by rule.

    >>> cut_words(["L'ami dort."])
    [("L'", 'ami', 'dort', '.')]
    """
    return CutTexts(Forms(), Lines(texts)).words()


def words_only(text: str) -> Parsed:
    """Words, signs and sentences of a text, by rule.

    >>> words_only("Il dort. Elle lit.\\nOui").starts
    (0, 3, 6)
    """
    return Cut.of([text]).parses[0]
