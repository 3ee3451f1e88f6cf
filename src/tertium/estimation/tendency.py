"""What texts with these letters and words are usually worth: weighted sums over hashed n-grams of both sides.

Weights are learnt from judgements by ridge regression (scikit-learn); applying them takes numpy alone. A text has a
value of 1 / sqrt(n) for each of its n n-grams, by the bucket that its key falls into.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tertium.errors import MissingExtraError
from tertium.estimation.ngrams import Arrays
from tertium.estimation.words import KeyedWords, Keys, Numbers, Places, mixed

SIZES = (2, 3, 4)  # letters
BUCKETS = 1 << 15
# What counts, and how strong the ridge is; both are features, since how much is noise differs from set to set.
KINDS = {
    "letters": ("letters", 3.0),
    "letters, held": ("letters", 30.0),
    "words": ("words", 3.0),
    "words, held": ("words", 30.0),
}


def _letters(lines: Sequence[str]) -> tuple[Places, Keys]:
    """The segment and the key of every n-gram of letters; spaces are letters, too."""
    texts = [f" {line.lower()} " for line in lines]
    codes = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    segments = np.repeat(np.arange(len(texts)), [len(text) for text in texts])
    places, keys = [], []
    for size in SIZES:
        if len(codes) < size:
            continue
        inside = segments[: len(codes) - size + 1] == segments[size - 1 :]
        windows = [codes[k : len(codes) - size + 1 + k][inside] for k in range(size)]
        places.append(segments[: len(codes) - size + 1][inside])
        keys.append(mixed(np.full(len(windows[0]), size, np.uint64), *windows))
    return (
        np.concatenate(places) if places else np.zeros(0, np.int64),
        np.concatenate(keys) if keys else np.zeros(0, np.uint64),
    )


def buckets(words: KeyedWords, kind: str) -> tuple[Places, Places, Numbers]:
    """Segments, buckets and values."""
    places, keys = (words.segments, words.keys) if kind == "words" else _letters(words.lines)
    number = np.maximum(np.bincount(places, minlength=len(words)), 1)
    return places, (keys % np.uint64(BUCKETS)).astype(np.int64), 1 / np.sqrt(number[places])


@dataclass(frozen=True, eq=False)
class Tendency:
    """Weights of buckets of one kind: those of the source, then those of the target; and what every text is worth."""

    kind: str
    weights: npt.NDArray[np.float32]
    base: float

    def of(self, source: KeyedWords, target: KeyedWords) -> Numbers:
        found = np.full(len(source), self.base)
        for words, begin in ((source, 0), (target, BUCKETS)):
            places, chosen, values = buckets(words, KINDS[self.kind][0])
            found += np.bincount(places, values * self.weights[chosen + begin], len(source))
        return found

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        return {"weights": self.weights.astype(np.float16), "base": np.array([self.base])}

    @classmethod
    def from_arrays(cls, kind: str, arrays: Arrays) -> Tendency:
        weights = np.asarray(arrays["weights"], np.float32)
        if len(weights) != 2 * BUCKETS:
            raise ValueError("a number of weights is wrong")
        return cls(kind, weights, float(np.asarray(arrays["base"])[0]))


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
