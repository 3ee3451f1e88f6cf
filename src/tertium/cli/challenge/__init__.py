"""`tertium challenge`: the commands for challenge sets, one file each."""

from __future__ import annotations

from tertium.cli.group import Commands

COMMANDS = {
    "check": "Check a set, its outputs and judgements, and report everything wrong.",
    "sheet": "Write blind judging sheets (CSV, XLSX) and their key.",
    "read": "Read filled-in sheets back into judgements.",
    "judge": "Judge outputs in the terminal, one key per answer.",
    "report": "Success rates, agreement, and a page to browse.",
    "compare": "Compare systems, or two versions of one.",
    "auto": "Automatic judges, and how well they agree with people.",
    "mine": "Propose candidate sentences from a parallel corpus.",
    "pairs": "Make contrastive pairs from any text: one sure mistake each.",
    "contrast": "Score pairs: who prefers the right version, and how often.",
    "perturb": "Write noisy copies of a source.",
    "demo": "A complete walk-through on the bundled set.",
    "convert": "Convert a set, or its authors' release, to other formats.",
}

command = Commands(
    "challenge",
    "tertium.cli.challenge",
    COMMANDS,
    help="""Challenge sets: short sentences built around one difficulty, one yes/no question each
    (Isabelle, Cherry and Foster 2017).""",
)
