"""Templates of the dashboard as pages."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment
from starlette.responses import HTMLResponse

from tertium.monitor.history import begin_of
from tertium.service.dashboard import telling
from tertium.service.dashboard.reading import spanned
from tertium.web.rendering import templates_in

FOLDER = Path(__file__).parent


@cache
def templates() -> Environment:
    """The templates, with what they need."""
    made = templates_in(FOLDER / "templates")
    made.filters["spans"] = spanned
    made.filters["likely"] = telling.likely
    made.filters["date"] = lambda moment: begin_of(moment, "day")
    made.filters["number"] = telling.number
    made.filters["signed"] = telling.signed
    made.filters["day"] = telling.day
    made.globals["address"] = lambda path, **given: (
        f"{path}?{urlencode({k: v for k, v in given.items() if v})}"
    )
    return made


def html(template: str, status: int = 200, /, **values: Any) -> HTMLResponse:
    """A page."""
    return HTMLResponse(templates().get_template(template).render(**values), status)
