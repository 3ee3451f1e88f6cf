"""The interface for scripts: create, assign, add, export; and what a machine makes of its description."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from tertium.app.working import Work
from tertium.web.guards import Limiter
from tests.app.conftest import Site

SEGMENTS = [
    {
        "id": str(i),
        "source": f"Satz {i}.",
        "reference": f"Sentence number {i}.",
        "outputs": {"A": f"Sentence {i}.", "B": f"The sentence {i}!"},
    }
    for i in range(1, 9)
]


@pytest.fixture
def script(site: Site) -> Iterator[httpx2.Client]:
    site.house.limiter = Limiter()
    headers = {"authorization": f"Bearer {site.access.new_script_token()}"}
    with httpx2.Client(base_url=f"{site.url}/api", headers=headers, timeout=20) as found:
        yield found


def new(script: httpx2.Client, name: str, **more: Any) -> dict[str, Any]:
    settings = {
        "name": name,
        "design": "pairwise",
        "languages": "de-en",
        "annotators": {"names": ["Ann"], "items": 4},
    }
    made = script.post("/campaigns", json={"settings": settings | more, "segments": SEGMENTS})
    assert made.status_code == 201, made.text
    return dict(made.json())


def test_a_campaign_from_beginning_to_end(site: Site, script: httpx2.Client) -> None:
    made = new(script, "scripted")
    (ann,) = made["annotators"]
    assert (ann["name"], ann["done"], ann["total"]) == ("Ann", 0, 4)
    assert httpx2.get(ann["link"]).status_code == 303
    assert "scripted" in script.get("/campaigns").json()
    grown = script.post("/campaigns/scripted/annotators", json={"name": "Ben"})
    assert grown.status_code == 201
    assert [one["name"] for one in grown.json()["annotators"]] == ["Ann", "Ben"]
    more = [dict(SEGMENTS[0], id="later-1"), dict(SEGMENTS[1], id="later-2")]
    added = script.post("/campaigns/scripted/items", json={"segments": more})
    assert added.json() == {"items": 2}
    state = script.get("/campaigns/scripted").json()
    assert [one["total"] for one in state["annotators"]] == [6, 6]
    from tertium.app.campaigns import campaign_named

    work = Work(site.database, campaign_named(site.database, "scripted"), ann["id"])
    for position in range(1, 7):
        assert work.save(position, f"key-{position:06d}", {"choice": "A"}, 2.0, complete=True)
    lines = [json.loads(line) for line in script.get("/campaigns/scripted/export").text.splitlines()]
    assert [one["answer"] for one in lines] == [{"choice": "A"}] * 6
    assert {one["segment"] for one in lines[4:]} == {"later-1", "later-2"}
    assert script.get("/campaigns/scripted/export", params={"shape": "wmt"}).status_code == 200
    refused = script.get("/campaigns/scripted/export", params={"shape": "appraise"})
    assert refused.status_code == 409
    assert "gives none" in refused.json()["detail"]
    analysis = script.get("/campaigns/scripted/analysis").json()
    assert analysis["judgements"] == 6
    number = state["annotators"][1]["id"]
    paused = script.patch(f"/campaigns/scripted/annotators/{number}", json={"state": "removed"})
    assert paused.json()["annotators"][1]["state"] == "removed"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"design": "pairs"}, "not 'pairs'; did you mean 'pairwise'?"),
        ({"sampling": {"hwo": "random"}}, "sampling.hwo: unknown key"),
        ({"annotators": {"items": 50}}, "too few items"),
        ({"systems": ["A", "Z"]}, "no output of the system 'Z'"),
        ({"testset": "/etc"}, "send the texts as segments"),
        ({"name": "../x"}, "a campaign's name"),
        ({"options": {"undecided": "no"}}, "options.undecided must be true or false"),
    ],
)
def test_bad_campaigns_are_refused_and_nothing_is_made(
    script: httpx2.Client, settings: dict[str, Any], message: str
) -> None:
    given = {"name": "refused", "design": "pairwise"} | settings
    found = script.post("/campaigns", json={"settings": given, "segments": SEGMENTS})
    assert found.status_code == 409
    assert message in found.json()["detail"]
    assert "refused" not in script.get("/campaigns").json()


def test_twice_the_same(script: httpx2.Client) -> None:
    new(script, "once")
    again = script.post(
        "/campaigns", json={"settings": {"name": "once", "design": "pairwise"}, "segments": SEGMENTS}
    )
    assert again.status_code == 409
    assert script.post("/campaigns/once/annotators", json={"name": "Ann"}).status_code == 409
    assert script.post("/campaigns/once/items", json={"segments": SEGMENTS}).status_code == 409
    twice = [SEGMENTS[0], SEGMENTS[0]]
    assert (
        "already used in segments[0]"
        in script.post("/campaigns/once/items", json={"segments": twice}).json()["detail"]
    )


def test_scripts_need_the_token(site: Site, script: httpx2.Client) -> None:
    for headers in (
        {},
        {"authorization": "Bearer x"},
        {"authorization": "Basic YTpi"},
        {"authorization": "Bearer"},
    ):
        with httpx2.Client(base_url=f"{site.url}/api", headers=headers) as stranger:
            assert stranger.get("/campaigns").status_code == 401
            assert stranger.post("/campaigns", json={}).status_code == 401
    with httpx2.Client(base_url=f"{site.url}/api", headers={"authorization": "Bearer x"}) as stranger:
        assert [stranger.get("/campaigns").status_code for _ in range(20)][-1] == 429
    site.house.limiter = Limiter()
    assert script.get("/campaigns").status_code == 200


def test_the_description_covers_what_scripts_need(site: Site) -> None:
    found = httpx2.get(f"{site.url}/api/openapi.json").json()
    operations = {(method, path) for path, methods in found["paths"].items() for method in methods}
    assert operations == {
        ("get", "/api/campaigns"),
        ("post", "/api/campaigns"),
        ("get", "/api/campaigns/{name}"),
        ("post", "/api/campaigns/{name}/annotators"),
        ("patch", "/api/campaigns/{name}/annotators/{number}"),
        ("post", "/api/campaigns/{name}/items"),
        ("get", "/api/campaigns/{name}/export"),
        ("get", "/api/campaigns/{name}/analysis"),
    }
    assert found["security"] == [{"token": []}]
