"""What texts with these letters and words are usually worth: weighted sums over hashed n-grams of both sides.

Weights are learnt from judgements by ridge regression (scikit-learn); applying them takes numpy alone. A text has a
value of 1 / sqrt(n) for each of its n n-grams (words, or two to four letters), by the bucket that its key falls into
(native/letter_ngrams.hpp).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tertium import _native
from tertium.errors import MissingExtraError
from tertium.estimation.words import Arrays, KeyedWords, Numbers, Places
from tertium.text.keyed import characters

BUCKETS = 1 << 15
# What counts, and how strong the ridge is; both are features, since how much is noise differs from set to set.
KINDS = {
    "letters": ("letters", 3.0),
    "letters, held": ("letters", 30.0),
    "words": ("words", 3.0),
    "words, held": ("words", 30.0),
}


def buckets(words: KeyedWords, kind: str) -> tuple[Places, Places, Numbers]:
    """Segments, buckets and values."""
    if kind == "words":
        chosen, sizes = (words.keys % np.uint64(BUCKETS)).astype(np.int64), words.sizes
    else:
        found, starts = map(np.asarray, _native.letter_buckets(words.texts, characters(), BUCKETS))
        chosen, sizes = found.astype(np.int64), np.diff(starts)
    return (
        np.repeat(np.arange(len(words)), sizes),
        chosen,
        np.repeat(1 / np.sqrt(np.maximum(sizes, 1)), sizes),
    )


@dataclass(frozen=True, eq=False)
class Tendency:
    """Weights of buckets of one kind: those of the source, then those of the target; and what every text is worth."""

    kind: str
    weights: npt.NDArray[np.float32]
    base: float

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        return {"weights": self.weights.astype(np.float16), "base": np.array([self.base])}

    @classmethod
    def from_arrays(cls, kind: str, arrays: Arrays) -> Tendency:
        weights = np.asarray(arrays["weights"], np.float32)
        if len(weights) != 2 * BUCKETS:
            raise ValueError("a number of weights is wrong")
        return cls(kind, weights, float(np.asarray(arrays["base"])[0]))


def applied(
    all_of: Sequence[Tendency], source: KeyedWords, target: KeyedWords, *, threads: int = 1
) -> list[Numbers]:
    """What each of them says of these texts; letters are read once for all."""
    found = [np.full(len(source), own.base) for own in all_of]
    letters = [i for i, own in enumerate(all_of) if KINDS[own.kind][0] == "letters"]
    for words, begin in ((source, 0), (target, BUCKETS)):
        for i, own in enumerate(all_of):
            if i not in letters:
                places, chosen, values = buckets(words, KINDS[own.kind][0])
                found[i] += np.bincount(places, values * own.weights[chosen + begin], len(source))
        if letters:
            weights = np.stack([all_of[i].weights[begin : begin + BUCKETS] for i in letters])
            sums = np.asarray(_native.letter_sums(words.texts, characters(), weights, threads))
            for k, i in enumerate(letters):
                found[i] += sums[:, k]
    return found


def tendencies(source: KeyedWords, target: KeyedWords, values: Numbers) -> Iterator[Tendency]:
    """One of each kind, learnt from these texts and what they are worth."""
    try:
        from scipy.sparse import csr_matrix
        from sklearn.linear_model import Ridge
    except ImportError:
        raise MissingExtraError("training an estimator", "estimate") from None
    tables = {}
    for name, (kind, strength) in KINDS.items():
        if kind not in tables:
            sides = [buckets(words, kind) for words in (source, target)]
            rows = np.concatenate([own[0] for own in sides])
            columns = np.concatenate([sides[0][1], sides[1][1] + BUCKETS])
            cells = np.concatenate([own[2] for own in sides])
            tables[kind] = csr_matrix((cells, (rows, columns)), (len(source), 2 * BUCKETS))
        fitted = Ridge(alpha=strength, solver="lsqr", tol=1e-4).fit(tables[kind], values)
        yield Tendency(name, fitted.coef_.astype(np.float32), float(fitted.intercept_))
