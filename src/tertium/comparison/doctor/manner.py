"""Checks of how a text is written, compared with the references: tokenised, lower-cased, script."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from tertium.comparison.doctor.column import TextColumn, percent, share
from tertium.comparison.doctor.diagnosis import Finding
from tertium.comparison.doctor.odd_lines import Examined, Oddity, said_once

# French puts spaces before : ; ! ?
_SPACED = re.compile(r" (?:[.,](?<=\w..)(?=\s|\Z)|n't\b|'s\b)|@-@")
_FEW = 5  # fewer lines say too little

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
_LANGUAGE = "check whether they are untranslated, or the file is in another language"
_SCRIPT = Oddity("script", "{lines}: mostly in a different script from its language", _LANGUAGE)
_SCRIPT_BESIDE = Oddity("script", "{lines}: mostly in a different script from the reference", _LANGUAGE)
_SCRIPT_OF_REFERENCE = Oddity("script", "{lines}: mostly in a different script from most systems", _LANGUAGE)


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
    message = f"{percent(own)} of the lines look tokenised (space before . or ,)"
    if own - theirs >= 0.2:
        beside = "references" if column.role == "system" else "systems"
        advice = f"detokenise it: the {beside} are not tokenised"
        yield Finding.at("tokenised", "serious", column.name, message, advice, places)
    else:
        advice = "scores on tokenised text are not comparable with others: detokenise all texts, or report tok=none"
        yield Finding.at("tokenised", "look", column.name, message, advice, places)


def _spaced(column: TextColumn) -> list[int]:
    return column.matching(_SPACED)


def _lowercased(column: TextColumn, others: Sequence[TextColumn]) -> Iterator[Finding]:
    own = column.once(_case)
    if own is None or own < 0.9:
        return
    cased = [value for other in others if (value := other.once(_case)) is not None]
    message = f"{percent(own)} of the lines have no capital letter"
    if cased and min(cased) < 0.5:
        advice = "restore the case, or score with lowercase=yes and report it"
        yield Finding("lower-cased", "serious", column.name, message, advice)
    else:
        advice = "all texts are lower-cased: report it with the scores, which are not comparable with others"
        yield Finding("lower-cased", "look", column.name, message, advice)


def _case(column: TextColumn) -> float | None:
    """The share of lines without a capital, among lines in a script that has capitals; None for too few."""
    cased = [line for _, line in column.filled if line.lower() != line.upper()]
    return share(sum(line == line.lower() for line in cased), len(cased)) if len(cased) >= _FEW else None


def _largest(columns: Sequence[TextColumn], places: Callable[[TextColumn], list[int]]) -> float:
    """The largest share of lines that any of these texts has in such places."""
    return max((share(len(column.once(places)), len(column)) for column in columns), default=0.0)


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


def _letters(column: TextColumn) -> dict[str, npt.NDArray[np.int64]]:
    """How many letters of each script each line has; a character that stands for a syllable or word counts three.

    >>> counts = _letters(TextColumn("A", "system", ("Привет, John", "日本")))
    >>> {name: count.tolist() for name, count in counts.items()}
    {'LATIN': [4, 0], 'CYRILLIC': [6, 0], 'CJK': [0, 6]}
    """
    names = list(dict.fromkeys(filter(None, map(script_of, column.characters))))
    table = np.full(int(column.codes.max(initial=0)) + 1, len(names))
    for character in column.characters:
        if name := script_of(character):
            table[ord(character)] = names.index(name)
    line = np.repeat(np.arange(len(column)), np.fromiter((len(x or "") + 1 for x in column.lines), np.int64))
    keys = line[: len(column.codes)] * (len(names) + 1) + table[column.codes]
    counts = np.bincount(keys, minlength=len(column) * (len(names) + 1)).reshape(len(column), -1)
    return {name: counts[:, i] * (3 if name in _DENSE else 1) for i, name in enumerate(names)}


def _in_other_scripts(column: TextColumn, expected: Mapping[str, npt.NDArray[np.bool_] | bool]) -> list[int]:
    """Lines whose letters are mostly of other scripts than those that are expected (all along, or in each line)."""
    zeros = np.zeros(len(column), np.int64)
    own = column.once(_letters)
    letters, fit = (
        sum(own.values(), zeros),
        sum((own.get(s, zeros) * here for s, here in expected.items()), zeros),
    )
    return [int(i) for i in np.flatnonzero((letters >= 8) & (fit < 0.5 * letters))]


def check_script(texts: Examined) -> Iterator[Finding]:
    """Lines mostly in a script that the language is not written in; without a language, unlike their reference."""
    for column in texts.columns:
        language = texts.source_language if column.role == "source" else texts.target_language
        if language is not None:
            known = SCRIPTS.get(re.split("[-_]", language.lower())[0], ("LATIN",))
            yield from _SCRIPT.found(column, _in_other_scripts(column, dict.fromkeys(known, True)))
    if texts.target_language is None:
        beside: dict[str, npt.NDArray[np.int64]] = {}
        for reference in texts.references:
            for name, count in reference.once(_letters).items():
                beside[name] = beside.get(name, 0) + count
        letters = sum(beside.values(), np.zeros(len(texts.references[0]), np.int64))
        expected = {name: (count >= 0.2 * letters) | (letters < 8) for name, count in beside.items()}
        odd = [
            (
                system,
                _in_other_scripts(system, {**dict.fromkeys(system.once(_letters), letters < 8), **expected}),
            )
            for system in texts.systems
        ]
        yield from said_once(texts, odd, _SCRIPT_BESIDE, _SCRIPT_OF_REFERENCE)
