"""Word vectors: files of word2vec (binary and text), GloVe and fastText, read once and mapped into memory after that.

The first time a file is opened it is turned into a table of our own in the cache folder (`TERTIUM_CACHE`, or `tertium`
in `XDG_CACHE_HOME`, which is `~/.cache` by default). From then on it opens in milliseconds, however large it is, and
all processes share the memory. The table is made anew when size, time or the ends of the file have changed, or when
it is damaged (io/caches.py).
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO

from tertium import _native
from tertium.errors import InputError, SpecError, TertiumWarning, did_you_mean
from tertium.io.caches import CacheFile, Facts, cache_path, kept, told
from tertium.io.streams import check_readable, open_bytes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

STORAGES = ("float32", "float16", "int8")
CASES = ("ascii", "unicode", "exact")
CASE_HELP = "words not found as written are looked up in lower case: ascii or unicode letters; exact: never"
_END = 1 << 16  # bytes at either end that are hashed to notice a changed file
_BLOCK = 20_000  # words whose similarity is asked for at once
_COMPRESSED = (b"\x1f\x8b", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd")
_opened: dict[tuple[str, str], tuple[Any, Vectors]] = {}


@dataclass(frozen=True, eq=False)
class Vectors:
    """The vectors of a file.

    >>> import tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "toy.vec")
    >>> _ = path.write_text("3 2\\ncat 1 0\\ndog 0.8 0.6\\ncar 0 2\\n")
    >>> vectors = Vectors.open(path)
    >>> len(vectors), vectors.dimension, "dog" in vectors, "cow" in vectors
    (3, 2, True, False)
    >>> round(vectors.similarity("cat", "dog"), 6), vectors.similarity("cat", "car")
    (0.8, 0.0)
    >>> folder.cleanup()
    """

    path: str
    table: _native.VectorTable
    cached: str  # where the table lies
    content: str  # SHA-256 of the file

    @classmethod
    def open(cls, path: str | os.PathLike[str], storage: str = "float32") -> Vectors:
        """Open a file of vectors. `storage` float16 or int8 keeps the table at a half or a quarter of its size."""
        name = os.fspath(path)
        if storage not in STORAGES:
            raise SpecError(f"vectors cannot be stored as {storage!r}{did_you_mean(storage, STORAGES)}")
        check_readable(name, name)
        info = os.stat(name)
        stamp = info.st_size, info.st_mtime_ns
        place = hashlib.sha256(os.fsencode(os.path.realpath(name))).hexdigest()[:24]
        cached = cache_path("vectors", f"{place}.{storage}")
        known = _opened.get((name, storage))
        if known is None or known[0] != (stamp, _identity(cached)):
            found = cls._table(name, storage, cached, [*stamp, _ends(name, info.st_size)])
            known = _opened[name, storage] = (stamp, _identity(cached)), found
        return known[1]

    @classmethod
    def _table(cls, name: str, storage: str, cached: str, stamp: list[Any]) -> Vectors:
        built = False

        def build(file: BinaryIO) -> Facts:
            nonlocal built
            built, content = True, _build(name, file.name, storage)
            return {"source": os.path.realpath(name), "stamp": stamp, "content": content}

        def use(file: CacheFile) -> Vectors | None:
            if file.facts["stamp"] != stamp:
                return None
            table = _native.VectorTable(file.path, file.descriptor, file.size, file.sums, file.small)
            return cls(name, table, cached, file.facts["content"])

        found = kept(cached, build, use)
        if built and found.table.repeated:
            warnings.warn(
                f"{name}: {found.table.repeated} words are repeated: the first vector of each counts",
                TertiumWarning,
                stacklevel=4,
            )
        return found

    def __len__(self) -> int:
        return len(self.table)

    @told()
    def __contains__(self, word: str) -> bool:
        return self.table.find(_bytes(word), "exact") >= 0

    @property
    def dimension(self) -> int:
        return self.table.dimension

    @property
    def hash(self) -> str:
        """The beginning of the SHA-256 of the file."""
        return self.content[:12]

    @told()
    def words(self) -> list[str]:
        """All words, in the order of the file."""
        return [self._word(i) for i in range(len(self))]

    @told()
    def __getitem__(self, word: str) -> NDArray[np.float32]:
        """The vector of a word as the file has it."""
        import numpy as np

        row = self.table.find(_bytes(word), "exact")
        if row < 0:
            raise KeyError(word)
        return np.asarray(self.table.numbers(row))

    @told()
    def cosines(
        self,
        rows: Sequence[str],
        columns: Sequence[str],
        *,
        other: Vectors | None = None,
        case: str = "ascii",
    ) -> NDArray[np.float64]:
        """The cosine of every word of `rows` with every word of `columns`; 0 where one has no vector.

        `other` has the vectors of the columns, if they are not ours.
        """
        import numpy as np

        right = self if other is None else other
        same_dimension(self, right)
        found = _native.cosines(
            self.table, [_bytes(w) for w in rows], right.table, [_bytes(w) for w in columns], case
        )
        return np.asarray(found, dtype=np.float64)

    @told()
    def nearest(self, word: str, number: int = 10) -> list[tuple[str, float]]:
        """The words with the largest cosines to a word, other than itself."""
        import numpy as np

        if word not in self:
            raise InputError(f"{self.path}: there is no vector for {word!r}")
        found = np.empty(len(self))
        for begin in range(0, len(self), _BLOCK):
            block = [self.table.word(i) for i in range(begin, min(begin + _BLOCK, len(self)))]
            part = _native.cosines(self.table, [_bytes(word)], self.table, block, "exact")
            found[begin : begin + len(block)] = np.asarray(part)[0]
        order = [i for i in np.argsort(-found, kind="stable")[: number + 1].tolist() if self._word(i) != word]
        return [(self._word(i), float(found[i])) for i in order[:number]]

    def _word(self, row: int) -> str:
        return self.table.word(row).decode("utf-8", "replace")

    def similarity(self, one: str, other: str) -> float:
        """The cosine of two words; 0 where one has no vector."""
        return float(self.cosines([one], [other])[0, 0])


def same_dimension(one: Vectors, other: Vectors) -> None:
    """Refuses two tables whose vectors cannot be compared."""
    if one.dimension != other.dimension:
        raise InputError(
            f"{one.path} has vectors of {one.dimension} numbers, {other.path} of {other.dimension}: "
            "they must be in the same space"
        )


def checked_path(metric: str, name: str, path: str) -> None:
    """Refuses a file name that a spec string could not carry."""
    if '"' in path:
        raise SpecError(f"{metric}: {name}: a file with a quotation mark in its name cannot be used: {path}")


def file_items(key: str, path: str) -> dict[str, str]:
    """What a signature says of a file: its name and the beginning of the hash of its content.

    >>> list(file_items("idf", __file__))
    ['idf', 'idf-hash']
    """
    check_readable(path, path)
    with open(path, "rb") as file:
        return {key: f'"{path}"', f"{key}-hash": hashlib.file_digest(file, "sha256").hexdigest()[:12]}


def vector_items(key: str, path: str, storage: str) -> dict[str, str]:
    """What a signature says of vectors: the file's name, its hash, and how they are stored if not in full."""
    items = {key: f'"{path}"', f"{key}-hash": Vectors.open(path, storage).hash}
    return items if storage == "float32" else items | {"storage": storage}


