"""Files that metrics name (vectors, models, estimators), sent along to wherever metrics are at work.

An option of a metric that may name a file says so (`option(..., file=True)`). Each file or folder goes to every
executor once, under a name of its own; there the metric is given that place instead of the path that it has here.
"""

from __future__ import annotations

import atexit
import dataclasses
import os
import re
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from tertium.errors import InputError
from tertium.io.ownfiles import own_version

if TYPE_CHECKING:
    from tertium.families.base import Metric

FOLDER = ".tertium-folder.zip"  # how the name of a folder's archive ends
SHIP = "install it in the Python of the executors (docs/scale.md)"


def check_version(sender: str) -> None:
    """Work is done only by the version that sent it; executors that come late are asked by nobody else."""
    if sender != own_version():
        raise InputError(f"an executor has Tertium {own_version()}, and this is {sender}: {SHIP}")


@dataclass(frozen=True)
class Luggage:
    """Paths here, and the names under which they were sent; and the version that sent them."""

    names: tuple[tuple[str, str], ...] = ()
    version: str = field(default_factory=own_version)

    @classmethod
    def sent(cls, paths: Sequence[str], context: Any) -> Luggage:
        """Send files and folders to all executors of a cluster."""
        known = {os.path.basename(own) for own in context.listFiles}
        names = {path: _name(path) for path in paths}
        for path, name in names.items():
            if name not in known:
                known.add(name)
                context.addFile(_packed(path, name))
        return cls(tuple(names.items()))

    def place(self, path: str) -> str:
        """Where an executor has what was sent; other paths stay as they are."""
        from pyspark import SparkFiles

        check_version(self.version)
        known = dict(self.names)
        return _arrived(SparkFiles.get(known[path])) if path in known else path

    def unpacked(self, metric: Metric) -> Metric:
        """A metric as an executor has it."""
        check_version(self.version)
        return with_files(metric, self.place) if self.names else metric


def files_of(metric: Metric) -> list[str]:
    """The files and folders of this machine that a metric's options name."""
    found: list[str] = []

    def note(path: str) -> str:
        found.append(path)
        return path

    with_files(metric, note)
    return [path for path in found if os.path.exists(path)]


def with_files(metric: Metric, change: Callable[[str], str]) -> Metric:
    """A metric whose files lie elsewhere."""
    changed: dict[str, Any] = {}
    for own in dataclasses.fields(metric):
        value = getattr(metric, own.name)
        if hasattr(type(value), "rows_signature"):  # a metric of a metric
            changed[own.name] = with_files(value, change)
        elif own.metadata.get("file") and isinstance(value, str) and value:
            changed[own.name] = ";".join(_changed(value, change))
    changed = {name: value for name, value in changed.items() if value != getattr(metric, name)}
    return dataclasses.replace(metric, **changed) if changed else metric


def _changed(value: str, change: Callable[[str], str]) -> Iterator[str]:
    """The files of an option: several between semicolons, or behind the name of who reads them (`lexicon:FILE`)."""
    for part in value.split(";"):
        head, colon, tail = part.partition(":")
        if colon and os.sep not in head and tail:
            moved = change(tail)
            yield f"{head}:{moved}" if moved != tail else change(part)
        else:
            yield change(part)


def _name(path: str) -> str:
    """One that no other file has, nor the same one when it has changed."""
    whole = os.path.realpath(path)
    info = os.stat(whole)
    said = f"{whole}\0{info.st_mtime_ns}\0{info.st_size}"
    own = blake2b(said.encode("utf-8", "surrogateescape"), digest_size=8).hexdigest()
    plain = re.sub(r"[^\w.-]", "_", os.path.basename(whole), flags=re.ASCII)  # it becomes part of an address
    return f"{own}-{plain}{FOLDER if os.path.isdir(whole) else ''}"


def folder_until_exit(prefix: str) -> str:
    """A temporary folder that goes when this process ends, and not when one that it has forked does."""
    made, owner = tempfile.mkdtemp(prefix=prefix), os.getpid()

    def remove() -> None:
        if os.getpid() == owner:
            shutil.rmtree(made, ignore_errors=True)

    atexit.register(remove)
    return made


def _packed(path: str, name: str) -> str:
    """A copy under this name; folders are packed."""
    whole, made = os.path.realpath(path), os.path.join(folder_until_exit("tertium-files-"), name)
    if os.path.isdir(whole):
        with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as archive:
            for base, _, files in os.walk(whole):
                for one in sorted(files):
                    file = os.path.join(base, one)
                    archive.write(file, os.path.relpath(file, whole))
        return made
    try:
        os.link(whole, made)
    except OSError:
        shutil.copyfile(whole, made)
    return made


def _arrived(path: str) -> str:
    """Where a file lies; a folder is unpacked by whoever comes first."""
    if not path.endswith(FOLDER):
        return path
    folder = path.removesuffix(FOLDER)
    if not os.path.isdir(folder):
        beside = tempfile.mkdtemp(dir=os.path.dirname(path))
        with zipfile.ZipFile(path) as archive:
            archive.extractall(beside)
        with suppress(OSError):  # somebody else was quicker
            os.rename(beside, folder)
    return folder
