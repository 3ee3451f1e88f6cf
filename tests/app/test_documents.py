"""Documents judged whole: drawn as such, on one screen, with a score at the end; stored, exported, resumed."""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from tertium import TestSet
from tertium.app.campaigns import add_annotator, add_items, annotators_of
from tertium.app.overview import collected
from tertium.app.working import Work
from tertium.errors import InputError
from tertium.human.campaigns.analysis import analyse
from tertium.human.campaigns.assigning import assigned
from tertium.human.campaigns.building import pool
from tertium.human.campaigns.exports import exported
from tertium.human.campaigns.segments import Segment, segments_of
from tertium.human.campaigns.settings import Settings
from tertium.io.appraise import read_appraise
from tests.app.conftest import Person, Site
from tests.app.made import database_at, make
from tests.app.test_browser import begin, here, leave, next_by_key, next_by_mouse
from tests.hands import WIDTHS

WHOLE = {"unit": "document", "against": "source"}
NO_CONTROLS = {"repeat": 0, "degraded": 0, "reference": 0}
NEWS = [
    Segment(str(n), {"A": f"A says {n} in {name}.", "B": f"B says {n} in {name}.", "C": f"A says {n} in {name}."},
            source=f"Quelle {n} in {name}.", reference=f"It says {n} in {name}.", document=name)
    for name, numbers in (("one", (1, 2, 10)), ("two", (11, 12)))
    for n in numbers
]  # fmt: skip


def settings(**more: Any) -> Settings:
    given = {"name": "x", "design": "direct-assessment", "options": WHOLE, "controls": NO_CONTROLS}
    return Settings.of(given | more)


def test_a_document_is_drawn_whole_and_in_its_order() -> None:
    """Systems that agree throughout are judged once; sampling chooses documents, never parts of them."""
    found = pool(settings(sampling={"length": [0, 100]}), NEWS)
    assert sorted((item.document, item.outputs[0].systems) for item in found) == [
        (name, systems) for name in ("one", "two") for systems in (("A", "C"), ("B",))
    ]
    assert {item.document for item in found[:2]} == {
        "one",
        "two",
    }  # every document once before any comes again
    one = next(item for item in found if item.document == "one")
    assert [part.segment for part in one.inside] == ["1", "2", "10"]
    assert all(part.whole == one.id for part in one.inside)
    assert [item.document for item in pool(settings(sampling={"documents": ["two"]}), NEWS)] == ["two", "two"]
    with pytest.raises(InputError, match=r'options\.unit is "document", but the segments have no documents'):
        pool(settings(), [Segment("1", {"A": "x"}, source="y")])
    assert settings().items == 10


def test_tasks_follow_the_document_and_end_with_the_whole() -> None:
    plan = settings(annotators={"items": 3})
    items = pool(plan, NEWS)
    tasks = assigned(plan, items, "Ann").tasks
    by_id = {part.id: part for item in items for part in (*item.inside, item)}
    runs = [
        [by_id[task.item] for task in own]
        for _, own in groupby(tasks, lambda t: by_id[t.item].whole or t.item)
    ]
    assert len(runs) == 3
    for run in runs:
        assert tuple(run) == (*run[-1].inside, run[-1])
    options = {"unit": "document", "score": False}
    mqm = settings(design="error-spans", options=options, controls={}, annotators={"items": 3})
    items = pool(mqm, NEWS)
    wholes = {item.id for item in items}
    assert not wholes & {
        task.item for task in assigned(mqm, items, "Ann").tasks
    }  # no slider, none at the end


def test_control_documents_are_controls_in_every_segment() -> None:
    plan = Settings.of(
        {"name": "x", "design": "direct-assessment", "options": WHOLE, "annotators": {"items": 10},
         "controls": {"repeat": 10, "degraded": 10, "reference": 10}}
    )  # fmt: skip
    found = assigned(plan, pool(plan, segments_of(TestSet.sample())), "Ann")
    kinds = {item.kind: item for item in found.controls}
    assert set(kinds) == {"repeat", "degraded", "reference"}
    for kind, item in kinds.items():
        assert item.inside
        assert {part.kind for part in item.inside} == {kind}
        assert {part.whole for part in item.inside} == {item.id}
        assert item.outputs[0].text == "\n".join(part.outputs[0].text for part in item.inside)
        same = [part.outputs[0].text == part.reference for part in item.inside]
        assert all(same) if kind == "reference" else not all(same)
    assert len({task.item for task in found.tasks}) == len(found.tasks)


