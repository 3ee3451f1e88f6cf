"""n-best lists and prefixes, for every metric: rows, oracles, reranking."""

from __future__ import annotations

import itertools
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium
from tertium import registry
from tertium.errors import InputError, SpecError
from tertium.families.base import Metric
from tertium.io.nbest import NBest, read_nbest
from tertium.nbest import Candidates, prefix_scores, prefix_statistics, score_nbest
from tertium.testing import content
from tertium.text.segments import References
from tests.conftest import each_metric

REFERENCES = ["the cat sat on the mat .", "we all live in a yellow submarine", "hello world , how are you ?"]
SOURCES = ["die katze", "wir alle", "hallo welt"]
EVERY_METRIC = pytest.mark.parametrize("spec", each_metric())


def scrambled(rng: random.Random, text: str) -> str:
    words = text.split()
    kept = [word for word in words if rng.random() < 0.8]
    if len(kept) > 2 and rng.random() < 0.5:
        kept[0], kept[-1] = kept[-1], kept[0]
    return " ".join(kept)


def made(seed: int = 1, sizes: tuple[int, ...] = (4, 3, 4), references: list[str] = REFERENCES) -> NBest:
    rng = random.Random(seed)
    segments = [i for i, size in enumerate(sizes) for _ in range(size)]
    texts = [scrambled(rng, references[i]) for i in segments]
    return NBest(tuple(segments), tuple(texts), tuple(rng.uniform(-9, 0) for _ in segments))


def alone(metric: Metric, nbest: NBest, i: int, references: list[str], sources: list[str]) -> float:
    segment = nbest.segments[i]
    rows = metric.statistics(
        [nbest.hypotheses[i]],
        [references[segment]],
        sources=[sources[segment]] if metric.needs_source else None,
    )
    return float(metric.score_rows(rows, "segment")[0])


@EVERY_METRIC
@pytest.mark.parametrize("sizes", [(4, 3, 4), (1, 1, 9), (3, 3, 3)])
def test_candidates_score_as_they_do_alone(supply: Any, spec: str, sizes: tuple[int, ...]) -> None:
    metric = supply(registry.metric(spec))
    nbest = made(3, sizes)
    scores = score_nbest(nbest, REFERENCES, [metric], sources=SOURCES)
    assert scores[metric].shape == (sum(sizes),)
    if metric.needs_whole_set:  # what it knows of the other references belongs to the score
        return
    expected = [alone(metric, nbest, i, REFERENCES, SOURCES) for i in range(len(nbest))]
    np.testing.assert_array_equal(scores[metric], expected)


