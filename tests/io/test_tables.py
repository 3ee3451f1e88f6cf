"""One table in all its forms, and nothing in a cell breaks any of them."""

from __future__ import annotations

import io
import json
import re
import sys
from html.parser import HTMLParser

import pytest

import tertium as tt
from tertium.io import escaping
from tertium.io.tables import Column, Table, number_column

NASTY = 'a|b_c *d* <b>&amp;</b> {x}$%#~^\\ "q"\ttab\nline\x1b[31m [link](u)'


@pytest.fixture
def table() -> Table:
    return Table(
        title="Scores",
        columns=(
            Column("system"),
            number_column("BLEU ↑", "BLEU"),
            number_column("TER ↓", "TER", 1),
            Column("n", align="right"),
        ),
        rows=(("first", 30.126, 50.04, 7), ("second_one", 4.5, None, 12), ("中文", float("nan"), 49.96, 0)),
        notes=("BLEU: nrefs:1|tok:13a", "50% & more"),
        best=frozenset({(0, 1), (2, 2)}),
    )


def nasty(cell: str = NASTY) -> Table:
    return Table(cell, (Column(cell),), ((cell,),), (cell,), frozenset({(0, 0)}))


def test_plain_text(table: Table) -> None:
    assert table.text(terminal=False).split("\n") == [
        "Scores",
        "",
        "system         BLEU ↑       TER ↓    n",
        "----------  ----------  ----------  --",
        "first           30.13*       50.0    7",
        "second_one       4.50   undefined   12",
        "中文        undefined        50.0*   0",
        "",
        "* best",
        "BLEU: nrefs:1|tok:13a",
        "50% & more",
    ]
    assert {escaping.display_width(line) for line in table.text(terminal=False).split("\n")[3:7]} == {38}


def test_text_has_colours_on_a_terminal_only(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.delenv("COLUMNS", raising=False)
    plain = table.text()
    assert str(table) == plain
    assert plain.split("\n") == [
        "Scores",
        "╭────────────┬────────────┬────────────┬────╮",
        "│ system     │    BLEU ↑  │     TER ↓  │  n │",
        "├────────────┼────────────┼────────────┼────┤",
        "│ first      │     30.13* │      50.0  │  7 │",
        "│ second_one │      4.50  │ undefined  │ 12 │",
        "│ 中文       │ undefined  │      50.0* │  0 │",
        "╰────────────┴────────────┴────────────┴────╯",
        "* best",
        "BLEU: nrefs:1|tok:13a",
        "50% & more",
    ]
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    shown = table.text()
    assert "\x1b[1;32m    30.13*" not in shown  # padding has no colour
    assert "\x1b[1;32m30.13*\x1b[0m" in shown
    assert re.sub(r"\x1b\[[0-9;]*m", "", shown) == plain
    monkeypatch.setenv("TERM", "dumb")
    assert table.text() == plain
    monkeypatch.setattr(sys, "stdout", None)
    assert table.text() == plain


def test_boxes_that_cannot_be_written_are_of_ascii(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    boxes = table.text(width=60)
    for encoding in ("ascii", "cp1252"):
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding=encoding))
        found = table.text(width=60)
        assert found.split("\n")[1] == "+------------+------------+------------+----+"
        assert found.translate(str.maketrans("+|-", "   ")) == boxes.translate(
            str.maketrans("╭╮╰╯├┤┬┴┼│─|-", " " * 13)
        )
    long = Table("", (Column("system"), Column("n")), (("x" * 40, 1), ("y" * 40, 2)))
    assert "~" in long.text(width=30)


def test_a_single_column_that_is_too_wide() -> None:
    table = Table("", (Column("number", whole=True),), (("1" * 50,),), ("note",))
    assert "1" * 50 in table.text(width=30)
    assert table.text(width=30).endswith("note")


def test_text_on_a_terminal(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    text = table.text(terminal=True, width=60)
    assert "╭" in text
    assert "BLEU ↑" in text
    assert "undefined" in text
    assert "nrefs:1|tok:13a" in text
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "xterm-256color")
    assert "\x1b[1;32m" in table.text(terminal=True, width=60)


