"""A small head on the frozen vectors of a sentence encoder: what pairs of texts with such vectors were worth.

A pair is its two unit vectors, how far they are apart in each dimension, and their product; a ridge regression over
these is what is learnt. The file says which encoder it needs, by its name and hash.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tertium.errors import InputError
from tertium.estimation.words import Arrays, KeyedWords, Numbers

STRENGTHS = (10.0, 30.0)  # of the ridge: both are features, since how much is noise differs from set to set
_APART, _PRODUCT = 2.0, 10.0  # how much larger they count: numbers of unit vectors are small


def _pairs(encoder: str, source: KeyedWords, target: KeyedWords) -> tuple[Numbers, Numbers]:
    """A row of numbers for each pair of texts, and its cosine."""
    from tertium.text.sentences import sentence_vectors

    ours, theirs = (sentence_vectors(encoder, side.lines).astype(float) for side in (source, target))
    if ours.shape != theirs.shape:  # one side has no text at all
        width = max(ours.shape[1], theirs.shape[1])
        ours, theirs = (
            np.zeros((len(own), width)) if own.shape[1] < width else own for own in (ours, theirs)
        )
    product = ours * theirs
    return np.hstack([ours, theirs, _APART * np.abs(ours - theirs), _PRODUCT * product]), product.sum(axis=1)


@dataclass(frozen=True, eq=False)
class EncoderHead:
    """Weights of the numbers of pairs, a row for each strength of the ridge."""

    encoder: str
    hash: str
    weights: npt.NDArray[np.float32]
    bases: Numbers

    @classmethod
    def learnt(cls, encoder: str, source: KeyedWords, target: KeyedWords, values: Numbers) -> EncoderHead:
        from tertium.text.sentences import encoder_hash

        rows, _ = _pairs(encoder, source, target)
        centre = rows.mean(axis=0)
        rows -= centre
        grams, found = rows.T @ rows, rows.T @ (values - values.mean())
        weights = np.stack(
            [np.linalg.solve(grams + own * np.eye(len(grams)), found) for own in STRENGTHS]
        ).astype(np.float32)
        return cls(encoder, encoder_hash(encoder), weights, values.mean() - weights @ centre)

    def of(self, source: KeyedWords, target: KeyedWords) -> list[Numbers]:
        """The cosine of each pair, and what it is worth by each of the weights."""
        rows, cosines = _pairs(self.encoder, source, target)
        if rows.shape[1] != self.weights.shape[1]:
            if len(rows) and rows.any():
                raise InputError(
                    f"{self.encoder} gives other vectors than those that the estimator was trained with"
                )
            rows = np.zeros((len(rows), self.weights.shape[1]))
        return [cosines, *(rows @ self.weights.T.astype(float) + self.bases).T]

    def arrays(self) -> dict[str, npt.NDArray[np.generic]]:
        names = {key: np.frombuffer(getattr(self, key).encode(), np.uint8) for key in ("encoder", "hash")}
        return {**names, "weights": self.weights, "bases": self.bases}

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> EncoderHead | None:
        """None where the file has none. Refuses an encoder that is not there, or not the same."""
        if not arrays:
            return None
        name, known = (np.asarray(arrays[key], np.uint8).tobytes().decode() for key in ("encoder", "hash"))
        weights, bases = np.asarray(arrays["weights"], np.float32), np.asarray(arrays["bases"], float)
        if weights.ndim != 2 or len(weights) != len(STRENGTHS) or bases.shape != (len(STRENGTHS),):
            raise ValueError("a number of weights is wrong")
        return cls(name, known, weights, bases)

    def check(self, called: str) -> None:
        """Refuses an encoder that is not what it was."""
        from tertium.text.sentences import encoder_hash

        if encoder_hash(self.encoder) != self.hash:
            raise InputError(
                f"{called} was trained with the encoder {self.encoder} ({self.hash}), which is another one today"
            )
