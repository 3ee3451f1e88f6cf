"""Error spans as translators mark them, by keys and by mouse, on wide and narrow screens."""

from __future__ import annotations

import json
from typing import Any

import pytest

import tertium as tt
from tertium.app.campaigns import create
from tertium.app.loading import load_uploaded
from tertium.app.overview import collected
from tertium.human.campaigns.answers import checked_answer
from tertium.human.campaigns.collected import Judged
from tertium.human.campaigns.exports import exported
from tertium.human.campaigns.items import CampaignItem, Output
from tertium.human.campaigns.segments import Segment
from tertium.human.campaigns.settings import Settings
from tests.app.conftest import Person, Site
from tests.app.test_browser import begin, next_by_key, next_by_mouse
from tests.hands import HANDS, WIDTHS, pick, press

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


def made(site: Site, name: str, record: dict[str, Any], **options: Any) -> int:
    settings = {"name": name, "design": "error-spans", "annotators": {"names": ["Ann"], "items": 1}}
    return create(site.database, Settings.of(settings | {"options": options}), [Segment.of(record, "here")])


def marked_by_a_metric(site: Site, name: str) -> int:
    """The same three words, which TER would not miss."""
    record = {key: value for key, value in RECORD.items() if key != "spans"}
    record["reference"] = "The ship lay at anchor in port."
    campaign = (
        f'name = "{name}"\ndesign = "error-spans"\nsegments = "segments.jsonl"\nspans = {{ metric = "ter" }}\n'
        '[annotators]\nnames = ["Ann"]\nitems = 1\n'
    )
    files = {"campaign.toml": campaign.encode(), "segments.jsonl": json.dumps(record).encode()}
    return create(site.database, *load_uploaded(files))  # as the manager's page does


@WIDTHS
@HANDS
@pytest.mark.parametrize("by", ["file", "metric"])
def test_given_spans_are_kept_changed_and_removed(
    width: int, hand: str, by: str, site: Site, person: Person
) -> None:
    """The first stays, the second goes, the third becomes major; the export says so."""
    name = f"given-{by}-{width}-{hand}"
    campaign = made(site, name, RECORD) if by == "file" else marked_by_a_metric(site, name)
    page = person(viewport={"width": width, "height": 900})
    begin(page, site, campaign, "Ann")
    page.wait_for_selector("#translation:focus")
    page.locator("#marks small").nth(2).wait_for()
    assert page.locator("#marks small").all_inner_texts() == ["suggested"] * 3
    if hand == "mouse":
        page.get_by_role("button", name="Remove the mark on long").click()
    else:
        for _ in range(3):
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Delete")
    pick(page.locator("#marks [data-key=severity]").nth(1), "major", hand)
    if hand == "mouse":
        page.locator("#next").scroll_into_view_if_needed()
        box = page.locator("#score").bounding_box()
        page.mouse.click(box["x"] + box["width"] * 0.6, box["y"] + box["height"] / 2)
    else:
        page.keyboard.press("Escape")
        page.wait_for_selector("#translation:focus")
        page.keyboard.press("s")
        page.wait_for_selector("#score:focus")
        page.keyboard.type("60")
    assert page.locator("#marks small").all_inner_texts() == ["suggested", "suggested, changed"]
    (next_by_mouse if hand == "mouse" else next_by_key)(page)
    (one,) = collected(site.database, campaign)
    assert [span["fate"] for span in one.given] == ["accepted", "removed", "changed"]
    assert one.answer["score"] == pytest.approx(60, abs=2)
    line = json.loads(exported(collected(site.database, campaign), "jsonl").data)
    assert line["given"] == one.given
    origins = {span.get("origin", "") for span in line["given"]}
    assert origins == ({"TER|" + tt.metric("ter").signature(1, "segment")} if by == "metric" else {""})
    assert line["answer"]["spans"][1] == {
        "start": 22,
        "end": 29 + (by == "metric"),  # with its full stop
        "severity": "major",
        "category": "",
        "given": 2,
    }


