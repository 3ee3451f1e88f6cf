"""Who did what to whom: sentences with their semantic frames, and which frames of two sentences belong together.

Frames are read by `tertium.io.conll09`. Two sentences are aligned as in MEANT and YiSi: predicates by maximum
matching of their similarity, then the arguments of each pair of frames (Lo 2017, 2019).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tertium import _native

Span = tuple[int, int]  # the first word, and the one after the last
Agreement = tuple[float, float]  # precision and recall
Compare = Callable[[Sequence[tuple[int, int, int, int]]], Sequence[Agreement]]


@dataclass(frozen=True)
class Role:
    """A predicate or an argument: its label and the words that fill it."""

    label: str
    span: Span

    def __len__(self) -> int:
        return self.span[1] - self.span[0]


@dataclass(frozen=True)
class Frame:
    """A predicate and its arguments."""

    predicate: Role
    arguments: tuple[Role, ...] = ()

    def __len__(self) -> int:
        """Words that fill the frame's roles."""
        return len(self.predicate) + sum(map(len, self.arguments))


@dataclass(frozen=True)
class Parse:
    """A sentence with its frames."""

    tokens: tuple[str, ...]
    frames: tuple[Frame, ...] = ()

    def lines(self) -> list[str]:
        """One line per frame, with roles in brackets; a sentence without frames is printed as it is.

        >>> Parse(("He", "sleeps"), (Frame(Role("V", (1, 2)), (Role("A0", (0, 1)),)),)).lines()
        ['[A0 He] [V sleeps]']
        """
        if not self.frames:
            return [" ".join(self.tokens)]
        return [" ".join(self._bracketed(frame)) for frame in self.frames if len(frame.predicate)]

    def _bracketed(self, frame: Frame) -> list[str]:
        words = list(self.tokens)
        for role in (frame.predicate, *frame.arguments):
            begin, end = role.span
            words[begin] = f"[{role.label} {words[begin]}"
            words[end - 1] += "]"
        return words


# Kinds of roles that count as the same. A label is made of C- or R- (continuation, reference), the number of the
# argument, and after it a preposition (ignored) or a function.
KINDS = ("predicate", "agent", "patient", "beneficiary", "time", "place", "cause", "other")
_NUMBERED = {"0": "agent", "1": "patient", "2": "beneficiary", "3": "place", "4": "place"}
_FUNCTIONS = {
    "time": "TMP TM FIN",
    "place": "DIR LOC EFI DES ORI EIN TO FROM INTO",
    "cause": "CAU PNC PRP",
    "beneficiary": "BNF EXP ATR BEN INS",
    "agent": "AGT SRC",
    "patient": "TEM PAT",
    "other": "MNR EXT FRQ MOD NEG PRD ADV DIS REC TPC CND DGR",
}
_FUNCTION = {function: kind for kind, functions in _FUNCTIONS.items() for function in functions.split()}


def kind(label: str) -> str:
    """The kind of role that a label of PropBank, NomBank, CoNLL-2009 or AnCora names.

    >>> [kind(label) for label in ("V", "A0", "C-A1", "ARG1-LOC", "ARG2-TO", "AM-TMP", "arg0-exp", "A5", "AM-NEG")]
    ['predicate', 'agent', 'patient', 'place', 'beneficiary', 'time', 'beneficiary', 'other', 'other']
    """
    name = label.upper()
    while name[:2] in ("C-", "R-"):
        name = name[2:]
    if name in ("V", "VB", "TARGET"):
        return "predicate"
    head, _, function = name.partition("-")
    number = head.removeprefix("ARG").removeprefix("A")
    if function in ("TO", "FROM", "INTO") and number in _NUMBERED:
        function = ""  # prepositions; with modifiers they say where
    if (function or head) in _FUNCTION:
        return _FUNCTION[function or head]
    return _NUMBERED.get(number, "other")


def role_counts(parses: Iterable[Parse | None]) -> Counter[str]:
    """How often each kind of role occurs."""
    counts: Counter[str] = Counter()
    for parse in parses:
        for frame in parse.frames if parse is not None else ():
            counts[kind(frame.predicate.label)] += 1
            counts.update(kind(role.label) for role in frame.arguments)
    return counts


