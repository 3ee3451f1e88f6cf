"""Translators for documents: histories made so that the answer is known, and the real memory."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import date, timedelta
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tertium.assignment.choice import PastChoice, learned, probabilities
from tertium.assignment.evaluating import _hits, evaluate_assignment
from tertium.assignment.evidence import EVIDENCE, Question
from tertium.assignment.history import History
from tertium.assignment.ranking import rank_translators
from tertium.assignment.revisions import Revisions
from tertium.assignment.staff import Staff, read_due, read_marks, read_people
from tertium.errors import InputError
from tertium.io.memories.pairs import Pair
from tertium.io.memories.unit import Unit
from tertium.memory.reading import Source
from tertium.text.vectors import Vectors
from tests.conftest import skip_or_fail

Job = tuple[str, str, str, str, str]  # client, document, translator, date, source


def memory(folder: Path, jobs: Iterable[Job]) -> str:
    path = folder / "jobs.jsonl"
    keys = ("client", "document", "translator", "date", "source")
    languages = {"source_language": "en", "target_language": "fr"}
    records = [{**dict(zip(keys, job, strict=True)), "target": f"le {job[4]}", **languages} for job in jobs]
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return str(path)


def days(n: int, start: date = date(2024, 1, 1)) -> list[str]:
    return [str(start + timedelta(i)) for i in range(n)]


def two_teams() -> list[Job]:
    """acme's documents go to ann, zeta's to zoe."""
    return [
        (client, f"{client}{i}", who, day, f"{client} manual part {i}")
        for i, day in enumerate(days(30))
        for client, who in (("acme", "ann"), ("zeta", "zoe"))
    ]


def asked(tmp_path: Path, text: str = "a harbour manual", name: str = "new.txt") -> str:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return str(path)


def test_the_clients_own_translator_comes_first(tmp_path: Path) -> None:
    found = rank_translators(
        [asked(tmp_path)], memory(tmp_path, two_teams()), client="zeta", on=date(2024, 2, 5)
    )
    first = found.documents[0].candidates[0]
    assert first.translator == "zoe"
    assert first.share > 0.8
    assert "did 30 of 30 documents of this client" in first.reasons
    assert "zoe" in next(found.words())


def test_words_decide_for_a_new_client(tmp_path: Path) -> None:
    """With nothing else to go by, the one who translated such texts; and it is said how little is known."""
    jobs = [
        (
            "a" if i % 2 else "b",
            f"d{i}",
            *(("t1", day, "brakes engine gearbox") if i % 2 else ("t2", day, "court verdict appeal")),
        )
        for i, day in enumerate(days(40))
    ]
    path = memory(tmp_path, jobs)
    for text, who in (("The engine and the brakes", "t1"), ("An appeal to the court", "t2")):
        found = rank_translators([asked(tmp_path, text)], path, client="new", on=date(2024, 3, 1)).documents[
            0
        ]
        assert found.candidates[0].translator == who
        assert any("Too little known" in note for note in found.notes)


def test_vectors_find_documents_that_share_no_word(tmp_path: Path) -> None:
    """Of two who did as much for other clients, the one who translated words of near meaning."""
    jobs = [
        (
            "a" if i % 2 else "b",
            f"d{i}",
            *(("t1", day, "brakes engine") if i % 2 else ("t2", day, "court verdict")),
        )
        for i, day in enumerate(days(40))
    ]
    table = tmp_path / "toy.vec"
    near = {
        "brakes": "1 .1",
        "engine": "1 .2",
        "gearbox": "1 0",
        "court": "0 1",
        "verdict": ".1 1",
        "judge": ".2 1",
    }
    table.write_text(f"{len(near)} 2\n" + "".join(f"{word} {own}\n" for word, own in near.items()))
    path = memory(tmp_path, jobs)
    for text, who, like in (("Gearbox", "t1", "d39"), ("The judge", "t2", "d38")):
        document, on = asked(tmp_path, text), date(2024, 3, 1)
        found = rank_translators([document], path, client="new", on=on, vectors=str(table)).documents[0]
        plain = rank_translators([document], path, client="new", on=on).documents[0]
        shares, before = ({one.translator: one.share for one in own.candidates} for own in (found, plain))
        assert found.candidates[0].translator == who
        assert shares[who] > before[who] + 0.1
        assert any("near it in meaning" in reason for reason in found.candidates[0].reasons), like
    unknown = rank_translators([asked(tmp_path, "zzz yyy")], path, on=date(2024, 3, 1), vectors=str(table))
    assert any("Only 0% of the document's words have vectors" in note for note in unknown.documents[0].notes)


def test_vectors_of_documents_know_no_later_words(tmp_path: Path) -> None:
    table = tmp_path / "toy.vec"
    table.write_text("3 2\nacme 1 0.2\nmanual 0.3 1\nzeta 0 1\n")
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    whole = History.read(Source(memory(tmp_path / "a", two_teams())))
    half = History.read(Source(memory(tmp_path / "b", two_teams()[:31])))
    for own in (whole, half):
        own.use(Vectors.open(table))
    for job in range(2, len(half.jobs)):
        one, other = (Question.of_job(own, job).nearness for own in (half, whole))
        assert np.array_equal(one, other)
    assert one.any()


def test_types_of_documents_are_evidence_where_they_are_known(tmp_path: Path) -> None:
    """Types by a table, of documents of one client or of any; by properties of units; and nowhere."""
    path, document, on = memory(tmp_path, two_teams()), asked(tmp_path), date(2024, 2, 5)
    plain = rank_translators([document], path, type="guide", on=on).documents[0]
    assert any("Not known, and so not used: domain and document type." in note for note in plain.notes)
    types = tmp_path / "types.tsv"
    rows = [f"acme{i}\tguide\tacme\n" for i in range(30)] + [f"zeta{i}\tletter\t\n" for i in range(30)]
    types.write_text("document\ttype\tclient\n" + "".join(rows))
    before = {one.translator: one.share for one in plain.candidates}
    for kind, who in (("guide", "ann"), ("letter", "zoe")):
        found = rank_translators([document], path, type=kind, types=str(types), on=on).documents[0]
        first = found.candidates[0]
        assert (first.translator, f"30 documents of type {kind}" in first.reasons) == (who, True)
        assert first.share > before[who]
        assert any("Not known, and so not used: domain." in note for note in found.notes)
    odd = rank_translators([document], path, type="gide", types=str(types), on=on).documents[0]
    assert any("of document type 'gide'; did you mean 'guide'" in note for note in odd.notes)
    unit = Unit("a", "b", properties=(("x-document-type", "letter"),))
    assert unit.document_type() == "letter"
    types.write_text("document\ttype\nd\t\n")
    with pytest.raises(InputError, match=r"types.tsv: line 2: the column type is empty"):
        rank_translators([document], path, types=str(types), on=on)


def test_whoever_did_little_is_marked(tmp_path: Path) -> None:
    jobs = [*two_teams(), ("acme", "last", "new", "2024-02-01", "acme manual")]
    found = rank_translators([asked(tmp_path)], memory(tmp_path, jobs), client="acme", on=date(2024, 2, 5))
    marked = {one.translator: one.too_little_known for one in found.documents[0].candidates}
    assert marked == {"ann": False, "zoe": False, "new": True}


def test_who_is_away_comes_last_and_marks_count(tmp_path: Path) -> None:
    path = memory(tmp_path, two_teams())
    people = tmp_path / "people.tsv"
    people.write_text("translator\tavailable\twords_per_day\nzoe\tno\t\nann\t2024-02-10\t2\n")
    found = rank_translators(
        [asked(tmp_path)], path, client="zeta", people=str(people), on=date(2024, 2, 5)
    ).documents[0]
    assert [(one.translator, one.obstacle) for one in found.candidates] == [
        ("zoe", "not available"),
        ("ann", "not available before 2024-02-10"),
    ]
    late = rank_translators(
        [asked(tmp_path)], path, client="zeta", people=str(people), due="2024-02-12", on=date(2024, 2, 5)
    ).documents[0]
    assert [(one.translator, one.obstacle) for one in late.candidates] == [
        ("ann", ""),
        ("zoe", "not available"),
    ]
    marks = tmp_path / "marks.tsv"
    plain = rank_translators([asked(tmp_path)], path, on=date(2024, 2, 5)).documents[0].candidates
    marks.write_text("translator\tmark\n" + "ann\t1\n" * 9 + "zoe\t5\n" * 9)
    marked = (
        rank_translators([asked(tmp_path)], path, marks=str(marks), on=date(2024, 2, 5))
        .documents[0]
        .candidates
    )
    before = next(one.share for one in plain if one.translator == "zoe")
    after = next(one for one in marked if one.translator == "zoe")
    assert after.share > before
    assert after.reasons[-1] == "mean mark 5 of 9 marks"


def test_revisions_by_others_are_counted(tmp_path: Path) -> None:
    first = [("acme", "d", "ann", "2024-01-01", f"text {i}") for i in range(10)]
    path = Path(memory(tmp_path, first))
    again = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    for i, record in enumerate(again):
        record.update(translator="ben", date="2024-02-01", target="revu" if i < 4 else record["target"])
    path.write_text(path.read_text("utf-8") + "".join(json.dumps(record) + "\n" for record in again), "utf-8")
    assert History.read(Source(str(path))).revised == {"ann": (4, 10)}


def revised(folder: Path, on: str) -> str:
    """acme's and zeta's history; on a day, ben translates half of ann's first documents again, and otherwise."""
    folder.mkdir()
    path = Path(memory(folder, two_teams()))
    records = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    again = [
        {**own, "translator": "ben", "date": on, "target": "revu"}
        for own in records[:30]
        if own["translator"] == "ann"
    ]
    later = {**records[0], "document": "late", "translator": "", "date": on, "source": "unheard harbour"}
    path.write_text("".join(json.dumps(own) + "\n" for own in [*again, later, *records]), "utf-8")
    return str(path)


