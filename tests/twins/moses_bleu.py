"""Moses' sentence-bleu as one would explain it on paper: the slow twin in native/bleu_originals.hpp.

Its plain corpus BLEU is tests.twins.bleu without smoothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence


def sentence_bleu(row: Sequence[int]) -> float:
    """In percent, from one BLEU row of order 4.

    >>> sentence_bleu([0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    100.0
    """
    length, reference, matches, counts = row[0], row[1], row[2:6], row[6:]
    if not length:
        return 0.0 if reference else 100.0
    product = math.prod((m + 1) / (c + 1) for m, c in zip(matches, counts, strict=True))
    return float(100 * product**0.25 * math.exp(min(0.0, 1 - reference / length)))
