"""Features of the log-probabilities that the translating system gave the pieces of its output.

Pieces are those of the raw output; its words and ours differ, so that a piece is given to the word of ours that has its
characters, counted without spaces.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tertium.errors import InputError
from tertium.estimation.view import QualityFeatures, TokenScores, View
from tertium.estimation.words import Numbers, Places

WINDOW = 5
_MARKS = ("@@", "▁", "##")


def bare(piece: str) -> str:
    """A piece without the marks of where words are cut.

    >>> bare("Ort@@"), bare("▁the")
    ('Ort', 'the')
    """
    return piece.removesuffix("@@").removeprefix("▁").removeprefix("##")


def by_word(forms: Sequence[str], pieces: Sequence[str], values: Numbers) -> Numbers | None:
    """For each word the sum of its pieces' values, by characters; None where the texts are too different.

    >>> by_word(["don't", "go"], ["don", "&apos;t", "go"], np.array([-1.0, -2.0, -3.0])).tolist()
    [-3.0, -3.0]
    """
    place = placed(forms, pieces)
    return None if place is None else np.bincount(place, values[: len(pieces)], len(forms)).astype(float)


def placed(forms: Sequence[str], pieces: Sequence[str]) -> Places | None:
    """The word of each piece, by characters; None where there are no words or no pieces."""
    ends = np.cumsum([len(word) for word in forms])
    sizes = np.array([len(_unescaped(bare(piece))) for piece in pieces])
    total = sizes.sum()
    if not len(ends) or not total:
        return None
    scaled = (np.cumsum(sizes) - sizes / 2) * (ends[-1] / total)
    return np.asarray(np.minimum(np.searchsorted(ends, scaled, side="right"), len(forms) - 1), np.int64)


def _unescaped(piece: str) -> str:
    return (
        piece.replace("&apos;", "'")
        .replace("&quot;", '"')
        .replace("&#91;", "[")
        .replace("&#93;", "]")
        .replace("&amp;", "&")
        if "&" in piece
        else piece
    )


def checked(scores: TokenScores, number: int) -> None:
    """Refuses scores that do not belong to the pieces."""
    if len(scores.pieces) != number or len(scores.values) != number:
        given = f"tokens of {len(scores.pieces)} and log-probabilities of {len(scores.values)}"
        raise InputError(f"there are {number} translations, but {given}")
    for i, (pieces, values) in enumerate(zip(scores.pieces, scores.values, strict=True), 1):
        if len(values) not in (len(pieces), len(pieces) + 1):
            raise InputError(f"line {i}: {len(pieces)} tokens have {len(values)} log-probabilities")


def _tokens(view: View) -> Sequence[Numbers]:
    if view.scores is None:
        raise InputError("these features need the log-probabilities of tokens")
    rarity, starts = view.rarity["target"], view.target.starts
    rows = np.zeros((len(view), len(NAMES)))
    for i, (pieces, values) in enumerate(zip(view.scores.pieces, view.scores.values, strict=True)):
        if not len(values):
            continue
        worst = np.sort(values)
        window = np.convolve(values, np.ones(min(WINDOW, len(values))) / min(WINDOW, len(values)), "valid")
        words = by_word(view.target.forms[i], pieces, values)
        rare = rarity[starts[i] : starts[i + 1]]
        if words is None:
            words, rare = values, np.ones(len(values))
        weights = np.maximum(rare, 0.1)
        rows[i] = (
            *(values.mean(), values.min(), values.std(), window.min(), values.sum()),
            *(np.median(values), worst[: max(1, len(worst) // 5)].mean(), np.exp(values).mean()),
            *((values < -1).mean(), (values < -2.5).mean(), values[-1], values[0]),
            *(words.mean(), words.min(), float((words * weights).sum() / weights.sum())),
            len(pieces) / max(1, len(words)),
        )
    return list(rows.T)


NAMES = (
    *("mean", "least", "deviation", "worst window", "sum"),
    *("median", "worst fifth", "probability"),
    *("below 1", "below 2.5", "end", "first"),
    *("words", "worst word", "by rarity"),
    "pieces",
)
TOKENS = QualityFeatures(
    "log-probabilities of the pieces of the translation", NAMES, _tokens, needs_scores=True
)
