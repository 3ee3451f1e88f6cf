"""Parses of files, CoNLL-U or Penn brackets, found by the text that they are of, white space aside."""

from __future__ import annotations

import hashlib
import os
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import Any

from tertium.errors import TextError
from tertium.io.conllu import conllu_lines, parsed_lines
from tertium.io.penn import as_in_brackets, read_penn
from tertium.io.streams import check_readable
from tertium.io.tecto import read_tecto
from tertium.text.parsers import LAYERS, Parser
from tertium.text.parses import Parsed, joined


@dataclass(frozen=True)
class _File:
    """The sentences of a file, its characters without white space, and where each sentence begins in them."""

    name: str
    sentences: tuple[Parsed, ...]
    places: tuple[tuple[str, ...], ...]  # of words: `a.conllu: line 3`
    characters: str
    begins: tuple[int, ...]  # one more than there are sentences

    @classmethod
    def of(cls, path: str, found: Iterable[tuple[Parsed, tuple[str, ...]]]) -> _File:
        sentences = list(found)
        parsed, wheres = tuple(one for one, _ in sentences), tuple(where for _, where in sentences)
        solid = [_solid(one.text) for one in parsed]
        return cls(path, parsed, wheres, "".join(solid), tuple(accumulate(map(len, solid), initial=0)))

    def find(self, text: str, solid: str) -> Parsed | None:
        begin = self.characters.find(solid)
        while begin >= 0:
            first, last = (self._at(place) for place in (begin, begin + len(solid)))
            if first is not None and last is not None:
                return joined(self.sentences[first:last], text)
            begin = self.characters.find(solid, begin + 1)
        return None

    def _at(self, place: int) -> int | None:
        """The sentence that begins at a character."""
        number = bisect_right(self.begins, place) - 1
        return number if self.begins[number] == place else None

    def shared(self, solid: str) -> tuple[int, int]:
        """How far a text goes along with the file, at best, and from which sentence on."""
        found = [
            (_common(self.characters[begin : begin + len(solid)], solid), -n)
            for n, begin in enumerate(self.begins[:-1])
        ]
        length, number = max(found, default=(0, 0))
        return length, -number


@dataclass(frozen=True)
class ParseFormat:
    """A form of files with parses: its name, which is the ending of files too, the layers that it has, how sentences
    and places of their words are read, and how a text is written there."""

    name: str
    layers: frozenset[str]
    read: Callable[[str], Iterable[tuple[Parsed, tuple[str, ...]]]]
    written: Callable[[str], str] = str


@dataclass(frozen=True)
class ParseStore:
    """The parses of some files."""

    files: tuple[_File, ...]
    hash: str
    names: str
    form: ParseFormat

    @property
    def layers(self) -> frozenset[str]:
        return self.form.layers

    def items(self) -> dict[str, str]:
        return {"parser": f'"{self.form.name}:{self.names}"', "parser-hash": self.hash}

    def parse(self, texts: Sequence[str]) -> list[Parsed]:
        """The parse of each text. One that no run of sentences makes up is refused: where it differs is said."""
        return [self._parse(self.form.written(text)) for text in texts]

    def _parse(self, text: str) -> Parsed:
        solid = _solid(text)
        if not solid:
            return Parsed(text, ())
        for file in self.files:
            found = file.find(text, solid)
            if found is not None:
                return found
        raise TextError(self._difference(text, solid), text)

    def _difference(self, text: str, solid: str) -> str:
        (length, first), file = max(
            ((file.shared(solid), file) for file in self.files), key=lambda found: (found[0][0], -found[0][1])
        )
        if not length:
            return f"{self.names}: no sentence begins as this text does: {_short(text)!r}"
        end = file.begins[first] + length  # the character that differs
        sentence = bisect_right(file.begins, end) - 1
        at = next(
            (place for n, place in enumerate(_places(text)) if n == length), len(text)
        )  # the same in the text
        if sentence == len(file.sentences):
            return f"{file.name}: ends with sentence {sentence}, but the text goes on: {_short(text[at:])!r}"
        parse, inside = file.sentences[sentence], end - file.begins[sentence]
        character = next(place for n, place in enumerate(_places(parse.text)) if n == inside)
        token = next(n for n, (_, stop) in enumerate(parse.spans) if character < stop)
        where = f"{file.places[sentence][token]}: sentence {sentence + 1}, token {token + 1} ({parse.words[token]!r})"
        if at == len(text):
            return f"{where}: the text ends before this token: {_short(text[-40:])!r}"
        return f"{where} is not what the text has at character {at + 1}: {_short(text[at:])!r}"


def _solid(text: str) -> str:
    return "".join(text.split())


def _common(one: str, other: str) -> int:
    """How many characters two texts begin with in common."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))


def _places(text: str) -> Sequence[int]:
    return [place for place, character in enumerate(text) if not character.isspace()]


def _short(text: str) -> str:
    return " ".join(text[:60].split())[:40]


_stores: dict[tuple[str, str], tuple[Any, ParseStore]] = {}


def _opened(form: ParseFormat, names: str) -> ParseStore:
    """The store of these files, read once as long as they do not change; of a folder all with the format's ending."""
    paths: list[str] = []
    for name in names.split(";"):
        inside = sorted(os.listdir(name)) if os.path.isdir(name) else []
        paths += [os.path.join(name, file) for file in inside if file.endswith(f".{form.name}")] or [name]
    for path in paths:
        check_readable(path, path)
    stamps = [(path, os.stat(path).st_mtime_ns, os.stat(path).st_size) for path in paths]
    known = _stores.get((form.name, names))
    if known is None or known[0] != stamps:
        digest = hashlib.sha256()
        for path in paths:
            with open(path, "rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        files = tuple(_File.of(path, form.read(path)) for path in paths)
        store = ParseStore(files, digest.hexdigest()[:12], names, form)
        known = _stores[form.name, names] = stamps, store
    return known[1]


def _conllu(path: str) -> Iterator[tuple[Parsed, tuple[str, ...]]]:
    return ((parsed_lines(one), tuple(word.where for word in one.words)) for one in conllu_lines(path))


def _penn(path: str) -> Iterator[tuple[Parsed, tuple[str, ...]]]:
    return ((one.parsed, one.wheres) for one in read_penn(path))


_TECTO = ParseFormat("tecto", frozenset(("deep",)), read_tecto)
_CONLLU = ParseFormat("conllu", frozenset(LAYERS), _conllu)
_PENN = ParseFormat("penn", frozenset(("phrases",)), _penn, as_in_brackets)
CONLLU = Parser("CoNLL-U files, or folders of them, separated by ;: conllu:FILES.", partial(_opened, _CONLLU))
PENN = Parser(
    "Files of Penn brackets, or Stanford's XML with them, separated by ;: penn:FILES.",
    partial(_opened, _PENN),
)
TECTO = Parser(
    "Tectogrammatical trees, CoNLL-U with a deep layer or tables, separated by ;: tecto:FILES.",
    partial(_opened, _TECTO),
)
