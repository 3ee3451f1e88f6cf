"""Files that can be made again: tables of word vectors and of paraphrases, encoded texts, parses, hashes of models.

They all have one form and are written and read here. All numbers are little-endian:

    content, facts about it (JSON), checksums, end: "tertfile", version (4 bytes), sizes of content and facts (8 each),
    CRC-32 of facts and checksums (4), CRC-32 of the end so far (4)

`checksums` are the CRC-32C of every 4096 bytes of the content, 4 bytes each. A file is written beside its place,
flushed to the disk and moved there: it is there as a whole or not at all, whoever else writes. Nothing is used
unchecked: small contents are checked when they are opened, large tables block by block when they are first touched
(native/checked_file.hpp). What is damaged is removed, which is said, and made anew.
"""

from __future__ import annotations

import os
import re
import struct
import warnings
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, BinaryIO, TypeVar

from tertium import _native
from tertium.errors import InputError, TertiumWarning

ENDING = ".cache"
KINDS = {  # by the folders they lie in
    "vectors": "word vectors",
    "paraphrases": "paraphrases",
    "embeddings": "encoded texts",
    "models": "hashes of models",
    "parses": "parses",
    "runs": "long runs that were stopped",
    "answers": "answers of language models",
}
_END = struct.Struct("<8sIQQII")
_MAGIC, _VERSION = b"tertfile", 1
_AT_ONCE = 1 << 27  # bytes of a table that are checked when it is opened: some hundredths of a second
T = TypeVar("T")
Facts = dict[str, Any]


def cache_folder() -> str:
    """Where all this is kept: TERTIUM_CACHE, or `tertium` in XDG_CACHE_HOME (~/.cache)."""
    own = os.environ.get("TERTIUM_CACHE")
    if own:
        return own
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "tertium")


def cache_path(kind: str, *names: str) -> str:
    """Where a file of this kind lies, or its folder.

    >>> os.environ["TERTIUM_CACHE"] = "/cache"
    >>> cache_path("vectors", "abc.float32")
    '/cache/vectors/abc.float32.cache'
    >>> del os.environ["TERTIUM_CACHE"]
    """
    return os.path.join(cache_folder(), kind, *names) + (ENDING if names else "")


_MENDING = ContextVar("mending", default=False)


