"""docs/wmt17.md: every cell parses, the published halves are the paper's, and ours come out again on small pairs."""

from __future__ import annotations

import gzip
import re
from dataclasses import replace
from pathlib import Path

import pytest

from tertium.meta import Evaluation, evaluate
from tests.conftest import ROOT
from tools.pages import filled
from tools.wmt17_page import compared, hume_task, macro_grid, our_scores, resolved, wmt17_task
from tools.wmt17_published import HUME_TABLES, MACRO, MACRO_METRICS, TABLES

PAGE = ROOT / "docs" / "wmt17.md"
SMALL = ("cs-en", "ru-en")


def cells_of(name: str) -> dict[tuple[str, str], list[str]]:
    """By row and column, the parts of each cell of a table on the page."""
    page = PAGE.read_text(encoding="utf-8")
    found = re.findall(rf"<!-- {name} -->\n(.*?)<!-- end -->", page, re.DOTALL)
    assert len(found) == 1
    rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in found[0].strip().split("\n")]
    head = rows[0][1:]
    return {
        (row[0], column): [part.strip() for part in cell.strip("*").split("/")]
        for row in rows[2:]
        if row[0] != "n"
        for column, cell in zip(head, row[1:], strict=True)
    }


@pytest.mark.parametrize("name", TABLES)
def test_every_cell_of_the_paper_is_on_the_page(name: str) -> None:
    _, _, digits, published, _ = TABLES[name]
    cells = cells_of(name)
    assert set(cells) == set(published)
    for place, (ours, theirs) in cells.items():
        assert re.fullmatch(rf"[01]\.\d{{{digits}}}", ours), place
        value = published[place]
        assert theirs == ("—" if value is None else f"{value:.{digits}f}"), place


def test_what_is_far_off_is_explained() -> None:
    """Each cell more than 0.005 off, outside hybrids, has a paragraph that begins with its name and its numbers."""
    page = PAGE.read_text(encoding="utf-8")
    for name in ("system-to", "system-out", "segment-to", "segment-out"):
        for (metric, pair), (ours, theirs) in cells_of(name).items():
            if theirs != "—" and abs(float(ours) - float(theirs)) > 0.005 + 1e-9:
                assert f"**{metric}, {pair}: {ours}, printed {theirs}.**" in page


@pytest.mark.parametrize("name", HUME_TABLES)
def test_every_cell_of_hume_is_on_the_page(name: str) -> None:
    _, _, digits, published, _ = HUME_TABLES[name]
    cells = cells_of(name)
    assert set(cells) == set(published)
    for place, (_, ours, theirs) in cells.items():
        assert theirs == f"{published[place]:.{digits}f}"
        if name == "hume-segment":
            assert abs(float(ours) - float(theirs)) < 0.0035, place


def test_hume_comes_out_again(shared: Path) -> None:
    """Texts as uploaded; n is the printed one on German."""
    task = replace(hume_task(shared / "data" / "hume"), levels=("system", "segment"))
    evaluation = evaluate(task)
    assert [own.n for own in evaluation.of("segment")] == [888, 891]
    for name in ("hume-system", "hume-segment"):
        level, _, digits, published, _ = HUME_TABLES[name]
        cells = cells_of(name)
        for metric, pair in published:
            own = evaluation.of(level, pair)[0]
            assert f"{own.shown(own[metric]):.{digits}f}" == cells[metric, pair][0]


def test_entities_are_resolved(tmp_path: Path) -> None:
    (tmp_path / "hume" / "en-cs").mkdir(parents=True)
    text = "&quot; a @-@ b &quot; s &amp; # 160 ; c\n"
    (tmp_path / "hume" / "en-cs" / "ref.cs.gz").write_bytes(gzip.compress(text.encode()))
    made = resolved(tmp_path / "hume", tmp_path / "made")
    assert gzip.decompress((made / "en-cs" / "ref.cs.gz").read_bytes()).decode() == '" a-b " s c\n'


@pytest.fixture(scope="module")
def fresh(shared: Path) -> Evaluation:
    task = wmt17_task(shared / "data" / "wmt17")
    return evaluate(replace(task, pairs=SMALL))


@pytest.mark.parametrize("name", ["system-to", "segment-to", "hybrids-to"])
def test_our_numbers_come_out_again(fresh: Evaluation, name: str) -> None:
    level, _, digits, published, _ = TABLES[name]
    cells = cells_of(name)
    for own in fresh.of(level):
        for metric in dict.fromkeys(metric for metric, _ in published):
            value = own.shown(own[metric])
            assert value is not None
            assert f"{value:.{digits}f}" == cells[metric, own.pair][0], (metric, own.pair)


def test_published_cells_within_reach(fresh: Evaluation) -> None:
    for level in ("system", "segment"):
        published = TABLES[f"{level}-to"][3]
        for own in fresh.of(level):
            for cell in own.cells:
                theirs = published[cell.name, own.pair]
                if theirs is not None:
                    assert own.shown(cell) == pytest.approx(theirs, abs=0.0026), (cell.name, own.pair)


@pytest.mark.parametrize("rounded", [False, True])
def test_kendalls_tau_of_our_own_scores(shared: Path, rounded: bool) -> None:
    """From the texts; rounded as the authors' table is, they are what table 11 of Gowda et al. prints."""
    grid = macro_grid(our_scores(shared, pairs=SMALL, rounded=rounded))
    cells = cells_of("macro")
    for pair in SMALL:
        for metric in MACRO_METRICS:
            cell = grid.cells[(pair,), metric]
            text = ("" if cell.significant() else "×") + f"{cell.value:.3f}"
            assert text == cells[pair, metric][1 if rounded else 0]
            if rounded:
                value, significant = MACRO[pair, metric]
                assert (round(cell.value or 0.0, 3), cell.significant()) == (value, significant)


def test_macro_cells_of_the_page_are_the_papers_but_one() -> None:
    wrong = []
    for (pair, metric), parts in cells_of("macro").items():
        if metric != "n":
            value, significant = MACRO[pair, metric]
            assert parts[2] == ("" if significant else "×") + f"{value:.3f}"
            if parts[1] != parts[2]:
                wrong.append((pair, metric))
    assert wrong == [("en-zh", "MacroF1")]


def test_blocks_are_written_once(fresh: Evaluation) -> None:
    page = "a\n<!-- x -->\nold\n<!-- end -->\nb\n"
    assert filled(page, {"x": "new"}) == "a\n<!-- x -->\nnew\n<!-- end -->\nb\n"
    with pytest.raises(SystemExit, match="has 0 blocks"):
        filled(page, {"y": "new"})
    with pytest.raises(KeyError):
        compared(fresh, "system-to")  # de-en and zh-en were not run
