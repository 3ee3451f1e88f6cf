"""HUME: quality as the share of the source's semantic units that the translation keeps (Birch et al. 2016)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from tertium.errors import InputError
from tertium.human.judgement import Gold, segment_gold
from tertium.io.coverage import Coverage
from tertium.io.hume import MARKS, UnitMark, read_hume
from tertium.io.judgementtable import Judgements
from tertium.io.streams import FilePath

# What a mark is worth: a leaf that is partly right counts a half. A unit that nobody marked is not right: so the
# correlations of the WMT17 metrics task come out (docs/wmt17.md).
WORTH: Mapping[str, float] = {
    "green": 1.0,
    "orange": 0.5,
    "red": 0.0,
    "good": 1.0,
    "bad": 0.0,
    "unmarked": 0.0,
}


def hume_judgements(
    marks: Sequence[UnitMark], worth: Mapping[str, float] = WORTH, *, origin: str = "HUME"
) -> Judgements:
    """One score for each annotator, system and segment:

        HUME = (green + orange / 2 + good) / units

    over all units of the UCCA structure, leaves and inner ones alike.

    >>> marks = [UnitMark("ann", "A", "1", str(i), mark) for i, mark in enumerate(["green", "orange", "red", "good"])]
    >>> hume_judgements(marks).score.tolist()
    [0.625]
    """
    if missing := [mark for mark in MARKS if mark not in worth]:
        raise InputError(f"there is no value for the mark {missing[0]!r}")
    groups: dict[tuple[str, str, str], list[float]] = {}
    for mark in marks:
        groups.setdefault((mark.annotator, mark.system, mark.segment), []).append(worth[mark.mark])
    if not groups:
        raise InputError(f"{origin}: there are no marks")
    return Judgements.of(
        annotator=[annotator for annotator, _, _ in groups],
        system=[system for _, system, _ in groups],
        segment=[segment for _, _, segment in groups],
        score=[float(np.mean(values)) for values in groups.values()],
        origin=origin,
    )


def hume_gold(marks: Sequence[UnitMark], worth: Mapping[str, float] = WORTH, *, origin: str = "HUME") -> Gold:
    """HUME by segment, averaged over annotators; `.by_system()` averages segments (WMT17 metrics task, 2.3).

    >>> marks = [UnitMark("ann", "A", "1", "1", "green"), UnitMark("bob", "A", "1", "1", "red")]
    >>> hume_gold(marks).scores.row("A").tolist()
    [0.5]
    """
    judged = hume_judgements(marks, worth, origin=origin)
    coverage = Coverage(origin, "marks of semantic units", len(marks), (), (f"{len(judged)} judgements",))
    return segment_gold(judged, "HUME", coverage=coverage)


def read_hume_gold(path: FilePath, *, pair: str | None = None) -> Gold:
    """HUME by segment from a file of marks; of one language pair, where it has several."""
    marks, coverage = read_hume(path, pair=pair)
    return replace(hume_gold(marks), coverage=coverage)
