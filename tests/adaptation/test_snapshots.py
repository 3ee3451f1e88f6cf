"""Snapshots are whole or as they were before: after a full disk, a kill, and damage."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tertium.adaptation.snapshots import read_snapshot, write_snapshot
from tertium.errors import InputError


def test_a_full_disk_leaves_the_snapshot_before(tmp_path: Path) -> None:
    """A limit on the size of files stands in for the disk: the system's own error, in the middle of a write."""
    import resource
    import signal

    path = str(tmp_path / "kept")
    write_snapshot(path, "memory", {"units": [1]})
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (65536, before[1]))
        with pytest.raises(InputError, match="cannot be written"):
            write_snapshot(path, "memory", {"units": list(range(100_000))})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    assert read_snapshot(path, "memory") == {"units": [1]}
    assert [own.name for own in tmp_path.iterdir()] == ["kept"]


def test_damage_and_other_systems_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    write_snapshot(str(path), "memory", {"units": [1]})
    with pytest.raises(InputError, match="snapshot of memory, not of lexical"):
        read_snapshot(str(path), "lexical")
    whole = json.loads(path.read_text())
    whole["state"]["units"] = [2]
    path.write_text(json.dumps(whole))
    with pytest.raises(InputError, match="checksum"):
        read_snapshot(str(path), "memory")
    path.write_text("{}")
    with pytest.raises(InputError, match="no snapshot"):
        read_snapshot(str(path), "memory")
