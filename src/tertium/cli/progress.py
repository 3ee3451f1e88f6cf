"""A count of segments on the terminal, if the work lasts."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any

PATIENCE = 1.0  # seconds before anything is shown


class SegmentCount:
    """`with SegmentCount(quiet=...) as progress: progress(segments_done)`; nothing but on a terminal."""

    def __init__(self, *, quiet: bool) -> None:
        self._wanted = not quiet and sys.stderr is not None and sys.stderr.isatty()
        self._since = time.monotonic()
        self._shown: Any = None

    def __enter__(self) -> SegmentCount:
        return self

    def __call__(self, segments: int) -> None:
        if not self._wanted or (self._shown is None and time.monotonic() - self._since < PATIENCE):
            return
        if self._shown is None:
            from rich.console import Console
            from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

            columns = (SpinnerColumn(), TextColumn("{task.completed:,.0f} segments"), TimeElapsedColumn())
            self._shown = Progress(*columns, console=Console(stderr=True), transient=True)
            self._shown.add_task("scoring", total=None)
            self._shown.start()
        self._shown.update(0, completed=segments)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown is not None:
            self._shown.stop()


class StepLine:
    """`with StepLine(quiet=..., total=12) as progress: progress("cs-en: chrF")`: the step at work and how many are
    done, on a terminal only."""

    def __init__(self, *, quiet: bool, total: int | None = None) -> None:
        self._wanted = not quiet and sys.stderr is not None and sys.stderr.isatty()
        self._total = total
        self._begun = 0
        self._shown: Any = None

    def __enter__(self) -> StepLine:
        return self

    def __call__(self, step: str) -> None:
        if not self._wanted:
            return
        if self._shown is None:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

            how_far = () if self._total is None else (BarColumn(), TextColumn("{task.percentage:.0f} %"))
            columns = (SpinnerColumn(), *how_far, TimeElapsedColumn(), TextColumn("{task.description}"))
            self._shown = Progress(*columns, console=Console(stderr=True), transient=True)
            self._shown.add_task(step, total=self._total)
            self._shown.start()
        self._shown.update(0, description=step, completed=self._begun)
        self._begun += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._shown is not None:
            self._shown.stop()
