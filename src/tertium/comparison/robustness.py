"""What noise in the source does to systems: how far their scores drop, and how far their outputs stay the same.

Niu, Mathur, Dinu and Al-Onaizan (2020), *Evaluating Robustness to Input Perturbations for Neural Machine Translation*:
robustness is the quality with noise against the quality without, consistency the likeness of the two outputs. Here
quality and likeness are measured by any metric, with intervals over resamples.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import comb
from typing import TYPE_CHECKING, Any

from tertium.comparison.confidence import confidence_interval
from tertium.comparison.resamples import OWN, Job, resampled
from tertium.comparison.significance import pair_tests
from tertium.comparison.units import resampled_units
from tertium.errors import InputError, SpecError
from tertium.families.base import Metric
from tertium.families.for_texts import warn_of
from tertium.io.tables import Column, Table, number_column, p_text
from tertium.measuring import Specs, measure
from tertium.progress import steps
from tertium.results import Result, metric_facts, metric_labels
from tertium.stats.multiple import holm
from tertium.stats.proportions import wilson_interval
from tertium.stats.resampling import SEED
from tertium.testset import TestSet
from tertium.text.segments import References, as_lines

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tertium.statistics import Statistics
    from tertium.text.segments import Texts

RESAMPLES = 1_000


@dataclass(frozen=True)
class NoiseDrop:
    """One system under one noise, by one metric. `drop` is how much worse the noisy output scores, `consistency` the
    score of the noisy output with the clean one for its reference, `same` the share of outputs that do not change."""

    metric: str
    noise: str
    system: str
    clean: float | None
    noisy: float | None
    drop: float | None
    drop_low: float | None
    drop_high: float | None
    p: float | None  # that there is no drop
    consistency: float | None
    consistency_low: float | None
    consistency_high: float | None
    same: float
    same_interval: tuple[float, float] | None
    p_holm: float | None = None  # over all systems and noises


@dataclass(frozen=True)
class LostMore:
    """How much more one system loses under a noise than another, with a 95% interval."""

    metric: str
    noise: str
    least: str
    most: str
    difference: float
    low: float
    high: float


@dataclass(frozen=True)
class Robustness(Result):
    """Drop and consistency of every system under every noise. Made by `measure_robustness`."""

    kind = "robustness"
    metrics: tuple[Metric, ...]
    drops: tuple[NoiseDrop, ...]
    spreads: tuple[LostMore, ...]
    segments: int
    units: str
    resamples: int
    seed: int

    def contents(self) -> Mapping[str, Any]:
        return {**super().contents(), "metrics": metric_facts(self.metrics), "words": tuple(self.words())}

    def records(self) -> list[dict[str, Any]]:
        return [dict(vars(own)) for own in self.drops]

    def tables(self) -> Iterator[Table]:
        for metric, label in zip(self.metrics, metric_labels(self.metrics), strict=True):
            yield self._table(label, "↑" if metric.higher_is_better else "↓")

    def _table(self, label: str, arrow: str) -> Table:
        columns = (
            *map(Column, ("noise", "system")),
            *(number_column(name) for name in ("clean", "drop")),
            *(number_column(name, f"drop_{key}") for name, key in (("from", "low"), ("to", "high"))),
            number_column("like", "consistency", 1),
            *(
                number_column(name, f"consistency_{key}", 1)
                for name, key in (("from", "low"), ("to", "high"))
            ),
            number_column("same", digits=1),
        )
        rows = tuple(
            (
                *(own.noise, own.system, own.clean, own.drop, own.drop_low, own.drop_high),
                *(own.consistency, own.consistency_low, own.consistency_high, 100 * own.same),
            )
            for own in self.drops
            if own.metric == label
        )
        notes = (
            "drop: how much worse the output for the noisy source is, with its 95% interval",
            f"like: {label} of the noisy output against the clean one; same: % of outputs unchanged",
            f"{self.resamples:,} resamples of {self.segments:,} segments"
            + (" by documents" if self.units == "documents" else "")
            + f", seed {self.seed}",
        )
        return Table(f"Noise: {label} {arrow}", columns, rows, notes)

    def words(self) -> Iterator[str]:
        """By the first metric: what each noise costs, and whether systems differ in it."""
        first = metric_labels(self.metrics)[0]
        for noise in dict.fromkeys(own.noise for own in self.drops):
            found = [own for own in self.drops if (own.metric, own.noise) == (first, noise)]
            known = [(own.drop, own) for own in found if own.drop is not None]
            if not known:
                continue
            known.sort(key=lambda pair: pair[0])
            (low, least), (high, most) = known[0], known[-1]
            if len(known) == 1:
                yield f"Under {noise}, {least.system} loses {low:.2f} {first}{_p_words(least)}."
                continue
            apart = ""
            for own in self.spreads:
                if (own.metric, own.noise) == (first, noise):
                    chance = "" if own.low > 0 else ", not a significant difference"
                    apart = f": {own.difference:.2f} more, 95% from {own.low:.2f} to {own.high:.2f}{chance}"
            yield (
                f"Under {noise}, {least.system} loses least ({low:.2f} {first}), {most.system} most "
                f"({high:.2f}){apart}."
            )


def _p_words(own: NoiseDrop) -> str:
    if own.p_holm is None:
        return ""
    p = p_text(own.p_holm)
    return f" (p {p if p.startswith('<') else f'= {p}'}, Holm)"


def measure_robustness(
    testset: TestSet,
    noisy: Mapping[str, Mapping[str, Texts]],
    metrics: Specs = ("bleu", "chrf"),
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    threads: int = 1,
) -> Robustness:
    """Compare outputs for clean sources (the systems of the test set) with those for noisy ones: `noisy` has for each
    noise an output of each system.

    >>> import tertium as tt
    >>> ts = tt.TestSet.sample()
    >>> one = tt.TestSet.of(ts.references, {"strong": ts.systems["strong"]})
    >>> damaged = [(ts.systems["strong"][n] or "").replace("the", "teh") for n in range(len(ts))]
    >>> found = measure_robustness(one, {"typos": {"strong": damaged}}, ["chrf"])
    >>> [drop] = found.drops
    >>> f"{drop.drop:.2f} [{drop.drop_low:.2f}, {drop.drop_high:.2f}], {drop.consistency:.2f}, {drop.same:.2f}"
    '4.93 [3.84, 6.01], 92.76, 0.28'
    """
    if not noisy:
        raise InputError("there are no outputs for noisy sources")
    for noise, outputs in noisy.items():
        if missing := [name for name in testset.systems if name not in outputs]:
            raise InputError(f"there is no output of {missing[0]!r} under {noise!r}")
    if resamples < 1:
        raise SpecError(f"there must be at least one resample, not {resamples}")
    texts = {
        (noise, name): as_lines(own[name], f"output of {name} under {noise}")
        for noise, own in noisy.items()
        for name in testset.systems
    }
    keys = {place: f"{place[1]} under {place[0]}" for place in texts}
    both = {**testset.systems, **{keys[place]: lines for place, lines in texts.items()}}
    measured = measure(replace(testset, systems=both), metrics, threads=threads)
    warn_of(measured.notes)
    labels = dict(zip(measured.metrics, metric_labels(measured.metrics), strict=True))
    alike = {  # noisy outputs with the clean ones for references
        name: measure(
            TestSet(
                name, References.of(lines), {noise: texts[noise, name] for noise in noisy}, testset.sources
            ),
            measured.metrics,
            threads=threads,
        )
        for name, lines in testset.systems.items()
    }
    drops: list[NoiseDrop] = []
    spreads: list[LostMore] = []
    for metric, label in labels.items():
        losses: dict[tuple[str, str], NDArray[np.float64]] = {}
        found: list[NoiseDrop] = []
        for noise, name in steps(list(texts), f"resampling {label}"):
            rows = measured.statistics(name, metric), measured.statistics(keys[noise, name], metric)
            lost, p, losses[noise, name], job = _lost(
                metric, rows, testset.documents, resamples, seed, threads
            )
            interval = job.interval(metric, losses[noise, name], lost)
            likeness = confidence_interval(
                alike[name].statistics(noise, metric),
                metric,
                resamples=resamples,
                seed=seed,
                documents=testset.documents,
                threads=threads,
            )
            clean, noisy_lines = testset.systems[name], texts[noise, name]
            kept = sum((clean[n] or "") == (noisy_lines[n] or "") for n in range(len(testset)))
            found.append(
                NoiseDrop(
                    label,
                    noise,
                    name,
                    measured.corpus_score(name, metric),
                    measured.corpus_score(keys[noise, name], metric),
                    lost,
                    interval.low,
                    interval.high,
                    p,
                    alike[name].corpus_score(noise, metric),
                    likeness.low,
                    likeness.high,
                    kept / len(testset),
                    wilson_interval(kept, len(testset)),
                )
            )
        adjusted = holm([own.p for own in found])
        drops += [replace(own, p_holm=p) for own, p in zip(found, adjusted, strict=True)]
        spreads += filter(None, (_spread(label, noise, found, losses, metric, job) for noise in noisy))
    units = "segments" if testset.documents is None else "documents"
    return Robustness(measured.metrics, tuple(drops), tuple(spreads), len(testset), units, resamples, seed)


def _lost(
    metric: Metric,
    rows: tuple[Statistics, Statistics],
    documents: Sequence[str] | None,
    resamples: int,
    seed: int,
    threads: int,
) -> tuple[float | None, float | None, NDArray[np.float64], Job]:
    """How much worse the second rows score, the p-value of that, the same in every resample, and what was resampled."""
    both = dict(zip(("clean", "noisy"), rows, strict=True))
    how: dict[str, Any] = {"seed": seed, "documents": documents, "threads": threads}
    [pair] = pair_tests(both, metric, resamples=resamples, intervals=0, **how).pairs
    _, grouped = resampled_units([(name, [own]) for name, own in both.items()], documents)
    job = Job((metric,), grouped, OWN, None, "", 0, resamples, seed, threads)
    clean, noisy = (scores.mean(axis=0) for scores in resampled([job], None)[metric])
    sign = 1 if metric.higher_is_better else -1
    lost = None if pair.difference is None else 0.0 - sign * pair.difference
    return lost, pair.p, sign * (clean - noisy) + 0.0, job


def _spread(
    label: str,
    noise: str,
    found: Sequence[NoiseDrop],
    losses: Mapping[tuple[str, str], NDArray[np.float64]],
    metric: Metric,
    job: Job,
) -> LostMore | None:
    """The system that loses least, and the one that loses most: resamples are the same for both. These two were looked
    for among all pairs, and so the interval is wider (Bonferroni): 5% for the intervals of all pairs together."""
    known = [(own.drop, own.system) for own in found if own.noise == noise and own.drop is not None]
    if len(known) < 2:
        return None
    (low, least), (high, most) = min(known), max(known)
    share = 1 - 0.05 / comb(len(known), 2)
    interval = job.interval(metric, losses[noise, most] - losses[noise, least], high - low, share)
    if interval.low is None or interval.high is None:
        return None
    return LostMore(label, noise, least, most, high - low, interval.low, interval.high)
