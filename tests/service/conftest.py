"""A service with a history, and people who look at it in a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from tertium.monitor.database import ServiceDatabase
from tertium.service.application import application
from tertium.service.office import Office
from tertium.web.guards import Limiter
from tests.late import held_back
from tests.service.made import fill
from tests.service.site import Site, running
from tests.serving import served


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A service with keys `writer` (of nmt), `reader`, `both` (of other) and `administrator`."""
    site = Site(tmp_path_factory.mktemp("office"))
    with running(site):
        yield site
    site.close()


@dataclass
class Watched:
    """A running service: its database, its address, a key that reads."""

    database: ServiceDatabase
    url: str
    key: str
    office: Office


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """Two systems in three domains; nmt-7 became worse in legal."""
    database = ServiceDatabase(tmp_path_factory.mktemp("watched") / "service.db")
    key = fill(database)
    app, office = application(database)
    with served(app) as url:
        yield Watched(database, url, key, office)
    database.close()


LookIn = Callable[..., Any]


@pytest.fixture
def look_in(chromium: Any, watched: Watched) -> Iterator[LookIn]:
    """look_in(): a page of somebody who has signed in. Nothing may go wrong in it, nothing be asked of elsewhere."""
    contexts: list[Any] = []
    troubles: list[str] = []

    def open_page(path: str = "/", *, signed_in: bool = True, **options: Any) -> Any:
        view = options.pop("viewport", {"width": 1400, "height": 900})
        context = chromium.new_context(viewport=view, reduced_motion="reduce", **options)
        contexts.append(held_back(context))
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("console", lambda message: troubles.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
        page.on(
            "request",
            lambda asked: None if asked.url.startswith(watched.url) else troubles.append(f"asks {asked.url}"),
        )
        page.troubles = troubles
        page.goto(watched.url + path)
        if signed_in:
            watched.office.limiter = Limiter()  # many sign in here from one address
            page.wait_for_function(
                "document.activeElement.id === 'key'"
            )  # else the browser says it came too late
            page.fill("#key", watched.key)
            page.keyboard.press("Enter")
            page.wait_for_url(watched.url + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert troubles == []
