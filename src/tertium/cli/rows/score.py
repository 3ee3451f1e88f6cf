"""`tertium rows score`: scores and tests from rows."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli import significance
from tertium.cli.options import print_options, quiet_option, threads_option, width_option
from tertium.cli.parsing import Names, choice, command_of, flag


@command_of(
    "score",
    click.Argument(["files"], nargs=-1, required=True, metavar="ROWS..."),
    choice(
        "--level",
        among=("corpus", "document", "segment"),
        default="corpus",
        help="Which scores to print (corpus).",
    ),
    *significance.options(),
    *print_options(),
    width_option(),
    flag("-sh", "--short", help="Short signatures (not in JSON)."),
    threads_option(),
    quiet_option(),
    reads=("ROWS", "ROWS --level document", "ROWS --confidence"),
)
def command(files: Names, level: str, **given: Any) -> Any:
    """Print what `tertium score` would have printed for the texts, to the last bit. Several files: systems on the same
    segments, side by side.

    \b
    tertium rows score all.rows --level document
    tertium rows score a.rows b.rows --paired-bs
    """
    from tertium.families.base import checked_level
    from tertium.rowfiles.reading import read_rows
    from tertium.scores import Style
    from tertium.scoring import scores_of

    wanted = checked_level(level)
    test = significance.asked({**given, "detail": False}, wanted)
    style = Style(given["width"], given["short"])
    measured = read_rows(files, "segment" if test is not None else wanted)
    if test is not None:
        how = {"threads": given["threads"]}
        return significance.tested(test, measured, measured.metrics, style, given, **how)
    return scores_of(measured).sacrebleu(style.width, short=style.short)
