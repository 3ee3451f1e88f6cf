"""The same bits wherever the work is done: every metric, every level, any number of parts and processes."""

from __future__ import annotations

import os
import pickle
import signal
import warnings
from pathlib import Path
from typing import Any

import pytest

import tertium as tt
from tertium import registry
from tertium.engines.base import Engine, engine_named
from tertium.engines.local import Local
from tertium.engines.processes import TRIES, Processes
from tertium.errors import InputError, MissingExtraError, SpecError, TertiumWarning, TextError
from tertium.families.base import LEVELS, Metric
from tertium.io.door import Batch, Inputs
from tertium.measuring import measure, measure_pieces
from tertium.testing import EXAMPLE
from tertium.text.segments import References, as_lines
from tests.cli.conftest import Run
from tests.conftest import each_metric
from tests.engines.conftest import AGAIN

PARTS = (1, 3, 17)
BOTH = ("one", "two")


@pytest.fixture(scope="module")
def two() -> Processes:
    return Processes(2, partitions=3)


def inputs() -> Inputs:
    """The contract's example twice, by two systems, in documents of three segments."""
    streams = [list(stream) * AGAIN for stream in EXAMPLE.streams]
    outputs = [as_lines(list(own) * AGAIN, "own") for own in (EXAMPLE.hypotheses, EXAMPLE.others)]
    sources = as_lines(list(EXAMPLE.sources) * AGAIN, "sources")
    documents = [f"d{i // 3}" for i in range(AGAIN * len(EXAMPLE))]
    batch = Batch(outputs, References.of(streams), sources, documents)
    return Inputs(list(BOTH), len(streams), True, iter([batch]), has_sources=True)


def rows_of(metric: Metric, level: Any, engine: Engine) -> dict[str, bytes]:
    measured = measure(inputs(), [metric], level, engine=engine)
    return {name: measured.rows[name, metric].to_bytes() for name in BOTH}


@pytest.mark.parametrize("spec", each_metric())
def test_every_metric_gives_the_same_bits(spec: str, supply: Any) -> None:
    """Rows of segments, documents and everything, cut into 1, 3 and 17 parts."""
    metric = supply(registry.metric(spec))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TertiumWarning)
        for level in LEVELS:
            whole = rows_of(metric, level, Local())
            for parts in PARTS:
                assert rows_of(metric, level, Local(partitions=parts)) == whole, (level, parts)


@pytest.mark.parametrize("spec", ["bleu", "chrf", "ter", "macrof1", "nist", "doc:chrf", "doc:cohesion"])
@pytest.mark.parametrize("level", LEVELS)
def test_processes_give_the_same_bits(spec: str, level: Any, supply: Any, two: Processes) -> None:
    metric = supply(registry.metric(spec))
    assert rows_of(metric, level, two) == rows_of(metric, level, Local())


def test_scores_of_segments_come_in_their_order(two: Processes) -> None:
    metrics = [tt.metric(spec) for spec in ("bleu", "chrf", "doc:chrf")]
    one, other = (
        [
            piece.segment_scores("two", "bleu").tolist()
            for piece in measure_pieces(inputs(), metrics, engine=own)
        ]
        for own in (Local(), two)
    )
    assert one == other
    texts = dict(zip(BOTH, (list(EXAMPLE.hypotheses), list(EXAMPLE.others)), strict=True))
    for level in ("corpus", "segment"):
        scores = [
            tt.score(texts, list(EXAMPLE.sources), ["bleu", "ter"], level=level, engine=own)
            for own in ("local", two)
        ]
        assert scores[0] == scores[1]


def died_once(place: str) -> int:
    """Kills its own process the first time."""
    if not os.path.exists(place):
        Path(place).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return len(place)


def dies(_part: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0


def complains(part: int) -> int:
    warnings.warn(f"part {part}", TertiumWarning, stacklevel=1)
    if part == 3:
        raise TextError("no parse", "text 3")
    print("not an answer")
    return part


def test_a_process_that_dies_is_replaced(two: Processes, tmp_path: Path) -> None:
    places = [str(tmp_path / name) for name in ("a", "bb", "ccc")]
    assert list(two.map(died_once, places)) == [len(place) for place in places]
    with pytest.raises(InputError, match=f"a process died {TRIES} times over the same part"):
        list(two.map(dies, [1]))


def test_what_goes_wrong_elsewhere_is_said_here(two: Processes) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = two.map(complains, [1, 2, 3, 4])
        assert [next(found), next(found)] == [1, 2]
        with pytest.raises(TextError, match="no parse") as error:
            next(found)
    assert {"part 1", "part 2", "part 3"} <= {str(own.message) for own in caught}
    assert error.value.text == "text 3"
    for own in (TextError("a", "b"), MissingExtraError("c", "d")):
        again = pickle.loads(pickle.dumps(own))
        assert (str(again), vars(again)) == (str(own), vars(own))


def test_parts_are_read_only_as_they_are_needed(two: Processes) -> None:
    read: list[int] = []
    for number, _ in enumerate(two.map(abs, (read.append(i) or i for i in range(100)))):
        assert len(read) <= number + two.workers + 1


def test_engines_by_name(run: Run, tmp_path: Path) -> None:
    assert isinstance(engine_named("local"), Local)
    assert engine_named("processes:3").workers == 3
    for bad in ("proceses", "processes:0", "processes:x", "local:2"):
        with pytest.raises(SpecError):
            engine_named(bad)
    reference, output = tmp_path / "ref", tmp_path / "out"
    reference.write_text("the cat sat\na dog ran\n" * 50)
    output.write_text("the cat sat\nthe dog ran\n" * 50)
    for more in ((), ("--level", "segment"), ("-m", "bleu", "--paired-bs", "-i", str(reference))):
        texts = ("score", reference, "-i", output, *more)
        here, there = run(*texts), run(*texts, "--engine", "processes:2")
        assert (here.status, here.out, here.err) == (there.status, there.out, there.err)
    found = run("score", reference, "-i", output, "--engine", "clouds")
    assert (found.status, found.err.count("\n")) == (2, 1)
    assert "unknown engine 'clouds'" in found.err
