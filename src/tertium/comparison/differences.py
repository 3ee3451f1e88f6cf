"""Words that differ between two texts, for people to see."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher


@dataclass(frozen=True)
class Piece:
    """A run of words: as in the text it was compared with, or not."""

    text: str
    same: bool


def pieces(text: str, other: str) -> tuple[Piece, ...]:
    """A text in runs of words that stand in another text too, in the same order, and runs that do not.

    >>> [(p.text, p.same) for p in pieces("the cat sat on a mat", "the cat sat on the mat")]
    [('the cat sat on', True), ('a', False), ('mat', True)]
    """
    words, others = text.split(), other.split()
    matcher = SequenceMatcher(None, words, others, autojunk=False)
    found: list[Piece] = []
    at = 0
    for block in matcher.get_matching_blocks():
        if block.a > at:
            found.append(Piece(" ".join(words[at : block.a]), False))
        if block.size:
            found.append(Piece(" ".join(words[block.a : block.a + block.size]), True))
        at = block.a + block.size
    return tuple(found)


def marked(parts: Iterable[Piece]) -> str:
    """Runs that differ in brackets, which need no colour to be seen.

    >>> marked(pieces("the cat sat on a mat", "the cat sat on the mat"))
    'the cat sat on [a] mat'
    """
    return " ".join(piece.text if piece.same else f"[{piece.text}]" for piece in parts)
