"""Metrics for EleutherAI's lm-evaluation-harness and Hugging Face's lighteval.

Both ask a function for each document first, and another for all of them at the end. A corpus score is no mean of
segment scores, so the first only keeps texts, and the second scores them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tertium.adapters.columns import chosen, imported
from tertium.scoring import score

Item = tuple[Any, str]  # reference or references, and the prediction


def aggregation(metric: str) -> Callable[[Sequence[Item]], float]:
    """A function of all (reference, prediction) pairs: the corpus score.

    >>> aggregation("chrf")([("a b", "a b"), (["c", "d"], "d")])
    100.0
    """
    (own,) = chosen(metric)

    def scored(items: Sequence[Item]) -> float:
        references = [[one] if isinstance(one, str) else list(one) for one, _ in items]
        predictions = [_text(prediction) for _, prediction in items]
        found = score(predictions, references_per_segment=references, metrics=own).scores[0].value
        return float("nan") if found is None else found

    scored.__name__ = _name(metric)
    return scored


def _text(prediction: Any) -> str:
    return prediction if isinstance(prediction, str) else str(next(iter(prediction), ""))


def _name(metric: str) -> str:
    return f"tertium_{metric}"


def register(*metrics: str) -> list[str]:
    """Make metrics known to lm-evaluation-harness as `tertium_bleu`...; a task then names them in its `metric_list`."""
    registry = imported("lm_eval.api.registry", "lm-eval")
    names = []
    for spec in metrics:
        (own,) = chosen(spec)
        name = _name(spec)
        if name not in registry.AGGREGATION_REGISTRY:
            registry.register_aggregation(name)(aggregation(spec))
            registry.register_metric(
                metric=name,
                higher_is_better=own.higher_is_better,
                output_type="generate_until",
                aggregation=name,
            )(lambda items: items)
        names.append(name)
    return names


def lighteval_metric(metric: str = "chrf") -> Any:
    """A `CorpusLevelMetric` of lighteval."""
    utils = imported("lighteval.metrics.utils.metric_utils", "lighteval")
    by_sample: Any = imported("lighteval.metrics.metrics_sample", "lighteval").SampleLevelComputation
    of_corpus: Any = imported("lighteval.metrics.metrics_corpus", "lighteval").CorpusLevelComputation
    tasks = imported("lighteval.tasks.requests", "lighteval")
    (own,) = chosen(metric)
    whole = aggregation(metric)

    class Kept(by_sample):  # type: ignore[misc]
        """Keeps the texts of a document."""

        def compute(self, model_response: Any, doc: Any, **_: Any) -> Item:
            return doc.get_golds(), model_response.final_text[0]

    class Whole(of_corpus):  # type: ignore[misc]
        """Scores all texts."""

        def compute_corpus(self, items: Sequence[Item]) -> float:
            return whole(items)

    return utils.CorpusLevelMetric(
        metric_name=_name(metric),
        sample_level_fn=Kept(),
        category=tasks.SamplingMethod.GENERATIVE,
        corpus_level_fn=Whole(),
        higher_is_better=own.higher_is_better,
    )
