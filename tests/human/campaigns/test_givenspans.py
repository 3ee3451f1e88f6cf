"""Spans given beforehand: from files of any kind, and in damaged copies."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

import tertium as tt
from tertium.app.loading import load_campaign
from tertium.cli import main
from tertium.errors import InputError
from tertium.human.campaigns.assigning import assigned, moved
from tertium.human.campaigns.building import pool
from tertium.human.campaigns.collected import Judged
from tertium.human.campaigns.givenspans import with_spans
from tertium.human.campaigns.items import CampaignItem, Output
from tertium.human.campaigns.segments import GivenSpan, Segment
from tertium.human.campaigns.settings import Settings
from tertium.io.sheets import write_sheet

SEGMENTS = [
    Segment(
        "1", {"A": "The sheep lay long in harbour.", "B": "A ship."}, source="Das Schiff lag lange im Hafen."
    ),
    Segment("2", {"A": "Yes.", "B": "No."}, source="Ja."),
]
HEADER = ("segment", "system", "start", "end", "severity", "category", "in_source")
ROWS = [
    ("1", "A", "4", "9", "Major", "Accuracy/Mistranslation", ""),
    ("1", "A", "", "", "minor", "accuracy/omission", "false"),
    ("2", "B", "0", "2", "minor", "other", "true"),
]
EXPECTED = {
    ("1", "A"): (
        GivenSpan(4, 9, "major", "accuracy/mistranslation"),
        GivenSpan(None, None, "minor", "accuracy/omission"),
    ),
    ("2", "B"): (GivenSpan(0, 2, "minor", "other", in_source=True),),
}


def settings(**more: Any) -> Settings:
    options = {"protocol": "mqm"}
    return Settings.of({"name": "x", "design": "error-spans", "options": options, **more})


def spans(path: Path, **more: Any) -> dict[tuple[str, str], tuple[GivenSpan, ...]]:
    found = with_spans(path, settings(**more), SEGMENTS)
    return {(one.id, system): own for one in found for system, own in one.spans.items()}


@pytest.mark.parametrize("name", ["spans.csv", "spans.tsv", "spans.xlsx", "spans.jsonl"])
def test_tables_and_lines(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if path.suffix == ".xlsx":
        write_sheet(path, HEADER, ROWS)
    elif path.suffix == ".jsonl":
        records = [
            {
                "segment": "1",
                "system": "A",
                "start": 4,
                "end": 9,
                "severity": "Major",
                "category": "accuracy/mistranslation",
            },
            {
                "segment": "1",
                "system": "A",
                "start": None,
                "end": None,
                "severity": "minor",
                "category": "accuracy/omission",
            },
            {
                "segment": "2",
                "system": "B",
                "start": 0,
                "end": 2,
                "severity": "minor",
                "category": "other",
                "in_source": True,
            },
        ]
        path.write_text("".join(json.dumps(one) + "\n" for one in records))
    else:
        mark = "," if path.suffix == ".csv" else "\t"
        path.write_text("\n".join(mark.join(row) for row in (HEADER, *ROWS)) + "\n")
    assert spans(path) == EXPECTED
    only_b = spans(path, systems=["B"])  # what is said of other systems does not matter
    assert list(only_b) == [("2", "B")]


CAMPAIGN = """name = "x"
design = "error-spans"
segments = "segments.jsonl"
spans = { metric = "ter" }
[annotators]
names = ["Ann"]
items = 1
"""
RECORD = {
    "id": "1",
    "source": "Das Schiff lag im Hafen.",
    "reference": "The ship lay in port.",
    "outputs": {"A": "The sheep lay in port.", "B": "A ship lay in port."},
    "spans": {"A": [{"start": 0, "end": 3, "severity": "major"}]},
}


def campaign(folder: Path, text: str = CAMPAIGN, **record: Any) -> Path:
    (folder / "segments.jsonl").write_text(json.dumps(RECORD | record))
    (folder / "campaign.toml").write_text(text)
    return folder / "campaign.toml"


def test_a_metric_marks_words(tmp_path: Path) -> None:
    """After the spans that are there already; its signature is their origin, in items and in exports."""
    found, segments = load_campaign(campaign(tmp_path))
    origin = "TER|" + tt.metric("ter").signature(1, "segment")
    assert segments[0].spans == {
        "A": (GivenSpan(0, 3, "major"), GivenSpan(4, 9, "minor", origin=origin)),
        "B": (GivenSpan(0, 1, "minor", origin=origin),),
    }
    [item, *_] = pool(found, segments)
    assert CampaignItem.of(item.id, item.kind, json.loads(json.dumps(item.data()))) == item
    answer = {
        "spans": [{**item.outputs[0].spans[-1].data(), "given": len(item.outputs[0].spans) - 1}],
        "score": 50,
    }
    one = Judged("Ann", item, 1, 1, (0,), answer, 9.0, "2026-01-01T00:00:00")
    assert one.given[-1] | {"fate": "accepted", "origin": origin} == one.given[-1]
    _, [segment] = load_campaign(campaign(tmp_path, 'systems = ["B"]\n' + CAMPAIGN))
    assert [system for system, own in segment.spans.items() if any(span.origin for span in own)] == ["B"]


def test_origins_in_files(tmp_path: Path) -> None:
    rows = "segment,system,start,end,severity,origin\n1,A,4,9,minor,GEMBA\n"
    (tmp_path / "spans.csv").write_text(rows)
    line = {"segment": "1", "system": "A", "start": 4, "end": 9, "severity": "minor", "origin": "GEMBA"}
    (tmp_path / "spans.jsonl").write_text(json.dumps(line) + "\n")
    for name in ("spans.csv", "spans.jsonl"):
        assert spans(tmp_path / name) == {("1", "A"): (GivenSpan(4, 9, "minor", origin="GEMBA"),)}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("ter", "tre", "campaign.toml: line 4: spans.*tre"),
        ('"ter"', '"exec:true"', "line 4: spans.*"),
        (
            "error-spans",
            "direct-assessment",
            "line 4: spans: ter: the design direct-assessment has no error spans",
        ),
        ("ter", "doc:chrf", "line 4: spans: segment 1 has no document, which doc needs"),
        ('"ter"', "'outside:command=\"touch x\"'", "line 4: spans.*runs a program"),
        ("metric =", "metrik =", "line 4: spans.*"),
    ],
)
def test_metrics_that_cannot_mark(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        load_campaign(campaign(tmp_path, CAMPAIGN.replace(old, new)))


def test_a_metric_of_documents_marks_words(tmp_path: Path) -> None:
    _, [segment] = load_campaign(campaign(tmp_path, CAMPAIGN.replace("ter", "doc:ter"), document="d"))
    assert [(span.start, span.end) for span in segment.spans["A"]] == [(0, 3), (4, 9)]


def test_any_metric_marks_words_in_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A program too: whoever names it runs it; the campaign has its file."""
    example = shlex.join([sys.executable, str(Path(__file__).parents[3] / "examples" / "outside_metric.py")])
    text = CAMPAIGN.replace('{ metric = "ter" }', '"spans.jsonl"')
    path = campaign(tmp_path, text, outputs={"A": "The zzzzzzzzz lay in port.", "B": "A ship."})
    written = str(tmp_path / "spans.jsonl")
    command = ["annotate", "spans", str(path), "-o", written, "-m"]
    assert main([*command, f'outside:command="{example}"', "ter"]) == 0
    assert "spans.jsonl: " in capsys.readouterr().err
    _, [segment] = load_campaign(path)
    by = {(span.origin.partition("|")[0], span.start, span.end) for span in segment.spans["A"] if span.origin}
    assert by == {("TER", 4, 13), ("outside[outside_metric]", 4, 13)}
    assert main(["annotate", "spans", str(path), "-m", "ter"]) == 0
    first, *_ = capsys.readouterr().out.splitlines()
    assert json.loads(first)["severity"] == "minor"
    assert main([*command, "no-such-metric"]) == 2
    path = campaign(tmp_path, text, outputs=dict.fromkeys("AB", RECORD["reference"]))
    assert main(["annotate", "spans", str(path), "-m", "ter"]) == 2
    assert "no word is marked" in capsys.readouterr().err


