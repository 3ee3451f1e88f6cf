"""Judges judged: numbers worked by hand, and the table of the paper's items as the docs show it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tertium.challenge.items import ChallengeSet, Item
from tertium.challenge.judgements import ChallengeJudgements, Judgement
from tertium.challenge.judges import Verdict, Verdicts, check_patterns, evaluate_judge, judge_all
from tertium.challenge.loading import load, needed_judgements, needed_outputs
from tertium.challenge.outputs import System
from tertium.challenge.starter import starter_set, with_patterns
from tertium.errors import InputError
from tests.conftest import ROOT

A = System("A")
ITEMS = ChallengeSet(
    tuple(
        Item(str(i), "Lexical" if i < 6 else "Syntactic", "", "Well?", "It rains.", "Il pleut.")
        for i in range(10)
    )
)
#          yes/yes x3       yes/no  no/no     unsure   | no/yes no/no  unsure x2
JUDGE = ["yes", "yes", "yes", "yes", "no", "unsure", "no", "no", "unsure", "unsure"]
PEOPLE = ["yes", "yes", "yes", "no", "no", "no", "yes", "na", "yes", "no"]


def verdicts(calls: list[str]) -> Verdicts:
    return Verdicts("mine", tuple(Verdict(str(i), A, call, "why") for i, call in enumerate(calls)))  # type: ignore[arg-type]


def people(answers: list[str], annotator: str = "ann") -> ChallengeJudgements:
    return ChallengeJudgements(
        tuple(Judgement(str(i), A, annotator, answer) for i, answer in enumerate(answers) if answer)  # type: ignore[arg-type]
    )


def test_numbers_worked_by_hand() -> None:
    found = evaluate_judge(verdicts(JUDGE), ITEMS, people(PEOPLE))
    whole = found.overall
    assert (whole.outputs, whole.decided, whole.coverage) == (10, 7, 0.7)
    assert (whole.both_yes, whole.wrong_yes, whole.both_no, whole.wrong_no) == (3, 1, 2, 1)
    assert whole.agreement == 5 / 7
    expected = (4 / 7) * (4 / 7) + (3 / 7) * (3 / 7)  # yes by chance, no by chance
    assert whole.kappa == pytest.approx((5 / 7 - expected) / (1 - expected), abs=1e-12)
    assert whole.no_precision == 2 / 3
    assert whole.no_recall == 2 / 5  # of 5 that people call no, two are unsure and one is called yes
    assert whole.majority == 4 / 7
    lexical, syntactic = found.categories
    assert (lexical.group.category, lexical.agreement, lexical.no_recall) == ("Lexical", 4 / 5, 1 / 3)
    assert (syntactic.decided, syntactic.agreement, syntactic.kappa) == (2, 0.5, 0.0)


def test_what_not_applicable_does_is_chosen() -> None:
    found = evaluate_judge(verdicts(JUDGE), ITEMS, people(PEOPLE), na="excluded")
    assert (found.overall.outputs, found.unjudged) == (9, 1)


def test_people_decide_by_majority_and_programs_do_not_count() -> None:
    three = people(["yes"] * 10).merged(people(["no"] * 10, "ben")).merged(people(["no"] * 10, "eve"))
    programs = three.merged(people(["yes"] * 10, "auto:x")).merged(people(["yes"] * 10, "auto:y"))
    found = evaluate_judge(verdicts(["no"] * 10), ITEMS, programs).overall
    assert (found.agreement, found.no_precision, found.no_recall) == (1.0, 1.0, 1.0)
    assert found.kappa is None  # only one answer was ever given
    with pytest.raises(InputError, match="judged both by people and by auto:mine"):
        evaluate_judge(verdicts(["no"]), ITEMS, people(["", "yes"]))


def test_undefined_is_none_and_never_a_number() -> None:
    found = evaluate_judge(verdicts(["unsure"] * 10), ITEMS, people(PEOPLE))
    data = json.loads(json.dumps(found.data(), allow_nan=False))
    assert data["overall"]["coverage"] == 0
    for name in ("agreement", "kappa", "no_precision", "majority"):
        assert data["overall"][name] is None
    assert data["overall"]["no_recall"] == 0
    assert "undefined" in found.table().text(terminal=False)


def test_equality_on_the_papers_items(shared: Path) -> None:
    release = load(shared / "data" / "challenge")
    outputs = needed_outputs(release)
    found = evaluate_judge(
        judge_all(release.items, outputs, "equality"), release.items, needed_judgements(release)
    )
    same = sum(
        text.rstrip(".").strip().lower() == release.items[item].reference.rstrip(".").strip().lower()
        for _, item, text in outputs
    )
    assert (found.overall.outputs, found.overall.decided, found.overall.both_yes) == (324, same, same)
    assert found.overall.both_yes > 50


def test_our_patterns_accept_every_reference_of_the_paper(shared: Path) -> None:
    items = with_patterns(load(shared / "data" / "challenge").items, "isabelle-2017")
    assert [item.id for item in items if not item.judge or set(item.judge) != {"accept", "reject"}] == []
    assert check_patterns(items) == []


def test_patterns_for_other_items_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "hints.jsonl"
    file.write_text('{"id": "ef-tags-1", "judge": {}}\n{"id": "S1a", "judge": {}}\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"hints.jsonl: line 2: unknown item 'S1a'"):
        with_patterns(starter_set("en-fr"), str(file))
    file.write_text('{"id": "ef-tags-1", "judge": {}}\n' * 2, encoding="utf-8")
    with pytest.raises(InputError, match=r"hints.jsonl: line 2: the id 'ef-tags-1' occurs twice"):
        with_patterns(starter_set("en-fr"), str(file))


def test_the_docs_show_what_the_tool_prints(shared: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tools.challenge_judges", "--shared", str(shared)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    page = (ROOT / "docs" / "challenge-judges.md").read_text(encoding="utf-8")
    shown = page.partition("<!-- tools.challenge_judges -->\n")[2].partition("<!-- end -->")[0]
    assert shown == done.stdout
    assert len(shown.splitlines()) > 15
