"""Marks from 0 to 100, pass, edit or block, and promises: what they say, and that they hold."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import tertium as tt
from tertium.cli import main
from tertium.errors import InputError
from tertium.estimation.estimator import Estimator, trained
from tertium.io.translations import Translations, read_translations
from tertium.online.corrections import OnlineEstimator
from tertium.stats.reliability import reliability
from tertium.triage.calibration import Calibration, calibrated, calibration_of, truth_of
from tertium.triage.drift import Drift, drift_of_corrections
from tertium.triage.promises import checked_promise, needed, promised
from tertium.triage.results import described_calibration, evaluate
from tertium.triage.verdicts import Thresholds
from tests.estimation.test_estimation import made


@pytest.fixture(scope="module")
def learnt() -> Estimator:
    return trained(marked(300), pair="de-en")


def marked(number: int, seed: int = 1) -> Translations:
    texts = made(number, seed)
    return replace(texts, marks=[100 * score for score in texts.scores or ()])


def drawn(number: int, draw: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Estimates, and marks that they know something of."""
    truth = draw.beta(4, 2, number) * 100
    return truth / 30 + draw.normal(0, 0.5, number), truth


def test_marks_mean_what_they_say() -> None:
    draw = np.random.default_rng(1)
    found = Calibration.of(*drawn(5000, draw), "marks")
    estimates, truth = drawn(5000, draw)
    marks = found.marks(estimates)
    seen = reliability(marks, truth)
    assert seen.error < 1.5
    assert (np.diff(marks[np.argsort(estimates)]) >= 0).all()
    beyond = found.marks(np.array([-1e9, 1e9]))
    assert beyond.tolist() == [
        found.curve[1][0],
        found.curve[1][-1],
    ]  # nothing is said of what was never seen


def test_training_calibrates_and_the_file_keeps_it(tmp_path: Path, learnt: Estimator) -> None:
    own = calibration_of(learnt, required=True)
    assert own is not None
    assert (own.scale, own.fresh, len(own.truth)) == ("marks", False, 300)
    learnt.write(tmp_path / "qe.model")
    kept = calibration_of(Estimator.read(tmp_path / "qe.model"))
    assert kept is not None
    at = np.linspace(own.estimates.min(), own.estimates.max(), 50)
    assert kept.marks(at).tolist() == own.marks(at).tolist()
    assert promised(kept, 0.3) == promised(own, 0.3)
    new = made(60, seed=2)
    found = tt.estimate(learnt, new.sources, new.translations, detectors=False)
    assert len(found.marks) == len(found.verdicts) == 60
    assert found.verdicts == tuple(
        "pass" if mark >= 90 else "edit" if mark >= 70 else "block" for mark in found.marks
    )
    assert calibration_of(trained(made(60))) is None  # scores on no known scale


def test_post_edits_are_what_counts_where_there_are_any() -> None:
    texts = replace(marked(60), hter=[0.25] * 59 + [3.0])
    truth = truth_of(texts)
    assert truth is not None
    assert truth[1] == "edits"
    assert truth[0].tolist() == [75.0] * 59 + [0.0]
    assert truth_of(texts, "marks") == (
        pytest.approx(marked(60).marks),
        "marks",
    )  # what was calibrated decides
    assert truth_of(made(60)) is None


def test_fresh_data_calibrate_without_what_was_seen(learnt: Estimator) -> None:
    fresh = marked(200, seed=5)
    both = Translations(
        "both",
        [*fresh.sources, *marked(300).sources],
        [*fresh.translations, *marked(300).translations],
        marks=[*(fresh.marks or ()), *[0.0] * 300],
    )
    with pytest.warns(UserWarning, match="300 of 500 segments were in the training data"):
        found = calibration_of(calibrated(learnt, both))
    only = calibration_of(calibrated(learnt, fresh))
    before = calibration_of(learnt)
    assert found is not None
    assert only is not None
    assert before is not None
    assert found.truth.tolist() == only.truth.tolist()
    assert only.fresh
    assert only.grid.tolist() == before.grid.tolist()  # fixed before these were seen
    with pytest.raises(InputError, match=r"made: 300 of 300 segments were in the training data, 0 are left"):
        calibrated(learnt, marked(300))
    with pytest.raises(InputError, match="40 segments are too few to calibrate on: at least 50"):
        calibrated(learnt, marked(40, seed=5))
    with pytest.raises(InputError, match=r"has no post-edits \(pe, hter\) and no marks from 0 to 100"):
        calibrated(learnt, made(100, seed=5))


