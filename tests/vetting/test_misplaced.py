"""Units that stand beside the text of a neighbour, seen over the whole document."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from tertium.errors import InputError
from tertium.io.memories.pairs import Pair
from tertium.io.memories.unit import Unit
from tertium.memory.checking import check_memory
from tertium.memory.cleaning import clean_memory
from tertium.memory.examining import whole_documents
from tertium.vetting.batches import WholeDocuments
from tertium.vetting.judging import CombinedJudge

WORDS = [f"{a}{b}{c}" for a in "bdfgklmnprst" for b in ("az", "eb", "ik", "om") for c in "oua"]


def document(name: str, units: int = 12) -> list[Unit]:
    """Sentences of a language whose words the other reads backwards."""
    draw = Random(name)
    made = []
    for _ in range(units):
        words = [draw.choice(WORDS) for _ in range(draw.randrange(5, 12))]
        target = " ".join(word[::-1] + "e" for word in words)
        made.append(Unit(" ".join(words), target, "en", "fr", document=name))
    return made


def shifted(units: list[Unit], begin: int, end: int) -> list[Unit]:
    """Targets from `begin` on stand one unit too early; the first of them comes last."""
    targets = [unit.target for unit in units]
    targets[begin:end] = [*targets[begin + 1 : end], targets[begin]]
    return [unit.changed(target=target) for unit, target in zip(units, targets, strict=True)]


@pytest.fixture(scope="module")
def units() -> list[Unit]:
    made = [unit for n in range(60) for unit in document(str(n))]
    return made + shifted(document("shifted"), 3, 8) + document("last")


def told(found: list) -> dict[int, str]:
    return {
        i: reason.sentence
        for i, own in enumerate(found)
        for reason in own.reasons
        if reason.check == "misalignment"
    }


def test_a_shift_is_seen_from_its_first_unit_to_its_last(units: list[Unit]) -> None:
    judge = CombinedJudge.of()
    judge.learn(units)
    found = judge.judge(WholeDocuments(units))
    begin = 60 * 12 + 3
    assert sorted(told(found)) == [begin + k for k in range(5)]
    assert told(found)[begin + 1].startswith("its translation stands 1 unit earlier: “")
    assert told(found)[begin].startswith("its translation stands 4 units later: “")
    assert all(found[begin + k].probability >= 0.5 for k in range(5))
    (reason,) = (own for own in found[begin].reasons if own.check == "misalignment")
    assert reason.source == ((0, len(units[begin].source)),)
    assert reason.target == ((0, len(units[begin].target)),)


def test_units_without_their_neighbours_are_not_doubted(units: list[Unit]) -> None:
    judge = CombinedJudge.of(["misalignment"])
    judge.learn(units)
    assert not told(judge.judge(units))
    apart = [unit._replace(document=str(n)) for n, unit in enumerate(units)]
    assert not told(judge.judge(WholeDocuments(apart)))


def test_batches_end_where_documents_end(units: list[Unit]) -> None:
    made = list(whole_documents(units * 3))
    assert [unit for batch in made for unit in batch] == units * 3
    for batch, following in pairwise(made):
        assert batch[-1].document != following[0].document
    long = [unit._replace(document="one") for unit in units * 10]
    assert [len(batch) for batch in whole_documents(long)] == [5000, len(long) - 5000]


def test_the_command_looks_over_documents(units: list[Unit], tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    lines = [{"source": unit.source, "target": unit.target, "document": unit.document} for unit in units]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    found = check_memory(str(path), pair=Pair("en", "fr"), checks=["misalignment"])
    assert sorted(own.number for own in found.worst) == [60 * 12 + 4 + k for k in range(5)]


def test_cleaning_removes_them_and_says_why(units: list[Unit], tmp_path: Path) -> None:
    path, clean, removed = (tmp_path / name for name in ("a.jsonl", "clean.jsonl", "removed.jsonl"))
    lines = [{"source": unit.source, "target": unit.target, "document": unit.document} for unit in units]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    made = clean_memory(str(path), str(clean), str(removed), precision=0.6, pair=Pair("en", "fr"))
    gone = removed.read_text("utf-8").splitlines()
    assert made.kept + made.removed == len(units)
    assert sum("misalignment: its translation stands" in line for line in gone) == 5


def test_what_is_read_before_an_error_is_not_lost(units: list[Unit]) -> None:
    def broken() -> Iterator[Unit]:
        yield from units[:30]
        raise InputError("broken")

    read = whole_documents(broken())
    assert next(read) == units[:30]
    with pytest.raises(InputError, match="broken"):
        next(read)
