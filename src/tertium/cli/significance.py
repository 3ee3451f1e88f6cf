"""sacrebleu's significance flags of `tertium score`: its draws and numbers, for all metrics."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from tertium.errors import InputError, TertiumWarning

if TYPE_CHECKING:
    from tertium.cli.output import Style
    from tertium.comparison.pair_results import PairTests
    from tertium.families.base import Metric
    from tertium.io.door import Inputs
    from tertium.io.tables import Table

TESTS = {"paired_bs": "bootstrap", "paired_ar": "randomisation"}
_KEYS = {"bootstrap": "bs", "randomisation": "ar"}  # in signatures
THRESHOLD = 0.05


def options() -> list[click.Parameter]:
    """The flags."""
    return [
        click.Option(
            ["-ci", "--confidence"], is_flag=True, help="A 95% confidence interval, by bootstrap resampling."
        ),
        click.Option(
            ["-cin", "--confidence-n"], type=click.IntRange(2), default=1000, help="Its resamples (1000)."
        ),
        click.Option(
            ["-pbs", "--paired-bs"],
            is_flag=True,
            help="Paired bootstrap test of each system against the first.",
        ),
        click.Option(["-pbsn", "--paired-bs-n"], type=int, default=1000, help="Its resamples (1000)."),
        click.Option(
            ["-par", "--paired-ar"],
            is_flag=True,
            help="Paired approximate randomisation test of each system against the first.",
        ),
        click.Option(["-parn", "--paired-ar-n"], type=int, default=10000, help="Its trials (10000)."),
        click.Option(["-j", "--paired-jobs"], type=int, default=1, hidden=True),
    ]


def asked(given: Mapping[str, Any], level: str) -> str | None:
    """Which test is asked for: confidence, bootstrap, randomisation or none."""
    tests = [name for name in ("confidence", *TESTS) if given[name]]
    if not tests:
        return None
    if len(tests) > 1:
        raise InputError("--confidence, --paired-bs and --paired-ar exclude each other: take one")
    if level != "corpus":
        raise InputError(f"tests and intervals are of corpus scores: they cannot be had at {level} level")
    if given["detail"]:
        raise InputError("--detail goes with plain scores, not with tests and intervals")
    return TESTS.get(tests[0], "confidence")


def without_repeated_baseline(systems: Sequence[str]) -> tuple[str, ...]:
    """`-i base *.txt` names the baseline twice: as sacrebleu does, the second is left out."""
    return (*systems[:1], *(system for system in systems[1:] if system != systems[0]))


def print_tests(
    test: str, inputs: Inputs, metrics: Sequence[Metric], style: Style, given: Mapping[str, Any], **how: Any
) -> None:
    """Score, test, and print."""
    if test == "confidence":
        if len(inputs.systems) > 1:
            raise InputError("--confidence is of one system: compare several with --paired-bs or --paired-ar")
        print(_with_intervals(inputs, metrics, style, given["confidence_n"], **how))
        return
    if len(inputs.systems) < 2:
        raise InputError("a paired test compares systems: give -i at least two")
    number = given["paired_bs_n" if test == "bootstrap" else "paired_ar_n"]
    print(_paired(test, inputs, metrics, style, number if number > 0 else None, **how))


def _with_intervals(
    inputs: Inputs, metrics: Sequence[Metric], style: Style, resamples: int, **how: Any
) -> str:
    from tertium.cli.output import rendered
    from tertium.comparison.confidence import confidence_interval
    from tertium.compat.sacrebleu.significance import environment_seed
    from tertium.passes import gather
    from tertium.scoring import Score, Scores

    shown, seed = environment_seed()
    gathered = gather(inputs, metrics, **how)
    [name] = gathered.systems
    found = []
    for metric, statistics in zip(metrics, gathered.statistics, strict=True):
        rows = statistics[name]
        interval = confidence_interval(rows, metric, resamples=resamples, seed=seed, like="sacrebleu")
        if interval.undefined:
            warnings.warn(
                f"{metric.label} is undefined in {interval.undefined} of {resamples} resamples, which are left out",
                TertiumWarning,
                stacklevel=2,
            )
        total = rows.total()
        found.append(
            Score(
                name,
                metric,
                "corpus",
                [""],
                [metric.score_total(total)],
                _signature(metric, gathered.n_references, bs=resamples, seed=shown),
                metric.verbose(total),
                confidence=None
                if interval.mean is None or interval.half_width is None
                else (interval.mean, interval.half_width),
            )
        )
    return rendered(Scores("corpus", tuple(found)), style)


def _signature(metric: Metric, n_references: int | None, **test: Any) -> str:
    """The metric's signature with what decides the draws behind the number of references, as sacrebleu has it."""
    first, *rest = metric.signature(n_references).split("|")
    return "|".join([first, *(f"{key}:{value}" for key, value in test.items()), *rest])


