"""The manager's pages by mouse and keyboard: a campaign from a folder, tasks moved, answers looked at, exports."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

from tertium.app.campaigns import add_annotator, annotators_of
from tertium.app.working import Work
from tests.app.conftest import Person, Site
from tests.app.test_admin import judge, line, log_in
from tests.app.test_manager import CAMPAIGN, SEGMENTS, UNLIKE, people
from tests.hands import HANDS, WIDTHS, pick, press, write


def campaign_folder(folder: Path, name: str) -> Path:
    (folder / "mine" / "texts").mkdir(parents=True)
    (folder / "mine" / "campaign.toml").write_text(CAMPAIGN.format(name))
    (folder / "mine" / "texts" / "segments.jsonl").write_text(SEGMENTS)
    return folder / "mine"


@WIDTHS
@HANDS
def test_a_campaign_from_a_folder(width: int, hand: str, site: Site, person: Person, tmp_path: Path) -> None:
    """What is wrong is said; a look first, then the campaign; not twice by one name."""
    name = f"made-{width}-{hand}"
    folder = campaign_folder(tmp_path, name)
    page = person(viewport={"width": width, "height": 900})
    log_in(page, site)
    press(page.get_by_role("link", name="New campaign"), hand)
    assert page.evaluate("document.documentElement.scrollWidth") <= width

    def upload(field: str, what: Path, button: str) -> None:
        with page.expect_file_chooser() as chooser:
            press(page.locator(field), hand)
        chooser.value.set_files(what)
        press(page.get_by_role("button", name=button), hand)

    upload("#files", folder / "campaign.toml", "Create the campaign")
    page.get_by_text("campaign.toml: line 3: segments: texts/segments.jsonl: no such file").wait_for()
    upload("#folder", folder, "Check only")
    page.get_by_text("Everything is in order").wait_for()
    assert "different items" in page.inner_text("main")
    upload("#folder", folder, "Create the campaign")
    page.wait_for_url(f"**/campaigns/{name}")
    assert "0 / 5" in line(page, "Ann").inner_text()
    page.goto(f"{site.url}/admin/new")
    upload("#folder", folder, "Create the campaign")
    page.get_by_text("there is a campaign called").wait_for()
    page.troubles[:] = [one for one in page.troubles if "422" not in one]


@WIDTHS
@HANDS
def test_a_manager_moves_tasks_and_sets_people_aside(
    width: int, hand: str, site: Site, person: Person
) -> None:
    name = f"moved-{width}-{hand}"
    campaign = site.campaign("direct-assessment", name=name, annotators=UNLIKE)
    for who in ("Ann", "Cem"):
        judge(site, campaign, who)
    page = person(viewport={"width": width, "height": 900})
    log_in(page, site)
    page.goto(f"{site.url}/admin/campaigns/{name}")
    page.get_by_text("66% done").wait_for()
    page.get_by_text("Stuck: Ben (has not begun)").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    press(line(page, "Ben").locator("summary"), hand)
    write(line(page, "Ben").get_by_label("How many open screens of Ben"), "4", hand)
    pick(line(page, "Ben").get_by_label("open screens to"), "Ann", hand)
    press(line(page, "Ben").get_by_role("button", name="Reassign"), hand)
    page.get_by_text("4 open screens went from Ben to Ann.").wait_for()  # control items come along
    assert "10 / 14" in line(page, "Ann").inner_text()
    assert "0 / 6" in line(page, "Ben").inner_text()
    # Cem is set aside; without a reason nothing happens.
    press(line(page, "Cem").locator("summary"), hand)
    reason = line(page, "Cem").get_by_label("Why Cem is set aside")
    away = line(page, "Cem").get_by_role("button", name="Set aside")
    press(away, hand)
    assert people_states(site, campaign)["Cem"] == "active"
    write(reason, "same score =everywhere", hand)
    press(away if hand == "mouse" else reason, hand)
    line(page, "Cem", ".removed").get_by_text("set aside: same score =everywhere").wait_for()
    page.get_by_text("Set aside and left out: Cem (same score =everywhere), 10 judgements.").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    press(page.get_by_role("link", name="Open the analysed result"), hand)
    page.get_by_text("Set aside and left out: Cem").wait_for()
    page.go_back()
    press(line(page, "Cem").get_by_role("button", name="Restore"), hand)
    line(page, "Cem", ".active").wait_for()


def people_states(site: Site, campaign: int) -> dict[str, str]:
    return {row.name: row.state for row in annotators_of(site.database, campaign)}


def judged_spans(site: Site, name: str, items: int, *annotators: str) -> int:
    """A campaign in which everybody has marked the same, with an overlap, an omission and a comment."""
    campaign = site.campaign("error-spans", name=name, annotators={"names": annotators, "items": items})
    for who in people(site.database, campaign).values():
        mark_all(site, campaign, who)
    return campaign


def mark_all(site: Site, campaign: int, who: int) -> None:
    work = Work(site.database, campaign, who)
    for position in range(1, work.progress().total + 1):
        spans = [
            {"start": 0, "end": 4, "severity": "minor", "category": ""},
            {"start": 2, "end": 6, "severity": "major", "category": ""},
            {"start": None, "end": None, "severity": "major", "category": ""},
        ]
        score = int(work.screen(position).item.segment)  # type: ignore[union-attr]
        answer = {"spans": spans, "score": score, "comment": "<b>hm</b>"}
        work.save(position, f"{who:04d}-{position:08d}", answer, 5.0, complete=True)


@WIDTHS
@HANDS
def test_single_answers_can_be_seen(width: int, hand: str, site: Site, person: Person) -> None:
    name = f"seen-{width}-{hand}"
    judged_spans(site, name, 30, "Ann", "Ben")
    page = person(viewport={"width": width, "height": 900})
    log_in(page, site)
    page.goto(f"{site.url}/admin/campaigns/{name}")
    page.get_by_text("Agreement is good").wait_for()
    page.get_by_text("F1 of marked characters").wait_for()
    press(page.get_by_role("link", name="See single answers"), hand)
    page.get_by_text("60 answers").wait_for()
    assert page.locator("article").count() == 25
    marked = page.locator("article").first.locator("dd mark").inner_text()
    assert len(marked) == 6  # spans that overlap, as one
    assert "<b>hm</b>" in page.locator("article").first.inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    press(page.get_by_role("link", name="→"), hand)
    page.get_by_text("2 of 3").wait_for()
    pick(page.get_by_label("Annotator"), "Ben", hand)
    press(page.get_by_role("button", name="Show"), hand)
    page.get_by_text("30 answers").wait_for()
    press(page.locator("article a").first, hand)  # who else judged this segment?
    page.wait_for_url("**segment=*")
    said = page.locator("article strong:first-child").all_inner_texts()
    assert {"Ann", "Ben"} <= set(said)


@WIDTHS
def test_agreement_and_results_are_live(width: int, site: Site, person: Person) -> None:
    """Nobody reloads the page."""
    name = f"live-{width}"
    campaign = judged_spans(site, name, 12, "Ann")
    page = person(viewport={"width": width, "height": 900})
    log_in(page, site)
    page.clock.install()
    page.goto(f"{site.url}/admin/campaigns/{name}")
    page.get_by_text("nothing has been judged by two people yet").wait_for()
    add_annotator(site.database, campaign, "Ben")
    mark_all(site, campaign, people(site.database, campaign)["Ben"])
    page.clock.run_for(4000)
    page.get_by_text("Agreement is good").wait_for()
    page.get_by_text("24 of 24 screens").wait_for()
    assert page.get_by_role("heading", name="Result so far").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@WIDTHS
@HANDS
def test_every_export_can_be_downloaded(width: int, hand: str, site: Site, person: Person) -> None:
    name = f"all-{width}-{hand}"
    judged_spans(site, name, 2, "Ann")
    page = person(viewport={"width": width, "height": 900})
    log_in(page, site)
    page.goto(f"{site.url}/admin/campaigns/{name}")
    links = page.locator("a[download]")
    found = {}
    for i in range(links.count()):
        with page.expect_download() as started:
            press(links.nth(i), hand)
        found[links.nth(i).inner_text()] = started.value.path().read_bytes()
    assert list(found) == [
        "CSV",
        "JSON Lines",
        "Judgements (TSV)",
        "WMT",
        "Appraise",
        "MQM (Google's TSV)",
        "mt-metrics-eval",
    ]
    assert found["MQM (Google's TSV)"].startswith(b"system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget")
    assert len(zipfile.ZipFile(io.BytesIO(found["mt-metrics-eval"])).namelist()) == 3
    site.campaign("pairwise", name=f"few-{width}-{hand}")
    page.goto(f"{site.url}/admin/campaigns/few-{width}-{hand}")
    assert page.locator(".button.off").all_inner_texts() != []
    assert "gives none" in (page.locator(".button.off").first.get_attribute("title") or "")
