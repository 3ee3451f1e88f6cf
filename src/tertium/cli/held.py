"""Output that is shown only after the last line of input was read: bad input never gives a number."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterable

_IN_MEMORY = 16 << 20  # bytes of output kept in memory before they go to a temporary file


def print_when_complete(lines: Iterable[str]) -> None:
    """Print lines when the last of them was made."""
    with tempfile.SpooledTemporaryFile(
        _IN_MEMORY, "w+", encoding="utf-8", errors="surrogateescape", newline="\n"
    ) as held:
        for line in lines:
            held.write(line + "\n")
        held.seek(0)
        while block := held.read(1 << 20):
            sys.stdout.write(block)
