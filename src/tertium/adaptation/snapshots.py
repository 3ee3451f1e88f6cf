"""What a system has learnt, as a file: whole, checked when it is read, and of the system that reads it."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from typing import Any

from tertium.errors import InputError
from tertium.io.files import write_atomically
from tertium.io.ownfiles import check_own
from tertium.io.records import json_text, read_json

FORMAT, VERSION = "tertium adaptation", 1


def write_snapshot(path: str, system: str, state: Mapping[str, Any]) -> None:
    """The file appears under its name once all of it is on disk; before, and after any error, the one before stays.

    >>> path = str(written("office.snapshot", ""))
    >>> write_snapshot(path, "memory", {"units": [1, 2]})
    >>> read_snapshot(path, "memory")
    {'units': [1, 2]}
    """
    text = json_text(state)
    whole = {"format": FORMAT, "version": VERSION, "system": system, "sha256": _sum(text), "state": state}
    try:
        with write_atomically(path) as file:
            file.write(json_text(whole) + "\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise InputError(
            f"{path}: the snapshot cannot be written: {error.strerror or error}; the one before is as it was"
        ) from None


def read_snapshot(path: str, system: str) -> dict[str, Any]:
    """What the system with this spec string had learnt."""
    whole = read_json(path)
    check_own(whole, path, "snapshot of an adaptive system", FORMAT, VERSION)
    state = whole.get("state")
    if not isinstance(state, dict) or whole.get("sha256") != _sum(json_text(state)):
        raise InputError(f"{path}: is damaged: its checksum is another")
    if whole.get("system") != system:
        raise InputError(f"{path}: is a snapshot of {whole.get('system')}, not of {system}")
    return state


def _sum(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
