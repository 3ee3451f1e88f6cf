"""The database of the service: what was evaluated, by whom, and what came of it."""

from __future__ import annotations

from pathlib import Path

from tertium.web.database import Database


class ServiceDatabase(Database):
    """ServiceKeys, evaluations and their rows. It may be the very PostgreSQL database that campaigns are in.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     ServiceDatabase(f"{folder}/service.db").close()
    """

    migrations = Path(__file__).parent / "migrations"
    versions = "service_versions"
    lock = 7312
    made_by = "tertium monitor init"
