"""Many systems: what is obvious stays significant, and table, words, clusters and gate go by one p-value."""

from __future__ import annotations

import json

import pytest

import tertium as tt
from tertium.comparison.gate import judge
from tertium.comparison.pair_results import PairTests
from tertium.comparison.significance import ResamplingPlan, pair_tests
from tertium.errors import InputError

SAMPLE = tt.TestSet.sample()
WEAK = [f"weak{i}" for i in range(11)]


def eleven_and_one() -> tt.TestSet:
    """A strong system and eleven weak ones, each the same but for a few segments."""
    literal, smooth = SAMPLE.systems["literal"], SAMPLE.systems["smooth"]
    weak = {
        name: [smooth[k] if k % 23 == i else line for k, line in enumerate(literal)]
        for i, name in enumerate(WEAK)
    }
    return tt.TestSet.of(SAMPLE.references, {"strong": SAMPLE.systems["strong"], **weak})


@pytest.fixture(scope="module")
def compared() -> tt.Comparison:
    return tt.compare(eleven_and_one(), ["bleu", "chrf", "macrof"], by=[], strongest=0)


def test_the_obvious_is_significant_everywhere(compared: tt.Comparison) -> None:
    for found in compared.tests:
        assert len(found) == 66
        for name in WEAK:
            pair = found["strong", name]
            assert pair.significant()
            assert f"strong is better than {name} by" in found.sentence(pair)
            assert "p = 0.0" in found.sentence(pair)
        assert found.clusters is not None
        assert found.clusters[0] == ("strong",)
        assert found.least < 0.01
    words = list(compared.words())
    assert words[0] == "strong is best by every metric (BLEU, chrF2 and MacroF1)."
    assert words[1].startswith("Surely behind it: all 11 others (p ≤ 0.0")
    assert len(words) <= 5
    assert "may be due to chance" not in compared["bleu"].sentence(compared["bleu"]["strong", "weak3"])


def test_words_clusters_and_gate_agree(compared: tt.Comparison) -> None:
    """All of them go by the p-value after Holm."""
    for found in compared.tests:
        for base in ("strong", "weak0", "weak5"):
            gate = judge(compared, [f"{found.metric} worse than {base} at p<0.05"])
            for verdict in gate:
                pair = found[base, verdict.system]
                assert verdict.failed == (pair.significant() and pair.better == base)
                assert verdict.why == found.sentence(pair)
                assert ("is better than" in verdict.why) == pair.significant()


def test_a_raw_p_value_below_the_level_does_not_fail_the_gate() -> None:
    """By the raw p-values weaker systems would fail that the words call even."""
    found = tt.compare(eleven_and_one(), ["ter"], by=[], strongest=0)
    tests = found["ter"]
    between = [p for p in tests if p.p is not None and p.p < 0.05 <= (p.p_holm or 0) and p.better]
    assert between
    for pair in between:
        [verdict] = [
            one
            for one in judge(found, [f"ter worse than {pair.better} at p<0.05"])
            if {one.system, pair.better} == {pair.first, pair.second}
        ]
        assert not verdict.failed
        assert "may be due to chance" in verdict.why


@pytest.mark.parametrize(("method", "usual"), [("bootstrap", 1_000), ("randomisation", 10_000)])
def test_resamples_grow_with_pairs(method: str, usual: int) -> None:
    rows = tt.metric("bleu").statistics(SAMPLE.systems["strong"], SAMPLE.references)
    plan = ResamplingPlan(method=method)
    assert plan.numbers(rows, 1)[0] == usual
    assert plan.numbers(rows, usual // 100)[0] == usual
    assert plan.numbers(rows, 120)[0] == max(usual, 12_000)
    assert ResamplingPlan(method=method, like="sacrebleu").numbers(rows, 120)[0] == usual
    assert ResamplingPlan(method=method, resamples=77).numbers(rows, 120)[0] == 77
    assert all(pairs / (plan.numbers(rows, pairs)[0] + 1) < 0.01 for pairs in range(1, 500))


def bleu_tests(number: int | None = None, systems: int = 12) -> PairTests:
    metric, texts = tt.metric("bleu"), eleven_and_one()
    rows = {
        name: metric.statistics(texts.systems[name], texts.references)
        for name in list(texts.systems)[:systems]
    }
    return pair_tests(rows, metric, resamples=number)


def test_the_floor_is_said() -> None:
    found = bleu_tests()
    assert found.resamples == 6_600
    pair = found["strong", "weak0"]
    assert found.sentence(pair).endswith("(p = 0.010 after Holm, the least possible with 6,600 resamples)")
    assert "with 6,600 resamples, p is at least 0.0002, 0.010 after Holm" in found.notes()
    assert json.loads(json.dumps(found.data()))["resamples"] == 6_600
    two = bleu_tests(systems=2)
    assert two.sentence(two[0]).endswith("(p = 0.001, the least possible with 1,000 resamples)")
    few = bleu_tests(100)
    assert not few["strong", "weak0"].significant()
    assert (
        "nothing can be significant: with 100 resamples of 69 segments, p is at least 0.653 after Holm"
        in few.notes()
    )


def test_a_gate_that_cannot_fail_is_refused() -> None:
    found = tt.compare(eleven_and_one(), ["bleu"], baseline="strong", resamples=50, by=[], strongest=0)
    with pytest.raises(InputError, match=r"with 50 resamples of 69 segments, p is at least 0.22 after Holm"):
        judge(found, ["bleu worse than baseline at p<0.05"])
