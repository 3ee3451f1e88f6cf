"""Memory, machine or nothing: by worth, with reasons, and a promise that is kept."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from tertium.adaptation.base import Materials, SourceSegment
from tertium.adaptation.bulletins import bulletins
from tertium.adaptation.routing import PASS, route
from tertium.adaptation.streams import Stream, StreamItem
from tertium.errors import InputError
from tertium.io.memories.pairs import Pair

PAIR = Pair("en", "fr")
WORDS = (
    "open",
    "close",
    "save",
    "print",
    "file",
    "window",
    "image",
    "layer",
    "text",
    "tool",
    "brush",
    "view",
    "page",
)


def office(folder: Path, seed: int = 1) -> tuple[str, Stream, Stream]:
    """A memory in which texts of one client are always translated alike and those of another seldom; streams of both,
    before and after a day."""
    draw = random.Random(seed)
    texts = [" ".join(draw.sample(WORDS, 3)) for _ in range(120)]
    units, items = [], []
    for number in range(2000):
        client = "steady" if number % 2 else "fickle"
        text = draw.choice(texts)
        target = (
            text.upper() if client == "steady" or draw.random() < 0.4 else " ".join(draw.sample(WORDS, 3))
        )
        date = f"20{20 + number * 4 // 2000:02d}-06-01"
        units.append(
            {"source": f"{client} {text}", "target": target, "client": client, "document": str(number % 7)}
            | {"date": date, "source_language": "en", "target_language": "fr"}
        )
        segment = SourceSegment(f"{client} {text}", client, str(number % 7), date=date)
        items.append(StreamItem(segment, target))
    path = folder / "m.jsonl"
    path.write_text("".join(json.dumps(unit) + "\n" for unit in units), "utf-8")
    later = tuple(item for item in items if item.segment.date >= "2023")
    earlier = tuple(item for item in items if "2022" <= item.segment.date < "2023")
    return str(path), Stream("earlier", earlier), Stream("later", later)


def test_what_passes_keeps_the_promise_and_says_why(tmp_path: Path) -> None:
    path, earlier, later = office(tmp_path)
    found = route(later, Materials(memory=path, before="2023-01-01", pair=PAIR), earlier)
    passed = [own for own in found.segments if own.decision == PASS]
    assert found.passed == len(passed) > 60
    assert found.bad <= 0.05 * found.passed
    clients = Counter(later.items[own.segment - 1].segment.client for own in passed)
    assert clients["steady"] > 10 * clients["fickle"]
    assert all(own.reasons for own in found.segments)
    assert "the same text was translated" in passed[0].reasons[0]
    assert any("pass without a look" in said for said in found.words())


def test_the_better_of_both_is_shown_and_detectors_silence(tmp_path: Path) -> None:
    path, earlier, later = office(tmp_path)
    machine = {item.segment.source: item.segment.source.split(" ", 1)[1].upper() for item in later.items}

    def with_mt(stream: Stream) -> Stream:
        return replace(
            stream, items=tuple(replace(own, mt=machine.get(own.segment.source, "X")) for own in stream.items)
        )

    broken = with_mt(later)
    first = replace(broken.items[0], mt="NO NO NO NO NO NO NO NO NO NO NO NO")
    broken = replace(broken, items=(first, *broken.items[1:]))
    found = route(broken, Materials(memory=path, before="2023-01-01", pair=PAIR), with_mt(earlier))
    routes = Counter(own.route for own in found.segments)
    assert min(routes["machine"], routes["memory"]) > 0
    assert found.segments[0].silenced
    assert found.segments[0].route != "machine"
    assert "silenced" in found.segments[0].reasons[0]
    for own in found.segments[1:50]:
        if own.memory is not None and own.machine is not None and not own.silenced and own.route != "nothing":
            assert own.route == ("memory" if own.memory >= own.machine else "machine")


def test_too_little_to_calibrate_on() -> None:
    with pytest.raises(InputError, match="two halves of 200 segments"):
        route(bulletins(100), Materials(pair=PAIR), bulletins(100))
