"""Preference rates, agreement with people, components."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tertium as tt
from tertium.comparison import Label, Labels, compare_components, preference_rates
from tertium.comparison.preferences import LabelAgreement, agreement
from tertium.errors import InputError
from tertium.measuring import measure


def test_rates_by_hand() -> None:
    references = ["a b c d"] * 4
    a, b = ["a b c d", "x", "a b c d", "a b"], ["a b c d", "a b c d", "q", "a b"]
    sources = ["one", "one two", "one two three four five", "one two"]
    testset = tt.TestSet.of(references, {"A": a, "B": b}, sources=sources)
    found = preference_rates(measure(testset, ["ter", "bleu"]))
    for own in found.metrics:
        assert own.plain is not None
        assert (own.plain.first, own.plain.second, own.plain.tied) == (0.25, 0.25, 0.5)
        assert own.weighted is not None
        assert (own.weighted.first, own.weighted.second, own.weighted.tied) == (0.5, 0.2, 0.3)
        assert own.agreement is None
    assert found.data()["human"] is None
    assert found.table().rows[0][1:4] == (25.0, 25.0, 50.0)


def test_segments_without_a_score_are_left_out() -> None:
    testset = tt.TestSet.of(["a", ""], {"A": ["a", ""], "B": ["b", ""]})
    [own] = preference_rates(measure(testset, "macrof")).metrics
    assert own.undefined == 1
    assert own.plain is not None
    assert own.plain.first == 1.0
    empty = tt.TestSet.of([""], {"A": [""], "B": [""]})
    [own] = preference_rates(measure(empty, "macrof")).metrics
    assert (own.plain, own.weighted) == (None, None)


def test_equivalence_of_the_report() -> None:
    """417 labels "1" and 283 labels "2" give 32% of the first and 19% of all."""
    labels = Labels(tuple(Label(1, "A", "B", 1 if i < 417 else 2) for i in range(700)))
    assert labels.equivalence_of_first == pytest.approx(134 / 417)
    assert labels.equivalence == pytest.approx(134 / 700)
    assert round(labels.equivalence_of_first or 0, 3) == 0.321
    assert round(labels.equivalence or 0, 3) == 0.191
    assert Labels((Label(1, "A", "B", 2),)).equivalence_of_first is None
    assert Labels((Label(1, "A", "B", 2), Label(1, "A", "B", 1))).equivalence_of_first == 0.0
    assert Labels(()).equivalence is None


def judged(agreed: tuple[int, int], tied: tuple[int, int], against: tuple[int, int]) -> LabelAgreement:
    """A metric that agrees, ties and disagrees on so many labels "1" and "2"."""
    labels, signs = [], []
    for (ones, twos), sign in ((agreed, 1), (tied, 0), (against, -1)):
        for label in [1] * ones + [2] * twos:
            preferred = "A" if len(labels) % 2 else "B"
            shown = (preferred, "B" if preferred == "A" else "A")
            labels.append(Label(len(labels) + 1, *(shown if label == 1 else shown[::-1]), label))
            signs.append(sign * (1 if preferred == "A" else -1))
    return agreement(np.array(signs), np.ones(len(signs), dtype=bool), Labels(tuple(labels)), ("A", "B"))


def test_adjusted_agreement_by_hand() -> None:
    found = judged(agreed=(30, 20), tied=(10, 5), against=(20, 15))  # 60 and 40 labels: e = 1/3
    assert found.equivalence_of_first == pytest.approx(1 / 3)
    assert found.raw == pytest.approx(0.50)
    assert found.adjusted == pytest.approx((30 * 2 / 3 + 20 + 10 / 3) / 100)


def test_the_reports_wer_fits_e_not_its_displayed_formula() -> None:
    """Table 8, English-French, WER: 400 segments, raw 49.2%, 21.5% ties, adjusted 44.3%.

    The split by label is not published; in proportion (59.6% of the labels are "1") ties counted as e come within half
    a point, counted as 1 - e they would be 4 points away.
    """
    found = judged(agreed=(117, 80), tied=(51, 35), against=(70, 47))
    assert found.raw == pytest.approx(0.492, abs=0.001)
    assert found.adjusted == pytest.approx(0.443, abs=0.005)
    e = found.equivalence_of_first or 0
    assert abs((117 * (1 - e) + 80 + 51 * (1 - e)) / 400 - 0.443) > 0.04


def test_labels_in_either_order() -> None:
    """A person's label is turned into a system by what was shown first."""
    references = ["a b c d"] * 3
    testset = tt.TestSet.of(references, {"A": ["a b c d"] * 3, "B": ["q"] * 3, "C": ["r"] * 3})
    measured = measure(testset, "bleu")
    labels = Labels(
        (Label(1, "A", "B", 1), Label(2, "B", "A", 2), Label(3, "A", "B", 2), Label(1, "A", "C", 1))
    )
    found = preference_rates(measured, ["A", "B"], labels=labels)
    assert found.human is not None
    assert (found.human.first, found.human.second) == (pytest.approx(2 / 3), pytest.approx(1 / 3))
    assert found.metrics[0].agreement is not None
    assert found.metrics[0].agreement.labels == 3
    assert found.metrics[0].agreement.raw == pytest.approx(2 / 3)
    assert found.table().rows[-1][0] == "people"
    assert found.data()["human"]["counts"] == [1, 2]
    with pytest.raises(InputError, match="no labels that compare 'B' with 'C'"):
        preference_rates(measured, ["B", "C"], labels=labels)
    with pytest.raises(InputError, match="segment 9, but there are 3"):
        preference_rates(measured, ["A", "B"], labels=Labels((Label(9, "A", "B", 1),)))


