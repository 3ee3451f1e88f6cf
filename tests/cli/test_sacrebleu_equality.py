"""The same output as sacrebleu's command, byte for byte, but for the version in the signature."""

from __future__ import annotations

import io
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import LITERAL, R1, R2, STRONG, Run

QUOTED = {path: shlex.quote(str(path)) for path in (LITERAL, R1, R2, STRONG)}  # folders may have blanks
ONE = f"{QUOTED[R1]} -i {QUOTED[STRONG]}"
TWO = f"{QUOTED[R1]} {QUOTED[R2]} -i {QUOTED[STRONG]}"
SAMPLE_CASES = [
    ONE,
    TWO,
    f"{QUOTED[R1]} {QUOTED[R2]} --input={QUOTED[STRONG]}",
    f"{QUOTED[R1]} {QUOTED[R2]} --input {QUOTED[STRONG]} --metrics bleu",
    f"{QUOTED[R1]} -i {QUOTED[STRONG]} --metric bleu --tok intl",
    f"-m bleu -i {QUOTED[STRONG]} -- {QUOTED[R1]}",
    *(
        f"{TWO} {flags}"
        for flags in (
            "-f text",
            "-f json",
            "-b",
            "--score-only -f text",
            "-w 4",
            "-w 0",
            "--width 3 -f text",
            "-w4 -ftext",
            "-sh -f text",
            "--short",
            "-q",
            "-nc",
            "--no-color -f text",
            "--force",
            "-e utf-8",
            "-nr 1",
            "-m bleu chrf ter",
            "-m bleu chrf ter -f text",
            "-m bleu chrf ter -f text -sh -w 2",
            "-m bleu chrf ter -b",
            "-m bleu chrf ter -b -f text",
            "-sl",
            "-sl -m chrf",
            "-sl -m ter -w 3",
            "--sentence-level -b",
            "-sl -sh -tok intl -lc",
            "-tok intl",
            "-tok char",
            "-tok zh",
            "-tok none",
            "-lc",
            "--lowercase --tokenize none",
            "-s floor",
            "-s floor -sv 0.05",
            "-s add-k",
            "-s add-k --smooth-value 0.5",
            "--smooth-method none",
            "-l de-en",
            "-l en-zh",
            "-m chrf -cw 2",
            "-m chrf -cc 4",
            "-m chrf --chrf-char-order 3 --chrf-word-order 1",
            "-m chrf --chrf-whitespace",
            "-m chrf --chrf-lowercase",
            "-m chrf --chrf-eps-smoothing",
            "-m ter --ter-case-sensitive",
            "-m ter --ter-asian-support --ter-normalized",
            "-m ter --ter-no-punct",
            "-tok char -m chrf",
            "--confidence",
            "-ci -cin 200 -m bleu chrf ter",
            "-ci --confidence-n 200 -m bleu chrf ter -f text -sh -w 2",
            "-ci -cin 200 -b -f text",
        )
    ),
]
GOLDEN_CASES = [
    "multi/wmt17ende.ref -i multi/wmt17ende.FBK -m bleu chrf",
    "multi/wmt17ende.ref -i multi/wmt17ende.online-A -f text -w 6",
    " ".join(f"multi/nist4.ref{i}" for i in range(4)) + " -i multi/nist4.sys -m bleu chrf ter -w 6",
    "multi/readme2.ref0 multi/readme2.ref1 -i multi/readme2.sys -sl -w 6",
    "multi/jpn.ref -i multi/jpn.sys1 -tok zh -w 6",
    "multi/jpn.ref -i multi/jpn.sys2 -m ter --ter-asian-support --ter-normalized -w 6",
    "ted/ref.detok.eng -i ted/sys1.detok.eng -m bleu chrf -cw 2 -w 6",
    "ted/ref.eng -i ted/sys1.eng -tok intl -lc -sl",
    "challenge/ref.fr -i challenge/NMT.fr -m bleu ter -w 6",
]


def _originals(cases: list[tuple[list[str], str | None]]) -> list[tuple[int, str]]:
    oracle = Path(__file__).with_name("oracle.py")
    done = subprocess.run(
        [sys.executable, oracle], input=json.dumps(cases), capture_output=True, text=True, check=True
    )
    return [(status, out) for status, out in json.loads(done.stdout)]


def _alike(out: str) -> str:
    """Output without the program's version."""
    return re.sub(r'(version|tertium|v)("?: ?"?)\d+\.\d+\.\d+', "version", out)


