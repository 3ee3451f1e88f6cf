"""A test set: sources, references, outputs of systems, documents, metadata; segment by segment."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from tertium._native import Lines
from tertium.errors import InputError
from tertium.io.files import read_lines
from tertium.io.streams import COMPRESSION_SUFFIXES
from tertium.text.segments import References, Texts, as_lines

if TYPE_CHECKING:
    from tertium.families.base import Metric
    from tertium.io.tables import Table
    from tertium.scoring import Scores


@dataclass(frozen=True, eq=False, repr=False)
class TestSet:
    """Segments with their references, and what systems made of them. Made by `of`, `load` or `sample`.

    >>> ts = TestSet.of(["the cat sat"], {"A": ["a cat sat"]}, name="tiny")
    >>> ts
    <TestSet 'tiny': 1 segment, 1 reference, 1 system (A)>
    """

    __test__: ClassVar[bool] = False  # pytest takes everything called Test... for a test

    name: str
    references: References
    systems: Mapping[str, Lines] = field(default_factory=dict)
    sources: Lines | None = None
    documents: tuple[str, ...] | None = None  # the document of each segment
    metadata: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # columns with a value a segment

    def __post_init__(self) -> None:
        n = len(self.references)
        if n == 0:
            raise InputError(f"test set {self.name!r} is empty: there are no segments")
        for what, length in self._lengths():
            if length != n:
                raise InputError(f"test set {self.name!r}: the references have {n} segments, {what} {length}")

    def _lengths(self) -> Iterable[tuple[str, int]]:
        yield from ((f"reference {i} has", len(lines)) for i, lines in enumerate(self.references.streams, 1))
        yield from ((f"system {name!r} has", len(lines)) for name, lines in self.systems.items())
        if self.sources is not None:
            yield "the sources have", len(self.sources)
        if self.documents is not None:
            yield "the document ids are", len(self.documents)
        yield from ((f"metadata {name!r} has", len(values)) for name, values in self.metadata.items())

    @classmethod
    def of(
        cls,
        references: Any = None,
        systems: Mapping[str, Texts] | Iterable[tuple[str, Texts]] = (),
        *,
        references_per_segment: Any = None,
        sources: Texts | None = None,
        documents: Iterable[Any] | None = None,
        metadata: Mapping[str, Iterable[Any]] | None = None,
        name: str = "test set",
    ) -> TestSet:
        """From lists of texts, in the shapes that `tertium.score` takes.

        >>> ts = TestSet.of([["the cat"], ["a cat"]], {"A": ["one cat"]}, documents=["d1"])
        >>> len(ts), ts.references.number, ts.documents
        (1, 2, ('d1',))
        """
        if (references is None) == (references_per_segment is None):
            raise InputError("give references or references_per_segment, one of the two")
        if references_per_segment is not None:
            checked = References.per_segment(references_per_segment)
        else:
            checked = References.of(references)
        return cls(
            name=name,
            references=checked,
            systems=_systems(systems),
            sources=None if sources is None else as_lines(sources, "sources"),
            documents=None if documents is None else _column(documents, "documents"),
            metadata={key: _column(values, f"metadata {key!r}") for key, values in (metadata or {}).items()},
        )

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, encoding: str = "utf-8") -> TestSet:
        """From a folder, or from a WMT test-set file (XML or SGML) that has references.

        A folder holds `reference*` (one file or several), and may hold `source*`, `system-NAME*` or
        `systems/NAME*`, `documents.txt` (an id a line) and `metadata.tsv` (names of columns, then a row for
        each line). Files have a segment a line and any extension, `.gz` and the like included.
        """
        folder = Path(path)
        if not folder.is_dir():
            return _from_file(cls, folder)
        files = sorted((file for file in folder.iterdir() if file.is_file()), key=_natural)
        references = _named(files, "reference")
        if not references:
            raise InputError(f"{folder}: there is no reference file here (reference.en, reference1.en, ...)")
        sources = _named(files, "source")
        if len(sources) > 1:
            raise InputError(f"{folder}: there are several sources ({', '.join(f.name for f in sources)})")
        systems = [(_stem(file).partition("-")[2], file) for file in _named(files, "system-")]
        if (folder / "systems").is_dir():
            more = sorted((file for file in (folder / "systems").iterdir() if file.is_file()), key=_natural)
            systems += [(_stem(file), file) for file in more if not file.name.startswith(".")]
        documents = _optional(folder, files, "documents")
        table = _optional(folder, files, "metadata")

        def read(file: Path) -> Lines:
            return read_lines(file, encoding=encoding)

        columns = {str(file): read(file) for file in [*references, *sources, *(file for _, file in systems)]}
        _check_equal({file: len(lines) for file, lines in columns.items()})
        return cls(
            name=folder.resolve().name,
            references=References(tuple(columns[str(file)] for file in references)),
            systems=_systems((name, columns[str(file)]) for name, file in systems),
            sources=columns[str(sources[0])] if sources else None,
            documents=None if documents is None else tuple(_strings(read(documents))),
            metadata={} if table is None else metadata_of(table, read(table)),
        )

    @classmethod
    def sample(cls) -> TestSet:
        """The small test set that comes with Tertium, written for trying it out.

        >>> TestSet.sample()  # doctest: +ELLIPSIS
        <TestSet 'sample': 69 segments in 8 documents, 2 references, sources, 3 systems (literal, ...)>
        """
        from importlib.resources import as_file, files

        with as_file(files("tertium").joinpath("data", "sample")) as folder:
            return cls.load(folder)

    def __len__(self) -> int:
        return len(self.references)

    def score(
        self,
        metrics: str | Metric | Sequence[str | Metric] = ("bleu", "chrf"),
        *,
        level: str = "corpus",
        threads: int = 1,
    ) -> Scores:
        """All systems, scored by these metrics.

        >>> [round(score.value) for score in TestSet.sample().score("chrf")]
        [46, 38, 72]
        """
        from tertium.scoring import score

        if not self.systems:
            raise InputError(f"test set {self.name!r} has no systems to score")
        return score(
            self.systems,
            self.references,
            metrics,
            sources=self.sources,
            documents=self.documents,
            level=level,
            threads=threads,
        )

    def __repr__(self) -> str:
        return f"<TestSet {self.name!r}: {', '.join(self._facts())}>"

    def _facts(self) -> Iterable[str]:
        documents = "" if self.documents is None else f" in {_many(len(set(self.documents)), 'document')}"
        yield _many(len(self), "segment") + documents
        yield _many(len(self.references.streams), "reference")
        if self.sources is not None:
            yield "sources"
        names = list(self.systems)
        shown = ", ".join(names if len(names) <= 6 else [*names[:5], "..."])
        yield _many(len(names), "system") + (f" ({shown})" if names else "")
        if self.metadata:
            yield f"metadata ({', '.join(self.metadata)})"

    def _repr_html_(self) -> str:
        return self._table().html()

    def _table(self, n_shown: int = 3) -> Table:
        """The first segments, side by side."""
        from tertium.io.tables import Column, Table

        sides: list[tuple[str, Any]] = [] if self.documents is None else [("document", self.documents)]
        if self.sources is not None:
            sides.append(("source", self.sources))
        streams = self.references.streams
        sides += [
            (f"reference {i}" if len(streams) > 1 else "reference", s) for i, s in enumerate(streams, 1)
        ]
        sides += self.systems.items()
        shown = min(n_shown, len(self))
        rows = [(str(i + 1), *(texts[i] or "" for _, texts in sides)) for i in range(shown)]
        more = (f"{len(self) - shown} more segments",) if len(self) > shown else ()
        columns = (Column("segment", align="right"), *(Column(label) for label, _ in sides))
        return Table(f"{self.name}: {', '.join(self._facts())}", columns, tuple(rows), more)


def _from_file(kind: type[TestSet], path: Path) -> TestSet:
    from tertium.io.sgml import read_test_file

    parsed = read_test_file(path)
    if not parsed.references:
        raise InputError(f"{path}: there are no references in this file")
    return kind.of(
        [parsed.texts[key] for key in parsed.references],
        {key: parsed.texts[key] for key in parsed.systems},
        sources=parsed.texts.get("src"),
        documents=parsed.documents,
        metadata=parsed.metadata,
        name=parsed.name or _stem(path),
    )


def _systems(systems: Mapping[str, Texts] | Iterable[tuple[str, Texts]]) -> dict[str, Lines]:
    made: dict[str, Lines] = {}
    for name, texts in systems.items() if isinstance(systems, Mapping) else systems:
        if not name:
            raise InputError("a system has no name")
        if name in made:
            raise InputError(f"two systems are called {name!r}")
        made[name] = as_lines(texts, f"system {name!r}")
    return made


def _column(values: Iterable[Any], what: str) -> tuple[str, ...]:
    if isinstance(values, str):
        raise InputError(f"{what} must be a list with a value for each segment, not one string")
    return tuple(_strings(values)) if isinstance(values, Lines) else tuple(map(str, values))


def _strings(lines: Lines) -> Iterable[str]:
    return (lines[i] or "" for i in range(len(lines)))


def _stem(file: Path) -> str:
    """The name without the compression's extension and one more: `online-A.en.gz` is `online-A`."""
    name = file.name
    for suffix in COMPRESSION_SUFFIXES:
        name = name.removesuffix(suffix)
    return Path(name).stem


