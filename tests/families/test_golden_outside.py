"""Outside metrics: programs and functions, what they say, what they break, and medians that add."""

from __future__ import annotations

import random
import shlex
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium as tt
from tertium import registry
from tertium.cli import main
from tertium.errors import TertiumError
from tertium.families.outside import Outside
from tertium.io.programs import shown
from tertium.project import Project
from tertium.published import parse
from tertium.statistics import ValueStatistics
from tertium.testing import check_metric
from tests.conftest import ROOT
from tests.twins.outside import aggregate, ratio

EXAMPLE = shlex.join([sys.executable, str(ROOT / "examples" / "outside_metric.py")])
HELLO = 'print(\'{"name": "x"}\', flush=True)\n'
Write = Callable[..., Outside]


@pytest.fixture
def program(tmp_path: Path) -> Write:
    """program(code, options): a metric that runs this Python code."""

    def write(code: str, /, **options: Any) -> Outside:
        path = tmp_path / "program.py"
        path.write_text("import json, sys, time\n" + code, encoding="utf-8")
        return Outside(command=shlex.join([sys.executable, str(path)]), **options)

    return write


def segments(seed: int, n: int) -> tuple[list[str], list[str], list[str]]:
    draw = random.Random(seed)
    words = ["the", "cat", "sat", "ön", "mat", "東京", "\ud800", '"', "\\"]
    return tuple([" ".join(draw.choices(words, k=draw.randrange(8))) for _ in range(n)] for _ in range(3))  # type: ignore[return-value]


@pytest.mark.parametrize("how", ["mean", "median"])
def test_the_example_program(how: str) -> None:
    hypotheses, first, second = segments(1, 41)
    metric = Outside(command=EXAMPLE, aggregate=how)
    rows = metric.statistics(hypotheses, [first, second])
    expected = [ratio(h, pair) for h, *pair in zip(hypotheses, first, second, strict=True)]
    assert metric.score_rows(rows, "segment").tolist() == pytest.approx(expected, abs=1e-15)
    assert metric.score_total(rows) == pytest.approx(aggregate(expected, how), abs=1e-15)
    documents = metric.score_rows(rows.grouped([i % 3 for i in range(41)], 3), "document")
    assert documents.tolist() == pytest.approx([aggregate(expected[i::3], how) for i in range(3)], abs=1e-15)


def test_the_example_of_the_page_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    sample = ROOT / "src" / "tertium" / "data" / "sample"
    files = [str(sample / "reference1.en"), "-i", str(sample / "system-strong.en")]
    assert (
        main(["score", *files, "-m", f'outside:command="{EXAMPLE}",aggregate=median', "-b", "-w", "6"]) == 0
    )
    lines = [path.read_text(encoding="utf-8").splitlines() for path in
             (sample / "system-strong.en", sample / "reference1.en")]  # fmt: skip
    expected = statistics.median(ratio(h, [r]) for h, r in zip(*lines, strict=True))
    assert float(capsys.readouterr().out) == pytest.approx(expected, abs=5e-7)


def test_a_program_that_ends_with_its_input_and_answers_backwards(program: Write) -> None:
    code = HELLO + (
        "found = [json.loads(line) for line in sys.stdin]\n"
        "for s in reversed(found):\n"
        "    print(json.dumps({'id': s['id'], 'score': None if s['hypothesis'] == 'b' else s['id'], 'why': 1}))\n"
    )
    metric = program(code)
    rows = metric.statistics(["a", "b", "c"], ["x", "y", "z"])
    assert tt.score(["a", "b", "c"], ["x", "y", "z"], metric, level="segment").scores[0].values == [
        1,
        None,
        3,
    ]
    assert metric.score_total(rows) == 2.0
    assert metric.score_total(rows.take([1])) is None
    assert len(metric.statistics([], [[]])) == 0


def test_many_segments_do_not_block(program: Write) -> None:
    code = HELLO + (
        "for line in sys.stdin:\n"
        "    s = json.loads(line)\n"
        "    print(json.dumps({'id': s['id'], 'score': len(s['hypothesis']), 'padding': 'x' * 500}))\n"
    )
    texts = ["word " * 100] * 2000
    assert program(code).score_total(program(code).statistics(texts, texts)) == 500


