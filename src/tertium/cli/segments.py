"""Segment scores: written as they come, whatever their number, and shown when all input proved good."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import IO

from tertium.errors import InputError
from tertium.families.base import Metric
from tertium.io.door import Inputs
from tertium.io.escaping import UNDEFINED
from tertium.measured import Measured
from tertium.measuring import Progress, measure_pieces
from tertium.results import render
from tertium.scores import Score, Style
from tertium.scoring import score_inputs, scores_of

_IN_MEMORY = 16 << 20  # bytes of output kept in memory before they go to a temporary file


def write_segments(
    inputs: Inputs,
    metrics: Sequence[Metric],
    style: Style,
    form: str,
    *,
    threads: int,
    force: bool,
    progress: Progress | None = None,
) -> None:
    """Score every segment and print the scores in a format, or as bare numbers (`form="bare"`)."""
    if form in ("markdown", "latex"):
        scores = score_inputs(inputs, metrics, "segment", threads=threads, force=force, progress=progress)
        print(render(scores.sacrebleu(style.width, short=style.short), form))
        return
    if form == "text" and (len(metrics) > 1 or len(inputs.systems) > 1):
        raise InputError("text output holds one metric and one system: use --format tsv for more")
    lines = _LINES[form]
    with _Held() as held:
        first = 1
        for measured in measure_pieces(inputs, metrics, threads=threads, force=force, progress=progress):
            for line in lines(_Part(measured, first, metrics, style)):
                held.write(line + "\n")
            first += len(measured)
        held.release()


class _Part:
    """Some segments, measured, for those that write lines."""

    def __init__(self, measured: Measured, first: int, metrics: Sequence[Metric], style: Style) -> None:
        self.measured, self.first, self.metrics, self.style = measured, first, metrics, style
        self.systems = measured.systems

    def of_systems(self) -> list[tuple[Score, ...]]:
        """For each system the scores by all metrics."""
        return list(zip(*[iter(scores_of(self.measured, self.metrics))] * len(self.metrics), strict=True))

    def rows(self) -> Iterator[tuple[int, str, tuple[Score, ...], list[float | None]]]:
        """Segment by segment and system by system: number, system, the metrics' scores, their values."""
        of_systems = self.of_systems()
        for i in range(len(self.measured)):
            for system, scores in zip(self.systems, of_systems, strict=True):
                yield self.first + i, system, scores, [score.values[i] for score in scores]


def _bare(part: _Part) -> Iterator[str]:
    columns = [score.values for scores in part.of_systems() for score in scores]
    for values in zip(*columns, strict=True):
        yield "\t".join(map(part.style.number, values))


def _text(part: _Part) -> Iterator[str]:
    """sacrebleu's lines, with the parts of each segment's score."""
    [[score]], rows = part.of_systems(), part.measured[0]
    for i, value in enumerate(score.values):
        verbose = score.metric.verbose(rows.take([i]), "segment")
        yield part.style.line(score, part.style.number(value), verbose)


def _json(part: _Part) -> Iterator[str]:
    from json.encoder import encode_basestring as quoted

    for number, system, scores, values in part.rows():
        for score, value in zip(scores, values, strict=True):
            shown = "null" if value is None else repr(part.style.rounded(value))
            yield (
                f'{{"system": {quoted(system)}, "segment": {number}, "name": {quoted(score.metric.label)}, '
                f'"score": {shown}, "signature": {quoted(score.signature)}}}'
            )


def _tsv(part: _Part) -> Iterator[str]:
    from tertium.io.escaping import tsv

    if part.first == 1:
        yield "system\tsegment\tname\tscore\tsignature"
    for number, system, scores, values in part.rows():
        for score, value in zip(scores, values, strict=True):
            shown = UNDEFINED if value is None else repr(value)
            yield f"{tsv(system)}\t{number}\t{score.metric.label}\t{shown}\t{tsv(part.style.signature(score))}"


def _table(part: _Part) -> Iterator[str]:
    """Columns of fixed widths, since nobody knows what is still to come; the signatures stand above."""
    name = max(len("system"), *map(len, part.systems))
    width = max(len(UNDEFINED), part.style.width + 6)
    for number, system, scores, values in part.rows():
        if number == 1 and system == part.systems[0]:
            yield from (f"{s.metric.label}: {part.style.signature(s)}" for s in scores)
            labels = (f"{s.metric.label:>{width}}" for s in scores)
            yield f"\n{'segment':>9}  {'system':<{name}}  {'  '.join(labels)}"
        numbers = (f"{part.style.number(value):>{width}}" for value in values)
        yield f"{number:>9}  {system:<{name}}  {'  '.join(numbers)}"


_LINES = {"bare": _bare, "text": _text, "json": _json, "tsv": _tsv, "table": _table}


class _Held:
    """Output that is shown only after the last line of input was read: bad input never gives a number."""

    def __enter__(self) -> _Held:
        import tempfile

        self._file: IO[str] = tempfile.SpooledTemporaryFile(
            _IN_MEMORY, "w+", encoding="utf-8", errors="surrogateescape", newline="\n"
        )
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()

    def write(self, text: str) -> None:
        self._file.write(text)

    def release(self) -> None:
        self._file.seek(0)
        while block := self._file.read(1 << 20):
            sys.stdout.write(block)
