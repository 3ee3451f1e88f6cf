"""Against several references each gives something to learn from, and a text takes the best, as when it is scored."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import tertium as tt
from tertium.cli import main
from tertium.errors import InputError
from tertium.io.metricfiles import read_model, write_model
from tertium.testset import TestSet
from tertium.training.human_files import Gathered, judged_by_lines
from tertium.training.judged import JudgedSegments
from tertium.training.training import best_of, features_of, fitting_components, predicted, train
from tests.training.test_training import judged

PARTS = ["chrf", "ter"]


@pytest.fixture(scope="module")
def several() -> JudgedSegments:
    """The second reference is another hypothesis."""
    one = judged()
    return replace(one, others=(tuple(text.replace("cat", "dog") for text in one.references),))


@pytest.mark.parametrize("learner", ["ridge", "svr"])
def test_the_file_takes_the_best_as_training_did(
    tmp_path: Path, several: JudgedSegments, learner: str
) -> None:
    found = train(several, PARTS, learner=learner, ablation=False)
    write_model(found.model, path := tmp_path / "m.metric")
    metric = tt.metric(f"file:{path}")
    with pytest.warns(tt.TertiumWarning, match="were in its training data"):
        rows = metric.statistics(several.hypotheses, list(map(list, several.streams)))
    features = np.concatenate(features_of(fitting_components(PARTS, several), several, 1).blocks, axis=2)
    keys = ("kind", "weights", "intercept", "low", "high", "support", "gamma")
    expected = best_of({key: getattr(found.model, key) for key in keys}, features)
    assert metric.score_rows(rows, "segment") == pytest.approx(expected)
    assert found.correlation > 0.9


def test_one_reference_is_as_before(several: JudgedSegments) -> None:
    """The same reference twice teaches the same."""
    once = replace(several, others=())
    twice = replace(several, others=(several.references,))
    first, second = (train(one, PARTS, learner="ridge", ablation=False) for one in (once, twice))
    assert first.model.weights == pytest.approx(second.model.weights)
    assert first.correlation == pytest.approx(second.correlation)
    assert first.model.training is not None
    assert second.model.training is not None
    assert first.model.training.fingerprint != second.model.training.fingerprint
    assert predicted(once, PARTS, learner="ridge") == pytest.approx(predicted(twice, PARTS, learner="ridge"))


def test_every_reference_is_known_again(tmp_path: Path, several: JudgedSegments) -> None:
    write_model(train(several, ["chrf"], learner="ridge").model, path := tmp_path / "m.metric")
    metric = tt.metric(f"file:{path}")
    with pytest.warns(tt.TertiumWarning, match="1 of 1 segments were in its training data"):
        metric.score([several.hypotheses[7]], [several.others[0][7]])


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, several: JudgedSegments) -> None:
    monkeypatch.chdir(tmp_path)
    sides = {
        "ref": several.references,
        "two": several.others[0],
        "A": several.hypotheses,
        "A.da": several.judgements,
    }
    for name, lines in sides.items():
        Path(name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    common = ["-i", "A", "--human", "A.da", "-m", *PARTS, "--model", "ridge", "--no-ablation"]
    assert main(["train", "blend", "ref", "two", *common, "-o", "a.metric"]) == 0
    assert main(["train", "blend", "ref", *common, "--pseudo-references", "x=two", "-o", "b.metric"]) == 0
    first, second = read_model("a.metric"), read_model("b.metric")
    assert first.weights == second.weights
    assert second.training is not None
    assert second.training.pseudo == ("x",)


def test_references_that_are_missing(tmp_path: Path) -> None:
    texts = TestSet.of([["a", "b", "d"], ["c", None, "e"]], {"A": ["x", "y", "z"]})
    (path := tmp_path / "A.da").write_text("1\n2\n3\n", "utf-8")
    with pytest.raises(InputError, match="reference 2 lacks segment 2"):
        judged_by_lines(texts, [path])
    found = Gathered()
    found.references = [("a",), ("a", "b")]
    with pytest.raises(InputError, match="some sets have more references than others"):
        found.judged()
