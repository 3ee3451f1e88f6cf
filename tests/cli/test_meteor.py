"""METEOR on the command line: its files by a flag, and one line where they are missing."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tertium.text import meteor
from tests.cli.conftest import Run


def test_resources_by_flag(run: Run, texts: Callable[..., Path], tmp_path: Path) -> None:
    (tmp_path / "english.synsets").write_text("big\n1\nhuge\n1\n")
    (tmp_path / "english.exceptions").write_text("")
    reference, hypothesis = texts("ref", "a big dog runs"), texts("hyp", "a huge dog runs")
    argv = [
        "score",
        reference,
        "-i",
        hypothesis,
        "-m",
        "meteor:modules=exact+synonym,weights=1+1",
        "meteor-hard",
    ]
    with_files = run(*argv, "--meteor-resources", tmp_path)
    assert (with_files.status, with_files.err) == (0, "")
    entries = json.loads(with_files.out)
    assert entries[0]["score"] == 100
    assert f'res:"{tmp_path}"' in entries[0]["signature"]
    assert f'res:"{tmp_path}"' in entries[1]["signature"]


@pytest.mark.parametrize("spec", ["meteor", "meteor:lang=fr", "meteor-soft", "meteor:lang=cz,modules=stem"])
def test_what_is_missing(
    run: Run, texts: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, spec: str
) -> None:
    monkeypatch.delenv(meteor.VARIABLE, raising=False)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    meteor.forget()
    result = run("score", texts("ref", "a"), "-i", texts("hyp", "b"), "-m", spec)
    assert (result.status, result.out) == (2, "")
    assert result.err.count("\n") == 1
    assert "Traceback" not in result.err
