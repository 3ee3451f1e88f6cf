"""`tertium challenge demo`: a walk-through on the bundled set."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.parsing import command_of, written

_BEFORE = """\
A challenge set asks one yes/no question about each of its short sentences. Three imagined systems translated {items}
items of the bundled English-French set (one of them twice, half a year apart), and three imagined annotators judged
them: all of it was written for this demo. One item:

  source     {one.source}
  question   {one.question}
  reference  {one.reference}
"""
_AFTER = """
How to read it: a category's rate counts all positive judgements, a subcategory's the items that most annotators find
right. An automatic judge says "unsure" rather than guess; the patterns were written with such outputs in mind, so it
looks better here than it will on yours.

Next:
  tertium challenge demo --html demo.html     the same as a page, with every item
  tertium challenge sheet --help              blind sheets for your annotators
  tertium challenge judge --help              judge in the terminal
  tertium challenge auto --help               automatic judges"""


@command_of("demo", written("--html", metavar="FILE", help="Write the page, too."), reads=())
def command(**given: Any) -> None:
    """A complete walk-through on the bundled set: rates, agreement, comparison, progress, automatic judges.

    \b
    tertium challenge demo --html items.html
    """
    from tertium.challenge.comparison import contests_table, progress_table
    from tertium.challenge.judges import evaluate_judge, evaluations_table, judge_all
    from tertium.challenge.loading import needed_judgements, needed_outputs
    from tertium.challenge.rates import OVERALL
    from tertium.challenge.report import ChallengeReport
    from tertium.challenge.results import evaluate
    from tertium.challenge.starter import starter_demo
    from tertium.challenge.tables import metric_scores

    demo = starter_demo()
    outputs, judgements = needed_outputs(demo), needed_judgements(demo)
    print(_BEFORE.format(items=len(demo.items), one=demo.items["ef-tags-1"]))
    results = evaluate(demo.items, judgements, outputs)
    metrics = metric_scores(demo.items, outputs, ("bleu", "chrf"))
    report = ChallengeReport(results, tuple(metrics), outputs=outputs)
    verdicts = [judge_all(demo.items, outputs, name) for name in ("patterns", "metric:chrf", "equality")]
    shown = [
        *report.tables(),
        contests_table([contest for contest in report.contests.pairs if contest.group == OVERALL]),
        *map(progress_table, report.contests.versions),
        evaluations_table([evaluate_judge(own, demo.items, judgements) for own in verdicts]),
    ]
    print("\n\n".join(table.text() for table in shown))
    print(_AFTER)
    if given["html"] is not None:
        from tertium.report.challenge import write_challenge_report

        write_challenge_report(given["html"], report)
        click.echo(f"{given['html']}: {len(demo.items)} items", err=True)
