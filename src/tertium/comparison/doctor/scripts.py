"""The scripts that lines are written in."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache

import numpy as np
import numpy.typing as npt

from tertium.comparison.doctor.column import TextColumn
from tertium.comparison.doctor.diagnosis import Finding
from tertium.comparison.doctor.odd_lines import Examined, Oddity, said_once
from tertium.comparison.doctor.survey import Counts, counts_by_class

# Scripts that a language is written in. Latin is the script of all that are not named.
SCRIPTS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("ru", "uk", "bg", "be", "mk", "kk", "ky", "mn", "tg", "tt"), ("CYRILLIC",)),
    **dict.fromkeys(("sr", "uz", "az"), ("CYRILLIC", "LATIN")),
    **dict.fromkeys(("ar", "fa", "ur", "ps", "ckb", "sd", "ug"), ("ARABIC",)),
    **dict.fromkeys(("hi", "mr", "ne", "sa"), ("DEVANAGARI",)),
    **dict.fromkeys(("zh", "yue"), ("CJK",)),
    **dict.fromkeys(("am", "ti"), ("ETHIOPIC",)),
    **dict.fromkeys(("he", "yi"), ("HEBREW",)),
    **dict.fromkeys(("bn", "as"), ("BENGALI",)),
    "ja": ("CJK", "HIRAGANA", "KATAKANA"),
    "ko": ("HANGUL", "CJK"),
    "el": ("GREEK",),
    "hy": ("ARMENIAN",),
    "ka": ("GEORGIAN",),
    "th": ("THAI",),
    "lo": ("LAO",),
    "km": ("KHMER",),
    "my": ("MYANMAR",),
    "ta": ("TAMIL",),
    "te": ("TELUGU",),
    "kn": ("KANNADA",),
    "ml": ("MALAYALAM",),
    "gu": ("GUJARATI",),
    "pa": ("GURMUKHI",),
    "or": ("ORIYA",),
    "si": ("SINHALA",),
    "iu": ("CANADIAN", "LATIN"),
}
_DENSE = frozenset(("CJK", "HIRAGANA", "KATAKANA", "HANGUL"))
_SCRIPT = Oddity("script", "doctor.script")
_SCRIPT_BESIDE = Oddity("script", "doctor.script-beside")
_SCRIPT_OF_REFERENCE = Oddity("script", "doctor.script-of-reference")


@cache
def script_of(character: str) -> str | None:
    """The script of a letter, by the first word of its Unicode name; None for what is no letter.

    >>> script_of("я"), script_of("e"), script_of("5")
    ('CYRILLIC', 'LATIN', None)
    """
    if not character.isalpha():
        return None
    name = unicodedata.name(character, "")
    return name.partition(" ")[0] or None


def _letters(column: TextColumn) -> dict[str, Counts]:
    """How many letters of each script each line has; a character that stands for a syllable or word counts three.

    >>> from tertium._native import Lines
    >>> counts = _letters(TextColumn("A", "system", Lines(["Привет, John", "日本"])))
    >>> {name: count.tolist() for name, count in counts.items()}
    {'LATIN': [4, 0], 'CYRILLIC': [6, 0], 'CJK': [0, 6]}
    """
    counts = counts_by_class(column.lines, column.codes, script_of)
    return {name: count * (3 if name in _DENSE else 1) for name, count in counts.items()}


def base_language(code: str | None) -> str | None:
    """The language of a code, without region or script.

    >>> base_language("en_GB"), base_language("nb")
    ('en', 'no')
    """
    if code is None:
        return None
    base = re.split("[-_]", code.lower())[0]
    return {"nb": "no", "nn": "no", "cz": "cs", "iw": "he"}.get(base, base)


def scripts_of(language: str) -> tuple[str, ...]:
    """The scripts that a language is written in."""
    return SCRIPTS.get(base_language(language) or "", ("LATIN",))


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
