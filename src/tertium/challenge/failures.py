"""Where a system fails on its own training data: it cannot reproduce the reference, or its output is atypical.

Isabelle, Cherry and Foster (2017, section 7): a challenge set for a new language pair could be found by "atypical
output configurations, or perhaps by a system's inability to reproduce a reference from its own training data".
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from tertium import registry
from tertium.challenge.divergence import Divergence, Kind, Sentence, length_divergences
from tertium.errors import SpecError
from tertium.text.alignment import Links

_SHOWN = 4  # words that are named


def output_divergences(
    texts: Sequence[tuple[str, str]],
    sources: Sequence[Sentence],
    targets: Sequence[Sentence],
    outputs: Sequence[Sentence],
    links: Sequence[Links] | None,
    kinds: Sequence[Kind],
    metric: str,
) -> list[list[Divergence]]:
    """What is wrong with each of a system's outputs; `texts` are outputs and references."""
    measured: list[Iterable[Divergence | None]] = []
    if "failure" in kinds:
        lost = failures(texts, targets, outputs, metric)
        measured.append(lost if links is None else map(_localized, lost, links))
    if "output length" in kinds:
        measured.append(_output_lengths(sources, targets, outputs))
    if "surprising output" in kinds:
        measured.append(surprises(targets, outputs))
    found: list[list[Divergence]] = [[] for _ in texts]
    for divergences in measured:
        for own, divergence in zip(found, divergences, strict=True):
            own += [] if divergence is None else [divergence]
    return found


def failures(
    texts: Sequence[tuple[str, str]], targets: Sequence[Sentence], outputs: Sequence[Sentence], metric: str
) -> list[Divergence]:
    """How far each output is from its reference: the score of a perfect output by a metric, less that of this one.
    `texts` are outputs and references. The reference's words that the output lacks are those to look at.

    >>> [found] = failures([("il rentra", "il est rentré")], [Sentence(("il", "est", "rentré"))],
    ...     [Sentence(("il", "rentra"))], "chrf")
    >>> found.reason
    "the system's output has 33.2 chrF2 with the reference, and lacks 'est', 'rentré'"
    """
    chosen = registry.metric(metric)
    if chosen.perfect is None or chosen.needs_source:
        raise SpecError(
            f"{chosen.label} cannot say how far an output is from its reference: choose another metric"
        )
    rows = chosen.statistics([output for output, _ in texts], [[target for _, target in texts]])
    scores = chosen.score_rows(rows, "segment")
    found = []
    for score, target, output in zip(scores.tolist(), targets, outputs, strict=True):
        lacking = _lacking(target.words, output.words)
        named = ", ".join(repr(target.words[place]) for place in lacking[:_SHOWN])
        more = f" and {len(lacking) - _SHOWN} more words" if len(lacking) > _SHOWN else ""
        lost = 0.0 if math.isnan(score) else abs(chosen.perfect - score)
        reason = f"the system's output has {score:.1f} {chosen.label} with the reference"
        reason += f", and lacks {named}{more}" if lacking else ""
        found.append(Divergence("failure", lost, reason, (), lacking))
    return found


def _lacking(target: Sequence[str], output: Sequence[str]) -> tuple[int, ...]:
    left = Counter(word.casefold() for word in output)
    places = []
    for place, word in enumerate(target):
        if left[word.casefold()]:
            left[word.casefold()] -= 1
        elif any(c.isalnum() for c in word):
            places.append(place)
    return tuple(places)


def _localized(found: Divergence, links: Links) -> Divergence:
    """With the words of the source that are linked to what the output lacks."""
    lacking = set(found.target_words)
    return replace(found, source_words=tuple(sorted({i for i, j in links if j in lacking})))


def _output_lengths(
    sources: Sequence[Sentence], targets: Sequence[Sentence], outputs: Sequence[Sentence]
) -> Iterator[Divergence | None]:
    """How far the lengths of outputs are from those expected from their sources, where the reference's is another."""
    lengths = [(len(own.words), len(output.words)) for own, output in zip(sources, outputs, strict=True)]
    for found, target, (_, length) in zip(length_divergences(lengths), targets, lengths, strict=True):
        if found is None or length == len(target.words):
            yield None
        else:
            reason = found.reason.replace("target words", "words of output")
            yield replace(
                found, kind="output length", reason=f"{reason}; the reference has {len(target.words)}"
            )


def surprises(targets: Sequence[Sentence], outputs: Sequence[Sentence]) -> Iterator[Divergence | None]:
    """How much less an output reads like the targets than its own reference does, in bits per word.

    Both are scored by a bigram model of all targets but this one: p(w | v) = (c(v w) + T(v) p(w)) / (c(v) + T(v)), with
    T(v) the number of words seen behind v (Witten and Bell 1991), and p(w) = (c(w) + 1) / (N + V + 1). Case does not
    count. None where a text is empty.
    """
    model = _Bigrams(targets)
    for target, output in zip(targets, outputs, strict=True):
        if not target.words or not output.words:
            yield None
            continue
        own = _pairs(target)
        bits, usual = model.bits(_pairs(output), own), model.bits(own, own)
        mean, expected = (sum(each) / len(each) for each in (bits, usual))
        worst = output.words[min(bits.index(max(bits)), len(output.words) - 1)]
        reason = (
            f"the output has {mean:.1f} bits per word in the targets' language, its reference {expected:.1f}; "
            f"most surprising: {worst!r}"
        )
        yield Divergence("surprising output", max(0.0, mean - expected), reason)


Bigram = tuple[str, str]


def _pairs(sentence: Sentence) -> list[Bigram]:
    return list(pairwise(["", *(word.casefold() for word in sentence.words), ""]))


class _Bigrams:
    """Counts of words and of pairs of words; a sentence may be left out."""

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        self.pairs: Counter[Bigram] = Counter(pair for own in sentences for pair in _pairs(own))
        self.first: Counter[str] = Counter()
        self.second: Counter[str] = Counter()
        self.kinds: Counter[str] = Counter(first for first, _ in self.pairs)
        for (first, second), count in self.pairs.items():
            self.first[first] += count
            self.second[second] += count
        self.total = self.first.total()

    def bits(self, pairs: Sequence[Bigram], without: Sequence[Bigram]) -> list[float]:
        gone, first, second = Counter(without), Counter(a for a, _ in without), Counter(b for _, b in without)
        found = []
        for pair in pairs:
            a, b = pair
            alone = (self.second[b] - second[b] + 1) / (self.total - len(without) + len(self.second) + 1)
            kinds = max(1, self.kinds[a])
            behind = self.first[a] - first[a]
            found.append(-math.log2((self.pairs[pair] - gone[pair] + kinds * alone) / (behind + kinds)))
        return found
