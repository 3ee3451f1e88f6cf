"""YiSi, MEANT 2.0 and soft METEOR with vectors in context: an encoder made for the purpose, in place of a model."""

from __future__ import annotations

import importlib.metadata
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium as tt
from tertium import registry
from tertium.errors import SpecError
from tertium.testing import EXAMPLE
from tertium.text.encoded import Encoded
from tests.twins import yisi as twin
from tests.vectors import example_words, vector, write_parses, write_vectors

HYPOTHESES = ["the cat sat on the mat", "a dog barked at it", "", "mat the on sat cat the", "green"]
REFERENCES = [
    "the cat lay on a mat",
    "it was barked at by a dog",
    "nothing",
    "the cat sat on the mat",
    "green",
]
OTHERS = ["a cat on a mat sat there", "dogs bark", "nothing at all", "cats sit", "red"]


class Stub:
    """Vectors of words; with `context` they depend on the words beside them, too."""

    hash, kind = "stub", "float32"

    def __init__(self, *, context: bool) -> None:
        self.context = context

    def vectors(self, words: Sequence[str]) -> list[list[float]]:
        sides = ["", *words, ""] if self.context else [""] * (len(words) + 2)
        keys = [f"{sides[i]}<{word}>{sides[i + 2]}" if self.context else word for i, word in enumerate(words)]
        found = [vector(key) for key in keys]
        return [[x / math.hypot(*row) for x in row] for row in found]

    def encode(self, texts: Sequence[str], *, wanted: bool = True) -> list[Encoded]:
        rows = [self.vectors(text.split()) for text in texts]
        return [
            Encoded(tuple(text.split()), np.array(row, np.float32).reshape(len(row), 12), tokens=len(row))
            for text, row in zip(texts, rows, strict=True)
        ]


