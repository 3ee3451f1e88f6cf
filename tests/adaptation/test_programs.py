"""Programs of others in the protocol: five verbs, and one line about whatever breaks it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tertium.adaptation.base import SourceSegment
from tertium.adaptation.programs import ProgramSystem
from tertium.errors import InputError
from tests.adaptation.programs import LEARNER, program


def test_it_translates_learns_forgets_and_keeps_what_it_learnt(tmp_path: Path) -> None:
    system = ProgramSystem(program(tmp_path))
    try:
        snow = SourceSegment("snow", client="office", type="warning")
        assert system.translate(snow).text == "SNOW"
        assert system.translate(snow).score == 0.5
        assert system.learn(snow, " neige ").learnt
        assert system.translate(snow).text == "neige"
        system.snapshot(str(tmp_path / "kept"))
        system.forget()
        assert system.translate(snow).text == "SNOW"
        system.restore(str(tmp_path / "kept"))
        assert system.translate(snow).text == "neige"
        with pytest.raises(InputError, match="empty correction"):
            system.learn(snow, "  ")
    finally:
        system.close()


def test_one_that_only_translates_is_not_asked_to_learn(tmp_path: Path) -> None:
    code = LEARNER.replace('["translate", "learn", "forget", "snapshot", "restore"]', '["translate"]')
    system = ProgramSystem(program(tmp_path, code))
    try:
        assert not system.learn(SourceSegment("snow"), "neige").learnt
        system.forget()
        with pytest.raises(InputError, match="has no snapshot"):
            system.snapshot(str(tmp_path / "kept"))
        assert system.translate(SourceSegment("snow")).text == "SNOW"
    finally:
        system.close()


@pytest.mark.parametrize(
    ("was", "becomes", "said"),
    [
        ('"stays": True', '"stays": False', "must say that it stays"),
        (
            'translation=known.get(asked["source"], asked["source"].upper())',
            "translation=7",
            "no translation",
        ),
        ('reasons=["a rule"]', 'reasons="a rule"', "reasons that are no list"),
        ("score=0.5", "score=0.5, balance=3", "balance 3"),
        ('answer = {"id": asked["id"]}', "sys.exit(3)", "ended with status 3"),
    ],
)
def test_what_breaks_the_rules_is_named(tmp_path: Path, was: str, becomes: str, said: str) -> None:
    assert was in LEARNER
    command = program(tmp_path, LEARNER.replace(was, becomes))
    with pytest.raises(InputError, match=said):
        ProgramSystem(command).translate(SourceSegment("snow"))
