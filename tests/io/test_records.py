"""Records in lines: strict JSON, tables with a header, and escapes that come back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import InputError
from tertium.io.records import Header, escaped, json_line, json_text, read_json_lines, read_tsv, unescaped


@given(st.text())
def test_any_text_goes_into_a_field_and_comes_back(text: str) -> None:
    field = escaped(text)
    assert not set(field) & set("\t\n\r")
    assert unescaped(field, "x") == text


def test_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"a": "x\xe2\x80\xa8y"}\r\n\r\n  \n{"b": 2}')
    found = list(read_json_lines(path))
    assert [record.values for record in found] == [{"a": "x\u2028y"}, {"b": 2}]
    assert [record.where.rpartition(": ")[2] for record in found] == ["line 1", "line 4"]


def test_half_a_surrogate_pair_is_written_as_an_escape() -> None:
    assert json_text("\ud800") == '"\\ud800"'
    assert json_line({"é": "\n"}) == '{"é": "\\n"}\n'
    json_text("\ud800").encode("utf-8")
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_text(float("nan"))


def test_tables_by_name(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_bytes(b"b\ta\r\n1\\t2\t\r\n\r\n\\\\\tx \r\n")
    rows = [record.values for record in read_tsv(path, ("a", "b", "c"), ("a",))]
    assert rows == [{"b": "1\t2", "a": ""}, {"b": "\\", "a": "x "}]
    assert Header(["b", "a"], "a.tsv").record("1\\t2\t", "a.tsv", raw=("b",)).values == {"b": "1\\t2"}
    path.write_bytes(b"")
    with pytest.raises(InputError, match="is empty"):
        list(read_tsv(path, ("a",), ()))
