"""Exports say what was clicked: each shape is read back by our own readers of it."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from pathlib import Path

import pytest

from tertium.errors import InputError
from tertium.human.campaigns.exports import SHAPES, exported, refusal
from tertium.io.appraise import read_appraise
from tertium.io.comparisons import read_comparisons
from tertium.io.hume import read_hume
from tertium.io.judgements import read_judgements
from tertium.io.mqm import read_mqm
from tertium.io.mtme import read_mtme_ratings
from tertium.io.rankings import read_rankings
from tertium.io.records import comma_rows
from tertium.io.wmtjudgements import read_wmt_judgements
from tests.human.campaigns.made import campaign, chosen, screen

SCORED = [
    screen("Ann", "2", ["A+B"], {"score": 70.5}, position=1),
    screen("Ann", "1", ["C"], {"score": 30.0}, position=2),
    screen("Ann", "1", ["C"], {"score": 31.0}, position=3, kind="repeat"),
    screen("Ann", "1", ["C"], {"score": 5.0}, position=4, kind="degraded"),
    screen("Ben", "1", ["C"], {"score": 40.0}, position=1),
]


def written(tmp_path: Path, collected, shape: str) -> Path:
    made = exported(collected, shape)
    path = tmp_path / made.name
    path.write_bytes(made.data)
    return path


def test_json_lines_and_csv() -> None:
    collected = campaign("direct-assessment", SCORED)
    lines = [json.loads(line) for line in exported(collected, "jsonl").data.decode().splitlines()]
    assert [one["answer"]["score"] for one in lines] == [70.5, 30.0, 31.0, 5.0, 40.0]
    assert lines[0]["shown"] == [["A", "B"]]
    rows = list(csv.DictReader(io.StringIO(exported(collected, "csv").data.decode())))
    assert [(row["annotator"], row["kind"], row["systems"], row["value"]) for row in rows] == [
        ("Ann", "genuine", "A+B", "70.5"),
        ("Ann", "genuine", "C", "30.0"),
        ("Ann", "repeat", "C", "31.0"),
        ("Ann", "degraded", "C", "5.0"),
        ("Ben", "genuine", "C", "40.0"),
    ]


def test_csv_of_comparisons_says_better_and_worse_by_place() -> None:
    judged = [
        chosen("Ann", "1", "A", "B", "B", order=(1, 0)),  # B was shown first, so A was chosen
        chosen("Ann", "2", "A", "B", "undecided", position=2),
    ]
    rows = list(csv.DictReader(io.StringIO(exported(campaign("pairwise", judged), "csv").data.decode())))
    assert [(row["place"], row["systems"], row["value"]) for row in rows] == [
        ("1", "B", "worse"),
        ("2", "A", "better"),
        ("1", "A", "equal"),
        ("2", "B", "equal"),
    ]


def test_judgements_come_back(tmp_path: Path) -> None:
    found = read_judgements(written(tmp_path, campaign("direct-assessment", SCORED), "judgements")).judgements
    assert list(found.system) == ["A", "B", "C", "C", "C", "C"]
    assert found.score.tolist() == [70.5, 70.5, 30.0, 31.0, 5.0, 40.0]
    assert found.counts() == {"genuine": 4, "repeat": 1, "degraded": 1, "reference": 0}


def test_comparisons_rankings_and_marks_come_back(tmp_path: Path) -> None:
    judged = [chosen("Ann", "1", "A", "B", "A", order=(1, 0)), chosen("Ben", "1", "A", "B+C", "undecided")]
    pairs = read_comparisons(written(tmp_path, campaign("pairwise", judged), "judgements"))[0]
    assert pairs.votes() == {("1", "B", "A"): [1, 0], ("1", "A", "C"): [0]}
    ranked = [screen("Ann", "1", ["A", "B+C"], {"ranks": [2, 1]}, order=(1, 0))]
    ((own,), _) = read_rankings(written(tmp_path, campaign("ranking", ranked), "judgements"))
    assert dict(zip(own.systems, own.ranks, strict=True)) == {"A": 1, "B": 2, "C": 2}
    marks = [screen("Ann", "1", ["A"], {"marks": {"1": "good", "1.1": "orange"}})]
    found, _ = read_hume(written(tmp_path, campaign("semantic-units", marks), "judgements"))
    assert [(mark.unit, mark.mark) for mark in found] == [("1", "good"), ("1.1", "orange")]


def test_challenge_answers_are_read_by_challenge_sets(tmp_path: Path) -> None:
    from tertium.challenge.items import ChallengeSet
    from tertium.challenge.items import Item as Challenge
    from tertium.challenge.judgements import read_judgements as read_answers

    judged = [screen("Ann", "q1", ["A", "B+C"], {"answers": ["na", "yes"]}, order=(1, 0))]
    path = written(tmp_path, campaign("challenge", judged), "judgements")
    items = ChallengeSet((Challenge("q1", "Lexical", "", "Well?", "It rains."),))
    found = {(one.system.name, one.answer) for one in read_answers([path], items)}
    assert found == {("A", "yes"), ("B", "na"), ("C", "na")}


def test_wmt_rankings_come_back(tmp_path: Path) -> None:
    ranked = [
        screen("Ann", "7", ["A", "B+C", "D"], {"ranks": [2, 1, 3]}, order=(2, 0, 1)),
        screen("Ann", "8", ["A", "B"], {"ranks": [1, 1]}, position=2),
    ]
    (found,) = read_wmt_judgements(written(tmp_path, campaign("ranking", ranked), "wmt")).tasks
    assert found.task == "de-en"
    by_segment = {own.segment: dict(zip(own.systems, own.ranks, strict=True)) for own in found.rankings}
    assert by_segment == {"7": {"D": 2, "A": 1, "B": 3, "C": 3}, "8": {"A": 1, "B": 1}}


def test_wmt_scores_have_wmts_columns() -> None:
    lines = exported(campaign("direct-assessment", SCORED), "wmt").data.decode().splitlines()
    assert lines == ["LP DATA SYSTEM SID HUMAN", "de-en made A+B 2 70.5", "de-en made C 1 35.0"]


def test_appraise_comes_back(tmp_path: Path) -> None:
    found = read_appraise(written(tmp_path, campaign("direct-assessment", SCORED), "appraise")).judgements
    assert found.score.tolist() == [70.5, 70.5, 30.0, 31.0, 5.0, 40.0]
    assert found.counts()["degraded"] == 1
    assert found.document is not None
    assert found.document[0] == "doc"
    spans = [
        {"start": 0, "end": 6, "severity": "minor", "category": ""},
        {"start": None, "end": None, "severity": "major", "category": ""},
    ]
    marked = campaign("error-spans", [screen("Ann", "1", ["A"], {"spans": spans, "score": 60.0})])
    read = read_appraise(written(tmp_path, marked, "appraise")).judgements
    assert read.spans is not None
    assert [(span.start, span.end, span.severity) for span in read.spans[0]] == [
        (0, 6, "minor"),
        (None, None, "major"),
    ]


def test_mt_metrics_eval_comes_back(tmp_path: Path) -> None:
    spans = [{"start": 0, "end": 6, "severity": "minor", "category": "fluency/grammar"}]
    judged = [
        screen("Ann", "2", ["A"], {"spans": spans, "score": 60.0}),
        screen("Ben", "2", ["A"], {"spans": [], "score": 80.0}),
        screen("Ann", "3", ["B"], {"spans": [], "score": 90.0}, position=2),
    ]
    collected = campaign("error-spans", judged, size=4, options={"protocol": "mqm"})
    with zipfile.ZipFile(written(tmp_path, collected, "mtme")) as packed:
        assert sorted(packed.namelist()) == [
            "human-scores/de-en.made.seg.rating",
            "human-scores/de-en.made.seg.score",
            "human-scores/de-en.made.sys.score",
        ]
        packed.extractall(tmp_path)
    lines = (tmp_path / "human-scores/de-en.made.seg.score").read_text().splitlines()
    assert lines == ["A\tNone", "A\t70.0", "A\tNone", "A\tNone", "B\tNone", "B\tNone", "B\t90.0", "B\tNone"]
    ratings = read_mtme_ratings(tmp_path / "human-scores/de-en.made.seg.rating").judgements
    assert ratings.score.tolist() == [-1.0, 0.0]
    assert list(ratings.segment) == ["2", "3"]


def test_mt_metrics_eval_with_any_ids(tmp_path: Path) -> None:
    """Segments stand in the order of the test set, whatever they are called, and a list says which is which."""
    judged = [
        screen("Ann", "a tale 10", ["A"], {"score": 60.0}, line=2),
        screen("Ann", "the end", ["A"], {"score": 20.0}, position=2, line=4),
        screen("Ann", "a tale 9", ["A"], {"score": 80.0}, position=3, line=1),
    ]
    made = {}
    for size, lines in (
        (4, judged),
        (0, [screen("Ann", one.item.segment, ["A"], one.answer) for one in judged]),
    ):
        with zipfile.ZipFile(
            written(tmp_path, campaign("direct-assessment", lines, size=size), "mtme")
        ) as packed:
            names = packed.read("de-en.segments.txt").decode().splitlines()
            made[size] = names, packed.read("human-scores/de-en.made.seg.score").decode().splitlines()
    assert made[4] == (["a tale 9", "a tale 10", "", "the end"], ["A\t80.0", "A\t60.0", "A\tNone", "A\t20.0"])
    # a campaign of an older version, which did not keep the order: by name, numbers as numbers
    assert made[0] == (["a tale 9", "a tale 10", "the end"], ["A\t80.0", "A\t60.0", "A\t20.0"])


def test_mqm_comes_back(tmp_path: Path) -> None:
    spans = [
        {"start": 0, "end": 6, "severity": "minor", "category": "fluency/grammar"},
        {"start": 7, "end": 9, "severity": "major", "category": "accuracy", "in_source": True},
        {"start": 9, "end": 9, "severity": "major", "category": "omission"},
        {"start": None, "end": None, "severity": "critical", "category": "omission"},
    ]
    judged = [
        screen("Ann", "seg 7", ["A+B"], {"spans": spans, "score": 60.0}, source="source\tof 7", line=7),
        screen("Ben", "seg 3", ["A"], {"spans": [], "score": 80.0}, line=3),
        screen("Ben", "seg 3", ["A"], {"spans": spans, "score": 8.0}, kind="repeat"),
    ]
    path = written(tmp_path, campaign("error-spans", judged, options={"protocol": "mqm"}), "mqm")
    rows = list(csv.DictReader(io.StringIO(path.read_text()), delimiter="\t", quoting=csv.QUOTE_NONE))
    assert list(rows[0]) == [
        "system",
        "doc",
        "doc_id",
        "seg_id",
        "rater",
        "source",
        "target",
        "category",
        "severity",
    ]
    assert [row["target"] for row in rows[:4]] == [
        *("<v>output</v> of A+B", "output of A+B", "output of<v></v> A+B", "output of A+B")
    ]
    assert rows[1]["source"] == "source <v>of</v> 7"
    assert [(row["doc_id"], row["seg_id"]) for row in (rows[0], rows[-1])] == [("2", "seg 7"), ("1", "seg 3")]
    found = read_mqm(path, weights={"critical": 25}).judgements
    assert list(zip(found.system, found.segment, found.score.tolist(), strict=True)) == [
        *(("A", "seg 7", -36.0), ("B", "seg 7", -36.0), ("A", "seg 3", 0.0))
    ]
    assert found.spans is not None
    assert [(one.start, one.end, one.in_source) for one in found.spans[0]] == [
        *((0, 6, False), (7, 9, True), (9, 9, False), (None, None, False))
    ]


@pytest.mark.parametrize("evil", ["=1+1", "+1", "-1", "@SUM(A1)", "'=1", "''-1", "it's", "'quoted'"])
def test_no_cell_is_a_formula_and_every_name_comes_back(tmp_path: Path, evil: str) -> None:
    judged = [screen("Ann", evil, [evil, "B"], {"ranks": [1, 2]}, document=evil)]
    for design, shape in (("ranking", "csv"), ("ranking", "wmt"), ("direct-assessment", "appraise")):
        own = judged if design == "ranking" else [screen("Ann", evil, [evil], {"score": 1.0}, document="d")]
        path = written(tmp_path, campaign(design, own), shape)
        cells = [cell for row in csv.reader(io.StringIO(path.read_text())) for cell in row]
        assert not [cell for cell in cells if cell[:1] in ("=", "+", "-", "@")]
        assert evil in [cell for _, row in comma_rows(path) for cell in row]


def test_ids_with_spaces(tmp_path: Path) -> None:
    judged = [screen("Ann Lee", "page 1", ["A"], {"score": 70.0}, document="my doc")]
    collected = campaign("direct-assessment", judged)
    path = written(tmp_path, collected, "wmt")
    assert path.read_text().splitlines()[1].split("\t") == ["de-en", "made", "A", "page 1", "70.0"]
    assert list(read_judgements(written(tmp_path, collected, "judgements")).judgements.segment) == ["page 1"]
    assert list(read_appraise(written(tmp_path, collected, "appraise")).judgements.annotator) == ["Ann Lee"]


def test_shapes_that_do_not_fit_are_refused() -> None:
    pairs = campaign("pairwise", [chosen("Ann", "1", "A", "B", "A")])
    for shape in ("appraise", "mtme"):
        with pytest.raises(InputError, match="gives none"):
            exported(pairs, shape)
    nameless = campaign("direct-assessment", SCORED, languages="")
    for shape in ("appraise", "mtme", "wmt"):
        with pytest.raises(InputError, match="languages"):
            exported(nameless, shape)
    unscored = [screen("Ann", "1", ["A"], {"spans": [], "score": None})]
    with pytest.raises(InputError, match="error spans only"):
        exported(campaign("error-spans", unscored, options={"score": False}), "appraise")
    with pytest.raises(InputError, match="holds error spans"):
        exported(nameless, "mqm")
    assert [refusal(pairs.settings, shape) for shape in ("csv", "jsonl", "judgements", "wmt")] == [""] * 4
    with pytest.raises(InputError, match="did you mean 'csv'"):
        exported(pairs, "cvs")
    assert set(SHAPES) == {"csv", "jsonl", "judgements", "wmt", "appraise", "mqm", "mtme", "practice"}
