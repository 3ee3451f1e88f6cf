"""A real server and a real browser. No test may leave an error in the browser's console or a request to elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tertium.app.access import Access
from tertium.app.campaigns import annotators_of
from tertium.app.database import CampaignDatabase
from tests.app.made import database_at, make
from tests.late import held_back
from tests.serving import served

PASSWORD = "a long password"


@dataclass
class Site:
    """A running server: its database, its address, and the links of its annotators."""

    database: CampaignDatabase
    url: str
    access: Access
    house: Any

    def campaign(self, design: str, **more: Any) -> int:
        return make(self.database, design, **more)

    def link(self, campaign: int, name: str) -> str:
        row = next(row for row in annotators_of(self.database, campaign) if row.name == name)
        return f"{self.url}/a/{self.access.link(row.id, row.link_version)}"


@contextmanager
def running(database: CampaignDatabase, **options: Any) -> Iterator[Site]:
    """The app behind a real server, in a thread of this process."""
    from tertium.app.server import application

    app, house = application(database, **options)
    with served(app) as url:
        yield Site(database, url, house.access, house)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server with an administrator and no campaign yet."""
    database = database_at(tmp_path_factory.mktemp("site"))
    Access(database).set_password(PASSWORD)
    with running(database) as found:
        yield found
    database.close()


Person = Callable[..., Any]


@pytest.fixture
def person(chromium: Any, site: Site) -> Iterator[Person]:
    """person(): a page in a browser of its own."""
    contexts: list[Any] = []
    troubles: list[str] = []

    def open_page(**options: Any) -> Any:
        context = chromium.new_context(
            viewport=options.pop("viewport", {"width": 1200, "height": 850}),
            reduced_motion="reduce",
            **options,
        )
        contexts.append(held_back(context))
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("console", lambda message: troubles.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
        page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith((site.url, "data:"))
                else troubles.append(f"request to {request.url}")
            ),
        )
        page.troubles = troubles
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert troubles == []


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path
