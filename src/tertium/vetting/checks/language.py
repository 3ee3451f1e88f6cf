"""Texts in another language than they should be in: by function words, and by py3langid where these say nothing."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from tertium.comparison.doctor.languages import Identifier, function_words, language_name, languages_known
from tertium.io.memories.unit import Unit
from tertium.vetting.checks.base import Doubt
from tertium.vetting.checks.placeholders import without_placeholders
from tertium.vetting.signs import LANGUAGE, OTHERS, OWN, either

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tertium.vetting.batches import UnitBatch

_LETTERS = 25  # in fewer characters, no language is recognised
_WORDS = 4
_MORE = 2  # so many more function words of another language, and the text is in that one
_PROSE = re.compile(r"[^\W\d_]{2,}(?:['’-][^\W\d_]+)*")


@cache
def _base(language: str) -> str:
    return re.split("[-_]", language.lower())[0]


@cache
def _owners(language: str) -> dict[str, tuple[str, ...]]:
    """Languages, but this one, that have a function word which this one has not."""
    found: dict[str, tuple[str, ...]] = {}
    own = function_words(language)
    for code in languages_known():
        for word in function_words(code) - own if code != language else ():
            if len(word) > 1:
                found[word] = (*found.get(word, ()), code)
    return found


def language_words(language: str) -> dict[str, int]:
    """Function words of a language, and those of all others, for the scan of signs."""
    own = function_words(_base(language))
    others = _owners(_base(language)) if own else {}
    return {**dict.fromkeys(own, OWN), **dict.fromkeys(others, OTHERS)}


@cache
def _identifier(language: str) -> Identifier:
    return Identifier(language, identify=True)


class OtherLanguage:
    """A side in another language."""

    name = "language"
    sentence = (
        "Both sides are in their languages (py3langid helps, where it is installed: tertium[language])."
    )

    def sieve(self, batch: UnitBatch) -> NDArray[np.bool_]:
        return batch.has(either=either(LANGUAGE))

    def look(self, unit: Unit) -> Doubt | None:
        """
        >>> unit = Unit("The file is in the folder.", "The file is in the directory.", "en", "fr")
        >>> OtherLanguage().look(unit).sentence
        'the target is in English, not French'
        """
        if unit.source == unit.target:  # which is said by another check
            return None
        for side, text, named in (
            ("target", unit.target, unit.target_language),
            ("source", unit.source, unit.source_language),
        ):
            other = unit.source_language if side == "target" else unit.target_language
            if len(text) < _LETTERS:
                continue
            found = self._other(text, _base(named), _base(other))
            if found is not None:
                spans = ((0, len(text)),)
                what = f"the {side} is in {language_name(found[0])}, not {language_name(_base(named))}"
                return Doubt(self.name, what, found[1], *(((), spans) if side == "target" else (spans, ())))
        return None

    def _other(self, text: str, expected: str, other: str) -> tuple[str, float] | None:
        """The language that a text is in, if it is another than expected, and how sure that is."""
        known = function_words(expected)
        words = text.lower().split()
        if not known or len(words) < _WORDS:
            return None
        own = len(known.intersection(words))
        others: dict[str, int] = {}
        if own < _MORE + 1:
            owners = _owners(expected)
            for word in set(words):
                for code in owners.get(word, ()):
                    others[code] = others.get(code, 0) + 1
        best = max(others, key=others.__getitem__, default="")
        if others.get(other, 0) == others.get(best, 0):
            best = other  # which is the likeliest of all
        alone = len((known - function_words(best)).intersection(words))  # those that both have do not count
        if others.get(best, 0) >= alone + _MORE + (best != other):
            return best, min(0.9, 0.5 + 0.1 * (others[best] - alone))
        return None if own or not others else self._asked(text, expected)

    def _asked(self, text: str, expected: str) -> tuple[str, float] | None:
        """What py3langid says of a text with a single function word, of another language."""
        words = _PROSE.findall(without_placeholders(text))
        prose = " ".join(word for word in words if word.islower())
        if len(prose) < _LETTERS or len(words) < _WORDS:
            return None
        found = _identifier(expected).identified(prose)
        return (found, 0.4) if found in languages_known() else None
