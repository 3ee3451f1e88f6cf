"""`tertium challenge` without people: automatic judges, mining, and the demonstration."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

import tertium
from tertium.cli import main


def test_demo_runs_end_to_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "demo.html"
    assert main(["challenge", "demo", "--html", str(page)]) == 0
    text = capsys.readouterr().out
    for heading in (
        "Success rate by category",
        "Success rate by subcategory",
        "Agreement between annotators",
        "Systems compared",
        "From hasty@2025-03-10 to hasty@2025-09-22",
        "Automatic judges against people",
    ):
        assert heading in text, heading
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


DATA = Path(tertium.__file__).parent / "data" / "challenge"


def test_auto_judges_and_is_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    demo = DATA / "demo"
    given = [
        str(DATA / "en-fr.jsonl"),
        "-i",
        str(demo / "outputs.jsonl"),
        "-j",
        str(demo / "judgements.jsonl"),
    ]
    judged, left = tmp_path / "auto.jsonl", tmp_path / "left.jsonl"
    files = ["--write-judgements", str(judged), "--for-people", str(left)]
    assert (
        main(["challenge", "auto", *given, "--judges", "patterns", "metric:chrf", *files, "-f", "json"]) == 0
    )
    found = json.loads(capsys.readouterr().out)
    assert [own["judge"] for own in found["judges"]] == ["patterns", "metric:chrf"]
    assert found["doubts"] == []
    calls = [verdict["call"] for own in found["judges"] for verdict in own["verdicts"]]
    sure = sum(call != "unsure" for call in calls)
    assert len(judged.read_text(encoding="utf-8").splitlines()) == sure
    unsure = sum(verdict["call"] == "unsure" for verdict in found["judges"][1]["verdicts"])
    assert len(left.read_text(encoding="utf-8").splitlines()) == unsure
    assert found["against_people"][0]["overall"]["outputs"] == 172
    assert main(["challenge", "auto", str(DATA / "fr-en.jsonl"), "--check"]) == 0
    assert "195 items, 0 doubts" in capsys.readouterr().out


def test_contrastive_scorers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "score.py"
    script.write_text(
        "import sys\nfor line in sys.stdin:\n    print(-len(line), flush=True)\n", encoding="utf-8"
    )
    command = f"short={shlex.join([sys.executable, str(script)])}"
    assert main(["challenge", "auto", str(DATA / "en-fr.jsonl"), "--scorers", command, "-f", "json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["judges"]
    assert len(found["verdicts"]) == 121
    assert main(["challenge", "auto", str(DATA / "en-fr.jsonl"), "--judges", "oracle"]) == 2


def test_mining_makes_items(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target, out = tmp_path / "c.en", tmp_path / "c.fr", tmp_path / "items.jsonl"
    source.write_text("".join(f"he came at {n}\n" for n in range(30)) + "yesterday he came home late\n")
    target.write_text("".join(f"il vint à {n}\n" for n in range(30)) + "il est rentré tard hier\n")
    links = tmp_path / "links"
    links.write_text("0-0 1-1 2-2 3-3\n" * 30 + "0-4 1-0 2-1 3-2 4-3\n")
    given = [str(source), str(target), "--alignment", str(links), "-o", str(out), "--languages", "en-fr"]
    assert main(["challenge", "mine", *given, "--limit", "3", "-f", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["candidates"][0]["line"] == 31
    assert main(["challenge", "check", str(out)]) == 0
    assert main(["challenge", "mine", str(source), str(out)]) == 2
