"""Systems of a dataset compared: a cluster makes rows, which come home; texts stay where they are."""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING, Any

from tertium.clusters.rows import write_rows
from tertium.comparison.wordless import RowsComparison, compare_rows
from tertium.rowfiles.files import RowsFile
from tertium.rowfiles.reading import read_rows

if TYPE_CHECKING:
    from tertium.clusters.scoring import PlannedFrame


def compare_frame(planned: PlannedFrame, **how: Any) -> RowsComparison:
    """As `tertium.comparison.wordless.compare_rows` does."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "all.rows")
        write_rows(planned, path)
        return compare_file(path, **how)


def compare_file(path: str, **how: Any) -> RowsComparison:
    """The systems of a file of rows; where documents are known, they are what is drawn."""
    listed = RowsFile.open(path).documents()
    named = None if listed is None else [name for name, n in listed for _ in range(n)]
    return compare_rows(read_rows(path), documents=named, **how)
