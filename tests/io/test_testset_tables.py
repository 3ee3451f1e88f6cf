"""The table of test sets: the bundled one has sacrebleu's facts, one of your own is checked before any download."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tertium.errors import InputError
from tertium.io.testsets.table import named_set, named_sets
from tests.conftest import ROOT


def test_the_table_has_what_sacrebleu_knows() -> None:
    """Anew from the installed package, without a change."""
    done = subprocess.run(
        [sys.executable, "-m", "tools.testsets", "--check"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_the_table_is_complete() -> None:
    """Each fact by itself, as sacrebleu's objects have it."""
    from sacrebleu.dataset import DATASETS, SUBSETS

    assert list(named_sets()) == list(DATASETS)
    for name, theirs in DATASETS.items():
        ours = named_set(name)
        assert ours.description == (theirs.description or "").strip()
        assert ours.citation == (theirs.citation or "")
        assert [*zip(*ours.sources, strict=True)] == [tuple(theirs.data or ()), tuple(theirs.md5 or ())]
        assert list(ours.pairs) == list(theirs.langpairs)
        assert ours.tags == SUBSETS.get(name, {})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pairs": {"de-en": {"files": ["../a", "b"]}}}, "must be a path within the archive, not '../a'"),
        ({"pairs": {"de-en": {"files": ["/a", "b"]}}}, "must be a path within the archive"),
        ({"archives": [["file:///etc/passwd", "0"]]}, "must be an address"),
        ({"kin": "text"}, "unknown key"),
        ({"kind": "txt"}, "mine: there is no kind 'txt'; did you mean 'text'?"),
        ({"archives": [["http://localhost/a", "0" * 64]]}, "is no MD5 checksum"),
        ({"pairs": {}}, "mine: it has no language pair"),
        ({"pairs": {"../de-en": {"files": ["a", "b"]}}}, "'../de-en' is no language pair, such as de-en"),
        ({"pairs": {"de-en": {"files": ["a"]}}}, "mine: de-en has no reference"),
        (
            {"kind": "columns", "pairs": {"de-en": {"files": ["x:a", "1:a"]}}},
            "a column is a number and a file",
        ),
    ],
)
def test_tables_of_others(
    change: dict[str, Any], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = {
        "kind": "text",
        "archives": [["http://localhost/a", "0" * 32]],
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


@pytest.mark.parametrize(
    ("content", "why"),
    [('{"sets": {}}', "has no test sets"), ("[]", "is not a table of"), ("[" * 100_000, "is not a table of")],
)
def test_what_is_no_table(content: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "table.json").write_text(content)
    monkeypatch.setenv("TERTIUM_TESTSETS", str(tmp_path / "table.json"))
    with pytest.raises(InputError, match=why):
        named_sets()


@pytest.mark.parametrize(
    ("name", "why"),
    [
        *((name, "it would lead out of the folder") for name in ("../mine", "/tmp/mine", "a/../../mine")),
        *((name, "names are not empty, and have no commas") for name in ("", " ", "a,b", "a\0b", "a\x1b[2J")),
    ],
)
def test_names_of_others_stay_in_the_folder(
    name: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = {"de-en": {"files": ["a", "b"]}}
    mine = {"kind": "text", "archives": [["http://localhost/a", "0" * 32]], "pairs": pairs}
    table = tmp_path / "table.json"
    monkeypatch.setenv("TERTIUM_TESTSETS", str(table))
    table.write_text(json.dumps({"sets": {name: mine}}))
    with pytest.raises(InputError, match=f"cannot be the name of a test set: {why}"):
        named_sets()


def test_a_checksum_in_capitals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine = {
        "kind": "text",
        "archives": [["http://localhost/a", "AB" * 16]],
        "pairs": {"de-en": {"files": ["a", "b"]}},
    }
    (tmp_path / "table.json").write_text(json.dumps({"sets": {"mine": mine}}))
    monkeypatch.setenv("TERTIUM_TESTSETS", str(tmp_path / "table.json"))
    assert named_set("mine").sources[0].md5 == "ab" * 16
