"""Where parses come from: `conllu:FILES`, `penn:FILES`, `spacy:MODEL`, `lexicon:FILE`, `simplemma:LANGUAGE`,
`hanta:LANGUAGE`, or nothing: words.

A parser is chosen by name and what stands after the colon; packages add theirs under `tertium.parsers`. The same text
has the same parse in whatever batch, so that rows of metrics stay functions of texts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from tertium.errors import SpecError
from tertium.registry import Registry
from tertium.text.cut import Cut
from tertium.text.parses import Parsed

LAYERS = ("lemmas", "tags", "features", "heads")
PARSER_HELP = (
    "where parses come from: conllu:FILES (separated by ;), penn:FILES, spacy:MODEL, lexicon:FILE, hanta:LANGUAGE, "
    "simplemma:LANGUAGE"
)


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
        "penn": "tertium.text.parse_store:PENN",
        "tecto": "tertium.text.parse_store:TECTO",
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


class _WordsOnly:
    layers: frozenset[str] = frozenset()

    def items(self) -> dict[str, str]:
        return {"parser": "none"}

    def parse(self, texts: Sequence[str]) -> list[Parsed]:
        return Cut.of(texts).parses


_WORDS = _WordsOnly()
