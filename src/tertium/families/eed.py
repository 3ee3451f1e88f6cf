"""EED, the extended edit distance: characters, with jumps at blanks and a price for what is read again or never."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

from tertium import _native
from tertium._native import Lines
from tertium.families.base import Level, Metric, option
from tertium.families.words import (
    DIACRITICS_HELP,
    LOWERCASE_HELP,
    MEAN_COLUMNS,
    NO_SEGMENTS,
    case_from,
    case_items,
    normalized,
)
from tertium.statistics import DenseStatistics
from tertium.text.segments import References

_MARKS = ".!?,"
_NUMBER = re.compile(r"(\d) ([.,]) (\d)")
_TITLES = ("Dr", "Jr", "Prof", "Rev", "Gen", "Mr", "Mt", "Mrs", "Ms")
_TITLE = re.compile(rf"({'|'.join(_TITLES)}) .")
_ABBREVIATIONS = {"e . g .": "e.g.", "i . e .": "i.e.", "U . S .": "U.S."}
_COST = (0, 1000)
_REMEMBERED = 1000  # characters


def english(text: str) -> str:
    """Text as the authors prepare it: a blank before . ! ? and , and abbreviations joined again.

    >>> english("Well, 1, 2: Mr. Smith!")
    'Well , 1,2: Mr. Smith !'
    """
    return _joined(_apart(text))


def _apart(text: str) -> str:
    """With blanks before marks, but for those within numbers: as far as letters do not matter."""
    text = text.rstrip()
    for mark in _MARKS:
        text = text.replace(mark, f" {mark}")
    text = " ".join(text.split()) if not text[:1].isspace() else " " + " ".join(text.split())
    return _NUMBER.sub(r"\1\2\3", text) if " . " in text or " , " in text else text


_kept_apart = lru_cache(maxsize=8192)(_apart)


def _remembered(text: str) -> str:
    """`_apart`, once for a text in both cases, as `tertium:blend` has it."""
    return _kept_apart(text) if len(text) <= _REMEMBERED else _apart(text)


def _joined(text: str) -> str:
    if any(map(text.__contains__, _TITLES)):
        text = _TITLE.sub(r"\1.", text)
    for cut, short in _ABBREVIATIONS.items():
        text = text.replace(cut, short)
    return text


def japanese(text: str) -> str:
    """Compatibility characters in their ordinary form (NFKC)."""
    return unicodedata.normalize("NFKC", text.rstrip())


PREPROCESSING: dict[str, Callable[[str], str]] = {"en": english, "ja": japanese, "none": str.rstrip}


@dataclass(frozen=True)
class EED(Metric):
    """EED: an edit distance over characters that may jump. Lower is better.

    >>> import tertium as tt
    >>> m = tt.metric("eed")
    >>> round(m.score_total(m.statistics(["this is the prediction"], ["this is the reference"])), 2)
    37.64
    """

    name: ClassVar[str] = "eed"
    label: ClassVar[str] = "EED"
    title: ClassVar[str] = "extended edit distance over characters, with jumps at blanks (lower is better)"
    formula: ClassVar[str] = (
        "EED = min(1, (e + rho v) / (|r| + rho v)),  e = the cheapest path of insertions, deletions, substitutions\n"
        "and jumps (cost alpha, at blanks), v = hypothesis characters never visited plus visits beyond the first,\n"
        "|r| = reference characters. The corpus score is the mean of segment scores."
    )
    paper: ClassVar[str] = "Stanchev, Wang and Ney 2019, https://aclanthology.org/W19-5359"
    quirks: ClassVar[str] = (
        "Text gets a blank on either side, and with lang=en a blank before . ! ? and , (whatever follows Mr, Dr and\n"
        "the like is taken for their full stop, as in the authors' script). like=original counts as their C++ does:\n"
        "in single precision, with the cheapest position of a row found by comparing whole numbers. With several\n"
        "references a segment takes the lowest."
    )
    higher_is_better: ClassVar[bool] = False
    perfect: ClassVar[float | None] = 0.0
    undefined: ClassVar[str] = NO_SEGMENTS

    alpha: float = option(2.0, "cost of a jump", between=_COST, key="alpha")
    rho: float = option(
        0.3, "cost of a hypothesis character visited again or never", between=_COST, key="rho"
    )
    deletion: float = option(
        0.2, "cost of a hypothesis character without counterpart", between=_COST, key="deletion"
    )
    insertion: float = option(
        1.0, "cost of a reference character without counterpart", between=_COST, key="insertion"
    )
    lang: str = option("en", "how text is preprocessed: en, ja or none", choices=tuple(PREPROCESSING))
    lowercase: bool = option(False, LOWERCASE_HELP, aliases=("lc",))
    diacritics: bool = option(True, DIACRITICS_HELP)
    like: str = option(
        "paper",
        "original: count as the authors' C++ program does",
        choices=("paper", "original"),
        key="like?",
    )

    def _texts(self, lines: Lines) -> Lines:
        prepare = PREPROCESSING[self.lang]
        if prepare is not english:
            return Lines([None if text is None else prepare(text) for text in normalized(lines, self)])
        if not self.lowercase:
            return Lines([text and _joined(_remembered(text)) for text in normalized(lines, self)])
        both = zip(
            lines, normalized(lines, self), strict=True
        )  # blanks and case can change places in plain letters
        return Lines(
            [
                _joined(_remembered(text).lower()) if text and text.isascii() else low and english(low)
                for text, low in both
            ]
        )

    def _prepare(self, references: References, threads: int) -> list[Lines]:
        return [self._texts(stream) for stream in references.streams]

    def _rows(
        self, hypotheses: Lines, prepared: list[Lines], sources: Lines | None, threads: int
    ) -> DenseStatistics:
        costs = self.alpha, self.rho, self.deletion, self.insertion
        rows = _native.eed_rows(self._texts(hypotheses), prepared, *costs, self.like, threads)
        return DenseStatistics(MEAN_COLUMNS, rows)

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        return _native.mean_scores(statistics.data, 0)

    def word_items(self) -> dict[str, str]:
        return case_items(self) | {"lang": self.lang}

    @classmethod
    def words_from(cls, items: dict[str, str]) -> dict[str, Any]:
        return case_from(items) | {"lang": items.get("lang", "en")}
