"""Documents, indices and memories that are not as they should be: one line says so, and nothing is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from tertium.cli import main
from tertium.errors import TertiumWarning
from tertium.io.memories.pairs import Pair
from tertium.matching import index as indices
from tertium.matching.index import ENDING, MemoryIndex
from tertium.matching.indexing import index_memory
from tertium.matching.languages import other_language
from tertium.matching.matching import Matcher, match_document
from tertium.matching.proposals import Context
from tertium.matching.words import ENDING as WORDS
from tertium.matching.words import words_of
from tertium.memory.store import Memory
from tests.matching.test_matching import made_texts, memory, rows_of

ENGLISH = "This is the file that you have to open with the program, and it is in the folder of the user."
GERMAN = "Das ist die Datei, die Sie mit dem Programm öffnen müssen, und sie ist in dem Ordner des Benutzers."


def test_a_document_in_another_language_is_said_to_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = memory(tmp_path, [{"source": ENGLISH, "target": "Voici le fichier"}])
    document = tmp_path / "new.txt"
    document.write_text(GERMAN + "\n", "utf-8")
    assert main(["memory", "match", str(document), "--memory", path]) == 0  # matched all the same
    said = " ".join(capsys.readouterr().err.split())
    assert f"{document}: seems to be in German, not English" in said
    assert "function words" in said
    document.write_text(ENGLISH + "\n", "utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        match_document(str(document), path)
    document.write_text("Откройте файл, который находится в папке\n", "utf-8")
    with pytest.warns(TertiumWarning, match=r"is not in English \(34 of 34 letters are not LATIN\)"):
        match_document(str(document), path)


def test_little_text_and_unknown_languages_are_not_judged() -> None:
    assert other_language(["Öffnen", "der die das"], "en") is None  # too little
    assert other_language([GERMAN], "de-AT") is None
    assert other_language([GERMAN], "") is None
    assert other_language([GERMAN], "xx") is None  # nothing is known of its words
    assert other_language([], "en") is None


def test_an_index_that_is_not_used_is_said_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = memory(tmp_path, rows_of(made_texts(40)))
    with monkeypatch.context() as changed:
        changed.setattr(indices, "VERSION", indices.VERSION + 1)
        MemoryIndex.open(path)
    with pytest.warns(TertiumWarning, match="of another version; it is made anew"):
        found = MemoryIndex.open(path)
    assert len(found) == 40
    with pytest.warns(TertiumWarning, match="of other languages; it is made anew"):
        MemoryIndex.open(path, Pair("en", "fr"))
    whole = Path(path + ENDING).read_bytes()
    other = memory(tmp_path, rows_of(made_texts(30, seed=11)), "other")
    Path(other + ENDING).write_bytes(whole)
    with pytest.warns(TertiumWarning, match="of another memory; it is made anew"):
        assert len(MemoryIndex.open(other, Pair("en", "fr"))) == 30
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(MemoryIndex.open(other, Pair("en", "fr"))) == 30


@pytest.mark.parametrize("place", [0, 10, 1000, -40, -1])
def test_an_index_cut_short_is_made_anew(tmp_path: Path, place: int) -> None:
    path = memory(tmp_path, rows_of(made_texts(40)))
    MemoryIndex.open(path)
    whole = Path(path + ENDING).read_bytes()
    Path(path + ENDING).write_bytes(whole[:place])
    with pytest.warns(TertiumWarning, match="damaged; it is made anew"):
        MemoryIndex.open(path)
    assert Path(path + ENDING).read_bytes() == whole


def test_words_that_are_damaged_are_said_to_be(tmp_path: Path) -> None:
    path = memory(tmp_path, rows_of(made_texts(40)))
    index = MemoryIndex.open(path)
    first = words_of(index)
    whole = Path(path + WORDS).read_bytes()
    for damaged in (whole[: len(whole) // 2], b"junk", whole[:100] + b"\xff" + whole[101:]):
        Path(path + WORDS).write_bytes(damaged)
        with pytest.warns(TertiumWarning, match="these words are damaged or of another version"):
            again = words_of(index)
        assert (again.keys == first.keys).all()
        assert Path(path + WORDS).read_bytes() == whole


def run(code: str, *arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", code, *arguments], stderr=subprocess.PIPE)


@pytest.mark.parametrize(
    "moment", ["fsync", "replace"]
)  # before all is on the disk, and before it is in place
@pytest.mark.parametrize("there", [False, True])  # whether there is an older one
def test_a_killed_build_loses_nothing(tmp_path: Path, moment: str, there: bool) -> None:
    path = memory(tmp_path, rows_of(made_texts(40)))
    if there:
        MemoryIndex.open(path)
    before = Path(path + ENDING).read_bytes() if there else None
    code = (
        "import os, signal, sys\n"
        "from tertium.matching.indexing import index_memory\n"
        f"os.{moment} = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "index_memory(sys.argv[1])"
    )
    killed = run(code, path)
    _, said = killed.communicate(timeout=120)
    assert killed.returncode == -signal.SIGKILL, said.decode()
    assert (Path(path + ENDING).read_bytes() if os.path.exists(path + ENDING) else None) == before
    with pytest.warns(TertiumWarning, match="was killed while it wrote; it is removed, and nothing is lost"):
        index_memory(path)
    found = MemoryIndex.open(path)
    assert not list(tmp_path.glob("*.part"))
    assert len(found) == len(Memory.open(path)) == 40
    assert os.path.exists(path + ENDING)
    text = made_texts(40)[3]
    assert Matcher(found).propose(text)[0].rate == 100


def test_what_others_are_writing_is_left_alone(tmp_path: Path) -> None:
    path = memory(tmp_path, rows_of(made_texts(40)))
    beside = Path(f"{path}{ENDING}.{os.getpid()}-0123abcd.part")
    beside.write_bytes(b"half")
    other = Path(f"{path}{WORDS}.1-0123abcd.part")  # of another file
    other.write_bytes(b"half")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        MemoryIndex.open(path)
    assert beside.exists()
    assert other.exists()


def test_programs_that_add_at_the_same_time_lose_nothing(tmp_path: Path) -> None:
    """Each adds, one unit after the other, and writes the index in between."""
    path = memory(tmp_path, rows_of(made_texts(20)))
    code = (
        "import sys\n"
        "from tertium.io.memories.unit import Unit\n"
        "from tertium.matching.indexing import index_memory\n"
        "from tertium.memory.importing import add_units\n"
        "path, who = sys.argv[1:]\n"
        "for turn in range(8):\n"
        "    add_units([Unit(f'sentence {turn} of writer {who}', f'phrase {turn} {who}', 'en', 'fr')], path)\n"
        "    if turn % 4 == 3: index_memory(path)"
    )
    writers = [run(code, path, str(number)) for number in range(3)]
    for writer in writers:
        _, said = writer.communicate(timeout=120)
        assert writer.returncode == 0, said.decode()
    assert len(Memory.open(path)) == 20 + 24
    index = MemoryIndex.open(path)
    assert len(index) == 44
    for who in range(3):
        for turn in range(8):
            assert Matcher(index).propose(f"sentence {turn} of writer {who}")[0].rate == 100


def test_the_highest_rate_needs_all_that_was_named(tmp_path: Path) -> None:
    """102: neighbour, and the client and the domain, whichever were named."""
    rows = [
        {"source": "Open", "target": "Ouvrez", "client": "acme", "x-context-pre": "Before", "domain": "law"},
        {"source": "Open", "target": "Ouvrir", "client": "acme", "x-context-pre": "Before", "domain": "it"},
    ]
    matcher = Matcher(MemoryIndex.open(memory(tmp_path, rows)))

    def rates(client: str, domain: str) -> dict[str, int]:
        return {
            own.target: own.rate for own in matcher.propose("Open", Context("Before", "", client, domain))
        }

    assert rates("acme", "it") == {"Ouvrir": 102, "Ouvrez": 101}
    assert rates("", "law") == {"Ouvrez": 102, "Ouvrir": 101}
    assert rates("acme", "") == {"Ouvrez": 102, "Ouvrir": 102}
    assert rates("zeta", "it") == {"Ouvrez": 101, "Ouvrir": 101}
    assert rates("", "") == {"Ouvrez": 101, "Ouvrir": 101}


def test_what_is_no_memory_is_not_served(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    junk = tmp_path / "junk.db"
    junk.write_bytes(b"\x00junk\xff" * 100)
    for path in (junk, tmp_path / "nothing.db"):
        assert main(["memory", "serve", str(path), "--port", "0"]) == 2
        said = capsys.readouterr()
        assert len(said.err.splitlines()) == 1
        assert str(path) in said.err
        assert said.out == ""
    path = memory(tmp_path, rows_of(["one"]))
    assert main(["memory", "serve", path, "--port", "0", "--policy", str(junk)]) == 2
    assert str(junk) in capsys.readouterr().err
