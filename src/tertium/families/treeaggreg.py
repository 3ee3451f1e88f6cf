"""TreeAggreg: chrF3 of phrases that dependency trees cut out of hypothesis and reference."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from tertium import _native
from tertium._native import Lines
from tertium.families.base import Level, option
from tertium.families.chrf import ChrF
from tertium.families.parsed import ParsedMetric, Row
from tertium.families.words import MEAN_COLUMNS, NO_SEGMENTS
from tertium.statistics import DenseStatistics, StatisticColumn
from tertium.text.alignment import Links
from tertium.text.parses import Parsed

WAYS = ("subtree", "children", "linked")
_AT_ONCE = 1 << 18  # words of phrases that are held as text
Places = Sequence[int]


def phrase_pairs(
    hypothesis: Parsed, reference: Parsed, links: Links, *, phrases: str = "subtree", unlinked: str = "zero"
) -> Iterator[tuple[Places, Places]]:
    """Words of phrases that belong together, of hypothesis and reference; the first pair is the whole texts.

    >>> tree = Parsed("old men sleep", ("old", "men", "sleep"), heads=(1, 2, -1))
    >>> list(phrase_pairs(tree, tree, ((0, 0), (2, 2)), unlinked="skip"))
    [(range(0, 3), range(0, 3)), ((0,), (0,)), ((0, 1, 2), (0, 1, 2))]
    """
    yield range(len(hypothesis)), range(len(reference))
    counterpart = {j: i for i, j in links}
    ours, theirs = (_phrases(parsed, phrases) for parsed in (hypothesis, reference))
    for place, words in enumerate(theirs):
        if phrases == "linked":
            kept = [word for word in words if word in counterpart]
            if kept:
                yield sorted(counterpart[word] for word in kept), kept
        elif place in counterpart:
            yield ours[counterpart[place]], words
        elif unlinked == "zero":
            yield (), words


def _phrases(parsed: Parsed, phrases: str) -> Sequence[Places]:
    if phrases == "children":
        return [sorted((place, *below)) for place, below in enumerate(parsed.children)]
    return parsed.subtrees


@dataclass(frozen=True)
class TreeAggreg(ParsedMetric):
    """chrF3 of aligned subtrees, weighted by their words.

    >>> import tertium as tt
    >>> tt.metric("treeaggreg").score(["a"], ["a"])
    Traceback (most recent call last):
    tertium.errors.SpecError: treeaggreg needs parser, where parses come from: conllu:FILES...
    """

    name: ClassVar[str] = "treeaggreg"
    label: ClassVar[str] = "TreeAggreg"
    title: ClassVar[str] = (
        "TreeAggreg: chrF3 of the phrases that dependency trees cut, weighted by words (parser=)"
    )
    formula: ClassVar[str] = (
        "sum_k w_k chrF3(h_k, r_k) / sum_k w_k over the subtrees r_k of the reference's words, h_k the subtree of the\n"
        "word that is linked to the root of r_k, and the whole texts; w_k the words of both. phrases=children: words\n"
        "with what hangs on them directly; phrases=linked: linked words of r_k, and those that they are linked to.\n"
        "The corpus score is the mean of segment scores."
    )
    paper: ClassVar[str] = "Mareček, Bojar, Hübsch, Rosa and Variš 2017, https://aclanthology.org/W17-4769"
    quirks: ClassVar[str] = (
        "Phrases whose root has no counterpart count, and have 0 (unlinked=skip: they are left out). Words are\n"
        "linked by our aligner, not by the authors'. With several references a segment takes the best."
    )
    undefined: ClassVar[str] = NO_SEGMENTS
    required: ClassVar[tuple[str, ...]] = ("parser",)
    layers: ClassVar[tuple[str, ...]] = ("heads",)
    scope: ClassVar[Any] = "segment"

    phrases: str = option("subtree", ", ".join(WAYS), choices=WAYS, key="phrases")
    unlinked: str = option(
        "zero", "phrases without counterpart: zero, or skip", choices=("skip", "zero"), key="unlinked"
    )
    beta: float = option(3.0, "weight of recall in chrF", key="beta")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._check_beta(self.beta)

    @property
    def _columns(self) -> tuple[StatisticColumn, ...]:
        return MEAN_COLUMNS

    def _pair_rows(
        self, pairs: Sequence[tuple[Parsed, Parsed]], links: Iterator[Links], threads: int
    ) -> Iterable[Row]:
        above, below = [0.0] * len(pairs), [0] * len(pairs)
        for block in _blocks(self._cut(pairs, links)):
            for (pair, weight, _), score in zip(block, self._compared(block, threads), strict=True):
                above[pair] += weight * score
                below[pair] += weight
        return [(a / b if b else 0.0, 1) for a, b in zip(above, below, strict=True)]

    def _cut(
        self, pairs: Sequence[tuple[Parsed, Parsed]], links: Iterator[Links]
    ) -> Iterator[tuple[int, int, tuple[str, str]]]:
        """All phrases of all pairs: the number of the pair, the weight, the words."""
        for number, sides in enumerate(pairs):
            for places in phrase_pairs(*sides, next(links), phrases=self.phrases, unlinked=self.unlinked):
                ours, theirs = (
                    " ".join([side.words[place] for place in own])
                    for side, own in zip(sides, places, strict=True)
                )
                yield number, sum(map(len, places)), (ours, theirs)

    def _compared(self, block: Sequence[tuple[int, int, tuple[str, str]]], threads: int) -> Iterable[float]:
        chrf: Any = ChrF(beta=self.beta)
        ours, theirs = (Lines(list(texts)) for texts in zip(*(words for _, _, words in block), strict=True))
        found: Iterable[float] = chrf._scores(chrf.statistics(ours, [theirs], threads=threads), "segment")
        return found

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        return _native.mean_scores(statistics.data, 0, 1.0)


def _blocks(phrases: Iterator[tuple[int, int, tuple[str, str]]]) -> Iterator[list[Any]]:
    """Phrases in lists of so many words that memory stays flat: a long chain of words has many."""
    held: list[Any] = []
    words = 0
    for phrase in phrases:
        held.append(phrase)
        words += phrase[1] + 1
        if words > _AT_ONCE:
            yield held
            held, words = [], 0
    if held:
        yield held
