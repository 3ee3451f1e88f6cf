"""Checks of how a text is written, compared with the references: tokenised, lower-cased, script."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from tertium.comparison.doctor.column import TextColumn, percent, share
from tertium.comparison.doctor.diagnosis import Finding, Severity
from tertium.errors import many

_SPACED = re.compile(r"\w [.,](?:\s|\Z)|@-@| n't\b|\w 's\b")  # French puts spaces before : ; ! ?
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


def scripts(text: str) -> Counter[str]:
    """How many letters of each script a text has; a character that stands for a syllable or word counts three."""
    if text.isascii():
        return Counter(LATIN=sum(map(str.isalpha, text)))
    found: Counter[str] = Counter()
    for name in map(script_of, text):
        if name is not None:
            found[name] += 3 if name in _DENSE else 1
    return found


def check_script(
    column: TextColumn, language: str | None, references: Sequence[TextColumn]
) -> Iterator[Finding]:
    """Lines mostly in a script that the language is not written in; without a language, unlike their reference."""
    fixed = None if language is None else SCRIPTS.get(re.split("[-_]", language.lower())[0], ("LATIN",))
    places = []
    for i, line in column.filled:
        found = scripts(line)
        letters = found.total()
        if letters < 8:
            continue
        expected = fixed if fixed is not None else _scripts_beside(i, references)
        if expected and sum(found[name] for name in expected) < 0.5 * letters:
            places.append(i)
    if not places:
        return
    part = share(len(places), len(column))
    what = "its language" if fixed is not None else "the reference"
    verb = "is" if len(places) == 1 else "are"
    message = f"{many(len(places), 'line')} {verb} mostly in a different script from {what}"
    advice = "check whether they are untranslated, or the file is in another language"
    severity: Severity = "serious" if part >= 0.01 else "look"
    yield Finding.at("script", severity, column.name, message, advice, places)


def _scripts_of_lines(column: TextColumn) -> list[Counter[str]]:
    return [scripts(line or "") for line in column.lines]


def _scripts_beside(i: int, references: Sequence[TextColumn]) -> tuple[str, ...]:
    """Scripts with a fair share of the letters of this line's references."""
    found: Counter[str] = Counter()
    for reference in references:
        found.update(reference.once(_scripts_of_lines)[i])
    letters = found.total()
    return tuple(name for name, count in found.items() if count >= 0.2 * letters) if letters >= 8 else ()
