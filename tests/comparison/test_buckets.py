"""Buckets, means and reversals, and the case of seed 002: short sentences decide the plain mean."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import tertium as tt
from tertium.comparison import (
    by_document,
    by_labels,
    by_length,
    by_metadata,
    by_rarest_word,
    by_score_difference,
    score_buckets,
    segment_means,
    training_counts,
)
from tertium.comparison.reversals import bucket_reversal, mean_reversal
from tertium.comparison.significance import pair_tests
from tertium.errors import InputError
from tertium.measuring import measure


def portage_and_sockeye() -> tt.TestSet:
    """Made after the report's English-French case: a memory that knows short sentences, a model for long ones."""
    sources = [f"short {i} one two" for i in range(20)]
    sources += [f"segment {i} of medium length with so many words in it" for i in range(6)]
    sources += [" ".join(["long", str(i), *(f"word{k}" for k in range(28))]) for i in range(6)]
    references = [text.replace("one", "un").replace("word", "mot") for text in sources]
    portage, sockeye = [], []
    for reference in references:
        words = reference.split()
        short = len(words) < 8
        portage.append(reference if short else " ".join("x" if k % 2 else w for k, w in enumerate(words)))
        sockeye.append(" ".join("x" if k % (2 if short else 4) == 1 else w for k, w in enumerate(words)))
    return tt.TestSet.of(references, {"Portage": portage, "Sockeye": sockeye}, sources=sources)


def test_the_case_of_the_report() -> None:
    measured = measure(portage_and_sockeye(), ["chrf", "ter", "bleu"])
    found = score_buckets(measured)
    assert found.by == "reference length (13a tokens)"
    assert [(b.name, b.segments) for b in found.buckets] == [("1-7", 20), ("8-24", 6), ("25+", 6)]
    chrf, ter, _ = measured.metrics
    for bucket, winner in zip(found.buckets, ("Portage", "Sockeye", "Sockeye"), strict=True):
        loser = ({"Portage", "Sockeye"} - {winner}).pop()
        assert (bucket.scores[winner, chrf] or 0) > (bucket.scores[loser, chrf] or 0)
        assert (bucket.scores[winner, ter] or 0) < (bucket.scores[loser, ter] or 0)
    assert sum(b.share_of_words or 0 for b in found.buckets) == pytest.approx(1)
    said = "\n".join(found.reversals)
    assert "chrF2: Portage has the better plain mean of segment scores" in said
    assert "but Sockeye the better mean weighted by length" in said
    assert (
        "TER: Portage has the better plain mean of segment scores, but Sockeye the better score in the buckets"
        in said
    )
    assert "(8-24, 25+: " in said
    assert set(found.reversals) <= set(found.table().notes)


def test_the_numbers_of_the_report() -> None:
    """Table 5 (YiSi and w-YiSi, English-French) and table 4; French-English has no reversal."""
    metric = tt.metric("chrf")  # higher is better, as in YiSi
    systems = ("Portage", "Sockeye")
    said = mean_reversal(metric, systems, (70.3, 70.0), (70.2, 70.4))
    assert said is not None
    assert "Portage has the better plain mean" in said
    assert mean_reversal(metric, systems, (74.4, 70.0), (74.0, 71.6)) is None
    assert mean_reversal(metric, systems, (70.0, 70.0), (70.2, 70.4)) is None
    assert mean_reversal(metric, systems, (None, 70.0), (70.2, 70.4)) is None
    wer = tt.metric("ter")  # lower is better
    parts = [("1-7", 0.028, (39.3, 50.0)), ("8-24", 0.3, (54.0, 52.1)), ("25+", 0.672, (53.5, 50.3))]
    assert bucket_reversal(wer, systems, "corpus score", (53.0, 51.5), parts) is None
    said = bucket_reversal(wer, systems, "some mean", (51.0, 51.5), parts)
    assert said is not None
    assert said.startswith(
        "TER: Portage has the better some mean, but Sockeye the better score in the buckets"
    )
    assert "(8-24, 25+: 97.2%), and Portage only in 1-7 (2.8%)" in said
    assert bucket_reversal(wer, systems, "x", (None, 51.5), parts) is None


def test_scores_of_a_bucket_are_those_of_its_segments() -> None:
    testset = tt.TestSet.sample()
    measured = measure(testset, ["bleu", "macrof", "ter"])
    found = score_buckets(measured, by_document(measured))
    assert testset.documents is not None
    members = [i for i, name in enumerate(testset.documents) if name == found.buckets[1].name]
    texts = testset.systems["smooth"]
    alone = tt.score(
        [texts[i] or "" for i in members],
        [[stream[i] or "" for i in members] for stream in testset.references.streams],
        ["bleu", "macrof", "ter"],
    )
    for metric in measured.metrics:
        assert found.buckets[1].scores["smooth", metric] == alone[str(metric)].value
    assert found.buckets[1].segments == len(members)


