"""The page of a training report: all that the report says, readable in a browser, wide and narrow, by keys alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tertium.cli import main
from tertium.errors import TertiumWarning
from tertium.report.assembly import html_text
from tertium.report.training import write_training_page
from tertium.training.report import TrainingReport, training_report
from tests.app.test_axe import faults
from tests.report.conftest import cut_off, watched_page
from tests.report.test_browser import until
from tests.training.test_training import judged

SECTIONS = ("learning", "components", "calibration", "parts")


@pytest.fixture(scope="module")
def report() -> TrainingReport:
    with pytest.warns(TertiumWarning, match=r"lengths\.words, lengths\.words\.either: .* without any say"):
        return training_report(
            judged(noise=0.5), ["chrf", "ter", "lengths.*"], learner="ridge", name="<b>mine</b>"
        )


def written_page(folder: Path, report: TrainingReport) -> str:
    write_training_page(path := folder / "page.html", report)
    return path.read_text("utf-8")


def test_the_page_says_what_the_report_says(report: TrainingReport, tmp_path: Path) -> None:
    page = written_page(tmp_path, report)
    assert page == written_page(tmp_path, report)
    assert "style=" not in page.split("</style>")[1]
    assert "<b>mine" not in page
    for section in SECTIONS:
        assert f'<section id="{section}"' in page
    said = list(report.words())
    assert any("is missed most" in sentence for sentence in said)
    assert all(html_text(sentence) in page for sentence in said)
    for one in report.trained.components:
        assert f"{one.without:.3f}" in page
        assert html_text(f"{one.spec}: ") in page  # in the picture
    for point in report.calibration:
        assert f"predicted {point.predicted:.3f}, people {point.judged:.3f}" in page


def test_one_component_has_no_trade_off(tmp_path: Path) -> None:
    page = written_page(tmp_path, training_report(judged(noise=0.5), ["chrf"], learner="ridge"))
    assert 'id="gains"' not in page
    assert 'id="learning-curve"' in page


def test_the_command_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one = judged(noise=0.5)
    columns = {"ref": one.references, "sys": one.hypotheses, "human": map(str, one.judgements)}
    for name, lines in columns.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    texts = [str(tmp_path / "ref"), "-i", str(tmp_path / "sys"), "--human", str(tmp_path / "human")]
    page = tmp_path / "page.html"
    assert (
        main(["train", "report", *texts, "-m", "chrf", "ter", "--model", "ridge", "--html", str(page)]) == 0
    )
    assert "calibration" in capsys.readouterr().out
    assert page.read_text("utf-8").startswith("<!doctype html>")
    assert (
        main(
            [
                "train",
                "report",
                *texts,
                "-m",
                "chrf",
                "--model",
                "ridge",
                "--html",
                str(tmp_path / "no" / "p"),
            ]
        )
        == 2
    )


@pytest.fixture
def open_page(browser: Any, tmp_path: Path, report: TrainingReport) -> Iterator[Callable[..., Any]]:
    pages: list[tuple[Any, list[str]]] = []

    def opened(width: int) -> Any:
        write_training_page(path := tmp_path / "training.html", report)
        page, troubles = watched_page(browser)
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(path.as_uri())
        page.locator("#parts table").wait_for()
        pages.append((page, troubles))
        return page

    yield opened
    for page, troubles in pages:
        page.close()
        assert troubles == []


@pytest.mark.parametrize("width", [1400, 400])
def test_nothing_is_cut_off_or_out_of_reach(open_page: Callable[..., Any], width: int) -> None:
    page = open_page(width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert cut_off(page) == []
    assert page.locator("#summary li").first.inner_text().startswith("<b>mine</b>: r = ")
    assert faults(page) == []


def test_keys_alone_will_do(open_page: Callable[..., Any]) -> None:
    page = open_page(400)
    page.keyboard.press("Tab")
    until(page, "document.activeElement.className === 'skip'")
    page.keyboard.press("Enter")
    until(page, "location.hash === '#summary'")
    page.locator("#learning-curve .drawing").focus()
    page.keyboard.press("ArrowRight")  # a wide picture on a narrow page is scrolled by keys
    until(page, "document.querySelector('#learning-curve .drawing').scrollLeft > 0")


def test_numbers_can_be_taken_away(open_page: Callable[..., Any]) -> None:
    page = open_page(1400)
    with page.expect_download() as waiting:
        page.click('#gains a[download$=".csv"]')
    first = Path(waiting.value.path()).read_text(encoding="utf-8").splitlines()[0]
    assert first == "component,microseconds per segment,r lost without it"
