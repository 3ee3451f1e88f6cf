"""Tiny models of COMET with random weights, and what unbabel-comet itself makes of texts by them.

It is run by a Python that has unbabel-comet (tools/check_comet.py makes one); it uses nothing of ours.

    python comet_tiny.py make FOLDER TEXT...
    python comet_tiny.py score FOLDER SOURCE REFERENCE HYPOTHESIS
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

CLASSES = {"regression": "regression_metric", "referenceless": "referenceless_regression_metric"}


def make(folder: Path, texts: list[str]) -> None:
    """An encoder in XLM-R's shape and two checkpoints on it, as the hub has them: with references and without."""
    import pytorch_lightning
    import sentencepiece
    import torch
    import yaml
    from comet.models import str2model
    from transformers import XLMRobertaConfig, XLMRobertaModel, XLMRobertaTokenizer

    encoder = folder / "encoder"
    encoder.mkdir(parents=True)
    pieces = folder / "pieces"
    sentencepiece.SentencePieceTrainer.train(
        input=texts, model_prefix=str(pieces), vocab_size=600, unk_id=0, bos_id=1, eos_id=2, pad_id=-1
    )
    tokenizer = XLMRobertaTokenizer(f"{pieces}.model")
    tokenizer.save_pretrained(encoder)
    torch.manual_seed(1)
    sizes = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
    config = XLMRobertaConfig(
        vocab_size=len(tokenizer), max_position_embeddings=514, type_vocab_size=1, **sizes
    )
    XLMRobertaModel(config).save_pretrained(encoder)
    for name, kind in CLASSES.items():
        model = str2model[kind](
            encoder_model="XLM-RoBERTa",
            pretrained_model=str(encoder),
            hidden_sizes=[16],
            layer_transformation="softmax",
        )
        chosen: dict[str, Any] = {**model.hparams, "class_identifier": kind}
        checkpoint = folder / name / "checkpoints" / "model.ckpt"
        checkpoint.parent.mkdir(parents=True)
        (folder / name / "hparams.yaml").write_text(yaml.safe_dump(json.loads(json.dumps(chosen))))
        version = pytorch_lightning.__version__
        weights = {"state_dict": model.state_dict(), "hyper_parameters": chosen}
        torch.save({**weights, "pytorch-lightning_version": version}, checkpoint)


def score(folder: Path, source: str, reference: str, hypothesis: str) -> None:
    """Scores of segments by both models, as JSON."""
    from comet import load_from_checkpoint

    lines = [Path(path).read_text("utf-8").splitlines() for path in (source, reference, hypothesis)]
    found = {}
    for name in CLASSES:
        model = load_from_checkpoint(str(folder / name / "checkpoints" / "model.ckpt"), local_files_only=True)
        asked = [
            {"src": s, "mt": h} | ({"ref": r} if name == "regression" else {})
            for s, r, h in zip(*lines, strict=True)
        ]
        found[name] = model.predict(asked, batch_size=16, gpus=0, progress_bar=False).scores
    print(json.dumps(found))


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(Path(sys.argv[2]), sys.argv[3:])
    else:
        score(Path(sys.argv[2]), *sys.argv[3:])
