"""One process: each part is worked on when its result is asked for, by threads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from tertium.engines.base import Engine
from tertium.errors import SpecError

T = TypeVar("T")
R = TypeVar("R")


class Local(Engine):
    """Here and now.

    >>> list(Local().map(len, ["a", "bc"]))
    [1, 2]
    """

    name = "local"

    def __init__(self, partitions: int | None = None) -> None:
        self.partitions = partitions

    @classmethod
    def of(cls, value: str) -> Local:
        if value:
            raise SpecError(f"local:{value}: this engine takes no value (--threads says how many threads)")
        return cls()

    def map(self, work: Callable[[T], R], parts: Iterable[T]) -> Iterator[R]:
        return map(work, parts)
