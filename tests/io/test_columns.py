"""Columns of tab-separated lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from tertium._native import Lines
from tertium.errors import InputError, SpecError
from tertium.io.columns import parse_columns, split_references, split_systems, split_tsv
from tertium.io.files import LineReader


def texts(columns: list[Lines]) -> list[list[str | None]]:
    return [[column[i] for i in range(len(column))] for column in columns]


@pytest.mark.parametrize(
    ("text", "columns"),
    [("1,2", ((1,), (2,))), ("3, 1,2", ((3,), (1, 2))), ("10,2", ((10,), (2,))), ("4+1,2", ((4, 1), (2,)))],
)
def test_columns_are_named_by_numbers(text: str, columns: tuple[tuple[int, ...], ...]) -> None:
    assert parse_columns(text) == columns


@pytest.mark.parametrize("text", ["", "1", "0,1", "-1,2", "a,b", "1,,2", "1;2", "1+2", "1+,2"])
def test_columns_that_cannot_be_read(text: str) -> None:
    with pytest.raises(SpecError, match=r"--tsv 1,2"):
        parse_columns(text)


def test_a_column_is_named_once() -> None:
    with pytest.raises(SpecError, match="twice"):
        parse_columns("1,2,1")


def test_columns_of_lines() -> None:
    lines = Lines(["h1\tr1\tx \ts1", "h2 \t\tx\ty\tz", "ü\u2028\t中 文\tx\t"])
    assert texts(split_tsv(lines, [2, 1], "f")) == [["r1", "", "中 文"], ["h1", "h2", "ü"]]
    assert texts(split_tsv(lines, (3,), "f")) == [["x", "x", "x"]]


def test_a_line_with_too_few_fields() -> None:
    lines = Lines(["a\tb\tc", "a\tb", "a\tb\tc"])
    with pytest.raises(InputError, match=r"^set\.tsv: line 102 has 2 fields, but column 3 was requested"):
        split_tsv(lines, [1, 3], "set.tsv", 101)
    with pytest.raises(InputError, match=r"^set\.tsv: line 1 has 1 field, but"):
        split_tsv(Lines([""]), [1, 2], "set.tsv")


def test_references_beside_each_other() -> None:
    lines = Lines(["a\tb", "c \td\te"])
    assert texts(split_references(lines, 2, "f")) == [["a", "c "], ["b", "d\te"]]  # as sacrebleu splits
    assert texts(split_references(lines, 1, "f")) == [["a\tb", "c \td\te"]]
    with pytest.raises(InputError, match=r"^ref\.tsv: line 7 has 2 fields, expected 3 references"):
        split_references(lines, 3, "ref.tsv", 7)
    with pytest.raises(SpecError, match="at least 1"):
        split_references(lines, 0, "f")


def test_systems_beside_each_other() -> None:
    assert texts(split_systems(Lines(["a \tb\tc", "d\te\tf"]), None, "f")) == [
        ["a", "d"],
        ["b", "e"],
        ["c", "f"],
    ]
    with pytest.raises(InputError, match=r"^<stdin>: line 12 has 2 fields, expected 3 systems"):
        split_systems(Lines(["a\tb\tc", "d\te"]), None, "<stdin>", 11)
    with pytest.raises(InputError, match="expected 2 systems"):
        split_systems(Lines(["a\tb\tc"]), 2, "<stdin>")


def test_an_empty_last_field_is_an_empty_field(tmp_path: Path) -> None:
    """Trailing white space goes from fields, not from lines: a row may end in an empty hypothesis."""
    path = tmp_path / "set.tsv"
    path.write_bytes(b"a ref\ta hyp \r\nb ref\t\r\nc ref\t \n")
    (columns,) = (split_tsv(batch, [2, 1], "set.tsv") for batch in LineReader(path, strip=False))
    assert [[column[i] for i in range(3)] for column in columns] == [
        ["a hyp", "", ""],
        ["a ref", "b ref", "c ref"],
    ]
