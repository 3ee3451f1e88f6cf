"""What a simulation says: systems side by side, their curves, and what is different for sure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tertium.adaptation.measures import CurvePoint, PairedDifference, Recovery, RepeatedErrors
from tertium.io.tables import Column, Table, chance_column, number_column
from tertium.results import Result

SURE = 0.05


@dataclass(frozen=True)
class Latency:
    """Milliseconds by the clock: the middle one, that of 95 in 100, and the longest."""

    median: float
    most: float  # 95%
    longest: float


@dataclass(frozen=True)
class ProbePoint:
    """A fixed set of segments, translated after so many corrections: its chrF, and how many are as before the first."""

    segments: int
    chrf: float
    unchanged: float


@dataclass(frozen=True)
class GroupScores:
    """The segments of a client, type or translator."""

    name: str
    segments: int
    chrf: float
    saved: float


@dataclass(frozen=True)
class SegmentScores:
    """By segment, in the order of the stream."""

    chrf: tuple[float, ...]
    ter: tuple[float, ...]
    saved: tuple[float, ...]
    balance: tuple[float | None, ...]


@dataclass(frozen=True)
class SystemRun:
    """One system in the stream."""

    system: str
    chrf: float
    ter: float
    saved: float
    exact: float  # share of translations that nobody had to touch
    repeated: RepeatedErrors
    curve: tuple[CurvePoint, ...]
    recoveries: tuple[Recovery, ...]
    probe: tuple[ProbePoint, ...]
    translate: Latency
    learn: Latency
    learnt: int  # corrections
    refused: int
    notes: tuple[tuple[int, str], ...]  # what was said, by segment
    groups: tuple[GroupScores, ...]
    balance: tuple[tuple[int, float], ...]  # by the last segment of each window
    segments: SegmentScores = field(repr=False)

    @property
    def forgotten(self) -> float | None:
        """chrF that the probe lost."""
        return self.probe[0].chrf - self.probe[-1].chrf if self.probe else None

    def contents(self) -> dict[str, Any]:
        from dataclasses import fields

        found = {one.name: getattr(self, one.name) for one in fields(self)}
        repeated = {
            "needed": self.repeated.needed,
            "repeated": self.repeated.repeated,
            "words": self.repeated.words,
            "rate": self.repeated.rate,
            "per_hundred_words": self.repeated.per_hundred,
        }
        return {**found, "repeated": repeated, "forgotten": self.forgotten}


@dataclass(frozen=True)
class Simulation(Result):
    """Systems in a stream: each segment was translated and scored before its correction was shown."""

    kind = "adaptation"
    stream: str
    size: int
    corrections: str  # post-edits, or references that stand for them
    alphabetical: bool
    runs: tuple[SystemRun, ...]
    tests: tuple[PairedDifference, ...]
    grouped: str  # the field of the groups
    block: int

    def contents(self) -> Mapping[str, Any]:
        return {
            "stream": self.stream,
            "segments": self.size,
            "corrections": self.corrections,
            "alphabetical": self.alphabetical,
            "grouped": self.grouped,
            "block": self.block,
            "systems": [own.contents() for own in self.runs],
            "tests": self.tests,
        }

    def words(self) -> Iterator[str]:
        best = max(self.runs, key=lambda own: own.chrf)
        yield (
            f"Over {self.size:,} segments of {self.stream}, {best.system} is best with chrF {best.chrf:.1f}; "
            f"it saves {best.saved:.1%} of the edits."
            + (f" {self._against(best)}" if len(self.runs) > 1 else "")
        )
        yield f"Corrections are {self.corrections}; each was shown after its segment was translated and scored."
        if self.alphabetical:
            yield (
                "Sources stand in alphabetical order, so that texts that begin alike follow each other: this flatters "
                "systems that learn."
            )
        for own in self.runs:
            for at, said in own.notes:
                yield f"{own.system}, segment {at:,}: {said}."

    def _against(self, best: SystemRun) -> str:
        sure = []
        for test in self.tests:
            if test.measure == "chrF" and best.system in (test.first, test.second) and test.p < SURE:
                sure.append(test.first if test.second == best.system else test.second)
        if not sure:
            return "It is not significantly better than any other system (chrF, Holm)."
        return f"It is significantly better than {', '.join(sure)} (chrF, p < .05, Holm)."

    def tables(self) -> Iterator[Table]:
        yield self._main()
        if self.tests:
            yield self._tested()
        yield self._curves()
        if any(own.groups for own in self.runs):
            yield self._groups()
        if any(own.recoveries for own in self.runs):
            yield self._recoveries()
        if any(own.probe for own in self.runs):
            yield self._probe()

    def _main(self) -> Table:
        columns = (
            Column("system"),
            number_column("chrF"),
            number_column("TER"),
            number_column("saved", digits=3),
            number_column("untouched", "exact", digits=3),
            number_column("repeated errors", "repeated_rate", digits=3),
            number_column("in 100 words", "repeated_per_hundred"),
            number_column("translate, ms", "translate_ms"),
            number_column("learn, ms", "learn_ms"),
        )
        rows = tuple(
            (
                own.system,
                own.chrf,
                own.ter,
                own.saved,
                own.exact,
                own.repeated.rate,
                own.repeated.per_hundred,
                own.translate.median,
                own.learn.median,
            )
            for own in self.runs
        )
        notes = (
            "saved: mean share of edits that the translation spares, max(0, 1 - TER)",
            "repeated errors: of the words that were corrected once and needed again, those that had to be corrected "
            "again; beside it, how many in 100 words of the corrections",
            "times are medians by the clock",
        )
        return Table(f"{self.stream}: {self.size:,} segments", columns, rows, notes)

    def _tested(self) -> Table:
        columns = (
            Column("system"),
            Column("measure"),
            number_column("difference", digits=3),
            Column("95%", align="right", whole=True),
            chance_column(),
        )
        rows = tuple(
            (
                own.second,
                own.measure,
                own.difference,
                "" if own.low is None else f"{own.low:.3f} to {own.high:.3f}",
                own.p,
            )
            for own in self.tests
            if own.first == self.runs[0].system and own.measure != "TER"
        )
        note = (
            f"over blocks of up to {self.block} segments that follow each other: intervals by the bootstrap, p by "
            "randomisation, after Holm"
        )
        more = "all pairs, and TER, are in the JSON"
        return Table(f"Against {self.runs[0].system}", columns, rows, (note, more))

    def _curves(self) -> Table:
        names = [own.system for own in self.runs]
        columns = (
            number_column("segments", digits=0),
            *(number_column(name) for name in names),
        )
        rows = tuple(
            (points[0].segments, *(own.chrf for own in points))
            for points in zip(*(run.curve for run in self.runs), strict=True)
        )
        return Table("chrF of the segments since the row before", columns, rows)

    def _groups(self) -> Table:
        names = [own.system for own in self.runs]
        columns = (
            Column(self.grouped),
            number_column("segments", digits=0),
            *(number_column(name) for name in names),
        )
        rows = tuple(
            (own[0].name, own[0].segments, *(one.chrf for one in own))
            for own in zip(*(run.groups for run in self.runs), strict=True)
        )
        return Table(f"chrF by {self.grouped}", columns, rows)

    def _recoveries(self) -> Table:
        columns = (
            Column("system"),
            number_column("from segment", "at", digits=0),
            Column("before"),
            Column("after"),
            number_column("chrF before"),
            number_column("first 100"),
            number_column("last 100"),
            Column("segments to recover", align="right", whole=True),
        )
        rows = tuple(
            (
                run.system,
                own.at,
                own.before,
                own.after,
                own.level_before,
                own.level_after,
                own.level_end,
                "not" if own.segments is None else f"{own.segments:,}",
            )
            for run in self.runs
            for own in run.recoveries
        )
        note = "recovered: from there on 100 segments have 95% of the mean chrF of the last 100 before the next change"
        return Table("After a change of client", columns, rows, (note,))

    def _probe(self) -> Table:
        names = [own.system for own in self.runs if own.probe]
        columns = (
            number_column("corrections", digits=0),
            *(number_column(f"chrF {name}") for name in names),
            *(number_column(f"as before {name}", digits=3) for name in names),
        )
        rows = tuple(
            (points[0].segments, *(own.chrf for own in points), *(own.unchanged for own in points))
            for points in zip(*(run.probe for run in self.runs if run.probe), strict=True)
        )
        return Table("The probe: what is forgotten", columns, rows)
