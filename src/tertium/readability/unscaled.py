"""Texts in a language without a scale: the formulas that hold for it, and no level."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from tertium.errors import InputError, SpecError
from tertium.io.pages import is_page, paragraphs, read_page
from tertium.io.streams import display_name
from tertium.io.tables import Column, Table, number_column
from tertium.readability.counting import Counter, easy_words
from tertium.readability.formulas import FORMULAS, TextCounts
from tertium.readability.presentation import PagePresentation, presentation_of, presentation_table
from tertium.results import Result
from tertium.text.splitting import sentences

_CODE = re.compile(r"[a-z]{2,3}(?:[-_]\w+)*", re.IGNORECASE)
_LISTED = "dale-chall"  # needs easy words
_FEWEST = 3  # words


@dataclass(frozen=True)
class CountedSentence:
    """A sentence, where it stands (paragraphs from 0), and what is counted in it."""

    text: str
    paragraph: int
    words: int
    long: int  # words of more than six letters


@dataclass(frozen=True)
class FormulaValues:
    """What formulas say of a text; None where there are too few words to say anything."""

    name: str
    sentences: int
    words: int
    values: Mapping[str, float | None]
    read: Sequence[CountedSentence] = ()
    presentation: PagePresentation | None = None  # of HTML


@dataclass(frozen=True)
class ReadabilityFormulas(Result):
    """Texts by formulas: those made for the language, and those made for none in particular."""

    kind: ClassVar[str] = "readability formulas"
    lang: str
    known: Sequence[str]  # languages that have a scale
    texts: Sequence[FormulaValues]

    def words(self) -> Iterator[str]:
        yield (
            f"There is no scale for the language {self.lang!r} (known: {', '.join(self.known)}), so there is no level: "
            "train one on texts with marks (tertium readability train)."
        )
        names = ", ".join(FORMULAS[name].title for name in self.texts[0].values)
        yield f"Formulas that hold for it: {names}. Their numbers cannot be compared with other languages'."

    def table(self) -> Table:
        names = list(self.texts[0].values)
        columns = (
            *(Column("text"), number_column("sentences", digits=0), number_column("words", digits=0)),
            *(number_column(name) for name in names),
        )
        rows = tuple(
            (one.name, one.sentences, one.words, *(one.values[name] for name in names)) for one in self.texts
        )
        return Table("", columns, rows)

    def tables(self) -> Iterator[Table]:
        yield self.table()
        shown = presentation_table([(one.name, one.presentation) for one in self.texts])
        if shown.rows:
            yield shown


def formulas_for(lang: str) -> list[str]:
    """Names of the formulas that were made for a language, or for none in particular.

    >>> formulas_for("de")
    ['lix', 'rix', 'amstad']
    """
    return [name for name in FORMULAS if FORMULAS[name].lang in ("", lang)]


def read_formulas(
    paths: Sequence[str], lang: str, known: Sequence[str], encoding: str | None = None
) -> ReadabilityFormulas:
    """Files, plain text or HTML, by the formulas that hold for their language."""
    if not _CODE.fullmatch(lang):
        raise SpecError(f"no language {lang!r}: two or three letters, such as en, fr or de")
    return ReadabilityFormulas(lang, list(known), [_read(path, lang, encoding) for path in paths])


def _read(path: str, lang: str, encoding: str | None) -> FormulaValues:
    if not is_page(path):
        return formula_values(display_name(path), paragraphs(path, encoding=encoding), lang)
    page = read_page(path, encoding=encoding)
    found = formula_values(display_name(path), [block.text for block in page.blocks], lang)
    return replace(found, presentation=presentation_of(page))


def formula_values(name: str, parts: Sequence[str], lang: str) -> FormulaValues:
    """What formulas say of paragraphs."""
    base = lang.replace("_", "-").split("-")[0].lower()
    cut, begins = sentences(parts, base)
    if not cut:
        raise InputError(f"{name}: there is no text")
    names = formulas_for(base)
    easy = easy_words(base) if _LISTED in names else None
    rows = Counter(base, easy).of(cut)
    sums = TextCounts(*(sum(column) for column in zip(*rows, strict=True)))
    enough = sums.words >= _FEWEST
    values = {own: FORMULAS[own](sums) if enough else None for own in names}
    places = (np.cumsum(begins) - 1).tolist()
    read = [
        CountedSentence(text, place, row.words, row.long)
        for text, place, row in zip(cut, places, rows, strict=True)
    ]
    return FormulaValues(name, sums.sentences, sums.words, values, read)
