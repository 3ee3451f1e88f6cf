"""Every page that annotators and managers see, by the rules of axe-core: wide by day, narrow by night."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

from tertium.app.campaigns import annotators_of, set_state
from tertium.app.working import Work
from tests.app.conftest import Person, Site
from tests.app.made import DESIGNS
from tests.app.test_admin import log_in
from tests.app.test_browser import begin, next_by_key
from tests.app.test_practice import BAD, SPANS

Visit = Callable[[Any, Site, str], None]
LOOKS = ((1400, "light"), (400, "dark"))


def faults(page: Any) -> list[str]:
    """What axe finds, with the first thing of each kind; looked for again while the page may still be settling."""
    for _ in range(5):
        found = Axe().run(page).response["violations"]
        if not found:
            return []
        page.wait_for_timeout(300)
    return [f"{one['id']}: {one['help']}: {one['nodes'][0]['html'][:200]}" for one in found]


def sound(page: Any, name: str) -> None:
    """No fault, and nothing wider than the screen."""
    for width, scheme in LOOKS:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        assert faults(page) == [], f"{name} at {width} px, {scheme}"
    for width in (1400, 1024, 400):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def design(name: str, **more: Any) -> Visit:
    def visit(page: Any, site: Site, campaign: str) -> None:
        begin(page, site, site.campaign(name, name=campaign, **more), "Ann")

    return visit


def marked(page: Any, site: Site, campaign: str) -> None:
    """Errors in the list, a draft, and a comment that is open."""
    begin(
        page,
        site,
        site.campaign("error-spans", name=campaign, options={"protocol": "mqm", "score": False}),
        "Ann",
    )
    page.wait_for_selector("#translation:focus")
    page.keyboard.press("2")
    page.wait_for_selector("#marks [data-key=category]:focus")
    page.locator("#comments summary").click()
    page.locator("#translation").focus()
    page.keyboard.press("Shift+ArrowRight")


def document(page: Any, site: Site, campaign: str) -> None:
    """In the middle of a document: segments before, here and after."""
    begin(page, site, site.campaign("error-spans", name=campaign, options={"unit": "document"}), "Ann")
    page.wait_for_selector("#translation:focus")
    page.keyboard.press("1")
    page.keyboard.press("s")
    page.keyboard.type("70")
    next_by_key(page)
    page.wait_for_selector("#translation:focus")


def document_end(page: Any, site: Site, campaign: str) -> None:
    one = {"names": ["Ann"], "items": 1}
    nothing = {"repeat": 0, "degraded": 0, "reference": 0}
    options = {"unit": "document", "against": "both"}
    number = site.campaign(
        "direct-assessment", name=campaign, options=options, annotators=one, controls=nothing
    )
    begin(page, site, number, "Ann")
    while not page.locator("section#here").count():
        page.wait_for_selector("#score:focus")
        page.keyboard.type("70")
        next_by_key(page)


def start(page: Any, site: Site, campaign: str) -> None:
    number = site.campaign(
        "error-spans", name=campaign, tutorial={"items": SPANS}, options={"unit": "document"}
    )
    page.goto(site.link(number, "Ann"))


def ready(page: Any, site: Site, campaign: str) -> None:
    """An answer, so that the button is on."""
    begin(page, site, site.campaign("direct-assessment", name=campaign), "Ann")
    page.wait_for_selector("#score:focus")
    page.keyboard.type("42")
    page.wait_for_function("() => !document.getElementById('next').disabled")


def feedback(page: Any, site: Site, campaign: str) -> None:
    number = site.campaign("direct-assessment", name=campaign, tutorial={"items": [BAD]})
    page.goto(site.link(number, "Ann"))
    page.locator("#begin").click()
    page.wait_for_selector("#score:focus")
    page.keyboard.type("90")
    page.keyboard.press("Enter")
    page.wait_for_selector("#onward:focus")


def not_there_yet(page: Any, site: Site, campaign: str) -> None:
    feedback(page, site, campaign)
    page.locator("#onward").click()
    page.wait_for_url("**/practice")


def finished(page: Any, site: Site, campaign: str) -> None:
    begin(
        page, site, site.campaign("pairwise", name=campaign, annotators={"names": ["Ann"], "items": 1}), "Ann"
    )
    page.keyboard.press("1")
    page.wait_for_url("**/finished")


def paused(page: Any, site: Site, campaign: str) -> None:
    number = site.campaign("pairwise", name=campaign)
    begin(page, site, number, "Ann")
    set_state(site.database, number, annotators_of(site.database, number)[0].id, "paused")
    page.reload()


def refused(page: Any, site: Site, campaign: str) -> None:
    page.goto(f"{site.url}/work")
    page.troubles[:] = [one for one in page.troubles if "401" not in one]


PAGES: dict[str, Visit] = {
    "front": lambda page, site, campaign: page.goto(site.url),
    "start": start,
    **{name: design(name) for name in DESIGNS},
    "ready": ready,
    "marked": marked,
    "document": document,
    "document-end": document_end,
    "feedback": feedback,
    "not-there-yet": not_there_yet,
    "finished": finished,
    "paused": paused,
    "refused": refused,
}


@pytest.mark.parametrize("name", PAGES)
def test_annotators_pages(name: str, site: Site, person: Person) -> None:
    page = person(viewport={"width": 1400, "height": 900})
    PAGES[name](page, site, f"axe-{name}")
    sound(page, name)


MANAGED = {
    "campaigns": "/admin",
    "new": "/admin/new",
    "campaign": "/admin/campaigns/{}",
    "answers": "/admin/campaigns/{}/answers",
    "result": "/admin/campaigns/{}/result",
}


@pytest.fixture(scope="module")
def managed(site: Site) -> str:
    """A campaign that somebody works at."""
    number = site.campaign(
        "direct-assessment", name="axe-managed", annotators={"names": ["Ann", "Ben"], "items": 10}
    )
    for who in annotators_of(site.database, number):
        work = Work(site.database, number, who.id)
        for position in range(1, 9):
            work.save(position, f"{who.id:04d}-{position:08d}", {"score": 10 * position}, 5.0, complete=True)
    return "axe-managed"


@pytest.mark.parametrize("name", MANAGED)
def test_managers_pages(name: str, managed: str, site: Site, person: Person) -> None:
    page = person(viewport={"width": 1400, "height": 900})
    log_in(page, site)
    page.goto(site.url + MANAGED[name].format(managed))
    page.wait_for_load_state("networkidle")
    sound(page, name)


def test_axe_sees_faults(site: Site, person: Person) -> None:
    """The test can fail."""
    page = person()
    page.goto(site.url)
    faulty = "<img src='data:,'><button></button>"
    page.evaluate("html => document.querySelector('main').insertAdjacentHTML('beforeend', html)", faulty)
    assert {one.partition(":")[0] for one in faults(page)} == {"image-alt", "button-name"}
