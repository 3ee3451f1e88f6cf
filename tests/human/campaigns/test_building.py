"""Items and who gets them: sampling, identical outputs, control items, blinding, paragraphs, degraded texts."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

import tertium
from tertium import TestSet
from tertium.errors import InputError
from tertium.human.campaigns.assigning import assigned
from tertium.human.campaigns.building import pool
from tertium.human.campaigns.degrading import degraded, replaced_words
from tertium.human.campaigns.paragraphs import paragraphs, word_count
from tertium.human.campaigns.plan import planned
from tertium.human.campaigns.sampling import disagreement, of_quality, sampled
from tertium.human.campaigns.segments import Segment, counted, segments_of
from tertium.human.campaigns.settings import Quality, Sampling, Settings

SAMPLE = counted(segments_of(TestSet.sample()))


def settings(design: str = "direct-assessment", **more: Any) -> Settings:
    return Settings.of({"name": "x", "design": design} | more)


def test_identical_outputs_are_one_item() -> None:
    segments = [Segment("1", {"A": "same", "B": "same", "C": "other"}, source="s", reference="r")]
    by_text = {item.outputs[0].text: item.outputs[0].systems for item in pool(settings(), segments)}
    assert by_text == {"same": ("A", "B"), "other": ("C",)}
    pairs = pool(settings("pairwise"), segments)
    assert len(pairs) == 1  # nobody compares a text with itself
    assert pool(settings("pairwise"), [Segment("1", {"A": "x", "B": "x"}, reference="r")]) == []


def test_the_seed_decides_everything() -> None:
    def keys(seed: int) -> list[str]:
        plan = planned(settings(seed=seed, annotators={"number": 2, "items": 30}), SAMPLE)
        return [f"{task.item}{task.order}" for one in plan.assignments for task in one.tasks]

    assert keys(1) == keys(1)
    assert keys(1) != keys(2)


def test_batches_of_a_hundred_with_wmts_controls() -> None:
    """10 repeats, 10 degraded, 10 references in each batch, half a batch from their originals, in either order."""
    plan = planned(settings(annotators={"number": 1, "items": 200}, controls={}), SAMPLE)
    items = {item.id: item for item in (*plan.items, *plan.assignments[0].controls)}
    tasks = plan.assignments[0].tasks
    for batch in (1, 2):
        own = [task for task in tasks if task.batch == batch]
        kinds = Counter(items[task.item].kind for task in own)
        assert kinds == {"genuine": 70, "repeat": 10, "degraded": 10, "reference": 10}
        place = {task.item: task.position for task in own}
        gaps = [
            place[task.item] - place[str(items[task.item].original)]
            for task in own
            if items[task.item].original
        ]
        assert len(gaps) == 30
        assert {abs(gap) for gap in gaps} == {50}
        assert {gap > 0 for gap in gaps} == {True, False}
    assert len({task.item for task in tasks}) == 200
    for item in plan.assignments[0].controls:
        original = items[str(item.original)]
        text, before = item.outputs[0].text, original.outputs[0].text
        if item.kind == "repeat":
            assert item.outputs == original.outputs
        elif item.kind == "reference":
            assert text == item.reference
            assert item.outputs[0].systems == ("reference",)
        else:
            n = len(before.split())
            changed = sum(a != b for a, b in zip(text.split(), before.split(), strict=True))
            assert 1 <= changed <= replaced_words(n)
            assert item.outputs[0].systems == original.outputs[0].systems


def test_repeats_of_small_batches_and_of_comparisons() -> None:
    plan = planned(
        settings("ranking", annotators={"number": 1, "items": 20}, controls={"repeat": 10}), SAMPLE
    )
    assert Counter(item.kind for item in plan.assignments[0].controls) == {"repeat": 2}
    small = planned(settings(annotators={"number": 1, "items": 5}), SAMPLE)
    assert small.assignments[0].controls == ()  # nothing to hide them among
    last = planned(settings(annotators={"number": 1, "items": 110}), SAMPLE)
    assert {task.batch for task in last.assignments[0].tasks} == {1}  # ten more are no batch of their own


def test_same_and_different_samples() -> None:
    def who(**annotators: Any) -> list[set[str]]:
        plan = planned(settings("pairwise", annotators=annotators), SAMPLE)
        return [{task.item for task in one.tasks} for one in plan.assignments]

    a, b = who(number=2, items=20, sample="same")
    assert a == b
    a, b = who(number=2, items=20, sample="different")
    assert not a & b
    a, b = who(number=2, items=20, sample="different", shared=5)
    assert len(a & b) == 5


def test_everybody_has_an_order_of_their_own() -> None:
    plan = planned(settings("pairwise", annotators={"number": 2, "items": 60}), SAMPLE)
    a, b = ({task.item: task for task in one.tasks} for one in plan.assignments)
    assert [*a] != [*b]
    turned = sum(a[item].order != b[item].order for item in a)
    assert 15 < turned < 45  # blinding is drawn for each annotator
    first = Counter(task.order for task in a.values())
    assert 15 < first[(0, 1)] < 45


def test_too_few_items() -> None:
    with pytest.raises(
        InputError, match=r"too few items: annotator-1 needs 300 genuine ones, but there are only 207"
    ):
        planned(settings("pairwise", annotators={"items": 300}), SAMPLE)
    with pytest.raises(InputError, match="too few items: annotator-3"):
        planned(settings("pairwise", annotators={"number": 3, "items": 100, "sample": "different"}), SAMPLE)
    lonely = [Segment("1", {"A": "x"}, source="z", reference="y")]
    with pytest.raises(InputError, match="compares systems, but there is only A"):
        planned(settings("ranking"), lonely)


@pytest.mark.parametrize(
    ("design", "more", "message"),
    [
        ("direct-assessment", {}, "has no reference"),
        (
            "direct-assessment",
            {"options": {"against": "source"}, "controls": {"reference": 0}},
            "has no source",
        ),
        ("challenge", {}, "has no source"),
        ("semantic-units", {}, "has no source"),
        ("direct-assessment", {"options": {"order": "document"}}, "has no reference"),
    ],
)
def test_missing_texts_are_named(design: str, more: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=f"segment 1 {message}"):
        pool(settings(design, **more), [Segment("1", {"A": "x", "B": "y"})])


def test_missing_outputs_are_named() -> None:
    with pytest.raises(InputError, match="segment 2 has no output of the system 'B'"):
        pool(
            settings("pairwise"),
            [Segment("1", {"A": "x", "B": "y"}, reference="r"), Segment("2", {"A": "x"})],
        )
    with pytest.raises(InputError, match="has an output of 'C'"):
        pool(
            settings("pairwise"),
            [Segment("1", {"A": "x", "B": "y"}, reference="r"), Segment("2", {"A": "x", "B": "y", "C": "z"})],
        )


def test_sampling() -> None:
    long = sampled(SAMPLE, Sampling(length=(20, 99)), 1)
    assert long
    assert all(segment.tokens >= 20 for segment in long)
    document = SAMPLE[0].document
    assert {one.document for one in sampled(SAMPLE, Sampling(documents=(document,)), 1)} == {document}
    with pytest.raises(InputError, match="no document 'nowhere'"):
        sampled(SAMPLE, Sampling(documents=("nowhere",)), 1)
    whole = sampled(SAMPLE, Sampling(how="documents"), 1)
    assert len(whole) == len(SAMPLE)
    changes = sum(a.document != b.document for a, b in pairwise(whole))
    assert changes == len({one.document for one in SAMPLE}) - 1  # documents stay together
    same = [Segment("1", {"A": "x", "B": "x"}), Segment("2", {"A": "x", "B": "y"})]
    assert [one.id for one in sampled(same, Sampling(different=True), 1)] == ["2"]


def test_quality_stratum() -> None:
    names = list(SAMPLE[0].outputs)
    outputs = {name: [one.outputs[name] for one in SAMPLE] for name in names}
    found = tertium.score(outputs, [one.reference for one in SAMPLE], "chrf")
    edge = sorted(one.value for one in found)[1]
    kept = of_quality(SAMPLE, Quality("chrf", above=edge - 1))
    assert len(kept[0].outputs) == 2
    with pytest.raises(InputError, match="leaves no system"):
        of_quality(SAMPLE, Quality("bleu", above=99.9))


def test_disagreement_of_metrics() -> None:
    """BLEU sees no difference where chrF does: the second segment is the one to ask people about."""
    segments = [
        Segment("1", {"A": "a b c d e", "B": "a b c d e"}, reference="a b c d e"),
        Segment("2", {"A": "abcdefgh ijklmnop", "B": "zz yy"}, reference="abcdefghx ijklmnopx"),
        Segment("3", {"A": "a b c d e", "B": "v w x y z"}, reference="a b c d e"),
    ]
    gaps = disagreement(segments, ("bleu", "chrf"))
    assert gaps[0] == 0
    assert max(range(3), key=gaps.__getitem__) == 1
    assert sampled(segments, Sampling(how="disagreement"), 1)[0].id == "2"
    assert disagreement([Segment("1", {"A": "x"}, reference="x")], ("bleu", "chrf")) == [0.0]
    with pytest.raises(InputError, match="needs metrics"):
        disagreement([Segment("1", {"A": "x"})], ("bleu", "chrf"))


def test_paragraphs_end_where_sentences_end() -> None:
    texts = ["One two three.", "Four five,", "six seven.", "Eight nine ten.", "Last."]
    segments = [
        Segment(str(i), {"A": text.lower()}, reference=text, document="d") for i, text in enumerate(texts, 1)
    ]
    found = paragraphs(segments, 4)
    assert [one.id for one in found] == ["1", "2-3", "4-5"]
    assert found[1].outputs == {"A": "four five, six seven."}
    other = [*segments, Segment("6", {"A": "x"}, reference="New.", document="e")]
    assert [one.id for one in paragraphs(other, 100)] == ["1-5", "6"]  # never across documents
    sizes = [word_count(one.reference) for one in paragraphs(SAMPLE, 60)]
    assert all(30 <= size <= 95 for size in sizes)


def test_degraded_texts() -> None:
    assert degraded("", ["x"], 1) is None
    assert degraded("same words", ["same words"], 1) is None
    assert degraded("word", ["other"], 1) == "other"
    chinese = degraded("今天天气很好我们去公园", ["昨天他们在学校里学习中文"], 1)
    assert chinese is not None
    assert len(chinese) == 11
    assert " " not in chinese
    text = "the first word and the last word stay where they are"
    for seed in range(20):
        worse = degraded(text, ["completely other text that has nothing to do with it"], seed)
        assert worse is not None
        assert worse.split()[0] == "the"
        assert worse.split()[-1] == "are"
        assert sum(a != b for a, b in zip(worse.split(), text.split(), strict=True)) <= 4


def test_assigned_takes_what_others_left() -> None:
    own = settings("pairwise", annotators={"items": 10, "sample": "different"})
    items = pool(own, SAMPLE)
    first = assigned(own, items, "Ann")
    taken = {task.item for task in first.tasks}
    second = assigned(own, items, "Ben", taken)
    assert not taken & {task.item for task in second.tasks}
