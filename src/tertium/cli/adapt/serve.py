"""`tertium adapt serve`: translate and correct over HTTP."""

from __future__ import annotations

from typing import Any

import click

from tertium.cli.adapt.options import material_options
from tertium.cli.parsing import command_of, option


@command_of(
    "serve",
    click.Argument(["folder"], metavar="FOLDER"),
    option("--system", "-s", default="memory", metavar="SPEC", help="Who translates (memory)."),
    *material_options(),
    option("--host", default="127.0.0.1", show_default=True, help="Address to listen on."),
    option("--port", default=8767, show_default=True, type=click.IntRange(0, 65535)),
    reads=(),
)
def command(folder: str, host: str, port: int, **given: Any) -> None:
    """Translate, and learn from corrections, over HTTP. Corrections and what was learnt are kept in a folder: who is
    killed loses nothing that was acknowledged.

    \b
    tertium adapt serve office --memory memory.db --pair en-fr -s balanced --mt 'python my_mt.py'
    curl -d '{"source": "Snow tonight"}' http://localhost:8767/translate
    curl -d '{"source": "Snow tonight", "correction": "Neige cette nuit"}' http://localhost:8767/correct
    """
    import json

    from tertium.service.adapting import VARIABLE
    from tertium.service.living import live_system
    from tertium.web.running import listening, run  # first: it says what is to be installed

    known = {"folder": folder, **{name: value for name, value in given.items() if value}}
    live_system(known).close()  # one complaint before anything is said
    at = listening(host, port)
    print(f"{folder}: http://{host}:{at.getsockname()[1]}/translate, /correct   stop: Ctrl-C", flush=True)
    run("tertium.service.adapting:from_environment", at, {VARIABLE: json.dumps(known)})
