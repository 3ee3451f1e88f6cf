"""Labels of a reviewer: what they say of the units themselves, and of others."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tertium.cli import main
from tertium.errors import InputError
from tertium.io.memories.pairs import Pair
from tertium.io.memories.unit import Unit
from tertium.vetting.labelling import LabelledJudge, read_labels, refined
from tests.memory.made import PlainJudge, good_units


def wrong_end(i: int) -> Unit:
    return Unit(f"Is it {i}?", f"C'est {i}.", "en", "fr")


def wrong_number(i: int) -> Unit:
    return Unit(f"It is {i}.", f"C'est {i + 1}.", "en", "fr")


def test_labels_say_which_checks_are_to_be_believed() -> None:
    """Here wrong ends are no mistakes, and wrong numbers are."""
    labels = [(wrong_end(i), False) for i in range(20)] + [(wrong_number(i), True) for i in range(20)]
    plain, taught = PlainJudge(), LabelledJudge(PlainJudge(), labels)
    new = [wrong_end(99), wrong_number(99), Unit("Open", "Ouvrir", "en", "fr")]
    before, after = ([own.probability for own in judge.judge(new)] for judge in (plain, taught))
    assert after[0] < before[0] / 2
    assert after[1] >= before[1] - 0.05
    assert after[2] < 0.01
    assert [own.probability for own in taught.judge([labels[0][0], labels[-1][0]])] == [0.0, 1.0]


def test_no_labels_change_nothing() -> None:
    units = [wrong_end(1), wrong_number(2)]
    found = LabelledJudge(PlainJudge(), []).judge(units)
    expected = [own.probability for own in PlainJudge().judge(units)]
    assert [own.probability for own in found] == pytest.approx(expected, abs=1e-5)


def test_the_fit_is_the_least_of_its_function() -> None:
    draw = np.random.default_rng(3)
    rows = np.column_stack([np.ones(50), draw.normal(size=(50, 3))])
    wrong = (draw.random(50) < 0.4).astype(float)

    def loss(weights: np.ndarray) -> float:
        odds = rows @ weights
        pull = 0.1 * weights[0] ** 2 + (weights[1] - 1) ** 2 + 20 * (weights[2:] ** 2).sum()
        return float((np.logaddexp(0, odds) - wrong * odds).sum() + pull / 2)

    best = refined(rows, wrong)
    assert all(loss(best) < loss(best + draw.normal(scale=0.01, size=4)) for _ in range(50))


def test_what_is_no_label(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    for label, said in (("maybe", "the label is 'maybe'"), ("", "there is no label")):
        path.write_text(json.dumps({"source": "a", "target": "b", "label": label}) + "\n")
        with pytest.raises(InputError, match=f"unit 1: {said}; it must be right or wrong"):
            read_labels(str(path), Pair("en", "fr"))


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    units = [*good_units(300), *map(wrong_number, range(40, 90, 5))]
    memory, labels = tmp_path / "in.jsonl", tmp_path / "labels.tsv"
    memory.write_text(
        "".join(json.dumps({"source": own.source, "target": own.target}) + "\n" for own in units)
    )
    labels.write_text(
        "source\ttarget\tlabel\n" + "".join(f"{own.source}\t{own.target}\tright\n" for own in units[-9:])
    )
    call = ["memory", "check", str(memory), "--pair", "en-fr", "-f", "json", "--top", "400"]
    found = []
    for more in ([], ["--labels", str(labels)]):
        assert main([*call, *more]) == 0
        found.append(json.loads(capsys.readouterr().out))
    before, after = ({own["number"]: own["probability"] for own in one["worst"]} for one in found)
    assert after[301] < before[301]  # like those that are right
    assert [after[number] for number in range(302, 311)] == [0.0] * 9