def letters_by_mouse(page: Any) -> None:
    words, letters = page.locator("#translation .w"), page.locator("#translation .c")
    words.last.click()
    page.locator("[data-severity=minor]").click()
    words.nth(4).click()
    page.locator("#missing").click()  # before "in"
    page.locator("#marks [data-key=severity]").nth(0).select_option("minor")
    page.locator("#letters").click()
    letters.nth(6).click()
    letters.nth(7).click(modifiers=["Shift"])
    page.locator("[data-severity=major]").click()
    page.locator("#letters").click()
    page.locator("#source .w").nth(3).click()
    page.locator("[data-severity=major]").click()


def letters_by_keyboard(page: Any) -> None:
    """Tab leads from the text to the list of errors, Escape back to it."""
    for key in (
        *("End", "1", "ArrowLeft", "ArrowLeft", "m", "Tab", "ArrowUp", "Escape"),
        *("l", "Home", *["ArrowRight"] * 6, "Shift+ArrowRight", "2", "l"),
        *("o", *["ArrowRight"] * 3, "2"),
    ):
        page.keyboard.press(key)


@WIDTHS
@HANDS
def test_letters_punctuation_source_and_omissions(width: int, hand: str, site: Site, person: Person) -> None:
    """A full stop alone, letters within a word, an omission in its place, words of the source; buttons are in view."""
    campaign = made(site, f"letters-{width}-{hand}", {**RECORD, "spans": {}}, score=False)
    page = person(viewport={"width": width, "height": 900})
    begin(page, site, campaign, "Ann")
    page.wait_for_selector("#translation:focus")

    def in_view() -> bool:
        boxes = [page.locator(f"[data-severity={name}]").bounding_box() for name in ("minor", "major")]
        return page.evaluate("scrollY") == 0 and all(box["y"] + box["height"] <= 900 for box in boxes)

    assert in_view()
    (letters_by_mouse if hand == "mouse" else letters_by_keyboard)(page)
    assert page.locator("#marks li").count() == 4
    assert in_view() or width == 400  # nobody had to scroll; on a phone the buttons stick to its lower end
    assert page.locator("#cost").inner_text() == "−12"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    (next_by_mouse if hand == "mouse" else next_by_key)(page)
    (one,) = collected(site.database, campaign)
    assert one.answer["spans"] == [
        {"start": 6, "end": 8, "severity": "major", "category": ""},
        {"start": 19, "end": 19, "severity": "minor", "category": ""},
        {"start": 29, "end": 30, "severity": "minor", "category": ""},
        {"start": 15, "end": 20, "severity": "major", "category": "", "in_source": True},
    ]
    assert one.score == -12.0  # without a slider, MQM's weights: 5 + 1 + 1 + 5


@WIDTHS
@HANDS
def test_severity_and_category_can_be_changed(width: int, hand: str, site: Site, person: Person) -> None:
    """After marking; and the work waits until every error has its category."""
    campaign = made(site, f"mqm-{width}-{hand}", {**RECORD, "spans": {}}, protocol="mqm")
    page = person(viewport={"width": width, "height": 900})
    begin(page, site, campaign, "Ann")
    page.wait_for_selector("#translation:focus")
    if hand == "mouse":
        page.locator("#translation .w").nth(1).click()
        page.locator("[data-severity=minor]").click()
    else:
        page.keyboard.press("ArrowRight")
        page.keyboard.press("1")
    category, severity = (
        page.locator("#marks [data-key=category]"),
        page.locator("#marks [data-key=severity]"),
    )
    page.wait_for_selector("#marks [data-key=category]:focus")
    page.locator("#score").focus()
    page.keyboard.type("30")
    page.wait_for_function("() => document.getElementById('score').value === '30'")
    assert page.locator("#next").is_disabled()
    pick(category, "terminology", hand)
    pick(severity, "major", hand)
    pick(category, "accuracy/mistranslation", hand)
    page.wait_for_function("() => !document.getElementById('next').disabled")
    press(page.locator("#next"), hand)
    page.wait_for_url("**/finished")
    (one,) = collected(site.database, campaign)
    [span] = one.answer["spans"]
    assert span == {"start": 4, "end": 9, "severity": "major", "category": "accuracy/mistranslation"}


