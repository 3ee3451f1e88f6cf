"""Sentences that people gave marks for how hard they are to read: tab-separated tables with a header.

A column has the text (`Sentence` or `text`), one the mark (`Rating`, `mark` or `level`): a number from 1 to 6, or A1 to
C2. The paragraph or document that a sentence is from (`document`, `Paragraph`) and its kind (`domain`, `Sub-domain`)
may stand in others. ReadMe++'s files are read as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tertium.errors import InputError
from tertium.io.records import HeadedTable
from tertium.io.streams import FilePath

LEVELS = ("A1", "A2", "B1", "B2", "C1", "C2")
_TEXT = ("sentence", "text")
_MARK = ("rating", "mark", "level")
_GROUP = ("document", "paragraph")
_KIND = ("sub-domain", "domain")


@dataclass(frozen=True)
class MarkedTexts:
    """Texts of one language with their marks, what each belongs to, and of which kind it is."""

    lang: str
    texts: Sequence[str]
    marks: Sequence[float]
    groups: Sequence[str]
    kinds: Sequence[str]

    def __len__(self) -> int:
        return len(self.texts)


def read_marked(path: FilePath, lang: str) -> MarkedTexts:
    """A table of texts with marks.

    >>> found = read_marked(written("marks.tsv", "text\\tlevel\\nThe cat sat.\\tA1\\nIt slept.\\t2\\n"), "en")
    >>> found.marks
    [1.0, 2.0]
    """
    table = HeadedTable(path, [])
    known = {name.lower(): name for name in table.columns}

    def column(names: Sequence[str]) -> str:
        return next((known[name] for name in names if name in known), "")

    text, mark = column(_TEXT), column(_MARK)
    for found, names in ((text, _TEXT), (mark, _MARK)):
        if not found:
            raise InputError(f"{table.name}: has no column {' or '.join(names)}")
    group, kind = column(_GROUP), column(_KIND)
    texts, marks, groups, kinds = [], [], [], []
    for row in table:
        value = row.get(mark).upper()
        if value in LEVELS:
            number = 1.0 + LEVELS.index(value)
        else:
            number = row.real(mark)
        if not 1 <= number <= len(LEVELS):
            raise InputError(f"{row.where}: a mark is 1 to 6, or A1 to C2, not {value}")
        if not row.get(text):
            raise InputError(f"{row.where}: there is no text")
        texts.append(row.get(text))
        marks.append(number)
        groups.append((row.get(group) if group else "") or row.get(text))
        kinds.append(row.get(kind) if kind else "")
    if not texts:
        raise InputError(f"{table.name}: holds no texts")
    return MarkedTexts(lang, texts, marks, groups, kinds)
