"""A memory that names people: nothing that assignment writes or prints has a name in it."""

from __future__ import annotations

import json
import os
import stat
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.assignment.evaluating import evaluate_assignment
from tertium.assignment.history import History
from tertium.assignment.identities import Identities, is_id
from tertium.assignment.ranking import rank_translators
from tertium.errors import InputError
from tertium.memory.reading import Source
from tests.assignment.test_assignment import asked, memory, two_teams
from tests.cli.conftest import Run

ANN, ZOE = "Anné Dupont <anne.dupont@example.org>", "zoe.weiss@example.org"
NAMES = ("anné", "dupont", "zoe", "weiss", "example.org", "kunde", "post@", "someone")


def named(folder: Path) -> str:
    """The history of two teams; translators and one client under their names, documents with addresses."""
    who = {"ann": ANN, "zoe": ZOE}
    clients = {"acme": "Karl Kunde", "zeta": "post@example.org"}
    jobs = [
        (clients[client], f"{document} for someone@example.org", who[translator], day, source)
        for client, document, translator, day, source in two_teams()
    ]
    return memory(folder, [*jobs, ("Karl Kunde", "x", "FULL NAME <EMAIL@ADDRESS>", "2024-01-30", "manual")])


def nameless(text: str) -> None:
    assert [name for name in NAMES if name in text.lower()] == []


@pytest.mark.parametrize("form", ["table", "json", "tsv", "markdown", "latex", "text"])
def test_no_name_is_printed_or_stored(form: str, tmp_path: Path, run: Run) -> None:
    path, document = named(tmp_path), asked(tmp_path, "acme manual")
    people, marks = tmp_path / "people.tsv", tmp_path / "marks.tsv"
    people.write_text(f"translator\tavailable\n{ZOE}\tno\n", "utf-8")
    marks.write_text(f"translator\tmark\n{ANN}\t4\n{ZOE}\t2\n", "utf-8")
    before = set(os.listdir(tmp_path))
    table = str(tmp_path / "list.out")
    rank = ["assign", "rank", document, "--memory", path, "--client", "Karl Kunde", "--on", "2024-02-05"]
    found = run(*rank, "--people", str(people), "--marks", str(marks), "-f", form, "-o", table)
    assert found.status == 0, found.err
    tested = run("assign", "evaluate", path, "--since", "2024-01-11", "-f", form)
    assert tested.status == 0, tested.err
    for text in (found.out, found.err, tested.out, tested.err):
        nameless(text.replace(str(tmp_path), ""))
    assert "t-" in tested.out
    for name in set(os.listdir(tmp_path)) - before:
        nameless((tmp_path / name).read_text("utf-8").replace(str(tmp_path), ""))
    ids = run("assign", "id", ANN, "--memory", path, "-f", "json").out
    nameless(ids)
    assert Identities(path).translator(ANN) in ids


def test_lists_are_those_of_the_same_memory_with_ids(tmp_path: Path) -> None:
    """Who is who, and in which order, does not depend on whether people are named."""
    (tmp_path / "plain").mkdir()
    document, on = asked(tmp_path, "acme manual"), date(2024, 2, 5)
    path = named(tmp_path)
    found = rank_translators([document], path, client="Karl Kunde", on=on).documents[0].candidates
    plain = rank_translators([document], memory(tmp_path / "plain", two_teams()), client="acme", on=on)
    ids = Identities(path)
    who = {"ann": ids.translator(ANN), "zoe": ids.translator(ZOE)}
    expected = [(who[one.translator], one.share) for one in plain.documents[0].candidates]
    assert [one.translator for one in found] == [name for name, _ in expected]
    assert [one.share for one in found] == pytest.approx([share for _, share in expected])
    assert found[0].reasons[0] == plain.documents[0].candidates[0].reasons[0]
    evaluated = evaluate_assignment(path, since=date(2024, 1, 11))
    assert {name for name, *_ in evaluated.fairness} == set(who.values())


def test_ids_are_stable_and_depend_on_the_key(tmp_path: Path) -> None:
    memories = [str(tmp_path / name) for name in ("a.jsonl", "b.jsonl")]
    first, again, other = (Identities(own).translator(ANN) for own in (memories[0], memories[0], memories[1]))
    assert first == again != other
    assert Identities(memories[1], tmp_path / "a.jsonl.key").translator(ANN) == first
    assert Identities(memories[0]).translator(f"  {ANN.upper()} ") == first
    assert stat.S_IMODE((tmp_path / "a.jsonl.key").stat().st_mode) == 0o600


def test_a_memory_with_ids_needs_no_key(tmp_path: Path) -> None:
    path = memory(tmp_path, two_teams())
    assert History.read(Source(path)).translators == ["ann", "zoe"]
    assert os.listdir(tmp_path) == ["jobs.jsonl"]


def test_a_key_that_is_none_or_cannot_be_kept(tmp_path: Path, run: Run) -> None:
    path = named(tmp_path)
    (tmp_path / "jobs.jsonl.key").write_text("tertium key 1\nabc", "utf-8")
    found = run("assign", "evaluate", path, "--since", "2024-01-11")
    assert (found.status, found.err.count("\n")) == (2, 1)
    assert "is no key for ids" in found.err
    with pytest.raises(InputError, match="say where with --key"):
        Identities(path, tmp_path / "nowhere" / "k").translator(ANN)


def test_whoever_is_not_in_the_memory_is_not_named_either(tmp_path: Path) -> None:
    marks = tmp_path / "marks.tsv"
    marks.write_text(f"translator\tmark\nSomeone Else\t4\n{ANN}\t2\n", "utf-8")
    with pytest.raises(InputError, match=r"marks.tsv: .* has no translator 't-[0-9a-f]{10}'") as error:
        rank_translators([asked(tmp_path)], named(tmp_path), marks=str(marks), on=date(2024, 2, 5))
    nameless(str(error.value).replace(str(tmp_path), ""))


@given(st.from_regex(r"\A[A-Z][a-zé]{1,9}([ .-][A-Z][a-z]{1,9}){0,2}( <[a-z.]+@[a-z]+\.org>)?\Z"))
def test_what_people_are_called_is_no_id(name: str) -> None:
    assert not is_id(name)


def test_a_catalogue_names_its_last_translator(tmp_path: Path) -> None:
    header = f'msgid ""\nmsgstr ""\n"Last-Translator: {ANN}\\n"\n"Language: fr\\n"\n'
    header += '"PO-Revision-Date: 2024-01-05 10:00+0100\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
    (tmp_path / "app.po").write_text(header + '\nmsgid "Open file"\nmsgstr "Ouvrir"\n', "utf-8")
    history = History.read(Source(str(tmp_path / "app.po")))
    nameless(json.dumps([job._asdict() for job in history.jobs]) + "".join(history.translators))
    assert history.translators[0].startswith("t-")