# Where the ring of what has the focus crosses a line of text.
CROSSED = """() => {
  const ringed = [...document.querySelectorAll("main *")].filter((one) => {
    const style = getComputedStyle(one);
    return style.outlineStyle === "solid" && parseFloat(style.outlineWidth) > 0;
  });
  const lines = [];
  const walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    if (!walk.currentNode.textContent.trim() || walk.currentNode.parentElement.closest(".unseen")) continue;
    const range = document.createRange();
    range.selectNodeContents(walk.currentNode);
    for (const box of range.getClientRects()) lines.push([box, walk.currentNode.textContent]);
  }
  const crossed = ringed.flatMap((one) => {
    const { outlineWidth, outlineOffset } = getComputedStyle(one);
    const [width, offset, box] = [parseFloat(outlineWidth), parseFloat(outlineOffset), one.getBoundingClientRect()];
    const touches = (by) => ({ left, right, top, bottom }) =>
      right > box.left - by && left < box.right + by && bottom > box.top - by && top < box.bottom + by;
    const within = (by) => ({ left, right, top, bottom }) =>
      left >= box.left - by && right <= box.right + by && top >= box.top - by && bottom <= box.bottom + by;
    return lines.filter(([line]) => touches(offset + width)(line) && !within(offset)(line)).map(([, text]) => text);
  });
  return [ringed.length, crossed];
}"""


@WIDTHS
@HANDS
def test_the_focus_ring_hides_nothing(width: int, hand: str, site: Site, person: Person) -> None:
    """It goes around text, source, buttons and lists, and crosses no letter."""
    campaign = made(site, f"ring-{width}-{hand}", RECORD, protocol="mqm", score=False)
    page = person(viewport={"width": width, "height": 900})
    begin(page, site, campaign, "Ann")
    page.wait_for_selector("#translation:focus")
    if hand == "mouse":
        for text in ("#source", "#translation"):
            page.locator(f"{text} .w").nth(1).click()
            assert page.evaluate(CROSSED) == [1, []]
        return
    for key in ("o", "t", *["Tab"] * 14):
        page.keyboard.press(key)
        ringed, crossed = page.evaluate(CROSSED)
        name = page.evaluate("document.activeElement.outerHTML")[:200]
        assert crossed == [], name
        assert ringed == 1 or not page.evaluate("document.activeElement.matches('main *')"), name


@WIDTHS
@HANDS
def test_the_cursor_stays_in_view(width: int, hand: str, site: Site, person: Person) -> None:
    """In a text longer than the screen: below the bar and above the buttons."""
    long = {"id": "1", "source": "Kurz. " * 40, "outputs": {"A": "A rather long translation. " * 150}}
    campaign = made(site, f"cursor-{width}-{hand}", long)
    page = person(viewport={"width": width, "height": 900})
    begin(page, site, campaign, "Ann")
    page.wait_for_selector("#translation:focus")
    words = page.locator("#translation .w")
    if hand == "mouse":
        words.nth(400).click()
        assert page.locator("#translation .w.cursor").inner_text() == words.nth(400).inner_text()
    for key in ("ArrowRight", "End", "ArrowLeft", "Home", "ArrowRight"):
        page.keyboard.press(key)
        seen = page.evaluate(
            """() => {
              const word = document.querySelector("#translation .w.cursor");
              const { left, right, top, bottom } = word.getBoundingClientRect();
              const x = (left + right) / 2;
              return [top + 1, bottom - 1].every((y) => word.contains(document.elementFromPoint(x, y)));
            }"""
        )
        assert seen, key
    for side in ("#source", "[data-severity=minor]"):
        box = page.locator(side).bounding_box()
        assert 0 <= box["y"] < 860, side


@WIDTHS
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
