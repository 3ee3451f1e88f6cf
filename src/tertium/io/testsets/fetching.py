"""Archives of test sets from the net, only when asked: resumed where they broke off, verified before they are kept."""

from __future__ import annotations

import errno
import hashlib
import http.client
import os
import re
import shutil
import socket
import time
import urllib.error
import urllib.request
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any, NamedTuple

from tertium import __version__
from tertium.errors import InputError, TertiumWarning
from tertium.io.testsets.table import Archive, NamedSet, named_sets, sets_folder
from tertium.io.testsets.texts import missing, not_packed, unpack_from
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
    """All archives of a test set, each verified by its checksum, and its texts taken out of it."""
    found = [_fetched(named, archive) for archive in named.sources]
    if gone := missing(named, named.wanted()):
        warnings.warn(f"{named.name}: {not_packed(named, gone)}", TertiumWarning, stacklevel=2)
    return found


def _fetched(named: NamedSet, archive: Archive) -> Fetched:
    path = named.archive_path(archive)
    part = f"{path}.part"
    if not os.access(named.raw, os.W_OK) and _whole(path, archive) and not missing(named, named.wanted()):
        return Fetched(path, archive.address, os.path.getsize(path), "already here")
    with _writing(named.raw), _alone(path):
        if _whole(path, archive):
            how = "already here"
            unpack_from(path, named, path, repair=True)
        else:
            how = _copied(named, archive, part) or _verified(archive, part)
            # sacrebleu unpacks only what it has downloaded: an archive under its name must have been unpacked
            unpack_from(part, named, path, repair=True)
            os.replace(part, path)
    return Fetched(path, archive.address, os.path.getsize(path), how)


@contextmanager
def _writing(folder: str) -> Iterator[None]:
    """A folder to write to; what the disk refuses is said in one line."""
    try:
        os.makedirs(folder, exist_ok=True)
        yield
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
        fix = "make room, and ask again" if full else "set SACREBLEU to a folder of your own"
        raise InputError(f"{error.filename or folder}: cannot be written ({error.strerror}): {fix}") from None


@contextmanager
def _alone(path: str) -> Iterator[None]:
    """Only one process gets an archive at a time. The lock is the one that sacrebleu takes."""
    import fcntl

    with open(f"{path}.lock", "a", encoding="utf-8") as lock:
        what = f"waits for another process that gets {os.path.basename(path)}"
        for _ in steps(_until_free(lock), what):
            time.sleep(0.2)
        try:
            yield
        finally:
            with suppress(OSError):
                fcntl.flock(lock, fcntl.LOCK_UN)


def _until_free(lock: IO[Any]) -> Iterator[None]:
    import fcntl

    while True:
        try:
            return fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield
        except OSError:  # a file system without locks
            return


def _copied(named: NamedSet, archive: Archive, part: str) -> str:
    """How the archive was copied from where it lies already; empty if it lies nowhere."""
    for where, other in _elsewhere(named, archive):
        shutil.copyfile(other, part)
        return f"copied from {where}"
    return ""


def _elsewhere(named: NamedSet, archive: Archive) -> Iterator[tuple[str, str]]:
    """The same archive where sacrebleu before 2.1 put it, and in the folders of other test sets."""
    for name, other in ((named.name, named), *named_sets().items()):
        if archive in other.sources:
            paths = [other.old_archive_path(archive)]
            if name != named.name:
                paths.append(other.archive_path(archive))
            for path in paths:
                if _whole(path, archive):
                    yield (os.path.relpath(path, sets_folder()) if name == named.name else name), path


def md5_of(path: str) -> str:
    """The checksum that the table has."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()


def _whole(path: str, archive: Archive) -> bool:
    """Whether an archive lies there, undamaged."""
    return os.path.isfile(path) and md5_of(path) == archive.md5


def _verified(archive: Archive, part: str) -> str:
    """Download an archive, and see that it is the right one; what was resumed and is not begins once more."""
    began = os.path.isfile(part)
    if _whole(part, archive):
        return "resumed"
    how = _download(archive.address, part)
    found = md5_of(part)
    if found != archive.md5 and began and how == "resumed":
        os.unlink(part)  # its beginning was of another file
        how = _download(archive.address, part)
        found = md5_of(part)
    if found != archive.md5:
        os.unlink(part)
        raise InputError(
            f"{archive.address}: its MD5 checksum is {found}, expected {archive.md5}: nothing is kept; the file there "
            "has changed or was damaged on its way"
        )
    return how


def _download(address: str, path: str) -> str:
    """Bring a file to `path`, going on where an earlier try ended. Says how."""
    began = _size(path)
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
            problem = f"the server says {error.code} {error.reason}"
            if error.code < 500 and error.code != 429:
                raise InputError(f"{address}: {problem}") from None
        except _Disk as error:
            raise error.problem from None
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            problem = str(getattr(reason, "strerror", None) or reason) or type(error).__name__
            if isinstance(reason, socket.gaierror) and not _size(path):
                break  # there is no such host, or no net: trying again would only take time
        except InputError:
            raise
        except ValueError as error:  # brackets that are not closed, letters outside ASCII
            raise InputError(f"{address}: is not an address that can be asked ({error})") from None
    have = _size(path)
    kept = f"; {have:,} bytes are kept, and the next try goes on behind them" if have else ""
    raise InputError(f"{address}: cannot be downloaded: {problem}{kept}")


class _Disk(Exception):
    """What is wrong with the disk, not with the net: trying again does not help."""

    def __init__(self, problem: OSError, path: str) -> None:
        super().__init__(problem)
        self.problem = OSError(problem.errno, problem.strerror, path)


class _Redirected(urllib.request.HTTPRedirectHandler):
    """To http and https only."""

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Any:
        if not newurl.startswith(("http://", "https://")):
            fp.close()
            raise InputError(
                f"{req.full_url}: the server sends us on to {newurl}, which is neither http nor https"
            )
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _size(path: str) -> int:
    return os.path.getsize(path) if os.path.isfile(path) else 0


def _some(address: str, path: str) -> tuple[bool, bool]:
    """One connection: whether the file is whole behind it, and whether it went on from what there was."""
    have = _size(path)
    headers = {"User-Agent": f"tertium/{__version__}"} | ({"Range": f"bytes={have}-"} if have else {})
    request = urllib.request.Request(address, headers=headers)
    with urllib.request.build_opener(_Redirected).open(request, timeout=TIMEOUT) as answer:
        went_on = have > 0 and answer.status == 206
        begins = re.match(r"bytes (\d+)-", answer.headers.get("Content-Range", ""))
        if went_on and begins and int(begins[1]) != have:
            os.unlink(path)  # a server that does not know what a range is: once more, without
            return False, False
        length = answer.headers.get("Content-Length")
        left = int(length) if length and length.isdigit() else None
        brought = 0
        with _appending(path, "ab" if went_on else "wb") as file:
            blocks = iter(lambda: answer.read1(BLOCK), b"")
            for block in steps(blocks, f"bytes of {os.path.basename(address)}", len, left):
                _write(file, block, path)
                brought += len(block)
        return left is None or brought >= left, went_on


def _appending(path: str, mode: str) -> IO[bytes]:
    try:
        return open(
            path, mode, buffering=0
        )  # a buffer that cannot be written would fail again when it is closed
    except OSError as error:
        raise _Disk(error, path) from None


def _write(file: IO[bytes], block: bytes, path: str) -> None:
    left = memoryview(block)
    try:
        while left:
            left = left[file.write(left) :]
    except OSError as error:
        raise _Disk(error, path) from None
