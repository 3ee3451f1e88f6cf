"""Outputs and judgements in files: what belongs together is put together, what does not is refused with its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tertium.challenge.items import ChallengeSet
from tertium.challenge.judgements import (
    ChallengeJudgements,
    Judgement,
    parse_answer,
    read_judgements,
    write_judgements,
)
from tertium.challenge.outputs import Outputs, System, find_system, read_outputs, write_outputs
from tertium.errors import InputError
from tests.challenge.conftest import NEW, OLD, A, B, judged


def lines(path: Path, *records: object) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


@pytest.mark.parametrize("form", ["jsonl", "tsv"])
def test_outputs_there_and_back(items: ChallengeSet, tmp_path: Path, form: str) -> None:
    outputs = Outputs({OLD: {"L1": "tab\there \\t", "L2": ""}, NEW: {"S2": "*x*"}})
    write_outputs(tmp_path / f"o.{form}", outputs)
    assert read_outputs([tmp_path / f"o.{form}"], items) == outputs


def test_plain_outputs_follow_the_order_of_the_set(items: ChallengeSet, tmp_path: Path) -> None:
    path = tmp_path / "nmt.v2.fr"
    path.write_text("un\ndeux\ntrois\nquatre\ncinq\n", encoding="utf-8")
    assert read_outputs([path], items).texts[System("nmt")]["S1"] == "quatre"
    found = read_outputs([f"NMT@2018-01-16={path}", f"Other={path}"], items)
    assert found.systems == (System("NMT", "2018-01-16"), System("Other"))
    path.write_text("un\n", encoding="utf-8")
    with pytest.raises(InputError, match="has 1 lines, but the set small has 5 items"):
        read_outputs([path], items)


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ({"item": "L9", "system": "A", "output": "x"}, "line 2: unknown item 'L9'; did you mean 'L"),
        ({"item": "L1", "system": "A", "output": "x"}, "line 2: A has two outputs for item 'L1'"),
        ({"item": "L2", "system": "A"}, "line 2: output is missing: it must be a string"),
        ({"item": "L2", "system": "", "output": "x"}, "line 2: system '' is empty"),
        ({"item": "L2", "system": "A", "output": 3}, "line 2: output must be a string, not 3"),
        ({"item": "L2", "system": "A", "output": "x", "date": "1"}, "line 2: date: unknown key"),
        (
            {"item": "L2", "system": "A", "version": "a@b", "output": "x"},
            "line 2: the version 'a@b' contains an @",
        ),
    ],
)
def test_slips_in_outputs(items: ChallengeSet, tmp_path: Path, record: object, words: str) -> None:
    path = lines(tmp_path / "o.jsonl", {"item": "L1", "system": "A", "output": "x"}, record)
    with pytest.raises(InputError) as refused:
        read_outputs([path], items)
    assert words in str(refused.value)


def test_outputs_in_two_files_do_not_hide_each_other(items: ChallengeSet, tmp_path: Path) -> None:
    path = lines(tmp_path / "o.jsonl", {"item": "L1", "system": "A", "output": "x"})
    with pytest.raises(InputError, match="A has two outputs for item 'L1'"):
        read_outputs([path, path], items)
    with pytest.raises(InputError, match="itself names its systems"):
        read_outputs([f"B={path}"], items)


def test_systems_by_label() -> None:
    systems = (OLD, NEW, B)
    assert find_system("B", systems) == B
    assert find_system("A@2018-01-16", systems) == NEW
    with pytest.raises(InputError, match="'A' has several versions: name one of A@2017-10-05, A@2018-01-16"):
        find_system("A", systems)
    with pytest.raises(InputError, match="unknown system 'C'"):
        find_system("C", systems)
    for label in ("", "@x", "A@"):
        with pytest.raises(InputError, match="names no system"):
            System.named(label)


@pytest.mark.parametrize("form", ["jsonl", "tsv"])
def test_judgements_there_and_back(judgements: ChallengeJudgements, tmp_path: Path, form: str) -> None:
    extra = Judgement("L1", OLD, "zoë", "na", "check", "tab\t\\", "2026-01-01")
    every = ChallengeJudgements((*judgements, extra))
    write_judgements(tmp_path / f"j.{form}", every)
    assert read_judgements([tmp_path / f"j.{form}"]) == every


def test_a_log_can_take_answers_back(tmp_path: Path) -> None:
    one = {"item": "L1", "system": "A", "annotator": "ann"}
    path = lines(
        tmp_path / "j.jsonl",
        {**one, "answer": "yes"},
        {**one, "answer": "withdrawn"},
        {**one, "answer": "no"},
    )
    assert [j.answer for j in read_judgements([path])] == ["no"]
    lines(path, {**one, "answer": "withdrawn"})
    with pytest.raises(InputError, match="line 1: withdraws an answer that was not given"):
        read_judgements([path])


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ({"item": "L9"}, "line 2: unknown item 'L9'"),
        ({"system": "C"}, "line 2: the system 'C' has no outputs (known: A, B)"),
        ({"system": "B"}, "line 2: B has no output for item 'L1'"),
        ({"answer": "maybe"}, "line 2: 'maybe' is not an answer: write yes, no or n/a"),
        ({"answer": ""}, "line 2: the answer is empty"),
        ({"annotator": "ann"}, "line 2: ann has answered already (item 'L1', system A)"),
        ({"annotator": " "}, "line 2: item 'L1', system A: the annotator ' ' has no usable name"),
        ({"role": "boss"}, 'line 2: role must be "judge", "check" or "settle", not \'boss\''),
        ({"mark": "x"}, "line 2: mark: unknown key"),
        ({"note": 5}, "line 2: note must be a string, not 5"),
    ],
)
def test_slips_in_judgements(
    items: ChallengeSet, tmp_path: Path, record: dict[str, object], words: str
) -> None:
    good = {"item": "L1", "system": "A", "annotator": "ann", "answer": "yes"}
    path = lines(tmp_path / "j.jsonl", good, {**good, "annotator": "ben", **record})
    with pytest.raises(InputError) as refused:
        read_judgements([path], items, Outputs({A: {"L1": "x"}, B: {"L2": "x"}}))
    assert words in str(refused.value)


def test_judgements_are_checked_in_memory_too(items: ChallengeSet) -> None:
    with pytest.raises(InputError, match="judgement of ann: the system 'A' has no outputs"):
        ChallengeJudgements(tuple(judged("ann", A, "y...."))).check(items, Outputs({B: {"L1": "x"}}))
    with pytest.raises(InputError, match="ann has answered twice"):
        ChallengeJudgements((*judged("ann", A, "y...."), *judged("ann", A, "n....")))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        *[
            (word, "yes")
            for word in ("Y ", "y", "YES", "oui", "Oui ", "o", "1", 1, 1.0, True, "✓", "\u00a0yes")
        ],
        *[(word, "no") for word in ("N", "no", " non", "0", 0, False, "✗", "Nein")],
        *[(word, "na") for word in ("n/a", "NA", "N.A.", "not applicable", "Not  Applicable", "sans objet")],
        *[(word, None) for word in ("", "  ", None)],
    ],
)
def test_answers_as_people_write_them(written: object, meant: str | None) -> None:
    assert parse_answer(written, "x") == meant


@pytest.mark.parametrize("written", ["x", "X", "?", "2", 2, 0.5, "yes no", "y/n", "peut-être", b"y", "nope"])
def test_what_is_not_clearly_an_answer_is_refused(written: object) -> None:
    with pytest.raises(InputError, match=r"^sheet\.csv cell C7: .* is not an answer: write yes, no or n/a$"):
        parse_answer(written, "sheet.csv cell C7")
