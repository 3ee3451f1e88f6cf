"""Metrics trained on judgements: what was put into the judgements comes out, and nothing leaks."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium as tt
from tertium._native import Lines
from tertium.cli import main
from tertium.errors import InputError, TertiumError, TertiumWarning
from tertium.families.features import Component, feature_blocks
from tertium.families.trained import apply_model, apply_to_blocks
from tertium.io.metricfiles import MetricModel, read_model, write_model
from tertium.text.segments import References
from tertium.training.judged import ENOUGH, JudgedSegments, read_judgements
from tertium.training.training import PRESETS, train

WORDS = ("the", "a", "cat", "dog", "sat", "ran", "on", "under", "mat", "tree", "big", "small", "red", "blue")
IDLE = pytest.mark.filterwarnings("ignore:.*without any say")  # all references are as long as hypotheses


def judged(
    number: int = 400, weights: tuple[float, float] = (0.03, -0.02), noise: float = 0.05, sets: int = 4
) -> Any:
    """Judgements that are a weighted sum of chrF and TER, and some noise."""
    draw = random.Random(1)
    references = [" ".join(draw.choices(WORDS, k=draw.randint(4, 12))) for _ in range(number)]
    hypotheses = [
        " ".join(draw.choice(WORDS) if draw.random() < draw.random() else word for word in text.split())
        for text in references
    ]
    found = [
        tt.score(hypotheses, references, spec, level="segment").scores[0].values for spec in ("chrf", "ter")
    ]
    human = np.array(weights) @ np.array(found, dtype=float)
    human += np.random.default_rng(1).normal(scale=noise * human.std(), size=number)
    return JudgedSegments(
        tuple(hypotheses), tuple(references), None, human, tuple(f"set {i % sets}" for i in range(number))
    )


@pytest.mark.parametrize("learner", ["ridge", "svr"])
def test_what_judgements_are_made_of_is_learnt(learner: str) -> None:
    found = train(judged(), ["chrf", "ter", "bleu"], learner=learner)
    assert found.correlation > 0.98
    worth = {one.spec: one for one in found.components}
    without = {spec: found.correlation - (one.without or 0) for spec, one in worth.items()}
    assert without["ter"] > 10 * abs(without["bleu"])
    assert without["chrf"] > 10 * abs(without["bleu"])
    assert set(found.by_set) == {f"set {i}" for i in range(4)}


def test_ridge_finds_the_weights() -> None:
    found = train(judged(noise=0), ["chrf", "ter"], learner="ridge", ablation=False)
    assert found.setting == 1e-5
    assert found.model.weights == pytest.approx((0.03, -0.02), rel=1e-2)


@IDLE
def test_judgements_without_meaning_are_not_learnt() -> None:
    one = judged()
    drawn = np.random.default_rng(3).normal(size=len(one))
    found = train(
        JudgedSegments(one.hypotheses, one.references, None, drawn, one.sets),
        ["chrf", "beer.*"],
        learner="ridge",
    )
    assert abs(found.correlation) < 0.15


def test_training_is_the_same_every_time() -> None:
    assert train(judged(), ["chrf", "ol"]).model.hash == train(judged(), ["chrf", "ol"]).model.hash


def test_no_reference_is_in_two_parts() -> None:
    one = judged(sets=1)
    twice = JudgedSegments(
        one.hypotheses * 2, one.references * 2, None, np.tile(one.judgements, 2), one.sets * 2
    )
    folds = twice.folds()
    assert (folds[: len(one)] == folds[len(one) :]).all()
    assert len(set(folds.tolist())) == 10


@IDLE
@pytest.mark.parametrize("learner", ["ridge", "svr"])
def test_the_file_is_the_metric(tmp_path: Path, learner: str) -> None:
    found = train(judged(), ["chrf", "ter", "lengths.*"], learner=learner, ablation=False)
    write_model(found.model, path := tmp_path / "a b.metric")
    assert read_model(path) == found.model
    metric = tt.metric(f'file:path="{path}"')
    assert metric == tt.metric(str(metric))
    assert found.model.hash in metric.signature()
    texts = ["the cat sat", "a dog"], ["the cat sat on the mat", "the dog ran"]
    values = metric.score_rows(metric.statistics(*texts), "segment")
    assert metric.score(*texts) == pytest.approx(values.mean())
    several = [["the cat sat on the mat", "the dog ran", "x"], ["the cat sat", "a dog", "y"]]
    best = metric.score_rows(metric.statistics([*texts[0], "z"], several), "segment")
    assert (best[:2] >= values - 1e-12).all()


def test_a_support_vector_regression_is_scikit_learns() -> None:
    from sklearn.svm import SVR

    rng = np.random.default_rng(5)
    rows, human = rng.normal(size=(300, 4)), rng.normal(size=300)
    low, high = rows.min(axis=0), rows.max(axis=0)
    scaled = 2 * (rows - low) / (high - low) - 1
    fitted = SVR(C=1, epsilon=0.1, gamma=0.25).fit(scaled, human)
    model = MetricModel(
        "m",
        ("c",),
        tuple("abcd"),
        tuple(fitted.dual_coef_[0]),
        float(fitted.intercept_[0]),
        kind="svr",
        low=tuple(low),
        high=tuple(high),
        support=tuple(map(tuple, fitted.support_vectors_)),
        gamma=0.25,
    )
    assert apply_model(model, rows) == pytest.approx(fitted.predict(scaled), abs=1e-9)


def test_no_component_of_the_russian_set_is_blind_to_its_letters() -> None:
    texts = (
        Lines(["кошка спит на столе", "он"]),
        References((Lines(["кошка спит на столе", "собака ест у окна"]),)),
    )
    for spec in PRESETS["blend-ru"]:
        one = Component.of(spec)
        same, other = one.rows(texts[0], one.prepare(texts[1], 1), None, 1)[:, 0]
        assert same != other, spec


def test_parts_share_what_they_count_and_score_as_alone() -> None:
    """One analysis for S and SU, one preparation for metrics of the same words; the sum is that of the parts."""
    parts = [Component.of(spec) for spec in ("rouge:S", "gtm", "rouge:SU", "ol", "lengths.*")]
    texts = (
        Lines(["the cat sat on a mat", "a dog", ""]),
        References((Lines(["the cat sat on the mat", "a", "b"]),)),
    )
    made: list[Any] = []
    for one in parts:
        made.append(one.prepare(texts[1], 1, made))
    assert made[0] is made[2] is not made[1] is made[3]
    alone = np.hstack([one.rows(texts[0], one.prepare(texts[1], 1), None, 1) for one in parts])
    names = tuple(name for one in parts for name in one.names)
    model = MetricModel("m", tuple(one.spec for one in parts), names, tuple(range(1, 10)), 3.0)
    found = apply_to_blocks(model, feature_blocks(parts, texts[0], made))
    assert found.tolist() == apply_model(model, alone).tolist()


def test_segments_of_the_training_data_are_named(tmp_path: Path) -> None:
    one = judged()
    write_model(train(one, ["chrf"], learner="ridge").model, path := tmp_path / "m.metric")
    metric = tt.metric(f"file:{path}")
    metric.score(["something new"], ["something else"])
    with pytest.warns(TertiumWarning, match=r"1 of 2 segments were in its training data \(2\)"):
        metric.score(["something new", one.hypotheses[7]], ["something else", one.references[7]])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"hypotheses": ("a",) * 50, "references": ("b",) * 50},
            f"50 judgements are too few to train on: {ENOUGH}",
        ),
        ({"judgements": np.ones(400)}, "all 400 judgements are 1: there is nothing to learn"),
        ({"sets": ("a",)}, "there are 400 hypotheses, but 1 sets"),
    ],
)
def test_judgements_that_cannot_be_learnt_from(change: dict[str, Any], message: str) -> None:
    given = vars(judged()) | change
    if len(given["hypotheses"]) == 50:
        given |= {"judgements": np.arange(50.0), "sets": ("a",) * 50}
    with pytest.raises(InputError, match=message):
        JudgedSegments(**given)


@pytest.mark.parametrize("spec", ["doc:chrf", "sentvec-src", "nosuch"])
def test_components_that_cannot_be(spec: str) -> None:
    with pytest.raises(TertiumError, match=r"scores documents|needs the source|unknown metric"):
        train(judged(), [spec])


def test_constant_features(tmp_path: Path) -> None:
    """What is the same everywhere is named: components go, single features have no say, and nothing is refused."""
    one = judged()
    same = JudgedSegments(("a b",) * 400, ("a c",) * 400, None, one.judgements, one.sets)
    with pytest.raises(InputError, match="chrf, bleu: the same for all segments: there is nothing to learn"):
        train(same, ["chrf", "bleu"], learner="ridge")
    for learner in ("ridge", "svr"):
        with pytest.warns(TertiumWarning) as told:
            found = train(one, ["chrf", "gtm:1", "lengths.*"], learner=learner)
        assert any(
            "lengths.words, lengths.words.either: the same for all segments: without any say"
            in str(w.message)
            for w in told
        )
        names = found.model.features
        rows = np.tile([50.0, 50.0, 0.0, 0.1, 0.0, 0.1, 2.0], (2, 1))[:, : len(names)]
        rows[1, names.index("lengths.words")] = 9.0
        first, second = apply_model(found.model, rows)
        assert first == pytest.approx(second)
    short = [" ".join(text.split()[:3]) for text in one.references]
    brief = JudgedSegments(tuple(short), one.references, None, one.judgements, one.sets)
    with pytest.warns(TertiumWarning, match=r"rouge:4: the same for all segments: left out"):
        found = train(brief, ["chrf", "rouge:4"], learner="ridge")
    assert found.model.components == ("chrf",)
    assert [row.spec for row in found.components] == ["chrf"]


def test_judgements_in_files(tmp_path: Path) -> None:
    path = tmp_path / "a.da"
    path.write_text("1.5\n-\n\n-2e-1\n", "utf-8")
    assert [value for value in read_judgements(path) if value == value] == [1.5, -0.2]
    path.write_text("1\ngood\n", "utf-8")
    with pytest.raises(InputError, match=r"a\.da: line 2: 'good' is no judgement"):
        read_judgements(path)


def test_a_component_that_has_changed(tmp_path: Path) -> None:
    write_model(train(judged(), ["chrf"], learner="ridge").model, path := tmp_path / "m.metric")
    values = json.loads(path.read_text("utf-8"))
    values["signatures"] = ["chrF|an older one"]
    path.write_text(json.dumps(values), "utf-8")
    with pytest.raises(InputError, match=r"was trained with chrF\|an older one, but chrf is now"):
        tt.metric(f"file:{path}").score(["a"], ["a"])


def test_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    one = judged()
    for name, lines in (
        ("ref", one.references),
        ("hyp", one.hypotheses),
        ("da", one.judgements),
        ("sets", one.sets),
    ):
        Path(name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    call = "train blend ref -i hyp --human da --documents sets -m chrf ter --model ridge -o my.metric"
    assert main(call.split()) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "with people on parts that were left out (400 judgements, 4 parts, ridge)" in said
    Path("new").write_text("the cat\n", "utf-8")
    assert main(["score", "new", "-i", "new", "-m", "file:my.metric", "-f", "text"]) == 0
    assert "file[my]" in capsys.readouterr().out
    assert main(["train", "blend", "ref", "-i", "hyp", "--human", "da", "da"]) == 2
    assert "there are 1 systems, but 2 files of judgements" in capsys.readouterr().err
