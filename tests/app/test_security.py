"""Nobody gets in: other people's links, forged sessions, missing tokens, injection, path tricks, bodies too large."""

from __future__ import annotations

import http.client
import re
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from sqlalchemy import func, select

from tertium.app import schema
from tertium.app.access import Access
from tertium.app.campaigns import add_annotator, annotators_of, set_state
from tertium.app.overview import collected
from tertium.web.guards import Limiter, RateLimit
from tertium.web.passwords import signature
from tests.app.conftest import PASSWORD, Site

NASTY = [
    "' OR 1=1 --",
    "'; DROP TABLE judgements; --",
    '"><script>alert(1)</script>',
    "{{ 7*7 }}{% raw %}",
    "../../../../etc/passwd",
    "%00",
    "\u202egnp.exe",
]


@pytest.fixture(scope="module")
def campaign(site: Site) -> int:
    return site.campaign("pairwise", name="fort")


@pytest.fixture
def client(site: Site) -> Iterator[httpx2.Client]:
    site.house.limiter = Limiter()  # each test with a clean record
    with httpx2.Client(base_url=site.url, follow_redirects=True, timeout=10) as found:
        yield found


def enter(client: httpx2.Client, site: Site, campaign: int, name: str) -> str:
    """The token against forged requests, after entering by the link."""
    page = client.get(site.link(campaign, name))
    assert page.status_code == 200
    found = re.search('name="csrf" content="([^"]+)"', page.text)
    assert found
    return found.group(1)


def answer(client: httpx2.Client, position: int, csrf: str | None, **more: Any) -> httpx2.Response:
    body = {"key": "k" * 16, "answer": {"choice": "A"}, "seconds": 1, "complete": True} | more
    headers = {} if csrf is None else {"x-csrf-token": csrf}
    return client.post(f"/work/{position}/answer", json=body, headers=headers)


def log_in(client: httpx2.Client) -> str:
    page = client.post("/admin/login", data={"password": PASSWORD})
    assert page.url.path == "/admin"
    found = re.search('name="csrf" content="([^"]+)"', page.text)
    assert found
    return found.group(1)


def judgements(site: Site) -> int:
    with site.database.reading() as connection:
        return int(connection.execute(select(func.count()).select_from(schema.judgements)).scalar_one())


def test_without_a_link_nothing_is_shown(client: httpx2.Client, site: Site, campaign: int) -> None:
    for path in ("/work", "/work/start", "/work/1", "/work/finished"):
        assert client.get(path).status_code == 401
    before = judgements(site)
    assert answer(client, 1, "x").status_code == 401
    assert client.post("/work/undo", json={"key": "k" * 16}).status_code == 401
    assert judgements(site) == before
    for path in ("/admin", "/admin/campaigns/fort", "/admin/campaigns/fort/export/csv"):
        assert client.get(path).url.path == "/admin/login"
    assert "fort" not in client.get("/admin").text


def test_links_cannot_be_guessed_or_bent(client: httpx2.Client, site: Site, campaign: int) -> None:
    ann, ben = (site.link(campaign, name).rsplit("/", 1)[1] for name in ("Ann", "Ben"))
    ann_number, ann_secret = ann.split(".")
    ben_number, ben_secret = ben.split(".")
    wrong = [
        f"{ben_number}.{ann_secret}",  # Ben's number with Ann's secret
        f"{ann_number}.{ben_secret}",
        f"{ann_number}.{ann_secret[:-1]}",
        f"{ann_number}.{ann_secret}x",
        f"{ann_number}.",
        ann_number,
        f"0{ann}x",
        f"-1.{ann_secret}",
        f"9999999999999999999.{ann_secret}",
        f"{ann_number}.{signature('', 'link', int(ann_number), 1)}",
        "١.abc",
    ]
    for link in wrong:
        found = client.get(f"/a/{link}")
        assert found.status_code == 404, link
        assert not client.cookies
    site.house.limiter = Limiter()
    for text in NASTY:
        assert client.get(f"/a/{httpx2.URL(path='/' + text).raw_path.decode()[1:]}").status_code in (400, 404)
    assert not client.cookies


def test_wrong_links_are_slowed_down(client: httpx2.Client, site: Site, campaign: int) -> None:
    codes = [client.get(f"/a/1.{'x' * 22}").status_code for _ in range(25)]
    assert codes[:20] == [404] * 20
    assert codes[-1] == 429
    # whoever has a link is let in, even from an address that tries wrong ones
    assert client.get(site.link(campaign, "Ann")).url.path == "/work/start"
    token = site.access.new_script_token()
    wrong = [client.get("/api/campaigns", headers={"authorization": "Bearer no"}) for _ in range(25)]
    assert wrong[-1].status_code == 429
    right = client.get("/api/campaigns", headers={"authorization": f"Bearer {token}"})
    assert right.status_code == 200


