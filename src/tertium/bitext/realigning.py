"""Memories whose documents are shifted: reported, and put right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from tertium.errors import many
from tertium.io.memories.unit import Unit
from tertium.memory.reading import Source, batches
from tertium.memory.writing import UnitFile, written
from tertium.results import Result
from tertium.vetting.shifts import CAUSES, Region, Sample, Straightener, documents

if TYPE_CHECKING:
    from tertium.io.tables import Table

EXAMPLES = 20  # of a report
SHOWN = 10  # rows of a table, and examples that are printed
NOTE = "x-tertium-realigned"
BY: Mapping[str, Callable[[Unit], str]] = {
    "client": lambda unit: unit.client,
    "document": lambda unit: unit.document,
    "year": lambda unit: unit.date[:4],
}


@dataclass(frozen=True)
class Misplaced:
    """Units that fit better otherwise: the first's number, how many, why, by how much, and their texts."""

    unit: int
    units: int
    cause: str
    gain: float
    client: str
    document: str
    sources: tuple[str, ...]
    targets: tuple[str, ...]
    better: tuple[tuple[str, str], ...]  # texts that belong together

    @classmethod
    def of(cls, first: int, units: Sequence[Unit], region: Region) -> Misplaced:
        own = units[region.begin : region.end]
        better = tuple(
            (
                _joined([unit.source for unit in units[slice(*bead.source)]]),
                _joined([unit.target for unit in units[slice(*bead.target)]]),
            )
            for bead in region.beads
        )
        about = (own[0].client, own[0].document)
        texts = tuple(unit.source for unit in own), tuple(unit.target for unit in own)
        return cls(first + region.begin, len(own), region.cause, region.gain, *about, *texts, better)


@dataclass(frozen=True)
class AlignmentReport(Result):
    """How many units of a memory stand beside the wrong text, where, and why."""

    kind = "alignment report"
    memory: str
    units: int
    documents: int
    misplaced: int  # units
    damaged: int  # documents
    causes: dict[str, int]  # units by cause
    clients: dict[str, tuple[int, int]]  # misplaced, and all
    by_document: dict[str, tuple[int, int]]  # those with misplaced units
    years: dict[str, tuple[int, int]]
    examples: tuple[Misplaced, ...]

    def words(self) -> Iterator[str]:
        share = f" ({100 * self.misplaced / self.units:.2g}%)" if self.misplaced else ""
        yield (
            f"{self.memory}: {self.misplaced:,} of {many(self.units, 'unit')}{share} stand beside the wrong text,"
            f" in {self.damaged:,} of {many(self.documents, 'document')}."
        )
        if self.misplaced:
            yield (
                "Why: "
                + ", ".join(f"{cause} {count:,}" for cause, count in self.causes.items() if count)
                + "."
            )

    def table(self) -> Table:
        """Causes."""
        from tertium.io.tables import Column, Table, number_column

        rows = tuple((cause, count) for cause, count in self.causes.items())
        return Table("Causes", (Column("cause"), number_column("units", digits=None)), rows)

    def tables(self) -> Iterator[Table]:
        from tertium.io.tables import Column, Table, number_column

        yield self.table()
        numbers = (number_column("misplaced", digits=None), number_column("units", digits=None))
        groups = {"client": self.clients, "document": self.by_document, "year": self.years}
        for name, counted in groups.items():
            if len(counted) > (name != "document"):
                chosen = list(counted.items())[:SHOWN]
                more = len(counted) - len(chosen)
                notes = (f"and {more:,} more (-f json shows all)",) if more else ()
                rows = tuple((key or "(unknown)", *counts) for key, counts in chosen)
                yield Table(f"By {name}", (Column(name), *numbers), rows, notes)

    def text(self, *, terminal: bool | None = None, width: int | None = None) -> str:
        """The answer, counts, and examples."""
        parts = [super().text(terminal=terminal, width=width)]
        for number, own in enumerate(self.examples[:SHOWN], 1):
            lines = [f"{number}. {own.cause}, {many(own.units, 'unit')} from unit {own.unit:,} on{_of(own)}"]
            for source, target in own.better[:3]:
                lines += [f"   {_short(source)}", f"   = {_short(target)}"]
            parts.append("\n".join(lines))
        return "\n\n".join(parts)


@dataclass(frozen=True)
class RealignedMemory(Result):
    """What was put right: units read, changed, and texts left alone."""

    kind = "realigned memory"
    memory: str
    output: str
    removed: str
    units: int
    written: int
    changed: int  # units read that are not as they were
    left: int  # texts without a counterpart, which are in `removed`
    causes: dict[str, int]

    def words(self) -> Iterator[str]:
        yield (
            f"{self.memory}: {self.changed:,} of {many(self.units, 'unit')} stood beside the wrong text;"
            f" {self.output} has {many(self.written, 'unit')},"
            f" {self.removed} {many(self.left, 'text')} without a counterpart."
        )

    def table(self) -> Table:
        from tertium.io.tables import Column, Table, number_column

        rows = tuple((cause, count) for cause, count in self.causes.items())
        return Table("Causes", (Column("cause"), number_column("units", digits=None)), rows)


