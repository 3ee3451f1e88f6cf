"""All detectors over translations, and whether to block each: what `tertium estimate detect` prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tertium.detection.base import DETECTORS, TOLD, Detector, Span
from tertium.detection.pairs import PairKnowledge, SeenPairs, units_of
from tertium.detection.weighing import chances, odds_of, shipped
from tertium.io.tables import Column, Table, number_column
from tertium.results import Result

if TYPE_CHECKING:
    from numpy.typing import NDArray

FEW = 50  # pairs, fewer than which teach no words
MOST = 12.0  # what a detector can say at most, as a logarithm of odds


class Detected(NamedTuple):
    """Something wrong with a translation: which detector says so, how surely, in words, and where."""

    detector: str
    score: float
    sentence: str
    source: tuple[Span, ...]
    translation: tuple[Span, ...]


@dataclass(frozen=True, eq=False)
class Detections(Result):
    """What detectors say of translations: scores from 0 to 1 by detector, and whether to block each."""

    kind = "detections"
    scores: Mapping[str, NDArray[np.float64]]
    block: NDArray[np.float64]  # from 0 to 1; from one half on a translation is blocked
    reasons: Sequence[tuple[Detected, ...]]  # of each translation, what weighs most first
    every: bool = field(default=False, repr=False)  # whether the table has translations without reasons, too

    @property
    def blocked(self) -> NDArray[np.bool_]:
        """Which translations nobody should see."""
        found: NDArray[np.bool_] = self.block >= TOLD
        return found

    def contents(self) -> Mapping[str, Any]:
        return {
            "detectors": list(self.scores),
            "segments": [
                {
                    "segment": i + 1,
                    "block": float(self.block[i]),
                    "blocked": bool(self.block[i] >= TOLD),
                    "scores": {name: float(own[i]) for name, own in self.scores.items()},
                    "reasons": [own._asdict() for own in self.reasons[i]],
                }
                for i in range(len(self.block))
            ],
        }

    def table(self) -> Table:
        """A row for each translation with something wrong."""
        columns = (
            number_column("segment", digits=0),
            number_column("block", digits=2),
            Column("verdict"),
            Column("why"),
        )
        rows = tuple(
            (
                i + 1,
                float(self.block[i]),
                "block" if self.block[i] >= TOLD else "look" if own else "",
                "; ".join(f"{reason.detector}: {reason.sentence}" for reason in own),
            )
            for i, own in enumerate(self.reasons)
            if own or self.every or self.block[i] >= TOLD
        )
        return Table("", columns, rows)

    def records(self) -> list[dict[str, Any]]:
        return [
            {
                "segment": i + 1,
                "block": float(self.block[i]),
                **{name: float(own[i]) for name, own in self.scores.items()},
                "why": "; ".join(reason.sentence for reason in self.reasons[i]),
            }
            for i in range(len(self.block))
        ]

    def words(self) -> Iterator[str]:
        told = {name: int((own >= TOLD).sum()) for name, own in self.scores.items()}
        listed = ", ".join(f"{name} {number}" for name, number in told.items() if number)
        some = sum(map(bool, self.reasons))
        yield (
            f"{int(self.blocked.sum())} of {len(self.block)} translations should be blocked; detectors see something "
            f"in {some}{f' ({listed})' if listed else ''}."
        )
        if len(self.block) < FEW:
            yield f"{len(self.block)} translations teach few words: a corpus makes detectors surer."


def detect(
    sources: Sequence[str],
    translations: Sequence[str],
    *,
    pair: str = "",
    corpus: tuple[Sequence[str], Sequence[str]] | None = None,
    encoder: str | None = None,
    detectors: Sequence[str] = (),
    more: Mapping[str, tuple[NDArray[np.float64], str]] | None = None,
    every: bool = False,
) -> Detections:
    """What is badly wrong with translations, without references.

    Words are learnt of the very texts, most of which are translations of each other, and of a parallel `corpus`, if
    one is given. `pair` names the languages (`de-en`), which numbers and denials need; `encoder` is one of sentences
    (`use`). `more` are scores from elsewhere, by name, each with a sentence for those from one half on (those of a
    model that learnt what people block).

    >>> sources = [f"Das Haus hat {n} Fenster und eine Tür." for n in range(100)]
    >>> outputs = [f"The house has {n} windows and a door." for n in range(99)] + ["Yes, yes, yes, yes, yes, yes."]
    >>> found = detect(sources, outputs, pair="de-en")
    >>> found.blocked.nonzero()[0].tolist(), found.reasons[99][1].sentence
    ([99], '“Yes” is said 6 times')
    """
    units = units_of(sources, translations, pair)
    others = units_of(*corpus, pair) if corpus is not None else []
    seen = SeenPairs(units, PairKnowledge.learnt(units, others, encoder))
    return detected(seen, detectors, more=more, every=every)


def detected(
    pairs: SeenPairs,
    detectors: Sequence[str] = (),
    *,
    more: Mapping[str, tuple[NDArray[np.float64], str]] | None = None,
    every: bool = False,
) -> Detections:
    """What detectors say of pairs, by what was learnt before, and `more` scores."""
    asked: dict[str, Detector] = {name: DETECTORS[name]() for name in detectors or DETECTORS}
    scores = {name: own.scores(pairs) for name, own in asked.items()}
    reasons: list[list[Detected]] = [[] for _ in range(len(pairs))]
    for name, own in asked.items():
        for place in np.flatnonzero(scores[name] >= TOLD).tolist():
            why = own.why(pairs, place)
            reasons[place].append(Detected(name, float(scores[name][place]), *why))
    for name, (values, sentence) in (more or {}).items():
        scores[name] = np.asarray(values, float)
        for place in np.flatnonzero(scores[name] >= TOLD).tolist():
            reasons[place].append(Detected(name, float(scores[name][place]), sentence, (), ()))
    told = [tuple(sorted(own, key=lambda reason: -reason.score)) for own in reasons]
    return Detections(scores, chances(combined(scores) - float(shipped()["block"]["margin"])), told, every)


def combined(scores: Mapping[str, NDArray[np.float64]]) -> NDArray[np.float64]:
    """The logarithm of the odds that one detector or another is right, whatever the others say."""
    return np.asarray(np.logaddexp.reduce([np.clip(odds_of(own), -MOST, MOST) for own in scores.values()]))
