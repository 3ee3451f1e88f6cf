"""What a manager does: a campaign from files, single answers, tasks given to others, people set aside."""

from __future__ import annotations

import io
import json
import time
import zipfile
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from tertium.app import schema
from tertium.app.campaigns import add_items, annotators_of, reassign, set_state
from tertium.app.database import Database
from tertium.app.loading import load_campaign, load_uploaded, segments_from_text
from tertium.app.overview import annotator_lines, campaigns, collected, single_answers, standing
from tertium.app.working import Work
from tertium.errors import InputError
from tertium.human.campaigns.analysis import analyse
from tertium.human.campaigns.exports import exported
from tests.app.conftest import PASSWORD, Person, Site
from tests.app.made import database_at, make
from tests.app.test_admin import judge, line, log_in
from tests.app.test_kill import postgres

SEGMENTS = "".join(
    json.dumps(
        {
            "id": f"s {i}",
            "source": f"Satz {i}.",
            "reference": f"Line {i}.",
            "outputs": {"A": f"a {i}", "B": f"b {i}"},
        }
    )
    + "\n"
    for i in range(1, 11)
)
CAMPAIGN = """name = "{}"
design = "pairwise"
segments = "texts/segments.jsonl"
[annotators]
names = ["Ann"]
items = 5
"""
WIDTHS = pytest.mark.parametrize("width", [1400, 1024, 400])
UNLIKE = {"names": ["Ann", "Ben", "Cem"], "items": 10, "sample": "different"}


@pytest.fixture
def database(tmp_path: Path) -> Any:
    found = database_at(tmp_path)
    yield found
    found.close()


def people(database: Database, campaign: int) -> dict[str, int]:
    return {row.name: row.id for row in annotators_of(database, campaign)}


def answered(database: Database, campaign: int, who: int, many: int) -> Work:
    work = Work(database, campaign, who)
    for position in range(1, many + 1):
        assert work.save(position, f"key-{who}-{position:06d}", {"score": 9 * position}, 3.0, complete=True)
    return work


def places(database: Database, who: int) -> list[int]:
    tasks = schema.tasks.c
    return [
        row.position
        for row in database.rows(
            select(tasks.position).where(tasks.annotator == who).order_by(tasks.position)
        )
    ]


# -- tasks that go to others --------------------------------------------------------------------------------------


def test_open_tasks_go_to_somebody_else(database: Database) -> None:
    campaign = make(database, "direct-assessment", annotators=UNLIKE, controls={})
    ann, ben, _ = people(database, campaign).values()
    before = {item.code for item in database.rows(select(schema.items.c.code))}
    work = answered(database, campaign, ann, 3)
    went, stay = reassign(database, campaign, ann, ben)
    # The screen that Ann may be looking at stays, and so do control items whose original she has done.
    assert went + stay == 7
    assert went >= 4
    assert places(database, ann) == list(range(1, 4 + stay))
    assert places(database, ben) == list(range(1, 11 + went))
    assert work.progress().next == 4
    later = Work(database, campaign, ben)
    assert later.screen(10 + went) is not None
    assert later.save(11, "key-of-ben-1", {"score": 7}, 1.0, complete=True) is not None
    assert before == {
        item.code for item in database.rows(select(schema.items.c.code))
    }  # nothing is lost or made


def test_only_so_many_go_and_nothing_twice(database: Database) -> None:
    campaign = make(database, "pairwise", annotators=UNLIKE)
    ann, ben, cem = people(database, campaign).values()
    assert reassign(database, campaign, ann, ben, 2) == (2, 8)
    assert places(database, ann) == list(range(1, 9))
    assert reassign(database, campaign, ben, ann) == (11, 1)  # back again: the first of Ben's own stays
    set_state(database, campaign, cem, "removed", "left")
    assert reassign(database, campaign, cem, ben) == (10, 0)  # nobody is looking at these
    same = make(database, "pairwise", name="same")
    first, second = people(database, same).values()
    assert reassign(database, same, first, second) == (0, 3)  # the second has them already
    for giver, taker in ((ann, ann), (ann, cem), (ann, first), (999, ann)):
        with pytest.raises(InputError, match="choose another annotator"):
            reassign(database, campaign, giver, taker)


def test_documents_go_whole(database: Database) -> None:
    campaign = make(
        database,
        "direct-assessment",
        options={"unit": "document"},
        controls={"repeat": 0, "degraded": 0, "reference": 0},
        annotators={"names": ["Ann", "Ben"], "items": 3, "sample": "different"},
    )
    ann, ben = people(database, campaign).values()
    answered(database, campaign, ann, 1)  # the first document has begun
    before = len(places(database, ben))
    went, _ = reassign(database, campaign, ann, ben)
    for who in (ann, ben):
        work = Work(database, campaign, who)
        screens = [work.screen(position) for position in places(database, who)]
        runs = [screen.item.whole or screen.item.id for screen in screens if screen is not None]
        assert len(set(runs)) == sum(
            a != b for a, b in zip(runs, [*runs[1:], ""], strict=True)
        )  # each in one piece
        assert all(
            screen is not None and screen.item.inside for screen in screens[-1:]
        )  # its score at the end
        assert len(set(runs)) == {ann: 1, ben: 5}[who]
    assert len(places(database, ben)) == before + went


