"""What metrics share that take vectors from a contextual encoder: its options and signature, words in context."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from tertium import _native
from tertium.errors import SpecError
from tertium.families.base import Metric, option
from tertium.text.encoded import Encoded
from tertium.text.encoders import DEVICES, LONG, POOLS, UNKNOWN, Encoder
from tertium.text.vectors import checked_path

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

AT_ONCE = 2048  # segments whose vectors are in one table


@dataclass(frozen=True)
class EncoderMetric(Metric):
    """A metric that can take vectors from an encoder."""

    vector_options: ClassVar[tuple[str, ...]] = ()  # that a model takes the place of

    model: str = option(
        "",
        "an encoder: a folder in Hugging Face format, or a package that carries one",
        key="model",
        file=True,
    )
    layer: int = option(
        -1, "the layer whose vectors count: from 0, the input, or counted back from the end", key="layer"
    )
    pool: str = option(
        "mean", "a word's vector: the mean of its subwords, or the first", choices=POOLS, key="pool"
    )
    half: bool | None = option(None, "half precision (none: on a GPU)")
    long: str = option(
        "split", "texts over the encoder's limit: split into windows, or refuse", choices=LONG, decides=False
    )
    unknown: str = option(
        "refuse",
        "references of mostly unknown tokens: refuse, or allow them to match nothing",
        choices=UNKNOWN,
        decides=False,
    )
    device: str = option("auto", "device to run on: auto, cpu or cuda", choices=DEVICES, decides=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_path(self.name, "model", self.model)
        for name in self.vector_options:
            if self.model and getattr(self, name):
                raise SpecError(f"{self.name}: give {name} or model, not both")

    def _encoder(self, unit: str = "word") -> Encoder:
        how: dict[str, Any] = {"layer": self.layer, "unit": unit, "pool": self.pool, "half": self.half}
        lenient: dict[str, Any] = {"long": self.long, "unknown": self.unknown, "device": self.device}
        return Encoder.open(self.model, **how, **lenient)

    def _in_context(self, texts: Sequence[list[str] | None], *, wanted: bool = True) -> list[Encoded | None]:
        """A vector for each word of each text. Words that hold blanks of any kind stay one word."""
        lines = [
            None if words is None else " ".join("".join(word.split()) or "\ufffd" for word in words)
            for words in texts
        ]
        found = iter(self._encoder().encode([line for line in lines if line is not None], wanted=wanted))
        return [None if line is None else next(found) for line in lines]

    def encoder_items(self, **between: str) -> dict[str, str]:
        """The encoder's part of a signature, around what a metric has to say."""
        import importlib.metadata

        encoder = self._encoder()
        items = {"model": f'"{self.model}"', "model-hash": encoder.hash, "layer": str(self.layer), **between}
        items["dtype"] = encoder.kind if self.half is None else f"{encoder.kind}!"
        for package in ("torch", "transformers"):
            items[package] = importlib.metadata.version(package)
        return items

    @classmethod
    def words_from(cls, items: dict[str, str]) -> dict[str, Any]:
        kind = items.get("dtype", "")
        half = kind.startswith("float16") if kind.endswith("!") else None
        return super().words_from(items) | {"half": half}


class UnitTable(NamedTuple):
    """Texts as kernels take them: vectors and weights of all units in one array each, and where texts begin."""

    vectors: NDArray[np.float32]
    weights: NDArray[np.float64]
    starts: NDArray[np.int64]


def unit_table(texts: Sequence[Encoded], weights: NDArray[np.float64] | None = None) -> UnitTable:
    """The table of these texts; without `weights` all units weigh 1."""
    import numpy as np

    starts = np.cumsum([0, *(len(text.units) for text in texts)]).astype(np.int64)
    width = max(text.vectors.shape[1] for text in texts)
    table = np.zeros((int(starts[-1]), -(-width // 8) * 8), np.float32)
    for text, begin, end in zip(texts, starts[:-1], starts[1:], strict=True):
        if end > begin:
            table[begin:end, :width] = text.vectors
    return UnitTable(table, np.ones(len(table)) if weights is None else weights, starts)


def word_weights(
    texts: Sequence[Sequence[str]], weights: _native.WordWeights, fold: str
) -> NDArray[np.float64]:
    """What each word weighs."""
    import numpy as np

    words = {word for words in texts for word in words}
    known = {word: weights.weight(word.encode("utf-8", "surrogatepass"), fold) for word in words}
    return np.array([known[word] for words in texts for word in words], np.float64)


def context_agreements(own: UnitTable, other: UnitTable, pairs: Any, order: int, threads: int) -> Any:
    """Precision and recall of phrases: (our text, their text, begin and end of theirs, begin and end of ours) each."""
    import numpy as np

    rows = np.asarray(pairs, np.int64).reshape(-1, 6)
    return np.asarray(_native.context_agreements(*own, *other, rows, order, threads))
