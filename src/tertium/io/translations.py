"""Translations with what people made of them: tables for quality estimation, and token scores beside them.

A table is tab-separated, with a header (MLQE-PE's files are read as they are): a column with the source (`original`,
`source`, `src`), one with the translation (`translation`, `mt`, `target`), and at least one of a score (`z_mean`,
`score`, `mean`, `da`), `hter`, or a post-edit (`pe`, `post_edit`); the names of documents, if
there are any (`document`, `doc`, `doc_id`, `docid`). `mean` and `da` are marks from 0 to 100, whatever column is the
score. Token scores are a line of numbers for each translation; the
pieces that they belong to are a line of text.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tertium.errors import InputError
from tertium.io.records import HeadedTable, Row, numbered_lines, tab_rows
from tertium.io.streams import FilePath, display_name
from tertium.io.wordtags import TagLines

SOURCE = ("original", "source", "src")
TRANSLATION = ("translation", "mt", "target")
SCORES = ("z_mean", "score", "mean", "da")  # the first that is there counts
MARKS = ("mean", "da")  # from 0 to 100
HTER = ("hter",)
POST_EDIT = ("pe", "post_edit")
DOCUMENT = ("document", "doc", "doc_id", "docid")


@dataclass(frozen=True)
class Translations:
    """Sources and translations, line by line, and what is known of each."""

    name: str
    sources: Sequence[str]
    translations: Sequence[str]
    scores: Sequence[float] | None = None
    scored_by: str = ""  # the column
    hter: Sequence[float] | None = None
    post_edits: Sequence[str] | None = None
    pieces: Sequence[Sequence[str]] | None = field(default=None, repr=False)
    token_scores: Sequence[Sequence[float]] | None = field(default=None, repr=False)
    documents: Sequence[str] | None = None  # the document of each, in the order of its segments
    tags: TagLines | None = field(default=None, repr=False)  # of the translations' words, if they were given
    source_tags: TagLines | None = field(default=None, repr=False)
    links: Sequence[Sequence[tuple[int, int]]] | None = field(
        default=None, repr=False
    )  # source and target words
    marks: Sequence[float] | None = None  # people's, from 0 to 100
    matches: Sequence[tuple[int, str] | None] | None = (
        None  # a memory's best: percent of likeness, its target
    )

    def __len__(self) -> int:
        return len(self.sources)


def read_translations(path: FilePath) -> Translations:
    """A table of translations.

    >>> found = read_translations(written("da.tsv", "original\\ttranslation\\tz_mean\\nEin Haus\\tA house\\t0.5\\n"))
    >>> found.translations, found.scores
    (['A house'], [0.5])
    """
    table = HeadedTable(path, [])
    columns = _columns(table)
    rows = list(table)
    if not rows:
        raise InputError(f"{table.name}: has no translations")
    return _translations(table.name, columns, rows)


def each_translation(path: FilePath) -> Iterator[Translations]:
    """The rows of such a table one by one, each as soon as its line has come."""
    # Byte by byte, and without a look at what the file may be: both would wait for more than a line.
    table = HeadedTable(path, [], tab_rows(path, block_size=1, markup=True))
    columns = _columns(table)
    for row in table:
        yield _translations(row.where, columns, [row])


class _Columns(NamedTuple):
    """Names of the columns of a table that count; empty: there is none."""

    source: str
    translation: str
    score: str
    hter: str
    edited: str
    document: str
    mark: str


def _columns(table: HeadedTable) -> _Columns:
    known = {name.lower(): name for name in table.columns}

    def column(names: Sequence[str], what: str = "") -> str:
        found = next((known[name] for name in names if name in known), "")
        if what and not found:
            raise InputError(f"{table.name}: has no column with the {what} (one of {', '.join(names)})")
        return found

    texts = column(SOURCE, "source"), column(TRANSLATION, "translation")
    return _Columns(*texts, *map(column, (SCORES, HTER, POST_EDIT, DOCUMENT, MARKS)))


def _translations(name: str, own: _Columns, rows: Sequence[Row]) -> Translations:
    return Translations(
        name,
        [row.get(own.source) for row in rows],
        [row.get(own.translation) for row in rows],
        [row.real(own.score) for row in rows] if own.score else None,
        own.score,
        _rates(rows, own.hter) if own.hter else None,
        [row.get(own.edited) for row in rows] if own.edited else None,
        documents=[row.get(own.document) for row in rows] if own.document else None,
        marks=_marks(rows, own.mark, given=own.mark != own.score) if own.mark else None,
    )


def _marks(rows: Sequence[Row], column: str, *, given: bool) -> list[float] | None:
    """Marks from 0 to 100; None where the scores are on another scale."""
    values = [row.real(column) for row in rows]
    outside = next((row for row, value in zip(rows, values, strict=True) if not 0 <= value <= 100), None)
    if outside is not None and given:
        raise InputError(f"{outside.where}: {column} is a mark from 0 to 100, not {outside.get(column)}")
    return values if outside is None and max(values) > 1 else None


def _rates(rows: Sequence[Row], column: str) -> list[float]:
    """Shares of words that were edited: above 1 where more was edited than there is."""
    values = [row.real(column) for row in rows]
    for row, value in zip(rows, values, strict=True):
        if value < 0:
            raise InputError(f"{row.where}: a share of words that were edited is not below 0 ({value:g})")
    if len(values) > 1 and sorted(values)[len(values) // 2] > 1:
        raise InputError(
            f"{rows[0].where.rpartition(': ')[0]}: {column} is a share (0.2), not a percentage (20)"
        )
    return values


def read_token_scores(scores: FilePath, pieces: FilePath) -> tuple[list[list[str]], list[list[float]]]:
    """Pieces of translations, and the log-probability of each, with or without one for the end."""
    texts = [line.split() for _, line in numbered_lines(pieces)]
    values: list[list[float]] = []
    for where, line in numbered_lines(scores):
        try:
            own = [float(value) for value in line.split()]
        except ValueError:
            raise InputError(f"{where}: log-probabilities are numbers, separated by spaces") from None
        if not all(value <= 1e-6 and math.isfinite(value) for value in own):
            raise InputError(f"{where}: a log-probability is a number below 0")
        number = len(texts[len(values)]) if len(values) < len(texts) else -1
        if number >= 0 and len(own) not in (number, number + 1):
            raise InputError(f"{where}: {number} tokens have {len(own)} log-probabilities")
        values.append(own)
    if len(texts) != len(values):
        raise InputError(
            f"{display_name(scores)} has {len(values)} lines, but {display_name(pieces)} has {len(texts)}"
        )
    return texts, values
