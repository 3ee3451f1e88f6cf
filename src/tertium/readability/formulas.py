"""Readability formulas over counts of a text, by name."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from tertium.registry import Registry

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class TextCounts(NamedTuple):
    """What formulas see of a text: whole numbers that add."""

    words: int
    sentences: int
    syllables: int
    letters: int  # letters and digits in words
    polysyllables: int  # words with three syllables or more
    complex: int  # those without names, compounds, and ends like -ed, -es, -ing
    long: int  # words with more than six letters
    hard: int  # words that are not in a list of easy ones


@dataclass(frozen=True)
class ReadabilityFormula:
    """A formula: what it says of counts, for which language it was made, and whether more is easier."""

    title: str
    words: str  # the formula, written out
    paper: str
    lang: str  # it was made for; "": none in particular
    easier: bool  # whether a higher number means easier
    of: Callable[[TextCounts], Any]  # of whole numbers, or of arrays of them

    def __call__(self, counts: TextCounts) -> float:
        if counts.words <= 0 or counts.sentences <= 0:
            return math.nan
        return float(self.of(counts))

    def every(self, rows: Any) -> npt.NDArray[np.float64]:
        """The formula of many texts, whose counts are rows of a table (a column for each of `TextCounts`).

        >>> FLESCH.every([[100, 5, 150, 450, 10, 8, 20, 15], [0] * 8]).round(1).tolist()
        [59.6, nan]
        """
        import numpy as np

        columns = np.asarray(rows).reshape(-1, len(TextCounts._fields)).T
        with np.errstate(divide="ignore", invalid="ignore"):
            found = np.asarray(self.of(TextCounts(*columns)), float)
        return np.where((columns[0] > 0) & (columns[1] > 0), found, np.nan)


def flesch_like(base: float, sentence: float, syllable: float) -> Callable[[TextCounts], Any]:
    """base - a words / sentence - b syllables / word."""
    return lambda n: base - sentence * (n.words / n.sentences) - syllable * (n.syllables / n.words)


def _dale_chall(n: TextCounts) -> Any:
    share = 100 * n.hard / n.words
    return 0.1579 * share + 0.0496 * (n.words / n.sentences) + 3.6365 * (share > 5)


def _smog(n: TextCounts) -> Any:
    many = 30 * (n.polysyllables / n.sentences)
    return 1.043 * (math.sqrt(many) if isinstance(many, float) else many**0.5) + 3.1291


FLESCH = ReadabilityFormula(
    "Flesch reading ease",
    "206.835 - 1.015 words / sentence - 84.6 syllables / word",
    "Flesch 1948, A new readability yardstick",
    "en",
    True,
    flesch_like(206.835, 1.015, 84.6),
)
FLESCH_KINCAID = ReadabilityFormula(
    "Flesch-Kincaid grade",
    "0.39 words / sentence + 11.8 syllables / word - 15.59",
    "Kincaid, Fishburne, Rogers and Chissom 1975",
    "en",
    False,
    lambda n: 0.39 * (n.words / n.sentences) + 11.8 * (n.syllables / n.words) - 15.59,
)
SMOG = ReadabilityFormula(
    "SMOG grade",
    "3.1291 + 1.043 sqrt(30 words of three syllables or more / sentences)",
    "McLaughlin 1969, SMOG grading: a new readability formula",
    "en",
    False,
    _smog,
)
FOG = ReadabilityFormula(
    "Gunning fog",
    "0.4 (words / sentence + 100 complex words / words)",
    "Gunning 1952, The technique of clear writing",
    "en",
    False,
    lambda n: 0.4 * (n.words / n.sentences + 100 * n.complex / n.words),
)
COLEMAN_LIAU = ReadabilityFormula(
    "Coleman-Liau index",
    "0.0588 letters / 100 words - 0.296 sentences / 100 words - 15.8",
    "Coleman and Liau 1975, A computer readability formula designed for machine scoring",
    "en",
    False,
    lambda n: 0.0588 * (100 * n.letters / n.words) - 0.296 * (100 * n.sentences / n.words) - 15.8,
)
ARI = ReadabilityFormula(
    "Automated readability index",
    "4.71 letters / word + 0.5 words / sentence - 21.43",
    "Senter and Smith 1967",
    "en",
    False,
    lambda n: 4.71 * (n.letters / n.words) + 0.5 * (n.words / n.sentences) - 21.43,
)
DALE_CHALL = ReadabilityFormula(
    "Dale-Chall, with our list of easy words",
    "0.1579 (100 hard words / words) + 0.0496 words / sentence, and 3.6365 more above 5 hard words in 100",
    "Dale and Chall 1948, A formula for predicting readability",
    "en",
    False,
    _dale_chall,
)
LIX = ReadabilityFormula(
    "LIX",
    "words / sentence + 100 words of more than six letters / words",
    "Björnsson 1968, Läsbarhet",
    "",
    False,
    lambda n: n.words / n.sentences + 100 * n.long / n.words,
)
RIX = ReadabilityFormula(
    "RIX",
    "words of more than six letters / sentence",
    "Anderson 1983, Lix and Rix: variations on a little-known readability index",
    "",
    False,
    lambda n: n.long / n.sentences,
)
KANDEL_MOLES = ReadabilityFormula(
    "Kandel-Moles",
    "207 - 1.015 words / sentence - 73.6 syllables / word",
    "Kandel and Moles 1958, Application de l'indice de Flesch à la langue française",
    "fr",
    True,
    flesch_like(207, 1.015, 73.6),
)
AMSTAD = ReadabilityFormula(
    "Flesch-Amstad",
    "180 - words / sentence - 58.5 syllables / word",
    "Amstad 1978, Wie verständlich sind unsere Zeitungen?",
    "de",
    True,
    flesch_like(180, 1, 58.5),
)
FERNANDEZ_HUERTA = ReadabilityFormula(
    "Fernández Huerta",
    "206.84 - 1.02 words / sentence - 60 syllables / word",
    "Fernández Huerta 1959, Medidas sencillas de lecturabilidad",
    "es",
    True,
    flesch_like(206.84, 1.02, 60),
)
DOUMA = ReadabilityFormula(
    "Flesch-Douma",
    "206.835 - 0.93 words / sentence - 77 syllables / word",
    "Douma 1960, De leesbaarheid van landbouwbladen",
    "nl",
    True,
    flesch_like(206.835, 0.93, 77),
)
GULPEASE = ReadabilityFormula(
    "Gulpease",
    "89 + (300 sentences - 10 letters) / words",
    "Lucisano and Piemontese 1988",
    "it",
    True,
    lambda n: 89 + (300 * n.sentences - 10 * n.letters) / n.words,
)

_HERE = "tertium.readability.formulas:"
FORMULAS: Registry[ReadabilityFormula] = Registry(
    "readability formula",
    "tertium.readability_formulas",
    {
        "flesch": f"{_HERE}FLESCH",
        "flesch-kincaid": f"{_HERE}FLESCH_KINCAID",
        "smog": f"{_HERE}SMOG",
        "fog": f"{_HERE}FOG",
        "coleman-liau": f"{_HERE}COLEMAN_LIAU",
        "ari": f"{_HERE}ARI",
        "dale-chall": f"{_HERE}DALE_CHALL",
        "lix": f"{_HERE}LIX",
        "rix": f"{_HERE}RIX",
        "kandel-moles": f"{_HERE}KANDEL_MOLES",
        "amstad": f"{_HERE}AMSTAD",
        "fernandez-huerta": f"{_HERE}FERNANDEZ_HUERTA",
        "douma": f"{_HERE}DOUMA",
        "gulpease": f"{_HERE}GULPEASE",
    },
)


def formula(name: str) -> ReadabilityFormula:
    """A formula by its name.

    >>> round(formula("kandel-moles")(TextCounts(100, 5, 150, 450, 10, 8, 20, 15)), 1)
    76.3
    """
    return FORMULAS[name]
