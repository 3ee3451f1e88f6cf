"""Learning from corrections: what is learnt, kept, taken back, and not believed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from threading import Timer
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tertium.cli import main
from tertium.errors import InputError
from tertium.estimation.estimator import Estimator, targets_of, trained
from tertium.io.translations import Translations, each_translation
from tertium.online.corrections import OnlineEstimator, checked_values, opened
from tertium.online.learner import (
    FEATURE,
    FORGETTING,
    LATELY,
    ONE,
    SLOPE,
    CorrectionLearner,
    LearningScales,
)
from tertium.online.results import learning
from tests.estimation.test_estimation import made


def scales(features: int = 3, *, noise: float = 0.5, seed: int = 1) -> tuple[LearningScales, Any]:
    """A training with normal features, of which the first counts; and where new rows come from."""
    draw = np.random.default_rng(seed)
    rows = draw.normal(size=(500, features))
    values = rows[:, 0] + noise * draw.normal(size=500)
    training = SimpleNamespace(rows=rows, values=values, left_out=rows[:, 0], target="da")
    found = LearningScales.learnt(training)  # type: ignore[arg-type]
    assert found is not None
    return found, draw


def test_weights_are_those_of_weighted_ridge_regression() -> None:
    """Recursive, with forgetting, against the sums written out."""
    known, draw = scales()
    learner = CorrectionLearner(known, "da")
    rows = draw.normal(size=(40, 3))
    base, values = rows[:, 0], 1 + 2 * rows[:, 1] + rows[:, 0]
    for row, own, value in zip(rows, base, values, strict=True):
        learner.learn(row, own, value, guarded=False)
    inputs = known.inputs(rows, base)
    prior = np.diag(1 / np.array([ONE, SLOPE, FEATURE, FEATURE, FEATURE]))
    for k, forgetting in enumerate(FORGETTING):
        ages = forgetting ** np.arange(39, -1, -1)
        gram = prior + (inputs * ages[:, None]).T @ inputs
        weights = np.linalg.solve(gram, (inputs * ages[:, None]).T @ (values - base))
        assert learner.weights[k] == pytest.approx(weights, abs=1e-9)
    ages = LATELY ** np.arange(39, -1, -1)
    assert learner.missed[0] == pytest.approx(float(ages @ (values - base)))
    assert learner.trust.sum() == pytest.approx(1)


def test_a_long_stream_of_one_kind_stays_finite() -> None:
    """Directions that the stream lacks do not wind up."""
    known, _ = scales()
    learner = CorrectionLearner(known, "da")
    row = np.array([0.5, 0.0, 0.0])
    for _ in range(5_000):
        learner.learn(row, 0.5, 0.9, guarded=False)
    assert np.linalg.cond(learner.grams[1]) < 1e6
    assert np.isfinite(learner.weights).all()
    assert learner.estimates(row[None], np.array([0.5]))[0] == pytest.approx(0.9, abs=0.02)
    far = learner.estimates(np.array([[-0.5, 1.0, -1.0]]), np.array([-0.5]))[0]
    assert -1.5 < far < 1.5


def errors(learner: CorrectionLearner, k: int) -> float:
    return float(np.abs(learner.recent[:, k]).mean())


def test_learning_helps_where_marks_are_others() -> None:
    known, draw = scales()
    learner = CorrectionLearner(known, "da")
    for _ in range(400):
        row = draw.normal(size=3)
        learner.learn(row, row[0], row[0] + 1 + 0.5 * draw.normal())
    assert not learner.held
    assert errors(learner, 1) < 0.55 < 0.9 < errors(learner, 0)
    assert learner.trust[0] < 0.05  # the base alone


def test_random_corrections_are_noticed_taken_back_and_forgiven() -> None:
    known, draw = scales(noise=1.0)
    learner = CorrectionLearner(known, "da")

    def stream(number: int, *, random: bool) -> None:
        for _ in range(number):
            row = draw.normal(size=3)
            other = draw.normal() if random else row[0]
            learner.learn(row, row[0], other + 0.3 + draw.normal())

    stream(500, random=False)
    assert not learner.noticed
    rows = draw.normal(size=(100, 3))
    before = learner.estimates(rows, rows[:, 0])
    stream(600, random=True)
    assert learner.held
    assert 500 < learner.noticed < 800
    assert learner.held_back > 200
    after = learner.estimates(rows, rows[:, 0])
    assert np.abs(after - before).max() < 0.3  # as if they had not come
    stream(300, random=False)
    assert not learner.held


def test_false_alarms_are_rare_and_random_streams_are_found() -> None:
    """Of 12 good streams of 800 corrections at most one is doubted; of random ones all are."""
    doubted = found = 0
    for seed in range(12):
        known, draw = scales(1, noise=1.0, seed=seed)
        good, bad = CorrectionLearner(known, "da"), CorrectionLearner(known, "da")
        rows = draw.normal(size=(800, 1))
        values = rows[:, 0] + draw.normal(size=800)
        mixed = draw.permutation(values)
        for row, value, other in zip(rows, values, mixed, strict=True):
            good.learn(row, row[0], value)
            bad.learn(row, row[0], other)
        doubted += good.noticed > 0
        found += bad.noticed > 0
    assert doubted <= 1
    assert found == 12


@cache
def learning_estimator() -> bytes:
    """Trained once."""
    texts = replace(made(120), scores=None, hter=[1 - score for score in made(120).scores or ()])
    with tempfile.TemporaryDirectory() as place:
        trained(texts, pair="de-en", sets=("lengths", "translated")).write(Path(place, "qe.model"))
        return Path(place, "qe.model").read_bytes()


@pytest.fixture
def model(tmp_path: Path) -> Path:
    (tmp_path / "qe.model").write_bytes(learning_estimator())
    return tmp_path / "qe.model"


def corrections(number: int, seed: int = 5) -> Translations:
    """Of a stricter person."""
    texts = made(number, seed)
    return replace(texts, scores=None, hter=[min(1.0, 1.2 - score) for score in texts.scores or ()])


def test_corrections_are_kept_beside_the_estimator(model: Path) -> None:
    bytes_before = sha256(model.read_bytes()).hexdigest()
    online = OnlineEstimator(model)
    texts = corrections(150)
    assert all(new for _, new in online.learn_all(texts))
    assert sha256(model.read_bytes()).hexdigest() == bytes_before
    online.keep()
    new = corrections(40, seed=6)
    expected = online.estimates(new)
    assert opened(model).estimates(new).tolist() == expected.tolist()
    Path(f"{model}.learnt.state").unlink()  # it can be made again
    assert OnlineEstimator(model).estimates(new) == pytest.approx(expected, abs=1e-9)
    Path(f"{model}.learnt.state").write_bytes(b"damaged")
    assert OnlineEstimator(model).estimates(new) == pytest.approx(expected, abs=1e-9)
    truth = targets_of(new, "hter")
    base = opened(model, base=True).estimates(new)
    assert base.tolist() == Estimator.read(model).estimates(new).tolist()
    assert np.abs(expected - truth).mean() < np.abs(base - truth).mean()
    said = learning(online, new=150)
    assert said.learner.mean is not None
    assert said.base.mean is not None
    assert said.learner.mean < said.base.mean
    assert said.corrections == said.learnt == 150


def test_what_is_known_is_not_learnt_twice(model: Path) -> None:
    online = OnlineEstimator(model)
    assert online.learn("ein haus", "a house", 0.0)[1]
    weights = online.learner.weights.copy()
    assert not online.learn("ein haus", "a house", 0.0)[1]
    assert (online.learner.weights == weights).all()
    assert online.learn("ein haus", "a house", "a red house")[1]  # a post-edit
    assert online.corrections == 2


def test_rollback_to_a_number_a_time_and_the_base(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = corrections(30)
    clock = iter(f"2026-11-16T20:{minute:02}:00+00:00" for minute in range(60))
    monkeypatch.setattr("tertium.online.corrections._now", lambda: next(clock))
    online, few = OnlineEstimator(model), OnlineEstimator(model)
    online.learn_all(texts)
    online.keep()
    assert online.rollback("10") == 10
    again = OnlineEstimator(model)  # the state is older than the rollback
    assert again.corrections == 20
    assert again.rollback("2026-11-16T20:04") == 15
    assert again.rollback("2026-11-16T21:00") == 0
    new = corrections(20, seed=9)
    assert again.corrections == 5
    assert online.corrections == 20  # it does not know yet
    online.learn_all(Translations("one", ["ein baum"], ["a tree"], hter=[0.0]))
    assert online.corrections == 6
    assert online.rollback("base") == 6
    assert online.estimates(new) == pytest.approx(few.estimates(new), abs=1e-12)
    with pytest.raises(InputError, match="has 0 corrections: 5 cannot be taken back"):
        online.rollback("5")
    with pytest.raises(InputError, match="'yesterday' is no number of corrections"):
        online.rollback("yesterday")


def test_held_corrections_can_be_trusted(model: Path) -> None:
    online = OnlineEstimator(model)
    texts = made(400, seed=11)
    hter = np.random.default_rng(3).permutation([1 - score for score in texts.scores or ()])
    online.learn_all(replace(texts, scores=None, hter=hter.tolist()))
    said = learning(online)
    assert said.held
    assert said.noticed is not None
    assert "look random" in " ".join(said.words())
    assert said.learnt < 400
    online.trust()
    assert not online.learner.held
    assert learning(online).learnt == 400
    assert learning(OnlineEstimator(model)).learnt == 400


def test_two_learners_share_one_log(model: Path) -> None:
    one, other = OnlineEstimator(model), OnlineEstimator(model)
    one.learn("ein haus", "a house", 0.0)
    other.learn("ein hund", "a dog", 0.1)
    one.learn("ein baum", "zap foo", 0.9)
    assert [one.corrections, other.corrections] == [3, 2]
    assert OnlineEstimator(model).learner.weights == pytest.approx(one.learner.weights)


def test_a_line_that_a_crash_cut_short_never_counted(model: Path) -> None:
    online = OnlineEstimator(model)
    online.learn("ein haus", "a house", 0.0)
    log = Path(online.path)
    whole = log.read_bytes()
    log.write_bytes(whole + whole.splitlines(keepends=True)[-1][:40])
    again = OnlineEstimator(model)
    assert again.corrections == 1
    again.learn("ein hund", "a dog", 0.1)
    assert OnlineEstimator(model).corrections == 2


def test_what_was_acknowledged_survives_a_kill(model: Path) -> None:
    """Killed after three answers, whatever it does then."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [
            sys.executable,
            "-m",
            "tertium",
            "estimate",
            "learn",
            "--model",
            str(model),
            "--data",
            "-",
            "--each",
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        limit = Timer(120, process.kill)
        limit.start()
        process.stdin.write(b"source\tmt\tpe\n")
        for number in range(3):
            process.stdin.write(f"ein haus {number}\ta house {number}\tthe house {number}\n".encode())
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["corrections"] == number + 1
        limit.cancel()
        process.kill()
    assert OnlineEstimator(model).corrections == 3


