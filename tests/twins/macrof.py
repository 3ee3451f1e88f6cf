"""MacroF and MicroF as one would explain them on paper: the slow twin of native/types.hpp.

Thamme Gowda, Weiqiu You, Constantine Lignos, Jonathan May, "Macro-Average: Rare Types Are Important Too",
NAACL 2021.
Translation is seen as classification: every word type c is a class, with

    P(c) = matched(c) / predicted(c),    R(c) = matched(c) / references(c),
    F(c) = (1 + beta^2) P R / (beta^2 P + R),

MacroF the plain mean of F(c) over all types of hypotheses and references, MicroF the mean with weights
references(c) + k. With several references a type is expected as often as the reference that has most of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tests.twins.tokenizers import tokenize


@dataclass
class Class:
    """What is known of one type."""

    predicted: int = 0
    reference: int = 0
    matched: int = 0

    def f(self, beta: float) -> float:
        if not self.matched:
            return 0.0
        precision, recall = self.matched / self.predicted, self.matched / self.reference
        return (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


def types(text: str, tokenizer: str, order: int, unit: str) -> Counter[str]:
    """How often each type stands in the text: words or characters, and their n-grams up to the order.

    >>> sorted(types("a b a", "none", 2, "word"))
    ['a', 'a b', 'b', 'b a']
    """
    tokens = tokenize("char" if unit == "char" else tokenizer, text)
    between = "" if unit == "char" else " "
    spans = ((i, i + n) for n in range(1, order + 1) for i in range(len(tokens) - n + 1))
    return Counter(between.join(tokens[begin:end]) for begin, end in spans)


def classes(
    hypotheses: Sequence[str],
    references: Sequence[Sequence[str | None]],
    *,
    tokenizer: str = "13a",
    lowercase: bool = False,
    order: int = 1,
    unit: str = "word",
) -> dict[str, Class]:
    """The counts of every type, over all segments. `references` are streams; None is no reference."""
    found: dict[str, Class] = {}
    for hypothesis, *texts in zip(hypotheses, *references, strict=True):
        counters = [
            types(text.lower() if lowercase else text, tokenizer, order, unit)
            for text in [hypothesis, *texts]
            if text is not None
        ]
        predicted, expected = counters[0], Counter[str]()
        for counter in counters[1:]:
            expected |= counter
        for name in predicted.keys() | expected.keys():
            entry = found.setdefault(name, Class())
            entry.predicted += predicted[name]
            entry.reference += expected[name]
            entry.matched += min(predicted[name], expected[name])
    return found


def macrof(entries: Iterable[Class], beta: float = 1.0) -> float | None:
    """In percent; None without any type.

    >>> macrof([Class(1, 1, 1), Class(1, 0, 0)])
    50.0
    """
    scores = [entry.f(beta) for entry in entries]
    return 100 * sum(scores) / len(scores) if scores else None


def microf(entries: Iterable[Class], beta: float = 1.0, k: float = 1.0) -> float | None:
    """In percent; None without any weight.

    >>> microf([Class(2, 2, 2), Class(1, 0, 0)])
    75.0
    """
    weighted = [(entry.reference + k, entry.f(beta)) for entry in entries]
    total = sum(weight for weight, _ in weighted)
    return 100 * sum(weight * f for weight, f in weighted) / total if total else None
