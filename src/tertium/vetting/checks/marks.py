"""Marks that belong together (quotes, brackets, tags, keys of menus, ICU messages), and texts that break off."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from tertium.comparison.doctor.languages import function_words
from tertium.io.memories.inline import TAG, InlineTag, parts
from tertium.io.memories.unit import Unit
from tertium.vetting.checks.base import Doubt, difference
from tertium.vetting.checks.placeholders import ICU, PLACEHOLDER
from tertium.vetting.signs import BRACE, BREAKS_OFF, KEYS, QUOTES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.vetting.batches import UnitBatch

_QUOTES = re.compile("[\"“”„‟«»「」『』]|``|''|(?<!\\w)[‘‚‹']|[’›'](?!\\w)")
_DOUBLE = re.compile("[\"“”„«»「」]|``|''")
_BRACKET = re.compile(r"[()\[\]{}（）［］]")
_OPENING, _CLOSING = "([{（［", ")]}）］"
_ACCELERATORS = (re.compile(r"(?<![&\w])&(?=\w)(?!\w+;)|(?<=\w)&(?=\w)(?!\w+;)"), re.compile(r"_(?=[^\W_])"))
_OTHER = re.compile(r"\bother\s*\{")
_BREAKS = ",-([«“„"
_ALL = 20_000  # units that are all learnt from; then every sixteenth
_SEEN, _RARE = 20, 0.01  # a word that often, of which so few at most end a target


class Quotes:
    """Quotes or brackets of one side only."""

    name = "quotes"
    sentence = "Quotes and brackets of the source are in the target, of whatever kind, and closed."

    def sieve(self, batch: UnitBatch) -> NDArray[np.bool_]:
        return batch.has(either=QUOTES)

    def look(self, unit: Unit) -> Doubt | None:
        """
        >>> Quotes().look(Unit('Open "x" (now)', "Ouvrir « x » (ici)"))
        >>> Quotes().look(Unit('Open "x" (now)', "Ouvrir « x » (ici")).sentence
        'a bracket is not closed'
        """
        source, target = unit.source, unit.target
        brackets = _BRACKET.search(source) or _BRACKET.search(target)
        if brackets and (found := self._brackets(source, target)) is not None:
            return found
        spans = tuple(own.span() for own in _DOUBLE.finditer(source))
        if len(spans) >= 2 and len(spans) % 2 == 0:
            others = tuple(own.span() for own in _QUOTES.finditer(target))
            if not others and source.strip('"“”„«»') and not PLACEHOLDER.search(source):
                return Doubt(self.name, "the quotes are missing", 0.3, spans)
            doubled = [own.span() for own in _DOUBLE.finditer(target)]
            if len(doubled) % 2 and len(others) == len(doubled):
                return Doubt(self.name, "a quote is not closed", 0.4, spans, tuple(doubled))
        return None

    def _brackets(self, source: str, target: str) -> Doubt | None:
        left, right = (Counter(_BRACKET.findall(text)) for text in (source, target))
        if left == right:
            return None
        for opening, closing in zip(_OPENING, _CLOSING, strict=True):
            if left[opening] == left[closing] and right[opening] != right[closing]:
                places = tuple(
                    own.span() for own in _BRACKET.finditer(target) if own.group() in (opening, closing)
                )
                what = "not closed" if right[opening] > right[closing] else "closed, but not opened"
                return Doubt(self.name, f"a bracket is {what}", 0.5, (), places)
        return None


class InlineTags:
    """Inline tags of one side only, or ends before their begins."""

    name = "tags"
    sentence = "Inline tags are the same on both sides, and each pair begins before it ends."

    def sieve(self, batch: UnitBatch) -> NDArray[np.bool_]:
        return np.array([bool(unit.source_markup or unit.target_markup) for unit in batch], dtype=bool)

    def look(self, unit: Unit) -> Doubt | None:
        """
        >>> InlineTags().look(Unit("Press OK", "Appuyez", source_markup='Press <ph x="1"/>OK')).sentence
        '<ph> is missing'
        """
        if not unit.source_markup and not unit.target_markup:
            return None
        left, right = (_inline(text) for text in (unit.source_markup, unit.target_markup))
        missing, extra = Counter(left) - Counter(right), Counter(right) - Counter(left)
        if missing or extra:
            score = 0.6 if missing else 0.4
            told = difference(
                self.name, *([f"<{own}>" for own in side.elements()] for side in (missing, extra))
            )
            return Doubt(self.name, told, score)
        if not _in_order(unit.target_markup) and _in_order(unit.source_markup):
            return Doubt(self.name, "a tag ends before it begins", 0.6)
        return None


def _inline(markup: str) -> list[str]:
    if "<" not in markup:
        return []
    return [own.element for own in parts(markup) if isinstance(own, InlineTag) and not own.ends]


def _in_order(markup: str) -> bool:
    """Whether no pair ends before it begins."""
    begun: Counter[str] = Counter()
    for tag in TAG.finditer(markup):
        if tag.group(2) == "bpt" and not tag.group(1):
            begun[_pair(tag)] += 1
        elif tag.group(2) == "ept" and not tag.group(1):
            begun[_pair(tag)] -= 1
            if begun[_pair(tag)] < 0:
                return False
    return True


def _pair(tag: re.Match[str]) -> str:
    found = re.search(r"""\bi\s*=\s*["']([^"']*)""", tag.group(3))
    return found.group(1) if found else ""


class Accelerators:
    """A key of a menu (&File, _File) that the target lacks, or has twice."""

    name = "accelerators"
    sentence = "Where the source marks a key (&File, _File), the target marks one, too."

    def sieve(self, batch: UnitBatch) -> NDArray[np.bool_]:
        return batch.has(either=KEYS)

    def look(self, unit: Unit) -> Doubt | None:
        """
        >>> Accelerators().look(Unit("&Open", "&Ouvrir")), Accelerators().look(Unit("&Open", "Ouvrir")).sentence
        (None, 'no key is marked by &')
        """
        source, target = unit.source, unit.target
        if len(source) > 80:
            return None
        for mark, pattern in zip("&_", _ACCELERATORS, strict=True):
            if source.count(mark) != 1 or target.count(mark) == 1:
                continue
            found = pattern.search(source)
            word = found and re.search(r"\S*$", source[: found.start()])
            if found is None or (mark == "_" and word and _is_code(word.group(), source[found.end()])):
                continue
            if target.count(mark) == 0:
                return Doubt(self.name, f"no key is marked by {mark}", 0.4, (found.span(),))
            places = tuple(own.span() for own in pattern.finditer(target))
            if len(places) > 1:
                return Doubt(self.name, f"{len(places)} keys are marked by {mark}", 0.4, (), places)
        return None


def _is_code(before: str, after: str) -> bool:
    """Whether an underscore between these belongs to an identifier: a_b, KP_Tab; not E_xit."""
    return bool(before) and (not before[0].isupper() or after.isupper() or after.isdigit())


class Icu:
    """An ICU message that cannot be read: braces that are not closed, no branch for all other cases."""

    name = "icu"
    sentence = "ICU messages can be read: braces are closed, plural and select have a branch other."

    def sieve(self, batch: UnitBatch) -> NDArray[np.bool_]:
        return batch.has(BRACE)

    def look(self, unit: Unit) -> Doubt | None:
        """
        >>> Icu().look(Unit("{n, plural, other {# files}}", "{n, plural, one {# fichier}}")).sentence
        'the branch other is missing'
        """
        if "{" not in unit.source or not ICU.search(unit.source):
            return None
        target = unit.target
        if target.count("{") != target.count("}"):
            return Doubt(self.name, "braces are not closed", 0.9)
        wanted, own = (len(_OTHER.findall(text)) for text in (unit.source, target))
        return Doubt(self.name, "the branch other is missing", 0.9) if own < wanted else None


class Truncated:
    """A target that breaks off: at a hyphen, a comma, or a word that hardly ever ends a target of this memory."""

    name = "truncated"
    sentence = "The target does not break off: not at a comma, a hyphen, an article or a preposition."

    def __init__(self) -> None:
        self._read = 0
        self._words: Counter[str] = Counter()  # function words in targets, and those that end one
        self._ends: Counter[str] = Counter()

    def learn(self, units: Sequence[Unit]) -> None:
        for unit in units[:: 1 if self._read < _ALL else 16]:
            words = unit.target.split()
            known = _functions(unit.target_language)
            self._words.update(known.intersection(words))
            if len(words) > 1 and words[-1] in known:
                self._ends[words[-1]] += 1
        self._read += len(units)

    def sieve(self, batch: UnitBatch) -> NDArray[np.bool_]:
        return batch.has(target=BREAKS_OFF)

    def look(self, unit: Unit) -> Doubt | None:
        """
        >>> check = Truncated()
        >>> check.learn([Unit("Open the file.", "Ouvrir le fichier.", "en", "fr")] * 50)
        >>> check.look(Unit("Open the file.", "Ouvrir le", "en", "fr")).sentence
        'the target ends in le'
        """
        target = unit.target.rstrip()
        end = target[-1:]
        if not end or end in '.!?:)…"»%>]};':
            return None
        source = unit.source.rstrip()
        place = ((len(target) - 1, len(target)),)
        if end in _BREAKS and source and source[-1] not in _BREAKS and source[-1] not in ",、，":
            return Doubt(self.name, f"the target ends in {end}", 0.4, (), place)
        at = target.rfind(" ") + 1
        last = target[at:]
        if not at or not self._breaks_off(last, unit.target_language):
            return None
        final = source[source.rfind(" ") + 1 :].lower()
        if final == last or final in _functions(unit.source_language):
            return None
        score = 0.7 if source[-1:] in ".!?:" else 0.5
        return Doubt(self.name, f"the target ends in {last}", score, (), ((at, len(target)),))

    def _breaks_off(self, word: str, language: str) -> bool:
        seen = self._words[word]
        return seen >= _SEEN and self._ends[word] - 1 <= _RARE * seen and word in _functions(language)


@cache
def _functions(language: str) -> frozenset[str]:
    return function_words(re.split("[-_]", language.lower())[0])
