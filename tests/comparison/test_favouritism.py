"""Leave-one-out is what scoring all other segments gives, for every metric; the paper's tables come out."""

from __future__ import annotations

import gzip
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium as tt
from tertium.comparison import (
    Tagged,
    Tags,
    benefits,
    leave_one_out,
    measure_favouritism,
    strongest_segments,
)
from tertium.errors import InputError, SpecError
from tertium.measured import Measured
from tertium.measuring import measure
from tertium.statistics import DenseStatistics, Statistics, columns
from tests.conftest import each_metric
from tests.twins.macrof import classes

SPECS = each_metric(
    "chrf++",
    "macrof:beta=2",
    "macrof:order=2",
    "microf:k=0",
    "macrof:unit=char,order=3",
    "bleu:smooth=floor",
    "outside:aggregate=median",
)


def naive(metric: tt.Metric, rows: Statistics) -> list[float]:
    """Every score without a segment, from scratch."""
    n = len(rows)
    found = (metric.score_total(rows.take([j for j in range(n) if j != i])) for i in range(n))
    return [float("nan") if value is None else value for value in found]


@pytest.mark.parametrize("spec", SPECS)
def test_leaving_one_out_is_scoring_the_others(supply: Any, spec: str) -> None:
    testset = tt.TestSet.sample()
    metric = supply(tt.metric(spec))
    rows = metric.statistics(testset.systems["smooth"], testset.references, sources=testset.sources)
    assert leave_one_out(metric, rows) == pytest.approx(naive(metric, rows), abs=1e-9, nan_ok=True)


words = st.lists(st.sampled_from(["a", "b", "c", "d", "e", "f", "ä"]), max_size=5).map(" ".join)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(words, words), min_size=2, max_size=8),
    st.sampled_from(["macrof", "microf", "bleu", "ter"]),
)
def test_any_texts(pairs: list[tuple[str, str]], spec: str) -> None:
    """Types vanish with their last segment; a corpus may be left without any type."""
    metric = tt.metric(spec)
    rows = metric.statistics([h for h, _ in pairs], [r for _, r in pairs])
    assert leave_one_out(metric, rows).tolist() == pytest.approx(naive(metric, rows), abs=1e-9, nan_ok=True)


def test_type_sums_are_exact() -> None:
    """Taking parts out of an exact sum leaves the bits that summing the rest would give."""
    draw = random.Random(3)
    lines = [" ".join(str(draw.randrange(300)) for _ in range(12)) for _ in range(400)]
    others = [" ".join(draw.choice((word, "x")) for word in line.split()) for line in lines]
    metric = tt.metric("macrof:beta=0.7")
    rows = metric.statistics(others, lines)
    assert leave_one_out(metric, rows).tolist() == naive(metric, rows)


def test_the_twin_agrees() -> None:
    hypotheses, references = ["a b b", "b c", "d"], ["a b", "c c", "e"]
    metric = tt.metric("macrof1:tok=none")
    rows = metric.statistics(hypotheses, references)
    for i, value in enumerate(leave_one_out(metric, rows).tolist()):
        rest = [j for j in range(3) if j != i]
        found = classes([hypotheses[j] for j in rest], [[references[j] for j in rest]], tokenizer="none")
        assert value == pytest.approx(100 * sum(c.f(1.0) for c in found.values()) / len(found))


def test_statistics_of_others_can_be_left_out_too() -> None:
    """The slow way of the base class is right as well."""
    rows = DenseStatistics.build(columns("n", "x", real=["x"]), [[1, 0.5], [2, 0.25], [4, 1.0]])
    slow = Statistics.without_each(rows)
    assert np.array_equal(slow["n"], rows.without_each()["n"])
    assert rows.without_each()["x"].tolist() == slow["x"].tolist() == [1.25, 1.5, 0.75]
    types = tt.metric("macrof").statistics(["a b", "a", "c"], ["a", "a", "b"])
    metric = tt.metric("macrof")
    assert metric.score_rows(Statistics.without_each(types)).tolist() == leave_one_out(metric, types).tolist()


