"""Document level, and hybrids by documents: what is summed, what is scored anew, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tertium import TestSet, measure
from tertium._native import Lines
from tertium.cli import main
from tertium.errors import InputError
from tertium.io.scorematrix import ScoreMatrix
from tertium.meta.by_document import judge_documents
from tertium.meta.hybrids import score_hybrids
from tertium.meta.metric_lists import entries_of
from tertium.meta.mixed_documents import mixes_documents
from tertium.meta.scored_metrics import measure_metrics, outside_metric
from tertium.stats.correlation import pearson
from tertium.stats.hybrids import draw_hybrids
from tertium.text.units import numbered
from tests.cli.conftest import DOCUMENTS, LITERAL, R1, SMOOTH, STRONG

SAMPLE = TestSet.sample()
PEOPLE = {"literal": 55.0, "smooth": 60.0, "strong": 80.0}


def human_documents(seed: int = 3) -> ScoreMatrix:
    """People whose scores of documents go with chrF, and some noise."""
    metrics, _ = measure_metrics(SAMPLE, entries_of(["chrf"]), "de-en")
    assert metrics[0].documents is not None
    noise = np.random.default_rng(seed).normal(0, 10, metrics[0].documents.values.shape)
    return replace(metrics[0].documents, name="people", values=metrics[0].documents.values + noise)


def test_documents_are_the_sums_of_their_rows() -> None:
    metrics, _ = measure_metrics(SAMPLE, entries_of(["bleu", "doc:bleu", "ter"]), "de-en")
    for metric in metrics:
        assert metric.documents is not None
        assert metric.metric is not None
        for system in SAMPLE.systems:
            by_level = SAMPLE.score(metric.metric, level="document")
            [expected] = [one.values for one in by_level if one.system == system]
            assert metric.documents.row(system).tolist() == expected
    assert metrics[1].segments is None  # a document's score is no segment's


def test_other_peoples_metrics_are_means_of_segments() -> None:
    segments = ScoreMatrix.of_segments("X", {"A": [1, 2, 6], "B": [0, 0, 3]})
    found = outside_metric([segments]).by_document(["p", "p", "q"]).documents
    assert found is not None
    assert found.values.tolist() == [[1.5, 6.0], [0.0, 3.0]]


def test_correlations_have_intervals_over_documents() -> None:
    metrics, _ = measure_metrics(SAMPLE, entries_of(["chrf", "bleu", "ter"]), "de-en")
    people = human_documents()
    found = judge_documents(people, metrics, "de-en", resamples=200)
    assert (found.level, found.n) == ("document", 24)
    for cell, metric in zip(found.cells, metrics, strict=True):
        assert metric.documents is not None
        r = pearson(people.values.ravel(), metric.sign * metric.documents.values.ravel()).value
        assert cell.value == pytest.approx(r)
        assert (cell.low or 9) < (cell.value or 0) < (cell.high or 0)
    assert found.table().rows[0][0] == "chrF2"
    again = judge_documents(people, metrics, "de-en", resamples=200)
    assert again.data() == found.data()  # seeded
    means = judge_documents(people, metrics, "de-en", averaging="item", resamples=20)
    by_document = [
        pearson(people.values[:, d], metrics[0].documents.values[:, d]).value or 0.0  # type: ignore[union-attr]
        for d in range(8)
    ]
    assert means.cells[0].value == pytest.approx(np.mean(by_document))
    assert means.notes[0] == "correlations are means over documents"


def test_a_better_metric_wins_and_undefined_documents_are_left_out() -> None:
    metrics, _ = measure_metrics(SAMPLE, entries_of(["chrf"]), "de-en")
    people = human_documents()
    chance = np.random.default_rng(1).normal(size=people.values.shape)
    chance[:, 0] = np.nan
    random = replace(metrics[0], name="chance", documents=replace(people, values=chance))
    found = judge_documents(people, [metrics[0], random], "de-en", resamples=300)
    assert found.wins is not None
    assert found.wins.tolist() == [[False, True], [False, False]]
    assert (found["chance"].n, found["chrF2"].n) == (21, 24)
    assert "chance has a score for 21 of 24" in found.notes


def test_a_file_without_some_documents_is_refused() -> None:
    people, documents = human_documents(), tuple(SAMPLE.documents or ())
    same = ScoreMatrix.of_segments("X", dict.fromkeys(SAMPLE.systems, [1.0] * 69))
    found = judge_documents(people, [outside_metric([same]).by_document(documents)], "de-en", resamples=5)
    assert found.cells[0].reason  # constant
    first = [None if name == documents[0] else 1.0 for name in documents]
    broken = outside_metric([ScoreMatrix.of_segments("X", dict.fromkeys(SAMPLE.systems, first))])
    with pytest.raises(
        InputError, match=f"X: there is no score for system 'literal', document {documents[0]}"
    ):
        judge_documents(people, [broken.by_document(documents)], "de-en", resamples=5)


@pytest.mark.parametrize("spec", ["doc:bleu", "doc:ter", "doc:chrf", "doc:macrof1"])
@pytest.mark.parametrize("way", ["corpus", "segments"])
def test_mixed_documents_are_scored_as_texts(spec: str, way: str) -> None:
    """The score of every hybrid is that of its text, written out."""
    measured = measure(SAMPLE, [spec])
    drawn = draw_hybrids(3, len(SAMPLE), 12)
    assert mixes_documents(drawn, numbered(SAMPLE.documents or ()))
    found = score_hybrids(measured, PEOPLE, hybrids=drawn, aggregation=way)
    names = tuple(SAMPLE.systems)
    bits = np.unpackbits(drawn.masks, axis=1, bitorder="little")
    for h in range(len(drawn)):
        first, second = (SAMPLE.systems[names[own[h]]] for own in (drawn.first, drawn.second))
        texts = [(second if bits[h, i] else first)[i] or "" for i in range(len(SAMPLE))]
        written = measure(replace(SAMPLE, systems={"hybrid": Lines(texts)}), [spec])
        scores = written.segment_scores("hybrid", spec)
        expected = written.corpus_score("hybrid", spec) if way == "corpus" else float(np.nanmean(scores))
        assert found.metrics[0].scores[h] == pytest.approx(expected, abs=1e-9)
    assert "documents put together from two systems" in found.notes()[2]


def test_whole_documents_are_swapped_as_rows() -> None:
    """By document, the score is that of rows; metrics of segments do not care."""
    measured = measure(SAMPLE, ["doc:bleu", "bleu"])
    groups = numbered(SAMPLE.documents or ())
    drawn = draw_hybrids(3, len(SAMPLE), 8, documents=groups)
    assert not mixes_documents(drawn, groups)
    found = score_hybrids(measured, PEOPLE, hybrids=drawn)
    assert not any(own.mixed for own in found.metrics)
    bits = np.unpackbits(drawn.masks, axis=1, bitorder="little")
    names = tuple(SAMPLE.systems)
    for h in range(len(drawn)):
        first, second = (SAMPLE.systems[names[own[h]]] for own in (drawn.first, drawn.second))
        texts = [(second if bits[h, i] else first)[i] or "" for i in range(len(SAMPLE))]
        written = measure(replace(SAMPLE, systems={"hybrid": Lines(texts)}), ["doc:bleu", "bleu"])
        for metric, own in zip(measured.metrics, found.metrics, strict=True):
            assert own.scores[h] == pytest.approx(written.corpus_score("hybrid", metric), abs=1e-9)


def task_file(folder: Path, *, documents: bool = True) -> Path:
    scores = folder / "people.tsv"
    rows = [f"{name}\t{i}\t{PEOPLE[name] + i % 7}" for name in PEOPLE for i in range(1, 70)]
    scores.write_text("system\tsegment\tscore\n" + "\n".join(rows) + "\n")
    task = folder / "task.toml"
    task.write_text(
        f'metrics = ["bleu", "doc:chrf"]\nlevels = ["document", "hybrids"]\nhybrids = 50\nresamples = 50\n'
        f'references = ["{R1}"]\nhybrid_units = "documents"\n'
        + (f'documents = "{DOCUMENTS}"\n' if documents else "")
        + f'human = {{ segment = "people.tsv", system = "people.tsv" }}\n[systems]\nliteral = "{LITERAL}"\n'
        f'smooth = "{SMOOTH}"\nstrong = "{STRONG}"\n'
    )
    return task


def test_a_task_at_document_level(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["meta", "run", str(task_file(tmp_path)), "-f", "json", "--html", str(tmp_path / "p.html")]) == 0
    )
    data = json.loads(capsys.readouterr().out)
    assert [(one["level"], one["n"]) for one in data["results"]] == [("document", 24), ("hybrids", 50)]
    assert data["results"][0]["metrics"]["doc:chrF2"]["low"] is not None
    assert "Document level" in (tmp_path / "p.html").read_text("utf-8")


def test_document_level_needs_documents(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    task = task_file(tmp_path, documents=False)
    assert main(["meta", "run", str(task), "-m", "bleu"]) == 2
    assert (
        "document level needs texts with document ids and human scores of segments" in capsys.readouterr().err
    )
    assert main(["meta", "run", str(task), "-m", "bleu", "--levels", "hybrids"]) == 2
    assert "hybrid_units = 'documents' needs document ids" in capsys.readouterr().err
