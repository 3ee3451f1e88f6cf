"""`tertium analyse`: new documents before anybody translates them, one file per command."""

from __future__ import annotations

from tertium.cli.group import Commands

COMMANDS = {
    "document": "Pre-translate a document; say how much work it is, and whose.",
}

command = Commands(
    "analyse",
    "tertium.cli.analyse",
    COMMANDS,
    help="New documents before their translation: what is there, how much work is left, and who should do it.",
)
