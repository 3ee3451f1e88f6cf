"""The pictures of docs/annotate.md: `python -m tools.annotate_screens`, of small campaigns on the bundled sample.

Answers are made up: those of the manager's page by a rule, the others by clicks in a headless browser.
"""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from tertium.app.access import Access
from tertium.app.campaigns import create, set_state
from tertium.app.working import Work
from tertium.human.campaigns.settings import Settings
from tests.app.conftest import PASSWORD, Site, running
from tests.app.made import database_at, given
from tests.app.test_browser import begin, next_by_key
from tests.app.test_manager import people
from tests.conftest import CHROMIUM

DOCS = Path(__file__).resolve().parent.parent / "docs"
ONE = {"names": ["Ann"], "items": 3}
SPANS = (
    ("lay", "minor", "style/awkward"),
    ("bemoosten", "major", "accuracy/untranslated text"),
    ("in the middle around", "major", "accuracy/mistranslation"),
)


def literal(site: Site, design: str, **more: Any) -> int:
    """A campaign with the outputs of the system that makes most errors."""
    settings, segments = given(design, **more)
    own = [replace(segment, outputs={"literal": segment.outputs["literal"]}) for segment in segments]
    return create(site.database, Settings.of(settings), own)


def direct(site: Site, page: Any) -> None:
    """A slider, moved."""
    begin(page, site, literal(site, "direct-assessment", name="direct", annotators=ONE), "Ann")
    page.keyboard.type("42")


def mark(page: Any, words: str, severity: str, category: str = "") -> None:
    """Mark words of the translation, as a mouse does."""
    before = page.locator("#marks li").count()
    shown = page.locator("#translation .w").all_inner_texts()
    wanted = words.split()
    start = next(i for i in range(len(shown)) if shown[i : i + len(wanted)] == wanted)
    boxes = [page.locator("#translation .w").nth(i).bounding_box() for i in (start, start + len(wanted) - 1)]
    page.mouse.move(boxes[0]["x"] + 3, boxes[0]["y"] + boxes[0]["height"] / 2)
    page.mouse.down()
    page.mouse.move(boxes[1]["x"] + boxes[1]["width"] - 3, boxes[1]["y"] + boxes[1]["height"] / 2, steps=3)
    page.mouse.up()
    page.locator(f"[data-severity={severity}]").click()
    page.wait_for_function(f"() => document.querySelectorAll('#marks li').length === {before + 1}")
    if category:
        line = page.locator("#marks li").filter(has_text=words)
        line.locator("select").nth(1).select_option(category)


def spans(site: Site, page: Any) -> None:
    """Errors with MQM's categories."""
    options = {"protocol": "mqm", "score": False, "against": "source"}
    begin(page, site, literal(site, "error-spans", name="spans", annotators=ONE, options=options), "Ann")
    for words, severity, category in SPANS:
        mark(page, words, severity, category)


def document(site: Site, page: Any) -> None:
    """The third segment of a document: two are judged, one error is marked."""
    options = {"unit": "document", "against": "source"}
    one = {"names": ["Ann"], "items": 1}
    begin(page, site, literal(site, "error-spans", name="document", annotators=one, options=options), "Ann")
    for score, words in (("55", "Frachtschiffe"), ("30", "loadable")):
        mark(page, words, "major")
        page.keyboard.press("s")
        page.wait_for_selector("#score:focus")
        page.keyboard.type(score)
        next_by_key(page)
    mark(page, "at the Tuesday", "minor")


def manager(site: Site, page: Any) -> None:
    """One is done, one stopped, one was set aside, one has not begun."""
    names = ["Ann", "Ben", "Cem", "Maria-Luise von Hohenstein"]
    settings = {"names": names, "items": 70, "sample": "same"}
    campaign = site.campaign(
        "direct-assessment", name="manager", annotators=settings, controls={"repeat": 10, "degraded": 10}
    )
    who = people(site.database, campaign)
    for name, many in {"Ann": 70, "Ben": 19, "Cem": 70}.items():
        work = Work(site.database, campaign, who[name])
        for position in range(1, many + 1):
            screen = work.screen(position)
            assert screen is not None
            score = 5 if screen.item.kind == "degraded" else 40 + len(screen.item.source) % 50
            answer = 50 if name == "Cem" else score
            work.save(position, f"{name}-{position:08d}", {"score": answer}, 4.0, complete=True)
    set_state(site.database, campaign, who["Cem"], "removed", "gives every item the same score")
    page.goto(f"{site.url}/admin")
    page.wait_for_url("**/admin/login")
    page.fill("#password", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/admin")
    page.goto(f"{site.url}/admin/campaigns/manager")
    page.get_by_text("% done").wait_for()


SCREENS = {
    "annotate-direct-assessment": (direct, 860, 560),
    "annotate-error-spans": (spans, 1000, 610),
    "annotate-document": (document, 1000, 820),
    "annotate-manager": (manager, 1180, 760),
}


def main() -> None:
    """Write them."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        database = database_at(Path(folder))
        Access(database).set_password(PASSWORD)
        browser = driver.chromium.launch(
            executable_path=CHROMIUM, args=["--headless", "--no-sandbox", "--disable-gpu"]
        )
        with running(database) as site:
            for name, (work, width, height) in SCREENS.items():
                context = browser.new_context(
                    viewport={"width": width, "height": height}, color_scheme="light", reduced_motion="reduce"
                )
                page = context.new_page()
                work(site, page)
                page.wait_for_load_state("networkidle")
                page.screenshot(path=str(DOCS / f"{name}.png"))
                context.close()
        browser.close()
        database.close()


if __name__ == "__main__":
    main()
