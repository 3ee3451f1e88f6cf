"""Words looked up in a list: `lexicon:FILE`, a table of forms with lemma, universal tag and features."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tertium.errors import InputError
from tertium.io.records import tab_rows
from tertium.io.streams import check_readable
from tertium.text.cut import words_only
from tertium.text.parsers import Parser
from tertium.text.parses import Features, Parsed

_FIELDS = ("word", "lemma", "tag", "features")
_NOTHING = ("", "_")
Entry = tuple[str, str, Features]
_UNKNOWN: Entry = ("", "", {})


@dataclass(frozen=True)
class Lexicon:
    """Words cut by rule, with what a list says of them; of one that it lacks nothing is known."""

    path: str
    hash: str
    entries: Mapping[str, Entry]
    layers: frozenset[str] = frozenset(["lemmas", "tags", "features"])

    def items(self) -> dict[str, str]:
        return {"parser": f'"lexicon:{self.path}"', "parser-hash": self.hash}

    def parse(self, texts: Sequence[str]) -> list[Parsed]:
        return [self._parse(words_only(text)) for text in texts]

    def _parse(self, parsed: Parsed) -> Parsed:
        own = [self.entries.get(w) or self.entries.get(w.lower(), _UNKNOWN) for w in parsed.words]
        return replace(
            parsed,
            lemmas=tuple(lemma for lemma, _, _ in own),
            tags=tuple(tag for _, tag, _ in own),
            features=tuple(features for _, _, features in own),
        )


def _read(path: str) -> dict[str, Entry]:
    found: dict[str, Entry] = {}
    for number, fields in tab_rows(path):
        where = f"{path}: line {number}"
        if not 2 <= len(fields) <= len(_FIELDS):
            raise InputError(f"{where}: {len(fields)} columns instead of {', '.join(_FIELDS)}")
        word, lemma, tag, features = (*fields, "", "")[: len(_FIELDS)]
        pairs = [] if features in _NOTHING else [pair.split("=") for pair in features.split("|")]
        for pair in pairs:
            if len(pair) != 2 or not all(pair):
                raise InputError(f"{where}: {'='.join(pair)!r} is not a feature, such as Number=Sing")
        lemma, tag = ("" if field in _NOTHING else field for field in (lemma, tag))
        found.setdefault(word, (lemma, tag, dict(pairs)))
    return found


_read_before: dict[str, tuple[tuple[int, int], Lexicon]] = {}


def _opened(path: str) -> Lexicon:
    """The list in this file, read once as long as the file does not change."""
    check_readable(path, path)
    stamp = os.stat(path).st_mtime_ns, os.stat(path).st_size
    known = _read_before.get(path)
    if known is None or known[0] != stamp:
        with open(path, "rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()[:12]
        known = _read_before[path] = stamp, Lexicon(path, digest, _read(path))
    return known[1]


LEXICON = Parser(
    "A table of word, lemma, tag and features, tab-separated; the first line of a word counts: lexicon:FILE.",
    _opened,
)
