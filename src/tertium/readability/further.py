"""Features that need more than the sentence: a language model, which its words surprise, or its parse.

The scale that comes with Tertium has neither, since neither made it better (docs/readability.md). One that was trained
with them asks for them wherever it reads, in the languages that had them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np

from tertium.errors import InputError
from tertium.io.door import read_strings
from tertium.io.streams import FilePath, display_name
from tertium.readability.features import FEATURES, Numbers
from tertium.text.keyed import KeyedWords
from tertium.text.ngrams import NgramModel
from tertium.text.parsers import OpenParser, needed
from tertium.text.parses import NO_HEAD, Parsed

SURPRISE = {
    "surprise": "surprise of words in their context (logarithm of the probability), mean",
    "worst surprise": "surprise of the most surprising word",
    "surprise 75": "surprise that a quarter of words is beyond",
    "all surprise": "sum of surprise, by the root of words",
}
PARSES = {
    "parse depth": "steps from a word to the root, the most (logarithm)",
    "mean depth": "steps from words to the root, mean",
    "dependency length": "words between a word and its head, mean (logarithm)",
    "longest dependency": "words between a word and its head, the most (logarithm)",
    "clauses": "words that head a subordinate clause",
    "before the verb": "words before the root, the most (logarithm)",
}
SETS: Mapping[str, Mapping[str, str]] = {"surprise": SURPRISE, "parses": PARSES}
_CLAUSES = frozenset(("acl", "advcl", "ccomp", "csubj", "xcomp"))
_ASKED = {"surprise": ("--language-model", "language model"), "parses": ("--parser", "parser")}


@dataclass(frozen=True, eq=False)
class LanguageModel:
    """An n-gram model, and the texts that it is of."""

    name: str
    hash: str
    model: NgramModel

    @classmethod
    def of(cls, texts: Sequence[str], name: str = "") -> LanguageModel:
        digest = sha256("\n".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:8]
        return cls(name, digest, NgramModel.learn(texts))


def read_language_model(path: FilePath) -> LanguageModel:
    """A model of the texts of a file, a line for each."""
    texts = read_strings(path)
    if not any(char.isalpha() for text in texts for char in text):
        raise InputError(f"{display_name(path)}: there are no words in this file")
    return LanguageModel.of(texts, display_name(path))


@dataclass(frozen=True, eq=False)
class Helpers:
    """What is at hand in one language."""

    model: LanguageModel | None = None
    parser: OpenParser | None = None

    @property
    def sets(self) -> tuple[str, ...]:
        """Which features can be had."""
        at_hand = zip(SETS, (self.model, self.parser), strict=True)
        return tuple(name for name, own in at_hand if own is not None)

    def rows(self, texts: Sequence[str], sets: Sequence[str], own: Sequence[str]) -> Numbers:
        """Features of texts: of all `sets`, with zeros for those that are not among the language's `own`."""
        made = [
            _MADE[name](self, texts) if name in own else np.zeros((len(texts), len(SETS[name])))
            for name in sets
        ]
        return np.hstack([np.zeros((len(texts), 0)), *made])


NOTHING = Helpers()


def helpers(model: str | None = None, parser: str | None = None) -> Helpers:
    """A language model by its file, a parser by its name."""
    return Helpers(
        read_language_model(model) if model else None,
        needed("a readability scale", parser, ["heads"]) if parser else None,
    )


def names(sets: Sequence[str]) -> tuple[str, ...]:
    """Of all features, these sets among them."""
    return (*FEATURES, *(name for one in sets for name in SETS[one]))


def sets_of(features: Sequence[str]) -> tuple[str, ...]:
    """The sets that some features are of."""
    known = set(features)
    return tuple(name for name, own in SETS.items() if known & own.keys())


def missing(lang: str, reads: Sequence[str], given: Helpers) -> str:
    """What a scale asks for and does not get, or gets and does not ask for; nothing where both are the same."""
    for name, (option, what) in _ASKED.items():
        if name in reads and name not in given.sets:
            return f"the scale needs a {what} of the language {lang!r}: give it ({option})"
        if name in given.sets and name not in reads:
            return f"the scale takes no {what} of the language {lang!r}: leave out {option}, or train one that does"
    return ""


def surprise_rows(model: NgramModel, texts: Sequence[str]) -> Numbers:
    """A row of `SURPRISE` for each text.

    >>> model = NgramModel.learn(["the cat sat", "the cat ran", "a dog sat"])
    >>> known, strange = surprise_rows(model, ["the cat sat", "sat dog the"])
    >>> bool((known < strange).all())
    True
    """
    words = KeyedWords.of(texts)
    found = np.zeros((len(texts), len(SURPRISE)))
    own = -model.log_probabilities(words)
    some = np.flatnonzero(words.sizes)
    if not len(some):
        return found
    first, sizes = words.starts[some], words.sizes[some]
    ordered = own[np.lexsort((own, words.segments))]
    sums = np.add.reduceat(own, first)
    at = 0.75 * (sizes - 1)
    low = np.floor(at).astype(np.int64)
    below, above = ordered[first + low], ordered[first + np.minimum(low + 1, sizes - 1)]
    found[some] = np.column_stack(
        [
            sums / sizes,
            ordered[first + sizes - 1],
            below + (at - low) * (above - below),
            sums / np.sqrt(sizes),
        ]
    )
    return found


def parse_row(one: Parsed) -> list[float]:
    """`PARSES` of a text; punctuation counts for depth, not for length.

    >>> heads = (1, -1, 3, 1)  # he sees the dog
    >>> row = parse_row(Parsed("", ("he", "sees", "the", "dog"), heads=heads))
    >>> [round(math.expm1(own), 2) for own in (row[0], row[2])], row[1]
    ([2.0, 1.33], 1.0)
    """
    if not one.words:
        return [0.0] * len(PARSES)
    depths = _depths(one.heads)
    lengths = [
        abs(place - head)
        for place, (head, tag) in enumerate(zip(one.heads, one.tags, strict=True))
        if head != NO_HEAD and tag != "PUNCT"
    ] or [0]
    clauses = sum(name.partition(":")[0] in _CLAUSES for name in one.relations)
    before = [
        next((place - begin for place in range(begin, end) if one.heads[place] == NO_HEAD), 0)
        for begin, end in one.sentences
    ]
    return [
        math.log1p(max(depths)),
        sum(depths) / len(depths),
        math.log1p(sum(lengths) / len(lengths)),
        math.log1p(max(lengths)),
        float(clauses),
        math.log1p(max(before)),
    ]


def _depths(heads: Sequence[int]) -> list[int]:
    """How many steps each word is below its root; heads do not go round."""
    found: dict[int, int] = {NO_HEAD: -1}
    for place in range(len(heads)):
        way = []
        while place not in found:
            way.append(place)
            place = heads[place]
        for above, own in enumerate(reversed(way), found[place] + 1):
            found[own] = above
    return [found[place] for place in range(len(heads))]


def _surprise(own: Helpers, texts: Sequence[str]) -> Numbers:
    assert own.model is not None
    return surprise_rows(own.model.model, texts)


def _parses(own: Helpers, texts: Sequence[str]) -> Numbers:
    assert own.parser is not None
    rows = [parse_row(one) for one in own.parser.parse(texts)]
    return np.array(rows, float).reshape(len(rows), len(PARSES))


_MADE: Mapping[str, Callable[[Helpers, Sequence[str]], Numbers]] = {"surprise": _surprise, "parses": _parses}
