"""`tune`: weights of n-best features for a metric, and `tune_across`: for several, each judged by all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium.comparison.components import Components, MetricComponents, flat
from tertium.comparison.significance import pair_tests
from tertium.errors import InputError, SpecError
from tertium.families.base import Metric
from tertium.io.nbestfeatures import FeatureLists
from tertium.measuring import Specs
from tertium.nbest import NBestScores, score_nbest
from tertium.progress import steps
from tertium.results import metric_labels
from tertium.stats.resampling import SEED
from tertium.tuning.objective import CandidatePart, Objective
from tertium.tuning.results import CrossTuning, Point, Scores, Selected, TunedWeights, TuningRun, TuningSetup
from tertium.tuning.tuners import TUNERS, TuningOptions, normalised

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Numbers = NDArray[np.int64]

HELD_OUT = 0.25
_LIKE = 1e-3  # how well a sum of features must give the list's own scores to be taken for it
_NOISE = 1e-8  # a weight with so small a share in the sum is none
_DIGITS = 12  # of weights that are written: everything reported is what the written weights do


@dataclass(frozen=True, eq=False)
class Tuning:
    """Lists whose candidates were scored, in two parts: to tune on, and to see what that is worth."""

    lists: FeatureLists
    scores: NBestScores
    method: str
    seed: int
    parts: Mapping[str, Numbers]  # the sentences of "tuning" and "heldout"
    documents: Sequence[str] | None
    start: Array
    begin: str
    restarts: int
    options: TuningOptions
    digits: int

    @cached_property
    def _candidates(self) -> dict[str, tuple[CandidatePart, Numbers]]:
        """The candidates of each part, and their numbers in the list."""
        starts = np.searchsorted(
            np.asarray(self.lists.nbest.segments), np.arange(self.lists.nbest.n_sentences + 1)
        )
        whole = CandidatePart(self.lists.values, starts.astype(np.int64))
        return {name: whole.taken(own) for name, own in self.parts.items()}

    @property
    def metrics(self) -> tuple[Metric, ...]:
        return self.scores.metrics

    def objective(self, metric: Metric, part: str = "tuning") -> Objective:
        candidates, numbers = self._candidates[part]
        return Objective(candidates, metric, self.scores.rows[self.metrics.index(metric)].take(numbers))

    def chosen(self, part: str, weights: Array) -> Numbers:
        """The numbers of the candidates that weights choose from a part."""
        candidates, numbers = self._candidates[part]
        return numbers[candidates.chosen(weights)]

    def judged(self, choice: Numbers) -> Scores:
        """The scores of a choice by all metrics."""
        return {
            metric: metric.score_total(rows.take(choice)) if len(choice) else None
            for metric, rows in zip(self.metrics, self.scores.rows, strict=True)
        }

    @cached_property
    def setup(self) -> TuningSetup:
        spread = self._candidates["tuning"][0].spread
        if not spread.any():
            raise InputError(
                "all features are the same for all candidates of every sentence: no weights can choose"
            )
        idle = tuple(name for name, own in zip(self.lists.names, spread, strict=True) if not own)
        return TuningSetup(
            self.metrics,
            self.scores.n_references,
            self.method,
            self.seed,
            len(self.parts["tuning"]),
            len(self.parts["heldout"]),
            len(self.lists.nbest),
            self.begin,
            idle,
            self.digits,
        )

    def _beginning(self, number: int, spread: Array, replica: int = 0) -> Array:
        """The weights that are given, or random ones of about the same effect for every feature."""
        if number == 0:
            return self.start
        drawn = np.random.default_rng([self.seed, replica, number]).uniform(-1, 1, len(spread))
        return normalised(np.divide(drawn, spread, out=np.zeros(len(spread)), where=spread > 0))

    def run(self, metric: Metric, replica: int = 0) -> TunedWeights:
        """Weights tuned to one of the metrics; other replicas draw everything but the parts anew."""
        setup, tuner = self.setup, TUNERS[self.method]
        objective = self.objective(metric)
        heldout = self.objective(metric, "heldout") if setup.heldout else None
        found: list[tuple[float, Array, TuningRun, list[Point]]] = []
        for number in steps(range(self.restarts + 1), f"{metric}: beginnings"):
            begin = self._beginning(number, objective.part.spread, replica)
            rng = np.random.default_rng([self.seed, replica, number, 1])
            best, curve = (-np.inf, begin), []
            course = tuner.steps(objective, begin, rng, self.options)
            for step, weights in enumerate([begin, *map(_written, course)]):
                value = objective.of_weights(weights)
                after = None if heldout is None else heldout.of_weights(weights)
                curve.append(Point(step, _score(metric, value), _score(metric, after)))
                if value > best[0] or not step:
                    best, point = (value, weights), curve[-1]
            name = "the weights given" if number == 0 else f"random beginning {number}"
            found.append((*best, TuningRun(name, point, len(curve) - 1), curve))
        place = max(range(len(found)), key=lambda i: (found[i][0], -i))
        _, weights, _, points = found[place]
        choices = self._choices(metric, weights)
        test = None
        if self._units > 1:
            rows = self.scores.rows[self.metrics.index(metric)]
            both = {name: rows.take(choices[name]["heldout"]) for name in ("before", "tuned")}
            test = pair_tests(
                both, metric, baseline="before", seed=self.seed, documents=self._heldout_documents
            )
        return TunedWeights(
            setup,
            metric,
            self.lists.named(weights),
            self.lists.named(self.start),
            {
                name: Selected(self.judged(own["tuning"]), self.judged(own["heldout"]))
                for name, own in choices.items()
            },
            tuple(points),
            tuple(run for _, _, run, _ in found),
            place,
            test,
        )

    @property
    def _units(self) -> int:
        """How many sentences or documents tests can draw from."""
        documents = self._heldout_documents
        return len(self.parts["heldout"]) if documents is None else len(set(documents))

    @property
    def _heldout_documents(self) -> list[str] | None:
        return None if self.documents is None else [self.documents[i] for i in self.parts["heldout"]]

    def _choices(self, metric: Metric, weights: Array) -> dict[str, dict[str, Numbers]]:
        """What the decoder, the weights at the beginning, those tuned and the references choose, from each part."""
        first, oracle = self.scores.first(metric).index, self.scores.oracle(metric).index
        return {
            "first": {part: first[own] for part, own in self.parts.items()},
            "before": {part: self.chosen(part, self.start) for part in self.parts},
            "tuned": {part: self.chosen(part, weights) for part in self.parts},
            "oracle": {part: oracle[own] for part, own in self.parts.items()},
        }

    def across(self, replicas: int = 1) -> CrossTuning:
        """Tuned to each metric in turn, and judged by all where nothing was tuned.

        Tuning is not stable: with several replicas of each, differences are tested beside those between replicas
        (Clark et al. 2011), and scores are means.
        """
        if len(self.metrics) < 2:
            raise SpecError("metrics are judged by each other: name two or more")
        if self._units < 2:
            what = "sentences" if self.documents is None else "documents"
            raise SpecError(f"metrics are compared on {what} that are held out: hold some out, two at least")
        runs = [[self.run(metric, i) for i in range(replicas)] for metric in steps(self.metrics, str)]
        labels = metric_labels(self.metrics)
        choices = {
            label: [self.chosen("heldout", np.concatenate([*run.weights.values()])) for run in own]
            for label, own in zip(labels, runs, strict=True)
        }
        others = {
            "(before)": [self.chosen("heldout", self.start)],
            "(first)": [self.scores.first().index[self.parts["heldout"]]],
        }
        tests = tuple(
            pair_tests(
                {name: [rows.take(choice) for choice in own] for name, own in choices.items()},
                metric,
                baseline=label,
                seed=self.seed,
                documents=self._heldout_documents,
            )
            for metric, label, rows in zip(self.metrics, labels, self.scores.rows, strict=True)
        )
        scores = {name: self._means(own) for name, own in (choices | others).items()}
        best = tuple(_best(own) for own in runs)
        return CrossTuning(self.setup, best, replicas, scores, tests, self._components(choices, scores))

    def _means(self, choices: Sequence[Numbers]) -> Scores:
        """The scores of several choices, their means."""
        found = [self.judged(choice) for choice in choices]
        return {metric: _mean([scores[metric] for scores in found]) for metric in self.metrics}

    def _components(
        self, choices: Mapping[str, Sequence[Numbers]], scores: Mapping[str, Scores]
    ) -> Components:
        """What the first metric's scores are made of: ratios, not counts, and the ratio of lengths."""
        metric, rows = self.metrics[0], self.scores.rows[0]
        found: dict[str, list[int | float | None]] = {}
        for own in choices.values():
            made = metric.components(rows.take(np.concatenate(own)).total())
            parts = {name: value for name, value in flat(made) if not isinstance(value, int)}
            if made.get("hypothesis_length") and made.get("reference_length"):
                parts["length ratio"] = made["hypothesis_length"] / made["reference_length"]
            for name, value in parts.items():
                found.setdefault(name, []).append(value)
        own_scores = tuple(scores[name][metric] for name in choices)
        each = {name: tuple(values) for name, values in found.items()}
        return Components(tuple(choices), (MetricComponents(metric, own_scores, each),))


