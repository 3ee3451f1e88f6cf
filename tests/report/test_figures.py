"""Figures: well-formed, the same every time, readable without colour, true to their numbers."""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import pytest

import tertium as tt
from tertium.meta.correlations import everywhere
from tertium.report.figures import Figure, box_plots, quartiles, significance_matrix, speed_scatter
from tertium.report.metafigures import all_figures, write_figures
from tests.report.metaexample import made_evaluation

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def figures() -> list[Figure]:
    return list(all_figures(made_evaluation()))


def test_all_kinds_are_there(figures: list[Figure]) -> None:
    names = [figure.name for figure in figures]
    assert len(set(names)) == len(names)
    assert {"wins-system-cs-en", "wins-segment-en-zh", "pairs-system", "pairs-segment"} <= set(names)
    assert {"speed-system", "speed-segment"} <= set(names)


def test_they_are_xml_with_words_and_without_style(figures: list[Figure]) -> None:
    for figure in figures:
        root = ElementTree.fromstring(figure.svg)
        assert root.tag == f"{SVG}svg"
        assert (root.findtext(f"{SVG}title") or "").strip()
        assert (root.findtext(f"{SVG}desc") or "").strip()
        assert "style=" not in figure.svg
        assert root.attrib["role"] == "img"
        texts = root.findall(f".//{SVG}text")
        assert texts
        assert {text.attrib["fill"] for text in texts} == {"currentColor"}


def test_they_are_the_same_every_time(figures: list[Figure]) -> None:
    assert [figure.svg for figure in all_figures(made_evaluation())] == [figure.svg for figure in figures]


def test_a_matrix_says_who_beats_whom(figures: list[Figure]) -> None:
    own = next(judged for judged in made_evaluation().of("segment", "de-en"))
    figure = next(figure for figure in figures if figure.name == "wins-segment-de-en")
    assert own.wins is not None
    said = set(re.findall(r"<title>(.*?) is significantly better than (.*?)</title>", figure.svg))
    expected = {
        (own.names[i].replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"), own.names[j])
        for i in range(len(own.names))
        for j in range(len(own.names))
        if own.wins[i, j] and not own.names[j].startswith("<")
    }
    assert expected
    assert expected <= said
    assert len(said) == int(own.wins.sum())
    root = ElementTree.fromstring(figure.svg)
    marks = [group for group in root.findall(f"{SVG}g") if group.find(f"{SVG}path") is not None]
    assert len(marks) == len(said)  # a tick in every green cell
    assert [row[4] for row in figure.rows].count("yes") == len(said)


def test_boxes_have_the_quartiles_of_the_numbers() -> None:
    values = [0.1, 0.4, 0.45, 0.5, 0.52, 0.61]
    low, first, middle, third, high = quartiles(values)
    import numpy as np

    assert (first, middle, third) == pytest.approx(tuple(np.quantile(values, [0.25, 0.5, 0.75])))
    assert (low, high) == (0.4, 0.61)  # 0.1 is more than 1.5 boxes away
    svg = box_plots("t", {"m": {str(i): v for i, v in enumerate(values)}}, "|r|")
    assert svg.count("<circle") == len(values)
    assert svg.count('fill="none" stroke="currentColor" opacity') == 1


def test_metrics_that_left_out_a_pair_are_not_boxed() -> None:
    evaluation = made_evaluation()
    first, *others = evaluation.of("system")
    from dataclasses import replace

    shorter = replace(first, cells=first.cells[1:], wins=None)
    assert "chrF" not in everywhere([shorter, *others])
    assert "BLEU" in everywhere([shorter, *others])


def test_points_stand_where_they_belong() -> None:
    svg = speed_scatter("t", {"slow": (100.0, 0.9), "fast": (1.0, 0.8)}, "r")
    root = ElementTree.fromstring(svg)
    dots = {
        (group.findtext(f"{SVG}title") or "").split(":")[0]: group.find(f"{SVG}circle")
        for group in root.findall(f"{SVG}g")
    }
    assert dots["slow"] is not None
    assert dots["fast"] is not None
    assert float(dots["slow"].attrib["cx"]) > float(dots["fast"].attrib["cx"])
    assert float(dots["slow"].attrib["cy"]) < float(dots["fast"].attrib["cy"])
    one = speed_scatter("t", {"only": (1.0, 0.5)}, "r")
    ElementTree.fromstring(one)


def test_whatever_a_name_holds_stays_text() -> None:
    nasty = '<script>alert("1")</script>\x00\ud800'
    svg = significance_matrix(nasty, [nasty, "b"], [[False, True], [False, False]])
    assert "<script" not in svg
    ElementTree.fromstring(svg)


def test_files(tmp_path: Path) -> None:
    evaluation = made_evaluation()
    paths = write_figures(tmp_path / "new" / "figures", evaluation, png=True)
    assert len(paths) == 2 * len(list(all_figures(evaluation)))
    for path in paths:
        data = path.read_bytes()
        assert data.startswith(b"<svg" if path.suffix == ".svg" else b"\x89PNG\r\n")


def test_a_missing_extra_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(tt.TertiumError, match=r"figures as PNG needs an extra: pip install 'tertium\[png\]'"):
        write_figures(tmp_path / "figures", made_evaluation(), png=True)
    assert not (tmp_path / "figures").exists()
    assert write_figures(tmp_path / "figures", made_evaluation())


def test_the_numbers_of_a_figure_are_all_there(figures: list[Figure]) -> None:
    import csv
    import io

    figure = next(figure for figure in figures if figure.name == "pairs-system")
    rows = list(csv.DictReader(io.StringIO(figure.csv())))
    values = everywhere(made_evaluation().of("system"))
    assert {(row["metric"], row["pair"]): float(row["|r|"]) for row in rows} == {
        (name, pair): value for name, own in values.items() for pair, value in own.items()
    }
    odd = replace(figure, rows=(("=1+1", -0.5),))
    assert odd.csv().splitlines()[1] == "'=1+1,-0.5"
