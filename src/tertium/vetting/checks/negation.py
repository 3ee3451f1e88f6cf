"""Negation: what one side denies, the other must deny."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from tertium.io.memories.unit import Unit
from tertium.vetting.checks.base import Doubt, Span
from tertium.vetting.signs import BEGINS_DENIAL, DENIAL, DENIES, MAY_DENY

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tertium.vetting.batches import UnitBatch

# Words that deny, and those that may stand for them: "unable" is not "not", but "impossible" may translate it.
_DENIALS = {
    "en": r"not|never|none|nothing|nobody|cannot|\w+n['’]t|no",
    "fr": r"ne|n(?=['’])|pas|jamais|aucun|aucune|rien|ni|non",
    "de": r"nicht|nie|niemals|nichts|kein\w*|weder",
    "es": r"no|nunca|jamás|ningún|ninguna?|nada|ni",
    "it": r"non|mai|nessun\w*|niente|nulla|né",
    "pt": r"não|nunca|jamais|nenhuma?|nada|nem",
    "nl": r"niet|nooit|geen|niets|noch",
}
_LIKE = {
    "en": r"non|without|unable|impossible|"
    r"(?:un|in|im|il|ir|dis|mis|non)\w{4,}|fail\w*|lack\w*|miss\w*|neither|nor|only|"
    r"unless|prevent\w*|avoid\w*|refus\w*|den\w+|exclud\w*|until|instead|otherwise|but|empty|\w+less|off|disabl\w*|free",
    "fr": r"sans|impossible|impossibilité|incapable|(?:in|im|il|ir|dé|mé|més|mal)\w{4,}|échou\w*|échec\w*|absen\w*|"
    r"manqu\w*|seul\w*|empêch\w*|évit\w*|refus\w*|exclu\w*|sauf|plus|que|avant|guère|faute|nul\w*|vide|aucunement",
    "de": r"ohne|un\w{4,}|\w*los\w*|fehl\w*|nur|außer|weder|noch|kaum|verhinder\w*|vermeid\w*|leer|statt",
    "es": r"sin|imposible|(?:in|im|des)\w{4,}|fall\w*|falt\w*|solo|sólo|sino|salvo|tampoco|evit\w*|vací\w*",
    "it": r"senza|impossibile|(?:in|im|dis|s)\w{5,}|fall\w*|manc\w*|solo|tranne|neanche|evit\w*|vuot\w*",
    "pt": r"sem|impossível|(?:in|im|des)\w{4,}|falh\w*|falt\w*|só|apenas|salvo|evit\w*|vazi\w*",
    "nl": r"zonder|on\w{4,}|\w*loos|mislukt\w*|ontbre\w*|alleen|behalve|voorkom\w*|leeg",
}


_HINTS = {  # one of these is in every text that denies: looked for first, since most texts do not
    "en": ("no", "No", "n't", "n’t", "ever"),
    "fr": ("ne ", "Ne ", "n'", "n’", "N'", "N’", "as", "amais", "ucun", "ien", "ni ", "non", "Non"),
    "de": ("ich", "ie", "ein", "eder"),
}


class _Language(NamedTuple):
    hints: tuple[str, ...]
    denies: re.Pattern[str]
    may_deny: re.Pattern[str]

    def denial(self, text: str) -> re.Match[str] | None:
        if self.hints and not any(hint in text for hint in self.hints):
            return None
        return self.denies.search(text)


@lru_cache(maxsize=64)
def _language(name: str) -> _Language | None:
    short = re.split("[-_]", name.lower())[0]
    if short not in _DENIALS:
        return None
    denies, all_words = (rf"\b(?:{own})\b" for own in (_DENIALS[short], f"{_DENIALS[short]}|{_LIKE[short]}"))
    return _Language(_HINTS.get(short, ()), *(re.compile(own, re.IGNORECASE) for own in (denies, all_words)))


_SHORT = {r"\w+n['’]t": "t", "n(?=['’])": "n"}  # words by which the scan of signs knows these


def negation_words(language: str) -> dict[str, int]:
    """Words that deny, for the scan of signs.

    >>> negation_words("de")["nicht"] == DENIES, negation_words("de")["kein"] == BEGINS_DENIAL
    (True, True)
    """
    found: dict[str, int] = {}
    for own in filter(None, _DENIALS.get(re.split("[-_]", language.lower())[0], "").split("|")):
        if own in _SHORT:
            found[_SHORT[own]] = MAY_DENY
        elif own.endswith(r"\w*"):
            found[own[:-3]] = BEGINS_DENIAL
        elif own.endswith("?"):
            found |= {own[:-1]: DENIES, own[:-2]: DENIES}
        else:
            found[own] = DENIES
    return found


class Negation:
    """One side denies something, and nothing on the other does."""

    name = "negation"
    sentence = "What one side denies, the other denies, too (in seven languages)."

    def sieve(self, batch: UnitBatch) -> NDArray[np.bool_]:
        return batch.has(either=DENIAL)

    def look(self, unit: Unit) -> Doubt | None:
        """
        >>> Negation().look(Unit("The file is not open.", "Le fichier est ouvert.", "en", "fr")).sentence
        'only the source says not'
        >>> Negation().look(Unit("It could not be opened.", "Impossible de l'ouvrir.", "en", "fr"))
        """
        ours, theirs = _language(unit.source_language), _language(unit.target_language)
        if ours is None or theirs is None:
            return None
        sides = (
            ("source", unit.source, ours, unit.target, theirs),
            ("target", unit.target, theirs, unit.source, ours),
        )
        for side, text, own, other, others in sides:
            denied = own.denial(text)
            if denied is not None and others.may_deny.search(other) is None:
                span: tuple[Span, ...] = (denied.span(),)
                what = f"only the {side} says {denied.group().lower()}"
                return Doubt(self.name, what, 0.5, *((span, ()) if side == "source" else ((), span)))
        return None
