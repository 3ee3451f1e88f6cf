"""A system at work: corrections reach the next segment, and survive kills, full disks and restarts."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tertium.adaptation.base import Materials, SourceSegment, system
from tertium.adaptation.live import LOG, LiveSystem
from tertium.adaptation.programs import ProgramSystem
from tertium.errors import InputError
from tertium.io.memories.pairs import Pair
from tests.adaptation.programs import program

SNOW = SourceSegment("Snow will end tonight.", client="office")
RIGHT = "La neige cessera cette nuit."


def live(folder: Path, spec: str = "memory", every: int = 50) -> LiveSystem:
    return LiveSystem(
        str(folder / "work"), lambda: system(spec, Materials(pair=Pair("en", "fr"))), every=every
    )


def names(folder: Path) -> list[str]:
    return sorted(os.listdir(folder / "work"))


def test_corrections_reach_the_next_segment_and_the_next_start(tmp_path: Path) -> None:
    own = live(tmp_path)
    assert own.translate(SNOW).text == ""
    lesson, number = own.correct(SNOW, f" {RIGHT} ")
    assert (lesson.learnt, number) == (True, 1)
    assert own.translate(SNOW).text == RIGHT
    own.close()
    assert names(tmp_path) == [LOG, "snapshot-1"]
    again = live(tmp_path)
    assert again.translate(SNOW).text == RIGHT
    again.forget()
    assert again.translate(SNOW).text == ""
    again.close()
    last = live(tmp_path)
    assert last.translate(SNOW).text == ""
    last.close()


def test_what_is_after_the_snapshot_is_learnt_again(tmp_path: Path) -> None:
    """As after a kill: the object is dropped without its last snapshot, with a line half written."""
    own = live(tmp_path, every=4)
    for number in range(10):
        own.correct(
            SourceSegment(f"Snow on day {number} of the storm"), f"Neige au jour {number} de la tempête"
        )
    own._log.close()
    assert names(tmp_path) == [LOG, "snapshot-8"]
    with open(tmp_path / "work" / LOG, "ab") as file:
        file.write(b'0000 {"source": "cut')
    again = live(tmp_path)
    assert again.mended
    assert again.corrections == 10
    assert (
        again.translate(SourceSegment("Snow on day 9 of the storm")).text == "Neige au jour 9 de la tempête"
    )
    again.close()


def test_a_full_disk_during_a_snapshot_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = live(tmp_path, every=1)
    own.correct(SNOW, RIGHT)
    assert names(tmp_path) == [LOG, "snapshot-1"]

    def full(path: str) -> None:
        Path(path).write_text("half")
        raise InputError(f"{path}: cannot be written: No space left on device")

    monkeypatch.setattr(own.system, "snapshot", full)
    lesson, number = own.correct(SourceSegment("Rain tomorrow morning"), "Pluie demain matin")
    assert (lesson.learnt, number) == (True, 2)
    assert names(tmp_path) == [LOG, "snapshot-1"]
    assert "No space left" in own.about()["trouble"]
    own._log.close()
    again = live(tmp_path)
    assert again.translate(SourceSegment("Rain tomorrow morning")).text == "Pluie demain matin"
    again.close()


def test_a_program_keeps_its_own_snapshots(tmp_path: Path) -> None:
    def made() -> LiveSystem:
        return LiveSystem(str(tmp_path / "work"), lambda: ProgramSystem(program(tmp_path)), every=2)

    own = made()
    for text in ("a", "b", "c"):
        own.correct(SourceSegment(text), text * 2)
    own.close()
    again = made()
    assert [again.translate(SourceSegment(text)).text for text in "abc"] == ["aa", "bb", "cc"]
    again.close()


def test_two_servers_do_not_share_a_folder_and_damage_is_named(tmp_path: Path) -> None:
    own = live(tmp_path)
    own.correct(SNOW, RIGHT)
    with pytest.raises(InputError, match="another session is writing"):
        live(tmp_path)
    with pytest.raises(InputError, match="an empty correction"):
        own.correct(SNOW, " ")
    own.close()
    log = tmp_path / "work" / LOG
    log.write_bytes(log.read_bytes().replace(b"neige", b"pluie"))
    with pytest.raises(InputError, match="line 1: is damaged"):
        live(tmp_path)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    process, address = started(tmp_path)
    yield process, address
    process.kill()
    process.wait()
    assert process.stdout is not None
    process.stdout.close()


def started(folder: Path) -> tuple[subprocess.Popen[str], str]:
    call = [
        sys.executable,
        "-m",
        "tertium",
        "adapt",
        "serve",
        str(folder / "work"),
        "--port",
        "0",
        "--pair",
        "en-fr",
    ]
    process = subprocess.Popen(call, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    address = process.stdout.readline().split(": ", 1)[1].split("/translate")[0]
    return process, address


def asked(address: str, verb: str, **given: Any) -> tuple[int, Any]:
    data = json.dumps(given).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(f"{address}/{verb}", data), timeout=60) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


def test_over_http_and_after_a_kill(tmp_path: Path, server: tuple[subprocess.Popen[str], str]) -> None:
    process, address = server
    known = {"source": SNOW.source, "client": "office"}
    status, made = asked(address, "translate", **known)
    assert (status, made["translation"], made["origin"]) == (200, "", "")
    assert asked(address, "correct", **known, correction=RIGHT)[1]["corrections"] == 1
    assert asked(address, "translate", **known)[1]["translation"] == RIGHT
    for given, said in (
        ({**known, "correction": " "}, "an empty correction"),
        ({"source": "x"}, "correction: Field required"),
        ({**known, "correction": "y", "colour": "red"}, "colour"),
    ):
        status, told = asked(address, "correct", **given)
        assert status == 400
        assert said in told["error"]
    assert asked(address, "fly")[0] == 404
    german = "Der Wind wird in der Nacht nicht so stark sein, und der Schnee ist dann mit dem Regen zu Ende."
    told = asked(address, "correct", source="Wind tonight", correction=german)[1]
    assert not told["learnt"]
    assert "German, not French" in told["reasons"][0]
    process.send_signal(signal.SIGKILL)
    process.wait()
    again, address = started(tmp_path)
    try:
        assert asked(address, "translate", **known)[1]["translation"] == RIGHT
    finally:
        again.kill()
        again.wait()
        assert again.stdout is not None
        again.stdout.close()