def test_what_is_sent(program: Write) -> None:
    code = HELLO + (
        "for line in sys.stdin:\n"
        "    s = json.loads(line)\n"
        "    good = list(s) == ['id', 'source', 'hypothesis', 'references']\n"
        "    good = good and s['source'] == 'ß' and s['references'] == ['r', '\\ud800']\n"
        "    print(json.dumps({'id': s['id'], 'score': float(good)}))\n"
    )
    metric = program(code, needs="both")
    assert metric.score_total(metric.statistics(["h"], [["r"], ["\ud800"]], sources=["ß"])) == 1
    with pytest.raises(TertiumError, match="outside needs the source texts"):
        metric.statistics(["h"], ["r"])


def test_without_references(program: Write) -> None:
    code = HELLO + (
        "for line in sys.stdin:\n"
        "    s = json.loads(line)\n"
        "    print(json.dumps({'id': s['id'], 'score': len(s['source']) - len(s['references'])}))\n"
    )
    metric = program(code, needs="source")
    result = tt.score(["h"], sources=["four"], metrics=metric)
    assert result.scores[0].value == 4
    assert result.scores[0].signature.startswith("nrefs:0|")


BAD = {
    "is not JSON: 'loading model'": "print('loading model')\n",
    "is not a JSON object: '3'": "print(3)\n",
    "must give its name and version": "print('{}')\n",
    "versions in its first line": 'print(\'{"name": "x", "versions": 3}\')\n',
    "needs in its first line": 'print(\'{"name": "x", "needs": ["money"]}\')\n',
    "ended with status 3 after line 0 of its output: 'no model'": "sys.stderr.write('no model')\nsys.exit(3)\n",
    "line 2 of its output reports an error: out of memory": HELLO + 'print(\'{"error": "out of memory"}\')\n',
    "line 2 of its output has the id 7; ids here are 1 to 2": HELLO + 'print(\'{"id": 7, "score": 1}\')\n',
    "line 2 of its output has the id None": HELLO + "print('{\"score\": 1}')\n",
    "line 2 of its output has no score": HELLO + "print('{\"id\": 1}')\n",
    "line 2 of its output has the score '1'": HELLO + 'print(\'{"id": 1, "score": "1"}\')\n',
    "line 2 of its output has the score nan": HELLO + 'print(\'{"id": 1, "score": NaN}\')\n',
    "line 2 of its output has the score inf": HELLO + "print('{\"id\": 1, \"score\": 1' + '0' * 400 + '}')\n",
    "line 3 of its output answers id 1 again": HELLO + 'print(\'{"id": 1, "score": 1}\\n\' * 2)\n',
    "ended with status 0 after line 2 of its output": HELLO + 'print(\'{"id": 1, "score": 1}\')\n',
    "line 4 of its output is one too many": HELLO
    + 'print(\'{"id": 1, "score": 1}\\n{"id": 2, "score": 1}\\nbye\')\nsys.stdin.read()\n',
    "ended with status 9": HELLO
    + 'print(\'{"id": 1, "score": 1}\\n{"id": 2, "score": 1}\', flush=True)\nsys.stdin.read()\nsys.exit(9)\n',
}


@pytest.mark.parametrize("complaint", BAD)
def test_programs_that_break_the_rules(program: Write, complaint: str) -> None:
    metric = program(BAD[complaint])
    with pytest.raises(TertiumError) as caught:
        metric.statistics(["a", "b"], ["a", "b"])
    assert complaint in str(caught.value)
    assert "program.py" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_time_limit(program: Write) -> None:
    start = time.monotonic()
    with pytest.raises(
        TertiumError, match=r"no answer for 0.5 seconds, after line 1 of its output \(timeout="
    ):
        program(HELLO + "time.sleep(60)\n", timeout=0.5).statistics(["a"], ["a"])
    assert time.monotonic() - start < 30


def test_a_program_that_never_says_hello(program: Write) -> None:
    start = time.monotonic()
    with pytest.raises(
        TertiumError,
        match=r"program\.py.*: has not introduced itself within 0\.5 seconds: .*\(hello=SECONDS gives it longer\)$",
    ):
        program("time.sleep(60)\n", hello=0.5).statistics(["a"], ["a"])
    assert time.monotonic() - start < 30
    assert program(f"time.sleep(0.5)\n{HELLO}sys.stdin.read()\n", hello=60.0).signature()
    assert Outside(command="x").first_line == 10
    assert Outside(program="comet", model="x").first_line == 600  # it hashes gigabytes first
    assert Outside(program="comet", model="x", hello=5).first_line == 5


