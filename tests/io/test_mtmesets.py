"""The shipped facts of mt-metrics-eval's test sets, and how a folder is recognised."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from tertium.io.mtmesets import (
    FolderContents,
    known_pairs,
    known_testsets,
    recognised_by_contents,
    recognised_by_name,
    standard_settings,
)
from tertium.io.scorematrix import SHORT


def test_the_shipped_facts_are_those_of_the_tool(shared: Path) -> None:
    facts = json.loads((shared / "data" / "mtme" / "sets.json").read_text("utf-8"))
    assert set(known_testsets()) == set(facts)
    for testset, pairs in facts.items():
        assert set(known_pairs(testset)) == set(pairs), testset
        for pair, one in pairs.items():
            found = standard_settings(testset, pair)
            assert found is not None
            assert found.reference == one["reference"]
            assert {SHORT[level]: name for level, name in found.gold.items()} == one["gold"], (testset, pair)
            assert set(found.outliers) == set(one["outliers"])
            assert found.metrics == {*one["primary"], *one["baseline"]}, (testset, pair)
    assert standard_settings("wmt23", "xx-yy") is None
    assert standard_settings("wmt99", "en-de") is None


def test_a_folder_is_recognised_by_its_name() -> None:
    for testset in known_testsets():
        assert recognised_by_name(testset) == testset
        assert recognised_by_name(f"my-{testset}_copy") == testset
    for name in ("wmt", "wmt230", "newstest2017", "swmt23", "wmt23x"):
        assert recognised_by_name(name) is None, name


def test_a_folder_is_recognised_by_what_it_holds() -> None:
    settings = standard_settings("wmt23", "zh-en")
    assert settings is not None
    holds = FolderContents(
        ("refA", "synthetic_ref"),
        ("A", "B", "refA", "synthetic_ref"),
        (("system", "mqm"), ("segment", "mqm"), ("domain", "mqm")),
        tuple(settings.metrics),
    )
    assert recognised_by_contents({"zh-en": holds}) == "wmt23"
    assert recognised_by_contents({"zh-en": holds, "xx-yy": holds}) is None  # no pair of that set
    assert recognised_by_contents({"zh-en": replace(holds, metrics=("mine",))}) is None
    assert recognised_by_contents({"zh-en": replace(holds, references=("refB",))}) is None
    assert recognised_by_contents({"zh-en": replace(holds, human_scores=(("system", "da"),))}) is None
    outlier = replace(holds, systems=("A", "refA"))
    assert recognised_by_contents({"zh-en": outlier}) is None
    assert recognised_by_contents({}) is None


def test_sets_that_fit_equally_well_are_not_guessed() -> None:
    """English-German of WMT21's news and talks: where refC is there, both standard references are."""
    settings = standard_settings("wmt21.news", "en-de")
    assert settings is not None
    gold = (("system", "mqm"), ("segment", "mqm"))
    both = FolderContents(("refA", "refC"), ("A",), gold, tuple(settings.metrics))  # type: ignore[arg-type]
    assert recognised_by_contents({"en-de": both}) is None
    assert recognised_by_contents({"en-de": replace(both, references=("refA",))}) == "wmt21.tedtalks"


def test_without_metrics_the_names_of_outliers_tell() -> None:
    """WMT20 has no list of primary metrics, but outliers with submission numbers."""
    scores = (("system", "wmt-z"), ("document", "wmt-raw"), ("segment", "wmt-raw"))
    holds = FolderContents(("ref",), ("zlabs-nlp.1162", "A"), scores, ())  # type: ignore[arg-type]
    assert recognised_by_contents({"pl-en": holds}) == "wmt20"
    assert recognised_by_contents({"km-en": holds}) is None  # no outliers: nothing to tell it by
