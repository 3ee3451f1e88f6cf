"""`clean_memory`: a memory without the units that are wrong, and those units with the reasons; nothing vanishes.

The memory is read twice or more: first to say how likely each unit is wrong, four bytes for each of them, then to
write it. So the threshold is known before the first unit is written.
"""

from __future__ import annotations

import os
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from tertium.errors import InputError, TertiumError
from tertium.io.memories.pairs import NoMemoryError, Pair
from tertium.io.memories.tmx import TmxReader
from tertium.io.memories.tmxwriting import with_properties
from tertium.io.memories.unit import Unit
from tertium.memory.checking import judge_for
from tertium.memory.examining import learn, quiet, whole_documents
from tertium.memory.reading import Source, batches
from tertium.memory.repairing import REPAIRS, Repair, RepairedUnit, repaired
from tertium.memory.resuming import Checkpoint
from tertium.memory.writing import UnitFile, written
from tertium.results import Result
from tertium.vetting.batches import WholeDocuments
from tertium.vetting.suspicion import LOOK, Suspicion, UnitJudge

if TYPE_CHECKING:
    from tertium.io.tables import Table

DOUBT, PROBABILITY = "x-tertium-doubt", "x-tertium-probability"
PRECISION = 0.95
_LISTED = 1000  # repairs that are listed one by one; all are counted
_SHOWN = 10
_ROUNDING = 1e-6  # of probabilities in four bytes
_EDGE = re.compile(r"^\s+|\s+$")
_SEEN = str.maketrans({" ": "␣", "\n": "⏎", "\t": "⇥", "\u00a0": "⍽"})


@dataclass(frozen=True)
class ListedRepair:
    """A unit's number, what was repaired, and its target before and after."""

    number: int
    repairs: tuple[str, ...]
    before: str
    after: str


@dataclass(frozen=True)
class CleanedMemory(Result):
    """What became of a memory: `kept` and `removed` are all its units."""

    kind = "cleaned memory"
    memory: str
    output: str
    removed_to: str
    precision: float  # asked for
    expected: float | None  # the mean probability of what was removed
    threshold: float | None  # units with this probability or more were removed; None: none was
    calibrated: bool
    units: int
    kept: int
    removed: int
    checks: tuple[tuple[str, int], ...]  # removed units that each check doubts
    repairs: tuple[tuple[str, int], ...]
    repaired: tuple[ListedRepair, ...]

    def contents(self) -> Mapping[str, Any]:
        return {**super().contents(), "checks": dict(self.checks), "repairs": dict(self.repairs)}

    def words(self) -> Iterator[str]:
        share = f" ({100 * self.removed / self.units:.2g}%)" if self.units else ""
        yield (
            f"{self.memory}: of {self.units:,} units {self.removed:,}{share} are in {self.removed_to}, with the "
            f"reasons, {self.kept:,} in {self.output}."
        )
        if self.expected is not None:
            yield (
                f"Removed is what is wrong with a probability of {self.threshold:.2f} or more, {self.expected:.2f} on "
                f"average (asked: {self.precision:g})."
            )
        if not self.calibrated:
            yield "Probabilities are those of rules, not yet measured on known errors."
        for name, number in self.repairs:
            yield f"Repaired: {name} in {number:,} units."

    def table(self) -> Table:
        from tertium.io.tables import Table, number_column

        columns = tuple(number_column(name, digits=None) for name in ("units", "kept", "removed"))
        return Table("", columns, ((self.units, self.kept, self.removed),))

    def tables(self) -> Iterable[Table]:
        return (self.table(), *self._lists(None))

    def _lists(self, most: int | None) -> Iterator[Table]:
        from tertium.io.tables import Column, Table, number_column

        if self.checks:
            columns = (Column("check"), number_column("units removed", "removed", None))
            yield Table("Why units were removed", columns, self.checks)
        if self.repaired:
            listed = self.repaired[:most]
            number = number_column("unit", digits=None)
            more = len(self.repaired) - len(listed)
            yield Table(
                "Repairs",
                (number, *(Column(name) for name in ("repairs", "before", "after"))),
                tuple(
                    (
                        own.number,
                        " ".join(own.repairs),
                        *(_edged(text, most) for text in (own.before, own.after)),
                    )
                    for own in listed
                ),
                (f"and {more:,} more (-f json shows {len(self.repaired):,})",) if more else (),
            )

    def text(self, *, terminal: bool | None = None, width: int | None = None) -> str:
        from tertium.io.tables import sentences

        parts = [sentences(list(self.words()), terminal=terminal, width=width)]
        return "\n\n".join(
            [*parts, *(own.text(terminal=terminal, width=width) for own in self._lists(_SHOWN))]
        )