def report_alignment(path: str, *, clients: Sequence[str] = (), **how: Any) -> AlignmentReport:
    """Look through the documents of a memory for units beside the wrong text; only those of `clients`, if named.

    >>> from tertium.io.memories.pairs import Pair
    >>> texts = [(f"Line {n} here", f"Ligne {n} ici") for n in range(40)]
    >>> wrong = [*texts[:10], *((s, t) for (s, _), (_, t) in zip(texts[10:20], texts[11:21])), *texts[21:]]
    >>> path = written("shifted.tsv", "".join(f"{s}\\t{t}\\n" for s, t in wrong))
    >>> report_alignment(str(path), pair=Pair("en", "fr")).causes["shift"]
    10
    """
    read: Counter[tuple[str, str]] = Counter()
    wrong: Counter[tuple[str, str]] = Counter()
    causes = Counter(dict.fromkeys(CAUSES, 0))
    found: list[Misplaced] = []
    documents_read = damaged = 0
    for first, units, regions in _looked_at(Source(path, **how)):
        if clients and units[0].client not in clients:
            continue
        documents_read += 1
        damaged += bool(regions)
        for name, key in BY.items():
            read.update((name, key(unit)) for unit in units)
        for region in regions:
            own = units[region.begin : region.end]
            causes[region.cause] += len(own)
            for name, key in BY.items():
                wrong.update((name, key(unit)) for unit in own)
            found.append(Misplaced.of(first, units, region))
            if len(found) > 10 * EXAMPLES:
                found = _worst(found)

    def counted(name: str) -> dict[str, tuple[int, int]]:
        own = {key: (wrong[name, key], count) for (group, key), count in read.items() if group == name}
        return dict(sorted(own.items(), key=lambda one: (-one[1][0], one[0])))

    by_document = {key: counts for key, counts in counted("document").items() if counts[0]}
    total = sum(count for (group, _), count in read.items() if group == "client")
    return AlignmentReport(
        path,
        total,
        documents_read,
        sum(causes.values()),
        damaged,
        dict(causes),
        counted("client"),
        by_document,
        counted("year"),
        tuple(_worst(found)),
    )


def realign_memory(
    path: str, output: str, removed: str, *, to: str | None = None, **how: Any
) -> RealignedMemory:
    """Write a memory whose shifted units stand beside their own texts again.

    Units that were right are written as they were, letter by letter where the format can. Texts that have no
    counterpart are in `removed`, beside an empty one.
    """
    source, files = Source(path, **how), (UnitFile(output, to), UnitFile(removed))
    source.check()
    for file in files:
        file.refuse([path])
    causes = Counter(dict.fromkeys(CAUSES, 0))
    read = 0
    with written(*files):
        for _, units, regions in _looked_at(source, files):
            read += len(units)
            at = 0
            for region in regions:
                for unit in units[at : region.begin]:
                    files[0].write(unit)
                for unit in _put_right(units, region):
                    files[bool(unit.source == "" or unit.target == "")].write(unit)
                causes[region.cause] += region.end - region.begin
                at = region.end
            for unit in units[at:]:
                files[0].write(unit)
    changed = sum(causes.values())
    return RealignedMemory(path, output, removed, read, files[0].units, changed, files[1].units, dict(causes))


def _looked_at(
    source: Source, files: Sequence[UnitFile] = ()
) -> Iterator[tuple[int, list[Unit], list[Region]]]:
    """Documents of a memory, with the number of their first unit and what is wrong with them: two passes."""
    source.check()
    sample = Sample()
    for batch in batches(source.open(), source.path):
        sample.add(batch)
    straightener = Straightener(sample)
    reader = source.open()
    for file in files:
        file.begin(reader)
    number = 1
    for units in documents(chain.from_iterable(batches(reader, source.path))):
        yield number, units, straightener.regions(units)
        number += len(units)


def _put_right(units: Sequence[Unit], region: Region) -> Iterator[Unit]:
    for bead in region.beads:
        ours, theirs = units[slice(*bead.source)], units[slice(*bead.target)]
        about = (ours or theirs)[0]
        noted = {"properties": (*about.properties, (NOTE, region.cause))}
        if len(ours) == len(theirs) == 1:
            texts = {
                "target": theirs[0].target,
                "target_markup": theirs[0].target_markup,
                "source_markup": about.source_markup,
            }
            yield about.changed(**texts, **noted)
        else:
            source, target = (
                _joined([unit.source for unit in ours]),
                _joined([unit.target for unit in theirs]),
            )
            yield about.changed(source=source, target=target, **noted)


def _joined(texts: Sequence[str]) -> str:
    return " ".join(filter(None, (text.strip() for text in texts))) if len(texts) != 1 else texts[0]


def _worst(found: list[Misplaced]) -> list[Misplaced]:
    return sorted(found, key=lambda own: -own.gain)[:EXAMPLES]


def _of(own: Misplaced) -> str:
    about = ", ".join(filter(None, (own.client, own.document)))
    return f" ({about})" if about else ""


def _short(text: str) -> str:
    plain = " ".join(text.split()) or "(nothing)"
    return plain if len(plain) <= 74 else plain[:73] + "…"
