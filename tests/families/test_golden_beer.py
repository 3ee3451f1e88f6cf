"""BEER's features are those of BEER 2.0: a linear function of ours gives all scores that the program printed.

Its weights are not at hand. But a score is a weighted sum of 62 features, so that weights found from some segments must
give the scores of all others to the last digits; if a single feature were counted differently, they would not.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium import registry
from tertium._native import Lines
from tertium.errors import InputError
from tertium.families.beer import BEER, FEATURES
from tertium.io.metricfiles import bundled_model, read_model, write_model
from tertium.text.segments import References
from tests.conftest import SHARED
from tests.families.golden import present, read
from tests.families.inputs import files
from tests.twins import beer as twin

GOLDEN = json.loads((SHARED / "golden" / "beer.json").read_text("utf-8"))["sets"] if present() else {}
WORDS = st.lists(st.sampled_from(["a", "b", "c", "dé", "ee", "日本", "f."]), max_size=9)


def features(dataset: str, system: str) -> tuple[Any, Any]:
    """Of every hypothesis against each reference, and how many references each has."""
    hypotheses, references = files(dataset, system, tokenized=True)
    texts = read(hypotheses)
    streams = References.given([read(name) for name in references], len(texts))
    return BEER(tok="none").features(Lines(texts), streams), len(references)


@cache
def weights(model: str) -> Any:
    """From two thirds of the segments that have one reference."""
    found, scores = zip(*_known(model), strict=True)
    x, y = np.vstack(found), np.concatenate(scores)
    used = np.arange(len(y)) % 3 != 0
    return np.linalg.lstsq(_with_one(x[used]), y[used], rcond=1e-12)[0]


def _known(model: str) -> Any:
    for dataset, systems in GOLDEN.items():
        for system, models in systems.items():
            if model in models and not dataset.startswith("multi"):
                yield features(dataset, system)[0], np.array(models[model]["segment"])


def _with_one(x: Any) -> Any:
    return np.hstack([x, np.ones((len(x), 1))])


@pytest.mark.golden
@pytest.mark.parametrize(
    ("dataset", "system"), [(d, s) for d, systems in GOLDEN.items() for s in systems] or [(None, None)]
)
def test_scores_of_the_program(shared: Path, dataset: str, system: str) -> None:
    found, n_references = features(dataset, system)
    expected = np.array(GOLDEN[dataset][system]["default"]["segment"])
    scores = np.clip(_with_one(found) @ weights("default"), 0, 1).reshape(-1, n_references).max(axis=1)
    assert np.abs(scores - expected).max() < 1e-9
    total = float(GOLDEN[dataset][system]["default"]["total"])
    assert scores.sum() / (len(scores) + 1) == pytest.approx(total, abs=1e-9)


@given(WORDS, WORDS)
def test_features_are_those_of_the_twin(hypothesis: list[str], reference: list[str]) -> None:
    lines = Lines([" ".join(hypothesis)])
    found = BEER(tok="none").features(lines, References.given([" ".join(reference)], 1))
    assert found[0] == pytest.approx(twin.features(hypothesis, reference), abs=1e-12)


def test_a_score_is_the_best_weighted_sum() -> None:
    streams = [["a cat sat on the mat", "apples", "a b"], ["cats", "one apple a day", "a c"]]
    texts = ["the cat sat on the mat", "an apple a day", "a b"], streams
    m = BEER()
    found = m.features(Lines(texts[0]), References.given(texts[1], 3)) @ np.array(m.trained().weights)
    rows = m.score_rows(m.statistics(*texts), "segment")
    assert rows == pytest.approx(100 * np.clip(found.reshape(3, 2).max(axis=1), 0, 1))


def test_our_model() -> None:
    model = bundled_model("beer")
    assert model.features == FEATURES
    assert model.training is not None
    assert model.training.segments == 5360
    assert BEER().score(["a b c d"], ["a b c d"]) == pytest.approx(100)
    assert BEER().score(["x y"], ["a b c d"]) < 10


def test_another_model(tmp_path: Path) -> None:
    model = bundled_model("beer")
    write_model(model, path := tmp_path / "my.json")
    own = registry.metric(f'beer:model="{path}"')
    assert own.signature() == BEER().signature()
    assert own.score(["a b"], ["a c"]) == BEER().score(["a b"], ["a c"])
    assert registry.metric("beer") == BEER.from_signature_items(BEER().signature_items())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda v: v.update(version=2), "is version 2 of the format, and this Tertium reads version 1"),
        (lambda v: v.update(format="pickle"), "is no trained metric"),
        (lambda v: v["weights"].pop(), "has 62 features, but 61 weights"),
        (lambda v: v.update(intercept="x"), "intercept must be a number"),
        (lambda v: v.update(weight=1), "unknown key; did you mean 'weights'?"),
        (
            lambda v: (v["features"].pop(), v["weights"].pop()),
            "is trained on other features than those of BEER",
        ),
    ],
)
def test_damaged_models(tmp_path: Path, change: Any, message: str) -> None:
    write_model(bundled_model("beer"), path := tmp_path / "my.json")
    values = json.loads(path.read_text("utf-8"))
    change(values)
    path.write_text(json.dumps(values), "utf-8")
    with pytest.raises(InputError, match=message.replace("?", r"\?")):
        BEER(model=str(path)).score(["a"], ["a"])


def test_a_model_cut_short(tmp_path: Path) -> None:
    write_model(bundled_model("beer"), path := tmp_path / "my.json")
    path.write_text(path.read_text("utf-8")[:500], "utf-8")
    with pytest.raises(InputError, match=r"my\.json"):
        read_model(path)
