"""Answers kept once and for all: idempotent keys, drafts, undo, more annotators, more items, migrations."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, inspect, select

from tertium.app import schema
from tertium.app.campaigns import (
    add_annotator,
    add_items,
    annotators_of,
    campaign_named,
    set_state,
    settings_of,
)
from tertium.app.database import CampaignDatabase
from tertium.app.overview import annotator_lines, collected
from tertium.app.working import Work
from tertium.errors import InputError
from tertium.human.campaigns.segments import Segment
from tertium.web.database import shown_url
from tests.app.made import database_at, make


@pytest.fixture
def database(tmp_path: Path) -> Iterator[CampaignDatabase]:
    found = database_at(tmp_path)
    yield found
    found.close()


def work_of(database: CampaignDatabase, campaign: int, name: str = "Ann") -> Work:
    row = next(row for row in annotators_of(database, campaign) if row.name == name)
    return Work(database, campaign, row.id)


def rows(database: CampaignDatabase) -> int:
    with database.reading() as connection:
        return int(connection.execute(select(func.count()).select_from(schema.judgements)).scalar_one())


def test_an_answer_sent_twice_is_one_answer(database: CampaignDatabase) -> None:
    work = work_of(database, make(database, "pairwise"))
    first = work.save(1, "the-same-key", {"choice": "A"}, 1.0, complete=True)
    again = work.save(1, "the-same-key", {"choice": "B"}, 9.0, complete=True)
    assert first is not None
    assert again is not None
    assert (first.again, again.again, rows(database)) == (False, True, 1)
    assert [one.answer for one in collected(database, 1)] == [{"choice": "A"}]
    changed = work.save(1, "another-key", {"choice": "B"}, 2.0, complete=True)
    assert changed is not None
    assert changed.progress.done == 1
    assert [(one.answer["choice"], one.seconds) for one in collected(database, 1)] == [("B", 2.0)]
    assert rows(database) == 2  # what was answered before is still there, and no longer counts


def test_the_same_key_at_the_same_moment(database: CampaignDatabase) -> None:
    work = work_of(database, make(database, "pairwise"))
    results: list[Any] = []
    gate = threading.Barrier(8)

    def send() -> None:
        gate.wait()
        results.append(work.save(1, "the-same-key", {"choice": "A"}, 1.0, complete=True))

    threads = [threading.Thread(target=send) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(one.again for one in results) == [False] + [True] * 7
    assert rows(database) == 1


def test_a_job_that_fails_takes_no_other_with_it(database: CampaignDatabase) -> None:
    """Those who wait are written in one transaction; who fails among them fails alone."""
    campaign = make(database, "pairwise", annotators={"names": ["Ann"], "items": 20})
    work = work_of(database, campaign)
    outcomes: dict[int, str] = {}
    gate = threading.Barrier(10)

    def act(number: int) -> None:
        gate.wait()
        if number % 2:
            work.save(number, f"key-number-{number}", {"choice": "A"}, 1.0, complete=True)
            outcomes[number] = "saved"
            return

        def fail(connection: Any) -> None:
            connection.execute(schema.judgements.delete())
            raise ValueError("on second thoughts")

        try:
            database.write(fail)
        except ValueError:
            outcomes[number] = "failed"

    threads = [threading.Thread(target=act, args=(number,)) for number in range(1, 11)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes == {number: "saved" if number % 2 else "failed" for number in range(1, 11)}
    assert [one.position for one in collected(database, campaign)] == [1, 3, 5, 7, 9]


def test_a_draft_never_takes_the_place_of_an_answer(database: CampaignDatabase) -> None:
    work = work_of(database, make(database, "ranking"))
    n = len(work.screen(1).item.outputs)  # type: ignore[union-attr]
    draft = work.save(1, "draft-one", {"ranks": [1] + [None] * (n - 1)}, 1.0, complete=False)
    assert draft is not None
    assert (draft.state, draft.progress.done) == ("draft", 0)
    screen = work.screen(1)
    assert screen is not None
    assert screen.answer == {"ranks": [1] + [None] * (n - 1)}
    assert len(collected(database, 1)) == 0
    work.save(1, "done-one", {"ranks": [1] * n}, 3.0, complete=True)
    late = work.save(1, "draft-two", {"ranks": [2] + [None] * (n - 1)}, 4.0, complete=False)
    assert late is not None
    assert late.state == "done"
    assert [one.answer for one in collected(database, 1)] == [{"ranks": [1] * n}]


def test_undo_goes_back_one_by_one_and_once_by_key(database: CampaignDatabase) -> None:
    work = work_of(database, make(database, "pairwise"))
    assert work.undo("nothing-there") is None
    for position in (1, 2):
        work.save(position, f"key-number-{position}", {"choice": "A"}, 1.0, complete=True)
    assert work.undo("undo-one") == 2
    assert work.undo("undo-one") == 2  # the browser asked twice
    assert work.progress().next == 2
    assert work.undo("undo-two") == 1
    assert work.progress().done == 0
    screen = work.screen(2)
    assert screen is not None
    assert screen.answer == {"choice": "A"}  # as a draft


def test_seconds_stay_sensible(database: CampaignDatabase) -> None:
    work = work_of(database, make(database, "pairwise"))
    work.save(1, "key-one-1", {"choice": "A"}, -5.0, complete=True)
    work.save(2, "key-two-2", {"choice": "A"}, 1e12, complete=True)
    assert [one.seconds for one in collected(database, 1)] == [0.0, 86400.0]


def test_an_annotator_who_comes_later(database: CampaignDatabase) -> None:
    same = make(database, "pairwise", name="same")
    other = make(
        database, "pairwise", name="other", annotators={"names": ["Ann"], "items": 3, "sample": "different"}
    )
    for campaign in (same, other):
        add_annotator(database, campaign, "Zoe")
        with pytest.raises(InputError, match="already"):
            add_annotator(database, campaign, "Zoe")
    items: dict[tuple[int, str], set[str]] = {}
    for campaign, name in ((same, "Ann"), (same, "Zoe"), (other, "Ann"), (other, "Zoe")):
        work = work_of(database, campaign, name)
        items[campaign, name] = {work.screen(n).item.id for n in (1, 2, 3)}  # type: ignore[union-attr]
    assert items[same, "Ann"] == items[same, "Zoe"]
    assert not items[other, "Ann"] & items[other, "Zoe"]


def test_items_that_come_later(database: CampaignDatabase) -> None:
    campaign = make(database, "direct-assessment")
    new = Segment("new-1", {"A": "One.", "B": "One.", "C": "Two."}, source="Eins.", reference="One!")
    assert add_items(database, campaign, [new]) == 2  # A and B gave the same
    work = work_of(database, campaign)
    assert work.progress().total == 5
    shown = {work.screen(n).item.outputs[0].systems for n in (4, 5)}  # type: ignore[union-attr]
    assert shown == {("A", "B"), ("C",)}
    with pytest.raises(InputError, match="already"):
        add_items(database, campaign, [new])
    with pytest.raises(InputError, match="no reference"):
        add_items(database, campaign, [Segment("new-2", {"A": "x"})])


def test_documents_come_in_order_with_what_stood_before(database: CampaignDatabase) -> None:
    campaign = make(
        database,
        "direct-assessment",
        options={"order": "document"},
        annotators={"names": ["Ann"], "items": 30},
        controls={"repeat": 0, "degraded": 0, "reference": 0},
    )
    work = work_of(database, campaign)
    screens = [work.screen(n) for n in range(1, 31)]
    runs = [(one.item.document, one.item.outputs[0].systems, int(one.item.segment)) for one in screens if one]
    for before, after in pairwise(runs):
        if before[0] == after[0] and set(before[1]) & set(after[1]):
            assert before[2] < after[2]
    second = next(one for one in screens if one and one.context)
    assert second.context[-1] == screens[second.position - 2].item.outputs[0].text  # type: ignore[union-attr]


def test_states_and_names(database: CampaignDatabase) -> None:
    campaign = make(database, "pairwise", name="one")
    assert campaign_named(database) == campaign
    with pytest.raises(InputError, match="did you mean 'one'"):
        campaign_named(database, "oen")
    make(database, "pairwise", name="two")
    with pytest.raises(InputError, match="specify the campaign: there are 2"):
        campaign_named(database)
    with pytest.raises(InputError, match="no annotator 99"):
        set_state(database, campaign, 99, "paused")
    with pytest.raises(InputError, match="did you mean 'paused'"):
        set_state(database, campaign, 1, "pausde")
    assert settings_of(database, campaign).name == "one"
    assert annotator_lines(database, campaign)[0].seconds is None


def test_migrations_make_the_tables_that_the_program_knows(database: CampaignDatabase) -> None:
    found = inspect(database.engine)
    assert set(schema.metadata.tables) <= set(found.get_table_names())
    for name, table in schema.metadata.tables.items():
        columns = {one["name"]: one["nullable"] for one in found.get_columns(name)}
        assert columns == {column.name: bool(column.nullable) for column in table.columns}, name
        unique = {tuple(one["column_names"]) for one in found.get_unique_constraints(name)}
        indexes = {one["name"] for one in found.get_indexes(name)}
        assert {index.name for index in table.indexes} <= indexes
        wanted = {
            tuple(column.name for column in one.columns)
            for one in table.constraints
            if type(one).__name__ == "UniqueConstraint"
        }
        assert wanted <= unique, name


def test_migrations_go_back_and_forth(database: CampaignDatabase) -> None:
    from alembic import command

    with database.writing() as connection:
        command.downgrade(database.steps(connection), "base")
    assert set(inspect(database.engine).get_table_names()) == {"alembic_version"}
    database.migrate()
    assert "judgements" in inspect(database.engine).get_table_names()


def test_databases_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such database"):
        CampaignDatabase(tmp_path / "nothing.db", create=False)
    (tmp_path / "text.db").write_text(
        "this is no database, whatever its name says, and it is long enough\n" * 20
    )
    with pytest.raises(InputError, match="cannot be opened"):
        CampaignDatabase(tmp_path / "text.db")
    with pytest.raises(InputError, match="cannot be opened"):
        CampaignDatabase("postgresql://nobody:secret@127.0.0.1:1/nothing")
    with pytest.raises(InputError, match="SQLite file or postgresql"):
        CampaignDatabase("mysql://x/y")
    for url in (
        "postgresql://nobody:secret@host/x",
        "postgresql://nobody:s@secret@host/x",
        "postgresql://nobody:s/secret@host/x",
        "postgresql://:secret@host/x",
        "postgresql://host/x?user=me&password=secret",
    ):
        assert "secret" not in shown_url(url)
        with pytest.raises(InputError) as caught:
            CampaignDatabase(url.replace("@host", "@127.0.0.1:secret"))
        assert "secret" not in str(caught.value).replace("127.0.0.1:secret", "")