def test_a_list_as_of_a_day_knows_nothing_of_later_days(tmp_path: Path) -> None:
    """Revisions, documents, clients, words and marks of that day and later change nothing; earlier ones do."""
    document, on = asked(tmp_path, "An unheard manual of the harbour"), date(2024, 2, 5)
    (tmp_path / "plain").mkdir()
    marks = tmp_path / "marks.tsv"
    plain = memory(tmp_path / "plain", two_teams())
    expected = rank_translators([document], plain, client="acme", on=on)
    future = revised(tmp_path / "future", "2024-02-05")
    marks.write_text("translator\tmark\tdate\nann\t1\t2024-02-05\nzoe\t5\t2024-03-01\nben\t3\t2024-03-01\n")
    found = rank_translators([document], future, client="acme", on=on, marks=str(marks))
    assert found.documents == expected.documents
    assert found.jobs == expected.jobs
    known = rank_translators([document], revised(tmp_path / "past", "2024-02-04"), client="acme", on=on)
    reasons = {one.translator: one.reasons for one in known.documents[0].candidates}
    assert reasons["ann"][-1] == "15 of 15 segments later changed by others"
    assert "ben" in reasons
    with pytest.raises(InputError, match="nothing was translated before 2023-12-31"):
        rank_translators([document], future, on=date(2023, 12, 31))


