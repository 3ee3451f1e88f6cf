"""What a Seq2SeqTrainer may hand to compute_metrics; the tokenizer is a list (test_hugging_face.py has a real one)."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tertium as tt
from tertium.adapters import trainer
from tests.adapters.sourced import ToSource

WORDS = ["<pad>", "the", "cat", "sat", "dog", "down", "a"]
TEXTS = ["the cat sat", "the dog"], ["the cat sat down", "the cat"]
PREDICTIONS = np.array([[1, 2, 3, 0], [1, 4, 0, -100]])
LABELS = np.array([[1, 2, 3, 5], [1, 2, -100, -100]])


class Tokenizer:
    def __init__(self, pad: int | None = 0) -> None:
        self.pad_token_id = pad

    def batch_decode(self, rows: Any, *, skip_special_tokens: bool) -> list[str]:
        assert skip_special_tokens
        return [" " + " ".join(WORDS[i] for i in row if i != self.pad_token_id) for row in rows]


def scores(metrics: list[str]) -> dict[str, Any]:
    found = tt.score(*TEXTS, metrics)
    return {found.labels[own.metric]: own.value for own in found}


def given(predictions: Any = PREDICTIONS, labels: Any = LABELS, **more: Any) -> SimpleNamespace:
    return SimpleNamespace(predictions=predictions, label_ids=labels, **more)


@pytest.mark.parametrize(
    "prediction",
    [
        given(),
        given((PREDICTIONS, np.zeros((2, 4, 7)))),
        given([PREDICTIONS[:1, :3], PREDICTIONS[1:]], [LABELS[:1], LABELS[1:, :2]]),
        given([(PREDICTIONS, None)], [LABELS]),
        given([[1, 2, 3], [1, 4]], LABELS.tolist()),
        given(PREDICTIONS.astype(np.int32), LABELS),
    ],
    ids=["ids", "tuple", "batches", "batches of tuples", "lists", "int32"],
)
def test_shapes(prediction: Any) -> None:
    """What fills shorter batches (-100) is neither text nor length."""
    found = trainer.compute_metrics(Tokenizer(), ["chrf", "ter"], prefix="x_")(prediction)
    want = {f"x_{name}": value for name, value in scores(["chrf", "ter"]).items()}
    assert found == want | {"x_gen_len": 2.5}


def test_a_tokenizer_without_padding() -> None:
    """Nothing stands for -100 then: the first word of the vocabulary is a word."""
    labels = np.array([[1, 2], [0, -100]])
    found = trainer.compute_metrics(Tokenizer(None), "chrf")(given(np.array([[1, 2], [0, -100]]), labels))
    assert found == {"chrF2": 100.0, "gen_len": 1.5}


def test_a_processor() -> None:
    processor = SimpleNamespace(tokenizer=Tokenizer(), batch_decode=Tokenizer().batch_decode)
    assert trainer.compute_metrics(processor, "chrf")(given())["gen_len"] == 2.5


def test_references_as_they_are() -> None:
    """Instead of decoded labels; several for each segment; their number is checked."""
    lists = [["the cat sat", "a cat sat down."], ["the dog"]]
    found = trainer.compute_metrics(Tokenizer(), "chrf", references_per_segment=lists)(given(labels=None))
    assert found["chrF2"] == tt.score(TEXTS[0], references_per_segment=lists, metrics="chrf")[0].value
    streams = [["the cat sat", "a dog"], ["x", "y"]]
    again = trainer.compute_metrics(Tokenizer(), "chrf", references=streams)(given())
    assert again["chrF2"] == tt.score(TEXTS[0], tt.References.of(streams), "chrf")[0].value
    with pytest.raises(tt.InputError, match="the reference has 1 segments, the hypotheses have 2"):
        trainer.compute_metrics(Tokenizer(), "chrf", references=["one"])(given())


def test_sources() -> None:
    """Given, or decoded from the inputs."""
    inputs = np.array([[1, 2, 2, 0], [4, 4, 0, 0]])
    texts = ["the cat cat", "dog dog"]
    want = tt.score(TEXTS[0], texts, "chrf")[0].value
    assert trainer.compute_metrics(Tokenizer(), ToSource())(given(inputs=inputs))["chrF2"] == want
    assert trainer.compute_metrics(Tokenizer(), ToSource(), sources=texts)(given())["chrF2"] == want
    with pytest.raises(tt.InputError, match="needs the source"):
        trainer.compute_metrics(Tokenizer(), ToSource())(given())


def test_what_is_undefined_is_nan() -> None:
    """A missing name would end the training."""
    with pytest.warns(tt.TertiumWarning, match="all hypotheses are empty"):
        found = trainer.compute_metrics(Tokenizer(), "macrof1")(given(np.array([[0]]), np.array([[-100]])))
    assert math.isnan(found["MacroF1"])


def test_metrics_of_one_label() -> None:
    found = trainer.compute_metrics(Tokenizer(), ["bleu", "bleu:tok=intl"])(given())
    assert set(found) == {"BLEU (bleu)", "BLEU (bleu:tok=intl)", "gen_len"}


def test_what_cannot_be_decoded() -> None:
    computed = trainer.compute_metrics(Tokenizer(), "chrf")
    for wrong in (np.zeros((2, 4, 7)), np.zeros((2, 4)), None):
        with pytest.raises(tt.InputError, match="train with predict_with_generate=True"):
            computed(given(wrong))
    with pytest.raises(tt.InputError, match="batch_eval_metrics=False"):
        computed(given(), compute_result=True)
    with pytest.raises(tt.SpecError, match="did you mean 'bleu'"):
        trainer.compute_metrics(Tokenizer(), "blue")
    for wrong in (
        "t5-small",
        None,
        given(),
    ):  # the last is what a trainer gives to a function that was not called
        with pytest.raises(tt.InputError, match=r"compute_metrics\(tokenizer, ...\) wants a tokenizer"):
            trainer.compute_metrics(wrong)