def _paired(
    test: str, inputs: Inputs, metrics: Sequence[Metric], style: Style, number: int | None, **how: Any
) -> str:
    from tertium.comparison.significance import pair_tests
    from tertium.compat.sacrebleu.significance import environment_seed
    from tertium.io.tables import metric_labels
    from tertium.passes import gather

    shown, seed = environment_seed()
    gathered = gather(inputs, metrics, **how)
    tests = [
        pair_tests(
            statistics,
            metric,
            baseline=gathered.systems[0],
            method=test,
            resamples=number,
            seed=seed,
            like="sacrebleu",
            threads=how["threads"],
        )
        for metric, statistics in zip(metrics, gathered.statistics, strict=True)
    ]
    names = _shown_names(gathered.systems)
    labels = metric_labels(metrics)
    if style.format == "json":
        return _json(names, labels, tests)
    signatures = [
        f"{label}: {style.signature(metric, signature)}"
        for label, metric, found in zip(labels, metrics, tests, strict=True)
        for signature in [
            _signature(metric, gathered.n_references, **{_KEYS[test]: found.resamples, "seed": shown})
        ]
    ]
    if style.format == "tsv":
        return _long_table(names, labels, tests).tsv(exact=True).rstrip("\n")
    table = replace(_table(names, labels, tests, style.width), notes=(*_notes(names[0], tests), *signatures))
    if style.format in ("table", "text"):
        return str(table.text(terminal=False if style.plain else None)).rstrip("\n")
    return str({"markdown": table.markdown, "latex": table.latex}[style.format]()).rstrip("\n")


def _shown_names(systems: Sequence[str]) -> list[str]:
    """The first system is the baseline and called so."""
    if systems[0] == "System 1":  # columns of standard input
        return ["Baseline", *(f"System {i}" for i in range(1, len(systems)))]
    return [f"Baseline: {systems[0]}", *systems[1:]]


def _json(names: Sequence[str], labels: Sequence[str], tests: Sequence[PairTests]) -> str:
    """sacrebleu's objects: one a system, in it one a metric, with all digits."""
    import json

    found = []
    for i, name in enumerate(names):
        entry: dict[str, Any] = {"system": name}
        for label, test in zip(labels, tests, strict=True):
            system = test.systems[i]
            entry[label] = {
                "score": system.value,
                "p_value": test.pairs[i - 1].p if i else None,
                "mean": system.mean,
                "ci": system.half_width,
            }
        found.append(entry)
    return json.dumps(found, indent=4, allow_nan=False)


def _table(names: Sequence[str], labels: Sequence[str], tests: Sequence[PairTests], width: int) -> Table:
    from tertium.io.tables import Column, Table

    def cell(test: PairTests, i: int) -> str:
        system, p = test.systems[i], test.pairs[i - 1].p if i else None
        text = "undefined" if system.value is None else f"{system.value:.{width}f}"
        if system.mean is not None:
            text += f" ({system.mean:.{width}f} ± {system.half_width:.{width}f})"
        return text if p is None else f"{text} (p = {p:.4f}){'*' if p <= THRESHOLD else ''}"

    heads = [
        f"{label} (μ ± 95% CI)" if test.intervals else label
        for label, test in zip(labels, tests, strict=True)
    ]
    columns = (Column("System"), *(Column(head, label) for head, label in zip(heads, labels, strict=True)))
    rows = tuple((name, *(cell(test, i) for test in tests)) for i, name in enumerate(names))
    return Table("", columns, rows)


def _long_table(names: Sequence[str], labels: Sequence[str], tests: Sequence[PairTests]) -> Table:
    from tertium.io.tables import Column, Table

    rows = [
        (name, label, found.value, test.pairs[i - 1].p if i else None, found.mean, found.half_width)
        for i, name in enumerate(names)
        for label, test in zip(labels, tests, strict=True)
        for found in [test.systems[i]]
    ]
    heads = ("system", "name", "score", "p_value", "mean", "ci")
    return Table("", tuple(Column(head) for head in heads), tuple(rows))


def _notes(baseline: str, tests: Sequence[PairTests]) -> list[str]:
    name = {"bootstrap": "bootstrap resampling", "randomisation": "approximate randomisation"}
    times = {"bootstrap": "resamples", "randomisation": "trials"}
    first = tests[0]
    notes = [
        f"paired {name[first.method]} against {baseline}, {first.resamples:,} {times[first.method]}, "
        f"seed {first.seed}, as sacrebleu computes it",
        f"* p <= {THRESHOLD:g}: such a difference would rarely come by chance if the systems were equally good",
    ]
    for test in tests:
        notes += [test.words(pair) for pair in test.pairs if pair.identical]
    return notes
