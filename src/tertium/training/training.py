"""`train`: a metric from other metrics and people's judgements, with what it is worth and what each part earns."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tertium import __version__
from tertium._native import Lines
from tertium.errors import InputError, SpecError, TertiumWarning
from tertium.families.features import Component, components_of
from tertium.families.trained import apply_model
from tertium.io.metricfiles import MetricModel, TrainedOn
from tertium.io.tables import Column, Table, number_column
from tertium.progress import steps
from tertium.results import Result
from tertium.text.segments import References
from tertium.training.judged import SEGMENTS, JudgedTexts
from tertium.training.models import DIGITS, Learner, learner_for, model_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

_ROUGE = tuple(f"rouge:{variant}" for variant in ("1", "2", "3", "4", "L", "S", "SU", "W"))
_LEXICAL = ("bleu", "gtm:1", "gtm:2", "gtm:3", "nist", "ol", "per", "ter", "wer")
BLEND = (*_LEXICAL, *_ROUGE, "character", "beer", "meteor:modules=exact", "meteor:modules=exact+stem")
PRESETS: Mapping[str, tuple[str, ...]] = {
    "blend": BLEND,
    "blend-full": (*BLEND, "meteor:modules=exact+stem+synonym", "meteor"),  # METEOR's files are needed
    "blend-ru": (
        *(
            *_LEXICAL,
            *(f"{spec},tok=13a,lc=yes" for spec in _ROUGE),
        ),  # ROUGE's own tokeniser knows Latin letters only
        *("character", "beer", "meteor:lang=ru,modules=exact", "meteor:lang=ru,modules=exact+stem"),
    ),
}


MOST_NAMED = 10  # of constant features, in a warning


@dataclass(frozen=True)
class ComponentWorth:
    """What a component is worth: its correlation alone, that of all others without it, and its cost."""

    spec: str
    alone: float | None
    without: float | None
    seconds: float  # of CPU for a million segments


@dataclass(frozen=True)
class TrainedMetric(Result):
    """A trained metric: how well it agrees with people where it was not trained, by Pearson's r with scores or by WMT's
    tau with comparisons."""

    kind = "trained metric"
    model: MetricModel
    learner: str
    setting: float
    segments: int
    correlation: float
    by_set: Mapping[str, float]
    components: tuple[ComponentWorth, ...]
    measure: str = "r"  # of the agreement: r with scores, tau with comparisons
    accuracy: float | None = None  # the share of comparisons decided as people did

    def contents(self) -> Mapping[str, Any]:
        return {
            "name": self.model.name,
            "hash": self.model.hash,
            "learner": self.learner,
            "setting": self.setting,
            "segments": self.segments,
            "correlation": self.correlation,
            "by_set": dict(self.by_set),
            "components": self.components,
            "measure": self.measure,
            "accuracy": self.accuracy,
        }

    def table(self) -> Table:
        """A row for each component."""
        named = self.measure
        titles = {"alone": f"{named} alone", "without": f"{named} without it", "seconds": "s / million"}
        shown = [key for key in titles if any(getattr(one, key) is not None for one in self.components)]
        columns = [number_column(titles[key], digits=1 if key == "seconds" else 3) for key in shown]
        rows = [(one.spec, *(getattr(one, key) for key in shown)) for one in self.components]
        return Table("", (Column("component"), *columns), tuple(rows))

    def words(self) -> Iterator[str]:
        known = [one for one in self.components if one.alone is not None]
        best = max(known, key=lambda one: one.alone or 0, default=None)
        right = "" if self.accuracy is None else f", {self.accuracy:.1%} decided as people did"
        judged = "judgements" if self.accuracy is None else "comparisons"
        yield (
            f"{self.model.name}: {self.measure} = {self.correlation:.3f} with people on parts that were left out"
            f"{right} ({self.segments} {judged}, {len(self.by_set)} parts, {self.learner})."
        )
        if best is not None:
            yield f"The best component alone, {best.spec}: {self.measure} = {best.alone:.3f}."


def train(
    judged: JudgedTexts,
    components: Sequence[str] = BLEND,
    *,
    learner: str | None = None,
    name: str = "my metric",
    licence: str = "",
    ablation: bool = True,
    threads: int = 1,
) -> TrainedMetric:
    """Train a metric on judged segments: choices are made by cross-validation, then all segments are used."""
    chosen, how = learner_for(judged, learner)
    asked = fitting_components(components, judged)
    parts, (blocks, seconds, absent) = varying(asked, features_of(asked, judged, threads), judged.what)
    folds = judged.folds()
    rows = np.concatenate(blocks, axis=2)
    features = tuple(feature for one in parts for feature in one.names)
    tried = {
        setting: left_out(rows, judged, folds, how, setting) for setting in steps(how.settings, "settings")
    }
    setting = max(tried, key=lambda one: float(np.mean(tried[one])))
    worth = []
    for i, one in enumerate(steps(parts, lambda part: part.spec)):
        others = [block for k, block in enumerate(blocks) if k != i]
        without = None
        if ablation and others:
            without = float(np.mean(left_out(np.concatenate(others, axis=2), judged, folds, how, setting)))
        alone = _alone(one, blocks[i], judged, folds) if len(one.names) == 1 else None
        worth.append(ComponentWorth(one.spec, alone, without, seconds[i] * 1e6 / len(judged)))
    fitted = judged.fit(how, rows, np.ones(len(judged), dtype=bool), setting)
    model = model_of(name, parts, features, fitted | {"absent": absent})
    names = list(dict.fromkeys(judged.sets))
    labels = names if len(names) >= 3 else [f"part {i + 1}" for i in range(int(folds.max()) + 1)]
    accuracy = None
    if judged.learns_from == "comparisons":
        accuracy = judged.accuracy(scores_left_out(rows, judged, folds, how, setting))
    trained_on = TrainedOn(
        data=", ".join(filter(None, names))[:500],
        segments=judged.number(),
        fingerprint=judged.fingerprint,
        correlation=round(float(np.mean(tried[setting])), 4),
        by=f"tertium {__version__}, {chosen} {setting:g}",
        licence=licence,
        seen=judged.seen(),
        units=judged.units,
        pseudo=judged.pseudo,
        measure=judged.measure,
        accuracy=accuracy,
    )
    return TrainedMetric(
        replace(model, training=trained_on),
        chosen,
        setting,
        judged.number(),
        float(np.mean(tried[setting])),
        dict(zip(labels, tried[setting], strict=True)),
        tuple(worth),
        judged.measure,
        accuracy,
    )


def fitting_components(specs: Sequence[str], judged: JudgedTexts) -> tuple[Component, ...]:
    """The components that specs name, over documents where documents were judged."""
    documents = judged.units != SEGMENTS
    parts = components_of(specs, documents=documents)
    of_documents = [one.spec for one in parts if one.of_documents]
    if of_documents and not documents:
        raise SpecError(f"{of_documents[0]} scores documents, but segments were judged")
    if documents and not of_documents:
        raise SpecError(
            "a metric of documents needs one component at least that scores documents: doc:chrf, ..."
        )
    return parts


class Features(NamedTuple):
    """Columns of each component (references x texts x features), seconds of CPU, and what stands where one is undefined
    (nothing: the worst)."""

    blocks: list[Array]
    seconds: list[float]
    absent: tuple[float, ...]


def features_of(parts: Sequence[Component], judged: JudgedTexts, threads: int) -> Features:
    """Features set by set, as metrics that look at whole sets will see them."""
    blocks, seconds, absent = [], [], []
    order = [
        np.array([i for i, own in enumerate(judged.together) if own == name])
        for name in dict.fromkeys(judged.together)
    ]
    for one in steps(parts, lambda part: part.spec):
        began = time.process_time()
        found = np.empty((len(judged.streams), len(judged), len(one.names)))
        for places in order:
            hypotheses = Lines([judged.hypotheses[i] for i in places])
            sources = None if judged.sources is None else Lines([judged.sources[i] for i in places])
            for own, stream in zip(found, judged.streams, strict=True):
                prepared = one.prepare(References((Lines([stream[i] for i in places]),)), threads)
                own[places] = one.rows(hypotheses, prepared, sources, threads)
        columns = found.reshape(-1, found.shape[2]).T
        instead = [float(f"{one.stand_in(column):.{DIGITS}g}") for column in columns]
        blocks.append(np.where(np.isnan(found), instead, found))
        absent += instead
        seconds.append(time.process_time() - began)
    return Features(blocks, seconds, tuple(absent) if judged.units != SEGMENTS else ())


def varying(
    parts: Sequence[Component], features: Features, what: str
) -> tuple[tuple[Component, ...], Features]:
    """The components that are not the same everywhere, with their features. Components that are go, with a warning; so
    does the say of single constant features of a set. If nothing is left, that is refused."""
    same = [np.ptp(block, axis=(0, 1)) == 0 for block in features.blocks]
    kept = [i for i, own in enumerate(same) if not own.all()]
    gone = [one.spec for i, one in enumerate(parts) if i not in kept]
    if not kept:
        raise InputError(f"{', '.join(gone)}: the same for all {what}: there is nothing to learn from them")
    idle = [name for i in kept for name, own in zip(parts[i].names, same[i], strict=True) if own]
    for names, fate in ((gone, "left out"), (idle, "without any say")):
        if names:
            shown = ", ".join(names[:MOST_NAMED]) + (
                f" and {len(names) - MOST_NAMED} more" * (len(names) > MOST_NAMED)
            )
            warnings.warn(f"{shown}: the same for all {what}: {fate}", TertiumWarning, stacklevel=3)
    owner = [i for i, one in enumerate(parts) for _ in one.names]
    absent = tuple(value for i, value in zip(owner, features.absent, strict=False) if i in kept)
    found = Features([features.blocks[i] for i in kept], [features.seconds[i] for i in kept], absent)
    return tuple(parts[i] for i in kept), found


def scores_left_out(
    rows: Array, judged: JudgedTexts, folds: Any, how: Learner, setting: float, among: Any = None
) -> Array:
    """A score for every text (`among` some), by a model of the other parts."""
    found = np.zeros(len(judged))
    among = np.ones(len(judged), dtype=bool) if among is None else among
    for fold in np.unique(folds[among]):
        inside = (folds == fold) & among
        found[inside] = best_of(judged.fit(how, rows, among & ~inside, setting), rows[:, inside])
    return found


def left_out(
    rows: Array, judged: JudgedTexts, folds: Any, how: Learner, setting: float, among: Any = None
) -> list[float]:
    """The agreement on each part, with a model of the others."""
    scores = scores_left_out(rows, judged, folds, how, setting, among)
    inside = [
        folds == fold if among is None else (folds == fold) & among for fold in range(int(folds.max()) + 1)
    ]
    return [judged.agreement(scores, own) for own in inside if own.any()]


def predicted(
    judged: JudgedTexts, components: Sequence[str], *, learner: str | None = None, threads: int = 1
) -> Array:
    """A score for everything that was judged, by a model that saw nothing of its part; its setting, too, was chosen on
    the other parts alone.
    """
    parts, (_, how) = fitting_components(components, judged), learner_for(judged, learner)
    rows = np.concatenate(features_of(parts, judged, threads).blocks, axis=2)
    folds, found = judged.folds(), np.empty(len(judged))
    for fold in steps(range(int(folds.max()) + 1), "parts"):
        inside = folds == fold
        tried = {
            setting: float(np.mean(left_out(rows, judged, folds, how, setting, ~inside)))
            for setting in (how.settings if len(how.settings) > 1 else ())
        }
        setting = max(tried, key=lambda one: tried[one], default=how.settings[0])
        found[inside] = best_of(judged.fit(how, rows, ~inside, setting), rows[:, inside])
    return found


def best_of(fitted: dict[str, Any], rows: Array) -> Array:
    """A score for each text by what was fitted: against several references the best, as when a metric scores."""
    model = MetricModel("", ("",), tuple(map(str, range(rows.shape[2]))), **fitted)
    found: Array = np.max([apply_model(model, own) for own in rows], axis=0)
    return found


def _alone(one: Component, block: Array, judged: JudgedTexts, folds: Any) -> float:
    best = np.min if one.scored is not None and not one.scored.higher_is_better else np.max
    scores = best(block[:, :, 0], axis=0)
    values = [abs(judged.agreement(scores, folds == fold)) for fold in range(int(folds.max()) + 1)]
    return float(np.mean(values))
