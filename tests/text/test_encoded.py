"""Stored vectors: there as a whole or not at all, shared by processes, within their limit."""

from __future__ import annotations

import multiprocessing
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from tertium.io.caches import load
from tertium.text import encoded
from tertium.text.encoded import Encoded, Store


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TERTIUM_CACHE", str(tmp_path))
    monkeypatch.delenv("TERTIUM_EMBEDDINGS_MB", raising=False)
    return tmp_path / "embeddings"


def text(name: str, rows: int = 3, width: int = 8) -> Encoded:
    draw = np.random.default_rng(sum(map(ord, name)))
    units = tuple(f"{name}\n{i}" for i in range(rows))
    return Encoded(units, draw.normal(size=(rows, width)).astype(np.float32), min(1, rows), 0, rows, 1)


def same(one: Encoded, other: Encoded) -> bool:
    return (
        one.units == other.units and one.before == other.before and np.array_equal(one.vectors, other.vectors)
    )


def test_there_and_back() -> None:
    store = Store("model")
    given = {name: text(name, rows) for name, rows in (("a", 3), ("", 0), ("\ud800", 1))}
    store.put(given)
    for reader in (store, Store("model")):
        store.flush()
        found = reader.get(["a", "", "\ud800", "b"])
        assert found.keys() == given.keys()
        assert all(same(found[name], given[name]) for name in given)
    assert Store("other").get(["a"]) == {}


def test_half_precision_takes_half_the_room(folder: Path) -> None:
    store = Store("model")
    whole = text("a", 10)
    half = Encoded(whole.units, whole.vectors.astype(np.float16), 1, 0, 10, 1)
    store.put({"a": half})
    store.flush()
    found = Store("model").get(["a"])["a"]
    assert found.vectors.dtype == np.float16
    assert same(found, half)
    (path,) = folder.rglob("*.cache")
    assert load(str(path), lambda file: file.size) == whole.vectors.nbytes / 2


def test_threads_that_put_at_the_same_time(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoded, "_SHARD", 200)
    store = Store("model")
    names = [f"text {i}" for i in range(60)]
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda name: store.put({name: text(name)}), names))
    assert store.get(names).keys() == set(names)
    store.flush()
    found = Store("model").get(names)
    assert all(same(found[name], text(name)) for name in names)


def test_what_waits_is_known_at_once_and_large_batches_are_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store("model")
    store.put({"a": text("a")})
    assert same(store.get(["a"])["a"], text("a"))
    assert not folder.exists()
    monkeypatch.setattr(encoded, "_SHARD", 100)
    store.put({"b": text("b", 30)})
    assert store.get(["a", "b"]).keys() == {"a", "b"}  # while they are being written
    store._finish_writing()
    assert [path.suffix for path in (folder / "model").iterdir()] == [".cache"]
    late = Store("model")
    assert late.get(["a", "b"]).keys() == {"a", "b"}
    store.put({"c": text("c", 30)})
    store._finish_writing()
    assert late.get(["c"]).keys() == {"c"}  # written by another, seen without being opened again


def test_the_oldest_go_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERTIUM_EMBEDDINGS_MB", "1")
    store = Store("model")
    for i, name in enumerate("abc"):
        store.put({name: text(name, 100, 960)})  # 384 kB each
        store.flush()
        for path in (folder / "model").glob("*.cache"):
            if os.stat(path).st_mtime > 10**9:
                os.utime(path, (1000 + i, 1000 + i))
        if name == "b":
            assert Store("model").get(["a"])  # used now: older than none
    assert Store("model").get(["a", "b", "c"]).keys() == {"a", "c"}
    assert sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) <= 1 << 20
    assert same(store.get(["c"])["c"], text("c", 100, 960))
    store.put({"huge": text("huge", 1000, 960)})
    store.flush()
    assert Store("model").get(["huge"]) == {}  # larger than everything may be


def test_a_shard_that_somebody_deleted_is_not_missed(folder: Path) -> None:
    store = Store("model")
    store.put({"a": text("a")})
    store.flush()
    reader = Store("model")
    reader._look()
    for path in (folder / "model").iterdir():
        path.unlink()
    assert reader.get(["a"]) == {}


def test_a_disk_that_is_not_ours_is_no_error(folder: Path) -> None:
    folder.parent.mkdir(exist_ok=True)
    folder.write_text("a file where a folder should be")
    store = Store("model")
    store.put({"a": text("a")})
    store.flush()
    assert store.get(["a"]).keys() == {"a"}


def test_without_disk_memory_is_limited(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERTIUM_EMBEDDINGS_MB", "0")
    monkeypatch.setattr(encoded, "_IN_MEMORY", 250)
    store = Store("model")
    for name in "abcd":
        store.put({name: text(name)})  # 96 bytes each
    assert store.get(list("abcd")).keys() == {"c", "d"}
    store.flush()
    assert not folder.exists()


def _write(which: int) -> None:
    store = Store("model")
    for i in range(20):
        name = f"text {i % 10 if which % 2 else i}"
        store.put({name: text(name)})
        store.flush()


def test_processes_share(folder: Path) -> None:
    """Four processes write at the same time, in part the same texts."""
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_write, args=(i,)) for i in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
        assert worker.exitcode == 0
    names = [f"text {i}" for i in range(20)]
    found = Store("model").get(names)
    assert all(same(found[name], text(name)) for name in names)
    assert not list(folder.rglob("*.part"))
