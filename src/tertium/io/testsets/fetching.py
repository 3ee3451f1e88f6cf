"""Archives of test sets from the net, only when asked: resumed where they broke off, verified before they are kept."""

from __future__ import annotations

import hashlib
import http.client
import os
import shutil
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from tertium import __version__
from tertium.errors import InputError
from tertium.io.testsets.table import Archive, NamedSet, named_sets
from tertium.progress import steps

BLOCK = 1 << 18
TRIES = 5  # connections, where each brings some bytes or none
WAIT = 1.0  # seconds before the next of them, twice as many each time
TIMEOUT = 60.0


class Fetched(NamedTuple):
    """An archive that is now here, and how it came."""

    path: str
    address: str
    bytes: int
    how: str  # "downloaded", "resumed", "already here", "copied from wmt20"


def fetch(named: NamedSet) -> list[Fetched]:
    """All archives of a test set, each verified by its checksum."""
    return [_fetched(named, archive) for archive in named.sources]


def _fetched(named: NamedSet, archive: Archive) -> Fetched:
    path = named.archive_path(archive)
    if os.path.isfile(path):
        if md5_of(path) == archive.md5:
            return Fetched(path, archive.address, os.path.getsize(path), "already here")
        os.unlink(path)  # cut off, or of another version
    os.makedirs(os.path.dirname(path), exist_ok=True)
    for name, other in _elsewhere(named, archive):
        shutil.copyfile(other, f"{path}.part")
        os.replace(f"{path}.part", path)
        return Fetched(path, archive.address, os.path.getsize(path), f"copied from {name}")
    whole = os.path.isfile(f"{path}.part") and md5_of(f"{path}.part") == archive.md5
    how = "resumed" if whole else _download(archive.address, f"{path}.part")
    found = md5_of(f"{path}.part")
    if found != archive.md5:
        os.unlink(f"{path}.part")
        raise InputError(
            f"{archive.address}: its MD5 checksum is {found}, expected {archive.md5}: nothing is kept; the file there "
            "has changed or was damaged on its way"
        )
    os.replace(f"{path}.part", path)
    return Fetched(path, archive.address, os.path.getsize(path), how)


def _elsewhere(named: NamedSet, archive: Archive) -> Iterator[tuple[str, str]]:
    """The same archive in the folder of another test set."""
    for name, other in named_sets().items():
        if archive in other.sources and name != named.name:
            path = other.archive_path(archive)
            if os.path.isfile(path) and md5_of(path) == archive.md5:
                yield name, path


def md5_of(path: str) -> str:
    """The checksum that the table has."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()


def _download(address: str, path: str) -> str:
    """Bring a file to `path`, going on where an earlier try ended. Says how."""
    began = os.path.getsize(path) if os.path.isfile(path) else 0
    resumed, problem = began > 0, ""
    for attempt in range(TRIES):
        if attempt:
            time.sleep(WAIT * 2 ** (attempt - 1))
        try:
            done, went_on = _some(address, path)
            resumed = resumed and went_on if attempt == 0 else resumed or went_on
            if done:
                return "resumed" if resumed else "downloaded"
            problem = "the connection was closed early"
        except urllib.error.HTTPError as error:
            if error.code == 416:  # the file there is shorter than what we have: another one
                with suppress(OSError):
                    os.unlink(path)
                resumed, problem = False, "the file there has changed"
                continue
            if error.code < 500 and error.code != 429:
                raise InputError(f"{address}: the server says {error.code} {error.reason}") from None
            problem = f"the server says {error.code} {error.reason}"
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            problem = str(reason) or type(error).__name__
    have = os.path.getsize(path) if os.path.isfile(path) else 0
    kept = f"; {have:,} bytes are kept, and the next try goes on behind them" if have else ""
    raise InputError(f"{address}: cannot be downloaded: {problem}{kept}")


def _some(address: str, path: str) -> tuple[bool, bool]:
    """One connection: whether the file is whole behind it, and whether it went on from what there was."""
    have = os.path.getsize(path) if os.path.isfile(path) else 0
    headers = {"User-Agent": f"tertium/{__version__}"} | ({"Range": f"bytes={have}-"} if have else {})
    request = urllib.request.Request(address, headers=headers)
    with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
        went_on = have > 0 and answer.status == 206
        length = answer.headers.get("Content-Length")
        left = int(length) if length and length.isdigit() else None
        with open(path, "ab" if went_on else "wb") as file:
            blocks = iter(lambda: answer.read(BLOCK), b"")
            brought = 0
            for block in steps(blocks, f"bytes of {os.path.basename(address)}", len, left):
                file.write(block)
                brought += len(block)
        return left is None or brought >= left, went_on
