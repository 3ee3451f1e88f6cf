"""`tertium meta retrieval`: retrieval from translations measured, and metrics correlated with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tertium.cli.options import (
    NO_PSEUDO,
    PAGE_FORMATS,
    input_options,
    metrics_option,
    print_options,
    texts_named,
)
from tertium.cli.parsing import Names, Several, command_of, option
from tertium.errors import InputError


@command_of(
    "retrieval",
    *input_options(*NO_PSEUDO, inputs="Translations of the documents by two systems or more."),
    option("--queries", metavar="FILE", help="Queries to retrieve by: a name, a tab, words."),
    metrics_option("bleu", "chrf", "macrof1"),
    option("--qrels", metavar="FILE", help="Relevance judgements (TREC format)."),
    option("--relevant", type=click.IntRange(1), help="Without them, so many first ones of REF are (10)."),
    option("--reference-run", metavar="FILE", help="A run to measure overlap with (RBO, p = 0.98)."),
    Several("--measures", metavar="NAME", help="map, ndcg, ndcg@10, p@5, aqwv... (map ndcg@10 p@10 r@100)."),
    option(
        "--collection",
        metavar="N|FOLDER",
        help="Documents in the collection, for aqwv of runs; or a test set to retrieve from instead of REF and -i.",
    ),
    option(
        "--returned",
        type=click.IntRange(1),
        help="Documents of a query that aqwv counts as returned (as many as are best for the run).",
    ),
    option("--beta", type=float, default=40.0, help="Weight of false alarms in aqwv (40)."),
    option("--tok", default="13a", help="Tokeniser of documents and queries (13a)."),
    option(
        "--runs", "write_runs", metavar="FOLDER", help="Write what was retrieved there, a run per system."
    ),
    *print_options(PAGE_FORMATS),
    reads=(
        "RUN --qrels QRELS",
        "RUN --reference-run RANKING",
        "REFERENCE -i SYSTEM OTHER -m chrf --documents DOCUMENTS --queries QUERIES",
    ),
)
def command(references: Names, input: Names, metrics: Names, **given: Any) -> Any:
    """Judge metrics by retrieval from translated documents. With --queries documents are retrieved from every
    system's translations (BM25), runs are measured by AQWV, MAP, nDCG and overlap with the run on the references, and
    metrics are correlated with that over systems. Without, runs made elsewhere are measured. AQWV is that of the best
    cut-off of each run, which is printed beside it.

    \b
    tertium meta retrieval ref.txt -i a.txt b.txt c.txt --documents ids.txt --queries queries.tsv -m bleu macrof1
    tertium meta retrieval ref.txt -i a.txt b.txt --queries queries.tsv --collection larger-test-set
    tertium meta retrieval system-a.run system-b.run --qrels qrels.txt --measures map ndcg@10
    tertium meta retrieval system-a.run system-b.run --reference-run human.run
    """
    from tertium.io.records import whole_number
    from tertium.io.trec import read_qrels, read_run, write_run
    from tertium.meta.downstream import USUAL, measure_runs, overlap_runs

    common = {"beta": given["beta"], "returned": given["returned"]}
    if given["queries"] is not None:
        from tertium.io.trec import read_queries
        from tertium.meta.retrieval_task import MEASURES, judge_by_retrieval
        from tertium.testset import TestSet

        testset = TestSet.read(texts_named(references, input, given)[0])
        collection = None
        if given["collection"] is not None:
            collection = TestSet.load(given["collection"])
            stems = {path: Path(path).stem.removeprefix("system-") for path in testset.systems}
            if not set(testset.systems) <= set(collection.systems) and len({*stems.values()}) == len(stems):
                testset = testset.called(stems)  # the folder knows systems by their names, not by their files
        found = judge_by_retrieval(
            testset,
            read_queries(given["queries"]),
            metrics,
            collection=collection,
            qrels=None if given["qrels"] is None else read_qrels(given["qrels"]),
            measures=given["measures"] or MEASURES,
            relevant=given["relevant"],
            tok=given["tok"],
            threads=given["threads"],
            **common,
        )
        if given["write_runs"] is not None:
            Path(given["write_runs"]).mkdir(parents=True, exist_ok=True)
            for name, run in found.runs.items():
                write_run(Path(given["write_runs"], f"{name.replace('/', '_')}.run"), run)
        return found
    if not references or input:
        raise InputError("name one run file or more, or translations (-i) with --queries")
    if (given["qrels"] is None) == (given["reference_run"] is None):
        raise InputError("give either --qrels or --reference-run (the run on human translations)")
    read = [read_run(path) for path in references]
    if given["reference_run"] is not None:
        return overlap_runs(read, read_run(given["reference_run"]))
    qrels, size = read_qrels(given["qrels"]), None
    if given["collection"] is not None:
        size = whole_number(given["collection"], "number of documents", "--collection")
    return measure_runs(read, qrels, given["measures"] or USUAL, n_documents=size, **common)
