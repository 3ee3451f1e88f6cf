"""`tertium score` with sacrebleu's significance flags: its numbers, its JSON, and one line for what makes no sense."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from tertium.published import parse
from tests.cli.conftest import DOCUMENTS, LITERAL, R1, R2, SMOOTH, STRONG, Run
from tests.cli.test_bad_input import refused

GOLDEN = {
    "sig_challenge_bs": "challenge/ref.fr -i challenge/PBMT-1.fr challenge/NMT.fr challenge/Google.fr "
    "-m bleu chrf ter --paired-bs",
    "sig_challenge_ar": "challenge/ref.fr -i challenge/PBMT-1.fr challenge/NMT.fr challenge/Google.fr "
    "-m bleu chrf ter --paired-ar",
    "sig_snmt_ar": "snmt/ref.en -i snmt/SNMT.en snmt/UNMT.en -m bleu chrf --paired-ar",
    "sig_snmt_bs": "snmt/ref.en -i snmt/SNMT.en snmt/UNMT.en -m bleu chrf --paired-bs",
    "sig_ted_bs": "ted/ref.detok.eng -i ted/sys1.detok.eng ted/sys2.detok.eng -m bleu chrf --paired-bs",
    "sig_ted_ar": "ted/ref.detok.eng -i ted/sys1.detok.eng ted/sys2.detok.eng -m bleu chrf --paired-ar",
    "sig_nist4_ci": "multi/nist4.ref0 multi/nist4.ref1 multi/nist4.ref2 multi/nist4.ref3 -i multi/nist4.sys "
    "-m bleu chrf ter --confidence",
    "ci_challenge_google": "challenge/ref.fr -i challenge/Google.fr -m bleu chrf ter --confidence",
    "ci_ted_sys1": "ted/ref.detok.eng -i ted/sys1.detok.eng -m bleu chrf --confidence",
}


def _without_version(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    for entry in entries:
        if "signature" in entry:
            entry["signature"] = entry["signature"].rpartition("|")[0]
            entry.pop("version", None)
            entry.pop("tertium", None)
    return entries


def test_the_golden_commands_are_these(shared: Path) -> None:
    said = (shared / "golden" / "significance" / "COMMANDS.txt").read_text(encoding="utf-8").splitlines()
    assert sorted(said) == sorted(
        f"{name}.json: sacrebleu {command} --format json -w 10" for name, command in GOLDEN.items()
    )


@pytest.mark.golden
@pytest.mark.parametrize("name", GOLDEN)
def test_golden_commands(
    name: str, run: Run, shared: Path, golden: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every number of sacrebleu's output, to the last digit it prints."""
    monkeypatch.chdir(shared / "golden" / "inputs")
    result = run("score", *GOLDEN[name].split(), "--format", "json", "-w", "10")
    assert result.status == 0
    assert _without_version(json.loads(result.out)) == _without_version(golden(f"significance/{name}.json"))


