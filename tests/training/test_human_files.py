"""Judgements in the formats of shared tasks meet the texts that were judged, or are refused by name."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from tertium.cli import main
from tertium.errors import InputError
from tertium.testset import TestSet
from tertium.training.human_files import is_lines_of_numbers, judged_in, judged_in_folder
from tests.training.test_training import judged

WMT17 = "data/wmt17"


@pytest.fixture
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Two outputs of 150 lines, and a table of what people think of them."""
    monkeypatch.chdir(tmp_path)
    one = judged(300)
    for name, lines in (
        ("ref", one.references[:150]),
        ("A", one.hypotheses[:150]),
        ("B", [f"{a} {b}" for a, b in zip(one.references[:150], one.hypotheses[150:], strict=True)]),
    ):
        Path(name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    draw = random.Random(7)
    rows = [(name, i, draw.gauss(0, 1)) for name in "AB" for i in range(1, 151)]
    draw.shuffle(rows)
    return ["system\tsegment\tscore", *(f"{name}\t{i}\t{value}" for name, i, value in rows)]


def test_a_table_of_judgements(texts: list[str]) -> None:
    Path("da.tsv").write_text("\n".join(texts), "utf-8")
    found = judged_in(TestSet.of(*_read("ref", "A", "B")), "da.tsv")
    cells = {(name, int(i)): float(value) for name, i, value in (row.split("\t") for row in texts[1:])}
    hypotheses = Path("B").read_text("utf-8").splitlines()
    assert len(found) == 300
    for i in (1, 77, 150):
        place = found.hypotheses.index(hypotheses[i - 1])
        assert found.judgements[place] == pytest.approx(cells["B", i])
        assert found.references[place] == Path("ref").read_text("utf-8").splitlines()[i - 1]
    call = "train blend ref -i A B --human da.tsv -m chrf --model ridge -o m --select"
    assert main(call.split()) == 0


def _read(reference: str, *systems: str) -> tuple[list[str], dict[str, list[str]]]:
    lines = {name: Path(name).read_text("utf-8").splitlines() for name in (reference, *systems)}
    return lines[reference], {name: lines[name] for name in systems}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("A\t151\t1", "people judged segment '151' of A, but the test set has segments 1 to 150"),
        ("A\tfirst\t1", "people judged segment 'first' of A"),
        ("C\t3\t1", "there is no output of system 'C'"),
    ],
)
def test_judgements_of_other_texts(texts: list[str], row: str, message: str) -> None:
    Path("da.tsv").write_text("\n".join([*texts, row]), "utf-8")
    with pytest.raises(InputError, match=message):
        judged_in(TestSet.of(*_read("ref", "A", "B")), "da.tsv")


def test_too_few_of_them(texts: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    Path("da.tsv").write_text("\n".join(texts[:40]), "utf-8")
    call = "train blend ref -i A B --human da.tsv -m chrf -o m"
    assert main(call.split()) == 2
    assert "39 judgements are too few to train on: 200 are the least" in capsys.readouterr().err


def test_numbers_or_a_table(texts: list[str]) -> None:
    for number, (text, expected) in enumerate(
        [("1\n-2\n", True), ("-\n1\n", True), ("system\tscore\n", False)]
    ):
        Path(f"h{number}").write_text(text, "utf-8")
        assert is_lines_of_numbers(f"h{number}") == expected


def test_a_shared_task(shared: Path) -> None:
    found = judged_in_folder(str(shared / WMT17 / "DA-seglevel.csv"), str(shared / WMT17), ["en-ru"])
    assert (len(found), set(found.sets)) == (560, {"en-ru"})
    assert found.sources is not None
    assert found.sources[0] != found.references[0]
    same = found.standardised().judgements
    assert (same.mean(), same.std()) == (pytest.approx(0, abs=1e-9), pytest.approx(1))
    assert np.corrcoef(same, found.judgements)[0, 1] == pytest.approx(1)
    with pytest.raises(InputError, match="there are no judgements of 'en-xx'"):
        judged_in_folder(str(shared / WMT17 / "DA-seglevel.csv"), str(shared / WMT17), ["en-xx"])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("train blend ref -i A", "there are no judgements: give them with --human"),
        ("train blend ref -i A --human h --testset .", "--testset holds the texts"),
        ("train blend --human h --testset nowhere", "nowhere: is no folder of a shared task"),
    ],
)
def test_what_cannot_be_meant(
    texts: list[str], capsys: pytest.CaptureFixture[str], call: str, message: str
) -> None:
    assert main(call.split()) == 2
    assert message in capsys.readouterr().err
