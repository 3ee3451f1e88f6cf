"""Vectors of texts that were encoded before, kept on disk under the hash of the model and of the text.

A model has a folder of shards. A shard is a file (io/caches.py) of vectors, one after another, whose facts say which
text each belongs to. Vectors are mapped into memory, which all processes share. When everything together grows beyond
the limit, the least recently used shards are deleted.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, BinaryIO

from tertium.io.caches import ENDING, CacheFile, Facts, cache_folder, cache_path, kept, load, make

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_SHARD = 16 << 20  # bytes of vectors that wait to be written
_IN_MEMORY = 1 << 28  # bytes that are kept where no disk is to be used
_ON_DISK = 4000  # megabytes of all models together, by default
_BYTES = {"float16": 2, "float32": 4}


@dataclass(frozen=True, eq=False)
class Encoded:
    """A text: its tokens or words, and a unit vector for each (zeros for what the tokenizer does not know).

    Special tokens ([CLS], [SEP]) stand at either end where units are sub-words.
    """

    units: tuple[str, ...]
    vectors: NDArray[np.floating]  # float16 where the model computes so
    before: int = 0  # special tokens in front
    behind: int = 0
    tokens: int = 0  # of the text, as the tokenizer cuts it
    unknown: int = 0  # of these

    def __len__(self) -> int:
        """The number of units that are text, special tokens aside."""
        return len(self.units) - self.before - self.behind


def model_hash(folder: str) -> str:
    """The beginning of the SHA-256 of all files that decide a model's numbers; remembered until they change."""
    names = sorted(
        name
        for name in os.listdir(folder)
        if name.endswith((".json", ".txt", ".model", ".safetensors", ".bin")) and not name.startswith(".")
    )
    stamp = hashlib.sha256()
    for name in names:
        info = os.stat(os.path.join(folder, name))
        stamp.update(f"{os.path.realpath(folder)}/{name} {info.st_size} {info.st_mtime_ns}\n".encode())

    def build(_file: BinaryIO) -> Facts:
        digest = hashlib.sha256()
        for name in names:
            with open(os.path.join(folder, name), "rb") as content:
                digest.update(name.encode() + b"\0" + hashlib.file_digest(content, "sha256").digest())
        return {"source": os.path.realpath(folder), "hash": digest.hexdigest()[:12]}

    def use(file: CacheFile) -> str:
        return str(file.facts["hash"])

    return kept(cache_path("models", stamp.hexdigest()[:24]), build, use)


@dataclass(eq=False)
class Store:
    """Encoded texts of one model. TERTIUM_EMBEDDINGS_MB limits the disk (0: none is used); 4000 by default."""

    key: str
    _places: dict[bytes, _Place] = field(default_factory=dict)
    _seen: set[str] = field(default_factory=set)  # names of shards
    _shards: dict[str, NDArray[np.floating]] = field(default_factory=dict)
    _waiting: dict[bytes, Encoded] = field(default_factory=dict)
    _bytes: int = 0  # of what waits and is not being written
    _writer: threading.Thread | None = None
    _starting: threading.Lock = field(default_factory=threading.Lock)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    @staticmethod
    def of(key: str) -> Store:
        return _store(key, cache_folder())

    def get(self, texts: Sequence[str]) -> dict[str, Encoded]:
        """Those of these texts that are in the store."""
        wanted = {text: _digest(text) for text in dict.fromkeys(texts)}
        with self._lock:
            if _limit() and any(d not in self._places and d not in self._waiting for d in wanted.values()):
                self._look()
            found = {text: self._read(digest) for text, digest in wanted.items()}
        return {text: one for text, one in found.items() if one is not None}

    def put(self, fresh: Mapping[str, Encoded]) -> None:
        """Store these. A disk that is full or cannot be written to is no error: the texts are then encoded again."""
        with self._lock:
            for text, one in fresh.items():
                self._waiting[_digest(text)] = one
                self._bytes += one.vectors.nbytes
            while not _limit() and self._bytes > _IN_MEMORY and len(self._waiting) > 1:
                oldest = next(iter(self._waiting))
                self._bytes -= self._waiting.pop(oldest).vectors.nbytes
        if _limit() and self._bytes >= _SHARD:  # without the lock: a writer needs it to come to its end
            self._start_writing()

    def flush(self) -> None:
        """Write what is pending as a shard and wait until it is on disk, from where it is read from then on."""
        self._start_writing()
        self._finish_writing()

    def _finish_writing(self) -> None:
        writer = self._writer
        if writer is not None:
            writer.join()

    def _start_writing(self) -> None:
        """Write one shard at a time in a thread of its own, so that the next texts need not wait for the disk."""
        limit = _limit() << 20
        with self._starting:
            self._finish_writing()
            with self._lock:
                if not self._waiting or not limit or self._bytes > limit:
                    return
                texts, self._bytes = dict(self._waiting), 0
                folder = self._folder()
            self._writer = threading.Thread(target=self._shelve, args=(texts, folder, limit))
            try:
                self._writer.start()
            except RuntimeError:  # the interpreter is about to end
                self._writer = None
                self._shelve(texts, folder, limit)

    def _shelve(self, texts: Mapping[bytes, Encoded], folder: str, limit: int) -> None:
        name = f"{os.getpid()}-{os.urandom(6).hex()}"
        try:
            places = _write(os.path.join(folder, name + ENDING), name, texts)
        except OSError:
            with self._lock:  # they wait on
                self._bytes += sum(one.vectors.nbytes for one in texts.values())
            return
        with self._lock:
            self._places |= places
            self._seen.add(name)
            for digest in texts:
                self._waiting.pop(digest, None)
        with suppress(OSError):
            _make_room(limit)

    def _look(self) -> None:
        """Look for new shards: other processes may have written some."""
        with suppress(OSError):
            for entry in sorted(os.scandir(self._folder()), key=lambda entry: entry.name):
                name = entry.name.removesuffix(ENDING)
                if name != entry.name and name not in self._seen:
                    self._seen.add(name)
                    self._places = (load(entry.path, _places(name)) or {}) | self._places

    def _read(self, digest: bytes) -> Encoded | None:
        import numpy as np

        waiting = self._waiting.get(digest)
        place = self._places.get(digest)
        if waiting is not None or place is None:
            return waiting
        table = self._shards.get(place.shard)
        if table is None and place.width:
            path = self._folder(place.shard)
            with suppress(OSError):
                os.utime(path)  # used now
            table = load(path, place.table)
            if table is None:  # damaged, or somebody made room
                self._places = {d: p for d, p in self._places.items() if p.shard != place.shard}
                return None
            self._shards[place.shard] = table
        if table is None or not place.units:
            rows: NDArray[np.floating] = np.zeros((len(place.units), place.width), place.kind)
        else:
            rows = table[place.begin : place.begin + len(place.units)]
        return Encoded(place.units, rows, place.before, place.behind, place.tokens, place.unknown)

    def _folder(self, *shard: str) -> str:
        return cache_path("embeddings", self.key, *shard) if shard else os.path.join(_home(), self.key)


