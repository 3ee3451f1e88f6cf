"""A small task, made: three pairs of the bundled sample's texts and human scores, for pages and figures."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tertium.io.scorematrix import ScoreMatrix
from tertium.meta.against_people import judge_segments, judge_systems
from tertium.meta.evaluation import Evaluation
from tertium.meta.scored_metrics import ScoredMetric, outside_metric
from tertium.meta.task import Task

METRICS = (("chrF", 0.2, 1), ("BLEU", 1.5, 1), ("TER", 0.6, -1), ("<i>Mixed & more</i>", 0.5, 1))


def made_evaluation(pairs: tuple[str, ...] = ("cs-en", "de-en", "en-zh"), systems: int = 12) -> Evaluation:
    """Metrics that follow people more or less closely; the last one is an ensemble with a nasty name."""
    rng = np.random.default_rng(7)
    names = tuple(f"s{i}" for i in range(systems))
    items = tuple(str(i) for i in range(1, 41))
    task = Task(
        "Made <task>",
        metrics=("chrf",),
        human={"system": Path("x"), "kind": "DA"},
        levels=("system", "segment"),
    )
    judged, scores = [], {}
    for pair in pairs:
        people = rng.normal(size=(systems, 1)) + 0.7 * rng.normal(size=(systems, len(items)))
        human = ScoreMatrix("human", "segment", names, items, people)
        metrics: list[ScoredMetric] = []
        for name, noise, sign in METRICS:
            values = sign * (people + noise * rng.normal(size=people.shape))
            own = ScoreMatrix(name, "segment", names, items, values)
            of_systems = ScoreMatrix.of_systems(
                name,
                dict(
                    zip(
                        names,
                        (values.mean(axis=1) + noise * rng.normal(size=systems) * 0.4).tolist(),
                        strict=True,
                    )
                ),
            )
            metrics.append(
                outside_metric([own, of_systems], higher_is_better=sign > 0, ensemble=name.startswith("<"))
            )
        judged.append(judge_systems(human.system_means(), metrics, pair))
        judged.append(judge_segments(human, metrics, pair))
        scores[pair] = tuple(metrics)
    seconds = {name: dict.fromkeys(pairs, 0.01 * (i + 1)) for i, (name, _, _) in enumerate(METRICS[:3])}
    signatures = {"chrF": dict.fromkeys(pairs, "nrefs:1|case:mixed")}
    judged.sort(key=lambda own: own.level == "segment")
    counts = dict.fromkeys(pairs, systems * len(items))
    return Evaluation(task, tuple(judged), seconds, signatures, scores, ("a note </script>",), counts)
