"""Metrics of documents learn from documents, and score documents."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium as tt
from tertium.cli import main
from tertium.errors import InputError, SpecError
from tertium.io.metricfiles import read_model, write_model
from tertium.io.scorematrix import ScoreMatrix
from tertium.testset import TestSet
from tertium.training.human_files import Gathered, judged_by_lines, judged_in
from tertium.training.judged import JudgedSegments
from tertium.training.training import features_of, fitting_components, predicted, train
from tests.training.test_training import WORDS

DOCUMENTS, SYSTEMS = 60, 4
WEIGHTS = (0.03, -0.02)


@pytest.fixture(scope="module")
def texts() -> TestSet:
    """Sixty documents of two or three segments, four systems that make more and more mistakes."""
    draw = random.Random(5)
    ids = [f"d{i}" for i in range(DOCUMENTS) for _ in range(draw.randint(2, 3))]
    references = [" ".join(draw.choices(WORDS, k=draw.randint(4, 9))) + "." for _ in ids]
    systems = {
        f"S{k}": [
            " ".join(
                draw.choice(WORDS) if draw.random() < (0.2 + 0.15 * k) * draw.random() else word
                for word in text.split()
            )
            for text in references
        ]
        for k in range(SYSTEMS)
    }
    return TestSet.of(references, systems, documents=ids)


@pytest.fixture(scope="module")
def people(texts: TestSet) -> ScoreMatrix:
    """A weighted sum of two metrics over documents."""
    scored = [texts.score(spec, level="document") for spec in ("doc:chrf", "doc:ter")]
    values = sum(
        weight * np.array([score.values for score in own], dtype=float)
        for weight, own in zip(WEIGHTS, scored, strict=True)
    )
    items = tuple(dict.fromkeys(texts.documents or ()))
    return ScoreMatrix("people", "document", tuple(texts.systems), items, np.asarray(values))


@pytest.fixture(scope="module")
def judged(texts: TestSet, people: ScoreMatrix) -> JudgedSegments:
    found = Gathered(units="documents")
    found.add(texts, people, "")
    return found.judged()


def test_what_judgements_of_documents_are_made_of_is_learnt(judged: JudgedSegments) -> None:
    found = train(judged, ["chrf", "doc:ter"], learner="ridge", ablation=False)
    assert found.model.components == ("doc:chrf", "doc:ter")
    assert found.model.weights == pytest.approx(WEIGHTS, rel=0.02)
    assert found.model.training is not None
    assert found.model.training.units == "documents"
    assert (
        np.corrcoef(predicted(judged, ["chrf", "doc:ter"], learner="ridge"), judged.judgements)[0, 1] > 0.999
    )


def test_features_are_what_documents_score(texts: TestSet, judged: JudgedSegments) -> None:
    specs = ["bleu", "doc:meteor:modules=exact", "doc:cohesion"]
    parts = fitting_components(specs, judged)
    blocks = features_of(parts, judged, 1).blocks
    for one, block in zip(parts, blocks, strict=True):
        scored = [score.values for score in texts.score(one.spec, level="document")]
        assert block[0, :, 0].tolist() == pytest.approx(np.array(scored, dtype=float).ravel().tolist())


def test_documents_stay_together(judged: JudgedSegments) -> None:
    folds = judged.folds().reshape(SYSTEMS, DOCUMENTS)
    assert (folds == folds[0]).all()
    assert np.bincount(folds[0]).tolist() == [6] * 10


def test_the_file_scores_documents(tmp_path: Path, texts: TestSet, judged: JudgedSegments) -> None:
    found = train(judged, ["chrf", "doc:ter", "lengths.*"], learner="ridge", ablation=False)
    write_model(found.model, path := tmp_path / "my.metric")
    assert read_model(path) == found.model
    metric: Any = tt.metric(f"file:{path}")
    assert metric.scope == "document"
    assert "|scope:document|" in metric.signature()
    new = TestSet.of(
        ["the cat sat.", "on the mat.", "a dog."],
        {"A": ["the cat sat.", "on mat.", "a dog."], "B": ["cat.", "x y", "the dog."]},
        documents=["x", "x", "y"],
    )
    own = [score.values for score in new.score(metric, level="document")]
    expected = [
        metric.score_rows(metric.statistics(texts, ["the cat sat.\non the mat.", "a dog."]), "segment")
        for texts in (["the cat sat.\non mat.", "a dog."], ["cat.\nx y", "the dog."])
    ]
    assert np.array(own) == pytest.approx(np.array(expected))
    assert new.score(metric).scores[0].value == pytest.approx(np.mean(own[0]))
    with pytest.raises(InputError, match="scores whole documents"):
        tt.score(["a"], ["a"], metric)
    with pytest.warns(tt.TertiumWarning, match=r"1 of 1 documents were in its training data"):
        metric.score([judged.hypotheses[3]], [judged.references[3]])


def test_what_is_undefined_is_average(tmp_path: Path, judged: JudgedSegments) -> None:
    """Half of the documents have a connective; every third hypothesis lost it."""
    ends = ["" if i % 2 else " They slept because it was late." for i in range(len(judged))]
    lost = [end.replace("because", "") if i % 3 else end for i, end in enumerate(ends)]
    some = replace(
        judged,
        references=tuple(map("".join, zip(judged.references, ends, strict=True))),
        hypotheses=tuple(map("".join, zip(judged.hypotheses, lost, strict=True))),
    )
    found = train(some, ["chrf", "doc:connectives:lang=en"], learner="ridge", ablation=False)
    metric = tt.metric("doc:connectives:lang=en")
    known = metric.score_rows(metric.statistics(some.hypotheses, some.references), "segment")
    assert np.isnan(known).sum() == len(judged) // 2
    chrf, connectives = found.model.absent
    assert (chrf, connectives) == (0, pytest.approx(np.nanmean(known)))
    write_model(found.model, path := tmp_path / "m.metric")
    own = tt.metric(f"file:{path}")
    alike = tt.metric("chrf").score(["the cat"], ["the cats"])
    expected = found.model.weights @ np.array([alike, connectives]) + found.model.intercept
    assert own.score(["the cat"], ["the cats"]) == pytest.approx(expected)


def test_judgements_of_segments_are_averaged(tmp_path: Path, texts: TestSet) -> None:
    draw = np.random.default_rng(2)
    values = draw.normal(size=(SYSTEMS, len(texts)))
    files = []
    for name, row in zip(texts.systems, values, strict=True):
        files.append(tmp_path / name)
        lines = ["-" if i == 0 else f"{value}" for i, value in enumerate(row)]
        files[-1].write_text("\n".join(lines) + "\n", "utf-8")
    found = judged_by_lines(texts, files, units="documents")
    ids = np.array(texts.documents)
    assert found.judgements[1] == pytest.approx(values[0][ids == "d1"].mean())
    assert found.judgements[0] == pytest.approx(values[0][ids == "d0"][1:].mean())
    table = tmp_path / "people.tsv"
    rows = [
        f"{name}\t{i + 1}\t{value}"
        for name, row in zip(texts.systems, values, strict=True)
        for i, value in enumerate(row)
        if i
    ]
    table.write_text("\n".join(["system\tsegment\tscore", *rows]), "utf-8")
    assert judged_in(texts, str(table), units="documents").judgements == pytest.approx(found.judgements)


def test_judgements_of_documents(tmp_path: Path, texts: TestSet, people: ScoreMatrix) -> None:
    files = []
    for name, row in zip(people.systems, people.values, strict=True):
        files.append(tmp_path / name)
        files[-1].write_text("".join(f"{value}\n" for value in row), "utf-8")
    found = judged_by_lines(texts, files, units="documents")
    assert found.judgements == pytest.approx(people.values.ravel())
    table = tmp_path / "people.tsv"
    rows = [
        f"{name}\t{item}\t{value}"
        for name, row in zip(people.systems, people.values, strict=True)
        for item, value in zip(people.items, row, strict=True)
    ]
    table.write_text("\n".join(["system\tsegment\tscore", *rows]), "utf-8")
    assert judged_in(texts, str(table), units="documents").judgements == pytest.approx(found.judgements)
    table.write_text("\n".join(["system\tsegment\tscore", *rows, "S0\td99\t1"]), "utf-8")
    with pytest.raises(InputError, match=r"people judged 'd\d+', which is neither a document"):
        judged_in(texts, str(table), units="documents")


def test_segments_or_documents_must_be_clear(texts: TestSet, people: ScoreMatrix) -> None:
    numbers = tuple(name[1:] for name in texts.documents or ())
    odd = replace(people, level="segment", items=tuple(str(i) for i in range(DOCUMENTS)))
    found = Gathered(units="documents")
    found.add(replace(texts, documents=numbers), odd, "")  # 0 is no segment
    assert len(found.judged()) == SYSTEMS * DOCUMENTS
    with pytest.raises(InputError, match="can be a segment or a document"):
        found.add(replace(texts, documents=numbers), odd.selected(items=["1", "2"]), "")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("-m doc:chrf", "metrics of documents learn from documents: give a document id"),
        ("-m doc:chrf --documents ids", "24 judgements are too few to train on: 200"),
        ("-m doc:nosuch --documents ids", "unknown metric 'doc:nosuch'"),
        ("-m doc:terms chrf --documents ids", "24 judgements are too few"),
        ("-m doc:chrf --units words:x", "--units words:x"),
    ],
)
def test_what_cannot_be_learnt(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    call: str,
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("ref", "A", "B"):
        Path(name).write_text("".join(f"line {i}\n" for i in range(36)), "utf-8")
    Path("h").write_text("".join(f"{i}\n" for i in range(36)), "utf-8")
    Path("ids").write_text("".join(f"d{i // 3}\n" for i in range(36)), "utf-8")
    assert main(f"train blend ref -i A B --human h h --model ridge -o m {call}".split()) == 2
    assert message in capsys.readouterr().err


def test_the_command_over_paragraphs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], texts: TestSet
) -> None:
    monkeypatch.chdir(tmp_path)
    sides = {"ref": texts.references.first, **texts.systems}
    for name, lines in sides.items():
        Path(name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    values = texts.score("chrf", level="segment")
    for score in values:
        Path(f"{score.system}.h").write_text("".join(f"{value}\n" for value in score.values), "utf-8")
    names = list(texts.systems)
    call = ["train", "blend", "ref", "-i", *names, "--human", *(f"{name}.h" for name in names)]
    call += ["-m", "doc:chrf", "doc:bleu", "--units", "words:15", "--model", "ridge", "-o", "my.metric"]
    assert main(call) == 0
    assert read_model("my.metric").training.units == "words:15"  # type: ignore[union-attr]
    capsys.readouterr()
    for command in (["score", "ref", "-i", "S0"], ["compare", "ref", "-i", "S0", "S1"]):
        assert main([*command, "-m", "file:my.metric", "--units", "words:15", "-q", "-f", "json"]) == 0
    assert "words:15" in capsys.readouterr().out


def test_a_file_that_mixes_segments_and_documents(tmp_path: Path, judged: JudgedSegments) -> None:
    model = train(judged, ["chrf", "doc:ter"], learner="ridge", ablation=False).model
    names = ("chrf", "doc:ter")
    mixed = replace(model, components=names, features=names, signatures=())
    write_model(mixed, path := tmp_path / "m.metric")
    with pytest.raises(InputError, match="metrics of segments beside metrics of documents"):
        tt.metric(f"file:{path}").score(["a"], ["a"])


def test_components_and_judgements_must_fit(judged: JudgedSegments) -> None:
    with pytest.raises(SpecError, match="doc:chrf scores documents, but segments were judged"):
        train(replace(judged, units="segments"), ["doc:chrf"], learner="ridge")
    with pytest.raises(SpecError, match="needs one component at least that scores documents"):
        train(judged, ["lengths.*"], learner="ridge")
    with pytest.raises(InputError, match="all 240 judgements are of one reference"):
        replace(judged, references=("a",) * 240).folds()
