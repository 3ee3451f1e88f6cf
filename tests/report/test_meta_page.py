"""The page of a task: right as text, and in a real browser, light and dark, with and without scripts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tertium.meta.evaluation import Evaluation
from tertium.report.assembly import html_text
from tertium.report.meta import render_meta, write_meta_report
from tests.app.test_axe import faults
from tests.report.conftest import cut_off, watched_page
from tests.report.metaexample import made_evaluation


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    return made_evaluation()


def test_the_page_has_everything(evaluation: Evaluation) -> None:
    page = render_meta(evaluation)
    assert page.startswith("<!doctype html>")
    assert "style=" not in page.split("</style>")[1]
    assert "<noscript>" not in page  # nothing here needs a script
    for section in ("level-system", "level-segment", "over", "wins", "speed", "settings", "used"):
        assert f'<section id="{section}"' in page
    assert "System level: " in page
    said = " ".join(evaluation.text().split())  # lines are broken between words
    assert all(sentence in page and sentence in said for sentence in evaluation.words())
    assert all(html_text(line) in page for line in evaluation.used())
    assert "<i>Mixed" not in page
    assert "&lt;i&gt;Mixed &amp; more&lt;/i&gt; †" in page
    assert "a note &lt;/script&gt;" in page
    assert page == render_meta(evaluation)


def test_tables_show_what_was_found(evaluation: Evaluation) -> None:
    page = render_meta(evaluation)
    (own,) = evaluation.of("segment", "cs-en")
    for cell in own.cells:
        assert f"{own.shown(cell):.3f}" in page
    marked = len(re.findall(r'<td class="number best">', page))
    leading = sum(len(judged.leading) for judged in evaluation.judged)
    assert leading
    assert marked >= leading


def test_one_pair_without_texts_is_enough() -> None:
    small = made_evaluation(("cs-en",), systems=2)
    page = render_meta(small)
    assert '<section id="over"' not in page
    assert "two systems only" in page


@pytest.fixture
def open_page(browser: Any, tmp_path: Path, evaluation: Evaluation) -> Iterator[Callable[..., Any]]:
    pages: list[tuple[Any, list[str]]] = []

    def opened(*, dark: bool = False) -> Any:
        path = tmp_path / "meta.html"
        write_meta_report(path, evaluation)
        page, troubles = watched_page(browser)
        page.emulate_media(color_scheme="dark" if dark else "light", reduced_motion="reduce")
        page.goto(path.as_uri())
        pages.append((page, troubles))
        return page

    yield opened
    for page, troubles in pages:
        page.close()
        assert troubles == []


@pytest.mark.parametrize("dark", [False, True])
def test_text_of_figures_is_readable_on_its_paper(open_page: Callable[..., Any], dark: bool) -> None:
    page = open_page(dark=dark)
    found = page.evaluate(
        """() => {
          const light = (text) => { const [r, g, b] = text.match(/[\\d.]+/g).map(Number); return (r + g + b) / 765; };
          const paper = light(getComputedStyle(document.body).backgroundColor);
          return Array.from(document.querySelectorAll("figure svg text"),
                            (text) => Math.abs(paper - light(getComputedStyle(text).fill)));
        }"""
    )
    assert len(found) > 20
    assert min(found) > 0.6


def test_names_are_not_cut_off(open_page: Callable[..., Any]) -> None:
    page = open_page()
    assert cut_off(page) == []


def test_data_can_be_had(open_page: Callable[..., Any]) -> None:
    page = open_page()
    with page.expect_download() as waiting:
        page.click('#pairs-system a[download$=".csv"]')
    text = Path(waiting.value.path()).read_text(encoding="utf-8")
    assert text.splitlines()[0] == "metric,pair,|r|"
    with page.expect_download() as waiting:
        page.click('#pairs-system a[download$=".svg"]')
    assert Path(waiting.value.path()).read_text(encoding="utf-8").startswith("<svg")


def test_the_theme_can_be_changed(open_page: Callable[..., Any]) -> None:
    page = open_page()
    page.click("#theme")
    page.wait_for_function("document.documentElement.dataset.theme === 'dark'")
    page.wait_for_function(
        "getComputedStyle(document.querySelector('.drawing')).color.match(/\\d+/)[0] > 150"
    )


def test_what_screen_readers_get(open_page: Callable[..., Any]) -> None:
    page = open_page()
    assert page.get_by_role("img").count() >= 8
    heads = page.eval_on_selector_all("table.wmt tbody th", "all => all.map((one) => one.scope)")
    assert set(heads) == {"row"}
    assert page.locator("td.best .hidden").count() == page.locator("td.best").count() > 0


@pytest.mark.parametrize(("width", "scheme"), [(1400, "light"), (400, "dark")])
def test_axe_finds_nothing(open_page: Callable[..., Any], width: int, scheme: str) -> None:
    page = open_page()
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    assert faults(page) == []
