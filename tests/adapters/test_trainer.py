"""`compute_metrics` in a real Seq2SeqTrainer: the block of docs/cookbook/trainer.md, with a model of two layers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import tertium as tt
from tests.conftest import ROOT
from tools.site.blocks import blocks

pytestmark = [pytest.mark.heavy, pytest.mark.filterwarnings("ignore")]
WORDS = [
    "[PAD]",
    "[EOS]",
    "[UNK]",
    "the",
    "cat",
    "sat",
    "down",
    "a",
    "dog",
    "Katze",
    "Hund",
    "saß",
    "die",
    "ein",
]
PAIRS = [("die Katze saß", "the cat sat down"), ("ein Hund", "a dog"), ("die Katze", "the cat")]


def small_tokenizer() -> Any:
    import tokenizers
    import transformers

    model = tokenizers.models.WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="[UNK]")
    inner = tokenizers.Tokenizer(model)
    inner.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    inner.post_processor = tokenizers.processors.TemplateProcessing(
        single="$A [EOS]", special_tokens=[("[EOS]", 1)]
    )
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=inner, pad_token="[PAD]", eos_token="[EOS]", unk_token="[UNK]"
    )


def test_the_block_of_the_page(tmp_path: Path) -> None:
    import torch
    import transformers

    torch.manual_seed(1)
    tokenizer = small_tokenizer()
    config = transformers.T5Config(
        vocab_size=len(WORDS), d_model=16, d_kv=8, d_ff=32, num_layers=1, num_heads=2,
        pad_token_id=0, eos_token_id=1, decoder_start_token_id=0,
    )  # fmt: skip
    model = transformers.T5ForConditionalGeneration(config)
    rows = [
        {"input_ids": tokenizer(source)["input_ids"], "labels": tokenizer(target)["input_ids"]}
        for source, target in PAIRS
    ]
    args = transformers.Seq2SeqTrainingArguments(
        output_dir=str(tmp_path), predict_with_generate=True, generation_max_length=8, max_steps=200,
        learning_rate=0.01, report_to=[], disable_tqdm=True, save_strategy="no", use_cpu=True, seed=1,
    )  # fmt: skip
    collate = transformers.DataCollatorForSeq2Seq(tokenizer, model=model)

    def trainer_with_collator(*given: Any, **named: Any) -> Any:
        return transformers.Seq2SeqTrainer(*given, data_collator=collate, **named)

    known: dict[str, Any] = {
        "Seq2SeqTrainer": trainer_with_collator, "model": model, "args": args,
        "tokenizer": tokenizer, "train": rows, "dev": rows,
    }  # fmt: skip
    page = (ROOT / "docs" / "cookbook" / "trainer.md").read_text("utf-8")
    (block,) = [own for own in blocks(page) if own.language == "python"]
    exec(compile(block.text, "trainer.md", "exec"), known)
    trainer = known["trainer"]
    before = trainer.evaluate()
    trainer.train()
    after = trainer.evaluate()
    assert {"eval_BLEU", "eval_chrF2++", "eval_gen_len"} <= set(after)
    made = trainer.predict(rows).predictions
    texts = tokenizer.batch_decode(made.clip(0), skip_special_tokens=True)
    want = tt.score(texts, [target for _, target in PAIRS], ["bleu", "chrf++"])
    assert after["eval_BLEU"] == want["bleu"].value
    assert after["eval_chrF2++"] == want["chrf++"].value
    assert after["eval_chrF2++"] > before["eval_chrF2++"] + 20
