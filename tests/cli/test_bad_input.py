"""Bad input: one clear line on standard error, exit status 2, nothing on standard output, no traceback."""

from __future__ import annotations

import gzip
import os
import re
from pathlib import Path

import pytest

from tests.cli.conftest import DOCUMENTS, LITERAL, R1, R2, STRONG, Result, Run


def refused(result: Result, *words: str) -> None:
    assert result.status == 2
    assert result.out == ""
    assert result.err.startswith("tertium: ")
    assert result.err.count("\n") == 1
    for word in words:
        assert word in result.err


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    files = {
        "short": b"one\ntwo\n",
        "empty": b"",
        "nul": b"one\ntw\0o\n",
        "bad": b"one\ntwo \xff three\n",
        "tabs": b"a\tb\nc\n",
        "broken.gz": gzip.compress(b"one two three\n" * 50)[:-20],
        "not.gz": b"plain\n",
        "broken.sgm": b"<refset><doc docid=1><seg id=1>never ends",
        "nothing.xml": b"<html></html>",
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    return tmp_path


@pytest.mark.parametrize(
    "extra", [[], ["--level", "segment"], ["-sl"], ["-sl", "-b"], ["-m", "macrof", "chrf"]]
)
@pytest.mark.parametrize("side", ["reference", "hypothesis"])
def test_damaged_files(run: Run, folder: Path, side: str, extra: list[str]) -> None:
    for name, words in {
        "short": ["different numbers of lines", f"{STRONG}: 69", "short: 2"],
        "missing": ["missing: no such file"],
        "empty": ["empty: the file is empty"],
        "nul": ["nul: line 2, byte 3", "NUL"],
        "bad": ["bad: line 2, byte 5 of the line (byte 9 of the file)", "UTF-8"],
        "broken.gz": ["broken.gz: damaged gzip data"],
        "not.gz": ["not.gz: is named like a gzip file"],
        "": ["is a directory"],
        "broken.sgm": ["broken.sgm: line 1"],
        "nothing.xml": ["nothing.xml: is not a WMT test set"],
    }.items():
        path = folder / name
        argv = [path, "-i", STRONG] if side == "reference" else [STRONG, "-i", path]
        refused(run("score", *argv, *extra), *words)


def test_different_line_counts_found_late(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is printed, although thousands of segments were scored before."""
    monkeypatch.setattr("tertium.io.door.BLOCK", 500)
    longer = tmp_path / "longer"
    longer.write_bytes(R1.read_bytes() + b"one more\n")
    for extra in ([], ["-sl"], ["--level", "segment"], ["--documents", DOCUMENTS, "--level", "document"]):
        refused(run("score", longer, "-i", STRONG, *extra), "longer: 70")


def test_unreadable_file(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may read everything
    refused(run("score", R1, "-i", STRONG), "reference1.en: no permission")


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["-m", "blue"], ["unknown metric 'blue'", "did you mean 'bleu'", "chrf"]),
        (["-m", "bleu:tokk=13a"], ["bleu has no option 'tokk'", "'tok'"]),
        (["-m", "bleu:order=0"], ["order must be from 1 to 9"]),
        (["-m", "bleu:order=many"], ["order must be a number"]),
        (["-m", "bleu:"], ["cannot read 'bleu:'"]),
        (["-tok", "13b"], ["unknown tokeniser '13b'", "did you mean '13a'"]),
        (["-tok", "flores200"], ["-tok flores200: Tertium does not download models", "spm:FILE"]),
        (["-s", "flor"], ["smooth='flor' is not valid", "did you mean 'floor'"]),
        (["-sv", "much"], ["'much' is not a valid float"]),
        (["-s", "floor", "-sv", "-1"], ["smooth_value must be at least 0"]),
        (["-cc", "0"], ["nothing is left to count"]),
        (["--chrf-beta", "0"], ["beta must be above 0"]),
        (["-nr", "0"], ["-nr must be at least 1"]),
        (["-w", "-1"], ["--width"]),
        (["-w", "wide"], ["--width"]),
        (["-f", "xml"], ["'xml' is not one of", "markdown"]),
        (["--level", "sentence"], ["'sentence' is not one of", "segment"]),
        (["--level", "document"], ["document scores need document ids: --documents FILE"]),
        (["--documents", "nowhere"], ["nowhere: no such file"]),
        (["--threads", "-1"], ["--threads"]),
        (["-e", "utf-9"], ["unknown encoding 'utf-9'", "utf-8"]),
        (["-l", "german"], ["a language pair is source-target"]),
        (["-l"], ["-l"]),
        (["-m"], ["-m needs at least one value"]),
        (["--inptu", "x"], ["no option --inptu", "did you mean '--input'"]),
        (["--chrf-w", "2"], ["no option --chrf-w", "did you mean"]),
        (["-x"], ["no option -x"]),
        (["-sl", "-m", "chrf", "ter"], ["-sl takes one metric"]),
        (["--tsv", "1,2"], ["--tsv takes hypotheses and references from one file, but 2 are given"]),
    ],
)
def test_bad_options(run: Run, argv: list[str], words: list[str]) -> None:
    metrics = [] if "-m" in argv or argv[0] not in ("-cc", "--chrf-beta") else ["-m", "chrf"]
    refused(run("score", R1, "-i", STRONG, *metrics, *argv), *words)


def test_bad_inputs_on_the_command_line(run: Run, folder: Path) -> None:
    refused(run("score"), "there are no references")
    refused(run("score", "-i", STRONG), "there are no references: name them before -i")
    refused(run("score", "-i", STRONG, R1), "there are no references: name them before -i")
    refused(run("score", "-m", "bleu", R1, "-i", STRONG), "is a file, not a metric")
    refused(run("score", R1, "-i"), "-i needs at least one value")
    refused(run("score", R1, "-i", STRONG, STRONG), "is given twice")
    refused(run("score", R1, R2, "-nr", "2", "-i", STRONG), "-nr splits one reference file")
    refused(run("score", folder / "tabs", "-nr", "2", "-i", folder / "short"), "tabs: line 2", "2 references")
    refused(run("score", "-", "-i", "-"), "standard input can be read only once")
    refused(run("score", "-"), "standard input can be read only once")
    refused(run("score", R1, "-i", STRONG, LITERAL, "-sl"), "one metric and one system")
    refused(run("score", folder / "tabs", "--tsv", "2"), "columns '2'")
    refused(run("score", folder / "tabs", "--tsv", "1,3"), "tabs: line 1", "column 3")
    refused(run("score", folder / "tabs", "--tsv", "1,1"), "twice")


def test_nothing_is_downloaded_unasked(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    monkeypatch.setattr("urllib.request.OpenerDirector.open", lambda *_, **__: pytest.fail("asked the net"))
    named = ("-t", "wmt17", "-l", "en-de")
    get_it = f"wmt17 en-de is not in {tmp_path}: get it with tertium testset get wmt17"
    for command in ("score", "compare", "doctor"):
        refused(run(command, *named, "-i", STRONG, LITERAL), get_it)
    refused(run("score", *named, "--echo", "src", "ref"), get_it)
    refused(
        run("score", *named[:2], "-i", STRONG),
        "-t wmt17 needs a language pair: -l SRC-TRG (its pairs: cs-en,",
    )
    refused(run("score", "-t", "wmt17", "-l", "en-xx", "-i", STRONG), "wmt17 has no language pair 'en-xx'")
    refused(
        run("score", "-t", "wmt17b", "-l", "en-de"), "there is no test set 'wmt17b'; did you mean 'wmt17'?"
    )
    refused(run("score", R1, *named, "-i", STRONG), "references are given twice: by -t wmt17 and by files")
    refused(run("score", *named, "-nr", "2", "-i", STRONG), "test sets by name have none")
    refused(run("score", "--echo", "src"), "--echo prints a test set by name")
    refused(run("score", "--cite"), "--citation is about a test set by name")
    refused(run("score", "--list", "-l", "xx-yy"), "no test set has the language pair 'xx-yy'")
    for words in ("-ol de", "--origlang de", "--subset news"):
        refused(run("score", R1, "-i", STRONG, *words.split()), "parts of a test set by name: -t NAME")
        refused(run("score", *named, "-i", STRONG, *words.split()), get_it)
        refused(run("score", *named, "--echo", "src", *words.split()), get_it)
    assert run("testset", "list", "wmt24").status == 0  # its fields stand in its files
    assert list(tmp_path.iterdir()) == []


def test_commands(run: Run) -> None:
    refused(run("scor"), "no command 'scor'", "did you mean 'score'")
    refused(run("--verbose"), "--verbose")
    refused(run("metrics", "--formt", "json"), "no option --formt; did you mean '--format'?")
    refused(run("metrics", "-i", "x"), "no option -i (see")  # which is no more like -f than like -h
    refused(run("explain"), "METRIC")
    refused(run("explain", "chfr"), "unknown metric 'chfr'", "did you mean 'chrf'")
    refused(run("verify"), "LINE")


@pytest.mark.parametrize("day", ["1.1.2023", "2023", "2023-13-01", "yesterday"])
@pytest.mark.parametrize(
    ("words", "option"),
    [
        ("stream m.db -o s.tsv", "--since"),
        ("stream m.db -o s.tsv", "--until"),
        ("sanctioned m.db", "--since"),
        ("sanctioned m.db --since 2023-01-01", "--until"),
        ("simulate s.tsv", "--before"),
        ("route s.tsv --calibrate s.tsv", "--calibrate-before"),
        ("train m.db -o model", "--since"),
    ],
)
def test_days_that_are_none_are_refused(run: Run, words: str, option: str, day: str) -> None:
    """Dates of units are compared as texts: 1.1.2023 would be before all of them."""
    refused(run("adapt", *words.split(), option, day), f"{option}: '{day}' is no date, such as ")


def test_columns_by_name_need_a_file_that_has_them(run: Run, tmp_path: Path) -> None:
    """A table with a header is not read as lines of text, nor is a mistaken name passed over."""
    table = tmp_path / "set.tsv"
    table.write_text("mt\tref\none\ttwo\n")
    for names in ("hypothesis=mt,reference=ref", "x=y"):
        expected = (f"--columns {names}: ", "is no JSON Lines or Parquet", "--tsv 1,2")
        refused(run("score", table, "-i", STRONG, "--columns", names), *expected)
        refused(run("score", R1, "-i", STRONG, "--columns", names), *expected)


def test_debugging_shows_the_error(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from tertium.errors import SpecError

    monkeypatch.setenv("TERTIUM_DEBUG", "1")
    with pytest.raises(SpecError, match="unknown metric"):
        run("score", R1, "-i", STRONG, "-m", "blue")


def test_full_disk(run: Run) -> None:
    """Output that cannot be written is an error, not a traceback."""
    if not Path("/dev/full").exists():
        pytest.skip("needs /dev/full")
    import subprocess
    import sys

    with open("/dev/full", "w") as full:
        argv = [sys.executable, "-m", "tertium", "score", str(R1), "-i", str(STRONG)]
        done = subprocess.run(argv, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert re.fullmatch(r"tertium: .*No space left on device\n", done.stderr)
