"""Several runs of one system (optimiser replicas): tested together, and shown by the run in the middle.

Tests take all runs of a system as MultEval does (Clark, Dyer, Lavie and Smith 2011). What is shown of single segments
and words must come from one output, and a lucky or unlucky run would mislead: it is the run whose score by the first
metric is the median (of an even number, the lower of the two in the middle).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tertium.errors import InputError, did_you_mean
from tertium.families.base import Metric
from tertium.measured import Measured
from tertium.statistics import Statistics

RunNames = Mapping[str, Sequence[str]]


def by_system(measured: Measured, runs: RunNames) -> dict[str, tuple[str, ...]]:
    """The runs of every system, in the order of the test set; a system that is not in `runs` is its own only run.

    >>> from tertium import TestSet, measure
    >>> by_system(measure(TestSet.sample(), "bleu"), {"new": ["smooth", "strong"]})
    {'literal': ('literal',), 'new': ('smooth', 'strong')}
    """
    owner: dict[str, str] = {}
    for system, names in runs.items():
        if not names:
            raise InputError(f"system {system!r} has no runs")
        for name in names:
            if name not in measured.systems:
                raise InputError(
                    f"there is no run {name!r} for system {system!r}{did_you_mean(name, list(measured.systems))}"
                )
            if name in owner:
                raise InputError(f"{name!r} is a run of {owner[name]!r} and of {system!r}, or is named twice")
            owner[name] = system
    found: dict[str, tuple[str, ...]] = {}
    for name in measured.systems:
        if name not in owner and name in runs:
            raise InputError(f"{name!r} is the name of one output and of a system with several runs")
        system = owner.get(name, name)
        found[system] = tuple(runs[system]) if name in owner else (name,)
    return found


def rows_of_runs(
    measured: Measured, metric: Metric, systems: Mapping[str, Sequence[str]]
) -> dict[str, list[Statistics]]:
    """The rows of all runs of each system, as `pair_tests` takes them."""
    return {system: [measured.rows[name, metric] for name in names] for system, names in systems.items()}


def median_runs(measured: Measured, systems: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """For each system the run in the middle by the first metric."""
    metric = measured.metrics[0]

    def score(name: str) -> float:
        value = measured.corpus_score(name, metric)
        return float("-inf") if value is None else value

    return {system: sorted(names, key=score)[(len(names) - 1) // 2] for system, names in systems.items()}
