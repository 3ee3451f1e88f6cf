"""Files that can be made again: whatever happens to them, scores are those of a fresh file, and the damage is said."""

from __future__ import annotations

import json
import os
import random
import struct
import subprocess
import sys
import warnings
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

import tertium as tt
from tertium import _native
from tertium.errors import InputError, TertiumWarning
from tertium.io import caches
from tertium.text import encoded, meteor, vectors

HYPOTHESES = ["the huge cat sat", "a dog"]
REFERENCES = ["the very big cat sat", "the dog"]


@dataclass(frozen=True)
class Kind:
    """A way to have a file in the cache, and what is read from it."""

    folder: str
    read: Callable[[Path], object]  # as a new process reads it


def _write_vectors(source: Path, others: int) -> None:
    draw = random.Random(3)
    words = [
        *(f"w{i}" for i in range(others)),
        "the",
        "huge",
        "very",
        "big",
        "cat",
        "sat",
        "a",
        "dog",
        "<unk>",
    ]
    rows = (f"{word} {' '.join(f'{draw.gauss(0, 1):.3f}' for _ in range(7))}" for word in words)
    source.write_text("\n".join(rows) + "\n")


def _vector_score(tmp_path: Path) -> object:
    source = tmp_path / "toy.vec"
    if not source.exists():
        _write_vectors(source, 400)
    vectors._opened.clear()
    return tt.score(HYPOTHESES, REFERENCES, metrics=[f'yisi1:vectors="{source}"']).data()


def _paraphrase_score(tmp_path: Path) -> object:
    source = tmp_path / "table"
    if not source.exists():
        more = "".join(f"0.5\nword{i} here\nword{i // 7} there\n" for i in range(60))
        source.write_text(f"0.5\nvery big\nhuge\n0.25\nhuge\nlarge\n{more}")
    meteor.forget()
    return tt.score(
        HYPOTHESES, REFERENCES, metrics=[f'meteor:modules=exact+paraphrase,paraphrases="{source}"']
    ).data()


def _encoded_texts(tmp_path: Path) -> object:
    """As `Encoder.encode` uses a store: what is missing is encoded again."""
    texts = [f"text {i}" for i in range(5)]
    store = encoded.Store("model")
    found = store.get(texts)
    for i, text in enumerate(texts):
        if text not in found:
            numbers = np.random.default_rng(i).normal(size=(3 + i, 48)).astype(np.float32)
            one = encoded.Encoded(tuple(f"{text} {k}" for k in range(3 + i)), numbers, 1, 1, 3 + i, 0)
            store.put({text: one})
            found[text] = one
    store.flush()
    return [(found[text].units, found[text].vectors.tolist()) for text in texts]


def _model_hash(tmp_path: Path) -> object:
    (tmp_path / "model").mkdir(exist_ok=True)
    weights = tmp_path / "model" / "model.safetensors"
    if not weights.exists():
        weights.write_bytes(b"weights")
    return encoded.model_hash(str(tmp_path / "model"))


