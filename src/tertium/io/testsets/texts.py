"""Texts of test sets by name, out of sacrebleu's folder. What only lies there as an archive is unpacked and kept."""

from __future__ import annotations

import gzip
import os
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import compress
from typing import IO, BinaryIO, NamedTuple

from tertium.errors import InputError, did_you_mean, many
from tertium.io.door import Files
from tertium.io.files import write_atomically
from tertium.io.streams import checked_encoding
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
    """Whether all its archives lie in the folder, or all that they hold: older sacrebleus put them elsewhere."""
    archives = [named.archive_path(archive) for archive in named.sources]
    return all(map(os.path.isfile, archives)) or not missing(named, named.wanted())


def fields_of(named: NamedSet, pair: str) -> dict[str, str]:
    """Where the lines of each field lie, the source first; they are made of the archives if need be."""
    expected = _expected(named, pair)
    made = {field: named.text_path(pair, field) for field in expected}
    if made and _whole(made.values()):
        return made
    see_archives(named, pair)
    texts = converted(named, pair)
    found = {field: named.text_path(pair, field) for field in texts}
    cut = [field for field, lines in texts.items() if _lines(found[field]) != len(lines)]  # or not there
    if cut and not os.access(named.folder, os.W_OK):  # an office's, for instance
        elsewhere = _temporary_folder()
        found |= {field: os.path.join(elsewhere, os.path.basename(found[field])) for field in cut}
    for field in cut:
        with write_atomically(found[field], packed=False) as file:
            file.writelines(f"{line}\n" for line in texts[field])
    return found


def see_archives(named: NamedSet, pair: str) -> None:
    """Refuse a language pair whose files are not here; what an archive holds is taken out of it."""
    raw = named.pair(pair).files
    if missing(named, raw):
        unpack(named)
    if missing(named, raw):
        what = "only in part" if os.path.isfile(named.text_path(pair, "src")) else "not"
        if all(os.path.isfile(named.archive_path(archive)) for archive in named.sources):
            gone = not_packed(named, missing(named, raw))
            raise InputError(f"{named.name} {pair}: {gone}: tertium testset get {named.name} checks them")
        raise InputError(
            f"{named.name} {pair} is {what} in {sets_folder()}: get it with tertium testset get {named.name}"
        )


def _lines(path: str) -> int | None:
    """How many lines a text has; None if it is not there."""
    if not os.path.isfile(path):
        return None
    with open(path, "rb") as file:
        return sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))


def _whole(paths: Iterable[str]) -> bool:
    """Whether texts are there, and none of them was cut off: all have as many lines."""
    numbers = {_lines(path) for path in paths}
    return len(numbers) == 1 and not numbers & {None, 0}


def known_fields(named: NamedSet, pair: str) -> list[str]:
    """The fields that --echo can print; none if the files say it, and are not here."""
    expected = _expected(named, pair)
    if expected or (missing(named, named.pair(pair).files) and not here(named)):
        return expected
    see_archives(named, pair)
    return list(converted(named, pair))


def counted_fields(named: NamedSet, pair: str) -> tuple[str, ...]:
    """The fields of the references that count."""
    if named.kind == "xml":
        return named.counted(pair)
    return tuple(field for field in _expected(named, pair) if field.startswith("ref"))


def _expected(named: NamedSet, pair: str) -> list[str]:
    """The fields that a test set has by its kind; none: its file says it."""
    if named.kind == "xml":
        return []
    fields = ["src", *reference_fields(len(named.pair(pair).files) - 1)]
    told = named.kind.startswith("sgml") and not named.name.startswith("wmt08")
    return [*fields, "docid", "genre", "origlang"] if told else fields


def missing(named: NamedSet, files: Sequence[str]) -> list[str]:
    paths = [os.path.join(named.raw, path.rpartition(":")[2]) for path in files]
    return [path for path in paths if not os.path.isfile(path)]


def not_packed(named: NamedSet, paths: Sequence[str]) -> str:
    """What to say of files that the table names, where all archives are here and have been unpacked."""
    more = f", nor {many(len(paths) - 1, 'other file')}" if len(paths) > 1 else ""
    return f"its archives have no {os.path.relpath(paths[0], named.raw)}{more} (.tgz, .tar.gz and .zip are unpacked)"


