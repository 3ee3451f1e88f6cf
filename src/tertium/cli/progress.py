"""Progress on the terminal, if the work lasts: how much is done, what is at work, and how long it will take."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tertium.progress import Stage

PATIENCE = 1.0  # seconds before anything is shown
OFTEN = 0.1  # seconds between two looks


@contextmanager
def shown(*, quiet: bool) -> Iterator[None]:
    """Show how far the work within is: on a terminal only, unless `quiet`, on standard error; gone when it is done."""
    with ExitStack() as stack:
        if not quiet and sys.stderr is not None and sys.stderr.isatty():
            from tertium.progress import listening

            bar = _Bar()
            stack.callback(bar.stop)
            stack.enter_context(listening(bar))
        yield


class _Bar:
    def __init__(self) -> None:
        self._since = self._next = time.monotonic()
        self._drawn: Any = None

    def __call__(self, stages: Sequence[Stage]) -> None:
        now = time.monotonic()
        if not stages:
            self.stop()
            self._since = now
        elif now >= self._next and now - self._since >= PATIENCE:
            from tertium.progress import share

            self._next = now + OFTEN
            self._draw(stages, share(stages), now - self._since)

    def _draw(self, stages: Sequence[Stage], done: float | None, seconds: float) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn

        if self._drawn is None:
            columns = (SpinnerColumn(), BarColumn(20), TextColumn("{task.description}", markup=False))
            console = Console(stderr=True)
            self._drawn = Progress(*columns, console=console, transient=True, refresh_per_second=4)
            self._drawn.add_task("", total=None)
            self._drawn.start()
        left = f"{100 * done:.0f}%, {clock(seconds * (1 - done) / done)} left: " if done else ""
        self._drawn.update(
            0,
            total=None if done is None else 1.0,
            completed=done or 0.0,
            description=left + ", ".join(_words(stages)),
        )

    def stop(self) -> None:
        if self._drawn is not None:
            self._drawn.stop()
            self._drawn = None


def _words(stages: Sequence[Stage]) -> Iterator[str]:
    """What is at work; how much of it is done only where nobody knows of how much."""
    for stage in stages:
        yield stage.what if stage.total is not None else str(stage)


def clock(seconds: float) -> str:
    """A time as people read it.

    >>> clock(8), clock(75), clock(7300)
    ('8 s', '1:15', '2:01:40')
    """
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}" if minutes else f"{rest} s"