@EVERY_METRIC
def test_both_ways_of_scoring_give_the_same_rows(
    supply: Any, spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    metric = supply(registry.metric(spec))
    if metric.needs_whole_set:
        return
    nbest = made(5, (5, 2, 4))
    texts = Candidates(References.of([REFERENCES, [None, *REFERENCES[:2]]], 3), SOURCES)
    counts = np.array([5, 2, 4])
    by_rank = texts._by_rank(metric, counts, nbest.hypotheses, 1)
    monkeypatch.setattr("tertium.nbest._BLOCK", 60)  # several blocks
    blocks = list(texts._in_blocks(metric, nbest.segments, nbest.hypotheses, 2))
    assert len(blocks) > 3
    whole = blocks[0]
    for block in blocks[1:]:
        whole = whole.concat(block)
    assert content(whole) == content(by_rank)


@EVERY_METRIC
def test_oracles(supply: Any, spec: str) -> None:
    metric = supply(registry.metric(spec))
    nbest = made(7)
    scores = score_nbest(nbest, REFERENCES, metric, sources=SOURCES)
    sign = 1 if metric.higher_is_better else -1
    sentence, corpus = scores.oracle(), scores.corpus_oracle()
    own = scores[metric]
    if np.isnan(own).any():  # these texts have nothing that the metric looks at
        assert metric.undefined
        return
    groups = [[i for i, segment in enumerate(nbest.segments) if segment == s] for s in range(3)]
    for chosen, group in zip(sentence.index.tolist(), groups, strict=True):
        assert sign * own[chosen] == max(sign * own[i] for i in group)
        assert chosen == next(i for i in group if own[i] == own[chosen])  # of equal ones the first
    assert sentence.value is not None
    assert corpus.value is not None
    assert sign * corpus.value >= sign * sentence.value
    # No exchange of one candidate makes it better.
    for s, group in enumerate(groups):
        for i in group:
            index = corpus.index.copy()
            index[s] = i
            assert sign * (scores.chosen(index).value or 0.0) <= sign * corpus.value
    best = max(sign * (scores.chosen(index).value or 0.0) for index in itertools.product(*groups))
    assert sign * corpus.value <= best
    texts = corpus.texts(nbest)
    again = tertium.score(texts, REFERENCES, metric, sources=SOURCES, documents=["1", "2", "3"])
    assert again.scores[0].value == corpus.value


def test_the_corpus_oracle_can_beat_the_sentence_oracle() -> None:
    """BLEU's brevity penalty is for the whole corpus: a short sentence may be made up for by another."""
    found = []
    for seed in range(30):
        scores = score_nbest(made(seed, (6, 6, 6)), REFERENCES, "bleu")
        found.append((scores.corpus_oracle().value or 0) - (scores.oracle().value or 0))
    assert min(found) >= 0
    assert max(found) > 0


def test_reranking() -> None:
    nbest = NBest((0, 0, 0, 1), ("a b", "a b c d", "a b c", "e"), (-1.0, -9.0, -2.0, -1.0))
    scores = score_nbest(nbest, ["a b c d", "e"], ["chrf", "ter"])
    assert scores.reranked().tolist() == [1, 2, 0, 3]
    assert scores.reranked({}, model_weight=1).tolist() == [0, 2, 1, 3]
    assert scores.reranked({"ter": 1.0}).tolist() == [1, 2, 0, 3]  # an error metric: fewer errors first
    assert scores.reranked({"ter": -1.0}).tolist() == [0, 2, 1, 3]
    np.testing.assert_allclose(scores.combined({"ter": 2.0}, model_weight=3), [-103, -27, -56, -3])
    assert scores.best({"chrf": 1.0, "ter": 1.0}).texts(nbest) == ["a b c d", "e"]
    assert scores.first().texts(nbest) == ["a b", "e"]
    assert scores.first("ter").value == pytest.approx(40)


def test_undefined_scores_are_the_worst() -> None:
    nbest = NBest((0, 0, 1), ("", "x", "a"), (0.0, 0.0, 0.0))
    scores = score_nbest(nbest, ["", "a"], "macrof")
    assert np.isnan(scores["macrof"][0])
    assert scores.oracle().index.tolist() == [1, 2]
    assert scores.reranked().tolist() == [0, 1, 2]  # undefined counts as the worst of the list, and that is 0
    assert np.isfinite(scores.combined()).all()


def test_ties_keep_the_order_of_the_list() -> None:
    nbest = NBest((0, 0, 0), ("x", "a b", "a b"), (0.0, 0.0, 0.0))
    scores = score_nbest(nbest, ["a b"], "chrf")
    assert scores.oracle().index.tolist() == [1]
    assert scores.corpus_oracle().index.tolist() == [1]
    assert scores.reranked().tolist() == [1, 2, 0]


def test_several_references() -> None:
    nbest = NBest((0, 0, 1), ("a b c", "x y z", "q"), (0.0, 0.0, 0.0))
    scores = score_nbest(nbest, [["a b c", "q"], ["x y z", None]], "ter")
    assert scores["ter"].tolist() == [0, 0, 0]
    assert scores.n_references is None


def test_what_is_refused() -> None:
    nbest = made()
    with pytest.raises(InputError, match="3 sentences, but there are 2 references"):
        score_nbest(nbest, REFERENCES[:2])
    with pytest.raises(SpecError, match="no metrics"):
        score_nbest(nbest, REFERENCES, [])
    with pytest.raises(InputError, match="2 sources"):
        score_nbest(nbest, REFERENCES, sources=SOURCES[:2])
    scores = score_nbest(nbest, REFERENCES, "bleu")
    with pytest.raises(InputError, match="not scored by ter"):
        scores.oracle("ter")
    with pytest.raises(InputError, match="one candidate for each sentence"):
        scores.chosen([0, 1, 2])
    for segments in ((1, 1), (0, 2), (0, 1, 0)):
        with pytest.raises(InputError, match="sentence"):
            NBest(segments, ("a",) * len(segments), (0.0,) * len(segments))
    with pytest.raises(InputError, match="empty"):
        NBest((), (), ())
    with pytest.raises(InputError, match="2 candidates, but 1 model_scores"):
        NBest((0, 0), ("a", "b"), (0.0,))


# Prefixes


@EVERY_METRIC
def test_prefixes_score_as_texts_do(supply: Any, spec: str) -> None:
    metric = supply(registry.metric(spec))
    hypothesis, references = "the  cat sat in the hat .", [REFERENCES[0], "a cat was sitting on the mat"]
    tokens = hypothesis.split()
    prefixes = [" ".join(tokens[: n + 1]) for n in range(len(tokens))]
    got = prefix_scores(metric, hypothesis, references, source=SOURCES[0])
    assert got.shape == (7,)
    expected = [
        metric.score_rows(
            metric.statistics(
                [prefix],
                [[text] for text in references],
                sources=SOURCES[:1] if metric.needs_source else None,
            ),
            "segment",
        )[0]
        for prefix in prefixes
    ]
    np.testing.assert_array_equal(got, expected)
    np.testing.assert_array_equal(
        got, prefix_scores(metric, tokens, references, source=SOURCES[0], threads=2)
    )


def test_prefix_rows_grow() -> None:
    rows = prefix_statistics("bleu", "a b c d", "a b x d")
    assert rows["match_1"].tolist() == [1, 2, 2, 3]  # type: ignore[index]
    assert prefix_scores("bleu", "a b c d", "a b c d", level="corpus")[-1] == pytest.approx(100)


def test_a_long_hypothesis_has_bounded_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    text = " ".join(str(i % 50) for i in range(2000))
    monkeypatch.setattr("tertium.nbest._BLOCK", 100_000)
    scores = prefix_scores("bleu", text, text)
    assert scores.shape == (2000,)
    assert scores[-1] == pytest.approx(100)
    assert (np.diff(scores) >= 0).all()


def test_an_empty_hypothesis_has_no_prefixes() -> None:
    with pytest.raises(InputError, match="no tokens"):
        prefix_scores("bleu", " ", "a")


# Files


def test_the_sample_of_the_format(shared: Path) -> None:
    nbest = read_nbest(shared / "data" / "formats" / "moses.nbest")
    assert nbest.segments == (0, 0)
    assert nbest.hypotheses == ("some translation", "another translation")
    assert nbest.model_scores == (-4.42063, -5.5)
    assert nbest.features[0] == "Feature0= -1.75645 Feature1= -1.38629 -2.19722"
    lines = (shared / "data" / "formats" / "moses.nbest").read_text(encoding="utf-8").splitlines()
    assert list(nbest.lines([0, 1], nbest.model_scores)) == lines


def test_fields_behind_the_score_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "list"
    path.write_text("0 ||| a ||| f= 1 ||| -1 ||| 0-0 ||| x\n0 |||  ||| ||| 2e-3\n", encoding="utf-8")
    nbest = read_nbest(path)
    assert nbest.hypotheses == ("a", "")
    assert list(nbest.lines([1, 0], [5, 4])) == ["0 |||  |||  ||| 5", "0 ||| a ||| f= 1 ||| 4 ||| 0-0 ||| x"]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["0 ||| a ||| f ||| -1", "0 ||| a b"], "line 2 has 2 of 4 fields"),
        (["0 ||| a ||| f ||| -1", ""], "line 2 has 1 of 4 fields"),
        (["x ||| a ||| f ||| -1"], "line 1: 'x' is not the number of a sentence"),
        (["-1 ||| a ||| f ||| -1"], "line 1: '-1' is not the number"),
        (["1 ||| a ||| f ||| -1"], "line 1 belongs to sentence 1, but sentences are counted from 0"),
        (
            ["0 ||| a ||| f ||| -1", "2 ||| a ||| f ||| -1"],
            "line 2 belongs to sentence 2, but there is no candidate for sentence 1",
        ),
        (
            ["0 ||| a ||| f ||| -1", "1 ||| a ||| f ||| -1", "0 ||| b ||| f ||| -1"],
            "line 3 belongs to sentence 0, but sentence 1 came before",
        ),
        (["0 ||| a ||| f ||| nan"], "line 1: the score 'nan' is not a finite number"),
        (["0 ||| a ||| f ||| good"], "line 1: the score 'good' is not a number"),
    ],
)
def test_bad_lines_are_named(tmp_path: Path, lines: list[str], message: str) -> None:
    path = tmp_path / "list"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_nbest(path)
