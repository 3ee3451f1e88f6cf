"""`tertium adapt simulate`: systems in a stream, each segment translated and scored before its correction is shown."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tertium.adaptation.base import FIELDS, AdaptiveSystem, Lesson, Materials, Translation, system
from tertium.adaptation.measures import (
    BLOCK,
    MeasuredStream,
    learning_curve,
    paired_tests,
    recoveries,
    repeated_errors,
)
from tertium.adaptation.results import (
    GroupScores,
    Latency,
    ProbePoint,
    SegmentScores,
    Simulation,
    SystemRun,
)
from tertium.adaptation.static import FiledOutputs
from tertium.adaptation.streams import Stream, StreamItem
from tertium.errors import InputError, did_you_mean
from tertium.io.files import read_lines, write_atomically
from tertium.io.records import json_line
from tertium.progress import steps
from tertium.stats.resampling import SEED

LOOKS = 5  # at the probe, beside that before the first correction
NOTES = 12  # that are kept of a system
_FEW = 20  # groups that are listed


@dataclass
class Log:
    """What happened in the stream, segment by segment."""

    translations: list[Translation] = field(default_factory=list)
    lessons: list[Lesson] = field(default_factory=list)
    translating: list[float] = field(default_factory=list)  # seconds
    learning: list[float] = field(default_factory=list)
    balances: list[float | None] = field(default_factory=list)
    probe: list[ProbePoint] = field(default_factory=list)
    _first: list[str] = field(default_factory=list)

    def look(self, own: AdaptiveSystem, probe: Sequence[StreamItem], segments: int) -> None:
        """Translate the probe; nothing is learnt from it."""
        if not probe:
            return
        texts = [own.translate(item.segment).text for item in probe]
        self._first = self._first or texts
        same = sum(a == b for a, b in zip(texts, self._first, strict=True)) / len(texts)
        chrf = MeasuredStream(texts, [item.correction for item in probe]).of("chrF")
        self.probe.append(ProbePoint(segments, chrf, same))


def run_stream(own: AdaptiveSystem, items: Sequence[StreamItem], probe: Sequence[StreamItem] = ()) -> Log:
    """One system, segment by segment: translate, keep, and only then show the correction."""
    log = Log()
    log.look(own, probe, 0)
    looks = {round(len(items) * step / LOOKS) for step in range(1, LOOKS + 1)}
    for done, item in enumerate(steps(items, str(own)), 1):
        begin = time.perf_counter()
        made = own.translate(item.segment)
        middle = time.perf_counter()
        lesson = own.learn(item.segment, item.correction)
        end = time.perf_counter()
        log.translations.append(made)
        log.lessons.append(lesson)
        log.translating.append(middle - begin)
        log.learning.append(end - middle)
        log.balances.append(made.balance if made.balance is not None else own.balance)
        if done in looks:
            log.look(own, probe, done)
    return log


def simulate(
    stream: Stream,
    systems: Sequence[str] = (),
    materials: Materials | None = None,
    *,
    outputs: str | None = None,
    probe: Stream | None = None,
    grouped: str = "",
    segments: str | None = None,
    seed: int = SEED,
) -> Simulation:
    """Systems by their spec strings in a stream. Without any: static, memory and memory+static (the first and the last
    where there is a machine translation: `materials`, a file of `outputs`, or the stream's own).

    >>> from tertium.adaptation.bulletins import bulletins
    >>> found = simulate(bulletins(300), ["static", "memory+static"])
    >>> found.runs[0].chrf < found.runs[1].chrf
    True
    """
    given = with_machine(materials or Materials(), stream, outputs, probe)
    names = list(systems) or (
        ["static", "memory", "memory+static"] if given.machine is not None else ["memory"]
    )
    if len(set(names)) < len(names):
        raise InputError("a system is named twice")
    if grouped and grouped not in FIELDS:
        raise InputError(f"segments cannot be grouped by {grouped!r}{did_you_mean(grouped, FIELDS)}")
    field_name = grouped or _usual_group(stream)
    corrections = [item.correction for item in stream.items]
    language = "" if given.pair is None else given.pair.target
    measured: dict[str, MeasuredStream] = {}
    runs: list[SystemRun] = []
    logs: list[Log] = []
    for name in names:
        own = system(name, given)
        try:
            log = run_stream(own, stream.items, () if probe is None else probe.items)
        finally:
            own.close()
        logs.append(log)
        measured[name] = MeasuredStream([made.text for made in log.translations], corrections)
        runs.append(_run(name, stream, log, measured[name], field_name, language))
    if segments is not None:
        _write(segments, stream, runs, logs)
    tests = tuple(paired_tests(measured, stream.items, seed=seed))
    return Simulation(
        stream.name,
        len(stream),
        stream.corrections,
        stream.alphabetical,
        tuple(runs),
        tests,
        field_name,
        BLOCK,
    )


def with_machine(
    materials: Materials, stream: Stream, outputs: str | None = None, probe: Stream | None = None
) -> Materials:
    """Materials with a static system: a file of outputs, line by line, or what the stream (and the probe) have."""
    if outputs is not None:
        lines = [line or "" for line in read_lines(outputs)]
        if len(lines) != len(stream):
            raise InputError(f"{outputs}: has {len(lines):,} lines, but the stream {len(stream):,} segments")
        pairs = zip(stream.items, lines, strict=True)
        named = replace(stream, items=tuple(replace(item, mt=line) for item, line in pairs))
        known, name = named.outputs(), outputs
    elif materials.machine is None and all(item.mt is not None for item in stream.items):
        known, name = stream.outputs(), stream.name
    else:
        return materials
    known = {**(probe.outputs() if probe is not None else {}), **known}
    return replace(materials, machine=lambda: FiledOutputs(known, name))


def _usual_group(stream: Stream) -> str:
    """The first of type and client that tells segments apart."""
    for name in ("type", "client"):
        if len({getattr(item.segment, name) for item in stream.items}) > 1:
            return name
    return "client"


def _run(
    name: str, stream: Stream, log: Log, measured: MeasuredStream, grouped: str, language: str
) -> SystemRun:
    by_segment = measured.segments
    groups: dict[str, list[int]] = {}
    for place, item in enumerate(stream.items):
        groups.setdefault(str(getattr(item.segment, grouped)), []).append(place)
    largest = sorted(groups, key=lambda own: (-len(groups[own]), own))[:_FEW] if len(groups) > 1 else []
    curve = learning_curve(measured)
    corrections = [item.correction for item in stream.items]
    return SystemRun(
        name,
        measured.of("chrF"),
        measured.of("TER"),
        measured.of("saved"),
        sum(a.strip() == b for a, b in zip(measured.translations, corrections, strict=True)) / len(stream),
        repeated_errors(measured.translations, corrections, language),
        curve,
        tuple(recoveries(stream.items, by_segment["chrF"])),
        tuple(log.probe),
        _latency(log.translating),
        _latency(log.learning),
        sum(lesson.learnt for lesson in log.lessons),
        sum(not lesson.learnt for lesson in log.lessons),
        tuple(_notes(log)),
        tuple(
            GroupScores(
                own,
                len(groups[own]),
                measured.among("chrF", groups[own]),
                measured.among("saved", groups[own]),
            )
            for own in largest
        ),
        tuple(_balances(log, [point.segments for point in curve])),
        SegmentScores(
            tuple(by_segment["chrF"].tolist()),
            tuple(by_segment["TER"].tolist()),
            tuple(by_segment["saved"].tolist()),
            tuple(log.balances),
        ),
    )


def _latency(seconds: Sequence[float]) -> Latency:
    values = 1000 * np.array(seconds)
    return Latency(float(np.median(values)), float(np.percentile(values, 95)), float(values.max()))


def _notes(log: Log) -> list[tuple[int, str]]:
    """What lessons said, each thing once: what a system says of every correction is no news."""
    found: dict[str, int] = {}
    for place, lesson in enumerate(log.lessons, 1):
        for said in lesson.reasons:
            found.setdefault(said, place)
    usual = {
        said for said in found if sum(said in lesson.reasons for lesson in log.lessons) > len(log.lessons) / 2
    }
    return [(place, said) for said, place in found.items() if said not in usual][:NOTES]


def _balances(log: Log, ends: Sequence[int]) -> list[tuple[int, float]]:
    found = []
    for begin, end in zip([0, *ends], ends, strict=False):
        known = [value for value in log.balances[begin:end] if value is not None]
        if known:
            found.append((end, sum(known) / len(known)))
    return found


def _write(path: str, stream: Stream, runs: Sequence[SystemRun], logs: Sequence[Log]) -> None:
    """A line for each segment and system."""
    with write_atomically(path) as file:
        for place, item in enumerate(stream.items):
            for run, log in zip(runs, logs, strict=True):
                made, lesson = log.translations[place], log.lessons[place]
                record = {
                    "segment": place + 1,
                    "system": run.system,
                    "source": item.segment.source,
                    **item.segment.context(),
                    "translation": made.text,
                    "correction": item.correction,
                    "origin": made.origin,
                    "score": made.score,
                    "balance": log.balances[place],
                    "reasons": list(made.reasons),
                    "learnt": lesson.learnt,
                    "lesson": list(lesson.reasons),
                    "chrF": run.segments.chrf[place],
                    "TER": run.segments.ter[place],
                    "saved": run.segments.saved[place],
                    "translate_ms": 1000 * log.translating[place],
                    "learn_ms": 1000 * log.learning[place],
                }
                file.write(json_line(record))