def test_few_fresh_segments_move_the_curve_and_many_make_their_own() -> None:
    draw = np.random.default_rng(3)
    before = Calibration.of(*drawn(5000, draw), "marks")
    estimates, truth = drawn(5000, draw)
    lower = np.clip(0.8 * truth - 5, 0, 100)  # people have become stricter
    at = np.quantile(estimates, np.linspace(0.05, 0.95, 19))
    right = Calibration.of(estimates, lower, "marks").marks(at)
    few, anew = [], []
    for begin in range(0, 2000, 50):
        own = slice(begin, begin + 50)
        found = Calibration.of(estimates[own], lower[own], "marks", fresh=True, before=before)
        few.append(np.abs(found.marks(at) - right).mean())
        anew.append(np.abs(replace(found, earlier=None).marks(at) - right).mean())
    off = float(np.abs(before.marks(at) - right).mean())
    assert off > 15
    assert np.mean(few) < 0.6 * np.mean(anew) < 0.6 * off
    bent = np.where(truth > 60, lower, 10.0)  # no shift, and no stretch
    many = Calibration.of(estimates, bent, "marks", fresh=True, before=before)
    alone = replace(many, earlier=None)
    assert np.abs(many.marks(at) - alone.marks(at)).mean() < 1.5
    marks = many.marks(np.sort(estimates))
    assert (np.diff(marks) >= 0).all()
    other = Calibration.of(estimates, lower, "edits", before=before)
    assert other.earlier is None  # of another scale
    again = Calibration.from_arrays(many.arrays())
    assert again.marks(at).tolist() == many.marks(at).tolist()
    longer = Calibration.of(estimates, lower, "marks", before=many)
    assert longer.earlier is not None
    assert len(longer.earlier[0]) <= 80
    damaged = many.arrays() | {"earlier": np.array([[1.0, 2.0], [50.0, 40.0]], np.float32)}
    with pytest.raises(ValueError, match="does not rise"):
        Calibration.from_arrays(damaged)


def test_drift_is_said(learnt: Estimator, tmp_path: Path) -> None:
    now = calibrated(learnt, marked(300, seed=4))
    fresh = marked(120, seed=5)
    same = described_calibration(calibrated(now, fresh))
    assert same.drift is not None
    assert not same.drift.changed
    lower = replace(fresh, marks=[0.7 * own for own in fresh.marks or ()])
    found = described_calibration(calibrated(now, lower))
    assert found.drift is not None
    assert found.drift.changed
    told = " ".join(found.words())
    assert f"worth {np.mean(lower.marks or ()):.1f}" in told
    assert "texts, systems or people have changed; the curve was moved." in told
    before = evaluate(now, lower)
    assert "Drift: marks said" in " ".join(before.words())
    assert "Drift" not in " ".join(evaluate(now, fresh).words())
    edited = replace(made(300), scores=None, hter=[1 - own for own in made(300).scores or ()])
    trained(edited, target="hter").write(tmp_path / "qe.model")
    online = OnlineEstimator(tmp_path / "qe.model")
    assert drift_of(online) is None
    stricter = replace(made(30, seed=6), scores=None, hter=[1.0] * 30)
    online.learn_all(stricter)
    drift = drift_of(online)
    assert drift is not None
    assert drift.true == 0
    assert drift.changed
    new = made(20, seed=7)
    told = " ".join(tt.estimate(online.estimator, new.sources, new.translations).words())
    assert "Of late, marks said" in told


def drift_of(online: OnlineEstimator) -> Drift | None:
    own = calibration_of(online.base, required=True)
    assert own is not None
    return drift_of_corrections(online.estimator, own)


def test_constant_estimates_get_one_mark() -> None:
    found = Calibration.of(np.zeros(100), np.linspace(0, 100, 100), "edits")
    assert found.constant
    assert found.marks(np.array([-1.0, 0.0, 1.0])) == pytest.approx([50.0] * 3)
    assert promised(found, 0.05).threshold is None


