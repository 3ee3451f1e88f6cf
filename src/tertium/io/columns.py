"""Columns of tab-separated files: hypothesis and references side by side, several references in one file.

Read with `LineReader(..., strip=False)`, so that empty fields at the end of a line are still there; the
fields themselves come without trailing white space. sacrebleu strips lines before it splits references and
systems, and so do we there.
"""

from __future__ import annotations

from collections.abc import Sequence

from tertium._native import Lines, split_columns
from tertium.errors import InputError, SpecError, many
from tertium.io.files import LineReader


def parse_columns(text: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The columns that `--tsv` names, from 1 on: the hypothesis, or several joined by `+`, then the references.

    >>> parse_columns("3,1,2"), parse_columns("1+2,3")
    (((3,), (1, 2)), ((1, 2), (3,)))
    """
    first, *rest = text.split(",")
    try:
        hypotheses = tuple(int(part) for part in first.split("+"))
        references = tuple(int(part) for part in rest)
    except ValueError:
        hypotheses = references = ()
    columns = (*hypotheses, *references)
    if not references or min(columns) < 1:
        raise SpecError(
            f"columns {text!r} cannot be read: give the hypothesis column, then those of the references, "
            "from 1 on (--tsv 1,2; two systems: --tsv 1+2,3)"
        )
    if len(set(columns)) < len(columns):
        raise SpecError(f"columns {text!r} name a column twice")
    return hypotheses, references


def split_tsv(lines: Lines, columns: Sequence[int], name: str, first_line: int = 1) -> list[Lines]:
    """The wanted columns (counted from 1) of a batch of tab-separated lines, in the order asked for.

    `name` and `first_line`, the number of the batch's first line, are for the message about a short line.

    >>> hypothesis, reference = split_tsv(Lines(["1\\ta cat\\tthe cat"]), [2, 3], "set.tsv")
    >>> hypothesis[0], reference[0]
    ('a cat', 'the cat')
    """
    found, short = split_columns(lines, [column - 1 for column in columns])
    if short >= 0:
        fields = (lines[short] or "").count("\t") + 1
        raise InputError(
            f"{name}: line {first_line + short} has {many(fields, 'field')}, but column {max(columns)} was requested"
        )
    return found


def split_references(lines: Lines, number: int, name: str, first_line: int = 1) -> list[Lines]:
    """`number` tab-separated references on each line (sacrebleu's -nr); further tabs belong to the last one.

    >>> [stream[0] for stream in split_references(Lines(["a cat\\tthe cat"]), 2, "ref.tsv")]
    ['a cat', 'the cat']
    """
    if number < 1:
        raise SpecError(f"the number of references must be at least 1, not {number}")
    rows = [(lines[i] or "").split("\t", number - 1) for i in range(len(lines))]
    return _transposed(rows, number, "references", name, first_line)


def split_systems(lines: Lines, number: int | None, name: str, first_line: int = 1) -> list[Lines]:
    """Outputs of several systems side by side, as sacrebleu takes them from standard input.

    `number` is how many; None: as many as the first line has.

    >>> len(split_systems(Lines(["a\\tb\\tc"]), None, "<stdin>"))
    3
    """
    rows = [[field.rstrip() for field in (lines[i] or "").split("\t")] for i in range(len(lines))]
    return _transposed(rows, len(rows[0]) if number is None else number, "systems", name, first_line)


def metadata_of(reader: LineReader) -> dict[str, tuple[str, ...]]:
    """The columns of a metadata file: their names in the first line, then a row for each segment."""
    with reader:
        lines = [batch[i] or "" for batch in reader for i in range(len(batch))]
    header, *rows = [line.split("\t") for line in lines]
    if len(set(header)) < len(header) or "" in header:
        raise InputError(f"{reader.name}: line 1 must name each column, with no name twice")
    for number, row in enumerate(rows, 2):
        if len(row) > len(header):
            raise InputError(
                f"{reader.name}: line {number} has {len(row)} fields, but there are {len(header)} columns"
            )
        # empty fields at the end of a line were cut off with its white space
        row += [""] * (len(header) - len(row))
    return {name: tuple(row[i] for row in rows) for i, name in enumerate(header)}


def _transposed(rows: list[list[str]], number: int, what: str, name: str, first_line: int) -> list[Lines]:
    """Columns from rows, all of which must have `number` fields."""
    for line, row in enumerate(rows, first_line):
        if len(row) != number:
            raise InputError(
                f"{name}: line {line} has {many(len(row), 'field')}, expected {number} {what} on each line, "
                "separated by tabs"
            )
    return [Lines(list(column)) for column in zip(*rows, strict=True)]
