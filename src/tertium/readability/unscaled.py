"""Texts in a language without a scale: the formulas that hold for it, and no level."""

from __future__ import annotations

import re
from collections import Counter as Counted
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
from tertium.readability.scale import base_language
from tertium.readability.sentences import why_left_out, why_withheld
from tertium.results import Result
from tertium.text.splitting import sentences

_CODE = re.compile(r"[a-z]{2,3}(?:[-_]\w+)*", re.IGNORECASE)
_LISTED = "dale-chall"  # needs easy words
_NAMED = 4  # reasons why sentences are left out


@dataclass(frozen=True)
class CountedSentence:
    """A sentence, where it stands (paragraphs from 0), and what is counted in it; or why it is left out."""

    text: str
    paragraph: int
    words: int
    long: int  # words of more than six letters
    left_out: str = ""


@dataclass(frozen=True)
class FormulaValues:
    """What formulas say of a text's sentences; None where no number would mean anything, and then why."""

    name: str
    sentences: int
    words: int
    values: Mapping[str, float | None]
    withheld: str = ""
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
        counts = Counted(one.left_out for text in self.texts for one in text.read if one.left_out)
        if counts:
            told = "; ".join(f"{why} ({number:,})" for why, number in counts.most_common(_NAMED))
            yield f"Sentences that count nothing: {told}."

    def table(self) -> Table:
        names = list(self.texts[0].values)
        silent = any(one.withheld for one in self.texts)
        columns = (
            *(Column("text"), number_column("sentences", digits=0), number_column("words", digits=0)),
            *(number_column(name) for name in names),
            *([Column("withheld")] if silent else []),
        )
        rows = tuple(
            (
                *(one.name, one.sentences, one.words, *(one.values[name] for name in names)),
                *([one.withheld] if silent else []),
            )
            for one in self.texts
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
    base = base_language(lang)
    cut, begins = sentences(parts, base, extra="readability")
    if not cut:
        raise InputError(f"{name}: there is no text")
    names = formulas_for(base)
    easy = easy_words(base) if _LISTED in names else None
    rows = Counter(base, easy).of(cut)
    places = (np.cumsum(begins) - 1).tolist()
    read = [
        CountedSentence(text, place, row.words, row.long, why_left_out(text, row.words))
        for text, place, row in zip(cut, places, rows, strict=True)
    ]
    why = why_withheld([(one.left_out, one.words) for one in read])
    kept = [row for row, one in zip(rows, read, strict=True) if not one.left_out]
    sums = TextCounts(*(sum(column) for column in zip(*kept, strict=True))) if kept else None
    values = {own: FORMULAS[own](sums) if sums and not why else None for own in names}
    return FormulaValues(name, len(cut), sum(row.words for row in rows), values, why, read)
