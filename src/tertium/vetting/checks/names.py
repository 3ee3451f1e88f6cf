"""Names, acronyms and codes. Names may be translated: the memory itself says which of them survive, and how often."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tertium.io.memories.unit import Unit
from tertium.vetting.batches import UnitBatch
from tertium.vetting.checks.base import Doubt, Span, difference
from tertium.vetting.checks.placeholders import ADDRESS, without_placeholders
from tertium.vetting.signs import ACRONYM, CODE, NAME

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MOST = 50_000  # words that are counted at a time
_LEAST, _SHARE = 4, 0.8  # a word that survives so often, at least, should survive
_NAME = re.compile(r"(?<=[\w,;’'\"()/-] )[A-Z][a-zà-öø-ÿ]+(?:[A-Z][a-z]+)*(?![\w%])")
_ACRONYM = re.compile(r"(?<![\w$%{<&_./-])[A-Z][A-Z0-9]*[A-Z][A-Z0-9]*(?![\w}>_=(])")
_CODE = re.compile(
    r"(?<![\w$%{<&./@:-])(?:--[a-z][\w-]+|(?:\w+(?:[_-]\w+)*_\w+(?:\(\))?|[A-Za-z]+[-_]?\d[\w-]*\w|\w+\(\)|(?:/[\w.-]+){2,})"
    r"(?![\w%{}@^|]))"
)
_KEY = re.compile(r"(?<![^\W\d_])_[^\W\d_]|\w_[a-zà-ÿ]")  # marked in a menu: _File, E_xit


class _Surviving:
    """Words that a pattern finds, and how often targets have them, too."""

    name = ""
    sentence = ""
    _pattern = _NAME
    _sign = NAME
    _all_capitals = True  # whether texts in capitals only are looked at

    def __init__(self) -> None:
        self._seen: dict[str, list[int]] = {}  # by word: sources that have it, targets that have it, too

    def words(self, text: str) -> dict[str, Span]:
        """The words of a text, with their first places."""
        found: dict[str, Span] = {}
        for own in self._pattern.finditer(text):
            found.setdefault(own.group(), own.span())
        return found

    def learn(self, units: Sequence[Unit]) -> None:
        batch = UnitBatch.of(units)
        for i in self.sieve(batch).nonzero()[0].tolist():
            unit = batch[i]
            for word in self._pattern.findall(unit.source):
                counts = self._seen.get(word)
                if counts is None:
                    counts = self._seen[word] = [0, 0]
                counts[0] += 1
                counts[1] += word in unit.target
        if len(self._seen) > _MOST:  # rare ones go, most of which will not come again
            least = 2
            while len(self._seen) > _MOST // 2:
                self._seen = {word: own for word, own in self._seen.items() if own[0] >= least}
                least *= 2

    def sieve(self, batch: UnitBatch) -> NDArray[np.bool_]:
        return batch.has(self._sign)

    def look(self, unit: Unit) -> Doubt | None:
        target = unit.target
        if all(word in target for word in self._pattern.findall(unit.source)):
            return None
        missing = [
            (word, span, share)
            for word, span in self.words(unit.source).items()
            if word not in unit.target and (share := self._survives(word)) >= _SHARE
        ]
        if not missing or unit.target.isupper():
            return None
        lower = unit.target.lower()
        missing = [own for own in missing if own[0].lower() not in lower]
        if not missing:
            return None
        share = max(own[2] for own in missing)
        told = f"{difference(self.name, [own[0] for own in missing], [])} ({self._told(missing[0][0])})"
        return Doubt(self.name, told, 0.8 * share, tuple(own[1] for own in missing))

    def _survives(self, word: str) -> float:
        """How often a word is in the target in the rest of the memory, where it was not lost in this unit."""
        sources, targets = self._seen.get(word, (0, 0))
        others = sources - 1
        return targets / (others + 1) if others >= _LEAST else 0.0

    def _told(self, word: str) -> str:
        sources, targets = self._seen[word]
        return f"kept {targets} of {sources} times"


class Names(_Surviving):
    """Names that usually survive, and did not."""

    name = "names"
    sentence = "Names that the memory mostly keeps are kept: words with a capital inside a sentence."


class Acronyms(_Surviving):
    """Acronyms that usually survive, and did not.

    >>> check = Acronyms()
    >>> check.learn([Unit("The USB port", "Le port USB")] * 9 + [Unit("My USB port", "Mon port")])
    >>> check.look(Unit("My USB port", "Mon port")).sentence
    'USB is missing (kept 9 of 10 times)'
    """

    name = "acronyms"
    sentence = "Acronyms that the memory mostly keeps are kept."
    _pattern = _ACRONYM
    _sign = ACRONYM


class Codes:
    """Identifiers, options, paths, and words with digits, which nobody translates."""

    name = "codes"
    sentence = "Codes are the same on both sides: options, paths, identifiers, words with digits."

    def sieve(self, batch: UnitBatch) -> NDArray[np.bool_]:
        return batch.has(CODE)

    def look(self, unit: Unit) -> Doubt | None:
        """
        >>> Codes().look(Unit("Use --verbose with x86_64", "Utilisez --verbeux avec x86_64")).sentence
        '--verbose is missing'
        """
        if not _has_code(unit.source):
            return None
        marked = _KEY.search(unit.target)
        missing = [
            (own.group(), own.span())
            for own in _codes(unit.source)
            if own.group() not in unit.target
            and not _spelled_otherwise(own.group(), unit.target)
            and not (marked and own.group().count("_") == 1)
        ]
        if not missing:
            return None
        spans = tuple(span for _, span in missing)
        texts = [text for text, _ in missing]
        score = 0.6 if any("_" not in text for text in texts) else 0.4
        return Doubt(self.name, difference(self.name, texts, []), score, spans)


_CODE_SIGN = re.compile(r"_\w|--\w|\(\)|/\w|[A-Za-z][-_]?\d")


def _has_code(text: str) -> bool:
    return _CODE_SIGN.search(text) is not None


def _codes(text: str) -> Iterator[re.Match[str]]:
    bare = ADDRESS.sub(lambda found: " " * len(found.group()), without_placeholders(text))
    for found in _CODE.finditer(bare):
        own = found.group()
        context = text[: found.start()] == "?"  # of KDE's catalogues: ?context:text
        if (
            len(own) > 2
            and not context
            and not (own.count("_") == 1 and "-" not in own and _is_accelerator(own))
        ):
            yield found


def _is_accelerator(word: str) -> bool:
    """Whether an underscore marks a key, as in E_xit."""
    before, _, after = word.partition("_")
    return (not before or before[0].isupper() or not after[1:2].islower()) and not after.isupper()


def _spelled_otherwise(code: str, target: str) -> bool:
    """In other capitals, or with another mark between letters and digits: UTF-8 and UTF8."""
    plain = re.sub(r"[-_\s\u00a0\u202f]", "", code).lower()
    return plain in re.sub(r"[-_\s\u00a0\u202f]", "", target).lower()
