"""The page of a challenge set: what is in the file, and what a real browser shows of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from tertium.challenge.items import ChallengeSet
from tertium.challenge.judgements import ChallengeJudgements
from tertium.challenge.outputs import Outputs
from tertium.challenge.report import ChallengeReport
from tertium.challenge.results import evaluate
from tertium.challenge.tables import metric_scores
from tertium.report.challenge import SCRIPTS, STYLES, render_challenge, write_challenge_report
from tests.app.test_axe import faults
from tests.challenge.conftest import NEW, OLD, A, B, item, judged, small_outputs, small_set, three_annotators

NASTY = "</script><b>x</b> & <!-- 😀 *y*"


def report() -> ChallengeReport:
    items, outputs = small_set(), small_outputs()
    results = evaluate(items, three_annotators(), outputs)
    return ChallengeReport(results, tuple(metric_scores(items, outputs, ["bleu"])), outputs=outputs)


Open = Callable[..., Any]


@pytest.fixture
def open_page(browser: Any, tmp_path: Path) -> Iterator[Open]:
    """The page, loaded from disk; nothing may be left in its console or asked of the network."""
    opened: list[tuple[Any, list[str], list[str]]] = []

    def show(shown: ChallengeReport) -> Any:
        path = tmp_path / f"page-{len(opened)}.html"
        write_challenge_report(path, shown)
        page = browser.new_page()
        page.set_default_timeout(20_000)
        troubles: list[str] = []
        requests: list[str] = []
        page.on("console", lambda message: troubles.append(message.text))
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        opened.append((page, troubles, requests))
        page.emulate_media(reduced_motion="reduce")
        page.goto(path.as_uri())
        page.locator(".card, .cards .none").first.wait_for()
        return page

    yield show
    for page, troubles, requests in opened:
        page.close()
        assert troubles == []
        assert {url for url in requests if not url.startswith(("data:", "blob:"))} <= {
            url for url in requests if url.startswith("file:")
        }


def shown_ids(page: Any) -> list[str]:
    return list(page.locator(".card .id").all_inner_texts())


def shows(page: Any, ids: list[str]) -> None:
    for _ in range(100):
        if shown_ids(page) == ids:
            return
        page.wait_for_timeout(50)
    assert shown_ids(page) == ids


def choose(page: Any, label: str, value: str) -> None:
    page.locator(f"#items label.choice:has(> span:text-is({label!r})) select").select_option(label=value)


def test_sections_and_summary() -> None:
    page = render_challenge(report())
    assert re.findall(r'<section id="(\w+)"', page) == ["summary", "groups", "agreement", "pairs", "items"]
    assert "B is right on 4 of 5 items (80.0 %), A on 3 of 5 (60.0 %)." in page
    assert "All annotators agree on 50.0 % of the 10 outputs" in page
    assert "A and B cannot be told apart: A alone is right on 1, B alone on 2 (p = 1.000)." in page
    assert all(sentence in page and sentence in report().text() for sentence in report().words())
    alone = evaluate(small_set(), ChallengeJudgements(tuple(judged("ann", A, "yyyyn"))))
    page = render_challenge(ChallengeReport(alone))
    assert re.findall(r'<section id="(\w+)"', page) == ["summary", "groups", "items"]


@pytest.mark.parametrize("name", sorted({*SCRIPTS, *STYLES}))
def test_our_own_files_are_small_and_set_no_markup(name: str) -> None:
    text = files("tertium.report").joinpath(name).read_text(encoding="utf-8")
    assert len(text.splitlines()) < 400
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function", text)
    assert not re.search(r"</script|</style|<!--", text, re.IGNORECASE)


def test_rates_are_those_computed(open_page: Open) -> None:
    shown = report().data()
    page = open_page(report())
    n = len(shown["systems"])
    for g, group in enumerate(shown["groups"]):
        row = page.locator(f"table.rates tbody tr:nth-child({g + 1})")
        label = group["subcategory"] or group["category"] or "Overall"
        assert label in row.locator("td").nth(0).inner_text()
        assert row.locator("td").nth(1).inner_text() == str(group["items"])
        for s, rate in enumerate(shown["rates"][g * n : (g + 1) * n]):
            cell = row.locator("td").nth(s + 2)
            assert float(cell.get_attribute("data-value")) == rate["item_rate"]
            assert f"{rate['right']}/{rate['items']}" in cell.inner_text()
    metric = page.locator("table.rates tr.metric td").all_inner_texts()
    assert metric[0] == "BLEU ↑"
    assert metric[2] == f"{shown['metrics'][0]['scores']['A']:.2f}"
    assert page.locator("table.agreement tbody tr").last.locator("td").nth(2).inner_text() == "50.0 %"
    page.locator("#groups details summary").click()
    page.locator("#groups details td", has_text="53.3 %").wait_for()  # filled a moment after it opens


def test_every_item_with_its_marks(open_page: Open) -> None:
    page = open_page(report())
    shows(page, ["L1", "L2", "L3", "S1", "S2"])
    card = page.locator(".card").nth(0)
    assert card.locator("mark").all_inner_texts() == ["rains cats and dogs"]
    second = page.locator(".card").nth(1)
    marks = second.locator(".output > .sign .hidden").all_text_contents()
    assert marks == ["right", "wrong"]
    assert second.locator(".output").nth(1).locator(".answer").all_inner_texts() != []
    spoken = second.locator(".output").nth(1).locator(".answer .hidden").all_text_contents()
    assert spoken == ["ann: no", "ben: no", "eve: not applicable"]
    assert page.locator(".status").inner_text() == "All 5 items"


def test_filters(open_page: Open) -> None:
    page = open_page(report())
    choose(page, "A", "wrong")
    shows(page, ["L3", "S2"])
    assert page.locator(".status").inner_text() == "2 of 5 items"
    choose(page, "Category", "Syntactic")
    shows(page, ["S2"])
    page.get_by_role("button", name="Show all").click()
    shows(page, ["L1", "L2", "L3", "S1", "S2"])
    page.get_by_label("only where systems differ").check()
    shows(page, ["L2", "L3", "S2"])
    page.get_by_role("button", name="Show all").click()
    page.keyboard.press("/")
    page.keyboard.type("CATS dogs")
    shows(page, ["L1"])
    page.keyboard.type(" nothing")
    page.locator(".cards .none").wait_for()


def test_a_rate_leads_to_its_items(open_page: Open) -> None:
    page = open_page(report())
    page.locator("table.rates tr.subcategory").nth(1).locator("button").first.click()
    shows(page, ["L3"])


def test_texts_are_texts(open_page: Open) -> None:
    nasty = item("x", NASTY, NASTY, source=NASTY, source_spans=((28, 29),), reference=NASTY, notes=NASTY)
    outputs = Outputs({A._replace(name=NASTY): {"x": NASTY}})
    answers = [
        j.__class__(**{**vars(j), "item": "x", "note": NASTY})
        for j in judged(NASTY, outputs.systems[0], "y....")
    ]
    results = evaluate(ChallengeSet((nasty,), NASTY), ChallengeJudgements(tuple(answers)), outputs)
    shown = ChallengeReport(results, outputs=outputs)
    assert NASTY not in render_challenge(shown)
    page = open_page(shown)
    assert page.locator(".card .text").first.inner_text() == NASTY
    assert page.locator(".card mark").all_inner_texts() == ["y"]  # the emoji before it is one character
    assert page.locator(".card b:not(.id)").count() == 0


def test_many_items_are_drawn_as_they_come_into_sight(open_page: Open) -> None:
    many = ChallengeSet(tuple(item(f"i{i:03d}") for i in range(400)), "many")
    answers = [j.__class__(**{**vars(j), "item": i.id}) for i in many for j in judged("ann", B, "y....")]
    page = open_page(ChallengeReport(evaluate(many, ChallengeJudgements(tuple(answers)))))
    assert len(shown_ids(page)) < 400
    for _ in range(60):
        page.evaluate("window.scrollTo(0, document.documentElement.scrollHeight)")
        page.wait_for_timeout(50)
        if len(shown_ids(page)) == 400:
            break
    assert shown_ids(page) == [f"i{i:03d}" for i in range(400)]


def test_versions_have_a_section(open_page: Open) -> None:
    results = evaluate(
        small_set(), ChallengeJudgements((*judged("ann", OLD, "yynnn"), *judged("ann", NEW, "ynyyn")))
    )
    page = open_page(ChallengeReport(results))
    assert page.locator("#versions h3").inner_text() == "A@2017-10-05 to A@2018-01-16"
    cells = page.locator("#versions tbody tr").first.locator("td").all_inner_texts()
    assert cells[:7] == ["Overall", "5", "40.0 %", "60.0 %", "2", "1", "33.3 %"]


@pytest.mark.parametrize(("width", "scheme"), [(1400, "light"), (400, "dark")])
def test_axe_finds_nothing(open_page: Open, width: int, scheme: str) -> None:
    page = open_page(report())
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    assert faults(page) == []
