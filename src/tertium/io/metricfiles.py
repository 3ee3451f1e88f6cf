"""Files of trained metrics: plain JSON, checked when they are read, never code."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

from tertium.errors import InputError
from tertium.io.records import read_json
from tertium.io.settings import Between, NonEmpty, read
from tertium.io.streams import display_name

FORMAT = "tertium metric"
VERSION = 1
_FOLDER = "data/models"


@dataclass(frozen=True)
class TrainedOn:
    """What a model was trained on, and how well it does where it was not."""

    data: str
    segments: Annotated[int, Between(1, 10**12)]
    fingerprint: str
    correlation: Annotated[float, Between(-1, 1)]
    by: str
    licence: str = ""


@dataclass(frozen=True)
class LinearModel:
    """Weights of named features: a score is their sum and the intercept, within [0, 1]."""

    name: Annotated[str, NonEmpty()]
    features: Annotated[tuple[str, ...], NonEmpty()]
    weights: tuple[float, ...]
    intercept: float
    settings: dict[str, str] = field(default_factory=dict)
    training: TrainedOn | None = None
    format: str = FORMAT
    version: int = VERSION

    @property
    def hash(self) -> str:
        """Eight hexadecimal digits, equal where numbers and names are."""
        told = json.dumps([self.name, self.features, self.weights, self.intercept, self.settings])
        return hashlib.sha256(told.encode()).hexdigest()[:8]


def write_model(model: LinearModel, path: str | Path) -> None:
    """The model as a file that people can read."""
    Path(path).write_text(json.dumps(asdict(model), indent=1, ensure_ascii=False) + "\n", "utf-8")


@lru_cache(maxsize=16)
def bundled_model(name: str) -> LinearModel:
    """A model that comes with Tertium.

    >>> bundled_model("beer").name
    'BEER'
    """
    text = files("tertium").joinpath(_FOLDER, f"{name}.json").read_text("utf-8")
    return _checked(json.loads(text), name)


def read_model(path: str | Path) -> LinearModel:
    """A model from a file, or one line on what is wrong with it."""
    return _checked(read_json(path), display_name(path))


def _checked(values: Any, name: str) -> LinearModel:
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        raise InputError(f"{name}: is no trained metric (its format is not {FORMAT!r})")
    if values.get("version") != VERSION:
        raise InputError(
            f"{name}: is version {values.get('version')} of the format, and this Tertium reads version {VERSION}"
        )
    model = read(LinearModel, values, name)
    if len(model.weights) != len(model.features):
        raise InputError(f"{name}: has {len(model.features)} features, but {len(model.weights)} weights")
    if not all(map(math.isfinite, (*model.weights, model.intercept))):
        raise InputError(f"{name}: a weight is not a finite number")
    return model
