"""Campaigns of human judgement under the address of the service: the annotation app as it is, with its own paths."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import tertium.app
from tertium.app.access import Access
from tertium.app.database import CampaignDatabase
from tertium.app.server import application
from tertium.web.guards import App, Receive, Scope, Send

PATHS = ("/a/", "/work/", "/admin/", "/api/")
STATIC = Path(tertium.app.__file__).parent / "static"


class Beside:
    """Two applications under one address: what the annotation app has goes there, all else to the office."""

    def __init__(self, office: App, campaigns: App, office_files: Path) -> None:
        self.office, self.campaigns = office, campaigns
        shared = {own.name for own in office_files.iterdir()}
        self._files = {f"/static/{own.name}" for own in STATIC.iterdir() if own.name not in shared}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        theirs = scope["type"] == "http" and self.is_theirs(scope["path"])
        await (self.campaigns if theirs else self.office)(scope, receive, send)

    def is_theirs(self, path: str) -> bool:
        """Whether a path is the annotation app's."""
        return f"{path}/".startswith(PATHS) or path in self._files


def prepare_campaigns(where: str) -> None:
    """Open the campaigns once, before several processes do."""
    with closing(CampaignDatabase(where, create=False)) as database:
        Access(database).prepare()


def with_campaigns(office: App, where: str, office_files: Path, *, https: bool) -> App:
    """The office with campaigns beside it."""
    database = CampaignDatabase(where, create=False, migrate=False)
    return Beside(office, application(database, https=https)[0], office_files)
