"""Segments with direct assessments: WMT15 and WMT16 to train on, WMT17 to test on (../shared/data)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tertium.training.human_files import judged_in_folder
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


def wmt15() -> JudgedSegments:
    """The 2,000 segments of WMT15 among them."""
    judged = wmt15_16()
    number = sum(name.startswith("wmt15") for name in judged.sets)  # they come first
    return first(judged, number)


def first(judged: JudgedSegments, number: int) -> JudgedSegments:
    """The first segments."""
    texts = (judged.hypotheses[:number], judged.references[:number])
    sources = None if judged.sources is None else judged.sources[:number]
    return JudgedSegments(*texts, sources, judged.judgements[:number], judged.sets[:number])


def wmt17(pairs: Sequence[str]) -> JudgedSegments:
    """560 segments of each pair."""
    folder = SHARED / "data" / "wmt17"
    return judged_in_folder(str(folder / "DA-seglevel.csv"), str(folder), pairs)
