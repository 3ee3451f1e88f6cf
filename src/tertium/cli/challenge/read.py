"""`tertium challenge read`: filled-in sheets back into judgements."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.challenge.options import judgements_option, outputs_option
from tertium.cli.options import OutputOption
from tertium.cli.parsing import Several, command_of, option


@command_of(
    "read",
    click.Argument(["sheets"], nargs=-1, required=True, metavar="SHEET..."),
    Several("--key", required=True, metavar="FILE", help="The key of the sheets (one or more)."),
    OutputOption(
        default="judgements.jsonl",
        metavar="FILE",
        over=["judgements"],
        help="File for the judgements, .jsonl or .tsv (judgements.jsonl).",
    ),
    judgements_option(),
    option("--set", metavar="SET", help="Check the judgements against this set, and outputs (-i)."),
    outputs_option(),
    reads=("SHEET.csv --key KEY -o OUTPUT",),
)
def command(sheets: tuple[str, ...], key: tuple[str, ...], **given: Any) -> None:
    """Read filled-in sheets (CSV or XLSX) with their key. Rows and columns may have been moved; an answer may be
    yes, Y, oui, 1 and the like. An answer that cannot be understood is refused, naming its cell.

    \b
    tertium challenge read sheets/*.xlsx --key sheets-key.json -o judgements.jsonl
    """
    from tertium.challenge.judgements import ChallengeJudgements, read_judgements, write_judgements
    from tertium.challenge.loading import load
    from tertium.challenge.sheets import read_judging_sheet, read_keys

    known = read_keys(key)
    found = read_judgements(given["judgements"]) if given["judgements"] else ChallengeJudgements(())
    for sheet in sheets:
        answers = read_judging_sheet(sheet, known)
        found = found.merged(ChallengeJudgements(answers.judgements))
        left = f", {len(answers.unanswered)} rows unanswered" if answers.unanswered else ""
        print(f"{sheet}: {len(answers.judgements)} judgements{left}")
    if given["set"] is not None:
        release = load(given["set"], given["outputs"])
        found.check(release.items, release.outputs)
    write_judgements(given["output"], found)
    print(f"{given['output']}: {len(found)} judgements in all")
