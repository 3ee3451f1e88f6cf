"""`tertium meta rho`: a metric against the three kinds of judgements of WMT08."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.options import PAGE_FORMATS, print_options
from tertium.cli.parsing import command_of, flag, option


@command_of(
    "rho",
    click.Argument(["judgements"], metavar="FILE"),
    click.Argument(["metric"], metavar="METRIC.tsv"),
    option("--task", metavar="NAME", help="The task the scores belong to."),
    flag("--lower-is-better", help="The metric counts errors."),
    *print_options(PAGE_FORMATS),
    reads=("RANKED SYSTEMS --task news",),
)
def command(judgements: str, metric: str, **given: Any) -> Any:
    """Spearman's rho of a metric's system scores with sentence ranking, constituent ranking and yes/no
    judgements of WMT08, and their mean (Song et al. 2013). The metric's table has a header: system, score, and task
    where it has several ("German-English News").

    \b
    tertium meta rho wmt08-human-judgments.csv bleu.tsv --task "German-English News"
    """
    from pathlib import Path

    from tertium.human.plaintables import read_task_scores
    from tertium.human.wmttasks import task_rhos
    from tertium.io.wmtjudgements import read_wmt_judgements

    scores = read_task_scores(Path(metric), given["task"])
    return task_rhos(read_wmt_judgements(judgements), scores, lower_is_better=given["lower_is_better"])