@dataclass(frozen=True)
class _Place:
    """Where the vectors of a text lie."""

    shard: str
    kind: str
    width: int
    begin: int
    units: tuple[str, ...]
    before: int
    behind: int
    tokens: int
    unknown: int

    def table(self, file: CacheFile) -> NDArray[np.floating]:
        """All vectors of the shard."""
        import numpy as np

        return np.frombuffer(file.content(), self.kind).reshape(-1, self.width)


def _places(name: str) -> Callable[[CacheFile], dict[bytes, _Place]]:
    """Reads which texts a shard has vectors for, and where they lie."""

    def use(file: CacheFile) -> dict[bytes, _Place]:
        kind, width, rows = (file.facts[key] for key in ("kind", "width", "rows"))
        places: dict[bytes, _Place] = {}
        if _BYTES[kind] * width * rows != file.size:
            raise ValueError("the number of vectors is not what the facts say")
        for digest, begin, units, *counts in file.facts["texts"]:
            if not 0 <= begin <= begin + len(units) <= rows:
                raise ValueError("a text's vectors lie outside of the file")
            places[bytes.fromhex(digest)] = _Place(name, kind, width, begin, tuple(units), *counts)
        return places

    return use


def _write(path: str, name: str, texts: Mapping[bytes, Encoded]) -> dict[bytes, _Place]:
    """A shard of these texts, and where each lies in it."""
    places: dict[bytes, _Place] = {}
    width = next((one.vectors.shape[1] for one in texts.values() if one.vectors.size), 0)
    kind = next((one.vectors.dtype.name for one in texts.values()), "float32")

    def build(file: BinaryIO) -> Facts:
        index, begin = [], 0
        for digest, one in texts.items():
            file.write(one.vectors.data)
            counts = one.before, one.behind, one.tokens, one.unknown
            index.append([digest.hex(), begin, one.units, *counts])
            places[digest] = _Place(name, kind, width, begin, one.units, *counts)
            begin += len(one.units)
        return {"source": "", "kind": kind, "width": width, "rows": begin, "texts": index}

    make(path, build)
    return places


def _make_room(limit: int) -> None:
    """Delete the least recently used shards until the rest is within the limit."""
    shards = sorted(_all_shards())
    total = sum(size for _, size, _ in shards)
    for _, size, path in shards:
        if total <= limit:
            return
        with suppress(OSError):
            os.unlink(path)
        total -= size


def _all_shards() -> Iterator[tuple[int, int, str]]:
    """For each shard of any model: when it was last used, its size and its path."""
    for folder, _, names in os.walk(_home()):
        for name in names:
            if name.endswith(ENDING):
                path = os.path.join(folder, name)
                with suppress(OSError):
                    info = os.stat(path)
                    yield info.st_mtime_ns, info.st_size, path


def _home() -> str:
    return cache_path("embeddings")


def _limit() -> int:
    given = os.environ.get("TERTIUM_EMBEDDINGS_MB", "")
    return int(given) if given.isdecimal() else _ON_DISK


_stores: list[Store] = []


@lru_cache(maxsize=16)
def _store(key: str, folder: str) -> Store:
    store = Store(key)
    _stores.append(store)
    return store


def _flush_all() -> None:
    for store in _stores:
        store.flush()


atexit.register(_flush_all)


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:16]
