"""sacrebleu's significance for all metrics: its draws, its numbers and its forms.

found = paired_scores(inputs, metrics, test="bootstrap")
print(found)           # a table
print(found.json())    # sacrebleu's JSON
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tertium.comparison.confidence import confidence_interval
from tertium.comparison.pair_results import PairTests
from tertium.comparison.significance import ResamplingPlan, pair_tests_by_metric
from tertium.errors import InputError, TertiumWarning
from tertium.families.base import Level, Metric
from tertium.io.door import Inputs
from tertium.io.escaping import UNDEFINED
from tertium.io.tables import Column, Table
from tertium.measured import Measured
from tertium.measuring import Specs, measure, metrics_named
from tertium.results import Result, metric_labels
from tertium.scores import Score, Scores, Style
from tertium.scoring import scores_of
from tertium.stats.resampling import SEED

_KEYS = {"bootstrap": "bs", "randomisation": "ar"}  # in signatures
_TESTS = {"bootstrap": "bootstrap resampling", "randomisation": "approximate randomisation"}
_TIMES = {"bootstrap": "resamples", "randomisation": "trials"}
THRESHOLD = 0.05
STYLE = Style()


def scores_with_intervals(
    inputs: Inputs | Measured,
    metrics: Specs,
    *,
    resamples: int = 1000,
    seed: int = SEED,
    said_seed: str | None = None,
    **how: Any,
) -> Scores:
    """Corpus scores of one system with sacrebleu's confidence intervals; signatures call the seed `said_seed`."""
    if len(inputs.systems) > 1:
        raise InputError("--confidence is for one system: compare several with --paired-bs or --paired-ar")
    measured, chosen = _drawn(inputs, metrics, **how)
    found = []
    for score in scores_of(measured, chosen, "corpus"):
        metric, rows = score.metric, measured.rows[score.system, score.metric]
        interval = confidence_interval(rows, metric, resamples=resamples, seed=seed, like="sacrebleu")
        if interval.undefined:
            warnings.warn(
                f"{metric.label} is undefined in {interval.undefined} of {resamples} resamples, which are left out",
                TertiumWarning,
                stacklevel=2,
            )
        mean, half = interval.mean, interval.half_width
        if mean is not None and half is None:
            warnings.warn(
                f"no interval of {metric.label}: with {len(rows)} segments it would hold less often than it says; it "
                f"takes {metric.fewest_for_interval}",
                TertiumWarning,
                stacklevel=2,
            )
        way = "bs" if rows.bootstrappable else "subsets"
        found.append(
            replace(
                score,
                signature=_signature(metric, measured, **{way: resamples, "seed": said_seed or seed}),
                confidence=None if mean is None or half is None else (mean, half),
            )
        )
    return Scores("corpus", tuple(found), measured.notes)


def paired_scores(
    inputs: Inputs | Measured,
    metrics: Specs,
    test: str = "bootstrap",
    *,
    number: int | None = None,
    seed: int = SEED,
    said_seed: str | None = None,
    style: Style = STYLE,
    **how: Any,
) -> PairedScores:
    """Each system against the first, by sacrebleu's paired bootstrap or approximate randomisation."""
    if len(inputs.systems) < 2:
        raise InputError("a paired test compares systems: give at least two")
    measured, chosen = _drawn(inputs, metrics, **how)
    labels = metric_labels(chosen)
    plan = ResamplingPlan(
        measured.systems[0], test, number, seed=seed, like="sacrebleu", threads=how.get("threads", 1)
    )
    shared = [
        (alike, {name: measured.rows[name, alike[0]] for name in measured.systems})
        for alike in measured.sharing()
    ]
    found = pair_tests_by_metric(shared, plan)
    tests = tuple(replace(found[metric], label=label) for metric, label in zip(chosen, labels, strict=True))
    signatures = tuple(
        _signature(own.metric, measured, **{_KEYS[test]: own.resamples, "seed": said_seed or seed})
        for own in tests
    )
    return PairedScores(_shown_names(measured.systems), tests, signatures, style, measured.notes)


def _drawn(inputs: Inputs | Measured, metrics: Specs, **how: Any) -> tuple[Measured, Sequence[Metric]]:
    """Rows of what is drawn: segments, but documents where a metric scores these; or what was measured before. With
    the metrics as they score these texts."""
    named = metrics_named(metrics)
    if isinstance(inputs, Measured):
        return inputs, named
    level: Level = "document" if any(metric.scope == "document" for metric in named) else "segment"
    measured = measure(inputs, metrics, level, **how)
    return measured, measured.metrics


