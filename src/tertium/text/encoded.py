"""Vectors of texts that were encoded before: in memory, and on disk under the hash of the model and of the text."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tertium.text.vectors import cache_folder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_IN_MEMORY = 1 << 28  # bytes
_ON_DISK = 2000  # megabytes a model, by default


@dataclass(frozen=True, eq=False)
class Encoded:
    """A text: its tokens or words, and a unit vector for each (zeros for what the tokenizer does not know)."""

    units: tuple[str, ...]
    vectors: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.units)

    @property
    def unknown(self) -> int:
        """Units that the tokenizer does not know."""
        return len(self) - int(self.vectors.any(axis=1).sum()) if len(self) else 0


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
    known = os.path.join(cache_folder(), "models", stamp.hexdigest()[:24])
    with suppress(OSError), open(known, encoding="ascii") as file:
        return file.read()
    digest = hashlib.sha256()
    for name in names:
        with open(os.path.join(folder, name), "rb") as content:
            digest.update(name.encode() + b"\0" + hashlib.file_digest(content, "sha256").digest())
    found = digest.hexdigest()[:12]
    os.makedirs(os.path.dirname(known), exist_ok=True)
    beside = f"{known}.{os.getpid()}.part"
    with open(beside, "w", encoding="ascii") as file:
        file.write(found)
    os.replace(beside, known)
    return found


@dataclass(eq=False)
class Store:
    """Encoded texts of one model. TERTIUM_EMBEDDINGS_MB limits the disk (0: none is used); 2000 by default."""

    key: str
    _kept: dict[str, Encoded] = field(default_factory=dict)
    _bytes: int = 0

    @staticmethod
    def of(key: str) -> Store:
        return _store(key, cache_folder())

    def get(self, texts: Sequence[str]) -> dict[str, Encoded]:
        """Those of these texts that are known."""
        found = {text: self._kept[text] for text in texts if text in self._kept}
        wanted = {_digest(text): text for text in dict.fromkeys(texts) if text not in found}
        if wanted and self._limit():
            import numpy as np

            with suppress(sqlite3.Error), self._open() as base:
                digests = list(wanted)
                for begin in range(0, len(digests), 500):
                    part = digests[begin : begin + 500]
                    marks = ",".join("?" * len(part))
                    rows = base.execute(
                        f"SELECT digest, units, vectors FROM texts WHERE digest IN ({marks})", part
                    )
                    for digest, units, vectors in rows:
                        names = tuple(units.split("\n")) if units else ()
                        table = np.frombuffer(vectors, np.float32).reshape(len(names), -1)
                        found[wanted[digest]] = Encoded(names, table)
        self._keep(found)
        return found

    def put(self, fresh: Mapping[str, Encoded]) -> None:
        """Remember these. A disk that is full or not ours to write is no error: texts are encoded again then."""
        self._keep(fresh)
        limit = self._limit()
        if not limit:
            return
        with suppress(sqlite3.Error, OSError):
            os.makedirs(os.path.dirname(self._path()), exist_ok=True)
            if os.path.exists(self._path()) and os.path.getsize(self._path()) > limit << 20:
                return
            with self._open() as base:
                base.execute(
                    "CREATE TABLE IF NOT EXISTS texts (digest BLOB PRIMARY KEY, units TEXT, vectors BLOB)"
                )
                base.executemany(
                    "INSERT OR IGNORE INTO texts VALUES (?, ?, ?)",
                    (
                        (_digest(text), "\n".join(one.units), one.vectors.tobytes())
                        for text, one in fresh.items()
                        if not any("\n" in unit for unit in one.units)
                    ),
                )

    def _keep(self, found: Mapping[str, Encoded]) -> None:
        for text, one in found.items():
            if text not in self._kept:
                self._kept[text] = one
                self._bytes += one.vectors.nbytes + len(text)
        while self._bytes > _IN_MEMORY and self._kept:
            oldest = next(iter(self._kept))
            self._bytes -= self._kept.pop(oldest).vectors.nbytes + len(oldest)

    def _path(self) -> str:
        return os.path.join(cache_folder(), "embeddings", f"{self.key}.sqlite")

    def _open(self) -> Any:
        return sqlite3.connect(self._path(), timeout=30)

    @staticmethod
    def _limit() -> int:
        given = os.environ.get("TERTIUM_EMBEDDINGS_MB", "")
        return int(given) if given.isdecimal() else _ON_DISK


@lru_cache(maxsize=8)
def _store(key: str, folder: str) -> Store:
    return Store(key)


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:16]
