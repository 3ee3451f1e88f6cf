"""The index of texts: what it keeps, in blocks of any filling, asked by any number of threads."""

from __future__ import annotations

import random
import threading
from itertools import pairwise
from pathlib import Path

import pytest

from tertium import _native
from tertium.cli import main
from tertium.matching.index import ENDING, MemoryIndex
from tertium.matching.matching import match_document
from tertium.memory.store import Memory
from tests.matching.test_matching import as_array, changed, made_texts, memory, rows_of

BLOCK = 65536


def copy_of(index: _native.TextIndex) -> _native.TextIndex:
    return _native.TextIndex(as_array(b"".join(index.parts())))


def test_lists_of_all_forms_are_read_as_they_were_written() -> None:
    """Few places, many, nearly all, such that lie together; short and long texts: every text is found by itself."""
    texts = [
        f"alpha {n:05x}" + (" beta" if n % 5 == 0 else "") + (" gamma" if n % 300 == 0 else "")
        for n in range(BLOCK)
    ]
    texts[700:1200] = [f"delta {n:05x}" for n in range(700, 1200)]  # one place after the other
    texts[77] = "a very long text " * 40
    texts[78] = "".join(chr(0x4E00 + n) for n in range(2000))
    index = _native.TextIndex()
    index.add(texts)
    read = copy_of(index)
    for n in [0, 1, 5, 77, 78, 299, 300, 699, 700, 950, 1199, 1200, 30_000, BLOCK - 1]:
        assert read.text(n) == texts[n]
        for own in (index, read):
            assert own.find(texts[n], 1.0, 1) == [(n, 1.0)], n
    assert b"".join(read.parts()) == b"".join(index.parts())


def test_texts_may_come_in_any_batches() -> None:
    texts = made_texts(3000)
    whole, pieces = _native.TextIndex(), _native.TextIndex()
    whole.add(texts)
    cuts = sorted(random.Random(1).sample(range(1, 3000), 20))
    for begin, end in pairwise([0, *cuts, 3000]):
        pieces.add(texts[begin:end])
        if begin % 2:
            assert pieces.find(texts[end - 1], 1.0, 1)[0][1] == 1.0  # found at once
    assert pieces.parts() == whole.parts()


def test_a_block_is_filled_before_another_begins() -> None:
    index = _native.TextIndex()
    texts = [f"{n:05x}" for n in range(BLOCK + 700)]
    index.add(texts[: BLOCK - 10])
    assert index.find(texts[5], 1.0, 1) == [(5, 1.0)]
    index.add(texts[BLOCK - 10 :])
    for own in (index, copy_of(index)):
        assert len(own.parts()) == 2
        for n in (5, BLOCK - 5, BLOCK, BLOCK + 699):
            assert own.find(texts[n], 1.0, 1) == [(n, 1.0)]


def test_damage_inside_a_block_is_refused_or_harmless() -> None:
    """No byte of a block can make a question read outside of it."""
    index = _native.TextIndex()
    index.add([*made_texts(600), "long " * 100])
    whole = b"".join(index.parts())
    draws = random.Random(4)
    refused = 0
    for _ in range(300):
        damaged = bytearray(whole)
        region = draws.choice([range(48), range(len(whole)), range(len(whole) - 60_000, len(whole))])
        for _ in range(draws.choice([1, 8])):
            damaged[draws.choice(region)] = draws.randrange(256)
        try:
            read = _native.TextIndex(as_array(bytes(damaged)))
        except ValueError:
            refused += 1
            continue
        read.find("a question of some length", 0.1, 5)
        read.find_broadly(["a question of some length"], 5, 5, 2)
    assert refused > 30


@pytest.mark.parametrize("threads", [2, 3, 17])
def test_answers_do_not_depend_on_threads(threads: int) -> None:
    texts = made_texts(2500)
    index = _native.TextIndex()
    index.add(texts[:2300])
    draws = random.Random(8)
    queries = [*texts[2300:], *(changed(text, draws) for text in draws.sample(texts, 100))]
    alone = index.find_all(queries, 0.3, 20)
    assert alone == [index.find(query, 0.3, 20) for query in queries]
    assert index.find_all(queries, 0.3, 20, threads=threads) == alone
    assert index.find_broadly(queries, 20, 10, 2, threads=threads) == index.find_broadly(queries, 20, 10, 2)
    assert index.find_all([], 0.3, 20, threads=threads) == []


def test_who_asks_is_not_disturbed_by_who_adds() -> None:
    texts = made_texts(4000)
    index = _native.TextIndex()
    index.add(texts[:1000])
    wrong: list[str] = []
    ended = threading.Event()

    def ask() -> None:
        while not ended.is_set():
            wrong.extend(
                text
                for text, own in zip(texts[:50], index.find_all(texts[:50], 1.0, 1, threads=2), strict=True)
                if not own
            )

    asking = [threading.Thread(target=ask) for _ in range(2)]
    for own in asking:
        own.start()
    for begin in range(1000, 4000, 100):
        index.add(texts[begin : begin + 100])
        assert index.find(texts[begin + 99], 1.0, 1)
    ended.set()
    for own in asking:
        own.join()
    assert not wrong
    assert len(index) == 4000


def test_a_document_is_matched_alike_by_any_number_of_threads(tmp_path: Path) -> None:
    texts = made_texts(700)
    path = memory(tmp_path, rows_of(texts[:500]))
    document = tmp_path / "new.txt"
    draws = random.Random(2)
    document.write_text("".join(changed(text, draws) + "\n" for text in texts[300:]), "utf-8")
    alone = match_document(str(document), path)
    for threads in (2, 5, 0):
        assert match_document(str(document), path, threads=threads).segments == alone.segments
    outputs = []
    for threads in ("1", "3"):
        outputs.append(tmp_path / f"{threads}.jsonl")
        asked = ["memory", "match", str(document), "--memory", path, "--threads", threads]
        assert main([*asked, "-o", str(outputs[-1]), "-q"]) == 0
    assert outputs[0].read_bytes() == outputs[1].read_bytes()


def test_numbers_with_gaps_are_kept(tmp_path: Path) -> None:
    path = memory(tmp_path, rows_of(made_texts(40)))
    index = MemoryIndex.open(path)
    for more in (1, 300, 70_000, 1 << 33):
        numbers = [1 + n * more for n in range(40)]
        index.numbers[:] = type(index.numbers)("Q", numbers)
        index.last = Memory.open(path).units(after=0).__next__()[0] + 39
        assert index.save()
        assert list(MemoryIndex.open(path).numbers) == numbers
    assert Path(path + ENDING).stat().st_size < 200_000
