"""Memories from one format to another, unit by unit, in flat memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tertium.io.memories.pairs import Pair
from tertium.memory.reading import Source, batches
from tertium.memory.writing import UnitFile, written
from tertium.results import Result

if TYPE_CHECKING:
    from tertium.io.tables import Table


@dataclass(frozen=True)
class ConvertedMemory(Result):
    """What was written: the file, its format, how many units, in which languages."""

    kind = "converted memory"
    output: str
    units: int
    languages: tuple[str, ...]  # pairs, as in en-fr

    def table(self) -> Table:
        from tertium.io.tables import Column, Table, number_column

        columns = (Column("file", whole=True), number_column("units", digits=None), Column("languages"))
        return Table("", columns, ((self.output, self.units, ", ".join(self.languages)),))


def convert_memory(
    inputs: Sequence[str],
    output: str,
    *,
    form: str | None = None,
    to: str | None = None,
    pair: Pair | None = None,
    encoding: str | None = None,
) -> ConvertedMemory:
    """Write the units of some files to another, whose format is that of its name, or `to`.

    If one of them turns out to be broken, the units before that are in `output` + ".partial", and the error says so.

    >>> path = written("a.tsv", "One\\tUn\\n")
    >>> print(convert_memory([str(path)], str(path) + ".jsonl", pair=Pair("en", "fr")).units)
    1
    """
    file = UnitFile(output, to)
    sources = [Source(path, form, pair, encoding) for path in inputs]
    for source in sources:
        source.check()
        file.refuse([source.path])
    languages = dict[str, None]()
    with written(file):
        for source in sources:
            reader = source.open()
            file.begin(reader if len(sources) == 1 else None)
            for batch in batches(reader, source.path):
                for unit in batch:
                    file.write(unit)
                last = batch[-1]
                languages[f"{last.source_language}-{last.target_language}"] = None
    return ConvertedMemory(output, file.units, tuple(languages))
