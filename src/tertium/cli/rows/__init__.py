"""`tertium rows`: rows of segments as files, scored without texts."""

from __future__ import annotations

from tertium.cli.group import Commands

TABLE = {
    "write": "Score a shard, and write the rows of its segments.",
    "merge": "Join the rows of several shards.",
    "score": "Scores, documents and significance tests from rows.",
}

command = Commands(
    "rows",
    "tertium.cli.rows",
    TABLE,
    help="Score shards of a corpus anywhere, and carry home small files of rows: no text is needed afterwards.",
    epilog="docs/rows.md",
)
