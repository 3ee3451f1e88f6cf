"""Words by keys, n-gram models, lexical models and features of quality estimation, in plain Python and numpy.

They are the definitions that the native kernels keep to (native/keyed_words.hpp, ngram_model.hpp, best_links.hpp,
surface_signs.hpp, letter_ngrams.hpp)."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from hashlib import blake2b

WORD = re.compile(r"\w+(?:['’]\w+)?|[^\w\s]")
_MASK = (1 << 64) - 1
_FACTOR = 0x9E3779B97F4A7C15
EDGE, EMPTY = 1, 2


def words(line: str) -> list[str]:
    return WORD.findall(line)


def key(word: str) -> int:
    small = word.lower().encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(small, digest_size=8).digest(), "little")


def keys(line: str) -> list[int]:
    return [key(word) for word in words(line)]


def mixed(*given: int) -> int:
    found = given[0]
    for one in given[1:]:
        found = ((found ^ (found >> 29)) * _FACTOR + one) & _MASK
    return ((found ^ (found >> 29)) * _FACTOR) & _MASK


def short(*given: int) -> int:
    return mixed(*given) >> 32


class Ngrams:
    """Absolute discounting, interpolated; words by how many others they follow."""

    def __init__(self, lines: Sequence[Sequence[int]], order: int, discount: float) -> None:
        self.order, self.discount = order, discount
        self.ngrams: dict[int, Counter[tuple[int, ...]]] = {size: Counter() for size in range(1, order + 1)}
        for line in lines:
            for i in range(len(line)):
                for size in range(2, order + 1):
                    self.ngrams[size][_ending(line, i, size)] += 1
        before = {(first, second) for first, second in self.ngrams[2]}
        self.ngrams[1] = Counter((second,) for _, second in before)
        self.contexts = {size: Counter[tuple[int, ...]]() for size in self.ngrams}
        self.followers = {size: Counter[tuple[int, ...]]() for size in self.ngrams}
        for size, own in self.ngrams.items():
            for ngram, count in own.items():
                self.contexts[size][ngram[:-1]] += count
                self.followers[size][ngram[:-1]] += 1
            if size > 2:
                self.ngrams[size] = Counter({ngram: count for ngram, count in own.items() if count > 1})

    def probability(self, line: Sequence[int], i: int) -> float:
        found = 1 / (len(self.ngrams[1]) + 1)
        for size in self.ngrams:
            ngram = _ending(line, i, size)
            total = self.contexts[size][ngram[:-1]]
            if total:
                direct = max(self.ngrams[size][ngram] - self.discount, 0) / total
                found = direct + self.discount * self.followers[size][ngram[:-1]] / total * found
        return found


def _ending(line: Sequence[int], i: int, size: int) -> tuple[int, ...]:
    return tuple(line[k] if k >= 0 else EDGE for k in range(i - size + 1, i + 1))


def ibm1(
    made: Sequence[Sequence[int]], given: Sequence[Sequence[int]], iterations: int, longest: int
) -> dict[tuple[int, int], float]:
    """t(made | given), with an empty word; of longer lines the beginning, of empty ones nothing."""
    pairs = [
        (own[:longest], [EMPTY, *other[:longest]])
        for own, other in zip(made, given, strict=True)
        if own and other
    ]
    chances: dict[tuple[int, int], float] = defaultdict(lambda: 1.0)
    for _ in range(iterations):
        counts: dict[tuple[int, int], float] = defaultdict(float)
        for own, other in pairs:
            for word in own:
                total = sum(chances[one, word] for one in other)
                for one in other:
                    counts[one, word] += chances[one, word] / total
        totals: dict[int, float] = defaultdict(float)
        for (one, _), count in counts.items():
            totals[one] += count
        chances = defaultdict(float, {pair: count / totals[pair[0]] for pair, count in counts.items()})
    return dict(chances)


def best_links(
    chance: Callable[[int, int], float], made: Sequence[int], given: Sequence[int], longest: int
) -> list[tuple[float, float]]:
    found = []
    for j, word in enumerate(made):
        own = [chance(one, word) for one in (EMPTY, *given[:longest])] if j < longest else [0.0]
        found.append((max(own[1:], default=0.0), sum(own) / len(own)))
    return found


_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


def _found(ours: set[str], theirs: set[str]) -> float:
    return len(ours & theirs) / len(ours) if ours else 1.0


def _most(own: Sequence[str], size: int) -> float:
    phrases = Counter(zip(*(own[k:] for k in range(size)), strict=False))
    return float(max(phrases.values(), default=0))


def _names(own: Sequence[str]) -> set[str]:
    return {word for word in own[1:] if word[:1].isupper()}


def surface(source: str, target: str, marks: Sequence[str]) -> list[float]:
    """A row of native/surface_signs.hpp."""
    digits = [{re.sub(r"\D", "", number) for number in _NUMBER.findall(text)} for text in (source, target)]
    ours, theirs = words(source), words(target)
    long = {word for word in ours if len(word) > 3}
    return [
        *(len(source), len(target)),
        *(_found(*digits), _found(*digits[::-1]), len(digits[0])),
        _found(_names(ours), set(theirs)),
        *(len(_names(own)) / max(1, len(own)) for own in (ours, theirs)),
        len(long & set(theirs)) / max(1, len(long)),
        *(_most(own, size) for own in (ours, theirs) for size in (1, 2, 3)),
        *(len(set(own)) / max(1, len(own)) for own in (ours, theirs)),
        float(source[-1:] == target[-1:]),
        *(sum(map(target.count, kind)) - sum(map(source.count, kind)) for kind in marks),
    ]


def letter_buckets(line: str, buckets: int) -> list[int]:
    codes = [ord(c) for c in f" {line.lower()} "]
    return [
        mixed(size, *codes[i : i + size]) % buckets
        for size in (2, 3, 4)
        for i in range(len(codes) - size + 1)
    ]


def letter_sum(line: str, weights: Sequence[float]) -> float:
    own = letter_buckets(line, len(weights))
    return sum(weights[one] for one in own) / math.sqrt(max(1, len(own)))
