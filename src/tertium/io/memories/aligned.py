"""Two text files side by side: a line of one translates the same line of the other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath
from typing import TextIO

from tertium.errors import InputError
from tertium.io.files import LineReader, aligned
from tertium.io.memories.notes import Notes
from tertium.io.memories.pairs import Pair
from tertium.io.memories.records import NO_LANGUAGES
from tertium.io.memories.unit import Unit
from tertium.io.streams import FilePath, unpacked_name

_CODE = re.compile(r"\.([a-z]{2,3}(?:[-_][A-Za-z]{2,4})?)")
_BREAKS = re.compile(r"[\r\n]+")


class AlignedReader:
    """The lines of two files, `corpus.en,corpus.fr`. Languages are the endings of the names, unless a pair is given."""

    def __init__(self, paths: tuple[FilePath, FilePath], pair: Pair | None, encoding: str | None) -> None:
        self._readers = [
            LineReader(path, encoding=encoding or "utf-8", strip_bom=True, strip=False) for path in paths
        ]
        self.name = ",".join(reader.name for reader in self._readers)
        self.n_bytes = 0
        languages = [_CODE.fullmatch(PurePath(unpacked_name(reader.name)).suffix) for reader in self._readers]
        if pair is None and not all(languages):
            raise InputError(f"{self.name}: {NO_LANGUAGES}")
        self._languages = pair or Pair(*(found.group(1) for found in languages if found))

    def __iter__(self) -> Iterator[Unit]:
        for sources, targets in aligned(self._readers):
            for i in range(len(sources)):
                source, target = ((lines[i] or "").removesuffix("\r") for lines in (sources, targets))
                self.n_bytes += len(source) + len(target) + 2
                yield Unit(source, target, self._languages.source, self._languages.target)


class AlignedWriter:
    """The sources to one file, the targets to the other."""

    def __init__(self, files: tuple[TextIO, TextIO], notes: Notes) -> None:
        self._files, self._notes = files, notes

    def write(self, unit: Unit) -> None:
        for file, text in zip(self._files, (unit.source, unit.target), strict=True):
            line = _BREAKS.sub(" ", text)
            if line != text:
                self._notes.add("texts of several lines, written on one: {}", repr(text[:40]))
            file.write(line + "\n")

    def finish(self) -> None:
        pass
