"""How the commands of `tertium meta` print tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertium.cli.options import TABLE_FORMATS

if TYPE_CHECKING:
    from tertium.io.tables import Table

FORMATS = (*TABLE_FORMATS, "html")


def shown_table(table: Table, form: str) -> str:
    """A table as text for a terminal, or in one of the other forms."""
    if form == "table":
        return str(table.text())
    return str(getattr(table, form)()).rstrip("\n")
