"""Files that are only ever appended to: one writer at a time, and what was appended is on disk when that is said."""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from io import BufferedRandom
from typing import Any

from tertium.errors import InputError
from tertium.io.records import json_record, json_text
from tertium.io.streams import FilePath

_OFTEN = 0.02  # seconds between two looks whether another writer has finished


def opened_log(path: FilePath, name: str, *, patience: float = 0.0) -> tuple[BufferedRandom, bool]:
    """The file, for reading and appending, locked; and whether a line at its end, cut short by a crash, was removed.
    `patience` are the seconds to wait for another writer."""
    try:
        file = open(path, "a+b")  # noqa: SIM115
    except OSError as error:
        raise InputError(f"{name}: cannot be written: {error.strerror or error}") from None
    try:
        _lock(file, time.monotonic() + patience)
        return file, _mend(file)
    except BlockingIOError:
        file.close()
        raise InputError(f"{name}: another session is writing to this file") from None
    except BaseException:
        file.close()
        raise


def _lock(file: BufferedRandom, until: float) -> None:
    with suppress(ImportError):
        import fcntl

        while True:
            try:
                return fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= until:
                    raise
            time.sleep(_OFTEN)


def _mend(file: BufferedRandom) -> bool:
    size = file.seek(0, os.SEEK_END)
    begin = size
    while begin:  # back to the last end of a line
        begin = max(0, begin - 4096)
        file.seek(begin)
        if (found := file.read(4096).rfind(b"\n")) >= 0:
            begin += found + 1
            break
    if begin == size:
        return False
    file.truncate(begin)
    return True


def append(file: BufferedRandom, data: bytes, name: str) -> None:
    """Append, and wait until it is on disk."""
    try:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    except OSError as error:
        raise InputError(f"{name}: cannot be written: {error.strerror or error}") from None


def summed_lines(records: Iterable[Mapping[str, Any]]) -> bytes:
    """Records as lines of JSON, each behind its own checksum.

    >>> summed_lines([{"value": 0.5}])
    b'6678d180 {"value": 0.5}\\n'
    """
    texts = (json_text(record).encode("utf-8") for record in records)
    return b"".join(b"%08x %b\n" % (zlib.crc32(text), text) for text in texts)


def summed_records(data: bytes, name: str, first: int = 1) -> Iterator[dict[str, Any]]:
    """The records of such lines, the first of which has this number; a last line without its end is not there yet."""
    for number, line in enumerate(data.split(b"\n")[:-1], first):
        where = f"{name}: line {number}"
        if line[8:9] != b" " or line[:8] != b"%08x" % zlib.crc32(line[9:]):
            raise InputError(f"{where}: is damaged: its checksum is another")
        yield json_record(line[9:].decode("utf-8", "replace"), where).values
