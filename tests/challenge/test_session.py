"""Judging one by one: every answer is in the log at once, and nothing that happens to the process loses one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tertium.challenge.items import ChallengeSet
from tertium.challenge.judgements import ChallengeJudgements, read_judgements
from tertium.challenge.outputs import Outputs
from tertium.challenge.session import JudgingSession
from tertium.errors import InputError, TertiumWarning
from tests.challenge.conftest import A, judged


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "ann.jsonl"


def session(log: Path, items: ChallengeSet, outputs: Outputs, **more: object) -> JudgingSession:
    return JudgingSession(log, items, outputs, "ann", seed=7, **more)  # type: ignore[arg-type]


def test_an_answer_is_in_the_file_when_it_is_given(items: ChallengeSet, outputs: Outputs, log: Path) -> None:
    with session(log, items, outputs) as judging:
        assert judging.left == 9
        for given in range(1, 10):
            judging.answer("yes", note="hm")
            assert len({(j.item, j.time) for j in read_judgements([log])}) <= given
            assert judging.judged == given
        assert judging.current is None
        with pytest.raises(InputError, match="nothing left"):
            judging.answer("no")
    found = read_judgements([log], items, outputs)
    assert len(found) == 10  # one text was written by both systems
    assert {j.note for j in found} == {"hm"}


def test_it_goes_on_where_it_stopped(items: ChallengeSet, outputs: Outputs, log: Path) -> None:
    asked = []
    for _ in range(9):
        with session(log, items, outputs) as judging:
            assert judging.current is not None
            asked.append((judging.current.item.id, judging.current.text))
            judging.answer("no")
    with session(log, items, outputs) as judging:
        assert (judging.judged, judging.left) == (9, 0)
    with session(log.with_name("other"), items, outputs) as fresh:
        order = []
        while fresh.current is not None:
            order.append((fresh.current.item.id, fresh.current.text))
            fresh.answer("yes")
    assert asked == order


def test_undo_also_of_yesterday(items: ChallengeSet, outputs: Outputs, log: Path) -> None:
    with session(log, items, outputs) as judging:
        first = judging.current
        assert not judging.undo()
        judging.answer("yes")
        judging.answer("no")
    with session(log, items, outputs) as judging:
        assert judging.undo()
        assert judging.undo()
        assert not judging.undo()
        assert judging.current is not None
        assert first is not None
        assert (judging.current.item, judging.current.text) == (first.item, first.text)
        assert set(judging.current.systems) == set(first.systems)
        assert judging.left == 9
        judging.answer("na")
    assert [j.answer for j in read_judgements([log])] == ["na"] * len(first.systems)
    assert sum(json.loads(line)["answer"] == "withdrawn" for line in log.read_text().splitlines()) >= 2


def test_what_is_skipped_comes_again(items: ChallengeSet, outputs: Outputs, log: Path) -> None:
    with session(log, items, outputs) as judging:
        skipped = judging.current
        judging.skip()
        assert judging.left == 9
        for _ in range(8):
            assert judging.current != skipped
            judging.answer("yes")
        assert judging.current == skipped


def test_a_line_cut_off_by_a_crash(items: ChallengeSet, outputs: Outputs, log: Path) -> None:
    with session(log, items, outputs) as judging:
        judging.answer("yes")
        judging.answer("no")
    whole = log.read_bytes()
    log.write_bytes(whole + b'{"item": "L1", "sys')
    with pytest.warns(TertiumWarning, match="the last line is incomplete"):
        judging = session(log, items, outputs)
    with judging:
        assert judging.judged == 2
        judging.answer("yes")
    assert log.read_bytes().startswith(whole)
    read_judgements([log], items, outputs)


def test_one_session_at_a_time(items: ChallengeSet, outputs: Outputs, log: Path) -> None:
    with session(log, items, outputs), pytest.raises(InputError, match="another session"):
        session(log, items, outputs)
    session(log, items, outputs).close()


def test_checking_shows_the_judge_s_answer_after_undo_too(
    items: ChallengeSet, outputs: Outputs, log: Path
) -> None:
    only = Outputs({A: outputs.texts[A]})
    known = ChallengeJudgements(tuple(judged("first", A, "yynnn")))
    for _ in range(2):
        with session(log, items, only, role="check", judgements=known) as judging:
            judging.undo()
            assert judging.current is not None
            assert judging.current.earlier[0][0] == "judge"
            assert judging.left == 5
            judging.answer("no")
    (made,) = read_judgements([log])
    assert (made.role, made.annotator) == ("check", "ann")


def test_a_log_of_another_set_is_refused(items: ChallengeSet, outputs: Outputs, log: Path) -> None:
    log.write_text('{"item": "X1", "system": "A", "annotator": "ann", "answer": "yes"}\n', encoding="utf-8")
    with pytest.raises(InputError, match="line 1: unknown item 'X1'"):
        session(log, items, outputs)
    with session(log.with_name("free"), items, outputs):
        pass  # the lock of the refused one is gone
    log.write_text("", encoding="utf-8")
    session(log, items, outputs).close()


def test_a_log_in_no_folder(items: ChallengeSet, outputs: Outputs, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written: No such file"):
        session(tmp_path / "none" / "x.jsonl", items, outputs)
