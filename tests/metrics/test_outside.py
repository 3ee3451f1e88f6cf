"""Metrics of other programs: scores as they come, mean and median, identity in the signature, trouble in one line."""

from __future__ import annotations

import statistics
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium as tt
from tertium.errors import InputError, SpecError
from tertium.metrics.outside import PythonFunction
from tertium.testing import EXAMPLE
from tests.metrics import outside_program
from tests.metrics.plugin import Jaccard

PROGRAM = f"{sys.executable} {Path(outside_program.__file__)}"
FUNCTION = "function:call=tests.metrics.outside_program:jaccard"


@pytest.mark.parametrize("spec", [f'process:command="{PROGRAM}"', FUNCTION])
def test_scores_as_they_come(spec: str) -> None:
    metric, plain = tt.metric(spec), Jaccard(power=0.0)
    rows = metric.statistics(EXAMPLE.hypotheses, EXAMPLE.streams)
    expected = plain.score(plain.statistics(EXAMPLE.hypotheses, EXAMPLE.streams), "segment") / 100
    found = metric.score(rows, "segment")
    defined = ~np.isnan(expected)  # the plug-in leaves empty hypotheses out
    assert found[defined] == pytest.approx(expected[defined], abs=1e-12)
    assert metric.score_total(rows) == pytest.approx(found.mean(), abs=1e-12)


@pytest.mark.parametrize(
    "spec", [f'process:command="{PROGRAM}",average=median', f"{FUNCTION},average=median"]
)
def test_medians_add(spec: str) -> None:
    metric = tt.metric(spec)
    rows = metric.statistics(EXAMPLE.hypotheses, EXAMPLE.streams)
    scores = metric.score(rows, "segment").tolist()
    assert metric.score_total(rows) == statistics.median(scores)
    groups = [i % 3 for i in range(len(scores))]
    found = metric.score(rows.grouped(groups, 4), "document").tolist()
    assert found[:3] == [statistics.median(scores[g::3]) for g in range(3)]
    assert np.isnan(found[3])
    weights = np.array([[2, 0, 1] + [0] * (len(scores) - 3)])
    assert metric.score_weighted(rows, weights).tolist() == [statistics.median([*scores[:1] * 2, scores[2]])]
    without = metric.score(rows.without_each(), "corpus").tolist()
    assert without == [statistics.median(scores[:i] + scores[i + 1 :]) for i in range(len(scores))]


def test_the_signature_says_who_it_is() -> None:
    process = tt.metric(f'process:command="{PROGRAM}",called=jac,higher=no,source=yes')
    assert 'program:"jaccard"|model:"words"|v-own:"1"' in process.signature()
    assert "src:yes|refs:yes|higher:no|avg:mean" in process.signature()
    assert process.label == "process-jac"
    assert not process.higher_is_better
    assert process.needs_source
    function = tt.metric(FUNCTION)
    assert 'model:"words"|hash:"' in function.signature()


def test_sources_instead_of_references() -> None:
    metric = tt.metric(f"{FUNCTION},source=yes,references=no")
    found = tt.score(["a b", "c"], metrics=metric, sources=["a c", "c"]).scores[0]
    assert found.value == pytest.approx((1 / 3 + 1) / 2)
    assert found.signature.startswith("nrefs:0|")


def test_every_distinct_item_is_asked_for_once() -> None:
    asked: list[int] = []

    def count(items: list[Any]) -> list[float]:
        asked.append(len(items))
        return [1.0] * len(items)

    metric = PythonFunction.of(count)
    rows = metric.statistics(["a", "a", "b", "a"], ["x", "x", "x", "y"])
    assert asked == [3]
    assert len(rows) == 4


BAD_PROGRAMS = {
    "import sys; sys.exit(3)": "ended with status 3",
    "raise ValueError('no model here')": "ended with status 1: ValueError: no model here",
    "print('hello')": "line 1 of its output is no JSON object: 'hello'",
    "pass": "its output must begin with a line like",
    "print('{}')": "its output must begin with a line like",
    "print('{\\'tertium\\': 9}'.replace(chr(39), chr(34)))": "speaks protocol 9, not 1",
    "h(); s(0, 1)": "gave no score for item 1 (of 2, from 0)",
    "h(); s(0, 1); s(0, 1)": "line 3 of its output: item 0 is scored twice",
    "h(); s(7, 1)": "line 2 of its output: id 7 is none of the items",
    "h(); s(0, 'good')": "line 2 of its output, item 0: the score must be a number, not 'good'",
    "h(); s(0, float('nan'))": "line 2 of its output, item 0: the score must be a number, not nan",
    "h(); print(json.dumps({'id': 0, 'error': 'out of memory'}))": "line 2 of its output: out of memory",
}


@pytest.mark.parametrize("code", BAD_PROGRAMS)
def test_trouble_of_a_program_is_one_line(tmp_path: Path, code: str) -> None:
    path = tmp_path / "program.py"
    helpers = "import json, sys\nsys.stdin.read()\n"
    helpers += (
        "def h(): print(json.dumps({'tertium': 1}))\ndef s(i, v): print(json.dumps({'id': i, 'score': v}))\n"
    )
    path.write_text(helpers + code + "\n", encoding="utf-8")
    metric = tt.metric(f'process:command="{sys.executable} {path}"')
    with pytest.raises(InputError) as caught:
        metric.statistics(["a", "b"], ["a", "b"])
    assert BAD_PROGRAMS[code] in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("process:command=/no/such/program", "/no/such/program: cannot be started: No such file"),
        ("function:call=nowhere:f", "no function 'nowhere:f'"),
        ("function:call=math:nothing", "no function 'math:nothing'"),
        ("function:call=math:pi", "math:pi is no function"),
        ('function:call=":unheard"', "no function was given under the name 'unheard'"),
        ("function:call=math", "a function is named module:name"),
        ("function:call=builtins:list", "the score must be a number, not {'id': 0"),
        ("function:call=builtins:sum", "unsupported operand"),
    ],
)
def test_trouble_before_and_in_functions(spec: str, message: str) -> None:
    with pytest.raises((InputError, SpecError, TypeError)) as caught:
        tt.metric(spec).statistics(["a"], ["a"])
    assert message in str(caught.value)


def test_a_wrong_number_of_scores() -> None:
    with pytest.raises(InputError, match="gave 1 scores for 2 items"):
        PythonFunction.of(lambda items: [0.5]).statistics(["a", "b"], ["a", "b"])


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("process:called=a b", "called='a b' may have letters"),
        ("process:average=mode", "average='mode' is not possible"),
        ("function:call=a|b:c", "cannot hold"),
    ],
)
def test_impossible_options(spec: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        tt.metric(spec)
