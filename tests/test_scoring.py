"""`tertium.score`: systems, levels, documents, batches, and what it refuses."""

from __future__ import annotations

import importlib
import math
import pickle
from collections.abc import Iterator
from typing import Any

import pytest
import sacrebleu

import tertium
from tertium.errors import InputError, SpecError, TertiumWarning
from tertium.io.door import Batch, Inputs
from tertium.scoring import score_inputs
from tertium.testing import EXAMPLE
from tertium.text.segments import References, as_lines
from tests.conftest import SAMPLE, skip_or_fail

SPECS = ["bleu", "bleu:tok=char,order=2", "chrf++", "ter", "macrof", "microf:order=2"]


def inputs_in_batches(cuts: list[int], documents: list[str] | None) -> Inputs:
    def batches() -> Iterator[Batch]:
        for begin, end in zip([0, *cuts], [*cuts, len(EXAMPLE)], strict=True):
            part = EXAMPLE.take(range(begin, end))
            systems = [as_lines(part.hypotheses), as_lines(part.others)]
            names = None if documents is None else documents[begin:end]
            yield Batch(systems, References.of(part.streams), None, names)

    return Inputs(["first", "second"], len(EXAMPLE.streams), documents is not None, batches())


@pytest.mark.parametrize("level", ["segment", "document", "corpus"])
@pytest.mark.parametrize("spec", SPECS)
def test_batches_are_one_batch(spec: str, level: Any) -> None:
    documents = [f"document {i * i % 7}" for i in range(len(EXAMPLE))] if level == "document" else None
    systems = {"first": EXAMPLE.hypotheses, "second": EXAMPLE.others}
    whole = tertium.score(systems, EXAMPLE.streams, spec, level=level, documents=documents)
    for cuts in ([], [1], [7, 8], list(range(1, len(EXAMPLE)))):
        parts = score_inputs(inputs_in_batches(cuts, documents), [tertium.metric(spec)], level)
        for one, other in zip(whole, parts, strict=True):
            assert (one.system, one.signature, list(one.ids)) == (
                other.system,
                other.signature,
                list(other.ids),
            )
            assert list(one.values) == list(other.values)
            assert dict(one.components) == dict(other.components)
            assert one.verbose == other.verbose
    sizes = {"segment": len(EXAMPLE), "document": 4, "corpus": 1}
    assert [len(one.values) for one in whole] == [sizes[level]] * 2


def test_document_scores_are_those_of_their_segments() -> None:
    documents = ["x" if i % 3 else "y" for i in range(len(EXAMPLE))]
    for spec in SPECS:
        result = tertium.score(
            EXAMPLE.hypotheses, EXAMPLE.streams, spec, level="document", documents=documents
        )
        assert result.scores[0].ids == ["y", "x"]
        for name, value in zip(["y", "x"], result.scores[0].values, strict=True):
            part = EXAMPLE.take([i for i in range(len(EXAMPLE)) if documents[i] == name])
            alone = tertium.score(part.hypotheses, part.streams, spec)
            assert alone[spec].value == value


def test_documents_come_as_columns_in_their_order() -> None:
    try:
        pandas = importlib.import_module("pandas")
    except ImportError:
        skip_or_fail("pandas is not installed")
    hypotheses, references = ["a b c d", "e f g h"], ["a b c d", "x y z w"]
    shuffled = pandas.Series(["one", "two"], index=[1, 0])  # positions count, not labels
    found = tertium.score(hypotheses, references, "chrf", level="document", documents=shuffled)
    assert list(zip(found["chrf"].ids, found["chrf"].values, strict=True)) == [("one", 100.0), ("two", 0.0)]


def test_several_systems_and_metrics() -> None:
    systems = {"A": ["the cat", "a dog"], "B": ["a cat", "dogs"]}
    result = tertium.score(systems, ["the cat", "the dog"], ["chrf", "ter"])
    assert [(s.system, s.metric.name) for s in result] == [
        ("A", "chrf"),
        ("A", "ter"),
        ("B", "chrf"),
        ("B", "ter"),
    ]
    assert len(result) == 4
    assert result.systems == ["A", "B"]
    assert [str(metric) for metric in result.metrics] == ["chrf", "ter"]
    assert result["B", "ter"].value == 75.0
    assert result["A", "chrf2"] is result.scores[0] is result[0]
    assert result[-1] is result["B", "ter"]
    with pytest.raises(KeyError, match="ambiguous"):
        result["ter"]
    with pytest.raises(KeyError, match="bleu"):
        result["A", "bleu"]
    with pytest.raises(ValueError, match="segment scores"):
        assert tertium.score(["a"], ["a"], "ter", level="segment")["ter"].value


