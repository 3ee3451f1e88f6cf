"""`--noisy` of `compare` and `report`: what noise in the source does to systems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tertium.cli.options import metrics_named, texts_named
from tertium.cli.parsing import Names, files_listed, option
from tertium.errors import InputError, SpecError

if TYPE_CHECKING:
    from tertium.comparison.robustness import Robustness


# What `compare` cannot do in the same run, and what no command can.
_NOT_BESIDE = (
    *("fail_if", "require", "details", "summary", "baseline", "labels", "tags", "like", "training"),
    "runs",
)


def noisy_option(what: str) -> click.Option:
    return option(
        "--noisy", multiple=True, metavar="NOISE=FILE,FILE...", help=f"Outputs for a noisy source, {what}."
    )


def robustness_named(
    references: Names,
    hypotheses: Names,
    metrics: Names,
    given: dict[str, Any],
    refused: Names = _NOT_BESIDE,
) -> Robustness:
    """Drop and consistency of the systems, with the noisy outputs that `--noisy` names in their order."""
    from tertium.cli.flags import chosen_specs
    from tertium.comparison.robustness import RESAMPLES, measure_robustness
    from tertium.io.door import read_text
    from tertium.io.terminal import short_names
    from tertium.stats.resampling import SEED
    from tertium.testset import TestSet

    for name in refused:
        if given[name]:
            raise SpecError(
                f"--{name.replace('_', '-')} does not go with --noisy, which compares each system with itself"
            )
    files, project = texts_named(references, hypotheses, given)
    testset = TestSet.read(files)
    testset = testset.called(short_names([name for name in testset.systems if name in hypotheses]))
    noisy = {}
    for text in given["noisy"]:
        noise, _, listed = text.partition("=")
        paths = files_listed(listed)
        if not noise or noise in noisy or len(paths) != len(testset.systems):
            n = len(testset.systems)
            raise InputError(
                f"--noisy {text}: write NOISE=FILE,... with {n} files, one for each system in its order"
            )
        how: dict[str, Any] = {
            "encoding": files.encoding,
            "strip_bom": files.strip_bom,
            "line_limit": files.line_limit,
        }
        noisy[noise] = {
            name: read_text(path, **how) for name, path in zip(testset.systems, paths, strict=True)
        }
    return measure_robustness(
        testset,
        noisy,
        chosen_specs(metrics_named(metrics, project), {"parser": given["parser"]}, given["language_pair"]),
        resamples=given["resamples"] or RESAMPLES,
        seed=SEED if given["seed"] is None else given["seed"],
        threads=given["threads"],
    )
