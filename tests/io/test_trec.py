"""TREC's runs and judgements: order as trec_eval's, files there and back, every fault with its line."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tertium.errors import InputError
from tertium.io.trec import Run, read_qrels, read_run, write_run


def written(folder: Path, text: str) -> Path:
    path = folder / "file"
    path.write_text(text)
    return path


def test_order_is_by_score_then_by_descending_name(tmp_path: Path) -> None:
    run = read_run(
        written(tmp_path, "q Q0 a 1 1.5 x\nq Q0 c 2 1.5 x\nq Q0 b 3 9 x\nr\tQ0  z 1 -1e3 x\nq Q0 d 9 1.5 x\n")
    )
    assert run.documents("q") == ("b", "d", "c", "a")
    assert run.queries["r"] == (("z", -1000.0),)
    assert run.documents("none") == ()


def test_judgements(tmp_path: Path) -> None:
    qrels = read_qrels(written(tmp_path, "q 0 a 1\nq 0 b 0\nq 0 c 3\nr 0 a -1\n"))
    assert qrels.relevant("q") == {"a": 1, "c": 3}
    assert qrels.relevant("r") == {}
    assert qrels.relevant("s") == {}


def test_runs_there_and_back(tmp_path: Path) -> None:
    run = Run("bm25", {"q": (("b", 0.1 + 0.2), ("a", 0.25)), "r": (("a", 7.0),)})
    write_run(tmp_path / "x.run.gz", run)
    assert gzip.decompress((tmp_path / "x.run.gz").read_bytes()).startswith(
        b"q Q0 b 1 0.30000000000000004 bm25\n"
    )
    assert read_run(tmp_path / "x.run.gz").queries == run.queries
    with pytest.raises(InputError, match="'a b' cannot be used in a run"):
        write_run(tmp_path / "y", Run("bm25", {"q": (("a b", 1.0),)}))
    assert not (tmp_path / "y").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("q Q0 a 1 1.5\n", "line 1 has 5 of 6 fields: query Q0 document rank score tag"),
        ("q Q0 a 1 1.5 x\n\n", "line 2 has 0 of 6 fields"),
        ("q Q0 a 1 1.5 x\nq Q0 a 2 1.0 x\n", "line 2: document 'a' is retrieved twice for query 'q'"),
        ("q Q0 a 1 high x\n", "line 1: the score 'high' is not a number"),
        ("q Q0 a 1 nan x\n", "line 1: the score 'nan' is not a finite number"),
    ],
)
def test_bad_runs(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_run(written(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("q 0 a\n", "line 1 has 3 of 4 fields: query iteration document relevance"),
        ("q 0 a 1\nq 0 a 0\n", "line 2: document 'a' is judged twice for query 'q'"),
        ("q 0 a 0.5\n", "line 1: the relevance '0.5' is not a whole number"),
    ],
)
def test_bad_judgements(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_qrels(written(tmp_path, text))
