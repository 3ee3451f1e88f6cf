"""Checks of how a text is written, compared with the references: tokenised, lower-cased."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from tertium.comparison.doctor.column import TextColumn, percent, share
from tertium.comparison.doctor.diagnosis import Finding, worded
from tertium.comparison.doctor.survey import Has

# French puts spaces before : ; ! ?
_SPACED = re.compile(r" (?:[.,](?<=\w..)(?=\s|\Z)|n't\b|'s\b)|@-@")
_FEW = 5  # fewer lines say too little


def check_manner(column: TextColumn, references: Sequence[TextColumn]) -> Iterator[Finding]:
    """How a system's text is written, compared with the references."""
    others = [reference for reference in references if reference is not column]
    yield from _tokenised(column, others)
    yield from _lowercased(column, others)


def _tokenised(column: TextColumn, others: Sequence[TextColumn]) -> Iterator[Finding]:
    places = column.once(_spaced)
    own, theirs = share(len(places), len(column)), _largest(others, _spaced)
    if own < 0.3 or len(places) < _FEW:
        return
    if own - theirs >= 0.2:
        beside = "references" if column.role == "system" else "systems"
        message, advice = worded("doctor.tokenised", share=percent(own), beside=beside)
        yield Finding.at("tokenised", "serious", column.name, message, advice, places)
    else:
        message, advice = worded("doctor.all-tokenised", share=percent(own))
        yield Finding.at("tokenised", "look", column.name, message, advice, places)


def _spaced(column: TextColumn) -> list[int]:
    return column.matching(_SPACED, Has.SPACED)


def _lowercased(column: TextColumn, others: Sequence[TextColumn]) -> Iterator[Finding]:
    own = column.once(_case)
    if own is None or own < 0.9:
        return
    cased = [value for other in others if (value := other.once(_case)) is not None]
    if cased and min(cased) < 0.5:
        message, advice = worded("doctor.lower-cased", share=percent(own))
        yield Finding("lower-cased", "serious", column.name, message, advice)
    else:
        message, advice = worded("doctor.all-lower-cased", share=percent(own))
        yield Finding("lower-cased", "look", column.name, message, advice)


def _case(column: TextColumn) -> float | None:
    """The share of lines without a capital, among lines in a script that has capitals; None for too few."""
    cased = column.survey.having(Has.CASED)
    lower = int(column.survey.lacking(Has.CAPITAL)[cased].sum())
    return share(lower, len(cased)) if len(cased) >= _FEW else None


def _largest(columns: Sequence[TextColumn], places: Callable[[TextColumn], list[int]]) -> float:
    """The largest share of lines that any of these texts has in such places."""
    return max((share(len(column.once(places)), len(column)) for column in columns), default=0.0)
