"""Metrics judged by retrieval, end to end. The collection is made up: sentences of few words, systems that lose some of
them at random; so who loses more must find less, and metrics must say so."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import tertium as tt
from tertium.cli import main
from tertium.errors import InputError
from tertium.io.trec import Qrels, read_run
from tertium.meta.downstream import evaluate_run, overlap_with, pseudo_relevance, query_weighted_value
from tertium.meta.retrieval_task import judge_by_retrieval

WORDS = [a + b for a in ("ba", "ke", "lo", "mi", "su") for b in ("dan", "fer", "gol", "pir", "tum", "vas")]


def made(segments: int = 60) -> tuple[tt.TestSet, dict[str, str]]:
    """Twenty documents of three segments each; five systems that lose 10% to 80% of the words."""
    rng = np.random.default_rng(1)
    reference = [" ".join(rng.choice(WORDS, 8)) for _ in range(segments)]
    systems = {}
    for name, lost in zip("ABCDE", (0.1, 0.25, 0.4, 0.6, 0.8), strict=True):
        systems[name] = [
            " ".join(word if rng.random() > lost else "xxx" for word in line.split()) for line in reference
        ]
    documents = [f"d{i // 3 + 1}" for i in range(segments)]
    queries = {f"q{i}": " ".join(rng.choice(WORDS, 2, replace=False)) for i in range(1, 13)}
    return tt.TestSet.of(reference, systems, documents=documents), queries


def test_who_loses_words_finds_less() -> None:
    testset, queries = made()
    found = judge_by_retrieval(testset, queries, ["chrf", "ter"], relevant=3, returned=5)
    assert (found.documents, found.queries, list(found.measured.runs)) == (20, 12, list("ABCDE"))
    assert found.correlations.measures == ("map", "ndcg@10", "aqwv(beta=40)", "rbo_ext(p=0.98)")
    for measure in ("map", "rbo_ext(p=0.98)"):
        assert (found.correlations.cells[measure, "chrF2"].value or 0) > 0.75
        # TER counts errors: turned round, it agrees as well
        assert (found.correlations.cells[measure, "TER"].value or 0) > 0.75
    human = found.runs["human"]
    assert human.queries["q1"] != ()
    for name, (average, _, value, overlap) in found.measured.runs.items():
        run = found.runs[name]
        truth = pseudo_relevance(human, 3)
        assert average.mean == evaluate_run(run, truth, "map").mean
        first = type(run)(name, {query: own[:5] for query, own in run.queries.items()})
        assert value.mean == query_weighted_value(first, truth, 20).mean
        assert overlap.mean == overlap_with(run, human).mean
    shown = str(found)
    assert "20 documents, 12 queries; relevant: the first 3 from the reference translations" in shown
    assert "Kendall's tau between metrics and retrieval" in shown


def test_the_reference_is_not_behind_its_own_relevance() -> None:
    """AQWV is that of the best cut-off: the run on the references finds what it is judged by, and nobody is below 0."""
    testset, queries = made()
    found = judge_by_retrieval(testset, queries, ["chrf"], relevant=3)
    by_measure = {own.measure: own for own in found.reference}
    assert by_measure["aqwv(beta=40, best cut-off)"].mean == pytest.approx(1.0)
    assert by_measure["aqwv(beta=40, best cut-off)"].cutoff == 3
    assert by_measure["map"].mean == pytest.approx(1.0)
    for own in found.measured.runs.values():
        assert (own[2].mean or 0.0) >= 0
        assert own[2].cutoff is not None
    table = next(iter(found.tables()))
    assert table.rows[-1][0] == "human (reference)"
    assert [column.label for column in table.columns][3:5] == ["aqwv(beta=40, best cut-off)", "cut-off"]
    everything = query_weighted_value(found.runs["human"], pseudo_relevance(found.runs["human"], 3), 20)
    assert (everything.mean or 0.0) < 0  # what the number was before: all documents with a word of the query


def test_a_larger_collection(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Metrics score 20 documents, retrieval is from these and 20 more."""
    larger, queries = made(120)
    scored = larger.take(range(60))
    found = judge_by_retrieval(scored, queries, ["chrf"], collection=larger)
    alone, whole = (
        judge_by_retrieval(scored, queries, ["chrf"]),
        judge_by_retrieval(larger, queries, ["chrf"]),
    )
    assert (found.documents, found.scored_documents) == (40, 20)
    assert found.measured.data() == whole.measured.data() != alone.measured.data()
    assert [own.systems.cells() for own in found.metrics if own.systems] == [
        own.systems.cells() for own in alone.metrics if own.systems
    ]
    assert "40 documents, of which metrics score 20, 12 queries" in str(found)

    folder, inputs = tmp_path / "larger", tmp_path / "scored"
    for place, texts in ((folder, larger), (inputs, scored)):
        place.mkdir()
        (place / "reference.en").write_text("".join(f"{line}\n" for line in texts.references.streams[0]))
        (place / "documents.txt").write_text("".join(f"{name}\n" for name in texts.documents or ()))
        for name, lines in texts.systems.items():
            (place / f"system-{name}.en").write_text("".join(f"{line}\n" for line in lines))
    (tmp_path / "queries.tsv").write_text("".join(f"{name}\t{words}\n" for name, words in queries.items()))
    command = ["meta", "retrieval", str(inputs / "reference.en"), "-m", "chrf", "-f", "json"]
    command += ["-i", *(str(inputs / f"system-{name}.en") for name in "ABCDE")]
    command += ["--documents", str(inputs / "documents.txt"), "--queries", str(tmp_path / "queries.tsv")]
    assert main([*command, "--collection", str(folder), "--runs", str(tmp_path / "runs")]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["retrieval"]["runs"] == found.measured.data()["runs"]
    assert (data["documents"], data["scored_documents"]) == (40, 20)
    assert len(read_run(tmp_path / "runs" / "human.run").documents("q1")) > 0
    (folder / "system-E.en").unlink()
    assert main([*command, "--collection", str(folder)]) == 2
    assert "the collection has no translation by 'E'" in capsys.readouterr().err


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    testset, queries = made()
    (tmp_path / "ref").write_text("".join(f"{line}\n" for line in testset.references.streams[0]))
    (tmp_path / "ids").write_text("".join(f"{name}\n" for name in testset.documents or ()))
    (tmp_path / "queries.tsv").write_text("".join(f"{name}\t{words}\n" for name, words in queries.items()))
    (tmp_path / "qrels").write_text("".join(f"{name} 0 d{i} 1\n" for i, name in enumerate(queries, 1)))
    names = []
    for name, lines in testset.systems.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
        names.append(str(tmp_path / name))
    command = ["meta", "retrieval", str(tmp_path / "ref"), "-i", *names, "-m", "chrf"]
    command += ["--documents", str(tmp_path / "ids"), "--queries", str(tmp_path / "queries.tsv")]
    assert main([*command, "--runs", str(tmp_path / "runs"), "--relevant", "3", "-f", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    direct = judge_by_retrieval(testset, queries, ["chrf"], relevant=3)
    cell = data["correlations"]["measures"]["map"]["chrF2"]
    assert cell["value"] == direct.correlations.cells["map", "chrF2"].value
    assert len(list((tmp_path / "runs").iterdir())) == 6
    assert read_run(tmp_path / "runs" / "human.run").queries == direct.runs["human"].queries
    assert main([*command, "--qrels", str(tmp_path / "qrels"), "--measures", "p@5", "-f", "json"]) == 0
    judged = json.loads(capsys.readouterr().out)
    assert judged["relevance"].endswith("qrels")
    assert list(judged["correlations"]["measures"]) == ["p@5", "rbo_ext(p=0.98)"]


def test_bad_tasks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    testset, queries = made()
    with pytest.raises(InputError, match="query 'q1' judges document 'd99', which is not in the test set"):
        judge_by_retrieval(testset, queries, qrels=Qrels("judged", {"q1": {"d99": 1}}))
    alone = tt.TestSet.of(testset.references, {"A": testset.systems["A"]})
    with pytest.raises(InputError, match="at least two are needed"):
        judge_by_retrieval(alone, queries)
    twice = tmp_path / "queries.tsv"
    for name in ("queries.tsv", "A", "B"):
        (tmp_path / name).write_text("q1\ta\nq1\tb\n")
    texts = [str(tmp_path / name) for name in "AB"]
    command = ["meta", "retrieval", str(twice), "-i", *texts, "--queries", str(twice)]
    assert main(command) == 2
    assert "there are two queries 'q1'" in capsys.readouterr().err
    assert main(["meta", "retrieval", "-i", str(twice)]) == 2
    assert "with --queries" in capsys.readouterr().err
