"""Progress on the terminal: a count of segments, if the work lasts, or the step at work."""

from __future__ import annotations

import sys
import time
from typing import Any, Self

PATIENCE = 1.0  # seconds before a count is shown


class _Progress:
    """Shown on a terminal only, unless `quiet`; gone when the work is done."""

    def __init__(self, *, quiet: bool, total: int | None = None) -> None:
        self._wanted = not quiet and sys.stderr is not None and sys.stderr.isatty()
        self._since, self._total = time.monotonic(), total
        self._shown: Any = None

    def __enter__(self) -> Self:
        return self

    def _show(self, *columns: Any, **state: Any) -> None:
        from rich.console import Console
        from rich.progress import Progress, SpinnerColumn

        if self._shown is None:
            self._shown = Progress(SpinnerColumn(), *columns, console=Console(stderr=True), transient=True)
            self._shown.add_task("", total=self._total)
            self._shown.start()
        self._shown.update(0, **state)

    def __exit__(self, *_: object) -> None:
        if self._shown is not None:
            self._shown.stop()


class SegmentCount(_Progress):
    """`with SegmentCount(quiet=...) as progress: progress(segments_done)`."""

    def __call__(self, segments: int) -> None:
        if self._wanted and (self._shown or time.monotonic() - self._since >= PATIENCE):
            from rich.progress import TextColumn, TimeElapsedColumn

            self._show(TextColumn("{task.completed:,.0f} segments"), TimeElapsedColumn(), completed=segments)


class StepLine(_Progress):
    """`with StepLine(quiet=..., total=12) as progress: progress("cs-en: chrF")`: this step, and how many are done."""

    _begun = 0

    def __call__(self, step: str) -> None:
        if self._wanted:
            from rich.progress import BarColumn, TextColumn, TimeElapsedColumn

            how_far = () if self._total is None else (BarColumn(), TextColumn("{task.percentage:.0f} %"))
            columns = (*how_far, TimeElapsedColumn(), TextColumn("{task.description}"))
            self._show(*columns, description=step, completed=self._begun)
            self._begun += 1
