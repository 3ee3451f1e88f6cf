"""The page of a memory that was looked through: what is in the file, and what a real browser shows and does."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from tertium.io.memories.formats import open_units
from tertium.memory.checked import CheckedMemory, Counted, DoubtfulUnit
from tertium.report.memory import SCRIPTS, STYLES, render_memory, write_memory_page
from tertium.vetting.checks.base import Doubt
from tests.app.test_axe import sound
from tests.hands import HANDS, WIDTHS, pick, press, write
from tests.report.conftest import watched_page

Open = Callable[..., Any]
NASTY = "</script><b>x</b> & 😀 wait 10 s"
AT = NASTY.index("10")


def unit(
    number: int, probability: float, source: str, target: str, client: str, *reasons: Doubt
) -> DoubtfulUnit:
    about = ("en", "fr", client, "ann", "menu", "2019-01-21T00:00:00Z")
    return DoubtfulUnit(number, probability, source, target, *about, reasons)


def found(number: int = 40) -> CheckedMemory:
    many = (
        unit(100 + i, 0.4 - i / 1000, f"Open file {i}", f"Ouvrir {i}", "umbra", Doubt("ending", "ends", 0.2))
        for i in range(number)
    )
    worst = (
        unit(
            *(7, 0.98, NASTY, "attendez 100 s", "acme"),
            Doubt("numbers", "10 is missing; 100 is extra", 1.0, ((AT, AT + 2),), ((9, 12),)),
        ),
        unit(3, 0.7, "Save %s?", "", "acme", Doubt("empty", "the target is empty", 1.0)),
        *many,
    )
    return CheckedMemory(
        "/tmp/in.tmx",
        1000,
        2,
        True,
        (
            Counted("numbers", 1, 1),
            Counted("empty", 1, 1),
            Counted("ending", number, 0),
            Counted("dates", 0, 0),
        ),
        (Counted("acme", 500, 2), Counted("umbra", 500, 0)),
        (Counted("ann", 1000, 2),),
        (Counted("2019", 1000, 2),),
        worst,
    )


@pytest.fixture
def open_page(browser: Any, tmp_path: Path) -> Iterator[Open]:
    """The page, loaded from disk; nothing may be left in its console or asked of the network."""
    pages: list[tuple[Any, list[str]]] = []

    def opened(width: int = 1400, shown: CheckedMemory | None = None) -> Any:
        path = tmp_path / f"page-{len(pages)}.html"
        write_memory_page(path, found() if shown is None else shown)
        page, troubles = watched_page(browser)
        pages.append((page, troubles))
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(path.as_uri())
        page.evaluate("localStorage.clear()")
        page.reload()
        page.locator(".unit, .cards .none").first.wait_for()
        return page

    yield opened
    for page, troubles in pages:
        page.close()
        assert troubles == []


def says(page: Any, text: str) -> None:
    page.locator("#units .status", has_text=re.compile(f"^{re.escape(text)}$")).wait_for()


def choice(page: Any, label: str) -> Any:
    return page.locator(f'.filters .choice:has(> span:text-is("{label}")) select')


def card(page: Any, number: int) -> Any:
    return page.locator(f'.unit[data-number="{number}"]')


def test_what_the_file_holds() -> None:
    page = render_memory(found())
    assert page == render_memory(found())
    assert re.findall(r'<section id="(\w+)"', page) == ["summary", "units", "counts"]
    assert "1,000 units; 2 (0.2%) deserve a look" in page
    assert "<b>x</b>" not in page


@pytest.mark.parametrize("name", sorted({*SCRIPTS, *STYLES}))
def test_our_own_files_are_small_and_set_no_markup(name: str) -> None:
    text = files("tertium.report").joinpath(name).read_text(encoding="utf-8")
    assert len(text.splitlines()) < 400
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function", text)


def test_units_with_their_places(open_page: Open) -> None:
    page = open_page()
    first = page.locator(".unit").first
    assert first.locator(".text").first.inner_text() == NASTY
    assert first.locator("mark").all_inner_texts() == ["10", "100"]
    assert "numbers 10 is missing; 100 is extra" in first.locator(".reasons").inner_text()
    assert card(page, 3).locator(".none").inner_text() == "empty"
    says(page, "All 42 units, 0 marked")


@WIDTHS
@HANDS
def test_filters(open_page: Open, hand: str, width: int) -> None:
    page = open_page(width)
    pick(choice(page, "Check"), "ending", hand)
    says(page, "40 of 42 units, 0 marked")
    press(page.get_by_role("button", name="Show all"), hand)
    says(page, "All 42 units, 0 marked")
    pick(choice(page, "Client"), "acme", hand)
    says(page, "2 of 42 units, 0 marked")
    pick(choice(page, "Probability"), "0.9 or more", hand)
    says(page, "1 of 42 units, 0 marked")
    press(page.get_by_role("button", name="Show all"), hand)
    write(page.get_by_label("Search units"), "enregistrer", hand)
    says(page, "0 of 42 units, 0 marked")
    page.locator(".cards .none", has_text="No units match.").wait_for()


@WIDTHS
@HANDS
def test_marks_are_made_kept_and_saved(open_page: Open, hand: str, width: int, tmp_path: Path) -> None:
    page = open_page(width)
    if hand == "mouse":
        card(page, 7).get_by_role("button", name="Wrong").click()
        card(page, 3).get_by_role("button", name="Right").click()
    else:
        page.keyboard.press("j")
        page.locator('.unit[data-number="7"]:focus').wait_for()
        page.keyboard.press("w")
        page.locator('.unit[data-number="3"]:focus').wait_for()
        page.keyboard.press("r")
    says(page, "All 42 units, 2 marked")
    card(page, 7).locator('.wrong[aria-pressed="true"]').wait_for()
    card(page, 3).locator('.right[aria-pressed="true"]').wait_for()
    page.reload()
    says(page, "All 42 units, 2 marked")
    pick(choice(page, "Marked"), "wrong", hand)
    says(page, "1 of 42 units, 2 marked")
    with page.expect_download() as waiting:
        press(page.get_by_role("link", name="Save your marks"), hand)
    path = tmp_path / waiting.value.suggested_filename
    assert path.name == "in.tmx.labels.jsonl"
    waiting.value.save_as(path)
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert [(own["source"], own["label"]) for own in lines] == [(NASTY, "wrong"), ("Save %s?", "right")]
    assert [own.property("label") for own in open_units(str(path))] == ["wrong", "right"]


def test_keys_go_through_all_units(open_page: Open) -> None:
    page = open_page()
    for _ in range(35):  # more than are drawn at first
        page.keyboard.press("j")
    page.locator('.unit[data-number="132"]:focus').wait_for()
    page.keyboard.press("k")
    page.locator('.unit[data-number="131"]:focus').wait_for()
    page.keyboard.press("w")
    says(page, "All 42 units, 1 marked")
    page.keyboard.press("k")
    page.keyboard.press("u")
    says(page, "All 42 units, 0 marked")
    page.keyboard.press("/")
    page.get_by_label("Search units").evaluate("box => box === document.activeElement || box.focus()")
    page.keyboard.type("wait")  # no key marks anything while somebody types
    says(page, "1 of 42 units, 0 marked")


@WIDTHS
@HANDS
def test_buttons_take_marks_back(open_page: Open, hand: str, width: int) -> None:
    page = open_page(width)
    button = card(page, 7).get_by_role("button", name="Wrong")
    press(button, hand)
    says(page, "All 42 units, 1 marked")
    press(button, hand)
    says(page, "All 42 units, 0 marked")


def test_the_page_has_no_faults(open_page: Open) -> None:
    page = open_page()
    card(page, 7).get_by_role("button", name="Wrong").click()
    says(page, "All 42 units, 1 marked")
    sound(page, "the page of a memory")


def test_a_memory_without_doubts(open_page: Open) -> None:
    page = open_page(shown=CheckedMemory("in.tmx", 5, 0, True, (), (), (), (), ()))
    says(page, "All 0 units, 0 marked")
