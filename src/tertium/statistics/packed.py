"""Rows of any kind in few bytes, as files of rows have them, and what must be known to read them."""

from __future__ import annotations

import zlib
from typing import Any

from tertium.statistics.base import Statistics
from tertium.statistics.dense import DenseStatistics
from tertium.statistics.packing import pack


def packed(rows: Statistics) -> bytes:
    """A block of rows."""
    return pack(rows.array) if isinstance(rows, DenseStatistics) else zlib.compress(rows.to_bytes(), 6)


def kind_of(rows: Statistics) -> dict[str, Any]:
    """What a file says of such rows: their kind, and the columns of dense ones."""
    columns = [[own.name, own.real] for own in rows.columns] if isinstance(rows, DenseStatistics) else None
    return {"kind": rows.kind, "columns": columns}
