"""Everything at once: the comparison, its page, the gate, and the commands."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

import tertium as tt
from tertium.cli import main
from tertium.compare.comparison import Comparison, compare
from tertium.compare.gate import judge, junit, markdown
from tertium.compare.reportable import report_data
from tertium.report.contract import checked
from tests.conftest import SAMPLE

REFERENCES = [str(SAMPLE / "reference1.en"), str(SAMPLE / "reference2.en")]
SYSTEMS = [str(SAMPLE / f"system-{name}.en") for name in ("strong", "smooth", "literal")]


@pytest.fixture(scope="module")
def found() -> Comparison:
    return compare(tt.TestSet.sample(), ["bleu", "ter", "macrof1"], baseline="strong", resamples=300)


def test_the_package_can_be_called() -> None:
    made = tt.compare(tt.TestSet.sample(), ["chrf"], resamples=100)  # type: ignore[operator]
    assert isinstance(made, Comparison)
    assert made.pairs == [("strong", "literal"), ("strong", "smooth")]


def test_numbers_are_those_of_scoring(found: Comparison) -> None:
    scores = tt.TestSet.sample().score(["bleu", "ter", "macrof1"])
    for tests in found.tests:
        for system in tests.systems:
            assert system.value == scores[system.name, str(tests.metric)].value
    data = found.data()
    assert json.loads(json.dumps(data, allow_nan=False))["words"] == data["words"]
    assert "strong is better than smooth" in " ".join(data["words"])


def test_the_page_takes_it(found: Comparison) -> None:
    made = checked(report_data(found))
    assert made["scores"]["strong"]["BLEU"]["value"] == pytest.approx(64.24171166027553)
    pair = next(p for p in made["pairs"] if p["metric"] == "TER" and p["b"] == "smooth")
    assert pair["difference"] == pytest.approx(32.588454376163874 - 60.614525139664806)
    assert pair["better"] == "strong"
    assert made["segments"]["hypotheses"]["smooth"][0] == tt.TestSet.sample().systems["smooth"][0]


def test_only_sure_winners_are_marked() -> None:
    sample = tt.TestSet.sample()
    same = tt.TestSet.of(
        list(sample.references.streams),
        {"a": sample.systems["strong"], "b": sample.systems["strong"]},
        name="same",
    )
    made = checked(report_data(compare(same, ["bleu"], resamples=100)))
    assert [pair["better"] for pair in made["pairs"]] == [None]
    assert all(bucket["better"]["BLEU"] is None for part in made["buckets"] for bucket in part["buckets"])


def test_gate(found: Comparison) -> None:
    verdicts = judge(found, ["bleu worse than baseline at p<0.05", "ter drops by 100 points"])
    assert [(v.system, v.failed) for v in verdicts] == [
        ("literal", True),
        ("smooth", True),
        ("literal", False),
        ("smooth", False),
    ]
    assert "**failed**" in markdown(verdicts)
    suite = ElementTree.fromstring(junit(verdicts))
    assert (suite.get("tests"), suite.get("failures")) == ("4", "2")
    for condition, message in (
        ("nonsense", "cannot read the condition"),
        ("chrf worse than baseline at p<0.05", "was not measured"),
    ):
        with pytest.raises(tt.TertiumError, match=message):
            judge(found, [condition])


def test_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = [*REFERENCES, "-i", *SYSTEMS, "-m", "bleu", "chrf", "-n", "200"]
    assert main(["compare", *texts, "-f", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["metrics"] == ["bleu", "chrf"]
    assert main(["compare", *texts, "-f", "table"]) == 0
    assert "paired bootstrap, 200 resamples" in capsys.readouterr().out
    gate = ["--baseline", SYSTEMS[0], "--fail-if", "chrf worse than baseline at p<0.05"]
    files = ["--junit", str(tmp_path / "gate.xml"), "--summary", str(tmp_path / "gate.md")]
    assert main(["compare", *texts, *gate, *files, "-f", "markdown"]) == 1
    capsys.readouterr()
    assert (tmp_path / "gate.xml").read_text(encoding="utf-8").startswith("<?xml")
    assert "**failed**" in (tmp_path / "gate.md").read_text(encoding="utf-8")
    page = tmp_path / "report.html"
    assert main(["report", *texts, "-o", str(page)]) == 0
    assert "3 systems" in capsys.readouterr().out
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*REFERENCES, "-i", SYSTEMS[0]], "a comparison needs two or more"),
        ([*REFERENCES, "-i", SYSTEMS[0], SYSTEMS[0]], "is given twice"),
        ([*REFERENCES, "-i", *SYSTEMS, "--baseline", "none"], "there is no system 'none' to be the baseline"),
        ([str(SAMPLE / "README.md"), "-i", *SYSTEMS], "different numbers of lines"),
        ([*REFERENCES, "-i", *SYSTEMS, "--fail-if", "bleu drops by 1"], "needs a baseline"),
        ([*REFERENCES, "-i", *SYSTEMS, "--fail-if", "all is well"], "cannot read the condition"),
    ],
)
def test_bad_input(arguments: list[Any], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *arguments, "-n", "50"]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("\n") == 1
    assert message in shown.err


def test_one_segment_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("ref", "a", "b"):
        (tmp_path / name).write_text("one line\n", encoding="utf-8")
    assert main(["compare", str(tmp_path / "ref"), "-i", str(tmp_path / "a"), str(tmp_path / "b")]) == 2
    assert "one segment only" in capsys.readouterr().err
