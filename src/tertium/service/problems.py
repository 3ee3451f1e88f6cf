"""What is wrong with a request, as a problem document (RFC 9457) that names the path of what is wrong."""

from __future__ import annotations

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
    return JSONResponse(found, found["status"], media_type=MEDIA)


def invalid(error: RequestValidationError) -> dict[str, Any]:
    """A body or a query that does not have the shape the description gives, as a problem document."""
    found = [{"pointer": pointer(own["loc"]), "detail": str(own["msg"])} for own in error.errors()[:20]]
    broken = any(own["type"] == "json_invalid" for own in error.errors())
    first = found[0] if found else {"pointer": "", "detail": "it does not have the shape that is expected"}
    if broken:
        return document(400, "the body is not JSON in UTF-8", found)
    return document(422, f"{first['pointer'] or 'the request'}: {first['detail']}", found)


def in_body(error: ValidationError) -> RequestValidationError:
    """What is wrong with a body that we have read ourselves, as the framework would have it."""
    return RequestValidationError(
        [{**own, "loc": ("body", *own["loc"])} for own in error.errors(include_url=False)]
    )


def on_invalid(_request: Request, error: Exception) -> Response:
    """What the framework finds wrong with a body or a query."""
    assert isinstance(error, RequestValidationError)
    found = invalid(error)
    return JSONResponse(found, found["status"], media_type=MEDIA)


def on_refusal(_request: Request, error: Exception) -> Response:
    """What the framework itself refuses."""
    assert isinstance(error, HTTPException)
    return answer(error.status_code, str(error.detail), headers=error.headers)


HANDLERS = {
    InputError: on_problem,
    TertiumError: on_problem,
    Problem: on_problem,
    RequestValidationError: on_invalid,
    HTTPException: on_refusal,
}