# -- people set aside ---------------------------------------------------------------------------------------------


def test_people_set_aside_are_left_out_and_named(database: Database) -> None:
    campaign = make(database, "direct-assessment", controls={})
    ann, ben = people(database, campaign).values()
    for who in (ann, ben):
        answered(database, campaign, who, 3)
    set_state(database, campaign, ben, "removed", "clicks at random")
    found = analyse(collected(database, campaign))
    assert "Set aside and left out: Ben (clicks at random), 3 judgements." in list(found.words())
    assert found.data()["set_aside"] == [{"annotator": "Ben", "reason": "clicks at random", "judgements": 3}]
    assert b"Ben" not in exported(collected(database, campaign), "csv").data
    assert len(single_answers(database, campaign, None, "", 1)[0]) == 6  # but they can be seen
    set_state(database, campaign, ben, "active")
    assert analyse(collected(database, campaign)).aside == ()
    assert [row.reason for row in annotators_of(database, campaign)] == [None, None]
    with pytest.raises(InputError, match="at most 500"):
        set_state(database, campaign, ben, "removed", "x" * 501)


def test_how_far_and_who_is_stuck(database: Database) -> None:
    campaign = make(
        database, "direct-assessment", annotators={"names": ["Ann", "Ben", "Cem", "Dot"], "items": 3}
    )
    ann, ben, _, dot = people(database, campaign).values()
    now = time.time()
    assert standing(annotator_lines(database, campaign), now).stuck == ()  # nobody has begun
    answered(database, campaign, ann, 3)
    answered(database, campaign, ben, 1)
    set_state(database, campaign, dot, "paused")
    found = standing(annotator_lines(database, campaign), now + 3 * 86400)
    assert (found.done, found.total, found.percent) == (4, 12, 33)
    assert [(name, round(days)) for name, days in found.stuck if days < 1e6] == [("Ben", 3)]
    assert [name for name, days in found.stuck if days > 1e6] == ["Cem"]
    assert found.hours == pytest.approx(3 * 3.0 / 3600)


def test_added_segments_go_on_counting(database: Database) -> None:
    campaign = make(database, "direct-assessment")
    new = segments_from_text(
        '{"id": "n1", "source": "a", "reference": "b", "outputs": {"literal": "c", "strong": "d"}}'
    )
    add_items(database, campaign, new)
    rows = database.rows(select(schema.items.c.content))
    assert max(json.loads(row.content)["line"] for row in rows) == 70  # the sample has 69
    assert collected(database, campaign).size == 70


@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_postgresql_does_the_same(tmp_path: Path) -> None:
    with postgres(tmp_path) as url:
        database = Database(url)
        try:
            campaign = make(database, "direct-assessment", annotators=UNLIKE)
            ann, ben, cem = people(database, campaign).values()
            for who in (ann, cem):
                answered(database, campaign, who, 3)
            went, stay = reassign(database, campaign, ann, ben)
            assert (went + stay, places(database, ben)) == (7, list(range(1, 11 + went)))
            set_state(database, campaign, cem, "removed", "left")
            assert [str(one) for one in collected(database, campaign).aside] == ["Cem (left), 3 judgements"]
            (row,) = campaigns(database)
            assert (row.annotators, row.done, row.total) == (3, 3, 20)
            found, total = single_answers(database, campaign, cem, "", 1)
            assert len(found) == total == 3
            assert single_answers(database, campaign, None, found[0].item.segment, 1)[1] >= 1
        finally:
            database.close()


# -- campaigns from files -----------------------------------------------------------------------------------------


def test_the_same_files_and_the_same_messages(tmp_path: Path) -> None:
    files = {"campaign.toml": CAMPAIGN.format("x").encode(), "texts/segments.jsonl": SEGMENTS.encode()}
    for name, data in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    assert load_uploaded(files) == load_campaign(tmp_path / "campaign.toml")
    assert load_uploaded({f"folder/{name}": data for name, data in files.items()})[0].name == "x"
    for name, broken in (
        ("campaign.toml", CAMPAIGN.format("x") + "itmes = 3\n"),
        ("texts/segments.jsonl", SEGMENTS + "{}\n"),
    ):
        (tmp_path / name).write_text(broken)
        with pytest.raises(InputError) as here:
            load_campaign(tmp_path / "campaign.toml")
        with pytest.raises(InputError) as there:
            load_uploaded(files | {name: broken.encode()})
        assert str(there.value) == str(here.value).replace(f"{tmp_path}/", "")
        (tmp_path / name).write_bytes(files[name])


