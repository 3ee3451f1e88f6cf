"""Words that a metric would not miss: against scores of the texts without them, one by one."""

from __future__ import annotations

import numpy as np
import pytest

import tertium as tt
from tertium.comparison import suspect_spans
from tertium.comparison.suspects import LEAST, Occluded, occluded
from tertium.errors import InputError

REFERENCE = ["The ship lay at anchor for days.", "Nobody came.", "It rained a little in the night."]
SOURCE = ["Das Schiff lag tagelang vor Anker.", "Niemand kam.", "Es regnete nachts ein wenig."]
OUTPUT = ["The sheep lay at anchor for for days.", "", "It rained  much at night"]
TEXTS = tt.TestSet.of(REFERENCE, {"A": OUTPUT, "B": REFERENCE}, sources=SOURCE)
METRICS = [
    *(
        "bleu",
        "sentbleu",
        "chrf",
        "chrf++",
        "ter",
        "wer",
        "per",
        "cder",
        "eed",
        "character",
        "ribes",
        "gleu",
        "nist",
    ),
    *("macrof1", "rouge", "gtm", "meteor:modules=exact+stem"),
]


@pytest.mark.parametrize("spec", METRICS)
def test_losses_are_those_of_the_texts_without_the_words(spec: str) -> None:
    """The other segments stay: what a metric learns from all references stays the same."""
    metric = tt.metric(spec)

    def scored(line: int, text: str) -> float:
        texts = [text if i == line else own for i, own in enumerate(OUTPUT)]
        scores = tt.score({"A": texts}, REFERENCE, [metric], level="segment").scores[0].values
        return float(metric.oriented(np.array([scores[line] or 0.0]))[0])

    for line, found in enumerate(occluded(TEXTS, metric, "A")):
        words = OUTPUT[line].split()
        assert [OUTPUT[line][start:end] for start, end in found.words] == words
        whole = scored(line, OUTPUT[line])
        for size, losses in enumerate(found.losses, 1):
            assert len(losses) == max(0, len(words) - size + 1)
            for i, loss in enumerate(losses):
                text = " ".join([*words[:i], *words[i + size :]])
                spaced = text if "  " not in OUTPUT[line] else text.replace("rained much", "rained  much")
                assert loss == pytest.approx(whole - scored(line, spaced), abs=1e-9), (line, i, size)


def test_neighbours_are_joined() -> None:
    found = Occluded(
        ((0, 3), (4, 9), (10, 13), (14, 18)),
        (np.array([4.0, 0.1, -1.0, 2.0]), np.array([4.0, 1.0, 1.0]), np.array([4.0, 3.0])),
    )
    assert found.spans() == ((4, 13),)
    together = Occluded(found.words, (np.array([4.0, 2.0, 2.0, 2.0]), np.array([4.0, 0.0, 1.0]), np.ones(2)))
    assert together.spans() == ((4, 13),)
    edge = Occluded(((0, 1), (2, 3)), (np.array([1.0, LEAST]), np.array([1.0]), np.array([])))
    assert edge.spans() == ()


def test_where_no_word_helps_only_those_that_harm_are_suspects() -> None:
    words = ((0, 1), (2, 3))
    assert Occluded(words, (np.array([-1.0, 0.0]), np.array([0.0]), np.array([]))).spans() == ((0, 1),)
    assert Occluded((), (np.array([]),) * 3).spans() == ()


def test_spans_of_systems() -> None:
    found = suspect_spans(TEXTS, "ter")
    assert found["B"] == [(), (), ()]
    # without "anchor", or "days.", one "for" too many stands for it, at the same cost
    assert [OUTPUT[0][start:end] for start, end in found["A"][0]] == ["sheep", "anchor for for days."]
    assert found["A"][1] == ()
    assert list(suspect_spans(TEXTS, "ter", ["B"])) == ["B"]


def test_pieces_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = suspect_spans(TEXTS, "chrf")
    monkeypatch.setattr("tertium.comparison.suspects._PIECE", 7)
    assert suspect_spans(TEXTS, "chrf") == whole


@pytest.mark.parametrize("spec", ["doc:chrf", "doc:bleu", "doc:nist"])
def test_losses_of_documents(spec: str) -> None:
    """A metric of documents loses what the document's score loses, whichever segment the word is in."""
    metric, documents = tt.metric(spec), ["d", "e", "d"]
    texts = tt.TestSet.of(REFERENCE, {"A": OUTPUT}, documents=documents)

    def scored(line: int, text: str) -> float:
        outputs = {"A": [text if i == line else own for i, own in enumerate(OUTPUT)]}
        own = tt.TestSet.of(REFERENCE, outputs, documents=documents)
        values = own.score([metric], level="document").scores[0].values
        return float(metric.oriented(np.array([values[documents[line] == "e"] or 0.0]))[0])

    for line, found in enumerate(occluded(texts, metric, "A")):
        words = OUTPUT[line].split()
        whole = scored(line, OUTPUT[line])
        for size, losses in enumerate(found.losses, 1):
            assert len(losses) == max(0, len(words) - size + 1)
            for i, loss in enumerate(losses):
                text = " ".join([*words[:i], *words[i + size :]])
                assert loss == pytest.approx(whole - scored(line, text), abs=1e-9), (line, i, size)


def test_words_that_a_metric_of_documents_does_not_look_at() -> None:
    """They cost nothing, and are not marked; the largest loss is that of the document."""
    words = ((0, 1), (2, 3), (4, 5))
    losses = (np.array([0.0, 0.1, -0.2]), np.ones(2), np.ones(1))
    assert Occluded(words, losses, 1.0, sparing=True).spans() == ((2, 5),)
    assert Occluded(words, losses, 0.1, sparing=True).spans() == ((4, 5),)
    assert Occluded(words, losses, 1.0).spans() == ((0, 5),)
    texts = tt.TestSet.of(REFERENCE, {"A": OUTPUT}, sources=SOURCE, documents=["d"] * 3)
    assert [one.sparing for one in occluded(texts, tt.metric("doc:chrf"), "A")] == [False] * 3


def test_documents_in_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = tt.TestSet.of(REFERENCE, {"A": OUTPUT, "B": REFERENCE}, documents=["d", "e", "d"])
    whole = suspect_spans(texts, "doc:chrf")
    monkeypatch.setattr("tertium.comparison.suspects._CHARACTERS", 200)
    assert suspect_spans(texts, "doc:chrf") == whole
    assert whole["A"][0]


def test_metrics_of_documents_need_documents() -> None:
    with pytest.raises(InputError, match="scores whole documents"):
        suspect_spans(TEXTS, "doc:chrf")
