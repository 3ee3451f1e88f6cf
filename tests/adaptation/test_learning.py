"""What learners make of good corrections and of bad ones: phrases, the balance, doubt, and a kill in the middle."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tertium.adaptation.balance import Balance
from tertium.adaptation.base import Materials, SourceSegment, system
from tertium.adaptation.bulletins import bulletins
from tertium.adaptation.gate import CorrectionGate
from tertium.adaptation.lexical import PhraseCorrections
from tertium.adaptation.simulating import run_stream, simulate, with_machine
from tertium.adaptation.streams import Stream
from tertium.errors import InputError
from tertium.io.memories.pairs import Pair

PAIR = Pair("en", "fr")
GERMAN = "Der Wind wird in der Nacht nicht so stark sein, und der Schnee ist dann mit dem Regen zu Ende."
LEARNERS = ("memory", "memory+static", "lexical", "balanced", "terms")


def made(stream: Stream, spec: str) -> Any:
    return system(spec, with_machine(Materials(pair=PAIR), stream))


def poisoned(stream: Stream, begin: int, end: int) -> Stream:
    """Corrections of a part go to other segments of it."""
    items = list(stream.items)
    texts = [item.correction for item in items[begin:end]]
    random.Random(5).shuffle(texts)
    pairs = zip(items[begin:end], texts, strict=True)
    items[begin:end] = [replace(item, correction=text) for item, text in pairs]
    return replace(stream, items=tuple(items))


def test_a_phrase_that_people_keep_is_left_alone() -> None:
    rules = PhraseCorrections("en")
    rules.learn("Snow this evening.", "Neige ce soir.", "Neige en soirée.", 1)
    for _ in range(2):
        rules.learn("Rain this evening.", "Pluie ce soir.", "Pluie ce soir.", 2)
    assert rules.apply("Wind this evening.", "Vent ce soir.")[0] == "Vent ce soir."
    assert len(rules) == 1


def test_which_phrase_depends_on_the_source() -> None:
    rules = PhraseCorrections("en")
    rules.learn("Heavy snow is expected.", "Une neige lourde est attendue.", "Neige abondante prévue.", 1)
    rules.learn("Total rain amounts.", "Montants totaux de pluie.", "Quantités totales de pluie.", 2)
    rules.learn("Total snow amounts.", "Montants totaux de neige.", "Accumulations totales de neige.", 3)
    assert rules.apply("Total rain amounts today.", "Montants totaux de pluie.")[0].startswith(
        "Quantités totales"
    )
    assert rules.apply("Total snow amounts today.", "Montants totaux de neige.")[0].startswith(
        "Accumulations"
    )


def test_added_words_are_learnt_with_the_word_before_them() -> None:
    rules = PhraseCorrections()
    rules.learn("strong wind", "vent sur la côte", "vent violent sur la côte", 1)
    assert rules.apply("strong wind", "Du vent sur le lac")[0] == "Du vent violent sur le lac"


@pytest.mark.parametrize("spec", LEARNERS)
def test_corrections_in_another_language_are_refused(spec: str) -> None:
    stream = bulletins(40)
    own = made(stream, spec)
    segment = stream.items[0].segment
    before = own.translate(segment)
    lesson = own.learn(segment, GERMAN)
    assert not lesson.learnt
    assert "German, not French" in lesson.reasons[0]
    assert own.translate(segment) == before


@pytest.mark.parametrize("spec", LEARNERS)
def test_an_empty_correction_is_refused(spec: str) -> None:
    stream = bulletins(40)
    with pytest.raises(InputError, match="an empty correction teaches nothing"):
        made(stream, spec).learn(stream.items[0].segment, " \n")


@pytest.mark.parametrize("spec", LEARNERS)
def test_a_poisoned_stream_is_noticed_and_taken_back(spec: str) -> None:
    stream = poisoned(bulletins(260, random_order=True), 120, 180)
    own = made(stream, spec)
    log = run_stream(own, stream.items)
    alarms = [
        place for place, lesson in enumerate(log.lessons) if "looks poisoned" in " ".join(lesson.reasons)
    ]
    assert len(alarms) == 1
    assert 120 <= alarms[0] < 135
    assert not any(lesson.learnt for lesson in log.lessons[alarms[0] : 180])
    assert all(lesson.learnt for lesson in log.lessons[220:])  # and they make sense again
    clean = made(stream, spec)
    for item in (*stream.items[:120], *stream.items[220:]):
        clean.learn(item.segment, item.correction)
    asked = [
        item.segment for item in bulletins(40, seed=8).items if item.segment.source in own_sources(stream)
    ]
    same = sum(own.translate(one).text == clean.translate(one).text for one in asked)
    assert same >= 0.8 * len(asked) > 0


def own_sources(stream: Stream) -> set[str]:
    return {item.segment.source for item in stream.items}


def test_the_balance_goes_back_to_static_and_returns() -> None:
    found = simulate(poisoned(bulletins(400), 100, 200), ["balanced"], Materials(pair=PAIR))
    balance = dict(found.runs[0].balance)
    assert balance[100] > 0.8
    assert balance[200] < 0.1
    assert balance[400] > 0.8
    assert any("the balance goes back to static" in said for said in found.words())


@pytest.mark.parametrize("spec", LEARNERS)
def test_good_streams_are_not_doubted(spec: str) -> None:
    for seed in range(2):
        log = run_stream(made(stream := bulletins(120, seed=seed), spec), stream.items)
        assert all(lesson.learnt for lesson in log.lessons)


def test_the_balance_follows_what_was_worth_more() -> None:
    balance = Balance()
    assert balance.share(1.0) == 0.5
    for _ in range(40):
        balance.learn(0.8, static=0.5, dynamic=0.1)
        balance.learn(0.5, static=0.2, dynamic=0.7)
    assert balance.share(0.8) > 0.9
    assert balance.share(0.5) < 0.1
    assert balance.words() in {
        f"what was learnt counts from {own:.0%} on" for own in (0.6, 0.65, 0.7, 0.75, 0.8)
    }
    for _ in range(60):
        balance.learn(0.8, static=0.1, dynamic=0.6)
    assert balance.share(0.8) < 0.1


def test_nobody_doubts_where_nothing_was_proposed() -> None:
    gate = CorrectionGate("fr")
    assert all(gate.look(SourceSegment(f"a {n}"), "", f"b {n}").admitted for n in range(100))


@pytest.mark.parametrize("spec", ["lexical", "balanced", "terms"])
def test_snapshots_of_learners(tmp_path: Path, spec: str) -> None:
    stream = bulletins(90)
    first, second = made(stream, spec), made(stream, spec)
    for item in stream.items[:60]:
        first.learn(item.segment, item.correction)
    first.snapshot(str(tmp_path / "kept"))
    second.restore(str(tmp_path / "kept"))
    for item in stream.items[60:]:
        both = [own.translate(item.segment) for own in (first, second)]
        assert both[0] == both[1]
        for own in (first, second):
            own.learn(item.segment, item.correction)


LOOP = """
import sys
from tertium.adaptation.base import Materials, system
from tertium.adaptation.bulletins import bulletins
from tertium.adaptation.simulating import with_machine
stream = bulletins(2000)
own = system("balanced", with_machine(Materials(), stream))
for item in stream.items:
    own.learn(item.segment, item.correction)
    own.snapshot(sys.argv[1])
    print(own.gate.seen, flush=True)
"""


def test_a_kill_during_learning_leaves_the_last_snapshot_whole(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    process = subprocess.Popen([sys.executable, "-c", LOOP, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    for _ in range(30):
        said = int(process.stdout.readline())
    time.sleep(random.Random(1).random() / 20)
    process.send_signal(signal.SIGKILL)
    rest = process.stdout.read().split()
    process.stdout.close()
    process.wait()
    acknowledged = int(rest[-1]) if rest else said
    own = made(bulletins(2000), "balanced")
    own.restore(str(path))
    assert own.gate.seen in (acknowledged, acknowledged + 1)
