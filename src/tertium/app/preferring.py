"""The language of pages: the one that the browser prefers, of those that come with Tertium."""

from __future__ import annotations

from contextvars import ContextVar

from tertium.human.campaigns.language import BUNDLED, ENGLISH, Interface
from tertium.web.guards import App, Receive, Scope, Send

PREFERRED: ContextVar[Interface] = ContextVar("PREFERRED", default=ENGLISH)


def preferred(header: str) -> Interface:
    """The first language of the header Accept-Language that comes with Tertium; English if there is none.

    >>> preferred("br, fr-CA;q=0.9, en;q=0.8").code
    'fr'
    """
    codes = (part.partition(";")[0].strip().partition("-")[0].lower() for part in header.split(",")[:20])
    return next((BUNDLED[code]() for code in codes if code in BUNDLED), ENGLISH)


class InTheirLanguage:
    """Notes what the browser prefers before anything is answered."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            header = dict(scope["headers"]).get(b"accept-language", b"")
            PREFERRED.set(preferred(header.decode("latin-1")))
        await self.app(scope, receive, send)
