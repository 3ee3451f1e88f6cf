"""What `compare` and `report` share: the systems named, and the options of a comparison."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.options import (
    PARSER_HELP,
    input_options,
    languages_named,
    metrics_named,
    metrics_option,
    texts_named,
)
from tertium.cli.parsing import Names, Several, choice, files_listed, number, option
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.comparison.comparison import Comparison
    from tertium.measuring import Specs
    from tertium.project import Project


def comparison_options() -> list[click.Parameter]:
    """Texts, metrics and the settings of the tests."""
    return [
        *input_options(inputs="Outputs of the systems, two or more."),
        metrics_option("bleu", "chrf"),
        option("--parser", metavar="PARSER", help=PARSER_HELP),
        Several(
            "--by",
            metavar="WHAT",
            help="Divide segments by source, reference or hypothesis length, document, difference, or a column "
            "of metadata (length, document, all columns).",
        ),
        option(
            "--training",
            metavar="FILE",
            help="A training corpus: words are divided by their frequency there.",
        ),
        option(
            "--training-source",
            metavar="FILE",
            help="Its source side: what becomes of words that it lacks (copied, translated, dropped, invented).",
        ),
        option("--labels", metavar="TSV", help="Human preferences: segment, first, second, label (1 or 2)."),
        option(
            "--tags",
            metavar="TSV",
            help="People's tags for the segments with the strongest favouritism; created if missing, with "
            "rows added for new segments.",
        ),
        number("-k", "--strongest", default=10, help="Segments to show, by favouritism", least=0),
        option(
            "--runs",
            multiple=True,
            metavar="NAME=FILE,FILE...",
            help="Several runs of one system, tested together.",
        ),
        option("--baseline", metavar="NAME", help="Compare with this system (default: all pairs)."),
        choice(
            "--method",
            among=("bootstrap", "randomisation"),
            help="Paired bootstrap or approximate randomisation (bootstrap; randomisation for metrics of types).",
        ),
        option(
            "-n",
            "--resamples",
            type=click.IntRange(1),
            help="Resamples or trials (1000 or 10000; more for many pairs).",
        ),
        option("--seed", type=click.IntRange(0), help="Seed of the tests (12345)."),
        choice("--like", among=("sacrebleu",), help="Reproduce another program's numbers."),
        option("--tok", help="Tokeniser that counts lengths (13a, or that of the language)."),
    ]


def comparison_named(
    references: Names, hypotheses: Names, metrics: Names, given: dict[str, Any]
) -> Comparison:
    """The comparison that these options ask for."""
    from tertium.io.terminal import short_names
    from tertium.testset import TestSet

    seed, baseline = given["seed"], given["baseline"]
    runs: Mapping[str, Sequence[str]]
    paths, runs = _runs(hypotheses, given["runs"])
    files, project = texts_named(references, paths, given)
    if project is not None:
        baseline = baseline or project.baseline
        seed = project.seed if seed is None else seed
        runs = project.runs
        for key in ("training", "training_source", "labels", "tags"):
            given[key] = given[key] or getattr(project, key)
    elif runs:
        files = files._replace(names={path: path for own in runs.values() for path in own})
    testset = TestSet.read(files)
    if len(testset.systems) < 2:
        systems = f"{len(testset.systems)} system{'s' * (len(testset.systems) != 1)}"
        raise InputError(f"{systems} given: a comparison needs two or more (-i A B)")
    if given["documents"] is None and testset.documents is not None and len(set(testset.documents)) == 1:
        testset = replace(testset, documents=None)  # one document, which the file names itself, needs no test
    short = short_names([name for name in testset.systems if name in paths])
    by_file = {os.path.basename(path): name for path, name in short.items()}
    testset = replace(testset.called(short), aliases={**by_file, **short})
    tags = given["tags"]
    found = _compared(
        given.get("format"),
        testset,
        metrics_chosen(metrics, given, project),
        baseline=baseline,
        method=given["method"],
        resamples=given["resamples"],
        like=given["like"],
        by=given["by"] or None,
        metadata=list(testset.metadata),
        labels=given["labels"],
        tags=tags if tags is not None and os.path.exists(tags) else None,
        training=given["training"],
        training_source=given["training_source"],
        language=languages_named(given["language_pair"])[1],
        runs=runs,
        strongest=given["strongest"],
        tok=given["tok"],
        threads=given["threads"],
        engine=given.get("engine", "local"),
        **({} if seed is None else {"seed": seed}),
    )
    if tags is not None and found.k:
        _write_sheet(tags, found)
    return found


def _compared(form: str | None, *args: Any, **how: Any) -> Comparison:
    """`compare`; forms that do not begin with what it says of tokenisers have it on standard error."""
    import warnings

    from tertium.comparison.comparison import compare
    from tertium.errors import ScriptWarning

    with warnings.catch_warnings():
        if form not in ("json", "tsv", "latex", "markdown"):
            warnings.simplefilter("ignore", ScriptWarning)
        return compare(*args, **how)


def metrics_chosen(metrics: Names, given: dict[str, Any], project: Project | None = None) -> Specs:
    """The metrics that are named, for the languages and with the parser that are."""
    from tertium.cli.flags import chosen_specs

    how = {"parser": given["parser"]}
    return chosen_specs(metrics_named(metrics, project), how, given["language_pair"])


def _write_sheet(path: str, found: Comparison) -> None:
    """The tags, with an empty row for every new segment shown: nothing that a person wrote is lost."""
    sheet = found.tags
    for own in found.strongest:
        sheet = sheet.with_rows(own.sheet().segments, own.systems)
    if sheet.entries.keys() != found.tags.entries.keys():
        sheet.write(path, found.measured.testset)


def _runs(hypotheses: Names, given: Names) -> tuple[Names, dict[str, Names]]:
    """All files, and which of them are runs of one system."""
    runs: dict[str, Names] = {}
    for text in given:
        name, equals, files = text.partition("=")
        paths = files_listed(files)
        if not name or not equals or not paths:
            raise InputError(f"--runs {text}: write NAME=FILE,FILE (the runs of one system)")
        if name in runs:
            raise InputError(f"--runs: {name!r} is given twice; list all its files after one NAME=")
        runs[name] = paths
    return (*hypotheses, *(path for paths in runs.values() for path in paths)), runs
