"""What speaks for a stored translation: numbers by name, each belonging to a piece of information."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tertium.matching import copying
from tertium.matching.candidates import StoredCandidates
from tertium.matching.words import MemoryWords
from tertium.text.keyed import KeyedWords, mixed

if TYPE_CHECKING:
    import numpy.typing as npt

    from tertium.text.keyed import Keys, Numbers

    Rows = npt.NDArray[np.int64]

SOURCE_PIECE = "source as it stands"
EXPLAINED = 0.05  # probability from which on a word counts as the translation of another
SHARPNESS = 12.0  # how much more the translations of the most alike count when candidates are asked to agree


@dataclass(frozen=True, eq=False)
class MatchQuestion:
    """Candidates for the segments of a document, with what the memory knows about words; numbers are for rows."""

    candidates: StoredCandidates
    words: MemoryWords

    @cached_property
    def owner(self) -> Rows:
        return self.candidates.owner

    @cached_property
    def segments(self) -> KeyedWords:
        return KeyedWords.of(self.candidates.segments)

    @cached_property
    def asked(self) -> KeyedWords:
        """The segment of each row."""
        return repeated(self.segments, self.owner)

    @cached_property
    def sources(self) -> KeyedWords:
        return KeyedWords.of([own.source for own in self.candidates.rows])

    @cached_property
    def targets(self) -> KeyedWords:
        return KeyedWords.of([own.target for own in self.candidates.rows])

    @cached_property
    def shared(self) -> dict[str, tuple[Numbers, Numbers, Numbers]]:
        """Words, rare words and pairs of words: how many the segment has, the stored source has, and both have."""
        found = {}
        for name, make in (("words", _words), ("pairs", _pairs)):
            ours, theirs = (make(own) for own in (self.asked, self.sources))
            found[name] = _overlap(ours, theirs, len(self.owner), None)
        ours, theirs = _words(self.asked), _words(self.sources)
        found["rare"] = _overlap(ours, theirs, len(self.owner), self.words.rareness)
        return found

    @cached_property
    def explained(self) -> tuple[Numbers, Numbers, Numbers, Numbers]:
        """Of the stored target by the segment's words, and the other way round: mean logarithms, and shares."""
        ours, theirs = self.asked, self.targets
        made = self.words.forward.best(theirs, ours)[0]
        given = self.words.backward.best(ours, theirs)[0]
        rare = self.words.rareness(ours.keys)
        shares = ours.sums(rare * (given > EXPLAINED)) / np.maximum(ours.sums(rare), 1e-9)
        return (
            theirs.mean(np.log(made)),
            theirs.mean((made > EXPLAINED).astype(float)),
            ours.sums(rare * np.log(given)) / np.maximum(ours.sums(rare), 1e-9),
            shares,
        )

    @cached_property
    def source_numbers(self) -> Numbers:
        """What speaks for the segments themselves."""
        return np.stack(copying.source_numbers(self.candidates, self.words), axis=1)

    @cached_property
    def agreed(self) -> tuple[Numbers, Numbers]:
        """How much of a target the targets of other candidates have, those of the most alike above all."""
        owner, likeness = self.owner, self.candidates.characters + dice(self.shared["rare"])
        weights = np.where(self.candidates.copied, 0.0, np.exp(SHARPNESS / 2 * likeness))
        totals = np.maximum(np.bincount(owner, weights), 1e-9)
        keys, rows = _distinct(self.targets)
        _, places = np.unique(mixed(owner[rows].astype(np.uint64), keys), return_inverse=True)
        others = np.bincount(places, weights[rows])[places] - weights[rows]
        share = others / np.maximum(totals[owner[rows]] - weights[rows], 1e-9)
        sums = np.bincount(rows, share, len(owner))
        sizes = np.bincount(rows, minlength=len(owner))
        expected = np.bincount(owner, np.bincount(rows, weights[rows], len(owner)))[owner] / totals[owner]
        return sums / np.maximum(sizes, 1), 2 * sums / np.maximum(sizes + expected, 1e-9)


def repeated(words: KeyedWords, rows: Rows) -> KeyedWords:
    """Segments again and again, as rows name them."""
    sizes = words.sizes[rows]
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    inside = (
        np.arange(int(starts[-1])) - np.repeat(starts[:-1], sizes) + np.repeat(words.starts[:-1][rows], sizes)
    )
    return KeyedWords((), words.texts, words.keys[inside], words.characters[inside], starts)


