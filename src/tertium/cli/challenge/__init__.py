"""`tertium challenge`: the commands for challenge sets, one file each."""

from __future__ import annotations

from tertium.cli.group import Commands

COMMANDS = {
    "check": "Look at a set, its outputs and judgements, and say everything that is wrong.",
    "sheet": "Write blind judging sheets (CSV, XLSX) and their key.",
    "read": "Read filled-in sheets back into judgements.",
    "judge": "Judge outputs in the terminal, one key an answer.",
    "report": "Success rates, agreement, and a page to browse.",
    "compare": "Compare systems, or two versions of one.",
    "auto": "Automatic judges, and how far they agree with people.",
    "mine": "Propose candidate sentences from a parallel corpus.",
    "demo": "The whole way on the bundled set.",
    "convert": "Turn a set, or a release of authors, into other files.",
}

command = Commands(
    "challenge",
    "tertium.cli.challenge",
    COMMANDS,
    help="""Challenge sets: short sentences built around one difficulty, one yes/no question each
    (Isabelle, Cherry and Foster 2017).""",
)
