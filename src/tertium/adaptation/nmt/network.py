"""The network: Marian's architecture of Hugging Face's transformers, made from scratch, and what it loses on a batch.

The padding is the last number of the vocabulary, its vector is zero and it is never predicted, as Marian has it and
CTranslate2 expects.
"""

from __future__ import annotations

import json
import os
from typing import Any

from tertium.adaptation.nmt.pieces import PieceVocabulary
from tertium.adaptation.nmt.settings import NetworkSetting
from tertium.errors import InputError, MissingExtraError

_PLACES = 512  # the longest text it has positions for


def torch() -> Any:
    """The package."""
    try:
        import torch as found
    except ImportError:
        raise MissingExtraError("training a translator", "adapt") from None
    return found


def transformers() -> Any:
    """The package."""
    try:
        import transformers as found
    except ImportError:
        raise MissingExtraError("a neural translator", "adapt") from None
    quiet: Any = found.utils.logging
    quiet.set_verbosity_error()
    quiet.disable_progress_bar()
    return found


def build(setting: NetworkSetting, vocabulary: PieceVocabulary) -> Any:
    """A network with random weights, drawn by the setting's seed."""
    package = transformers()
    torch().manual_seed(setting.seed)
    config = package.MarianConfig(
        vocab_size=vocabulary.size,
        d_model=setting.width,
        encoder_layers=setting.encoder,
        decoder_layers=setting.decoder,
        encoder_attention_heads=setting.heads,
        decoder_attention_heads=setting.heads,
        encoder_ffn_dim=setting.inner,
        decoder_ffn_dim=setting.inner,
        activation_function="relu",
        dropout=setting.dropout,
        attention_dropout=min(setting.dropout, 0.1),
        activation_dropout=min(setting.dropout, 0.1),
        max_position_embeddings=_PLACES,
        scale_embedding=True,
        share_encoder_decoder_embeddings=True,
        tie_word_embeddings=True,
        init_std=setting.width**-0.5,
        pad_token_id=vocabulary.pad,
        eos_token_id=vocabulary.end,
        decoder_start_token_id=vocabulary.pad,
        forced_eos_token_id=vocabulary.end,
        bos_token_id=None,
        attn_implementation="sdpa",
    )
    network = package.MarianMTModel(config)
    _begin(network)
    return network


def _begin(network: Any) -> None:
    """Weights of linear layers as usual for Transformers (Glorot); the padding's vector is zero."""
    package = torch()
    with package.no_grad():
        for name, part in network.named_modules():
            if isinstance(part, package.nn.Linear) and name != "lm_head":
                # Layers behind which a sum is normalised begin small, else a deep network learns nothing or diverges.
                small = name.endswith(("v_proj", "out_proj", "fc1", "fc2"))
                package.nn.init.xavier_uniform_(part.weight, gain=0.5 if small else 1.0)
                if part.bias is not None:
                    package.nn.init.zeros_(part.bias)
        network.get_input_embeddings().weight[network.config.pad_token_id].zero_()


def states(network: Any, source: Any, target: Any, *, start: int) -> Any:
    """The decoder's states before each piece of the target (the end mark included)."""
    before = target.roll(1, dims=1)
    before[:, 0] = start
    return network.model(
        input_ids=source,
        attention_mask=(source != start).long(),
        decoder_input_ids=before,
        use_cache=False,
    ).last_hidden_state


def scores(network: Any, hidden: Any) -> Any:
    """Logits of all pieces but the padding."""
    return torch().nn.functional.linear(hidden, network.get_input_embeddings().weight[:-1])


def loss(network: Any, source: Any, target: Any, *, pad: int, smoothing: float = 0.0) -> tuple[Any, Any]:
    """The cross-entropy of the target's pieces, added up, and how many pieces there are."""
    package = torch()
    logits = scores(network, states(network, source, target, start=pad))
    wanted = target.masked_fill(target == pad, -100)
    lost = package.nn.functional.cross_entropy(
        logits.float().view(-1, logits.shape[-1]),
        wanted.view(-1),
        ignore_index=-100,
        label_smoothing=smoothing,
        reduction="sum",
    )
    return lost, (target != pad).sum()


def save(network: Any, vocabulary: PieceVocabulary, folder: str, facts: dict[str, Any]) -> None:
    """A model as a folder: the network as transformers writes it, the vocabulary, and what is known of its making."""
    network.save_pretrained(folder)
    vocabulary.save(folder)
    with open(os.path.join(folder, "training.json"), "w", encoding="utf-8") as file:
        json.dump(facts, file, ensure_ascii=False, indent=1)


def load(folder: str) -> tuple[Any, PieceVocabulary]:
    """The network and the vocabulary of a model."""
    vocabulary = PieceVocabulary.load(folder)
    package = transformers()
    try:
        network = package.MarianMTModel.from_pretrained(folder, local_files_only=True)
    except (OSError, ValueError, RuntimeError, KeyError) as error:
        raise InputError(f"{folder}: no model ({str(error).splitlines()[0]})") from None
    if network.config.vocab_size != vocabulary.size:
        raise InputError(
            f"{folder}: the model has {network.config.vocab_size:,} pieces, its vocabulary {vocabulary.size:,};"
            " they are not of one training"
        )
    return network.eval(), vocabulary
