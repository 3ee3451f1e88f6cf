"""A system at work in a folder: every correction is on disk before it is learnt, and reaches the next segment.

`corrections.log` has a line for each correction, with a checksum, and is only ever appended to. Now and then the system
writes what it has learnt, `snapshot-120`: after 120 lines. Who is killed, at any time, loses nothing that was
acknowledged: the next start takes the last whole snapshot and learns the lines after it again.
"""

from __future__ import annotations

import os
import re
import shutil
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from tertium.adaptation.base import (
    FIELDS,
    AdaptiveSystem,
    Lesson,
    SourceSegment,
    Translation,
    checked_correction,
)
from tertium.errors import InputError
from tertium.io.logs import append, opened_log, summed_lines, summed_records

LOG = "corrections.log"
EVERY = 50  # corrections between two snapshots
_SNAPSHOT = re.compile(r"snapshot-(\d+)")


class LiveSystem:
    """One system, many who ask; one at a time. `corrections` counts the lines of the log."""

    def __init__(self, folder: str, make: Callable[[], AdaptiveSystem], *, every: int = EVERY) -> None:
        self.folder, self.every = folder, every
        self._turn = threading.Lock()
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as error:
            raise InputError(f"{folder}: cannot be used: {error.strerror or error}") from None
        path = os.path.join(folder, LOG)
        self._log, self.mended = opened_log(path, path)
        try:
            self.system = make()
            self.corrections = self.kept = 0
            self.trouble = ""  # of the last snapshot
            self._resume(path)
        except BaseException:
            self._log.close()
            raise

    def _resume(self, path: str) -> None:
        self._log.seek(0)
        records = list(summed_records(self._log.read(), path))
        for number, name in sorted(self._snapshots(), reverse=True):
            if number <= len(records):
                self.system.restore(os.path.join(self.folder, name))
                self.corrections = self.kept = number
                break
        for record in records[self.corrections :]:
            if record.get("verb") == "forget":
                self.system.forget()
            else:
                with suppress(InputError):
                    self.system.learn(_segment(record), record["correction"])
            self.corrections += 1

    def _snapshots(self) -> list[tuple[int, str]]:
        found = ((name, _SNAPSHOT.fullmatch(name)) for name in os.listdir(self.folder))
        return [(int(own.group(1)), name) for name, own in found if own]

    def translate(self, segment: SourceSegment, candidates: int = 1) -> Translation:
        with self._turn:
            return self.system.translate(segment, candidates=candidates)

    def correct(self, segment: SourceSegment, correction: str) -> tuple[Lesson, int]:
        """Learns from a correction, which is on disk by then; and how many there are now."""
        text = checked_correction(segment, correction)
        with self._turn:
            self._append({"source": segment.source, **segment.context(), "correction": text})
            lesson = self.system.learn(segment, text)
            if self.corrections - self.kept >= self.every:
                self._keep()
            return lesson, self.corrections

    def forget(self) -> int:
        """Back to what was known before the first correction; the log says so, and keeps the corrections."""
        with self._turn:
            self._append({"verb": "forget"})
            self.system.forget()
            self._keep()
            return self.corrections

    def _append(self, record: Mapping[str, Any]) -> None:
        append(self._log, summed_lines([record]), os.path.join(self.folder, LOG))
        self.corrections += 1

    def _keep(self) -> None:
        """A snapshot beside, then under its name. If that fails the log is enough: it is tried again later."""
        beside = os.path.join(self.folder, f"snapshot.{os.getpid()}.part")
        try:
            self.system.snapshot(beside)
            os.replace(beside, os.path.join(self.folder, f"snapshot-{self.corrections}"))
        except (InputError, OSError) as error:
            self.trouble = str(error)
            _remove(beside)
            self.kept = self.corrections  # not with every correction
            return
        self.trouble, self.kept = "", self.corrections
        for number, name in self._snapshots():
            if number < self.corrections:
                _remove(os.path.join(self.folder, name))

    def about(self) -> dict[str, Any]:
        """What there is to know."""
        return {
            "system": str(self.system),
            "corrections": self.corrections,
            "balance": self.system.balance,
            "snapshot": max(self._snapshots(), default=(0, ""))[0],
            "trouble": self.trouble,
        }

    def close(self) -> None:
        """A last snapshot, and the end."""
        with self._turn:
            if self.corrections > self.kept:
                self._keep()
            self.system.close()
            self._log.close()


def _segment(record: Mapping[str, Any]) -> SourceSegment:
    return SourceSegment(record["source"], **{name: record.get(name, "") for name in FIELDS})


def _remove(path: str) -> None:
    with suppress(OSError):
        if os.path.isdir(path):
            shutil.rmtree(path)
        else:
            os.unlink(path)