def test_promises_are_kept_as_often_as_they_say() -> None:
    """Over many calibrations, the risk behind the chosen threshold, as known from a very large sample."""
    draw = np.random.default_rng(7)
    estimates, truth = drawn(200_000, draw)
    grid = np.quantile(estimates, 1 - np.arange(1, 41) / 40)
    broken = passed = 0
    for _ in range(300):
        own = Calibration(*drawn(600, draw), "edits", True, grid)
        found = promised(own, 0.1, below=55.0, confidence=0.9)
        if found.threshold is not None:
            passed += 1
            above = estimates > found.threshold
            broken += float((truth[above] < 55).mean()) > 0.1
    assert passed > 200  # it does promise something
    assert broken / 300 <= 0.1 + 3 * (0.1 * 0.9 / 300) ** 0.5


def test_what_a_promise_needs() -> None:
    draw = np.random.default_rng(2)
    assert (1 - 0.05) ** needed(0.05, 0.95) <= 0.05 < (1 - 0.05) ** (needed(0.05, 0.95) - 1)
    own = Calibration.of(*drawn(55, draw), "edits")
    with pytest.raises(
        InputError, match=r"55 segments are too few to promise 5% with 95% confidence: .* least 59"
    ):
        promised(own, 0.05)
    for share, below, confidence in ((1.2, 80.0, 0.9), (0.1, 0.0, 0.9), (0.1, 80.0, 1.0)):
        with pytest.raises(InputError, match="a promise's"):
            promised(own, share, below=below, confidence=confidence)
    bad = Calibration.of(draw.normal(size=500), np.zeros(500), "edits")
    none = promised(bad, 0.05)
    assert none.threshold is None
    assert not none.passes(np.array([1e9])).any()
    assert "no threshold can promise" in " ".join(none.words())
    kept = checked_promise(none, np.zeros(3), np.zeros(3))
    assert (kept.passed, kept.kept) == (0, None)
    good = promised(Calibration.of(draw.normal(size=500), np.full(500, 100.0), "edits"), 0.05)
    assert good.passed > 490  # everything but the last of all
    broken = checked_promise(good, np.full(200, 9.0), np.repeat([0.0, 100.0], 100))
    assert (broken.outcome, broken.bad) == ("broken", 100)


def test_verdicts_can_be_overruled() -> None:
    marks = np.array([95.0, 80.0, 10.0])
    assert Thresholds().verdicts(marks, marks) == ("pass", "edit", "block")
    assert Thresholds().verdicts(marks, marks, np.array([True, False, False])) == ("block", "edit", "block")
    with pytest.raises(
        InputError, match=r"what passes \(60\) cannot be worth less than what is edited \(70\)"
    ):
        Thresholds(passes=60)
    with pytest.raises(InputError, match="--edit: marks are from 0 to 100, not -1"):
        Thresholds(edits=-1)


def test_evaluation_says_how_far_marks_are_off(learnt: Estimator) -> None:
    found = evaluate(learnt, marked(200, seed=3), promise=0.3)
    assert found.calibration is not None
    assert found.calibration.error < 12
    assert found.kept is not None
    assert found.kept.segments == 200
    assert "Marks are off by" in found.text()
    with pytest.raises(
        InputError, match="cannot say whether a promise is kept: it has no marks from 0 to 100"
    ):
        evaluate(learnt, made(200, seed=3), promise=0.3)
    with pytest.raises(InputError, match="is not calibrated, so nothing can be promised"):
        evaluate(replace(learnt, parts={}), marked(200, seed=3), promise=0.3)


@pytest.mark.parametrize(
    ("key", "change"),
    [
        ("truth", lambda own: own + 1000),
        ("truth", lambda own: own[:-1]),
        ("estimates", lambda own: own[:10]),
        ("grid", lambda own: own[::-1]),
        ("about", lambda own: own[:1]),
        ("about", lambda own: own + 7),
    ],
)
def test_damaged_calibrations(tmp_path: Path, key: str, change: object, learnt: Estimator) -> None:
    learnt.write(tmp_path / "qe.model")
    with np.load(tmp_path / "qe.model") as file:
        arrays = {name: file[name] for name in file.files}
    name = f"part.calibration.{key}"
    arrays[name] = change(arrays[name])  # type: ignore[operator]
    with (tmp_path / "qe.model").open("wb") as out:
        np.savez(out, **arrays)
    with pytest.raises(InputError, match="is a damaged estimator"):
        Estimator.read(tmp_path / "qe.model")


