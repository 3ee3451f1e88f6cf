"""Trees that a memory fits to itself, and the numbers that need no learning."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest

from tertium import _native
from tertium.cli import main
from tertium.io.memories.unit import Unit
from tertium.vetting.checks.base import LEARNT_CHECKS
from tertium.vetting.combining import fitted, shipped
from tertium.vetting.judging import CombinedJudge
from tertium.vetting.labelling import LabelledJudge
from tertium.vetting.likeness import Likeness
from tertium.vetting.selftaught import LEAST, SelfTaught, nearest, wrong_copies

THINGS = {"flowers": "flores", "houses": "casas", "tables": "mesas", "books": "libros", "shoes": "zapatos"}
PLACES = [a + b for a in ("Bor", "Kal", "Tir", "Mun", "Wes", "Lod") for b in ("ana", "ovia", "istan", "heim")]


def shop(number: int, seed: int = 1) -> list[Unit]:
    """A shop's pages, which differ in a thing and a place."""
    draw = Random(seed)
    made = []
    for _ in range(number):
        (thing, cosa), place, n = draw.choice(list(THINGS.items())), draw.choice(PLACES), draw.randrange(9)
        made.append(
            Unit(
                f"Cheap {thing} for sale in {place} {n}",
                f"Venta de {cosa} baratas en {place} {n}",
                "en",
                "es",
            )
        )
    return made


def test_a_similar_page_is_not_the_same_page() -> None:
    judge = CombinedJudge.of(["fit"])
    judge.learn(shop(1500))
    units = shop(100, seed=2)
    wrong = [unit.changed(target=unit.target.replace(unit.source.split()[-2], "Oslo")) for unit in units]
    right, others = judge.judge(units), judge.judge(wrong)
    odds = [judge.looked(own)[1][:, judge.names.index("fit odds")] for own in (units, wrong)]
    assert odds[0].max() < odds[1].min()
    assert sum(bool(own.reasons) for own in right) < 5
    (reason,) = others[0].reasons
    assert reason.check == "fit"
    assert "Oslo" in reason.sentence
    assert [wrong[0].target[a:b] for a, b in reason.target] == ["Oslo"]


def test_words_of_others_are_learnt_but_not_what_is_usual_here() -> None:
    judge = CombinedJudge.of(["fit"])
    judge.learn(shop(2 * LEAST), own=False)
    assert not judge.looked(shop(5))[1][:, judge.names.index("fit odds")].any()


def test_few_units_teach_nothing() -> None:
    judge = CombinedJudge.of(["fit"])
    judge.learn(shop(LEAST - 1))
    assert not judge.looked(shop(5))[1][:, judge.names.index("fit odds")].any()


def test_the_sample_is_bounded() -> None:
    taught = SelfTaught(most=100)
    for seed in range(20):
        taught.learn(shop(73, seed))
    assert 50 < len(taught._kept) <= 100


def test_very_long_and_equal_units() -> None:
    long = "word " * 300_000
    units = [Unit(long, long, "en", "es", raw="<tu/>")] + [Unit("One", "Uno", "en", "es")] * (LEAST + 5)
    taught = SelfTaught()
    taught.learn(units)
    assert max(len(unit.source) for unit in taught._kept) == 10_000
    judge = CombinedJudge.of(["fit"])
    judge.learn(units)
    assert np.isfinite(judge.looked(units)[1]).all()


def test_wrong_copies_are_wrong_and_nearest_texts_near() -> None:
    units = shop(50)
    sets = wrong_copies(units)
    assert [len(own) for own in sets] == [len(units)] * 5
    assert all(own.target != unit.target for own, unit in zip(sets[0], units, strict=True))
    assert all(own.source == unit.source for own, unit in zip(sets[0], units, strict=True))
    texts = ["a b c", "x y z", "a b d", "x y w", "a b c"]
    assert nearest(texts) == [2, 3, 0, 1, 2]
    assert nearest(["alone", "words"]) == [1, 0]
    assert nearest([]) == []


def twin_of_a_stump(rows: np.ndarray, wrong: np.ndarray, weights: np.ndarray) -> tuple[int, float]:
    """The best split of the first tree, by trying all."""
    chance = (weights * wrong).sum() / weights.sum()
    slopes, curves = weights * (chance - wrong), weights * chance * (1 - chance)
    best = (0.0, 0, 0.0)
    for column in range(rows.shape[1]):
        values = np.unique(rows[:, column])
        for edge in (values[1:] + values[:-1]) / 2:
            low = rows[:, column] <= edge
            parts = [low, ~low]
            if min(part.sum() for part in parts) >= 5:
                gain = sum(slopes[part].sum() ** 2 / (curves[part].sum() + 1.0) for part in parts)
                best = max(best, (gain, column, float(edge)))
    return best[1], best[2]


