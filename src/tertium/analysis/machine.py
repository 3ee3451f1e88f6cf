"""What a machine made of segments: marks where an estimator gives them, and what detectors block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from tertium.detection.detecting import Detections, detect
from tertium.estimation.estimator import Estimator
from tertium.io.memories.unit import Unit
from tertium.triage.blocking import tables_say
from tertium.triage.calibration import calibration_of
from tertium.triage.results import Estimates, estimate
from tertium.triage.verdicts import EDIT, Thresholds


class MachineOutput(NamedTuple):
    """Machine translations of segments (empty where there is none), and what is said of them."""

    texts: Sequence[str]
    estimates: Mapping[int, tuple[float | None, str]]  # mark and verdict, by place
    detections: Mapping[int, str]  # why it is blocked
    error: float | None  # of the share that is saved: its standard deviation
    saves: bool  # whether marks say what is saved


def judged_output(
    sources: Sequence[str],
    outputs: Sequence[str],
    places: Sequence[int],
    taught: Sequence[Unit],
    *,
    pair: str,
    document: str,
    memory: str,
    estimator: Estimator | None,
    thresholds: Thresholds,
) -> MachineOutput | None:
    """Translations at these `places` (all of one document), looked at; units of a memory teach detectors their words.
    None where there is no translation."""
    asked = [i for i in places if outputs[i].strip()]
    if not asked:
        return None
    texts, made = [sources[i] for i in asked], [outputs[i] for i in asked]
    corpus = [own.source for own in taught], [own.target for own in taught]
    tables = {} if estimator is None else tables_say(estimator, texts, made)
    found = detect(texts, made, pair=pair, corpus=corpus, more=tables)
    blocked = {asked[i]: _why(found, i) for i in np.flatnonzero(found.blocked).tolist()}
    said: Estimates | None = None
    error = None
    if estimator is not None:
        said = estimate(
            estimator,
            texts,
            made,
            pair=pair if estimator.pair else "",
            passes=thresholds.passes,
            edits=thresholds.edits,
            detectors=False,
            memory=memory,
            documents=[document] * len(texts),
        )
        calibration = calibration_of(estimator)
        if calibration is not None and calibration.scale == "edits":
            error = float(np.std(calibration.truth - calibration.marks(calibration.estimates))) / 100
    known = said is not None and bool(said.marks)
    marks: Sequence[float | None] = said.marks if said is not None and known else [None] * len(asked)
    verdicts = said.verdicts if said is not None and known else (EDIT,) * len(asked)
    estimates = dict(zip(asked, zip(marks, verdicts, strict=True), strict=True))
    return MachineOutput(outputs, estimates, blocked, error, error is not None)


def _why(found: Detections, place: int) -> str:
    said = "; ".join(own.sentence for own in islice(found.reasons[place], 2))
    return said or "its words have nothing to do with the source"
