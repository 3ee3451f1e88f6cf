"""`compute_metrics` for Hugging Face's `Seq2SeqTrainer`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tertium.adapters.columns import Specs, by_label, corpus_scores

IGNORED = -100  # the label of tokens that do not count


def compute_metrics(
    tokenizer: Any, metrics: Specs = ("bleu", "chrf"), *, prefix: str = "", **how: Any
) -> Callable[[Any], dict[str, float]]:
    """A function of a trainer's predictions: decodes them and the labels, and gives scores by label.

    `tokenizer` is the model's; `how` is what `tertium.score` takes. With `predict_with_generate=True`:

        trainer = Seq2SeqTrainer(..., compute_metrics=compute_metrics(tokenizer, ["bleu", "chrf++"]))
    """

    def computed(prediction: Any) -> dict[str, float]:
        import numpy as np

        given, labels = prediction.predictions, prediction.label_ids
        given = given[0] if isinstance(given, tuple) else given
        texts = []
        for ids in (given, labels):
            filled = np.where(np.asarray(ids) == IGNORED, tokenizer.pad_token_id or 0, ids)
            decoded = tokenizer.batch_decode(filled, skip_special_tokens=True)
            texts.append([text.strip() for text in decoded])
        scores = corpus_scores(texts[0], texts[1], metrics, **how)
        lengths = [int((np.asarray(ids) != (tokenizer.pad_token_id or 0)).sum()) for ids in given]
        return by_label(scores, prefix) | {f"{prefix}gen_len": float(np.mean(lengths))}

    return computed
