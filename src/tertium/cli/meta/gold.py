"""`tertium meta gold`: gold scores from raw judgements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tertium.cli.options import PAGE_FORMATS, OutputOption, consensus_options, print_options
from tertium.cli.parsing import choice, command_of, number, option
from tertium.human.kinds import DUPLICATES, KINDS

if TYPE_CHECKING:
    from tertium.human.gold_files import RawGold


@command_of(
    "gold",
    click.Argument(["judgements"], nargs=-1, required=True, metavar="FILE..."),
    choice("--kind", among=tuple(KINDS), help="Format of the file (guessed from its name)."),
    option(
        "--batches",
        metavar="FILE",
        help="The batch file of an Appraise campaign, which maps items to lines.",
    ),
    option("--task", metavar="NAME", help="One task of a file of WMT's raw judgements (all of them)."),
    choice(
        "--duplicates",
        among=DUPLICATES,
        help="What to do with repeated judgements (Appraise: latest; MQM: keep; others: refuse).",
    ),
    choice(
        "--test",
        among=("wilcoxon", "welch", "both", "either"),
        help="Test of degraded against genuine items (wilcoxon).",
    ),
    option("--alpha", type=float, help="Significance level of the test (0.05)."),
    option(
        "--control/--keep-everybody",
        default=None,
        help="Exclude annotators who fail quality control, or nobody (depends on the protocol).",
    ),
    *consensus_options(),
    number("--minimum", default=15, help="Judgements needed for a segment score"),
    option(
        "--standardise/--no-standardisation",
        default=None,
        help="z-scores by annotator, or plain means of the scores (depends on the protocol).",
    ),
    OutputOption(metavar="FOLDER", help="Write gold scores in mt-metrics-eval's layout."),
    option(
        "--pair",
        metavar="PAIR",
        help="Language pair to take from files of several, and in the names of written files (xx-yy).",
    ),
    option(
        "--segments",
        type=click.IntRange(1),
        help="Number of lines in the test set (up to the last one judged).",
    ),
    *print_options(PAGE_FORMATS, to_file=False),
    reads=("JUDGEMENTS --kind table --minimum 1 --keep-everybody", "RANKED --kind wmt-rankings"),
)
def command(judgements: tuple[str, ...], **given: Any) -> Any:
    """From raw judgements to gold. Several files of one kind, or a pattern, make one gold (one for each rater).
    Direct assessment: annotators are checked by repeated and degraded items, scores are standardised by annotator and
    averaged. ESA and MQM: plain means over all annotators. Systems are ranked with clusters. Rankings and comparisons
    become expected wins and better-worse pairs, marks of semantic units (HUME) shares.

    \b
    tertium meta gold appraise.csv --batches batches.json
    tertium meta gold judgements.tsv --output gold --pair en-de
    tertium meta gold "raters/*.tsv"
    tertium meta gold wmt08-human-judgments.csv --task "German-English News"
    """
    from tertium.human.gold_files import kind_of, read_gold
    from tertium.human.quality import QualityRule
    from tertium.io.folders import matching_files

    rule = QualityRule(test=given["test"] or "wilcoxon", alpha=given["alpha"] or 0.05)
    asked = given["control"] is True or given["test"] is not None or given["alpha"] is not None
    paths = [path for pattern in judgements for path in matching_files(pattern)]
    kind = given["kind"] or kind_of(paths[0])
    if kind == "wmt-rankings" and given["output"] is None:
        from tertium.human.wmttasks import chosen_tasks, joined_tasks, wmt_gold
        from tertium.io.wmtjudgements import read_wmt_judgements

        tasks = chosen_tasks(joined_tasks([read_wmt_judgements(path) for path in paths]), given["task"])
        if len(tasks.tasks) > 1:
            return wmt_gold(tasks)
    found = read_gold(
        paths,
        kind if len(paths) == 1 else given["kind"],
        task=given["task"],
        pair=given["pair"],
        batches=given["batches"],
        duplicates=given["duplicates"],
        judges=given["judges"],
        agreement=given["agreement"],
        control=None if given["control"] is False else rule if asked else "protocol",
        minimum=given["minimum"],
        standardise=given["standardise"],
    )
    if given["output"] is not None:
        _write(found, given)
    return found


def _write(found: RawGold, given: dict[str, Any]) -> None:
    from tertium.io.mtme import write_mtme_scores

    scores = [found.systems.scores]
    if found.segments is not None:
        numbered = found.segments.scores.numbered(given["segments"] or 0)
        if numbered is None:
            click.echo(
                "tertium: the line numbers of segments are not known, so only system scores are written",
                err=True,
            )
        else:
            scores.insert(0, numbered)
    for own in scores:
        click.echo(
            str(write_mtme_scores(given["output"], given["pair"] or "xx-yy", own, human=True)), err=True
        )
