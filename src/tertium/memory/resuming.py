"""Long runs that can be stopped and gone on with: what was judged so far is kept in the cache folder.

It is written every half minute and when somebody interrupts, as a whole, with checksums; a run is known by the file it
reads, as it is now, and by all its settings. What a judge learns is learnt again, so that nothing depends on where a
run was stopped.
"""

from __future__ import annotations

import json
import os
import time
from array import array
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from typing import Any, BinaryIO

from tertium import __version__
from tertium.io.caches import CacheFile, Facts, cache_path, load, make
from tertium.io.memories.formats import files_of
from tertium.memory.reading import UnitSource

EVERY = 30.0  # seconds between two states, at least; and twenty times as long as it takes to write one
State = tuple[dict[str, Any], "array[float]"]  # what is known, and a number for each unit


def _stamp(path: str) -> list[Any]:
    found = os.stat(path)
    return [os.path.realpath(path), found.st_size, found.st_mtime_ns]


class Checkpoint:
    """The state of a run. `done` is how many units it has judged."""

    def __init__(self, kind: str, source: UnitSource, settings: Mapping[str, Any], *, resume: bool) -> None:
        files = [_stamp(own) for own in files_of(source.path) if os.path.exists(own)]
        others = [_stamp(own) for own in settings.values() if isinstance(own, str) and os.path.isfile(own)]
        pair = None if source.pair is None else str(source.pair)
        about = [__version__, kind, files, source.form, pair, source.encoding, dict(settings), others]
        name = sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()[:20]
        self._path = cache_path("runs", name)
        self._resume = resume
        self._next = time.monotonic() + EVERY
        self.done = 0

    def before(self) -> State | None:
        """What an earlier run left, if it is to be gone on with."""

        def use(file: CacheFile) -> State:
            values = array("f")
            values.frombytes(bytes(file.content()))
            return dict(file.facts["state"]), values

        found = load(self._path, use) if self._resume else None
        self.done = int(found[0]["done"]) if found else 0
        return found

    def due(self, make_state: Callable[[], State]) -> None:
        """Keep the state, if it is time."""
        if time.monotonic() >= self._next:
            self.keep(make_state())

    def keep(self, state: State) -> None:
        start = time.monotonic()

        def build(file: BinaryIO) -> Facts:
            file.write(state[1].tobytes())
            return {"state": {**state[0], "done": self.done}}

        with suppress(OSError):  # no room: then there is nothing to go on with
            make(self._path, build)
        now = time.monotonic()
        self._next = now + max(EVERY, 20 * (now - start))

    def finished(self) -> None:
        with suppress(FileNotFoundError):
            os.unlink(self._path)

    @contextmanager
    def kept(self, make_state: Callable[[], State]) -> Iterator[None]:
        """Work that leaves its state when somebody interrupts it, and none when it ends."""
        try:
            yield
        except KeyboardInterrupt:
            if self.done:
                self.keep(make_state())
                raise KeyboardInterrupt(
                    f"stopped after {self.done:,} units; the same command with --resume goes on from there"
                ) from None
            raise
        self.finished()
