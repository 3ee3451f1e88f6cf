"""Batches of a dataset, without a cluster: which row of which file is wrong, and what is wrong with it."""

from __future__ import annotations

from typing import Any

import pytest

from tertium.engines.frames import FILE, PART, ROW, UNREAD, check_key, counted, where, whole_column
from tertium.engines.frametasks import Extended, Whole
from tertium.errors import InputError

pa = pytest.importorskip("pyarrow")


def batch(files: str, texts: list[str | None], **more: Any) -> Any:
    """A row for each letter, which names its file."""
    named = {"mt": pa.array(texts, pa.string()), FILE: list(files), PART: [0] * len(files), **more}
    return pa.RecordBatch.from_pydict(named)


def told(batches: list[Any]) -> list[str]:
    return [where(own, row, first) for own, first in counted(batches) for row in range(own.num_rows)]


@pytest.mark.heavy
def test_rows_are_counted_in_their_files() -> None:
    """Files of JSON Lines follow each other in a partition, and end wherever batches do not."""
    parts = ["aa", "", "ab", "b", "bcd"]
    rows = told([batch(files, ["x"] * len(files)) for files in parts])
    assert rows == [
        *("a: row 1", "a: row 2", "a: row 3"),
        *("b: row 1", "b: row 2", "b: row 3"),
        *("c: row 1", "d: row 1"),
    ]
    halves = [
        batch("aa", ["x"] * 2),
        batch("a", ["x"], **{PART: [9]}),
        batch("aa", ["x"] * 2, **{PART: [9, 9]}),
    ]
    after = ("a: row 1 after byte 9", "a: row 2 after byte 9", "a: row 3 after byte 9")
    assert told(halves) == ["a: row 1", "a: row 2", *after]
    known = batch("aa", ["x"] * 2, **{ROW: [6, 7], PART: [4, 4]})  # Parquet says it by itself
    assert told([known]) == ["a: row 7", "a: row 8"]
    plain = [pa.RecordBatch.from_pydict({"mt": ["x", "y"]})] * 2
    assert told(plain)[-1] == "partition ?, row 4 of it"


def refused(texts: list[str | None], **more: Any) -> str:
    own = batch("a" * len(texts), texts, **more)
    with pytest.raises(InputError) as error:
        list(Whole(("mt",))([own]))
    return str(error.value)


def test_what_a_null_is() -> None:
    assert refused(["x", None]) == "a: row 2: column 'mt' is null"
    assert refused(["x", None], **{UNREAD: [None, '{"mt": '], ROW: [3, 4]}) == (
        "a: row 5: cannot be read as JSON in UTF-8"
    )
    broken = pa.array([None, b'{"mt": "\xff"}'], pa.binary()).view(pa.string())
    assert refused(["x", None], **{UNREAD: broken}) == "a: row 2: cannot be read as JSON in UTF-8"
    assert refused([None, None]) == "a: row 1: column 'mt' is null, or this file has no such column"


def test_broken_text_and_sorted_rows() -> None:
    own = batch("aab", ["x", "y", "z"], doc=["d", "d", "e"], n=[5, 7, None])
    broken = own.set_column(0, "mt", pa.array([b"x", b"y", b"b\xff"], pa.binary()).view(pa.string()))
    with pytest.raises(InputError, match=r"^b: row 1: column 'mt' is not UTF-8$"):
        list(Extended(("mt",), lambda texts: {})([broken]))
    with pytest.raises(InputError, match=r"^b: doc 'e', n None: column 'mt' is not UTF-8$"):
        whole_column(broken, "mt", ("doc", "n"))
    with pytest.raises(InputError, match=r"^b: row 1: column 'n' is null$"):
        check_key(own, "n", 0)
    with pytest.raises(InputError, match=r"^a: row 2: column 'doc' is null$"):
        check_key(own.set_column(3, "doc", pa.array(["d", None, "e"])), "doc", 0)
    check_key(own, "doc", 0)
    assert list(Whole(("mt",))([own])) == [own]
