"""`tertium testset`, and `-t`, `--echo`, `--list` of `tertium score`: sacrebleu's own command is the oracle."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.testsets import bundled_sets, served_table, serving

SETS = ("wmt16", "wmt17", "wmt17/tworefs", "wmt18", "wmt20", "wmt22", "wmt24", "mtnt2019")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """sacrebleu's folder, empty, and small test sets on loopback."""
    monkeypatch.setenv("SACREBLEU", str(tmp_path / "sacrebleu"))
    with serving() as server:
        known = bundled_sets()
        table = served_table(server, {name: known[name] for name in SETS}, tmp_path / "table.json")
        monkeypatch.setenv("TERTIUM_TESTSETS", str(table))
        yield tmp_path


def sacrebleu(*argv: str) -> str:
    """sacrebleu's command, which must find everything in the folder."""
    done = subprocess.run(
        [sys.executable, "-m", "sacrebleu", *argv],
        capture_output=True,
        text=True,
        env=os.environ,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_verify_knows_which_texts_a_line_is_about(run: Run, folder: Path) -> None:
    run("testset", "get", "wmt17")
    (folder / "out").write_text(run("score", "-t", "wmt17", "-l", "de-en", "--echo", "src").out)
    given = ("-t", "wmt17", "-l", "de-en", "-i", folder / "out")
    line = run("score", *given, "-m", "bleu", "-f", "text", "-w", "4").out.strip()
    assert "|test:wmt17|lang:de-en|" in line
    assert "note: the line is about" not in run("verify", line, *given).out
    other = run("verify", line.replace("wmt17", "wmt16"), *given).out
    assert "note: the line is about test wmt16, but these texts are wmt17" in other
    ref = run("score", *given[:4], "--echo", "ref").out
    (folder / "ref").write_text(ref)
    assert (
        "about test wmt17: are these its texts?"
        in run("verify", line, folder / "ref", "-i", folder / "out").out
    )


@pytest.mark.parametrize(
    "words",
    ["-t wmt17 -l de-en", "-t wmt17/tworefs -l en-fi", "-t wmt22 -l cs-en", "-t wmt16,wmt17 -l de-en"],
)
def test_numbers_of_sacrebleu(run: Run, folder: Path, words: str) -> None:
    named = words.split()
    assert run("testset", "get", *named[1].split(","), "-f", "json").status == 0
    lines = run("score", *named, "--echo", "ref").out.splitlines()
    (folder / "out").write_text("".join(" ".join(line.split()[1:] or ["x"]) + "\n" for line in lines))
    got = json.loads(run("score", *named, "-i", folder / "out", "-m", "bleu", "-w", "9").out)
    want = json.loads(sacrebleu(*named, "-i", str(folder / "out"), "-m", "bleu", "-w", "9"))
    assert got["score"] == want["score"] < 100
    said = got["signature"].split("|")
    assert set(want["signature"].split("|")) - set(said) == {"version:2.6.0"}
    assert f"test:{named[1]}" in said
    assert f"lang:{named[3]}" in said


@pytest.mark.parametrize("fields", [["src"], ["ref"], ["src", "ref", "docid"], ["all"]])
def test_echo_is_that_of_sacrebleu(run: Run, folder: Path, fields: list[str]) -> None:
    assert run("testset", "get", "wmt17").status == 0
    got = run("score", "-t", "wmt17", "-l", "de-en", "--echo", *fields)
    assert got.out == sacrebleu("-t", "wmt17", "-l", "de-en", "--echo", *fields)
    assert "no 'nonsense'" in run("score", "-t", "wmt17", "-l", "de-en", "--echo", "nonsense").err


def test_a_folder_of_sacrebleu_is_read(run: Run, folder: Path) -> None:
    """Archives and texts that sacrebleu itself put there; nothing is asked of the server."""
    code = (
        "import json, os, sacrebleu.dataset as d\n"
        "table = json.load(open(os.environ['TERTIUM_TESTSETS']))['sets']['mtnt2019']\n"
        "own = d.DATASETS['mtnt2019']\n"
        "own.data, own.md5 = zip(*table['archives'])\n"
        "own.process_to_text('en-fr')\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, env=os.environ)
    os.environ["TERTIUM_TESTSETS"] = ""  # the bundled table: its addresses cannot be reached from tests
    assert run("score", "-t", "mtnt2019", "-l", "en-fr", "--echo", "src").out.count("\n") == 12
    listed = json.loads(run("testset", "list", "mtnt2019", "-f", "json").out)
    assert [own["name"] for own in listed["sets"]] == ["mtnt2019"]


PARTS = [
    "wmt17 de-en --origlang de",
    "wmt17 de-en --origlang non-de",
    "wmt16,wmt17 de-en -ol en",
    "wmt18 en-de --subset crime|world",
    "wmt18 en-de --subset country:US --origlang en",
    "wmt24 en-de --subset ^news$ --origlang cs",
]


@pytest.mark.parametrize("words", PARTS)
def test_parts_of_test_sets_are_those_of_sacrebleu(run: Run, folder: Path, words: str) -> None:
    """The same lines, and of them the same numbers; the signature says it, in sacrebleu's words."""
    name, pair, *part = words.split()
    named = ["-t", name, "-l", pair]
    assert run("testset", "get", name, "-q").status == 0
    lines = run("score", *named, "--echo", "ref").out.splitlines()
    (folder / "out").write_text("".join(" ".join(line.split()[1:] or ["x"]) + "\n" for line in lines))
    found = run("score", *named, *part, "--echo", "docid", "src").out
    assert found == sacrebleu(*named, *part, "--echo", "docid", "src")
    assert 0 < found.count("\n") < len(lines) or name == "wmt24"
    how = ["-i", str(folder / "out"), "-m", "chrf", "-w", "9"]
    got = json.loads(run("score", *named, *part, *how).out)
    assert got["score"] == json.loads(sacrebleu(*named, *part, *how))["score"]
    if "--subset" in part:
        assert got["subset"] == part[1]
    if "--origlang" in part:
        assert f"|origlang:{part[-1]}|" in got["signature"]


def test_several_systems_of_a_part(run: Run, folder: Path) -> None:
    named = ["-t", "wmt17", "-l", "de-en"]
    assert run("testset", "get", "wmt17", "-q").status == 0
    text = run("score", *named, "--echo", "ref").out
    (folder / "a").write_text(text.replace("e", "i"))
    (folder / "b").write_text(text.replace("o", "a"))
    how = ["--origlang", "de", "-i", str(folder / "a"), str(folder / "b"), "-m", "chrf", "-w", "6"]
    got = {own["system"]: own["score"] for own in json.loads(run("score", *named, *how).out)}
    want = {own["system"]: float(own["chrF2"]) for own in json.loads(sacrebleu(*named, *how, "-f", "json"))}
    assert got == want


def test_detail_is_that_of_sacrebleu(run: Run, folder: Path) -> None:
    """The parts, their sizes and numbers: by original language, and by what documents are about."""
    named = ["-t", "wmt18", "-l", "en-de"]
    assert run("testset", "get", "wmt18", "-q").status == 0
    lines = run("score", *named, "--echo", "ref").out.splitlines()
    (folder / "out").write_text("".join(" ".join(line.split()[1:] or ["x"]) + "\n" for line in lines))
    how = [*named, "-i", str(folder / "out"), "-d", "-m", "chrf", "-w", "6"]
    got = [line.split() for line in run("score", *how).out.splitlines()[4:]]
    pattern = re.compile(
        r"origlang=(\w+) (?:domain=)?((?:country=)?\w+) *: sentences=(\d+) +chrF2 = ([\d.]+)"
    )
    want = [pattern.fullmatch(line) for line in sacrebleu(*how, "-nc", "-q").splitlines()[1:]]
    assert len(want) > 5
    expected = [
        [own[1], own[2].replace("=", ":").replace("ALL", "all"), own[3], own[4]] for own in want if own
    ]
    assert [row[1:] for row in got] == expected
    assert "--detail goes with plain scores" in run("score", *how, "-ci").err
    assert run("score", *how, "--level", "document").err == ""
    bare = run("score", *how, "-b").out.splitlines()
    assert bare[0] == sacrebleu(*how, "-nc", "-q", "-b").splitlines()[0]
    assert [line.split() for line in bare[4:]] == got
    assert run("testset", "get", "mtnt2019", "-q").status == 0
    echoed = run("score", "-t", "mtnt2019", "-l", "en-fr", "--echo", "ref").out
    (folder / "out").write_text(echoed)
    said = run("score", "-t", "mtnt2019", "-l", "en-fr", "-i", folder / "out", "-d").out
    assert said.endswith("This test set does not say what languages its documents were written in.\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("-t wmt17 -l de-en --origlang fr", "no segment with --origlang fr (original languages: de, en;"),
        ("-t wmt17 -l de-en --subset x", "--subset: wmt17 de-en does not say what its documents are about"),
        ("-t wmt18 -l en-de --subset (", "--subset (: is not a regular expression"),
        ("-t mtnt2019 -l en-fr --origlang en", "mtnt2019 does not say what languages"),
        ("--origlang en", "parts of a test set by name: -t NAME -l SRC-TRG"),
        ("-t WMT17 -l de-en", "there is no test set 'WMT17'; did you mean 'wmt17'?"),
        (
            "-t wmt17/ref-A -l de-en",
            "there is no test set 'wmt17/ref-A'; there are wmt17, wmt17/tworefs (tertium",
        ),
        ("-t wmt17", "-t wmt17 needs a language pair: -l SRC-TRG (its pairs: cs-en, de-en,"),
        ("-t wmt17 -l de-en --echo all src", "--echo all prints all fields: name no others"),
        ("-t wmt20 -l de-en", "wmt20 de-en is not in {}: get it with tertium testset get wmt20"),
        ("-t wmt20 --cite", "no citation is known of wmt20"),
        ("-t wmt17 -l de-en -e latin-1", "-e latin-1: test sets by name are UTF-8"),
    ],
)
def test_what_cannot_be_done_is_one_line(run: Run, folder: Path, words: str, message: str) -> None:
    assert run("testset", "get", "wmt17", "wmt18", "mtnt2019", "-q").status == 0
    (folder / "out").write_text("a\n" * 12)
    got = run("score", *words.split(), "-i", folder / "out")
    assert (got.status, got.out, got.err.count("\n")) == (2, "", 1)
    assert message.format(os.environ["SACREBLEU"]) in got.err


def test_lists(run: Run, folder: Path) -> None:
    everything = json.loads(run("score", "--list", "-f", "json").out)
    assert [own["name"] for own in everything["sets"]] == list(SETS)
    assert not any(own["here"] for own in everything["sets"])
    theirs = dict(re.findall(r"(\S+) +: (.*)", sacrebleu("--list")))
    assert {own["name"]: own["description"] for own in everything["sets"]} == {
        name: theirs[name] for name in SETS
    }
    assert run("score", "--download", "wmt17").status == 0
    listed = json.loads(run("testset", "list", "-l", "fi-en", "-f", "json").out)["sets"]
    assert [(own["name"], own["here"]) for own in listed] == [
        ("wmt16", False),
        ("wmt17", True),
        ("wmt18", False),
    ]
    got = json.loads(run("testset", "get", "wmt17", "-f", "json").out)
    assert [own["how"] for own in got["archives"]] == ["already here"]
    refused = run("testset", "list", "-l", "de-enn")
    assert "no test set has the language pair 'de-enn'; did you mean 'de-en'?" in refused.err


@pytest.mark.parametrize("name", ["wmt17", "wmt22", "mtnt2019"])
def test_fields_are_those_of_sacrebleu(run: Run, folder: Path, name: str) -> None:
    before = json.loads(run("testset", "list", name, "-f", "json").out)
    assert run("testset", "get", name, "-q").status == 0
    got = json.loads(run("score", "--list", "-t", name, "-f", "json").out)
    want = dict(re.findall(r"(\S+): (.*)", sacrebleu("--list", "-t", name)))
    assert {own["pair"]: set(own["fields"]) for own in got["pairs"]} == {
        pair: set(fields.split(", ")) for pair, fields in want.items()
    }
    assert all(set(own["references"]) <= set(own["fields"]) for own in got["pairs"])
    assert [own["references"] for own in before["pairs"]] == [own["references"] for own in got["pairs"]]


def test_citations_are_bibtex(run: Run, folder: Path) -> None:
    """sacrebleu 2.6.0's own command stops at this with a TypeError."""
    from sacrebleu.dataset import DATASETS

    assert run("score", "-t", "wmt17", "--cite").out == f"{DATASETS['wmt17'].citation}\n"
    both = run("score", "-t", "wmt17,wmt20", "--citation").out
    assert both.endswith("}\n% wmt20: no citation is known\n")


@pytest.mark.parametrize(
    "words", ["-t wmt17 -l en-zh", "-t wmt17 -l de-en -tok intl", "-t wmt17 -l en-zh -lc"]
)
def test_ter_keeps_its_own_words(run: Run, folder: Path, words: str) -> None:
    """As in sacrebleu, where tokenisers and -lc are BLEU's; in Chinese our TER has sacrebleu's Asian support."""
    argv = [*words.split(), "-i", str(folder / "out"), "-m", "bleu", "chrf", "ter", "-w", "9"]
    assert run("testset", "get", "wmt17", "-q").status == 0
    lines = run("score", *words.split()[:4], "--echo", "ref").out.splitlines()
    (folder / "out").write_text("".join(" ".join(line.split()[1:] or ["X"]) + "\n" for line in lines))
    asian = ["--ter-asian-support", "--ter-normalized"] if "en-zh" in argv else []
    got, want = (json.loads(out) for out in (run("score", *argv).out, sacrebleu(*argv, *asian)))
    assert [(own["name"], own["score"]) for own in got] == [(own["name"], own["score"]) for own in want]
    moses = json.loads(run("score", *argv[:-5], "ter:like=moses", "-w", "9").out)
    assert moses["tok"] == got[0]["tok"]


def test_a_tokeniser_is_chosen_by_the_target_language(run: Run, folder: Path) -> None:
    named = ["-t", "wmt17", "-l", "en-zh"]
    assert run("testset", "get", "wmt17", "-q").status == 0
    (folder / "out").write_text(run("score", *named, "--echo", "ref").out)
    got = json.loads(run("score", *named, "-i", folder / "out").out)
    assert got["tok"] == json.loads(sacrebleu(*named, "-i", str(folder / "out")))["tok"] == "zh"
