"""evaluate and transformers as their users have them: local modules by path, real tokenizers, a real trainer's loop."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

import tertium as tt
from tertium.adapters import hf_evaluate
from tertium.adapters.trainer import compute_metrics
from tests.adapters.sourced import ToSource
from tests.conftest import skip_or_fail

pytestmark = [pytest.mark.heavy, pytest.mark.filterwarnings("ignore")]
HYPOTHESES = ["the cat sat on a mat", "a dog barks loudly here", "birds fly high"]
REFERENCES = ["the cat sat on the mat", "the dog barks loudly there", "birds fly"]
LISTS = [["the cat sat on the mat", "x"], ["the dog barks"], ["birds fly", "birds fly high", "y"]]
VARIANTS = ["bleu", "bleu:tok=intl,lowercase=yes"]


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("HF_EVALUATE_OFFLINE", "HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path))


def real(name: str) -> Any:
    from importlib import import_module

    try:
        return import_module(name)
    except ImportError as error:
        skip_or_fail(f"{name} cannot be imported: {error}")


def want(metrics: list[Any], references: Any = None, **how: Any) -> dict[str, Any]:
    how |= {"references_per_segment": LISTS} if references is None else {"references": references}
    found = tt.score(HYPOTHESES, metrics=metrics, **how)
    return {found.labels[own.metric]: own.value for own in found}


def scores(found: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in found.items() if not name.endswith("signatures")}


@pytest.mark.parametrize("config", [None, "chrf++", " ".join(["ter", *VARIANTS])])
def test_a_module_by_its_path(config: str | None, tmp_path: Path) -> None:
    """`evaluate.load` with metrics as configuration, as code has it that never heard of Tertium; in memory or not."""
    evaluate = real("evaluate")
    metrics = (config or "bleu").split()
    for memory in (False, True):
        how: Any = {"cache_dir": str(tmp_path), "keep_in_memory": memory}
        module = evaluate.load(hf_evaluate.PATH, config, **how)
        assert scores(module.compute(predictions=HYPOTHESES, references=LISTS)) == want(metrics)
        for i in range(3):
            module.add(prediction=HYPOTHESES[i], reference=REFERENCES[i])
        assert scores(module.compute()) == want(metrics, REFERENCES)


def test_variants_keep_apart() -> None:
    """Two metrics of one label, in one module and in two that are combined."""
    evaluate = real("evaluate")
    found = hf_evaluate.load(VARIANTS).compute(predictions=HYPOTHESES, references=LISTS)
    assert scores(found) == want(VARIANTS)
    assert "tok:intl" in found["signatures"]["BLEU (bleu:tok=intl,lowercase=yes)"]
    parts = {"plain": hf_evaluate.load(VARIANTS[0]), "intl": hf_evaluate.load(VARIANTS[1])}
    combined = evaluate.combine(parts).compute(predictions=HYPOTHESES, references=LISTS)
    assert [combined["plain_BLEU"], combined["intl_BLEU"]] == list(want(VARIANTS).values())


def test_a_module_travels_and_takes_sources() -> None:
    real("evaluate")
    module = pickle.loads(pickle.dumps(hf_evaluate.load("chrf")))
    assert scores(module.compute(predictions=HYPOTHESES, references=LISTS, threads=2)) == want(["chrf"])
    module = hf_evaluate.load(ToSource())
    module.add_batch(predictions=HYPOTHESES, references=LISTS, sources=REFERENCES)
    assert scores(module.compute()) == want(["chrf"], REFERENCES)


def test_missing_references() -> None:
    real("evaluate")
    given: Any = {"predictions": ["a", "b"], "references": ["a", None]}
    with pytest.raises(tt.InputError, match="segment 2 has no reference at all"):
        hf_evaluate.load("chrf").compute(**given)


def tokenizer(pad: str | None = "[PAD]") -> Any:
    """Subwords by bytes, trained here: what it decodes is what it read."""
    tokenizers, transformers = real("tokenizers"), real("transformers")
    inner = tokenizers.ByteLevelBPETokenizer()
    inner.train_from_iterator(
        [*HYPOTHESES, *REFERENCES, "猫 saß é"], vocab_size=300, special_tokens=["<s>", "</s>", "[PAD]"]
    )
    how = {} if pad is None else {"pad_token": pad}
    return transformers.PreTrainedTokenizerFast(tokenizer_object=inner._tokenizer, eos_token="</s>", **how)


@pytest.mark.parametrize("pad", ["[PAD]", None])
def test_subwords(pad: str | None) -> None:
    """Also of a tokenizer that pads with nothing, as GPT's does."""
    import numpy as np

    own, transformers = tokenizer(pad), real("transformers")

    def ids(texts: list[str]) -> Any:
        rows = [[*own(text)["input_ids"], own.eos_token_id] for text in texts]
        width = max(map(len, rows))
        return np.array([row + [-100] * (width - len(row)) for row in rows])

    texts = [*HYPOTHESES[:2], "猫 saß é"], [*REFERENCES[:2], "猫 sass e"]
    given = transformers.EvalPrediction(predictions=ids(texts[0]), label_ids=ids(texts[1]))
    found = compute_metrics(own, ["bleu", "chrf"])(given)
    lengths = [len(own(text)["input_ids"]) + 1 for text in texts[0]]
    wanted = tt.score(*texts, ["bleu", "chrf"])
    assert found == {"BLEU": wanted[0].value, "chrF2": wanted[1].value, "gen_len": np.mean(lengths)}


