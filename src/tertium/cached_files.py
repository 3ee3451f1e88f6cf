"""What lies in the cache folder: how much, whether it is whole, and away with it (`tertium cache`)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from tertium.errors import InputError, did_you_mean
from tertium.io.caches import ENDING, KINDS, cache_folder, state
from tertium.results import Result

if TYPE_CHECKING:
    from tertium.io.tables import Table

# Names that we give, and gave in earlier versions: whatever else lies in the folder is somebody else's.
_OURS = re.compile(
    r"(\d+-[0-9a-f]{12}|[0-9a-f]{20,24}|paraphrases-[0-9a-f]{20})(\.(float32|float16|int8|index|vectors|bin))?"
    rf"({re.escape(ENDING)})?(\.[0-9a-f-]+\.(part|plain))?"
)
_LEFT_OVER = "left over"  # of an earlier version, or of a process that was killed


@dataclass(frozen=True)
class CachedFile:
    """A file in the cache."""

    kind: str
    path: str
    bytes: int
    used: str  # when it was last written, or opened as encoded texts: UTC, ISO 8601
    state: str  # "whole", "damaged", "of another version", "left over"; empty: nobody looked
    source: str  # the file or folder it was made from


@dataclass(frozen=True)
class CachedFiles(Result):
    """Files in the cache. Prints itself as a line for each kind, and names what is damaged."""

    kind = "cached files"
    folder: str
    files: tuple[CachedFile, ...]
    removed: bool = False

    @property
    def damaged(self) -> tuple[CachedFile, ...]:
        return tuple(file for file in self.files if file.state == "damaged")

    def table(self) -> Table:
        """A line for each kind of file."""
        from tertium.io.tables import Column, Table, number_column

        columns = [Column("kind"), Column("what it is", "title"), number_column("files", digits=None)]
        columns += [number_column("MB", "megabytes", 1), Column("last used", "used", whole=True)]
        rows = []
        for kind in KINDS:
            own = [file for file in self.files if file.kind == kind]
            used = max((file.used[:10] for file in own), default="never")
            wrong = sum(file.state == "damaged" for file in own)
            rows.append((kind, KINDS[kind], len(own), sum(file.bytes for file in own) / 1e6, used, wrong))
        if not all(file.state for file in self.files):  # nobody looked
            return Table("", tuple(columns), tuple(row[:-1] for row in rows))
        return Table("", (*columns, number_column("damaged", digits=None)), tuple(rows))

    def words(self) -> Iterator[str]:
        yield f"{'Removed from' if self.removed else 'Cache folder:'} {self.folder}"
        for file in self.damaged if not self.removed else ():
            of = f" (of {file.source})" if file.source else ""
            yield f"{file.path}{of} is damaged: it is made anew when it is next needed"


def cached_files(kinds: Sequence[str] = (), *, check: bool = False) -> CachedFiles:
    """What lies in the cache, of these kinds or of all; `check` reads every file and compares its checksums.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     os.environ["TERTIUM_CACHE"] = folder
    ...     found = cached_files(check=True)
    >>> len(found.files), len(found.damaged)
    (0, 0)
    >>> del os.environ["TERTIUM_CACHE"]
    """
    for kind in kinds:
        if kind not in KINDS:
            raise InputError(f"the cache has no kind {kind!r}{did_you_mean(kind, KINDS)}")
    return CachedFiles(cache_folder(), tuple(_files(kinds or tuple(KINDS), check=check)))


def clear_cache(kinds: Sequence[str] = (), *, damaged: bool = False) -> CachedFiles:
    """Remove what lies in the cache, of these kinds or all, or what of it is damaged or left over; gives what went."""
    found = cached_files(kinds, check=damaged)
    gone = []
    for file in found.files:
        if not damaged or file.state in ("damaged", _LEFT_OVER):
            with suppress(FileNotFoundError):
                os.unlink(file.path)
                gone.append(file)
    return CachedFiles(found.folder, tuple(gone), removed=True)


def _files(kinds: Sequence[str], *, check: bool) -> Iterator[CachedFile]:
    for kind in kinds:
        for folder, _, names in os.walk(os.path.join(cache_folder(), kind)):
            for name in sorted(filter(_OURS.fullmatch, names)):
                yield from _file(kind, os.path.join(folder, name), check=check)
    if "paraphrases" in kinds:  # they lay in the folder itself
        with suppress(OSError):
            for name in sorted(
                filter(re.compile(r"paraphrases-[0-9a-f]{20}\.bin").fullmatch, os.listdir(cache_folder()))
            ):
                yield from _file("paraphrases", os.path.join(cache_folder(), name), check=check)


def _file(kind: str, path: str, *, check: bool) -> Iterator[CachedFile]:
    with suppress(FileNotFoundError):
        info = os.stat(path)
        found, facts = state(path, whole=check) if path.endswith(ENDING) else (_LEFT_OVER, {})
        used = datetime.fromtimestamp(info.st_mtime, UTC).isoformat(timespec="seconds")
        yield CachedFile(kind, path, info.st_size, used, found, str(facts.get("source", "")))
