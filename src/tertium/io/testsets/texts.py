"""Texts of test sets by name, out of sacrebleu's folder. What only lies there as an archive is unpacked and kept."""

from __future__ import annotations

import gzip
import os
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import IO, BinaryIO, NamedTuple

from tertium.errors import InputError, did_you_mean
from tertium.io.door import Files
from tertium.io.files import write_atomically
from tertium.io.testsets.kinds import KINDS, Fields, reference_fields
from tertium.io.testsets.table import NamedSet, named_set, sets_folder

DAMAGED = (OSError, EOFError, tarfile.TarError, zipfile.BadZipFile)


class NamedTexts(NamedTuple):
    """Files of a test set in one language pair; several test sets are one behind the other."""

    name: str
    pair: str
    source: str
    references: tuple[str, ...]
    documents: str | None


def here(named: NamedSet) -> bool:
    """Whether all its archives lie in the folder."""
    return all(os.path.isfile(named.archive_path(archive)) for archive in named.sources)


def fields_of(named: NamedSet, pair: str) -> dict[str, str]:
    """Where the lines of each field lie, the source first; they are made of the archives if need be."""
    raw = named.pair(pair).files
    expected = _expected(named, pair)
    if expected and all(os.path.isfile(named.text_path(pair, field)) for field in expected):
        return {field: named.text_path(pair, field) for field in expected}
    missing = _missing(named, raw)
    if missing:
        unpack(named)
        missing = _missing(named, raw)
    if missing:
        known = expected and os.path.isfile(named.text_path(pair, "src"))
        what = "only in part" if known else "not"
        raise InputError(
            f"{named.name} {pair} is {what} in {sets_folder()}: get it with tertium testset get {named.name}"
        )
    texts = converted(named, pair)
    for field, lines in texts.items():
        path = named.text_path(pair, field)
        if not os.path.isfile(path) or os.path.getsize(path) == 0:
            with write_atomically(path, packed=False) as file:
                file.writelines(f"{line}\n" for line in lines)
    return {field: named.text_path(pair, field) for field in texts}


def _expected(named: NamedSet, pair: str) -> list[str]:
    """The fields that a test set has by its kind; none: its file says it."""
    if named.kind == "xml":
        return []
    fields = ["src", *reference_fields(len(named.pair(pair).files) - 1)]
    told = named.kind.startswith("sgml") and not named.name.startswith("wmt08")
    return [*fields, "docid", "genre", "origlang"] if told else fields


def _missing(named: NamedSet, files: Sequence[str]) -> list[str]:
    paths = [os.path.join(named.raw, path.rpartition(":")[2]) for path in files]
    return [path for path in paths if not os.path.isfile(path)]


def converted(named: NamedSet, pair: str) -> Fields:
    """The lines of all fields, made of what the archives hold."""
    with ExitStack() as stack:
        opened = [
            (path, stack.enter_context(opened_text(os.path.join(named.raw, path.rpartition(":")[2]))))
            for path in named.pair(pair).files
        ]
        try:
            texts = KINDS[named.kind](opened, named.name)
        except UnicodeDecodeError as error:
            raise InputError(f"{named.name} {pair}: is not valid UTF-8 ({error.reason})") from None
        except DAMAGED as error:
            raise InputError(f"{named.name} {pair}: cannot be read: {error}") from None
    lengths = {field: len(lines) for field, lines in texts.items()}
    if len(set(lengths.values())) > 1:
        said = ", ".join(f"{field} {number}" for field, number in lengths.items())
        raise InputError(f"{named.name} {pair}: its texts have different numbers of segments ({said})")
    return texts


@contextmanager
def opened_text(path: str) -> Iterator[IO[str]]:
    """A text, unpacked if need be; only a line feed ends a line."""
    opener: Callable[..., IO[str]] = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8", newline="\n") as file:
        yield file


def unpack(named: NamedSet) -> None:
    """Take the texts out of the archives; nothing else of them is written."""
    wanted = {path for path in named.wanted() if not os.path.isfile(os.path.join(named.raw, path))}
    for archive in named.sources:
        path = named.archive_path(archive)
        if not wanted or not os.path.isfile(path):
            continue
        try:
            for name, content in _members(path, wanted):
                _write(os.path.join(named.raw, name), content)
        except DAMAGED as error:
            raise InputError(
                f"{path}: cannot be unpacked ({error}): remove it, and get it with tertium testset get {named.name}"
            ) from None


def _members(path: str, wanted: set[str]) -> Iterator[tuple[str, BinaryIO]]:
    """The wanted files of an archive, each open; none of a file that is no archive."""
    if path.endswith((".tar.gz", ".tgz")):
        with tarfile.open(path) as archive:
            for member in archive:
                name = os.path.normpath(member.name)
                content = archive.extractfile(member) if name in wanted and member.isfile() else None
                if content is not None:
                    yield name, content  # type: ignore[misc]
    elif path.endswith(".zip"):
        with zipfile.ZipFile(path) as packed:
            for name in packed.namelist():
                if os.path.normpath(name) in wanted:
                    with packed.open(name) as content:
                        yield os.path.normpath(name), content  # type: ignore[misc]


