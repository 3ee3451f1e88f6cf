"""Where a service keeps its data: a folder of its own, or a database by its URL."""

from __future__ import annotations

import hashlib
from pathlib import Path

from tertium.errors import InputError
from tertium.io.caches import cache_folder


def service_place(given: str, *, create: bool = False) -> str:
    """The database of a folder; a URL is one itself.

    >>> service_place("postgresql://localhost/office")
    'postgresql://localhost/office'
    """
    if "://" in given:
        return given
    folder = Path(given)
    if create:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{given}: {error.strerror or error}") from None
    return str(folder / "service.db")


def files_of(given: str, what: str) -> str:
    """Where files of a service lie: in its folder; beside the cache, if it is a database by URL.

    >>> files_of("office", "vectors")
    'office/vectors'
    """
    if "://" in given:
        name = hashlib.sha256(given.encode()).hexdigest()[:12]
        return str(Path(cache_folder()) / "services" / name / what)
    return str(Path(given) / what)