def test_revisions_do_not_depend_on_the_order_of_units_and_need_dates() -> None:
    versions = [("ann", 1, "a"), ("ben", 2, "b"), ("cy", 3, "b"), ("cy", 4, "c")]
    for order in permutations(versions):
        watched = Revisions()
        for who, day, text in order:
            watched.add(Unit("x", text, client="c", document="d", translator=who), day)
        assert watched.counted() == {"ann": (1, 1), "ben": (0, 1)}
    undated = Revisions()
    for who, day, text in (("ann", 0, "a"), ("ben", 2, "b")):
        undated.add(Unit("x", text, client="c", document="d", translator=who), day)
    assert undated.counted() == {}


def test_weights_are_recovered() -> None:
    """Choices drawn by known weights, and the weights that were learned from them."""
    draws = np.random.default_rng(5)
    true = np.array([2.0, -1.0, 0.5])
    choices = []
    for _ in range(3000):
        columns = draws.normal(size=(6, 3))
        choices.append(PastChoice(columns, int(draws.choice(6, p=probabilities(columns, true)))))
    assert np.allclose(learned(choices, np.zeros(3)), true, atol=0.12)
    assert np.allclose(learned([], true), true)


def test_nothing_of_the_future_is_known(tmp_path: Path) -> None:
    """What happens on the day of a job or later changes nothing of what is known about it."""
    jobs = two_teams()
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    whole = History.read(Source(memory(tmp_path / "a", jobs)))
    half = History.read(Source(memory(tmp_path / "b", jobs[:31])))
    kinds = [EVIDENCE[name] for name in EVIDENCE]
    for job in range(2, len(half.jobs)):
        assert half.jobs[job] == whole.jobs[job]
        for kind in kinds:
            one, other = (kind.columns(Question.of_job(own, job)) for own in (half, whole))
            assert np.allclose(one, other), kind.name


