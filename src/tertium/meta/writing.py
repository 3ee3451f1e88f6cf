"""Our metrics' scores as files that a shared task takes: WMT's, of any year, or mt-metrics-eval's layout."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tertium.errors import SpecError, did_you_mean
from tertium.io.mtme import write_mtme_scores
from tertium.io.wmtscores import SHAPES, write_wmt_scores

if TYPE_CHECKING:
    from tertium.meta.evaluation import Evaluation

MTME = "mtme"


def write_scores(evaluation: Evaluation, folder: str | Path, shape: str = "wmt17") -> Iterator[Path]:
    """Write the scores of our own metrics, a file for each metric, level and language pair; yields their paths."""
    if shape != MTME and shape not in SHAPES:
        raise SpecError(f"there is no format {shape!r}{did_you_mean(shape, [*SHAPES, MTME])}")
    root = Path(folder)
    for pair, metrics in evaluation.scores.items():
        for metric in metrics:
            own = (metric.systems, metric.segments) if metric.metric is not None else ()
            for scores in (scores for scores in own if scores is not None):
                if shape == MTME:
                    yield write_mtme_scores(root, pair, scores, reference="ref")
                    continue
                path = root / f"{metric.name}.{pair}.{scores.level[:3]}.score"
                root.mkdir(parents=True, exist_ok=True)
                testset = evaluation.task.testset or evaluation.task.name
                ensemble = "ensemble" if metric.ensemble else "non-ensemble"
                write_wmt_scores(path, [scores], shape=shape, pair=pair, testset=testset, ensemble=ensemble)
                yield path
