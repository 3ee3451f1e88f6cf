"""Texts beside the translations with scores: what models of words are learnt from, too.

Pairs of texts teach the lexical models and both n-gram models; a text of one side teaches that side's. So that a file
stays small, at most `MOST_PAIRS` pairs and `MOST_LINES` lines of a side are learnt from, evenly spread, and of the
models what was seen least is not kept (`Learnt.of`). No segment of the training gets features of a model that has seen
it in a corpus.
"""

from __future__ import annotations

import hashlib
import re
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from typing import Any, TypeVar
from zlib import crc32

import numpy as np
import numpy.typing as npt

from tertium.errors import InputError, TertiumWarning, many
from tertium.estimation.words import Arrays, KeyedWords, Places
from tertium.io.door import read_strings
from tertium.io.memories.pairs import Pair
from tertium.io.streams import FilePath, display_name

MOST_PAIRS = 20_000
MOST_LINES = 60_000  # of each side, those of pairs among them
Hashes = npt.NDArray[np.uint32]
_MARKS = bytes(c for c in range(128) if not chr(c).isalnum())
_FURTHER = re.compile(rb"\xc2[\x80-\xbf]|\xe2[\x80\x81][\x80-\xbf]")  # those of Latin 1, and U+2000 to U+207F
_Line = TypeVar("_Line", str, tuple[str, str])


def text_hash(source: str, translation: str = "") -> int:
    """32 bits by which a segment is known again."""
    told = f"{source}\n{translation}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.sha256(told).digest()[:4], "little")


def hashes_of(*sides: Sequence[str]) -> Hashes:
    """The hash of each segment: of its text, or of both."""
    return np.array(list(map(text_hash, *sides)), np.uint32)


@dataclass(frozen=True)
class Corpora:
    """Pairs of texts, and texts of one side alone.

    >>> corpora = Corpora([("ein Haus", "a house"), ("", "nothing")], target=["two houses"])
    >>> corpora.pairs, len(corpora)
    ((('ein Haus', 'a house'),), 2)
    """

    pairs: Sequence[tuple[str, str]] = ()
    source: Sequence[str] = ()
    target: Sequence[str] = ()

    def __post_init__(self) -> None:
        kept = tuple((one, other) for one, other in self.pairs if one.strip() and other.strip())
        object.__setattr__(self, "pairs", _spread(kept, MOST_PAIRS))
        for name in ("source", "target"):
            lines = tuple(line for line in getattr(self, name) if line.strip())
            object.__setattr__(self, name, _spread(lines, MOST_LINES - len(self.pairs)))

    def __len__(self) -> int:
        return len(self.pairs) + len(self.source) + len(self.target)

    @classmethod
    def read(
        cls,
        parallel: Iterable[tuple[FilePath, FilePath]] = (),
        source: Iterable[FilePath] = (),
        target: Iterable[FilePath] = (),
        memories: Iterable[str] = (),
        pair: str = "",
    ) -> Corpora:
        """From files: texts line by line, and memories in any format or on disk."""
        from tertium.memory.reading import Source

        pairs: list[tuple[str, str]] = []
        for one, other in parallel:
            ours, theirs = read_strings(one, "source"), read_strings(other)
            if len(ours) != len(theirs):
                raise InputError(
                    f"{display_name(one)} has {many(len(ours), 'line')}, but {display_name(other)} has {len(theirs)}"
                )
            pairs += zip(ours, theirs, strict=True)
        languages = Pair.parse(pair) if pair else None
        for memory in memories:
            pairs += ((unit.source, unit.target) for unit in Source(memory, pair=languages).open())
        found = cls(
            pairs,
            [line for path in source for line in read_strings(path, "source")],
            [line for path in target for line in read_strings(path)],
        )
        if not len(found):
            raise InputError("the corpora have no text")
        return found

    def words(self, sources: Sequence[str], translations: Sequence[str], folds: Places) -> CorpusWords:
        """As models learn from them, beside these translations with their parts."""
        by_source, by_target = (
            {letters_of(text): fold for text, fold in zip(own, folds.tolist(), strict=True)}
            for own in (sources, translations)
        )
        pairs = [
            by_source.get(letters_of(one), by_target.get(letters_of(other), -1)) for one, other in self.pairs
        ]
        return CorpusWords(
            KeyedWords.of([*(one for one, _ in self.pairs), *self.source]),
            KeyedWords.of([*(other for _, other in self.pairs), *self.target]),
            len(self.pairs),
            np.array([*pairs, *(by_source.get(letters_of(line), -1) for line in self.source)], np.int64),
            np.array([*pairs, *(by_target.get(letters_of(line), -1) for line in self.target)], np.int64),
        )


