"""Translations that people marked: whether something is wrong with each, or which of several things.

Tables with a header, comma- or tab-separated: a column with the source (`src`, `source`, `original`), one with the
translation (`mt`, `translation`, `target`), perhaps a reference (`ref`, `reference`), and marks: every other column
that holds nothing but 0 and 1, or ERR and NOT. MLQE-PE's critical errors are read as they are, without a header:
number, source, translation, votes, ERR or NOT.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tertium.errors import InputError, many
from tertium.io.records import HeadedTable, Row, bare_rows, comma_rows, tab_rows, text_lines
from tertium.io.streams import FilePath, display_name
from tertium.io.translations import SOURCE, TRANSLATION

REFERENCE = ("ref", "reference")
MARKED = {"0": False, "1": True, "NOT": False, "ERR": True}
_SELDOM = 100  # of so many rows one may be damaged
_FEW = 10  # in fewer rows, a column with anything but marks has no marks
CRITICAL = ("number", "source", "translation", "votes", "critical")


@dataclass(frozen=True)
class MarkedTranslations:
    """Sources and translations, what was marked by kind, and the lines of damaged rows, which are left out."""

    name: str
    sources: Sequence[str]
    translations: Sequence[str]
    references: Sequence[str] | None
    marks: Mapping[str, Sequence[bool]]
    left_out: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self.sources)


def damaged_rows(left_out: Sequence[int]) -> Iterator[str]:
    """A sentence that names the lines of the rows left out, if there are any.

    >>> [*damaged_rows([3])]
    ["1 damaged row is left out (line 3): a text or a mark is missing, or one stands in the other's place."]
    """
    if left_out:
        lines = ", ".join(map(str, left_out[:5])) + (", ..." if len(left_out) > 5 else "")
        verb, what = ("is", "line") if len(left_out) == 1 else ("are", "lines")
        yield (
            f"{many(len(left_out), 'damaged row')} {verb} left out ({what} {lines}): a text or a mark is missing, or "
            "one stands in the other's place."
        )


def read_marked(path: FilePath) -> MarkedTranslations:
    """A table of marked translations. Damaged rows are left out: those with a mark in the place of a text, and, where
    they are one in a hundred or fewer (or a single one), those with too few or too many fields, or with something else
    in a column of marks.

    >>> found = read_marked(written("marked.csv", "src,mt,ref,omission\\nEin Haus,A,A house,1\\n0,0,A tree,0\\n"))
    >>> found.translations, found.marks, found.left_out
    (['A'], {'omission': [True]}, (3,))
    """
    name = display_name(path)
    first = next((line for _, line in text_lines(path)), "")
    tabs = "\t" in first
    if tabs and first.rsplit("\t", 1)[-1].strip() in MARKED:
        return _made(name, bare_rows(path, *CRITICAL), CRITICAL, CRITICAL[1], CRITICAL[2], "")
    ragged: list[tuple[int, int]] = []
    table = HeadedTable(path, [], _even(tab_rows(path) if tabs else comma_rows(path), ragged))

    def column(names: Sequence[str], what: str) -> str:
        found = next((own for own in names if own in table.columns), "")
        if what and not found:
            raise InputError(f"{table.name}: has no column with the {what} (one of {', '.join(names)})")
        return found

    texts = column(SOURCE, "source"), column(TRANSLATION, "translation"), column(REFERENCE, "")
    return _made(name, iter(table), table.columns, *texts, ragged)


def _even(
    rows: Iterator[tuple[int, list[str]]], ragged: list[tuple[int, int]]
) -> Iterator[tuple[int, list[str]]]:
    """The rows with as many fields as the first; of the others the number and how many fields they have."""
    width = None
    for number, fields in rows:
        width = len(fields) if width is None else width
        if len(fields) == width:
            yield number, fields
        else:
            ragged.append((number, len(fields)))


def _made(
    name: str,
    rows: Iterator[Row],
    columns: Sequence[str],
    source: str,
    translation: str,
    reference: str,
    ragged: Sequence[tuple[int, int]] = (),
) -> MarkedTranslations:
    every = list(rows)
    if ragged and len(ragged) > (max(1, len(every) // _SELDOM) if every else 0):
        (line, fields), n = ragged[0], len(columns)
        raise InputError(f"{name}: line {line} has {fields} fields, but the header names {n} columns")
    if not every:
        raise InputError(f"{name}: has no translations")
    kept = [row for row in every if row.get(source) and row.get(translation)]
    kept = [row for row in kept if row.get(source) not in MARKED and row.get(translation) not in MARKED]
    others = [own for own in columns if own not in ("", source, translation, reference)]
    most = max(1, len(kept) // _SELDOM) if len(kept) >= _FEW else 0
    unmarked = {own: [row.number for row in kept if row.get(own) not in MARKED] for own in others}
    kinds = [own for own in others if kept and len(unmarked[own]) <= most]
    if not kinds:
        raise InputError(f"{name}: has no column of marks (0 and 1, or ERR and NOT)")
    without = {number for own in kinds for number in unmarked[own]}
    kept = [row for row in kept if row.number not in without]
    left_out = {row.number for row in every} - {row.number for row in kept} | {line for line, _ in ragged}
    return MarkedTranslations(
        name,
        [row.get(source) for row in kept],
        [row.get(translation) for row in kept],
        [row.get(reference) for row in kept] if reference else None,
        {own: [MARKED[row.get(own)] for row in kept] for own in kinds},
        tuple(sorted(left_out)),
    )