def test_it_is_said_how_many_answers_are_missing(program: Write) -> None:
    answers = HELLO + 'print(\'{"id": 3, "score": 1}\\n{"id": 1, "score": 1}\', flush=True)\n'
    for end, complaint in (
        ("sys.exit(4)", "ended with status 4 after line 3 of its output; 3 of 5 answers are missing"),
        (
            "import os; os.kill(os.getpid(), 9)",
            "was ended by signal 9 after line 3 of its output; 3 of 5 answers",
        ),
        (
            "time.sleep(60)",
            "no answer for 2 seconds, after line 3 .* gives it longer.; 3 of 5 answers are missing",
        ),
    ):
        with pytest.raises(TertiumError, match=f"program.py.*: {complaint}"):
            program(f"{answers}{end}\n", timeout=2.0).statistics(list("abcde"), list("abcde"))


def test_long_commands_keep_the_name_of_the_program() -> None:
    folder = "/a folder/ordner äöü" * 9
    command = shlex.join(
        [f"{folder}/bin/python3", f"{folder}/my metric.py", "--model", f"{folder}/model.bin"]
    )
    assert shown(command) == "outside metric '.../python3 .../my metric.py --model .../model.bin'"
    many = shown(f"score.py {'--option value ' * 50} --last")
    assert many.startswith("outside metric 'score.py --option value")
    assert many.endswith("--last'")
    assert len(many) < 150
    assert shown("python metric.py") == "outside metric 'python metric.py'"


def test_programs_that_cannot_be_started(tmp_path: Path) -> None:
    for command, complaint in (
        (shlex.quote(str(tmp_path / "nowhere")), "cannot be started: .*nowhere: No such file"),
        (shlex.quote(str(tmp_path)), "cannot be started: .*: Permission denied"),
        ("'open", "cannot be read as a command: No closing quotation"),
        ("  ", "needs command|is empty"),
    ):
        with pytest.raises(TertiumError, match=complaint):
            Outside(command=command).statistics(["a"], ["a"])


def test_a_program_says_what_it_needs(program: Write) -> None:
    metric = program('print(\'{"name": "x", "needs": ["source"]}\', flush=True)\nsys.stdin.read()\n')
    with pytest.raises(TertiumError, match="says that it needs source: add needs=both to the spec"):
        metric.statistics(["a"], ["a"])


def test_options_that_make_no_sense() -> None:
    for spec, complaint in (
        ("outside:command=x,call=y:z", "not both"),
        ("outside:aggregate=mode", "aggregate='mode' is not valid"),
        ("outside:timeout=0", "timeout must be"),
        ("outside:command=x,called=a[b", "brackets"),
    ):
        with pytest.raises(tt.SpecError, match=complaint):
            tt.metric(spec)
    with pytest.raises(tt.SpecError, match="quotation marks"):
        Outside(command='x "y"')


def test_labels_and_signatures(program: Write) -> None:
    assert Outside(command="python -u /x/y/my_metric.py --gpus 1").label == "outside[my_metric]"
    assert Outside(command="comet-score").label == "outside[comet-score]"
    assert Outside(call="a.b:C.d").label == "outside[d]"
    about = '{"name": "a \\\\" | b", "version": 2, "hash": "ff", "versions": {"torch": "2", "a": 1}}'
    signature = program(f"print('{about}', flush=True)\nsys.stdin.read()\n").signature()
    assert '|model:"a \' | b"|model-version:"2"|model-hash:"ff"|versions:"a=1,torch=2"|agg:mean|' in signature
    assert Outside(command="a", timeout=3.0) == Outside(command="a")
    assert str(Outside(command="a", timeout=3.0)) == "outside:command=a,timeout=3"


def test_a_function_by_its_name() -> None:
    metric = registry.metric('outside:call="tests.families.callables:word_distance",better=lower')
    assert metric.label == "outside[word_distance]"
    result = tt.score(["a b", "noscore", "c"], ["a c", "x", "c"], metric, level="segment")
    assert result.scores[0].values == [2, None, 0]
    assert 'model-version:"3"' in metric.signature()
    assert 'versions:"python=any"' in metric.signature()
    assert metric.reward(["a b"], ["a c"]).tolist() == [-2]


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("broken", "RuntimeError: no model here"),
        ("short", "gave 1 scores for 2 segments"),
        ("odd", "segment 1 has the score 'good': not a number"),
        ("infinite", "segment 1 has the score inf"),
        ("nothing", "there is no function nothing in tests.families.callables"),
    ],
)
def test_functions_that_break_the_rules(name: str, complaint: str) -> None:
    with pytest.raises(TertiumError, match=complaint):
        Outside(call=f"tests.families.callables:{name}").statistics(["a", "b"], ["a", "b"])