@pytest.fixture
def stub(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Stub:
    made = Stub(context=request.param)
    monkeypatch.setattr("tertium.text.encoders.Encoder.open", lambda *_, **__: made)
    monkeypatch.setattr(importlib.metadata, "version", lambda name: "1")
    return made


in_context = pytest.mark.parametrize("stub", [True], indirect=True, ids=["context"])
without = pytest.mark.parametrize("stub", [False], indirect=True, ids=["static"])


def segments(spec: str, *texts: Any, **also: Any) -> list[float]:
    metric = tt.metric(spec)
    return metric.score_rows(metric.statistics(*texts, **also), "segment").tolist()


@in_context
@pytest.mark.parametrize(("order", "alpha"), [(1, 0.5), (3, 0.8)])
def test_yisi_in_context(stub: Stub, order: int, alpha: float) -> None:
    corpora = [[line.split() for line in stream] for stream in (REFERENCES, OTHERS)]
    weight = twin.weights([words for stream in corpora for words in stream])
    expected = []
    for i, line in enumerate(HYPOTHESES):
        table: dict[str, list[float]] = {}

        def placed(words: list[str], side: str, table: dict[str, list[float]] = table) -> list[str]:
            names = [f"{side}{place} {word}" for place, word in enumerate(words)]
            table |= dict(zip(names, stub.vectors(words), strict=True))
            return names

        def similarity(one: str, two: str, table: dict[str, list[float]] = table) -> float:
            return twin.cosine(table[one], table[two])

        own = placed(line.split(), "own")
        weigh = lambda name: weight(name.split()[1])  # noqa: E731
        found = [
            twin.agreement(own, placed(stream[i], str(k)), similarity, weigh, weigh, order)
            for k, stream in enumerate(corpora)
        ]
        best = max(p for p, _ in found), max(r for _, r in found)
        expected.append(100 * twin.f_score(*best, alpha))
    spec = f"yisi1:model=any,tok=none,n={order},alpha={alpha}"
    assert segments(spec, HYPOTHESES, [REFERENCES, OTHERS]) == pytest.approx(expected, abs=1e-4)
    threaded = tt.metric(spec).statistics(HYPOTHESES, [REFERENCES, OTHERS], threads=3)
    assert tt.metric(spec).score_rows(threaded, "segment").tolist() == segments(
        spec, HYPOTHESES, [REFERENCES, OTHERS]
    )


@without
@pytest.mark.parametrize(
    "spec",
    [
        "yisi1:",
        "w-yisi1:",
        "yisi1:n=1,tok=none,idf=none,",
        "meant2:",
        "meant2-nosrl:weight=length,",
        "yisi2:",
    ],
)
def test_an_encoder_without_context_is_a_file_of_vectors(stub: Stub, spec: str, tmp_path: Path) -> None:
    """The kernel of words in context against that of words in files, frames included."""
    texts = [*EXAMPLE.hypotheses, *EXAMPLE.others, *EXAMPLE.perfect, *EXAMPLE.sources]
    clean = [" ".join(w for w in t.lower().split() if w.isascii() and w.isalpha()) for t in texts]
    words = {word for text in clean for word in text.split()} | example_words()
    file = write_vectors(tmp_path / "all.vec", words)
    n = len(clean) // 2
    extra = f",source_vectors={file}" if spec.startswith("yisi2") else ""
    if spec == "meant2:":
        spec += f"parses={write_parses(tmp_path / 'clean.conll09', clean)},"
    static, contextual = (tt.metric(spec + by) for by in (f"vectors={file}{extra}", "model=any"))
    rows = [m.statistics(clean[:n], clean[n : 2 * n], sources=clean[n : 2 * n]) for m in (static, contextual)]
    scores = [m.score_rows(r, "segment") for m, r in zip((static, contextual), rows, strict=True)]
    assert scores[1] == pytest.approx(scores[0], abs=1e-4, nan_ok=True)
    assert np.unique(scores[0]).size > 3


@without
def test_soft_meteor_without_context(stub: Stub, tmp_path: Path) -> None:
    file = write_vectors(
        tmp_path / "all.vec", {w for t in (*HYPOTHESES, *REFERENCES, *OTHERS) for w in t.split()}
    )
    given = HYPOTHESES, [REFERENCES, OTHERS]
    rows = [tt.metric(f"meteor-soft:{by}").statistics(*given) for by in (f"vectors={file}", "model=any")]
    for column in ("weight", "reference_weight", "matched", "length", "reference_length", "chunks"):
        assert rows[1][column].tolist() == pytest.approx(rows[0][column].tolist(), abs=1e-5)


@in_context
@pytest.mark.parametrize("spec", ["yisi1:model=any", "meant2-nosrl:model=any", "meteor-soft:model=any"])
def test_order_matters_and_equal_texts_are_perfect(stub: Stub, spec: str) -> None:
    same, moved = "a b c d e f", "f a b c d e"
    assert segments(spec, [moved], [same])[0] < segments(spec, [same], [same])[0]
    if not spec.startswith("meteor"):
        assert segments(spec, [same], [same]) == [100.0]


@in_context
@pytest.mark.parametrize(
    "spec",
    [
        "yisi1:model=any,layer=4,pool=first,half=no",
        "w-yisi1:model=any",
        "yisi2:model=any",
        "meant2-nosrl:model=any,n=1",
        "meteor-soft:model=any,lang=de,layer=2",
    ],
)
def test_signatures(stub: Stub, spec: str) -> None:
    metric = tt.metric(spec)
    signature = metric.signature()
    assert '|model:"any"|model-hash:stub|layer:' in signature
    assert registry.from_signature(metric.label, signature) == metric
    assert tt.metric(str(metric)) == metric


@in_context
def test_words_with_blanks_inside_stay_one(stub: Stub) -> None:
    metric: Any = tt.metric("yisi1:model=any")
    assert len(metric._in_context([["a\u00a0b", "\u2003", "c"]])[0].units) == 3


@pytest.mark.parametrize("name", ["yisi1", "meant2-nosrl", "meteor-soft"])
def test_vectors_and_a_model_are_not_taken_together(name: str) -> None:
    with pytest.raises(SpecError, match="give vectors or model, not both"):
        tt.metric(f"{name}:model=any,vectors=some.vec")


def test_what_kernels_refuse() -> None:
    from tertium import _native

    table = np.zeros((2, 8), np.float32), np.ones(2), np.array([0, 2], np.int64)
    for pair in ([0, 0, 0, 3, 0, 1], [0, 0, 1, 0, 0, 1], [0, 0, -1, 1, 0, 1]):
        with pytest.raises(ValueError, match="outside"):
            _native.context_agreements(*table, *table, np.array([pair], np.int64), 1, 1)
    with pytest.raises(IndexError):
        _native.context_agreements(*table, *table, np.array([[1, 0, 0, 1, 0, 1]], np.int64), 1, 1)
