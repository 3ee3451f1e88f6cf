"""Checks of lines that belong together: untranslated, leaked, repeated; identical systems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from tertium._native import equal_lines, first_equal
from tertium.comparison.doctor.column import TextColumn, percent, share
from tertium.comparison.doctor.diagnosis import Finding, Severity, worded
from tertium.comparison.doctor.odd_lines import Examined, Oddity
from tertium.comparison.doctor.survey import Flags, Integers
from tertium.errors import many

# Words of a line, and from what share of such lines on it is strange that they equal a reference, or serious: shorter
# lines do by chance.
_LEAKS = ((12, 0.0075, 0.02), (8, 0.1, 0.1))


def check_identical(columns: Sequence[TextColumn], what: str) -> Iterator[Finding]:
    """Systems, or references, that are the same."""
    for a, b in combinations(columns, 2):
        equal = _equal(a, b)
        same = np.flatnonzero(equal & ~a.survey.missing)
        if len(same) == len(a):
            yield Finding(
                "identical", "serious", b.name, *worded("doctor.identical", what=what, other=a.name)
            )
        elif len(a) >= 20 and share(len(same), len(a)) >= 0.95:
            part = percent(share(len(same), len(a)))
            message, advice = worded("doctor.nearly-identical", what=what, other=a.name, share=part)
            different = np.flatnonzero(~equal).tolist()
            yield Finding.at("identical", "look", b.name, message, advice, different)


def _equal(one: TextColumn, other: TextColumn, *, stripped: bool = False) -> Flags:
    """Which lines of two texts are equal; those that are missing in both are, too."""
    return np.asarray(equal_lines(one.lines, other.lines, stripped)).astype(np.bool_)


def _letters(line: str) -> int:
    return sum(map(str.isalpha, line))


def _copied(column: TextColumn, source: TextColumn) -> Integers:
    """Lines of several words that are the source text."""
    same = _equal(column, source, stripped=True) & column.survey.filled
    places = np.flatnonzero(same & (column.sizes >= 2) if same.any() else same)
    return np.array(column.where(lambda line: _letters(line) >= 8, places), np.int64)


def check_untranslated(column: TextColumn, texts: Examined) -> Iterator[Finding]:
    """Outputs that are the source text, where the reference is not; references that are, where most systems are not."""
    if texts.source is None:
        return
    places = _copied(column, texts.source)
    others, most = (
        (texts.references, 0) if column.role == "system" else (texts.systems, len(texts.systems) // 2)
    )
    having = sum((_equal(column, other)[places] for other in others), np.zeros(len(places), np.int64))
    filled = int(column.survey.filled.sum())
    if 2 * len(places) > filled:
        message, advice = worded("doctor.is-source", share=percent(share(len(places), filled)))
        yield Finding.at("untranslated", "serious", column.name, message, advice, places.tolist())
    else:
        yield from _UNTRANSLATED[column.role].found(column, places[having <= most].tolist())


_UNTRANSLATED = {
    "system": Oddity("untranslated", "doctor.untranslated"),
    "reference": Oddity("untranslated", "doctor.untranslated-reference"),
}


def check_leak(system: TextColumn, references: Sequence[TextColumn]) -> Iterator[Finding]:
    """Long outputs identical to a reference, more often than chance explains."""
    same = np.zeros(len(system), np.bool_)
    for reference in references:
        equal = _equal(system, reference)
        if equal.all():
            message, advice = worded("doctor.is-reference", reference=reference.name)
            yield Finding("leak", "serious", system.name, message, advice)
            return
        same |= equal
    for words, look, serious in _LEAKS:
        long = system.survey.filled & (system.sizes >= words)
        places, of = np.flatnonzero(long & same).tolist(), int(long.sum())
        part = share(len(places), of)
        if len(places) < 3 or part < look:
            continue
        counts = {"count": len(places), "total": of, "words": words, "share": percent(part)}
        message, advice = worded("doctor.leak", **counts)
        severity: Severity = "serious" if part >= serious else "look"
        yield Finding.at("leak", severity, system.name, message, advice, places)
        return


def check_repeated(
    system: TextColumn, source: TextColumn | None, references: Sequence[TextColumn]
) -> Iterator[Finding]:
    """One output for three different segments or more."""
    beside = source if source is not None else references[0]
    first = np.asarray(first_equal(system.lines, stripped=True))
    long = np.flatnonzero(system.survey.filled & (system.sizes >= 4))
    often = np.bincount(first[long], minlength=len(system)) >= 3
    places: dict[int, list[int]] = {}
    for i in long[often[first[long]]].tolist():
        places.setdefault(int(first[i]), []).append(i)
    found = [own for own in places.values() if len({beside.lines[i] for i in own}) >= 3]
    if found:
        lines = [i for own in found for i in own]
        worst = max(found, key=len)
        text = system.line(worst[0])
        quoted = text if len(text) <= 60 else f"{text[:57]}..."
        texts = many(len(found), "text")
        message, advice = worded("doctor.repeated-output", texts=texts, quoted=repr(quoted))
        severity: Severity = "serious" if share(len(lines), len(system)) >= 0.05 else "look"
        yield Finding.at("duplicates", severity, system.name, message, advice, lines)


def check_test_set(source: TextColumn | None, references: Sequence[TextColumn]) -> Iterator[Finding]:
    """Segments that occur more than once in the test set."""
    columns = [*([] if source is None else [source]), *references]
    keys, first = np.zeros(len(columns[0]), np.int64), np.zeros(0, np.int64)
    for column in columns:  # equal keys: the same in all columns so far
        both = keys * len(column) + np.asarray(first_equal(column.lines, stripped=False))
        _, first, keys = np.unique(both, return_index=True, return_inverse=True)
    repeated = np.flatnonzero(first[keys] < np.arange(len(keys)))
    again = columns[0].where(lambda line: _letters(line) >= 15, repeated)
    if len(again) >= 2 and share(len(again), len(columns[0])) >= 0.02:
        part = percent(share(len(again), len(columns[0])))
        message, advice = worded("doctor.repeated-segments", count=len(again), share=part)
        yield Finding.at("duplicates", "look", columns[0].name, message, advice, again)