def test_what_is_refused(model: Path) -> None:
    online = OnlineEstimator(model)
    with pytest.raises(InputError, match="35 is outside what there can be"):
        online.learn("ein haus", "a house", 35)
    with pytest.raises(InputError, match=r"-0\.5 is outside"):
        online.learn("ein haus", "a house", -0.5)
    with pytest.raises(InputError, match="nan is outside"):
        online.learn("ein haus", "a house", float("nan"))
    with pytest.raises(InputError, match="the post-edit is empty"):
        online.learn("ein haus", "a house", " ")
    with pytest.raises(InputError, match="was trained for de-en, not for fr-en"):
        OnlineEstimator(model, pair="fr-en")
    OnlineEstimator(model, pair="fr-en", force=True)
    assert not Path(online.path).exists()
    with pytest.raises(InputError, match="nothing was learnt yet"):
        online.rollback("base")
    known, _ = scales()
    with pytest.raises(InputError, match="87 is outside what there can be"):
        checked_values(Translations("t", ["a"], ["b"], [87.0]), "da", known)


def test_logs_that_do_not_belong_or_are_damaged(model: Path) -> None:
    online = OnlineEstimator(model)
    online.learn("ein haus", "a house", 0.0)
    online.learn("ein hund", "a dog", 0.1)
    log = Path(online.path)
    whole = log.read_bytes()
    for damaged, message in (
        (whole.replace(b"a dog", b"a cat"), r"line 3: is damaged: its checksum is another"),
        (b"\n" + whole, "line 1: is damaged"),
        (b"no log at all\n", "line 1: is damaged"),
    ):
        log.write_bytes(damaged)
        with pytest.raises(InputError, match=message):
            OnlineEstimator(model)
    log.write_bytes(whole)
    other = Estimator.read(model)
    replace(other, segments=119).write(model)
    with pytest.raises(InputError, match="belongs to another estimator"):
        opened(model)


