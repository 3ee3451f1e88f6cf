"""What a detector is, and all of them by name. Packages add theirs (`tertium.detectors`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple, Protocol

from tertium.registry import Registry

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tertium.detection.pairs import SeenPairs

Span = tuple[int, int]  # characters of a text, from and to
TOLD = 0.5  # scores from here on are told


class Why(NamedTuple):
    """What a detector saw in a pair: a sentence, and the places in source and translation."""

    sentence: str
    source: tuple[Span, ...] = ()
    translation: tuple[Span, ...] = ()


class Detector(Protocol):
    """Looks for one thing that can be wrong."""

    name: str
    sentence: str  # what should hold

    def scores(self, pairs: SeenPairs) -> NDArray[np.float64]:
        """A number from 0 to 1 for each pair; from `TOLD` on it is said to be wrong."""

    def why(self, pairs: SeenPairs, place: int) -> Why:
        """What is wrong with a pair that has such a score."""


def joined(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Spans in order; those that follow each other become one.

    >>> joined([(0, 3), (4, 7), (12, 15)])
    ((0, 7), (12, 15))
    """
    found: list[Span] = []
    for begin, end in spans:
        if found and begin - found[-1][1] <= 1:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((begin, end))
    return tuple(found)


DETECTORS: Registry[type[Detector]] = Registry(
    "detector",
    "tertium.detectors",
    {
        "oscillation": "tertium.detection.oscillation:Oscillation",
        "detachment": "tertium.detection.meaning:Detachment",
        "unsupported": "tertium.detection.meaning:Unsupported",
        "omission": "tertium.detection.meaning:Omitted",
        "names": "tertium.detection.facts:EntityNames",
        "numbers": "tertium.detection.facts:Figures",
        "negation": "tertium.detection.facts:Denial",
    },
)
