"""`tertium memory serve`: questions and edits over HTTP."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.parsing import command_of, flag, option


@command_of(
    "serve",
    click.Argument(
        ["memory"], metavar="MEMORY"
    ),  # served until it is stopped: not for the suite of damaged files
    option("--host", default="127.0.0.1", show_default=True, help="Address to listen on."),
    option("--port", default=8766, show_default=True, type=click.IntRange(0, 65535)),
    option("--policy", metavar="JSON", help="Order by a learned policy (`memory policy train`)."),
    flag("--no-source", help="A policy may not propose the source as it stands."),
    flag("--parts", help="Stored phrases of segments without a proposal of 70%."),
    flag("--terms", help="Flag proposals that translate a term otherwise than the document does."),
    option("--glossary", metavar="FILE", help="The same, with the terms of a glossary (TSV, TBX)."),
    option("--pair", metavar="SRC-TRG", help="Languages: which two of several."),
    reads=(),
)
def command(memory: str, host: str, port: int, pair: str | None, no_source: bool, **how: Any) -> None:
    """Answer questions to a memory over HTTP (match, search), and take in edits (add), which the next question finds.

    \b
    tertium memory serve memory.db
    curl -d '{"segments": ["Open the file"]}' http://localhost:8766/match
    """
    from tertium.io.memories.pairs import Pair
    from tertium.matching.serving import LiveMemory, MemoryServer

    languages = None if pair is None else Pair.parse(pair)
    live = LiveMemory(memory, pair=languages, source=not no_source, **how)
    with MemoryServer(live, host, port) as server:
        print(f"{memory}: http://{host}:{server.server_port}   stop: Ctrl-C", flush=True)
        server.serve_forever()
