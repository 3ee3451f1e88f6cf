"""chrF as one would explain it on paper: the slow twin of native/chrf.hpp.

Maja Popović, "chrF: character n-gram F-score for automatic MT evaluation", WMT 2015, and
"chrF++: words helping character n-grams", WMT 2017. For every order n, with counts clipped,

    P_n = matches / n-grams of the hypothesis,    R_n = matches / n-grams of the reference,
    chrF = 100 (1 + beta^2) P R / (beta^2 P + R),    P and R the means over the orders,

characters of orders 1 to ``char_order`` and, in chrF+ and chrF++, words of orders 1 to ``word_order``. Orders
that either side lacks are left out; with ``eps_smoothing`` they count as 1e-16 and F is averaged instead.
The conventions are sacrebleu's, version 2.6.0.
"""

from collections import Counter
from collections.abc import Sequence

PUNCTUATION = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
EPSILON = 1e-16


def ngrams(items: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    """How often each n-gram stands in ``items``."""
    return Counter(tuple(items[i : i + n]) for i in range(len(items) - n + 1))


def words(text: str) -> list[str]:
    """Words as chrF+ takes them: one mark comes off the end or, if none stands there, off the start.

    >>> words('(hi) "hello there')
    ['(hi', ')', '"', 'hello', 'there']
    """
    found: list[str] = []
    for word in text.split():
        cut = len(word)
        if len(word) > 1 and word[-1] in PUNCTUATION:
            cut = len(word) - 1
        elif len(word) > 1 and word[0] in PUNCTUATION:
            cut = 1
        found += [part for part in (word[:cut], word[cut:]) if part]
    return found


def counters(text: str, char_order: int, word_order: int, whitespace: bool) -> list[Counter[tuple[str, ...]]]:
    """The n-grams of ``text``, one counter per order, characters before words."""
    characters = list(text if whitespace else "".join(text.split()))
    by_characters = [ngrams(characters, n) for n in range(1, char_order + 1)]
    return by_characters + [ngrams(words(text), n) for n in range(1, word_order + 1)]


def chrf_row(
    hypothesis: str,
    references: list[str],
    *,
    char_order: int = 6,
    word_order: int = 0,
    beta: float = 2.0,
    whitespace: bool = False,
    eps_smoothing: bool = False,
) -> list[int]:
    """For each order: n-grams of the hypothesis, of the reference, and matches.

    The reference is the one with the best score, the first of equals; without any, the row is all zeros.

    >>> chrf_row("ab", ["abc"], char_order=3)
    [2, 3, 2, 1, 2, 1, 0, 1, 0]
    """
    ours = counters(hypothesis, char_order, word_order, whitespace)
    best_row, best_score = [0] * (3 * len(ours)), -1.0
    for reference in references:
        row: list[int] = []
        for mine, theirs in zip(ours, counters(reference, char_order, word_order, whitespace), strict=True):
            # An order that the reference is too short for is not held against the hypothesis.
            row += [mine.total() if theirs else 0, theirs.total(), (mine & theirs).total()]
        score = chrf_score(
            row, char_order=char_order, word_order=word_order, beta=beta, eps_smoothing=eps_smoothing
        )
        if score > best_score:
            best_row, best_score = row, score
    return best_row


def chrf_score(
    totals: Sequence[int],
    *,
    char_order: int = 6,
    word_order: int = 0,
    beta: float = 2.0,
    eps_smoothing: bool = False,
) -> float:
    """The score, from 0 to 100, of a sum of rows.

    >>> chrf_score([2, 3, 2, 1, 2, 1, 0, 1, 0], char_order=3)
    63.636363636363626
    """
    weight = beta**2
    orders = char_order + word_order
    total_f = total_precision = total_recall = 0.0
    used = 0
    for hypothesis, reference, matches in zip(totals[0::3], totals[1::3], totals[2::3], strict=True):
        precision = matches / hypothesis if hypothesis else EPSILON
        recall = matches / reference if reference else EPSILON
        below = weight * precision + recall
        total_f += (1 + weight) * precision * recall / below if below else EPSILON
        if hypothesis and reference:
            total_precision += precision
            total_recall += recall
            used += 1
    if eps_smoothing:
        return 100 * total_f / orders
    if total_precision + total_recall == 0:
        return 0.0
    precision, recall = total_precision / used, total_recall / used
    return 100 * ((1 + weight) * precision * recall / (weight * precision + recall))
