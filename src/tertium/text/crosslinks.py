"""Links between words of sources and their translations: learnt from the texts themselves, or given in a file.

Segments are cut into sentences where both sides have as many, so that paragraphs are not learnt from as a whole. The
order of segments does not matter: the model (ibm1.py) learns from sorted pairs, each once.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from tertium.errors import InputError
from tertium.io.records import tab_rows
from tertium.io.streams import check_readable
from tertium.text import ibm1
from tertium.text.alignment import Links, parse_pharaoh
from tertium.text.parses import Parsed

LONGEST = 200  # words of a sentence that is learnt from
Pair = tuple[Parsed, Parsed]  # a source and its translation


class CrossAligner(Protocol):
    """Links words of sources to words of their translations."""

    def align(self, pairs: Sequence[Pair]) -> list[Links]: ...


class Learning:
    """Learns from the pairs themselves by IBM model 1, both ways.

    >>> from tertium.text.parsers import words_only
    >>> texts = (("the house", "das Haus"), ("the book", "das Buch"), ("a book", "ein Buch"))
    >>> Learning().align([(words_only(one), words_only(other)) for one, other in texts])
    [((0, 0), (1, 1)), ((0, 0), (1, 1)), ((0, 0), (1, 1))]
    """

    def align(self, pairs: Sequence[Pair]) -> list[Links]:
        parts = [list(_sentences(*pair)) for pair in pairs]
        forms = [
            [(_words(one, a), _words(other, b)) for a, b in own]
            for own, (one, other) in zip(parts, pairs, strict=True)
        ]
        known = sorted({form for own in forms for form in own})
        links = ibm1.align([one for one, _ in known], [other for _, other in known], longest=LONGEST)
        found = dict(zip(known, links, strict=True))
        return [
            tuple(
                [
                    (a[0] + i, b[0] + j)
                    for (a, b), form in zip(own, named, strict=True)
                    for i, j in found[form]
                ]
            )
            for own, named in zip(parts, forms, strict=True)
        ]


def _words(parsed: Parsed, span: tuple[int, int]) -> tuple[str, ...]:
    return tuple(map(str.lower, parsed.words[slice(*span)]))


def _sentences(source: Parsed, target: Parsed) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Sentences of both, if there are as many; or else everything."""
    ours, theirs = list(source.sentences), list(target.sentences)
    if not ours or not theirs:
        return
    if len(ours) != len(theirs):
        ours, theirs = [(0, len(source))], [(0, len(target))]
    yield from zip(ours, theirs, strict=True)


@dataclass(frozen=True)
class Given:
    """Links of files: source, translation and links (`0-0 1-2`, words between blanks), tab-separated; found by text."""

    names: str
    hash: str
    lines: dict[tuple[str, str], tuple[str, str]]  # where, links

    def align(self, pairs: Sequence[Pair]) -> list[Links]:
        return [self._one(source, target) for source, target in pairs]

    def _one(self, source: Parsed, target: Parsed) -> Links:
        key = " ".join(source.text.split()), " ".join(target.text.split())
        if not all(key):
            return ()
        if key not in self.lines:
            shown = " and ".join(repr(text[:30]) for text in key)
            raise InputError(f"{self.names}: there are no links between the words of {shown}")
        where, links = self.lines[key]
        found = parse_pharaoh(links, len(key[0].split()), len(key[1].split()), where)
        ours, theirs = _places(source), _places(target)
        return tuple(sorted({(i, j) for a, b in found for i in ours[a] for j in theirs[b]}))


def _places(parsed: Parsed) -> list[list[int]]:
    """The words of ours that each word between blanks is made of, punctuation left out where there is a word."""
    found: list[list[int]] = []
    word = 0
    text = parsed.text
    end = 0
    for chunk in text.split():
        begin = text.index(chunk, end)
        end = begin + len(chunk)
        own = []
        while word < len(parsed) and parsed.spans[word][0] < end:
            own.append(word)
            word += 1
        found.append([i for i in own if any(map(str.isalnum, parsed.words[i]))] or own)
    return found


def cross_aligner(files: str = "") -> CrossAligner:
    """What learns from the texts, or has the links of files separated by `;`."""
    return given_links(files) if files else Learning()


def given_links(files: str) -> Given:
    """The links of files, read once as long as they do not change."""
    stamps = []
    for path in files.split(";"):
        check_readable(path, path)
        stamps.append((path, os.stat(path).st_mtime_ns, os.stat(path).st_size))
    return _read(files, tuple(stamps))


@lru_cache(maxsize=4)
def _read(files: str, stamps: tuple[tuple[str, int, int], ...]) -> Given:
    lines: dict[tuple[str, str], tuple[str, str]] = {}
    digest = hashlib.sha256()
    for path, *_ in stamps:
        for number, fields in tab_rows(path):
            if len(fields) != 3:
                raise InputError(
                    f"{path}: line {number}: {len(fields)} columns instead of source, translation, links"
                )
            source, target = (" ".join(field.split()) for field in fields[:2])
            lines[source, target] = f"{path}: line {number}", fields[2]
            digest.update("\t".join(fields).encode("utf-8", "surrogatepass"))
    return Given(files, digest.hexdigest()[:12], lines)
