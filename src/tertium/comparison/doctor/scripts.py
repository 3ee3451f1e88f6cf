"""The scripts that lines are written in, and references in languages without spaces between words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import numpy.typing as npt

from tertium.comparison.doctor.column import TextColumn
from tertium.comparison.doctor.diagnosis import Finding, Severity, worded
from tertium.comparison.doctor.odd_lines import Examined, Oddity, said_once
from tertium.comparison.doctor.survey import Counts, counts_by_class
from tertium.families.for_texts import tokenizer_for
from tertium.text.scripts import DENSE, HAN, SPACELESS, base_language, script_of, scripts_of, spaceless

_SCRIPT = Oddity("script", "doctor.script")
_SCRIPT_BESIDE = Oddity("script", "doctor.script-beside")
_SCRIPT_OF_REFERENCE = Oddity("script", "doctor.script-of-reference")


def _letters(column: TextColumn) -> dict[str, Counts]:
    """How many letters of each script each line has; a character that stands for a syllable or word counts three.

    >>> from tertium._native import Lines
    >>> counts = _letters(TextColumn("A", "system", Lines(["Привет, John", "日本"])))
    >>> {name: count.tolist() for name, count in counts.items()}
    {'LATIN': [4, 0], 'CYRILLIC': [6, 0], 'CJK': [0, 6]}
    """
    counts = counts_by_class(column.lines, column.codes, script_of)
    return {name: count * (3 if name in DENSE else 1) for name, count in counts.items()}


def letters_in(
    column: TextColumn, scripts: Mapping[str, npt.NDArray[np.bool_] | bool]
) -> npt.NDArray[np.int64]:
    """How many letters each line has in these scripts, where they are looked for (everywhere, or in some lines)."""
    found, own = np.zeros(len(column), np.int64), column.once(_letters)
    for name, where in scripts.items():
        if name in own:
            found += own[name] * where
    return found


def in_other_scripts(column: TextColumn, expected: Mapping[str, npt.NDArray[np.bool_] | bool]) -> list[int]:
    """Lines whose letters are mostly of other scripts than those that are expected."""
    letters = letters_in(column, dict.fromkeys(column.once(_letters), True))
    found: list[int] = np.flatnonzero(
        (letters >= 8) & (letters_in(column, expected) < 0.5 * letters)
    ).tolist()
    return found


def check_script(texts: Examined) -> Iterator[Finding]:
    """Lines mostly in a script that the language is not written in; without a language, unlike their reference."""
    for column in texts.columns:
        language = texts.source_language if column.role == "source" else texts.target_language
        if language is not None:
            known = dict.fromkeys(scripts_of(language), True)
            yield from _SCRIPT.found(column, in_other_scripts(column, known))
    if texts.target_language is None:
        beside: dict[str, Counts] = {}
        for reference in texts.references:
            for script, count in reference.once(_letters).items():
                beside[script] = beside.get(script, 0) + count
        letters = sum(beside.values(), np.zeros(len(texts.references[0]), np.int64))
        unknown = letters < 8
        odd = []
        for system in texts.systems:
            expected = {s: unknown | (beside.get(s, 0) >= 0.2 * letters) for s in system.once(_letters)}
            odd.append((system, in_other_scripts(system, expected)))
        yield from said_once(texts, odd, _SCRIPT_BESIDE, _SCRIPT_OF_REFERENCE)


def check_spaces(reference: TextColumn, texts: Examined) -> Iterator[Finding]:
    """References in languages without spaces between words: what decides how their words are counted."""
    found = spaceless(reference.lines)
    if found is None:
        return

    def finding(severity: Severity, name: str, **values: object) -> Finding:
        return Finding("spaces", severity, reference.name, *worded(name, **values))

    if found.language is None:
        share, languages = f"{100 * found.share:.0f}%", " or ".join(found.languages)
        yield finding("serious", "doctor.spaces-mixed", share=share, languages=languages)
        return
    named = base_language(texts.target_language)
    if found.language == HAN and named is None:
        yield finding("look", "doctor.spaces-ambiguous")
    language = "zh" if found.language == HAN else found.language
    choice = tokenizer_for(named if named in SPACELESS else language)
    if choice is not None and choice.lacking:
        names = {"language": SPACELESS[language], "tokenizer": choice.published, "extra": choice.lacking}
        yield finding("look", "doctor.spaces-characters", **names)