def test_a_signature_is_never_wrapped() -> None:
    note = "BLEU: " + "|".join(f"key{i}:value" for i in range(40))
    table = Table("", (Column("x"),), (("y",),), (note,))
    assert note in table.text(terminal=True, width=40)


def test_markdown(table: Table) -> None:
    assert table.markdown() == (
        "**Scores**\n\n"
        "| system | BLEU ↑ | TER ↓ | n |\n"
        "| :--- | ---: | ---: | ---: |\n"
        "| first | **30.13** | 50.0 | 7 |\n"
        "| second_one | 4.50 | undefined | 12 |\n"
        "| 中文 | undefined | **50.0** | 0 |\n\n"
        "- BLEU: nrefs:1|tok:13a\n"
        "- 50% \\& more\n"
    )


def test_latex(table: Table) -> None:
    assert table.latex() == (
        "% Scores\n"
        "% needs \\usepackage{booktabs}\n"
        "\\begin{tabular}{lrrr}\n"
        "\\toprule\n"
        "system & BLEU $\\uparrow$ & TER $\\downarrow$ & n \\\\\n"
        "\\midrule\n"
        "first & \\textbf{30.13} & 50.0 & 7 \\\\\n"
        "second\\_one & 4.50 & undefined & 12 \\\\\n"
        "中文 & undefined & \\textbf{50.0} & 0 \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
        "% BLEU: nrefs:1|tok:13a\n"
        "% 50% & more\n"
    )


def test_tsv(table: Table) -> None:
    rows = [line.split("\t") for line in table.tsv().splitlines()]
    assert rows[0] == ["system", "BLEU", "TER", "n"]
    assert rows[1] == ["first", "30.126", "50.04", "7"]
    assert rows[2] == ["second_one", "4.5", "undefined", "12"]
    assert rows[3] == ["中文", "undefined", "49.96", "0"]


def test_json(table: Table) -> None:
    assert json.loads(table.json()) == [
        {"system": "first", "BLEU": 30.126, "TER": 50.04, "n": 7},
        {"system": "second_one", "BLEU": 4.5, "TER": None, "n": 12},
        {"system": "中文", "BLEU": None, "TER": 49.96, "n": 0},
    ]


