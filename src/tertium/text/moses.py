"""The Moses tokeniser by name: `moses` (generic rules), `moses-de`, and with switches `moses-de-ae`.

Rules are native (native/tokenize_moses.hpp); the abbreviations of each language are in data/prefixes.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tertium import _native
from tertium.errors import SpecError, TertiumWarning, did_you_mean

LANGUAGES = ("cs", "de", "en", "es", "fi", "fr", "lv", "pl", "ro", "ru", "tr")
# Languages of WMT's test sets for which Moses long had no abbreviations: it took those of English, and said so.
# (sacremoses has lists for et, gu, hi and lt by now.)
WITHOUT_PREFIXES = ("et", "gu", "ha", "hi", "iu", "ja", "kk", "km", "lt", "ps", "uk", "xh", "zu")
SWITCHES = "aep"  # aggressive hyphens, escaped characters, the Perl script where sacremoses differs
_PREFIXES = Path(__file__).parent.parent / "data" / "prefixes"
_APOSTROPHES = {"en": "english", "fr": "french"}


@dataclass(frozen=True)
class MosesName:
    """The parts of a name such as `moses-de-ae`."""

    language: str  # empty: the generic rules
    switches: str


def parse(name: str) -> MosesName | None:
    """The parts of a tokeniser's name; None if it is not one of Moses'.

    >>> parse("moses-de-e")
    MosesName(language='de', switches='e')
    >>> parse("13a") is None
    True
    """
    family, *parts = name.split("-")
    if family != "moses":
        return None
    language = parts.pop(0) if parts and parts[0] in (*LANGUAGES, *WITHOUT_PREFIXES) else ""
    switches = parts.pop(0) if parts else ""
    in_order = "".join(letter for letter in SWITCHES if letter in switches)
    if parts or switches != in_order or (not switches and name.endswith("-")):
        known = [f"moses-{known}" for known in LANGUAGES]
        raise SpecError(
            f"unknown tokeniser {name!r}: Moses' are moses[-language][-switches], the switches being a, e and p in "
            f"this order{did_you_mean(name, ['moses', *known])}"
        )
    return MosesName(language, switches)


def tokenizer(name: MosesName) -> _native.MosesTokenizer:
    """The tokeniser with the prefixes of its language."""
    borrowed = name.language in WITHOUT_PREFIXES
    if borrowed:
        note_english(name.language)
    prefixes, before_numbers = read_prefixes("en" if borrowed else name.language or "generic")
    return _native.MosesTokenizer(
        prefixes,
        before_numbers,
        apostrophes=_APOSTROPHES.get(name.language, "apart"),
        hyphens="a" in name.switches,
        escape="e" in name.switches,
        colons="p" in name.switches and name.language == "fi",
        ideographs="p" in name.switches,
    )


@cache
def note_english(language: str) -> None:
    """Says once that a language has no abbreviations of its own."""
    text = f"tok=moses-{language}: there are no abbreviations for {language!r}; those of English are used, as Moses did"
    warnings.warn(text, TertiumWarning, stacklevel=5)


def read_prefixes(language: str) -> tuple[list[str], list[str]]:
    """Words that keep their full stop, and words that keep it only before a number.

    >>> "Dr" in read_prefixes("en")[0], "No" in read_prefixes("en")[1]
    (True, True)
    """
    always: list[str] = []
    before_numbers: list[str] = []
    for line in (_PREFIXES / f"{language}.txt").read_text(encoding="utf-8").splitlines():
        first, *rest = line.partition("#")[0].split() or [""]
        if first == "same-as:":
            return read_prefixes(rest[0])
        if first == "before-number:":
            before_numbers += rest
        elif first:
            always += [first, *rest]
    return always, before_numbers