def dice(own: tuple[Numbers, Numbers, Numbers]) -> Numbers:
    one, other, both = own
    return np.asarray(2 * both / np.maximum(one + other, 1e-9))


def _words(side: KeyedWords) -> tuple[Keys, Rows]:
    return side.keys, side.segments


def _pairs(side: KeyedWords) -> tuple[Keys, Rows]:
    inside = side.segments[1:] == side.segments[:-1]
    return mixed(side.keys[:-1], side.keys[1:])[inside], side.segments[:-1][inside]


def _distinct(side: KeyedWords) -> tuple[Keys, Rows]:
    order = np.lexsort((side.keys, side.segments))
    keys, rows = side.keys[order], side.segments[order]
    new = np.ones(len(keys), bool)
    new[1:] = (rows[1:] != rows[:-1]) | (keys[1:] != keys[:-1])
    return keys[new], rows[new]


def _overlap(
    ours: tuple[Keys, Rows], theirs: tuple[Keys, Rows], rows: int, weigh: Callable[[Keys], Numbers] | None
) -> tuple[Numbers, Numbers, Numbers]:
    """Weights of what each side has in each row, and of what both have; what occurs twice counts twice."""
    keys = np.concatenate([ours[0], theirs[0]])
    places = np.concatenate([ours[1], theirs[1]])
    first = np.concatenate([np.ones(len(ours[0])), np.zeros(len(theirs[0]))])
    order = np.lexsort((keys, places))
    keys, places, first = keys[order], places[order], first[order]
    new = np.ones(len(keys), bool)
    new[1:] = (places[1:] != places[:-1]) | (keys[1:] != keys[:-1])
    group = np.cumsum(new) - 1
    one = np.bincount(group, first)
    other = np.bincount(group, 1 - first)
    weights = weigh(keys[new]) if weigh else np.ones(int(new.sum()))
    of = places[new]
    sums = [np.bincount(of, weights * own, rows) for own in (one, other, np.minimum(one, other))]
    one_sum, other_sum, both = (np.asarray(own, float) for own in sums)
    return one_sum, other_sum, both


@dataclass(frozen=True)
class PieceOfInformation:
    """Numbers of one piece of information, by their names; NaN where nothing is known."""

    piece: str
    sentence: str
    names: tuple[str, ...]
    numbers: Callable[[MatchQuestion], Sequence[Numbers]]


def _likeness(asked: MatchQuestion) -> Sequence[Numbers]:
    words, pairs = asked.shared["words"], asked.shared["pairs"]
    ends = []
    for place in (0, -1):
        sides = []
        for side in (asked.asked, asked.sources):
            at = np.clip(
                side.starts[:-1] if place == 0 else side.starts[1:] - 1, 0, max(len(side.keys) - 1, 0)
            )
            sides.append(side.keys[at])
        ends.append((sides[0] == sides[1]).astype(float))
    return dice(words), dice(pairs), *ends


def _rare(asked: MatchQuestion) -> Sequence[Numbers]:
    one, other, both = rare = asked.shared["rare"]
    return dice(rare), both / np.maximum(one, 1e-9), both / np.maximum(other, 1e-9)


def _lengths(asked: MatchQuestion) -> Sequence[Numbers]:
    words = np.log(np.maximum(asked.sources.sizes, 1) / np.maximum(asked.asked.sizes, 1))
    rows, segments = asked.candidates.rows, asked.candidates.segments
    letters = np.array([len(own.target) for own in rows], float)
    ours = np.array([len(text) for text in segments], float)[asked.owner]
    ratio = np.log(np.maximum(letters, 1) / np.maximum(ours, 1))
    return words, np.abs(words), ratio, np.abs(ratio - 0.15), np.log(np.maximum(asked.asked.sizes, 1))


def _column(name: str) -> Callable[[MatchQuestion], Sequence[Numbers]]:
    return lambda asked: (asked.candidates.column(name),)


