"""Discourse connectives in a text, by class: lists for English, French and German, or a file of one's own.

What is ambiguous is marked in the list (data/connectives/README.md): it counts only where a clause or a sentence
begins, or, where words are tagged, with certain tags. Of overlapping connectives the longest counts.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from tertium.errors import InputError, SpecError, did_you_mean
from tertium.io.records import tab_rows
from tertium.io.streams import check_readable
from tertium.text.parses import Parsed

CLASSES = (
    *("addition", "contrast", "concession", "cause", "result", "condition", "purpose", "temporal", "example"),
    "reformulation",
)
_PLACES = ("", "clause", "sentence")
_NONE = "-"  # no connective, but a clause begins behind it
_FOLDER = Path(__file__).parent.parent / "data" / "connectives"
_BEGINS_CLAUSE = re.compile(
    r"""[,;:.!?\u2026()\[\]\u2013\u2014|][\s"'\u00ab\u00bb\u201c-\u201f\u2018\u2039(\[*-]*$"""
)
_FIRST = re.compile(r"(?<![\w'\u2019-])(?:\w+|[^\w\s])")  # a word, or a sign
_OPENING = re.compile(r"""[\s"'\u00ab\u201c-\u201f\u2018\u2039(\[*\u2013\u2014-]*$""")


class Entry(NamedTuple):
    """What a list says of a connective."""

    classes: tuple[str, ...]
    where: str
    tags: tuple[str, ...]


class Connective(NamedTuple):
    """A connective in a text: its characters, as it stands there, and its classes, the usual one first."""

    begin: int
    text: str
    classes: tuple[str, ...]


@dataclass(frozen=True)
class ConnectiveList:
    """The connectives of a language."""

    entries: Mapping[str, Entry]
    patterns: Mapping[str, re.Pattern[str]]  # by the first word or sign
    hash: str

    def find(self, parsed: Parsed) -> Iterator[Connective]:
        """All connectives of a text, in order.

        >>> text = "Because it rained, we stayed. But then, the sun came, since it was June."
        >>> from tertium.text.cut import words_only
        >>> [(one.text, one.classes[0]) for one in connectives("en").find(words_only(text))]
        [('Because', 'cause'), ('But', 'contrast'), ('then', 'temporal'), ('since', 'cause')]
        """
        text, words = parsed.text, list(zip(parsed.spans, parsed.tags, strict=True))
        sentences = {parsed.spans[start][0] for start in parsed.starts}
        tags = {begin: tag for (begin, _), tag in reversed(words)} if any(parsed.tags) else {}
        before = -1  # where the last one ended, if a clause begins there
        for begin, end in self._places(text):
            entry = self.entries.get(_form(text[begin:end]))
            if entry is None:  # letters that are the same in capitals only
                continue
            tag = tags.get(begin)
            if tag and entry.tags and tag not in entry.tags:
                continue
            if entry.where and not self._stands(entry.where, text, begin, sentences, before):
                before = end if "CCONJ" in entry.tags else before  # and so, et donc
                continue
            before = end
            if entry.classes != (_NONE,):
                yield Connective(begin, text[begin:end], entry.classes)

    def _places(self, text: str) -> Iterator[tuple[int, int]]:
        """Where connectives may stand, from left to right, none over another."""
        after = 0
        for run in _FIRST.finditer(text):
            begin = run.start()
            pattern = self.patterns.get(run[0].lower())
            if pattern and begin >= after and (match := pattern.match(text, begin)):
                after = match.end()
                yield begin, after

    @staticmethod
    def _stands(where: str, text: str, begin: int, sentences: set[int], before: int) -> bool:
        """Whether it stands where it must: where a clause or a sentence begins."""
        if begin in sentences:
            return True
        opening = _OPENING.search(text[max(0, begin - 8) : begin])
        first = begin - len(opening[0]) if opening else begin
        if first in sentences or (opening and first == 0):
            return True
        if where == "sentence":
            return False
        behind = before >= 0 and not text[before:begin].strip()
        return behind or _BEGINS_CLAUSE.search(text[max(0, begin - 12) : begin]) is not None


def _form(text: str) -> str:
    """As the list has it: lower case, one blank between words, plain apostrophes; *qu'* is *que*."""
    plain = " ".join(text.lower().replace("\u2019", "'").split())
    return plain[:-1] + "e" if plain.endswith("qu'") else plain


def _pattern(connective: str) -> str:
    written = re.escape(connective).replace("'", "['\u2019]").replace(r"\ ", r"\s+")
    if connective.endswith("que"):
        return written[: -len("que")] + "(?:que\\b|qu['\u2019])"
    return written + r"\b"


def read_connectives(path: str | Path) -> ConnectiveList:
    """A list in the form of data/connectives."""
    name = str(path)
    entries: dict[str, Entry] = {}
    for number, fields in tab_rows(path):
        where = f"{name}: line {number}"
        if not 2 <= len(fields) <= 4:
            raise InputError(f"{where}: {len(fields)} columns instead of connective, classes, where, tags")
        connective, classes, place, tags = (*(field.strip() for field in fields), "", "")[:4]
        own = tuple(classes.split("/"))
        for one in own:
            if one not in CLASSES and own != (_NONE,):
                raise InputError(
                    f"{where}: there is no class {one!r} of connectives{did_you_mean(one, CLASSES)}"
                )
        if place not in _PLACES:
            raise InputError(
                f"{where}: a connective counts everywhere, or where a clause or sentence begins, not {place!r}"
            )
        form = _form(connective)
        if not form or form in entries:
            raise InputError(f"{where}: {connective!r} is there twice" if form else f"{where}: no connective")
        entries[form] = Entry(own, place, tuple(tag for tag in tags.split("/") if tag))
    if not entries:
        raise InputError(f"{name}: there are no connectives in this file")
    digest = hashlib.sha256(Path(path).read_bytes()).hexdigest()[:12]
    return ConnectiveList(entries, _patterns(entries), digest)


def _patterns(forms: Iterable[str]) -> dict[str, re.Pattern[str]]:
    """Connectives by the word or sign with which they begin; of several, the longest first."""
    found: dict[str, list[str]] = {}
    for form in sorted(forms, key=lambda form: (-len(form), form)):
        (first, *_) = _FIRST.findall(form)
        firsts = {first, first.replace("'", "\u2019")}
        if first == form and form.endswith("que"):
            firsts.add(form[:-1])  # lorsqu'
        for one in firsts:
            found.setdefault(one, []).append(form)
    return {
        first: re.compile("(?:" + "|".join(map(_pattern, own)) + r")(?!-\w)", re.IGNORECASE)
        for first, own in found.items()
    }


def connectives(lang: str, file: str = "") -> ConnectiveList:
    """The list of a language, or the one in a file."""
    if file:
        check_readable(file, file)
        return _read_once(file, os.stat(file).st_mtime_ns, os.stat(file).st_size)
    known = sorted(path.stem for path in _FOLDER.glob("*.tsv"))
    if lang not in known:
        raise SpecError(
            f"there is no list of connectives for the language {lang!r} (known: {', '.join(known)}): "
            "give one as list=FILE"
        )
    return _read_once(str(_FOLDER / f"{lang}.tsv"), 0, 0)


@lru_cache(maxsize=8)
def _read_once(path: str, _time: int, _size: int) -> ConnectiveList:
    return read_connectives(path)