def test_another_annotators_work_does_not_exist(client: httpx2.Client, site: Site, campaign: int) -> None:
    """Positions are counted within one's own work; campaigns of others have no address at all."""
    other = site.campaign("direct-assessment", name="fort-other", annotators={"names": ["Eve"], "items": 9})
    csrf = enter(client, site, campaign, "Ann")
    assert client.get("/work/3").status_code == 200
    for position in (0, 4, 9, 10**5, 10**12):
        assert client.get(f"/work/{position}").status_code == 404
        assert answer(client, position, csrf).status_code == 404
    assert len(collected(site.database, other)) == 0
    with httpx2.Client(base_url=site.url, follow_redirects=True) as ben:
        enter(ben, site, campaign, "Ben")
        assert answer(ben, 1, csrf).status_code == 403  # Ann's token in Ben's session


def test_forged_sessions(client: httpx2.Client, site: Site, campaign: int) -> None:
    enter(client, site, campaign, "Ann")
    good = client.cookies["tertium_work"]
    for forged in ("", "x", good[:-1], good + "x", good.swapcase(), "a" * 43, "1", "'; --"):
        with httpx2.Client(base_url=site.url, cookies={"tertium_work": forged}) as thief:
            assert thief.get("/work/1").status_code == 401, forged
    with httpx2.Client(base_url=site.url, cookies={"tertium_admin": good}) as thief:  # one for the other
        assert thief.get("/admin").status_code == 303
    with site.database.reading() as connection:
        kept = connection.execute(select(schema.sessions.c.id)).scalars().all()
    assert good not in kept
    with httpx2.Client(
        base_url=site.url, cookies={"tertium_work": kept[0]}
    ) as thief:  # who reads the database
        assert thief.get("/work/1").status_code == 401


def test_missing_or_wrong_csrf(client: httpx2.Client, site: Site, campaign: int) -> None:
    csrf = enter(client, site, campaign, "Ann")
    before = judgements(site)
    assert answer(client, 1, None).status_code == 403
    assert answer(client, 1, csrf[:-1] + "_").status_code == 403
    headers = {"x-csrf-token": csrf, "sec-fetch-site": "cross-site"}
    body = {"key": "k" * 16, "answer": {"choice": "A"}, "seconds": 1, "complete": True}
    assert client.post("/work/1/answer", json=body, headers=headers).status_code == 403
    assert client.post("/work/undo", json={"key": "k" * 16}).status_code == 403
    assert judgements(site) == before


def test_missing_csrf_in_administration(client: httpx2.Client, site: Site, campaign: int) -> None:
    csrf = log_in(client)
    person = annotators_of(site.database, campaign)[0]
    base = f"/admin/campaigns/fort/annotators/{person.id}"
    posts = {
        f"{base}/state": {"state": "removed"},
        f"{base}/link": {},
        "/admin/campaigns/fort/annotators": {"names": "Mallory"},
        "/admin/campaigns/fort/items": {"segments": "{}"},
        "/admin/token": {},
        "/admin/logout": {},
    }
    for path, fields in posts.items():
        assert client.post(path, data=fields | {"more": "1"}).status_code == 403, path
        assert client.post(path, data=fields | {"csrf": "x" * 22}).status_code == 403, path
        assert client.post(path, json=fields | {"csrf": csrf}).status_code == 415, path
    assert [row.state for row in annotators_of(site.database, campaign)] == ["active", "active"]


def test_password_tries_are_slowed_down(client: httpx2.Client, site: Site) -> None:
    codes = [client.post("/admin/login", data={"password": f"guess {i}"}).status_code for i in range(8)]
    assert codes[:5] == [401] * 5
    assert codes[5:] == [429] * 3
    assert client.post("/admin/login", data={"password": PASSWORD}).status_code == 429


def test_paused_removed_and_renewed(client: httpx2.Client, site: Site) -> None:
    number = site.campaign("pairwise", name="comings")
    csrf = enter(client, site, number, "Ann")
    person = annotators_of(site.database, number)[0]
    set_state(site.database, number, person.id, "paused")
    assert "paused" in client.get("/work/1").text
    assert answer(client, 1, csrf).status_code == 409
    set_state(site.database, number, person.id, "active")
    assert answer(client, 1, csrf).status_code == 200
    link = site.link(number, "Ann")
    site.access.renew_link(person.id)
    assert client.get("/work/1").status_code == 401  # the session was opened by the old link
    assert client.get(link).status_code == 404
    csrf = enter(client, site, number, "Ann")
    set_state(site.database, number, person.id, "removed")
    assert client.get("/work/1").status_code == 401
    assert answer(client, 2, csrf).status_code == 401
    assert client.get(site.link(number, "Ann")).status_code == 404
    assert len(collected(site.database, number)) == 0
    assert len(collected(site.database, number, removed=True)) == 1


