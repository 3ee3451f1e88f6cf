"""Fixtures of the service."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.service.site import Site, running


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A service with keys `writer` (of nmt), `reader`, `both` (of other) and `administrator`."""
    site = Site(tmp_path_factory.mktemp("office"))
    with running(site):
        yield site
    site.database.close()