def test_functions_that_are_not_there() -> None:
    with pytest.raises(TertiumError, match="no_such_module cannot be imported"):
        Outside(call="no_such_module:f").statistics(["a"], ["a"])
    with pytest.raises(TertiumError, match="is not a function in this process"):
        Outside(call="unheard_of").statistics(["a"], ["a"])


def test_a_function_of_this_process() -> None:
    metric = Outside.of(lambda found: [np.float32(0.5) for _ in found], name="half")
    check_metric(metric)
    assert registry.metric("outside:call=half") == metric
    with pytest.raises(tt.SpecError, match="needs a name"):
        Outside.of(lambda found: [])


def test_nothing_runs_because_somebody_else_wrote_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A published line and a project file that is merely found start no program."""
    trap = tmp_path / "trap"
    command = f"touch {shlex.quote(str(trap))}"
    with pytest.raises(tt.SpecError, match="runs no program that a line names"):
        parse(f'outside[x]|nrefs:1|command:"{command}"|agg:mean|tertium:0.1.0 = 30.2')
    (tmp_path / "r").write_text("a\n")
    toml = f"references = ['r']\nmetrics = ['''outside:command=\"{command}\"''']\n[systems]\nx = 'r'\n"
    (tmp_path / "tertium.toml").write_text(toml)
    monkeypatch.chdir(tmp_path)
    assert main(["score"]) == 2
    assert "would run a program" in capsys.readouterr().err
    assert not trap.exists()
    assert Project.load("tertium.toml").metrics  # named, it may


@pytest.mark.parametrize("seed", range(20))
def test_medians_add(seed: int) -> None:
    """Weighted sums, groups and leaving one out, against medians of lists."""
    draw = random.Random(seed)
    n = draw.randrange(1, 30)
    values = [draw.choice([None, 0.0, -0.0, 0.1, draw.uniform(-5, 5), 1e300, 5e-324]) for _ in range(n)]
    rows = ValueStatistics.of(values)

    def middle(found: list[float | None]) -> float:
        known = aggregate(found, "median")
        return float("nan") if known is None else known

    def same(found: Any, expected: list[float]) -> None:
        np.testing.assert_array_equal(np.asarray(found), np.asarray(expected))

    same(rows.total().medians(), [middle(values)])
    same(rows.without_each().medians(), [middle(values[:i] + values[i + 1 :]) for i in range(n)])
    weights = [[draw.randrange(4) for _ in range(n)] for _ in range(7)]
    drawn = [[v for v, times in zip(values, row, strict=True) for _ in range(times)] for row in weights]
    same(rows.weighted_medians(weights), [middle(found) for found in drawn])
    same(rows.weighted(weights).medians(), [middle(found) for found in drawn])
    groups = [draw.randrange(3) for _ in range(n)]
    sums = rows.grouped(groups, 3)
    same(
        sums.medians(), [middle([v for v, g in zip(values, groups, strict=True) if g == i]) for i in range(3)]
    )
    same(sums.weighted_medians([[1, 1, 1]]), [middle(values)])
    same(sums.without_each().medians(),
         [middle([v for v, g in zip(values, groups, strict=True) if g != i]) for i in range(3)])  # fmt: skip


def test_medians_in_a_comparison() -> None:
    """Significance, favouritism and buckets of a median go through."""
    testset = tt.TestSet.sample()
    metric = Outside(call="tests.families.callables:word_distance", better="lower", aggregate="median")
    found = tt.compare(testset, [metric], resamples=200)
    assert found.tests[0].metric == metric
    assert all(pair.p is not None for pair in found.tests[0])
    assert all(np.isfinite(own.benefits[0]).all() for own in found.favouritism)
    rows = found.measured.statistics(found.measured.systems[0], metric)
    with pytest.raises(ValueError, match="negative weights"):
        metric.score_weighted(rows, [[-1] * len(rows)])
