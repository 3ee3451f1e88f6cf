"""`tertium train`: metrics from other metrics and people's judgements."""

from __future__ import annotations

from typing import Any

from tertium.cli.group import Commands
from tertium.cli.options import OutputOption, input_options, metrics_option, print_options, texts_named
from tertium.cli.parsing import Names, Several, command_of, flag, option


@command_of(
    "blend",
    *input_options(inputs="Outputs that were judged."),
    Several(
        "--human", metavar="FILE", help="Judgements: a file for each output, a number a line (- for none)."
    ),
    metrics_option(
        "blend", help="Components: metrics, beer.*, lengths.* (BLEND's set as far as it is here)."
    ),
    option(
        "--model",
        metavar="MODEL",
        default="svr",
        help="svr, as the paper; ridge or linear, weighted sums (svr).",
    ),
    option("--name", metavar="NAME", default="my metric", help="What the metric is called."),
    option("--licence", metavar="TEXT", default="", help="A note on who may use it."),
    flag("--no-ablation", help="Do not train again without each component."),
    OutputOption(default="my.metric", metavar="FILE", help="The file (my.metric)."),
    *print_options(to_file=False),
    reads=(
        "REFERENCE -i SYSTEM OTHER NOISY --human JUDGED JUDGED JUDGED -m chrf bleu --model ridge -o OUTPUT",
    ),
    short="Train a metric: scores of others, and judgements of people.",
)
def _blend(references: Names, input: Names, metrics: Names, human: Names, **given: Any) -> Any:
    """Train a metric on people's judgements of segments: a support vector regression over the scores of other metrics,
    as BLEND, or a weighted sum. Writes it as one file, for -m file:my.metric.

    Segments are left out set by set (document ids), or in ten parts. What is printed is the correlation there, and
    that of each component alone and of all others without it.

    \b
    tertium train blend ref.en -i A.en B.en --human A.da B.da -o my.metric
    tertium score new-ref.en -i C.en -m file:my.metric
    """
    from tertium.io.metricfiles import write_model
    from tertium.testset import TestSet
    from tertium.training.judged import judged_segments
    from tertium.training.training import BLEND, train

    judged = judged_segments(TestSet.read(texts_named(references, input, given)[0]), human)
    found = train(
        judged,
        BLEND if metrics == ("blend",) else metrics,
        learner=given["model"],
        name=given["name"],
        licence=given["licence"],
        ablation=not given["no_ablation"],
        threads=given["threads"],
    )
    write_model(found.model, given["output"])
    return found


command = Commands("train", commands=(_blend,), help="Train metrics on people's judgements.")
