"""A parser for tests: trees made from the words alone, of any text, with lemmas, tags and features."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

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


def _draw(seed: str) -> random.Random:
    return random.Random(seed.encode("utf-8", "surrogatepass"))


def _made(parsed: Parsed) -> Parsed:
    heads = [NO_HEAD] * len(parsed)
    for begin, end in parsed.sentences:
        for place in range(begin + 1, end):
            heads[place] = begin + _draw(f"{parsed.words[place]} {place - begin}").randrange(place - begin)
    nodes = [
        DeepNode({"t_lemma": word.lower(), "functor": _draw(word).choice(("ACT", "PAT", "RSTR"))}, head)
        for word, head in zip(parsed.words, heads, strict=True)
    ]
    draws = [_draw(word) for word in parsed.words]
    return replace(
        parsed,
        heads=tuple(heads),
        deep=tuple(nodes),
        lemmas=tuple(word.lower()[:5] for word in parsed.words),
        tags=tuple(draw.choice(TAGS) for draw in draws),
        features=tuple({"Number": draw.choice(("Sing", "Plur")), "Tense": "Past"} for draw in draws),
        relations=tuple(
            "root" if head == NO_HEAD else draw.choice(RELATIONS)
            for head, draw in zip(heads, draws, strict=True)
        ),
    )


MADE = Parser("Trees made from words, for tests.", lambda argument: MadeParser())


def plug_in() -> str:
    """Makes the parser known, and says how it is named."""
    PARSERS.table = {**PARSERS.table, "made": "tests.trees:MADE"}
    return "made:trees"