def test_nothing_undefined_is_a_number() -> None:
    result = tertium.score(["", "a"], ["", "a"], ["macrof", "microf", "bleu", "chrf", "ter"], level="segment")
    assert list(result["macrof"].values) == [None, 100.0]
    assert list(result["microf"].values) == [None, 100.0]
    assert [result[spec].values[0] for spec in ("bleu", "chrf", "ter")] == [0.0, 0.0, 0.0]
    assert all(value is None or not math.isnan(value) for one in result for value in one.values)
    with pytest.warns(tertium.TertiumWarning, match="all hypotheses are empty"):
        assert tertium.score([""], [""], "macrof")["macrof"].value is None


def test_tokenised_text_is_doubted() -> None:
    tokenised = ["It looks tokenised ."] * 100
    with pytest.warns(tertium.TertiumWarning, match="100 lines end in ' .'"):
        tertium.score(tokenised, tokenised, "bleu")
    for quiet in ({"metrics": "chrf"}, {"metrics": "bleu:tok=none"}, {"metrics": "bleu", "force": True}):
        assert tertium.score(tokenised, tokenised, **quiet).scores[0].value == pytest.approx(100)
    assert tertium.score(tokenised[1:], tokenised[1:], "bleu").scores[0].value == pytest.approx(100)


def test_files_are_scored_as_texts_are(sample: dict[str, list[str]]) -> None:
    folder = SAMPLE
    files = tertium.score_files(
        [str(folder / "reference1.en"), str(folder / "reference2.en")],
        [str(folder / "system-strong.en"), str(folder / "system-smooth.en")],
        ["bleu", "macrof1"],
        documents=str(folder / "documents.txt"),
        level="document",
    )
    texts = tertium.score(
        {str(folder / name): sample[name] for name in ("system-strong.en", "system-smooth.en")},
        [sample["reference1.en"], sample["reference2.en"]],
        ["bleu", "macrof1"],
        documents=sample["documents.txt"],
        level="document",
    )
    assert [(s.system, s.metric, s.ids, s.values) for s in files] == [
        (s.system, s.metric, s.ids, s.values) for s in texts
    ]


def test_signature_counts_references() -> None:
    def number(references: Any) -> str:
        return tertium.score(["a", "b"], references, "ter")["ter"].signature.partition("|")[0]

    assert number(["a", "b"]) == "nrefs:1"
    assert number([["a", "b"], ["a", "b"], ["a", "b"]]) == "nrefs:3"
    with pytest.warns(TertiumWarning, match="2 lists of 2"):
        assert number([["a", "b"], ["a", None]]) == "nrefs:var"
    assert "|eff:yes|" in tertium.score(["a"], ["a"], "bleu", level="segment")["bleu"].signature
    assert "|eff:no|" in tertium.score(["a"], ["a"], "bleu", level="corpus")["bleu"].signature


def test_components() -> None:
    result = tertium.score(
        ["the cat sat on the mat"], ["the cat sat on a mat"], ["bleu", "chrf", "ter", "macrof"]
    )
    bleu = result["bleu"].components
    assert (bleu["matches"], bleu["counts"]) == ([5, 3, 2, 1], [6, 5, 4, 3])
    assert result["bleu"].verbose == "83.3/60.0/50.0/33.3 (BP = 1.000 ratio = 1.000 hyp_len = 6 ref_len = 6)"
    assert len(result["chrf"].components["precisions"]) == 6
    assert result["ter"].components["edits"] == 1
    assert result["ter"].components["substitutions"] == 1
    assert result["macrof"].components["types"] == 6
    assert set(bleu) == set(dict(bleu))
    assert len(bleu) == 7
    again = pickle.loads(pickle.dumps(result))
    assert again == result
    assert [dict(score.components) for score in again] == [dict(score.components) for score in result]


