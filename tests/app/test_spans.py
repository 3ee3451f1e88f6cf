"""Error spans as translators mark them, by keys and by mouse, on wide and narrow screens."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tertium.app.campaigns import create
from tertium.app.overview import collected
from tertium.human.campaigns.answers import checked_answer
from tertium.human.campaigns.collected import Judged
from tertium.human.campaigns.exports import exported
from tertium.human.campaigns.items import CampaignItem, Output
from tertium.human.campaigns.segments import Segment
from tertium.human.campaigns.settings import Settings
from tests.app.conftest import Person, Site
from tests.app.test_browser import begin, next_by_key, next_by_mouse

RECORD = {
    "id": "1",
    "source": "Das Schiff lag lange im Hafen.",
    "outputs": {"A": "The sheep lay long in harbour."},
    "spans": {
        "A": [
            {"start": 4, "end": 9, "severity": "minor"},
            {"start": 14, "end": 18, "severity": "minor"},
            {"start": 22, "end": 29, "severity": "minor"},
        ]
    },
}
WIDTHS = (1400, 1024, 400)


def made(site: Site, name: str, record: dict[str, Any], **options: Any) -> int:
    settings = {"name": name, "design": "error-spans", "annotators": {"names": ["Ann"], "items": 1}}
    return create(site.database, Settings.of(settings | {"options": options}), [Segment.of(record, "here")])


@pytest.mark.parametrize("width", WIDTHS)
def test_given_spans_are_kept_changed_and_removed(width: int, site: Site, person: Person) -> None:
    """Keys alone: the first stays, the second goes, the third becomes major; the export says so."""
    campaign = made(site, f"given-{width}", RECORD)
    page = person(viewport={"width": width, "height": 900})
    begin(page, site, campaign, "Ann")
    page.wait_for_selector("#translation:focus")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Delete")  # "long"
    page.locator("#marks [data-key=severity]").nth(1).focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Escape")
    page.wait_for_selector("#translation:focus")
    assert page.locator("#marks small").all_inner_texts() == ["suggested", "suggested, changed"]
    page.keyboard.press("s")
    page.keyboard.type("60")
    next_by_key(page)
    (one,) = collected(site.database, campaign)
    assert [span["fate"] for span in one.given] == ["accepted", "removed", "changed"]
    line = json.loads(exported(collected(site.database, campaign), "jsonl").data)
    assert line["given"] == one.given
    assert line["answer"]["spans"][1] == {
        "start": 22,
        "end": 29,
        "severity": "major",
        "category": "",
        "given": 2,
    }


@pytest.mark.parametrize("width", WIDTHS)
def test_letters_punctuation_source_and_omissions(width: int, site: Site, person: Person) -> None:
    """The mouse marks a full stop alone, letters within a word, and words of the source; buttons are in view."""
    campaign = made(site, f"letters-{width}", {**RECORD, "spans": {}}, score=False)
    page = person(viewport={"width": width, "height": 900})
    begin(page, site, campaign, "Ann")
    severity = page.locator("[data-severity=minor]")
    assert severity.bounding_box()["y"] + severity.bounding_box()["height"] <= 900
    page.locator("#translation .w").last.click()  # the full stop
    severity.click()
    page.locator("#translation .w").nth(4).click()
    page.locator("#missing").click()  # before "in"
    page.locator("#marks [data-key=severity]").nth(0).select_option("minor")
    page.locator("#letters").click()
    letters = page.locator("#translation .c")
    letters.nth(6).click()
    letters.nth(7).click(modifiers=["Shift"])
    page.locator("[data-severity=major]").click()
    page.locator("#letters").click()
    page.locator("#source .w").nth(3).click()
    page.locator("[data-severity=major]").click()
    assert page.locator("#cost").inner_text() == "−12"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    next_by_mouse(page)
    (one,) = collected(site.database, campaign)
    assert one.answer["spans"] == [
        {"start": 6, "end": 8, "severity": "major", "category": ""},
        {"start": 19, "end": 19, "severity": "minor", "category": ""},
        {"start": 29, "end": 30, "severity": "minor", "category": ""},
        {"start": 15, "end": 20, "severity": "major", "category": "", "in_source": True},
    ]
    assert one.score == -12.0  # without a slider, MQM's weights: 5 + 1 + 1 + 5


@pytest.mark.parametrize("width", WIDTHS)
def test_an_empty_span_given_in_the_source_does_not_stop_anybody(
    width: int, site: Site, person: Person
) -> None:
    empty = {"start": 10, "end": 10, "severity": "major", "in_source": True}
    campaign = made(site, f"empty-{width}", {**RECORD, "spans": {"A": [empty]}})
    page = person(viewport={"width": width, "height": 900})
    begin(page, site, campaign, "Ann")
    page.wait_for_selector("#translation:focus")
    assert page.locator("#marks .what").inner_text() == "missing: Das Schiff‸ lag lange i"
    page.keyboard.press("s")
    page.keyboard.type("60")
    next_by_key(page)
    (one,) = collected(site.database, campaign)
    assert [span["fate"] for span in one.given] == ["accepted"]


def test_the_source_stays_beside_a_long_translation(site: Site, person: Person) -> None:
    long = {"id": "1", "source": "Kurz. " * 40, "outputs": {"A": "A rather long translation. " * 150}}
    campaign = made(site, "long-text", long)
    page = person(viewport={"width": 1400, "height": 900})
    begin(page, site, campaign, "Ann")
    page.locator("#translation .w").nth(400).scroll_into_view_if_needed()
    for thing in ("#source", "[data-severity=minor]"):
        box = page.locator(thing).bounding_box()
        assert box["y"] >= 0, thing
        assert box["y"] < 860, thing
    source, target = (page.locator(f"#{side}").bounding_box() for side in ("source", "translation"))
    assert source["x"] + source["width"] <= target["x"]


def test_items_stored_before_spans_could_be_given() -> None:
    """A database of an older version: outputs without spans, answers without the new keys."""
    stored = Segment.of({**RECORD, "spans": {}}, "here")
    item = CampaignItem("x", "1", (Output("The sheep", ("A",)),), **stored.texts())
    old = item.data()
    del old["outputs"][0]["spans"]
    assert CampaignItem.of("x", "genuine", old) == item
    answer = {"spans": [{"start": None, "end": None, "severity": "major", "category": ""}], "score": 40.0}
    settings = Settings.of({"name": "x", "design": "error-spans"})
    assert checked_answer(settings, item, answer) == answer
    judged = Judged("Ann", item, 1, 1, (0,), answer, 1.0, 1.0)
    assert (judged.given, judged.spans[0].start) == ([], None)
    assert "given" not in judged.data()
