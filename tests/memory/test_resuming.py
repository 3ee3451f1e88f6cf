"""Runs that are interrupted or killed, and gone on with: the result is that of a run that was left alone."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from tertium.cli import main
from tertium.io.memories.pairs import Pair
from tertium.io.memories.unit import Unit
from tertium.memory import reading, resuming
from tertium.memory.checking import check_memory
from tertium.memory.cleaning import clean_memory
from tertium.vetting.suspicion import Suspicion
from tests.memory.made import PlainJudge, good_units

PAIR = Pair("en", "fr")


class Weary(PlainJudge):
    """Stops after some batches; `asked` counts units."""

    def __init__(self, batches: int, stop: type[BaseException] | None = KeyboardInterrupt) -> None:
        super().__init__()
        self.left, self.stop, self.asked = batches, stop, 0

    def judge(self, units: Sequence[Unit]) -> list[Suspicion]:
        if self.left == 0:
            if self.stop is None:
                os._exit(9)
            raise self.stop
        self.left -= 1
        self.asked += len(units)
        return super().judge(units)


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TERTIUM_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(reading, "BATCH", 10)
    units = good_units(100)
    for i in range(0, 100, 7):
        units[i] = units[i].changed(target=units[i].target.replace("%s", "").rstrip("."))
    path = tmp_path / "in.jsonl"
    path.write_text(
        "".join(
            json.dumps({"source": own.source, "target": own.target, "client": f"c{i % 3}"}) + "\n"
            for i, own in enumerate(units)
        )
    )
    return path


def states(memory: Path) -> list[Path]:
    return list((memory.parent / "cache" / "runs").glob("*.cache"))


def test_an_interrupted_check_is_gone_on_with(memory: Path) -> None:
    whole = check_memory(str(memory), pair=PAIR, judge=PlainJudge())
    with pytest.raises(KeyboardInterrupt, match="stopped after 60 units; the same command with --resume"):
        check_memory(str(memory), pair=PAIR, judge=Weary(6))
    assert len(states(memory)) == 1
    second = Weary(99)
    assert check_memory(str(memory), pair=PAIR, judge=second, resume=True).data() == whole.data()
    assert second.asked == 40
    assert states(memory) == []


def test_a_killed_check_is_gone_on_with(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resuming, "EVERY", 0.0)
    whole = check_memory(str(memory), pair=PAIR, judge=PlainJudge())
    child = os.fork()
    if not child:
        try:
            check_memory(str(memory), pair=PAIR, judge=Weary(4, None))
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    second = Weary(99)
    assert check_memory(str(memory), pair=PAIR, judge=second, resume=True).data() == whole.data()
    assert second.asked < 100


def test_an_interrupted_clean_is_gone_on_with(memory: Path) -> None:
    folder = memory.parent
    names = [str(folder / name) for name in ("clean.jsonl", "removed.jsonl")]
    whole = clean_memory(str(memory), *names, pair=PAIR, precision=0.6, judge=PlainJudge())
    texts = [Path(name).read_text() for name in names]
    for name in names:
        Path(name).unlink()
    with pytest.raises(KeyboardInterrupt, match="stopped after 30 units"):
        clean_memory(str(memory), *names, pair=PAIR, precision=0.6, judge=Weary(3))
    assert not any(Path(name).exists() for name in names)
    second = Weary(9999)
    again = clean_memory(str(memory), *names, pair=PAIR, precision=0.6, judge=second, resume=True)
    assert (again, [Path(name).read_text() for name in names]) == (whole, texts)
    assert second.asked == 70 + whole.removed


def test_what_is_not_the_same_run_begins_anew(memory: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        check_memory(str(memory), pair=PAIR, judge=Weary(6))
    other = Weary(99)
    check_memory(str(memory), pair=PAIR, judge=other, resume=True, clients=["c1"])
    assert other.asked == 100
    memory.write_text(memory.read_text() + '{"source": "a", "target": "b"}\n')
    changed = Weary(99)
    check_memory(str(memory), pair=PAIR, judge=changed, resume=True)
    assert changed.asked == 101


def test_a_damaged_state_begins_anew(memory: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        check_memory(str(memory), pair=PAIR, judge=Weary(6))
    data = bytearray(states(memory)[0].read_bytes())
    data[len(data) // 2] ^= 1
    states(memory)[0].write_bytes(data)
    second = Weary(99)
    with pytest.warns(UserWarning, match="is damaged"):
        check_memory(str(memory), pair=PAIR, judge=second, resume=True)
    assert second.asked == 100


def test_the_command_says_how_to_go_on(
    memory: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tertium.memory.checking.usual_judge", lambda *_: Weary(2))
    assert main(["memory", "check", str(memory), "--pair", "en-fr"]) == 130
    assert capsys.readouterr().err == (
        "tertium: interrupted: stopped after 20 units; the same command with --resume goes on from there\n"
    )
    monkeypatch.setattr("tertium.memory.checking.usual_judge", lambda *_: PlainJudge())
    assert main(["memory", "check", str(memory), "--pair", "en-fr", "--resume"]) == 0
    assert "100 units" in " ".join(capsys.readouterr().out.split())