def _edged(text: str, most: int | None) -> str:
    """For people, white space at the ends can be seen, and long texts are cut in the middle."""
    if most is None:
        return text
    seen = _EDGE.sub(lambda found: found.group().translate(_SEEN), text)
    return seen if len(seen) <= 60 else f"{seen[:30]} … {seen[-26:]}"


def clean_memory(
    path: str,
    output: str,
    removed: str,
    *,
    precision: float = PRECISION,
    repair: bool = False,
    checks: Iterable[str] = (),
    glossary: str | None = None,
    labels: str | None = None,
    mismatched: float | None = None,
    resume: bool = False,
    judge: UnitJudge | None = None,
    form: str | None = None,
    pair: Pair | None = None,
    encoding: str | None = None,
) -> CleanedMemory:
    """Write a memory without its wrong units to `output`, and those, with the reasons, to `removed`.

    As many units are removed as can be if `precision` of them, by their probabilities, shall really be wrong. With
    `repair`, what can be repaired is, before a unit is judged. Others are as in `check_memory`.

    >>> path = written("a.tsv", "Wait 10 s\\tAttendez 100 s\\nSave\\tEnregistrer\\n")
    >>> out, gone = (str(path.parent / name) for name in ("clean.tmx", "removed.tmx"))
    >>> found = clean_memory(str(path), out, gone, precision=0.9, pair=Pair("en", "fr"))
    >>> found.kept + found.removed
    2
    """
    if not 0 < precision <= 1:
        raise InputError(f"--precision {precision:g}: must be above 0 and at most 1")
    source = Source(path, form, pair, encoding)
    source.check()
    checks = tuple(checks)
    cleaning = _Cleaning(
        source,
        judge_for(source, checks, judge, glossary, labels, mismatched=mismatched),
        tuple((name, REPAIRS[name]) for name in REPAIRS) if repair else (),
    )
    files = UnitFile(output), UnitFile(removed)
    if os.path.realpath(output) == os.path.realpath(removed):
        raise InputError(f"{output}: cannot hold what is kept and what is removed: name two files")
    for file in files:
        file.refuse([path])
    given = {"glossary": glossary, "labels": labels, "mismatched": mismatched}
    settings = {"checks": list(checks), "repair": repair, **given}
    probabilities, broken = cleaning.judged(Checkpoint("clean", source, settings, resume=resume))
    threshold, expected = chosen_threshold(probabilities, precision)
    cleaning.write(probabilities, threshold, *files, broken)
    return CleanedMemory(
        path,
        output,
        removed,
        precision,
        expected,
        threshold,
        cleaning.judge.calibrated,
        len(probabilities),
        files[0].units,
        files[1].units,
        tuple(cleaning.reasons.most_common()),
        tuple(sorted(cleaning.repairs.items())),
        tuple(cleaning.listed),
    )


def chosen_threshold(probabilities: Iterable[float], precision: float) -> tuple[float | None, float | None]:
    """The lowest probability, at least one half, from which on the mean is `precision`; and that mean.

    >>> chosen_threshold([0.1, 0.6, 0.9, 0.98], 0.9)
    (0.9, 0.94)
    >>> chosen_threshold([0.1, 0.6], 0.9)
    (None, None)
    """
    ordered = sorted((own for own in probabilities if own >= LOOK), reverse=True)
    total, found = 0.0, (None, None)
    for i, own in enumerate(ordered, 1):
        total += own
        if total / i < precision - _ROUNDING:
            break
        if i == len(ordered) or ordered[i] != own:  # equals go together
            found = own, total / i  # type: ignore[assignment]
    return found


