"""Features of a memory's best match: how alike its source is, and how far the translation agrees with its target."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tertium.errors import InputError
from tertium.estimation.view import QualityFeatures, View
from tertium.estimation.words import Numbers
from tertium.matching.proposals import word_likeness


def _agreement(view: View) -> Sequence[Numbers]:
    if view.matches is None:
        raise InputError("these features need a memory")
    rows = np.zeros((len(view), len(_NAMES)))
    for i, (match, text) in enumerate(zip(view.matches, view.target.lines, strict=True)):
        if match is not None:
            rate, likeness = min(match[0], 100) / 100, word_likeness(text, match[1])
            rows[i] = (1.0, rate, likeness, rate * likeness, likeness - rate)
    return list(rows.T)


_NAMES = ("a match", "likeness", "agreement", "both", "apart")
AGREEMENT = QualityFeatures(
    "likeness of the best match of a memory, and of its target with the translation",
    _NAMES,
    _agreement,
    needs_memory=True,
)
