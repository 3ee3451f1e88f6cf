"""Post-edits that belong to other lines are noticed by their words, taken back and said."""

from __future__ import annotations

import math
import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from tertium.estimation.estimator import Estimator, trained
from tertium.estimation.explaining import beside_others
from tertium.io.translations import Translations
from tertium.online.corrections import OnlineEstimator
from tertium.online.results import learning
from tertium.online.strayed import LIMIT, StrayedTexts, related_edits
from tests.estimation.test_explaining import texts


def edited(number: int, seed: int) -> Translations:
    """Post-edits change a word or none."""
    made = texts(number, seed)
    edits = [f"{text} mot{i % 80}a" if i % 3 else text for i, text in enumerate(made.translations)]
    return replace(made, scores=None, post_edits=edits)


@cache
def learnt() -> bytes:
    with tempfile.TemporaryDirectory() as place:
        texts = edited(400, 1)
        trained(texts, target="hter", sets=("lengths", "translated")).write(Path(place, "qe.model"))
        return Path(place, "qe.model").read_bytes()


@pytest.fixture
def model(tmp_path: Path) -> Path:
    (tmp_path / "qe.model").write_bytes(learnt())
    return tmp_path / "qe.model"


def test_own_sources_explain_more_than_others(model: Path) -> None:
    tables, own = Estimator.read(model).learnt, edited(40, 2)
    edits = list(own.post_edits or ())
    good = beside_others(tables, own.sources, edits)
    assert (good > 1.645).mean() > 0.9
    assert (beside_others(tables, own.sources, [*edits[1:], edits[0]]) < 1.645).mean() > 0.85
    assert np.isnan(beside_others(tables, own.sources[:5], edits[:5])).all()  # too few to compare with
    one = beside_others(tables, own.sources[:1], edits[:1], own.sources[1:])
    assert one[0] > 1.645


def test_a_shifted_column_is_noticed_at_once_and_taken_back(model: Path) -> None:
    online = OnlineEstimator(model)
    online.learn_all(edited(60, 3))
    said = learning(online)
    assert not said.held
    new = edited(30, 9)
    before = online.estimates(new)
    shifted = edited(40, 4)
    edits = list(shifted.post_edits or ())
    online.learn_all(replace(shifted, post_edits=[*edits[1:], edits[0]]))
    said = learning(online)
    assert said.strayed
    assert said.held
    assert said.noticed is not None
    assert 60 < said.noticed < 75
    assert "nothing to do with their sources" in " ".join(said.words())
    assert np.abs(online.estimates(new) - before).max() < 0.05
    online.keep()
    assert learning(OnlineEstimator(model)).strayed  # by the state
    Path(f"{model}.learnt.state").unlink()
    again = OnlineEstimator(model)  # by the log
    assert learning(again).noticed == said.noticed
    again.learn_all(edited(40, 5))
    assert not learning(again).held  # they make sense again
    online = OnlineEstimator(model)
    online.trust()
    assert learning(online).learnt == 140


def test_false_alarms_are_as_rare_as_it_says() -> None:
    """Of streams with odd ones as usual, 200,000 corrections have at most two alarms on average."""
    draw = np.random.default_rng(4)
    alarms = 0
    for usual in (0.02, 0.05, 0.15, 0.3):
        strays = StrayedTexts()
        for odd in draw.random(50_000) < usual:
            if strays.look(0.0 if odd else 5.0):
                alarms += 1
                strays.calm()
    assert alarms <= 8
    assert math.exp(LIMIT) == pytest.approx(1e5)


def test_tables_that_know_nothing_of_the_texts_hold_nothing_back(model: Path) -> None:
    strange = [f"q{n} x{n} z{n * 7} v{n % 9}" for n in range(60)]
    own = Translations("strange", strange, strange[::-1], post_edits=[*strange[1:], strange[0]])
    online = OnlineEstimator(model)
    online.learn_all(own)
    assert not learning(online).strayed
    assert related_edits(online.base.learnt, texts(60, 2)) == [None] * 60  # no post-edits
