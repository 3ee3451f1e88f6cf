"""The family of "BLEU Deconstructed": names, the paper's numbers, and one row for all of them."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium
from tertium import registry
from tertium.errors import InputError, SpecError
from tertium.families.bleu import BLEU
from tertium.families.bleu_family import DeconstructedBLEU, Variant, family_scores, variant_names
from tertium.statistics import DenseStatistics
from tests.families.golden import read

NAMES = [
    f"{name}{suffix}"
    for name in variant_names(range(1, 10))
    for suffix in ("", "u", "b", "ub")
    if "b" not in suffix or "B" in name
]


def test_every_name_leads_back_to_itself() -> None:
    assert len(NAMES) == len(set(NAMES)) == 9 * (12 * 4 + 12 * 2)
    for name in NAMES:
        metric = registry.metric(f"bleu:{name}")
        assert isinstance(metric, DeconstructedBLEU)
        assert str(metric) == f"bleu:{name}"
        assert str(Variant.parse(name)) == name
        assert registry.from_signature(metric.label, metric.signature()) == metric


@pytest.mark.parametrize(
    ("spec", "canonical"),
    [
        ("bleu:pgbc4", "bleu:PGBC4"),
        ("BLEU:racu1", None),
        ("bleu:rac4U", "bleu:RAC4u"),
        ("bleu:PGBC4bu", "bleu:PGBC4ub"),
        ("bleu:RAC1,tok=none,lc=yes", "bleu:RAC1,tok=none,lowercase=yes"),
        ('bleu:RAC1,tok="spm:a,variant=b"', 'bleu:RAC1,tok="spm:a,variant=b"'),
        ("bleu:PGBC4,alpha=0.1", "bleu:PGBC4,alpha=0.1"),
        ("bleu:PGBC4ub,alpha=2", "bleu:PGBC4ub,alpha=2"),
        ("bleu:PGBC4,smooth=lin-och", "bleu:PGBC4,smooth=lin-och"),
    ],
)
def test_specs(spec: str, canonical: str | None) -> None:
    if canonical is None:
        with pytest.raises(SpecError, match="no variant 'racu1'"):
            registry.metric(spec)
        return
    assert str(registry.metric(spec)) == canonical
    assert registry.metric(canonical) == registry.metric(spec)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("bleu:PBCG4", "bleu has no variant 'PBCG4': a name is P, R or F"),
        ("bleu:PGBC", "no variant 'PGBC'"),
        ("bleu:PGBC0", "no variant 'PGBC0'"),
        ("bleu:PGBC10", "no variant 'PGBC10'"),
        ("bleu:PGC4b", "the final b smooths the brevity penalty, but there is no B"),
        ("bleu:PGBC4,order=3", "has no option 'order'"),
        ("bleu:PGBC4,variant=RAC1", "already names its variant"),
        ("bleu:PGBC4,alpha=0", "alpha must be above 0"),
        ("bleu:PGBC4,alpha=inf", "alpha must be above 0"),
        ("bleu:PGBC4,alpha=nan", "alpha must be above 0"),
        ("bleu:PGBC4u,alpha=1", "is unsmoothed .u.: alpha has no effect"),
        ("bleu:PGBC4u,smooth=lin-och", "smooth=lin-och has no effect"),
        ("bleu:PGBC4,smooth=exp", "smooth='exp' is not valid"),
        ("bleu:variant=PGBC4", "bleu has no option 'variant'"),
    ],
)
def test_wrong_specs_are_refused_in_one_line(spec: str, message: str) -> None:
    with pytest.raises(SpecError, match=message) as caught:
        registry.metric(spec)
    assert "\n" not in str(caught.value)


def score(spec: str, hypothesis: str, *references: str, level: Any = "segment") -> float:
    metric = registry.metric(spec)
    value = metric.score_total(metric.statistics([hypothesis], [[text] for text in references]), level)
    assert value is not None
    return value / 100


# The paper

TABLE_2 = "there is a cat on the blue mat"


@pytest.mark.parametrize(
    ("candidate", "plain", "clipped"),
    [
        ("there is", 2 / 2, 2 / 2),
        ("there there there is is is a cat", 8 / 8, 4 / 8),
        ("the cat is on the blue mat", 7 / 7, 6 / 7),
    ],
)
def test_table_2(candidate: str, plain: float, clipped: float) -> None:
    assert score("bleu:PA1u", candidate, TABLE_2) == pytest.approx(plain, abs=1e-12)
    assert score("bleu:PAC1u", candidate, TABLE_2) == pytest.approx(clipped, abs=1e-12)
    assert score("bleu:PA1", candidate, TABLE_2, level="corpus") == pytest.approx(plain, abs=1e-12)


def test_table_2_recall() -> None:
    """The same candidates the other way round: 2, 4 and 6 of eight words; unclipped the second `the` counts too."""
    candidates = ["there is", "there there there is is is a cat", "the cat is on the blue mat"]
    assert [round(8 * score("bleu:RAC1u", text, TABLE_2), 9) for text in candidates] == [2, 4, 6]
    assert score("bleu:RA1u", "the", "the cat the") == pytest.approx(2 / 3)
    assert score("bleu:RAC1u", "the", "the cat the") == pytest.approx(1 / 3)


def test_table_1() -> None:
    """18/19, with the full stop split off and case kept."""
    references = (
        "It is a guide to action that ensures that the military will forever heed Party commands.",
        "It is the guiding principle which guarantees the military forces always being under the command "
        "of the Party.",
        "It is the practical guide for the army always to heed the directions of the party.",
    )
    candidate = (
        "It is a guide to action which ensures that the military always obeys the commands of the party."
    )
    assert score("bleu:PA1u", candidate, *references) == pytest.approx(18 / 19, abs=1e-12)
    assert score("bleu:PAC1u", candidate, *references) == pytest.approx(18 / 19, abs=1e-12)


@pytest.mark.parametrize(
    ("precisions", "ratio", "printed"),
    [
        ((0.4684, 0.1659, 0.0811, 0.0369), 1.0043, 0.1236),
        ((0.4761, 0.1691, 0.0824, 0.0388), 0.9985, 0.1265),
        ((0.4763, 0.1705, 0.0807, 0.0367), 0.9906, 0.1234),
        ((0.4711, 0.1676, 0.0816, 0.0380), 0.9985, 0.1250),
        ((0.4742, 0.1683, 0.0785, 0.0360), 1.0072, 0.1226),
    ],
)
def test_table_8(precisions: tuple[float, ...], ratio: float, printed: float) -> None:
    """BLEU from P1-P4 and the length ratio, to 1e-4; PABC4 takes the plain mean of the same four."""
    n = 10**8
    metric = DeconstructedBLEU()
    values = {"length": round(ratio * n), "reference_length": n}
    for order, precision in enumerate(precisions, 1):
        values |= {f"clipped_{order}": round(precision * n), f"count_{order}": n}
    row = [values.get(column.name, 0) for column in metric.columns]
    scores = family_scores(DenseStatistics.build(metric.columns, [row]), names=["PGBC4", "PABC4", "PAC4"])
    assert abs(round(float(scores["PGBC4"][0]) / 100, 4) - printed) < 1.5e-4
    mean = sum(precisions) / 4
    assert scores["PAC4"][0] / 100 == pytest.approx(mean)
    assert scores["PABC4"][0] / 100 == pytest.approx(mean * min(1.0, np.exp(1 - 1 / ratio)))


# Smoothing and levels, by hand

SHORT, LONG = "a b c", "a b c d"


def test_add_one_at_segment_level_only() -> None:
    smoothed = (4 / 4 * 3 / 3 * 2 / 2 * 1 / 1) ** 0.25  # no 4-gram: (0 + 1) / (0 + 1)
    brevity = np.exp(1 - 4 / 3)
    assert score("bleu:PGBC4", SHORT, LONG) == pytest.approx(smoothed * brevity)
    assert score("bleu:PGBC4", SHORT, LONG, level="document") == 0
    assert score("bleu:PGBC4", SHORT, LONG, level="corpus") == 0
    assert score("bleu:PGBC4u", SHORT, LONG) == 0
    assert score("bleu:PABC4u", SHORT, LONG) == pytest.approx((1 + 1 + 1 + 0) / 4 * brevity)
    assert score("bleu:RAC4", SHORT, LONG) == pytest.approx((4 / 5 + 3 / 4 + 2 / 3 + 1 / 2) / 4)
    assert score("bleu:RAC4", SHORT, LONG, level="corpus") == pytest.approx((3 / 4 + 2 / 3 + 1 / 2 + 0) / 4)


def test_smoothed_brevity_penalty() -> None:
    assert score("bleu:PAB1ub", SHORT, LONG) == pytest.approx(np.exp(1 - 5 / 4))
    assert score("bleu:PAB1ub,alpha=3", SHORT, LONG) == pytest.approx(np.exp(1 - 7 / 6))
    assert score("bleu:PAB1ub", SHORT, LONG, level="corpus") == pytest.approx(np.exp(1 - 4 / 3))
    assert score("bleu:PAB1b", "a x", "a") == pytest.approx(2 / 3)  # longer than the reference: no penalty


def test_alpha_and_lin_och() -> None:
    assert score("bleu:RAC2,alpha=0.5", SHORT, LONG) == pytest.approx((3.5 / 4.5 + 2.5 / 3.5) / 2)
    assert score("bleu:RAC2,alpha=0.5", SHORT, LONG, level="corpus") == pytest.approx(
        (3.5 / 4.5 + 2.5 / 3.5) / 2
    )
    assert score("bleu:RAC2,smooth=lin-och", SHORT, LONG) == pytest.approx((3 / 4 + 3 / 4) / 2)
    assert (
        score("bleu:PGBC4,smooth=lin-och", "x y", "a b") == 0
    )  # no unigram matches, and nothing is added there


def test_f_weighs_recall_nine_times() -> None:
    p, r = 2 / 3, 2 / 5
    assert score("bleu:FAC1u", "a b x", "a b c d e") == pytest.approx(10 * p * r / (r + 9 * p))
    assert score("bleu:FAC1u", "x", "a") == 0


def test_recall_is_against_the_closest_reference() -> None:
    references = ("a b c d e f g h", "a x")  # of equally close ones the shorter
    assert score("bleu:RAC1u", "a b c d e", *references) == pytest.approx(1 / 2 if 5 - 2 <= 3 else 5 / 8)
    assert score("bleu:RAC1u", "a b c d e f", *references) == pytest.approx(6 / 8)
    assert score("bleu:PAC1u", "a b c d e", *references) == 1


def test_an_empty_hypothesis_scores_nothing() -> None:
    for name in ("PA1", "PG4", "RAC1", "FAC4", "PGBC4", "PGBC4ub"):
        assert score(f"bleu:{name}", "", "a") == 0
        assert score(f"bleu:{name}", "", "") == 0


@pytest.mark.golden
@pytest.mark.parametrize("tok", ["13a", "intl", "none"])
def test_pgbc4_is_bleu_without_smoothing(shared: Path, tok: str) -> None:
    hypotheses = read("multi/nist4.sys")
    references = [read(f"multi/nist4.ref{i}") for i in range(4)]
    plain = BLEU(tok=tok, smooth="none")
    variant = DeconstructedBLEU(tok=tok)
    rows = variant.statistics(hypotheses, references)
    assert variant.score_total(rows) == plain.score_total(plain.statistics(hypotheses, references))
    groups = [i // 5 for i in range(len(hypotheses))]
    expected = plain.score_rows(plain.statistics(hypotheses, references).grouped(groups, 5), "document")
    assert variant.score_rows(rows.grouped(groups, 5), "document").tolist() == expected.tolist()


# One row for all

HYPOTHESES = ["the cat sat on the mat", "it rained all day", ""]
REFERENCES = [["the cat sat on a mat", "it rained the whole day", "x"], ["a cat sat", "rain all day", "y z"]]


def test_rows_of_any_member_serve_all() -> None:
    made = registry.metric("bleu:FAB9u").statistics(HYPOTHESES, REFERENCES)
    assert isinstance(made, DenseStatistics)
    for level in ("segment", "corpus"):
        scores = family_scores(made, level)
        assert list(scores) == list(variant_names())
        for name, values in scores.items():
            own = registry.metric(f"bleu:{name}")
            assert values.tolist() == own.score_rows(own.statistics(HYPOTHESES, REFERENCES), level).tolist()


def test_prepared_references_serve_all_with_the_same_text() -> None:
    prepared = registry.metric("bleu:PGBC4").prepare(REFERENCES)
    rows = registry.metric("bleu:RAC1,alpha=2").statistics(HYPOTHESES, prepared)
    assert len(rows) == 3
    with pytest.raises(InputError, match="prepared for bleu:PGBC4, not for bleu:PGBC4,tok=none"):
        registry.metric("bleu:PGBC4,tok=none").statistics(HYPOTHESES, prepared)
    own, shared = (BLEU().statistics(HYPOTHESES, references) for references in (REFERENCES, prepared))
    assert own.to_bytes() == shared.to_bytes()  # BLEU wants its references in the same form


def test_other_rows_are_refused() -> None:
    with pytest.raises(SpecError, match="not made by a member"):
        family_scores(BLEU().statistics(HYPOTHESES, REFERENCES))  # type: ignore[arg-type]


def test_score_makes_the_rows_of_a_family_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    original = DeconstructedBLEU._rows

    def counted(self: DeconstructedBLEU, *arguments: Any) -> Any:
        calls.append(str(self))
        return original(self, *arguments)

    monkeypatch.setattr(DeconstructedBLEU, "_rows", counted)
    specs = [f"bleu:{name}" for name in variant_names()]
    systems = {"A": HYPOTHESES, "B": HYPOTHESES[::-1]}
    result = tertium.score(systems, REFERENCES, [*specs, "bleu:RAC1,tok=none", "bleu:PGBC4,alpha=1"])
    assert len(calls) == 4  # two systems with each of two tokenisers
    for spec in ("bleu:RAC1", "bleu:FGBC4", "bleu:RAC1,tok=none"):
        alone = tertium.score(systems, REFERENCES, spec)
        assert [result[name, spec].value for name in systems] == [alone[name, spec].value for name in systems]


def test_parts() -> None:
    metric = DeconstructedBLEU("RAC2")
    parts = metric.components(metric.statistics(HYPOTHESES[:1], [REFERENCES[0][:1]]).total())
    assert parts["terms"] == pytest.approx([100 * 5 / 6, 100 * 3 / 5])
    assert (parts["recall_matches"], parts["reference_counts"]) == ([5, 3], [6, 5])
    assert parts["brevity_penalty"] == 1
    short = dataclasses.replace(metric, variant="PAB1b")
    rows = short.statistics(["a b"], ["a b c"]).total()
    assert short.verbose(rows) == "100.0 (BP = 0.607 hyp_len = 2 ref_len = 3)"
    assert short.components(rows, "segment")["brevity_penalty"] == pytest.approx(np.exp(1 - 4 / 3))