def test_a_metric_needs_its_texts(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 4: spans: segment 1 has no reference, which ter needs"):
        load_campaign(campaign(tmp_path, reference=""))


def test_judgements_of_others_lend_their_spans(tmp_path: Path) -> None:
    """Google's MQM: the first rater of a translation; without categories in the campaign there are none."""
    path = tmp_path / "mqm.tsv"
    header = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    rows = [
        "A\td\t1\t1\tr1\tx\tThe <v>sheep</v> lay long in harbour.\tAccuracy/Mistranslation\tMajor\n",
        "A\td\t1\t1\tr2\tx\t<v>The</v> sheep lay long in harbour.\tOther\tMinor\n",
    ]
    path.write_text(header + "".join(rows))
    assert spans(path) == {("1", "A"): (GivenSpan(4, 9, "major", "accuracy/mistranslation"),)}
    plain = spans(path, options={"protocol": "esa"})
    assert plain == {("1", "A"): (GivenSpan(4, 9, "major"),)}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("7,A,0,1,minor", "line 2: there is no segment '7'"),
        ("1,C,0,1,minor", "line 2: there is no output of the system 'C'"),
        ("1,A,0,99,minor", r"line 2: \[0, 99\] is outside the text"),
        ("1,A,x,9,minor", "line 2: the start 'x' is not a whole number"),
        ("1,A,0,,minor", r"line 2: \[0, None\] is outside the text"),
        ("1,A,0,1,terrible", "no errors called 'terrible'"),
    ],
)
def test_wrong_spans_are_named(line: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "spans.csv").write_text(f"segment,system,start,end,severity\n{line}\n")
    records = [{"id": one.id, "source": one.source, "outputs": dict(one.outputs)} for one in SEGMENTS]
    (tmp_path / "texts.jsonl").write_text("".join(json.dumps(one) + "\n" for one in records))
    campaign = tmp_path / "campaign.toml"
    campaign.write_text('name = "x"\ndesign = "error-spans"\nsegments = "texts.jsonl"\nspans = "spans.csv"\n')
    with pytest.raises(InputError, match=message):
        pool(*load_campaign(campaign))