class _Cleaning:
    """One run over a memory: judged first, then written."""

    def __init__(self, source: Source, judge: UnitJudge, repairs: tuple[tuple[str, Repair], ...]) -> None:
        source.check_file()
        self._source, self.judge, self._how = source, judge, repairs
        self.reasons: Counter[str] = Counter()
        self.repairs: Counter[str] = Counter()
        self.listed: list[ListedRepair] = []

    def _read(self, doing: str = "writing from") -> Iterator[tuple[Any, list[RepairedUnit]]]:
        reader = self._source.open()
        if isinstance(reader, TmxReader):
            reader.everything = True
        for batch in whole_documents(chain.from_iterable(batches(reader, self._source.path, doing))):
            yield reader, [repaired(unit, self._how) if self._how else RepairedUnit(unit) for unit in batch]

    def judged(self, run: Checkpoint) -> tuple[array[float], TertiumError | None]:
        """How likely each unit is wrong; where a file is broken, of those before the break, and what broke."""
        before = run.before()
        found = before[1] if before else array("f")
        with suppress(TertiumError):  # it will come again
            learn(self._source, self.judge)
        try:
            with quiet(), run.kept(lambda: ({}, found)):  # what is to be said is said when it is written
                at = 0
                for _, batch in self._read("checking"):
                    rest = batch[max(min(len(found) - at, len(batch)), 0) :]
                    at += len(batch)
                    if rest:
                        judged = self.judge.judge(WholeDocuments(own.unit for own in rest))
                        found.extend(own.probability for own in judged)
                        run.done = len(found)
                        run.due(lambda: ({}, found))
        except NoMemoryError:
            raise
        except TertiumError as error:
            if not found:
                raise
            return found, error
        return found, None

    def write(
        self,
        probabilities: array[float],
        threshold: float | None,
        clean: UnitFile,
        removed: UnitFile,
        broken: TertiumError | None,
    ) -> None:
        at = 0
        with written(clean, removed):
            for reader, batch in self._read():
                clean.begin(reader)
                removed.begin(reader)
                together: list[Suspicion] = []
                for n, own in enumerate(batch):
                    probability = probabilities[at]
                    at += 1
                    if threshold is None or probability < threshold:
                        self._note(at, own)
                        clean.write(own.unit)
                        continue
                    found = self.judge.judge([own.unit])[0]
                    if found.probability < probability - _ROUNDING:  # its neighbours speak against it
                        together = together or self.judge.judge(WholeDocuments(one.unit for one in batch))
                        found = together[n]
                    self.reasons.update(reason.check for reason in found.reasons)
                    removed.write(explained(own.unit, found))
            if broken is not None:
                raise broken

    def _note(self, number: int, own: RepairedUnit) -> None:
        if own.repairs:
            self.repairs.update(own.repairs)
            if len(self.listed) < _LISTED:
                self.listed.append(ListedRepair(number, own.repairs, own.before, own.unit.target))


def explained(unit: Unit, found: Suspicion) -> Unit:
    """A unit with properties that say how likely it is wrong, and why; all else is as it was, letter by letter.

    >>> unit = Unit("Wait 10 s", "Attendez 100 s", raw='<tu>...</tu>')
    >>> explained(unit, Suspicion(0.9, ())).raw[:55]
    '<tu><prop type="x-tertium-probability">0.900</prop>...<'
    """
    about = [(PROBABILITY, f"{found.probability:.3f}")]
    about += [(DOUBT, f"{own.check}: {own.sentence}") for own in found.reasons]
    raw = with_properties(unit.raw, about) if unit.raw else ""
    return unit._replace(properties=(*unit.properties, *about), raw=raw)
