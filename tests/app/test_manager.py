"""What a manager does: a campaign from files, single answers, tasks given to others, people set aside."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import httpx2
import pytest
from sqlalchemy import select

from tertium.app import schema
from tertium.app.campaigns import add_items, annotators_of, reassign, set_state
from tertium.app.database import CampaignDatabase
from tertium.app.loading import load_campaign, load_uploaded, segments_from_text
from tertium.app.overview import annotator_lines, campaigns, collected, single_answers, standing
from tertium.app.working import Work
from tertium.errors import InputError
from tertium.human.campaigns.analysis import analyse
from tertium.human.campaigns.exports import exported
from tests.app.conftest import PASSWORD, Site
from tests.app.made import database_at, make
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
UNLIKE = {"names": ["Ann", "Ben", "Cem"], "items": 10, "sample": "different"}


@pytest.fixture
def database(tmp_path: Path) -> Any:
    found = database_at(tmp_path)
    yield found
    found.close()


def people(database: CampaignDatabase, campaign: int) -> dict[str, int]:
    return {row.name: row.id for row in annotators_of(database, campaign)}


def answered(database: CampaignDatabase, campaign: int, who: int, many: int) -> Work:
    work = Work(database, campaign, who)
    for position in range(1, many + 1):
        assert work.save(position, f"key-{who}-{position:06d}", {"score": 9 * position}, 3.0, complete=True)
    return work


def places(database: CampaignDatabase, who: int) -> list[int]:
    tasks = schema.tasks.c
    return [
        row.position
        for row in database.rows(
            select(tasks.position).where(tasks.annotator == who).order_by(tasks.position)
        )
    ]


# -- tasks that go to others --------------------------------------------------------------------------------------


def test_open_tasks_go_to_somebody_else(database: CampaignDatabase) -> None:
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


def test_only_so_many_go_and_nothing_twice(database: CampaignDatabase) -> None:
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


def test_documents_go_whole(database: CampaignDatabase) -> None:
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


def test_people_set_aside_are_left_out_and_named(database: CampaignDatabase) -> None:
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


def test_how_far_and_who_is_stuck(database: CampaignDatabase) -> None:
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


def test_added_segments_go_on_counting(database: CampaignDatabase) -> None:
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
        database = CampaignDatabase(url)
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
    with httpx2.Client(base_url=site.url) as client:
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
