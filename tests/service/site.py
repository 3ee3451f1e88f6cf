"""A running service for tests, by a real HTTP client."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2

from tertium.monitor.database import ServiceDatabase
from tertium.monitor.keys import ServiceKeys
from tertium.service.application import application
from tertium.service.office import ServiceSettings
from tertium.testset import TestSet
from tests.serving import served

SAMPLE = TestSet.sample()


def segments(system: str = "strong", most: int = 20) -> list[dict[str, Any]]:
    sides = zip(SAMPLE.systems[system], *SAMPLE.references.streams, strict=True)
    return [{"mt": mt, "references": references} for mt, *references in list(sides)[:most]]


class Site:
    """A running service and its keys."""

    def __init__(self, folder: Path) -> None:
        self.database = ServiceDatabase(folder / "service.db")
        keys = ServiceKeys(self.database)
        self.keys = {
            "writer": keys.create("writer", ["write"], "nmt"),
            "reader": keys.create("reader", ["read"]),
            "both": keys.create("both", ["write", "read"], "other"),
            "administrator": keys.create("administrator", ["administer"]),
        }
        self.url = ""
        self._client = httpx2.Client(timeout=60)

    def close(self) -> None:
        self._client.close()
        self.database.close()

    def call(self, method: str, path: str, key: str = "administrator", **how: Any) -> httpx2.Response:
        headers = {"authorization": f"Bearer {self.keys.get(key, key)}", **how.pop("headers", {})}
        return self._client.request(method, f"{self.url}{path}", headers=headers, **how)

    def send(self, key: str = "writer", headers: Any = (), **body: Any) -> httpx2.Response:
        given = {"system": "nmt", "document": f"d{time.monotonic_ns()}", "segments": segments(), **body}
        return self.call("POST", "/v1/evaluations", key, json=given, headers=dict(headers))


@contextmanager
def running(site: Site, settings: ServiceSettings | None = None) -> Iterator[Site]:
    """The service of a site, while this lasts."""
    with served(application(site.database, settings)[0]) as site.url:
        yield site
