"""Our metrics' scores as files that a shared task takes: WMT's, of any year, or mt-metrics-eval's layout."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tertium.errors import InputError, SpecError, did_you_mean
from tertium.io.mtme import write_mtme_scores
from tertium.io.wmtscores import SHAPES, write_wmt_scores

if TYPE_CHECKING:
    from tertium.meta.evaluation import Evaluation

MTME = "mtme"
WITHOUT_REFERENCE = "src"
LATEST = "wmt25"


def write_scores(evaluation: Evaluation, folder: str | Path, shape: str = "wmt17") -> Iterator[Path]:
    """Write the scores of our own metrics, a file for each metric, level and language pair; yields their paths."""
    form = _form(shape)
    if form == MTME and evaluation.task.segments == "judged":
        raise InputError(
            "mt-metrics-eval's files have all segments, but segments = 'judged' scores some of them"
        )
    root = Path(folder)
    for pair, metrics in evaluation.scores.items():
        for metric in metrics:
            if metric.metric is None:
                continue
            # mt-metrics-eval joins several references by dots; a metric of the source alone has `src`.
            names = evaluation.references[pair] if metric.metric.needs_references else (WITHOUT_REFERENCE,)
            for scores in (scores for scores in (metric.systems, metric.segments) if scores is not None):
                if form == MTME:
                    yield write_mtme_scores(root, pair, scores, reference=".".join(names))
                    continue
                path = root / f"{metric.name}.{pair}.{scores.level[:3]}.score"
                root.mkdir(parents=True, exist_ok=True)
                testset = evaluation.task.testset or evaluation.task.name
                ensemble = "ensemble" if metric.ensemble else "non-ensemble"
                places = evaluation.places.get(pair)
                write_wmt_scores(
                    path,
                    [scores],
                    shape=form,
                    pair=pair,
                    testset=testset,
                    reference=",".join(names),
                    ensemble=ensemble,
                    documents=places and places.documents,
                    domains=places and places.domains,
                )
                yield path


def _form(shape: str) -> str:
    """The form of the files that a year's task takes, such as wmt17 for wmt19; or mt-metrics-eval's layout."""
    if shape in (MTME, *SHAPES):
        return shape
    years = [known for known in SHAPES if known <= shape]
    if not years or not re.fullmatch(r"wmt\d\d", shape) or shape > LATEST:
        raise SpecError(f"there is no format {shape!r}{did_you_mean(shape, [*SHAPES, MTME])}")
    return max(years)
