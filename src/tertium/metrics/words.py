"""What metrics that compare words share: normalisation and tokeniser, from a metric's options to native words."""

from __future__ import annotations

from typing import Any

from tertium import _native
from tertium._native import Lines
from tertium.metrics.base import normalized
from tertium.text import tokenizers
from tertium.text.segments import References


def word_lines(lines: Lines, metric: Any) -> tuple[Lines, str]:
    """`lines` as the native tokeniser of a metric's `tok` takes them, and the tokeniser's name."""
    native, before = tokenizers.plan(metric.tok)
    prepared = normalized(lines, metric)
    return (prepared if before is None else before(prepared)), native


def word_references(references: References, metric: Any, threads: int) -> _native.WordReferences:
    """The references of a metric that has the options `tok`, `lowercase` and `diacritics`."""
    prepared = [word_lines(stream, metric) for stream in references.streams]
    return _native.WordReferences([lines for lines, _ in prepared], prepared[0][1], threads)
