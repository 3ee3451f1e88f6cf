"""What `compare` and `report` share: the systems named, and the options of a comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from tertium.cli.options import project_named
from tertium.cli.parsing import Several
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.compare.comparison import Comparison
    from tertium.testset import TestSet


def comparison_options() -> list[click.Parameter]:
    """Texts, metrics and the settings of the tests."""
    return [
        click.Argument(["references"], nargs=-1, metavar="REF..."),
        Several(["-i", "--input"], metavar="HYP", help="Outputs of the systems, two or more."),
        Several(["-m", "--metrics"], default=["bleu", "chrf"], metavar="SPEC", help="Metrics (bleu chrf)."),
        click.Option(["--source"], metavar="FILE", help="Source texts."),
        click.Option(["--documents"], metavar="FILE", help="A document id for each segment."),
        click.Option(
            ["--metadata"], metavar="TSV", help="Columns to make buckets of, named in the first line."
        ),
        click.Option(["--baseline"], metavar="NAME", help="Compare with this system (default: all pairs)."),
        click.Option(
            ["--method"],
            type=click.Choice(("bootstrap", "randomisation")),
            default="bootstrap",
            help="Paired bootstrap or approximate randomisation (bootstrap).",
        ),
        click.Option(["-n", "--resamples"], type=click.IntRange(1), help="Resamples or trials."),
        click.Option(["--seed"], type=click.IntRange(0), help="Seed of the tests (12345)."),
        click.Option(
            ["--like"], type=click.Choice(("sacrebleu",)), help="Reproduce another program's numbers."
        ),
        click.Option(["--tok"], default="13a", help="Tokeniser that counts lengths (13a)."),
        click.Option(["-e", "--encoding"], default="utf-8", help="Encoding of the files (utf-8)."),
        click.Option(["--tsv"], hidden=True),
        click.Option(
            ["--project"], metavar="FILE", help="A project file (tertium.toml here, if no texts are named)."
        ),
        click.Option(["--threads"], type=click.IntRange(1), default=1, help="Threads (1)."),
        click.Option(["-q", "--quiet"], is_flag=True, help="No warnings."),
    ]


def comparison_named(
    references: tuple[str, ...], hypotheses: tuple[str, ...], metrics: tuple[str, ...], given: dict[str, Any]
) -> Comparison:
    """The comparison that these options ask for."""
    import warnings

    from tertium.compare.comparison import compare
    from tertium.errors import TertiumWarning

    if given["quiet"]:
        warnings.simplefilter("ignore", TertiumWarning)
    seed, baseline = given["seed"], given["baseline"]
    project = project_named(references, hypotheses, given)
    if project is not None:
        testset: TestSet = project.testset()
        source = click.get_current_context().get_parameter_source("metrics")
        metrics = project.metrics if source is click.core.ParameterSource.DEFAULT else metrics
        baseline = baseline or project.baseline
        seed = project.seed if seed is None else seed
    else:
        testset = _testset(references, hypotheses, given)
    return compare(
        testset,
        metrics,
        baseline=baseline,
        method=given["method"],
        resamples=given["resamples"],
        like=given["like"],
        metadata=list(testset.metadata),
        tok=given["tok"],
        threads=given["threads"],
        **({} if seed is None else {"seed": seed}),
    )


def _testset(references: tuple[str, ...], hypotheses: tuple[str, ...], given: dict[str, Any]) -> TestSet:
    from pathlib import Path

    from tertium.io.files import aligned, open_lines, read_lines
    from tertium.testset import TestSet, metadata_of

    if not references:
        raise InputError("there are no references: name them before -i (tertium compare REF... -i A B)")
    if len(hypotheses) < 2:
        raise InputError(f"{len(hypotheses)} systems are given: a comparison needs two or more (-i A B)")
    for i, path in enumerate(hypotheses):
        if path in hypotheses[:i]:
            raise InputError(f"{path!r} is given twice: every system needs a name of its own")
    encoding = given["encoding"]

    def read(path: str | None) -> Any:
        return None if path is None else read_lines(path, encoding=encoding)

    optional = [path for path in (given["source"], given["documents"]) if path is not None]
    for _ in aligned([open_lines(path, encoding=encoding) for path in (*references, *hypotheses, *optional)]):
        pass  # different lengths are refused here, with the name and length of every file
    table = given["metadata"]
    return TestSet.of(
        [read(path) for path in references],
        {path: read(path) for path in hypotheses},
        sources=read(given["source"]),
        documents=read(given["documents"]),
        metadata=None if table is None else metadata_of(Path(table), read(table)),
        name=Path(references[0]).name,
    )
