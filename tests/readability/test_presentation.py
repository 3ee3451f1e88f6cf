"""How pages present their text: what is read of HTML, what is remarked, and that the level does not depend on it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tertium.cli import main
from tertium.io.pages import paragraphs, read_page
from tertium.readability.presentation import PagePresentation, presentation_of
from tertium.readability.results import read_levels
from tertium.readability.scale import usual_scale

TEXT = "The children were playing in the garden. Their mother was looking for the dog."


def presented(folder: Path, html: str) -> PagePresentation:
    path = folder / "a.html"
    path.write_text(html, "utf-8")
    return presentation_of(read_page(str(path)))


def test_blocks_have_kinds(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text(
        "<title>T</title><nav><a>Home</a></nav><h1>One</h1><p>Text<br>goes on<h3>Two</h3>"
        "<ul><li>a<li>b<ol><li>c</ol></ul><table><tr><td>cell</table><pre>x = 1\nlonger = 2</pre>"
        "<style>p { color: red }</style><script>no</script><div>End",
        "utf-8",
    )
    page = read_page(str(path))
    assert [(own.kind, own.text, own.heading) for own in page.blocks] == [
        ("title", "T", 0),
        ("navigation", "Home", 0),
        ("heading", "One", 1),
        ("text", "Text", 0),
        ("text", "goes on", 0),
        ("heading", "Two", 3),
        ("item", "a", 0),
        ("item", "b", 0),
        ("item", "c", 0),
        ("cell", "cell", 0),
        ("code", "x = 1 longer = 2", 0),
        ("text", "End", 0),
    ]
    assert page.blocks[3].element == page.blocks[4].element  # a line break is no paragraph
    assert (page.lists, page.tables, page.styles) == (2, 1, ("p { color: red }",))
    assert page.blocks[10].longest == len("longer = 2")
    assert paragraphs(str(path)) == [own.text for own in page.blocks]


def test_structure_is_counted_and_remarked(tmp_path: Path) -> None:
    long = "<p>" + "word " * 120 + "</p>"
    found = presented(
        tmp_path, f"<h1>A</h1><h3>B</h3>{long * 3}<p>one; two; three; four</p><ul><li>x<li>y</ul>"
    )
    assert found.headings == {"h1": 1, "h3": 1}
    assert (found.section, found.paragraphs, found.longest_paragraph) == (366, 4, 120)
    assert (found.lists, found.items, found.tables) == (1, 2, 0)
    said = "\n".join(found.remarks)
    for part in (
        "366 words with no heading",
        "leave out a level 1 time (h1 to h3)",
        "3 paragraphs have more than 100",
    ):
        assert part in said
    assert "1 paragraph enumerates with semicolons" in said
    assert "no heading at all" in "\n".join(presented(tmp_path, long * 3).remarks)


@pytest.mark.parametrize(
    ("html", "line", "font", "height"),
    [
        ("<style>body { max-width: 60ch }</style><p>a", 60, None, None),
        (
            "<style>body { font-size: 20px } p { max-width: 30em; line-height: 1.4 }</style><p>a",
            60,
            20.0,
            1.4,
        ),
        ("<body style='width: 960px; font-size: 75%'><p>a", 160, 12.0, None),
        (
            "<style>@media print { p { max-width: 10ch } } /* p { width: 5ch } */</style><p>a",
            None,
            None,
            None,
        ),
        ("<style>.aside, div p { max-width: 10ch }</style><p>a", None, None, None),
        ("<style>p { max-width: 50%; line-height: 150%; font-size: 12pt }</style><p>a", None, 16.0, 1.5),
        ("<p style='line-height: 24px; width: nonsense'>a", None, None, 1.5),
    ],
)
def test_styles(
    html: str, line: int | None, font: float | None, height: float | None, tmp_path: Path
) -> None:
    found = presented(tmp_path, html)
    assert (found.line, found.font, found.line_height) == (line, font, height)


def test_remarks_on_lines(tmp_path: Path) -> None:
    html = "<body style='width: 960px; font-size: 12px; line-height: 1.2; text-align: justify'><p>a"
    said = "\n".join(presented(tmp_path, html).remarks)
    for part in ("about 160 characters", "1.2 high", "justified", "12 pixels"):
        assert part in said
    assert "no width is set" in "\n".join(presented(tmp_path, "<p>a").remarks)
    linked = "<link rel='stylesheet' href='s.css'><p>a"
    assert "not beside it" in "\n".join(presented(tmp_path, linked).remarks)
    (tmp_path / "s.css").write_text("p { max-width: 70ch; line-height: 1.6 }")
    assert presented(tmp_path, linked).line == 70
    assert presented(tmp_path, linked).remarks == []
    assert presented(tmp_path, "").paragraphs == 0


def test_the_level_does_not_depend_on_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, other, plain = tmp_path / "a.html", tmp_path / "b.html", tmp_path / "c.txt"
    one.write_text(f"<p>{TEXT}</p>", "utf-8")
    other.write_text(f"<style>p {{ width: 900ch }}</style><ul><li>{TEXT}</ul>", "utf-8")
    plain.write_text(TEXT, "utf-8")
    found = read_levels([str(one), str(other), str(plain)], "en", usual_scale())
    assert len({own.level for own in found.texts}) == 1
    assert [own.presentation is None for own in found.texts] == [False, False, True]
    page = tmp_path / "page.html"
    assert main(["readability", str(other), "-f", "json", "--html", str(page)]) == 0
    assert json.loads(capsys.readouterr().out)["texts"][0]["presentation"]["line"] == 900
    assert 'id="presentation"' in page.read_text("utf-8")
    assert main(["readability", str(other)]) == 0
    out = capsys.readouterr().out
    assert "apart from the text" in out
    assert max(map(len, out.splitlines())) <= 80
