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
    import json

    from tertium.web.running import listening, run  # first: it says what is to be installed

    given = {"file": memory, "pair": pair or "", "source": not no_source, **how}

    from tertium.service.alone import memory_application
    from tertium.service.equipment import MemorySettings

    given = {name: value for name, value in given.items() if value is not None}
    memory_application(MemorySettings(**given))  # one complaint before anything is said
    at = listening(host, port)
    print(f"{memory}: http://{host}:{at.getsockname()[1]}   stop: Ctrl-C", flush=True)
    run("tertium.service.alone:from_environment", at, {"TERTIUM_MEMORY": json.dumps(given)})
