"""Every design, annotated from the link to the export in a real browser: with the mouse, and with keys alone."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select

from tertium.app import schema
from tertium.app.campaigns import annotators_of
from tertium.app.overview import collected
from tertium.human.campaigns.exports import exported
from tests.app.conftest import Person, Site
from tests.app.made import DESIGNS
from tests.hands import HANDS, WIDTHS

Answer = dict[str, Any]


def begin(page: Any, site: Site, campaign: int, name: str) -> None:
    """Open the link, read the instructions, go on to the first item."""
    page.goto(site.link(campaign, name))
    page.wait_for_url("**/work/start")
    page.locator("#begin").click()
    page.wait_for_url("**/work/1")


def here(page: Any) -> int:
    return int(page.url.rsplit("/", 1)[1])


def leave(page: Any, act: Callable[[], None]) -> None:
    """Do what ends a screen, and wait for the next one to be ready."""
    old = page.url
    act()
    page.wait_for_url(lambda url: url != old)


def next_by_mouse(page: Any) -> None:
    leave(page, lambda: page.locator("#next").click())


def next_by_key(page: Any) -> None:
    leave(page, lambda: page.keyboard.press("Enter"))


# -- what is done on a screen, and what must then be in the database ------------------------------------------------


def direct_by_mouse(page: Any, turn: int) -> Answer:
    box = page.locator("#score").bounding_box()
    page.mouse.click(box["x"] + box["width"] * (0.2 + 0.2 * turn), box["y"] + box["height"] / 2)
    value = float(page.locator("#score").input_value())
    assert abs(value - (20 + 20 * turn)) < 3
    next_by_mouse(page)
    return {"score": value}


def direct_by_keys(page: Any, turn: int) -> Answer:
    page.keyboard.type(str(60 + turn))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("PageDown")
    next_by_key(page)
    return {"score": 51.0 + turn}


def pair_by_mouse(page: Any, turn: int) -> Answer:
    choice = ("A", "B", "undecided", "A")[turn]
    leave(page, lambda: page.locator(f"[data-choice={choice}]").click())
    return {"choice": choice}


def pair_by_keys(page: Any, turn: int) -> Answer:
    key, choice = (("1", "A"), ("ArrowRight", "B"), ("0", "undecided"), ("ArrowLeft", "A"))[turn]
    leave(page, lambda: page.keyboard.press(key))
    return {"choice": choice}


def rank_by_mouse(page: Any, turn: int) -> Answer:
    """One by dragging it onto a shelf, the others by their buttons."""
    n = page.locator(".card").count()
    ranks = [1 + (place + turn) % n for place in range(n)]
    card = page.locator(".card[data-place='0']")
    box = card.locator(".text").bounding_box()
    shelf = page.locator(f".shelf[data-rank='{ranks[0]}']").bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 8)
    page.mouse.down()
    page.mouse.move(shelf["x"] + 60, shelf["y"] + shelf["height"] / 2, steps=4)
    page.mouse.up()
    page.wait_for_selector(f".shelf[data-rank='{ranks[0]}'] .card[data-place='0']")
    for place in range(1, n):
        page.locator(f".card[data-place='{place}'] [data-rank='{ranks[place]}']").click()
        page.wait_for_selector(f".shelf[data-rank='{ranks[place]}'] .card[data-place='{place}']")
    next_by_mouse(page)
    return {"ranks": ranks}


def rank_by_keys(page: Any, turn: int) -> Answer:
    """Digits go from one waiting card to the next; the last one is changed afterwards, into a tie."""
    n = page.locator(".card").count()
    for place in range(n):
        page.keyboard.press(str(place + 1))
        page.wait_for_selector(f".shelf[data-rank='{place + 1}'] .card[data-place='{place}']")
    page.wait_for_selector(f".card[data-place='{n - 1}']:focus")
    page.keyboard.press("ArrowUp")
    page.wait_for_selector(f".card[data-place='{n - 2}']:focus")
    page.keyboard.press("1")
    page.wait_for_selector(f".shelf[data-rank='1'] .card[data-place='{n - 2}']")
    next_by_key(page)
    return {"ranks": [*range(1, n - 1), 1, n]}


def question_by_mouse(page: Any, turn: int) -> Answer:
    answers = [("yes", "no", "na")[(place + turn) % 3] for place in range(3)]
    for place, answer in enumerate(answers):
        page.locator(f".row[data-place='{place}'] [data-answer={answer}]").click()
    next_by_mouse(page)
    return {"answers": answers}


def question_by_keys(page: Any, turn: int) -> Answer:
    for key in ("y", "n", "a"):
        page.keyboard.press(key)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("y")  # the second one, on second thoughts
    next_by_key(page)
    return {"answers": ["yes", "yes", "na"]}


def spans_by_mouse(page: Any, turn: int) -> Answer:
    words = page.locator("#translation .w")
    first, second = words.nth(0).bounding_box(), words.nth(1).bounding_box()
    page.mouse.move(first["x"] + 3, first["y"] + first["height"] / 2)
    page.mouse.down()
    page.mouse.move(second["x"] + second["width"] - 3, second["y"] + second["height"] / 2, steps=3)
    page.mouse.up()
    page.locator("[data-severity=major]").click()
    page.wait_for_selector("#marks li")
    page.locator("#missing").click()
    page.wait_for_function("() => document.querySelectorAll('#marks li').length === 2")
    page.locator("#marks li button").nth(1).click()
    page.wait_for_function("() => document.querySelectorAll('#marks li').length === 1")
    box = page.locator("#score").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    end = int(words.nth(1).get_attribute("data-e"))
    value = float(page.locator("#score").input_value())
    next_by_mouse(page)
    return {"spans": [{"start": 0, "end": end, "severity": "major", "category": ""}], "score": value}


def spans_by_keys(page: Any, turn: int) -> Answer:
    words = page.locator("#translation .w")
    third, fourth = words.nth(1), words.nth(2)
    start, end = int(third.get_attribute("data-s")), int(fourth.get_attribute("data-e"))
    page.wait_for_selector("#translation:focus")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("1")
    page.keyboard.press("m")
    page.wait_for_function("() => document.querySelectorAll('#marks li').length === 2")
    place = int(fourth.get_attribute("data-s"))  # where the cursor is, something is missing
    page.keyboard.press("s")
    page.wait_for_selector("#score:focus")
    page.keyboard.type("42")
    next_by_key(page)
    return {
        "spans": [
            {"start": start, "end": end, "severity": "minor", "category": ""},
            {"start": place, "end": place, "severity": "major", "category": ""},
        ],
        "score": 42.0,
    }


def units_by_mouse(page: Any, turn: int) -> Answer:
    marks = {}
    for unit in page.locator(".unit").all():
        button = unit.locator("button").nth(turn % 2)
        button.click()
        marks[unit.get_attribute("data-unit")] = button.get_attribute("data-mark")
    next_by_mouse(page)
    return {"marks": marks}


def units_by_keys(page: Any, turn: int) -> Answer:
    marks = {}
    for unit in page.locator(".unit").all():
        leaf = unit.locator("button").count() == 3
        page.keyboard.press("o" if leaf else "b")
        marks[unit.get_attribute("data-unit")] = "orange" if leaf else "bad"
    next_by_key(page)
    return {"marks": marks}


BY_MOUSE = dict(
    zip(
        DESIGNS,
        (direct_by_mouse, pair_by_mouse, rank_by_mouse, question_by_mouse, spans_by_mouse, units_by_mouse),
        strict=True,
    )
)
BY_KEYS = dict(
    zip(
        DESIGNS,
        (direct_by_keys, pair_by_keys, rank_by_keys, question_by_keys, spans_by_keys, units_by_keys),
        strict=True,
    )
)


@pytest.mark.parametrize("design", DESIGNS)
def test_two_annotators_at_once_mouse_and_keys(design: str, site: Site, person: Person) -> None:
    """Ann uses the mouse, Ben the keyboard, turn by turn; the export is what they did, and nothing else."""
    campaign = site.campaign(design, name=f"both-{design}")
    ann, ben = person(), person()
    begin(ann, site, campaign, "Ann")
    begin(ben, site, campaign, "Ben")
    expected: dict[tuple[str, int], Answer] = {}
    turn = 0
    while not ann.url.endswith("/finished"):
        position = here(ann)
        expected["Ann", position] = BY_MOUSE[design](ann, turn)
        expected["Ben", position] = BY_KEYS[design](ben, turn)
        turn += 1
    assert ben.url.endswith("/finished")
    assert "Thank you, Ben!" in ben.inner_text("h1")
    found = {(one.annotator, one.position): one.answer for one in collected(site.database, campaign)}
    assert found == expected
    assert len(found) == 2 * turn
    written = exported(collected(site.database, campaign), "jsonl").data.decode().splitlines()
    lines = [json.loads(line) for line in written]
    assert {(line["annotator"], line["position"]): line["answer"] for line in lines} == {
        place: json.loads(json.dumps(answer)) for place, answer in expected.items()
    }
    assert all(one.seconds > 0 for one in collected(site.database, campaign))


def test_reload_and_back_lose_nothing(site: Site, person: Person) -> None:
    campaign = site.campaign("direct-assessment", name="reload", annotators={"names": ["Ann"], "items": 4})
    page = person()
    begin(page, site, campaign, "Ann")
    page.keyboard.type("37")
    page.reload()  # at once: it is not even sent
    page.wait_for_function("() => document.getElementById('score').value === '37'")  # a draft comes back
    next_by_key(page)
    assert here(page) == 2
    page.keyboard.type("88")
    next_by_key(page)
    assert here(page) == 3
    page.go_back()
    page.wait_for_url("**/work/2")
    page.wait_for_function("() => document.getElementById('score').value === '88'")
    page.keyboard.type("90")
    page.wait_for_function("() => document.getElementById('score').value === '90'")
    next_by_key(page)
    assert here(page) == 3  # on to where the work is
    page.goto(f"{site.url}/work/4")  # nobody jumps ahead
    page.wait_for_url("**/work/3")
    assert [one.answer["score"] for one in collected(site.database, campaign)] == [37.0, 90.0]
    page.goto(site.link(campaign, "Ann"))  # by the link again, on another day
    page.wait_for_url("**/work/3")


HASTY = """addEventListener("load", () => setTimeout(() => document.activeElement.dispatchEvent(
  new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true })), 20))"""


@WIDTHS
@HANDS
def test_three_times_is_one_answer(width: int, hand: str, site: Site, person: Person) -> None:
    """Impatient fingers and a slow server: one "done" is stored, and the next screen keeps its own Enter."""
    campaign = site.campaign(
        "error-spans", name=f"impatient-{width}-{hand}", options={"protocol": "mqm", "score": False}
    )
    page = person(viewport={"width": width, "height": 900})
    begin(page, site, campaign, "Ann")
    page.wait_for_selector("#translation:focus")
    page.keyboard.press("ArrowRight")
    page.route("**/answer", lambda route: (time.sleep(0.2), route.continue_()))
    page.add_init_script(HASTY)  # and one Enter more, meant for the screen before
    if hand == "mouse":
        page.locator("#next").click(click_count=3)
    else:
        for _ in range(3):
            page.keyboard.press("Enter")
    page.wait_for_url("**/work/2")
    page.wait_for_selector("#translation:focus")
    page.locator("#next").click(click_count=2)  # the first click of two is meant
    page.wait_for_url("**/work/3")
    page.wait_for_timeout(400)
    assert here(page) == 3
    [ann, _] = annotators_of(site.database, campaign)
    query = select(schema.judgements.c.state).join(schema.tasks).where(schema.tasks.c.annotator == ann.id)
    assert [row.state for row in site.database.rows(query)] == ["done", "done"]


def test_undo_by_button_and_key(site: Site, person: Person) -> None:
    campaign = site.campaign("pairwise", name="undo")
    page = person()
    begin(page, site, campaign, "Ann")
    assert page.locator("#undo").is_disabled()
    leave(page, lambda: page.keyboard.press("1"))
    leave(page, lambda: page.keyboard.press("2"))
    leave(page, lambda: page.locator("#undo").click())
    assert here(page) == 2
    assert page.locator("[data-choice=B]").get_attribute("aria-pressed") == "true"
    assert len(collected(site.database, campaign)) == 1
    leave(page, lambda: page.keyboard.press("u"))
    assert here(page) == 1
    assert len(collected(site.database, campaign)) == 0
    for _ in range(3):
        leave(page, lambda: page.keyboard.press("0"))
    page.wait_for_url("**/work/finished")
    leave(page, lambda: page.keyboard.press("u"))  # even the last one
    assert here(page) == 3
    assert [one.answer["choice"] for one in collected(site.database, campaign)] == ["undecided"] * 2


def test_a_lost_connection_loses_no_answer(site: Site, person: Person) -> None:
    campaign = site.campaign("pairwise", name="offline")
    page = person()
    begin(page, site, campaign, "Ann")
    page.context.set_offline(True)
    page.keyboard.press("2")
    page.wait_for_function("() => document.getElementById('status').textContent.includes('trying again')")
    assert len(collected(site.database, campaign)) == 0
    page.context.set_offline(False)
    page.wait_for_url("**/work/2")
    assert [one.answer["choice"] for one in collected(site.database, campaign)] == ["B"]
    page.troubles[:] = [one for one in page.troubles if "ERR_INTERNET_DISCONNECTED" not in one]


def test_an_answer_outlives_the_session(site: Site, person: Person) -> None:
    """The link was renewed while somebody was thinking: their answer waits, and goes out after the new link."""
    campaign = site.campaign("pairwise", name="renewed")
    page = person()
    begin(page, site, campaign, "Ann")
    site.access.renew_link(annotators_of(site.database, campaign)[0].id)
    page.keyboard.press("2")
    page.get_by_text("open your personal link again").wait_for()
    page.troubles[:] = [one for one in page.troubles if "401" not in one]
    assert len(collected(site.database, campaign)) == 0
    page.goto(site.link(campaign, "Ann"))
    page.locator("#begin").click()
    page.wait_for_url("**/work/2")  # what was waiting for item 1 is saved, and the work goes on
    assert [one.answer["choice"] for one in collected(site.database, campaign)] == ["B"]


def test_a_held_key_and_a_double_click_choose_once(site: Site, person: Person) -> None:
    campaign = site.campaign("pairwise", name="held")
    page = person()
    begin(page, site, campaign, "Ann")
    page.keyboard.down("1")
    page.wait_for_url("**/work/2")
    for _ in range(3):
        page.keyboard.down("1")  # it is held, and repeats itself
    page.keyboard.up("1")
    page.locator("[data-choice=A]").dispatch_event("click", {"detail": 2})
    page.wait_for_timeout(200)
    assert here(page) == 2
    leave(page, lambda: page.locator("[data-choice=B]").click())
    assert [one.answer["choice"] for one in collected(site.database, campaign)] == ["A", "B"]


def test_forced_choice_has_no_undecided(site: Site, person: Person) -> None:
    campaign = site.campaign("pairwise", name="forced", options={"undecided": False})
    page = person()
    begin(page, site, campaign, "Ann")
    assert page.locator("[data-choice]").count() == 2
    page.keyboard.press("0")
    leave(page, lambda: page.keyboard.press("1"))
    assert [one.answer["choice"] for one in collected(site.database, campaign)] == ["A"]


def test_right_to_left_text_and_markup_in_it(site: Site, person: Person) -> None:
    """Arabic runs from the right, and arrow keys follow; a text with tags in it is shown as it is."""
    from tertium.app.campaigns import create
    from tertium.human.campaigns.segments import Segment
    from tertium.human.campaigns.settings import Settings

    texts = {"one": "مرحبا أيها العالم الكبير", "two": "<img src=x onerror=alert(1)><b>bold</b>"}
    segment = Segment("1", texts, source="Hello, big world", document="d")
    settings = {"name": "rtl", "design": "error-spans", "annotators": {"names": ["Ann"], "items": 2}}
    campaign = create(site.database, Settings.of(settings), [segment])
    page = person()
    begin(page, site, campaign, "Ann")
    for _ in range(2):
        page.wait_for_selector("#translation:focus")
        text = page.locator("#translation").inner_text()
        assert text in texts.values()
        if text == texts["one"]:
            assert (
                page.evaluate("getComputedStyle(document.getElementById('translation')).direction") == "rtl"
            )
            page.keyboard.press("ArrowLeft")  # onwards
            page.wait_for_selector("#translation .w.cursor:nth-child(2 of .w)")
        else:
            assert page.locator("#translation img, #translation b").count() == 0
        page.locator("#score").focus()
        page.keyboard.type("50")
        next_by_key(page)


@pytest.mark.parametrize("design", DESIGNS)
def test_screens_are_accessible_and_fit_a_phone(design: str, site: Site, person: Person) -> None:
    """Every control has a name; nothing is wider than a phone; texts have enough contrast, by day and by night."""
    campaign = site.campaign(design, name=f"phone-{design}")
    page = person(viewport={"width": 360, "height": 740}, has_touch=True)
    begin(page, site, campaign, "Ann")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    nameless = page.evaluate(
        """[...document.querySelectorAll('button, a, input, select')].filter(thing =>
             !(thing.innerText || thing.ariaLabel || thing.labels?.length)).map(thing => thing.outerHTML)"""
    )
    assert nameless == []
    assert page.locator("html[lang]").count() == 1
    assert page.locator("[dir=auto]").count() >= 1
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for selector in ("main .text", "main h2", "button:not(:disabled)", "#place"):
            found = page.evaluate(CONTRAST, selector)
            assert found is None or found >= 4.5, f"{selector} in {scheme}: {found:.2f}"
            assert found is not None or selector.startswith("button")


CONTRAST = """selector => {
  const thing = document.querySelector(selector);
  if (!thing) return null;
  const numbers = colour => colour.match(/[0-9.]+/g).map(Number);
  const light = colour => numbers(colour).slice(0, 3).map(v => v / 255)
    .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  let ground = thing;
  const behind = thing => getComputedStyle(thing).backgroundColor;
  while (ground.parentElement && (numbers(behind(ground))[3] ?? 1) === 0) ground = ground.parentElement;
  const [a, b] = [light(getComputedStyle(thing).color), light(behind(ground))].sort((x, y) => x - y);
  return (b + 0.05) / (a + 0.05);
}"""


def test_instructions_in_any_language(site: Site, person: Person) -> None:
    text = "# Urteilen Sie\n\nBitte **genau** lesen. <script>alert(1)</script> [x](javascript:alert(1))"
    campaign = site.campaign("pairwise", name="words", instructions=text)
    page = person()
    page.goto(site.link(campaign, "Ann"))
    assert page.inner_text("article h1") == "Urteilen Sie"
    assert page.inner_text("article strong") == "genau"
    assert page.locator("article script, article a").count() == 0
    assert re.search("<script>", page.inner_text("article"))
