"""Contextual encoders: any Hugging Face model in a folder, or in an installed package that carries its weights.

Nothing is ever downloaded. A text is encoded once: its vectors are kept in memory and in the cache folder, under the
hash of the model and of the text, so that the same text has the same numbers whatever it was encoded together with.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from tertium.errors import InputError, MissingExtraError, SpecError, TertiumWarning, did_you_mean
from tertium.progress import steps
from tertium.text.encoded import Encoded, Store, model_hash
from tertium.text.models import loaded, model_folder, special, special_names, token_names, without_layers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")
R = TypeVar("R")
UNITS = ("subword", "word")
POOLS = ("mean", "first")
LONG = ("split", "refuse")
UNKNOWN = ("refuse", "allow")
DEVICES = ("auto", "cpu", "cuda")
_SURROGATES = re.compile("[\ud800-\udfff]")
_TEXTS_AT_ONCE = 4096  # what is in memory before it is stored
_KEPT = 1 << 30  # bytes of fresh vectors that stay in memory; more are read back from the store
_TOKENS_AT_ONCE = {"cpu": 1024, "cuda": 16384}


@dataclass(frozen=True, eq=False)
class Encoder:
    """A model that gives every token of a text a vector."""

    name: str
    hash: str
    layer: int
    unit: str
    pool: str
    half: bool
    device: str
    tokenizer: Any
    model: Any
    limit: int  # tokens that the model reads in one pass, without the special ones
    long: str
    unknown: str
    cut: bool  # the model ends with our layer

    @staticmethod
    @lru_cache(maxsize=32)
    def open(
        name: str,
        *,
        layer: int = -1,
        unit: str = "subword",
        pool: str = "mean",
        half: bool | None = None,
        long: str = "split",
        unknown: str = "refuse",
        device: str = "auto",
    ) -> Encoder:
        """Open a model. `layer` counts from 0, the input, or from the end; `half` is the default on a GPU.

        `unit` says what gets a vector: sub-words; words split at white space, whose sub-words are pooled; or whole
        texts, whose tokens are, special ones included. Texts
        over the model's limit are encoded in windows that overlap, with a warning, or refused (`long`); a language
        whose tokens are mostly unknown is refused or, with a warning, allowed (`unknown`).
        """
        given = {"unit": unit, "pool": pool, "long": long, "device": device}
        for (what, value), known in zip(given.items(), ((*UNITS, "text"), POOLS, LONG, DEVICES), strict=True):
            if value not in known:
                raise SpecError(f"{what}={value!r} is not a choice{did_you_mean(value, known)}")
        folder = model_folder(name)
        try:
            os.environ.setdefault("HF_HUB_OFFLINE", "1")
            import torch
            import transformers  # noqa: F401
        except ImportError:
            raise MissingExtraError("contextual embeddings", "embeddings") from None
        has_gpu = torch.cuda.is_available()
        if device == "cuda" and not has_gpu:
            raise SpecError("device=cuda needs a GPU, but torch finds none")
        on_gpu = has_gpu and device != "cpu"
        halved = on_gpu if half is None else half
        if halved and not on_gpu:
            raise SpecError("half precision needs a GPU, but there is none")
        chosen = "cuda" if on_gpu else "cpu"
        tokenizer, model = loaded(name, folder, chosen, halved, model_hash(folder))
        if unit == "word" and not tokenizer.is_fast:
            raise InputError(f"{name}: its tokeniser cannot map tokens to words: use unit=subword")
        layers = int(model.config.num_hidden_layers)
        if not -layers - 1 <= layer <= layers:
            raise SpecError(f"{name}: has layers 0 to {layers}, not {layer}")
        before, after = special(tokenizer)
        most = int(getattr(model.config, "max_position_embeddings", 0) or 512)
        if "roberta" in str(model.config.model_type) and most > 2:
            most -= 2  # positions begin after that of padding
        positive = layer if layer >= 0 else layers + 1 + layer
        shorter = model if positive == layers else without_layers(model, positive)
        return Encoder(
            name=name,
            hash=model_hash(folder),
            layer=positive,
            unit=unit,
            pool=pool,
            half=halved,
            device=chosen,
            tokenizer=tokenizer,
            model=shorter or model,
            limit=max(1, most - len(before) - len(after)),
            long=long,
            unknown=unknown,
            cut=shorter is not None,
        )

    @property
    def kind(self) -> str:
        """float16 or float32: what the model computes in."""
        return "float16" if self.half else "float32"

    def encode(self, texts: Sequence[str], *, wanted: bool = True) -> list[Encoded]:
        """Unit vectors of the units of each text; every distinct text is encoded once.

        Texts known to be in the language (references) are refused if most of their tokens are unknown. Others
        (outputs of a system) may be anything: there is a warning.
        """
        store = Store.of(f"{self.hash}-{self.layer}-{self.unit}-{self.pool}-{self.kind}")
        found = store.get(texts)
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        kept = 0
        for begin in range(0, len(missing), _TEXTS_AT_ONCE):
            part = missing[begin : begin + _TEXTS_AT_ONCE]
            fresh = dict(zip(part, self._encoded(part), strict=True))
            store.put(fresh)
            kept += sum(one.vectors.nbytes for one in fresh.values())
            found |= (
                fresh if kept <= _KEPT else fresh | store.get(part)
            )  # reading back costs more than keeping
        self._check(found, wanted)
        return [found[text] for text in texts]

    def _check(self, found: Mapping[str, Encoded], wanted: bool) -> None:
        """Refuse texts of unknown tokens and texts that are too long, or warn, as the options say."""
        strange = [(text, one) for text, one in found.items() if 2 * one.unknown > one.tokens]
        long = [(text, one) for text, one in found.items() if one.tokens > self.limit]
        if strange:
            text, one = strange[0]
            what = f"{one.unknown} of {one.tokens} tokens of {_quoted(text)} are unknown to its tokeniser"
            unknown = sum(one.unknown for one in found.values())
            tokens = sum(one.tokens for one in found.values())
            if self.unknown == "refuse" and wanted and 2 * unknown > tokens:
                raise InputError(
                    f"{self.name}: {what}, and {unknown} of {tokens} in all: it was not trained for this script; "
                    "choose another encoder (or unknown=allow: they match nothing)"
                )
            _warn(f"{self.name}: {what}, and most of {len(strange)} texts in all: these tokens match nothing")
        if long:
            text, one = long[0]
            if self.long == "refuse":
                raise InputError(
                    f"{self.name}: {_quoted(text)} has {one.tokens} tokens, more than {self.limit}"
                )
            _warn(
                f"{self.name}: {len(long)} texts have more than {self.limit} tokens and are encoded in windows "
                f"that overlap ({_quoted(text)} has {one.tokens})"
            )

    def _encoded(self, texts: Sequence[str]) -> list[Encoded]:
        import numpy as np

        cut = self._cut(texts)
        before, after = (len(part) for part in special(self.tokenizer))
        windows = [
            _Window(i, begin, ids[begin : begin + self.limit], first, last)
            for i, (ids, _, _) in enumerate(cut)
            for begin, first, last in _spans(len(ids), self.limit)
        ]
        vectors: list[NDArray[np.floating] | None] = [None] * len(cut)
        for batch, found in self._states(windows):
            for window, rows in zip(batch, found, strict=True):
                length = len(cut[window.text][0])
                if length <= self.limit:
                    vectors[window.text] = rows
                    continue
                own = vectors[window.text]
                if own is None:
                    own = np.zeros((before + length + after, rows.shape[1]), rows.dtype)
                    vectors[window.text] = own
                first = 0 if window.first == 0 else window.first + before
                last = window.last + before + (after if window.last == length else 0)
                own[first:last] = rows[first - window.begin : last - window.begin]
        return [
            self._pooled(rows, *parts) for rows, parts in zip(vectors, cut, strict=True) if rows is not None
        ]

    def _cut(self, texts: Sequence[str]) -> list[tuple[list[int], list[str], list[int]]]:
        """For each text its token numbers, its units and, where these are words, the place of each token's word."""
        texts = [_SURROGATES.sub("\ufffd", text) for text in texts]  # tokenizers want Unicode
        if self.unit == "word":
            words = [text.split() for text in texts]
            known = [own for own in words if own]
            if not known:
                return [([], [], []) for _ in texts]
            made = self.tokenizer(known, is_split_into_words=True, add_special_tokens=False, verbose=False)
            cut = (
                (list(ids), own, list(made.word_ids(i)))
                for i, (ids, own) in enumerate(zip(made["input_ids"], known, strict=True))
            )
            return [next(cut) if own else ([], [], []) for own in words]
        how = {"return_attention_mask": False, "return_token_type_ids": False}
        names = token_names(self.tokenizer)
        made = self.tokenizer(texts, add_special_tokens=False, verbose=False, **how) if texts else {}
        return [(ids, [names[number] for number in ids], []) for ids in made.get("input_ids", ())]

    def _batches(self, windows: list[_Window]) -> Iterator[list[_Window]]:
        """Windows of similar length together, so that little is padded. On a CPU of the same length: padding changes
        the last bits of vectors, company of the same length does not."""
        most, padded = _TOKENS_AT_ONCE[self.device], self.device != "cpu"
        batch: list[_Window] = []
        for window in sorted(windows, key=lambda window: (len(window.ids), window.ids)):
            alike = padded or not batch or len(window.ids) == len(batch[0].ids)
            if batch and (not alike or (len(batch) + 1) * len(window.ids) > most):
                yield batch
                batch = []
            batch.append(window)
        if batch:
            yield batch

    def _states(self, windows: list[_Window]) -> Iterator[tuple[list[_Window], list[NDArray[np.floating]]]]:
        """Batches of windows, and a vector for each token of each. While one is unpacked, the next is computed."""
        before: tuple[list[_Window], Any] | None = None
        batches = list(self._batches(windows))
        ids = [[window.ids for window in batch] for batch in batches]
        made = _each_alone(self._forward, ids) if self.device == "cpu" else map(self._forward, ids)
        for batch, states in zip(steps(batches, "encoding texts", size=len), made, strict=True):
            now = batch, states
            if before is not None:
                yield before[0], self._split(*before)
            before = now
        if before is not None:
            yield before[0], self._split(*before)

    def _forward(self, batch: list[list[int]]) -> Any:
        """Vectors of all tokens of a batch, one text after the other, still on the device."""
        import numpy as np
        import torch

        before, after = special(self.tokenizer)
        lengths = np.array([len(own) for own in batch]) + len(before) + len(after)
        real = np.arange(lengths.max()) < lengths[:, None]
        ids = np.full(real.shape, self.tokenizer.pad_token_id or 0, np.int64)
        ids[real] = np.fromiter(
            (number for own in batch for part in (before, own, after) for number in part),
            np.int64,
            lengths.sum(),
        )
        mask = torch.from_numpy(real).to(self.device)
        with torch.inference_mode():
            made = self.model(
                input_ids=torch.from_numpy(ids).to(self.device), attention_mask=mask.long(), **self._wanted
            )
            states = made.hidden_states[self.layer] if self._wanted else made.last_hidden_state
            states = states[mask].float()
            if self.unit == "subword":  # words are pooled first
                states = torch.nn.functional.normalize(states, dim=-1)
                if self.half:
                    states = states.half()  # half as much to bring back and to keep
        return states

    def _split(self, batch: list[_Window], states: Any) -> list[NDArray[np.floating]]:
        specials = sum(len(part) for part in special(self.tokenizer))
        rows: NDArray[np.floating] = states.cpu().numpy()
        ends = list(accumulate(len(window.ids) + specials for window in batch))
        return [rows[begin:end] for begin, end in pairwise([0, *ends])]

    @property
    def _wanted(self) -> dict[str, bool]:
        """The wanted layer: the last one, where the model was cut off after it."""
        return {} if self.cut else {"output_hidden_states": True}

    def _pooled(
        self, rows: NDArray[np.floating], ids: list[int], units: list[str], places: list[int]
    ) -> Encoded:
        """Unit vectors of units. Special tokens stay with sub-words; unknown ones become zero and match nothing."""
        import numpy as np

        before, after = (len(part) for part in special(self.tokenizer))
        unknown = self.tokenizer.unk_token_id
        if self.unit == "text":
            whole = rows[0] if self.pool == "first" else rows.mean(axis=0)
            whole = whole / max(float(np.linalg.norm(whole)), 1e-12)
            return Encoded(("",), whole.astype(self.kind)[None], 0, 0, len(ids), ids.count(unknown))
        if unknown is not None and unknown in ids:
            rows[before : before + len(ids)][np.array(ids) == unknown] = 0
        if self.unit == "subword":
            names = special_names(self.tokenizer)
            return Encoded((*names[0], *units, *names[1]), rows, before, after, len(ids), ids.count(unknown))
        rows = rows[before : before + len(ids)]
        pooled = np.zeros((len(units), rows.shape[1]), np.float32)
        if len(rows):
            known, first = np.unique(np.array(places), return_index=True)  # a word of controls has no token
            if self.pool == "first":
                pooled[known] = rows[first]
            else:
                np.add.at(pooled, np.array(places), rows)  # the direction is what counts
        lengths = np.linalg.norm(pooled.astype(np.float64), axis=1, keepdims=True)
        unit = np.divide(pooled, lengths, out=np.zeros_like(pooled), where=lengths > 0, casting="unsafe")
        unit = unit.astype(self.kind, copy=False)
        return Encoded(tuple(units), unit, 0, 0, len(ids), ids.count(unknown))


