"""MEANT 2.0, bleu2vec and ngram2vec have no golden numbers: they equal their twins; YiSi's frames by hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium as tt
from tertium.errors import InputError, SpecError, TertiumWarning
from tertium.testing import EXAMPLE
from tests.twins import bleu2vec as fuzzy
from tests.twins import meant as meant_twin
from tests.twins import yisi as twin
from tests.vectors import example_words, vector, write_vectors

VECTORS = {word: vector(word) for word in example_words()}


def unit(numbers: list[float]) -> Any:
    found = np.array(numbers)
    return found / np.linalg.norm(found)


def joined(one: tuple[str, ...], other: tuple[str, ...]) -> float | None:
    """ngram2vec: n-grams are entries of the file."""
    first, second = VECTORS.get("_".join(one)), VECTORS.get("_".join(other))
    return None if first is None or second is None else float(unit(first) @ unit(second))


def summed(one: tuple[str, ...], other: tuple[str, ...]) -> float | None:
    """bleu2vec with vectors of words only."""
    if any(word not in VECTORS for word in one + other):
        return None
    first, second = (sum(unit(VECTORS[word]) for word in gram) for gram in (one, other))
    return float(unit(first) @ unit(second))


@pytest.mark.parametrize(
    ("spec", "similarity", "how"),
    [
        ("bleu2vec:tok=none", summed, {}),
        ("bleu2vec:tok=none,like=original", summed, {"original": True}),
        ("bleu2vec:tok=none,threshold=0.3", summed, {"threshold": 0.3}),
        ("ngram2vec:tok=none", joined, {}),
        ("ngram2vec:tok=none,threshold=0.1,like=original", joined, {"threshold": 0.1, "original": True}),
    ],
)
def test_bleu2vec_and_ngram2vec(
    supply: Any, spec: str, similarity: Callable[..., Any], how: dict[str, Any]
) -> None:
    metric = supply(tt.metric(spec))
    pairs = [(h.split(), r.split()) for h, r in zip(EXAMPLE.hypotheses, EXAMPLE.others, strict=True)]
    pairs = [(h[:40], r[:40]) for h, r in pairs]  # the twin is slow
    rows = []
    for hypothesis, reference in pairs:
        found = [fuzzy.matches(hypothesis, reference, n, similarity, **how) for n in (1, 2, 3)]
        sizes = [float(max(0, len(hypothesis) - n + 1)) for n in (1, 2, 3)]
        rows.append([*found, *sizes, float(len(hypothesis)), float(len(reference))])
    ours = metric.statistics([" ".join(h) for h, _ in pairs], [" ".join(r) for _, r in pairs])
    for n in (1, 2, 3):
        assert ours[f"matches{n}"] == pytest.approx([row[n - 1] for row in rows], abs=1e-4)
        assert ours[f"ngrams{n}"].tolist() == [row[n + 2] for row in rows]
    expected = [fuzzy.score([row]) for row in rows]
    assert metric.score_rows(ours, "segment") == pytest.approx(expected, abs=1e-3)
    assert metric.score_total(ours) == pytest.approx(fuzzy.score(rows), abs=1e-3)


def test_bigrams_and_trigrams_of_their_own(tmp_path: Path, supply: Any) -> None:
    """bleu2vec_sep: files for each order; where they are the same file it is ngram2vec."""
    both = write_vectors(tmp_path / "all.vec", example_words())
    separate = tt.metric(f'bleu2vec:vectors="{both}",bigrams="{both}",trigrams="{both}"')
    together = tt.metric(f'ngram2vec:vectors="{both}"')
    scores = [m.score_total(m.statistics(EXAMPLE.hypotheses, EXAMPLE.streams)) for m in (separate, together)]
    assert scores[0] == scores[1]
    assert "bigrams-hash" in separate.signature()


def test_without_vectors_bleu2vec_is_nearly_plain_bleu(tmp_path: Path) -> None:
    path = write_vectors(tmp_path / "other.vec", ["nothing", "of", "this"])
    metric = tt.metric(f'bleu2vec:vectors="{path}",threshold=0.01')
    rows = metric.statistics(["the cat sat on a mat"], ["the cat sat on the mat"])
    assert rows["matches1"].tolist() == [5.0]
    assert rows["matches2"].tolist() == [3.0]
    assert metric.components(rows)["precision1"] == pytest.approx(100 * 5 / 6)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("bleu2vec:threshold=2", "threshold must be from -1 to 1"),
        ("bleu2vec:like=me", "like='me' is not valid"),
        ("yisi1:storage=int3", "storage='int3' is not valid"),
        ("yisi1:alpha=2", "alpha must be from 0 to 1"),
        ("yisi1:n=0", "order must be from 1 to 100"),
        ("yisi0:case=any", "case='any' is not valid"),
    ],
)
def test_impossible_options(spec: str, message: str) -> None:
    with pytest.raises(SpecError, match=message):
        tt.metric(spec)


def test_vectors_of_two_dimensions_are_refused(tmp_path: Path) -> None:
    one = write_vectors(tmp_path / "one.vec", ["a", "b"])
    (tmp_path / "two.vec").write_text("a 1 2\nb 2 3\n", encoding="utf-8")
    metric = tt.metric(f'yisi2:vectors="{one}",source_vectors="{tmp_path}/two.vec"')
    with pytest.raises(InputError, match=r"vectors of 12 numbers, .* of 2: they must be in the same space"):
        metric.statistics(["a"], ["a"], sources=["a"])


# Frames.

REFERENCE = "the old dog bit the postman yesterday"
HYPOTHESIS = "yesterday a dog has bitten a postman"
FRAMES = """0: [A0 the old dog] [TARGET bit] [A1 the postman] [AM-TMP yesterday]
1: [AM-TMP yesterday] [A0 a dog] has [TARGET bitten] [A1 a postman]
"""


@pytest.fixture
def parsed(tmp_path: Path) -> tuple[str, dict[str, list[float]]]:
    words = {*REFERENCE.split(), *HYPOTHESIS.split()}
    path = write_vectors(tmp_path / "w.vec", words)
    (tmp_path / "frames.assert").write_text(FRAMES, encoding="utf-8")
    options = f'vectors="{path}",parses="{tmp_path}/frames.assert",tok=none,idf=none'
    return options, {word: vector(word) for word in words}


def phrases(vectors: dict[str, list[float]], order: int) -> meant_twin.Phrases:
    similarity = twin.by_vectors(vectors)

    def of(reference: tuple[int, int], hypothesis: tuple[int, int]) -> tuple[float, float]:
        other, own = REFERENCE.split()[slice(*reference)], HYPOTHESIS.split()[slice(*hypothesis)]
        return twin.agreement(own, other, similarity, lambda _: 1.0, lambda _: 1.0, order)

    return of


THEIRS: meant_twin.Frames = [{"A0": (0, 3), "V": (3, 4), "A1": (4, 6), "AM-TMP": (6, 7)}]
OURS: meant_twin.Frames = [{"AM-TMP": (0, 1), "A0": (1, 3), "V": (4, 5), "A1": (5, 7)}]


def test_meant_with_frames(parsed: tuple[str, dict[str, list[float]]]) -> None:
    options, vectors = parsed
    metric = tt.metric(f"meant2:{options}")
    rows = metric.statistics([HYPOTHESIS], [REFERENCE])
    weight = {"V": 1.25}
    precision, recall = meant_twin.structure(
        THEIRS, OURS, phrases(vectors, 2), lambda label: weight.get(label, 2.0)
    )
    expected = 100 * twin.f_score(precision, recall, 0.5)
    assert metric.score_total(rows) == pytest.approx(expected, abs=1e-4)
    with pytest.warns(TertiumWarning, match="2 texts have no parse"):
        flat = metric.statistics(["nothing parsed here"], ["nothing parsed here"])
    assert metric.score_total(flat) == pytest.approx(100)


def test_yisi_with_frames(parsed: tuple[str, dict[str, list[float]]]) -> None:
    """By hand: one frame on each side; roles are of the same kind on both, so labels do not matter."""
    options, vectors = parsed
    metric = tt.metric(f"yisi1:{options},beta=0.4")
    flat = tt.metric(f"yisi1:{options},beta=0")
    of = phrases(vectors, 3)
    spans = [(THEIRS[0][label], OURS[0][label]) for label in ("V", "A0", "A1", "AM-TMP")]
    table = [[of(one, two) for _, two in spans[1:]] for one, _ in spans[1:]]
    weights = [1.25, 2.0, 2.0, 2.0]
    parts = []
    for part in (0, 1):
        pairs = meant_twin.best_pairs([[cell[part] for cell in row] for row in table])
        same = [table[i][j][part] if part == 1 or i == j else 0.0 for i, j in sorted(pairs.items())]
        if part == 0:  # by hypothesis role: the counterpart must be of its kind
            same = [table[k][k][0] if pairs[k] == k else 0.0 for k in range(3)]
        values = [of(*spans[0])[part], *same]
        parts.append(sum(w * v for w, v in zip(weights, values, strict=True)) / sum(weights))
    rows, plain = (m.statistics([HYPOTHESIS], [REFERENCE]) for m in (metric, flat))
    for name, value in zip(("precision", "recall"), parts, strict=True):
        expected = 0.4 * 100 * value + 0.6 * flat.components(plain)[name]
        assert metric.components(rows)[name] == pytest.approx(expected, abs=1e-4)


def test_equal_sentences_with_frames_are_perfect(shared: Path, tmp_path: Path) -> None:
    """The program's own parses, on real sentences."""
    folder = shared / "data" / "yisi"
    from tertium.io.conll09 import read_parses

    texts = [" ".join(parse.tokens) for parse in read_parses(folder / "test_ref.en.conll09")]
    files = f'vectors="{folder}/mini.d300.en",parses="{folder}/test_ref.en.conll09",tok=none'
    for spec in (f"yisi1:{files}", f"meant2:{files}"):
        metric = tt.metric(spec)
        rows = metric.statistics(texts, texts)
        assert metric.score_total(rows) == pytest.approx(100, abs=1e-9)
        assert "parses-hash:" in metric.signature()


def test_texts_without_parse_are_named_in_a_warning(parsed: tuple[str, dict[str, list[float]]]) -> None:
    metric = tt.metric(f"yisi1:{parsed[0]}")
    with pytest.warns(TertiumWarning, match="yisi1: 2 texts have no parse"):
        metric.statistics([HYPOTHESIS, "one", "two"], [REFERENCE, HYPOTHESIS, REFERENCE])


def test_meant_nosrl_is_the_phrase_similarity_of_sentences(supply: Any) -> None:
    metric = supply(tt.metric("meant2-nosrl:tok=none,idf=none"))
    similarity = twin.by_vectors(VECTORS)
    rows = metric.statistics(EXAMPLE.hypotheses, EXAMPLE.others)
    expected = []
    for hypothesis, reference in zip(EXAMPLE.hypotheses, EXAMPLE.others, strict=True):
        parts = twin.agreement(
            hypothesis.split(), reference.split(), similarity, lambda _: 1.0, lambda _: 1.0, 2
        )
        expected.append(100 * twin.f_score(*parts, 0.5))
    assert metric.score_rows(rows, "segment") == pytest.approx(expected, abs=1e-4)