def converted(named: NamedSet, pair: str) -> Fields:
    """The lines of all fields, made of what the archives hold."""
    again = f": if it was damaged here, tertium testset get {named.name} repairs it"
    with ExitStack() as stack:
        opened = [
            (path, stack.enter_context(opened_text(os.path.join(named.raw, path.rpartition(":")[2]))))
            for path in named.pair(pair).files
        ]
        try:
            texts = KINDS[named.kind](opened, named.name)
        except UnicodeDecodeError as error:
            raise InputError(f"{named.name} {pair}: is not valid UTF-8 ({error.reason}){again}") from None
        except DAMAGED as error:
            raise InputError(f"{named.name} {pair}: cannot be read: {error}{again}") from None
    lengths = {field: len(lines) for field, lines in texts.items()}
    if len(set(lengths.values())) > 1:
        said = ", ".join(f"{field} {number}" for field, number in lengths.items())
        raise InputError(f"{named.name} {pair}: its texts have different numbers of segments ({said}){again}")
    return texts


@contextmanager
def opened_text(path: str) -> Iterator[IO[str]]:
    """A text, unpacked if need be; only a line feed ends a line. Of several, `lines_of` says which one is damaged."""
    opener: Callable[..., IO[str]] = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8", newline="\n") as file:
        try:
            yield file
        except UnicodeDecodeError as error:
            raise InputError(
                f"{path}: is not valid UTF-8 ({error.reason}): remove it, and it is made anew"
            ) from None


def lines_of(path: str) -> Iterator[str]:
    """The lines of a text, open while they are read."""
    with opened_text(path) as file:
        yield from file


def unpack(named: NamedSet) -> None:
    """Take the texts out of the archives; nothing else of them is written."""
    for archive in named.sources:
        path = named.archive_path(archive)
        if os.path.isfile(path):
            unpack_from(path, named, path)


def unpack_from(path: str, named: NamedSet, called: str, *, repair: bool = False) -> None:
    """The same with one archive, which is or will be `called` so. `repair`: what is there already, and is not what the
    archive has, is written anew; sacrebleu may have been interrupted at it."""
    wanted = {own for own in named.wanted() if repair or not os.path.isfile(os.path.join(named.raw, own))}
    if not wanted:
        return
    try:
        for name, content in _members(path, called, wanted):
            own = os.path.join(named.raw, name)
            if repair and os.path.isfile(own):
                if _same(own, content):
                    continue
                content.seek(0)
                _forget_texts(named, name)
            _write(own, content)
    except _Unwritable as error:
        raise InputError(f"{path}: cannot be unpacked: {error}") from None
    except DAMAGED as error:
        raise InputError(
            f"{path}: cannot be unpacked ({error}): remove it, and get it with tertium testset get {named.name}"
        ) from None


def _same(path: str, content: BinaryIO) -> bool:
    with open(path, "rb") as file:
        for block in iter(lambda: content.read(1 << 20), b""):
            if file.read(len(block)) != block:
                return False
        return not file.read(1)


def _forget_texts(named: NamedSet, name: str) -> None:
    """Remove the texts that were made of a file, those that are scored with."""
    for pair, texts in named.pairs.items():
        if any(path.rpartition(":")[2] == name for path in texts.files):
            for field in _expected(named, pair) or ("src", *named.counted(pair), "docid", "origlang"):
                with suppress(OSError):
                    os.unlink(named.text_path(pair, field))


def _members(path: str, called: str, wanted: set[str]) -> Iterator[tuple[str, BinaryIO]]:
    """The wanted files of an archive, each open; none of a file that is no archive."""
    if called.endswith((".tar.gz", ".tgz")):
        with tarfile.open(path) as archive:
            for member in archive:
                name = os.path.normpath(member.name)
                content = _content(archive, member) if name in wanted else None
                if content is not None:
                    yield name, content  # type: ignore[misc]
    elif called.endswith(".zip"):
        with zipfile.ZipFile(path) as packed:
            for name in packed.namelist():
                if os.path.normpath(name) in wanted:
                    with packed.open(name) as content:
                        yield os.path.normpath(name), content  # type: ignore[misc]


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo) -> IO[bytes] | None:
    """A file of an archive, or the one of the same archive that a link leads to; None: a folder, a link elsewhere."""
    try:
        return archive.extractfile(member)
    except (KeyError, RecursionError):
        return None


class _Unwritable(Exception):
    """What the disk says, which is not the archive's fault."""


def _write(path: str, content: BinaryIO) -> None:
    beside = f"{path}.{os.getpid()}.part"
    try:
        with _refused(path):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            file = open(beside, "wb", buffering=0)  # noqa: SIM115 - a buffer would fail again when it is closed
        with file:
            for block in iter(lambda: content.read(1 << 20), b""):
                left = memoryview(block)
                with _refused(path):
                    while left:
                        left = left[file.write(left) :]
        with _refused(path):
            os.replace(beside, path)
    finally:
        with suppress(OSError):
            os.unlink(beside)