def _each_alone(work: Callable[[T], R], parts: Sequence[T]) -> Iterator[R]:
    """The results, by as many threads as torch may use, one for each part: where several divide a small product, its
    last bits depend on how many they are."""
    import torch

    number = torch.get_num_threads()
    return map(work, parts) if number == 1 else _hands(number).map(work, parts)


@lru_cache(maxsize=1)
def _hands(number: int) -> ThreadPoolExecutor:
    """So many threads, each of which computes by itself. What torch does in other threads stays as it was."""
    import torch

    def begin() -> None:
        torch.get_num_threads()  # a thread that was not asked yet would later take what others have set
        torch.set_num_threads(1)

    pool = ThreadPoolExecutor(number, initializer=begin)
    present = threading.Barrier(number)
    for _ in pool.map(lambda _: present.wait(), range(number)):
        pass
    torch.set_num_threads(number)
    return pool


class _Window(NamedTuple):
    """A stretch of a text's tokens that the model reads in one pass, and which vectors are taken from it."""

    text: int
    begin: int
    ids: list[int]
    first: int
    last: int


def _spans(n: int, limit: int) -> Iterator[tuple[int, int, int]]:
    """Where windows over n tokens begin, and the tokens that are taken from each: those farthest from its edges.

    >>> list(_spans(10, 4))
    [(0, 0, 3), (3, 3, 6), (6, 6, 10)]
    >>> list(_spans(12, 8))
    [(0, 0, 6), (4, 6, 12)]
    """
    if n <= limit:
        yield 0, 0, n
        return
    step = limit - limit // 4
    begins = [*range(0, n - limit, step), n - limit]
    edges = [0, *((earlier + limit + later) // 2 for earlier, later in pairwise(begins)), n]
    for begin, (first, last) in zip(begins, pairwise(edges), strict=True):
        yield begin, first, last


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:40] + "...")


def _warn(message: str) -> None:
    import warnings

    warnings.warn(message, TertiumWarning, stacklevel=5)
