"""DuckDB: several chunks and threads, several references, NULLs, groups as corpora; every number is `tt.score`'s."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest

import tertium as tt
from tertium.adapters import database
from tests.adapters.sourced import ToSource

WORDS = ["the", "a", "cat", "dog", "sat", "ran", "on", "mat", "猫", "ß", "é", "big."]
NUMBER = 5000  # more than two chunks of 2,048 rows


def sentences(seed: int) -> list[str]:
    rng = random.Random(seed)
    return [" ".join(rng.choices(WORDS, k=rng.randint(3, 12))) for _ in range(NUMBER)]


MT, REF = sentences(1), sentences(2)
OTHER: list[Any] = [text if i % 3 else None for i, text in enumerate(sentences(3))]
SYSTEMS = ["AB"[i % 2] for i in range(NUMBER)]


@pytest.fixture(scope="module")
def connection() -> Iterator[Any]:
    import pyarrow as pa

    made = duckdb.connect()
    made.execute("SET threads = 4")
    made.register("given", pa.table({"i": range(NUMBER), "s": SYSTEMS, "mt": MT, "ref": REF, "other": OTHER}))
    made.execute("CREATE TABLE t AS SELECT * FROM given")
    yield made
    made.close()


def column(connection: Any, query: str) -> list[Any]:
    return [value for (value,) in connection.execute(query).fetchall()]


def test_rows(connection: Any) -> None:
    database.register(connection, "chrf")
    one = tt.score(MT, REF, "chrf", level="segment")[0].values
    assert column(connection, "SELECT chrf(mt, ref) FROM t ORDER BY i") == list(one)
    two = tt.score(MT, [REF, OTHER], "chrf", level="segment")[0].values
    for references in ("ref, other", "[ref, other]"):
        assert column(connection, f"SELECT chrf(mt, {references}) FROM t ORDER BY i") == list(two)
    assert column(connection, "SELECT chrf(other, ref) FROM t WHERE other IS NULL LIMIT 1") == [None]
    assert column(connection, "SELECT chrf(mt, other) FROM t WHERE other IS NULL LIMIT 1") == [None]
    assert column(connection, "SELECT chrf(s::ENUM('A', 'B'), 'A') FROM t WHERE i < 2 ORDER BY i") == [
        100.0,
        0.0,
    ]
    assert column(connection, "SELECT chrf(mt, ref) FROM t WHERE i < 0") == []


@pytest.mark.parametrize("metric", ["chrf++", "bleu", "ter", "nist", "macrof1"])
def test_groups(connection: Any, metric: str) -> None:
    """Lists are a corpus, whatever the order in which threads collect rows."""
    own = database.register(connection, metric, "own")
    found = connection.execute(
        f"SELECT s, {own}(list(mt), list(ref)), {own}(list(mt), list([ref, other])) FROM t GROUP BY s ORDER BY s"
    ).fetchall()
    for name, one, two in found:
        at = [i for i in range(NUMBER) if SYSTEMS[i] == name]
        texts, streams = [MT[i] for i in at], [[REF[i] for i in at], [OTHER[i] for i in at]]
        assert one == tt.score(texts, streams[0], metric)[0].value
        assert two == tt.score(texts, streams, metric)[0].value
    assert [row[0] for row in found] == ["A", "B"]
    assert column(connection, f"SELECT {own}(list(mt), list(ref)) FROM t WHERE i < 0") == [None]


def test_lists_of_any_kind() -> None:
    """DuckDB may be told to make Arrow's large lists."""
    made = duckdb.connect()
    made.execute("SET arrow_large_buffer_size = true")
    database.register(made, "chrf")
    query = "SELECT chrf(list(a), list([b, a])), chrf(any_value(a), any_value(b)) FROM (VALUES ('a b', 'a c')) t(a, b)"
    assert made.execute(query).fetchall() == [(100.0, 25.0)]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("SELECT nist(mt, ref) FROM t", "nist weighs words by the whole set"),
        ("SELECT chrf(list(other), list(ref)) FROM t", "a row of a corpus has no text; coalesce"),
        ("SELECT chrf(list(mt), list(other)) FROM t", "segment 1 has no reference at all"),
        ("SELECT chrf(mt) FROM t", "chrf takes columns of translation, reference, not 1 column"),
        ("SELECT chrf(1, 2)", "segment 1 is of type int, not a string"),
    ],
)
def test_what_cannot_be_scored(connection: Any, query: str, message: str) -> None:
    database.register(connection, "chrf")
    database.register(connection, "nist")
    with pytest.raises(duckdb.InvalidInputException, match=message):
        connection.execute(query).fetchall()


def test_names() -> None:
    """Variants have names of their own; the same name again takes the old one's place."""
    connection = duckdb.connect()
    for spec, name in (("chrf", "chrf"), ("chrf++", "chrfpp"), ("bleu:tok=intl", "bleu_tok_intl")):
        assert database.register(connection, spec) == database.register(connection, spec) == name
    assert database.register(connection, tt.metric("ter"), "chrf") == "chrf"
    assert column(connection, "SELECT chrf('a b', 'a c')") == [50.0]
    with pytest.raises(tt.InputError, match="name one metric here, not 2"):
        database.register(connection, ["chrf", "bleu"])


def test_connections_of_one_database() -> None:
    """They share its functions, which only the one that registered them can replace."""
    first = duckdb.connect()
    database.register(first, "ter", "edits")
    second = first.cursor()
    assert column(second, "SELECT edits('a b', 'a c')") == [50.0]
    for name in ("edits", "list"):
        with pytest.raises(tt.InputError, match=f"the database has a function {name} already"):
            database.register(second, "chrf", name)
    database.register(first, "chrf", "edits")
    assert column(second, "SELECT edits('a b', 'a b')") == [100.0]


def test_sources(connection: Any) -> None:
    """The last argument, of a row and of a group; without one there is no score."""
    own = database.register(connection, ToSource(), "to_source")
    want = tt.score(MT, [text or "" for text in OTHER], "chrf", level="segment")[0].values
    found = column(connection, f"SELECT {own}(mt, ref, other) FROM t ORDER BY i")
    assert found == [None if OTHER[i] is None else value for i, value in enumerate(want)]
    whole = column(connection, f"SELECT {own}(list(mt), list(ref), list(mt)) FROM t")
    assert whole == [100.0]
    with pytest.raises(duckdb.InvalidInputException, match="translation, reference, source, not 2 columns"):
        column(connection, f"SELECT {own}(mt, ref) FROM t")
