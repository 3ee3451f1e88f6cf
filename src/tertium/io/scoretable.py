"""Tables of scores as people keep them: a row for each system, columns for metrics and people, a header on top.

Tab-separated, or CSV by its name. Numbers are read when a column is asked for: other columns may hold names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tertium.errors import InputError, did_you_mean
from tertium.io.records import comma_rows, real_number, tab_rows
from tertium.io.streams import FilePath, display_name

_NOTHING = ("", "na", "nan", "none")


@dataclass(frozen=True)
class ScoreTable:
    """Rows with the numbers of their lines.

    >>> table = ScoreTable("a.tsv", ("pair", "BLEU"), ((2, ("de-en", "30.1")), (3, ("cs-en", ""))))
    >>> table.texts("pair"), table.numbers("BLEU")
    (['de-en', 'cs-en'], [30.1, None])
    """

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]

    def __len__(self) -> int:
        return len(self.rows)

    def place(self, column: str) -> int:
        """The number of a column, from 0."""
        if column not in self.columns:
            raise InputError(
                f"{self.name}: there is no column {column!r}{did_you_mean(column, self.columns)}"
            )
        return self.columns.index(column)

    def texts(self, column: str) -> list[str]:
        """A column as it is written."""
        at = self.place(column)
        return [fields[at] for _, fields in self.rows]

    def numbers(self, column: str) -> list[float | None]:
        """A column of finite numbers; None where a field is empty. Anything else is refused with its line."""
        at = self.place(column)
        return [
            None
            if fields[at].lower() in _NOTHING
            else real_number(fields[at], column, f"{self.name}: line {line}")
            for line, fields in self.rows
        ]

    def selected(self, wanted: Mapping[str, str]) -> ScoreTable:
        """Only the rows that say this in these columns."""
        places = {self.place(column): value for column, value in wanted.items()}
        kept = tuple(row for row in self.rows if all(row[1][at] == value for at, value in places.items()))
        if not kept:
            asked = " and ".join(f"{column} = {value}" for column, value in wanted.items())
            raise InputError(f"{self.name}: there is no row with {asked}")
        return replace(self, rows=kept)

    def check_once(self, columns: Sequence[str]) -> None:
        """Refuse two rows that say the same in all of these columns."""
        places = [self.place(column) for column in columns]
        seen: dict[tuple[str, ...], int] = {}
        for line, fields in self.rows:
            key = tuple(fields[at] for at in places)
            if key in seen:
                raise InputError(
                    f"{self.name}: line {line}: {' '.join(key)} appears twice, first on line {seen[key]}"
                )
            seen[key] = line


def read_score_table(path: FilePath) -> ScoreTable:
    """Read a table of scores. A tab at the end of a row starts no field unless the header has one there, too.

    >>> read_score_table(written("scores.tsv", "pair\\tHuman\\tBLEU\\nde-en\\t0.5\\t30.1\\t")).numbers("BLEU")
    [30.1]
    """
    name = display_name(path)
    rows = comma_rows(path) if ".csv" in name else tab_rows(path)
    first = next(rows, None)
    if first is None:
        raise InputError(f"{name}: is empty: a table of scores begins with the names of its columns")
    columns = tuple(column.strip() for column in first[1])
    for i, column in enumerate(columns):
        if not column:
            raise InputError(f"{name}: line {first[0]}: column {i + 1} has no name")
        if column in columns[:i]:
            raise InputError(f"{name}: line {first[0]} names the column {column!r} twice")
    found = []
    for line, given in rows:
        fields = given[:-1] if len(given) == len(columns) + 1 and not given[-1].strip() else given
        if len(fields) != len(columns):
            raise InputError(
                f"{name}: line {line} has {len(fields)} fields, but there are {len(columns)} columns"
            )
        found.append((line, tuple(field.strip() for field in fields)))
    if not found:
        raise InputError(f"{name}: there are no rows below the header")
    return ScoreTable(name, columns, tuple(found))
