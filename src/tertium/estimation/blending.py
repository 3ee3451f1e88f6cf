"""Edits beside scores: where both are known of the same translations, a blend of them is learnt.

Scores by few people are noisy, and edits of the same translations are another, often surer sign of the same. How much
edits count is what agrees best with the scores alone, on parts left out.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tertium.estimation.encoderhead import EncoderHead
from tertium.estimation.features import FEATURES
from tertium.estimation.models import Regression, Weighted
from tertium.estimation.tendency import tendencies
from tertium.estimation.view import View
from tertium.estimation.words import KeyedWords, Numbers, Places

SHARES = (0.0, 0.5)  # more of them follow the noise of the scores (development part of MLQE-PE)
VALUED = ("tendency", "encoder")  # sets of features that learn from values


def as_scores(edits: Numbers, values: Numbers) -> Numbers | None:
    """Edits, which are better if fewer, as scores with the same mean and spread; None where they do not vary.

    >>> as_scores(np.array([0.0, 0.5]), np.array([60.0, 80.0])).tolist()
    [80.0, 60.0]
    """
    if np.ptp(edits) < 1e-9:
        return None
    return np.asarray(values.mean() - values.std() * (edits - edits.mean()) / edits.std())


def with_tendency(
    rows: Numbers, sets: tuple[str, ...], view: View, source: KeyedWords, target: KeyedWords, values: Numbers
) -> Numbers:
    """The same features, but for those that learn from values: by these texts with these values."""
    head = view.learnt.head
    learnt = replace(
        view.learnt,
        tendencies=tuple(tendencies(source, target, values)),
        head=None if head is None else EncoderHead.learnt(head.encoder, source, target, values),
    )
    found, begin = rows.copy(), 0
    for name in sets:
        end = begin + len(FEATURES[name].names)
        if name in VALUED:
            found[:, begin:end] = FEATURES[name].columns(replace(view, learnt=learnt))
        begin = end
    return found


def blended(ours: Numbers, theirs: Numbers, share: float) -> Numbers:
    return np.asarray((1 - share) * ours + share * theirs)


def best_share(rows: Numbers, other: Numbers, values: Numbers, edits: Numbers, folds: Places) -> float:
    """How much edits should count: `rows` are features as learnt from values, `other` as learnt from edits. What was
    learnt from a blend of both is the blend of what was learnt from each."""
    found = {}
    for share in SHARES:
        mixed, aim = blended(rows, other, share), blended(values, edits, share)
        left_out = np.zeros(len(values))
        for fold in np.unique(folds):
            here = folds == fold
            left_out[here] = Weighted.learnt(mixed[~here], aim[~here]).of(mixed[here])
        found[share] = float(np.corrcoef(left_out, values)[0, 1]) if np.ptp(left_out) > 1e-12 else -1.0
    return max(SHARES, key=lambda share: found[share])


def rescaled(regression: Regression, left_out: Numbers, values: Numbers) -> tuple[Regression, Numbers]:
    """Estimates of a blend as estimates of values, by what was said of parts left out."""
    slope, base = np.polyfit(left_out, values, 1) if np.ptp(left_out) > 1e-12 else (1.0, 0.0)
    if slope <= 0:  # nothing was learnt
        return regression, left_out
    return regression.scaled(float(slope), float(base)), np.asarray(base + slope * left_out)
