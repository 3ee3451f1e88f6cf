"""Other metrics without references as features: YiSi-2 with vectors of two languages or an encoder, plug-ins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from tertium.errors import InputError, SpecError
from tertium.estimation.view import QualityFeatures, View
from tertium.estimation.words import Numbers
from tertium.families.base import Metric
from tertium.registry import metric

METRIC = "metric:"  # begins the name of a set that is another metric


def metric_features(spec: str) -> QualityFeatures:
    """What a metric says of each translation by its source.

    >>> metric_features("chrf")
    Traceback (most recent call last):
    tertium.errors.SpecError: chrf needs references: quality is estimated without
    """
    found = metric(spec)
    if found.needs_references:
        raise SpecError(f"{spec} needs references: quality is estimated without")
    if found.runs_programs:
        raise SpecError(f"{spec} runs a program, which no file of an estimator may ask for")
    if found.scope != "segment":
        raise SpecError(f"{spec} looks at documents: features are of segments")
    if found.needs_whole_set:
        raise SpecError(
            f"{spec} learns weights from the texts themselves, so that a number depends on all texts: give "
            "idf=none,source_idf=none, or files"
        )
    return QualityFeatures(found.title, ("score",), partial(_scores, found))


def _scores(found: Metric, view: View) -> Sequence[Numbers]:
    texts = view.target.texts, view.source.texts
    if not len(view):
        return [np.zeros(0)]
    rows = found.statistics(texts[0], texts[1], sources=texts[1], threads=view.threads)
    return [np.nan_to_num(found.score_rows(rows, "segment"))]


def set_of(spec: str) -> str:
    """The name of the set of features that a metric is; whether it can be one is looked at."""
    metric_features(spec)
    return f"{METRIC}{metric(spec)}"


def signatures(sets: Sequence[str]) -> dict[str, str]:
    """What the metrics among them are: options, and hashes of their files."""
    return {name: _signature(name) for name in sets if name.startswith(METRIC)}


def _signature(name: str) -> str:
    items = metric(name.removeprefix(METRIC)).signature_items("segment")
    return "|".join(f"{key}:{value}" for key, value in items.items())


def check_signatures(known: Mapping[str, str], called: str) -> None:
    """Refuses metrics that are not what they were: other vectors, another encoder."""
    for name, expected in known.items():
        if _signature(name) != expected:
            raise InputError(
                f"{called} was trained with {name.removeprefix(METRIC)}, whose files are not those of today"
            )
