"""Scoring: texts or files in, numbers out, for any metrics, systems and level."""

from __future__ import annotations

from collections import UserDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from tertium import registry
from tertium.engines.base import Engine
from tertium.errors import InputError
from tertium.families.base import Level, Metric, checked_level
from tertium.families.for_texts import ChosenMetrics, warn_of
from tertium.io.door import Batch, Files, Inputs
from tertium.measured import Measured
from tertium.measuring import (
    Specs,
    chosen_for_inputs,
    measure,
    measure_pieces,
    metrics_named,
    read_whole,
)
from tertium.scores import Score, Scores
from tertium.statistics import Statistics
from tertium.text.segments import References, Texts, as_lines
from tertium.text.units import Units


class _Components(UserDict[str, Any]):
    """The parts of a score, computed when somebody looks."""

    def __init__(self, metric: Metric, total: Statistics) -> None:
        self._metric, self._total = metric, total

    @cached_property
    def data(self) -> dict[str, Any]:  # type: ignore[override]
        return self._metric.components(self._total)

    def __reduce__(self) -> tuple[type[dict[str, Any]], tuple[dict[str, Any]]]:
        return dict, (self.data,)  # pickled as plain values, without the rows behind them


def reference_free(metrics: Iterable[str | Metric]) -> bool:
    """Whether none of these metrics looks at references.

    >>> reference_free(["yisi2"]), reference_free(["yisi2", "bleu"])
    (True, False)
    """
    return not any(registry.metric(spec).needs_references for spec in metrics)


def check_sources(metrics: Sequence[Metric], sources: object) -> None:
    """Refuse early what a metric would refuse late."""
    for metric in metrics:
        if metric.needs_source and not sources:
            raise InputError(f"{metric.name} compares with the source text: name it with --source FILE")


def scores_of(
    measured: Measured, metrics: Sequence[Metric] | None = None, level: Level | None = None
) -> Scores:
    """The scores of what was measured, by all of its metrics or some; rows of any level give corpus scores.

    >>> from tertium import TestSet
    >>> [round(score.value) for score in scores_of(measure(TestSet.sample(), "chrf"), level="corpus")]
    [46, 38, 72]
    """
    wanted = measured.level if level is None else level
    if wanted not in (measured.level, "corpus"):
        raise ValueError(f"{measured.level} rows have no {wanted} scores")
    rows = measured.totals() if wanted != measured.level else measured.rows
    chosen = measured.metrics if metrics is None else metrics
    signatures = [measured.signature(metric, wanted) for metric in chosen]
    numbers = range(1, len(measured) + 1 if wanted == "segment" else 1)
    ids = {"corpus": [""], "document": list(measured.documents), "segment": list(map(str, numbers))}[wanted]
    found = []
    for name in measured.systems:
        for metric, signature in zip(chosen, signatures, strict=True):
            own = rows[name, metric]
            values = _defined(metric._scores(own, wanted))
            if wanted == "segment" and metric.scope == "document" and measured.begins is not None:
                values = [value if i in measured.begins else None for i, value in enumerate(values)]
            score = Score(name, metric, wanted, ids, values, signature)
            if wanted == "corpus":
                parts = _Components(metric, own)
                score = replace(score, verbose=metric.verbose(own), components=parts)
            found.append(score)
    return Scores(wanted, tuple(found), measured.notes)


def _defined(values: Any) -> list[float | None]:
    return [None if value != value else value for value in map(float, values)]


def score_inputs(
    inputs: Inputs,
    metrics: Specs,
    level: Level = "corpus",
    *,
    threads: int = 1,
    force: bool = False,
    engine: str | Engine = "local",
) -> Scores:
    """The scores of all systems by all metrics, in one pass. Rows of segments are scored and forgotten."""
    how: Any = {"threads": threads, "force": force, "engine": engine}
    metrics, notes, inputs = chosen_for_inputs(metrics, inputs)
    chosen = ChosenMetrics(metrics, notes)
    if level != "segment":
        return scores_of(measure(inputs, chosen, level, **how), metrics)
    parts = [scores_of(piece, metrics) for piece in measure_pieces(inputs, chosen, **how)]
    if not parts:
        raise InputError("there is nothing to score: no segments")
    if len(parts) == 1:
        return parts[0]
    found = []
    for scores in zip(*parts, strict=True):
        values = [value for score in scores for value in score.values]
        signature = scores[0].signature
        if len({score.signature for score in scores}) > 1:
            own = scores[0].metric.signature(None, level, pseudo=inputs.pseudo)
            signature = registry.said_of_texts(own, inputs.origin)
        ids = list(map(str, range(1, len(values) + 1)))
        found.append(replace(scores[0], ids=ids, values=values, signature=signature))
    return Scores(level, tuple(found), notes)


