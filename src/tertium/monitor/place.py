"""Where a service keeps its data: a folder of its own, or a database by its URL."""

from __future__ import annotations

from pathlib import Path

from tertium.errors import InputError


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