def test_lower_is_better_turns_the_sign() -> None:
    metric = tt.metric("ter")
    rows = metric.statistics(["a b c d", "x y z w"], ["a b c d", "a b c d"])
    assert benefits(metric, rows).tolist() == [50.0, -50.0]


def test_one_segment_and_one_system_are_refused() -> None:
    testset = tt.TestSet.of(["a b"], {"A": ["a b"], "B": ["a c"]})
    with pytest.raises(InputError, match="at least two segments"):
        measure_favouritism(measure(testset, "bleu"), "bleu")
    measured = measure(tt.TestSet.sample(), "bleu")
    with pytest.raises(InputError, match="two systems are compared here, but there are 3"):
        measure_favouritism(measured, "bleu")
    with pytest.raises(InputError, match="no system 'strng'; did you mean 'strong'"):
        measure_favouritism(measured, "bleu", ["strng", "smooth"])
    with pytest.raises(InputError, match="with itself"):
        measure_favouritism(measured, "bleu", ["strong", "strong"])
    with pytest.raises(SpecError, match="chrf was not measured"):
        measure_favouritism(measured, "chrf", ["strong", "smooth"])


def test_equal_systems_favour_nobody() -> None:
    testset = tt.TestSet.of(["a b", "c d"], {"A": ["a x", "c d"], "B": ["a x", "c d"]})
    found = strongest_segments(measure(testset, ["bleu", "macrof"]))
    assert found.segments == ((), ())
    assert "BLEU: no segment favours either system" in found.table().notes
    assert found.favouritisms[0].favoured(0) is None


def test_undefined_is_said() -> None:
    testset = tt.TestSet.of(["a", ""], {"A": ["a", ""], "B": ["b", ""]})
    found = measure_favouritism(measure(testset, "macrof"), "macrof")
    assert found.data()["favouritism"] == [None, 0.0]
    assert any("undefined for 1 segments" in note for note in found.table().notes)


# The paper's German-English systems (seed 000)


def german_english(shared: Path) -> Measured:
    folder = shared / "data" / "macroavg" / "de-en"

    def lines(name: str) -> list[str]:
        text = gzip.decompress((folder / f"{name}.gz").read_bytes()).decode("utf-8")
        return [line.rstrip() for line in text.removesuffix("\n").split("\n")]

    testset = tt.TestSet.of(
        lines("ref.en"), {"S": lines("snmt.en"), "U": lines("unmt.en")}, sources=lines("src.de"), name="de-en"
    )
    return measure(testset, ["macrof1", "bleu", "microf1", "chrf1"])


# Tables 15 and 16: favouritism as printed (with the lost signs, ../shared/ERRATA.md), beginning of the reference.
MACROF = [
    (0.071, "It is understood they will feature"),
    (0.064, "A group of masked pro-separatists"),
    (-0.055, "Il faut bien le faire."),
    (0.052, "In one section there is an image"),
    (-0.045, "Nickel mining is also important"),
    (0.044, "Ever since I joined Labour 32 years ago"),
    (0.044, "UN envoy Staffan de Mistura"),
    (0.043, "CBS had 3.1 million, NBC had"),
    (-0.041, "Rangers managed just two first-half shots"),
    (0.041, "Liverpool battles Napoli"),
]
BLEU = [
    (0.048, "Medium concentrations in or offshore"),
    (0.046, "Moscow has repeatedly stressed"),
    (0.044, "The NTS, which is responsible"),
    (0.042, "George W. Bush has been picking up"),
    (-0.039, "A week after an official Chinese newspaper"),
    (-0.037, "They don't care who they hurt"),
    (-0.034, "Mayorga claims Ronaldo fell"),
    (-0.032, "Palin, 29, of Wasilla, Alaska"),
    (-0.032, "\"I did not hide Dr. Ford's allegations"),
    (-0.031, "Briefings will still happen, Sanders said"),
]


