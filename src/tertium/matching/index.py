"""The sources of a memory as an index on disk, beside the memory: who asks finds what was added a moment ago."""

from __future__ import annotations

import os
import warnings
from array import array
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, BinaryIO

from tertium import _native
from tertium.errors import InputError, TertiumWarning
from tertium.io import caches
from tertium.io.memories.pairs import Pair, covers
from tertium.io.memories.unit import Unit
from tertium.memory.store import Memory
from tertium.progress import steps

ENDING = ".index"
VERSION = 2
OTHERS = {"version": "of another version", "pair": "of other languages", "memory": "of another memory"}
_BATCH = 16384
_WIDTHS = (1, 2, 4, 8)  # bytes of a number


class MemoryIndex:
    """The sources of a memory in two languages, for finding those that are like a text.

    It knows what the memory held when it was last refreshed; `refresh` reads what has been added since.
    """

    def __init__(self, memory: Memory, pair: Pair | None = None, *, before: str = "") -> None:
        self.memory, self.pair = memory, pair
        self.before = before  # a date: units of that day and later are left out
        self.texts = _native.TextIndex()
        self.numbers = array("Q")  # of units, by their place in the index
        self.last = 0  # the last unit that was looked at

    @classmethod
    def open(cls, path: str, pair: Pair | None = None, *, keep: bool = True) -> MemoryIndex:
        """The index of a memory: as it lies beside it, or made anew; with what has come since.

        Where much has come, or nothing was there, it is written (`keep`), unless the folder does not allow it.
        """
        memory = Memory.open(path)
        place = os.path.abspath(path) + ENDING
        found = caches.load(place, lambda file: cls._read(memory, pair, file))
        index = cls(memory, pair) if found is None else found
        before = len(index.numbers)
        index.refresh()
        if found is None and len(index):
            index._tell(place)
        if keep and len(index.numbers) > before + before // 20:
            index.save()
        return index

    @classmethod
    def open_filled(cls, path: str, pair: Pair | None = None, *, keep: bool = True) -> MemoryIndex:
        """The same; refused if there is no unit in it, as where a memory is of other languages."""
        index = cls.open(path, pair, keep=keep)
        if not len(index):
            raise InputError(f"{path}: there are no units{f' in {pair}' if pair else ''} in this memory")
        return index

    @classmethod
    def _read(cls, memory: Memory, pair: Pair | None, file: caches.CacheFile) -> MemoryIndex | None:
        facts = file.facts
        if facts.get("kind") != "match index" or facts.get("version") != VERSION:
            return None
        index = cls(memory, pair)
        if any(facts[name] != value for name, value in index.facts().items()):
            return None
        import numpy as np

        content, units, width = file.content(), facts["units"], facts["width"]
        if width not in _WIDTHS:
            raise ValueError("another width of numbers")
        more = np.frombuffer(content, f"<u{width}", units)
        index.numbers.frombytes(np.cumsum(more, dtype=np.uint64).tobytes())
        index.texts = _native.TextIndex(np.frombuffer(content, np.uint8, offset=_aligned(units * width)))
        if len(index.texts) != units:
            raise ValueError("another number of texts")
        index.last = facts["last"]
        return index

    def _tell(self, place: str) -> None:
        """Says why a file that lies there is not used."""
        try:
            state, facts = caches.state(place, whole=False)
        except OSError:
            return  # there is none
        wanted = {"version": VERSION, **self.facts()}
        what = next((OTHERS[name] for name, own in wanted.items() if facts.get(name) != own), state)
        warnings.warn(f"{place}: this index is {what}; it is made anew", TertiumWarning, stacklevel=3)

    def refresh(self) -> int:
        """Reads what the memory has had added since; how many units that was."""
        before = len(self.numbers)
        units = self.memory.units(after=self.last)
        for batch in steps(iter(lambda: list(islice(units, _BATCH)), []), "indexing", len):
            kept = [(number, unit) for number, unit in batch if self.fits(unit)]
            self.texts.add([plain(unit.source) for _, unit in kept])
            self.numbers.extend(number for number, _ in kept)
            self.last = batch[-1][0]
        return len(self.numbers) - before

    def save(self) -> bool:
        """Writes it beside the memory, whole or not at all; False where that is not allowed."""

        def write(file: BinaryIO) -> dict[str, Any]:
            import numpy as np

            numbers = np.frombuffer(self.numbers, np.uint64) if self.numbers else np.zeros(0, np.uint64)
            more = np.diff(numbers, prepend=np.uint64(0))  # they only grow, mostly by one
            width = next(own for own in _WIDTHS if own == 8 or (more < 1 << 8 * own).all())
            data = more.astype(f"<u{width}").tobytes()
            file.write(data.ljust(_aligned(len(data)), b"\0"))
            for part in self.texts.parts():
                file.write(part)
            return {
                "kind": "match index",
                "version": VERSION,
                "units": len(self.numbers),
                "width": width,
                "last": self.last,
                **self.facts(),
            }

        try:
            caches.make(os.path.abspath(self.memory.path) + ENDING, write)
        except OSError:
            return False
        return True

    def find(self, text: str, *, least: float = 0.6, most: int = 10) -> list[tuple[int, float]]:
        """Numbers of units whose sources are most like a text, with the likeness of their characters (0 to 1)."""
        return self.find_all([text], least=least, most=most)[0]

    def find_all(
        self, texts: Sequence[str], *, least: float = 0.6, most: int = 10, threads: int = 1
    ) -> list[list[tuple[int, float]]]:
        """The same for several texts; what is found does not depend on the number of threads."""
        return self._numbered(self.texts.find_all(list(map(plain, texts)), least, most, threads=threads))

    def find_broadly(
        self, texts: Sequence[str], *, most: int, rare: int, copies: int, threads: int = 1
    ) -> list[list[tuple[int, float]]]:
        """For each text those most alike, and those that share most of what is rare; few copies of each."""
        return self._numbered(
            self.texts.find_broadly(list(map(plain, texts)), most, rare, copies, threads=threads)
        )

    def _numbered(self, found: list[list[tuple[int, float]]]) -> list[list[tuple[int, float]]]:
        return [[(self.numbers[place], likeness) for place, likeness in own] for own in found]

    def units(self) -> Iterator[Unit]:
        """All units that are in it."""
        return (unit for number, unit in self.memory.units() if number <= self.last and self.fits(unit))

    def facts(self) -> dict[str, str]:
        """What it is the index of."""
        return {"pair": str(self.pair or ""), "memory": _first(self.memory)}

    def __len__(self) -> int:
        return len(self.numbers)

    def fits(self, unit: Unit) -> bool:
        """Whether a unit belongs into it."""
        pair = self.pair
        if self.before and unit.date >= self.before:
            return False
        return bool(unit.source.strip()) and (
            pair is None
            or (covers(pair.source, unit.source_language) and covers(pair.target, unit.target_language))
        )


def _aligned(size: int) -> int:
    return -(-size // 8) * 8


def plain(text: str) -> str:
    """Without what nobody sees: white space is single blanks.

    >>> plain(" one \\t two\\n")
    'one two'
    """
    return " ".join(text.split())


def _first(memory: Memory) -> str:
    """What tells a memory from another one under the same name: its first unit."""
    from tertium.memory.store import unit_hash

    first: Iterator[tuple[int, Unit]] = memory.units()
    found = next(first, None)
    if found is None:
        raise InputError(f"{memory.path}: the memory is empty")
    return unit_hash(found[1]).hex()
