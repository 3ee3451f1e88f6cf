"""`tertium meta retrieval`: retrieval runs measured, and metrics correlated with them."""

from __future__ import annotations

import sys
from typing import Any

import click

from tertium.cli.meta.formats import FORMATS, shown_table
from tertium.cli.parsing import Command, Several
from tertium.errors import InputError


def _run(runs: tuple[str, ...], **given: Any) -> None:
    from tertium.io.tables import Column, Table, number_column
    from tertium.io.trec import read_qrels, read_run
    from tertium.meta.downstream import evaluate_run, overlap_with, query_weighted_value

    if not runs:
        raise InputError("name one run file or more")
    if (given["qrels"] is None) == (given["reference_run"] is None):
        raise InputError("give --qrels, or --reference-run (the run on human translations), one of the two")
    made: dict[str, list[float | None]] = {}
    read = [read_run(path) for path in runs]
    measures: list[str] = []
    for run in read:
        found = []
        if given["qrels"] is not None:
            qrels = read_qrels(given["qrels"])
            for name in given["measures"] or ("map", "ndcg@10", "p@10", "r@100"):
                if name == "aqwv":
                    if given["documents"] is None:
                        raise InputError("aqwv needs the size of the collection: --documents N")
                    found.append(query_weighted_value(run, qrels, given["documents"], beta=given["beta"]))
                else:
                    found.append(evaluate_run(run, qrels, name))
        else:
            found.append(overlap_with(run, read_run(given["reference_run"])))
        measures = [own.measure for own in found]
        if run.name in made:
            raise InputError(f"two runs are called {run.name!r}")
        made[run.name] = [own.mean for own in found]
    shown = given["format"] or ("table" if sys.stdout.isatty() else "json")
    columns = (Column("run"), *(number_column(name, digits=4) for name in measures))
    table = Table("Retrieval", columns, tuple((name, *values) for name, values in made.items()))
    if shown == "json":
        import json

        print(
            json.dumps({name: dict(zip(measures, own, strict=True)) for name, own in made.items()}, indent=1)
        )
    else:
        print(shown_table(table, shown))


command = Command(
    "retrieval",
    callback=_run,
    help="""Measure retrieval on translated documents: MAP, nDCG, precision and recall at k, AQWV by relevance
    judgements, or rank-biased overlap with the run on human translations.

    \b
    tertium meta retrieval system-a.run system-b.run --qrels qrels.txt --measures map ndcg@10
    tertium meta retrieval system-a.run system-b.run --reference-run human.run
    """,
    params=[
        click.Argument(["runs"], nargs=-1, metavar="RUN..."),
        click.Option(["--qrels"], metavar="FILE", help="Relevance judgements (TREC format)."),
        click.Option(["--reference-run"], metavar="FILE", help="A run to overlap with (RBO, p = 0.98)."),
        Several(
            ["--measures"],
            metavar="NAME",
            help="map, ndcg, ndcg@10, p@5, r@10, aqwv (map ndcg@10 p@10 r@100).",
        ),
        click.Option(["--documents"], type=click.IntRange(1), help="Documents in the collection, for aqwv."),
        click.Option(["--beta"], type=float, default=40.0, help="Weight of false alarms in aqwv (40)."),
        click.Option(["-f", "--format"], type=click.Choice(FORMATS), help="Output (table on a terminal)."),
    ],
)
