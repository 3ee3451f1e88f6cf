"""Files in, batches of segments out: the same lines of all files, in flat memory.

Named tuples, not dataclasses: making one takes a tenth of the time, and start-up is most of a short run.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from tertium._native import Lines
from tertium.errors import InputError
from tertium.io.files import BLOCK, LineReader, aligned, open_lines
from tertium.text.segments import References

Role = Literal["hypothesis", "reference", "source", "document"]


class Batch(NamedTuple):
    """Some segments: the outputs of all systems and what belongs to them."""

    hypotheses: list[Lines]
    references: References
    sources: Lines | None = None
    documents: list[str] | None = None

    @property
    def n_segments(self) -> int:
        return len(self.references)


class Inputs(NamedTuple):
    """What is to be scored. `batches` reads the files, once."""

    systems: list[str]
    n_references: int
    has_documents: bool
    batches: Iterator[Batch]


class Files(NamedTuple):
    """The files that a command names, and how to read them."""

    references: Sequence[str]
    hypotheses: Sequence[str] = ()  # none: standard input
    tsv: str | None = None
    n_references: int = 1  # references on each line of the one reference file, with tabs between
    documents: str | None = None
    source: str | None = None
    encoding: str = "utf-8"
    strip_bom: bool = False
    names: Mapping[str, str] = MappingProxyType(
        {}
    )  # what systems are called, by file; else by the file's name

    def open(self, *, whole: bool = False) -> Inputs:
        """Check what can be checked now; texts are read with the batches, or as one batch (`whole`)."""
        self._check()
        opened = _Opened(partial(self._reader, whole=whole))
        if self.tsv is not None:
            opened.add_tsv(self._only_file(), self.tsv)
        else:
            opened.add_test_files(self.references, self.hypotheses)
            for path in self.references:
                if not is_test_file(path):
                    opened.add_references(path, self.n_references)
            for path in self.hypotheses:
                if not is_test_file(path):
                    opened.add(path, "hypothesis")
                    opened.systems.append(self.names.get(path, path))
            if not self.hypotheses and not opened.systems:
                opened.add_standard_input()
        if self.documents is not None:
            opened.add(self.documents, "document")
        if self.source is not None:
            opened.add(self.source, "source")
        return opened.inputs()

    def _reader(self, path: str, *, whole: bool) -> LineReader:
        return open_lines(
            path,
            encoding=self.encoding,
            strip_bom=self.strip_bom,
            block_size=None if whole else BLOCK,
            strip=self.tsv is None,  # a last field may be empty
        )

    def _check(self) -> None:
        named = [*self.references, *self.hypotheses, *filter(None, (self.documents, self.source))]
        if named.count("-") > 1 or ("-" in named and not self.hypotheses and self.tsv is None):
            raise InputError("standard input can be read only once: name a file for the other texts")
        for i, path in enumerate(self.hypotheses):
            if path in self.hypotheses[:i]:
                raise InputError(f"{path!r} is given twice: every system needs a name of its own")
        if self.tsv is None and not self.references:
            raise InputError("there are no references: name them before -i (tertium score REF... -i HYP...)")
        if self.n_references < 1:
            raise InputError(f"-nr must be at least 1, not {self.n_references}")
        if self.n_references > 1 and len(self.references) > 1:
            raise InputError("-nr splits one reference file at its tabs: give one reference file, or no -nr")

    def _only_file(self) -> str:
        named = [*self.references, *self.hypotheses] or ["-"]
        if len(named) > 1:
            raise InputError(
                f"--tsv takes hypotheses and references from one file, but {len(named)} are given"
            )
        return named[0]


def is_test_file(path: str) -> bool:
    """Whether a name is that of an SGML or XML test set, whose reader others need not import."""
    if ".sgm" not in path.lower() and ".xml" not in path.lower():
        return False
    from tertium.io import sgml

    return sgml.is_test_file(path)


def _alone(lines: Lines, first_line: int) -> list[Lines]:
    return [lines]


class _Part(NamedTuple):
    """A reader, and what stands in the columns that its lines are split into."""

    reader: Any
    roles: list[Role]
    split: Callable[[Lines, int], list[Lines]] = _alone


class _Opened:
    """Parts, put together file by file."""

    def __init__(self, reader: Callable[[str], LineReader]) -> None:
        self._reader = reader
        self._parts: list[_Part] = []
        self.systems: list[str] = []

    def add(self, path: str, role: Role) -> None:
        self._parts.append(_Part(self._reader(path), [role]))

    def add_references(self, path: str, number: int) -> None:
        if number == 1:
            self.add(path, "reference")
            return
        from tertium.io.columns import split_references

        reader = self._reader(path)
        self._parts.append(
            _Part(
                reader,
                ["reference"] * number,
                lambda lines, first: split_references(lines, number, reader.name, first),
            )
        )

    def add_tsv(self, path: str, columns: str) -> None:
        from tertium.io.columns import parse_columns, split_tsv

        wanted = parse_columns(columns)
        reader = self._reader(path)
        roles: list[Role] = ["hypothesis", *["reference" for _ in wanted[1:]]]  # type: ignore[list-item]
        self._parts.append(
            _Part(reader, roles, lambda lines, first: split_tsv(lines, wanted, reader.name, first))
        )
        self.systems.append(reader.name)

    def add_standard_input(self) -> None:
        """sacrebleu's way: as many systems as the first line has columns."""
        if sys.stdin is not None and sys.stdin.isatty():
            print("tertium: reading hypotheses from the terminal (-i FILE reads a file)", file=sys.stderr)
        reader = _Remembered(self._reader("-"))
        number = reader.first_line().count("\t") + 1
        self.systems = [f"System {i + 1}" for i in range(number)]
        if number == 1:
            self._parts.append(_Part(reader, ["hypothesis"]))
            return
        from tertium.io.columns import split_systems

        self._parts.append(
            _Part(
                reader,
                ["hypothesis"] * number,
                lambda lines, first: split_systems(lines, number, reader.name, first),
            )
        )

    def add_test_files(self, references: Sequence[str], hypotheses: Sequence[str]) -> None:
        """SGML and XML test sets, read together: their segments are matched by document and id."""
        wanted = [
            (path, role) for role, paths in (("ref", references), ("hyp", hypotheses)) for path in paths
        ]
        wanted = [(path, role) for path, role in wanted if is_test_file(path)]
        if not wanted:
            return
        from dataclasses import replace

        from tertium.io.sgml import combine, read_test_file

        sets = []
        for path, role in wanted:
            found = read_test_file(path)
            keep = {role} if hypotheses else {"ref", "hyp"}
            texts = {key: lines for key, lines in found.texts.items() if found.kind(key) in keep}
            if not texts:
                raise InputError(f"{path}: holds no {'reference' if role == 'ref' else 'system output'}")
            sets.append(replace(found, texts=texts))
        both = combine(sets, [path for path, _ in wanted])
        columns = [
            *((key, "reference") for key in both.references),
            *((key, "hypothesis") for key in both.systems),
        ]
        self.systems += both.systems
        for key, column in columns:
            self._parts.append(_Part(_Remembered(both.texts[key], key), [column]))  # type: ignore[list-item]
        self._parts.append(_Part(_Remembered(both.documents, "documents"), ["document"]))

    def inputs(self) -> Inputs:
        roles = [role for part in self._parts for role in part.roles]
        if len(set(self.systems)) < len(self.systems):
            twice = next(name for name in self.systems if self.systems.count(name) > 1)
            raise InputError(f"{twice!r} is given twice: every system needs a name of its own")
        return Inputs(self.systems, roles.count("reference"), "document" in roles, self._batches())

    def _batches(self) -> Iterator[Batch]:
        first_line = 1
        for columns in aligned([part.reader for part in self._parts]):
            found: dict[Role, list[Lines]] = {"hypothesis": [], "reference": [], "source": [], "document": []}
            for part, lines in zip(self._parts, columns, strict=True):
                for role, column in zip(part.roles, part.split(lines, first_line), strict=True):
                    found[role].append(column)
            yield Batch(
                found["hypothesis"],
                References(tuple(found["reference"])),
                found["source"][-1] if found["source"] else None,
                _strings(found["document"][-1]) if found["document"] else None,
            )
            first_line += len(columns[0])


def _strings(lines: Lines) -> list[str]:
    return [lines[i] or "" for i in range(len(lines))]


class _Remembered:
    """A reader of texts that are here already, or whose first batch was looked at."""

    def __init__(self, texts: LineReader | list[str], name: str = "") -> None:
        self._rest = None if isinstance(texts, list) else texts
        self._first = Lines(texts) if isinstance(texts, list) else texts.read()
        self.name = name if isinstance(texts, list) else texts.name
        self.lines_read = 0

    def first_line(self) -> str:
        return (self._first[0] or "") if self._first else ""

    def read(self) -> Lines | None:
        lines, self._first = self._first, None
        if lines is None and self._rest is not None:
            lines = self._rest.read()
        self.lines_read += len(lines) if lines is not None else 0
        return lines

    def __iter__(self) -> Iterator[Lines]:
        while (lines := self.read()) is not None:
            yield lines

    def close(self) -> None:
        if self._rest is not None:
            self._rest.close()