@pytest.mark.parametrize("generate", [True, False])
@pytest.mark.parametrize("together", [True, False])
def test_a_trainer(generate: bool, together: bool, tmp_path: Path) -> None:
    """Batches of unequal length, put together or not; inputs as sources; without generating, a line that says so."""
    torch, transformers = real("torch"), real("transformers")
    torch.manual_seed(1)
    own = tokenizer()
    config = transformers.T5Config(
        vocab_size=len(own), d_model=16, d_kv=8, d_ff=32, num_layers=1, num_heads=2,
        pad_token_id=own.pad_token_id, eos_token_id=own.eos_token_id, decoder_start_token_id=own.pad_token_id,
    )  # fmt: skip
    model = transformers.T5ForConditionalGeneration(config)
    rows = [
        {"input_ids": own(source)["input_ids"], "labels": own(target)["input_ids"]}
        for source, target in zip(HYPOTHESES, REFERENCES, strict=True)
    ]
    args = transformers.Seq2SeqTrainingArguments(
        output_dir=str(tmp_path), predict_with_generate=generate, generation_max_length=6, report_to=[],
        per_device_eval_batch_size=1, disable_tqdm=True, use_cpu=True, eval_do_concat_batches=together,
        include_for_metrics=["inputs"], max_steps=60, learning_rate=0.02, save_strategy="no", seed=1,
    )  # fmt: skip
    trainer = transformers.Seq2SeqTrainer(
        model, args, train_dataset=rows, eval_dataset=rows,
        data_collator=transformers.DataCollatorForSeq2Seq(own, model=model),
        compute_metrics=compute_metrics(own, ["chrf++", ToSource()], references_per_segment=LISTS),
    )  # fmt: skip
    if not generate:
        with pytest.raises(tt.InputError, match="train with predict_with_generate=True"):
            trainer.evaluate()
        return
    trainer.train()
    found = trainer.evaluate()
    made = []
    for row in rows:
        ids = model.generate(torch.tensor([row["input_ids"]]), max_length=6)
        made.append(own.batch_decode(ids, skip_special_tokens=True)[0].strip())
    scores = tt.score(made, references_per_segment=LISTS, metrics="chrf++")
    assert found["eval_chrF2++"] == scores[0].value > 0
    assert found["eval_chrF2"] == tt.score(made, HYPOTHESES, "chrf")[0].value
    assert 1 <= found["eval_gen_len"] <= 6
