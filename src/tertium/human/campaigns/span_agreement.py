"""How far annotators mark the same characters as errors.

| coefficient | what it is |
|---|---|
| F1 | 2 |A and B| / (|A| + |B|) over the characters that two annotators marked, mean over pairs of annotators |
| alpha | Krippendorff's alpha over characters, whose answers are a severity or none: agreement beyond chance |

Translations that both left unmarked do not count for F1, but do for alpha. An omission marks no character.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from tertium.human.campaigns.collected import Collected, Judged

if TYPE_CHECKING:
    from numpy.typing import NDArray


def marked_characters(
    one: Judged, severities: Sequence[str], *, with_source: bool = False
) -> NDArray[np.int64]:
    """For each character of the translation, then of the source, 0 or the number of its worst severity; of the source
    only if it can be marked.
    """
    output = len(one.item.outputs[0].text)
    found = np.zeros(output + (len(one.item.source) if with_source else 0), np.int64)
    for span in one.answer["spans"]:
        if span["start"] is not None:
            first = output if span.get("in_source") else 0
            part = found[first + span["start"] : first + span["end"]]
            np.maximum(part, severities.index(span["severity"]) + 1, out=part)
    return found


def span_agreement(collected: Collected) -> tuple[float | None, float | None]:
    """F1 and alpha of marked characters; None where two annotators never marked, or judged, the same translation."""
    severities = collected.settings.options["severities"]
    marks: dict[str, dict[str, NDArray[np.int64]]] = {}
    source = any(span.get("in_source") for one in collected.genuine for span in one.answer["spans"])
    for one in collected.genuine:
        found = marked_characters(one, severities, with_source=source)
        marks.setdefault(one.item.id, {})[one.annotator] = found
    shared: dict[tuple[str, ...], list[int]] = {}
    counts = np.zeros(len(severities) + 1)
    within = 0.0
    for own in marks.values():
        for (a, x), (b, y) in combinations(sorted(own.items()), 2):
            both = shared.setdefault((a, b), [0, 0])
            both[0] += 2 * int(((x > 0) & (y > 0)).sum())
            both[1] += int((x > 0).sum() + (y > 0).sum())
            within += 2 * int((x != y).sum()) / (len(own) - 1)
        if len(own) > 1:
            counts += np.bincount(np.concatenate([*own.values()]), minlength=len(counts))
    overlaps = [same / marked for same, marked in shared.values() if marked]
    total = float(counts.sum())
    among = total**2 - float((counts**2).sum())
    return (
        sum(overlaps) / len(overlaps) if overlaps else None,
        1 - (total - 1) * within / among if among else None,
    )
