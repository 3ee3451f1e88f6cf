"""`tertium meta gold`: raw judgements become gold."""

from __future__ import annotations

import sys
from typing import Any

import click

from tertium.cli.meta.formats import FORMATS, shown_table
from tertium.cli.parsing import Command

KINDS = ("appraise", "table", "mqm", "pearmut", "mtme-rating")


def _run(judgements: str, **given: Any) -> None:
    from tertium.human.directassessment import direct_assessment
    from tertium.human.judgement import segment_gold
    from tertium.human.quality import QualityRule

    reading = _read(judgements, given["kind"])
    tables: list[Any] = []
    if given["no_standardisation"]:
        gold = segment_gold(reading.judgements, "score")
        systems = gold.by_system()
        tables.append(systems.table())
        data: dict[str, Any] = systems.data()
    else:
        rule = QualityRule(test=given["test"], alpha=given["alpha"])
        found = direct_assessment(
            reading.judgements,
            control=None if given["keep_everybody"] else rule,
            minimum=given["minimum"],
        )
        gold, systems = found.z, found.z_systems
        if found.quality is not None:
            tables.append(found.quality.table())
        tables.append(found.table())
        data = found.data()
    shown = given["format"] or ("table" if sys.stdout.isatty() else "json")
    if shown == "json":
        import json

        print(json.dumps({"reading": reading.account.data(), **data}, ensure_ascii=False, indent=1))
    else:
        print("\n\n".join(shown_table(table, shown) for table in tables))
        if shown == "table":
            print(f"\n{reading.account}")
    if given["output"] is not None:
        from tertium.io.mtme import write_mtme_scores

        for scores in (gold.scores, systems.scores):
            path = write_mtme_scores(given["output"], given["pair"], scores, human=True)
            click.echo(str(path), err=True)


def _read(path: str, kind: str | None) -> Any:
    from tertium.io.appraise import read_appraise
    from tertium.io.judgements import read_judgements
    from tertium.io.mqm import read_mqm
    from tertium.io.mtme import read_mtme_ratings
    from tertium.io.pearmut import read_pearmut

    if kind is None:
        kind = "table"
        for part, known in (
            (".jsonl", "pearmut"),
            (".rating", "mtme-rating"),
            ("mqm", "mqm"),
            (".csv", "appraise"),
        ):
            if part in path.rpartition("/")[2]:
                kind = known
                break
    readers: dict[str, Any] = {
        "appraise": read_appraise,
        "table": read_judgements,
        "mqm": read_mqm,
        "pearmut": read_pearmut,
        "mtme-rating": read_mtme_ratings,
    }
    return readers[kind](path)


command = Command(
    "gold",
    callback=_run,
    help="""From raw judgements to gold: annotators are checked by repeated and degraded items, scores are standardised
    by annotator and averaged, systems are ranked with clusters.

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
