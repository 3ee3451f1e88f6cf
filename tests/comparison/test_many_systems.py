"""Many systems: what is obvious stays significant, and table, words, clusters and gate go by one p-value."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence

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
            assert f"strong is significantly better than {name} by" in found.sentence(pair)
            assert "p = .0" in found.sentence(pair)
        assert found.clusters is not None
        assert found.clusters[0] == ("strong",)
        assert found.least < 0.01
    words = list(compared.words())
    assert words[0] == "strong has the best score by every metric (BLEU, chrF2 and MacroF1)."
    assert words[1].startswith("Significantly worse: all 11 others (p ≤ .0")
    assert len(words) <= 5
    assert "not significant" not in compared["bleu"].sentence(compared["bleu"]["strong", "weak3"])


def test_words_clusters_and_gate_agree(compared: tt.Comparison) -> None:
    """All of them go by the p-value after Holm."""
    for found in compared.tests:
        for base in ("strong", "weak0", "weak5"):
            gate = judge(compared, [f"{found.metric} worse than {base} at p<0.05"])
            for verdict in gate:
                pair = found[base, verdict.system]
                assert verdict.failed == (pair.significant() and pair.better == base)
                assert verdict.why == found.sentence(pair)
                assert ("is significantly better than" in verdict.why) == pair.significant()


def test_a_raw_p_value_below_the_level_does_not_fail_the_gate() -> None:
    """By the raw p-values weaker systems would fail that the words call even."""
    found = tt.compare(eleven_and_one(), ["ter"], by=[], strongest=0, method="bootstrap")
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
        assert "which is not significant" in verdict.why


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


def bleu_tests(number: int | None = None, systems: int = 12, method: str = "bootstrap") -> PairTests:
    metric, texts = tt.metric("bleu"), eleven_and_one()
    rows = {
        name: metric.statistics(texts.systems[name], texts.references)
        for name in list(texts.systems)[:systems]
    }
    return pair_tests(rows, metric, resamples=number, method=method)


def test_the_floor_is_said() -> None:
    found = bleu_tests()
    assert found.resamples == 6_600
    pair = found["strong", "weak0"]
    assert found.sentence(pair).endswith("(p = .0100, Holm; the least possible with 6,600 resamples)")
    assert "with 6,600 resamples, p is at least .0002, .0100 after Holm" in found.notes()
    assert json.loads(json.dumps(found.data()))["resamples"] == 6_600
    two = bleu_tests(systems=2)
    assert two.sentence(two[0]).endswith("(p = .0010; the least possible with 1,000 resamples)")
    few = bleu_tests(100)
    assert not few["strong", "weak0"].significant()
    assert (
        "nothing can be significant with 100 resamples: p is at least .654 after Holm; ask for more (-n)"
        in few.notes()
    )


def test_ties_that_no_test_could_break_are_no_answer() -> None:
    found = tt.compare(eleven_and_one(), ["bleu"], resamples=100, by=[], strongest=0)
    assert list(found.words())[1] == (
        "No difference can be significant here: with 100 trials, p is at least .654 after Holm; ask for more (-n)."
    )
    assert not any("ignificantly" in line for line in found.words())


def test_a_gate_that_cannot_fail_is_refused() -> None:
    found = tt.compare(eleven_and_one(), ["bleu"], baseline="strong", resamples=50, by=[], strongest=0)
    with pytest.raises(InputError, match=r"with 50 trials, p is at least .216 after Holm"):
        judge(found, ["bleu worse than baseline at p<0.05"])


def halfway(
    first: Sequence[Counter[str]],
    second: Sequence[Counter[str]],
    references: Sequence[Counter[str]],
    k: float | None,
) -> list[float]:
    """What each segment adds to first minus second by MacroF1 (MicroF1 with k), the others halfway between them."""
    n = len(references)

    def parts(p: dict[str, float], m: dict[str, float], r: dict[str, float]) -> tuple[float, float]:
        f = weight = 0.0
        for c in p.keys() | r.keys():
            there = min(1.0, p.get(c, 0) + r.get(c, 0))
            w = there if k is None else r.get(c, 0) + k * there
            weight += w
            if m.get(c, 0):
                f += w * 2 * m[c] / (p.get(c, 0) + r.get(c, 0))
        return f, weight

    def counts(mix: Callable[[int], Sequence[tuple[float, Counter[str]]]]) -> tuple[float, float]:
        p: dict[str, float] = {}
        m: dict[str, float] = {}
        r: dict[str, float] = {}
        for i in range(n):
            for share, own in mix(i):
                for c, number in own.items():
                    p[c] = p.get(c, 0) + share * number
                    m[c] = m.get(c, 0) + share * min(number, references[i][c])
            for c, number in references[i].items():
                r[c] = r.get(c, 0) + number
        return parts(p, m, r)

    def half(j: int) -> list[tuple[float, Counter[str]]]:
        return [(0.5, first[j]), (0.5, second[j])]

    whole = counts(half)
    found = []
    for i in range(n):
        (a, v), (b, w) = (
            counts(lambda j, own=own, i=i: [(1, own[i])] if j == i else half(j))  # type: ignore[misc]
            for own in (first, second)
        )
        found.append(100 * (a - b - whole[0] / whole[1] * (v - w)) / whole[1])
    return found


@pytest.mark.parametrize(("spec", "k"), [("macrof:tok=none", None), ("microf:tok=none,k=0.5", 0.5)])
def test_what_a_segment_adds_is_as_on_paper(spec: str, k: float | None) -> None:
    metric, texts = tt.metric(spec), {name: list(SAMPLE.systems[name])[:12] for name in SAMPLE.systems}
    reference = list(SAMPLE.references.first)[:12]
    rows = [metric.statistics(own, reference) for own in texts.values()]
    found = metric.swap_weights(rows, [(0, 1), (2, 0)])
    words = [[Counter(line.split()) for line in own] for own in (*texts.values(), reference)]
    for column, (a, b) in enumerate([(0, 1), (2, 0)]):
        expected = halfway(words[a], words[b], words[3], k)
        assert (found[:, column] / 2.0**40).tolist() == pytest.approx(expected, abs=1e-9)


def test_a_swap_changes_a_sign_and_nothing_else() -> None:
    metric = tt.metric("macrof1")
    one, two = (list(SAMPLE.systems[name]) for name in ("literal", "smooth"))
    reference = list(SAMPLE.references.first)
    before = metric.swap_weights([metric.statistics(own, reference) for own in (one, two)], [(0, 1)])
    for i in (0, 5, 40):
        one[i], two[i] = two[i], one[i]
    after = metric.swap_weights([metric.statistics(own, reference) for own in (one, two)], [(0, 1)])
    before[[0, 5, 40]] *= -1
    assert after.tolist() == before.tolist()


def test_p_values_of_many_are_near_those_of_two(compared: tt.Comparison) -> None:
    """Of two systems the scores themselves are shuffled; of more, what segments add to their difference."""
    metric = tt.metric("macrof")
    rows = {name: metric.statistics(texts, SAMPLE.references) for name, texts in SAMPLE.systems.items()}
    several = pair_tests(rows, metric)
    for pair in several:
        alone = pair_tests({name: rows[name] for name in (pair.first, pair.second)}, metric)[0]
        assert pair.p == pytest.approx(alone.p, abs=0.02)
        assert pair.difference == alone.difference
    same = pair_tests({"a": rows["literal"], "b": rows["literal"], "c": rows["smooth"]}, metric)
    assert same["a", "b"].p == 1.0
    assert "of what segments add" in several.settings()
    assert "of what segments add" not in pair_tests(dict(list(rows.items())[:2]), metric).settings()
