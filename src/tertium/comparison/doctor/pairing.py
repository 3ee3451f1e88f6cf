"""Checks of lines that belong together: untranslated, leaked, repeated, of strange length; identical systems."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations
from statistics import median

from tertium.comparison.doctor.column import TextColumn, percent, share
from tertium.comparison.doctor.diagnosis import Finding, Severity
from tertium.errors import many

_LONG = 8  # words: lines of that length are rarely the same by chance


def check_identical(columns: Sequence[TextColumn], what: str) -> Iterator[Finding]:
    """Systems, or references, that are the same."""
    for a, b in combinations(columns, 2):
        same = [i for i, (x, y) in enumerate(zip(a.lines, b.lines, strict=True)) if x == y and x is not None]
        if len(same) == len(a):
            advice = "check whether a file was copied: they cannot be told apart"
            message = f"the same {what} as {a.name}, in all lines"
            yield Finding("identical", "serious", b.name, message, advice)
        elif len(a) >= 20 and share(len(same), len(a)) >= 0.95:
            message = f"the same {what} as {a.name} in {percent(share(len(same), len(a)))} of the lines"
            advice = "differences between them rest on a few lines"
            different = [i for i in range(len(a)) if a.lines[i] != b.lines[i]]
            yield Finding.at("identical", "look", b.name, message, advice, different)


def check_untranslated(
    system: TextColumn, source: TextColumn, references: Sequence[TextColumn]
) -> Iterator[Finding]:
    """Outputs that are the source text, where the reference is not."""
    places = [
        i
        for i, line in system.filled
        if line.strip() == (source.lines[i] or "").strip()
        and sum(map(str.isalpha, line)) >= 8
        and len(line.split()) >= 2
        and all((reference.lines[i] or "").strip() != line.strip() for reference in references)
    ]
    if places:
        part = share(len(places), len(system))
        message = f"{many(len(places), 'output')} ({percent(part)}): the source text, untranslated"
        advice = "check the system there; copies of the source still earn points for names and numbers"
        severity: Severity = "serious" if part >= 0.01 else "look"
        yield Finding.at("untranslated", severity, system.name, message, advice, places)


def check_leak(system: TextColumn, references: Sequence[TextColumn]) -> Iterator[Finding]:
    """Long outputs identical to a reference, more often than chance explains."""
    for reference in references:
        if all(a == b for a, b in zip(system.lines, reference.lines, strict=True)):
            message = f"is the reference {reference.name} itself"
            yield Finding("leak", "serious", system.name, message, "give the system's output instead")
            return
    long = [i for i, line in system.filled if len(line.split()) >= _LONG]
    same = [i for i in long if any(system.lines[i] == reference.lines[i] for reference in references)]
    part = share(len(same), len(long))
    if len(same) >= 3 and part >= 0.1:
        message = (
            f"{len(same)} of {len(long)} outputs of {_LONG} words or more ({percent(part)}) equal a reference"
        )
        advice = (
            "check whether the system was trained on the test set, or lines of the reference were pasted in"
        )
        yield Finding.at("leak", "serious", system.name, message, advice, same)


def check_repeated(
    system: TextColumn, source: TextColumn | None, references: Sequence[TextColumn]
) -> Iterator[Finding]:
    """One output for three different segments or more."""
    beside = source if source is not None else references[0]
    places: dict[str, list[int]] = {}
    for i, line in system.filled:
        if len(line.split()) >= 4:
            places.setdefault(line.strip(), []).append(i)
    found = [own for own in places.values() if len({beside.lines[i] for i in own}) >= 3]
    if found:
        lines = [i for own in found for i in own]
        worst = max(found, key=len)
        text = system.lines[worst[0]] or ""
        quoted = text if len(text) <= 60 else f"{text[:57]}..."
        message = (
            f"{many(len(found), 'text')} produced for three or more different segments, such as {quoted!r}"
        )
        advice = "check whether the system got stuck there"
        severity: Severity = "serious" if share(len(lines), len(system)) >= 0.05 else "look"
        yield Finding.at("duplicates", severity, system.name, message, advice, lines)


def check_test_set(source: TextColumn | None, references: Sequence[TextColumn]) -> Iterator[Finding]:
    """Segments that occur more than once in the test set."""
    columns = [*([] if source is None else [source]), *references]
    seen: set[tuple[str | None, ...]] = set()
    again = []
    for i in range(len(columns[0])):
        key = tuple(column.lines[i] for column in columns)
        if key in seen and sum(map(str.isalpha, key[0] or "")) >= 15:
            again.append(i)
        seen.add(key)
    if len(again) >= 2 and share(len(again), len(columns[0])) >= 0.02:
        message = (
            f"{len(again)} segments ({percent(share(len(again), len(columns[0])))}) occur more than once"
        )
        advice = "remove repetitions: they count several times, and make differences look more certain than they are"
        yield Finding.at("duplicates", "look", columns[0].name, message, advice, again)


def check_lengths(system: TextColumn, references: Sequence[TextColumn]) -> Iterator[Finding]:
    """Outputs much shorter or longer than their references, singly or as a whole."""
    logs: dict[int, float] = {}
    sizes: dict[int, int] = {}
    for i, line in system.filled:
        others = [len(reference.lines[i] or "") for reference in references if reference.lines[i]]
        if others:
            mean = sum(others) / len(others)
            logs[i], sizes[i] = math.log(len(line) / mean), max(len(line), round(mean))
    if not logs:
        return
    usual = median(logs.values())
    if len(logs) >= 20 and abs(usual) > math.log(1.35):
        message = f"outputs have {math.exp(usual):.2f} times as many characters as the references (median)"
        advice = "check whether outputs are cut off or padded, or the references belong to another text"
        yield Finding("length", "serious", system.name, message, advice)
        return
    strange = [i for i, value in logs.items() if abs(value) > math.log(3) and sizes[i] >= 40]
    if strange:
        count = many(len(strange), "output")
        message = f"{count} with less than a third or more than three times the characters of the reference"
        advice = "check whether they are cut off, or repeat themselves"
        severity: Severity = "serious" if share(len(strange), len(system)) >= 0.02 else "look"
        yield Finding.at("length", severity, system.name, message, advice, strange)
