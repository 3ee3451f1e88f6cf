"""Scores of our metrics in the shape that gold has, to lay beside it or to hand in to a shared task."""

from __future__ import annotations

import numpy as np

from tertium.errors import InputError
from tertium.io.scorematrix import WHOLE, Level, ScoreMatrix
from tertium.results import metric_labels
from tertium.scores import Scores

_LEVEL_OF: dict[str, Level] = {"corpus": "system", "document": "document", "segment": "segment"}


def score_matrices(scores: Scores) -> list[ScoreMatrix]:
    """A matrix for each metric of a run of `tertium.score`: corpus scores are at system level.

    >>> import tertium as tt
    >>> scores = tt.TestSet.sample().score("chrf", level="segment")
    >>> score_matrices(scores)
    [<ScoreMatrix 'chrF2' at segment level: 3 systems, 69 segments, 207 scores>]
    """
    level = _LEVEL_OF[scores.level]
    matrices = []
    for metric, label in zip(scores.metrics, metric_labels(scores.metrics), strict=True):
        own = [score for score in scores if score.metric == metric]
        items = (WHOLE,) if level == "system" else tuple(map(str, own[0].ids))
        for score in own:
            if level != "system" and tuple(map(str, score.ids)) != items:
                raise InputError(
                    f"{label}: the systems {own[0].system!r} and {score.system!r} have different {level}s"
                )
        values = np.array(
            [[np.nan if value is None else value for value in score.values] for score in own],
            dtype=np.float64,
        )
        systems = tuple(score.system for score in own)
        matrices.append(ScoreMatrix(label, level, systems, items, values.reshape(len(own), len(items))))
    return matrices
