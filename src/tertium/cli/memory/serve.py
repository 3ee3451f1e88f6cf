"""`tertium memory serve`: questions and edits over HTTP."""

from __future__ import annotations

import click

from tertium.cli.parsing import command_of, option


@command_of(
    "serve",
    click.Argument(
        ["memory"], metavar="MEMORY"
    ),  # served until it is stopped: not for the suite of damaged files
    option("--host", default="127.0.0.1", show_default=True, help="Address to listen on."),
    option("--port", default=8766, show_default=True, type=click.IntRange(0, 65535)),
    option("--policy", metavar="JSON", help="Order by a learned policy (`memory policy train`)."),
    option("--pair", metavar="SRC-TRG", help="Languages: which two of several."),
    reads=(),
)
def command(memory: str, host: str, port: int, policy: str | None, pair: str | None) -> None:
    """Answer questions to a memory over HTTP (match, search), and take in edits (add), which the next question finds.

    \b
    tertium memory serve memory.db
    curl -d '{"segments": ["Open the file"]}' http://localhost:8766/match
    """
    from tertium.io.memories.pairs import Pair
    from tertium.matching.serving import MemoryServer

    languages = None if pair is None else Pair.parse(pair)
    with MemoryServer(memory, host, port, policy=policy, pair=languages) as server:
        print(f"{memory}: http://{host}:{server.server_port}   stop: Ctrl-C", flush=True)
        server.serve_forever()
