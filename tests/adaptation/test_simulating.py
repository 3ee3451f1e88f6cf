"""The protocol: nothing is seen before it is scored, numbers are what their formulas say, memories grow."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tertium.adaptation.base import (
    AdaptiveSystem,
    Lesson,
    Materials,
    SourceSegment,
    Translation,
    system,
)
from tertium.adaptation.bulletins import TRANSLATORS, bulletins
from tertium.adaptation.measures import (
    MeasuredStream,
    blocks_of,
    learning_curve,
    paired_tests,
    recoveries,
    repeated_errors,
)
from tertium.adaptation.programs import ProgramSystem
from tertium.adaptation.simulating import run_stream, simulate
from tertium.adaptation.streams import (
    ALPHABETICAL,
    POST_EDITS,
    Stream,
    StreamChoice,
    StreamItem,
    memory_stream,
    read_stream,
    write_stream,
)
from tertium.errors import InputError, SpecError
from tertium.io.memories.pairs import Pair
from tests.adaptation.programs import program

PAIR = Pair("en", "fr")


class Spy(AdaptiveSystem):
    """Writes down what it is asked, in order."""

    name = "spy"
    sentence = "writes down what it is asked"

    def __init__(self) -> None:
        self.heard: list[tuple[str, str]] = []

    @classmethod
    def make(cls, materials: Materials, value: object, options: object) -> Spy:
        return cls()

    def translate(self, segment: SourceSegment, *, candidates: int = 1) -> Translation:
        self.heard.append(("translate", segment.source))
        return Translation(segment.source)

    def learn(self, segment: SourceSegment, correction: str) -> Lesson:
        self.heard.append(("learn", correction))
        return Lesson(True)


def stream_of(*pairs: tuple[str, str], **known: str) -> Stream:
    return Stream("few", tuple(StreamItem(SourceSegment(a, **known), b) for a, b in pairs))


def test_each_segment_is_translated_before_its_correction_is_shown() -> None:
    spy = Spy()
    log = run_stream(spy, stream_of(("a", "A"), ("b", "B")).items, stream_of(("p", "P")).items)
    assert [own for own in spy.heard if own[1] != "p"] == [
        ("translate", "a"),
        ("learn", "A"),
        ("translate", "b"),
        ("learn", "B"),
    ]
    assert ("learn", "P") not in spy.heard  # nothing is learnt of the probe
    assert [point.segments for point in log.probe] == [0, 1, 2]


def test_repeated_errors_by_hand() -> None:
    """neige is missed twice and right once after that; vent is missed once and never needed again."""
    translations = ["snow wind", "snow tonight", "neige ce soir"]
    corrections = ["neige vent", "neige ce soir", "neige ce soir"]
    found = repeated_errors(translations, corrections, "fr")
    # 1: neige, vent missed. 2: neige needed again and missed; soir missed for the first time. 3: neige and soir needed.
    assert (found.needed, found.repeated) == (3, 1)
    assert found.rate == pytest.approx(1 / 3)
    assert repeated_errors(["a b"], ["c d"]).rate is None


def test_numbers_are_those_of_the_metrics() -> None:
    """Cumulative points are corpus scores of all segments so far, by the metrics themselves."""
    import tertium as tt

    stream = bulletins(250)
    own = MeasuredStream([item.mt or "" for item in stream.items], [item.correction for item in stream.items])
    curve = learning_curve(own)
    assert [point.segments for point in curve] == [100, 250]
    for point in curve:
        texts, right = own.translations[: point.segments], own.corrections[: point.segments]
        assert point.all_chrf == pytest.approx(tt.score(list(texts), [list(right)], "chrf").scores[0].value)
    assert own.of("saved") == pytest.approx(float(np.clip(1 - own.segments["TER"] / 100, 0, 1).mean()))


def test_a_memory_grows_with_every_correction() -> None:
    made = system("memory", Materials(pair=PAIR))
    asked = SourceSegment("Snow will end tonight.", client="a")
    assert made.translate(asked).text == ""
    assert made.learn(asked, "La neige cessera cette nuit.").learnt
    again = made.translate(SourceSegment("Snow will end tonight"))
    assert again.text == "La neige cessera cette nuit."
    assert again.score is not None
    assert 0.75 < again.score < 1
    assert "a correction" in again.reasons[0]
    made.learn(SourceSegment("Snow will end tonight.", client="b"), "La neige finira cette nuit.")
    assert made.translate(asked).text == "La neige cessera cette nuit."  # the client's own comes first
    assert len(made.translate(asked, candidates=5).candidates) == 2
    made.forget()
    assert made.translate(asked).text == ""


def test_snapshots_of_a_memory(tmp_path: Path) -> None:
    path = str(tmp_path / "kept")
    stream = bulletins(120)
    specs = ("memory", "memory+static:threshold=.9", "memory:by=type")
    materials = Materials(machine=lambda: ProgramSystem(program(tmp_path)), pair=PAIR)
    for spec in specs:
        first, second = system(spec, materials), system(spec, materials)
        for item in stream.items[:100]:
            first.learn(item.segment, item.correction)
        first.snapshot(path)
        second.restore(path)
        for item in stream.items[100:]:
            assert first.translate(item.segment) == second.translate(item.segment)
        other = system(specs[spec == specs[0]], materials)
        with pytest.raises(InputError, match="is a snapshot of"):
            other.restore(path)
        for own in (first, second, other):
            own.close()


def test_threshold_decides_between_memory_and_machine(tmp_path: Path) -> None:
    machine = lambda: ProgramSystem(program(tmp_path))  # noqa: E731
    made = system("memory+static:threshold=.9", Materials(machine=machine))
    try:
        snow = SourceSegment("snow will end tonight")
        made.learn(snow, "la neige cessera cette nuit")
        assert made.translate(snow).origin == "memory"
        other = made.translate(SourceSegment("snow will end this morning"))
        assert (other.origin, other.text) == ("machine", "SNOW WILL END THIS MORNING")
        assert "less than 90%" in other.reasons[0]
    finally:
        made.close()


def test_corrections_of_one_translator_stay_with_him() -> None:
    made = system("memory:by=translator", Materials())
    one, two = (SourceSegment("Snow will end tonight.", translator=name) for name in TRANSLATORS)
    made.learn(one, "La neige cessera cette nuit.")
    assert made.translate(one).text
    assert not made.translate(two).text
    with pytest.raises(SpecError, match="no such field"):
        system("memory:by=colour", Materials())


def test_systems_that_cannot_be_made_are_named() -> None:
    for spec, said in (
        ("memry", "unknown system 'memry'; did you mean 'memory'"),
        ("memory:speed=9", "memory has no option 'speed'"),
        ("static", "static needs a machine translation"),
        ("memory:least=9", "a number from 0 to 1"),
    ):
        with pytest.raises(SpecError, match=said):
            system(spec, Materials())


def test_learners_beat_static_in_made_bulletins_and_the_tests_say_so(tmp_path: Path) -> None:
    found = simulate(
        bulletins(300),
        ["static", "memory+static"],
        Materials(pair=PAIR),
        probe=bulletins(20, seed=9),
        segments=str(tmp_path / "all.jsonl"),
    )
    static, learner = found.runs
    assert learner.chrf > static.chrf + 8
    assert static.repeated.rate
    assert learner.repeated.rate
    assert learner.repeated.rate < static.repeated.rate / 2
    (test,) = (own for own in found.tests if own.measure == "chrF")
    assert test.low <= test.difference <= test.high
    assert test.p < 0.05
    assert test.difference == pytest.approx(learner.chrf - static.chrf)
    assert static.forgotten == 0
    assert static.probe[-1].unchanged == 1
    assert {own.name for own in static.groups} == {item.segment.type for item in bulletins(300).items}
    lines = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text("utf-8").splitlines()]
    assert len(lines) == 600
    assert lines[1]["system"] == "memory+static"
    assert "It is significantly better than static (chrF, p < .05, Holm)." in " ".join(found.words())
    assert "references (simulated post-edits)" in " ".join(found.words())


def test_paired_tests_find_nothing_where_nothing_is() -> None:
    """Two systems with the same chances: at 5%, some 5% of the streams may say that they differ. Errors come in runs,
    so that tests of single segments would say it far too often."""
    said = 0
    for seed in range(60):
        draw = np.random.default_rng(seed)
        size = 500
        made = {}
        for name in ("one", "other"):
            good = np.repeat(draw.random(size // 10) < 0.5, 10)  # runs of ten
            made[name] = MeasuredStream(
                ["la neige cessera" if own else "le vent souffle" for own in good],
                ["la neige cessera"] * size,
            )
        items = stream_of(*[("snow", "neige")] * size).items
        said += any(
            own.p < 0.05 for own in paired_tests(made, items, resamples=300) if own.measure == "saved"
        )
    assert said <= 8  # 60 x 5% = 3; more than 8 has a chance of 0.5%


def test_blocks_end_with_documents() -> None:
    items = [
        *stream_of(*[("a", "b")] * 30, document="one").items,
        *stream_of(("a", "b"), document="two").items,
    ]
    assert blocks_of(items).tolist() == [0] * 25 + [1] * 5 + [2]


def test_recovery_after_a_change() -> None:
    items = [
        *stream_of(*[("a", "b")] * 150, client="one").items,
        *stream_of(*[("a", "b")] * 300, client="two").items,
    ]
    chrf = np.array([80.0] * 150 + [20.0] * 100 + [80.0] * 200)
    (found,) = recoveries(items, chrf)
    assert (found.at, found.before, found.after, found.level_after) == (151, "one", "two", 20.0)
    # The mean of 100 is 76 (95% of 80) once 93.4 of them are good.
    assert found.segments == 94
    (never,) = recoveries(items, np.array([80.0] * 150 + [20.0] * 201 + [80.0] * 99))
    assert never.segments is not None
    assert never.segments > 190


def test_streams_of_a_memory(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    units = [
        {
            "source": f"{letter} file {n}",
            "target": f"{letter} fichier {n}",
            "client": client,
            "document": client,
        }
        | {"date": date, "source_language": "en", "target_language": "fr"}
        for client, date in (("late", "2023-02-01"), ("early", "2022-05-01"))
        for letter in "abcde"
        for n in range(10)
    ]
    path.write_text("".join(json.dumps(unit) + "\n" for unit in units), "utf-8")
    found = memory_stream(str(path), StreamChoice(seed=3), PAIR)
    assert [item.segment.client for item in found.items] == ["early"] * 50 + ["late"] * 50
    assert not found.alphabetical
    assert found == memory_stream(str(path), StreamChoice(seed=3), PAIR)
    assert found != memory_stream(str(path), StreamChoice(seed=4), PAIR)
    assert memory_stream(str(path), StreamChoice(order=ALPHABETICAL), PAIR).alphabetical
    either = [
        memory_stream(str(path), StreamChoice(order=own, most=60), PAIR).items
        for own in (ALPHABETICAL, "shuffled")
    ]
    assert either[0] != either[1]
    assert set(either[0]) == set(either[1])  # of the same segments
    assert len(memory_stream(str(path), StreamChoice(until="2023-01-01"), PAIR)) == 50
    late = memory_stream(str(path), StreamChoice(since="2023-01-01", clients=("late",), most=7), PAIR)
    assert len(late) == 7
    with pytest.raises(InputError, match="no unit fits"):
        memory_stream(str(path), StreamChoice(since="2024-01-01"), PAIR)
    assert not [item for item in memory_stream(str(path), StreamChoice(), PAIR).items if item.mt]
    with pytest.raises(InputError, match="no unit fits"):  # all sources of 2023 are there before
        memory_stream(str(path), StreamChoice(since="2023-01-01", new=True), PAIR)
    for name in ("s.tsv", "s.jsonl"):
        write_stream(str(tmp_path / name), found)
        assert read_stream(str(tmp_path / name)).items == found.items


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("source\tpe\nSnow\t \n", "line 2: has an empty correction"),
        ("source\tpe\n\tNeige\n", "line 2: has no source"),
        ("source\tpee\nSnow\tNeige\n", "unknown column 'pee'"),
        ("source\tpe\n", "has no segments"),
    ],
)
def test_streams_that_cannot_be_used(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "s.tsv"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=said):
        read_stream(str(path))


def test_post_edits_are_called_so_and_outputs_of_a_file_are_static(tmp_path: Path) -> None:
    path, outputs = tmp_path / "s.tsv", tmp_path / "mt.txt"
    path.write_text("source\tpe\nSnow\tNeige\nRain\tPluie\n", "utf-8")
    outputs.write_text("Neige\nRain\n", "utf-8")
    stream = read_stream(str(path))
    assert stream.corrections == POST_EDITS
    (run,) = simulate(stream, ["static"], outputs=str(outputs)).runs
    assert run.exact == 0.5
    outputs.write_text("Neige\n", "utf-8")
    with pytest.raises(InputError, match="has 1 lines, but the stream 2 segments"):
        simulate(stream, ["static"], outputs=str(outputs))