@dataclass(frozen=True)
class CacheFile:
    """A file that is open, with its facts, and its content as far as it was looked at."""

    path: str
    descriptor: int
    facts: Facts
    size: int  # of the content
    sums: bytes  # of its blocks

    @classmethod
    def of(cls, file: BinaryIO, path: str) -> CacheFile | None:
        """What is in a file; None if it is of another version."""
        import json

        size = os.fstat(file.fileno()).st_size
        if size < _END.size:
            raise _native.DamagedFile(path)
        file.seek(size - _END.size)
        end = file.read(_END.size)
        magic, version, content, facts, sums_crc, own_crc = _END.unpack(end)
        if magic != _MAGIC or own_crc != zlib.crc32(end[:-4]):
            raise _native.DamagedFile(path)
        if version != _VERSION:
            return None
        sums = -(-content // 4096) * 4
        if content + facts + sums + _END.size != size:
            raise _native.DamagedFile(path)
        file.seek(content)
        known = file.read(facts + sums)
        if zlib.crc32(known) != sums_crc:
            raise _native.DamagedFile(path)
        return cls(path, file.fileno(), json.loads(known[:facts]), content, known[facts:])

    @property
    def small(self) -> bool:
        """Whether the content is checked as a whole when it is opened."""
        return self.size <= _AT_ONCE

    def content(self) -> memoryview:
        """The content, checked, in memory that processes share."""
        import mmap

        if self.size == 0:
            return memoryview(b"")
        mapped = memoryview(mmap.mmap(self.descriptor, self.size, access=mmap.ACCESS_READ))
        if _native.block_sums(mapped) != self.sums:
            raise _native.DamagedFile(self.path)
        return mapped


def load(path: str, use: Callable[[CacheFile], T | None]) -> T | None:
    """What `use` makes of a file; None where there is none, or one of another version. Damaged ones are removed."""
    try:
        with open(path, "rb") as file:
            found = CacheFile.of(file, path)
            return None if found is None else use(found)
    except (_native.DamagedFile, ValueError, KeyError, TypeError):
        drop(path)
    except OSError:
        pass
    return None


def drop(path: str) -> None:
    """Remove a damaged file, and say so."""
    with suppress(OSError):
        os.unlink(path)
    warnings.warn(f"{path}: this cached file is damaged; it is made anew", TertiumWarning, stacklevel=3)


def make(
    path: str, build: Callable[[BinaryIO], Facts], use: Callable[[CacheFile], T | None] | None = None
) -> T | None:
    """Write a file; `build` writes the content and gives the facts. What `use` makes of it."""
    import json

    os.makedirs(os.path.dirname(path), exist_ok=True)
    with _beside(path) as file:
        facts = json.dumps(build(file)).encode("ascii")
        file.flush()
        size = os.fstat(file.fileno()).st_size
        sums = _sums(file, size)
        crc = zlib.crc32(facts + sums)
        end = _END.pack(_MAGIC, _VERSION, size, len(facts), crc, 0)[:-4]
        file.seek(size)
        file.write(facts + sums + end + zlib.crc32(end).to_bytes(4, "little"))
        file.flush()
        os.fsync(file.fileno())
        found = CacheFile.of(file, path)
        return None if use is None or found is None else use(found)


def kept(path: str, build: Callable[[BinaryIO], Facts], use: Callable[[CacheFile], T | None]) -> T:
    """What `use` makes of a file, which is made where there is none that it can use (None).

    Where the cache cannot be written, the file goes to a temporary folder: what is mapped stays when it is removed.
    """
    found = load(path, use)
    if found is None:
        try:
            found = make(path, build, use)
        except OSError:
            import tempfile

            with tempfile.TemporaryDirectory() as folder:
                found = make(os.path.join(folder, "file"), build, use)
    assert found is not None
    return found


def mended(work: Callable[[], T]) -> T:
    """What `work` gives. If it meets a damaged block of a large table, that table goes and the work is done again.

    Work that comes with a table it opened before cannot: then the line says to run it again.
    """
    token = _MENDING.set(True)
    try:
        return work()
    except _native.DamagedFile as damaged:
        drop(str(damaged))
    finally:
        _MENDING.reset(token)
    with told():
        return work()


def removed(damaged: OSError) -> str:
    """Remove a damaged table that is in use, and say what to do, where the work cannot begin again by itself."""
    with suppress(OSError):
        os.unlink(str(damaged))
    return (
        f"{damaged}: this cached file was damaged and has been removed; run this again, and it is made anew"
    )


@contextmanager
def told() -> Iterator[None]:
    """For work with a table that was opened before: if it turns out to be damaged, one line says what to do."""
    try:
        yield
    except _native.DamagedFile as damaged:
        if _MENDING.get():  # whoever mends begins again
            raise
        raise InputError(removed(damaged)) from None


@contextmanager
def _beside(path: str) -> Iterator[BinaryIO]:
    _clear(path)
    beside = f"{path}.{os.getpid()}-{os.urandom(4).hex()}.part"
    try:
        with open(beside, "xb+") as file:
            _locked(file)
            yield file
        os.replace(beside, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)
        raise


def _clear(path: str) -> None:
    """Remove what programs left that were killed while they wrote this file: those that run no more, here or on another
    machine (they hold a lock)."""
    name = re.compile(re.escape(os.path.basename(path)) + r"\.(\d+)-[0-9a-f]{8}\.part")
    with suppress(OSError):
        for entry in os.scandir(os.path.dirname(path)):
            found = name.fullmatch(entry.name)
            if found is None or _runs(int(found.group(1))):
                continue
            with open(entry.path, "rb+") as file:
                if not _locked(file):
                    continue
            os.unlink(entry.path)
            said = "was left by a program that was killed while it wrote; it is removed, and nothing is lost"
            warnings.warn(f"{entry.path}: {said}", TertiumWarning, stacklevel=2)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        pass  # somebody else's
    return True


def _locked(file: BinaryIO) -> bool:
    """Whether a file could be locked, or nobody can lock files here."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _sums(file: BinaryIO, size: int) -> bytes:
    import mmap

    if size == 0:
        return b""
    with mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ) as mapped:
        return _native.block_sums(mapped)


def state(path: str, *, whole: bool) -> tuple[str, Facts]:
    """What a file is like, and its facts: `damaged`, `of another version`, or `whole`, if its content is to be read."""
    try:
        with open(path, "rb") as file:
            found = CacheFile.of(file, path)
            if found is None:
                return "of another version", {}
            if whole:
                found.content()
            return "whole" if whole else "", dict(found.facts)
    except (_native.DamagedFile, ValueError, TypeError):
        return "damaged", {}
