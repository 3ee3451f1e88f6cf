"""Where parses come from: `conllu:FILES`, `spacy:MODEL`, `lexicon:FILE`, `simplemma:LANGUAGE`,
`hanta:LANGUAGE`, or nothing: words.

A parser is chosen by name and what stands after the colon; packages add theirs under `tertium.parsers`. The same text
has the same parse in whatever batch, so that rows of metrics stay functions of texts.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from tertium.errors import SpecError
from tertium.registry import Registry
from tertium.text.parses import Parsed

LAYERS = ("lemmas", "tags", "features", "heads")
PARSER_HELP = (
    "where parses come from: conllu:FILES (separated by ;), spacy:MODEL, lexicon:FILE, hanta:LANGUAGE, "
    "simplemma:LANGUAGE"
)
_TOKEN = re.compile(r"\w+(?:['\u2019](?=\w\w)|(?:[-\u2010\u2011]\w+)*)|[^\w\s]")
_GAP = re.compile(r"""[.!?\u2026"'\u201d\u2019\u00bb)\]]\s+""")  # where a sentence may end
_LINE_END = re.compile(r"\n\s*")
_ENDING = re.compile(r"""[.!?\u2026]+["'\u201d\u2019\u00bb)\]]*$""")


class OpenParser(Protocol):
    """A parser at work: which layers it makes, what decides its parses (for signatures), and the parses."""

    @property
    def layers(self) -> frozenset[str]: ...

    def items(self) -> dict[str, str]: ...

    def parse(self, texts: Sequence[str]) -> list[Parsed]: ...


@dataclass(frozen=True)
class Parser:
    """A way to get parses: a sentence about it, and how it is opened, given what stands after the colon."""

    sentence: str
    opened: Callable[[str], OpenParser]


PARSERS: Registry[Parser] = Registry(
    "parser",
    "tertium.parsers",
    {
        "conllu": "tertium.text.parse_store:CONLLU",
        "spacy": "tertium.text.spacy_parser:SPACY",
        "simplemma": "tertium.text.lemmatizers:SIMPLEMMA",
        "hanta": "tertium.text.lemmatizers:HANTA",
        "lexicon": "tertium.text.lexicon:LEXICON",
    },
)


def parser(spec: str) -> OpenParser:
    """The parser that `name:argument` names; "" is the one that only cuts words.

    >>> parser("").parse(["L'ami dort."])[0].words
    ("L'", 'ami', 'dort', '.')
    """
    if not spec:
        return _WORDS
    name, _, argument = spec.partition(":")
    found = PARSERS[name]
    if not argument:
        raise SpecError(f"parser {name!r} says nothing after its name: write {name}:... ({found.sentence})")
    return found.opened(argument)


def needed(metric: str, spec: str, layers: Sequence[str]) -> OpenParser:
    """The parser, if it makes the layers that a metric cannot do without."""
    made = parser(spec)
    missing = [layer for layer in layers if layer not in made.layers]
    if missing:
        raise SpecError(
            f"{metric} needs {' and '.join(missing)}, which the parser {spec or 'of words'!r} does not make"
        )
    return made


def cut_words(text: str) -> list[str]:
    """The words and signs of a text, by rule.

    >>> cut_words("L'ami dort.")
    ["L'", 'ami', 'dort', '.']
    """
    return _TOKEN.findall(text)


def words_only(text: str) -> Parsed:
    """Words, signs and sentences by rule: a sentence ends with its line, or with a full stop before a capital.

    >>> words_only("Il dort. Elle lit.\\nOui").starts
    (0, 3, 6)
    """
    spans = tuple([one.span() for one in _TOKEN.finditer(text)])
    words = tuple([text[begin:end] for begin, end in spans])
    begins = [begin for begin, _ in spans]
    starts = [0] * bool(spans)
    for begin in sorted(_sentence_begins(text)):
        place = bisect_left(begins, begin)
        if 0 < place < len(begins) and begins[place] == begin:
            starts.append(place)
    return Parsed(text, words, starts=tuple(starts), spans=spans)


def _sentence_begins(text: str) -> set[int]:
    """Where sentences begin behind white space, as far as its surroundings say."""
    found = {gap.end() for gap in _LINE_END.finditer(text)}
    for gap in _GAP.finditer(text):
        begin = gap.end()
        before = text[max(0, begin - 12) : begin].rstrip()
        if begin < len(text) and not text[begin].islower() and _ENDING.search(before):
            found.add(begin)
    return found


class _WordsOnly:
    layers: frozenset[str] = frozenset()

    def items(self) -> dict[str, str]:
        return {"parser": "none"}

    def parse(self, texts: Sequence[str]) -> list[Parsed]:
        return list(map(words_only, texts))


_WORDS = _WordsOnly()
