"""Links between words of sources and their translations: learnt from the texts themselves, or given in a file.

Segments are cut into sentences where both sides have as many, so that paragraphs are not learnt from as a whole. The
order of segments does not matter: the model (ibm1.py) learns from sorted pairs, each once (native/sentence_links.hpp).
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from tertium._native import Forms, TextLinks, learnt_links
from tertium.errors import InputError
from tertium.io.records import tab_rows
from tertium.io.streams import check_readable
from tertium.text import ibm1
from tertium.text.alignment import Links, parse_pharaoh
from tertium.text.cut import Cut
from tertium.text.parses import Parsed

LONGEST = 200  # words of a sentence that is learnt from


class CrossAligner(Protocol):
    """Links words of sources to words of their translations."""

    def links(self, sources: Cut, targets: Cut) -> TextLinks: ...


class Learning:
    """Learns from the pairs themselves by IBM model 1, both ways.

    >>> forms = Forms()
    >>> sources, targets = ["the house", "the book", "a book"], ["das Haus", "das Buch", "ein Buch"]
    >>> list(Learning().links(Cut.of(sources, forms), Cut.of(targets, forms)))
    [((0, 0), (1, 1)), ((0, 0), (1, 1)), ((0, 0), (1, 1))]
    """

    def links(self, sources: Cut, targets: Cut) -> TextLinks:
        return learnt_links(sources.numbered, targets.numbered, **(ibm1.SETTINGS | {"longest": LONGEST}))


@dataclass(frozen=True)
class Given:
    """Links of files: source, translation and links (`0-0 1-2`, words between blanks), tab-separated; found by text."""

    names: str
    hash: str
    lines: dict[tuple[str, str], tuple[str, str]]  # where, links

    def links(self, sources: Cut, targets: Cut) -> TextLinks:
        pairs = zip(sources.parses, targets.parses, strict=True)
        return TextLinks([self._one(source, target) for source, target in pairs])

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


def align(pairs: Sequence[tuple[Parsed, Parsed]], aligner: CrossAligner | None = None) -> list[Links]:
    """The links of sources and their translations, given as parses.

    >>> from tertium.text.cut import words_only
    >>> align([(words_only("the house"), words_only("das Haus")), (words_only("the"), words_only("das"))])[1]
    ((0, 0),)
    """
    forms = Forms()
    sides = [Cut.of_parses([pair[side] for pair in pairs], forms) for side in (0, 1)]
    return list((aligner or Learning()).links(sides[0], sides[1]))
