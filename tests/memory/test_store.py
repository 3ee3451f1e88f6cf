"""Memories on disk: nothing twice, all or nothing, read while they grow, in flat memory."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tertium.cli import main
from tertium.errors import InputError
from tertium.io.memories.formats import open_units
from tertium.io.memories.pairs import Pair
from tertium.io.memories.unit import Unit
from tertium.memory.conversion import convert_memory
from tertium.memory.importing import import_memory
from tertium.memory.store import Memory, unit_hash

EN_FR = Pair("en", "fr")
HEAD = '<tmx version="1.4"><header srclang="en"/><body>'


def tmx(path: Path, texts: list[str], end: str = "</body></tmx>") -> str:
    units = [
        f'<tu  odd = "é"><prop type="client">apt</prop><tuv xml:lang="en"><seg>{text}</seg></tuv>'
        f'<tuv xml:lang="fr"><seg>{text[::2] if text.isalnum() else "autre"}</seg></tuv></tu>'
        for text in texts
    ]
    path.write_text(HEAD + "\n".join(units) + end, "utf-8")
    return str(path)


def sources(path: str) -> list[str]:
    return [unit.source for unit in Memory.open(path)]


def test_nothing_twice(tmp_path: Path) -> None:
    memory = str(tmp_path / "m.db")
    first = tmx(tmp_path / "a.tmx", ["one", "two", "one", "three"])
    done = import_memory([first], memory)
    assert (done.added, done.total) == (4, 4)
    assert sources(memory) == ["one", "two", "one", "three"]  # what occurs twice in a file stays there twice
    before = (tmp_path / "m.db").read_bytes()
    assert import_memory([first, first], memory).added == 0
    assert (tmp_path / "m.db").read_bytes() == before
    more = tmx(tmp_path / "b.tmx", ["zero", "one", "one", "four", "one"])
    done = import_memory([more, first], memory)
    assert [(file.units, file.added) for file in done.files] == [(5, 3), (4, 0)]
    assert sources(memory) == ["one", "two", "one", "three", "zero", "four", "one"]
    assert len(Memory.open(memory)) == 7
    both = str(tmp_path / "both.db")
    assert import_memory([first, first], both).added == 4


def test_units_come_out_as_they_went_in(tmp_path: Path) -> None:
    path, memory, out = (
        tmx(tmp_path / "a.tmx", ["a &lt; b", "𝔘 <ph x='1'/>"]),
        str(tmp_path / "m.db"),
        tmp_path / "b.tmx",
    )
    import_memory([path], memory)
    assert list(Memory.open(memory)) == list(open_units(path))
    assert convert_memory([memory], str(out)).units == 2
    assert [unit.raw for unit in open_units(str(out))] == [unit.raw for unit in open_units(path)]
    with pytest.raises(InputError, match="there are no units in en-de in this memory"):
        convert_memory([memory], str(tmp_path / "c.tmx"), pair=Pair("en", "de"))
    assert [number for number, _ in Memory.open(memory).units(after=1)] == [2]


def test_hashes_tell_units_apart() -> None:
    odd = [
        Unit("a", "b"), Unit("a\0b", ""), Unit("", "a\0b"), Unit("a", "", "b"), Unit("a", "b", used=0),
        Unit("a", "b", properties=(("x", "y"),)), Unit("a", "b", properties=(("x", ""), ("y", ""))),
        Unit("a", "b", target_markup="x"), Unit("a", "b", source_markup="x"),
    ]  # fmt: skip
    assert len({unit_hash(unit) for unit in odd}) == len(odd)
    assert unit_hash(odd[0]) == unit_hash(odd[0]._replace(raw="<tu/>"))


def test_a_broken_file_changes_nothing(tmp_path: Path) -> None:
    memory, good = str(tmp_path / "m.db"), tmx(tmp_path / "a.tmx", ["one"])
    broken = tmx(tmp_path / "b.tmx", ["two", "three"], "</tmx>")
    with pytest.raises(InputError, match=r"mismatched tag \(the 3 units before it are in .*m.db.partial\)"):
        import_memory([good, broken], memory)
    assert not os.path.exists(memory)
    assert sources(memory + ".partial") == ["one", "two", "three"]
    import_memory([good], memory)
    before = (tmp_path / "m.db").read_bytes()
    with pytest.raises(InputError, match=r"the 2 units before it are in .*m.db.partial"):
        import_memory([broken], memory)
    assert (tmp_path / "m.db").read_bytes() == before
    assert sources(memory + ".partial") == ["two", "three"]
    assert sorted(own.name for own in tmp_path.iterdir()) == ["a.tmx", "b.tmx", "m.db", "m.db.partial"]


def wait_and_kill(process: subprocess.Popen[bytes], folder: Path, seconds: float) -> None:
    time.sleep(seconds)
    process.send_signal(signal.SIGKILL)
    process.wait()


@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize("seconds", [0.6, 1.2])
def test_a_killed_import_changes_nothing(tmp_path: Path, there: bool, seconds: float) -> None:
    memory = str(tmp_path / "m.db")
    if there:
        import_memory([tmx(tmp_path / "a.tmx", ["one", "two"])], memory)
    large = tmx(tmp_path / "b.tmx", [f"text {i}" for i in range(300_000)])
    call = [sys.executable, "-m", "tertium", "memory", "import", large, "-o", memory]
    wait_and_kill(subprocess.Popen(call, stdout=subprocess.DEVNULL), tmp_path, seconds)
    if there:
        assert sources(memory) == ["one", "two"]
        small = tmx(tmp_path / "c.tmx", ["two", "three"])
        assert import_memory([small], memory).added == 1
    else:
        assert not os.path.exists(memory)


def test_a_memory_grows_while_it_is_read(tmp_path: Path) -> None:
    memory = str(tmp_path / "m.db")
    import_memory([tmx(tmp_path / "a.tmx", [f"text {i}" for i in range(5000)])], memory)
    reading = iter(Memory.open(memory))
    assert next(reading).source == "text 0"
    assert import_memory([tmx(tmp_path / "b.tmx", ["new"])], memory).added == 1
    found = [unit.source for unit in reading]
    assert (len(found), found[-1]) == (5000, "new")


def test_one_writer_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = str(tmp_path / "m.db")
    path = tmx(tmp_path / "a.tmx", ["one"])
    import_memory([path], memory)
    monkeypatch.setattr("tertium.memory.importing._WAIT", 0.1)
    other = sqlite3.connect(memory, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(InputError, match="another program is writing to this memory"):
        import_memory([tmx(tmp_path / "b.tmx", ["two"])], memory)
    assert sources(memory) == ["one"]
    other.execute("ROLLBACK")
    other.close()


def test_files_that_are_no_memories(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, memory = tmx(tmp_path / "a.tmx", ["one"] * 3000), tmp_path / "m.db"
    cases = {"": b"", "no memory": b"text\n", "damaged": None, "no memory of ours": None, "version 99": None}
    for said, content in cases.items():
        memory.unlink(missing_ok=True)
        if content is not None:
            memory.write_bytes(content)
        elif said == "no memory of ours":
            sqlite3.connect(memory).executescript(
                "CREATE TABLE t (x); PRAGMA user_version = 1;"
            ).connection.close()
        else:
            import_memory([path], str(memory))
            if said == "damaged":
                data = bytearray(memory.read_bytes())
                data[4096:] = os.urandom(len(data) - 4096)
                memory.write_bytes(data)
            else:
                other = sqlite3.connect(memory)
                other.execute("PRAGMA user_version = 99")
                other.close()
        for call in (["convert", str(memory), str(tmp_path / "o.tmx")], ["import", path, "-o", str(memory)]):
            assert main(["memory", *call]) == 2, (said, call)
            err = capsys.readouterr().err
            assert err.startswith(f"tertium: {memory}: ")
            assert (err.count("\n"), said in err) == (1, True), err
    assert not (tmp_path / "o.tmx").exists()
    assert main(["memory", "import", path, "-o", str(tmp_path / "none" / "m.db")]) == 2
    assert main(["memory", "import", str(memory), "-o", str(memory)]) == 2
    assert "cannot be imported into itself" in capsys.readouterr().err


def test_flat_memory(tmp_path: Path) -> None:
    """200,000 units of some 60 MB are imported, and imported again, with less than that."""
    path = tmx(tmp_path / "a.tmx", [f"text {i} " + "x" * 200 for i in range(200_000)])
    assert os.path.getsize(path) > 60 << 20
    program = (
        "import resource, sys\nfrom tertium.memory.importing import import_memory\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "for _ in range(2): import_memory(sys.argv[1:2], sys.argv[2])\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)"
    )
    call = [sys.executable, "-c", program, path, str(tmp_path / "m.db")]
    done = subprocess.run(call, capture_output=True, text=True, check=True)
    assert int(done.stdout) < 60 << 10  # kilobytes
