"""`tertium meta retrieval`: retrieval runs measured, and metrics correlated with them."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.options import PAGE_FORMATS, print_options
from tertium.cli.parsing import Several, command_of, option
from tertium.errors import InputError


@command_of(
    "retrieval",
    click.Argument(["runs"], nargs=-1, metavar="RUN..."),
    option("--qrels", metavar="FILE", help="Relevance judgements (TREC format)."),
    option("--reference-run", metavar="FILE", help="A run to measure overlap with (RBO, p = 0.98)."),
    Several("--measures", metavar="NAME", help="map, ndcg, ndcg@10, p@5, aqwv... (map ndcg@10 p@10 r@100)."),
    option("--documents", type=click.IntRange(1), help="Documents in the collection, for aqwv."),
    option("--beta", type=float, default=40.0, help="Weight of false alarms in aqwv (40)."),
    *print_options(PAGE_FORMATS),
    reads=("RUN --qrels QRELS", "RUN --reference-run RANKING"),
)
def command(runs: tuple[str, ...], **given: Any) -> Any:
    """Measure retrieval on translated documents: MAP, nDCG, precision and recall at k, AQWV by relevance
    judgements, or rank-biased overlap with the run on human translations.

    \b
    tertium meta retrieval system-a.run system-b.run --qrels qrels.txt --measures map ndcg@10
    tertium meta retrieval system-a.run system-b.run --reference-run human.run
    """
    from tertium.io.trec import read_qrels, read_run
    from tertium.meta.downstream import USUAL, measure_runs, overlap_runs

    if not runs:
        raise InputError("name one run file or more")
    if (given["qrels"] is None) == (given["reference_run"] is None):
        raise InputError("give either --qrels or --reference-run (the run on human translations)")
    read = [read_run(path) for path in runs]
    if given["reference_run"] is not None:
        return overlap_runs(read, read_run(given["reference_run"]))
    qrels, size = read_qrels(given["qrels"]), given["documents"]
    return measure_runs(read, qrels, given["measures"] or USUAL, n_documents=size, beta=given["beta"])