def prepared(
    lists: FeatureLists,
    references: Any,
    metrics: Specs = ("bleu",),
    *,
    method: str = "mert",
    heldout: float = HELD_OUT,
    start: Mapping[str, Sequence[float]] | None = None,
    origin: str = "the weights given",
    restarts: int | None = None,
    seed: int = SEED,
    sources: Any = None,
    documents: Sequence[str] | None = None,
    options: TuningOptions | None = None,
    threads: int = 1,
    digits: int = 2,
) -> Tuning:
    """Everything that tuning needs: scored candidates, the two parts, the weights at the beginning."""
    tuner, options = TUNERS[method], options or TuningOptions()
    if not 0 <= heldout < 1:
        raise SpecError(f"the share held out must be from 0 to below 1, not {heldout}")
    if not 0 < options.interpolate <= 1:
        raise SpecError(f"the share of new weights must be above 0 and at most 1, not {options.interpolate}")
    if not 0 < options.aggressiveness < np.inf:
        raise SpecError(f"the largest step must be above 0, not {options.aggressiveness}")
    scores = score_nbest(lists.nbest, references, metrics, sources=sources, threads=threads)
    for metric in scores.metrics:
        if metric.scope != "segment":
            raise SpecError(
                f"{metric} scores whole documents: candidates of sentences have no rows that add up to its"
            )
    if start is None:
        weights, begin = _own_weights(lists)
    else:
        weights, begin = lists.weights(start, origin), origin
        if not weights.any():
            raise InputError(f"{origin}: all weights are 0")
    return Tuning(
        lists,
        scores,
        method,
        seed,
        _parts(lists.nbest.n_sentences, heldout, seed, documents),
        documents,
        _written(normalised(weights)),
        begin,
        tuner.restarts if restarts is None else restarts,
        options,
        digits,
    )


