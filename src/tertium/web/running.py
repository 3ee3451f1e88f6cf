"""Running a service: where it listens, how many work at a time, and what is said while the database is away."""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from tertium.errors import InputError, MissingExtraError

try:
    from anyio.to_thread import current_default_thread_limiter
    from fastapi import FastAPI
    from sqlalchemy.exc import InterfaceError, OperationalError
    from sqlalchemy.exc import TimeoutError as NoConnection
except ImportError:
    raise MissingExtraError("a web service", "app") from None

from tertium.web.access import Administration
from tertium.web.database import reason_of
from tertium.web.guards import STRANGER
from tertium.web.sharing import QUEUE
from tertium.web.visiting import Premises

THREADS = 12  # requests at work at the same time, in each process
CONNECTIONS = 900  # at the same time, in each process; who comes after that is told to come again
AWAY = (OperationalError, InterfaceError, NoConnection)  # what is raised while the database is away
_said = [float("-inf")]  # when we complained last


@asynccontextmanager
async def few_threads(_app: FastAPI) -> AsyncIterator[None]:
    """Python runs one thread at a time: more of them only take turns, and everybody waits for longer."""
    current_default_thread_limiter().total_tokens = THREADS
    yield


def complain(error: Exception) -> None:
    """One line a minute for whoever runs the server."""
    if time.monotonic() - _said[0] > 60:
        _said[0] = time.monotonic()
        print(f"tertium: the database does not answer: {reason_of(error)}", file=sys.stderr, flush=True)


def describe_tokens(app: FastAPI) -> None:
    """Say in the OpenAPI description that scripts need a token."""
    make = app.openapi

    def described() -> dict[str, Any]:
        found = make()
        schemes = {"token": {"type": "http", "scheme": "bearer"}}
        found.setdefault("components", {})["securitySchemes"] = schemes
        found["security"] = [{"token": []}]
        return found

    app.openapi = described  # type: ignore[method-assign]


def by_token(
    access: Administration, premises: Premises, made_by: str
) -> Callable[[str, str], tuple[int, str] | None]:
    """What the guards ask of a script: None if it may come in; otherwise a status and the reason why not."""

    def refused(authorization: str, client: str) -> tuple[int, str] | None:
        kind, _, token = authorization.partition(" ")
        try:
            if kind.lower() == "bearer" and access.script_token_fits(token.strip()):
                return None
        except AWAY as error:
            complain(error)
            return 503, "the database does not answer"
        if not premises.limiter.allows("scripts", client, STRANGER):
            return 429, "too many wrong tokens; wait a minute"
        return 401, f"a script needs the header Authorization: Bearer TOKEN ({made_by} creates one)"

    return refused


def listening(host: str, port: int) -> socket.socket:
    """Where the server listens; port 0 is any that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=QUEUE)
    except OSError as error:
        reason = (error.strerror or str(error)).partition(" (while")[0].lower()  # without what Python adds
        raise InputError(f"{host}, port {port}: the server cannot listen there: {reason}") from None


def run(
    factory: str, at: socket.socket, environment: Mapping[str, str], *, workers: int = 1, proxies: str = ""
) -> None:
    """Run a service until it is stopped. Workers make it by the factory's name, from the environment."""
    try:
        import uvicorn
        from uvicorn.supervisors import Multiprocess
    except ImportError:
        raise MissingExtraError("a web service", "app") from None
    os.environ.update(environment)
    at.set_inheritable(True)
    config = uvicorn.Config(
        factory,
        factory=True,
        workers=workers,
        log_level="warning",
        server_header=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies or None,
        timeout_keep_alive=30,
        h11_max_incomplete_event_size=64 * 1024,
        http="tertium.web.patience:PatientProtocol",
        loop="tertium.web.sharing:SharingLoop",
        limit_concurrency=CONNECTIONS,
    )
    if workers == 1:
        uvicorn.Server(config).run(sockets=[at])
    else:
        Multiprocess(config, sockets=[at]).run()
