"""Links between words of two texts, and how far they keep the order; `align` finds them inside a language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tertium import _native
from tertium.errors import InputError
from tertium.text import meteor

Links = tuple[tuple[int, int], ...]  # (source word, target word), both from 0, in order
_LINK = re.compile(r"([0-9]{1,6})-([0-9]{1,6})")


def parse_pharaoh(line: str, n_source: int, n_target: int, where: str) -> Links:
    """A line in Pharaoh's format, `0-0 1-2`: source and target words, counted from 0.

    >>> parse_pharaoh("1-2 0-0", 2, 3, "a.align: line 1")
    ((0, 0), (1, 2))
    """
    found = set()
    for text in line.split():
        match = _LINK.fullmatch(text)
        if match is None:
            raise InputError(f"{where}: {text!r} is not a link between words, such as 0-1")
        link = (int(match[1]), int(match[2]))
        for side, place, words in (("source", link[0], n_source), ("target", link[1], n_target)):
            if place >= words:
                raise InputError(f"{where}: the link {text} is out of range: the {side} has {words} words")
        found.add(link)
    return tuple(sorted(found))


def crossing_share(links: Iterable[tuple[int, int]]) -> float | None:
    """Of the pairs of links that differ on both sides, the share that cross: 0 if word order is kept, 1 if it is
    reversed (Kendall's distance over links); None where no two links can cross.

    >>> crossing_share([(0, 0), (1, 2), (2, 1)])
    0.3333333333333333
    """
    ordered = sorted(links)
    crossing = total = 0
    for n, (i, j) in enumerate(ordered):
        for k, m in ordered[n + 1 :]:
            if i != k and j != m:
                total += 1
                crossing += j > m
    return crossing / total if total else None


def moved_most(links: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
    """The link that crosses the most others (the first, if several do); None if no links cross.

    >>> moved_most([(0, 3), (1, 0), (2, 1), (3, 2)])
    (0, 3)
    """
    counts = [sum((i - k) * (j - m) < 0 for k, m in links) for i, j in links]
    most = max(counts, default=0)
    return links[counts.index(most)] if most else None


@dataclass(frozen=True)
class Aligner:
    """Links words of texts in one language: a hypothesis and its reference, whatever their sentences.

    `modules` and files are METEOR's (families/meteor.py): without files, words are known by form and stem.
    """

    lang: str = "en"
    modules: tuple[str, ...] = ()  # exact, stem, synonym, paraphrase; default: those that need no file
    resources: str = ""
    synonyms: str = ""
    paraphrases: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "modules", self.modules or meteor.free_modules(self.lang))

    @property
    def knowledge(self) -> meteor.Knowledge:
        """What is known of words."""
        files = self.resources, self.synonyms, self.paraphrases
        return meteor.knowledge(meteor.Wanted(self.lang, self.modules, *files))

    def align_many(
        self, hypotheses: Sequence[Sequence[str]], references: Sequence[Sequence[str]], threads: int = 1
    ) -> list[Links]:
        """The links of each pair of texts, given as words."""
        knowledge = self.knowledge
        texts, others = (
            meteor.read_words(knowledge, [" ".join(_solid(words)) for words in side])
            for side in (hypotheses, references)
        )
        paired = _native.MeteorReferences(knowledge.lexicon, [others])
        found = _native.MeteorLinks(texts, paired, self.modules, 10, threads)
        return [
            tuple(
                sorted((i + k, j + k) for i, n, j, m, _ in found.matches(t)[0][0] for k in range(min(n, m)))
            )
            for t in range(len(hypotheses))
        ]


def _solid(words: Sequence[str]) -> Iterable[str]:
    """Words in lower case and without white space in them, so that a line of them has as many."""
    return ("".join(word.split()).lower() or "\u00a0" for word in words)


def align(hypothesis: Sequence[str], reference: Sequence[str], aligner: Aligner | None = None) -> Links:
    """Links between the words of two texts in one language, one to one: places in both, counted from 0.

    >>> align("the old man slept".split(), "at night the man sleeps".split())
    ((0, 2), (2, 3))
    """
    return (aligner or Aligner()).align_many([hypothesis], [reference])[0]
