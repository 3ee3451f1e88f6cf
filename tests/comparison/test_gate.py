"""The gate: a drop and its p, non-inferiority, the summary for pull requests, the recipes in the docs."""

from __future__ import annotations

import re
import shlex
import shutil
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

import tertium as tt
from tertium.cli import main
from tertium.comparison.comparison import Comparison, compare
from tertium.comparison.gate import judge
from tertium.comparison.significance import pair_tests
from tertium.comparison.summary import pull_request_summary
from tertium.io.tables import p_text
from tertium.stats.resampling import SEED
from tests.conftest import ROOT, SAMPLE
from tools.simulate import ALPHA, SEGMENTS, TEXTS, TIMES, expected


@pytest.fixture(scope="module")
def found() -> Comparison:
    sample = tt.TestSet.sample()
    texts = tt.TestSet.of([line or "" for line in sample.references.first], sample.systems)
    return compare(texts, ["bleu", "ter"], baseline="smooth", method="bootstrap", resamples=1000)


def of_literal(found: Comparison, condition: str) -> tuple[bool, str]:
    (verdict,) = (own for own in judge(found, [condition]) if own.system == "literal")
    return verdict.failed, verdict.why


def test_a_drop_is_judged_by_its_size_and_its_p(found: Comparison) -> None:
    pair = found["bleu"]["smooth", "literal"]
    drop, p = -(pair.difference or 0), pair.p_holm or 0
    assert 0.001 < p < 0.05
    for points, level, failed in (
        (drop - 0.01, p + 0.001, True),
        (drop + 0.01, p + 0.001, False),
        (drop - 0.01, p - 0.0001, False),
    ):
        assert of_literal(found, f"bleu drops by more than {points:.4f} with p < {level:.6f}")[0] == failed
    assert of_literal(found, f"bleu drops by {drop - 0.01:.4f}")[0]
    assert of_literal(found, f"bleu worse than smooth at p<={p!r}")[0]
    assert not of_literal(found, f"bleu worse than smooth at p<{p!r}")[0]


def test_words_say_what_was_decided(found: Comparison) -> None:
    """The same p in tables and verdicts; and at another level than 5% the sentence is of that level."""
    tests, pair = found["bleu"], found["bleu"]["smooth", "literal"]
    before, after = (f"{tests.system(name).value:.2f} ({name})" for name in ("smooth", "literal"))
    size, p = f"a drop of {-(pair.difference or 0):.2f}", p_text(pair.p_holm)
    wanted = f"BLEU {before} and {after}: {size}, more than 1 (p = {p}, Holm)"
    assert of_literal(found, "bleu drops by 1 at p<0.05") == (True, wanted)
    assert "more than 1, which is not significant (p =" in of_literal(found, "bleu drops by 1 at p<0.01")[1]
    assert "which is not significant" in of_literal(found, "bleu worse than smooth at p<0.01")[1]
    assert (
        "is significantly better than literal by" in of_literal(found, "bleu worse than smooth at p<0.05")[1]
    )


def test_worse_is_higher_where_lower_is_better(found: Comparison) -> None:
    values = {own.name: own.value or 0 for own in found["ter"].systems}
    assert values["literal"] > values["smooth"] > values["strong"]
    gate = judge(found, ["ter drops by 1"], ["ter at least as good within 1"])
    assert [(own.system, own.failed) for own in gate] == [("literal", True), ("strong", False)] * 2


def test_as_good_within_a_margin_is_students_t(found: Comparison) -> None:
    """One-sided, from the spread of the difference over resamples; scipy.stats.t.sf gives the same."""
    from scipy.stats import t

    tests, pair = found["bleu"], found["bleu"]["smooth", "literal"]
    drop, spread = -(pair.difference or 0), pair.spread or 0
    assert tests.p_of_drop(pair, drop, 7) == pytest.approx(t.sf((7 - drop) / spread, 68), abs=1e-12)
    assert tests.p_of_drop(pair, drop, drop) == pytest.approx(0.5)
    for margin, failed in ((drop + 1.5 * spread, True), (drop + 3 * spread, False)):
        gate = judge(found, required=[f"bleu at least as good as baseline within {margin}"])
        assert [own.failed for own in gate if own.system == "literal"] == [failed]
        assert ("is not ruled out" in " ".join(own.why for own in gate)) == failed
    same = replace(pair, spread=0.0)
    assert (tests.p_of_drop(same, 0.0, 0.5), tests.p_of_drop(same, 1.0, 0.5)) == (0.0, 1.0)
    assert tests.p_of_drop(replace(pair, spread=None), drop, 7) is None


def test_few_segments_rule_out_no_drop() -> None:
    sample = tt.TestSet.sample()
    few = {name: [texts[i] for i in range(10)] for name, texts in sample.systems.items()}
    compared = compare(
        tt.TestSet.of(list(sample.references.first)[:10], few), ["bleu", "chrf"], baseline="smooth"
    )
    gate = judge(compared, required=["bleu at least as good as baseline within 90"])
    assert all(own.failed for own in gate)
    assert "no drop can be ruled out with fewer than 20 segments by BLEU" in gate.verdicts[0].why
    assert not any(
        own.failed for own in judge(compared, required=["chrf at least as good as baseline within 90"])
    )