@pytest.mark.parametrize(
    "bad",
    [
        {"answer": {"choice": "C"}},
        {"answer": {"choice": "' OR 1=1 --"}},
        {"answer": {"choice": "A", "system": "one"}},
        {"answer": None},
        {"answer": [["A"]]},
        {"answer": {"choice": {"$gt": ""}}},
        {"key": "short"},
        {"key": "'; DROP TABLE judgements; --"},
        {"key": "k" * 65},
        {"key": 7},
        {"seconds": "1"},
        {"seconds": True},
        {"complete": "yes"},
        {"complete": None},
        {"annotator": 2},
    ],
)
def test_answers_that_cannot_be(
    client: httpx2.Client, site: Site, campaign: int, bad: dict[str, Any]
) -> None:
    csrf = enter(client, site, campaign, "Ann")
    before = judgements(site)
    found = answer(client, 1, csrf, **bad)
    assert found.status_code == 422
    assert "Traceback" not in found.text
    assert judgements(site) == before


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"[]",
        b"{",
        b"\xff\xfe",
        b'{"seconds": NaN}',
        b'{"seconds": 1e999}',
        b"[" * 5000,
        b'{"key": "\\ud800"}',
    ],
)
def test_bodies_that_are_no_answer(client: httpx2.Client, site: Site, campaign: int, raw: bytes) -> None:
    csrf = enter(client, site, campaign, "Ann")
    found = client.post("/work/1/answer", content=raw, headers={"x-csrf-token": csrf})
    assert found.status_code == 422


def test_oversized_bodies(client: httpx2.Client, site: Site, campaign: int) -> None:
    csrf = enter(client, site, campaign, "Ann")
    huge = b'{"key": "' + b"k" * 300_000 + b'"}'
    headers = {"x-csrf-token": csrf}
    assert client.post("/work/1/answer", content=huge, headers=headers).status_code == 413

    def pieces() -> Iterator[bytes]:  # without a declared length
        for _ in range(400):
            yield b" " * 1000

    assert client.post("/work/1/answer", content=pieces(), headers=headers).status_code == 413
    assert client.post("/api/campaigns", content=b"x" * 2_000_000).status_code == 401  # unread
    assert client.post("/admin/login", content=b"password=" + b"x" * 9_000_000).status_code == 413


@pytest.mark.parametrize(
    "path",
    [
        "/static/../server.py",
        "/static/%2e%2e/server.py",
        "/static/..%2fserver.py",
        "/static/....//server.py",
        "/static//etc/passwd",
        "/static/%2fetc%2fpasswd",
        "/static/..\\server.py",
        "/static/page.css%00.js",
        "/admin/campaigns/..%2f..%2fetc/export/csv",
        "/admin/campaigns/fort/export/..%2f..%2fetc%2fpasswd",
        "/work/1/../../admin",
        "/work/1e3",
        "/work/-1",
    ],
)
def test_path_tricks(client: httpx2.Client, site: Site, campaign: int, path: str) -> None:
    log_in(client)
    enter(client, site, campaign, "Ann")
    cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    connection = http.client.HTTPConnection(site.url.removeprefix("http://"))  # httpx2 would tidy the path up
    connection.request("GET", path, headers={"cookie": cookies})
    found = connection.getresponse()
    text = found.read().decode("utf-8", "replace")
    connection.close()
    assert found.status in (400, 401, 404), path
    assert "root:" not in text
    assert "from tertium" not in text


