"""`tertium memory`: translation memories, one file per command."""

from __future__ import annotations

from tertium.cli.group import Commands

COMMANDS = {
    "check": "Find units that deserve a look, and say why.",
    "clean": "Write a memory without its wrong units, and those with the reasons.",
    "probe": "Measure how many errors the checks find in a memory.",
    "align": "Align documents and their translations, sentence by sentence.",
    "realign": "Repair documents whose units are shifted.",
    "report": "Report misaligned units: how many, where, and why.",
    "match": "Find stored translations that help with a document.",
    "search": "Find units that contain a text.",
    "serve": "Answer questions to a memory over HTTP, and take in edits.",
    "policy": "Learn which stored translations help.",
    "index": "Prepare a memory for matching.",
    "import": "Add files to a memory on disk.",
    "convert": "Write memories in another format.",
}

command = Commands(
    "memory",
    "tertium.cli.memory",
    COMMANDS,
    help="Translation memories: check them, convert them, keep them on disk.",
)
