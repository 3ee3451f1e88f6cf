"""Exports of pearmut 1.1.6: a small campaign (ESA, two annotators, two documents, a tutorial), run on this machine and
answered through its HTTP interface. Texts and scores are made up, the files are pearmut's own.

ann answered her first document twice.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tertium.cli import main
from tertium.errors import InputError
from tertium.human.gold_files import read_gold
from tertium.io.pearmut import read_pearmut

EXPORT = Path(__file__).parent / "pearmut" / "tertium-esa.jsonl"
SCORES = {
    "ann": {"doc1:1": (70, 30), "doc1:2": (70, 30), "doc2:1": (100, 20)},
    "bob": {"doc1:1": (80, 50), "doc1:2": (85, 40), "doc2:1": (90, 10)},
}


def test_lists_of_segments() -> None:
    found = read_pearmut(EXPORT)
    table = found.judgements
    scores = {
        (who, segment, system): score
        for who, segment, system, score in zip(
            table.annotator, table.segment, table.system, table.score.tolist(), strict=True
        )
    }
    assert scores == {
        (who, segment, system): score
        for who, own in SCORES.items()
        for segment, pair in own.items()
        for system, score in zip(("smooth", "literal"), pair, strict=True)
    }
    assert found.protocol == "ESA"
    shown = str(found.coverage)
    assert "2 left out: tutorials and attention checks, first on line 1" in shown
    assert "1 left out: answered again, the last answer counts, first on line 2" in shown


def test_spans_and_times() -> None:
    table = read_pearmut(EXPORT).judgements
    assert table.spans is not None
    row = next(i for i in range(len(table)) if table.segment[i] == "doc2:1" and table.system[i] == "literal")
    first, missing = table.spans[row]
    assert (first.start, first.end, first.severity) == (0, 3, "major")
    assert (missing.start, missing.severity) == (None, "minor")
    assert table.seconds is not None
    assert table.seconds[row] == pytest.approx(12.5 / 2)  # one segment of two systems


def test_gold_of_a_campaign(capsys: pytest.CaptureFixture[str]) -> None:
    """Means over annotators; pearmut's own table takes the last annotation of an item, whoever made it."""
    gold = read_gold(EXPORT, minimum=1)
    assert gold.judged == "pearmut"
    assert gold.systems.scores.system("smooth") == pytest.approx((75 + 77.5 + 95) / 3)
    last = json.loads((EXPORT.parent / "tertium-esa.results.json").read_text())
    assert {own["model"]: own["count"] for own in last} == {"smooth": 3, "literal": 3}
    assert last[0]["score"] == pytest.approx((70 + 70 + 90) / 3)
    assert main(["meta", "gold", str(EXPORT), "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["agreement"]["shared"] == 6


def test_resets_skips_sliders_and_forms(tmp_path: Path) -> None:
    item = {"src": "a", "tgt": {"A": "x"}}
    rows = [
        {"user_id": "u", "item_i": 0, "item": [item], "annotation": [{"A": {"score": 1}}]},
        {"user_id": "u", "item_i": 0, "annotation": "__RESET__"},
        {
            "user_id": "u",
            "item_i": 0,
            "item": [item, item | {"src": "b"}],
            "annotation": [{"A": {"score": 7}}, None],
        },
        {
            "user_id": "v",
            "item_i": 0,
            "item": [item],
            "annotation": [{"A": {"score": None, "sliders": {"x": 2, "y": 4}}}],
        },
        {"user_id": "v", "item_i": 1, "item": [{"text": "Age?", "form": "number"}], "annotation": [30]},
    ]
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = read_pearmut(path)
    assert list(found.judgements.score) == [7.0, 3.0]
    assert list(found.judgements.segment) == ["a", "a"]
    for reason in ("before a reset", "skipped", "answers to forms"):
        assert reason in str(found.coverage)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '{"user_id": "u", "item_i": 0, "item": [], "annotation": [{"A": {"score": 1}}]}',
            "not lists of the same length",
        ),
        ('{\n "campaign_id": "x"\n}', "is a campaign or a table of results, not its annotations"),
        ('{"user_id": "u", "item_i": "welcome_0", "annotation": []}', "there are no judgements in this file"),
    ],
)
def test_other_files(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(text + "\n")
    with pytest.raises(InputError, match=message):
        read_pearmut(path)