def _bytes(word: str) -> bytes:
    return word.encode("utf-8", "surrogatepass")


def _identity(path: str) -> tuple[int, int] | None:
    """What distinguishes a file from another that replaces it."""
    try:
        info = os.stat(path)
    except OSError:
        return None
    return info.st_ino, info.st_mtime_ns


def _ends(name: str, size: int) -> str:
    """The hash of the beginning and the end of a file."""
    with open(name, "rb") as file:
        digest = hashlib.sha256(file.read(_END))
        if size > 2 * _END:
            file.seek(size - _END)
            digest.update(file.read(_END))
    return digest.hexdigest()


def _build(name: str, to: str, storage: str) -> str:
    """Writes the table of a file and returns the file's SHA-256."""
    with open(name, "rb") as file, tempfile.TemporaryFile(dir=os.path.dirname(to)) as plain:
        source: Any = file
        if file.read(6).startswith(_COMPRESSED):
            _unpack(name, plain)
            source = plain
        file.seek(0)
        content = hashlib.file_digest(file, "sha256").hexdigest()
        try:
            _native.build_vectors(source.fileno(), to, storage)
        except RuntimeError as error:
            raise OSError(str(error)) from None
        except ValueError as error:
            raise InputError(f"{name}: {error}") from None
    return content


def _unpack(name: str, to: Any) -> None:
    stream = open_bytes(name, name)
    try:
        while block := stream.read(1 << 22):
            to.write(block)
        to.flush()
    finally:
        stream.close()
