"""How people tag translations, kept in a TSV: tags such as synonym or untranslation, and which of them alter meaning.

The file has a header and a row for each output that is looked at:

    segment  system  tags  meaning_altering  ...

`segment` counts from 1. `tags` holds what leaves the meaning as it is, `meaning_altering` what changes it, several
separated by semicolons; the same tag (word order) may alter meaning in one place and not in another. "no issues" says
that the output was checked and is fine; where both fields are empty, nobody has checked it yet. Other columns
(source, reference, output) help the annotator and are not read back.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tertium.comparison.labels import known_segment, known_system
from tertium.errors import InputError
from tertium.io.escaping import tsv
from tertium.io.files import write_atomically
from tertium.io.records import HeadedTable, text_lines
from tertium.io.tables import Column, Table, number_column
from tertium.results import Result
from tertium.testset import TestSet

NO_ISSUES = "no issues"
_HEADER = ("segment", "system", "tags", "meaning_altering")


@dataclass(frozen=True)
class Tagged:
    """One output with its tags."""

    segment: int  # from 1
    system: str
    tags: tuple[str, ...] = ()
    meaning_altering: tuple[str, ...] = ()

    @property
    def looked_at(self) -> bool:
        return bool(self.tags or self.meaning_altering)

    def text(self) -> str:
        """Tags in one line, those that alter meaning with a star.

        >>> Tagged(3, "U", ("synonym",), ("untranslation",)).text()
        'untranslation*, synonym'
        """
        return ", ".join([*(f"{tag}*" for tag in self.meaning_altering), *self.tags])


@dataclass(frozen=True)
class Tags(Result):
    """Tags of outputs, found by segment and system.

    >>> entries = Tagged(1, "S", ("synonym",)), Tagged(1, "U", (), ("untranslation", "noun"))
    >>> tags = Tags({(entry.segment, entry.system): entry for entry in entries})
    >>> tags.get(1, "U").text()
    'untranslation*, noun*'
    >>> print(tags.table().tsv(), end="")  # doctest: +NORMALIZE_WHITESPACE
    tag             S  U
    outputs tagged  1  1
    ... meaning altered  0  1
    noun*           0  1
    untranslation*  0  1
    synonym         1  0
    """

    kind = "tags"
    entries: Mapping[tuple[int, str], Tagged] = field(default_factory=dict)

    @classmethod
    def read(cls, path: str | os.PathLike[str], testset: TestSet | None = None) -> Tags:
        """From a file; with a test set, segments and systems that it does not have are refused."""
        found: dict[tuple[int, str], Tagged] = {}
        for row in HeadedTable(path, _HEADER, _rows(path)):
            entry = Tagged(
                known_segment(row, testset),
                known_system(row, testset, "system"),
                _split(row.get("tags")),
                _split(row.get("meaning_altering")),
            )
            if (entry.segment, entry.system) in found:
                raise InputError(f"{row.where}: segment {entry.segment} of {entry.system!r} is tagged twice")
            found[entry.segment, entry.system] = entry
        return cls(found)

    def write(self, path: str | os.PathLike[str], testset: TestSet | None = None) -> None:
        """To a file, whole or not at all; with a test set, source, reference and output are written beside the tags."""
        context: tuple[str, ...] = ()
        if testset is not None:
            context = (*(("source",) if testset.sources is not None else ()), "reference", "output")
        references = None if testset is None else testset.references.first
        with write_atomically(path) as file:
            file.write("\t".join((*_HEADER, *context)) + "\n")
            for entry in self.entries.values():
                tags = ("; ".join(own) for own in (entry.tags, entry.meaning_altering))
                fields = [str(entry.segment), entry.system, *tags]
                if testset is not None and references is not None:
                    i = entry.segment - 1
                    fields += [] if testset.sources is None else [testset.sources[i] or ""]
                    fields += [references[i] or "", testset.systems[entry.system][i] or ""]
                file.write("\t".join(map(tsv, fields)) + "\n")

    def get(self, segment: int, system: str) -> Tagged:
        """The tags of a system's output for a segment (from 1); empty where there are none."""
        return self.entries.get((segment, system), Tagged(segment, system))

    def with_rows(self, segments: Iterable[int], systems: Sequence[str]) -> Tags:
        """Ours, and an empty row for every output that has none yet: a sheet to fill in."""
        found = dict(self.entries)
        for segment in segments:
            for system in systems:
                found.setdefault((segment, system), Tagged(segment, system))
        return Tags(found)

    @property
    def segments(self) -> list[int]:
        return list(dict.fromkeys(segment for segment, _ in self.entries))

    @property
    def systems(self) -> list[str]:
        return list(dict.fromkeys(system for _, system in self.entries))

    def counts(self, system: str) -> tuple[Counter[str], Counter[str]]:
        """How often each tag is given to a system's outputs: those that leave the meaning, those that alter it."""
        own = [entry for entry in self.entries.values() if entry.system == system]
        plain = Counter(tag for entry in own for tag in entry.tags if tag != NO_ISSUES)
        return plain, Counter(tag for entry in own for tag in entry.meaning_altering)

    def _looked_at(self, system: str) -> tuple[int, int]:
        own = [entry for entry in self.entries.values() if entry.system == system and entry.looked_at]
        return len(own), sum(bool(entry.meaning_altering) for entry in own)

    def contents(self) -> Mapping[str, Any]:
        systems = {}
        for name in self.systems:
            (plain, altering), (tagged, altered) = self.counts(name), self._looked_at(name)
            systems[name] = {
                "outputs_tagged": tagged,
                "outputs_with_altered_meaning": altered,
                "tags": dict(sorted(plain.items())),
                "meaning_altering": dict(sorted(altering.items())),
            }
        return {"systems": systems, "entries": tuple(self.entries.values())}

    def table(self) -> Table:
        """How often each system has each tag; a star marks tags where they alter the meaning."""
        systems = self.systems
        counts = [self.counts(name) for name in systems]
        looked = [self._looked_at(name) for name in systems]
        rows: list[tuple[str | int, ...]] = [
            ("outputs tagged", *(tagged for tagged, _ in looked)),
            ("... meaning altered", *(altered for _, altered in looked)),
        ]
        for which, star in ((1, "*"), (0, "")):
            names = sorted({tag for own in counts for tag in own[which]})
            rows += [(tag + star, *(own[which][tag] for own in counts)) for tag in names]
        columns = (Column("tag"), *(number_column(name, digits=None) for name in systems))
        return Table("Tags", columns, tuple(rows), ("* alters the meaning",))


def _rows(path: str | os.PathLike[str]) -> Iterator[tuple[int, list[str]]]:
    """Rows as people leave them: blank lines are skipped, fields missing at the end are empty."""
    width = 0
    for number, line in text_lines(path):
        if line.strip():
            fields = line.split("\t")
            width = width or len(fields)
            yield number, fields + [""] * (width - len(fields))


def _split(text: str) -> tuple[str, ...]:
    return tuple(tag for tag in (part.strip() for part in text.split(";")) if tag)