@pytest.mark.parametrize(
    "name", ["../x", "/etc/x", "a/../x", ".hidden", "a\\b", "C:x", "", "a//b", "a\n", "x" * 121, "a/./b"]
)
def test_no_file_leaves_its_folder(name: str) -> None:
    with pytest.raises(InputError, match="file name cannot be used"):
        load_uploaded({name: b"", "campaign.toml": b""})


@pytest.mark.parametrize(
    "text",
    [
        'testset = "/etc"',
        'segments = "../../etc/passwd"',
        'testset = "tertium.toml"\n[outputs]\nA = "/etc/passwd"',
        'instructions = "/etc/motd.md"',
        'testset = "-"',
    ],
)
def test_no_file_of_the_server_is_read(text: str) -> None:
    given = f'name = "x"\ndesign = "pairwise"\n{text}\n'.encode()
    with pytest.raises(InputError, match=r"campaign.toml: line \d: .* is not among the uploaded files"):
        load_uploaded({"campaign.toml": given})
    project = b'references = ["/etc/hostname"]\n[systems]\nA = "a.txt"\n'
    fine = b'name = "x"\ndesign = "pairwise"\ntestset = "tertium.toml"\n'
    with pytest.raises(InputError, match=r"tertium.toml: line 1: references: '/etc/hostname' is not among"):
        load_uploaded({"campaign.toml": fine, "tertium.toml": project})
    with pytest.raises(InputError, match=r"upload one campaign.toml"):
        load_uploaded({"a.toml": fine, "b.toml": fine})
    with pytest.raises(InputError, match=r"upload one campaign.toml"):
        load_uploaded({})


def test_only_the_manager_creates(site: Site) -> None:
    site.house.limiter._buckets.clear()
    files = {"files": ("campaign.toml", CAMPAIGN.format("stolen").encode())}
    with httpx.Client(base_url=site.url) as client:
        assert client.post("/admin/new", files=files).headers["location"] == "/admin/login"
        assert client.get("/admin/campaigns/x/answers").headers["location"] == "/admin/login"
        # A stranger's body is not even read: it may be as wrong as it likes.
        odd = {"content-type": "text/plain"}
        assert client.post("/admin/new", content=b"x", headers=odd).headers["location"] == "/admin/login"
        client.post("/admin/login", data={"password": PASSWORD})
        assert client.post("/admin/new", files=files).status_code == 403  # no token of our own page
        assert client.post("/admin/new", content=b"x", headers=odd).status_code == 415
        assert client.post("/admin/new", content=b"x" * (65 * 1024 * 1024)).status_code == 413
        assert client.get("/admin/campaigns/nothing/answers").status_code == 404


def campaign_folder(folder: Path, name: str) -> Path:
    (folder / "mine" / "texts").mkdir(parents=True)
    (folder / "mine" / "campaign.toml").write_text(CAMPAIGN.format(name))
    (folder / "mine" / "texts" / "segments.jsonl").write_text(SEGMENTS)
    return folder / "mine"


@WIDTHS
def test_a_campaign_from_a_folder(width: int, site: Site, person: Person, tmp_path: Path) -> None:
    folder = campaign_folder(tmp_path, f"made-{width}")
    page = person(viewport={"width": width, "height": 900})
    log_in(page, site)
    page.get_by_role("link", name="New campaign").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.set_input_files("#files", folder / "campaign.toml")
    page.get_by_role("button", name="Create the campaign").click()
    page.get_by_text("campaign.toml: line 3: segments: texts/segments.jsonl: no such file").wait_for()
    page.troubles[:] = [one for one in page.troubles if "422" not in one]
    # With the keyboard: look first, then create.
    page.set_input_files("#folder", folder)
    page.get_by_role("button", name="Check only").focus()
    page.keyboard.press("Enter")
    page.get_by_text("Everything is in order").wait_for()
    assert "different items" in page.inner_text("main")
    page.set_input_files("#folder", folder)
    page.get_by_role("button", name="Create the campaign").focus()
    page.keyboard.press("Space")
    page.wait_for_url(f"**/campaigns/made-{width}")
    assert "0 / 5" in line(page, "Ann").inner_text()
    page.goto(f"{site.url}/admin/new")
    page.set_input_files("#folder", folder)
    page.get_by_role("button", name="Create the campaign").click()
    page.get_by_text("there is a campaign called").wait_for()
    page.troubles[:] = [one for one in page.troubles if "422" not in one]


