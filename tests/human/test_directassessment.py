"""Direct assessment: from raw scores to Ave z."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from tertium.errors import InputError, SpecError
from tertium.human import (
    Judgements,
    QualityRule,
    direct_assessment,
    quality_control,
    segment_gold,
    standardised,
)


def made(seed: int = 1, careless: bool = True) -> Judgements:
    """Three systems judged by careful annotators, and one who gives scores at random."""
    rng = np.random.default_rng(seed)
    columns: dict[str, list[str]] = {name: [] for name in ("annotator", "system", "segment", "kind")}
    scores: list[float] = []
    for annotator in ("ann", "bob", "eve") if careless else ("ann", "bob"):
        bias = {"ann": 15, "bob": -10, "eve": 0}[annotator]
        for segment in range(1, 41):
            for system, quality in (("A", 70), ("B", 50), ("C", 50)):
                good = rng.normal(quality + bias, 8)
                items = [("genuine", good)]
                if segment % 4 == 0:
                    items += [("degraded", good - 30), ("repeat", good + rng.normal(0, 2))]
                for kind, score in items:
                    if annotator == "eve":
                        score = rng.uniform(0, 100)
                    for name, value in zip(columns, (annotator, system, str(segment), kind), strict=True):
                        columns[name].append(value)
                    scores.append(float(np.clip(score, 0, 100)))
    return Judgements.of(**columns, score=scores)  # type: ignore[arg-type]


@pytest.mark.golden
def test_standardisation_is_the_organisers(golden: object) -> None:
    """The script of Graham et al. reads means and deviations that R printed with seven digits; we keep all. It also
    cuts scores to whole numbers (98.7 is 98, though the mean has 98.7), which real scores are; we do not.
    """
    wanted = golden("stats/stats_da_standardise.json")  # type: ignore[operator]
    places = [(sid, system) for sid in "123" for system in ("sysA", "sysB")]
    rows = [
        (worker, place, score)
        for worker, scores in wanted["input"].items()
        for place, score in zip(places, scores, strict=False)
    ]
    judged = Judgements.of(
        annotator=[worker for worker, _, _ in rows],
        segment=[sid for _, (sid, _), _ in rows],
        system=[system for _, (_, system), _ in rows],
        score=[score for _, _, score in rows],
    )
    z, flat = standardised(judged)
    assert flat == ("w3",)  # "removed 1 with sd of 0"
    found = {
        (worker, sid, system): value
        for (worker, (sid, system), _), value in zip(rows, z, strict=True)
        if worker != "w3"
    }
    assert len(found) == len(wanted["z"])
    cut = ("w4", "1", "sysB")
    for row in wanted["z"]:
        place = (row["worker"], row["sid"], row["sys"])
        if place == cut:
            w4 = wanted["input"]["w4"]
            assert (98 - np.mean(w4)) / np.std(w4, ddof=1) == pytest.approx(float(row["z"]), abs=1e-6)
            assert found[cut] == pytest.approx((98.7 - np.mean(w4)) / np.std(w4, ddof=1), abs=1e-12)
            lost = found[cut] - float(row["z"])
            continue
        assert found[place] == pytest.approx(float(row["z"]), abs=1e-6)
    gold = direct_assessment(judged, control=None).z.scores.cells()
    assert len(gold) == len(wanted["segment_mean"])
    for label, mean in wanted["segment_mean"].items():
        sid, system = label.split("/")
        wanted_here = mean + (lost / 3 if label == "1/sysB" else 0)  # three workers judged it
        assert gold[system, sid] == pytest.approx(wanted_here, abs=1e-6)


@pytest.mark.parametrize("test", ["wilcoxon", "welch", "both", "either", "paired-t"])
def test_careless_annotators_are_found(test: str) -> None:
    control = quality_control(made(), QualityRule(test=test))  # type: ignore[arg-type]
    assert control.kept == ("ann", "bob")
    careless = control.checks[2]
    assert not careless.kept
    assert careless.reason == "degraded items are not significantly lower"
    assert control.unpaired == 0
    assert control.checks[0].drop == pytest.approx(30, abs=1)


def test_p_values_of_control_items_are_scipys() -> None:
    judged = made()
    for check in quality_control(judged).checks:
        own = judged.take(np.array([name == check.annotator for name in judged.annotator]))
        place = {
            kind: {
                (system, segment): score
                for system, segment, score in zip(
                    own.of_kind(kind).system, own.of_kind(kind).segment, own.of_kind(kind).score, strict=True
                )
            }
            for kind in ("genuine", "degraded", "repeat")
        }
        for kind, p, side in (
            ("degraded", check.p_degraded, "less"),
            ("repeat", check.p_repeats, "two-sided"),
        ):
            pairs = [(score, place["genuine"][at]) for at, score in place[kind].items()]
            assert len(pairs) == 30
            x, y = np.array(pairs).T
            assert p == pytest.approx(stats.wilcoxon(x, y, alternative=side).pvalue, rel=1e-9)
        welch = quality_control(judged, QualityRule(test="welch")).checks
        bad = [(score, place["genuine"][at]) for at, score in place["degraded"].items()]
        x, y = np.array(bad).T
        own_welch = next(one for one in welch if one.annotator == check.annotator)
        wanted = stats.ttest_ind(x, y, equal_var=False, alternative="less").pvalue
        assert own_welch.p_degraded == pytest.approx(wanted, rel=1e-9)


def test_repeats_must_agree() -> None:
    n = 20
    rng = np.random.default_rng(2)
    first = rng.uniform(60, 90, n)
    judged = Judgements.of(
        annotator=["moody"] * 3 * n,
        system=["A"] * 3 * n,
        segment=[str(i) for i in range(n)] * 3,
        kind=["genuine"] * n + ["degraded"] * n + ["repeat"] * n,
        score=[*first, *(first - 40), *(first - 15 + rng.normal(0, 3, n))],
    )
    check = quality_control(judged).checks[0]
    assert (check.kept, check.reason) == (False, "repeats differ significantly")
    assert quality_control(judged, QualityRule(repeats=False)).checks[0].kept


def test_annotators_without_control_items() -> None:
    judged = Judgements.of(annotator=["ann", "ann"], system=["A", "B"], segment=["1", "1"], score=[1, 2])
    assert quality_control(judged).kept == ()
    assert quality_control(judged, QualityRule(untested="keep")).kept == ("ann",)
    with pytest.raises(InputError, match="no annotator saw degraded items, so none can be checked"):
        direct_assessment(judged)
    with pytest.raises(InputError, match="all annotators failed quality control"):
        direct_assessment(made().take(np.array([name == "eve" for name in made().annotator])))
    alone = Judgements.of(system=["A"], segment=["1"], score=[1], kind=["degraded"], annotator=["ann"])
    assert quality_control(alone).unpaired == 1


def test_from_raw_scores_to_ave_z() -> None:
    judged = made()
    found = direct_assessment(judged)
    # The same by hand: dictionaries and loops.
    z: dict[tuple[str, str], list[float]] = {}
    raw: dict[tuple[str, str], list[float]] = {}
    for annotator in ("ann", "bob"):
        rows = [
            (system, segment, score)
            for name, system, segment, score, kind in zip(
                judged.annotator, judged.system, judged.segment, judged.score, judged.kind, strict=True
            )
            if name == annotator and kind == 0
        ]
        scores = [score for _, _, score in rows]
        mean, spread = np.mean(scores), np.std(scores, ddof=1)
        for system, segment, score in rows:
            z.setdefault((system, segment), []).append((score - mean) / spread)
            raw.setdefault((system, segment), []).append(score)
    for system in "ABC":
        for gold, by_hand in ((found.z_systems, z), (found.raw_systems, raw)):
            means = [np.mean(values) for (own, _), values in by_hand.items() if own == system]
            assert gold.scores.system(system) == pytest.approx(np.mean(means), abs=1e-12)
    ranked = sorted("ABC", key=lambda system: -(found.z_systems.scores.system(system) or 0))
    rows_of = {system: found.z.scores.row(system) for system in ranked}
    last = stats.mannwhitneyu(rows_of[ranked[1]], rows_of[ranked[2]], alternative="greater").pvalue
    assert ranked[0] == "A"
    assert found.clusters(alpha=last * 1.01) == [["A"], [ranked[1]], [ranked[2]]]
    assert found.clusters(alpha=last * 0.99) == [["A"], ranked[1:]]
    assert found.z.judgements == 2 * 40 * 3
    assert (found.translations, found.with_enough) == (120, 0)
    assert [(left.reason, left.rows) for left in found.coverage.left_out] == [
        ("repeat items, used for control only", 90),
        ("degraded items, used for control only", 90),
        ("by annotators who failed quality control", 120),
    ]
    text = found.table().text(terminal=False)
    assert "0 of 120 translations have at least 15 judgements" in text
    json.dumps(found.data(), allow_nan=False)
    assert "3 of 3" not in found.quality.table().text(terminal=False)  # type: ignore[union-attr]


def test_a_segment_judged_often_weighs_no_more() -> None:
    judged = Judgements.of(
        annotator=["ann"] * 4, system=["A"] * 4, segment=["1", "1", "1", "2"], score=[90, 80, 100, 10]
    )
    found = direct_assessment(judged, control=None)
    assert found.raw_systems.scores.system("A") == 50  # (90 + 10) / 2, not 70


def test_repeats_count_only_if_asked_for() -> None:
    judged = Judgements.of(
        annotator=["ann"] * 3,
        system=["A", "B", "A"],
        segment=["1", "1", "1"],
        kind=["genuine", "genuine", "repeat"],
        score=[60, 40, 70],
    )
    assert direct_assessment(judged, control=None).raw.scores.row("A").tolist() == [60]
    both = direct_assessment(judged, control=None, repeats=True)
    assert both.raw.scores.row("A").tolist() == [65]
    assert both.z.counts.tolist() == [[2], [1]]
    assert both.z.scores.row("B")[0] == pytest.approx(-(2**-0.5))  # standardised by genuine items only


def test_which_items_standardise() -> None:
    judged = made()
    for kinds in (("genuine",), ("genuine", "repeat"), ("genuine", "repeat", "degraded", "reference")):
        z, _ = standardised(judged, kinds)  # type: ignore[arg-type]
        own = np.array([name == "ann" for name in judged.annotator])
        basis = judged.take(own).of_kind(*kinds).score  # type: ignore[arg-type]
        wanted = (judged.score[own] - basis.mean()) / basis.std(ddof=1)
        assert np.allclose(z[own], wanted, atol=1e-12)
    everything = direct_assessment(judged, over=("genuine", "repeat", "degraded"))
    assert everything.z_systems.scores.system("A") != direct_assessment(judged).z_systems.scores.system("A")
    assert everything.raw_systems.scores.cells() == direct_assessment(judged).raw_systems.scores.cells()


def test_who_gives_one_score_is_left_out_and_named() -> None:
    judged = Judgements.of(
        annotator=["flat", "flat", "ann", "ann"],
        system=["A", "B", "A", "B"],
        segment=["1"] * 4,
        score=[50, 50, 90, 10],
    )
    found = direct_assessment(judged, control=None)
    assert found.raw.scores.row("A").tolist() == [90]
    assert "2 left out: by 1 annotators who gave only one score (flat)" in str(found.coverage)
    with pytest.raises(InputError, match="no judgement is left"):
        direct_assessment(judged.take(np.array([True, True, False, False])), control=None)


def test_the_minimum_is_reported_and_can_be_asked_for() -> None:
    judged = Judgements.of(
        annotator=[f"a{i % 16}" for i in range(34)],
        system=["A"] * 16 + ["B"] * 16 + ["B", "A"],
        segment=["1"] * 32 + ["2", "2"],
        score=[float(i * 7 % 50) for i in range(34)],
    )
    found = direct_assessment(judged, control=None)
    assert (found.translations, found.with_enough) == (4, 2)
    enough = found.z.with_minimum(15)
    assert set(enough.scores.cells()) == {("A", "1"), ("B", "1")}
    assert "2 scores have fewer than 15 judgements and are left out" in str(enough.coverage)


def test_rules_that_make_no_sense() -> None:
    with pytest.raises(SpecError, match="no test 'wilcox'; did you mean 'wilcoxon'"):
        QualityRule(test="wilcox")  # type: ignore[arg-type]
    with pytest.raises(SpecError, match="alpha must be between 0 and 1"):
        QualityRule(alpha=5)
    with pytest.raises(SpecError, match="dropped or kept"):
        QualityRule(untested="maybe")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="no judgements to make"):
        segment_gold(made().take(np.zeros(0, dtype=np.int64)), "x")


def test_appraise_to_gold(tmp_path: Path) -> None:
    """All the way from a file."""
    from tertium.io.appraise import read_appraise

    rows = []
    for i in range(12):
        rows.append(f"ann,A,{i},TGT,eng,deu,{60 + i},d#A,False,{i},{i + 5}")
        rows.append(f"ann,A,{i},BAD,eng,deu,{20 + i},d#A,False,{i},{i + 5}")
        rows.append(f"ann,B,{i},TGT,eng,deu,{30 + i},d#B,False,{i},{i + 5}")
    path = tmp_path / "wmt.csv"
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    found = direct_assessment(read_appraise(path).judgements)
    assert found.clusters() == [["A"], ["B"]]
    assert found.raw_systems.scores.system("A") == 65.5
