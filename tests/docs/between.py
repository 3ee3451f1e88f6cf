"""What people and systems do between a page's commands: `... people fill in sheets/ann.xlsx ...`."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

from tests.conftest import SAMPLE


def between(line: str) -> None:
    """Do it; what nobody knows how to do is an error."""
    for pattern, do in DEEDS.items():
        if re.search(pattern, line):
            do()
            return
    raise AssertionError(f"who does that? {line} (tests/docs/between.py)")


def fill_in() -> None:
    """An answer to every question of the sheets that are here, in the column that people write in."""
    import openpyxl

    sheets = [path for path in Path().rglob("*.xlsx") if "filled" not in path.name]
    assert sheets
    for path in sheets:
        book = openpyxl.load_workbook(path, rich_text=True)
        page = book["Judgements"]
        answers = {str(cell.value).lower(): cell.column for cell in page[1] if cell.value}
        column = answers["answer"]
        for row in range(2, page.max_row + 1):
            page.cell(row, column).value = ("yes", "no")[(row + len(path.stem)) % 3 == 0]
        book.save(path)


def translate() -> None:
    """Outputs for noisy sources: as long as the sources."""
    for name, own in (("a", "system-literal.en"), ("b", "system-smooth.en")):
        shutil.copy(SAMPLE / own, f"{name}.keyboard.en")


DEEDS: dict[str, Callable[[], None]] = {r"fill in|fills in": fill_in, r"systems translate": translate}
