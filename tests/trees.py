"""A parser for tests: trees made from the words alone, of any text, with lemmas, tags and features."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple

from tertium.text.cut import words_only
from tertium.text.parsers import LAYERS, PARSERS, Parser
from tertium.text.parses import NO_HEAD, DeepNode, Parsed

TAGS = ("NOUN", "VERB", "ADJ", "ADP", "DET", "PUNCT")
RELATIONS = ("nsubj", "obj", "case", "det", "amod", "obl")


class MadeParser:
    """The first word of a sentence is its root; each other one hangs on an earlier one."""

    layers = frozenset((*LAYERS, "deep"))

    def items(self) -> dict[str, str]:
        return {"parser": '"made:trees"'}

    def parse(self, texts: Sequence[str]) -> list[Parsed]:
        return [_made(words_only(text)) for text in texts]


@cache
def _number(seed: str) -> int:
    """One that looks drawn: made from the word alone, and quickly."""
    return zlib.crc32(seed.encode("utf-8", "surrogatepass")) >> 4


def _made(parsed: Parsed) -> Parsed:
    heads = [NO_HEAD] * len(parsed)
    for begin, end in parsed.sentences:
        for place in range(begin + 1, end):
            heads[place] = begin + _number(f"{parsed.words[place]} {place - begin}") % (place - begin)
    known = [_known(word) for word in parsed.words]
    nodes = [DeepNode(one.deep, head) for one, head in zip(known, heads, strict=True)]
    return replace(
        parsed,
        heads=tuple(heads),
        deep=tuple(nodes),
        lemmas=tuple(word.lower()[:5] for word in parsed.words),
        tags=tuple(one.tag for one in known),
        features=tuple(one.features for one in known),
        relations=tuple(
            "root" if head == NO_HEAD else one.relation for head, one in zip(heads, known, strict=True)
        ),
    )


class _Known(NamedTuple):
    tag: str
    relation: str
    features: dict[str, str]
    deep: dict[str, str]


@cache
def _known(word: str) -> _Known:
    number = _number(word)
    return _Known(
        TAGS[number % 6],
        RELATIONS[number // 6 % 6],
        {"Number": ("Sing", "Plur")[number // 36 % 2], "Tense": "Past"},
        {"t_lemma": word.lower(), "functor": ("ACT", "PAT", "RSTR")[number // 72 % 3]},
    )


MADE = Parser("Trees made from words, for tests.", lambda argument: MadeParser())


def plug_in() -> str:
    """Makes the parser known, and says how it is named."""
    PARSERS.table = {**PARSERS.table, "made": "tests.trees:MADE"}
    return "made:trees"
