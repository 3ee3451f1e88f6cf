"""Tuning: what each way finds on lists whose best weights are known, and what `tune` reports."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from tertium.errors import InputError, SpecError
from tertium.io.nbest import NBest
from tertium.io.nbestfeatures import FeatureLists
from tertium.tuning.mert import steps as mert_steps
from tertium.tuning.pro import logistic
from tertium.tuning.reranking import rerank
from tertium.tuning.tuners import TUNERS, TuningOptions
from tertium.tuning.tuning import prepared, tune, tune_across
from tests.tuning.made import lists

METHODS = list(TUNERS)


def planted(seed: int = 5, sentences: int = 150, noise: float = 0.0) -> tuple[FeatureLists, list[str]]:
    """Candidates whose number of right words is a weighted sum of features: 2, -1, 0.5."""
    rng = np.random.default_rng(seed)
    segments, texts, written = [], [], []
    for i in range(sentences):
        for _ in range(12):
            features = rng.normal(size=3)
            good = features @ [2.0, -1.0, 0.5] + noise * rng.normal()
            right = int(np.clip(np.round(20 + 4 * good), 0, 40))
            segments.append(i)
            texts.append(" ".join(["w"] * right + [f"x{k}" for k in range(40 - right)]))
            written.append(f"a= {features[0]:.6f} b= {features[1]:.6f} {features[2]:.6f}")
    nbest = NBest(tuple(segments), tuple(texts), (0.0,) * len(texts), tuple(written))
    return FeatureLists.of(nbest), [" ".join(["w"] * 40)] * sentences


@pytest.mark.parametrize("method", METHODS)
def test_planted_weights_are_found(method: str) -> None:
    found, references = planted()
    options = TuningOptions(interpolate=1.0)
    made = tune(found, references, ["wer"], method=method, restarts=2, options=options)
    weights, right = np.concatenate([*made.weights.values()]), np.array([2.0, -1.0, 0.5])
    assert weights @ right > 0.995 * np.linalg.norm(weights) * np.linalg.norm(
        right
    )  # nearly the same direction
    best, oracle = made.selected["tuned"], made.selected["oracle"]
    for ours, most in ((best.tuning, oracle.tuning), (best.heldout, oracle.heldout)):
        (ours_score,), (least,) = ours.values(), most.values()
        assert ours_score is not None
        assert least is not None
        assert least <= ours_score < least + 0.5


def test_a_known_optimum() -> None:
    """Of two features only their difference tells: MERT must find it from anywhere."""
    right = ("f= 3 2", "f= 1 0", "f= 9 8")
    wrong = ("f= 3 3", "f= 0 0", "f= 8 9")
    nbest = NBest(
        (0, 0, 1, 1, 2, 2),
        ("c d", "a b", "a b", "c d", "e f", "a b"),
        (0.0,) * 6,
        (wrong[0], right[0], right[1], wrong[1], wrong[2], right[2]),
    )
    for seed in range(5):
        made = tune(FeatureLists.of(nbest), ["a b"] * 3, ["ter"], heldout=0, seed=seed)
        assert list(made.selected["tuned"].tuning.values()) == [0.0]
        one, other = made.weights["f"]
        assert one > 0 > other


@pytest.mark.parametrize("spec", ["bleu", "ter", "macrof1"])
def test_mert_never_lowers_the_score(spec: str) -> None:
    found, references = lists(40, 6, 4)
    made = prepared(found, references, [spec], heldout=0)
    own = made.objective(made.metrics[0])
    for number in range(4):
        start = made._beginning(number, own.part.spread)
        values = [own.of_weights(start)]
        rng = np.random.default_rng(number)
        values += [own.of_weights(weights) for weights in mert_steps(own, start, rng, TuningOptions())]
        assert values == sorted(values)
        assert values[-1] > values[0]


@pytest.mark.parametrize("method", METHODS)
def test_a_seed_decides_everything(method: str) -> None:
    found, references = lists(40, 6, 3)
    runs = [tune(found, references, ["bleu"], method=method, restarts=2, seed=seed) for seed in (7, 7, 8)]
    assert runs[0].data() == runs[1].data()
    assert runs[0].data() != runs[2].data()


@pytest.mark.parametrize("method", METHODS)
def test_what_is_reported_is_what_the_weights_do(method: str) -> None:
    found, references = lists(50, 6, 3)
    made = tune(found, references, ["chrf", "ter"], method=method, restarts=1, heldout=0.3)
    assert (made.setup.sentences, made.setup.heldout) == (35, 15)
    best = list(rerank(found, made.weights).best())
    setup = prepared(found, references, ["chrf"], heldout=0.3)
    chrf, ter = made.setup.metrics
    for part in ("tuning", "heldout"):
        places = setup.parts[part]
        texts = [best[i] for i in places], [references[i] for i in places]
        scores = getattr(made.selected["tuned"], part)
        assert scores == {chrf: chrf.score(*texts), ter: ter.score(*texts)}
    run = made.runs[made.best]
    assert run.best.tuning == made.selected["tuned"].tuning[chrf]
    assert run.best.heldout == made.selected["tuned"].heldout[chrf]
    assert made.curve[0].step == 0
    assert max(point.tuning or 0 for point in made.curve) == run.best.tuning
    assert made.test is not None
    data = json.loads(made.json())
    assert len(data["runs"]) == 2
    assert data["curve"][-1]["step"] == len(made.curve) - 1


def test_the_lists_own_weights_are_found() -> None:
    found, references = lists(20, 5, 3)
    scores = tuple((found.values.T @ [0.5, -0.25, 0.25]).round(5).tolist())
    own = NBest(found.nbest.segments, found.nbest.hypotheses, scores, found.nbest.features)
    made = tune(FeatureLists.of(own), references, ["bleu"], restarts=0)
    assert made.setup.begin == "those that give the list's own scores"
    assert [w for own in made.before.values() for w in own] == pytest.approx([0.5, -0.25, 0.25], abs=1e-4)
    assert tune(found, references, ["bleu"], restarts=0).setup.begin.startswith("the same for all")


def test_documents_are_held_out_whole() -> None:
    found, references = lists(40, 4, 2)
    documents = [f"d{i // 4}" for i in range(40)]
    made = prepared(found, references, ["bleu"], documents=documents, heldout=0.2)
    held = {documents[i] for i in made.parts["heldout"]}
    assert len(held) == 2
    assert held.isdisjoint(documents[i] for i in made.parts["tuning"])
    assert made.run(made.metrics[0]).test.units == "documents"  # type: ignore[union-attr]


def test_tuned_across() -> None:
    found, references = lists(60, 6, 3)
    across = tune_across(found, references, ["bleu:PGBC4", "bleu:RGC2", "ter"], restarts=1)
    labels = ["BLEU[PGBC4]", "BLEU[RGC2]", "TER"]
    assert list(across.scores) == [*labels, "(before)", "(first)"]
    assert [test.baseline for test in across.tests] == labels
    for label, own in zip(labels, across.tuned, strict=True):
        assert across.scores[label] == own.selected["tuned"].heldout
    assert "length ratio" in across.components.metrics[0].parts
    assert "terms 4" in across.components.metrics[0].parts
    text = str(across)
    assert "tuned to" in text
    assert "held out" in text
    for settings in ({"heldout": 0}, {"heldout": 0.5, "documents": ["a"] * 30 + ["b"] * 30}):
        with pytest.raises(SpecError, match="hold some out, two at least"):
            tune_across(found, references, ["bleu", "ter"], **settings)
    with pytest.raises(SpecError, match="name two or more"):
        tune_across(found, references, ["bleu"])
    one_document = tune(
        found, references, ["bleu"], restarts=0, heldout=0.5, documents=["a"] * 30 + ["b"] * 30
    )
    assert one_document.test is None


def test_replicas() -> None:
    found, references = lists(60, 6, 4)
    settings = {"restarts": 0, "method": "mira", "options": TuningOptions(steps=1)}
    one = tune_across(found, references, ["bleu", "ter"], **settings)
    three = tune_across(found, references, ["bleu", "ter"], replicas=3, **settings)
    assert three.tests[0].systems[0].runs == 3
    assert three.tests[0].systems[0].value == three.scores["BLEU"][three.setup.metrics[0]]
    assert one.scores["(before)"] == three.scores["(before)"]
    made = prepared(found, references, ["bleu"], **settings)
    assert made.run(made.metrics[0]).weights != made.run(made.metrics[0], 1).weights
    bleu = three.setup.metrics[0]
    assert three.tuned[0].selected["tuned"].tuning[bleu] >= one.tuned[0].selected["tuned"].tuning[bleu]  # type: ignore[operator]
    assert "means of 3 replicas of tuning" in str(three)


def test_features_without_effect_are_named() -> None:
    nbest = NBest(
        (0, 0, 1, 1), ("a", "b", "c", "d"), (0.0,) * 4, ("f= 1 g= 3", "f= 2 g= 3", "f= 1 g= 4", "f= 0 g= 4")
    )
    made = tune(FeatureLists.of(nbest), ["b", "c"], ["ter"], heldout=0, restarts=1)
    assert made.setup.idle == ("g",)
    assert "without effect: g" in str(made)
    constant = NBest((0, 0), ("a", "b"), (0.0, 0.0), ("g= 3", "g= 3"))
    with pytest.raises(InputError, match="no weights can choose"):
        tune(FeatureLists.of(constant), ["b"], ["ter"], heldout=0)


def test_logistic_regression_is_at_its_minimum() -> None:
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(300, 4)) + np.array([1.0, 0.0, -0.5, 0.2])
    weights = logistic(rows, np.zeros(4))
    gradient = 1e-3 * weights - rows.T @ (1 / (1 + np.exp(rows @ weights))) / len(rows)
    np.testing.assert_allclose(gradient, 0, atol=1e-6)
    np.testing.assert_allclose(logistic(rows, np.ones(4) * 30), weights, atol=1e-5)


SAME = NBest((0, 0, 1, 1), ("a b", "a b", "c", "c"), (0.0,) * 4, ("f= 1", "f= 2", "f= 3", "f= 5"))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"method": "mart"}, "unknown way to tune 'mart'; did you mean 'mert'"),
        ({"heldout": 1.0}, "share held out"),
        ({"heldout": 0.01}, "cannot be divided"),
        ({"options": TuningOptions(interpolate=0.0)}, "share of new weights"),
        ({"options": TuningOptions(aggressiveness=-1.0)}, "largest step"),
        ({"start": {"f": (0.0,)}, "origin": "w.ini"}, "w.ini: all weights are 0"),
        ({"start": {"g": (1.0,)}, "origin": "w.ini"}, "w.ini: there is no weight of f"),
        ({"start": {"f": (1.0, 2.0)}, "origin": "w.ini"}, "w.ini: f has 2 weights for 1 value"),
        ({"documents": ["d"]}, "2 sentences, but 1 document ids"),
        ({"metrics": ["doc:chrf"]}, "scores whole documents"),
        ({"method": "pro", "heldout": 0}, "differ enough"),
        ({"references": ["a b"]}, "has 2 sentences, but there are 1 references"),
    ],
)
def test_what_is_refused(settings: dict[str, Any], message: str) -> None:
    given = {"references": ["a b", "c"], "metrics": ["ter"], "heldout": 0.5} | settings
    references, metrics = given.pop("references"), given.pop("metrics")
    with pytest.raises((InputError, SpecError), match=message):
        tune(FeatureLists.of(SAME), references, metrics, **given)
