"""Tables on terminals of 60, 80 and 120 columns, as they look, and what holds at every width."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from tertium.io.tables import Column, Table, number_column
from tertium.io.terminal import cut, shared

SNAPSHOTS = Path(__file__).parent / "snapshots"  # `python -m tests.io.test_terminal` writes them anew
FOLDER, ENDING = "wmt17/de-en/newstest2017.", ".4722.de-en"
NAMES = ["uedin-nmt", "online-A", "a-system-whose-authors-had-much-to-say-about-it"]


def pairs(names: list[str]) -> Table:
    """As a comparison shows them."""
    columns = (
        Column("first"),
        Column("second"),
        number_column("difference"),
        *(number_column(label, digits=4) for label in ("p", "Holm", "BH")),
        Column("better"),
        number_column("detectable"),
        Column("said", whole=True),
        Column("remark"),
    )
    remark = "the difference is smaller than what this test set can show with any certainty"
    rows = tuple(
        (a, b, 10 / 7 * i, 0.0001 * i, 0.0123, None, f"({b}?)", 123456.789, f"{i}.5 (p = 0.0{i}12)*", remark)
        for i, (a, b) in enumerate(pairwise(names), 1)
    )
    title = f"Pairs: {names[0]} or {names[1]}"
    return Table(title, columns, rows, (f"against {names[0]}", "BLEU: nrefs:1|tok:13a"), frozenset({(0, 2)}))


LONG = pairs([FOLDER + name + ENDING for name in NAMES])


def seen(table: Table, width: int) -> str:
    lines = re.sub(r"\x1b\[[0-9;]*m", "", table.text(terminal=True, width=width)).split("\n")
    return "\n".join(line.rstrip() for line in lines) + "\n"


@pytest.mark.parametrize("width", [60, 80, 120])
def test_snapshots(width: int) -> None:
    assert seen(LONG, width) == (SNAPSHOTS / f"{width}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("width", [*range(44, 140, 7), 400])
def test_no_number_is_cut_and_no_line_too_long(width: int) -> None:
    text = seen(LONG, width)
    for row in LONG.rows:
        for column, value in zip(LONG.columns, row, strict=True):
            if column.align == "right" or column.whole:
                assert re.search(rf"(?<!\S){re.escape(column.written(value))}\*?(?!\S)", text), (
                    column.label,
                    width,
                )
    boxes = [line for line in text.split("\n") if line[:1] in "╭│├╰"]
    assert max(map(len, boxes)) <= width
    assert "uedin-nmt" in text
    assert "BLEU: nrefs:1|tok:13a" in text


def test_in_plain_columns_names_lose_only_what_they_share() -> None:
    text = LONG.text(terminal=False, width=40)
    assert text.count(NAMES[2]) == 2
    assert f"names: all are {FOLDER}…{ENDING}" in text
    assert text.count("…") == 1
    narrow = Table("", (Column("system"),), (("data/a.txt",), ("data/b.txt",)))
    assert "data/a.txt" in narrow.text(terminal=False)


def test_a_table_that_fits_stays_as_it_is() -> None:
    small = Table("", (Column("system"), Column("n", align="right")), (("data/a.txt", 1), ("data/b.txt", 2)))
    assert "data/a.txt" in seen(small, 40)
    assert "data/a.txt" not in seen(small, 14)


def test_every_block_says_whose_numbers_these_are() -> None:
    """Also where a name has a space: "Baseline: A"."""
    scores = [f"{label} (μ ± 95% CI), however long that is" for label in ("BLEU", "chrF", "TER")]
    columns = (Column("System"), *(Column(label, whole=True) for label in scores))
    table = Table("", columns, (("Baseline: A", "1", "2", "3"), ("B", "4", "5", "6")))
    assert seen(table, 60).count("Baseline: A") == 3


def test_what_names_share() -> None:
    assert shared([FOLDER + name + ENDING for name in NAMES[:2]]) == (FOLDER, ENDING)
    assert shared(["out/run-1", "out/run-2"]) == ("out/run-", "")
    assert shared(["a", "a"]) == shared(["a"]) == shared([]) == ("", "")
    assert shared(["a.b", "a"]) == ("", "")  # something of every name stays
    assert shared(["newstest", "newsdev"]) == ("", "")  # no words are broken


def test_the_middle_is_cut() -> None:
    assert cut("abc", 3) == "abc"
    assert cut("newstest2017.uedin-nmt", 12) == "newste…n-nmt"
    assert cut("中文系统的名字", 9) == "中文…名字"


if __name__ == "__main__":
    for width in (60, 80, 120):
        (SNAPSHOTS / f"{width}.txt").write_text(seen(LONG, width), encoding="utf-8")
