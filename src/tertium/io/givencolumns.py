"""Scores that other programs gave: a table with a line for each hypothesis (and its reference), found by the texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from tertium.errors import InputError, did_you_mean
from tertium.io.records import HeadedTable
from tertium.io.streams import FilePath, check_readable, display_name

_TEXTS = ("hypothesis", "reference")


def _bare(text: str | None) -> str:
    return " ".join((text or "").split())


@dataclass(frozen=True)
class GivenColumns:
    """Numbers by the texts that they belong to, white space aside."""

    name: str
    columns: tuple[str, ...]
    values: Mapping[tuple[str, ...], tuple[float, ...]]
    texts: int  # 1: hypotheses alone, 2: with references

    def of(
        self, hypotheses: Iterable[str | None], references: Iterable[str | None], columns: Sequence[str]
    ) -> list[list[float]]:
        """The wanted numbers of each segment; one that the table lacks is refused."""
        places = [self._place(column) for column in columns]
        found = []
        for i, texts in enumerate(zip(hypotheses, references, strict=True), 1):
            values = self.values.get(tuple(map(_bare, texts[: self.texts])))
            if values is None:
                raise InputError(f"{self.name}: has no line for segment {i}, {_bare(texts[0])[:60]!r}")
            found.append([values[place] for place in places])
        return found

    def _place(self, column: str) -> int:
        if column not in self.columns:
            raise InputError(f"{self.name}: has no column {column!r}{did_you_mean(column, self.columns)}")
        return self.columns.index(column)


def given_columns(path: FilePath) -> GivenColumns:
    """A tab-separated table: a header with `hypothesis`, if need be `reference`, and names of scores; then numbers.

    >>> table = given_columns(written("g.tsv", "hypothesis\\tDPMF\\tENTF\\na  cat\\t0.5\\t-2\\n"))
    >>> table.columns, table.of(["a cat "], ["the cat"], ["entf"])
    (('dpmf', 'entf'), [[-2.0]])
    """
    check_readable(path, display_name(path))
    found = Path(path).stat()
    return _read(str(path), found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=4)
def _read(path: str, changed: int, size: int) -> GivenColumns:
    table = HeadedTable(path, _TEXTS[:1])
    columns = tuple(column for column in table.columns if column not in _TEXTS)
    if not columns:
        raise InputError(f"{table.name}: line 1: there is no column of scores beside the texts")
    texts = [column for column in _TEXTS if column in table.columns]
    values: dict[tuple[str, ...], tuple[float, ...]] = {}
    for row in table:
        own = tuple(row.real(column, column) for column in columns)
        if values.setdefault(tuple(_bare(row.get(column)) for column in texts), own) != own:
            raise InputError(f"{row.where}: the same texts have other scores above")
    return GivenColumns(table.name, columns, values, len(texts))
