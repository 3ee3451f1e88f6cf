"""Test sets by name: sacrebleu's folder, its texts to the byte, downloads from a server that may misbehave."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tertium as tt
from tertium.errors import InputError
from tertium.io.testsets import fetching
from tertium.io.testsets.table import named_set, named_sets
from tertium.io.testsets.texts import fields_of, texts_of
from tertium.namedsets import get_test_sets, list_test_sets
from tests.conftest import ROOT
from tests.testsets import Server, bundled_sets, served_table, serving


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


def test_the_table_has_what_sacrebleu_knows() -> None:
    """Anew from the installed package, without a change."""
    done = subprocess.run(
        [sys.executable, "-m", "tools.testsets", "--check"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_texts_are_those_of_sacrebleu(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every test set and language pair: the same files with the same bytes as sacrebleu makes of the same archives."""
    from sacrebleu.dataset import DATASETS

    for name in named_sets():
        get_test_sets([name])
        named, theirs = named_set(name), DATASETS[name]
        other = tmp_path / "theirs" / name
        other.mkdir(parents=True, exist_ok=True)
        monkeypatch.setattr(theirs, "_outdir", str(other))
        monkeypatch.setattr(theirs, "_rawdir", named.raw)
        monkeypatch.setattr(theirs, "maybe_download", lambda: None)
        for pair in named.pairs:
            theirs.process_to_text(pair)
            ours = fields_of(named, pair)
            assert set(ours) == set(theirs.fieldnames(pair))
            want = sorted(map(os.path.basename, theirs.get_reference_files(pair)))
            assert sorted(map(os.path.basename, texts_of(name, pair).references)) == want
            for field, path in ours.items():
                made = Path(theirs._get_txt_file_path(pair, field))
                assert Path(path).read_bytes() == made.read_bytes(), (name, pair, field)
    assert len(named_sets()) == len(DATASETS) == 67


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
    assert list(path.parent.iterdir()) == []


def test_what_is_not_there(server: Server) -> None:
    server.habits = ["404"]
    with pytest.raises(InputError, match="the server says 404"):
        get_test_sets(["wmt17"])
    assert len(server.asked) == 1
    with pytest.raises(InputError, match=r"there is no test set 'wmt117'; did you mean 'wmt17'\?"):
        get_test_sets(["wmt117"])
    with pytest.raises(InputError, match="has no language pair 'de-xx'; did you mean 'de-en'"):
        texts_of("wmt17", "de-xx")


def test_an_archive_writes_only_what_is_known_of_it(server: Server, tmp_path: Path) -> None:
    """Names that lead out of the folder, links and everything else that no language pair names stay in the archive."""
    import hashlib
    import io
    import tarfile

    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w:gz") as tar:
        for name in ("../../escaped", "/tmp/tertium-escaped", "other.txt", "s.de", "s.en"):
            member = tarfile.TarInfo(name)
            member.size = 5
            tar.addfile(member, io.BytesIO(b"text\n"))
    server.files["/a.tgz"] = whole.getvalue()
    md5 = hashlib.md5(whole.getvalue(), usedforsecurity=False).hexdigest()
    mine = {
        "kind": "text",
        "archives": [[f"{server.address}/a.tgz", md5]],
        "pairs": {"de-en": {"files": ["s.de", "s.en"]}},
    }
    table = tmp_path / "mine.json"
    os.environ["TERTIUM_TESTSETS"] = str(table)  # the fixture takes it back
    table.write_text(json.dumps({"sets": {"mine": mine}}))
    get_test_sets(["mine"])
    made = sorted(
        str(path.relative_to(tmp_path / "sacrebleu")) for path in (tmp_path / "sacrebleu").rglob("*.*")
    )
    assert made == ["mine/raw/mine.a.tgz", "mine/raw/s.de", "mine/raw/s.en"]
    assert not (tmp_path / "escaped").exists()
    assert not Path("/tmp/tertium-escaped").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pairs": {"de-en": {"files": ["../a", "b"]}}}, "must be a path within the archive, not '../a'"),
        ({"pairs": {"de-en": {"files": ["/a", "b"]}}}, "must be a path within the archive"),
        ({"archives": [["file:///etc/passwd", "0"]]}, "must be an address"),
        ({"kin": "text"}, "unknown key"),
    ],
)
def test_tables_of_others(
    change: dict[str, Any], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = {
        "kind": "text",
        "archives": [["http://localhost/a", "0"]],
        "pairs": {"de-en": {"files": ["a", "b"]}},
    }
    table = tmp_path / "table.json"
    monkeypatch.setenv("TERTIUM_TESTSETS", str(table))
    table.write_text(json.dumps({"sets": {"mine": sound | change}}))
    with pytest.raises(InputError, match=message):
        named_sets()
    monkeypatch.setenv("TERTIUM_TESTSETS", str(tmp_path / "none.json"))
    with pytest.raises(InputError, match="No such file"):
        named_sets()


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
    both = tt.TestSet.named("wmt17,wmt18", "de-en")
    assert len(both) == 2 * len(output)
    assert both.origin == ("test:wmt17,wmt18", "lang:de-en")
