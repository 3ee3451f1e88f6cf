"""`tertium adapt`: translation that learns from corrections, one file per command."""

from __future__ import annotations

from tertium.cli.group import Commands

COMMANDS = {
    "train": "Train a translator on a memory.",
    "simulate": "Run systems through a stream of corrections, and judge them.",
    "stream": "Make a stream of a memory: documents in order of date.",
    "sanctioned": "Say how much of what was written later a system would have said.",
    "route": "Memory, machine or nothing for every segment, with reasons.",
    "serve": "Translate and learn over HTTP.",
    "bulletins": "Make a stream of weather bulletins by type of warning.",
}

command = Commands(
    "adapt",
    "tertium.cli.adapt",
    COMMANDS,
    help="Translation that learns from corrections: simulate it, judge it, serve it.",
)
