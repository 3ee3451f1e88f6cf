"""sacrebleu's significance tests: same seed, same draws, same numbers (Koehn 2004; Riezler and Maxwell 2005).

The tests themselves are those of `tertium.comparison.significance` with `like="sacrebleu"`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from tertium.comparison.significance import pair_tests
from tertium.comparison.single_precision import resample_scores
from tertium.stats.pvalues import sacrebleu_interval
from tertium.stats.resampling import SEED, Draws, fresh_seed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.compat.sacrebleu.metrics.base import Metric, Signature
    from tertium.statistics import DenseStatistics

Streams = Sequence[Sequence[str | None]]


def estimate_ci(scores: Sequence[float] | NDArray[Any]) -> tuple[float, float]:
    """Mean and half the width of the 95% confidence interval.

    >>> estimate_ci([1.0, 2.0, 6.0])
    (3.0, 2.5)
    """
    found = sacrebleu_interval(np.asarray(scores, dtype=np.float64))
    if found.mean is None or found.half_width is None:
        raise ValueError("there are no scores")
    return found.mean, found.half_width


def environment_seed() -> tuple[str, int]:
    """The seed as signatures print it (SACREBLEU_SEED, `none` for no seed), and the number that it starts."""
    seed = os.environ.get("SACREBLEU_SEED", str(SEED)).lower()
    return seed, fresh_seed() if seed == "none" else int(seed)


def stream(seed: int) -> Callable[[], Draws]:
    """Starts the stream of draws, as often as it is called."""
    return lambda: Draws(seed)


class Result:
    """What a test says of a system: its score, p-value against the baseline, bootstrap mean and interval.

    >>> Result(24.5, 0.031)
    score=24.5,p_value=0.031,mean=None,ci=None
    """

    def __init__(
        self, score: float, p_value: float | None = None, mean: float | None = None, ci: float | None = None
    ) -> None:
        self.score = score
        self.p_value = p_value
        self.mean = mean
        self.ci = ci

    def __repr__(self) -> str:
        return ",".join(f"{name}={value}" for name, value in vars(self).items())


class PairedTest:
    """Each system against the first, by paired bootstrap (`bs`) or approximate randomisation (`ar`).

    `n_samples` 0 means 1,000 resamples or 10,000 trials; `n_ar_confidence` resamples give intervals beside `ar`
    (-1: none, 0: 1,000). `n_jobs` is taken, but a test is over before a second process would have started.

    >>> from tertium.compat.sacrebleu.metrics import CHRF
    >>> systems = [("A", ["the cat", "a dog ran"]), ("B", ["the hat", "the frog"])]
    >>> signatures, scores = PairedTest(systems, {"CHRF": CHRF()}, [["the cat", "the dog ran"]], "bs")()
    >>> scores["System"], [round(result.score, 1) for result in scores["chrF2"]]
    (['A', 'B'], [68.6, 23.6])
    """

    _DEFAULT_SAMPLES: ClassVar[dict[str, int]] = {"ar": 10000, "bs": 1000}
    _METHODS: ClassVar[dict[str, str]] = {"ar": "randomisation", "bs": "bootstrap"}

    def __init__(
        self,
        named_systems: Sequence[tuple[str, Sequence[str]]],
        metrics: Mapping[str, Metric[Any]],
        references: Streams | None,
        test_type: str = "ar",
        n_samples: int = 0,
        n_ar_confidence: int = -1,
        n_jobs: int = 1,
    ) -> None:
        if test_type not in self._METHODS:
            raise AssertionError(f"Unknown test type {test_type!r}")  # sacrebleu's kind of error
        self.test_type = test_type
        self.n_samples = n_samples if n_samples > 0 else self._DEFAULT_SAMPLES[test_type]
        self.n_ar_confidence = n_ar_confidence if n_ar_confidence != 0 else self._DEFAULT_SAMPLES["bs"]
        self.n_jobs = n_jobs
        self.named_systems = list(named_systems)
        self.n_systems = len(self.named_systems) - 1
        self.references = references
        self._shown_seed, self._seed = environment_seed()
        self.metrics: dict[str, Metric[Any]] = {}
        self._baseline: dict[str, DenseStatistics] = {}
        self._signatures: dict[str, Signature] = {}
        for metric in metrics.values():
            rows = metric._statistics(self.named_systems[0][1], references)
            name = metric._score(rows).name
            self.metrics[name], self._baseline[name] = metric, rows
            self._signatures[name] = self._signature(metric)

    def _signature(self, metric: Metric[Any]) -> Signature:
        signature = metric.get_signature()
        signature.update("seed", self._shown_seed)
        signature.update(self.test_type, self.n_samples)
        if self.n_ar_confidence > 0:
            signature.update("bs", self.n_ar_confidence)
        return signature

    def __call__(self) -> tuple[dict[str, Signature], dict[str, list[str | Result]]]:
        """Signatures and results by the name of the metric's score; the names of systems under `System`."""
        scores: dict[str, list[str | Result]] = {"System": [name for name, _ in self.named_systems]}
        for name, metric in self.metrics.items():
            texts = (hypotheses for _, hypotheses in self.named_systems[1:])
            others = [metric._statistics(hypotheses, self.references) for hypotheses in texts]
            scores[name] = list(self._results(metric, [self._baseline[name], *others]))
        return self._signatures, scores

    def _results(self, metric: Metric[Any], systems: Sequence[DenseStatistics]) -> list[Result]:
        results = [Result(metric._score(rows).score) for rows in systems]
        if len(systems) == 1:
            number = self.n_samples if self.test_type == "bs" else self.n_ar_confidence
            if number > 0:
                worker = metric._worker()
                [scores] = resample_scores([worker], systems, stream(self._seed), number)[worker]
                results[0].mean, results[0].ci = estimate_ci(scores)
            return results
        found = pair_tests(
            [(str(i), rows) for i, rows in enumerate(systems)],
            metric._worker(),
            baseline="0",
            method=self._METHODS[self.test_type],
            resamples=self.n_samples,
            intervals=max(0, self.n_ar_confidence),
            seed=self._seed,
            like="sacrebleu",
        )
        for result, system in zip(results, found.systems, strict=True):
            result.mean, result.ci = system.mean, system.half_width
        for result, pair in zip(results[1:], found.pairs, strict=True):
            result.p_value = pair.p
        return results
