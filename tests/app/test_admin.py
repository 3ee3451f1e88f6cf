"""Administration in a real browser: progress, quality control, pausing, adding, exporting, the result."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

from tertium.app.campaigns import annotators_of
from tertium.app.overview import collected
from tertium.app.working import Work
from tertium.web.guards import Limiter
from tests.app.conftest import PASSWORD, Person, Site


def log_in(page: Any, site: Site) -> None:
    site.house.limiter = Limiter()  # many tests log in within a minute
    page.goto(f"{site.url}/admin")
    page.wait_for_url("**/admin/login")
    page.fill("#password", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/admin")


def line(page: Any, name: str, state: str = "") -> Any:
    """The row of an annotator in the table."""
    return page.locator(f".people tbody tr{state}", has=page.get_by_role("link", name=name, exact=True))


def judge(site: Site, campaign: int, name: str) -> None:
    """Everything judged: genuine items by the length of the text, degraded ones low, repeats nearly the same."""
    row = next(row for row in annotators_of(site.database, campaign) if row.name == name)
    work = Work(site.database, campaign, row.id)
    for position in range(1, work.progress().total + 1):
        screen = work.screen(position)
        assert screen is not None
        kind = screen.item.kind
        score = 5 if kind == "degraded" else 100 if kind == "reference" else 40 + len(screen.item.source) % 50
        work.save(position, f"{name}-{position:08d}", {"score": score}, 4.0, complete=True)


def test_an_administrators_day(site: Site, person: Person) -> None:
    campaign = site.campaign(
        "direct-assessment",
        name="day",
        annotators={"names": ["Ann", "Ben"], "items": 70},
        controls={"repeat": 10, "degraded": 10, "reference": 5},
    )
    judge(site, campaign, "Ann")
    page = person()
    log_in(page, site)
    page.get_by_role("link", name="day", exact=True).click()
    page.wait_for_url("**/campaigns/day")
    row = line(page, "Ann")
    assert "70 / 70" in row.inner_text()
    assert "degraded lower by" in row.inner_text()
    assert "900" in row.inner_text()  # an hour, at four seconds each
    # The table follows what happens elsewhere, without a reload.
    judge(site, campaign, "Ben")
    line(page, "Ben").get_by_text("70 / 70").wait_for()
    page.get_by_text("Krippendorff's alpha").wait_for()
    # Pause, and let go on.
    line(page, "Ben").get_by_role("button", name="Pause").click()
    line(page, "Ben", ".paused").wait_for()
    assert [row.state for row in annotators_of(site.database, campaign)] == ["active", "paused"]
    line(page, "Ben").get_by_role("button", name="Resume").click()
    line(page, "Ben", ".active").wait_for()
    # A new annotator, whose link works.
    page.fill("#names", "Cem\nDéjà Vu")
    page.get_by_role("button", name="Add", exact=True).click()
    line(page, "Déjà Vu").wait_for()
    line(page, "Cem").locator("summary").click()
    link = line(page, "Cem").locator("input.link").input_value()
    other = person()
    other.goto(link)
    other.wait_for_url("**/work/start")
    # More items, a bad line first.
    page.fill("#segments", '{"id": "n1", "source": "Eins.", "reference": "One."}')
    page.get_by_role("button", name="Add to everybody's work").click()
    page.get_by_text("line 1: outputs is missing: it must be an object").wait_for()
    page.troubles[:] = [one for one in page.troubles if "422" not in one]
    new = {
        "id": "n1",
        "source": "Eins.",
        "reference": "One.",
        "outputs": {"literal": "One.", "strong": "Ones."},
    }
    page.fill("#segments", json.dumps(new))
    page.get_by_role("button", name="Add to everybody's work").click()
    page.get_by_text("2 items were added.").wait_for()
    assert "70 / 72" in line(page, "Ann").inner_text()
    # Exports, as files.
    for label, start in (
        ("CSV", "campaign,design,annotator"),
        ("JSON Lines", '{"annotator": "Ann"'),
        ("WMT", "LP DATA SYSTEM"),
        ("Appraise", "Ann,"),
        ("mt-metrics-eval", "PK"),
        ("Judgements (TSV)", "system\tsegment"),
    ):
        with page.expect_download() as started:
            page.get_by_role("link", name=label, exact=True).click()
        data = started.value.path().read_bytes()
        assert data.decode("latin-1").startswith(start), label
        if label == "CSV":
            rows = list(csv.DictReader(io.StringIO(data.decode())))
            assert [float(row["value"]) for row in rows] == [
                one.answer["score"] for one in collected(site.database, campaign)
            ]
    # The result.
    page.get_by_role("link", name="Open the analysed result").click()
    page.wait_for_url("**/result")
    page.get_by_text("140 judgements by 2 annotators").wait_for()
    for heading in ("Systems", "Quality control", "Agreement between annotators"):
        assert page.get_by_role("heading", name=heading).count() == 1
    # And out.
    page.goto(f"{site.url}/admin")
    page.get_by_role("button", name="New token for scripts").click()
    assert len(page.inner_text("#token")) > 40
    page.get_by_role("button", name="Log out").click()
    page.wait_for_url("**/admin/login")
    page.goto(f"{site.url}/admin/campaigns/day")
    page.wait_for_url("**/admin/login")


def test_a_result_before_there_is_one(site: Site, person: Person) -> None:
    site.campaign("pairwise", name="empty")
    page = person()
    log_in(page, site)
    page.goto(f"{site.url}/admin/campaigns/empty/result")
    page.get_by_text("there are no judgements yet").wait_for()