def tune(lists: FeatureLists, references: Any, metrics: Specs = ("bleu",), **settings: Any) -> TunedWeights:
    """Find weights of features for the first metric; the scores of the others are reported. `prepared` has the
    settings.

    >>> from tertium.io.nbest import NBest
    >>> nbest = NBest((0, 0, 1, 1), ("a b", "a c", "d", "e f"), (0.0,) * 4, ("f= 1", "f= 2", "f= 5", "f= 7"))
    >>> found = tune(FeatureLists.of(nbest), ["a b", "d"], ["ter"], heldout=0, restarts=0)
    >>> found.weights, list(found.selected["tuned"].tuning.values())
    ({'f': (-1.0,)}, [0.0])
    """
    made = prepared(lists, references, metrics, **settings)
    return made.run(made.metrics[0])


def tune_across(
    lists: FeatureLists, references: Any, metrics: Specs, *, replicas: int = 1, **settings: Any
) -> CrossTuning:
    """Find weights for each metric, and judge all of them by all metrics, on sentences that were held out."""
    return prepared(lists, references, metrics, **settings).across(replicas)


def _parts(sentences: int, share: float, seed: int, documents: Sequence[str] | None) -> dict[str, Numbers]:
    """Sentences to tune on and those held out; whole documents where they are known."""
    if documents is not None and len(documents) != sentences:
        raise InputError(f"there are {sentences} sentences, but {len(documents)} document ids")
    names = list(range(sentences)) if documents is None else list(dict.fromkeys(documents))
    unit = {name: i for i, name in enumerate(names)}
    units = np.array([unit[name] for name in (range(sentences) if documents is None else documents)])
    number = round(share * len(names)) if share else 0
    if share and not 0 < number < len(names):
        what = "sentences" if documents is None else "documents"
        raise InputError(f"{len(names)} {what} cannot be divided into two parts: hold out none, or give more")
    out = np.zeros(len(names), dtype=bool)
    out[np.random.default_rng([seed, 0, 0]).permutation(len(names))[:number]] = True
    return {"tuning": np.flatnonzero(~out[units]), "heldout": np.flatnonzero(out[units])}


def _own_weights(lists: FeatureLists) -> tuple[Array, str]:
    """The decoder's own weights, if its scores are a weighted sum of the features; else the same for all, scaled."""
    scores, features = np.array(lists.nbest.model_scores), lists.values.T
    weights = np.linalg.lstsq(features, scores, rcond=None)[0]
    effect = np.abs(weights) * np.abs(features).max(axis=0)
    weights = np.where(effect > _NOISE * effect.max(initial=0.0), weights, 0.0)
    away = np.abs(features @ weights - scores)
    if scores.any() and (away <= _LIKE * (1 + np.abs(scores))).all():
        return weights, "those that give the list's own scores"
    spread = features.std(axis=0)
    equal = np.divide(1.0, spread, out=np.zeros(len(spread)), where=spread > 0)
    return (
        equal if equal.any() else np.ones(len(spread))
    ), "the same for all features, each scaled by its spread"


def _written(weights: Array) -> Array:
    """Weights with as many digits as are written."""
    return np.array([float(f"{weight:.{_DIGITS}g}") for weight in weights.tolist()])


def _score(metric: Metric, good: float | None) -> float | None:
    """A score again, from how good it is."""
    return None if good is None or not np.isfinite(good) else float(metric.oriented(np.array([good]))[0])


def _best(runs: Sequence[TunedWeights]) -> TunedWeights:
    """The replica with the highest score where it was tuned; the first of equal ones."""

    def value(own: TunedWeights) -> float:
        score = own.selected["tuned"].tuning[own.metric]
        return -np.inf if score is None else float(own.metric.oriented(np.array([score]))[0])

    return max(runs, key=value)


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if len(known) == len(values) else None