def weights_of_roles(counts: Mapping[str, int]) -> dict[str, float]:
    """By these counts."""
    return {name: 1 + counts.get(name, 0) * (0.25 if name == "predicate" else 1.0) for name in KINDS}


@dataclass(frozen=True)
class Aligned:
    """A frame and what was found for it on the other side: similarity and label of each role's counterpart."""

    frame: Frame
    predicate: float = 0.0
    arguments: Mapping[int, tuple[float, str]] | None = None  # by the argument's place in the frame


def aligned_frames(other: Parse, own: Parse, compare: Compare) -> tuple[list[Aligned], list[Aligned]]:
    """The frames of `other` (a reference) with their best counterparts by recall, those of `own` by precision.

    `compare` gives precision and recall of pairs of phrases: (begin, end) in `other`, (begin, end) in `own`.
    """
    theirs = [frame for frame in other.frames if len(frame.predicate)]
    ours = [frame for frame in own.frames if len(frame.predicate)]
    wanted: list[tuple[int, int, int, int]] = []
    for frame in theirs:
        for mine in ours:
            wanted.append((*frame.predicate.span, *mine.predicate.span))
            wanted += [(*one.span, *two.span) for one in frame.arguments for two in mine.arguments]
    found = dict(zip(wanted, compare(wanted), strict=True)) if wanted else {}

    def aligned(part: int) -> Iterator[tuple[int, int, float, list[tuple[int, int, float]]]]:
        """Pairs of frames by precision (0) or recall (1), with that of their predicates and of their arguments."""
        rows = [[found[*t.predicate.span, *o.predicate.span][part] for o in ours] for t in theirs]
        for i, j in matched(rows):
            inner = [[found[*a.span, *b.span][part] for b in ours[j].arguments] for a in theirs[i].arguments]
            yield i, j, rows[i][j], [(a, b, inner[a][b]) for a, b in matched(inner)]

    recalled = [Aligned(frame) for frame in theirs]
    for i, j, value, pairs in aligned(1):
        labels = {a: (similarity, ours[j].arguments[b].label) for a, b, similarity in pairs}
        recalled[i] = Aligned(theirs[i], value, labels)
    precise = [Aligned(frame) for frame in ours]
    for i, j, value, pairs in aligned(0):
        labels = {b: (similarity, theirs[i].arguments[a].label) for a, b, similarity in pairs}
        precise[j] = Aligned(ours[j], value, labels)
    return recalled, precise


def frame_value(found: Sequence[Aligned], roles: Mapping[str, float], *, same_kind: bool) -> float:
    """How well the roles of a frame are found, weighted by kind; of several counterparts the best counts.

    `found` has the frame's counterpart in each reference. With `same_kind` an argument counts only where its
    counterpart plays the same kind of role.
    """
    frame = found[0].frame
    total = roles[kind(frame.predicate.label)]
    value = total * max(one.predicate for one in found)
    for i, role in enumerate(frame.arguments):
        weight = roles[kind(role.label)]
        candidates = [(one.arguments or {}).get(i, (0.0, "")) for one in found]
        counted = [
            similarity
            for similarity, label in candidates
            if label and (not same_kind or kind(label) == kind(role.label))
        ]
        value += weight * max(counted, default=0.0)
        total += weight
    return value / total


def covered(frames: Sequence[tuple[Frame, float]]) -> float:
    """The mean of frames' values, weighted by the words that they cover; 0 without frames."""
    total = sum(len(frame) for frame, _ in frames)
    return sum(len(frame) * value for frame, value in frames) / total if total else 0.0


def matched(weights: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """The pairs of rows and columns with the largest sum (Kuhn 1955).

    >>> matched([[0.9, 0.9], [0.9, 0.8], [0.8, 0.1], [1.0, 0.1]])
    [(0, 1), (3, 0)]
    """
    if not weights or not weights[0]:
        return []
    from array import array

    flat = array("d", [value for row in weights for value in row])
    matrix: Any = memoryview(flat).cast("B").cast("d", (len(weights), len(weights[0])))
    return _native.heaviest_matching(matrix)
