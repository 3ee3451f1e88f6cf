"""The database of campaigns."""

from __future__ import annotations

from pathlib import Path

from tertium.web.database import Database


class CampaignDatabase(Database):
    """Campaigns, annotators and their judgements.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     database = CampaignDatabase(f"{folder}/campaigns.db")
    ...     with database.reading() as connection:
    ...         print(connection.exec_driver_sql("PRAGMA journal_mode").scalar())
    ...     database.close()
    wal
    """

    migrations = Path(__file__).parent / "migrations"
    made_by = "tertium annotate create"
