"""Lines in another language: by function words, and by an identifier of languages where one is installed.

A line is in another language if it has function words of that language, and clearly more of them than of its own; those
that both have do not count. Lines that this does not settle are shown to py3langid (`tertium[language]`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from importlib.util import find_spec

import numpy as np
import numpy.typing as npt

from tertium.comparison.doctor.column import TextColumn
from tertium.comparison.doctor.diagnosis import Finding
from tertium.comparison.doctor.odd_lines import Examined, Oddity
from tertium.comparison.doctor.scripts import in_other_scripts, letters_in
from tertium.comparison.doctor.survey import Flags, Has
from tertium.comparison.doctor.words import NumberedWords
from tertium.text.scripts import base_language, scripts_of

_LEAST = 2  # function words that say what language a line is in
_SETTLED = 2  # so many more of its own than of any other language, and it is its own
_LETTERS = 20  # in fewer, no language is recognised
_SURE = 10.0  # how much likelier, as a logarithm, the identifier must find another language
_KNOWN = 0.15  # the share of a text's words that are function words of its language, at least
_SHARED = {
    "LATIN",
    "CYRILLIC",
    "ARABIC",
    "DEVANAGARI",
    "BENGALI",
    "ETHIOPIC",
    "HEBREW",
}  # by several languages
# Languages that an identifier takes for each other in a single line.
_NEAR = (
    *(
        {"no", "nb", "nn", "da"},
        {"hr", "sr", "bs", "sl"},
        {"id", "ms", "jv"},
        {"cs", "sk"},
        {"es", "gl", "ca", "an"},
    ),
    *(
        {"pt", "gl"},
        {"nl", "af"},
        {"de", "lb"},
        {"bg", "mk"},
        {"ru", "be", "uk"},
        {"en", "pcm"},
        {"hi", "mr", "ne"},
    ),
)


@cache
def _table() -> dict[str, tuple[str, frozenset[str]]]:
    """Names and function words of languages."""
    text = (files("tertium") / "data" / "languages.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines()]
    return {code: (name, frozenset(words.split())) for code, name, words in rows}


def language_names() -> list[str]:
    """Names of the languages that have a list of function words."""
    return [name for name, _ in _table().values()]


def language_name(code: str) -> str:
    """
    >>> language_name("de"), language_name("xx")
    ('German', 'xx')
    """
    return _table()[code][0] if code in _table() else code


def languages_known() -> list[str]:
    """Codes of the languages that have a list of function words."""
    return list(_table())


def function_words(code: str) -> frozenset[str]:
    """The function words of a language; none of one that is not known.

    >>> "the" in function_words("en"), function_words("xx")
    (True, frozenset())
    """
    return _table()[code][1] if code in _table() else frozenset()


@dataclass(frozen=True, eq=False)
class FunctionWords:
    """The function words of a text: the languages that each word belongs to, as bits."""

    words: NumberedWords
    bits: npt.NDArray[np.uint64]  # by the number of the word

    @classmethod
    def of(cls, column: TextColumn) -> FunctionWords:
        vocabulary = column.words.vocabulary
        bits = np.zeros(len(vocabulary), np.uint64)
        for i, (_, words) in enumerate(_table().values()):
            bits[vocabulary.known(words)] |= np.uint64(1 << i)
        return cls(column.words, bits)

    def languages(self, expected: str, others: Sequence[str]) -> tuple[npt.NDArray[np.int32], Flags]:
        """Which of the other languages each line is in (-1: none of them), and whether it surely is in none."""
        codes = list(_table())
        own, *rest = map(codes.index, (expected, *others))
        best, settled = self.words.native.languages(self.bits, own, rest, _LEAST, _SETTLED)
        return np.asarray(best), np.asarray(settled).astype(np.bool_)

    @cached_property
    def language(self) -> str | None:
        """The language that most of the words are of; None if that is not many."""
        known = np.flatnonzero(self.bits)
        times = np.bincount(self.words.number, minlength=len(self.bits))[known]
        counts = {
            code: int(times[(self.bits[known] >> np.uint64(i) & np.uint64(1)) > 0].sum())
            for i, code in enumerate(_table())
        }
        best = max(counts, key=counts.__getitem__)
        return best if counts[best] >= max(_KNOWN * len(self.words.number), 5) else None


@dataclass(frozen=True)
class Identifier:
    """Says in which language lines are that should be in this one."""

    expected: str
    identify: bool

    @cached_property
    def _installed(self) -> bool:
        if not self.identify or find_spec("py3langid") is None:
            return False
        import py3langid

        return self.expected in dict(py3langid.rank("?"))

    def identified(self, line: str) -> str | None:
        """Another language that a line is in, by py3langid; None if it is none, or that is not installed."""
        if not self._installed:
            return None
        import py3langid

        ranked = py3langid.rank(line)
        (best, likelihood), own = ranked[0], dict(ranked)[self.expected]
        near = any({best, self.expected} <= group for group in _NEAR)
        return None if best == self.expected or near or likelihood - own < _SURE else str(best)

    def others(self, column: TextColumn) -> dict[int, str]:
        """Lines (from 0) in another language, with that language."""
        scripts = scripts_of(self.expected)
        unclear = letters_in(column, dict.fromkeys(scripts, True)) >= _LETTERS
        unclear[in_other_scripts(column, dict.fromkeys(scripts, True))] = False  # which is said already
        found: dict[int, str] = {}
        if self.expected in _table():
            others = [code for code in _table() if {*scripts_of(code)} & {*scripts}]
            others.remove(self.expected)
            best, settled = column.once(FunctionWords.of).languages(self.expected, others)
            found = {i: others[best[i]] for i in np.flatnonzero(unclear & (best >= 0)).tolist()}
            unclear &= ~settled
        elif not _SHARED & {*scripts}:
            return {}
        if not self._installed:
            return found
        asked = {i: self.identified(column.line(i)) for i in np.flatnonzero(unclear).tolist()}
        return {i: code for i, code in asked.items() if code is not None}


def in_another_script(column: TextColumn, language: str) -> list[int]:
    """Lines (from 0) that are mostly in a script which the language is not written in.

    >>> from tertium._native import Lines
    >>> in_another_script(TextColumn("A", "system", Lines(["Hello, World", "Привет, мир"])), "en")
    [1]
    """
    return in_other_scripts(column, dict.fromkeys(scripts_of(language), True))


def target_language(texts: Examined) -> str | None:
    """The language of the translations: the one that was named, or that most of these texts are in."""
    guesses = Counter(
        column.once(FunctionWords.of).language for column in (*texts.references, *texts.systems)
    )
    return base_language(texts.target_language) or max(
        guesses, key=lambda code: (code is not None, guesses[code])
    )


def check_languages(texts: Examined) -> Iterator[Finding]:
    """Lines in another language than the text should be in."""
    target = [*texts.references, *texts.systems]
    if (language := target_language(texts)) is not None:
        who = Identifier(language, texts.identify)
        others = {column.name: who.others(column) for column in target}
        having = Counter(i for system in texts.systems for i in others[system.name])
        odd_references = {i for reference in texts.references for i in others[reference.name]}
        for column in target:
            excused = odd_references
            if column.role == "reference":
                excused = {i for i, count in having.items() if 2 * count > len(texts.systems)}
            yield from _found(column, texts, language, others[column.name], excused)
    if texts.source is not None:
        language = base_language(texts.source_language) or texts.source.once(FunctionWords.of).language
        if language is not None:
            found = Identifier(language, texts.identify).others(texts.source)
            yield from _found(texts.source, texts, language, found, set())


def _found(
    column: TextColumn, texts: Examined, expected: str, others: dict[int, str], excused: set[int]
) -> Iterator[Finding]:
    """What is in another language, without what is the source text, which is said already."""
    copied = texts.source if column.role != "source" else None
    places = [
        i for i in others if i not in excused and (copied is None or column.lines[i] != copied.lines[i])
    ]
    names = [language_name(code) for code, _ in Counter(others[i] for i in places).most_common()]
    if names:
        oddity = _ANOTHER_LANGUAGE if len(names) == 1 else _OTHER_LANGUAGES
        yield from oddity.found(column, places, found=names[0], expected=language_name(expected))


_ANOTHER_LANGUAGE = Oddity("language", "doctor.language", least=3)
_OTHER_LANGUAGES = Oddity("language", "doctor.languages", least=3)


_BRACKETS = re.compile(r"[(\[{（【]([^()\[\]{}（）【】\n]{3,100})[)\]}）】]")
_BRACKETED = Oddity("brackets", "doctor.brackets")


def check_brackets(column: TextColumn, texts: Examined) -> Iterator[Finding]:
    """Words of the source or of English left in brackets; not names, nor what the source has in brackets."""
    language = target_language(texts)
    own = _table()[language][1] if language in _table() else frozenset()
    english = _table()["en"][1] - own if language != "en" else frozenset()
    places = []
    for i in column.matching(_BRACKETS, Has.OPENING_BRACKET):
        source = texts.source.line(i) if texts.source is not None else ""
        known = set(re.findall(r"\w+", source.lower()))
        if _BRACKETS.search(source):
            continue
        for content in _BRACKETS.findall(column.line(i)):
            words = re.findall(r"[^\W\d_]+", content)
            small = [word for word in words if word.islower() and len(word) > 2]
            lower = {word.lower() for word in words}
            if (small and lower <= known) or (len(words) > 1 and lower & english and not lower & own):
                places.append(i)
                break
    yield from _BRACKETED.found(column, places)
