"""What features look at: segments and their translations as words, what was learnt of other texts, and token scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from tertium import _native
from tertium.estimation.corpora import CorpusWords
from tertium.estimation.encoderhead import EncoderHead
from tertium.estimation.tendency import KINDS, Tendency, applied, tendencies
from tertium.estimation.words import Arrays, KeyedWords, Numbers, Places
from tertium.text.keyed import characters
from tertium.text.lexical import MOST, LexicalModel
from tertium.text.ngrams import NgramModel

# Columns of native/surface_signs.hpp; behind them the marks, how many more of each kind the target has.
SURFACE = (
    *("source characters", "target characters"),
    *("numbers kept", "numbers given", "numbers"),
    *("names kept", "source names", "target names", "copied"),
    *("source word", "source pair", "source triple"),  # how often the commonest is said
    *("target word", "target pair", "target triple"),
    *("source kinds", "target kinds", "same end"),
)
# What is kept of models that learn from corpora, too: words, pairs and triples of them; links of words.
MOST_NGRAMS = (60_000, 100_000, 40_000)
MOST_LINKS = 250_000
MARKS = {
    "commas": ",",
    "full stops": ".",
    "questions": "?!",
    "colons": ":;",
    "quotes": "\"“”„«»'’",
    "brackets": "()[]",
    "dashes": "-–—",
}


@dataclass(frozen=True, eq=False)
class Learnt:
    """Models of both sides and of what becomes of their words, learnt from sources and their translations; and what
    translations with such words were worth."""

    source: NgramModel
    target: NgramModel
    forward: LexicalModel  # target words, given those of the source
    backward: LexicalModel
    tendencies: tuple[Tendency, ...]
    head: EncoderHead | None = None  # on vectors of an encoder, if one is given

    @classmethod
    def of(
        cls,
        source: KeyedWords,
        target: KeyedWords,
        values: Numbers,
        encoder: str = "",
        corpora: CorpusWords | None = None,
    ) -> Learnt:
        """By these translations, what they are worth, and texts beside them."""
        lines = (source, target) if corpora is None else corpora.beside(source, target)
        ours, theirs = (source, target) if corpora is None else corpora.paired(source, target)
        most = MOST + (0 if corpora is None else corpora.pairs)
        found = cls(
            NgramModel.learn(lines[0]),
            NgramModel.learn(lines[1]),
            LexicalModel.learn(theirs, ours, most=most),
            LexicalModel.learn(ours, theirs, most=most),
            tuple(tendencies(source, target, values)),
            EncoderHead.learnt(encoder, source, target, values) if encoder else None,
        )
        if corpora is not None:
            found = found.pruned()
        return cls.from_arrays(found.arrays())  # as precise as a file is

    def pruned(self) -> Learnt:
        """Less what was seen least, so that a file has the size that others have, whatever was read."""
        return replace(
            self,
            source=self.source.pruned(MOST_NGRAMS),
            target=self.target.pruned(MOST_NGRAMS),
            forward=self.forward.pruned(MOST_LINKS),
            backward=self.backward.pruned(MOST_LINKS),
        )

    def arrays(self) -> dict[str, np.ndarray]:
        parts = {name: getattr(self, name) for name in ("source", "target", "forward", "backward")}
        parts |= {own.kind: own for own in self.tendencies}
        if self.head is not None:
            parts["head"] = self.head
        return {
            f"{part}.{name}": values for part, own in parts.items() for name, values in own.arrays().items()
        }

    @classmethod
    def from_arrays(cls, arrays: Arrays) -> Learnt:
        def own(part: str) -> dict[str, np.ndarray]:
            begin = f"{part}."
            return {
                name.removeprefix(begin): np.asarray(v)
                for name, v in arrays.items()
                if name.startswith(begin)
            }

        return cls(
            NgramModel.from_arrays(own("source")),
            NgramModel.from_arrays(own("target")),
            LexicalModel.from_arrays(own("forward")),
            LexicalModel.from_arrays(own("backward")),
            tuple(Tendency.from_arrays(kind, own(kind)) for kind in KINDS),
            EncoderHead.from_arrays(own("head")),
        )


@dataclass(frozen=True, eq=False)
class TokenScores:
    """Log-probabilities of the pieces of translations, as the system that made them gives them: for each segment its
    pieces (`@@` or `▁` marks where words are cut), and a number for each, and perhaps one for the end."""

    pieces: Sequence[Sequence[str]]
    values: Sequence[Numbers]


@dataclass(frozen=True, eq=False)
class View:
    """Segments, as features see them."""

    source: KeyedWords
    target: KeyedWords
    learnt: Learnt
    scores: TokenScores | None = None
    threads: int = 1
    matches: Sequence[tuple[int, str] | None] | None = (
        None  # a memory's best: percent of likeness, its target
    )
    documents: Sequence[str] | None = None  # the document of each segment
    pair: str = ""  # of languages; empty: unknown

    def __len__(self) -> int:
        return len(self.source)

    @cached_property
    def forward(self) -> tuple[Numbers, Numbers]:
        return self.learnt.forward.best(self.target, self.source, threads=self.threads)

    @cached_property
    def backward(self) -> tuple[Numbers, Numbers]:
        return self.learnt.backward.best(self.source, self.target, threads=self.threads)

    @cached_property
    def tendencies(self) -> Sequence[Numbers]:
        return applied(self.learnt.tendencies, self.source, self.target, threads=self.threads)

    @cached_property
    def surface(self) -> Mapping[str, Numbers]:
        """What native/surface_signs.hpp sees of the texts, by name."""
        found = _native.surface_signs(
            self.source.texts, self.target.texts, characters(), list(MARKS.values()), self.threads
        )
        return dict(zip((*SURFACE, *MARKS), np.asarray(found).T, strict=True))

    @cached_property
    def read(self) -> Mapping[str, tuple[Numbers, Numbers]]:
        """Of the words of each side their probabilities, and how many words stand before them in what was learnt."""
        return {
            side: getattr(self.learnt, side).read(getattr(self, side), threads=self.threads)
            for side in ("source", "target")
        }

    @cached_property
    def surprise(self) -> Mapping[str, Numbers]:
        """Minus the logarithm of the probability of each word."""
        return {side: -np.log(found) for side, (found, _) in self.read.items()}

    @cached_property
    def rarity(self) -> Mapping[str, Numbers]:
        """How rare each word is: minus the logarithm of how many words stand before it, of all."""
        found = {}
        for side in ("source", "target"):
            model: NgramModel = getattr(self.learnt, side)
            found[side] = np.log((model.words + 1) / (self.read[side][1] + 0.5))
        return found


@dataclass(frozen=True)
class QualityFeatures:
    """Names, a sentence, and a function that gives a column for each name."""

    about: str
    names: tuple[str, ...]
    of: Callable[[View], Sequence[Numbers]]
    needs_scores: bool = False
    needs_memory: bool = False
    needs_encoder: bool = False
    needs_documents: bool = False
    needs_checks: bool = False  # to be asked for

    def columns(self, view: View) -> Numbers:
        found = np.column_stack([np.asarray(own, float) for own in self.of(view)])
        if found.shape[1] != len(self.names):
            raise ValueError(f"{found.shape[1]} columns for {len(self.names)} names")
        return found


def folds_of(sources: Sequence[str], number: int) -> Places:
    """The part in which each segment is left out; equal sources are in one."""
    places: dict[str, int] = {}
    order = np.random.default_rng(12345).permutation(len(set(sources)))
    return np.array([order[places.setdefault(text, len(places))] % number for text in sources], np.int64)