@pytest.mark.parametrize("spec", ["bleu", "ter", "macrof"])
def test_intervals_of_buckets_are_jackknifed(spec: str) -> None:
    measured = measure(tt.TestSet.sample(), [spec])
    metric, grouping = measured.metrics[0], by_length(measured, "source")
    found = score_buckets(measured, grouping)
    for g, bucket in enumerate(found.buckets):
        members = np.flatnonzero(grouping.groups == g)
        rows = measured.rows["smooth", metric]
        without = [metric.score_total(rows.take(np.delete(members, i))) for i in range(len(members))]
        score = bucket.scores["smooth", metric]
        assert score is not None
        error = np.sqrt((len(members) - 1) / len(members) * np.square(without - np.mean(without)).sum())
        if len(members) < metric.fewest_for_interval:
            assert ("smooth", metric) not in bucket.intervals
            continue
        half = stats.t.ppf(0.975, len(members) - 1) * error
        assert bucket.intervals["smooth", metric] == pytest.approx((score - half, score + half))
    assert ("smooth", metric) in found.buckets[1].intervals
    assert (
        found.data()["buckets"][1]["intervals"][str(metric)]["smooth"][0]
        < found.data()["buckets"][1]["scores"][str(metric)]["smooth"]
    )


def test_undefined_says_why() -> None:
    testset = tt.TestSet.of(
        ["a b", "", ""],
        {"A": ["a b", "", ""], "B": ["a c", "", ""]},
        metadata={"kind": ["text", "empty", "empty"]},
    )
    measured = measure(testset, ["macrof", "bleu"])
    found = score_buckets(measured, by_metadata(measured, "kind"))
    macrof = measured.metrics[0]
    assert found["empty"].scores["A", macrof] is None
    assert "hypotheses and references are empty" in found["empty"].undefined[macrof]
    assert any(note.startswith("empty: MacroF1 is undefined, because") for note in found.table().notes)
    assert found.data()["buckets"][1]["scores"]["macrof"] == {"A": None, "B": None}
    lengths = by_length(measured, "reference")
    assert lengths.labels == ("empty", "1-7")
    assert found.counted == "reference tokens (13a)"


def test_a_test_is_asked_for_each_bucket_and_pair() -> None:
    measured = measure(tt.TestSet.sample(), ["bleu", "chrf"])
    asked = []

    def test(metric: tt.Metric, a: tt.Statistics, b: tt.Statistics) -> float:
        asked.append((metric, len(a), len(b)))
        return 0.25

    found = score_buckets(measured, by_length(measured), test=test, pairs=[("strong", "smooth")])
    assert len(asked) == 2 * len(found.buckets)
    assert [n for _, n, _ in asked[::2]] == [bucket.segments for bucket in found.buckets]
    assert found.data()["buckets"][0]["p_values"][0] == {
        "systems": ["strong", "smooth"],
        "metric": "bleu",
        "p": 0.25,
        "p_holm": 0.25 * len(found.buckets),
    }
    assert found.centre == "strong"
    table = found.table()
    places = [i for i, column in enumerate(table.columns) if column.label == "p"]
    assert len(places) == 2
    shown = {row[3]: [row[i] for i in places] for row in table.rows[:3]}
    assert shown == {"literal": ["", ""], "smooth": [0.75, 0.75], "strong": ["", ""]}
    all_pairs = score_buckets(measured, by_length(measured), test=test)
    assert all_pairs.centre is None
    assert any("literal and smooth in BLEU: p = 1 (Holm)" in note for note in all_pairs.table().notes)


def test_lengths_of_all_sides() -> None:
    testset = tt.TestSet.of(
        ["a b c", "a"], {"A": ["a", "b c d e"], "B": ["a b c", "b"]}, sources=["x.", "y z"]
    )
    measured = measure(testset, "bleu")
    assert measured.lengths("source").tolist() == [2, 2]
    assert measured.lengths("reference").tolist() == [3, 1]
    assert by_length(measured, "A", [3]).groups.tolist() == [0, 1]
    assert by_length(measured, "hypothesis", [2, 3]).labels == ("2",)  # means 2 and 2.5, to the even
    assert by_length(measured, "source", tok="none").labels == ("1-7",)
    with pytest.raises(InputError, match="increasing"):
        by_length(measured, "source", [5, 5])
    with pytest.raises(InputError, match="no text 'C'"):
        by_length(measured, "C")
    with pytest.raises(InputError, match="need the source text"):
        by_length(measure(tt.TestSet.of(["a"], {"A": ["a"]}), "bleu"), "source")


def test_documents_and_metadata_must_be_there() -> None:
    measured = measure(tt.TestSet.of(["a"], {"A": ["a"]}, metadata={"domain": [""]}), "bleu")
    with pytest.raises(InputError, match="need document ids"):
        by_document(measured)
    with pytest.raises(InputError, match="no metadata column 'domian'; did you mean 'domain'"):
        by_metadata(measured, "domian")
    assert by_metadata(measured, "domain").labels == ("(empty)",)


