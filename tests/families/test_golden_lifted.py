"""Metrics over whole documents: table 2 of Libovický, Brovelli and Cartoni 2018, and what joining means."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium as tt
from tertium import registry
from tertium.comparison import compare
from tertium.measuring import measure
from tertium.testing import content

# Table 2, hyphens of line ends undone (shared/ERRATA.md).
REFERENCE = [
    "Der fruchtbare Boden und das regenwaldtypische Klima der Isla del Rey sind für das Gedeihen der "
    "Marihuana-Pflanzen bestens geeignet.",
    "Seit drei Tagen reissen die Behörden Panamas die 4500 Pflanzen aus und verbrennen sie.",
]
SYSTEMS = {
    "A": [
        "Der fruchtbare Boden und das Regenwaldklima von Isla del Rey sind ideal, um Marihuanaanlagen zu wachsen.",
        "Vor drei Tagen rissen die Behörden in Panama die 4.500 Anlagen heraus und verbrannten sie.",
    ],
    "B": [
        "Der fruchtbare Boden und das Regenwaldklima von Isla del Rey sind ideal für wachsende Marihuana-Pflanzen.",
        "Vor drei Tagen haben die Behörden in Panama die 4.500 Pflanzen ausgebrannt und verbrannt.",
    ],
}


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("bleu:tok=none,smooth=none", (0.229, 0.233)),
        ("doc:bleu:tok=intl,smooth=none", (0.203, 0.229)),
        ("ter", (0.545, 0.545)),
    ],
)
def test_table_2_of_the_paper(spec: str, expected: tuple[float, float]) -> None:
    found = tt.score(SYSTEMS, REFERENCE, spec, documents=["p", "p"])
    assert [round(score.value / 100, 3) for score in found] == list(expected)


SPECS = ["bleu", "chrf++", "ter", "macrof1", "microf1", "nist", "rouge:L", "wer"]


@pytest.mark.parametrize("spec", SPECS)
def test_documents_are_texts_joined_by_blanks(spec: str) -> None:
    sample = tt.TestSet.sample()
    ids = list(dict.fromkeys(sample.documents or ()))

    def texts(lines: Any) -> list[str]:
        pairs = list(zip(sample.documents or (), lines, strict=True))
        return [" ".join(line for name, line in pairs if name == wanted) for wanted in ids]

    inner, lifted = registry.metric(spec), registry.metric(f"doc:{spec}")
    references = [texts(stream) for stream in sample.references.streams]
    measured = measure(sample, [lifted, "chrf"])
    for name, lines in sample.systems.items():
        own = inner.statistics(texts(lines), references)
        rows = measured.statistics(name, lifted)
        groups = [ids.index(document) for document in sample.documents or ()]
        assert len(rows) == len(sample)
        assert content(rows.grouped(groups, len(ids))) == content(own)
        assert measured.corpus_score(name, lifted) == inner.score_total(own)
        segments = measured.segment_scores(name, lifted)
        assert np.isfinite(segments).sum() == len(ids)
        of_documents = measure(sample, lifted, "document")
        assert content(of_documents.statistics(name, lifted)) == content(own)
        assert lifted.score(texts(lines), references) == inner.score_total(own)


def test_a_document_need_not_be_in_one_piece() -> None:
    texts, ids = ["a b", "x y z", "c d", "u"], ["1", "2", "1", "3"]
    rows = measure(tt.TestSet.of(texts, {"s": texts}, documents=ids), "doc:bleu:order=1").statistics(
        "s", "doc:bleu:order=1"
    )
    assert [row[0] for row in content(rows)] == [4, 3, 0, 1]


def test_variants_share_rows() -> None:
    measured = measure(tt.TestSet.sample(), ["doc:bleu", "doc:bleu:order=2,smooth=floor", "bleu", "doc:chrf"])
    first, second, plain, _ = measured.metrics
    assert measured.rows["strong", first] is measured.rows["strong", second]
    assert measured.rows["strong", first] is not measured.rows["strong", plain]


def test_a_reference_with_gaps_is_filled_and_one_without_anything_is_none() -> None:
    streams = [["a b", "c d", "e f"], [None, "x y", None]]
    metric = registry.metric("doc:bleu:order=1,tok=none")
    batch: Any = tt.TestSet.of(streams, {"s": ["a b", "x y", "e f"]}, documents=["1", "1", "2"])
    rows = measure(batch, metric, "document").statistics("s", metric)
    # document 1 has the references "a b c d" and "a b x y", document 2 only "e f"
    assert content(rows) == content(
        registry.metric("bleu:order=1,tok=none").statistics(
            ["a b x y", "e f"], [["a b c d", "e f"], ["a b x y", None]]
        )
    )


def test_without_documents_it_is_refused() -> None:
    with pytest.raises(
        tt.InputError, match=r"^doc:chrF2 scores whole documents: give a document id .*--units"
    ):
        tt.score(["a"], ["b"], "doc:chrf")
    with pytest.raises(tt.SpecError, match="unknown metric 'doc:blue'"):
        tt.metric("doc:blue")
    with pytest.raises(tt.SpecError, match="cannot read 'doc:'"):
        tt.metric("doc:")


def test_units_of_words() -> None:
    texts = ["one two three", "four five", "six", "seven eight nine ten"]
    found = tt.score(texts, texts, "doc:bleu", units="words:5", level="document")
    assert found.scores[0].ids == ["1", "2"]
    found = tt.score(
        texts, texts, "doc:bleu", documents=["a", "a", "b", "b"], units="words:3", level="document"
    )
    assert found.scores[0].ids == ["a#1", "a#2", "b#1", "b#2"]


def test_paragraphs_of_plain_files(tmp_path: Path) -> None:
    reference, output = tmp_path / "ref.txt", tmp_path / "out.txt"
    reference.write_text("One. Two.\n\nThree.\nFour.\n", encoding="utf-8")
    output.write_text("\nOne.\nTwo.\n\n\nThree. Four.\n\n", encoding="utf-8")
    found = tt.TestSet.open([reference], [output], units="blank")
    assert found.documents == ("1", "2")
    assert [round(score.value) for score in found.score(["doc:ter", "doc:bleu:tok=none,order=2"])] == [0, 100]
    output.write_text("One.\n\nTwo.\n\nThree. Four.\n", encoding="utf-8")
    with pytest.raises(
        tt.InputError, match=r"paragraphs .*: paragraph 3, which begins at .*out.txt: line 5, has no"
    ):
        tt.TestSet.open([reference], [output], units="blank")
    output.write_text("\n \n", encoding="utf-8")
    with pytest.raises(tt.InputError, match=r"out.txt: there is no paragraph"):
        tt.TestSet.open([reference], [output], units="blank")


def test_comparisons_draw_documents_and_look_at_segments_by_metrics_of_segments() -> None:
    sample = tt.TestSet.sample()
    found = compare(sample, ["doc:chrf", "bleu"], resamples=200)
    assert [tests.units for tests in found.tests] == ["documents", "documents"]
    assert [str(own.metric) for own in found.means.metrics] == ["bleu"]
    assert set(found.texts()["scores"]["strong"]) == {"bleu"}
    assert found.data()["metrics"][0]["label"] == "doc:chrF2"
    assert found.strongest[0].labels == ["BLEU"]
    with pytest.raises(tt.InputError, match="draws segments"):
        compare(sample, ["doc:chrf", "bleu"], like="sacrebleu")


def test_a_comparison_by_documents_alone_takes_documents_for_segments() -> None:
    sample = tt.TestSet.sample()
    found = compare(sample, ["doc:chrf"], resamples=200)
    assert len(found.measured) == 8
    assert found.tests[0].units == "documents"
    assert found.measured.corpus_score("strong", "doc:chrf") == sample.score("doc:chrf")[2].value
    assert found.means.metrics[0].undefined == 0
    assert "better on 100% of documents" in " ".join(found.words())
    assert len(found.texts()["references"][0]) == 8
    with pytest.raises(tt.InputError, match="labels and tags are about segments"):
        compare(sample, ["doc:chrf"], tags={}, resamples=200)


def test_flags_reach_the_metric_inside() -> None:
    from tertium.cli.flags import chosen_metrics

    assert [str(m) for m in chosen_metrics(["doc:bleu", "doc:chrf"], {"tokenize": "intl"})] == [
        "doc:bleu:tok=intl",
        "doc:chrf",
    ]
    assert [str(m) for m in chosen_metrics(["doc:bleu:tok=none"], {}, "en-zh")] == ["doc:bleu:tok=none"]
