"""The metrics of a task: by name, with a spec that may depend on the language pair, and how systems are scored."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Annotated, Any, Literal

from tertium import registry
from tertium.errors import InputError, did_you_mean
from tertium.families.base import Metric
from tertium.families.for_texts import ChosenMetrics, closed_spec, metrics_for_language
from tertium.io.settings import NonEmpty, check, read
from tertium.measuring import chosen_for
from tertium.text.segments import References

LEVELS: tuple[Literal["system", "segment"], ...] = ("system", "segment")
PRESETS = ("wmt17",)
UNNAMED = ("xx-yy", "")  # pairs of tasks that do not say their languages
_PLACE = re.compile(r"\{(source|target)\}")


@dataclass(frozen=True)
class MetricEntry:
    """One of our own metrics in a task.

    `spec` may hold {source} and {target}; `specs` has other specs for single language pairs. A system's score is the
    true corpus score, or the mean of its segments' scores (`aggregation`), which WMT17 used for chrF and others.

    >>> entry = MetricEntry("WER", "wer:tok=moses-{target}", specs={"en-zh": "wer:tok=zh"})
    >>> str(entry.metric("cs-en")), str(entry.metric("en-zh"))
    ('wer:tok=moses-en', 'wer:tok=zh')
    """

    name: str
    spec: Annotated[str, NonEmpty()]
    specs: Mapping[str, str] = field(default_factory=dict)
    aggregation: Literal["corpus", "segments"] = "corpus"
    levels: tuple[Literal["system", "segment"], ...] = LEVELS
    ensemble: bool = False  # built from other metrics: marked in tables

    def __post_init__(self) -> None:
        check(self, f"metric {self.name!r}")

    @staticmethod
    def completed(given: Mapping[str, Any]) -> Mapping[str, Any]:
        """A table without a name is called by its spec."""
        return {"name": str(given.get("spec", "")), **given}

    def metric(self, pair: str) -> Metric:
        """The metric for a language pair, with the tokeniser of its target language unless the spec has one."""
        return metrics_for_language(self._spec(pair), pair.partition("-")[2]).metrics[0]

    def chosen(self, pair: str, references: References, origin: Sequence[str] = ()) -> ChosenMetrics:
        """The same for texts, with notes. Where the pair names no languages (xx-yy), the references' script decides."""
        if pair in UNNAMED:
            return chosen_for(self._spec(pair), references, origin)
        return metrics_for_language(self._spec(pair), pair.partition("-")[2])

    def _spec(self, pair: str) -> str:
        """The spec with the languages in their places."""
        spec = self.specs.get(pair, self.spec)
        source, dash, target = pair.partition("-")
        if _PLACE.search(spec) and not dash:
            wrong = f"its spec names a language, but {pair!r} is not a pair such as en-de"
            raise InputError(f"metric {self.name!r}: {wrong}")
        return _PLACE.sub(lambda found: source if found[1] == "source" else target, spec)


def entries_of(given: Iterable[Any], where: str = "metrics") -> tuple[MetricEntry, ...]:
    """From what a task file says: specs ("chrf++"), tables of settings, and names of bundled lists ("@wmt17").

    >>> [entry.name for entry in entries_of(["chrf++", {"name": "BLEU", "spec": "bleu:tok=intl"}])]
    ['chrF2++', 'BLEU']
    >>> len(entries_of(["@wmt17"]))
    11
    """
    found: list[MetricEntry] = []
    for i, one in enumerate(given, 1):
        if isinstance(one, MetricEntry):
            found.append(one)
        elif isinstance(one, Metric):
            found.append(MetricEntry(one.label, closed_spec(one)))
        elif isinstance(one, str) and one.startswith("@"):
            found += preset(one[1:])
        elif isinstance(one, str):
            label = one if _PLACE.search(one) else registry.metric(one).label
            found.append(MetricEntry(label, one))
        else:
            found.append(read(MetricEntry, one, where, i))
    return _named_apart(found, where)


def preset(name: str) -> tuple[MetricEntry, ...]:
    """A bundled list of metrics."""
    if name not in PRESETS:
        raise InputError(f"there is no list of metrics @{name}{did_you_mean(name, PRESETS)}")
    text = files("tertium").joinpath("data", "meta", f"{name}.toml").read_text(encoding="utf-8")
    return entries_of(tomllib.loads(text)["metrics"], f"@{name}")


def _named_apart(entries: Sequence[MetricEntry], where: str) -> tuple[MetricEntry, ...]:
    """Where two metrics have one name, their specs are their names."""
    names = [entry.name for entry in entries]
    found = [
        entry if names.count(entry.name) == 1 else MetricEntry(**{**vars(entry), "name": entry.spec})
        for entry in entries
    ]
    twice = [entry.name for i, entry in enumerate(found) if entry.name in [e.name for e in found[:i]]]
    if twice:
        raise InputError(f"{where}: there are two metrics {twice[0]!r}: give them names")
    return tuple(found)
