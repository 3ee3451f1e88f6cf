"""How hard texts are to read: levels of texts and of their sentences, and what is said of a scale that was learnt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from tertium.errors import InputError
from tertium.io.pages import paragraphs
from tertium.io.streams import display_name
from tertium.io.tables import Column, Table, number_column
from tertium.readability.frequencies import Frequencies
from tertium.readability.scale import Scale, cefr, percent
from tertium.results import Result
from tertium.text.splitting import sentences

_FEW_WORDS = 3  # a sentence of fewer says nothing: a heading, a cell of a table, a piece of code
_HARDEST = 5


@dataclass(frozen=True)
class TextLevel:
    """A text on the scale; None where no number would mean anything, and then why."""

    name: str
    sentences: int
    words: int
    level: float | None
    low: float | None
    high: float | None
    withheld: str
    hardest: Sequence[tuple[str, float]]  # sentences and their levels


@dataclass(frozen=True)
class ReadabilityLevels(Result):
    """Texts of one language on the scale."""

    kind: ClassVar[str] = "readability"
    lang: str
    texts: Sequence[TextLevel]

    def table(self) -> Table:
        columns = (
            *(
                Column("text"),
                number_column("sentences", digits=0),
                number_column("words", digits=0),
                Column("CEFR"),
            ),
            *(number_column(name) for name in ("level", "low", "high")),
            number_column("0-100", digits=0),
            Column("withheld"),
        )
        rows = tuple(
            (
                *(one.name, one.sentences, one.words, "" if one.level is None else cefr(one.level)),
                *(
                    one.level,
                    one.low,
                    one.high,
                    None if one.level is None else percent(one.level),
                    one.withheld,
                ),
            )
            for one in self.texts
        )
        return Table("", columns, rows)

    def words(self) -> Iterator[str]:
        for one in self.texts[:_HARDEST]:
            if one.level is not None and one.hardest:
                text, level = one.hardest[0]
                yield f"{one.name}: the hardest sentence ({cefr(level)}) is: {text[:160]}"


@dataclass(frozen=True)
class LearntScale(Result):
    """What was learnt, and how well it does where it was not."""

    kind: ClassVar[str] = "readability scale"
    file: str
    size: int
    scale: Scale

    def contents(self) -> dict[str, Any]:
        learnt = self.scale.learnt
        return {
            "file": self.file,
            "bytes": self.size,
            "sentences": dict(learnt.sentences) if learnt else {},
            "correlation": dict(learnt.correlation) if learnt else {},
            "within": self.scale.within,
            "between": self.scale.between,
        }

    def table(self) -> Table:
        told = self.contents()
        every = sum(told["sentences"].values())
        rows = [(lang, told["sentences"].get(lang, every), r) for lang, r in told["correlation"].items()]
        columns = (Column("language"), number_column("sentences", digits=0), number_column("r", digits=3))
        return Table("", columns, tuple(rows), ("r is cross-validated.",))


def read_levels(
    paths: Sequence[str], lang: str, scale: Scale, own: Frequencies | None = None, encoding: str | None = None
) -> ReadabilityLevels:
    """Files, plain text or HTML, on the scale: the level of a text is the mean of its sentences', by their words."""
    return ReadabilityLevels(
        lang,
        [
            text_level(display_name(path), paragraphs(path, encoding=encoding), lang, scale, own)
            for path in paths
        ],
    )


def text_level(
    name: str, parts: Sequence[str], lang: str, scale: Scale, own: Frequencies | None = None
) -> TextLevel:
    """Paragraphs on the scale."""
    table = scale.table(lang, own)
    found = sentences(parts, lang)[0]
    if not found:
        raise InputError(f"{name}: there is no text")
    numbers, ends = table.numbered(found)
    is_word = table.rows[:, 0] > 0
    words = np.array([int(is_word[numbers[a:b]].sum()) for a, b in pairwise(ends)])
    whole = [text for text, n in zip(found, words, strict=True) if n >= _FEW_WORDS]
    kept = words[words >= _FEW_WORDS]
    why = _withheld(whole, kept, words)
    if why:
        return TextLevel(name, len(found), int(words.sum()), None, None, None, why, [])
    levels = scale.levels(whole, lang, own)
    level = float(np.average(levels, weights=kept))
    low, high = scale.interval(level, len(whole))
    order = np.argsort(-levels, kind="stable")[:_HARDEST]
    hardest = [(whole[i], float(levels[i])) for i in order]
    return TextLevel(name, len(found), int(words.sum()), level, low, high, "", hardest)


def _withheld(whole: Sequence[str], kept: Any, words: Any) -> str:
    """Why there is no number, if there is none."""
    if not len(whole):
        return "no sentence of three words or more"
    if kept.sum() < words.sum() / 2:
        return "mostly single words: a list, a table or code"
    letters = "".join(char for text in whole for char in text if char.isalpha())
    if letters and sum(map(str.isupper, letters)) > len(letters) / 2:
        return "written in capitals"
    return ""