def _natural(file: Path) -> list[tuple[int, str]]:
    """Sorts reference2 before reference10."""
    return [(int(part) if part.isdecimal() else -1, part) for part in re.split(r"(\d+)", file.name)]


def _named(files: Sequence[Path], start: str) -> list[Path]:
    return [file for file in files if file.name.startswith(start)]


def _optional(folder: Path, files: Sequence[Path], stem: str) -> Path | None:
    found = [file for file in files if _stem(file) == stem]
    if len(found) > 1:
        raise InputError(
            f"{folder}: there are several files called {stem} ({', '.join(f.name for f in found)})"
        )
    return found[0] if found else None


def metadata_of(file: Path, lines: Lines) -> dict[str, tuple[str, ...]]:
    """The columns of a metadata file: their names in the first line, then a row for each segment."""
    header, *rows = [line.split("\t") for line in _strings(lines)]
    if len(set(header)) < len(header) or "" in header:
        raise InputError(f"{file}: line 1 must name each column, and no two alike")
    for number, row in enumerate(rows, 2):
        if len(row) > len(header):
            raise InputError(
                f"{file}: line {number} has {len(row)} fields, but there are {len(header)} columns"
            )
        row += [""] * (
            len(header) - len(row)
        )  # empty fields at the end of a line were cut off with its white space
    return {name: tuple(row[i] for row in rows) for i, name in enumerate(header)}


def _check_equal(counts: Mapping[str, int]) -> None:
    if len(set(counts.values())) > 1:
        shown = ", ".join(f"{file}: {count}" for file, count in counts.items())
        raise InputError(f"the files have different numbers of lines ({shown})")


def _many(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
