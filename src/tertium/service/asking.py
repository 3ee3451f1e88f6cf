"""What routes have in common: who asks, names, moments, and how refusals are described."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any

from fastapi import Depends, Query, Request
from pydantic import AwareDatetime, Field

from tertium.monitor.keys import ServiceKey
from tertium.service.office import Office
from tertium.service.problems import MEDIA, Problem

PRINTABLE = r"^[^\x00-\x1f\x7f]*$"
Text = Annotated[str, Field(max_length=100_000)]
Name = Annotated[str, Field(min_length=1, max_length=64)]
Spec = Annotated[str, Query(max_length=200)]
Moment = Annotated[AwareDatetime | None, Query()]
Number = Annotated[int, Field(ge=1, le=2**31 - 1)]
After = Annotated[int, Query(ge=0, le=2**31 - 1)]
Most = Annotated[int, Query(ge=1, le=1000)]
SHAPE = {"description": "a problem document (RFC 9457)", "content": {MEDIA: {}}}
TROUBLE: dict[int | str, dict[str, Any]] = dict.fromkeys((400, 401, 403, 404, 413, 422, 429), SHAPE)
CONFLICT: dict[int | str, dict[str, Any]] = {409: SHAPE}


def _with(scope: str) -> Callable[[Request], ServiceKey]:
    def key(request: Request) -> ServiceKey:
        office: Office = request.app.state.office
        return office.key(request, scope)

    return key


Writer = Annotated[ServiceKey, Depends(_with("write"))]
Reader = Annotated[ServiceKey, Depends(_with("read"))]
Administrator = Annotated[ServiceKey, Depends(_with("administer"))]
Anybody = Annotated[ServiceKey, Depends(_with(""))]  # with a key


def seen(key: ServiceKey, system: str) -> str:
    """The system that somebody asks about (empty: all): a key of one system is shown no other."""
    if key.system is None:
        return system
    if system not in ("", key.system):
        raise Problem(403, f"this key is for {key.system}, not for {system}")
    return key.system


def seconds(moment: datetime | None) -> float | None:
    """A moment as it is kept."""
    return None if moment is None else moment.timestamp()