def test_names_and_texts_are_escaped_everywhere(client: httpx2.Client, site: Site) -> None:
    """An annotator, a document and outputs full of tags and SQL: shown as text, stored as text."""
    from tertium.app.campaigns import create
    from tertium.human.campaigns.segments import Segment
    from tertium.human.campaigns.settings import Settings

    evil = "</textarea><script>alert(1)</script>"
    name = "Bobby'); DROP TABLE annotators;-- <b>"
    settings = {
        "name": "evil",
        "title": evil,
        "design": "pairwise",
        "languages": "de-en",
        "annotators": {"names": [name], "items": 1},
    }
    segment = Segment("1", {"a<script>": evil, 'b"': NASTY[0]}, source=evil, reference=evil, document=evil)
    number = create(site.database, Settings.of(settings), [segment])
    csrf = enter(client, site, number, name)
    for path in ("/work/start", "/work/1"):
        text = client.get(path).text
        assert "<script>alert" not in text
        assert "&lt;script&gt;alert" in text
        assert "DROP TABLE annotators;-- <b>" not in text
    assert answer(client, 1, csrf).status_code == 200
    assert "DROP TABLE annotators;-- &lt;b&gt;" in client.get("/work/finished").text
    log_in(client)
    for path in ("/admin/campaigns/evil", "/admin/campaigns/evil/result", "/admin/campaigns/evil/live"):
        text = client.get(path).text
        assert "<script>a" not in text
        assert "a<script>" not in text
    assert [row.name for row in annotators_of(site.database, number)] == [name]
    for shape in ("csv", "jsonl", "judgements", "wmt"):
        found = client.get(f"/admin/campaigns/evil/export/{shape}")
        assert found.status_code == 200
        assert "attachment" in found.headers["content-disposition"]
        assert found.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "name", ["=1+1", "@SUM(A1)", "-2", "+3", "", " ", "a\nb", "a\x00", "x" * 81, "\u202eabc"]
)
def test_names_that_cannot_be(site: Site, campaign: int, name: str) -> None:
    from tertium.errors import InputError

    with pytest.raises(InputError):
        add_annotator(site.database, campaign, name)


def test_headers(client: httpx2.Client, site: Site, campaign: int) -> None:
    enter(client, site, campaign, "Ann")
    for path in ("/", "/work/1", "/admin/login", "/nothing", "/api/campaigns", "/api/openapi.json"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert "server" not in headers
    with httpx2.Client(base_url=site.url) as fresh:
        cookie = fresh.get(site.link(campaign, "Ann")).headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie


def test_https_cookies_are_secure(site: Site) -> None:
    from tests.app.conftest import running

    number = site.campaign("pairwise", name="https")
    with running(site.database, public_url="https://judge.example.org") as other:
        found = httpx2.get(other.link(number, "Ann"))
        assert "secure" in found.headers["set-cookie"].lower()
        assert "max-age" in found.headers["strict-transport-security"]


def test_passwords_and_tokens(site: Site) -> None:
    access = Access(site.database)
    assert access.login("") is None
    assert access.login(PASSWORD + "x") is None
    assert access.login(PASSWORD) is not None
    with site.database.reading() as connection:
        kept = connection.execute(select(schema.secrets.c.value)).scalars().all()
    assert not [value for value in kept if PASSWORD in value]
    assert [value for value in kept if value.startswith("scrypt$")]
    from tertium.errors import InputError

    with pytest.raises(InputError, match="at least 10"):
        access.set_password("short")
    first = access.new_script_token()
    assert access.script_token_fits(first)
    second = access.new_script_token()
    assert not access.script_token_fits(first)
    assert access.script_token_fits(second)
    assert not access.script_token_fits("")


def test_the_key_is_nowhere_on_the_page(client: httpx2.Client, site: Site) -> None:
    """Neither the names of systems nor what kind an item is."""
    number = site.campaign(
        "direct-assessment",
        name="blind",
        annotators={"names": ["Ann"], "items": 10},
        systems=["literal", "strong"],
    )
    enter(client, site, number, "Ann")
    csrf = re.search('name="csrf" content="([^"]+)"', client.get("/work/1").text)
    assert csrf
    for position in range(1, 11):
        text = client.get(f"/work/{position}").text
        for secret in ("strong", "literal", "degraded", "repeat", "genuine"):
            assert secret not in re.sub(r"<p class=\"text.*?</p>", "", text, flags=re.S), (position, secret)
        key = f"blind-key-{position}"
        assert answer(client, position, csrf.group(1), key=key, answer={"score": 50}).status_code == 200
    kinds = {one.item.kind for one in collected(site.database, number)}
    assert kinds == {"genuine", "repeat", "degraded", "reference"}


def test_the_limiter_forgets_and_refills() -> None:
    now = 0.0
    limiter = Limiter(clock=lambda: now, most=2)
    rate = RateLimit(1, 0.5)
    assert limiter.allows("x", "a", rate)
    assert not limiter.allows("x", "a", rate)
    now = 2.0
    assert limiter.allows("x", "a", rate)
    for name in "bc":
        assert limiter.allows("x", name, rate)
    assert limiter.allows("x", "a", rate)  # forgotten: there are more names than it keeps
