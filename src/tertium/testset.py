"""A test set: sources, references, outputs of systems, documents, metadata; segment by segment."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from tertium._native import Lines
from tertium.errors import InputError, did_you_mean, many
from tertium.io.door import Files
from tertium.text.segments import References, Texts, as_lines
from tertium.text.units import joined, joined_references, numbered

if TYPE_CHECKING:
    from tertium.io.tables import Table
    from tertium.measuring import Specs
    from tertium.scores import Scores


@dataclass(frozen=True, eq=False, repr=False)
class TestSet:
    """Segments with their references and system outputs. Made by `of`, `open`, `load` or `sample`.

    >>> ts = TestSet.of(["the cat sat"], {"A": ["a cat sat"]}, name="tiny")
    >>> ts
    <TestSet 'tiny': 1 segment, 1 reference, 1 system (A)>
    """

    __test__: ClassVar[bool] = False  # or pytest would take it for a test

    name: str
    references: References
    systems: Mapping[str, Lines] = field(default_factory=dict)
    sources: Lines | None = None
    documents: tuple[str, ...] | None = None  # the document of each segment
    metadata: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # columns with a value per segment
    aliases: Mapping[str, str] = field(default_factory=dict)  # other names of systems, such as their files
    units: str = "documents"  # what a document is, by ids or otherwise (`tertium.text.units`)
    origin: tuple[str, ...] = ()  # of a test set by name: test:wmt17, lang:de-en

    def __post_init__(self) -> None:
        n = len(self.references)
        if n == 0:
            raise InputError(f"test set {self.name!r} is empty: there are no segments")
        for what, length in self._lengths():
            if length != n:
                raise InputError(
                    f"test set {self.name!r}: the references have {n} segments, but {what} {length}"
                )

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
            raise InputError("give either references or references_per_segment")
        if references_per_segment is not None:
            checked = References.per_segment(references_per_segment)
        else:
            checked = References.given(references)
        return cls(
            name=name,
            references=checked,
            systems=_systems(systems),
            sources=None if sources is None else as_lines(sources, "sources"),
            documents=None if documents is None else _column(documents, "documents"),
            metadata={key: _column(values, f"metadata {key!r}") for key, values in (metadata or {}).items()},
        )

    @classmethod
    def load(
        cls, path: str | os.PathLike[str], *, pair: str | None = None, encoding: str = "utf-8", **how: Any
    ) -> TestSet:
        """From a folder, or from one file that holds references: SGML, XML, JSON Lines, Parquet.

        The folder is Tertium's own, with `reference*` (one file or several), `source*`, `system-NAME*` or
        `systems/NAME*`, `documents.txt` (one id per line) and `metadata.tsv` (column names, then a row per segment);
        or that of a WMT metrics task or mt-metrics-eval, where `pair` is the language pair. `how` is as in `open`.
        """
        return cls.open([path], pair=pair, encoding=encoding, **how)

    @classmethod
    def open(
        cls,
        references: Sequence[str | os.PathLike[str]],
        systems: Mapping[str, str | os.PathLike[str]] | Sequence[str | os.PathLike[str]] = (),
        *,
        source: str | os.PathLike[str] | None = None,
        documents: str | os.PathLike[str] | None = None,
        metadata: str | os.PathLike[str] | None = None,
        name: str = "",
        **how: Any,
    ) -> TestSet:
        """From files, as the command line opens them: of any format, `-` for standard input. Systems are files, or
        files by name.

        `how` takes what the options of the command line do: `tsv="1,2"`, `n_references=2` (on each line of the one
        reference file), `columns="hypothesis=mt"`, `pair`, `encoding`, `strip_bom`, `line_limit` (in megabytes),
        `units` (what a document is: "documents", "blank", "words:180").

        >>> from importlib.resources import files
        >>> folder = files("tertium") / "data" / "sample"
        >>> TestSet.open([folder / "reference1.en"], {"mine": folder / "system-strong.en"})
        <TestSet 'reference1.en': 69 segments, 1 reference, 1 system (mine)>
        """
        named = dict(systems) if isinstance(systems, Mapping) else {}
        paths = [os.fspath(path) for path in (named.values() if named else systems)]
        files = Files(
            [os.fspath(path) for path in references],
            paths,
            source=None if source is None else os.fspath(source),
            documents=None if documents is None else os.fspath(documents),
            metadata=None if metadata is None else os.fspath(metadata),
            names=dict(zip(paths, named, strict=True)) if named else {},
            name=name,
            **how,
        )
        return cls.read(files, outputs=False)

    @classmethod
    def named(
        cls,
        name: str,
        pair: str,
        systems: Mapping[str, str | os.PathLike[str]] | Sequence[str | os.PathLike[str]] = (),
        *,
        origlang: str | None = None,
        subset: str | None = None,
    ) -> TestSet:
        """A test set by its name (`wmt17`, docs/testsets.md) out of sacrebleu's folder, with outputs of systems; or the
        part of it that was written in a language (`de`, `non-de`) or is about something (`politics`).
        Nothing is downloaded: `tertium testset get` does that."""
        from tertium.io.testsets.subsets import SetPart, only
        from tertium.io.testsets.texts import with_test_set

        given = dict(systems) if isinstance(systems, Mapping) else {}
        paths = [os.fspath(path) for path in (given.values() if given else systems)]
        names = dict(zip(paths, given, strict=True)) if given else {}
        files = with_test_set(Files((), paths, pair=pair, names=names), name)
        part = SetPart(origlang, subset)
        return cls.read(only(files, name, part) if part else files, outputs=False)

    @classmethod
    def read(cls, files: Files, *, outputs: bool = True) -> TestSet:
        """The contents of files, each read once. `outputs`: read standard input if no file has any."""
        inputs = files.open(whole=True, outputs=outputs)
        (batch,) = inputs.batches
        return cls(
            name=inputs.name,
            references=batch.references,
            systems=dict(zip(inputs.systems, batch.hypotheses, strict=True)),
            sources=batch.sources,
            documents=None if batch.documents is None else tuple(batch.documents),
            metadata=inputs.metadata,
            units=inputs.units,
            origin=inputs.origin,
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

    def called(self, names: Mapping[str, str]) -> TestSet:
        """With other names for some systems; they are still found by their old ones.

        >>> ts = TestSet.of(["a"], {"out/A.txt": ["x"]}).called({"out/A.txt": "A"})
        >>> list(ts.systems), ts.name_of("out/A.txt")
        (['A'], 'A')
        """
        systems = {names.get(name, name): lines for name, lines in self.systems.items()}
        return replace(self, systems=systems, aliases={**self.aliases, **names})

    def name_of(self, name: str, what: str = "system") -> str:
        """The name of a system, which may be given by another that it has."""
        found = self.aliases.get(name, name)
        if found not in self.systems:
            raise InputError(f"there is no {what} {name!r}{did_you_mean(name, self.systems)}")
        return found

    def with_pseudo_references(
        self, labels: Sequence[str] = (), more: Mapping[str, Texts] | None = None, *, instead: bool = False
    ) -> TestSet:
        """With outputs of these systems, and `more` by label, as pseudo-references beside the references, or `instead`
        of them. Such a system is not scored any more: nothing is compared with itself.

        >>> ts = TestSet.of(["a b"], {"A": ["a c"], "B": ["a b c"]}).with_pseudo_references(["B"])
        >>> ts.references.pseudo, list(ts.systems)
        (('B',), ['A'])
        """
        names = [self._pseudo_name(label) for label in labels]
        found = {name: self.systems[name] for name in names}
        if len(found) < len(names):
            raise InputError(f"a pseudo-reference is named twice: {', '.join(labels)}")
        for label, texts in (more or {}).items():
            if label in self.systems:
                raise InputError(f"pseudo-reference {label!r} has the name of a system: choose another label")
            found[label] = as_lines(texts, f"pseudo-reference {label!r}")
        systems = {name: lines for name, lines in self.systems.items() if name not in names}
        if names and not systems:
            raise InputError("all systems are pseudo-references: none is left to be scored")
        return replace(self, references=self.references.with_pseudo(found, instead=instead), systems=systems)

    def _pseudo_name(self, label: str) -> str:
        return self.name_of(label, "system to take as pseudo-reference:")

    def take(self, places: Sequence[int]) -> TestSet:
        """Some of the segments, by their places from 0.

        >>> TestSet.of(["a", "b", "c"], {"A": ["x", "y", "z"]}).take([0, 2]).systems["A"][1]
        'z'
        """

        def own(lines: Lines) -> Lines:
            return Lines([lines[place] for place in places])

        def values(column: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(column[place] for place in places)

        return replace(
            self,
            references=self.references.map(own),
            systems={name: own(lines) for name, lines in self.systems.items()},
            sources=None if self.sources is None else own(self.sources),
            documents=None if self.documents is None else values(self.documents),
            metadata={name: values(column) for name, column in self.metadata.items()},
        )

    def of_documents(self) -> TestSet:
        """With a segment for each document: its segments joined by line breaks, metadata where all agree.

        >>> texts = TestSet.of(["a", "b", "c"], {"A": ["x", "y", "z"]}, documents=["d", "d", "e"]).of_documents()
        >>> len(texts), texts.systems["A"][0]
        (2, 'x\\ny')
        """
        if self.documents is None:
            raise InputError(f"test set {self.name!r} has no documents")
        groups = numbered(self.documents)

        def own(lines: Lines) -> Lines:
            return Lines(joined(lines, groups))

        def agreed(column: tuple[str, ...]) -> tuple[str, ...]:
            values: dict[int, set[str]] = {}
            for group, value in zip(groups, column, strict=True):
                values.setdefault(group, set()).add(value)
            return tuple(found.pop() if len(found) == 1 else "" for found in values.values())

        return replace(
            self,
            references=joined_references(self.references, groups),
            systems={name: own(lines) for name, lines in self.systems.items()},
            sources=None if self.sources is None else own(self.sources),
            documents=tuple(dict.fromkeys(self.documents)),
            metadata={name: agreed(column) for name, column in self.metadata.items()},
        )

    def score(
        self,
        metrics: Specs = ("bleu", "chrf"),
        *,
        level: str = "corpus",
        threads: int = 1,
    ) -> Scores:
        """All systems, scored by these metrics.

        >>> [round(score.value) for score in TestSet.sample().score("chrf")]
        [46, 38, 72]
        """
        from tertium.measuring import chosen_for
        from tertium.registry import said_of_texts
        from tertium.scoring import score

        if not self.systems:
            raise InputError(f"test set {self.name!r} has no systems to score")
        found = score(
            self.systems,
            self.references,
            chosen_for(metrics, self.references, self.origin),
            sources=self.sources,
            documents=self.documents,
            level=level,
            threads=threads,
        )
        signed = (replace(own, signature=said_of_texts(own.signature, self.origin)) for own in found)
        return replace(found, scores=tuple(signed)) if self.origin else found

    def __repr__(self) -> str:
        return f"<TestSet {self.name!r}: {', '.join(self._facts())}>"

    def _facts(self) -> Iterable[str]:
        documents = "" if self.documents is None else f" in {many(len(set(self.documents)), 'document')}"
        yield many(len(self), "segment") + documents
        pseudo = len(self.references.pseudo)
        if true := len(self.references.streams) - pseudo:
            yield many(true, "reference")
        if pseudo:
            yield f"{many(pseudo, 'pseudo-reference')} ({', '.join(self.references.pseudo)})"
        if self.sources is not None:
            yield "sources"
        names = list(self.systems)
        shown = ", ".join(names if len(names) <= 6 else [*names[:5], "..."])
        yield many(len(names), "system") + (f" ({shown})" if names else "")
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
