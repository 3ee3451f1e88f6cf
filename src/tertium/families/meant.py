"""MEANT 2.0: who did what to whom, by the similarity of semantic role fillers; and its form without roles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from tertium.families.base import option
from tertium.families.phrases import ALPHA_HELP, ORDER_HELP, PARSES_HELP, VectorMetric
from tertium.text.srl import Aligned, Compare, Parse, aligned_frames, covered, frame_value

_PHRASE = (
    "s(e, f) = 1 if e and f differ at most in capitalisation, else max(0, cosine of their vectors)\n"
    "P = sum over n-grams of max over the other's n-grams of sum w(e) s(e, f), over sum w(e), w = idf; R likewise\n"
)
_PAPER = "Lo 2017, https://aclanthology.org/W17-4767"


@dataclass(frozen=True)
class MEANT2NoSRL(VectorMetric):
    """MEANT 2.0-nosrl: the whole sentence as one long phrase.

    >>> import tertium as tt
    >>> m = tt.metric("meant2-nosrl:vectors=wiki.en.vec")
    >>> m.order, m.alpha
    (2, 0.5)
    """

    name: ClassVar[str] = "meant2-nosrl"
    label: ClassVar[str] = "MEANT2-nosrl"
    title: ClassVar[str] = (
        "similarity of sentences as phrases, by word vectors and idf (MEANT 2.0-nosrl; vectors=FILE)"
    )
    formula: ClassVar[str] = (
        _PHRASE
        + "MEANT = P R / (alpha P + (1 - alpha) R), of the whole sentence. The corpus score is the mean."
    )
    paper: ClassVar[str] = _PAPER
    quirks: ClassVar[str] = (
        "The original program is lost; this follows the paper. The length of n-grams and alpha are options: 2 and 0.5\n"
        "are our reading. Words compare and weigh as in YiSi-1, its successor. Several references: the best P and the\n"
        "best R."
    )
    framed: ClassVar[bool] = False

    order: int = option(2, ORDER_HELP, aliases=("ngram", "n"), between=(1, 100), key="n")
    alpha: float = option(0.5, ALPHA_HELP, between=(0, 1), key="alpha")


@dataclass(frozen=True)
class MEANT2(MEANT2NoSRL):
    """MEANT 2.0: frames are matched by their predicates, their role fillers by the similarity of phrases.

    >>> import tertium as tt
    >>> m = tt.metric('meant2:vectors=wiki.en.vec,parses="ref.conll09;hyp.conll09"')
    >>> m.beta
    1.0
    """

    name: ClassVar[str] = "meant2"
    label: ClassVar[str] = "MEANT2"
    title: ClassVar[str] = (
        "similarity of who did what to whom, from parses (MEANT 2.0; vectors=FILE, parses=FILES)"
    )
    formula: ClassVar[str] = (
        _PHRASE
        + "s_pred, s_j = 2 P R / (P + R) of the fillers of matched predicates and roles of the same kind\n"
        "precision = sum over frames of c_i (w_pred s_pred + sum_j w_j s_j) / (w_pred + sum_j w_j), over sum c_i;\n"
        "recall likewise; c_i = words of frame i, w = how often a kind of role occurs in the references, predicates\n"
        "a quarter; "
        "MEANT = precision recall / (alpha precision + (1 - alpha) recall). The corpus score is the mean."
    )
    quirks: ClassVar[str] = (
        MEANT2NoSRL.quirks
        + "\nA sentence pair in which one has no frames is compared as in MEANT 2.0-nosrl. Parses are found by the\n"
        "words of a text, in any order; beta mixes in the sentence as a whole."
    )
    required: ClassVar[tuple[str, ...]] = ("vectors", "parses")
    framed: ClassVar[bool] = True

    parses: str = option("", PARSES_HELP, key="parses", file=True)
    beta: float = option(1.0, "how much frames count against the flat sentence", between=(0, 1), key="beta")

    def _structure(
        self, own: Parse, others: list[Parse], compare: Sequence[Compare], roles: Mapping[str, float]
    ) -> tuple[float, float]:
        found = [self._pair(own, other, how, roles) for other, how in zip(others, compare, strict=True)]
        return max(precision for precision, _ in found), max(recall for _, recall in found)

    def _pair(
        self, own: Parse, other: Parse, compare: Compare, roles: Mapping[str, float]
    ) -> tuple[float, float]:
        def balanced(pairs: Any) -> list[tuple[float, float]]:
            return [(_f(p, r), _f(p, r)) for p, r in compare(pairs)]

        theirs, ours = aligned_frames(other, own, balanced)
        if not theirs or not ours:
            (flat,) = compare([(0, len(other.tokens), 0, len(own.tokens))])
            return flat
        return _value(ours, roles), _value(theirs, roles)


def _value(frames: list[Aligned], roles: Mapping[str, float]) -> float:
    return covered([(one.frame, frame_value([one], roles, same_kind=True)) for one in frames])


def _f(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0
