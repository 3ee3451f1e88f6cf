"""`tertium memory check`: what is counted, what is ranked, and what is printed."""

from __future__ import annotations

import json
import lzma
import random
from itertools import islice
from pathlib import Path

import pytest

from tertium.cli import main
from tertium.errors import InputError
from tertium.io.memories.pairs import Pair
from tertium.io.memories.unit import Unit
from tertium.memory.checked import CheckedMemory, marked
from tertium.memory.checking import check_memory
from tertium.memory.examining import Examination
from tertium.vetting.suspicion import Suspicion
from tests.memory.made import PlainJudge, good_units

ROWS = (
    ("Wait 10 seconds.", "Attendez 100 secondes.", "acme", "ann", "2019-01-21"),
    ("Save %s now?", "Enregistrer maintenant.", "acme", "ben", "2020-01-21"),
    ("Open the file.", "Ouvrir le fichier.", "umbra", "ann", "2020-02-03"),
    ("Close", "Fermer", "", "", ""),
)


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    path = tmp_path / "memory.jsonl"
    names = ("source", "target", "client", "translator", "date")
    path.write_text("".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in ROWS))
    return path


def checked(path: Path, **given: object) -> CheckedMemory:
    return check_memory(str(path), pair=Pair("en", "fr"), judge=PlainJudge(), **given)  # type: ignore[arg-type]


def test_what_is_counted(memory: Path) -> None:
    found = checked(memory)
    assert (found.units, found.look) == (4, 2)
    assert {own.name: own.units for own in found.checks if own.units} == {
        "numbers": 1,
        "placeholders": 1,
        "ending": 1,
    }
    assert {own.name: (own.units, own.look) for own in found.clients} == {
        "acme": (2, 2),
        "umbra": (1, 0),
        "": (1, 0),
    }
    assert [(own.name, own.look) for own in found.years] == [("", 0), ("2019", 1), ("2020", 1)]


def test_the_worst_come_first_and_say_why(memory: Path) -> None:
    found = checked(memory)
    assert [own.number for own in found.worst] == [2, 1]
    assert [reason.check for reason in found.worst[0].reasons] == ["placeholders", "ending"]
    assert found.worst[1].reasons[0].source == ((5, 7),)


def test_one_client_or_one_check(memory: Path) -> None:
    assert checked(memory, clients=["umbra"]).units == 1
    assert [own.number for own in checked(memory, checks=["numbers"]).worst] == [1]
    with pytest.raises(InputError, match="no unit is of nobody"):
        checked(memory, clients=["nobody"])


def test_the_heap_keeps_what_sorting_would_keep() -> None:
    draw = random.Random(7)
    numbers = [draw.choice((0.2, 0.5, 0.7, draw.random())) for _ in range(2000)]
    from tertium.vetting.checks.base import Doubt

    suspicions = [Suspicion(own, (Doubt("numbers", "", own),)) for own in numbers]
    units = [Unit(str(i), str(i)) for i in range(len(numbers))]
    found = Examination(50)
    for begin in range(0, len(units), 333):
        found.add(units[begin : begin + 333], suspicions[begin : begin + 333])
    expected = sorted(range(len(numbers)), key=lambda i: (-numbers[i], i))[:50]
    assert [own.number - 1 for own in found.ranked()] == expected
    assert found.look == sum(own >= 0.5 for own in numbers)


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """Enough for a judge that learns, with two units that are wrong."""
    units = good_units(400)
    units[123] = units[123].changed(target="Attendez ?", source="Wait.")
    units[7] = Unit("Save the new file 10 for the %s now.", "Enregistrer le nouveau fichier 100.", "en", "fr")
    units[300] = Unit(
        "Open the old page 7 for the %s now.", "Ouvrir le ancien page 77 pour le %s.", "en", "fr"
    )
    path = tmp_path / "large.jsonl"
    path.write_text("".join(json.dumps({"source": own.source, "target": own.target}) + "\n" for own in units))
    return path


def test_the_command(large: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call = ["memory", "check", str(large), "--pair", "en-fr"]
    assert main(call) == 0
    said = " ".join(capsys.readouterr().out.split())  # lines are broken between words
    assert "400 units; " in said
    assert "[100]" in said
    assert "numbers: 10 is missing; 100 is extra" in said
    assert main([*call, "--top", "2", "-f", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["look"] >= 2 == len(found["worst"])
    assert {own["number"] for own in found["worst"]} <= {8, 124, 301}
    assert main([*call, "--check", "ending", "-f", "json"]) == 0
    assert [own["number"] for own in json.loads(capsys.readouterr().out)["worst"]] == [124]
    assert main([*call, "--check", "number"]) == 2
    assert "did you mean 'numbers'" in capsys.readouterr().err


def test_long_texts_are_shown_around_the_place(tmp_path: Path) -> None:
    path = tmp_path / "long.tsv"
    path.write_text(f"{'word ' * 200}10 files\t{'mot ' * 200}100 fichiers\n")
    said = checked(path).text(terminal=False)
    assert "[10] files" in said
    assert len(said) < 2500


def test_marks() -> None:
    assert marked("a b c", [(0, 1), (4, 5), (0, 1)]) == "[a] b [c]"
    assert marked("abc", [(0, 3)]) == "abc"


def test_processes_find_what_one_finds_in_a_real_memory(
    shared: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Documents of a catalogue have regions to look for, whose words every process must know."""
    with lzma.open(shared / "data/memory/en-fr.jsonl.xz", "rt", encoding="utf-8") as file:
        lines = [*islice(file, 30_000, 36_000)]
    path = tmp_path / "memory.jsonl"
    path.write_text("".join(lines), encoding="utf-8")
    found = []
    for engine in ("local", "processes:2"):
        status = main(
            ["memory", "check", str(path), "--pair", "en-fr", "--engine", engine, "-f", "json", "-q"]
        )
        out, err = capfd.readouterr()
        assert status == 0, err
        found.append(out)
    assert found[0] == found[1]