def test_tables_with_marks(tmp_path: Path) -> None:
    def read(text: str) -> Translations:
        (tmp_path / "t.tsv").write_text(text, "utf-8")
        return read_translations(tmp_path / "t.tsv")

    head = "src\tmt\tz_mean\tmean\n"
    assert read(f"{head}a\tb\t0.5\t70\n").marks == [70.0]
    with pytest.raises(InputError, match=r"t.tsv: line 3: mean is a mark from 0 to 100, not 170"):
        read(f"{head}a\tb\t0.5\t70\na\tb\t0.5\t170\n")
    assert read("src\tmt\tda\na\tb\t70\n").marks == [70.0]
    assert read("src\tmt\tda\na\tb\t-0.5\nb\tb\t2\n").marks is None  # scores on another scale
    assert read("src\tmt\tmean\na\tb\t0.5\nb\tb\t1\n").marks is None
    assert read("src\tmt\tscore\na\tb\t70\n").marks is None  # nobody says of what
    with pytest.raises(InputError, match="line 2: a share of words that were edited is not below 0"):
        read("src\tmt\thter\na\tb\t-0.1\n")
    with pytest.raises(InputError, match=r"t.tsv: hter is a share \(0.2\), not a percentage \(20\)"):
        read("src\tmt\thter\na\tb\t20\nb\tc\t0\nb\tc\t40\n")


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def write(name: str, texts: Translations) -> str:
        rows = zip(texts.sources, texts.translations, texts.scores or (), texts.marks or (), strict=True)
        lines = [f"{a}\t{b}\t{z - 0.5}\t{mark}" for a, b, z, mark in rows]
        (tmp_path / name).write_text("\n".join(["src\tmt\tz_mean\tmean", *lines]) + "\n", "utf-8")
        return str(tmp_path / name)

    model = str(tmp_path / "qe.model")
    assert main(["estimate", "train", "--data", write("train.tsv", marked(200)), "-o", model]) == 0
    data = write("dev.tsv", marked(100, seed=4))
    assert main(["estimate", "calibrate", "--data", data, "--model", model]) == 0
    assert "Calibrated on 100 segments" in " ".join(capsys.readouterr().out.split())
    new = made(12, seed=9)
    for name, lines in (("src", new.sources), ("mt", new.translations)):
        (tmp_path / name).write_text("\n".join(lines) + "\n", "utf-8")
    score = ["estimate", "score", str(tmp_path / "src"), str(tmp_path / "mt"), "--model", model]
    assert main([*score, "--pass", "80", "--edit", "50"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert said.startswith("Of 12 segments ")
    assert main([*score, "--promise", "40%", "--below", "60", "--confidence", "0.9", "-f", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["promise"]["share"] == 0.4
    assert found["promise"]["below"] == 60
    assert found["promise"]["fresh"] is True
    assert len(found["marks"]) == len(found["values"]) == 12
    assert main(["estimate", "evaluate", "--data", data, "--model", model, "--promise", "40%"]) == 0
    assert "Marks are off by" in " ".join(capsys.readouterr().out.split())
    for wrong, message in (
        (["--promise", "5"], "--promise: a share is written 5% or 0.05, not 5"),
        (["--promise", "x%"], "--promise: a share is written"),
        (["--edits", "20"], "--edits and --below belong to --promise"),
        (["--promise", "5%", "--edits", "20", "--below", "80"], "--edits and --below say the same"),
        (["--promise", "1%", "--edits", "20"], "100 segments are too few to promise 1% with 95% confidence"),
        (["--promise", "1e-300"], "a promise's share is between 1e-09 and 1, not 1e-300"),
        (["--promise", "5%", "--edits", "200"], "a promise's mark is between 0 and 100, not -100"),
        (["--pass", "101"], "--pass: marks are from 0 to 100, not 101"),
    ):
        assert main([*score, *wrong]) == 2
        assert message in " ".join(capsys.readouterr().err.split())
