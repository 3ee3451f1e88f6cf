"""`tertium`, `metrics`, `explain`, `demo`, and how arguments are read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import pytest

import tertium
from tertium import registry
from tertium.cli.group import COMMANDS
from tertium.cli.parsing import Several, regroup
from tests.cli.conftest import STRONG, Run
from tests.conftest import each_metric


@pytest.mark.parametrize("argv", [[], ["--help"], ["-h"]])
def test_help_lists_all_commands(run: Run, argv: list[str]) -> None:
    result = run(*argv)
    assert result.status == 0
    for name, line in COMMANDS.items():
        assert name in result.out
        assert line in result.out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(run: Run, name: str) -> None:
    result = run(name, "--help")
    assert (result.status, result.err) == (0, "")
    assert result.out.startswith(f"Usage: tertium {name}")


def test_metrics_lists_all(run: Run) -> None:
    out = run("metrics", "-f", "text").out
    for name in registry.METRICS:
        assert registry.METRICS[name].title in out
    assert all(short in out for short in registry.SHORTHANDS)


@pytest.mark.parametrize("form", ["tsv", "markdown", "latex", "json"])
def test_metrics_in_all_formats(run: Run, form: str) -> None:
    out = run("metrics", "-f", form).out
    assert "macrof" in out
    if form == "json":
        assert [entry["name"] for entry in json.loads(out)["entries"]] == list(registry.METRICS)


def test_metrics_in_python() -> None:
    listed = tertium.metrics()
    assert [entry.name for entry in listed] == list(registry.METRICS)
    assert listed["chrf++"] is listed["chrf"]
    assert listed[0] is listed["bleu"]
    assert (listed["yisi2"].needs[0], listed["bertscore"].needs[-1]) == ("source", "tertium[embeddings]")
    assert {option.name: option.choices for option in listed["bleu"].options}["smooth"][0] == "exp"
    assert listed["ter"].title in listed.lines()
    assert len(listed.data()["entries"]) == len(listed)
    with pytest.raises(KeyError):
        listed["blue"]


@pytest.mark.parametrize(
    ("kind", "name"),
    {
        "tokenizers": "zh-wmt17",
        "statistics": "soft accuracy",
        "analyses": "ngrams",
        "checks": "leak",
        "tuners": "mert",
    }.items(),
)
def test_what_else_is_chosen_by_name(run: Run, kind: str, name: str) -> None:
    listed = json.loads(run("metrics", "--kind", kind, "-f", "json").out)
    assert name in {next(iter(entry.values())) for entry in listed}
    assert all(entry["what it is"].endswith(".") for entry in listed)


def test_metrics_of_plugins(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    plugins = {"zz-good": "tertium.families.ter:TER", "zz-broken": "no.such.module:Metric"}
    monkeypatch.setattr(registry, "plugins", lambda group: plugins)
    entries = {e["name"]: e for e in json.loads(run("metrics", "-f", "json").out)["entries"]}
    assert entries["zz-good"]["origin"] == "plug-in"
    assert entries["bleu"]["origin"] == "tertium"
    assert entries["zz-broken"]["title"].startswith("cannot be loaded")


@pytest.mark.parametrize("name", each_metric())
def test_explain_tells_everything(run: Run, supply: Any, name: str) -> None:
    metric = supply(registry.metric(name))
    out = run("explain", str(metric)).out
    assert metric.title in out
    assert all(line in out for line in metric.formula.splitlines())
    assert metric.paper in out
    assert all(line in out for line in metric.quirks.splitlines())
    assert f"{metric.label}|{metric.signature()}" in out
    assert ("higher is better" if metric.higher_is_better else "lower is better") in out


def test_explain_a_variant(run: Run) -> None:
    out = run("explain", "bleu:tok=intl").out
    assert "(default 13a)" in out
    assert "tok:intl" in out
    assert "exp, floor, add-k, none" in out


def test_demo(run: Run) -> None:
    result = run("demo")
    assert (result.status, result.err) == (0, "")
    for word in ("strong", "literal", "smooth", "higher is better", "lower is better", "Next:", "tertium:"):
        assert word in result.out


def test_demo_copies_its_texts(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "sample"
    assert "reference1.en" in run("demo", "--copy", folder).out
    assert (folder / "system-strong.en").read_bytes() == STRONG.read_bytes()
    again = run("demo", "--copy", folder)
    assert (again.status, again.out) == (2, "")
    assert "exists already" in again.err


def _options() -> dict[str, click.Option]:
    several = [Several("-i", "--input"), Several("-m", "--metrics")]
    others = [click.Option(["-tok", "--tokenize"]), click.Option(["-lc", "--lowercase"], is_flag=True)]
    return {name: option for option in [*several, *others] for name in option.opts}


@pytest.mark.parametrize(
    ("argv", "regrouped"),
    [
        ("r -i a b -m x y", "r -i a -i b -m x -m y"),
        ("r -i a --lowercase r2", "r -i a --lowercase r2"),
        ("r --input=a b", "r --input=a b"),
        ("r --inp a b", "r --input a --input b"),
        ("r --met=x --low", "r --metrics=x --lowercase"),
        ("r -tok zh -i -", "r -tok zh -i -"),
        ("r -tok -i", "r -tok -i"),
        ("r -i a -- -b c", "r -i a -- -b c"),
        ("r -ia -unknown", "r -ia -unknown"),
        ("r -tok", "r -tok"),
    ],
)
def test_regroup(argv: str, regrouped: str) -> None:
    assert regroup(argv.split(), _options()) == regrouped.split()
