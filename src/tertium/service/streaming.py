"""Many documents in one call, a JSON object a line, in and out: each line is answered as soon as it is stored."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Header
from fastapi.routing import APIRoute
from pydantic import ValidationError
from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import StreamingResponse
from starlette.routing import Match
from starlette.types import Receive, Scope, Send

from tertium.errors import TertiumError
from tertium.monitor.keys import ServiceKey
from tertium.service.asking import Writer
from tertium.service.office import Office
from tertium.service.problems import FAILED, Problem, described, document, in_body, invalid
from tertium.service.sending import LINES, NewEvaluation, Sending
from tertium.web.guards import complain_of

LONGEST = 16 * 1024 * 1024  # bytes of a line


class LinesRoute(APIRoute):
    """A route for lines of JSON alone: another one at the same address is for plain JSON."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Only what says that it is lines."""
        match, child = super().matches(scope)
        kind = dict(scope.get("headers", ())).get(b"content-type", b"").partition(b";")[0].strip()
        return (match, child) if kind.lower() == LINES.encode() else (Match.NONE, {})


def streamed(sending: Sending, request: Request, key: ServiceKey, repeat: str | None) -> StreamingResponse:
    """Answers to the lines of a call; `repeat` makes each line count once, by its number."""

    async def answers() -> AsyncIterator[bytes]:
        number = 0
        try:
            async for line in _lines(request):
                number += 1
                if line.strip():
                    found = await run_in_threadpool(_answer, sending, key, line, number, repeat)
                    yield json.dumps({"line": number} | found).encode() + b"\n"
        except (Problem, HTTPException) as error:
            status = error.status if isinstance(error, Problem) else error.status_code
            yield json.dumps({"line": number + 1, "problem": document(status, error.detail)}).encode() + b"\n"

    return _Duplex(answers(), media_type=LINES)


def lines_routes(office: Office) -> APIRouter:
    """Documents as lines."""
    router = APIRouter(route_class=LinesRoute)
    sending = Sending(office)

    @router.post("/evaluations", include_in_schema=False)
    def evaluate_lines(
        key: Writer, request: Request, idempotency_key: Annotated[str | None, Header(max_length=180)] = None
    ) -> StreamingResponse:
        """Score a document a line, and answer line by line."""
        return streamed(sending, request, key, idempotency_key)

    return router


async def _lines(request: Request) -> AsyncIterator[bytes]:
    """Lines as they come. All that comes is taken at once (a body has its bound): who sends first and reads later
    is not kept waiting for us, nor we for them."""
    arrived: asyncio.Queue[bytes | Exception | None] = asyncio.Queue()

    async def read() -> None:
        waiting = b""
        try:
            async for chunk in request.stream():
                *whole, waiting = (waiting + chunk).split(b"\n")
                for line in whole:
                    arrived.put_nowait(line)
                if len(waiting) > LONGEST:
                    raise Problem(413, f"a line is longer than {LONGEST} bytes")
            arrived.put_nowait(waiting)
            arrived.put_nowait(None)
        except ClientDisconnect:
            arrived.put_nowait(None)  # what came whole is answered, to nobody
        except Exception as error:
            arrived.put_nowait(error)

    reading = asyncio.create_task(read())
    try:
        while (line := await arrived.get()) is not None:
            if isinstance(line, Exception):
                raise line
            yield line
    finally:
        reading.cancel()


class _Duplex(StreamingResponse):
    """An answer that begins while the request still comes: nobody else may listen for what comes then."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.stream_response(send)


def _answer(
    sending: Sending, key: ServiceKey, line: bytes, number: int, repeat: str | None
) -> dict[str, Any]:
    """What came of a line: an evaluation, or a problem document; others are not touched by it."""
    try:
        body = NewEvaluation.model_validate_json(line)
        again = None if repeat is None else f"{repeat}:{number}"
        done, _ = sending.evaluated(body, key, again)
        return {"evaluation": done}
    except ValidationError as error:
        return {"problem": invalid(in_body(error, line))}
    except TertiumError as error:
        return {"problem": described(error)}
    except SQLAlchemyError:
        return {"problem": document(503, "the database does not answer")}
    except Exception as error:  # other lines are not touched by it
        complain_of(error)
        return {"problem": document(500, FAILED)}
