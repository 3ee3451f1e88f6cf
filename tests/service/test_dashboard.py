"""The dashboard in a real browser: what changed is said first, and opened down to segments by mouse and by keys."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import httpx2
import pytest
from sqlalchemy import delete, insert

from tertium.monitor import schema
from tertium.monitor.keys import ServiceKeys
from tertium.service.dashboard.reading import Reading
from tertium.web.guards import Limiter
from tests.app.test_axe import sound
from tests.service.conftest import LookIn, Watched

SENTENCE = re.compile(
    r"nmt-7 became worse in legal since 2\d April( \d+)?: chrF2 (\d\d\.\d) → (\d\d\.\d); nothing else changed\."
)


def change_of(watched: Watched) -> str:
    headers = {"authorization": f"Bearer {watched.key}"}
    [found] = httpx2.get(f"{watched.url}/v1/alarms?metric=chrf&domain=legal", headers=headers).json()
    return f"/change?metric=chrf&evaluation={found['evaluation']}"


def pages_of(watched: Watched) -> dict[str, str]:
    return {
        "overview": "/",
        "series": "/series?system=nmt-7&domain=legal&metric=chrf&days=90&by=day",
        "change": change_of(watched),
        "document": "/document?evaluation=58&metric=ter",
        "systems": "/compare?first=nmt-7&second=nmt-8&metric=chrf",
        "periods": "/compare?system=nmt-7&split=2026-04-24&metric=chrf",
    }


def test_it_says_what_changed_and_where(watched: Watched, look_in: LookIn) -> None:
    page = look_in()
    said = SENTENCE.fullmatch(page.locator("h1").inner_text().replace("\n", " "))
    assert said, page.locator("h1").inner_text()
    assert float(said.group(2)) > float(said.group(3)) + 10
    assert page.locator("a.cell").count() == 6
    assert page.locator("a.cell.worse").count() == 1
    assert page.locator("svg.spark").count() == 6


def test_a_drop_is_opened_down_to_segments(watched: Watched, look_in: LookIn) -> None:
    page = look_in()
    page.locator("a.cell.worse").click()
    page.wait_for_url("**/series?**")
    assert page.locator(".chart .wide .mark.worse").count() == 1
    assert "7.2" in page.locator(".chart .wide .mark.release").text_content()
    page.get_by_text("Open it").click()
    page.wait_for_url("**/change?**")
    shown = page.locator(".segments .mt").all_inner_texts()
    assert len(shown) == len(set(shown)) == 12, "the same text again is shown once"
    page.locator(".list tbody a").first.click()
    page.wait_for_url("**/document?**")
    scores = [float(text) for text in page.locator(".segments .score span:first-child > b").all_inner_texts()]
    assert len(scores) == 12
    assert scores == sorted(scores)
    page.get_by_role("link", name="As in the text").click()
    page.wait_for_url("**order=text**")
    assert "segment 1" in page.locator(".segments li").first.inner_text()


def test_a_change_over_all_domains_has_a_chart_for_each(
    watched: Watched, look_in: LookIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = Reading(watched.database).changes("chrf")
    everywhere = [replace(own, domain="") for own in told if own.domain == "legal"]
    monkeypatch.setattr(Reading, "changes", lambda *_: everywhere)
    page = look_in(change_of(watched))
    assert "over all domains" in page.locator("h1").inner_text()
    assert page.locator("main h2").all_inner_texts()[:3] == ["In legal", "In medical", "In news"]
    assert page.locator(".chart .wide .mark.worse").count() == 3
    assert "Dashed" not in page.locator("figcaption.readout").first.inner_text()


def test_words_that_nothing_explains_are_marked(watched: Watched, look_in: LookIn) -> None:
    with watched.database.writing() as connection:
        connection.execute(delete(schema.phrases).where(schema.phrases.c.evaluation == 58))
        spans = [[[0, 2, 1.0], [3, 5, 0.4]], *([[]] * 11)]
        new = {"evaluation": 58, "signature": "made", "spans": json.dumps(spans)}
        connection.execute(insert(schema.phrases).values(**new))
    page = look_in("/document?evaluation=58&metric=chrf&order=text")
    marked = page.locator(".segments li").first.locator("mark")
    text = page.locator(".segments .mt").first.inner_text()
    assert marked.all_inner_texts() == [text[:2], text[3:5]]
    assert [marked.nth(i).get_attribute("data-level") for i in range(2)] == ["3", "2"]


def test_two_systems_and_two_periods(watched: Watched, look_in: LookIn) -> None:
    page = look_in("/compare")
    page.locator("form.ask").first.get_by_role("button").click()
    page.wait_for_url("**first=nmt-7**")
    assert page.locator("h1").inner_text().startswith("nmt-7 is significantly better than nmt-8")
    assert page.locator(".list").first.locator("tbody tr").count() == 4
    page.locator("input[type=date]").fill("2026-04-24")
    page.locator("form.ask").last.get_by_role("button").click()
    page.wait_for_url("**split=2026-04-24**")
    assert page.locator("h1").inner_text().startswith("nmt-7 is worse since 24 April")
    rows = dict(line.split(maxsplit=1) for line in page.locator("tbody tr").all_inner_texts())
    assert "p < 0.001" in rows["legal"]
    assert "p < 0.001" not in rows["medical"]
    page.goto(f"{watched.url}/compare?system=nmt-7&split=1999-01-01")
    assert "Nothing to compare" in page.locator("h1").inner_text()


def test_keys_alone(watched: Watched, look_in: LookIn) -> None:
    page = look_in()
    page.locator("a.cell").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert "nmt-8" in page.evaluate("document.activeElement.closest('tr').innerText")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    page.wait_for_url("**/series?**")
    page.locator("figure.chart").first.focus()
    page.keyboard.press("End")
    page.wait_for_function("document.querySelector('.readout').innerText.includes('chrF2')")
    last = page.locator(".readout").first.inner_text()
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("old => document.querySelector('.readout').innerText !== old", arg=last)


def test_another_metric_and_period(watched: Watched, look_in: LookIn) -> None:
    page = look_in()
    page.locator("select[name=metric]").select_option("ter")
    page.wait_for_url("**metric=ter**")
    assert "TER" in page.locator("h1").inner_text()
    page.locator("select[name=days]").select_option("30")
    page.wait_for_url("**days=30**")
    assert "of the last day" in page.locator(".note").first.inner_text()


def test_scripts_are_not_needed(watched: Watched, look_in: LookIn) -> None:
    page = look_in(java_script_enabled=False)
    page.locator("select[name=metric]").select_option("ter")
    page.get_by_role("button", name="Show").click()
    page.wait_for_url("**metric=ter**")
    assert "TER" in page.locator("h1").inner_text()


def test_dark_and_light_are_kept(watched: Watched, look_in: LookIn) -> None:
    page = look_in(color_scheme="light")
    ground = "getComputedStyle(document.body).backgroundColor"
    day = page.evaluate(ground)
    page.locator("#theme").click()
    night = page.evaluate(ground)
    assert day != night
    page.reload()
    assert page.evaluate(ground) == night


@pytest.mark.parametrize("name", ["overview", "series", "change", "document", "systems", "periods"])
def test_axe_finds_nothing(name: str, watched: Watched, look_in: LookIn) -> None:
    watched.office.limiter = Limiter()
    sound(look_in(pages_of(watched)[name]), name)


def test_the_door_is_sound(watched: Watched, look_in: LookIn) -> None:
    watched.office.limiter = Limiter()
    page = look_in("/", signed_in=False)
    page.wait_for_url("**/login")
    sound(page, "login")
    page.fill("#key", "guessed")
    page.keyboard.press("Enter")
    page.wait_for_selector("#wrong")
    sound(page, "login")
    page.troubles[:] = [one for one in page.troubles if "401" not in one]


def test_it_prints(watched: Watched, look_in: LookIn) -> None:
    page = look_in(pages_of(watched)["change"])
    page.emulate_media(media="print", color_scheme="dark")
    assert not page.locator(".bar").is_visible()
    assert page.locator(".chart .wide").first.is_visible()
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(25, 29, 35)"
    assert page.pdf().startswith(b"%PDF")


def sign_in(watched: Watched, key: str, **how: Any) -> httpx2.Response:
    return httpx2.post(f"{watched.url}/login", data={"key": key, "back": how.pop("back", "")}, **how)


def test_only_keys_that_read_come_in(watched: Watched) -> None:
    watched.office.limiter = Limiter()
    keys = ServiceKeys(watched.database)
    for path in pages_of(watched).values():
        found = httpx2.get(watched.url + path)
        assert found.status_code == 303
        assert found.headers["location"].startswith("/login")
    assert sign_in(watched, keys.create("only-writes", ["write"], "nmt-7")).status_code == 401
    assert sign_in(watched, "x" * 3000).status_code == 401
    short = keys.create("short-lived", ["read"])
    entered = sign_in(watched, short)
    assert entered.status_code == 303
    cookie = entered.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    jar = {"tertium_reader": cookie.partition("=")[2].partition(";")[0]}
    assert httpx2.get(watched.url, cookies=jar).status_code == 200
    keys.revoke("short-lived")
    assert httpx2.get(watched.url, cookies=jar).status_code == 303


def test_keys_cannot_be_guessed_at_the_door(watched: Watched) -> None:
    watched.office.limiter = Limiter()
    codes = [sign_in(watched, f"guess-{i}").status_code for i in range(8)]
    assert codes[0] == 401
    assert codes[-1] == 429
    watched.office.limiter = Limiter()


def test_nobody_is_led_elsewhere(watched: Watched) -> None:
    watched.office.limiter = Limiter()
    for elsewhere in ("//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)"):
        assert sign_in(watched, watched.key, back=elsewhere).headers["location"] == "/"
    assert sign_in(watched, watched.key, back="/series?a=b").headers["location"] == "/series?a=b"
    cross = {"sec-fetch-site": "cross-site"}
    assert sign_in(watched, watched.key, headers=cross).status_code == 403


def test_signing_out_needs_the_page(watched: Watched, look_in: LookIn) -> None:
    watched.office.limiter = Limiter()
    page = look_in()
    cookies = {one["name"]: one["value"] for one in page.context.cookies()}
    assert httpx2.post(f"{watched.url}/logout", cookies=cookies, data={"csrf": "x"}).status_code == 403
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url("**/login")
    assert httpx2.get(watched.url, cookies=cookies).status_code == 303


@pytest.mark.parametrize(
    "path",
    [
        "/series?system=nobody&domain=legal",
        "/series",
        "/change?evaluation=1",
        "/document?evaluation=99999",
        "/document?evaluation=<script>",
        "/?metric=bleurt",
        "/?days=7",
        "/compare?metric=<script>",
        "/document?evaluation=58&page=9999999999999999999",
    ],
)
def test_pages_that_are_not_there(path: str, watched: Watched) -> None:
    watched.office.limiter = Limiter()
    entered = sign_in(watched, watched.key)
    jar = {"tertium_reader": entered.headers["set-cookie"].partition("=")[2].partition(";")[0]}
    found = httpx2.get(watched.url + path, cookies=jar)
    assert found.status_code in (404, 422) if "page=" not in path else found.status_code == 200
    assert found.headers["content-type"].startswith("text/html")
    assert "<script>" not in found.text
    assert "default-src 'none'" in found.headers["content-security-policy"]