def test_macro_average_tables_7_15_and_16(shared: Path) -> None:
    measured = german_english(shared)
    found = strongest_segments(measured, ["macrof1", "bleu"], ["S", "U"])
    for own, printed in zip(found.segments, (MACROF, BLEU), strict=True):
        assert [round(one.favouritism, 3) for one in own] == [value for value, _ in printed]
        assert all(one.reference.startswith(text) for one, (_, text) in zip(own, printed, strict=True))
        assert [one.favoured for one in own] == ["S" if value > 0 else "U" for value, _ in printed]
    assert not {one.segment for one in found.segments[0]} & {one.segment for one in found.segments[1]}
    sixth = found.segments[0][5]  # table 8: BLEU has hardly an opinion on the truncated translation
    assert sixth.others[1] == pytest.approx(-0.00087, abs=5e-6)


def test_macro_average_table_6(shared: Path) -> None:
    measured = german_english(shared)
    printed = {"S": (38.5, 32.7, 58.7, 59.9), "U": (33.6, 33.9, 57.9, 58.0)}
    for system, values in printed.items():
        scores = [measured.corpus_score(system, metric) for metric in measured.metrics]
        assert tuple(round(value, 1) for value in scores if value is not None) == values


# Tags


def test_tags_are_written_read_and_counted(tmp_path: Path) -> None:
    testset = tt.TestSet.of(
        ["a b c", "d e f", "g\th"],
        {"S": ["a b x", "d e f", "g h"], "U": ["q r", "d e", "g h"]},
        sources=["A", "B", "C"],
    )
    measured = measure(testset, ["macrof", "bleu"])
    sheet = strongest_segments(measured, k=2).sheet()
    path = tmp_path / "tags.tsv"
    sheet.write(path, testset)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0].split("\t") == [
        "segment",
        "system",
        "tags",
        "meaning_altering",
        "source",
        "reference",
        "output",
    ]
    assert len(lines) == 5
    filled = [line.split("\t") for line in lines]
    for line in filled[1:]:
        if line[:2] == ["1", "S"]:
            line[2] = "synonym"
        if line[:2] == ["1", "U"]:
            line[2:4] = ["word order; ", "untranslation;noun"]
        if line[0] != "1" and line[1] == "S":
            line[2] = "no issues"
    path.write_text("\n".join("\t".join(line) for line in filled) + "\n\n", encoding="utf-8")
    tags = Tags.read(path, testset)
    assert tags.get(1, "U") == Tagged(1, "U", ("word order",), ("untranslation", "noun"))
    assert not tags.get(2, "U").looked_at
    counted = tags.data()["systems"]
    assert counted["S"] == {
        "outputs_tagged": 2,
        "outputs_with_altered_meaning": 0,
        "tags": {"synonym": 1},
        "meaning_altering": {},
    }
    assert counted["U"]["outputs_with_altered_meaning"] == 1
    found = strongest_segments(measured, k=2, tags=tags)
    assert found.data()["metrics"][0]["judgement"] == {
        "tagged": 1,
        "favoured_alters_meaning": 0,
        "disfavoured_alters_meaning": 1,
    }
    assert any("S: synonym; U: untranslation*, noun*, word order" in str(row) for row in found.table().rows)
    tags.write(path)
    assert Tags.read(path).entries == tags.entries


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("segment\tsystem\ttags\n", "line 1: the header has no column 'meaning_altering'"),
        (
            "segment\tsystem\ttags\tmeaning_altering\nx\tS\t\t\n",
            "line 2: the segment number 'x' is not a whole number",
        ),
        (
            "segment\tsystem\ttags\tmeaning_altering\n9\tS\t\t\n",
            "line 2: there is no segment 9: the test set has 2",
        ),
        ("segment\tsystem\ttags\tmeaning_altering\n1\tT\t\t\n", "line 2: there is no system 'T'"),
        (
            "segment\tsystem\ttags\tmeaning_altering\n1\tS\t\t\n1\tS\t\t\n",
            "line 3: segment 1 of 'S' is tagged twice",
        ),
    ],
)
def test_bad_tags_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "tags.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        Tags.read(path, tt.TestSet.of(["a", "b"], {"S": ["a", "b"]}))
