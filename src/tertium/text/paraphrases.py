"""Tables of paraphrases in METEOR's and PPDB's formats, opened at once after the first time.

The text of a table is read once into a cache file, which is mapped from then on: METEOR's English table has five
million pairs. Caches lie in `$TERTIUM_CACHE`, else in `$XDG_CACHE_HOME/tertium`, else in `~/.cache/tertium`.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import warnings
from contextlib import suppress
from pathlib import Path

from tertium import _native
from tertium._native import ParaphraseTable
from tertium.errors import InputError, TertiumWarning
from tertium.io.caches import cache_folder
from tertium.io.streams import check_readable, open_stream

_BLOCK = 1 << 22


def read(path: str | os.PathLike[str]) -> ParaphraseTable:
    """The table of a file: METEOR's (`paraphrase-en.gz`: lines of probability, phrase, phrase) or PPDB's.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     os.environ["TERTIUM_CACHE"] = folder
    ...     file = Path(folder, "table.txt")
    ...     _ = file.write_text("0.5\\nvery big\\nhuge\\n")
    ...     len(read(file))
    1
    >>> del os.environ["TERTIUM_CACHE"]
    """
    name = os.fspath(path)
    check_readable(path, name)
    status = os.stat(path)
    identity = f"{os.path.realpath(path)}|{status.st_size}|{status.st_mtime_ns}"
    cached = Path(cache_folder()) / f"paraphrases-{hashlib.sha256(identity.encode()).hexdigest()[:20]}.bin"
    with suppress(ValueError):  # none yet, or of another version of ours
        return _native.ParaphraseTable(os.fspath(cached))
    memory = _build(path, name)
    try:
        cached.parent.mkdir(parents=True, exist_ok=True)
        return _open_written(memory, cached)
    except OSError:
        with tempfile.TemporaryDirectory() as folder:  # a mapped file may be removed: its memory stays
            return _open_written(memory, Path(folder, "table.bin"))


def _open_written(memory: bytes, target: Path) -> ParaphraseTable:
    handle, beside = tempfile.mkstemp(prefix=".paraphrases-", suffix=".part", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(memory)
        os.replace(beside, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(beside)
        raise
    return _native.ParaphraseTable(os.fspath(target))


def _build(path: str | os.PathLike[str], name: str) -> bytes:
    stream = open_stream(path, name)
    try:
        block = stream.read(_BLOCK)
        ppdb = b"|||" in block.partition(b"\n")[0]
        builder = _native.ParaphraseBuilder(ppdb=ppdb)
        text = hashlib.sha256()
        while block:
            text.update(block)
            builder.feed(block)
            block = stream.read(_BLOCK)
        memory = builder.finish(text.hexdigest()[:8])
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{name}: {error}") from None
    finally:
        stream.close()
    if builder.skipped():
        warnings.warn(
            f"{name}: {builder.skipped()} paraphrases have gaps ([NP,1]) and are left out",
            TertiumWarning,
            stacklevel=3,
        )
    return memory
