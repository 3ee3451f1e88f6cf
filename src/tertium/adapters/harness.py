"""Metrics for EleutherAI's lm-evaluation-harness and Hugging Face's lighteval.

Both ask a function for each document first, and another for all of them at the end. A corpus score is no mean of
segment scores, so the first only keeps texts, and the second scores them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tertium.adapters.columns import imported, one
from tertium.errors import InputError, did_you_mean
from tertium.families.base import Metric
from tertium.scoring import score


class KeptPair(tuple[Any, Any]):
    """Reference or references, and the prediction or several, of which the first counts."""

    __slots__ = ()

    def __radd__(
        self, other: Any
    ) -> Any:  # lm-evaluation-harness takes the mean of what a task does not list
        raise InputError(
            "the task's metric_list lacks a metric that harness.keep names: let both name the same"
        )


@dataclass(frozen=True)
class Aggregation:
    """The corpus score of all documents. Can be pickled: harnesses estimate errors in other processes."""

    spec: str | Metric
    __name__ = "corpus_score"  # lighteval takes the error of a mean where it reads "mean" here

    @property
    def metric(self) -> Metric:
        return one(self.spec)

    def __call__(self, items: Sequence[Any]) -> float:
        pairs = [(own.golds, own.preds) if hasattr(own, "golds") else own for own in items]
        if not all(isinstance(pair, list | tuple) and len(pair) == 2 for pair in pairs):
            raise InputError(
                "the harness did not keep reference and prediction; where a document has several references, "
                "let process_results be tertium.adapters.harness.keep(...)"
            )
        references = [
            [own] if own is None or isinstance(own, str | Mapping) else list(own) for own, _ in pairs
        ]
        found = score([_text(own) for _, own in pairs], references_per_segment=references, metrics=self.spec)
        value = found[0].value
        return float("nan") if value is None else value


def aggregation(metric: str | Metric) -> Aggregation:
    """A function of all (reference, prediction) pairs: the corpus score.

    >>> aggregation("chrf")([("a b", "a b"), (["c", "d"], "d")])
    100.0
    """
    own = one(metric)
    if own.needs_source:
        raise InputError(f"{own.name} compares with the source text, which harnesses do not keep")
    return Aggregation(metric)


def _text(prediction: Any) -> str:
    """An answer that is missing is empty."""
    first = next(iter(prediction or ()), None)
    return prediction if isinstance(prediction, str) else first or ""


def _name(metric: str | Metric) -> str:
    return f"tertium_{metric}".replace(",", ";")  # the harness separates metric and filter by a comma


def register(*metrics: str) -> list[str]:
    """Make metrics known to lm-evaluation-harness as `tertium_bleu`...; a task then names them in its `metric_list`."""
    imported("lm_eval.api.metrics", "lm-eval")  # its own are registered first
    registry = imported("lm_eval.api.registry", "lm-eval")
    names = []
    for spec in metrics:
        whole, name = aggregation(spec), _name(spec)
        if name not in registry.AGGREGATION_REGISTRY:
            registry.register_aggregation(name)(whole)
            registry.register_metric(
                metric=name,
                higher_is_better=whole.metric.higher_is_better,
                output_type="generate_until",
                aggregation=name,
            )(_pair)
        names.append(name)
    return names


def _pair(items: Any = None, *, references: Any = (), predictions: Any = (), **options: Any) -> Any:
    """What is kept of a document. The harness tries names first, then a pair."""
    if options:
        raise InputError(f"options belong to the metric's name, as in tertium_bleu:tok=intl, not {options}")
    return KeptPair(items if items is not None else (references[0], predictions[0]))


def keep(
    references: str | Callable[[Mapping[str, Any]], Any], *metrics: str
) -> Callable[[Mapping[str, Any], Sequence[Any]], dict[str, KeptPair]]:
    """A task's `process_results`, where documents have several references (without it the harness only asks whether any
    of them scores): the field of a document that holds one or a list of them, or a function of the document; and
    metrics, which are registered."""
    names = register(*metrics)

    def process_results(document: Mapping[str, Any], results: Sequence[Any]) -> dict[str, KeptPair]:
        if callable(references):
            found = references(document)
        elif references in document:
            found = document[references]
        else:
            raise InputError(f"documents have no field {references!r}{did_you_mean(references, document)}")
        return {name: KeptPair((found, _text(results[0]))) for name in names}

    return process_results


def lighteval_metric(metric: str = "chrf") -> Any:
    """A `CorpusLevelMetric` of lighteval."""
    utils = imported("lighteval.metrics.utils.metric_utils", "lighteval")
    kept = imported("lighteval.metrics.sample_preparator", "lighteval")
    tasks = imported("lighteval.tasks.requests", "lighteval")
    whole = aggregation(metric)
    return utils.CorpusLevelMetric(
        metric_name=_name(metric),
        sample_level_fn=kept.GenerativePreparator(),
        category=tasks.SamplingMethod.GENERATIVE,
        corpus_level_fn=whole,
        higher_is_better=whole.metric.higher_is_better,
    )
