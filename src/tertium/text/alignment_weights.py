"""How the monolingual aligner weighs its evidence: names, in the kernel's order, and weights learned from people.

`data/aligner.json` has a set of weights for each combination of what may be known (`python -m tools.aligner` made it,
from Edinburgh++): a set is two rounds of rows, one for each class of pairs, each with a weight for every kind of
evidence and a constant behind them, and the least score of a link.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).parent.parent / "data" / "aligner.json"
KNOWN = ("parses", "synonyms", "paraphrases", "vectors")  # what sets of weights differ by
CLASSES = ("content", "function", "signs", "content with function")
WORDS = (
    *("equal", "stem", "synonym", "paraphrase", "in paraphrases", "letters", "cosine", "cosine above 0.5"),
    *("digits in one", "digits in both"),
)
AROUND = (
    *("left equal", "right equal", "near left equal", "near right equal", "two in a row", "three in a row"),
    *("ambiguous", "off the diagonal", "content around"),
)
TREE = ("tag", "relation", "head", "head and relation", "dependents", "dependents and relations")
LINKS = (
    *(
        "first score",
        "linked",
        "ours taken",
        "theirs taken",
        "our rival",
        "their rival",
        "left linked",
        "right linked",
    ),
    *(
        "off the left",
        "off the right",
        "off the nearer",
        "inside",
        "in a gap",
        "beside a gap",
        "alone in a gap",
    ),
    *("in gaps of one length", "length of the gap"),
)
LINKED_TREE = (
    *("head linked", "head linked, relation", "head linked elsewhere", "dependents linked"),
    *("dependents linked, relations", "turned round"),
)
FIRST = (*WORDS, *AROUND, *TREE)
SECOND = (*FIRST, *LINKS, *LINKED_TREE)
Rows = list[list[float]]


class Weights(NamedTuple):
    """Rows of both rounds, and the least score of a link."""

    first: Rows
    second: Rows
    least: float

    def flat(self) -> list[float]:
        """As the kernel takes them."""
        return [*(w for row in self.first for w in row), *(w for row in self.second for w in row), self.least]


def key(known: Iterable[str]) -> str:
    """The name of a set: what is known, in order.

    >>> key({"vectors", "parses"}), key(())
    ('parses+vectors', 'words')
    """
    found = set(known)
    return "+".join(name for name in KNOWN if name in found) or "words"


def weights(known: Iterable[str]) -> Weights:
    """The weights where these things are known besides words.

    >>> len(weights(["parses"]).flat())
    301
    """
    return _sets()[key(known)]


@lru_cache(maxsize=1)
def _sets() -> dict[str, Weights]:
    found = json.loads(FILE.read_text(encoding="utf-8"))["sets"]
    return {name: Weights(**rows) for name, rows in found.items()}


@lru_cache(maxsize=1)
def digest() -> str:
    """What signatures say of the weights: the beginning of their file's SHA-256."""
    return hashlib.sha256(FILE.read_bytes()).hexdigest()[:8]
