"""`tertium meta run`: a task, from texts and human scores to tables and figures."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.options import PAGE_FORMATS, print_options
from tertium.cli.parsing import Command, Several
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.meta.evaluation import Evaluation
    from tertium.meta.task import Task


def _run(task: str | None, **given: Any) -> None:
    from tertium.cli.progress import StepLine
    from tertium.meta.evaluation import evaluate, steps_of
    from tertium.results import render

    found = _task(task, given)
    if given["html"] is not None and not os.path.isdir(os.path.dirname(given["html"]) or "."):
        raise InputError(f"{given['html']}: the folder to write to does not exist")
    with StepLine(quiet=given["quiet"], total=steps_of(found)) as progress:
        evaluation = evaluate(found, threads=given["threads"], progress=progress)
    _write(evaluation, given)  # before anything is printed: who reads that may stop early
    form = given["format"]
    print(render(evaluation, form))
    if given["summary"] and form != "json":
        for table in evaluation.summary_tables():
            print(f"\n{render(table, form)}")


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


def _task(path: str | None, given: dict[str, Any]) -> Task:
    """The task file; without one the project file of this folder. Options come before what files say."""
    from dataclasses import replace
    from pathlib import Path

    from tertium.meta.task import Task

    if path is not None:
        if given["human"] is not None or given["metric"]:
            raise InputError(
                f"people's and metrics' scores come from {path}, or from --human and --metric, not from both"
            )
        found = Task.load(path)
    elif given["human"] is not None:
        from tertium.meta.materials import task_of_files

        own = {"metrics": tuple(given["metrics"])} if given["metrics"] else {}
        found = task_of_files(given["human"], given["metric"] or (), layout=given["layout"], **own)
    elif given["metric"] or given["layout"] is not None:
        raise InputError(
            "give the human scores: --human FILE (system, segment, score), or its name in the layout"
        )
    else:
        from tertium.project import Project

        project = Project.here() if given["project"] is None else Project.load(given["project"])
        if project is None:
            raise InputError(
                "name a task file (tertium meta run task.toml), or --human and --metric files, or have a tertium.toml "
                "with [human] here"
            )
        found = Task.of_project(project)
    said = {
        key: given[key]
        for key in ("statistic", "segment_statistic", "significance", "hybrids", "seed", "missing")
        if given[key] is not None
    }
    if given["hybrid_files"] is not None:
        said["hybrid_files"] = Path(given["hybrid_files"])
    said |= {key: tuple(given[key]) for key in ("metrics", "pairs", "levels") if given[key]}
    return replace(found, **said)


command = Command(
    "run",
    callback=_run,
    reads=(
        "TASK (REFERENCE SYSTEM OTHER HUMAN.score) --html OUTPUT",
        "--human JUDGEMENTS --metric RATINGS",
    ),
    help="""Run a task. Its file says which metrics are compared with which human scores (docs/meta.md);
    without one, use --human and --metric, or tertium.toml. The files are tables with a header: system, segment, score.

    \b
    tertium meta run --human people.tsv --metric mine.tsv yours.tsv
    tertium meta run --layout wmt23 --human mqm
    tertium meta run wmt17.toml
    tertium meta run wmt17.toml -m bleu chrf++ --pairs cs-en de-en --html wmt17.html
    """,
    params=[
        click.Argument(["task"], required=False, metavar="TASK.toml"),
        click.Option(
            ["--human"],
            metavar="FILE",
            help="People's scores or judgements; with --layout their name there.",
        ),
        Several(["--metric"], metavar="FILE", help="Scores of metrics."),
        click.Option(["--layout"], metavar="FOLDER", help="An mt-metrics-eval folder."),
        click.Option(["--project"], metavar="FILE", help="A project file instead (tertium.toml here)."),
        Several(
            ["-m", "--metrics"], metavar="SPEC", help="These metrics instead of the task's (@wmt17: a list)."
        ),
        Several(["--pairs"], metavar="PAIR", help="These language pairs only."),
        Several(["--levels"], metavar="LEVEL", help="system, segment, pairs, hybrids."),
        click.Option(
            ["--statistic"], help="At system level: pearson, spearman, kendall, accuracy, soft accuracy."
        ),
        click.Option(
            ["--segment-statistic"], help="At segment level: pearson, spearman, kendall, calibrated accuracy."
        ),
        click.Option(["--significance"], help="williams, permutation, none."),
        click.Option(["--hybrids"], type=click.IntRange(1), help="Hybrid systems (10,000)."),
        click.Option(
            ["--hybrid-files"],
            metavar="FOLDER",
            help="Descriptions of the hybrids of each pair: read if they exist, written otherwise.",
        ),
        click.Option(["--seed"], type=click.IntRange(0), help="Seed of everything random (12345)."),
        click.Option(
            ["--missing"],
            type=click.Choice(("refuse", "leave out")),
            help="What to do with systems and segments that only one side has.",
        ),
        click.Option(
            ["--summary"],
            is_flag=True,
            help="Also report median, mean, deviation and wins over language pairs.",
        ),
        click.Option(["--html"], metavar="FILE", help="Write a page with tables and figures."),
        click.Option(["--figures"], metavar="FOLDER", help="Write the figures as SVG files."),
        click.Option(["--png"], is_flag=True, help="Figures as PNG files too."),
        click.Option(
            ["--write-scores"], metavar="FOLDER", help="Write our metrics' scores for a shared task."
        ),
        click.Option(
            ["--shape"], default="wmt17", help="Format of these files: wmt16 ... wmt23, or mtme (wmt17)."
        ),
        *print_options(PAGE_FORMATS),
        click.Option(["--threads"], type=click.IntRange(1), default=1, help="Threads (1)."),
        click.Option(["-q", "--quiet"], is_flag=True, help="No progress."),
    ],
)