def test_evaluation_counts_what_can_be_counted_by_hand(tmp_path: Path) -> None:
    found = evaluate_assignment(memory(tmp_path, two_teams()), since=date(2024, 1, 11), cut=date(2024, 1, 21))
    known, cut = found.parts
    assert (known.documents, known.clients, known.new) == (40, 2, 0)
    assert known.methods[0].hits == (1.0, 1.0, 1.0)
    assert known.methods[1].mrr == 1.0
    assert {name: counts for name, *counts in found.fairness} == {"ann": [20, 20], "zoe": [20, 20]}
    assert cut.documents == 20


def test_intervals_and_leads_are_by_client(tmp_path: Path) -> None:
    """Three clients: of two our hits are all right and a rule's are all wrong, of one it is the reverse."""
    values = {"ours": np.repeat([1.0, 1.0, 0.0], (5, 3, 4)), "rule": np.repeat([0.0, 0.0, 1.0], (5, 3, 4))}
    ours, rule = (np.stack([own] * 4, axis=1) for own in values.values())
    groups = [np.arange(5), np.arange(5, 8), np.arange(8, 12)]
    found = _hits("rule", rule, ours, groups, compared=True)
    sizes, wins = np.array([5, 3, 4]), np.array([5, 3, -4])
    draws = np.array(list(product(range(3), repeat=3)))
    quantile = 4.302652729696144  # Student's, two degrees of freedom

    def expected(sums: NDArray[np.int64]) -> tuple[float, float]:
        """All 27 resamples; ours draws 10,000, so that the ends agree to some per cent."""
        spread = np.std([sums[own].sum() / sizes[own].sum() for own in draws]) * np.sqrt(3 / 2)
        return sums.sum() / 12 - quantile * spread, sums.sum() / 12 + quantile * spread

    assert expected(np.array([0, 0, 4]))[1] > 1  # which no share of documents is
    assert found.intervals[0] == (0.0, 1.0)
    lead = found.leads[3]
    assert lead.difference == pytest.approx(4 / 12)
    assert (lead.low, lead.high) == pytest.approx(expected(wins), abs=0.1)
    flips = [abs(wins @ signs) for signs in product((1, -1), repeat=3)]
    assert lead.p == np.mean(np.array(flips) >= 4)
    whole = evaluate_assignment(memory(tmp_path, two_teams()), since=date(2024, 1, 11)).parts[0]
    assert [len(own.leads) for own in whole.methods] == [0, 4, 4, 4]
    assert whole.methods[1].leads[0].p == 1.0
    assert whole.methods[0].intervals[0] == (None, None)  # all are right: nothing says how uncertain that is


def test_a_document_is_never_on_both_sides(tmp_path: Path) -> None:
    jobs = [*two_teams(), ("acme", "acme3", "ann", "2024-03-01", "acme again")]
    found = evaluate_assignment(memory(tmp_path, jobs), since=date(2024, 1, 11))
    assert (found.repeated, found.parts[0].documents) == (1, 40)


