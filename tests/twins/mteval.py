"""BLEU and NIST of mteval-v13a, and its text, as one would explain them on paper.

George Doddington, "Automatic evaluation of machine translation quality using n-gram co-occurrence statistics",
HLT 2002. The slow twins of native/nist.hpp, native/bleu_originals.hpp and native/tokenize_lower.hpp.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence

from tests.twins.bleu import ngrams
from tests.twins.tokenizers import tokenize

Tokens = Sequence[str]
_HYPHENS = "-\u00ad\u058a\u1806\u2010\u2011\u2e17\u30fb\ufe63\uff0d\uff65"


def mteval_tokens(text: str, tok: str, *, lowercase: bool) -> list[str]:
    """The tokens of mteval, of either kind.

    >>> mteval_tokens("&quot;A É&quot; &AMP;", "13a", lowercase=True)
    ['"', 'a', 'É', '"', '&', 'amp', ';']
    """
    if tok == "13a":
        tokens = tokenize("13a", text)
        return [re.sub("[A-Z]", lambda c: c[0].lower(), token) for token in tokens] if lowercase else tokens
    if tok == "intl":
        text = re.sub(f"[{_HYPHENS}]\u2028", "", text.replace("<skipped>", ""))
        entities = {"&quot;": '"', "&amp;": "&", "&lt;": "<", "&gt;": ">", "&apos;": "'"}
        for entity, character in entities.items():
            text = text.replace(entity, character)
    if lowercase:
        text = "".join(character.lower() for character in text)
    return tokenize(tok, text)


def mteval_bleu(total: Sequence[int], *, smooth: bool = True) -> float:
    """In percent, from a sum of BLEU rows (tests.twins.bleu).

    >>> mteval_bleu([1, 1, 1, 0, 0, 0, 1, 0, 0, 0])
    100.0
    """
    order = len(total) // 2 - 1
    length, reference = total[0], total[1]
    logs, zeros = 0.0, 0
    for match, count in zip(total[2 : 2 + order], total[2 + order :], strict=True):
        if not match and not smooth:
            return 0.0
        if count and not match:
            zeros += 1
            logs -= math.log(2**zeros * count)
        elif count:
            logs += math.log(match / count)
    return 100 * math.exp(logs / order + min(0.0, 1 - reference / length)) if length else 0.0


def information(
    references: Sequence[Sequence[Tokens]], order: int, *, zero: bool
) -> dict[tuple[str, ...], float]:
    """What each n-gram of all references tells. `zero`: the history "0" counts as none."""
    counts = Counter[tuple[str, ...]]()
    words = 0
    for texts in references:
        for text in texts:
            words += len(text)
            for n in range(1, order + 1):
                counts += ngrams(text, n)

    def before(gram: tuple[str, ...]) -> int:
        history = gram[:-1]
        return words if not history or (zero and history == ("0",)) else counts[history]

    # nltk's logarithm, because its choice of a reference may hang on the last bit
    return {
        gram: math.log2(before(gram) / count) if zero else math.log(before(gram) / count, 2)
        for gram, count in counts.items()
    }


Row = tuple[list[int], list[float], float]


def nist_rows(
    hypotheses: Sequence[Tokens],
    references: Sequence[Sequence[Tokens]],
    order: int = 5,
    *,
    nltk: bool = False,
) -> list[Row]:
    """For each segment the n-gram counts, the matching information of each order, and the reference length."""
    tells = information(references, order, zero=not nltk)
    rows: list[Row] = []
    for hypothesis, texts in zip(hypotheses, references, strict=True):
        counts, gained, lengths = [], [], []
        for n in range(1, order + 1):
            ours = ngrams(hypothesis, n)
            counts.append(ours.total())
            if nltk:
                choices = [(_gain(ours, [text], n, tells), len(text)) for text in texts]
                gain, length = max(choices)
            else:
                gain = _gain(ours, texts, n, tells)
                length = 0
            gained.append(gain)
            lengths.append(length)
        rows.append((counts, gained, sum(lengths) / order if nltk else sum(map(len, texts)) / len(texts)))
    return rows


def _gain(
    ours: Counter[tuple[str, ...]], texts: Sequence[Tokens], n: int, tells: dict[tuple[str, ...], float]
) -> float:
    allowed = Counter[tuple[str, ...]]()
    for text in texts:
        allowed |= ngrams(text, n)
    return sum(tells[gram] * count for gram, count in (ours & allowed).items())


def nist_score(rows: Sequence[Row]) -> float:
    """NIST of the sum of rows.

    >>> nist_score(nist_rows([["a", "b"]], [[["a", "b"]]]))
    1.0
    """
    length, reference = sum(row[0][0] for row in rows), math.fsum(row[2] for row in rows)
    total = 0.0
    for n in range(len(rows[0][0])):
        total += math.fsum(row[1][n] for row in rows) / max(1, sum(row[0][n] for row in rows))
    if not length:
        return 0.0
    ratio = length / reference if reference else 1.0
    return total * (1.0 if ratio >= 1 else 0.5 ** ((math.log(ratio) / math.log(1.5)) ** 2))