@contextmanager
def _refused(path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise _Unwritable(f"{path} cannot be written ({error.strerror})") from None


def with_test_set(files: Files, names: str) -> Files:
    """Files with source, references and documents of a test set by name (`wmt17`; `wmt16,wmt17`)."""
    if files.references or files.tsv is not None:
        raise InputError(f"references are given twice: by -t {names} and by files")
    if checked_encoding(files.encoding) not in ("utf-8", "utf-8-sig"):
        raise InputError(
            f"-e {files.encoding}: test sets by name are UTF-8, and all texts are read in one encoding: bring the "
            "outputs to UTF-8 (iconv -t utf-8)"
        )
    if files.n_references != 1:
        raise InputError("-nr splits a reference file at its tabs: test sets by name have none")
    texts = texts_of(names, files.pair)
    return files._replace(
        references=texts.references,
        source=files.source or texts.source,
        documents=files.documents or texts.documents,
        name=files.name or texts.name,
        origin=(f"test:{texts.name}", f"lang:{texts.pair}"),
    )


def texts_of(names: str, pair: str | None) -> NamedTexts:
    """Source, references and documents of a test set; `wmt16,wmt17` are several, one behind the other."""
    sets = [named_set(name.strip()) for name in names.split(",")]
    if pair is None:
        pairs = [pair for pair in sets[0].pairs if all(pair in own.pairs for own in sets)]
        known = f" (its pairs: {', '.join(pairs)})" if pairs else ""
        raise InputError(f"-t {names} needs a language pair: -l SRC-TRG{known}")
    found = [_of(own, pair) for own in sets]
    if len(found) == 1:
        return found[0]
    if len({len(own.references) for own in found}) > 1:
        raise InputError(f"-t {names}: the test sets have different numbers of references")
    documents = [own.documents for own in found]
    return NamedTexts(
        ",".join(own.name for own in sets),
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
    return found if "src" in found and "docid" in found and _whole(found.values()) else {}


def counted_references(named: NamedSet, pair: str, fields: dict[str, str]) -> list[str]:
    """The files of the references that count."""
    if named.kind == "xml":
        return [path for field, path in fields.items() if field in named.counted(pair)]
    return [path for field, path in fields.items() if field.startswith("ref")]


def _documents(path: str | None) -> str | None:
    """The file of document ids, if each segment has one."""
    if path is None:
        return None
    with opened_text(path) as lines:
        return path if all(line.strip() for line in lines) else None


_temporary_ones: list[tempfile.TemporaryDirectory[str]] = []  # removed with the process


def _temporary_folder() -> str:
    _temporary_ones.append(tempfile.TemporaryDirectory(prefix="tertium-"))
    return _temporary_ones[-1].name


def _joined(paths: list[str]) -> str:
    path = os.path.join(_temporary_folder(), "+".join(map(os.path.basename, paths)))
    with open(path, "wb") as whole:
        for own in paths:
            with open(own, "rb") as part:
                whole.write(part.read())
    return path


def echoed(
    names: str, pair: str | None, wanted: Sequence[str], keep: Sequence[bool] | None = None
) -> Iterator[str]:
    """Lines of these fields (`src`, `ref`, `docid`, `all`), tab-separated; of the segments that are kept."""
    if pair is None:
        texts_of(names, pair)  # says what is missing
    if "all" in wanted and len(wanted) > 1:
        raise InputError("--echo all prints all fields: name no others beside it")
    lines = (line for name in names.split(",") for line in _echoed(name.strip(), str(pair), wanted))
    return lines if keep is None else compress(lines, keep)


def _echoed(name: str, pair: str, wanted: Sequence[str]) -> Iterator[str]:
    fields = fields_of(named_set(name), pair)
    chosen = fields if "all" in wanted else [_field(own, fields, name, pair) for own in wanted]
    for lines in zip(*(lines_of(fields[field]) for field in chosen), strict=True):
        yield "\t".join(line.rstrip() for line in lines)


def _field(wanted: str, fields: dict[str, str], name: str, pair: str) -> str:
    if wanted == "ref" and wanted not in fields:
        references = [field for field in fields if field.startswith("ref")]
        if references:
            return min(references)
    if wanted not in fields:
        raise InputError(f"{name} {pair} has no {wanted!r}{did_you_mean(wanted, fields)}")
    return wanted
