"""How a sentence and its translation diverge: in length, order or parts of speech; each with the reason in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tertium.errors import SpecError
from tertium.text.alignment import Links, crossing_share, moved_most

Kind = Literal["length", "order", "part of speech", "failure", "output length", "surprising output"]
KINDS: tuple[Kind, ...] = ("length", "order", "part of speech")
OUTPUT_KINDS: tuple[Kind, ...] = ("failure", "output length", "surprising output")  # of a system's outputs
FEWEST_LINKS = 4  # fewer say nothing about word order
CONTENT = frozenset({"ADJ", "ADV", "NOUN", "VERB"})
_OTHERS = "ADP AUX CCONJ DET INTJ NUM PART PRON PROPN PUNCT SCONJ SYM X _"
_TAGS = CONTENT | frozenset(_OTHERS.split())  # the universal ones


@dataclass(frozen=True)
class Sentence:
    """The words of one side, with their parts of speech where a parse is given."""

    words: tuple[str, ...]
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Divergence:
    """One way in which a sentence pair diverges, how far, why, and the words that show it (by their places)."""

    kind: Kind
    value: float
    reason: str
    source_words: tuple[int, ...] = ()
    target_words: tuple[int, ...] = ()


def length_divergences(lengths: Sequence[tuple[int, int]]) -> list[Divergence | None]:
    """How far target lengths are from those expected from source lengths, in standard deviations (Gale and Church
    1993): |t - c s| / sqrt(v s), with c the ratio of all target to all source words and v the mean of (t - c s)² / s
    over the corpus. None for empty sentences.

    >>> [round(found.value, 2) for found in length_divergences([(5, 5), (5, 5), (5, 10), (10, 10)])]
    [0.45, 0.45, 1.79, 0.63]
    """
    full = [(s, t) for s, t in lengths if s and t]
    ratio = sum(t for _, t in full) / max(1, sum(s for s, _ in full))
    variance = sum((t - ratio * s) ** 2 / s for s, t in full) / max(1, len(full))
    found: list[Divergence | None] = []
    for s, t in lengths:
        if not s or not t:
            found.append(None)
            continue
        value = abs(t - ratio * s) / math.sqrt(variance * s) if variance else 0.0
        usual = "as many as usual" if t == round(ratio * s) else f"{ratio * s:.0f} would be usual"
        found.append(Divergence("length", value, f"{s} source words became {t} target words; {usual}"))
    return found


def order_divergence(source: Sentence, target: Sentence, links: Links) -> Divergence | None:
    """The share of crossing pairs among the links between words; punctuation does not count.

    >>> s, t = Sentence(("Yesterday", "he", "came", "home")), Sentence(("Il", "est", "rentré", "hier"))
    >>> found = order_divergence(s, t, ((0, 3), (1, 0), (2, 1), (3, 2)))
    >>> found.value, found.reason
    (0.5, "50% of the pairs of linked words cross; 'Yesterday' is word 1 of 4, 'hier' word 4 of 4")
    """
    real = [(i, j) for i, j in links if _is_word(source.words[i]) and _is_word(target.words[j])]
    share = crossing_share(real)
    if share is None or len(real) < FEWEST_LINKS:
        return None
    moved = moved_most(real)
    if moved is None:
        return Divergence("order", 0.0, "no linked words cross")
    i, j = moved
    reason = (
        f"{share:.0%} of the pairs of linked words cross; {source.words[i]!r} is word {i + 1} of {len(source.words)}, "
        f"{target.words[j]!r} word {j + 1} of {len(target.words)}"
    )
    return Divergence("order", share, reason, (i,), (j,))


def tag_divergence(source: Sentence, target: Sentence, links: Links) -> Divergence | None:
    """The number of content words that are linked one to one but change their part of speech, such as a verb that
    becomes a noun. None without parses of both sides.

    >>> s, t = Sentence(("I", "like", "it"), ("PRON", "VERB", "PRON")), Sentence(("Gern",), ("ADV",))
    >>> tag_divergence(s, t, ((1, 0),)).reason
    "'like' (VERB) became 'Gern' (ADV)"
    """
    if not source.tags or not target.tags:
        return None
    left, right = [i for i, _ in links], [j for _, j in links]
    changed = [
        (i, j)
        for i, j in links
        if left.count(i) == right.count(j) == 1
        and {source.tags[i], target.tags[j]} <= CONTENT
        and source.tags[i] != target.tags[j]
    ]
    shown = (
        f"{source.words[i]!r} ({source.tags[i]}) became {target.words[j]!r} ({target.tags[j]})"
        for i, j in changed
    )
    return Divergence(
        "part of speech",
        float(len(changed)),
        ", ".join(shown) or "no content word changes its part of speech",
        tuple(i for i, _ in changed),
        tuple(j for _, j in changed),
    )


def _is_word(text: str) -> bool:
    return any(c.isalnum() for c in text)


@dataclass(frozen=True)
class TagPattern:
    """A run of parts of speech, such as `VERB ADP|PART * NOUN`: tags, alternatives separated by bars, and `*` for any
    one word.

    >>> TagPattern("NOUN NOUN|PROPN").found(("DET", "NOUN", "NOUN", "VERB"))
    (1, 2)
    """

    pattern: str

    def __post_init__(self) -> None:
        if not self._steps:
            raise SpecError("the pattern of parts of speech is empty")
        for step in self._steps:
            for tag in step - {"*"}:
                if tag not in _TAGS:
                    raise SpecError(
                        f"pattern {self.pattern!r}: {tag!r} is not a universal part of speech (known: "
                        f"{', '.join(sorted(_TAGS - {'_'}))}; * is any)"
                    )

    @property
    def _steps(self) -> list[frozenset[str]]:
        return [frozenset(step.split("|")) for step in self.pattern.split()]

    def found(self, tags: Sequence[str]) -> tuple[int, ...]:
        """The places of the words of the first such run; empty where there is none."""
        steps = self._steps
        for start in range(len(tags) - len(steps) + 1):
            if all("*" in step or tags[start + n] in step for n, step in enumerate(steps)):
                return tuple(range(start, start + len(steps)))
        return ()
