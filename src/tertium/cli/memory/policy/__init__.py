"""`tertium memory policy`: a learned order of proposals, one file per command."""

from __future__ import annotations

from tertium.cli.group import Commands

COMMANDS = {
    "train": "Learn an order of proposals from a memory's own history.",
    "evaluate": "Measure how many edits the proposals of a policy save.",
}

command = Commands(
    "policy",
    "tertium.cli.memory.policy",
    COMMANDS,
    help="A learned order of proposals: from what was written later, without labels.",
)
