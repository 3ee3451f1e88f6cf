"""The door: every command and every Python function opens texts here, whatever files hold them.

Lines of text (plain, gzip, xz, zstd, standard input), tab-separated columns, WMT's SGML and XML, JSON Lines, Parquet
and folders of shared tasks come in; batches of segments go out, the same lines of all files, in constant memory. A
file's format is recognised by its first bytes or its extension; docs/inputs.md has the rules. Every file is read once.

Named tuples, not dataclasses: making one takes a tenth of the time, and start-up is most of a short run.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from tertium._native import Lines
from tertium.errors import InputError
from tertium.io.files import BLOCK, LINE_LIMIT, LineReader, aligned
from tertium.io.keeping import some_segments
from tertium.io.pseudo import PseudoReferences, only_output
from tertium.io.readers import Paragraphs, Remembered, holds_several_texts, with_several_texts
from tertium.io.streams import FilePath
from tertium.text.segments import References
from tertium.text.units import Units

if TYPE_CHECKING:
    from tertium.io.bundles import Bundle, Texts

Role = Literal["hypothesis", "reference", "source", "document", "pseudo"]


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
    has_sources: bool = False
    metadata: Mapping[str, tuple[str, ...]] = MappingProxyType({})  # columns with a value per segment
    name: str = ""  # of the test set
    units: str = "documents"  # what a document is
    pseudo: tuple[str, ...] = ()  # labels of references that are outputs of other systems
    origin: tuple[str, ...] = ()  # of a test set by name, as signatures say it: test:wmt17, lang:de-en


class Apart(NamedTuple):
    """Texts by name that need not be equally long: what the input doctor looks at."""

    references: dict[str, Lines]
    systems: dict[str, Lines]
    sources: dict[str, Lines] | None


class Files(NamedTuple):
    """The files that a command names, and how to read them."""

    references: Sequence[str]
    hypotheses: Sequence[str] = ()  # none: standard input
    tsv: str | None = None
    n_references: int = 1  # references on each line of the one reference file, separated by tabs
    documents: str | None = None
    source: str | None = None
    encoding: str = "utf-8"
    strip_bom: bool = False
    names: Mapping[str, str] = MappingProxyType({})  # of systems, by file; else by the file's name
    metadata: str | None = None  # a table: names of columns, then a row for each segment
    columns: str | None = None  # of JSON Lines and Parquet: hypothesis=mt,reference=ref_a
    pair: str | None = None  # the language pair in the folder of a shared task
    line_limit: int = LINE_LIMIT
    name: str = ""
    units: str = "documents"  # what a document is: also `blank` and `words:180` (`tertium.text.units`)
    pseudo: Sequence[str] = ()  # pseudo-references: LABEL=FILE, or a system among the outputs
    without_references: bool = False  # pseudo-references instead of references
    origin: tuple[str, ...] = ()  # of a test set by name: test:wmt17, lang:de-en
    keep: Sequence[bool] = ()  # of each segment, whether it is wanted; none: all are

    def open(self, *, whole: bool = False, outputs: bool = True) -> Inputs:
        """Check what can be checked now; texts are read with the batches, or as one batch (`whole`).

        Where `outputs` are wanted and no file has any, they are read from standard input."""
        return some_segments(self._parts(whole=whole, outputs=outputs).inputs(), self.keep)

    def apart(self) -> Apart:
        """All texts, each by itself: their lengths may differ."""
        return self._parts(whole=True, outputs=True).apart()

    def _parts(self, *, whole: bool, outputs: bool) -> _Parts:
        self._check()
        whole = whole or self.units != "documents"
        if self.tsv is None and len(self.references) == 1 and os.path.isdir(self.references[0]):
            from tertium.io.folders import opened_folder

            files, bundle = opened_folder(self.references[0], self)
        else:
            files, bundle = self, None
        parts = _Parts(files, whole=whole)
        parts.add_all(bundle)
        if outputs and not parts.systems:
            parts.add_standard_input()
        return parts

    def _check(self) -> None:
        named = [*self.references, *self.hypotheses, *filter(None, (self.documents, self.source))]
        if named.count("-") > 1 or ("-" in named and not self.hypotheses and self.tsv is None):
            raise InputError("standard input can be read only once: name a file for the other texts")
        for i, path in enumerate(self.hypotheses):
            if path in self.hypotheses[:i]:
                raise InputError(f"{path!r} is given twice: every system needs a name of its own")
        self.labelled.check(self.hypotheses)
        if self.tsv is None and not self.references and not self.pseudo:
            raise InputError("there are no references: name them before -i (REF... -i HYP...)")
        if Units.of(self.units).kind == "blank" and (self.documents or self.tsv or self.n_references > 1):
            raise InputError(
                "--units blank: paragraphs are lines between blank lines of plain files, and documents themselves: "
                "omit --documents, --tsv and -nr"
            )
        if self.n_references < 1:
            raise InputError(f"-nr must be at least 1, not {self.n_references}")
        if self.n_references > 1 and len(self.references) > 1:
            raise InputError("-nr splits one reference file at its tabs: give one reference file, or no -nr")

    @property
    def labelled(self) -> PseudoReferences:
        return PseudoReferences.of(self.pseudo, instead=self.without_references)

    def only_file(self) -> str:
        named = [*self.references, *self.hypotheses] or ["-"]
        if len(named) > 1:
            raise InputError(
                f"--tsv takes hypotheses and references from one file, but {len(named)} are given"
            )
        return named[0]

    def reader(self, path: str, *, whole: bool = True) -> LineReader:
        """The lines of one of the files."""
        return LineReader(
            path,
            encoding=self.encoding,
            strip_bom=self.strip_bom,
            block_size=None if whole else BLOCK,
            strip=self.tsv is None,  # a last field may be empty
            line_limit=self.line_limit,
        )


def read_text(path: FilePath, role: Role = "hypothesis", **how: Any) -> Lines:
    """One text of a file of any format: what it holds of this role. `how` is that of `Files`."""
    parts = _Parts(Files((), **how), whole=True)
    parts.add_named([(os.fspath(path), role)])
    return parts.text(role, os.fspath(path))


def read_strings(path: FilePath, role: Role = "hypothesis") -> list[str]:
    """`read_text` as a list, without a byte-order mark."""
    return _strings(read_text(path, role, strip_bom=True))


class _Part(NamedTuple):
    """A reader, and what stands in the columns that its lines are split into."""

    reader: Any
    roles: list[Role]
    split: Callable[[Lines, int], list[Lines]] = lambda lines, first_line: [lines]


class _Parts:
    """What is open, put together file by file."""

    def __init__(self, files: Files, *, whole: bool) -> None:
        self._files, self._whole = files, whole
        self._parts: list[_Part] = []
        self.systems: list[str] = []
        self._references: list[str] = []
        self._metadata: Mapping[str, tuple[str, ...]] = {}
        self._documented: tuple[Bundle, str] | None = None  # the first file that says its documents
        self._name = files.name

    def add_all(self, folder: Bundle | None) -> None:
        """All files that are named, in their order."""
        files = self._files
        named: list[tuple[str, Role]] = []
        if folder is not None:
            self._add_bundle(folder, "reference", files.references[0])
        elif files.tsv is not None:
            self._add_tsv(files.only_file(), files.tsv)
        else:
            named += [(path, "reference") for path in files.references]
        if files.tsv is None:
            named += [(path, "hypothesis") for path in files.hypotheses]
        named += [(path, "pseudo") for path in files.labelled.files]
        named += [(files.documents, "document")] if files.documents is not None else []
        named += [(files.source, "source")] if files.source is not None else []
        self.add_named(named)
        if files.metadata is not None:
            from tertium.io.columns import metadata_of

            self._metadata = metadata_of(files.reader(files.metadata))
        self._name = self._name or os.path.basename((*files.references, *files.hypotheses, "texts")[0])

    def add_named(self, named: Sequence[tuple[str, Role]]) -> None:
        """Files, and what each was named for."""
        readers = [self._reader(path) for path, _ in named]  # refuses missing files before any is read
        packed = with_several_texts(readers, self._files.columns)
        bundles: dict[int, Bundle] = {}
        if packed:
            from tertium.io.bundles import read_bundles

            found = read_bundles([readers[i] for i in packed], self._files.columns)
            bundles = dict(zip(packed, found, strict=True))
        for i, (path, role) in enumerate(named):
            if i in bundles and role == "pseudo":
                self._add_texts(only_output(bundles[i], path), role, path)
            elif i in bundles:
                self._add_bundle(bundles[i], role, path)
            else:
                self._add_lines(readers[i], role, path)

    def _reader(self, path: str) -> LineReader:
        return self._files.reader(path, whole=self._whole)

    @property
    def _units(self) -> Units:
        return Units.of(self._files.units)

    def _add_lines(self, reader: Any, role: Role, path: str) -> None:
        if self._units.kind == "blank":
            reader = Paragraphs(reader)
        if role == "hypothesis":
            self.systems.append(self._files.names.get(path, path))
        if role == "reference":
            number = self._files.n_references
            self._references += [path] if number == 1 else [f"{path}, column {i + 1}" for i in range(number)]
            if number > 1:
                from tertium.io.columns import split_references

                self._add_split(reader, ["reference"] * number, split_references, number)
                return
        self._parts.append(_Part(reader, [role]))

    def _add_split(self, reader: Any, roles: list[Role], split: Callable[..., list[Lines]], how: Any) -> None:
        self._parts.append(_Part(reader, roles, lambda lines, first: split(lines, how, reader.name, first)))

    def _add_tsv(self, path: str, columns: str) -> None:
        from tertium.io.columns import parse_columns, split_tsv

        hypotheses, references = parse_columns(columns)
        reader = self._reader(path)
        roles: list[Role] = ["hypothesis"] * len(hypotheses)
        roles += ["reference"] * len(references)
        self._add_split(reader, roles, split_tsv, [*hypotheses, *references])
        several = len(hypotheses) > 1
        self.systems += [f"{reader.name}, column {i}" if several else reader.name for i in hypotheses]
        self._references += [f"{reader.name}, column {i}" for i in references]

    def add_standard_input(self) -> None:
        """sacrebleu's way: as many systems as the first line has columns."""
        if sys.stdin is not None and sys.stdin.isatty():
            print("tertium: reading hypotheses from the terminal (-i FILE reads a file)", file=sys.stderr)
        standard_input = self._reader("-")
        if holds_several_texts(standard_input):
            from tertium.io.bundles import read_bundles

            self._add_bundle(read_bundles([standard_input], self._files.columns)[0], "hypothesis", "-")
            return
        if self._units.kind == "blank":
            self._add_lines(standard_input, "hypothesis", "-")
            return
        reader = Remembered(standard_input)
        number = reader.first_line().count("\t") + 1
        self.systems = [f"System {i + 1}" for i in range(number)]
        if number == 1:
            self._parts.append(_Part(reader, ["hypothesis"]))
            return
        from tertium.io.columns import split_systems

        self._add_split(reader, ["hypothesis"] * number, split_systems, number)

    def _add_bundle(self, bundle: Bundle, role: Role, path: str) -> None:
        """The texts that a file of several was named for, and its sources, documents and metadata."""
        if self._units.kind == "blank":
            raise InputError(f"{path}: holds segments, not lines between blank lines: omit --units blank")
        for needed, found in (("reference", bundle.references), ("hypothesis", bundle.systems)):
            if role == needed and not found:
                what = "reference" if role == "reference" else "system output"
                raise InputError(f"{path}: holds no {what}{bundle.hint}")
        if role == "reference":
            for name, texts in bundle.references.items():
                self._references.append(name)
                self._add_texts(texts, "reference", name)
        more = not bundle.one_text
        if role == "hypothesis" or (more and role == "reference" and not self._files.hypotheses):
            alone = len(bundle.systems) == 1
            for name, texts in bundle.systems.items():
                name = self._files.names.get(path, name) if alone else name
                self.systems.append(name)
                self._add_texts(texts, "hypothesis", name)
        if more and bundle.documents is not None and self._files.documents is None:
            self._check_documents(bundle, path)
        have = {role for part in self._parts for role in part.roles}
        known: tuple[tuple[Role, str | None, Texts | None], ...] = (
            ("source", self._files.source, bundle.sources),
            ("document", self._files.documents, bundle.documents),
        )
        for what, own, values in known:
            if role == what and values is None:
                raise InputError(f"{path}: holds no {what}s{bundle.hint}")
            if values is not None and (role == what or (more and own is None and what not in have)):
                self._add_texts(values, what, path)
        self._metadata = self._metadata or bundle.metadata
        self._name = self._name or bundle.name

    def _check_documents(self, bundle: Bundle, path: str) -> None:
        from tertium.io.bundles import same_documents

        if self._documented is None:
            self._documented = bundle, path
        else:
            same_documents(*self._documented, bundle, path)

    def _add_texts(self, texts: Any, role: Role, name: str) -> None:
        self._parts.append(_Part(Remembered(texts, name), [role]))

    def inputs(self) -> Inputs:
        roles = [role for part in self._parts for role in part.roles]
        self._check_names()
        labels = self._files.labelled.among(self.systems)
        return Inputs(
            [name for name in self.systems if name not in labels],
            len(labels) + (0 if self._files.without_references else roles.count("reference")),
            "document" in roles or self._units.kind != "documents",
            self._batches(),
            "source" in roles,
            self._metadata,
            self._name,
            str(self._units),
            labels,
            self._files.origin,
        )

    def _check_names(self) -> None:
        if len(set(self.systems)) < len(self.systems):
            twice = next(name for name in self.systems if self.systems.count(name) > 1)
            raise InputError(f"{twice!r} is given twice: every system needs a name of its own")

    def apart(self) -> Apart:
        self._check_names()
        texts = []
        for part in self._parts:
            texts.append(part.reader.read())
            part.reader.close()
        found = self._by_role(texts, 1)
        return Apart(
            dict(zip(self._references, found["reference"], strict=True)),
            dict(zip(self.systems, found["hypothesis"], strict=True)),
            {self._files.source or "sources": found["source"][-1]} if found["source"] else None,
        )

    def _where_they_differ(self, readers: Sequence[Any]) -> str:
        """In which document the shortest file ends, where there are document ids."""
        fewest = min(reader.lines_read for reader in readers)
        short = next(reader for reader in readers if reader.lines_read == fewest)
        if isinstance(short, Paragraphs):
            return Paragraphs.where_they_differ(readers)
        path = self._files.documents
        if path in (None, "-", short.name):
            return ""
        ids = read_strings(str(path), "document")
        inside = f", in document {ids[fewest]!r}" if fewest < len(ids) else ""
        return f": {short.name} ends before line {fewest + 1}{inside}"

    def _by_role(self, texts: Sequence[Lines], first_line: int) -> dict[Role, list[Lines]]:
        found: dict[Role, list[Lines]] = {role: [] for role in get_args(Role)}
        for part, lines in zip(self._parts, texts, strict=True):
            for role, column in zip(part.roles, part.split(lines, first_line), strict=True):
                found[role].append(column)
        return found

    def text(self, role: Role, path: str) -> Lines:
        """The one text of a role."""
        own = [part for part in self._parts if role in part.roles]
        if len(own) > 1:
            raise InputError(f"{path}: holds {len(own)} texts, expected one")
        found: Lines = own[0].reader.read()
        own[0].reader.close()
        return found

    def _batches(self) -> Iterator[Batch]:
        first_line = 1
        for columns in aligned([part.reader for part in self._parts], self._where_they_differ):
            found = self._by_role(columns, first_line)
            outputs = dict(zip(self.systems, found["hypothesis"], strict=True))
            references = self._files.labelled.beside(found["reference"], found["pseudo"], outputs)
            documents = _strings(found["document"][-1]) if found["document"] else None
            yield Batch(
                [lines for name, lines in outputs.items() if name not in references.pseudo],
                references,
                found["source"][-1] if found["source"] else None,
                self._units.named(references, documents),
            )
            first_line += len(columns[0])


def _strings(lines: Lines) -> list[str]:
    return [lines[i] or "" for i in range(len(lines))]