def letters_of(text: str) -> bytes:
    """Letters and digits, by which a text is known again however it was cut into words.

    >>> letters_of("Don ’t go &quot;there&quot; .") == letters_of("don't go “there”.")
    True
    """
    found = (unescape(text) if "&" in text else text).lower().encode("utf-8", "surrogatepass")
    found = found.translate(None, _MARKS)
    if b"\xc2" in found or b"\xe2" in found:
        found = _FURTHER.sub(b"", found)
    return found


def _known(lines: Iterable[str]) -> Hashes:
    """A number for each text."""
    return np.array([crc32(letters_of(line)) for line in lines], np.uint32)


def _spread(lines: tuple[_Line, ...], most: int) -> tuple[_Line, ...]:
    """As many as that, evenly spread."""
    if len(lines) <= most:
        return lines
    return tuple(lines[i] for i in (np.arange(most) * len(lines) // most).tolist())


@dataclass(frozen=True, eq=False)
class CorpusWords:
    """The words of corpora, those of pairs first."""

    source: KeyedWords
    target: KeyedWords
    pairs: int
    source_folds: Places  # the part of the training that has this text, too; -1: none
    target_folds: Places

    def without(self, fold: int) -> CorpusWords:
        """Less what is in this part of the training."""
        ours, theirs = np.flatnonzero(self.source_folds != fold), np.flatnonzero(self.target_folds != fold)
        return CorpusWords(
            self.source.take(ours),
            self.target.take(theirs),
            int((ours < self.pairs).sum()),
            self.source_folds[ours],
            self.target_folds[theirs],
        )

    def beside(self, source: KeyedWords, target: KeyedWords) -> tuple[KeyedWords, KeyedWords]:
        """Both sides of translations, and all texts of that side behind them."""
        return source.plus(self.source), target.plus(self.target)

    def paired(self, source: KeyedWords, target: KeyedWords) -> tuple[KeyedWords, KeyedWords]:
        """Translations, and pairs behind them."""
        first: Places = np.arange(self.pairs)
        return source.plus(self.source.take(first)), target.plus(self.target.take(first))


@dataclass(frozen=True, eq=False)
class CorpusRecord:
    """What corpora an estimator has seen: how many pairs and lines, and their hashes."""

    pairs: int
    source: Hashes  # of all texts of that side
    target: Hashes
    lines: tuple[int, int]  # of one side alone

    @classmethod
    def of(cls, corpora: Corpora) -> CorpusRecord:
        ours, theirs = (
            [*(own[side] for own in corpora.pairs), *alone]
            for side, alone in ((0, corpora.source), (1, corpora.target))
        )
        return cls(
            len(corpora.pairs),
            np.unique(_known(ours)),
            np.unique(_known(theirs)),
            (len(corpora.source), len(corpora.target)),
        )

    def about(self) -> dict[str, object]:
        return {"pairs": self.pairs, "lines": self.lines}

    def arrays(self) -> dict[str, Hashes]:
        """Hashes as differences, which pack better."""
        sides = {"source": self.source, "target": self.target}
        return {f"corpora.{name}": np.diff(own, prepend=np.uint32(0)) for name, own in sides.items()}

    @classmethod
    def from_file(cls, about: Mapping[str, Any], arrays: Arrays) -> CorpusRecord | None:
        """None where there were no corpora. Refuses what does not fit: KeyError, ValueError."""
        told = about.get("corpora")
        if not isinstance(told, Mapping):
            return None
        ours, theirs = (
            np.cumsum(np.asarray(arrays[f"corpora.{name}"], np.uint32), dtype=np.uint32)
            for name in ("source", "target")
        )
        first, second = told["lines"]
        return cls(int(told["pairs"]), ours, theirs, (int(first), int(second)))

    def words(self) -> str:
        """As people say it: 3,004 pairs, 560 lines of the source."""
        told = [many(self.pairs, "pair")] if self.pairs else []
        for number, side in zip(self.lines, ("source", "target"), strict=True):
            if number:
                told.append(f"{many(number, 'line')} of the {side}")
        return ", ".join(told)

    def warn_of_leaks(self, sources: Sequence[str], translations: Sequence[str], called: str) -> None:
        """Names segments that the corpora have."""
        known = np.isin(_known(sources), self.source) | np.isin(_known(translations), self.target)
        if number := int(known.sum()):
            shown = ", ".join(str(i + 1) for i in np.flatnonzero(known)[:5]) + (", ..." if number > 5 else "")
            warnings.warn(
                f"{number} of {len(known)} segments are in the corpora that {called} was trained on ({shown}): what "
                "it says of them may be too good to be true",
                TertiumWarning,
                stacklevel=5,
            )