def test_metrics_that_read_translations_only() -> None:
    """Neither references nor sources need be given, and none changes the score."""
    texts = ["The cat sat down here.", "Dogs bark."]
    alone = tertium.score(texts, metrics="readability")[0]
    beside = tertium.score(texts, ["x", "y"], metrics="readability")[0]
    assert (alone.value, alone.signature) == (beside.value, beside.signature)
    with pytest.raises(InputError, match="give either references"):
        tertium.score(texts, metrics=["readability", "bleu"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"hypotheses": []}, "nothing to score: no segments"),
        ({"hypotheses": {}}, "no systems to score"),
        ({"hypotheses": "a b"}, "hypotheses must be a list of strings, not one string"),
        ({"hypotheses": ["a", None]}, "hypotheses: segment 2 is missing"),
        ({"hypotheses": {"A": ["a", "b"], "B": ["a"]}}, r"differ in their number of segments \(A: 2, B: 1\)"),
        ({"hypotheses": {"A": ["a", "b"], "B": ["a", 1]}}, "hypotheses of B: segment 2 is of type int"),
        ({"hypotheses": ["a"]}, "the reference has 2 segments, the hypotheses have 1"),
        ({"references": None}, "give either references or references_per_segment"),
        ({"references_per_segment": [["a"], ["b"]]}, "give either references or references_per_segment"),
        (
            {"references": None, "references_per_segment": [["a"]]},
            "2 hypotheses, but references for 1 segments",
        ),
        ({"level": "document"}, "document scores need document ids"),
        ({"level": "document", "documents": ["x"]}, "2 segments, but 1 document ids"),
        ({"level": "document", "documents": "xy"}, "documents must be a list of strings, not one string"),
        ({"level": "document", "documents": ["x", None]}, "documents: segment 2 is missing"),
        ({"sources": ["a"]}, "2 hypotheses, but 1 sources"),
    ],
)
def test_bad_input_is_refused_in_one_line(arguments: dict[str, Any], message: str) -> None:
    given: dict[str, Any] = {"hypotheses": ["a", "b"], "references": ["a", "b"]} | arguments
    with pytest.raises(InputError, match=message) as caught:
        tertium.score(**given)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"level": "sentence"}, r"unknown level 'sentence'; did you mean 'segment'\?"),
        ({"metrics": []}, "no metrics"),
        ({"metrics": [None]}, "a metric is a spec string or a Metric, not NoneType"),
        ({"metrics": "bleu,chrf"}, "unknown metric 'bleu,chrf'"),
    ],
)
def test_bad_options_are_refused_in_one_line(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(SpecError, match=message) as caught:
        tertium.score(["a"], ["a"], **arguments)
    assert "\n" not in str(caught.value)


def test_level_of_a_metric_is_checked() -> None:
    metric = tertium.metric("bleu")
    rows = metric.statistics(["a b"], ["a b"])
    for call in (metric.score_rows, metric.score_total):
        with pytest.raises(SpecError, match="unknown level"):
            call(rows, "sentence")  # type: ignore[operator]


def test_references_prepared_by_another_metric_are_refused() -> None:
    prepared = tertium.metric("bleu").prepare(["a"])
    with pytest.raises(InputError, match="the references were prepared for bleu, not for bleu:tok=none"):
        tertium.metric("bleu:tok=none").statistics(["a"], prepared)


@pytest.mark.parametrize("level", ["segment", "document", "corpus"])
def test_without_segments_there_is_no_score(level: Any) -> None:
    with pytest.raises(InputError, match="nothing to score"):
        score_inputs(Inputs(["system"], 1, True, iter([])), [tertium.metric("bleu")], level)


def test_the_readme_example(sample: dict[str, list[str]]) -> None:
    """Numbers on the bundled sample, as sacrebleu 2.6.0 gives them."""
    references = [sample["reference1.en"], sample["reference2.en"]]
    systems = {name: sample[f"system-{name}.en"] for name in ("strong", "smooth", "literal")}
    result = tertium.score(systems, references, ["bleu", "chrf", "chrf++", "ter"])
    for name, lines in systems.items():
        assert result[name, "bleu"].value == pytest.approx(
            sacrebleu.corpus_bleu(lines, references).score, abs=1e-9
        )
        assert result[name, "chrf"].value == pytest.approx(
            sacrebleu.corpus_chrf(lines, references).score, abs=1e-9
        )
        plus = sacrebleu.corpus_chrf(lines, references, word_order=2)
        assert result[name, "chrf++"].value == pytest.approx(plus.score, abs=1e-9)
        assert result[name, "ter"].value == pytest.approx(
            sacrebleu.corpus_ter(lines, references).score, abs=1e-9
        )