def test_on_the_real_memory(shared: Path, tmp_path: Path) -> None:
    """Since 2018: 283 documents of known clients; above both plain rules, surely."""
    import lzma

    data = shared / "data" / "memory" / "en-fr.jsonl.xz"
    if not data.exists():
        skip_or_fail(f"{data} is not there")
    few: dict[tuple[str, ...], list[str]] = {}
    with lzma.open(data, "rt", encoding="utf-8") as file:
        for line in file:
            own = json.loads(line)
            few.setdefault((own["client"], own["document"], own["translator"], own["date"]), []).append(line)
    path = tmp_path / "few.jsonl"  # twenty units a document, since reading takes the time
    path.write_text("".join(line for lines in few.values() for line in lines[:20]), "utf-8")
    known = evaluate_assignment(str(path), since=date(2018, 1, 1), pair=Pair("en", "fr")).parts[0]
    ours, latest, frequent, _ = known.methods
    assert (known.documents, known.new) == (283, 27)
    assert latest.hits[0] == pytest.approx(0.75, abs=0.005)
    assert frequent.hits[0] == pytest.approx(0.55, abs=0.01)
    assert ours.hits[0] > latest.hits[0] + 0.03
    for other in (latest, frequent):
        hit, *_, reciprocal = other.leads
        assert hit.p < 0.05
        assert hit.low < hit.difference < hit.high
        assert reciprocal.p < 0.05


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("translator\tavailable\nt\tsoon\n", "line 2: 'soon' is no date"),
        ("translator\tavailable\nt\t\nt\t\n", "line 3: translator 't' is there twice"),
        ("translator\twords_per_day\nt\t0\n", "line 2"),
        ("name\nt\n", "unknown column 'name'"),
    ],
)
def test_bad_files_of_people(content: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "people.tsv"
    path.write_text(content)
    with pytest.raises(InputError, match=said):
        read_people(path)


def test_bad_input_is_named(tmp_path: Path) -> None:
    path = memory(tmp_path, two_teams())
    document = asked(tmp_path)
    marks = tmp_path / "marks.tsv"
    marks.write_text("translator\tmark\nnobody\t3\n")
    with pytest.raises(InputError, match="has no translator 'nobody'"):
        rank_translators([document], path, marks=str(marks))
    marks.write_text("translator\tmark\nann\tgood\n")
    with pytest.raises(InputError, match="line 2"):
        read_marks(marks)
    due = tmp_path / "due.tsv"
    due.write_text("document\tdue\nnow.txt\t2024-01-01\n")
    with pytest.raises(InputError, match=r"there is no document 'now.txt'; did you mean 'new.txt'"):
        rank_translators([document], path, due=str(due))
    assert read_due("2024-01-02") == date(2024, 1, 2)
    with pytest.raises(InputError, match="nothing was translated before 2020-01-01"):
        rank_translators([document], path, on=date(2020, 1, 1))
    with pytest.raises(InputError, match="there is no text"):
        rank_translators([asked(tmp_path, " \n", "blank.txt")], path)
    nobody = tmp_path / "nobody"
    nobody.mkdir()
    with pytest.raises(InputError, match="no unit names its translator"):
        rank_translators([document], memory(nobody, [("a", "d", "", "2024-01-01", "x")]))
    with pytest.raises(InputError, match="has no dates"):
        evaluate_assignment(memory(nobody, [("a", "d", "t", "", "x")]), since=date(2024, 1, 1))
    undated = rank_translators([document], memory(nobody, [("a", "d", "t", "", "x")]), client="a").documents[
        0
    ]
    assert undated.candidates[0].translator == "t"
    assert any("has no dates" in note for note in undated.notes)


def test_marks_of_few_are_drawn_to_the_mean() -> None:
    quality = Staff(marks={"a": (5.0,), "b": (5.0,) * 20, "c": (1.0,) * 20}).quality()
    assert 0 < quality["a"] < quality["b"]
    assert quality["c"] < 0
