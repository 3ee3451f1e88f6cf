"""Lines that are too short or too long for their reference: strange ones, ones that were cut, a limit that cut them."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from tertium.comparison.doctor.column import TextColumn
from tertium.comparison.doctor.diagnosis import Finding, worded
from tertium.comparison.doctor.odd_lines import Examined, Oddity, said_once
from tertium.comparison.doctor.survey import Counts, Flags

Reals = npt.NDArray[np.float64]
_WHOLE = math.log(1.35)  # a system so much shorter or longer than its references is so as a whole
_STRANGE = math.log(3)
_SHORT = math.log(0.8)  # a line so much shorter than usual may have been cut
_LONG = 20  # characters: what is shorter need not be a sentence
_PAUSES = frozenset(",;:-–—(，、；：")

_ODD = Oddity("length", "doctor.length", serious=0.02)
_ODD_REFERENCE = Oddity("length", "doctor.length-of-reference", serious=0.02)
_CUT = Oddity("cut off", "doctor.cut-off", least=3)


def check_lengths(texts: Examined) -> Iterator[Finding]:
    """Outputs much shorter or longer than their references, singly or as a whole; outputs that end too early."""
    theirs = np.mean(
        [np.where((own := _characters(ref)) > 0, own, np.nan) for ref in texts.references], axis=0
    )
    odd = []
    for system in texts.systems:
        own = _characters(system)
        both = (own > 0) & (theirs > 0)
        ratio = np.full(len(own), np.nan)
        ratio[both] = np.log(own[both] / theirs[both])
        if not both.any():
            continue
        yield from _cut(system, texts, ratio)
        usual = float(np.median(ratio[both]))
        if both.sum() >= 20 and abs(usual) > _WHOLE:
            message, advice = worded("doctor.lengths", ratio=f"{math.exp(usual):.2f}")
            yield Finding("length", "serious", system.name, message, advice)
        else:
            strange = (np.abs(np.nan_to_num(ratio)) > _STRANGE) & (np.fmax(own, theirs) >= 40)
            odd.append((system, np.flatnonzero(strange).tolist()))
    yield from said_once(texts, odd, _ODD, _ODD_REFERENCE)


def _characters(column: TextColumn) -> Counts:
    """Characters of each line; 0 for what is empty or missing."""
    return column.survey.stripped


def _all_characters(column: TextColumn) -> Counts:
    """Characters of each line, with the spaces at its end: a limit counts them, too."""
    return column.survey.characters


def _words(column: TextColumn) -> Counts:
    return column.survey.words


def _ending(column: TextColumn, has: Callable[[str], bool]) -> Flags:
    """Lines whose last character has a property."""
    chosen = [code for code in np.unique(column.survey.last).tolist() if code and has(chr(code))]
    return np.isin(column.survey.last, np.array(chosen, np.uint32))


def _finished(column: TextColumn) -> Flags:
    """Lines that end with a mark, as sentences do."""
    return _ending(column, lambda end: end not in _PAUSES and unicodedata.category(end)[0] == "P")


def _open(column: TextColumn) -> Flags:
    """Lines that end with a letter, a digit, or a mark after which something should come."""
    return _ending(column, lambda end: end.isalnum() or end in _PAUSES or end == "@")


def _cut(system: TextColumn, texts: Examined, ratio: Reals) -> Iterator[Finding]:
    """Lines that end without a mark where reference and source have one, and are short for it; a limit on all lines."""
    reference = texts.references[0]
    if limited := list(_limit(system, reference)):
        yield from limited
        return
    whole = reference.once(_finished) & (_characters(reference) >= _LONG)
    if texts.source is not None:
        whole &= texts.source.once(_finished)
    finished, known = system.once(_finished), ~np.isnan(ratio)
    uncut = finished & known  # if few are, these are chance
    usual = np.median(ratio[uncut]) if uncut.sum() >= 0.3 * whole.sum() > 0 else 0.0
    short = np.nan_to_num(ratio) - usual < _SHORT
    long = whole & known & ~short
    if (long & ~finished).sum() > 0.3 * whole.sum():
        return  # it does without marks
    yield from _CUT.found(system, np.flatnonzero(whole & known & short & system.once(_open)).tolist())


def _limit(system: TextColumn, reference: TextColumn) -> Iterator[Finding]:
    """Many lines of exactly the greatest length, where the reference has longer ones."""
    for unit, size in (("words", _words), ("characters", _all_characters)):
        own, theirs = size(system), size(reference)
        most = int(own.max(initial=0))
        at_most = np.flatnonzero(own == most)
        nearby = max(int((own == most - k).sum()) for k in range(1, 6))
        if (
            len(at_most) >= 5
            and len(at_most) >= 2 * nearby
            and 2 * int((theirs > most).sum()) >= len(at_most)
        ):
            message, advice = worded("doctor.limit", most=most, unit=unit, count=len(at_most))
            yield Finding.at("cut off", "serious", system.name, message, advice, at_most.tolist())
            return
