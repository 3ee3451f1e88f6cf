"""`tertium memory convert`: the command, what it prints, and what is left after an error."""

from __future__ import annotations

import json
from pathlib import Path

from tertium.cli import main


def test_the_command(tmp_path: Path, capsys: object, monkeypatch: object) -> None:
    (tmp_path / "a.tsv").write_text("One\tUn\nTwo\tDeux\n")
    out = tmp_path / "b.tmx"
    assert (
        main(["memory", "convert", str(tmp_path / "a.tsv"), str(out), "--pair", "en-fr", "-f", "json"]) == 0
    )
    printed = json.loads(capsys.readouterr().out)  # type: ignore[attr-defined]
    assert (printed["units"], printed["languages"]) == (2, ["en-fr"])
    both = tmp_path / "c.jsonl"
    assert main(["memory", "convert", str(out), str(out), str(both)]) == 0
    assert len(both.read_text().splitlines()) == 4


def test_the_partial_file(tmp_path: Path, capsys: object) -> None:
    (tmp_path / "a.tsv").write_text("One\tUn\nTwo\n")
    out = tmp_path / "b.jsonl"
    assert main(["memory", "convert", str(tmp_path / "a.tsv"), str(out), "--pair", "en-fr"]) == 2
    said = capsys.readouterr().err  # type: ignore[attr-defined]
    assert "line 2: has 1 fields" in said
    assert f"(the 1 unit before it is in {out}.partial)" in said
    assert sorted(own.name for own in tmp_path.iterdir()) == ["a.tsv", "b.jsonl.partial"]
