"""Progress on the terminal, if the work lasts: how much is done, what is at work, and how long it will take."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tertium.progress import Stage

PATIENCE = 1.0  # seconds before anything is shown
OFTEN = 0.25  # seconds between two lines
BAR = 20  # characters


@contextmanager
def shown(*, quiet: bool) -> Iterator[None]:
    """Show how far the work within is: on a terminal only, unless `quiet`, on standard error; gone when it is done."""
    with ExitStack() as stack:
        if not quiet and sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
            from tertium.progress import listening

            bar = _Bar()
            stack.callback(bar.stop)
            stack.enter_context(listening(bar))
        yield


class _Bar:
    def __init__(self) -> None:
        self._since = self._next = time.monotonic()
        self._drawn = False

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
        """One line, written over: rich's bars would take a tenth of a second to import and a thread to draw."""
        bar = "" if done is None else f"{'━' * round(BAR * done):<{BAR}} {100 * done:3.0f}% "
        left = f"{clock(seconds * (1 - done) / done)} left: " if done else ""
        width = shutil.get_terminal_size().columns - 1
        print(
            f"\r\x1b[K{(bar + left + ', '.join(_words(stages)))[:width]}", end="", file=sys.stderr, flush=True
        )
        self._drawn = True

    def stop(self) -> None:
        if self._drawn:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
            self._drawn = False


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
