"""`tertium adapt route`: for each segment the memory's match, the machine translation, or nothing, with reasons.

Both are put on one scale, what of 100 edits they save (`worth.py`), learnt from an earlier stream. Detectors silence
machine translations that are badly wrong, and mark those that look wrong. What passes without a look is what keeps a
promise (`triage/promises.py`): of the segments that pass, at most 5% need more than 20 edits in 100 words.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium.adaptation.base import MACHINE, MEMORY, AdaptiveSystem, Materials, Translation
from tertium.adaptation.memories import GrowingMemory, MemoryOnly, base_of
from tertium.adaptation.simulating import with_machine
from tertium.adaptation.streams import Stream, StreamItem
from tertium.adaptation.worth import MatchKind, MatchWorth, Numbers, ScoreWorth, kind_of
from tertium.detection.detecting import Detections, detect
from tertium.errors import InputError
from tertium.estimation.estimator import Estimator, edit_rates
from tertium.io.tables import Column, Table, number_column
from tertium.progress import steps
from tertium.results import Result
from tertium.stats.proportions import wilson_interval
from tertium.triage.calibration import LEAST as LEAST_LIKELY
from tertium.triage.calibration import Calibration
from tertium.triage.promises import BAD_BELOW, Promise, needed, promised
from tertium.triage.results import estimate

NOTHING = "nothing"
PASS, EDIT, MARKED = "pass", "edit", "marked"
LEAST = 30.0  # edits of 100 that a proposal must save to be shown
LIKELY = 80.0  # chances (of 100) of segments among which a promise is looked for; said by other documents
_SAME = 1e-4  # marks that are the same but for rounding
FEW = 200  # segments that both halves of a calibration need


@dataclass(frozen=True)
class RoutedSegment:
    """What to show for a segment, and why."""

    segment: int
    route: str  # memory, machine or nothing
    decision: str  # pass (nobody looks), edit, marked (look at it with care), or nothing
    mark: float | None  # what of 100 edits it is expected to save
    memory: float | None
    machine: float | None
    text: str
    reasons: tuple[str, ...]
    saved: float | None  # what it did save, where that is known
    silenced: bool


@dataclass(frozen=True)
class Proposed:
    """All that there is for the segments of a stream."""

    items: Sequence[StreamItem]
    matches: Sequence[tuple[str, MatchKind] | None]
    machine: Sequence[Translation | None]
    scores: Sequence[float | None]  # of the machine translations

    def saved(self, texts: Sequence[str]) -> Numbers:
        return np.asarray(100 * (1 - edit_rates(texts, [item.correction for item in self.items])))


@dataclass(frozen=True)
class Routing(Result):
    """Decisions for every segment, and whether what passed may pass."""

    kind = "routing"
    stream: str
    calibrated_on: str
    segments: tuple[RoutedSegment, ...]
    promise: Promise
    passed: int
    bad: int  # of these, by what was written
    bad_stored: int  # by what was written, or anything that is stored for the source
    low: float | None
    high: float | None

    def contents(self) -> Mapping[str, Any]:
        return {
            "stream": self.stream,
            "calibrated_on": self.calibrated_on,
            "promise": self.promise,
            "passed": self.passed,
            "bad": self.bad,
            "bad_stored": self.bad_stored,
            "low": self.low,
            "high": self.high,
            "segments": self.segments,
        }

    def words(self) -> Iterator[str]:
        size = len(self.segments)
        routes = Counter(own.route for own in self.segments)
        yield (
            f"{self.stream}: of {size:,} segments the memory serves {routes[MEMORY] / size:.1%}, the machine "
            f"{routes[MACHINE] / size:.1%}, and {routes[NOTHING] / size:.1%} get nothing."
        )
        if self.passed and self.low is not None and self.high is not None:
            yield (
                f"{self.passed:,} ({self.passed / size:.1%}) pass without a look; {self.bad / self.passed:.1%} of them "
                f"({self.low:.1%} to {self.high:.1%}) differ from what was written by more than 20 edits in 100 words, "
                f"{self.bad_stored / self.passed:.1%} from everything that is stored for their sources, too."
            )
        else:
            yield "Nothing passes without a look."
        yield from self.promise.words()
        silenced = sum(own.silenced for own in self.segments)
        if silenced:
            yield f"Detectors silenced {silenced:,} machine translations."

    def tables(self) -> Iterator[Table]:
        columns = (
            Column("route"),
            Column("decision"),
            number_column("segments", digits=0),
            number_column("share", digits=4),
            number_column("expected mark"),
            number_column("saved of 100", "saved"),
            number_column("20 edits and more", "bad", digits=4),
        )
        groups: dict[tuple[str, str], list[RoutedSegment]] = {}
        for own in self.segments:
            groups.setdefault((own.route, own.decision), []).append(own)
        rows = []
        for (route, decision), members in sorted(groups.items()):
            marks = [own.mark for own in members if own.mark is not None]
            saved = [own.saved for own in members if own.saved is not None]
            bad = sum(value < BAD_BELOW - _SAME for value in saved) / len(saved) if saved else None
            share = len(members) / len(self.segments)
            rows.append((route, decision, len(members), share, _mean(marks), _mean(saved), bad))
        yield Table("Routes", columns, tuple(rows))

    def records(self) -> list[dict[str, Any]]:
        return [
            {
                "segment": own.segment,
                "route": own.route,
                "decision": own.decision,
                "mark": own.mark,
                "text": own.text,
                "reasons": "; ".join(own.reasons),
            }
            for own in self.segments
        ]


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def gathered(stream: Stream, materials: Materials, estimator: Estimator | None = None) -> Proposed:
    """Matches and machine translations for all segments. Nothing is learnt on the way."""
    base = base_of(materials) or GrowingMemory()
    memory = MemoryOnly(base)
    machine: AdaptiveSystem | None = materials.machine() if materials.machine is not None else None
    matches: list[tuple[str, MatchKind] | None] = []
    made: list[Translation | None] = []
    try:
        for item in steps(stream.items, f"routing {stream.name}"):
            found = memory.proposals(item.segment)
            matches.append((found[0][0].target, kind_of(item.segment, found[0][0], base)) if found else None)
            made.append(None if machine is None else machine.translate(item.segment))
    finally:
        if machine is not None:
            machine.close()
    scores = [None if own is None else own.score for own in made]
    if estimator is not None and machine is not None:
        sources = [item.segment.source for item in stream.items]
        said = estimate(estimator, sources, [own.text if own else "" for own in made])
        scores = list(said.marks or said.values)
    return Proposed(stream.items, matches, made, scores)


@dataclass(frozen=True)
class RouteModel:
    """What proposals save, how likely they are good enough to pass (both of 100), and from where on they may."""

    match: MatchWorth
    score: ScoreWorth
    match_good: MatchWorth
    score_good: ScoreWorth

    @classmethod
    def learnt(cls, given: Proposed, places: Sequence[int]) -> RouteModel:
        """From some of the segments."""
        of_match = given.saved([own[0] if own else "" for own in given.matches])
        of_machine = given.saved([own.text if own else "" for own in given.machine])
        matched = [(place, own[1]) for place in places if (own := given.matches[place]) is not None]
        said = [place for place in places if given.machine[place] is not None]
        kinds, scores = [kind for _, kind in matched], [given.scores[place] for place in said]
        saved = np.array([of_match[place] for place, _ in matched], float)
        made = np.array([of_machine[place] for place in said], float)
        return cls(
            MatchWorth(kinds, saved.tolist()),
            ScoreWorth(scores, made.tolist()),
            MatchWorth(kinds, (100.0 * (saved >= BAD_BELOW - _SAME)).tolist()),
            ScoreWorth(scores, (100.0 * (made >= BAD_BELOW - _SAME)).tolist()),
        )

    def marks(self, given: Proposed) -> tuple[Marks, Marks]:
        """What matches save and how likely they are good; the same of machine translations."""
        kinds = [own[1] for own in given.matches if own is not None]
        found = []
        for worth in (self.match, self.match_good):
            values = iter(worth.marks(kinds).tolist())
            found.append([None if own is None else float(next(values)) for own in given.matches])
        for score in (self.score, self.score_good):
            values = iter(score.marks(given.scores).tolist())
            every = [float(value) for value in values]
            pairs = zip(given.machine, every, strict=True)
            found.append([None if own is None or not own.text else value for own, value in pairs])
        matches = list(zip(found[0], found[1], strict=True))
        return matches, list(zip(found[2], found[3], strict=True))


Marks = list[tuple[float | None, float | None]]


def learnt(given: Proposed, *, share: float = 0.05, confidence: float = 0.95) -> tuple[RouteModel, Promise]:
    """From an earlier stream: what proposals are worth, and what may pass by what is said of documents that were left
    out (each half of them by the other)."""
    half = _halves(given.items)
    parts = [np.flatnonzero(half == own).tolist() for own in (0, 1)]
    if min(map(len, parts)) < FEW:
        raise InputError(f"a calibration needs two halves of {FEW} segments and more")
    of_match = given.saved([own[0] if own else "" for own in given.matches])
    of_machine = given.saved([own.text if own else "" for own in given.machine])
    chances, truth = [], []
    for own, other in ((0, 1), (1, 0)):
        matches, machine = RouteModel.learnt(given, parts[own]).marks(given)
        for place in parts[other]:
            (a, good), (b, fine) = matches[place], machine[place]
            ours = a is not None and (b is None or a >= b)
            chance = good if ours else fine
            if chance is not None and chance >= LIKELY:
                chances.append(chance)
                truth.append(float((of_match if ours else of_machine)[place]))
    model = RouteModel.learnt(given, range(len(given.items)))
    nothing = Promise(share, BAD_BELOW, confidence, "edits", len(chances), False, None, None, 0, 0)
    if len(chances) < max(LEAST_LIKELY, needed(share, confidence)):
        return model, nothing
    calibration = Calibration.of(np.array(chances), np.array(truth), "edits")
    return model, promised(calibration, share, confidence=confidence)


def _halves(items: Sequence[StreamItem]) -> NDArray[np.int64]:
    """0 or 1 for each segment, by its document; where that leaves too few on one side, every second segment."""
    found = np.array([_coin(item.segment.client, item.segment.document) for item in items])
    return found if FEW <= int(found.sum()) <= len(items) - FEW else np.arange(len(items)) % 2


def _coin(*names: str) -> int:
    """The same for the same names, whatever stands around them."""
    return hashlib.sha256("\t".join(names).encode("utf-8", "surrogatepass")).digest()[0] % 2


def route(
    stream: Stream,
    materials: Materials,
    earlier: Stream,
    *,
    earlier_before: str = "",
    estimator: Estimator | None = None,
    share: float = 0.05,
    confidence: float = 0.95,
) -> Routing:
    """Decisions for a stream. What proposals are worth is learnt from an `earlier` one, with the memory as it was then
    (`earlier_before`; else before its first segment)."""
    day = earlier_before or min((own.segment.date for own in earlier.items if own.segment.date), default="")
    before = gathered(earlier, replace(with_machine(materials, earlier), before=day), estimator)
    model, promise = learnt(before, share=share, confidence=confidence)
    given = gathered(stream, with_machine(materials, stream), estimator)
    memory, machine = model.marks(given)
    limit = promise.threshold
    alarms = _alarms(given, before, materials)
    match_saved = given.saved([own[0] if own else "" for own in given.matches])
    machine_saved = given.saved([own.text if own else "" for own in given.machine])
    routed = []
    for place, ((a, good), (b, fine)) in enumerate(zip(memory, machine, strict=True)):
        blocked, seen = alarms[place]
        ours = a is not None and (b is None or blocked or a >= b)
        match, made = given.matches[place], given.machine[place]
        reasons: list[str] = []
        if blocked:
            reasons.append(f"the machine translation is silenced: {seen}")
        mark = a if ours else None if blocked else b
        path, text, saved = NOTHING, "", None
        if mark is None or mark < LEAST:
            reasons.append(
                "there is no proposal" if mark is None else f"the best proposal saves {mark:.0f} of 100 edits"
            )
            decision = NOTHING
        elif ours and match is not None:
            path, text, saved = MEMORY, match[0], float(match_saved[place])
            reasons.append(match[1].words())
            decision = _decision(good, limit, "")
        else:
            path, text, saved = MACHINE, made.text if made else "", float(machine_saved[place])
            reasons.extend(made.reasons if made else ())
            reasons.extend([f"it looks wrong: {seen}"] if seen else [])
            decision = _decision(fine, limit, seen)
        if decision == PASS:
            reasons.append("as sure as what passes must be")
        routed.append(
            RoutedSegment(
                place + 1, path, decision, _top(mark), _top(a), _top(b), text, tuple(reasons), saved, blocked
            )
        )
    return _result(stream, earlier, routed, promise, base_of(materials))


def _top(mark: float | None) -> float | None:
    """On the scale: what is better than all is 100."""
    return None if mark is None else min(mark, 100.0)


def _decision(chance: float | None, limit: float | None, seen: str) -> str:
    if seen:
        return MARKED
    return PASS if chance is not None and limit is not None and np.float32(chance) > limit else EDIT


def _alarms(given: Proposed, before: Proposed, materials: Materials) -> list[tuple[bool, str]]:
    """For each machine translation whether it is to be silenced, and what looks wrong."""
    places = [place for place, own in enumerate(given.machine) if own is not None and own.text]
    found = [(False, "")] * len(given.items)
    if not places:
        return found
    texts = [own.text if (own := given.machine[place]) else "" for place in places]
    corpus = [item.segment.source for item in before.items], [item.correction for item in before.items]
    pair = "" if materials.pair is None else str(materials.pair)
    said: Detections = detect(
        [given.items[place].segment.source for place in places], texts, pair=pair, corpus=corpus
    )
    for row, place in enumerate(places):
        words = "; ".join(own.sentence for own in said.reasons[row])
        found[place] = bool(said.blocked[row]), words
    return found


def _result(
    stream: Stream,
    earlier: Stream,
    routed: Sequence[RoutedSegment],
    promise: Promise,
    base: GrowingMemory | None,
) -> Routing:
    passed = [own for own in routed if own.decision == PASS]
    bad = [own for own in passed if own.saved is not None and own.saved < BAD_BELOW - _SAME]
    far = 0
    for own in bad:
        source = stream.items[own.segment - 1].segment.source
        targets = [unit.target for unit in base.same(source)] if base is not None else []
        near = 100 * (1 - edit_rates([own.text] * len(targets), targets)) if targets else np.zeros(0)
        far += not (near >= BAD_BELOW - _SAME).any()
    low, high = wilson_interval(len(bad), len(passed)) or (None, None)
    return Routing(stream.name, earlier.name, tuple(routed), promise, len(passed), len(bad), far, low, high)
