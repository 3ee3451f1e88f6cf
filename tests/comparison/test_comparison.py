"""Everything at once: the comparison, its page, the gate, and the commands."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

import tertium as tt
from tertium.cli import main
from tertium.comparison.comparison import Comparison, compare
from tertium.comparison.gate import judge
from tertium.report import render
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
    assert "Significantly worse than the baseline, strong: smooth and literal" in " ".join(data["words"])


def test_what_the_page_shows(found: Comparison) -> None:
    tests, texts = found.data()["significance"], found.texts()
    scores = {system["name"]: system["value"] for system in tests["bleu"]["systems"]}
    assert scores["strong"] == pytest.approx(64.24171166027553)
    pair = next(pair for pair in tests["ter"]["pairs"] if pair["second"] == "smooth")
    assert pair["difference"] == pytest.approx(60.614525139664806 - 32.588454376163874)
    assert (pair["better"], pair["significant"]) == ("strong", True)
    assert texts["hypotheses"]["smooth"][0] == tt.TestSet.sample().systems["smooth"][0]
    assert json.loads(json.dumps(texts, allow_nan=False)) == texts
    assert [len(codes) for codes in texts["buckets"]] == [len(found.measured)] * len(found.buckets)


def test_only_sure_winners_are_marked() -> None:
    sample = tt.TestSet.sample()
    same = tt.TestSet.of(
        list(sample.references.streams),
        {"a": sample.systems["strong"], "b": sample.systems["strong"]},
        name="same",
    )
    made = compare(same, ["bleu"], resamples=100).data()
    assert [pair["significant"] for pair in made["significance"]["bleu"]["pairs"]] == [False]
    assert all(
        bucket["clearly_best"]["bleu"] is None for part in made["buckets"] for bucket in part["buckets"]
    )


def test_a_bucket_has_a_clear_winner_where_all_others_lose(found: Comparison) -> None:
    for bucket in found.data()["buckets"][0]["buckets"]:
        values = bucket["scores"]["ter"]
        lost = [one["p"] < 0.05 for one in bucket["p_values"] if one["metric"] == "ter"]
        sure = len(lost) == 2 and all(lost) and min(values, key=values.get) == "strong"
        assert bucket["clearly_best"]["ter"] == ("strong" if sure else None)
    assert found.data()["buckets"][0]["buckets"][1]["clearly_best"]["ter"] == "strong"


def test_gate(found: Comparison) -> None:
    verdicts = judge(found, ["bleu worse than baseline at p<0.05", "ter drops by 100 points"])
    assert [(v.system, v.failed) for v in verdicts] == [
        ("literal", True),
        ("smooth", True),
        ("literal", False),
        ("smooth", False),
    ]
    assert "**failed**" in verdicts.markdown()
    suite = ElementTree.fromstring(verdicts.junit())
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
    assert [metric["label"] for metric in data["metrics"]] == ["BLEU", "chrF2"]
    assert main(["compare", *texts, "-f", "table"]) == 0
    assert "paired approximate randomisation, 200 trials" in capsys.readouterr().out
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
        (
            [*REFERENCES, "-i", *SYSTEMS, "--baseline", "none"],
            "there is no system 'none' to use as the baseline",
        ),
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
    assert "there is only one segment" in capsys.readouterr().err


def test_everything_is_printed(found: Comparison) -> None:
    assert "By reference length" not in str(found)
    text = str(found.with_details())
    assert text.startswith(str(found))
    for heading in (
        "By reference length",
        "Means of segment scores",
        "Preferences: ",
        "F of word types by frequency",
        "Types that one system gets and the other misses",
        "n-grams that literal over- and under-produces",
        "Strongest favouritism: strong against literal",
        "the first texts by BLEU",
    ):
        assert heading in text, heading
    data = found.data()
    strongest = data["favouritism"][0]["metrics"]
    assert [own["metric"] for own in strongest] == ["bleu", "ter", "macrof"]
    assert len(strongest[0]["segments"]) == 10
    assert set(data["ngrams"]) == {"literal", "smooth", "strong"}
    assert data["ngrams"]["smooth"]["under_by_count"][0]["text"] == "the"
    only = data["type_differences"][0]["types"]["strong"]
    assert all(own["matched"] > 0 for own in only)


def test_types_need_no_metric_that_counts_them() -> None:
    made = compare(tt.TestSet.sample(), ["chrf"], resamples=50)
    assert made.curve.metric == "macrof1"
    data = made.data()
    assert data["types"]["label"] == "MacroF1"
    assert all(own["types"][name] for own in data["type_differences"] for name in own["systems"])
    assert set(data["ngrams"]) == set(made.measured.systems)
    assert all(own["over_by_count"] and own["under_by_odds"] for own in data["ngrams"].values())


def test_runs_are_tested_together_and_shown_by_the_median() -> None:
    sample = tt.TestSet.sample()
    texts = {name: [lines[i] or "" for i in range(len(lines))] for name, lines in sample.systems.items()}
    outputs = {
        "old": texts["smooth"],
        "new.1": texts["literal"],
        "new.2": texts["strong"],
        "new.3": [*texts["literal"][:30], *texts["strong"][30:]],
    }
    testset = tt.TestSet.of(sample.references, outputs, sources=sample.sources)
    runs = {"new": ["new.1", "new.2", "new.3"]}
    made = compare(testset, ["bleu"], runs=runs, resamples=100)
    values = {
        name: made.tests[0].metric.score_total(made.tests[0].metric.statistics(t, sample.references))
        for name, t in outputs.items()
    }
    new = next(system for system in made.tests[0].systems if system.name == "new")
    assert new.runs == 3
    assert new.value == pytest.approx(sum(values[name] or 0 for name in runs["new"]) / 3)
    assert made.shown == {"old": "old", "new": "new.3"}
    assert made.measured.systems == ("old", "new")
    assert made.data()["runs"] == runs
    assert any("what is shown of single segments is new.3 of 3 runs" in line for line in made.words())
    assert render(made.data(), made.texts()).startswith("<!doctype html>")
    for bad, message in (
        ({"new": ["new.9"]}, "there is no run 'new.9'"),
        ({"new": ["new.1"], "b": ["new.1"]}, "is a run of"),
        ({"old": ["new.1", "new.2"]}, "is the name of one output"),
        ({"new": []}, "has no runs"),
    ):
        with pytest.raises(tt.TertiumError, match=message):
            compare(testset, ["bleu"], runs=bad, resamples=50)


def test_buckets_can_be_chosen() -> None:
    sample = tt.TestSet.sample()
    made = compare(
        sample, ["chrf"], by=["hypothesis", "reference", "difference"], baseline="strong", resamples=50
    )
    assert [own.by.split(" (")[0] for own in made.buckets] == [
        "mean hypothesis length",
        "reference length",
        "difference in chrF2",
        "difference in chrF2",
    ]
    assert all(not bucket.p_values for own in made.buckets[2:] for bucket in own.buckets)
    assert not any(own.reversals for own in made.buckets[2:])
    with pytest.raises(tt.TertiumError, match="cannot be divided by 'sauce'; did you mean 'source'"):
        compare(sample, ["chrf"], by=["sauce"], resamples=50)


def test_labels_tags_and_training_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels, tags, training = (tmp_path / name for name in ("labels.tsv", "tags.tsv", "train.en"))
    first, second, _ = (Path(system).name for system in SYSTEMS)  # by file, or as they are shown
    assert second == "system-smooth.en"
    second = "smooth"
    rows = [f"{i}\t{first}\t{second}\t{1 if i < 8 else 2}" for i in range(1, 11)]
    labels.write_text("\n".join(["segment\tfirst\tsecond\tlabel", *rows]) + "\n", encoding="utf-8")
    training.write_text("the harbour is the harbour\n" * 3, encoding="utf-8")
    texts = [*REFERENCES, "-i", *SYSTEMS[:2], "-m", "bleu", "macrof1", "-n", "50", "-k", "2"]
    options = ["--labels", str(labels), "--tags", str(tags), "--training", str(training)]
    assert main(["compare", *texts, *options, "-f", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    human = data["preferences"][0]["human"]
    assert human["counts"] == [7, 3]
    assert human["equivalence_of_first"] == pytest.approx(4 / 7)
    assert data["preferences"][0]["metrics"]["bleu"]["agreement"]["labels"] == 10
    assert [bucket["name"] for bucket in data["frequencies"]["buckets"]] == ["0", "2-4", "5-9"]
    lines = tags.read_text(encoding="utf-8").splitlines()
    shown = {one["segment"] for own in data["favouritism"][0]["metrics"] for one in own["segments"]}
    assert len(lines) == 1 + 2 * len(shown)
    fields = lines[1].split("\t")
    lines[1] = "\t".join([*fields[:2], "synonym", "untranslation", *fields[4:]])
    tags.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert main(["compare", *texts, *options, "-k", "3", "--details", "strongest"]) == 0
    text = capsys.readouterr().out
    assert "untranslation*, synonym" in text
    again = tags.read_text(encoding="utf-8").splitlines()
    assert again[: len(lines)] == lines
    assert len(again) > len(lines)
    page = tmp_path / "report.html"
    assert main(["report", *texts, *options, "-o", str(page)]) == 0
    assert "untranslation*, synonym" in page.read_text(encoding="utf-8")


def test_runs_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    texts = [*REFERENCES, "-i", SYSTEMS[0], "--runs", f"new={SYSTEMS[1]},{SYSTEMS[2]}", "-n", "50"]
    assert main(["compare", *texts, "-f", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["systems"] == ["strong", "new"]
    assert data["runs"] == {"new": ["smooth", "literal"]}
    for bad in ("new", "=a,b", "new="):
        assert main(["compare", *REFERENCES, "-i", *SYSTEMS, "--runs", bad]) == 2
        assert "write NAME=FILE,FILE" in capsys.readouterr().err


def test_the_answer_comes_first(capsys: pytest.CaptureFixture[str]) -> None:
    texts = [*REFERENCES, "-i", *SYSTEMS, "-n", "1000"]
    assert main(["compare", *texts]) == 0
    whole = capsys.readouterr().out
    answer, table, *_ = whole.split("\n\n")
    assert answer.splitlines()[:2] == [
        "strong has the best score by every metric (BLEU and chrF2).",
        "Significantly worse: smooth and literal (p ≤ .0030, Holm).",
    ]
    assert answer.splitlines()[2].startswith(
        "strong's lead over smooth (43.47 BLEU): better on 97% of segments"
    )
    assert len(answer.splitlines()) <= 5
    rows = (line.strip("│").split("│")[:2] for line in table.splitlines() if line.startswith("│"))
    assert [[cell.strip() for cell in row] for row in rows][1:] == [
        ["1", "strong"],
        ["2-3", "smooth"],
        ["2-3", "literal"],
    ]
    assert len(whole.splitlines()) < 20
    assert "system-" not in whole
    assert main(["compare", *texts, "-q"]) == 0
    assert capsys.readouterr().out == f"{answer}\n"


@pytest.mark.parametrize(
    ("given", "headings"),
    [
        (["--details", "means", "types"], {"Means of segment scores", "F of word types by frequency"}),
        (["--details", "buckets", "-n", "20"], {"By reference length (13a tokens)"}),
        (["--details"], {"Means of segment scores", "Components", "F of word types by frequency"}),
    ],
)
def test_details_by_name(given: list[str], headings: set[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "-i", *SYSTEMS, "-m", "bleu", "-n", "20", *given, *REFERENCES]) == 0
    shown = set(capsys.readouterr().out.splitlines())
    assert headings <= shown
    known = {"Means of segment scores", "Components", "F of word types by frequency"}
    assert (shown & known == headings & known) or given == ["--details"]


def test_a_section_that_does_not_exist(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *REFERENCES, "-i", *SYSTEMS, "--details", "bukets"]) == 2
    assert "there is no section 'bukets'; did you mean 'buckets'?" in capsys.readouterr().err
