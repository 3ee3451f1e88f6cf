"""`tertium meta summary`: a table of scores, correlated group by group and summarised."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.options import PAGE_FORMATS, print_options
from tertium.cli.parsing import Several, choice, command_of, option
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.io.scoretable import ScoreTable
    from tertium.meta.macrotables import CorrelationGrid

SHAPES = ("summary", "plain", "aspects", "years")


@command_of(
    "summary",
    click.Argument(["scores"], nargs=-1, metavar="SCORES.tsv..."),
    Several("--human", metavar="COLUMN", help="Columns of human scores to correlate with."),
    Several("--group", metavar="COLUMN", help="Columns to group rows by."),
    Several("-m", "--metrics", metavar="COLUMN", help="Columns of metrics (all others with numbers)."),
    Several("--errors", metavar="COLUMN", help="Metrics that are lower for better systems."),
    Several("--where", metavar="COLUMN=VALUE", help="Only rows with this value."),
    option("--system", metavar="COLUMN", help="Column of system names, unique in each group (System)."),
    choice(
        "--statistic",
        among=("kendall", "pearson", "spearman"),
        default="kendall",
        help="The correlation (kendall).",
    ),
    option("--alpha", type=click.FloatRange(0, 1), default=0.05, help="Significance (0.05)."),
    choice(
        "--missing",
        among=("refuse", "leave out"),
        default="refuse",
        help="What to do with rows without a score (refuse).",
    ),
    choice(
        "--table",
        among=SHAPES,
        default="summary",
        help="With summary rows, plain, aspects as columns, or a summary of several files.",
    ),
    *print_options(PAGE_FORMATS),
    reads=("SCORES --human Human",),
)
def command(scores: tuple[str, ...], **given: Any) -> Any:
    """Correlate metrics with people in a table of scores, a row for each system, for each group of rows (such as
    language pairs), followed by mean, median, deviation and wins.

    \b
    tertium meta summary scores.tsv --human Human --group Langs --missing "leave out"
    tertium meta summary clir.tsv --human RBO --group Lang --where Model=bm25 --table plain -f latex
    """
    from tertium.io.scoretable import read_score_table
    from tertium.meta.macrotables import GridsOfYears

    if not scores:
        raise InputError("name a table of scores (tertium meta summary scores.tsv --human Human)")
    if not given["human"]:
        raise InputError("name the column of people's scores: --human COLUMN")
    if len(scores) > 1 and given["table"] != "years":
        raise InputError("several tables of scores make a table of years: --table years")
    grids = {path.rpartition("/")[2]: _grid(read_score_table(path), given) for path in scores}
    if given["table"] == "years":
        return GridsOfYears(grids)
    [grid] = grids.values()
    shape = "plain" if given["table"] == "summary" and not given["group"] else given["table"]
    return replace(grid, shape=shape)


def _grid(table: ScoreTable, given: dict[str, Any]) -> CorrelationGrid:
    from tertium.meta.macrotables import correlate_table, metric_columns

    conditions = {}
    for text in given["where"]:
        column, equals, value = text.partition("=")
        if not equals:
            raise InputError(f"--where {text!r} must be COLUMN=VALUE")
        conditions[column] = value
    if conditions:
        table = table.selected(conditions)
    system = given["system"]
    if system is None:
        system = next((column for column in table.columns if column.lower() == "system"), None)
    besides = [*given["human"], *given["group"], *([system] if system else [])]
    return correlate_table(
        table,
        given["human"],
        given["metrics"] or metric_columns(table, besides),
        given["group"],
        errors=given["errors"],
        statistic=given["statistic"],
        system=system,
        missing=given["missing"],
        alpha=given["alpha"],
    )
