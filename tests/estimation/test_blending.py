"""Edits beside scores, and edits saved."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tertium.estimation.blending import as_scores, best_share, blended, rescaled
from tertium.estimation.estimator import Estimator, targets_of, trained
from tertium.estimation.models import Regression
from tertium.triage.results import described, estimate
from tests.estimation.test_estimation import made


def test_sure_edits_help_unsure_scores(tmp_path: Path) -> None:
    texts, others = made(200), made(150, seed=9)
    good = np.asarray(texts.scores)
    noisy = (good + np.random.default_rng(1).normal(0, 0.5, len(good))).tolist()
    alone = trained(replace(texts, scores=noisy))
    beside = trained(replace(texts, scores=noisy, hter=(1 - good).tolist()))
    assert beside.share > 0
    truth = np.asarray(others.scores)
    both = [np.corrcoef(own.estimates(others), truth)[0, 1] for own in (alone, beside)]
    assert both[1] > both[0] + 0.02
    beside.write(tmp_path / "qe.model")
    again = Estimator.read(tmp_path / "qe.model")
    assert again.share == beside.share
    assert np.abs(again.estimates(others) - beside.estimates(others)).max() < 1e-6
    assert "Edits beside the scores were" in " ".join(described(again, 1).words())


def test_the_share_is_what_agrees_best_with_scores() -> None:
    draw = np.random.default_rng(5)
    rows, folds = draw.normal(size=(500, 20)), np.arange(500) % 5
    truth = rows @ draw.normal(size=20)
    noisy, noise = truth + draw.normal(0, 20, 500), draw.normal(size=500)
    assert best_share(rows, rows, noisy, truth * noisy.std() / truth.std(), folds) >= 0.5
    assert best_share(rows, rows, truth, noise, folds) == 0.0


def test_edits_that_say_nothing_do_not_count() -> None:
    texts = made(300)
    edits = np.random.default_rng(2).random(len(texts)).tolist()
    alone, beside = trained(texts), trained(replace(texts, hter=edits))
    assert (alone.share, beside.share) == (0.0, 0.0)
    assert (alone.estimates(made(30, seed=4)) == beside.estimates(made(30, seed=4))).all()
    assert as_scores(np.zeros(3), np.arange(3.0)) is None  # nothing was edited


def test_a_blend_of_features_is_that_of_what_they_learnt() -> None:
    draw = np.random.default_rng(3)
    rows, values, edits = draw.normal(size=(60, 2)), draw.normal(size=60), draw.normal(size=60)
    assert best_share(rows, rows, values, edits, np.arange(60) % 5) in {0.0, 0.5}
    assert blended(values, edits, 0.25) == pytest.approx(0.75 * values + 0.25 * edits)


def test_estimates_of_a_blend_are_put_on_the_scale_of_scores() -> None:
    draw = np.random.default_rng(4)
    rows = draw.normal(size=(80, 3))
    aim = rows @ [1.0, 2.0, -1.0]
    regression, left_out = rescaled(Regression.learnt(rows, aim), aim, 3 * aim + 7)
    assert left_out == pytest.approx(3 * aim + 7)
    assert regression.of(rows) == pytest.approx(3 * Regression.learnt(rows, aim).of(rows) + 7)
    kept, same = rescaled(regression, aim, -aim)
    assert kept is regression
    assert same is aim


def test_edits_saved_are_what_edits_leave() -> None:
    texts = replace(made(80), scores=None, hter=[min(1.0, i % 7 / 5) for i in range(80)])
    assert targets_of(texts, "saved") == pytest.approx(1 - targets_of(texts, "hter"))
    saved = trained(texts, target="saved")
    found = estimate(saved, texts.sources, [f"{line}!" for line in texts.translations])
    assert saved.higher
    assert min(found.values) >= 0
    assert max(found.values) <= 1