def paired(run: Run, *flags: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(run("score", R1, "-i", STRONG, SMOOTH, LITERAL, *flags).out)
    return found


def test_seed_and_number_of_resamples(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    one = paired(run, "-pbs", "-m", "chrf")
    assert one == paired(run, "-pbs", "-m", "chrf", "-j", "4", "--threads", "2", "-pbsn", "0")
    monkeypatch.setenv("SACREBLEU_SEED", "7")
    assert one != paired(run, "-pbs", "-m", "chrf")
    few = paired(run, "--paired-bs", "--paired-bs-n", "99", "-m", "chrf")
    assert few[1]["chrF2"]["p_value"] == 0.01
    assert paired(run, "-par", "-parn", "99")[1]["BLEU"] | {"score": 0} == {
        "score": 0,
        "p_value": 0.01,
        "mean": None,
        "ci": None,
    }
    monkeypatch.setenv("SACREBLEU_SEED", "none")
    assert "seed:none|" in run("score", R1, "-i", STRONG, "-ci", "-cin", "10").out


def test_every_metric(run: Run) -> None:
    entries = paired(run, "-pbs", "-m", "macrof", "microf", "bleu", "bleu:tok=intl", "-pbsn", "50")
    assert entries[0].keys() == {"system", "MacroF1", "MicroF1", "BLEU (bleu)", "BLEU (bleu:tok=intl)"}
    assert all(value["p_value"] == 1 / 51 for key, value in entries[1].items() if key != "system")


def test_tables(run: Run) -> None:
    argv = ("score", R1, "-i", STRONG, SMOOTH, "-m", "bleu", "ter", "-w", "2")
    text = run(*argv, "-pbs", "-f", "text").out
    assert f"Baseline: {STRONG}" in text
    assert "BLEU (μ ± 95% CI)" in text
    assert "(p = 0.0010)*" in text
    assert "seed 12345, as sacrebleu computes it" in text
    assert "nrefs:1|bs:1000|seed:12345|case:mixed" in text
    assert run(*argv, "-pbs", "-b").status == 0
    assert "ar:10000|rs:12345" in run(*argv, "-par", "-f", "table", "-sh").out
    assert run(*argv, "-par", "-f", "markdown").out.count("| --") + 1 >= 1
    assert "(p = 0.0001)*" in run(*argv, "-par", "-f", "latex").out
    rows = [line.split("\t") for line in run(*argv, "-par", "-f", "tsv").out.splitlines()]
    assert rows[0] == ["system", "name", "score", "p_value", "mean", "ci"]
    assert [row[:2] for row in rows[1:]] == [
        [name, label] for name in (f"Baseline: {STRONG}", str(SMOOTH)) for label in ("BLEU", "TER")
    ]
    assert "(p = 0.0001)*" in run(*argv, "-par", "-f", "text").out


def test_equal_systems_are_pointed_out(run: Run, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.write_bytes(STRONG.read_bytes())
    text = run("score", R1, "-i", STRONG, copy, "-par", "-f", "text").out
    assert "are the same to BLEU in every segment (p = 1)" in text


def test_the_baseline_may_be_named_twice(run: Run) -> None:
    entries = json.loads(run("score", R1, "-i", STRONG, LITERAL, STRONG, SMOOTH, "-pbs").out)
    assert [entry["system"] for entry in entries] == [f"Baseline: {STRONG}", str(LITERAL), str(SMOOTH)]
    refused(run("score", R1, "-i", STRONG, LITERAL, LITERAL, "-pbs"), "is given twice")


def test_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    columns = (path.read_text(encoding="utf-8").splitlines() for path in (STRONG, LITERAL))
    text = "".join(f"{one}\t{two}\n" for one, two in zip(*columns, strict=True))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    entries = json.loads(run("score", R1, "-par", "-parn", "10").out)
    assert [entry["system"] for entry in entries] == ["Baseline", "System 1"]


def test_batches_change_nothing(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = paired(run, "-pbs", "-m", "bleu", "macrof", "ter")
    monkeypatch.setattr("tertium.io.door.BLOCK", 500)
    assert paired(run, "-pbs", "-m", "bleu", "macrof", "ter") == whole


def test_confidence_in_all_formats(run: Run) -> None:
    argv = ("score", R1, R2, "-i", STRONG, "-ci", "-m", "bleu", "macrof")
    line = run(*argv, "-f", "text").out.splitlines()[0].strip()
    assert " (μ = 64.2 ± 3.6) " in line
    assert parse(line).score.value == 64.2
    assert run(*argv, "-b", "-f", "text").out.splitlines()[0] == "64.2 (μ = 64.2 ± 3.6)"
    assert "BLEU: μ = 64.2 ± 3.6 (95%)" in run(*argv, "-f", "table", "-nc").out
    header, first, _ = run(*argv, "-f", "tsv").out.splitlines()
    found = dict(zip(header.split("\t"), first.split("\t"), strict=True))
    digits = [f"{float(found[key]):.1f}" for key in ("confidence_mean", "confidence_var")]
    assert digits == ["64.2", "3.6"]
    assert len(found["confidence_mean"]) > 10


def test_undefined_resamples_are_said(run: Run, texts: Any) -> None:
    reference, hypothesis = texts("ref", "a b", "", ""), texts("hyp", "a c", "", "")
    result = run("score", reference, "-i", hypothesis, "-m", "macrof", "-ci", "-cin", "100")
    assert "MacroF1 is undefined in" in result.err
    assert "no interval of MacroF1: with 3 segments" in result.err
    assert "confidence_mean" not in json.loads(result.out)


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["-pbs"], ["at least two"]),
        (["-par"], ["at least two"]),
        (["-ci", "-i", STRONG, LITERAL], ["--confidence is for one system"]),
        (["-pbs", "-par", "-i", STRONG, LITERAL], ["are mutually exclusive"]),
        (["-ci", "-pbs"], ["are mutually exclusive"]),
        (["-ci", "-sl"], ["segment scores"]),
        (["-ci", "--documents", DOCUMENTS, "--level", "document"], ["document scores"]),
        (["-ci", "--documents", DOCUMENTS, "-d"], ["--detail"]),
        (["-ci", "-cin", "1"], ["--confidence-n"]),
        (["-pbs", "-pbsn", "many"], ["--paired-bs-n"]),
    ],
)
def test_bad_flags(run: Run, argv: list[Any], words: list[str]) -> None:
    refused(run("score", R1, *([] if "-i" in argv else ["-i", STRONG]), *argv), *words)


def test_one_segment(run: Run, texts: Any) -> None:
    reference, one, other = texts("ref", "a b"), texts("one", "a c"), texts("other", "a b")
    refused(run("score", reference, "-i", one, other, "-pbs"), "there is one segment")
    refused(run("score", reference, "-i", one, "-ci"), "there is one segment")