def _write(path: str, content: BinaryIO) -> None:
    import shutil

    os.makedirs(os.path.dirname(path), exist_ok=True)
    beside = f"{path}.{os.getpid()}.part"
    try:
        with open(beside, "wb") as file:
            shutil.copyfileobj(content, file)
        os.replace(beside, path)
    finally:
        with suppress(OSError):
            os.unlink(beside)


def with_test_set(files: Files, names: str) -> Files:
    """Files with source, references and documents of a test set by name (`wmt17`; `wmt16,wmt17`)."""
    if files.references or files.tsv is not None:
        raise InputError(f"references are given twice: by -t {names} and by files")
    if files.n_references != 1:
        raise InputError("-nr splits a reference file at its tabs: test sets by name have none")
    texts = texts_of(names, files.pair)
    return files._replace(
        references=texts.references,
        source=files.source or texts.source,
        documents=files.documents or texts.documents,
        name=files.name or names,
        origin=(f"test:{names}", f"lang:{texts.pair}"),
    )


def texts_of(names: str, pair: str | None) -> NamedTexts:
    """Source, references and documents of a test set; `wmt16,wmt17` are several, one behind the other."""
    sets = [named_set(name.strip()) for name in names.split(",")]
    if pair is None:
        pairs = [pair for pair in sets[0].pairs if all(pair in own.pairs for own in sets)]
        raise InputError(f"-t {names} needs a language pair: -l {pairs[0] if pairs else 'SRC-TRG'}")
    found = [_of(own, pair) for own in sets]
    if len(found) == 1:
        return found[0]
    if len({len(own.references) for own in found}) > 1:
        raise InputError(f"-t {names}: the test sets have different numbers of references")
    documents = [own.documents for own in found]
    return NamedTexts(
        names,
        pair,
        _joined([own.source for own in found]),
        tuple(_joined(list(streams)) for streams in zip(*(own.references for own in found), strict=True)),
        None if None in documents else _joined([str(path) for path in documents]),
    )


def _of(named: NamedSet, pair: str) -> NamedTexts:
    fields = _made_before(named, pair) or fields_of(named, pair)
    references = counted_references(named, pair, fields)
    if not references:
        raise InputError(f"{named.name} {pair}: has none of the references {', '.join(named.counted(pair))}")
    return NamedTexts(named.name, pair, fields["src"], tuple(references), _documents(fields.get("docid")))


def _made_before(named: NamedSet, pair: str) -> dict[str, str]:
    """What scoring needs of a large XML file, if it has been read before: `origlang` is written behind it."""
    named.pair(pair)
    if named.kind != "xml" or not os.path.isfile(named.text_path(pair, "origlang")):
        return {}
    paths = {field: named.text_path(pair, field) for field in ("src", *named.counted(pair), "docid")}
    found = {field: path for field, path in paths.items() if os.path.isfile(path)}
    return found if "src" in found and "docid" in found else {}


def counted_references(named: NamedSet, pair: str, fields: dict[str, str]) -> list[str]:
    """The files of the references that count."""
    if named.kind == "xml":
        return [path for field, path in fields.items() if field in named.counted(pair)]
    return [path for field, path in fields.items() if field.startswith("ref")]


def _documents(path: str | None) -> str | None:
    """The file of document ids, if each segment has one."""
    if path is None:
        return None
    with open(path, encoding="utf-8") as file:
        return path if all(line.strip() for line in file) else None


_joined_ones: list[tempfile.TemporaryDirectory[str]] = []  # removed with the process


def _joined(paths: list[str]) -> str:
    folder = tempfile.TemporaryDirectory(prefix="tertium-")
    _joined_ones.append(folder)
    path = os.path.join(folder.name, os.path.basename(paths[0]))
    with open(path, "wb") as whole:
        for own in paths:
            with open(own, "rb") as part:
                whole.write(part.read())
    return path


def echoed(names: str, pair: str | None, wanted: Sequence[str]) -> Iterator[str]:
    """Lines of these fields (`src`, `ref`, `docid`, `all`), tab-separated."""
    if pair is None:
        texts_of(names, pair)  # says what is missing
    for name in names.split(","):
        named = named_set(name.strip())
        fields = fields_of(named, str(pair))
        chosen = (
            list(fields)
            if tuple(wanted) == ("all",)
            else [_field(own, fields, name, str(pair)) for own in wanted]
        )
        with ExitStack() as stack:
            columns = [stack.enter_context(opened_text(fields[field])) for field in chosen]
            for lines in zip(*columns, strict=True):
                yield "\t".join(line.rstrip() for line in lines)


def _field(wanted: str, fields: dict[str, str], name: str, pair: str) -> str:
    if wanted == "ref" and wanted not in fields:
        return min(field for field in fields if field.startswith("ref"))
    if wanted not in fields:
        raise InputError(f"{name} {pair} has no {wanted!r}{did_you_mean(wanted, fields)}")
    return wanted
