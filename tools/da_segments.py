"""Segments with direct assessments: WMT15 and WMT16 to train on, WMT17 to test on (../shared/data)."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from tertium.training.judged import JudgedSegments

SHARED = Path(os.environ.get("TERTIUM_SHARED", Path(__file__).resolve().parents[2] / "shared"))
TRAINED_ON = "direct assessments of WMT15 (cs, de, fi, ru) and WMT16 (cs, de, fi, ro, ru, tr) into English"


def wmt15_16() -> JudgedSegments:
    """5,360 segments in ten sets, judgements standardised within each."""
    kinds = ("mt-system", "reference", "source", "human")
    columns: dict[str, list[str]] = {kind: [] for kind in kinds}
    sets: list[str] = []
    for folder in sorted((SHARED / "data" / "daseg-wmt15-16").glob("da-wmt*/*")):
        for kind in kinds:
            columns[kind] += next(folder.glob(f"*.{kind}.*")).read_text("utf-8").split("\n")[:-1]
        name = f"{folder.parent.name.removeprefix('da-')} {folder.name}"
        sets += [name] * (len(columns["human"]) - len(sets))
    hypotheses, references, sources, human = (columns[kind] for kind in kinds)
    judgements = np.array(list(map(float, human)))
    given = tuple(hypotheses), tuple(references), tuple(sources), judgements, tuple(sets)
    return JudgedSegments(*given).standardised()
