"""`tertium assign`: the right translator for a document, one file per command."""

from __future__ import annotations

from tertium.cli.group import Commands

COMMANDS = {
    "rank": "List the translators best suited to a document, with reasons.",
    "evaluate": "Measure how often such lists would have been right.",
    "id": "Print the id under which somebody is listed.",
}

command = Commands(
    "assign",
    "tertium.cli.assign",
    COMMANDS,
    help="Translators for documents: who is best suited, by what a memory knows of each.",
)