def _signature(metric: Metric, measured: Measured, **test: Any) -> str:
    """The metric's signature with what decides the draws behind the number of references, as sacrebleu has it."""
    first, *rest = measured.signature(metric).split("|")
    return "|".join([first, *(f"{key}:{value}" for key, value in test.items()), *rest])


def _shown_names(systems: Sequence[str]) -> tuple[str, ...]:
    """The first system is the baseline and called so."""
    if systems[0] == "System 1":  # columns of standard input
        return ("Baseline", *(f"System {i}" for i in range(1, len(systems))))
    return (f"Baseline: {systems[0]}", *systems[1:])


@dataclass(frozen=True)
class PairedScores(Result):
    """Scores of several systems, each tested against the first, as sacrebleu shows them."""

    kind = "paired scores"
    systems: tuple[str, ...]  # the first is the baseline
    tests: tuple[PairTests, ...]  # one a metric
    signatures: tuple[str, ...]
    style: Style = STYLE
    notes: tuple[str, ...] = ()  # on tokenisers, for texts in languages without spaces between words

    def contents(self) -> Mapping[str, Any]:
        return {
            "systems": self.systems,
            "tests": self.tests,
            "signatures": self.signatures,
            "notes": self.notes,
        }

    def words(self) -> Iterator[str]:
        """What a reader must know of the tokenisers."""
        return iter(self.notes)

    def records(self) -> list[dict[str, Any]]:
        """A row for each system and metric."""
        return [
            {
                "system": name,
                "name": test.label,
                "score": found.value,
                "p_value": test.pairs[i - 1].p if i else None,
                "mean": found.mean,
                "ci": found.half_width,
            }
            for i, name in enumerate(self.systems)
            for test in self.tests
            for found in [test.systems[i]]
        ]

    def json(self) -> str:
        """sacrebleu's objects: one a system, in it one a metric, with all digits."""
        import json

        found: dict[str, dict[str, Any]] = {name: {"system": name} for name in self.systems}
        for record in self.records():
            system, name = record.pop("system"), record.pop("name")
            found[system][name] = record
        return json.dumps(list(found.values()), indent=4, allow_nan=False) + "\n"

    def tsv(self) -> str:
        """The records, with all digits."""
        records = self.records()
        rows = tuple(tuple(record.values()) for record in records)
        return Table("", tuple(map(Column, records[0])), rows).tsv()

    def table(self) -> Table:
        """A row for each system, a column for each metric."""
        heads = (f"{test.label} (μ ± 95% CI)" if test.intervals else test.label for test in self.tests)
        columns = (
            Column("System"),
            *(Column(head, test.label, whole=True) for head, test in zip(heads, self.tests, strict=True)),
        )
        rows = tuple(
            (name, *(self._cell(test, i) for test in self.tests)) for i, name in enumerate(self.systems)
        )
        return Table("", columns, rows, tuple(self._notes()))

    def _cell(self, test: PairTests, i: int) -> str:
        system, p, width = (
            test.systems[i],
            test.pairs[i - 1].p if i else None,
            self.style.of(test.metric).width,
        )
        text = UNDEFINED if system.value is None else f"{system.value:.{width}f}"
        if system.mean is not None:
            text += f" ({system.mean:.{width}f} ± {system.half_width:.{width}f})"
        return text if p is None else f"{text} (p = {p:.4f}){'*' if p <= THRESHOLD else ''}"

    def _notes(self) -> list[str]:
        first = self.tests[0]
        return [
            f"paired {_TESTS[first.method]} against {self.systems[0]}, {first.resamples:,} {_TIMES[first.method]}, "
            f"seed {first.seed}, as sacrebleu computes it",
            f"* p <= {THRESHOLD:g}, not corrected for the number of systems",
            *dict.fromkeys(test.warning for test in self.tests if test.warning),
            *(test.sentence(pair) for test in self.tests for pair in test.pairs if pair.identical),
            *(
                f"{test.label}: {self.style.signature(Score('', test.metric, 'corpus', (), (), signature))}"
                for test, signature in zip(self.tests, self.signatures, strict=True)
            ),
        ]