@WIDTHS
def test_a_manager_moves_tasks_and_sets_people_aside(width: int, site: Site, person: Person) -> None:
    name = f"moved-{width}"
    campaign = site.campaign("direct-assessment", name=name, annotators=UNLIKE)
    for who in ("Ann", "Cem"):
        judge(site, campaign, who)
    page = person(viewport={"width": width, "height": 900})
    log_in(page, site)
    page.goto(f"{site.url}/admin/campaigns/{name}")
    page.get_by_text("66% done").wait_for()
    page.get_by_text("Stuck: Ben (has not begun)").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    # Some of Ben's tasks to Ann, by mouse.
    line(page, "Ben").locator("summary").click()
    line(page, "Ben").get_by_label("How many open screens of Ben").fill("4")
    line(page, "Ben").get_by_label("open screens to").select_option("Ann")
    line(page, "Ben").get_by_role("button", name="Reassign").click()
    page.get_by_text("4 open screens went from Ben to Ann.").wait_for()  # control items come along
    assert "10 / 14" in line(page, "Ann").inner_text()
    assert "0 / 6" in line(page, "Ben").inner_text()
    # Cem is set aside, by keyboard; without a reason nothing happens.
    line(page, "Cem").locator("summary").focus()
    page.keyboard.press("Enter")
    line(page, "Cem").get_by_label("Why Cem is set aside").focus()
    page.keyboard.press("Enter")
    assert people_states(site, campaign)["Cem"] == "active"
    page.keyboard.type("same score =everywhere")
    page.keyboard.press("Enter")
    line(page, "Cem", ".removed").get_by_text("set aside: same score =everywhere").wait_for()
    page.get_by_text("Set aside and left out: Cem (same score =everywhere), 10 judgements.").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("link", name="Open the analysed result").click()
    page.get_by_text("Set aside and left out: Cem").wait_for()
    page.go_back()
    line(page, "Cem").get_by_role("button", name="Restore").click()
    line(page, "Cem", ".active").wait_for()


def people_states(site: Site, campaign: int) -> dict[str, str]:
    return {row.name: row.state for row in annotators_of(site.database, campaign)}


@WIDTHS
def test_single_answers_can_be_seen(width: int, site: Site, person: Person) -> None:
    name = f"seen-{width}"
    campaign = site.campaign("error-spans", name=name, annotators={"names": ["Ann", "Ben"], "items": 30})
    for who in people(site.database, campaign).values():
        work = Work(site.database, campaign, who)
        for position in range(1, 31):
            spans = [
                {"start": 0, "end": 4, "severity": "minor", "category": ""},
                {"start": 2, "end": 6, "severity": "major", "category": ""},
                {"start": None, "end": None, "severity": "major", "category": ""},
            ]
            score = int(work.screen(position).item.segment)  # type: ignore[union-attr]
            answer = {"spans": spans, "score": score, "comment": "<b>hm</b>"}
            work.save(position, f"{who:04d}-{position:08d}", answer, 5.0, complete=True)
    page = person(viewport={"width": width, "height": 900})
    log_in(page, site)
    page.goto(f"{site.url}/admin/campaigns/{name}")
    page.get_by_text("Agreement is good").wait_for()
    page.get_by_text("F1 of marked characters").wait_for()
    page.get_by_role("link", name="See single answers").click()
    page.get_by_text("60 answers").wait_for()
    assert page.locator("article").count() == 25
    assert (
        len(page.locator("article").first.locator("dd mark").inner_text()) == 6
    )  # spans that overlap, as one
    assert "<b>hm</b>" in page.locator("article").first.inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("link", name="→").focus()
    page.keyboard.press("Enter")
    page.get_by_text("2 of 3").wait_for()
    page.get_by_label("Annotator").select_option("Ben")
    page.get_by_role("button", name="Show").click()
    page.get_by_text("30 answers").wait_for()
    page.locator("article a").first.click()  # who else judged this segment?
    page.wait_for_url("**segment=*")
    said = page.locator("article strong:first-child").all_inner_texts()
    assert {"Ann", "Ben"} <= set(said)


def test_every_export_can_be_downloaded(site: Site, person: Person) -> None:
    campaign = site.campaign("error-spans", name="all", annotators={"names": ["Ann"], "items": 2})
    work = Work(site.database, campaign, people(site.database, campaign)["Ann"])
    for position in (1, 2):
        work.save(position, f"all-{position:08d}", {"spans": [], "score": 40}, 5.0, complete=True)
    page = person()
    log_in(page, site)
    page.goto(f"{site.url}/admin/campaigns/all")
    links = page.locator("a[download]")
    found = {}
    for i in range(links.count()):
        with page.expect_download() as started:
            links.nth(i).click()
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
    site.campaign("pairwise", name="few")
    page.goto(f"{site.url}/admin/campaigns/few")
    assert page.locator(".button.off").all_inner_texts() != []
    assert "gives none" in (page.locator(".button.off").first.get_attribute("title") or "")
