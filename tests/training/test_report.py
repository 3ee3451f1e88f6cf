"""A report of training tells what was put into the judgements."""

from __future__ import annotations

import pytest

from tertium.training.report import training_report
from tests.training.test_training import judged


def test_a_report() -> None:
    found = training_report(judged(noise=0.3), ["chrf", "ter"], learner="ridge")
    assert [one.judgements for one in found.curve] == sorted(one.judgements for one in found.curve)
    assert found.curve[-1].correlation == pytest.approx(found.trained.correlation)
    assert found.slope == pytest.approx(1, abs=0.1)
    assert found.calibration[0].judged < found.calibration[-1].judged
    text = " ".join(str(found).split())
    for word in ("learning curve", "calibration", "r without it", "more judgements would"):
        assert word in text
