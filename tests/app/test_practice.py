"""The tutorial: practice items with feedback, a pass mark, and no work before it is reached."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from tertium.app import schema
from tertium.app.campaigns import annotators_of
from tertium.app.loading import load_campaign
from tertium.app.overview import collected
from tertium.app.practising import Practice
from tertium.app.working import Work
from tertium.errors import InputError
from tertium.human.campaigns.exports import exported
from tertium.human.campaigns.plan import planned
from tertium.human.campaigns.practice import described, is_right, practice_items
from tertium.human.campaigns.settings import Settings
from tests.app.conftest import Person, Site
from tests.app.made import QUESTIONS, UNITS, database_at, given, make
from tests.app.test_admin import log_in
from tests.app.test_browser import leave, next_by_key
from tests.hands import WIDTHS

GOOD = {
    "id": "p1",
    "source": "Ja.",
    "reference": "Yes.",
    "outputs": {"A": "Yes."},
    "expected": {"score": [80, 100]},
}
BAD = {
    "id": "p2",
    "source": "Das Schiff liegt im Hafen.",
    "reference": "The ship lies in the harbour.",
    "outputs": {"A": "The sheep lies in the harbour."},
    "expected": {"score": [0, 40]},
    "feedback": "A sheep is not a ship.",
}
SPANS = [
    {**GOOD, "expected": {"spans": []}},
    {**BAD, "expected": {"spans": [{"start": 4, "end": 9, "severity": "major"}], "score": [0, 60]}},
]


def begin_by_key(page: Any) -> None:
    """The button has the focus from the beginning."""
    page.wait_for_selector("#begin:focus")
    # a page that is not painted yet takes no keys
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    leave(page, lambda: page.keyboard.press("Enter"))


@WIDTHS
def test_practice_by_keys_until_it_is_passed(width: int, site: Site, person: Person) -> None:
    """One wrong answer: what was expected and why; a second round; the work is closed until then."""
    campaign = site.campaign(
        "direct-assessment",
        name=f"practice-{width}",
        annotators={"names": ["Ann"], "items": 1},
        tutorial={"items": [GOOD, BAD], "pass": 1},
    )
    page = person(viewport={"width": width, "height": 900})
    page.goto(site.link(campaign, "Ann"))
    assert "Items: 2; right answers needed: 2." in page.inner_text("main")
    begin_by_key(page)
    page.wait_for_url("**/practice/1")
    page.goto(f"{site.url}/work/1")  # not yet
    page.wait_for_url("**/practice/1")
    for place, score, verdict in ((1, "90", "Right."), (2, "75", "Not quite.")):
        page.wait_for_selector("#score:focus")
        assert page.inner_text("#place") == f"Practice {place} of 2"
        page.keyboard.type(score)
        page.keyboard.press("Enter")
        page.wait_for_selector("#onward:focus")
        assert page.inner_text("#verdict") == verdict
        box = page.locator("#onward").bounding_box()
        assert box["y"] + box["height"] <= 900
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        if place == 2:
            assert page.inner_text("#expected") == "Expected: a score from 0 to 40"
            assert page.inner_text("#explained") == "A sheep is not a ship."
        leave(page, lambda: page.keyboard.press("Enter"))
    assert page.inner_text("h1") == "Not there yet"
    assert "1 of 2 right; 2 needed." in page.inner_text("main")
    begin_by_key(page)
    for place, score in ((1, "95"), (2, "10")):
        page.wait_for_url(f"**/practice/{place}")
        page.goto(site.link(campaign, "Ann"))  # another day: where one stopped
        page.wait_for_url(
            "**/work/start" if place == 3 else f"**/practice/{place}" if place == 2 else "**/practice"
        )
        if place == 1:  # between two rounds
            begin_by_key(page)
            page.wait_for_url("**/practice/1")
        page.wait_for_selector("#score:focus")
        page.keyboard.type(score)
        page.keyboard.press("Enter")
        page.wait_for_selector("#onward:focus")
        leave(page, lambda: page.keyboard.press("Enter"))
    assert page.inner_text("h1") == "Well done!"
    begin_by_key(page)
    page.wait_for_url("**/work/start")
    page.locator("#begin").click()
    page.wait_for_selector("#score:focus")
    page.keyboard.type("50")
    next_by_key(page)
    assert len(collected(site.database, campaign)) == 1  # practice is no judgement
    marks = [
        row.correct for row in site.database.rows(select(schema.practice).order_by(schema.practice.c.id))
    ]
    assert marks[-4:] == [1, 0, 1, 1]


@WIDTHS
def test_practice_by_mouse(width: int, site: Site, person: Person) -> None:
    campaign = site.campaign(
        "error-spans",
        name=f"practice-spans-{width}",
        annotators={"names": ["Ann"], "items": 1},
        tutorial={"items": SPANS, "pass": 0.5},
        interface="fr",
    )
    page = person(viewport={"width": width, "height": 900})
    page.goto(site.link(campaign, "Ann"))
    page.locator("#begin").click()
    for place, expected in (
        (1, "Attendu\u00a0: aucune erreur"),
        (2, "Attendu\u00a0: sheep (majeure); une note de 0 à 60"),
    ):
        page.wait_for_url(f"**/practice/{place}")
        page.locator("#translation .w").nth(1 if place == 2 else 0).click()
        page.locator("[data-severity=major]").click()
        page.locator("#next").scroll_into_view_if_needed()
        box = page.locator("#score").bounding_box()
        page.mouse.click(box["x"] + box["width"] * 0.3, box["y"] + box["height"] / 2)
        page.locator("#next").click()
        page.wait_for_selector("#feedback:not([hidden])")
        assert page.inner_text("#verdict") == ("Pas tout à fait." if place == 1 else "Juste.")
        assert page.inner_text("#expected") == expected
        page.locator("#onward").click()
    assert page.inner_text("h1") == "Bravo\u202f!"
    page.locator("#begin").click()
    page.wait_for_url("**/work/start")


def practised(design: str, record: dict[str, Any], **options: Any) -> Settings:
    return Settings.of({"name": "x", "design": design, "options": options, "tutorial": {"items": [record]}})


TWO = {"id": "p", "source": "Ja.", "reference": "Yes.", "outputs": {"x": "Yes.", "y": "No."}}
ERROR = {"start": 4, "end": 9, "severity": "major", "category": ""}
MARKS = {"1": "good", "1.1": "good", "1.1.1": "green", "1.1.2": "red", "1.2": "orange"}


@pytest.mark.parametrize(
    ("settings", "right", "wrong", "words"),
    [
        (practised("direct-assessment", BAD), [{"score": 40}, {"score": 0}], [{"score": 41}], "a score from 0 to 40"),
        (
            practised("pairwise", {**TWO, "expected": {"choice": "A"}}),
            [{"choice": "A"}],
            [{"choice": "B"}, {"choice": "undecided"}],
            "A is better",
        ),
        (
            practised("ranking", {**TWO, "expected": {"ranks": [1, 2]}}),
            [{"ranks": [1, 2]}],
            [{"ranks": [2, 1]}, {"ranks": [1, 1]}],
            "the ranks 1, 2",
        ),
        (
            practised("challenge", {**QUESTIONS[0], "expected": {"answers": ["yes", "no", "na"]}}),
            [{"answers": ["yes", "no", "na"]}],
            [{"answers": ["yes", "yes", "na"]}],
            "Yes; No; Not applicable",
        ),
        (
            practised("error-spans", SPANS[1]),
            [{"spans": [ERROR], "score": 50}, {"spans": [{**ERROR, "start": 0}], "score": 50}],
            [
                {"spans": [], "score": 50},
                {"spans": [ERROR], "score": 61},
                {"spans": [{**ERROR, "severity": "minor"}], "score": 50},
                {"spans": [ERROR, {**ERROR, "start": 10, "end": 14}], "score": 50},
                {"spans": [{**ERROR, "start": None, "end": None}], "score": 50},
            ],
            "sheep (major); a score from 0 to 60",
        ),
        (
            practised(
                "error-spans",
                {**BAD, "expected": {"spans": [{**ERROR, "start": 0, "end": 0, "category": "accuracy/omission"}]}},
                protocol="mqm",
                score=False,
            ),
            [{"spans": [{**ERROR, "start": None, "end": None, "category": "accuracy/omission"}]}],
            [{"spans": [{**ERROR, "start": 3, "end": 3, "category": "other"}]}, {"spans": []}],
            "something is missing (major, accuracy/omission)",
        ),
        (
            practised("semantic-units", {**UNITS[0], "outputs": {"x": "Der Mann."}, "expected": {"marks": MARKS}}),
            [{"marks": MARKS}],
            [{"marks": {**MARKS, "1.2": "green"}}],
            "The old man sleeps.: good; The old man: good; old: green; man: red; sleeps: orange",
        ),
    ],
)  # fmt: skip
def test_what_is_right(settings: Settings, right: list[Any], wrong: list[Any], words: str) -> None:
    from tertium.human.campaigns.answers import checked_answer

    assert Settings.of(json.loads(json.dumps(settings.stored()))) == settings
    [one] = practice_items(settings)
    for answer in (*right, *wrong):
        assert is_right(settings, one, checked_answer(settings, one.item, answer)) == (answer in right), (
            answer
        )
    assert described(settings, one) == words


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"expected": None}, r"tutorial.items\[1\]: expected must say which answer is right"),
        (
            {"expected": {"score": 50}},
            r"tutorial.items\[1\]: expected: the score must be a range such as \[60, 100\]",
        ),
        ({"expected": {"choice": "A"}}, "expected: an answer has the keys score, not 'choice'"),
        ({"reference": ""}, r"tutorial.items\[1\]: segment p1 has no reference"),
        ({"outputs": {"A": "x", "B": "y"}}, "this design shows 1 outputs, but the item has 2"),
        ({"sourse": "x"}, r"tutorial.items\[1\]: sourse: unknown key"),
    ],
)
def test_wrong_practice_items(change: dict[str, Any], message: str) -> None:
    settings, segments = given("direct-assessment", tutorial={"items": [{**GOOD, **change}]})
    with pytest.raises(InputError, match=message):
        planned(Settings.of(settings), segments)


def test_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "practice.jsonl").write_text("".join(json.dumps(one) + "\n" for one in (GOOD, BAD)))
    campaign = tmp_path / "campaign.toml"
    text = 'name = "x"\ndesign = "direct-assessment"\ntestset = "sample"\n'
    text += '[tutorial]\nitems = "practice.jsonl"\npass = 1\n'
    campaign.write_text(text)
    settings, _ = load_campaign(campaign)
    assert len(practice_items(settings)) == 2
    campaign.write_text(text.replace("practice.jsonl", "nothing.jsonl"))
    with pytest.raises(InputError, match=r"nothing\.jsonl"):
        load_campaign(campaign)


def test_an_answer_sent_twice_counts_once(tmp_path: Path) -> None:
    database = database_at(tmp_path)
    campaign = make(database, "direct-assessment", tutorial={"items": [GOOD, BAD], "pass": 0.5})
    practice = Practice(Work(database, campaign, annotators_of(database, campaign)[0].id))
    for _ in range(2):
        assert practice.save(1, "the-same-key", {"score": 90})["right"]
    assert practice.state().answered == 1
    assert practice.state().place == 2
    assert not practice.state().passed  # the round is not over
    assert not practice.save(2, "another-key", {"score": 90})["right"]
    assert practice.state().passed
    with pytest.raises(InputError, match="score must be a number"):
        practice.save(2, "a-third-key", {"score": 900})
    database.close()


@WIDTHS
def test_the_manager_sees_and_exports_practice(width: int, site: Site, person: Person) -> None:
    """Who has passed and who has not, on the page and as a file; judgements stay apart."""
    campaign = site.campaign(
        "direct-assessment",
        name=f"seen-{width}",
        annotators={"names": ["Ann", "Ben", "Cem"], "items": 1},
        tutorial={"items": [GOOD, BAD], "pass": 1},
    )
    people = {row.name: row.id for row in annotators_of(site.database, campaign)}
    for name, scores in (("Ann", (90, 75, 95, 10)), ("Ben", (90, 80, 20))):
        practice = Practice(Work(site.database, campaign, people[name]))
        for turn, score in enumerate(scores):
            practice.save(turn % 2 + 1, f"practice-{name}-{turn}", {"score": score})
    page = person(viewport={"width": width, "height": 900})
    log_in(page, site)
    page.goto(f"{site.url}/admin/campaigns/seen-{width}")
    cells = page.locator("table.people td[data-label=Practice]").all_inner_texts()
    assert cells == ["passed, round 2", "round 2: 0 of 1 right; 2 needed", "has not begun"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    link = page.get_by_role("link", name="Practice (CSV)")
    with page.expect_download() as download:
        if width == 1024:
            link.focus()
            page.keyboard.press("Enter")
        else:
            link.click()
    rows = list(csv.DictReader(Path(download.value.path()).read_text(encoding="utf-8").splitlines()))
    told = [(row["annotator"], row["round"], row["segment"], row["right"]) for row in rows]
    assert told[:4] == [
        ("Ann", "1", "p1", "yes"),
        ("Ann", "1", "p2", "no"),
        ("Ann", "2", "p1", "yes"),
        ("Ann", "2", "p2", "yes"),
    ]
    assert told[4:] == [("Ben", "1", "p1", "yes"), ("Ben", "1", "p2", "no"), ("Ben", "2", "p1", "no")]
    assert json.loads(rows[1]["answer"]) == {"score": 75.0}
    assert json.loads(rows[1]["expected"]) == {"score": [0, 40]}
    with pytest.raises(InputError, match="this campaign has no practice"):
        exported(collected(site.database, site.campaign("pairwise", name=f"none-{width}")), "practice")