def score_files(
    references: Sequence[str],
    hypotheses: Sequence[str],
    metrics: Sequence[str | Metric] = ("bleu", "chrf"),
    *,
    level: str = "corpus",
    documents: str | None = None,
    source: str | None = None,
    encoding: str = "utf-8",
    threads: int = 1,
    force: bool = False,
    engine: str | Engine = "local",
) -> Scores:
    """Score files of any length: each is read once, batch by batch. `hypotheses` has a file for each system.

    >>> import importlib.resources
    >>> folder = str(importlib.resources.files("tertium") / "data" / "sample")
    >>> scores = score_files([f"{folder}/reference1.en"], [f"{folder}/system-strong.en"], ["bleu"])
    >>> round(scores["bleu"].value, 1)
    49.0
    """
    chosen = [registry.metric(spec) for spec in metrics]
    check_sources(chosen, source)
    files = Files(references, hypotheses, documents=documents, source=source, encoding=encoding)
    inputs = files.open(whole=read_whole(chosen))
    found = score_inputs(inputs, metrics, checked_level(level), threads=threads, force=force, engine=engine)
    warn_of(found.notes)
    return found


def score(
    hypotheses: Texts | Mapping[str, Texts],
    references: Any = None,
    metrics: Specs = ("bleu", "chrf"),
    *,
    references_per_segment: Any = None,
    pseudo_references: Mapping[str, Texts] | None = None,
    sources: Texts | None = None,
    documents: Sequence[str] | None = None,
    units: str = "documents",
    level: str = "corpus",
    threads: int = 1,
    force: bool = False,
    engine: str | Engine = "local",
) -> Scores:
    """Score one system (a list of strings) or several (a mapping from name to list).

    `references` is one list of strings or a list of streams, each as long as the hypotheses;
    `references_per_segment` a list of references for each segment. `pseudo_references` are outputs of other systems by
    label, beside references or, where none are given, instead of them. `documents` has an id for each segment; with
    `units="words:180"` documents are consecutive segments of about so many words.

    >>> result = score(["the cat sat on the mat"], ["the cat sat on a mat"], ["bleu", "ter"])
    >>> [round(s.value, 1) for s in result]
    [53.7, 16.7]
    """
    wanted = checked_level(level)
    systems = dict(hypotheses) if isinstance(hypotheses, Mapping) else {"system": hypotheses}
    if not systems:
        raise InputError("there are no systems to score")
    columns = {
        name: as_lines(texts, f"hypotheses of {name}" if len(systems) > 1 else "hypotheses")
        for name, texts in systems.items()
    }
    lengths = {len(lines) for lines in columns.values()}
    if len(lengths) > 1:
        sizes = ", ".join(f"{name}: {len(lines)}" for name, lines in columns.items())
        raise InputError(f"the systems differ in their number of segments ({sizes})")
    n = lengths.pop()
    if n == 0:
        raise InputError("there is nothing to score: no segments")
    source_lines = None if sources is None else as_lines(sources, "sources")
    chosen = metrics_named(metrics)
    if references is references_per_segment is None and reference_free(chosen):
        references = [""] * n if source_lines is None else source_lines  # no metric uses it
    pseudo = {
        label: as_lines(texts, f"pseudo-reference {label!r}")
        for label, texts in (pseudo_references or {}).items()
    }
    instead = bool(pseudo) and references is references_per_segment is None
    if instead:
        references = [""] * n
    if (references is None) == (references_per_segment is None):
        raise InputError("give either references or references_per_segment")
    if references_per_segment is None:
        checked = References.given(references, n)
    else:
        checked = References.per_segment(references_per_segment)
    checked = checked.with_pseudo(pseudo, instead=instead) if pseudo else checked
    if len(checked) != n:
        raise InputError(f"there are {n} hypotheses, but references for {len(checked)} segments")
    ids = None if documents is None else as_lines(documents, "documents")
    if ids is not None and len(ids) != n:
        raise InputError(f"there are {n} segments, but {len(ids)} document ids")
    names = Units.of(units).named(checked, None if ids is None else [str(ids[i]) for i in range(len(ids))])
    batch = Batch(list(columns.values()), checked, source_lines, names)
    inputs = Inputs(
        list(columns), len(checked.streams), names is not None, iter([batch]), pseudo=checked.pseudo
    )
    found = score_inputs(inputs, metrics, wanted, threads=threads, force=force, engine=engine)
    warn_of(found.notes)
    return found
