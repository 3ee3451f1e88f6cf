"""sacrebleu's significance flags of `tertium score`: its draws and numbers, for all metrics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.parsing import flag, number, option
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.comparison.sacrebleu_tests import PairedScores
    from tertium.io.door import Inputs
    from tertium.measured import Measured
    from tertium.measuring import Specs
    from tertium.scores import SacrebleuScores, Style

TESTS = {"paired_bs": "bootstrap", "paired_ar": "randomisation"}


def options() -> list[click.Parameter]:
    """The flags."""
    return [
        flag("-ci", "--confidence", help="A 95% confidence interval, by bootstrap resampling."),
        number("-cin", "--confidence-n", default=1000, help="Its resamples", least=2),
        flag("-pbs", "--paired-bs", help="Paired bootstrap test of each system against the first."),
        option("-pbsn", "--paired-bs-n", type=int, default=1000, help="Its resamples (1000)."),
        flag(
            "-par",
            "--paired-ar",
            help="Paired approximate randomisation test of each system against the first.",
        ),
        option("-parn", "--paired-ar-n", type=int, default=10000, help="Its trials (10000)."),
        option("-j", "--paired-jobs", type=int, default=1, hidden=True),
    ]


def asked(given: Mapping[str, Any], level: str) -> str | None:
    """Which test is asked for: confidence, bootstrap, randomisation or none."""
    tests = [name for name in ("confidence", *TESTS) if given[name]]
    if not tests:
        return None
    if len(tests) > 1:
        raise InputError("--confidence, --paired-bs and --paired-ar are mutually exclusive: choose one")
    if level != "corpus":
        raise InputError(f"tests and intervals are for corpus scores, not for {level} scores")
    if given["detail"]:
        raise InputError("--detail goes with plain scores, not with tests and intervals")
    return TESTS.get(tests[0], "confidence")


def without_repeated_baseline(systems: Sequence[str]) -> tuple[str, ...]:
    """`-i base *.txt` names the baseline twice: as sacrebleu does, the second is left out."""
    return (*systems[:1], *(system for system in systems[1:] if system != systems[0]))


def tested(
    test: str,
    inputs: Inputs | Measured,
    metrics: Specs,
    style: Style,
    given: Mapping[str, Any],
    **how: Any,
) -> SacrebleuScores | PairedScores:
    """Score and test."""
    from tertium.comparison.sacrebleu_tests import paired_scores, scores_with_intervals
    from tertium.compat.sacrebleu.significance import environment_seed

    how["said_seed"], how["seed"] = environment_seed()
    if test == "confidence":
        found = scores_with_intervals(inputs, metrics, resamples=given["confidence_n"], **how)
        return found.sacrebleu(style.width, short=style.short)
    number = given["paired_bs_n" if test == "bootstrap" else "paired_ar_n"]
    return paired_scores(inputs, metrics, test, number=number if number > 0 else None, style=style, **how)
