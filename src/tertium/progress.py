"""How far long work has come: whoever works tells, and whoever wants to know listens.

Nothing is told unless somebody listens, so that telling costs nothing. The command line listens for every command;
in Python:

>>> with listening(lambda stages: print(*stages)):
...     for name in steps(["a", "b"], "reading"):
...         pass
reading 0 of 2
reading 1 of 2
<BLANKLINE>
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass
class Stage:
    """Work that goes on: what is being done now, how much of it is done, and of how much (None: nobody knows)."""

    what: str
    done: int = 0
    total: int | None = None

    def __str__(self) -> str:
        if self.total is None:
            return f"{self.done:,} {self.what}"
        return f"{self.what} {self.done:,} of {self.total:,}"


Listener = Callable[[Sequence[Stage]], None]  # told the stages, the outermost first; none: all is done
_state: ContextVar[tuple[Listener, list[Stage]] | None] = ContextVar("progress", default=None)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Listen to the work within."""
    token = _state.set((listener, []))
    try:
        yield
    finally:
        _state.reset(token)


def steps(
    items: Iterable[T],
    what: str | Callable[[T], str],
    size: Callable[[T], int] = lambda _: 1,
    total: int | None = None,
) -> Iterable[T]:
    """The items, one after the other; tells before each of them. `size` says how much an item counts."""
    return items if _state.get() is None else _told(items, what, size, total)


def _told(
    items: Iterable[T], what: str | Callable[[T], str], size: Callable[[T], int], total: int | None
) -> Iterator[T]:
    if total is None and isinstance(items, Sized):
        total = sum(map(size, items))
    with _stage(total) as tell:
        done = 0
        for item in items:
            tell(what if isinstance(what, str) else what(item), done)
            yield item
            done += size(item)


@contextmanager
def parts(number: int) -> Iterator[Callable[[str], None]]:
    """Work of so many parts: call what this gives at the begin of each.

    >>> with listening(lambda stages: print(*stages)), parts(2) as part:
    ...     part("reading")
    ...     part("writing")
    reading 0 of 2
    writing 1 of 2
    <BLANKLINE>
    """
    begun = -1
    with _stage(number) as tell:

        def part(what: str) -> None:
            nonlocal begun
            begun += 1
            tell(what, begun)

        yield part


@contextmanager
def _stage(total: int | None) -> Iterator[Callable[[str, int], None]]:
    state = _state.get()
    if state is None:
        yield lambda _what, _done: None
        return
    listener, stages = state
    stage = Stage("", 0, total)
    stages.append(stage)

    def tell(what: str, done: int) -> None:
        stage.what, stage.done = what, done
        listener(stages)

    try:
        yield tell
    finally:
        stages.remove(stage)
        if not stages:
            listener(stages)


def share(stages: Sequence[Stage]) -> float | None:
    """The share of everything that is done; None where nobody knows.

    >>> share([Stage("outer", 1, 2), Stage("inner", 1, 4)])
    0.625
    """
    done, width = 0.0, 1.0
    for stage in stages:
        if not stage.total:
            break
        done += width * stage.done / stage.total
        width /= stage.total
    return done if width < 1.0 else None
