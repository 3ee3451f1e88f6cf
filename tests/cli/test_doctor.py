"""`tertium doctor`: what it prints, and its exit status."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from tests.cli.conftest import LITERAL, R1, R2, SRC, STRONG, Run


def test_clean_texts(run: Run) -> None:
    result = run("doctor", R1, R2, "-i", STRONG, LITERAL, "--source", SRC, "-l", "de-en", "-f", "table")
    assert (result.status, result.err) == (0, "")
    assert result.out == "5 texts of 69 lines examined: nothing found\n"


def test_findings(run: Run, texts: Callable[..., Path]) -> None:
    lines = R1.read_text(encoding="utf-8").splitlines()
    output = texts("hyp", *lines[:4], "", *lines[5:])
    result = run("doctor", R2, "-i", output, "-f", "table")
    assert result.status == 1
    assert result.out.startswith("2 texts of 69 lines examined: 1 serious finding, in hyp\n")
    assert f"serious: {output.name}: 1 of 69 lines is empty\n    line 5\n" in result.out
    assert max(map(len, result.out.splitlines())) <= 80
    data = json.loads(run("doctor", R2, "-i", output, "-f", "json").out)
    assert data["findings"][0]["lines"] == [5]
    for form in ("markdown", "tsv", "latex"):
        assert "empty" in run("doctor", R2, "-i", output, "-f", form).out


def test_levels(run: Run, texts: Callable[..., Path]) -> None:
    """`--fail-on` names the mildest finding that fails; texts that cannot be scored always do."""
    lines = STRONG.read_text(encoding="utf-8").splitlines()
    words = lines[12].split()
    odd = texts("hyp", *lines[:12], " ".join([*words, *words, *words, *words]), *lines[13:])
    assert "1 worth a look" in run("doctor", R1, "-i", odd).out.splitlines()[0]
    for level, status in (("look", 1), ("serious", 0), ("unusable", 0)):
        assert run("doctor", R1, "-i", odd, "--fail-on", level).status == status
    empty = texts("empty", *lines[:4], "", *lines[5:])
    for level, status in (("look", 1), ("serious", 1), ("unusable", 0)):
        assert run("doctor", R1, "-i", empty, "--fail-on", level).status == status
    assert run("doctor", R1, "-i", texts("short", "one"), "--fail-on", "unusable").status == 2
    assert "'mild' is not one of" in run("doctor", R1, "-i", odd, "--fail-on", "mild").err


def test_texts_that_cannot_be_scored(run: Run, texts: Callable[..., Path], tmp_path: Path) -> None:
    short = texts("hyp", "one", "two")
    result = run("doctor", R1, "-i", short)
    assert result.status == 2
    assert "has 2 lines" in result.out
    damaged = tmp_path / "latin"
    damaged.write_bytes(b"caf\xe9\n")
    result = run("doctor", R1, "-i", damaged)
    assert (result.status, result.out) == (2, "")
    assert "not valid UTF-8" in result.err


def test_byte_order_marks_are_findings(run: Run, tmp_path: Path) -> None:
    marked = tmp_path / "hyp"
    marked.write_bytes(b"\xef\xbb\xbf" + STRONG.read_bytes())
    result = run("doctor", R1, "-i", marked)
    assert (result.status, result.err) == (1, "")
    assert "byte-order mark" in result.out


def test_bad_arguments(run: Run) -> None:
    for words, message in (
        (("doctor",), "there are no references"),
        (("doctor", R1, "-i", R1), "is given twice"),
        (("doctor", R1, "-i", STRONG, "-l", "de"), "a language pair is source-target"),
        (("doctor", R1, "-i", "nowhere"), "nowhere"),
    ):
        result = run(*words)
        assert (result.status, result.out) == (2, "")
        assert message in result.err
        assert result.err.count("\n") == 1


def test_test_set_files(run: Run, tmp_path: Path) -> None:
    segments = "".join(f'<seg id="{i}">This is sentence number {i}, as it should be.</seg>' for i in (1, 2))
    for kind, name in (("refset", "ref"), ("tstset", "sys")):
        text = f'<{kind} setid="x" srclang="de" trglang="en"><doc docid="d" sysid="{name}">{segments}</doc></{kind}>'
        (tmp_path / f"{name}.sgm").write_text(text, encoding="utf-8")
    result = run("doctor", tmp_path / "ref.sgm", "-i", tmp_path / "sys.sgm")
    assert result.status == 1
    assert "is the reference" in result.out