def test_a_design_without_spans_takes_none(tmp_path: Path) -> None:
    (tmp_path / "spans.csv").write_text("segment,system,start,end,severity\n")
    with pytest.raises(InputError, match="the design pairwise has no error spans"):
        with_spans(tmp_path / "spans.csv", Settings.of({"name": "x", "design": "pairwise"}), SEGMENTS)
    (tmp_path / "other.csv").write_text("ann,wmt.A,17,TGT,eng,deu,70,doc1#A,False,100.0,112.5\n")
    with pytest.raises(InputError, match="has no error spans"):
        with_spans(tmp_path / "other.csv", settings(), SEGMENTS)


def test_damaged_copies_keep_the_spans_that_the_damage_leaves_alone() -> None:
    """Every span of a degraded item covers the same words as in its original; none lies in the damage."""
    texts = [
        f"number {n} is a rather long sentence about harbour {n} and its {n} grey ships" for n in range(40)
    ]
    segments = []
    for n, text in enumerate(texts):
        starts = [at for at in range(len(text)) if at == 0 or text[at - 1] == " "]
        own = tuple(GivenSpan(at, (text + " ").index(" ", at), "minor") for at in starts)
        segments.append(Segment(str(n), {"A": text}, source="x", spans={"A": own}))
    plan = settings(controls={"degraded": 10}, annotators={"items": 40})
    found = assigned(plan, pool(plan, segments), "Ann")
    worse = [item for item in found.controls if item.kind == "degraded"]
    assert worse
    by_id = {item.id: item for item in pool(plan, segments)}
    for item in worse:
        original, copy = by_id[str(item.original)].outputs[0], item.outputs[0]
        words = [copy.text[span.start : span.end] for span in copy.spans]
        before = [original.text[span.start : span.end] for span in original.spans]
        assert 0 < len(words) < len(before)
        assert set(words) <= set(before)
        assert words[0] == "number"
        assert words[-1] == "ships"


def test_references_have_as_many_spans_as_what_they_stand_for() -> None:
    """No control item is known by its marks: whole words of the reference, with the severities of the original."""
    segments = [
        Segment(
            str(n),
            {"A": f"ship {n} lay in a harbour of 東京 with {n} men"},
            source="x",
            reference=f"{n} sailors were on ship {n} , which lay at anchor",
            spans={
                "A": (GivenSpan(0, 4, "minor"), GivenSpan(12, 16, "major"), GivenSpan(None, None, "minor"))[
                    : n % 4
                ]
            },
        )
        for n in range(40)
    ]
    plan = settings(controls={"reference": 20}, annotators={"items": 40})
    by_id = {item.id: item for item in pool(plan, segments)}
    shown = [
        item for item in assigned(plan, pool(plan, segments), "Ann").controls if item.kind == "reference"
    ]
    assert {len(item.outputs[0].spans) for item in shown} >= {0, 2, 3}
    for item in shown:
        text, spans = item.outputs[0].text, item.outputs[0].spans
        assert [one.severity for one in spans] == [
            one.severity for one in by_id[str(item.original)].outputs[0].spans
        ]
        for span in spans:
            if span.start is not None:
                assert set(text[span.start : span.end].split()) <= set(text.split())
        if spans:
            assert text[spans[0].start : spans[0].end] == "ship"


def test_what_the_damage_makes_longer_or_shorter() -> None:
    given = (
        GivenSpan(0, 1, "minor"),
        GivenSpan(2, 3, "minor"),
        GivenSpan(4, 5, "minor"),
        GivenSpan(None, None, "minor"),
    )
    output = Output("a b c", ("A",), given)
    places = [
        [(span.start, span.end) for span in moved(output, worse)] for worse in ("a long c", "a c", "a a b c")
    ]
    assert places == [
        [(0, 1), (7, 8), (None, None)],
        [(0, 1), (2, 3), (None, None)],
        [(0, 1), (4, 5), (6, 7), (None, None)],
    ]


def test_severities_without_a_weight_need_the_slider() -> None:
    options = {"severities": ["fine", "fatal"]}
    assert settings(options=options).options["score"]
    with pytest.raises(InputError, match=r"options\.severities .*no weight for severity 'fine'"):
        settings(options={**options, "score": False})
