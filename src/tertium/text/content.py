"""Content words: by part of speech where a parser says it, else by a list of closed classes, or by frequency."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from tertium.errors import SpecError
from tertium.io.streams import read_bytes
from tertium.text import idf as frequencies
from tertium.text import meteor, stemmers, tokenizers
from tertium.text.cut import cut_words
from tertium.text.parsers import OpenParser, needed, parser
from tertium.text.synonyms import digest
from tertium.text.vectors import file_items

TAGS = frozenset(["NOUN", "PROPN", "VERB", "ADJ", "ADV"])  # of content words
_AUTO, _BY_TAGS, _BY_LIST, _BY_FREQUENCY = "auto", "tags", "list", "frequency"
WAYS = (_AUTO, _BY_TAGS, _BY_LIST, _BY_FREQUENCY, "all")
REPEATS = (_AUTO, "lemma", "stem", "word")
_LAYERS = {"tags": _BY_TAGS, "lemmas": "lemma"}  # of parses, and what needs them
_CLOSED = Path(__file__).parent.parent / "data" / "closed_class"


class ContentWords(NamedTuple):
    """The content words of a text: as they are written, their lemmas (or lower case), what is the same where a word
    is repeated (`keys`), and their places among all `words`."""

    words: Sequence[str]
    forms: list[str]
    lemmas: list[str]
    keys: list[str]
    places: list[int]


@dataclass(frozen=True)
class Choice:
    """What is a content word, and when it is repeated, in one language.

    >>> found, = Choice("en").read(["The houses were near another house."])
    >>> found.forms, found.keys
    (['houses', 'house'], ['hous', 'hous'])
    """

    lang: str
    parser: str = ""
    tok: str = ""  # a tokeniser instead of our rule, without a parser
    content: str = _AUTO
    function_words: str = ""  # a file instead of the language's list
    idf: str = ""
    share: float = 0.0
    repeat: str = _AUTO

    def read(self, texts: Sequence[str | None]) -> list[ContentWords]:
        """The content words of texts; a missing text has none."""
        return self._reader().read(texts)

    def items(self) -> dict[str, str]:
        """What a signature says: where an option was left to us, what we chose is in brackets."""
        reader = self._reader()
        content, repeat = (
            f"{asked}({made})" if asked == _AUTO else made
            for asked, made in ((self.content, reader.content), (self.repeat, reader.repeat))
        )
        items = {"lang": self.lang, **parser(self.parser).items()}
        if self.tok:
            items |= tokenizers.signature_items(self.tok)
        items |= {"content": content, **reader.source}
        if reader.content == _BY_FREQUENCY:
            items |= file_items("idf", self.idf)
        return items | {"repeat": repeat}

    def _reader(self) -> _Reader:
        return _reader(self, *(_stamp(path) for path in (self.function_words, self.idf)))


def _stamp(path: str) -> tuple[int, int]:
    """What changes when a file does; who reads it says what is wrong with it."""
    try:
        info = os.stat(path)
    except OSError:
        return -1, -1
    return info.st_size, info.st_mtime_ns


@lru_cache(maxsize=8)
def _reader(choice: Choice, *_stamps: tuple[int, int]) -> _Reader:
    opened = parser(choice.parser)
    content = _BY_TAGS if "tags" in opened.layers else _BY_LIST
    repeat = "lemma" if "lemmas" in opened.layers else "stem" if _stems(choice.lang) else "word"
    content, repeat = _made(choice.content, content), _made(choice.repeat, repeat)
    layers = [layer for layer, wanted in _LAYERS.items() if wanted in (content, repeat)]
    needed("doc:cohesion", choice.parser, layers)
    stem = _stem(choice.lang) if repeat == "stem" else None
    closed, source = _closed(choice, content)
    return _Reader(opened, choice.tok, content, repeat, closed, source, stem)


def _made(asked: str, usual: str) -> str:
    return usual if asked == _AUTO else asked


def _stem(lang: str) -> Callable[[str], str]:
    name = _stems(lang)
    if not name:
        raise SpecError(f"there is no stemmer for lang={lang}: take repeat=word or repeat=lemma")
    return stemmers.stemmer(name)


@dataclass(frozen=True, eq=False)
class _Reader:
    parser: OpenParser
    tok: str
    content: str
    repeat: str
    closed: frozenset[str]
    source: dict[str, str]  # of the function words
    stem: Callable[[str], str] | None
    known: dict[str, tuple[str, str] | None] = field(default_factory=dict)

    def read(self, texts: Sequence[str | None]) -> list[ContentWords]:
        if len(self.known) > 1 << 20:
            self.known.clear()
        given = [text or "" for text in texts]
        if self.parser.layers:
            return [self._of(parsed.words, parsed.lemmas, parsed.tags) for parsed in self.parser.parse(given)]
        if self.tok:
            return list(map(self._plain, tokenizers.tokenize(given, self.tok)))
        return list(map(self._plain, cut_words(given)))

    def _plain(self, words: Sequence[str]) -> ContentWords:
        """Words that no parser has seen: what is known of one is known of all."""
        known = self.known
        places, forms, lemmas, keys = [], [], [], []
        for place, word in enumerate(words):
            try:
                found = known[word]
            except KeyError:
                found = known[word] = self._word(word)
            if found is not None:
                places.append(place)
                forms.append(word)
                lemmas.append(found[0])
                keys.append(found[1])
        return ContentWords(words, forms, lemmas, keys, places)

    def _word(self, word: str) -> tuple[str, str] | None:
        lower = word.lower()
        bare = lower.rstrip("'\u2019")
        single = len(bare) < 2 and bare.upper() == bare.lower()  # one sign of a script without case is a word
        if not (len(bare) > 1 or single) or not any(map(str.isalpha, bare)):
            return None
        return None if bare in self.closed or lower in self.closed else (bare, self._key(bare, bare))

    def _key(self, lower: str, lemma: str) -> str:
        return self.stem(lower) if self.stem else lemma if self.repeat == "lemma" else lower

    def _of(self, words: Sequence[str], lemmas: Sequence[str], tags: Sequence[str]) -> ContentWords:
        found = ContentWords(words, [], [], [], [])
        for place, (word, lemma, tag) in enumerate(zip(words, lemmas, tags, strict=True)):
            lower = word.lower()
            if tag in TAGS if self.content == _BY_TAGS else self._word(word) is not None:
                base = lemma.lower() or lower
                found.places.append(place)
                found.forms.append(word)
                found.lemmas.append(base)
                found.keys.append(self._key(lower, base))
        return found


def _stems(lang: str) -> str:
    """The language of our stemmers with this code, if any."""
    known = meteor.LANGUAGES.get(meteor.ALIASES.get(lang, lang))
    return known.name if known is not None and known.name in stemmers.LANGUAGES else ""


def _closed(choice: Choice, content: str) -> tuple[frozenset[str], dict[str, str]]:
    """The words that are no content words, and what a signature says of them."""
    if content == _BY_FREQUENCY:
        if not choice.idf:
            raise SpecError(
                "content=frequency needs idf=FILE: a corpus, one sentence a line, or what `vectors idf` wrote"
            )
        weights = frequencies.cached(choice.idf, choice.tok or "13a", lowercase=True)
        found: dict[str, int] = {}
        for word, count in weights.counts().items():
            lower = word.decode("utf-8", "replace").lower()
            found[lower] = found.get(lower, 0) + count
        limit = choice.share * weights.lines
        return frozenset(word for word, count in found.items() if count > limit), {}
    if content != _BY_LIST:
        return frozenset(), {}
    if choice.function_words:
        words, source = meteor.function_words("en", choice=choice.function_words)
        return frozenset(map(str.lower, words)), {"func": source}
    own = _CLOSED / f"{choice.lang}.txt"
    if own.is_file():
        data = read_bytes(own)
        return frozenset(data.decode("utf-8").split()), {"func": f"tertium-{digest(data)}"}
    if meteor.ALIASES.get(choice.lang, choice.lang) in meteor.LANGUAGES:
        words, source = meteor.function_words(choice.lang, choice="language")
        if words:
            return frozenset(words), {"func": source}
    raise SpecError(
        f"there is no list of function words for lang={choice.lang}: give one (function_words=FILE), a corpus "
        "(content=frequency,idf=FILE) or a parser that tags, or take all words (content=all)"
    )