PIECES: dict[str, PieceOfInformation] = {
    own.piece: own
    for own in (
        PieceOfInformation(
            "characters",
            "Share of the characters that need no edit.",
            ("characters",),
            lambda asked: (asked.candidates.characters,),
        ),
        PieceOfInformation(
            "words",
            "Words and pairs of neighbours that both sources have; the first and the last word.",
            ("words", "pairs of words", "first word", "last word"),
            _likeness,
        ),
        PieceOfInformation(
            "rare words",
            "The same for words, the rarer the more: of both sources, of the segment, of the stored source.",
            ("rare words", "rare words of the segment", "rare words of the unit"),
            _rare,
        ),
        PieceOfInformation(
            "wording",
            "How well the lexical model explains the stored target by the segment's words, and the other way round.",
            ("target explained", "target words explained", "segment explained", "segment words explained"),
            lambda asked: asked.explained,
        ),
        PieceOfInformation(
            "length",
            "Lengths of both sources and of the target.",
            ("longer source", "other length", "longer target", "other target length", "segment's words"),
            _lengths,
        ),
        PieceOfInformation(
            "agreement",
            "Words of the target that the targets of other candidates have, too.",
            ("agreement", "agreement both ways"),
            lambda asked: asked.agreed,
        ),
        PieceOfInformation(
            "frequency",
            "How many units have this source with this target.",
            ("frequency",),
            _column("frequency"),
        ),
        PieceOfInformation("client", "The same client.", ("client",), _column("client")),
        PieceOfInformation("domain", "The same domain.", ("domain",), _column("domain")),
        PieceOfInformation("translator", "The same translator.", ("translator",), _column("translator")),
        PieceOfInformation(
            "topic",
            "Likeness of the document to the one that the unit comes from.",
            ("topic",),
            _column("topic"),
        ),
        PieceOfInformation("recency", "Years since the unit was last changed.", ("years",), _column("years")),
        PieceOfInformation(
            "context", "The same segments before and after.", ("neighbours",), _column("neighbours")
        ),
        PieceOfInformation(
            SOURCE_PIECE,
            "The segment itself instead of a stored translation: words that stay as they are, new words, signs, code.",
            copying.NAMES,
            lambda asked: list(asked.source_numbers.T),
        ),
        PieceOfInformation(
            "consistency",
            "Documents that earlier proposals come from, and words that they use.",
            ("document used before", "words used before"),
            lambda asked: (asked.candidates.column("document used"), asked.candidates.column("words used")),
        ),
    )
}
LATER = "consistency"  # needs an order of all others first


def numbers(asked: MatchQuestion, pieces: Sequence[str]) -> Numbers:
    """Rows by numbers; NaN where nothing is known. What speaks for stored translations says nothing about the segment
    itself, and the other way round."""
    columns = []
    for name in pieces:
        for column in PIECES[name].numbers(asked):
            if name != SOURCE_PIECE:
                column = np.where(asked.candidates.copied, np.nan, column)
            columns.append(column)
    return np.stack(columns, axis=1) if columns else np.zeros((len(asked.owner), 0))


def consistency(asked: MatchQuestion, scores: Numbers) -> None:
    """What the best proposals of earlier segments, by these scores, say about later ones; of segments that are
    translated already, the translation says it, about all."""
    own = asked.candidates
    best = own.best(np.where(own.copied, -np.inf, scores))  # rows, in the order of segments
    best = best[~own.copied[best]]
    if any(own.targets):
        best = best[[not own.targets[segment] for segment in asked.owner[best]]]
    documents = np.array([own.document_number(row) for row in range(len(own.rows))])
    segment = asked.owner[best]
    taken = np.bincount(asked.owner[best], minlength=len(own.segments)).cumsum()
    before = np.concatenate([[0], taken[:-1]])[asked.owner]
    used = np.zeros(len(own.rows))
    for document in np.unique(documents[best]):
        times = np.bincount(segment[documents[best] == document], minlength=len(own.segments)).cumsum()
        there = documents == document
        used[there] = np.concatenate([[0], times[:-1]])[asked.owner[there]]
    own.put("document used", used / (before + 5.0))
    keys, rows = _distinct(asked.targets)
    first: dict[int, int] = {}
    chosen = set(best.tolist())
    for key, row in zip(keys.tolist(), rows.tolist(), strict=True):
        if row in chosen:
            first[key] = min(first.get(key, len(own.segments)), int(asked.owner[row]))
    for key in KeyedWords.of([text for text in own.targets if text]).keys.tolist():
        first[key] = -1
    known, when = np.array(sorted(first), np.uint64), np.array([first[key] for key in sorted(first)])
    if not len(known):
        own.put("words used", np.zeros(len(own.rows)))
        return
    places = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    earlier = (known[places] == keys) & (when[places] < asked.owner[rows])
    weights = asked.words.rareness(keys)
    shares = np.bincount(rows, weights * earlier, len(own.rows)) / np.maximum(
        np.bincount(rows, weights, len(own.rows)), 1e-9
    )
    own.put("words used", shares)
