"""`compute_metrics` for Hugging Face's `Seq2SeqTrainer`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from tertium.adapters.columns import Specs, by_label, checked, chosen, corpus_scores
from tertium.errors import InputError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

IGNORED = -100  # the label of tokens that do not count, and what the trainer fills shorter batches with


def compute_metrics(
    tokenizer: Any,
    metrics: Specs = ("bleu", "chrf"),
    *,
    prefix: str = "",
    references: Any = None,
    references_per_segment: Any = None,
    sources: Any = None,
    **how: Any,
) -> Callable[..., dict[str, float]]:
    """A function of a trainer's predictions: decodes them and the labels, and gives scores by label.

    `tokenizer` is the model's, or its processor. `references` or `references_per_segment`, as in `tertium.score`, are
    texts in place of the decoded labels, which may have been cut or normalised. `sources` are what some metrics need;
    without them the inputs are decoded (`include_for_metrics=["inputs"]`). `how` is `tertium.score`'s: `documents`,
    `threads`. With `predict_with_generate=True`:

        trainer = Seq2SeqTrainer(..., compute_metrics=compute_metrics(tokenizer, ["bleu", "chrf++"]))
    """
    own = chosen(metrics)  # what is wrong is told before hours of training
    specs = checked(metrics)
    if not hasattr(tokenizer, "batch_decode"):
        raise InputError(
            f"compute_metrics(tokenizer, ...) wants a tokenizer, with batch_decode, not a {type(tokenizer).__name__}"
        )
    inner = getattr(tokenizer, "tokenizer", None)  # of a processor
    pad = getattr(tokenizer, "pad_token_id", getattr(inner, "pad_token_id", None))

    def texts(rows: list[NDArray[np.int64]]) -> list[str]:
        decoded = tokenizer.batch_decode([row.tolist() for row in rows], skip_special_tokens=True)
        return [text.strip() for text in decoded]

    def computed(prediction: Any, compute_result: bool | None = None) -> dict[str, float]:
        if compute_result is not None:
            raise InputError("a corpus score needs all segments at once: train with batch_eval_metrics=False")
        import numpy as np

        given = list(_rows(prediction.predictions))
        wanted = references if references_per_segment is None else [references_per_segment]
        if wanted is None:
            wanted = texts(list(_rows(prediction.label_ids)))
        origin, inputs = sources, getattr(prediction, "inputs", None)
        if origin is None and inputs is not None and any(metric.needs_source for metric in own):
            origin = texts(list(_rows(inputs)))
        scores = corpus_scores(texts(given), wanted, specs, sources=origin, **how)
        lengths = [int((row != pad).sum()) if pad is not None else len(row) for row in given]
        return by_label(scores, prefix) | {f"{prefix}gen_len": float(np.mean(lengths))}

    return computed


def _rows(ids: Any) -> Iterator[NDArray[np.int64]]:
    """The tokens of each segment, without what is ignored. There may be more than ids (a tuple), and a list has a
    batch, or a segment, in each place (`eval_do_concat_batches=False`)."""
    import numpy as np

    ids = ids[0] if isinstance(ids, tuple) else ids
    if isinstance(ids, list) and ids and not isinstance(ids[0], int):
        for part in ids:
            yield from _rows(part)
        return
    found = np.asarray(ids, dtype=np.int64 if isinstance(ids, list) else None)
    if found.dtype.kind not in "iu" or found.ndim > 2:
        raise InputError(
            "there are no token ids to decode, but logits or nothing: train with predict_with_generate=True"
        )
    for row in np.atleast_2d(found):
        yield row[row != IGNORED]
