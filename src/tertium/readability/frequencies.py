"""How frequent words are in a language: by their rank, which means the same in every language.

The list is wordfreq's (the extra `readability`), or comes from a file: words with counts, tab-separated, or a corpus, a
text a line, whose words are counted.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

from tertium.errors import InputError, MissingExtraError, SpecError
from tertium.io.streams import FilePath, display_name, read_bytes
from tertium.text.cut import cut_words

LONGEST = 200_000  # words of a list: what is beyond is unknown
_SAME = str.maketrans("\u2019", "'")


@dataclass(frozen=True, eq=False)
class Frequencies:
    """Words and their ranks, from 1."""

    name: str
    ranks: Mapping[str, int]

    @property
    def unknown(self) -> float:
        """What a word counts that is not in the list: as if it came behind the last."""
        return math.log10(LONGEST * 2)

    def place(self, word: str) -> float | None:
        """The decimal logarithm of a word's rank: 3 is the thousandth; of a compound, that of its rarest part.

        >>> of_counts("few", {"the": 9, "cat": 3, "sat": 2}).place("cat-sat") == math.log10(3)
        True
        """
        rank = self.ranks.get(word)
        if rank is None and "-" in word:
            parts = [self.ranks.get(part) for part in word.split("-") if part]
            rank = max((part for part in parts if part), default=None) if all(parts) else None
        return None if rank is None else math.log10(rank)


def of_counts(name: str, counts: Mapping[str, float]) -> Frequencies:
    """Words by how often they occur; those that occur as often, by the alphabet."""
    ordered = sorted((word for word in counts if any(map(str.isalpha, word))), key=lambda w: (-counts[w], w))
    return Frequencies(name, {word: rank for rank, word in enumerate(ordered[:LONGEST], 1)})


@lru_cache(maxsize=4)
def frequencies(lang: str) -> Frequencies:
    """Those of wordfreq."""
    try:
        import wordfreq
    except ImportError:
        raise MissingExtraError("the frequency of words", "readability") from None
    try:
        counts = wordfreq.get_frequency_dict(lang, wordlist="best")
    except LookupError:
        raise SpecError(
            f"wordfreq has no list for the language {lang!r}: give one (--frequencies FILE)"
        ) from None
    return of_counts(f"wordfreq:{lang}", counts)


def read_frequencies(path: FilePath) -> Frequencies:
    """A file of words and counts (word, tab, number), or else a corpus, a text a line."""
    name = display_name(path)
    data = read_bytes(path)
    try:
        lines = data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{name}: line {line}: not in UTF-8 (byte {error.start})") from None
    rows = [line.split("\t") for line in lines if line.strip()]
    counts: Mapping[str, float]
    if rows and all(len(row) == 2 and _is_number(row[1]) for row in rows):
        counts = {word.strip().lower().translate(_SAME): float(number) for word, number in rows}
    else:
        words = (word for text in cut_words(lines) for word in text)
        counts = Counter(word.lower().translate(_SAME).rstrip("'") for word in words)
    found = of_counts(f"{name}#{sha256(data).hexdigest()[:8]}", counts)
    if not found.ranks:
        raise InputError(f"{name}: there are no words in this file")
    return found


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text)) and float(text) >= 0
    except ValueError:
        return False