@WIDTHS
def test_a_document_by_keys(width: int, site: Site, person: Person) -> None:
    """Segment by segment, back to an earlier one, on to the score of the whole; a new visit resumes in the middle."""
    one = {"names": ["Ann"], "items": 1}
    campaign = site.campaign(
        "direct-assessment", name=f"keys-{width}", options=WHOLE, controls=NO_CONTROLS, annotators=one
    )
    page = person(viewport={"width": width, "height": 900})
    begin(page, site, campaign, "Ann")
    n = page.locator(".document .part").count()
    assert n >= 3
    for turn in range(2):
        page.wait_for_selector("#score:focus")
        page.keyboard.type(str(60 + turn))
        next_by_key(page)
    assert page.locator(".part.done").count() == 2
    page.goto(site.link(campaign, "Ann"))  # another day
    page.wait_for_url("**/work/3")
    box = page.locator("#here").bounding_box()
    assert 0 <= box["y"] < 900
    before = page.locator(".part.done").last.bounding_box()
    assert before["y"] + before["height"] > 52  # what came before is in view, its source too
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.wait_for_selector("#score:focus")
    leave(page, lambda: page.keyboard.press("p"))
    assert here(page) == 2
    page.keyboard.type("75")
    page.wait_for_function("() => document.getElementById('score').value === '75'")
    next_by_key(page)
    for turn in range(2, n):
        assert here(page) == turn + 1
        page.wait_for_selector("#score:focus")
        page.keyboard.type(str(60 + turn))
        next_by_key(page)
    assert page.locator("section#here").count() == 1  # the whole document
    page.keyboard.type("88")
    next_by_key(page)
    page.wait_for_url("**/finished")
    found = collected(site.database, campaign)
    assert [judged.answer["score"] for judged in found] == [60.0, 75.0, *range(62, 60 + n)]
    [whole] = found.documents
    assert whole.answer == {"score": 88.0}
    assert len(whole.item.inside) == n


@WIDTHS
def test_error_spans_in_a_document_by_mouse(width: int, site: Site, person: Person) -> None:
    """Errors marked before stay visible; a click on an earlier score leads back to it."""
    one = {"names": ["Ann"], "items": 1}
    campaign = site.campaign(
        "error-spans", name=f"mouse-{width}", options={"unit": "document"}, annotators=one
    )
    page = person(viewport={"width": width, "height": 900})
    begin(page, site, campaign, "Ann")
    n = page.locator(".document .part").count()

    def slide(to: float) -> None:
        page.locator("#next").scroll_into_view_if_needed()
        box = page.locator("#score").bounding_box()
        page.mouse.click(box["x"] + box["width"] * to, box["y"] + box["height"] / 2)

    def judge(turn: int) -> None:
        page.locator("#translation .w").nth(turn % 2).click()
        page.locator("[data-severity=major]").click()
        page.wait_for_selector("#marks li")
        slide(0.5)
        next_by_mouse(page)

    judge(0)
    judge(1)
    marked = page.locator(".part.done .c[data-level='2']").all_inner_texts()
    sources = page.locator(".part .texts").all_inner_texts()
    assert len(marked) == 2
    assert len(sources) == n
    assert page.locator(".part.done .texts").first.is_visible()
    leave(page, lambda: page.locator(".part.done a").first.click())
    assert here(page) == 1
    assert page.locator("#later").count() == 1
    page.locator("#marks button").click()  # on second thoughts
    next_by_mouse(page)
    assert here(page) == 3
    for turn in range(2, n):
        judge(turn)
    slide(0.3)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    next_by_mouse(page)
    page.wait_for_url("**/finished")
    found = collected(site.database, campaign)
    assert [len(judged.answer["spans"]) for judged in found] == [0, *[1] * (n - 1)]
    assert abs(found.documents[0].answer["score"] - 30) < 3