def test_the_first_split_is_the_best_there_is() -> None:
    draw = np.random.default_rng(4)
    rows = np.round(draw.normal(size=(200, 3)), 1)[:, :]
    wrong = (rows[:, 1] + draw.normal(scale=0.5, size=200) > 0.4).astype(float)
    weights = draw.uniform(0.5, 2.0, size=200)
    made = fitted(("a a", "b b", "c c"), rows, wrong, weights, trees=1, leaves=2, rate=1.0, least=5)
    column, edge = twin_of_a_stump(rows, wrong, weights)
    assert (made.features[0, 0], made.thresholds[0, 0]) == (column, pytest.approx(edge))


def test_trees_learn_what_no_single_number_tells() -> None:
    draw = np.random.default_rng(5)
    rows = draw.normal(size=(4000, 4))
    wrong = (rows[:, 0] * rows[:, 2] > 0).astype(float)
    made = fitted(
        ("a a", "b b", "c c", "d d"), rows, wrong, np.ones(4000), trees=40, leaves=6, rate=0.2, least=20
    )
    fresh = draw.normal(size=(1000, 4))
    told = made.odds(made.names, fresh) > 0
    assert (told == (fresh[:, 0] * fresh[:, 2] > 0)).mean() > 0.93


def test_trees_are_not_fitted_to_nothing() -> None:
    for rows in (np.zeros((0, 2)), np.zeros((3, 0)), np.full((3, 2), np.nan)):
        with pytest.raises(ValueError, match="fit"):
            _native.boosted_trees(
                rows, np.zeros(len(rows)), np.ones(len(rows)), trees=2, leaves=3, rate=0.1, least=1
            )


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("It costs 007 in Rome", "Cela coûte 7 à Rome", {"source numbers alone": 0, "source names alone": 0}),
        (
            "It costs 8 in Rome",
            "Cela coûte 7 7 à Paris",
            {"target numbers alone": 2, "target names alone": 1},
        ),
        ("Élan vital", "ELAN VITAL", {"both trigrams": 1, "source small same": 1}),
        ("Stop.", "Halt", {"source closed": 1, "target closed": 0, "both closed difference": 1}),
        ("", "", {"both trigrams": 0, "source capitals": 0}),
        ("Ünïcode \U0001f600 漢字 ٣", "x", {"source numbers alone": 1}),
    ],
)
def test_likeness(source: str, target: str, expected: dict[str, float]) -> None:
    row = Likeness().measure([Unit(source, target)])[0]
    assert {name: row[Likeness.names.index(name)] for name in expected} == pytest.approx(expected)


def test_labels_are_learnt_from_all_numbers() -> None:
    """What no check tells, labels can: here, that units with a mark at the end of the target are wrong."""
    draw = Random(3)
    units = [unit.changed(target=unit.target + draw.choice(("", "."))) for unit in shop(900)]
    judge = CombinedJudge.of(["fit", "length"])
    judge.learn(units)
    labelled = LabelledJudge(judge, [(unit, unit.target.endswith(".")) for unit in units[:300]])
    found = labelled.judge(
        shop(40, seed=8) + [unit.changed(target=unit.target + ".") for unit in shop(40, seed=8)]
    )
    chances = [own.probability for own in found]
    assert max(chances[:40]) < 0.5 < min(chances[40:])


def test_the_check_has_its_sentence() -> None:
    assert LEARNT_CHECKS["fit"].sentence.endswith(".")


def test_a_share_of_mismatched_units_raises_what_fit_says() -> None:
    names, rows = ("fit odds",), np.array([[4.0], [-4.0], [0.0]])
    few, many = (shipped().probabilities(names, rows, None, share) for share in (0.003, 0.2))
    assert many[0] > 0.9 > few[0] > few[1]
    assert few[2] == many[2]  # nobody knows


@pytest.mark.parametrize("share", ["0", "1", "-0.5", "nan"])
def test_a_share_that_is_none(share: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("Open\tOuvrir\n", encoding="utf-8")
    assert main(["memory", "check", str(path), "--pair", "en-fr", "--mismatched", share]) == 2
    assert "must be above 0 and below 1" in capsys.readouterr().err


def test_every_run_finds_the_same() -> None:
    """Also where the order of sets differs: a run that is gone on with must judge as before."""
    script = (
        "from tests.vetting.test_selftaught import shop\nfrom tertium.vetting.selftaught import nearest\n"
        "print(nearest([unit.target for unit in shop(300)]))"
    )
    made = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in (1, 2, 3)
    }
    assert len(made) == 1