@pytest.mark.parametrize("spec", ["bleu", "chrf", "ter", "macrof", "microf"])
def test_a_drop_of_the_margin_passes_as_rarely_as_promised(shared: Path, spec: str) -> None:
    """Test sets drawn from two real systems; the margin is their mean drop, so that the null is just true."""
    metric = tt.metric(spec)
    whole = TEXTS.rows(metric, 2_000)
    rng = np.random.default_rng(SEED)
    sets = [rng.choice(2_000, SEGMENTS, replace=False) for _ in range(TIMES)]
    both = [tuple(rows.take(own) for rows in whole) for own in sets]
    drops = [(metric.score_total(a) or 0) - (metric.score_total(b) or 0) for a, b in both]
    passed = 0
    for i, ((a, b), drop) in enumerate(zip(both, drops, strict=True)):
        dense = a.bootstrappable
        tests = pair_tests({"A": a, "B": b}, metric, resamples=199 if dense else 1, intervals=199, seed=i)
        passed += (tests.p_of_drop(tests[0], drop, float(np.mean(drops))) or 0) < ALPHA
    low, high = expected(ALPHA)
    assert low <= passed <= high


def test_the_summary(found: Comparison) -> None:
    """Verdict first, a short table, the rest folded; without a gate the answer."""
    gate = judge(found, ["bleu drops by more than 1 at p<0.05"])
    lines = pull_request_summary(replace(found, gate=gate)).splitlines()
    assert lines[0] == "### Translation quality: failed"
    assert lines[2] == "- Gate failed: literal (1 of 1 condition)."
    assert lines[3].startswith("- literal fails 'bleu drops by more than 1 at p\\<0.05': BLEU")
    fold = lines.index("<details><summary>Conditions, tests and settings</summary>")
    assert fold <= 11
    assert lines[-1] == "</details>"
    assert sum("nrefs:" in line for line in lines[fold:]) == 2
    passing = replace(found, gate=judge(found, ["bleu drops by more than 50"]))
    assert pull_request_summary(passing).splitlines()[2] == "- Gate passed: literal, strong (1 condition)."
    bare = pull_request_summary(found)
    assert bare.splitlines()[0] == "### Translation quality"
    assert bare.splitlines()[2].startswith("- strong has the best score")


@pytest.mark.parametrize(
    ("option", "words", "message"),
    [
        (
            "--fail-if",
            "bleu at least as good as baseline within 1",
            "write 'chrf worse than baseline at p<0.05' or",
        ),
        ("--require", "bleu drops by 1", "write 'chrf at least as good as baseline within 0.5'"),
        ("--require", "bleu at least as good as baseline", "cannot read the condition"),
        ("--require", "bleu at least as good as nobody within 1", "speaks of 'nobody', which is in no pair"),
        ("--fail-if", "bleu drops by 1 at p<5", "a number between 0 and 1"),
        ("--fail-if", "bleu drops by 1 at p<0.001", "can never be met"),
        ("--fail-if", "bleu drops by 1..5", "cannot read the condition"),
        ("--junit", "gate.xml", "give one with --fail-if or --require"),
    ],
)
def test_conditions_that_cannot_be_judged(
    option: str, words: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = [str(SAMPLE / name) for name in ("reference1.en", "system-strong.en", "system-smooth.en")]
    given = ["compare", texts[0], "-i", *texts[1:], "-m", "bleu", "-n", "50", "--baseline", texts[2]]
    assert main([*given, option, words]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert message in shown.err


def recipes() -> Iterator[tuple[str, Any]]:
    page = (ROOT / "docs" / "gate.md").read_text(encoding="utf-8")
    for block in re.findall(r"```yaml\n(.*?)```", page, flags=re.S):
        recipe = yaml.safe_load(block)
        jobs = recipe.get("jobs", {}).get("gate") or recipe["translation-quality"]
        steps = [step.get("run") for step in jobs.get("steps", ())] + jobs.get("script", [])
        [command] = [step for step in steps if step and step.startswith("tertium ")]
        yield command, recipe


@pytest.mark.parametrize(("new", "status"), [("strong", 0), ("smooth", 1)])
@pytest.mark.parametrize("recipe", list(recipes()), ids=["github", "gitlab"])
def test_the_recipes_of_the_docs_work(
    recipe: tuple[str, Any], new: str, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their commands, on files of these names."""
    (tmp_path / "test").mkdir()
    names = {
        "test/reference.txt": "reference1",
        "test/base.txt": "system-literal",
        "new.txt": f"system-{new}",
    }
    for name, text in names.items():
        shutil.copy(SAMPLE / f"{text}.en", tmp_path / name)
    monkeypatch.chdir(tmp_path)
    command, whole = recipe
    assert main(shlex.split(command)[1:]) == status
    verdict = "failed" if status else "passed"
    assert Path("summary.md").read_text(encoding="utf-8").startswith(f"### Translation quality: {verdict}")
    if "artifacts" in str(whole):
        report = whole["translation-quality"]["artifacts"]["reports"]["junit"]
        assert ElementTree.parse(report).getroot().get("failures") == ("2" if status else "0")