@pytest.fixture(scope="module")
def sample_originals() -> dict[str, tuple[int, str]]:
    found = _originals([(shlex.split(case), None) for case in SAMPLE_CASES])
    return dict(zip(SAMPLE_CASES, found, strict=True))


def _located(case: str, shared: Path) -> list[str]:
    return [str(shared / "golden" / "inputs" / word) if "/" in word else word for word in shlex.split(case)]


@pytest.fixture(scope="module")
def golden_originals(shared: Path) -> dict[str, tuple[int, str]]:
    found = _originals([(_located(case, shared), None) for case in GOLDEN_CASES])
    return dict(zip(GOLDEN_CASES, found, strict=True))


@pytest.mark.parametrize("case", SAMPLE_CASES, ids=lambda case: case.replace(f"{R1.parent}/", ""))
def test_sample(case: str, run: Run, sample_originals: dict[str, tuple[int, str]]) -> None:
    result = run("score", *shlex.split(case))
    assert (result.status, _alike(result.out)) == (0, _alike(sample_originals[case][1]))
    assert sample_originals[case][0] == 0


@pytest.mark.golden
@pytest.mark.parametrize("case", GOLDEN_CASES)
def test_golden_inputs(
    case: str, run: Run, shared: Path, golden_originals: dict[str, tuple[int, str]]
) -> None:
    result = run("score", *_located(case, shared))
    assert (result.status, _alike(result.out)) == (0, _alike(golden_originals[case][1]))


def _stdin(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    hypotheses = STRONG.read_text(encoding="utf-8")
    _stdin(monkeypatch, hypotheses)
    result = run("score", R1, "-m", "bleu", "chrf")
    [(status, out)] = _originals([([str(R1), "-m", "bleu", "chrf"], hypotheses)])
    assert (result.status, _alike(result.out)) == (status, _alike(out))


def test_references_in_columns(run: Run, tmp_path: Path) -> None:
    pairs = zip(*(path.read_text(encoding="utf-8").splitlines() for path in (R1, R2)), strict=True)
    both = tmp_path / "both.tsv"
    both.write_text("".join(f"{one}\t{two}\n" for one, two in pairs), encoding="utf-8")
    argv = [str(both), "-nr", "2", "-i", str(STRONG), "-f", "text"]
    [(_, out)] = _originals([(argv, None)])
    assert _alike(run("score", *argv).out) == _alike(out)


def test_other_encoding(run: Run, tmp_path: Path) -> None:
    for name, text in (("ref", "Die Straße ist schön.\n"), ("hyp", "Die Straße ist grün.\n")):
        (tmp_path / name).write_bytes(text.encode("latin-1"))
    argv = [str(tmp_path / "ref"), "-i", str(tmp_path / "hyp"), "-e", "latin-1", "-m", "chrf"]
    [(_, out)] = _originals([(argv, None)])
    assert _alike(run("score", *argv).out) == _alike(out)


def test_several_systems_have_the_same_numbers(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """sacrebleu has one object a system with strings in it; we have one a system and metric, with numbers."""
    argv = [str(R1), str(R2), "-i", str(STRONG), str(LITERAL), "-m", "bleu", "chrf", "-w", "3"]
    [(_, out)] = _originals([(argv, None)])
    theirs = {(entry["system"], name): entry[name] for entry in json.loads(out) for name in ("BLEU", "chrF2")}
    ours: list[dict[str, Any]] = json.loads(run("score", *argv).out)
    assert {(entry["system"], entry["name"]): f"{entry['score']:.3f}" for entry in ours} == theirs


def test_systems_in_columns_of_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    columns = (path.read_text(encoding="utf-8").splitlines() for path in (STRONG, LITERAL))
    both = "".join(f"{one}\t{two}\n" for one, two in zip(*columns, strict=True))
    _stdin(monkeypatch, both)
    ours = json.loads(run("score", R1).out)
    [(_, out)] = _originals([([str(R1)], both)])
    assert [(entry["system"], f"{entry['score']:.1f}") for entry in ours] == [
        (entry["system"], entry["BLEU"]) for entry in json.loads(out)
    ]


def test_variable_for_the_format(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = run("score", *shlex.split(ONE), "-f", "text").out
    monkeypatch.setenv("SACREBLEU_FORMAT", "text")
    assert run("score", *shlex.split(ONE)).out == plain
    assert (
        run("score", *shlex.split(ONE), "-f", "json").out == plain
    )  # it overrides the flag there, so here too
    assert run("score", *shlex.split(ONE), "-f", "tsv").out != plain  # but not what sacrebleu does not have
