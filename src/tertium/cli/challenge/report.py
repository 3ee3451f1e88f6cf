"""`tertium challenge report`: success rates, agreement, and a page to browse."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.challenge.options import format_options, loaded, policy_option, set_options
from tertium.cli.parsing import Several, command_of, option, written

TABLES = ("summary", "subcategories", "rates", "agreement", "differences", "all")


@command_of(
    "report",
    *set_options(),
    policy_option(),
    Several("-m", "--metrics", metavar="SPEC", help="Metrics beside the rates, on the set's own references."),
    option("--scores", metavar="TSV", help="Scores from elsewhere beside the rates: metric, system, score."),
    Several("--tables", type=click.Choice(TABLES), help="Which tables (summary subcategories agreement)."),
    written("--html", metavar="FILE", help="Write a page to browse all items."),
    *format_options(),
    reads=("SET.jsonl -i OUTPUTS.jsonl -j ANSWERS.jsonl --html OUTPUT",),
)
def command(set_: str, **given: Any) -> Any:
    """What the judgements say: success rate by category (positive judgements over all, table 2 of the paper) and
    by subcategory (majority of the annotators, table 3), Wilson intervals, agreement; and, with --html, a page with all
    items and marks.

    \b
    tertium challenge report set.jsonl -i A=a.txt B=b.txt -j judgements.jsonl
    tertium challenge report set.jsonl -i A=a.txt B=b.txt -j judgements.jsonl -m bleu chrf --html page.html
    """
    from tertium.challenge import tables
    from tertium.challenge.loading import needed_judgements, needed_outputs
    from tertium.challenge.report import ChallengeReport
    from tertium.challenge.results import evaluate

    release = loaded(set_, given)
    results = evaluate(release.items, needed_judgements(release), release.outputs, na=given["na"])
    metrics = tables.read_scores(given["scores"], results.systems) if given["scores"] else []
    if given["metrics"]:
        metrics += tables.metric_scores(release.items, needed_outputs(release), given["metrics"])
    wanted = tables.TABLES if "all" in given["tables"] else given["tables"] or None
    shown = ChallengeReport(results, tuple(metrics), wanted, given["width"], release.outputs)
    if given["html"] is not None:
        from tertium.report.challenge import write_challenge_report

        write_challenge_report(given["html"], shown)
        click.echo(f"{given['html']}: {len(release.items)} items", err=True)
    return shown