def test_rows_are_read_as_they_come(tmp_path: Path) -> None:
    table = tmp_path / "a.tsv"
    table.write_text("src\tmt\thter\nHaus\thouse\t0.5\nHund\tdog\tx\n")
    rows = each_translation(table)
    first = next(rows)
    assert (first.name, first.hter) == (f"{table}: line 2", [0.5])
    with pytest.raises(InputError, match="line 3: the score 'x' is not a number"):
        next(rows)


def test_by_command(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    texts = corrections(60)
    rows = zip(texts.sources, texts.translations, texts.hter or (), strict=True)
    Path("c.tsv").write_text("source\tmt\thter\n" + "".join(f"{a}\t{b}\t{c}\n" for a, b, c in rows))
    assert main(["estimate", "learn", "--data", "c.tsv"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "60 corrections (60 new), 60 of them learnt from." in said
    assert main(["estimate", "learn", "--data", "c.tsv", "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["known"] == 60
    assert main(["estimate", "learn", "--rollback", "20", "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["corrections"] == 40
    Path("src").write_text("ein haus\n")
    Path("out").write_text("a house\n")
    assert main(["estimate", "score", "src", "out"]) == 0
    assert "learnt from 40 corrections" in " ".join(capsys.readouterr().out.split())
    assert main(["estimate", "score", "src", "out", "--base"]) == 0
    assert "learnt from" not in capsys.readouterr().out
    assert main(["estimate", "learn", "--data", "c.tsv", "-l", "fr-en"]) == 2
    assert "not for fr-en" in capsys.readouterr().err
