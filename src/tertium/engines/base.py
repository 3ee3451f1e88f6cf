"""What an engine is: somebody who does the same work with many parts, and gives the results in the order of the parts.

Work is a function that can be pickled, parts and results are values that can be. Rows are exact and add, and so no
result depends on where a part was worked on, how large it was, or how often it was tried.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from tertium.errors import SpecError
from tertium.io.caches import mended
from tertium.registry import Registry

if TYPE_CHECKING:
    from tertium.families.base import Metric
    from tertium.io.door import Batch
    from tertium.statistics import Statistics, WholeCounts

T = TypeVar("T")
R = TypeVar("R")
MOST_WORKERS = 1024


class Shared(Generic[T]):
    """A value that is used where it was made."""

    def __init__(self, value: T) -> None:
        self.value = value


class Engine(ABC):
    """Where parts are worked on. `workers`: how many at once; `partitions`: into how many parts a whole is cut
    (None: as many as are good for memory)."""

    name: str
    workers: int = 1
    partitions: int | None = None

    @classmethod
    @abstractmethod
    def of(cls, value: str) -> Engine:
        """The engine that `name:value` names."""

    @abstractmethod
    def map(self, work: Callable[[T], R], parts: Iterable[T]) -> Iterator[R]:
        """`work(part)` for every part, in their order. Parts are asked for only when somebody is free to take them."""

    def share(self, value: T) -> Shared[T]:
        """A value for all parts, which each worker gets once: work has it as `.value`."""
        return Shared(value)

    def rows(self, jobs: Iterable[RowsWanted]) -> Iterator[list[Statistics]]:
        """Rows of segments, or of documents."""
        return self.map(made, jobs)

    def step(self, n: int, most: int | None) -> int | None:
        """How many of n segments a part has; `most` is what fits into memory (None: all of them)."""
        if self.partitions is not None:
            return max(1, -(-n // self.partitions))
        if self.workers == 1:
            return most
        even = max(1, -(-n // self.workers))
        return even if most is None else min(even, most)


class RowsWanted(NamedTuple):
    """A part of the texts, and the analyses that share its prepared references."""

    systems: tuple[str, ...]
    alike: tuple[Metric, ...]
    piece: Batch
    sums: bool  # one row for all segments
    threads: int = 1
    learnt: tuple[
        WholeCounts, ...
    ] = ()  # for each system, where the texts are a part of a set: what all of it told


def made(wanted: RowsWanted) -> list[Statistics]:
    """Rows of every system by the first analysis, then by the next."""
    return mended(lambda: _rows(wanted))


def _rows(wanted: RowsWanted) -> list[Statistics]:
    from tertium.progress import steps

    first, piece, how = wanted.alike[0], wanted.piece, {"threads": wanted.threads}
    known: Sequence[WholeCounts | None] = wanted.learnt or [None] * len(wanted.systems)
    prepared = {
        id(own): first.prepare(piece.references, learnt=own, **how)
        for own in {id(own): own for own in known}.values()
    }
    jobs = [
        (name, own, lines, prepared[id(learnt)])
        for own in wanted.alike
        for name, lines, learnt in zip(wanted.systems, piece.hypotheses, known, strict=True)
    ]
    return [
        (own.total if wanted.sums else own.statistics)(lines, references, sources=piece.sources, **how)
        for _, own, lines, references in steps(jobs, lambda job: job[0])
    ]


def joined_documents(batch: Batch, groups: Sequence[int], separator: str) -> Batch:
    """The documents of a batch, each as one segment; `groups` are their numbers."""
    from tertium._native import Lines
    from tertium.io.door import Batch
    from tertium.text import units

    def own(lines: Iterable[str | None]) -> Lines:
        return Lines(units.joined(lines, groups, separator))

    return Batch(
        [own(lines) for lines in batch.hypotheses],
        units.joined_references(batch.references, groups, separator),
        None if batch.sources is None else own(batch.sources),
    )


ENGINES: Registry[type[Engine]] = Registry(
    "engine",
    "tertium.engines",
    {
        "local": "tertium.engines.local:Local",
        "processes": "tertium.engines.processes:Processes",
        "spark": "tertium.engines.spark:Spark",
    },
)


def engine_named(given: str | Engine) -> Engine:
    """An engine by its spec: `local`, `processes`, `processes:4`.

    >>> engine_named("processes:3").workers
    3
    """
    if isinstance(given, Engine):
        return given
    name, _, value = given.partition(":")
    return ENGINES[name].of(value)


def worker_number(given: str, engine: str) -> int:
    """How many workers a spec asks for."""
    if not given.isascii() or not given.isdigit() or not 1 <= int(given) <= MOST_WORKERS:
        raise SpecError(f"{engine}:{given}: a number of workers is from 1 to {MOST_WORKERS}")
    return int(given)