KINDS = {
    "vectors": Kind("vectors", _vector_score),
    "paraphrases": Kind("paraphrases", _paraphrase_score),
    "texts": Kind("embeddings", _encoded_texts),
    "model": Kind("models", _model_hash),
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("TERTIUM_CACHE", str(tmp_path / "cache"))
    yield tmp_path / "cache"
    vectors._opened.clear()
    meteor.forget()


def only(folder: Path, kind: Kind) -> Path:
    (path,) = (folder / kind.folder).rglob("*.cache")
    return path


@pytest.mark.parametrize("kind", KINDS)
def test_every_damage_is_noticed_said_and_mended(kind: str, tmp_path: Path, folder: Path) -> None:
    chosen = KINDS[kind]
    fresh = chosen.read(tmp_path)
    whole = only(folder, chosen).read_bytes()
    assert chosen.read(tmp_path) == fresh
    draw = random.Random(kind)
    places = {*range(0, len(whole), 131), *range(80), *range(len(whole) - 160, len(whole))} & {
        *range(len(whole))
    }
    damages = [
        whole[:i] + bytes([whole[i] ^ 1 << draw.randrange(8)]) + whole[i + 1 :] for i in sorted(places)
    ]
    damages += [
        whole[:length] for length in {0, 1, 39, 40, 100, 4096, *range(0, len(whole), 733), len(whole) - 1}
    ]
    damages += [whole + b"\0", whole[1:], bytes(len(whole)), b"nonsense"]
    for damaged in damages:
        if damaged == whole:
            continue
        path = only(folder, chosen)
        path.write_bytes(damaged)
        with pytest.warns(
            TertiumWarning, match=r"\.cache: this cached file is damaged; it is made anew"
        ) as said:
            assert chosen.read(tmp_path) == fresh
        assert len(said) == 1
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert chosen.read(tmp_path) == fresh
    assert not list(folder.rglob("*.part"))


@pytest.mark.parametrize("kind", KINDS)
def test_files_of_another_version_are_made_anew_in_silence(kind: str, tmp_path: Path, folder: Path) -> None:
    fresh = KINDS[kind].read(tmp_path)
    path = only(folder, KINDS[kind])
    whole = path.read_bytes()
    end = bytearray(whole[-caches._END.size :])
    end[8] += 1
    path.write_bytes(whole[: -len(end)] + sealed(bytes(end)))
    assert KINDS[kind].read(tmp_path) == fresh


def sealed(end: bytes) -> bytes:
    return end[:-4] + zlib.crc32(end[:-4]).to_bytes(4, "little")


def forged(path: Path, content: bytes, facts: bytes) -> None:
    """A file with right checksums, whatever it holds, and no other beside it."""
    for other in path.parent.iterdir():
        other.unlink()
    sums = _native.block_sums(content) if content else b""
    end = caches._END.pack(b"tertfile", 1, len(content), len(facts), zlib.crc32(facts + sums), 0)
    path.write_bytes(content + facts + sums + sealed(end))


@pytest.mark.parametrize("kind", KINDS)
def test_nonsense_with_right_checksums_is_not_trusted(kind: str, tmp_path: Path, folder: Path) -> None:
    """Nothing is read outside of the file; what the facts say may be anything."""
    chosen = KINDS[kind]
    chosen.read(tmp_path)
    path = only(folder, chosen)
    whole = path.read_bytes()
    _, _, size, length, _, _ = caches._END.unpack(whole[-caches._END.size :])
    content, facts = whole[:size], whole[size : size + length]
    draw = random.Random(kind)
    for _ in range(150):
        changed = bytearray(content)
        for _ in range(draw.randint(1, 3) if changed else 0):
            at = (
                draw.randrange(min(len(changed), 128))
                if draw.random() < 0.5
                else draw.randrange(len(changed))
            )
            struct.pack_into("B", changed, at, draw.choice([0, 1, 127, 128, 255]))
        forged(path, bytes(changed[: draw.choice([len(changed), draw.randrange(len(changed) + 1)])]), facts)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", TertiumWarning)
            chosen.read(tmp_path)
    for said in (
        b"{}",
        b"[]",
        b"1",
        b"nonsense",
        b"\xff",
        json.dumps({"texts": 3, "stamp": [], "hash": None}).encode(),
    ):
        forged(path, content, said)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", TertiumWarning)
            chosen.read(tmp_path)


def test_large_tables_are_checked_where_they_are_touched(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the middle of scoring too: then the table is made anew, and scoring begins again."""
    _write_vectors(tmp_path / "toy.vec", 6000)
    fresh = _vector_score(tmp_path)
    monkeypatch.setattr(caches, "_AT_ONCE", 0)
    path = only(folder, KINDS["vectors"])
    whole = path.read_bytes()
    row = 4096 + 6004 * 28  # of "cat"
    said = {}
    for place in (10, row, 50_000, *range(0, len(whole), 9973)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            assert _vector_score(tmp_path) == fresh
        said[place] = [str(one.message) for one in caught]
        assert all("this cached file is damaged; it is made anew" in text for text in said[place])
    assert [len(said[place]) for place in (10, row, 50_000)] == [1, 1, 0]
    row = 4096 + 5000 * 28
    path.write_bytes(whole[:row] + bytes([whole[row] ^ 1]) + whole[row + 1 :])
    vectors._opened.clear()
    table = vectors.Vectors.open(tmp_path / "toy.vec")
    assert table["w1"].size == 7
    removed = (
        r"\.cache: this cached file was damaged and has been removed; run this again, and it is made anew$"
    )
    with pytest.raises(InputError, match=removed):
        table["w5000"]
    assert not path.exists()


def test_large_tables_are_mended_for_metrics_in_python(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without `measure`: rows of texts begin again; references prepared before are told to."""
    _write_vectors(tmp_path / "toy.vec", 6000)
    metric = tt.metric(f'yisi1:vectors="{tmp_path / "toy.vec"}"')
    fresh = metric.score_total(metric.statistics(HYPOTHESES, REFERENCES))
    monkeypatch.setattr(caches, "_AT_ONCE", 0)
    path = only(folder, KINDS["vectors"])
    whole, row = path.read_bytes(), 4096 + 6004 * 28  # of "cat"
    for damaged in (metric.statistics, metric.total):
        path.write_bytes(whole[:row] + bytes([whole[row] ^ 4]) + whole[row + 1 :])
        vectors._opened.clear()
        with pytest.warns(TertiumWarning, match="this cached file is damaged; it is made anew"):
            assert metric.score_total(damaged(HYPOTHESES, REFERENCES)) == fresh
    path.write_bytes(whole[:row] + bytes([whole[row] ^ 4]) + whole[row + 1 :])
    vectors._opened.clear()
    table = vectors.Vectors.open(tmp_path / "toy.vec")
    with (
        pytest.warns(TertiumWarning, match="damaged"),
        pytest.raises(InputError, match="has been removed; run this again, and it is made anew"),
    ):
        caches.mended(lambda: table.table.numbers(table.table.find(b"cat", "exact")))
    vectors._opened.clear()
    prepared = metric.prepare(REFERENCES)
    path.write_bytes(whole[:row] + bytes([whole[row] ^ 4]) + whole[row + 1 :])
    vectors._opened.clear()
    for use in (
        lambda: vectors.Vectors.open(tmp_path / "toy.vec").nearest("cat"),
        lambda: vectors.Vectors.open(tmp_path / "toy.vec").cosines(["cat"], ["w1"]),
        lambda: metric.score(HYPOTHESES, prepared),
    ):
        path.write_bytes(whole[:row] + bytes([whole[row] ^ 4]) + whole[row + 1 :])
        vectors._opened.clear()
        with pytest.raises(InputError, match="has been removed; run this again, and it is made anew"):
            use()


def test_two_writers_at_the_same_time(tmp_path: Path, folder: Path) -> None:
    """Processes that make one file at the same time, again and again, all read it whole."""
    fresh = _vector_score(tmp_path)
    code = (
        "import sys, os, pathlib\nfrom tertium.text import vectors\n"
        "for i in range(30):\n"
        "    vectors._opened.clear()\n"
        "    found = vectors.Vectors.open(sys.argv[1])\n"
        "    assert len(found.words()) == 409 and round(found.similarity('cat', 'dog'), 6) == float(sys.argv[2])\n"
        "    if i % 2:\n"
        "        pathlib.Path(found.cached).unlink(missing_ok=True)\n"
    )
    source = str(tmp_path / "toy.vec")
    known = f"{vectors.Vectors.open(source).similarity('cat', 'dog'):.6f}"
    command = [sys.executable, "-W", "error", "-c", code, source, known]
    workers = [subprocess.Popen(command, stderr=subprocess.PIPE, env=dict(os.environ)) for _ in range(3)]
    for worker in workers:
        assert (worker.communicate()[1], worker.returncode) == (b"", 0)
    assert _vector_score(tmp_path) == fresh
    assert not list(folder.rglob("*.part"))


def test_checksums_are_crc32c() -> None:
    """The check value of the standard (RFC 3720), and blocks of every length against a slow twin."""

    def slow(data: bytes) -> int:
        crc = 0xFFFFFFFF
        for byte in data:
            crc ^= byte
            for _ in range(8):
                crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
        return crc ^ 0xFFFFFFFF

    assert _native.block_sums(b"123456789") == (0xE3069283).to_bytes(4, "little")
    data = random.Random(1).randbytes(5 * 4096 + 13)
    expected = [slow(data[i : i + 4096]) for i in range(0, len(data), 4096)]
    assert np.frombuffer(_native.block_sums(data), "<u4").tolist() == expected
    for length in (1, 7, 8, 9, 15):
        assert int.from_bytes(_native.block_sums(data[:length]), "little") == slow(data[:length])