def test_scores_of_documents_are_exported_and_analysed(tmp_path: Path) -> None:
    database = database_at(tmp_path)
    campaign = make(
        database, "direct-assessment", options=WHOLE, controls=NO_CONTROLS,
        annotators={"names": ["Ann", "Ben"], "items": 4},
    )  # fmt: skip
    for row in annotators_of(database, campaign):
        work = Work(database, campaign, row.id)
        for position in range(1, work.progress().total + 1):
            screen = work.screen(position)
            assert screen is not None
            score = 90 if screen.item.inside else 50 + position % 3
            work.save(position, f"the-key-{row.id}-{position}", {"score": score}, 3.0, complete=True)
    found = collected(database, campaign)
    assert len(found.documents) == 8
    assert all(not judged.item.inside for judged in found)
    lines = [json.loads(line) for line in exported(found, "jsonl").data.decode().splitlines()]
    wholes = [line for line in lines if line.get("unit") == "document"]
    assert [(line["answer"], line["segment"]) for line in wholes] == [({"score": 90.0}, "")] * 8
    assert len(lines) == len(found) + 8 == len(exported(found, "csv").data.decode().splitlines()) - 1
    path = tmp_path / "appraise.csv"
    path.write_bytes(exported(found, "appraise").data)
    back = read_appraise(path)
    assert back.documents is not None
    assert set(back.documents.score) == {90.0}
    assert set(back.judgements.score) == {50.0, 51.0, 52.0}
    result = analyse(found)
    assert result.documents is not None
    assert set(result.documents.documents.values()) <= {(90.0,) * n for n in range(1, 5)}
    assert "Documents" in [table.title for table in result.tables()]
    database.close()


def test_more_people_and_more_documents(tmp_path: Path) -> None:
    """They get whole documents, too; a segment that somebody else judges is shown, and cannot be opened."""
    database = database_at(tmp_path)
    campaign = make(
        database,
        "direct-assessment",
        options=WHOLE,
        controls=NO_CONTROLS,
        annotators={"names": ["Ann"], "items": 1},
    )
    add_annotator(database, campaign, "Zoe")
    outputs = {"literal": "x", "smooth": "y", "strong": "y"}
    assert add_items(database, campaign, [Segment("n-1", outputs, source="z", document="new")]) == 2
    for row in annotators_of(database, campaign):
        work = Work(database, campaign, row.id)
        last = work.screen(work.progress().total)
        assert last is not None
        assert last.item.document == "new"
        assert last.item.inside
        assert [part.state for part in last.document] == ["open"]
        assert last.document[0].position == work.progress().total - 1
    database.close()


def test_a_sheet_asks_for_the_score_of_a_document(tmp_path: Path) -> None:
    """Errors and a score for each segment; of the whole only the score."""
    import openpyxl

    from tertium.app.sheetfiles import read_sheets, write_sheets

    database = database_at(tmp_path)
    one = {"names": ["Ann"], "items": 1}
    campaign = make(database, "error-spans", options={"unit": "document"}, annotators=one)
    [path] = write_sheets(database, campaign, tmp_path / "sheets")
    book = openpyxl.load_workbook(path)
    page = book["Judgements"]
    columns = {cell.value: cell.column for cell in page[1]}
    for row in range(2, page.max_row + 1):
        page.cell(row, columns["Score"]).value = 40 + row
    book.save(path)
    assert read_sheets(database, campaign, [path]) == {"Ann": page.max_row - 1}
    found = collected(database, campaign)
    assert [judged.answer["score"] for judged in found] == [42.0 + n for n in range(len(found))]
    assert found.documents[0].answer == {"score": 40.0 + page.max_row}
    page.cell(page.max_row, columns["Errors"]).value = "major: everything"
    book.save(path)
    with pytest.raises(InputError, match="was changed from '' to 'major: everything'"):
        read_sheets(database, campaign, [path])
    database.close()
