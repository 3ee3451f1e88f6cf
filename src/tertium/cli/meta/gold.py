"""`tertium meta gold`: raw judgements become gold."""

from __future__ import annotations

import sys
from typing import Any

import click

from tertium.cli.meta.formats import FORMATS, shown_table
from tertium.cli.parsing import Command
from tertium.human.kinds import KINDS


def _run(judgements: str, **given: Any) -> None:
    from tertium.human.gold_files import read_gold
    from tertium.human.quality import QualityRule

    rule = QualityRule(test=given["test"], alpha=given["alpha"])
    found = read_gold(
        judgements,
        given["kind"],
        control=None if given["keep_everybody"] else rule,
        minimum=given["minimum"],
        standardise=not given["no_standardisation"],
    )
    if given["output"] is not None:
        from tertium.io.mtme import write_mtme_scores

        for gold in (found.segments, found.systems):
            if gold is not None:
                path = write_mtme_scores(given["output"], given["pair"], gold.scores, human=True)
                click.echo(str(path), err=True)
    shown = given["format"] or ("table" if sys.stdout.isatty() else "json")
    if shown == "json":
        import json

        data = {"reading": found.coverages[0].data(), **found.data()}
        print(json.dumps(data, ensure_ascii=False, indent=1))
        return
    print("\n\n".join(shown_table(table, shown) for table in found.tables))
    if shown == "table":
        print(f"\n{found.coverages[0]}")


command = Command(
    "gold",
    callback=_run,
    help="""From raw judgements to gold: annotators are checked by repeated and degraded items, scores are standardised
    by annotator and averaged, systems are ranked with clusters. Rankings and comparisons become expected wins and
    majority votes, marks of semantic units (HUME) shares.

    \b
    tertium meta gold appraise.csv
    tertium meta gold judgements.tsv --output gold --pair en-de
    """,
    params=[
        click.Argument(["judgements"], metavar="FILE"),
        click.Option(["--kind"], type=click.Choice(KINDS), help="What the file is (by its name)."),
        click.Option(
            ["--test"],
            type=click.Choice(("wilcoxon", "welch", "both", "either")),
            default="wilcoxon",
            help="Test of degraded against genuine items (wilcoxon).",
        ),
        click.Option(["--alpha"], type=float, default=0.05, help="Its level (0.05)."),
        click.Option(["--keep-everybody"], is_flag=True, help="No quality control."),
        click.Option(
            ["--minimum"],
            type=click.IntRange(1),
            default=15,
            help="Judgements that make a segment's score (15).",
        ),
        click.Option(["--no-standardisation"], is_flag=True, help="Plain means of the scores."),
        click.Option(["--output"], metavar="FOLDER", help="Write gold scores in mt-metrics-eval's layout."),
        click.Option(["--pair"], default="xx-yy", help="Language pair in their names."),
        click.Option(["-f", "--format"], type=click.Choice(FORMATS), help="Output (table on a terminal)."),
    ],
)
