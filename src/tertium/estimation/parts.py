"""Parts that an estimator may have beside its regression, by name in `PARTS`: each learns from what the training saw.

A part says `None` where there is nothing for it to learn; what it learnt is kept as arrays in the estimator's file,
under its name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from tertium.estimation.view import Learnt
from tertium.estimation.words import KeyedWords, Numbers, Places
from tertium.io.translations import Translations
from tertium.registry import Registry


@dataclass(frozen=True, eq=False)
class TrainingRecord:
    """What an estimator was trained on. No segment's features or estimate come from anything that has seen it."""

    texts: Translations
    target: str
    values: Numbers  # what was to be estimated
    source: KeyedWords
    translation: KeyedWords
    folds: Places  # the part in which each segment was left out
    sets: tuple[str, ...]  # of features
    rows: Numbers  # features
    left_out: Numbers  # estimates
    learnt: tuple[Learnt, ...]  # for each part, what was learnt of the others


class EstimatorPart(Protocol):
    """What a part is."""

    @classmethod
    def learnt(cls, training: TrainingRecord) -> EstimatorPart | None:
        """The part, or None where the data do not have what it needs."""

    def arrays(self) -> dict[str, np.ndarray]: ...

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray]) -> EstimatorPart:
        """Refuses arrays that do not fit each other: KeyError, ValueError."""


PARTS: Registry[type[EstimatorPart]] = Registry(
    "part of an estimator",
    "tertium.estimator_parts",
    {
        "words": "tertium.wordtags.tagging:WordTagger",
        "calibration": "tertium.triage.calibration:Calibration",
        "online": "tertium.online.learner:LearningScales",
        "blocking": "tertium.triage.blocking:Blocking",
    },
)


def learnt_parts(training: TrainingRecord) -> dict[str, EstimatorPart]:
    found = {name: PARTS[name].learnt(training) for name in PARTS}
    return {name: own for name, own in found.items() if own is not None}


def named(name: str, arrays: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Arrays of one part among those of a file, without its name."""
    begin = f"{name}."
    return {key.removeprefix(begin): np.asarray(own) for key, own in arrays.items() if key.startswith(begin)}
