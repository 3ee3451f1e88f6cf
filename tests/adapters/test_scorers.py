"""scikit-learn's scorer: several references, slices, pickling, searches; Minimum Bayes risk: ties and odd input."""

from __future__ import annotations

import pickle
import random
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn import base, model_selection

import tertium as tt
from tertium.adapters import mbr, sklearn
from tests.adapters.sourced import ToSource

TEXTS = np.array([f"the cat number {i} sat on the mat" for i in range(12)], dtype=object)


class Cutter(base.BaseEstimator):  # type: ignore[misc]
    def __init__(self, words: int = 5) -> None:
        self.words = words

    def fit(self, X: Any, y: Any) -> Cutter:  # noqa: N803
        return self

    def predict(self, X: Any) -> Any:  # noqa: N803
        return np.array([" ".join(text.split()[: self.words]) for text in X], dtype=object)


@pytest.mark.parametrize("metric", ["chrf", "ter", "bleu"])
def test_each_fold_has_its_corpus_score(metric: str) -> None:
    """Of one reference, and of rows of two, in whatever form y is; even where it is square."""
    sign = 1 if tt.metric(metric).higher_is_better else -1
    folds = list(model_selection.KFold(6).split(TEXTS))
    others = np.array([f"a {text}" for text in TEXTS], dtype=object)
    rows = np.stack([others, TEXTS], axis=1)
    for y in (TEXTS, pd.Series(TEXTS), rows, rows.tolist(), pd.DataFrame(rows)):
        streams = [TEXTS] if getattr(y, "ndim", 2) == 1 else [others, TEXTS]
        found = model_selection.cross_val_score(Cutter(), TEXTS, y, scoring=sklearn.scorer(metric), cv=folds)
        for value, (_, own) in zip(found, folds, strict=True):
            assert len(own) == 2
            want = tt.References.of([list(stream[own]) for stream in streams])
            assert value == sign * tt.score(list(Cutter().predict(TEXTS[own])), want, metric)[0].value


def test_scorers_travel() -> None:
    """To other processes, into copies, and onto the disk."""
    search = model_selection.GridSearchCV(
        Cutter(),
        {"words": [2, 8]},
        scoring={"chrf": sklearn.scorer("chrf"), "ter": sklearn.scorer("ter")},
        refit="ter",
        cv=2,
        n_jobs=2,
    )
    again = pickle.loads(pickle.dumps(base.clone(search).set_params(cv=3))).fit(TEXTS, TEXTS)
    assert again.best_params_ == {"words": 8}
    assert "chrf" in repr(sklearn.scorer("chrf"))


def test_what_a_scorer_cannot_do() -> None:
    with pytest.raises(tt.InputError, match="chrf compares with the source text"):
        sklearn.scorer(ToSource())
    with pytest.raises(tt.InputError, match="name one metric"):
        sklearn.scorer(["chrf", "bleu"])
    with pytest.warns(tt.TertiumWarning, match="all hypotheses are empty"):
        assert np.isnan(sklearn.scorer("macrof1")(Cutter(), [""], [""]))


WORDS = ["the", "a", "cat", "dog", "sat", "ran", "on", "mat", "猫", "ß", "é"]


@pytest.mark.filterwarnings("ignore::tertium.errors.ScriptWarning")  # samples of mixed scripts
@pytest.mark.parametrize("metric", ["chrf", "bleu:eff=always", "ter"])
def test_decoding_against_a_plain_loop(metric: str) -> None:
    """Samples with duplicates and empty ones, some weighted: the exact expectation of segment scores, the first of
    equals, which are equal to the last digit."""
    from fractions import Fraction

    rng = random.Random(7)
    own = tt.metric(metric)
    for _ in range(60):
        texts = [" ".join(rng.choices(WORDS, k=rng.randint(0, 6))) for _ in range(rng.randint(1, 12))]
        texts += rng.choices(texts, k=len(texts))
        weights = rng.choice([None, [rng.choice([1, 2, 4]) for _ in texts]])
        expected = []
        for text in texts:
            scores = (Fraction(own.reward([text], [other])[0]) for other in texts)
            expected.append(sum(s * w for s, w in zip(scores, weights or [1] * len(texts), strict=True)))
        want = sorted(range(len(texts)), key=lambda i: -float(expected[i]))
        found = mbr.decode(texts, metric, weights=weights, top=len(texts))
        assert found.places == tuple(want)
        assert found.texts == tuple(texts[i] for i in want)
        total = sum(weights or [1] * len(texts))
        assert found.utilities == pytest.approx([float(expected[i] / total) for i in want])


def test_weights_of_any_size() -> None:
    """Probabilities of long translations are tiny: what counts is their ratio, to the last digit."""
    texts = ["the cat sat", "a cat sat on", "dogs"]
    want = mbr.decode(texts, weights=[2, 1, 1], top=3)
    for factor in (2.0**-1072, 2.0**-60, 2.0**1022):
        assert mbr.decode(texts, weights=[2 * factor, factor, factor], top=np.int64(3)) == want


def test_columns_of_candidates() -> None:
    texts = ["the cat sat", "a cat sat", "the cat sits", "dogs"]
    want = mbr.decode(texts)
    for given in (np.array(texts), pd.Series(texts, index=[9, 8, 7, 6]), tuple(texts)):
        assert mbr.decode(given) == want
        assert mbr.pairwise(given, given).tolist() == mbr.pairwise(texts, texts).tolist()


def test_weights_of_words_are_those_of_the_references(monkeypatch: pytest.MonkeyPatch) -> None:
    """NIST looks at all references; how many pairs are compared at a time changes nothing."""
    texts = ["the cat sat", "a cat sat on", "dogs ran"]
    own = tt.metric("nist")
    want = [own.reward([text] * 3, texts).tolist() for text in texts]
    for pairs in (1, 4, 1 << 16):
        monkeypatch.setattr(mbr, "PAIRS", pairs)
        assert mbr.pairwise(texts, texts, "nist").tolist() == want


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"candidates": "abc"}, "candidates must be a list of strings, not one string"),
        ({"candidates": ["a", None]}, r"candidates: segment 2 is missing \(None\)"),
        ({"candidates": ["a"], "references": []}, "nothing to compare"),
        ({"candidates": ["a"], "references": [["a"]]}, "references: segment 1 is of type list"),
        ({"candidates": ["a"], "top": 0}, "top must be 1 or more"),
        ({"candidates": ["a"], "top": 1.5}, "top must be 1 or more, not 1.5"),
        ({"candidates": ["a", "b"], "weights": [-3.2, -8]}, r"take numpy.exp\(x - x.max\(\)\)"),
        ({"candidates": ["a", "b"], "weights": [float("inf"), 1]}, "weights must be 2 numbers"),
        ({"candidates": ["a", "b"], "weights": ["x", "y"]}, "weights must be 2 numbers"),
    ],
)
def test_what_cannot_be_decoded(given: dict[str, Any], message: str) -> None:
    with pytest.raises(tt.InputError, match=message):
        mbr.decode(**given)


def test_metrics_that_look_at_the_source() -> None:
    texts = ["a b", "c d"]
    found = mbr.decode(texts, ToSource(), source="c d e", top=2)
    assert found.texts == ("c d", "a b")
    assert found.utilities[0] == tt.score(["c d"], ["c d e"], "chrf")[0].value
    with pytest.raises(tt.InputError, match="needs the source"):
        mbr.decode(texts, ToSource())
