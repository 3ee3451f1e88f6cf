"""Scores of segments as lines of text, made while the input is read, whatever its length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tertium.engines.base import Engine
from tertium.errors import InputError
from tertium.families.base import Metric
from tertium.families.for_texts import ChosenMetrics
from tertium.io.door import Inputs
from tertium.io.escaping import UNDEFINED
from tertium.measured import Measured
from tertium.measuring import Specs, chosen_for_inputs, measure_pieces
from tertium.results import render
from tertium.scores import Score, Style
from tertium.scoring import score_inputs, scores_of


def segment_lines(
    inputs: Inputs,
    chosen: Specs,
    style: Style,
    form: str,
    *,
    threads: int = 1,
    force: bool = False,
    engine: str | Engine = "local",
) -> Iterator[str]:
    """Score every segment and write the scores in a format, or as bare numbers (`form="bare"`).

    Lines come before all input has been read: hold them back where bad input must not yield a number.
    """
    metrics, notes, inputs = chosen_for_inputs(chosen, inputs)
    chosen = ChosenMetrics(metrics, notes)
    if form in ("markdown", "latex"):
        scores = score_inputs(inputs, chosen, "segment", threads=threads, force=force, engine=engine)
        yield render(scores.sacrebleu(style.width, short=style.short), form)
        return
    if form == "text" and (len(metrics) > 1 or len(inputs.systems) > 1):
        raise InputError("text output holds one metric and one system: use --format tsv for more")
    first = 1
    for measured in measure_pieces(inputs, chosen, threads=threads, force=force, engine=engine):
        yield from _LINES[form](_Part(measured, first, metrics, style))
        first += len(measured)


class _Part:
    """Some measured segments, as the writers of lines need them."""

    def __init__(self, measured: Measured, first: int, metrics: Sequence[Metric], style: Style) -> None:
        self.measured, self.first, self.metrics, self.style = measured, first, metrics, style
        self.systems = measured.systems
        self.styles = [self.style.of(metric) for metric in self.metrics]

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
    columns = [
        map(style.number, score.values)
        for scores in part.of_systems()
        for style, score in zip(part.styles, scores, strict=True)
    ]
    for values in zip(*columns, strict=True):
        yield "\t".join(values)


def _text(part: _Part) -> Iterator[str]:
    """sacrebleu's lines, with the parts of each segment's score."""
    [[score]], rows = part.of_systems(), part.measured[0]
    for i, value in enumerate(score.values):
        verbose = score.metric.verbose(rows.take([i]), "segment")
        yield part.style.line(score, part.styles[0].number(value), verbose)


def _json(part: _Part) -> Iterator[str]:
    from json.encoder import encode_basestring as quoted

    for number, system, scores, values in part.rows():
        for style, score, value in zip(part.styles, scores, values, strict=True):
            shown = "null" if value is None else repr(style.rounded(value))
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
    """Columns of fixed widths, since later values are not known yet; the signatures come first."""
    name = max(len("system"), *map(len, part.systems))
    width = max(len(UNDEFINED), part.style.width + 6)
    for number, system, scores, values in part.rows():
        if number == 1 and system == part.systems[0]:
            yield from (f"{s.metric.label}: {part.style.signature(s)}" for s in scores)
            labels = (f"{s.metric.label:>{width}}" for s in scores)
            yield f"\n{'segment':>9}  {'system':<{name}}  {'  '.join(labels)}"
        numbers = (
            f"{style.number(value):>{width}}" for style, value in zip(part.styles, values, strict=True)
        )
        yield f"{number:>9}  {system:<{name}}  {'  '.join(numbers)}"


_LINES = {"bare": _bare, "text": _text, "json": _json, "tsv": _tsv, "table": _table}
