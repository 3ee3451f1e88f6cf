"""What is wrong with a request, as a problem document (RFC 9457) that names the path of what is wrong."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from http import HTTPStatus
from typing import Any

from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tertium.errors import InputError, TertiumError
from tertium.web.refusals import Problem as Problem

MEDIA = "application/problem+json"
FAILED = "this failed on our side, and was logged there"
NOT_UNICODE = "is not Unicode: broken UTF-8, or half of a surrogate pair"
ADVICE = {401: {"www-authenticate": "Bearer"}, 429: {"retry-after": "5"}}  # headers that go with a status


def document(status: int, detail: str, errors: Sequence[dict[str, str]] = ()) -> dict[str, Any]:
    """A problem document.

    >>> document(404, "there is no evaluation 7")
    {'type': 'about:blank', 'title': 'Not Found', 'status': 404, 'detail': 'there is no evaluation 7'}
    """
    made: dict[str, Any] = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status}
    return made | {"detail": detail} | ({"errors": list(errors)} if errors else {})


def pointer(parts: Iterable[object]) -> str:
    """A JSON Pointer into the body.

    >>> pointer(["body", "segments", 3, "a/b"])
    '/segments/3/a~1b'
    """
    names = [str(part).replace("~", "~0").replace("/", "~1") for part in parts]
    return "".join(f"/{name}" for name in (names[1:] if names[:1] == ["body"] else names))


def answer(status: int, detail: str, errors: Sequence[dict[str, str]] = (), headers: Any = None) -> Response:
    """The problem as a response."""
    return JSONResponse(document(status, detail, errors), status, headers=headers, media_type=MEDIA)


def described(error: Exception) -> dict[str, Any]:
    """A refusal as a problem document; what is wrong with texts or metrics is 422.

    >>> described(InputError("there are no segments"))["status"]
    422
    """
    status = error.status if isinstance(error, Problem) else 422
    path = error.path if isinstance(error, Problem) else ""
    return document(status, str(error), [{"pointer": path, "detail": str(error)}] if path else ())


def on_problem(_request: Request, error: Exception) -> Response:
    """Our own refusals."""
    found = described(error)
    return JSONResponse(found, found["status"], ADVICE.get(found["status"]), media_type=MEDIA)


def invalid(error: RequestValidationError) -> dict[str, Any]:
    """A body or a query that does not have the shape the description gives, as a problem document."""
    found = [{"pointer": pointer(own["loc"]), "detail": str(own["msg"])} for own in error.errors()[:20]]
    broken = any(own["type"] == "json_invalid" for own in error.errors())
    if broken and isinstance(error.body, bytes) and (unreadable := not_unicode(error.body)):
        return unreadable
    first = found[0] if found else {"pointer": "", "detail": "it does not have the shape that is expected"}
    if broken:
        return document(400, "the body is not JSON in UTF-8", found)
    return document(422, f"{first['pointer'] or 'the request'}: {first['detail']}", found)


def not_unicode(body: bytes) -> dict[str, Any] | None:
    """JSON with a text that is not Unicode, as a problem document that says which; None if that is not what is wrong.

    >>> not_unicode(b'{"segments": [{"mt": "a"}, {"mt": "\\xff"}]}')["errors"][0]["pointer"]
    '/segments/1/mt'
    """
    try:
        given = json.loads(body.decode("utf-8", "surrogateescape"))
    except (ValueError, RecursionError):
        return None
    waiting: list[tuple[tuple[object, ...], Any]] = [((), given)]
    while waiting:
        place, own = waiting.pop()
        if isinstance(own, str) and any("\ud800" <= letter <= "\udfff" for letter in own):
            where = pointer(place)
            return document(400, f"{where} {NOT_UNICODE}", [{"pointer": where, "detail": NOT_UNICODE}])
        inside = own.items() if isinstance(own, dict) else enumerate(own) if isinstance(own, list) else ()
        waiting += [((*place, name), one) for name, one in reversed(list(inside))]
    return None


def in_body(error: ValidationError, body: bytes) -> RequestValidationError:
    """What is wrong with a body that we have read ourselves, as the framework would have it."""
    return RequestValidationError(
        [{**own, "loc": ("body", *own["loc"])} for own in error.errors(include_url=False)], body=body
    )


def on_invalid(_request: Request, error: Exception) -> Response:
    """What the framework finds wrong with a body or a query."""
    assert isinstance(error, RequestValidationError)
    found = invalid(error)
    return JSONResponse(found, found["status"], media_type=MEDIA)


def on_refusal(_request: Request, error: Exception) -> Response:
    """What the framework itself refuses."""
    assert isinstance(error, HTTPException)
    if isinstance(error.__cause__, UnicodeDecodeError) and (found := not_unicode(error.__cause__.object)):
        return JSONResponse(found, found["status"], media_type=MEDIA)
    return answer(error.status_code, str(error.detail), headers=error.headers)


def on_failure(_request: Request, _error: Exception) -> Response:
    """What we did not foresee: nothing was stored, and nothing of what was sent is repeated."""
    return answer(500, FAILED)


HANDLERS = {
    InputError: on_problem,
    TertiumError: on_problem,
    Problem: on_problem,
    RequestValidationError: on_invalid,
    HTTPException: on_refusal,
    Exception: on_failure,
}