def test_labels_from_a_file(tmp_path: Path) -> None:
    testset = tt.TestSet.of(["a", "b"], {"A": ["a", "b"], "B": ["a", "c"]})
    path = tmp_path / "labels.tsv"
    path.write_text("judge\tsegment\tfirst\tsecond\tlabel\nx\t2\tB\tA\t2\n", encoding="utf-8")
    assert Labels.read(path, testset).labels == (Label(2, "B", "A", 2),)
    for row, message in (
        ("x\t3\tA\tB\t1", "line 2: there is no segment 3: the test set has 2"),
        ("x\t1\tA\tQ\t1", "line 2: there is no system 'Q'"),
        ("x\t1\tA\tB\t0", "line 2: a label is 1 or 2, not '0'"),
        ("x\t1\tA", "line 2: has 3 fields"),
        ("x\t1\tA\tA\t1", "compared with itself"),
    ):
        path.write_text(f"judge\tsegment\tfirst\tsecond\tlabel\n{row}\n", encoding="utf-8")
        with pytest.raises(InputError, match=message):
            Labels.read(path, testset)
    path.write_text("segment\tlabel\n", encoding="utf-8")
    with pytest.raises(InputError, match="the header has no column 'first'"):
        Labels.read(path, testset)


def test_components_side_by_side() -> None:
    testset = tt.TestSet.sample()
    found = compare_components(measure(testset, ["bleu", "chrf", "ter", "macrof"]))
    scores = testset.score("bleu")
    bleu = found.metrics[0]
    for i, name in enumerate(found.systems):
        parts = scores[name, "bleu"].components
        assert [bleu.parts[f"precisions {n}"][i] for n in (1, 2, 3, 4)] == parts["precisions"]
        assert bleu.parts["brevity penalty"][i] == parts["brevity_penalty"]
        assert bleu.parts["ratio"][i] == parts["ratio"]
        assert bleu.scores[i] == scores[name, "bleu"].value
    assert {"insertions", "deletions", "substitutions", "shifts"} <= set(found.metrics[2].parts)
    assert found.metrics[1].parts["recalls 6"][0] is not None
    rows = found.table().rows
    assert rows[0][:2] == ("BLEU", "score")
    assert found.data()["metrics"]["ter"]["components"]["edits"].keys() == set(found.systems)


def test_a_system_may_be_called_tied() -> None:
    testset = tt.TestSet.of([["a b", "c d", "e f"]], {"tied": ["a b", "c d", "x"], "B": ["x", "c d", "x"]})
    found = measure(testset, "chrf")
    own = preference_rates(found).data()["metrics"]["chrf"]
    assert own["plain"] == {"first": 1 / 3, "second": 0.0, "tied": 2 / 3}


def test_agreement_in_words() -> None:
    labels = Labels(
        (Label(1, "strong", "smooth", 1), Label(2, "smooth", "strong", 2), Label(3, "smooth", "strong", 1))
    )
    found = preference_rates(measure(tt.TestSet.sample(), "chrf"), ("strong", "smooth"), labels=labels)
    (said,) = found.words()
    assert said.startswith(
        "people prefer strong in 66.7 % and smooth in 33.3 % of 3 judgements; chrF2 agrees with "
    )
    assert said == found.data()["metrics"]["chrf"]["words"]
    assert not list(preference_rates(measure(tt.TestSet.sample(), "chrf"), ("strong", "smooth")).words())
