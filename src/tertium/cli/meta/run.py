"""`tertium meta run`: a task, from texts and human scores to tables and figures."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.options import (
    PAGE_FORMATS,
    consensus_options,
    metrics_option,
    print_options,
    quiet_option,
    threads_option,
)
from tertium.cli.parsing import Several, choice, command_of, flag, option, written
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.meta.evaluation import Evaluation
    from tertium.meta.task import Task


@command_of(
    "run",
    click.Argument(["task"], required=False, metavar="TASK.toml"),
    option(
        "--human",
        metavar="FILE",
        is_flag=False,
        flag_value="official",
        help="Human scores or judgements; with --layout, their name there (the official ones).",
    ),
    Several("--metric", metavar="FILE", help="Scores of metrics."),
    option("--layout", metavar="FOLDER", help="An mt-metrics-eval folder."),
    option("--project", metavar="FILE", help="A project file instead (tertium.toml here)."),
    metrics_option(help="These metrics instead of the task's (@wmt17: a list)."),
    Several("--pairs", metavar="PAIR", help="These language pairs only."),
    Several("--levels", metavar="LEVEL", help="system, segment, document, pairs, hybrids."),
    Several(
        "--pseudo-references", metavar="SYSTEM", help="Outputs that are references, too, and not judged."
    ),
    flag("--without-references", help="Pseudo-references instead of references."),
    option("--statistic", help="At system level: pearson, spearman, kendall, accuracy, soft accuracy (SPA)."),
    option(
        "--segment-statistic",
        help="At segment level: pearson, spearman, kendall, calibrated accuracy (acc_eq).",
    ),
    choice(
        "--averaging",
        among=("item", "system", "none"),
        help="Segment correlations within each item, within each system, or over all (item for acc_eq, else none).",
    ),
    option(
        "--significance",
        help="permutation, perm-both, williams, none (permutation; perm-both for mt-metrics-eval's test sets).",
    ),
    *consensus_options(),
    option("--hybrids", type=click.IntRange(1), help="Hybrid systems (10,000)."),
    choice(
        "--hybrid-units",
        among=("segments", "documents"),
        help="What a hybrid takes from one system as a whole (segments).",
    ),
    option(
        "--hybrid-files",
        metavar="FOLDER",
        type=Path,
        help="Descriptions of the hybrids of each pair: read if they exist, written otherwise.",
    ),
    option("--seed", type=click.IntRange(0), help="Seed of everything random (12345)."),
    choice(
        "--missing",
        among=("refuse", "leave out"),
        help="What to do with systems and segments that only one side has.",
    ),
    flag("--provenance", help="Also list what was read, and what was left out and why."),
    flag("--summary", help="Also report median, mean, deviation and wins over language pairs."),
    written("--html", metavar="FILE", help="Write a page with tables and figures."),
    option("--figures", metavar="FOLDER", help="Write the figures as SVG files."),
    flag("--png", help="Figures as PNG files too."),
    option("--write-scores", metavar="FOLDER", help="Write our metrics' scores for a shared task."),
    option("--shape", default="wmt17", help="Format of these files: wmt16 ... wmt23, or mtme (wmt17)."),
    *print_options(PAGE_FORMATS),
    threads_option(),
    quiet_option(),
    reads=(
        "TASK (REFERENCE SYSTEM OTHER HUMAN.score) --html OUTPUT",
        "--human JUDGEMENTS --metric RATINGS",
    ),
)
def command(task: str | None, **given: Any) -> None:
    """Run a task. Its file says which metrics are compared with which human scores (docs/meta.md);
    without one, use --human and --metric, or tertium.toml. The files are tables with a header: system, segment, score.

    \b
    tertium meta run --human people.tsv --metric mine.tsv yours.tsv
    tertium meta run --layout wmt23
    tertium meta run --layout wmt23 --human mqm --pairs he-en --segment-statistic acc_eq
    tertium meta run wmt17.toml
    tertium meta run wmt17.toml -m bleu chrf++ --pairs cs-en de-en --html wmt17.html
    """
    from tertium.meta.evaluation import evaluate
    from tertium.results import render

    found = _task(task, given)
    if given["html"] is not None and not os.path.isdir(os.path.dirname(given["html"]) or "."):
        raise InputError(f"{given['html']}: the folder to write to does not exist")
    form = given["format"]
    if given["provenance"] and form not in WITH_PROVENANCE:
        raise InputError(f"--provenance goes with -f {' or '.join(WITH_PROVENANCE)} (json always has it)")
    evaluation = evaluate(found, threads=given["threads"])
    _write(evaluation, given)  # before anything is printed: the reader may stop early
    if form in WITHOUT_ANSWER:
        from tertium.meta.run_sentences import unknown

        for sentence in unknown(evaluation):
            click.echo(sentence, err=True)
    print(render(evaluation, form))
    if given["summary"] and form != "json":
        for table in evaluation.summary_tables():
            print(f"\n{render(table, form)}")
    if given["provenance"]:
        print("\n".join(["\nWhat was used:", *(f"  {line}" for line in evaluation.used())]))


def _write(evaluation: Evaluation, given: dict[str, Any]) -> None:
    """The files that were asked for."""
    if given["write_scores"] is not None:
        from tertium.meta.writing import write_scores

        for path in write_scores(evaluation, given["write_scores"], given["shape"]):
            click.echo(str(path), err=True)
    if given["html"] is not None or given["figures"] is not None:
        from tertium.report.meta import write_figures, write_meta_report

        if given["html"] is not None:
            write_meta_report(given["html"], evaluation)
            click.echo(given["html"], err=True)
        if given["figures"] is not None:
            for path in write_figures(given["figures"], evaluation, png=given["png"]):
                click.echo(str(path), err=True)


WITH_PROVENANCE = ("table", "text")
WITHOUT_ANSWER = ("tsv", "markdown", "latex")  # tables only: what is not known goes to standard error
_LISTS = ("metrics", "pairs", "levels", "pseudo_references", "without_references")


def _task(path: str | None, given: dict[str, Any]) -> Task:
    """The task file; without one, the project file of this folder. Options override what files say."""
    from dataclasses import replace

    from tertium.meta.task import Task

    if path is not None:
        if given["human"] is not None or given["metric"]:
            raise InputError(f"take the scores from {path} or from --human and --metric, not from both")
        found = Task.load(path)
    elif given["human"] is not None or given["layout"] is not None:
        from tertium.meta.materials import task_of_files

        own = {"metrics": given["metrics"]} if given["metrics"] else {}
        found = task_of_files(given["human"], given["metric"], layout=given["layout"], **own)
    elif given["metric"]:
        raise InputError("give human scores: --human FILE (system, segment, score), or a name in the layout")
    else:
        from tertium.project import Project

        project = Project.here() if given["project"] is None else Project.load(given["project"])
        if project is None:
            raise InputError(
                "name a task file (tertium meta run task.toml), or --human and --metric files, or add [human] to a "
                "tertium.toml here"
            )
        found = Task.of_project(project)
    single = (
        "statistic",
        "segment_statistic",
        "averaging",
        "significance",
        "hybrids",
        "hybrid_units",
        "hybrid_files",
        "seed",
        "missing",
        "judges",
        "agreement",
    )
    said = {key: given[key] for key in single if given[key] is not None}
    return replace(found, **said, **{key: given[key] for key in _LISTS if given[key]})
