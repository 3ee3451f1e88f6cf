"""Segments of a test set that a training corpus has, too: a system that was trained on it has seen the answers."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from tertium.comparison.doctor.column import TextColumn, percent, share
from tertium.comparison.doctor.diagnosis import Finding, Severity, worded
from tertium.io.files import LineReader

_WORDS = 8  # shorter lines are in many texts by chance
_SERIOUS = 0.01
_BETWEEN_WORDS = re.compile(r"[\W_]+")


def check_training(
    columns: Sequence[TextColumn], training: Sequence[str | os.PathLike[str]]
) -> Iterator[Finding]:
    """Lines of eight words or more that are a line of a corpus; case, punctuation and tokenisation do not count."""
    long = [{i: _bare(line) for i, line in own.filled if own.sizes[i] >= _WORDS} for own in columns]
    sought = {text for own in long for text in own.values()}
    seen: set[str] = set()
    for path in training:
        with LineReader(path) as reader:
            for batch in reader:
                seen.update(sought.intersection(_bare(batch[i] or "") for i in range(len(batch))))
    for column, own in zip(columns, long, strict=True):
        places = [i for i, text in own.items() if text in seen]
        if places:
            part = share(len(places), len(own))
            severity: Severity = "serious" if part >= _SERIOUS else "look"
            counts = {"count": len(places), "total": len(own), "words": _WORDS, "share": percent(part)}
            verb = "is" if len(places) == 1 else "are"
            message, advice = worded("doctor.in-training", **counts, verb=verb)
            yield Finding.at("leak", severity, column.name, message, advice, places)


def _bare(line: str) -> str:
    return _BETWEEN_WORDS.sub(" ", line.casefold()).strip()
