"""Several processes on this machine. A process that dies is replaced, and its part is done again."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
import threading
import warnings
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache
from typing import IO, Any, TypeVar

from tertium.engines.base import Engine, Shared, worker_number
from tertium.errors import InputError

T = TypeVar("T")
R = TypeVar("R")
TRIES = 3  # of a part whose process died
_SIZE = 8  # bytes of a frame's length


class Processes(Engine):
    """As many processes as there are cores, or so many.

    >>> list(Processes(2).map(len, ["a", "bc", "def"]))
    [1, 2, 3]
    """

    name = "processes"

    def __init__(self, workers: int | None = None, partitions: int | None = None) -> None:
        self.workers = workers or len(os.sched_getaffinity(0))
        self.partitions = partitions

    @classmethod
    def of(cls, value: str) -> Processes:
        return cls(worker_number(value, cls.name) if value else None)

    def share(self, value: T) -> Shared[T]:
        return _Filed(value)

    def map(self, work: Callable[[T], R], parts: Iterable[T]) -> Iterator[R]:
        hands = _Hands()
        window: deque[Future[R]] = deque()
        pool = ThreadPoolExecutor(self.workers)
        try:
            for part in parts:
                window.append(pool.submit(hands.do, work, part))
                if len(window) > self.workers:  # one waits for whoever is free
                    yield window.popleft().result()
            while window:
                yield window.popleft().result()
        finally:
            for future in window:
                future.cancel()
            hands.stop()
            pool.shutdown()
            hands.clear()


class _Filed(Shared[T]):
    """A value that travels as a file: a process that is asked for it reads it once."""

    def __init__(self, value: T) -> None:
        super().__init__(value)
        number, self._path = tempfile.mkstemp(prefix="tertium-shared-")
        weakref.finalize(self, os.unlink, self._path)
        with open(number, "wb") as file:
            pickle.dump(value, file, pickle.HIGHEST_PROTOCOL)

    def __reduce__(self) -> Any:
        return _read_shared, (self._path,)


@lru_cache(maxsize=4)
def _read_shared(path: str) -> Shared[Any]:
    with open(path, "rb") as file:
        return Shared(pickle.load(file))


class _Hands:
    """Processes, one for each thread that asks."""

    def __init__(self) -> None:
        self._own = threading.local()
        self._all: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._stopped = False

    def do(self, work: Callable[[T], R], part: T) -> R:
        sent = pickle.dumps((work, part), pickle.HIGHEST_PROTOCOL)
        for _ in range(TRIES):
            process = getattr(self._own, "process", None) or self._start()
            try:
                write_frame(process.stdin, sent)
                answer = read_frame(process.stdout)
            except (OSError, EOFError):
                self._forget(process)
                continue
            result: R = opened(answer)
            return result
        raise InputError(
            f"a process died {TRIES} times over the same part of the texts: there may be too little memory "
            "(fewer processes, --engine processes:1, need less)"
        )

    def stop(self) -> None:
        with self._lock:
            self._stopped = True
            running = list(self._all)
        for process in running:
            process.kill()

    def clear(self) -> None:
        """Nothing is left of those who were stopped."""
        for process in self._all:
            _closed(process)

    def _start(self) -> subprocess.Popen[bytes]:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        with self._lock:
            if self._stopped:
                raise InputError("the work was stopped")
            process = subprocess.Popen(
                [sys.executable, "-m", "tertium.engines.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=environment,
            )
            self._all.add(process)
        self._own.process = process
        return process

    def _forget(self, process: subprocess.Popen[bytes]) -> None:
        _closed(process)
        with self._lock:
            self._all.discard(process)
        self._own.process = None


def _closed(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with suppress(OSError):
                stream.close()


def write_frame(stream: IO[bytes] | None, data: bytes) -> None:
    """The length of a message, and the message."""
    assert stream is not None
    stream.write(len(data).to_bytes(_SIZE, "little"))
    stream.write(data)
    stream.flush()


def read_frame(stream: IO[bytes] | None) -> bytes:
    """The next message; an `EOFError` where there is none."""
    assert stream is not None
    head = stream.read(_SIZE)
    data = stream.read(int.from_bytes(head, "little")) if len(head) == _SIZE else b""
    if not data:
        raise EOFError
    return data


def opened(answer: bytes) -> Any:
    """The result in an answer; its warnings and its error are raised here."""
    right, found, said = pickle.loads(answer)
    for category, text in said:
        warnings.warn(text, category, stacklevel=3)
    if not right:
        raise found
    return found


def answered(work: Callable[[Any], Any], part: Any) -> bytes:
    """What a process sends back: whether it went well, the result or the error, and what was warned of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            right, found = True, work(part)
        except Exception as error:
            right, found = False, error
    said = [(own.category, str(own.message)) for own in caught]
    try:
        data = pickle.dumps((right, found, said), pickle.HIGHEST_PROTOCOL)
        if not right:
            pickle.loads(data)
    except Exception:
        told = RuntimeError(f"{type(found).__name__}: {found}" if not right else "a result cannot be sent")
        data = pickle.dumps((False, told, said), pickle.HIGHEST_PROTOCOL)
    return data
