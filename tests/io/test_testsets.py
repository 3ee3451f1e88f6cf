"""Test sets by name: sacrebleu's folder, its texts to the byte, downloads from a server that may misbehave."""

from __future__ import annotations

import hashlib
import io
import json
import os
import signal
import socket
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import tertium as tt
from tertium.errors import InputError, TertiumWarning
from tertium.io.testsets import fetching
from tertium.io.testsets.kinds import xml
from tertium.io.testsets.subsets import SetPart, kept
from tertium.io.testsets.table import named_set, named_sets
from tertium.io.testsets.texts import echoed, fields_of, texts_of
from tertium.namedsets import get_test_sets, list_test_sets
from tests.testsets import Server, Text, bundled_sets, hard, made_up, served_table, serving


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """All test sets, small, on loopback; an empty folder of sacrebleu's."""
    monkeypatch.setattr(fetching, "WAIT", 0.0)
    monkeypatch.setenv("SACREBLEU", str(tmp_path / "sacrebleu"))
    with serving() as own:
        monkeypatch.setenv(
            "TERTIUM_TESTSETS", str(served_table(own, bundled_sets(), tmp_path / "table.json"))
        )
        yield own


@pytest.mark.filterwarnings("ignore:Python 3.14 will:DeprecationWarning")  # of how sacrebleu unpacks
@pytest.mark.parametrize("text", [made_up, hard])
def test_texts_are_those_of_sacrebleu(
    server: Server, text: Text, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every test set and language pair: sacrebleu downloads the same archives itself, and makes the same files with the
    same bytes of them; the door reads the same references out of them."""
    from sacrebleu.dataset import DATASETS

    table = served_table(server, bundled_sets(), tmp_path / f"{text.__name__}.json", text)
    monkeypatch.setenv("TERTIUM_TESTSETS", str(table))
    for name in named_sets():
        get_test_sets([name])
        named = named_set(name)
        theirs: Any = DATASETS[name]
        other = tmp_path / "theirs" / name
        monkeypatch.setattr(theirs, "_outdir", str(other))
        monkeypatch.setattr(theirs, "_rawdir", str(other / "raw"))
        monkeypatch.setattr(theirs, "data", [own.address for own in named.sources])
        monkeypatch.setattr(theirs, "md5", [own.md5 for own in named.sources])
        for pair in named.pairs:
            theirs.process_to_text(pair)
            ours = fields_of(named, pair)
            assert set(ours) == set(theirs.fieldnames(pair))
            want = theirs.get_reference_files(pair)
            assert sorted(map(os.path.basename, texts_of(name, pair).references)) == sorted(
                map(os.path.basename, want)
            )
            for field, path in ours.items():
                made = Path(theirs._get_txt_file_path(pair, field))
                assert Path(path).read_bytes() == made.read_bytes(), (name, pair, field)
            read = sorted(list(stream) for stream in tt.TestSet.named(name, pair).references.streams)
            assert read == sorted(map(_stripped, want)), (name, pair)
    assert len(named_sets()) == len(DATASETS) == 67


def _stripped(path: str) -> list[str]:
    """A text as sacrebleu's command reads it."""
    with open(path, encoding="utf-8", newline="\n") as file:
        return [line.rstrip() for line in file]


def test_archives_that_sets_share_are_downloaded_once(server: Server) -> None:
    assert [own.how for own in get_test_sets(["wmt20"]).archives] == ["downloaded"]
    assert [own.how for own in get_test_sets(["wmt20/tworefs"]).archives] == ["copied from wmt20"]
    assert [own.how for own in get_test_sets(["wmt20"]).archives] == ["already here"]
    assert len(server.asked) == 1
    assert [own.name for own in list_test_sets().sets if own.here] == ["wmt20/tworefs", "wmt20"]


def test_a_download_goes_on_where_it_broke_off(server: Server) -> None:
    server.habits = ["cut", "500", "cut"]
    (archive,) = get_test_sets(["wmt17"]).archives
    assert archive.how == "resumed"
    ranges = [asked for _, asked in server.asked]
    assert ranges[0] == ""
    assert all(asked.startswith("bytes=") for asked in ranges[1:])
    assert fields_of(named_set("wmt17"), "de-en")


def test_a_download_goes_on_in_another_run(server: Server) -> None:
    server.habits = ["cut", *["500"] * 4]
    with pytest.raises(InputError, match=r"the server says 500 .*; [\d,]+ bytes are kept") as raised:
        get_test_sets(["wmt17"])
    assert "\n" not in str(raised.value)
    with pytest.raises(InputError, match="get it with tertium testset get wmt17"):
        texts_of("wmt17", "de-en")
    assert [own.how for own in get_test_sets(["wmt17"]).archives] == ["resumed"]


def test_a_server_without_ranges(server: Server) -> None:
    server.habits = ["cut", "no range"]
    assert [own.how for own in get_test_sets(["wmt17"]).archives] == ["downloaded"]


@pytest.mark.parametrize("damage", [b"", b"more", None])
def test_another_file_is_not_kept(server: Server, damage: bytes | None) -> None:
    """Content that the checksum does not fit, longer or of the same length, or an archive that was cut off here."""
    named = named_set("wmt17")
    path = Path(named.archive_path(named.sources[0]))
    place = named.sources[0].address.removeprefix(server.address)
    if damage is None:
        get_test_sets(["wmt17"])
        path.write_bytes(path.read_bytes()[:-20])
        assert [own.how for own in get_test_sets(["wmt17"]).archives] == ["downloaded"]
        return
    data = server.files[place]
    server.files[place] = data + damage if damage else data[:-1] + bytes([data[-1] ^ 1])
    with pytest.raises(InputError, match=r"MD5 checksum is .* expected .*: nothing is kept"):
        get_test_sets(["wmt17"])
    assert [own.name for own in path.parent.iterdir()] == [f"{path.name}.lock"]


def test_what_was_resumed_and_is_not_the_same_begins_once_more(server: Server) -> None:
    """The beginning is of a file that has since been replaced by the one in the table."""
    named = named_set("wmt17")
    part = Path(f"{named.archive_path(named.sources[0])}.part")
    part.parent.mkdir(parents=True)
    part.write_bytes(b"of another file")
    assert [own.how for own in get_test_sets(["wmt17"]).archives] == ["downloaded"]
    assert [asked for _, asked in server.asked] == ["bytes=15-", ""]


def test_a_server_that_sends_another_range(server: Server) -> None:
    server.habits = ["cut", "other range"]
    assert [own.how for own in get_test_sets(["wmt17"]).archives] == ["downloaded"]
    assert [bool(asked) for _, asked in server.asked] == [False, True, False]


def test_redirects(server: Server) -> None:
    place = named_set("wmt17").sources[0].address
    server.habits = [f"to {place}"]
    assert [own.how for own in get_test_sets(["wmt17"]).archives] == ["downloaded"]
    server.habits = ["to ftp://127.0.0.1/a"]
    with pytest.raises(
        InputError, match=r"sends us on to ftp://127.0.0.1/a, which is neither http nor https"
    ):
        get_test_sets(["wmt18"])


def test_no_net_is_told_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Five tries with waits between them help against a bad line, not against none."""
    monkeypatch.setenv("SACREBLEU", str(tmp_path))

    def nowhere(*_: Any, **__: Any) -> Any:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", nowhere)
    monkeypatch.setattr(fetching, "time", None)  # nobody waits
    with pytest.raises(InputError, match=r"test\.tgz: cannot be downloaded: Name or service not known$"):
        get_test_sets(["wmt17"])


def test_a_folder_that_cannot_be_written(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SACREBLEU", str(tmp_path / "file"))
    with pytest.raises(InputError, match=r"cannot be written \(Not a directory\): set SACREBLEU to a folder"):
        get_test_sets(["wmt17"])
    assert server.asked == []


def test_a_folder_that_others_filled_is_read(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """An office's, without the right to write: what has not been made of an archive yet lies in a folder of our own."""
    get_test_sets(["wmt17"])
    named = named_set("wmt17")
    with monkeypatch.context() as patch:
        patch.setattr(os, "access", lambda *_: False)  # root may write everywhere
        patch.setattr(fetching, "_alone", None)  # a lock would be written
        own = Path(texts_of("wmt17", "de-en").source).read_bytes()
        assert not os.path.exists(named.text_path("de-en", "src"))
        assert [archive.how for archive in get_test_sets(["wmt17"]).archives] == ["already here"]
    assert Path(fields_of(named, "de-en")["src"]).read_bytes() == own


def test_a_full_disk_is_told_at_once_and_what_came_is_kept(server: Server, tmp_path: Path) -> None:
    """A limit on the size of files stands for the disk; nothing is tried a second time."""
    named = named_set("wmt22")
    whole = len(server.files[named.sources[0].address.removeprefix(server.address)])
    code = (
        "import resource, sys\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({whole // 2}, {whole // 2}))\n"
        "from tertium.cli import main\n"
        "sys.argv = ['tertium', 'testset', 'get', 'wmt22']\n"
        "sys.exit(main())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert (done.returncode, len(server.asked)) == (2, 1)
    assert (
        "wmt22.v1.1.tar.gz.part: cannot be written (File too large): make room, and ask again" in done.stderr
    )
    assert done.stderr.count("\n") == 1
    assert [own.how for own in get_test_sets(["wmt22"]).archives] == ["resumed"]
    assert fields_of(named, "de-en")


def _getting(*names: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tertium", "testset", "get", *names, "-f", "json"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_two_processes_get_one_archive_once(server: Server) -> None:
    server.habits = ["stall"]
    both = [_getting("wmt17"), _getting("wmt17")]
    _wait_for(lambda: bool(server.asked))
    with pytest.raises(subprocess.TimeoutExpired):
        both[1].wait(1.5)  # one of them stalls, and the other one waits for it
    server.go_on.set()
    said = [json.loads(own.communicate(timeout=120)[0])["archives"][0]["how"] for own in both]
    assert sorted(said) == ["already here", "downloaded"]
    assert len(server.asked) == 1


def test_an_interrupted_download_leaves_nothing_that_looks_whole(server: Server) -> None:
    named = named_set("wmt17")
    raw = Path(named.raw)
    server.habits = ["stall"]
    process = _getting("wmt17")
    _wait_for(lambda: any(path.suffix == ".part" and path.stat().st_size for path in raw.glob("*")))
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=120)
    server.go_on.set()
    assert process.returncode == 130
    assert "Traceback" not in err
    assert sorted(path.suffix for path in raw.glob("*")) == [".lock", ".part"]
    assert [own.how for own in get_test_sets(["wmt17"]).archives] == ["resumed"]


def _wait_for(what: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not what():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_an_archive_has_been_unpacked_when_it_gets_its_name(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """sacrebleu unpacks only what it has downloaded itself: an archive whose texts were not written yet would stop
    it."""
    named = named_set("wmt17")

    def broken(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(fetching, "unpack_from", broken)
        with pytest.raises(KeyboardInterrupt):
            get_test_sets(["wmt17"])
    assert not os.path.exists(named.archive_path(named.sources[0]))
    assert [own.how for own in get_test_sets(["wmt17"]).archives] == ["resumed"]


def test_the_folder_of_an_older_sacrebleu(server: Server) -> None:
    """Before 2.1 archives lay beside `raw`, and texts were called `de-en.de`: what was unpacked is used, and the
    archive is not downloaded again."""
    get_test_sets(["wmt17"])
    named = named_set("wmt17")
    (archive,) = named.sources
    os.rename(named.archive_path(archive), named.old_archive_path(archive))
    server.asked.clear()
    assert [own.name for own in list_test_sets().sets if own.here] == ["wmt17"]
    assert texts_of("wmt17", "de-en").references
    assert [own.how for own in get_test_sets(["wmt17"]).archives] == [
        f"copied from wmt17/{os.path.basename(archive.address)}"
    ]
    assert server.asked == []


@pytest.mark.parametrize(("name", "field"), [("wmt17", "ref"), ("wmt17", "docid"), ("wmt22", "src")])
def test_a_text_that_was_cut_off_is_made_again(server: Server, name: str, field: str) -> None:
    """sacrebleu writes under the final name: what it was interrupted at must not be scored with."""
    get_test_sets([name])
    whole = {own: Path(path).read_bytes() for own, path in fields_of(named_set(name), "de-en").items()}
    path = Path(named_set(name).text_path("de-en", field))
    path.write_bytes(b"\n".join(whole[field].split(b"\n")[:3]))
    texts_of(name, "de-en")
    assert path.read_bytes() == whole[field]


@pytest.mark.parametrize(("name", "pair"), [("wmt17", "de-en"), ("mtnt2019", "en-fr"), ("wmt22", "de-en")])
def test_a_file_that_was_cut_off_when_it_was_unpacked_is_repaired(
    server: Server, name: str, pair: str
) -> None:
    """sacrebleu unpacks under final names: the archive is whole, a file of it may not be, nor what was made of it."""
    get_test_sets([name])
    named = named_set(name)
    whole = {own: Path(path).read_bytes() for own, path in fields_of(named, pair).items()}
    first = Path(named.raw, named.pair(pair).files[0].rpartition(":")[2])
    content = first.read_bytes()
    for path in Path(named.folder).glob("*.*"):
        path.unlink()
    first.write_bytes(b"".join(content.splitlines(keepends=True)[:-4]))
    with suppress(InputError):  # texts of one table are shorter, but equally so
        fields_of(named, pair)
    assert [own.how for own in get_test_sets([name]).archives] == ["already here"]
    assert first.read_bytes() == content
    assert texts_of(name, pair).references
    assert {own: Path(path).read_bytes() for own, path in fields_of(named, pair).items()} == whole


def test_texts_that_are_not_utf8_are_one_line(server: Server) -> None:
    """Whatever reads them: --echo, document ids, original languages."""
    get_test_sets(["wmt17"])
    named = named_set("wmt17")
    made = fields_of(named, "de-en")
    for field in ("ref", "docid"):
        lines = Path(made[field]).read_bytes()
        Path(made[field]).write_bytes(b"\xff" + lines)
        with pytest.raises(InputError, match=rf"de-en\.{field}: is not valid UTF-8 .*: remove it"):
            list(echoed("wmt17", "de-en", [field, "src"]))
        if field == "docid":
            with pytest.raises(InputError, match=r"de-en\.docid: is not valid UTF-8"):
                texts_of("wmt17", "de-en")
        Path(made[field]).write_bytes(lines)
    source = Path(named.raw, named.pair("de-en").files[0])
    source.write_bytes(b"\xff" + source.read_bytes())
    with pytest.raises(InputError, match=r"src\.de\.sgm: is not valid UTF-8"):
        kept("wmt17", "de-en", SetPart("de"))


@pytest.mark.parametrize(
    ("address", "why"),
    [("http://[::1/a.tgz", "Invalid IPv6 URL"), ("http://127.0.0.1:9/\u00fc.tgz", "ascii")],
)
def test_what_is_no_address_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str, why: str
) -> None:
    _own_table(tmp_path, monkeypatch, {"archives": [[address, "0" * 32]]})
    with pytest.raises(InputError, match=f"is not an address that can be asked .*{why}"):
        get_test_sets(["mine"])


def _own_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, facts: dict[str, Any]) -> None:
    mine = {"kind": "text", "pairs": {"de-en": {"files": ["s.de", "s.en"]}}} | facts
    (tmp_path / "mine.json").write_text(json.dumps({"sets": {"mine": mine}}))
    monkeypatch.setenv("TERTIUM_TESTSETS", str(tmp_path / "mine.json"))
    monkeypatch.setenv("SACREBLEU", str(tmp_path / "sacrebleu"))


def _served(server: Server, members: list[tuple[str, bytes | str]]) -> list[str]:
    """Address and checksum of an archive of files, and of hard links to others of it."""
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w:gz") as tar:
        for name, content in members:
            member = tarfile.TarInfo(name)
            if isinstance(content, str):
                member.type, member.linkname = tarfile.LNKTYPE, content
                tar.addfile(member)
            else:
                member.size = len(content)
                tar.addfile(member, io.BytesIO(content))
    server.files["/own.tgz"] = whole.getvalue()
    return [f"{server.address}/own.tgz", hashlib.md5(whole.getvalue(), usedforsecurity=False).hexdigest()]


def test_a_file_that_no_archive_has_is_said(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A mistake of the table: getting it once more would not help."""
    archive = _served(server, [("t/s.de", b"eins\n"), ("s.en", b"one\n")])
    _own_table(tmp_path, monkeypatch, {"archives": [archive]})
    with pytest.warns(TertiumWarning, match=r"mine: its archives have no s\.de \("):
        get_test_sets(["mine"])
    with pytest.raises(InputError, match=r"mine de-en: its archives have no s\.de \("):
        texts_of("mine", "de-en")


def test_hard_links_in_archives(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """tar writes them for files that are the same; what they lead to is in the archive."""
    archive = _served(server, [("s.de", b"eins\n"), ("s.en", "s.de")])
    _own_table(tmp_path, monkeypatch, {"archives": [archive]})
    get_test_sets(["mine"])
    assert list(echoed("mine", "de-en", ["src", "ref"])) == ["eins\teins"]


def test_echo_of_references_that_are_not_there(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = _served(server, [("s.xml", b"<dataset/>")])
    pairs = {"de-en": {"files": ["s.xml"]}}
    _own_table(tmp_path, monkeypatch, {"kind": "xml", "archives": [archive], "pairs": pairs})
    get_test_sets(["mine"])
    with pytest.raises(InputError, match=r"mine de-en has no 'ref' \(known: docid, origlang, src\)"):
        list(echoed("mine", "de-en", ["ref"]))


def test_ids_of_segments_are_numbers() -> None:
    text = '<d><doc id="a" origlang="en"><src><seg id="x">s</seg></src></doc></d>'
    with pytest.raises(InputError, match=r"a\.xml: a segment has the id 'x', which is no number"):
        xml([("a.xml", io.StringIO(text))], "mine")


def test_a_system_without_a_document_stays_aligned() -> None:
    """sacrebleu writes fewer lines for it, which then belong to other segments."""
    document = (
        '<doc id="{0}" origlang="en"><src lang="en"><seg id="{0}">s{0}</seg></src>'
        '<ref lang="de" translator="A"><seg id="{0}">r{0}</seg></ref>{1}</doc>'
    )
    output = '<hyp system="late"><seg id="2">h2</seg></hyp>'
    text = f"<dataset>{document.format(1, '')}{document.format(2, output)}{document.format(3, '')}</dataset>"
    assert xml([("a.xml", io.StringIO(text))], "mine")["late"] == ["", "h2", ""]


def test_what_is_not_there(server: Server) -> None:
    server.habits = ["404"]
    with pytest.raises(InputError, match="the server says 404"):
        get_test_sets(["wmt17"])
    assert len(server.asked) == 1
    with pytest.raises(InputError, match=r"there is no test set 'wmt117'; did you mean 'wmt17'\?"):
        get_test_sets(["wmt117"])
    with pytest.raises(InputError, match="has no language pair 'de-xx'; did you mean 'de-en'"):
        texts_of("wmt17", "de-xx")


@pytest.mark.parametrize("form", ["tgz", "zip"])
def test_an_archive_writes_only_what_is_known_of_it(server: Server, tmp_path: Path, form: str) -> None:
    """Names that lead out of the folder, links and everything else that no language pair names stay in the archive."""
    import zipfile

    whole = io.BytesIO()
    names = ("../../escaped", "/tmp/tertium-escaped", "other.txt", "s.de", "s.en")
    if form == "tgz":
        with tarfile.open(fileobj=whole, mode="w:gz") as tar:
            for name in names:
                member = tarfile.TarInfo(name)
                member.size = 5
                tar.addfile(member, io.BytesIO(b"text\n"))
            link = tarfile.TarInfo("linked")
            link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
            tar.addfile(link)
    else:
        with zipfile.ZipFile(whole, "w") as packed:
            for name in names:
                packed.writestr(name, "text\n")
    server.files[f"/a.{form}"] = whole.getvalue()
    md5 = hashlib.md5(whole.getvalue(), usedforsecurity=False).hexdigest()
    mine = {
        "kind": "text",
        "archives": [[f"{server.address}/a.{form}", md5]],
        "pairs": {"de-en": {"files": ["s.de", "s.en"]}},
    }
    table = tmp_path / "mine.json"
    os.environ["TERTIUM_TESTSETS"] = str(table)  # the fixture takes it back
    table.write_text(json.dumps({"sets": {"mine": mine}}))
    get_test_sets(["mine"])
    made = sorted(
        str(path.relative_to(tmp_path / "sacrebleu")) for path in (tmp_path / "sacrebleu").rglob("*.*")
    )
    assert made == [
        f"mine/raw/mine.a.{form}",
        f"mine/raw/mine.a.{form}.lock",
        "mine/raw/s.de",
        "mine/raw/s.en",
    ]
    assert not (tmp_path / "escaped").exists()
    assert not Path("/tmp/tertium-escaped").exists()


def test_scores_of_a_named_set(server: Server, tmp_path: Path) -> None:
    """The number of sacrebleu's own files; the signature says which test set, as sacrebleu's does."""
    get_test_sets(["wmt17", "wmt18"])
    references = [path.read_text().splitlines() for path in map(Path, texts_of("wmt17", "de-en").references)]
    output = [" ".join(line.split()[:-1] or ["x"]) for line in references[0]]
    (tmp_path / "out").write_text("\n".join(output) + "\n")
    found = tt.TestSet.named("wmt17", "de-en", {"mine": tmp_path / "out"}).score("chrf")["chrf"]
    assert found.value == tt.score(output, references[0], "chrf")["chrf"].value
    assert found.signature.startswith("nrefs:1|test:wmt17|lang:de-en|case:mixed|")
    assert tt.TestSet.named("wmt17", "de-en").documents
    part = tt.TestSet.named("wmt17", "de-en", {"mine": tmp_path / "out"}, origlang="non-en")
    assert (len(part), part.origin) == (5, ("test:wmt17", "lang:de-en", "origlang:non-en"))
    assert set(part.documents or ()) == {"doc.5"}
    both = tt.TestSet.named("wmt17, wmt18", "de-en")
    assert len(both) == 2 * len(output)
    assert both.origin == ("test:wmt17,wmt18", "lang:de-en")


def test_the_drop_in_filters_as_sacrebleu_does(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its functions against sacrebleu's, both on the folder that Tertium filled."""
    from sacrebleu import dataset as their_dataset
    from sacrebleu import utils as their_utils

    from tertium.compat.sacrebleu import dataset, utils

    theirs: Any = their_utils
    monkeypatch.setattr(theirs, "SACREBLEU_DIR", os.environ["SACREBLEU"])
    for name, pair in (("wmt17", "de-en"), ("wmt18", "en-de"), ("wmt24", "en-de")):
        get_test_sets([name])
        fields_of(named_set(name), pair)
        assert utils.get_available_origlangs(name, pair) == theirs.get_available_origlangs(name, pair)
        lines = [list(range(len(tt.TestSet.named(name, pair))))]
        for part in ((None, None), ("de", None), ("non-en", None), (None, "world|news"), ("de", "world")):
            if part[1] and name == "wmt17":
                continue
            want = theirs.filter_subset(lines, name, pair, *part)
            if want == [[]]:
                with pytest.raises(InputError, match="has no segment with"):
                    utils.filter_subset(lines, name, pair, *part)
            else:
                assert utils.filter_subset(lines, name, pair, *part) == want, (name, part)
    assert set(utils.get_available_subsets("wmt18", "en-de")) <= set(
        theirs.get_available_subsets("wmt18", "en-de")
    )
    assert dict(dataset.SUBSETS) == their_dataset.SUBSETS
    ours = dataset.DATASETS["wmt17"]
    assert (ours.description, ours.citation) == (
        their_dataset.DATASETS["wmt17"].description,
        their_dataset.DATASETS["wmt17"].citation,
    )
    assert "citation" in ours
