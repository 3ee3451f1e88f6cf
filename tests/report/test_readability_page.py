"""The pages of readability: what is in the file, and what a real browser shows and does."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from tertium.cli import main
from tertium.io.marks import LEVELS
from tertium.readability.audience import advise
from tertium.readability.comparing import compare
from tertium.readability.results import ReadabilityLevels, text_level
from tertium.readability.scale import usual_scale
from tertium.readability.unscaled import ReadabilityFormulas, formula_values
from tertium.report.readability import (
    SCRIPTS,
    STYLES,
    write_comparison_page,
    write_formulas_page,
    write_levels_page,
)
from tests.app.test_axe import sound
from tests.hands import HANDS, WIDTHS, pick, press
from tests.report.conftest import watched_page

Open = Callable[..., Any]
EASY = "The cat sat on the mat. It was warm and soft. The dog came in."
NASTY = "We saw </script><b>x</b> & it was good."
HARD = (
    "Nonobstant les considérations susmentionnées, le félin, dont la somnolence se prolongeait, que nul ne dérangeait, "
    "acquiesçait à l'irruption du molosse, lequel, subrepticement, s'était introduit dans l'appartement bourgeois."
)
SAME = "Le chat était assis sur le paillasson. Celui-ci était chaud et doux. Le chien est rentré à la maison."


def write_pair(path: Path) -> None:
    found = compare([EASY, EASY, NASTY, "Cat", EASY], [HARD, SAME, HARD, "Chat", HARD])
    write_comparison_page(path, found)


def write_advice(path: Path) -> None:
    scale = usual_scale()
    long = (
        "The commission was late, and the jurisdiction, which nobody had exacerbated, persisted; "
        "but the deliberations of the aforementioned committee went on and on, because nobody was there."
    )
    found = ReadabilityLevels("en", [text_level("folder/a.txt", [EASY, long], "en", scale)])
    write_levels_page(path, found, advise(found, "A1", scale))


def write_texts(path: Path) -> None:
    scale = usual_scale()
    one = text_level("folder/a.txt", [EASY, NASTY, "THE END OF IT ALL."], "en", scale)
    other = text_level("folder/b.txt", ["Constitutional jurisprudence exacerbates ambivalence."], "en", scale)
    write_levels_page(path, ReadabilityLevels("en", [one, other]))


def write_german(path: Path) -> None:
    texts = [
        ["Die Katze schläft. Der Hund </script><b>x</b> kommt."],
        ["Wohnungsverwaltung am Abend geschlossen."],
    ]
    values = [formula_values(f"folder/{n}.txt", own, "de") for n, own in enumerate(texts)]
    write_formulas_page(path, ReadabilityFormulas("de", ["en", "fr"], values))


@pytest.fixture
def open_page(browser: Any, tmp_path: Path) -> Iterator[Open]:
    """The page, loaded from disk; nothing may be left in its console or asked of the network."""
    pages: list[tuple[Any, list[str]]] = []

    def opened(write: Callable[[Path], None], width: int = 1400) -> Any:
        path = tmp_path / f"page-{len(pages)}.html"
        write(path)
        page, troubles = watched_page(browser)
        pages.append((page, troubles))
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(path.as_uri())
        page.locator('.readings .s[tabindex="0"]').first.wait_for()
        return page

    yield opened
    for page, troubles in pages:
        page.close()
        assert troubles == []


def says(page: Any, text: str) -> None:
    page.locator("#saying", has_text=text).wait_for()


def shows(page: Any, text: str) -> None:
    page.locator("#both .status", has_text=re.compile(f"^{re.escape(text)}$")).wait_for()


def test_what_the_files_hold(tmp_path: Path) -> None:
    write_pair(tmp_path / "pair.html")
    pair = (tmp_path / "pair.html").read_text("utf-8")
    assert re.findall(r'<section id="(\w+)"', pair) == ["summary", "scale", "both"]
    assert "where the source has three" in pair
    assert pair.count('data-kind="harder"') == 3
    write_texts(tmp_path / "texts.html")
    texts = (tmp_path / "texts.html").read_text("utf-8")
    assert re.findall(r'<section id="(\w+)"', texts) == ["summary", "scale", "texts"]
    assert "No level: in capitals." in texts
    assert "folder/a.txt" not in texts.partition('id="texts"')[2]
    write_german(tmp_path / "german.html")
    german = (tmp_path / "german.html").read_text("utf-8")
    assert re.findall(r'<section id="(\w+)"', german) == ["summary", "formulas", "texts"]
    assert "There is no scale for the language" in german
    assert "amstad" in german
    assert 'levels-key">' not in german
    for page in (pair, texts, german):
        assert "<b>x</b>" not in page
        assert "style=" not in page


@pytest.mark.parametrize("name", sorted({*SCRIPTS, *STYLES}))
def test_our_own_files_are_small_and_set_no_markup(name: str) -> None:
    text = files("tertium.report").joinpath(name).read_text(encoding="utf-8")
    assert len(text.splitlines()) < 400
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function", text)


@WIDTHS
@HANDS
def test_segments_are_chosen_and_sentences_explained(open_page: Open, hand: str, width: int) -> None:
    page = open_page(write_pair, width)
    shows(page, "All 5 shown")
    pick(page.locator("#kind"), "became harder (3)", hand)
    shows(page, "3 of 5 shown")
    hard = page.locator('.segment[data-kind="harder"] .cell:last-child .s').first
    if hand == "mouse":
        hard.click()
    else:
        hard.focus()
    says(page, "most frequent")
    page.locator(".s.here", has_text="Nonobstant").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_keys_go_through_sentences(open_page: Open) -> None:
    page = open_page(write_pair)
    page.keyboard.press("n")
    page.locator(".s:focus", has_text="Nonobstant").wait_for()
    page.keyboard.press("ArrowRight")
    page.locator(".segment:nth-child(2) .s:focus", has_text="The cat sat").wait_for()
    page.keyboard.press("n")
    page.locator(".segment:nth-child(3) .s:focus", has_text="Nonobstant").wait_for()
    page.keyboard.press("p")
    page.locator(".segment:nth-child(1) .s:focus", has_text="Nonobstant").wait_for()
    page.keyboard.press("Escape")
    page.locator(".s.here").wait_for(state="detached")


@WIDTHS
def test_texts_show_levels_and_what_has_none(open_page: Open, width: int) -> None:
    page = open_page(write_texts, width)
    page.locator("#texts .l0", has_text="THE END").click()
    says(page, "No level: in capitals.")
    page.locator("#texts .s", has_text="jurisprudence").click()
    says(page, "beyond the 6,000 most frequent")
    assert page.locator("#texts .s", has_text="jurisprudence").locator("sup").inner_text() in LEVELS
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@WIDTHS
def test_a_language_without_a_scale_has_a_page(open_page: Open, width: int) -> None:
    page = open_page(write_german, width)
    page.locator("#texts .s", has_text="Wohnungsverwaltung").click()
    says(page, "4 words, 2 of more than six letters.")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("write", [write_pair, write_texts, write_advice, write_german])
@pytest.mark.parametrize("dark", [False, True])
def test_the_pages_have_no_faults(open_page: Open, write: Callable[[Path], None], dark: bool) -> None:
    page = open_page(write)
    page.emulate_media(color_scheme="dark" if dark else "light")
    sound(page, "a page of readability")


@WIDTHS
@HANDS
def test_changes_lead_to_their_sentences(open_page: Open, hand: str, width: int) -> None:
    page = open_page(write_advice, width)
    link = page.locator("#changes .change a").first
    target = link.get_attribute("href")
    press(link, hand)
    page.wait_for_url(f"**{target}")
    page.locator(f".s{target}").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_commands_write_pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.en").write_text(f"{EASY}\n", "utf-8")
    (tmp_path / "a.fr").write_text(f"{HARD}\n", "utf-8")
    one, other = tmp_path / "one.html", tmp_path / "other.html"
    assert main(["readability", str(tmp_path / "a.en"), "--html", str(one)]) == 0
    assert (
        main(["readability", "compare", str(tmp_path / "a.en"), str(tmp_path / "a.fr"), "--html", str(other)])
        == 0
    )
    capsys.readouterr()
    assert "Readability of a.en" in one.read_text("utf-8")
    assert "Readability of a translation" in other.read_text("utf-8")