def test_score_differences() -> None:
    testset = tt.TestSet.of(
        ["a b c d", "a b c d", "a b c d", ""],
        {"A": ["a b c d", "a b c x", "q", ""], "B": ["a b c d", "q", "a b c d", ""]},
    )
    measured = measure(testset, ["ter", "macrof"])
    found = by_score_difference(measured, "ter", steps=[80])
    assert [found.labels[g] for g in found.groups] == ["equal", "A by up to 80", "B by 80 or more", "equal"]
    assert by_score_difference(measured, "macrof", steps=[5]).groups.tolist()[3] == -1  # undefined there
    with pytest.raises(InputError, match="above 0"):
        by_score_difference(measured, "ter", steps=[0])
    buckets = score_buckets(measured, found)
    assert [bucket.segments for bucket in buckets.buckets] == [1, 0, 2, 1, 0]
    assert buckets.buckets[1].scores["A", measured.metrics[0]] is None
    assert buckets.buckets[1].undefined[measured.metrics[0]] == "there are no segments"


def test_rarest_words(tmp_path: Path) -> None:
    path = tmp_path / "training.txt"
    path.write_text("a a b\na c\n", encoding="utf-8")
    counts = training_counts(path, tok="none")
    assert counts == {"a": 3, "b": 1, "c": 1}
    testset = tt.TestSet.of(["a", "a b", "a q", ""], {"A": ["a", "b", "q", ""]})
    measured = measure(testset, "bleu")
    found = by_rarest_word(measured, counts, "reference", [1, 2], tok="none")
    assert [found.labels[g] for g in found.groups] == ["2+", "1", "0", "empty"]
    with pytest.raises(InputError, match="no 'source' here"):
        by_rarest_word(measured, counts)


def test_means_by_hand() -> None:
    testset = tt.TestSet.of(["a", "a b c d", ""], {"A": ["a", "x y z w", ""], "B": ["b", "a b c x", ""]})
    measured = measure(testset, ["macrof", "ter"])
    macrof, ter = segment_means(measured).metrics
    assert macrof.undefined == 1  # nothing to compare in the third segment
    assert macrof.plain == (pytest.approx(50), pytest.approx(30))
    assert macrof.weighted == (pytest.approx(20), pytest.approx(48))
    assert ter.weighted == (pytest.approx(80), pytest.approx(40))
    assert any("MacroF1: A has the better plain mean" in said for said in segment_means(measured).words())
    assert segment_means(measured).data()["metrics"]["macrof"]["systems"]["A"]["plain"] == macrof.plain[0]
    assert len(segment_means(measured).table().rows) == 4


def test_labels_keep_their_order() -> None:
    assert by_labels("x", [3, 1, 3]).labels == ("3", "1")
    assert np.array_equal(by_labels("x", [3, 1, 3]).groups, [0, 1, 0])


def test_bad_measurements_are_refused() -> None:
    testset = tt.TestSet.sample()
    with pytest.raises(InputError, match="named twice"):
        measure(testset, "bleu", systems=["strong", "strong"])
    with pytest.raises(InputError, match="no system 'baseline'"):
        measure(testset, "bleu", systems=["baseline"])
    with pytest.raises(InputError, match="no systems to compare"):
        measure(tt.TestSet.of(["a"]), "bleu")
    with pytest.raises(tt.SpecError, match="no metrics"):
        measure(testset, [])


def test_a_method_of_significance_by_name() -> None:
    """The p-values are those that a test of the bucket's rows alone gives."""
    measured = measure(tt.TestSet.sample(), ["bleu", "macrof"])
    found = score_buckets(measured, by_length(measured), test="bootstrap")
    for metric in measured.metrics:
        members = np.flatnonzero(by_length(measured).groups == 1)
        rows = {name: measured.rows[name, metric].take(members) for name in measured.systems}
        alone = pair_tests(rows, metric, method="bootstrap", intervals=0)
        for a, b in (("literal", "smooth"), ("literal", "strong"), ("smooth", "strong")):
            assert found["8-24"].p_values[a, b, metric] == alone.pair(a, b).p
    assert (found["8-24"].p_values["literal", "strong", measured.metrics[0]] or 1) < 0.01
    with pytest.raises(tt.SpecError):
        score_buckets(measured, test="t-test")


@pytest.mark.parametrize(
    "how",
    [
        {},
        {"seed": 7},
        {"method": "randomisation"},
        {"resamples": 333},
        {"seed": 7, "method": "randomisation"},
        {"seed": 7, "method": "bootstrap"},
    ],
)
def test_buckets_of_a_comparison_are_tested_as_it_is(how: dict[str, Any]) -> None:
    """The same seed, method and number of resamples as for the whole, and each metric's own test."""
    sample = tt.TestSet.sample()
    found = tt.compare(sample, ["bleu", "macrof"], strongest=0, **how)
    measured = found.measured
    members = np.flatnonzero(found.groupings[0].groups == 1)
    assert sample.documents is not None
    documents = [sample.documents[i] for i in members]
    p_values = found.buckets[0].buckets[1].p_values
    assert p_values
    for metric in measured.metrics:
        rows = {name: measured.rows[name, metric].take(members) for name in measured.systems}
        alone = pair_tests(rows, metric, documents=documents, **how)
        for (a, b, own), p in p_values.items():
            if own == metric:
                assert p == alone.pair(a, b).p
    assert found["macrof"].method == how.get("method", "randomisation")
    assert found["bleu"].method == how.get("method", "randomisation")
