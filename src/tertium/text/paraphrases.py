"""Tables of paraphrases in METEOR's and PPDB's formats, which open instantly after the first time.

The text of a table is read once into a cache file, which is mapped from then on: METEOR's English table has five
million pairs (io/caches.py says where it lies and what becomes of a damaged one).
"""

from __future__ import annotations

import hashlib
import os
import warnings
from typing import BinaryIO

from tertium import _native
from tertium._native import ParaphraseTable
from tertium.errors import InputError, TertiumWarning
from tertium.io.caches import CacheFile, Facts, cache_path, kept
from tertium.io.streams import check_readable, open_bytes

_BLOCK = 1 << 22


def read(path: str | os.PathLike[str]) -> tuple[ParaphraseTable, str]:
    """The table of a file: METEOR's (`paraphrase-en.gz`: lines of probability, phrase, phrase) or PPDB's; its hash.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     os.environ["TERTIUM_CACHE"] = folder
    ...     file = pathlib.Path(folder, "table.txt")
    ...     _ = file.write_text("0.5\\nvery big\\nhuge\\n")
    ...     len(read(file)[0])
    1
    >>> del os.environ["TERTIUM_CACHE"]
    """
    name = os.fspath(path)
    check_readable(path, name)
    status = os.stat(path)
    identity = f"{os.path.realpath(path)}|{status.st_size}|{status.st_mtime_ns}"
    cached = cache_path(
        "paraphrases", hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()[:20]
    )

    def build(file: BinaryIO) -> Facts:
        memory, text = _build(path, name)
        file.write(memory)
        return {"source": os.path.realpath(path), "text": text}

    def use(file: CacheFile) -> tuple[ParaphraseTable, str]:
        table = _native.ParaphraseTable(file.path, file.descriptor, file.size, file.sums)
        return table, file.facts["text"]

    return kept(cached, build, use)


def _build(path: str | os.PathLike[str], name: str) -> tuple[bytes, str]:
    stream = open_bytes(path, name)
    try:
        block = stream.read(_BLOCK)
        ppdb = b"|||" in block.partition(b"\n")[0]
        builder = _native.ParaphraseBuilder(ppdb=ppdb)
        text = hashlib.sha256()
        while block:
            text.update(block)
            builder.feed(block)
            block = stream.read(_BLOCK)
        memory = builder.finish()
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
    return memory, text.hexdigest()[:8]
