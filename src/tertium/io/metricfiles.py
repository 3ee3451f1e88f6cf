"""Files of trained metrics: plain JSON, checked when they are read, never code."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Literal

from tertium.errors import InputError
from tertium.io.ownfiles import check_own
from tertium.io.records import read_json
from tertium.io.settings import Between, NonEmpty, read
from tertium.io.streams import FilePath, display_name

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
    seen: str = ""  # hashes of the segments, one behind the other
    pseudo: tuple[str, ...] = ()  # labels of references that were outputs of other systems
    measure: str = "r"  # what `correlation` is: r with scores, or tau with comparisons
    accuracy: Annotated[float, Between(0, 1)] | None = None  # of comparisons
    units: str = "segments"  # what was judged; documents by ids, or as `tertium.text.units` names them

    @cached_property
    def known(self) -> frozenset[str]:
        """The hashes one by one."""
        return frozenset(self.seen[i : i + HASH] for i in range(0, len(self.seen), HASH))


@dataclass(frozen=True)
class MetricModel:
    """From the numbers of features to one number.

    `linear`: weights times features, and the intercept. `svr`: the same of the radial kernel's values at support
    vectors. Before that, undefined features become what `absent` has for them, and features from `low` to `high` become
    -1 to 1, if these are given.
    """

    name: Annotated[str, NonEmpty()]
    components: Annotated[tuple[str, ...], NonEmpty()]
    features: Annotated[tuple[str, ...], NonEmpty()]
    weights: Annotated[tuple[float, ...], NonEmpty()]
    intercept: float
    kind: Literal["linear", "svr"] = "linear"
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    support: tuple[tuple[float, ...], ...] = ()
    gamma: Annotated[float, Between(0, 1e6)] = 0.0
    signatures: tuple[str, ...] = ()
    absent: tuple[float, ...] = ()  # what counts where a feature is undefined; nothing: the worst
    training: TrainedOn | None = None
    format: str = FORMAT
    version: int = VERSION

    @property
    def hash(self) -> str:
        """Eight hexadecimal digits, equal where names and numbers are."""
        told = {key: value for key, value in asdict(self).items() if key != "training"}
        if not self.absent:  # as before there were any
            del told["absent"]
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:8]


HASH = 8  # hexadecimal digits


def segment_hash(hypothesis: str | None, reference: str | None) -> str:
    """What a model remembers of a segment that it was trained on.

    >>> segment_hash("a b", "a c")
    'f78cbfdc'
    """
    told = f"{hypothesis or ''}\n{reference or ''}".encode("utf-8", "surrogatepass")
    return hashlib.sha256(told).hexdigest()[:HASH]


def _lengths(model: MetricModel) -> str:
    n, svr = len(model.features), model.kind == "svr"
    expected = len(model.support) if svr else n
    if len(model.weights) != expected:
        return f"has {expected} {'support vectors' if svr else 'features'}, but {len(model.weights)} weights"
    if (
        any(len(row) != n for row in model.support)
        or len(model.low) != len(model.high)
        or any(len(values) not in (0, n) for values in (model.low, model.absent))
    ):
        return f"has {n} features, but other numbers of values for them"
    return ""


def _finite(model: MetricModel) -> str:
    numbers = chain(
        model.weights, [model.intercept, model.gamma], model.low, model.high, model.absent, *model.support
    )
    return "" if all(map(math.isfinite, numbers)) else "a number in it is not finite"


RULES: tuple[Callable[[MetricModel], str], ...] = (_lengths, _finite)


def write_model(model: MetricModel, path: FilePath) -> None:
    """The model as a file that people can read."""
    values = {key: value for key, value in asdict(model).items() if value not in ((), None)}
    if "training" in values:
        values["training"] = {
            key: value for key, value in values["training"].items() if value not in ((), None)
        }
    Path(path).write_text(json.dumps(values, indent=1, ensure_ascii=False) + "\n", "utf-8")


@lru_cache(maxsize=16)
def bundled_model(name: str) -> MetricModel:
    """A model that comes with Tertium.

    >>> bundled_model("beer").name
    'BEER'
    """
    text = files("tertium").joinpath(_FOLDER, f"{name}.json").read_text("utf-8")
    return _checked(json.loads(text), name)


def read_model(path: FilePath) -> MetricModel:
    """A model from a file, or one line on what is wrong with it."""
    return _checked(read_json(path), display_name(path))


def _checked(values: Any, name: str) -> MetricModel:
    check_own(values, name, "trained metric", FORMAT, VERSION)
    model = read(MetricModel, values, name)
    for rule in RULES:
        if problem := rule(model):
            raise InputError(f"{name}: {problem}")
    return model
