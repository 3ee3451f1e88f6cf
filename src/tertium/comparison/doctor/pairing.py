"""Checks of lines that belong together: untranslated, leaked, repeated; identical systems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from tertium.comparison.doctor.column import TextColumn, percent, share
from tertium.comparison.doctor.diagnosis import Finding, Severity
from tertium.comparison.doctor.odd_lines import Examined, Oddity
from tertium.errors import many

# Words of a line, and from what share of such lines on it is strange that they equal a reference, or serious: shorter
# lines do by chance.
_LEAKS = ((12, 0.0075, 0.02), (8, 0.1, 0.1))


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


def _copied(column: TextColumn, source: TextColumn) -> set[int]:
    """Lines of several words that are the source text."""
    return {
        i
        for i, line in column.filled
        if line.strip() == (source.lines[i] or "").strip()
        and sum(map(str.isalpha, line)) >= 8
        and column.sizes[i] >= 2
    }


def check_untranslated(column: TextColumn, texts: Examined) -> Iterator[Finding]:
    """Outputs that are the source text, where the reference is not; references that are, where most systems are not."""
    if texts.source is None:
        return
    places = _copied(column, texts.source)
    if column.role == "system":
        beside = [{i for i in places if other.lines[i] == column.lines[i]} for other in texts.references]
        excused = set().union(*beside)
    else:
        having = Counter(i for other in texts.systems for i in places if other.lines[i] == column.lines[i])
        excused = {i for i, count in having.items() if 2 * count > len(texts.systems)}
    if 2 * len(places) > len(column.filled):
        part = percent(share(len(places), len(column.filled)))
        message = f"this is the source text itself ({part} of the lines)"
        advice = "give the translation instead"
        yield Finding.at("untranslated", "serious", column.name, message, advice, places)
    else:
        yield from _UNTRANSLATED[column.role].found(column, sorted(places - excused))


_UNTRANSLATED = {
    "system": Oddity(
        "untranslated",
        "{lines}: the source text, untranslated",
        "check the system there; copies of the source still earn points for names and numbers",
    ),
    "reference": Oddity(
        "untranslated",
        "{lines}: the source text, which most systems translate",
        "translate them, or remove such segments: every translation is an error there",
    ),
}


def check_leak(system: TextColumn, references: Sequence[TextColumn]) -> Iterator[Finding]:
    """Long outputs identical to a reference, more often than chance explains."""
    for reference in references:
        if all(a == b for a, b in zip(system.lines, reference.lines, strict=True)):
            message = f"is the reference {reference.name} itself"
            yield Finding("leak", "serious", system.name, message, "give the system's output instead")
            return
    same = {i for i, x in system.filled if any(x == reference.lines[i] for reference in references)}
    for words, look, serious in _LEAKS:
        long = [i for i, _ in system.filled if system.sizes[i] >= words]
        places = [i for i in long if i in same]
        part = share(len(places), len(long))
        if len(places) < 3 or part < look:
            continue
        message = f"{len(places)} of {len(long)} outputs of {words} words or more ({percent(part)}) equal a reference"
        advice = (
            "check whether the system was trained on the test set, or the reference made from its output, "
            "or lines were pasted in"
        )
        severity: Severity = "serious" if part >= serious else "look"
        yield Finding.at("leak", severity, system.name, message, advice, places)
        return


def check_repeated(
    system: TextColumn, source: TextColumn | None, references: Sequence[TextColumn]
) -> Iterator[Finding]:
    """One output for three different segments or more."""
    beside = source if source is not None else references[0]
    places: dict[str, list[int]] = {}
    for i, line in system.filled:
        if system.sizes[i] >= 4:
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
