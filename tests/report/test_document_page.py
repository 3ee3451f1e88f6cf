"""The page of documents side by side: what is in the file, and what a real browser shows and does."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import tertium as tt
from tertium.documents.showing import ShownDocuments, show_documents
from tertium.report.document import SCRIPTS, STYLES, render_documents, write_documents_page
from tests.app.test_axe import sound
from tests.report.conftest import watched_page

Open = Callable[..., Any]
NASTY = "</script><b>x</b> & 😀 *y*"


@pytest.fixture(scope="module")
def shown() -> ShownDocuments:
    return show_documents(tt.TestSet.sample(), systems=["literal", "strong"], languages=("de", "en"))


@pytest.fixture
def open_page(browser: Any, tmp_path: Path) -> Iterator[Open]:
    """The page, loaded from disk; nothing may be left in its console or asked of the network."""
    pages: list[tuple[Any, list[str]]] = []

    def opened(found: ShownDocuments, fragment: str = "") -> Any:
        path = tmp_path / f"page-{len(pages)}.html"
        write_documents_page(path, found)
        page, troubles = watched_page(browser)
        pages.append((page, troubles))
        page.goto(path.as_uri() + fragment)
        page.locator(".w").first.wait_for()
        return page

    yield opened
    for page, troubles in pages:
        page.close()
        assert troubles == []


def tiny(**more: Any) -> ShownDocuments:
    testset = tt.TestSet.of(
        ["We met Ann Lee. Boats sank.", "Then Ann Lee saw a boat.", "More."],
        {
            "A": ["We saw Ann Lee. Boats sank.", "Then Ann Lee saw a boat.", "More."],
            "B": ["Ann!", "", "Less."],
        },
        documents=["one", "one", "two"],
    )
    return show_documents(testset, languages=("de", "en"), **more)


def word(page: Any, text: int, place: int) -> Any:
    return page.locator(f'.w[data-text="{text}"][data-word="{place}"]')


def has_segments(page: Any, number: int) -> None:
    page.locator(".segment").nth(number - 1).wait_for()
    page.locator(".segment").nth(number).wait_for(state="detached")


def marked(page: Any, kind: str) -> list[tuple[int, str]]:
    found = page.locator(f".w.{kind}").evaluate_all(
        "all => all.map((w) => [Number(w.dataset.text), w.textContent])"
    )
    return [(text, form) for text, form in found]


def test_what_the_file_holds(shown: ShownDocuments) -> None:
    page = render_documents(shown)
    assert page == render_documents(shown)
    assert re.findall(r'<section id="(\w+)"', page) == ["summary", "reader", "groups", "documents"]
    assert all(sentence in page for sentence in shown.words())
    assert "no parses: fewer rules" in page
    assert page.count('id="document-') == len(shown.documents)


@pytest.mark.parametrize("name", sorted({*SCRIPTS, *STYLES}))
def test_our_own_files_are_small_and_set_no_markup(name: str) -> None:
    text = files("tertium.report").joinpath(name).read_text(encoding="utf-8")
    assert len(text.splitlines()) < 400
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function", text)


def test_pointing_at_a_word(open_page: Open) -> None:
    page = open_page(tiny())
    assert page.locator(".segment").count() == 2
    word(page, 1, 2).hover()  # Ann of system A
    assert marked(page, "here") == [(1, "Ann")]
    assert marked(page, "counterpart") == [(0, "Ann"), (2, "Ann")]
    assert {form for _, form in marked(page, "mate")} == {"Ann", "Lee"}
    assert page.locator(".lines .counterparts").count() == 2
    said = page.locator(".saying").inner_text()
    assert "“Ann” in A, segment 1" in said
    assert "reference: “Ann”" in said
    assert "Chains 1 (Ann Lee): reference 2, A 2, B 0" in said
    page.keyboard.press("3")
    word(page, 1, 5).hover()
    assert "comes back as “boat”, segment 2" in page.locator(".saying").inner_text()
    assert marked(page, "tied") == [(1, "boat")]
    assert marked(page, "loose") == []
    more = tt.TestSet.of(["Ann left."], {"A": ["Ann left, which surprised absolutely everybody."]})
    assert (1, "absolutely") in marked(open_page(show_documents(more, languages=("de", "en"))), "loose")
    assert (0, "Boats") not in marked(page, "loose")


def test_chains_have_numbers_and_brackets(open_page: Open) -> None:
    page = open_page(tiny())
    text = page.locator(".cell.of-system p").first.inner_text()
    assert text == "We saw 1[Ann Lee]. Boats sank."
    assert page.locator("table.groups tbody tr").inner_text().split("\t") == ["1", "Ann Lee ×2", "Ann Lee ×2"]


def test_terms_have_letters_and_braces(open_page: Open) -> None:
    texts = tt.TestSet.of(
        ["die Bank öffnet", "die Bank schließt", "die Bank schläft", "ein Haus schläft"],
        {"A": ["die Bank öffnet", "das Ufer schließt", "das Ufer schläft", "ein Haus schläft"]},
        sources=["the bank opens", "the bank closes", "the bank sleeps", "a house sleeps"],
        documents=["d"] * 4,
    )
    page = open_page(show_documents(texts, languages=("en", "de")))
    page.keyboard.press("4")
    assert page.locator(".cell.of-system p").first.inner_text() == "die 1[a≠{Bank}] öffnet"
    page.keyboard.press("2")
    row = page.locator("#groups .layer-table", has_text="Terms").locator("tbody tr").first
    assert row.inner_text().split("\t") == ["a", "bank ×3", "Bank ×3", "Ufer ×2, Bank ≠", "varies in A"]


def test_everything_by_keyboard(open_page: Open) -> None:
    page = open_page(tiny())
    page.locator("#document").focus()
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('w')"):
            break
    focused = "[document.activeElement.dataset.text, document.activeElement.textContent]"
    assert page.evaluate(focused) == ["0", "We"]
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(focused) == ["0", "Ann"]
    assert marked(page, "here") == [(0, "Ann")]
    page.keyboard.press("ArrowDown")
    assert page.evaluate(focused) == ["1", "Ann"]
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    assert marked(page, "here") == [(1, "Ann")]  # kept
    page.keyboard.press("Escape")
    assert marked(page, "here") == []
    assert page.locator(".bracket").count() > 0
    page.keyboard.press("2")
    assert page.locator(".bracket").count() == 0
    assert page.get_by_role("button", name="Chains").get_attribute("aria-pressed") == "false"
    page.keyboard.press("1")
    assert page.locator(".w.loose").count() == 0
    page.locator("#groups .none").wait_for()
    page.keyboard.press("3")
    assert page.locator(".w.again").count() > 0
    page.keyboard.press("n")
    has_segments(page, 1)
    assert page.evaluate("location.hash") == "#document-2"
    page.keyboard.press("p")
    has_segments(page, 2)


def test_documents_and_texts_are_chosen(open_page: Open) -> None:
    page = open_page(tiny(), "#document-2")
    assert page.locator(".of-reference p").all_inner_texts() == ["More."]
    page.locator("#documents button", has_text="one").click()
    has_segments(page, 2)
    assert page.locator("#document").input_value() == "0"
    page.get_by_role("button", name="reference").click()
    assert page.locator(".of-reference").count() == 0
    page.get_by_role("button", name="Next document").click()
    has_segments(page, 1)
    assert page.get_by_role("button", name="Next document").is_disabled()
    page.locator("#documents select").select_option(label="largest difference in doc:chrF2")
    assert page.locator("#documents tbody button").all_inner_texts() == ["two", "one"]


def test_texts_are_texts(open_page: Open) -> None:
    testset = tt.TestSet.of([NASTY], {NASTY: [NASTY]}, sources=[NASTY], documents=[NASTY])
    found = show_documents(testset)
    assert NASTY not in render_documents(found)
    page = open_page(found)
    assert page.locator(".of-system p").inner_text() == NASTY
    assert page.locator(".cell b").count() == 0
    word(page, 2, 0).hover()
    assert (
        "reference: “script”" in page.locator(".saying").inner_text() or page.locator(".w.here").count() == 1
    )


def test_axe_and_widths(open_page: Open, shown: ShownDocuments) -> None:
    page = open_page(shown)
    word(page, 3, 3).hover()
    sound(page, "documents")