class Tags(HTMLParser):
    """The tags and the text of a page, and whether every tag is closed in its turn."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_html(table: Table) -> None:
    page = Tags(table.html())
    assert page.open == []
    assert page.tags.count("tr") == 5
    assert page.tags.count("td") == 13
    assert page.tags.count("b") == 2
    assert "undefined" in page.text
    assert table._repr_html_() == table.html()
    assert "#" not in table.html()  # no colours of our own: readable on light and on dark


def test_long_tables_are_cut_in_html() -> None:
    table = Table("", (Column("x"),), tuple((f"row {i}",) for i in range(500)))
    assert "300 more rows are not shown" in table.html()
    assert "row 199<" in table.html()
    assert "row 200<" not in table.html()
    assert "row 499<" in table.html(limit=None)


def test_nothing_in_a_cell_breaks_a_table() -> None:
    table = nasty()
    page = Tags(table.html())
    assert page.open == []
    assert page.text.startswith('a|b_c *d* <b>&amp;</b> {x}$%#~^\\ "q" tab line\\x1b[31m [link](u)')
    _, _, header, rule, row, *_ = table.markdown().split("\n")
    assert header.startswith("| a\\|b_c \\*d\\* \\<b\\>\\&amp;")
    assert rule == "| :--- |"
    assert "\x1b" not in row
    assert "\\[link\\](u)" in row
    assert len(table.tsv().splitlines()) == 2
    assert table.tsv().count("\t") == 0
    assert json.loads(table.json()) == [{NASTY: NASTY}]
    latex = table.latex().split("\n")
    assert len(latex) == 11
    assert r"\{x\}\$\%\#\textasciitilde{}\textasciicircum{}\textbackslash{} \textquotedbl{}q" in latex[6]
    for text in (table.text(terminal=False), table.text(terminal=True, width=200)):
        assert "\x1b[31m" not in text
        assert "a|b_c *d* <b>&amp;</b>" in text
        assert "[link](u)" in text


def test_rows_fit_their_columns() -> None:
    with pytest.raises(ValueError, match="a row has 2 values for 1 columns"):
        Table("", (Column("x"),), (("a", "b"),))


# Scores.

SYSTEMS = {"A": ["the cat sat on the mat", "yes"], "B": ["the cat sat on a mat", ""]}
REFERENCE = ["the cat sat on a mat", "yes"]


def test_scores_of_systems() -> None:
    table = tt.score(SYSTEMS, REFERENCE, ["bleu", "chrf++", "ter"]).table()
    assert [column.label for column in table.columns] == ["system", "BLEU ↑", "chrF2++ ↑", "TER ↓"]
    assert [column.name for column in table.columns] == ["system", "BLEU", "chrF2++", "TER"]
    assert [row[0] for row in table.rows] == ["A", "B"]
    assert all(
        f"{label}: nrefs:1|" in note
        for label, note in zip(("BLEU", "chrF2++", "TER"), table.notes, strict=True)
    )
    for column, better in ((1, max), (2, max), (3, min)):
        values = [float(row[column] or 0) for row in table.rows]
        assert [(r, column) in table.best for r in (0, 1)] == [value == better(values) for value in values]


def test_decimals() -> None:
    scores = tt.score(SYSTEMS, REFERENCE, "bleu")
    assert f"{scores['A', 'bleu'].value:.4f}" in scores.table(4).text()
    assert f"{scores['A', 'bleu'].value:.2f}" in str(scores)


def test_what_reads_the_same_is_equally_good() -> None:
    one = tt.score(["the cat sat on the mat"], REFERENCE[:1], "bleu")
    assert one.table().best == frozenset()
    same = tt.score({"A": ["x y z"], "B": ["x y z"]}, ["x y z w"], "chrf")
    assert same.table().best == {(0, 1), (1, 1)}


def test_variants_of_a_metric_are_told_apart() -> None:
    table = tt.score(SYSTEMS, REFERENCE, ["bleu", "bleu:tok=char"]).table()
    assert [column.name for column in table.columns] == ["system", "BLEU (bleu)", "BLEU (bleu:tok=char)"]


def test_undefined_scores_have_a_reason() -> None:
    with pytest.warns(tt.TertiumWarning, match="all hypotheses are empty"):
        table = tt.score([""], [""], ["macrof1"]).table()
    assert table.rows == (("system", None),)
    assert "undefined" in table.text(terminal=False)
    assert "nan" not in table.text(terminal=False)
    assert (
        table.notes[-1]
        == "MacroF1 is undefined where there is no type at all: hypotheses and references are empty"
    )


def test_scores_of_segments_and_documents() -> None:
    segments = tt.score(SYSTEMS, REFERENCE, ["bleu", "ter"], level="segment").table()
    assert [column.label for column in segments.columns] == ["system", "segment", "BLEU ↑", "TER ↓"]
    assert [row[:2] for row in segments.rows] == [("A", "1"), ("A", "2"), ("B", "1"), ("B", "2")]
    assert segments.best == {(1, 2), (1, 3), (2, 2), (2, 3)}  # the better system of each segment
    documents = tt.score(SYSTEMS, REFERENCE, ["bleu"], level="document", documents=["x", "y"]).table()
    assert [row[:2] for row in documents.rows] == [("A", "x"), ("A", "y"), ("B", "x"), ("B", "y")]
    assert documents.columns[1].label == "document"


def test_scores_show_themselves() -> None:
    scores = tt.score(SYSTEMS, REFERENCE, ["bleu"])
    assert scores.lines().startswith("system  BLEU ↑\n")
    assert Tags(scores._repr_html_()).open == []


def test_a_table_needs_no_package() -> None:
    import subprocess

    program = (
        "import sys; from tertium.io.tables import Table, Column\n"
        "print(Table('t', (Column('a'),), (('b',),)).text())\n"
        "assert not {'rich', 'numpy', 'json', 'html'} & set(sys.modules), sorted(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
