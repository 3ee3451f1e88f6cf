"""Translations that people marked: whether something is wrong with each, or which of several things.

Tables with a header, comma- or tab-separated: a column with the source (`src`, `source`, `original`), one with the
translation (`mt`, `translation`, `target`), perhaps a reference (`ref`, `reference`), and marks: every other column
that holds nothing but 0 and 1, or ERR and NOT. MLQE-PE's critical errors are read as they are, without a header:
number, source, translation, votes, ERR or NOT.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tertium.errors import InputError
from tertium.io.records import HeadedTable, Row, bare_rows, comma_rows, tab_rows, text_lines
from tertium.io.streams import FilePath, display_name
from tertium.io.translations import SOURCE, TRANSLATION

REFERENCE = ("ref", "reference")
MARKED = {"0": False, "1": True, "NOT": False, "ERR": True}
CRITICAL = ("number", "source", "translation", "votes", "critical")


@dataclass(frozen=True)
class MarkedTranslations:
    """Sources and translations, what was marked by kind, and the lines of rows without texts, which are left out."""

    name: str
    sources: Sequence[str]
    translations: Sequence[str]
    references: Sequence[str] | None
    marks: Mapping[str, Sequence[bool]]
    left_out: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self.sources)


def read_marked(path: FilePath) -> MarkedTranslations:
    """A table of marked translations. A row that has a mark in the place of a text is damaged, and left out.

    >>> found = read_marked(written("marked.csv", "src,mt,ref,omission\\nEin Haus,A,A house,1\\n0,0,A tree,0\\n"))
    >>> found.translations, found.marks, found.left_out
    (['A'], {'omission': [True]}, (3,))
    """
    name = display_name(path)
    first = next((line for _, line in text_lines(path)), "")
    tabs = "\t" in first
    if tabs and first.rsplit("\t", 1)[-1].strip() in MARKED:
        return _made(name, bare_rows(path, *CRITICAL), CRITICAL, CRITICAL[1], CRITICAL[2], "")
    table = HeadedTable(path, [], tab_rows(path) if tabs else comma_rows(path))

    def column(names: Sequence[str], what: str) -> str:
        found = next((own for own in names if own in table.columns), "")
        if what and not found:
            raise InputError(f"{table.name}: has no column with the {what} (one of {', '.join(names)})")
        return found

    texts = column(SOURCE, "source"), column(TRANSLATION, "translation"), column(REFERENCE, "")
    return _made(name, iter(table), table.columns, *texts)


def _made(
    name: str, rows: Iterator[Row], columns: Sequence[str], source: str, translation: str, reference: str
) -> MarkedTranslations:
    every = list(rows)
    if not every:
        raise InputError(f"{name}: has no translations")
    kept = [row for row in every if row.get(source) and row.get(translation)]
    kept = [row for row in kept if row.get(source) not in MARKED and row.get(translation) not in MARKED]
    others = [own for own in columns if own not in ("", source, translation, reference)]
    kinds = [own for own in others if kept and all(row.get(own) in MARKED for row in kept)]
    if not kinds:
        raise InputError(f"{name}: has no column of marks (0 and 1, or ERR and NOT)")
    left_out = {row.number for row in every} - {row.number for row in kept}
    return MarkedTranslations(
        name,
        [row.get(source) for row in kept],
        [row.get(translation) for row in kept],
        [row.get(reference) for row in kept] if reference else None,
        {own: [MARKED[row.get(own)] for row in kept] for own in kinds},
        tuple(sorted(left_out)),
    )
