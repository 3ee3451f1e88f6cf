"""`tertium nbest tune`: weights of features for a metric."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.options import (
    NO_PSEUDO,
    OutputOption,
    files_named,
    how_to_read,
    input_options,
    metrics_option,
    print_options,
    width_option,
)
from tertium.cli.parsing import Names, Several, command_of, flag, option
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.tuning.results import CrossTuning, TunedWeights

_COUNT = click.IntRange(0, 1_000_000)


@command_of(
    "tune",
    *input_options(*NO_PSEUDO, "input", "tsv", "metadata", "project", "units"),
    Several("-i", "--input", metavar="LIST", required=True, help="n-best lists of the same sentences."),
    metrics_option("bleu", help="The metric to tune to (bleu); others are reported beside it."),
    option("--method", metavar="NAME", default="mert", help="mert, pro or mira (mert)."),
    flag("--cross", help="Tune to each metric in turn, and judge the outcome by all of them."),
    option(
        "--held-out", type=float, default=0.25, metavar="SHARE", help="Share of sentences held out (0.25)."
    ),
    option("--start", metavar="FILE", help="Weights to begin with (those that give the list's own scores)."),
    option("--restarts", type=_COUNT, help="Random beginnings beside them (mert 20, others 0)."),
    option(
        "--steps",
        type=click.IntRange(1, 100_000),
        help="Most passes (mert 25), rounds (pro 30), epochs (mira 60).",
    ),
    option("--directions", type=_COUNT, help="mert: random directions in a pass (as many as features)."),
    option("--interpolate", type=float, default=0.1, help="pro: share of new weights in each round (0.1)."),
    option("--largest-step", type=float, default=0.01, help="mira: the largest step, C (0.01)."),
    option("--replicas", type=click.IntRange(1, 1000), default=1, help="--cross: tune so many times (1)."),
    option("--seed", type=click.IntRange(0), default=12345, help="Seed (12345)."),
    OutputOption(
        metavar="FILE",
        over=["start"],
        help="Write the weights: Moses' ini, or .tsv. With --cross a folder of them.",
    ),
    *print_options(to_file=False),
    width_option(2),
    reads=("REFERENCE -i CANDIDATES OTHERLIST --documents DOCUMENTS -m chrf -o OUTPUT --restarts 1",),
)
def command(references: Names, input: Names, metrics: Names, **given: Any) -> TunedWeights | CrossTuning:
    """Find the weights of features with which the first candidates of n-best lists score highest by a metric.

    Lists are in Moses' format (features: name= value...); several lists of the same sentences become one.
    Whole documents are held out where --documents are given. The weights can be read by nbest rerank.

    \b
    tertium nbest tune ref.txt -i list.nbest -m bleu -o weights.ini
    tertium nbest tune ref.txt -i run1.nbest run2.nbest -m chrf --method mira
    tertium nbest tune ref.txt -i list.nbest -m bleu:PGBC4 bleu:PABC4 --cross
    """
    from tertium import registry
    from tertium.io.nbestfeatures import read_features, read_weights, write_weights
    from tertium.scoring import check_sources
    from tertium.tuning.tuners import TuningOptions
    from tertium.tuning.tuning import prepared

    if [*references, *input, given["source"]].count("-") > 1:
        raise InputError("standard input can be read only once: name a file for the other texts")
    chosen = [registry.metric(spec) for spec in metrics]
    inputs = files_named(references, (), given).open(whole=True, outputs=False)
    check_sources(chosen, inputs.has_sources)
    start = None if given["start"] is None else read_weights(given["start"])
    lists = read_features(input, **how_to_read(given))
    (texts,) = inputs.batches
    if texts.n_segments != lists.nbest.n_sentences:
        raise InputError(
            f"{input[0]}: has candidates of {lists.nbest.n_sentences} sentences, but {references[0]} has "
            f"{texts.n_segments} lines"
        )
    made = prepared(
        lists,
        texts.references,
        metrics,
        method=given["method"],
        heldout=given["held_out"],
        start=start,
        origin=given["start"] or "",
        restarts=given["restarts"],
        seed=given["seed"],
        sources=texts.sources,
        documents=texts.documents,
        options=TuningOptions(
            given["steps"],
            given["directions"],
            given["interpolate"],
            aggressiveness=given["largest_step"],
        ),
        threads=given["threads"],
        digits=given["width"],
    )
    if given["cross"]:
        across = made.across(given["replicas"])
        if given["output"] is not None:
            from pathlib import Path

            folder = Path(given["output"])
            folder.mkdir(exist_ok=True)
            for own in across.tuned:
                name = re.sub(r"[^\w.+-]+", "-", str(own.metric))
                write_weights(folder / f"{name}.ini", own.weights)
        return across
    tuned = made.run(made.metrics[0])
    if given["output"] is not None:
        write_weights(given["output"], tuned.weights)
    return tuned
