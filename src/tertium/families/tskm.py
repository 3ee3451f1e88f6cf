"""UHH_TSKM: sequence kernels of words and tree kernels of parses, normalised and averaged."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, ClassVar, NamedTuple

from tertium import _native
from tertium._native import Lines
from tertium.errors import SpecError, TextError, did_you_mean
from tertium.families.base import Level, Metric, option
from tertium.families.values import written
from tertium.families.words import LOWERCASE_HELP, MEAN_COLUMNS, NO_SEGMENTS, with_tok
from tertium.io.backtranslations import BackTranslations, read_back_translations
from tertium.statistics import DenseStatistics, Statistics
from tertium.text import tokenizers
from tertium.text.parsers import PARSER_HELP, OpenParser, parser
from tertium.text.parses import Tree
from tertium.text.segments import References
from tertium.text.trees import FORMS, LabelNumbers, buffer, lowered, text_trees, tree_texts

KERNELS = ("seq", "sst", "ptk")


class KernelText(NamedTuple):
    """A text with its words and, where they are wanted, its trees."""

    text: str
    words: tuple[str, ...]
    trees: tuple[Tree, ...] = ()


@dataclass(frozen=True)
class TSKM(Metric):
    """The mean of normalised kernels between hypothesis and reference.

    >>> import tertium as tt
    >>> round(tt.metric("tskm:seq").score(["the cat sat on the mat"], ["the cat sat on a mat"]), 1)
    65.7
    """

    name: ClassVar[str] = "tskm"
    title: ClassVar[str] = (
        "UHH_TSKM: kernels of word sequences and of parse trees, averaged (parser=; tskm:seq)"
    )
    formula: ClassVar[str] = (
        "The mean over kernels of K(h, r) / sqrt(K(h, h) K(r, r)). seq: sum over common subsequences of up to `order`\n"
        "words of decay^(words that they stretch over, on both sides). sst: sum over pairs of nodes with one rule of\n"
        "D = tree_decay prod_c (1 + D(c, c')). ptk: the same over nodes with the same label, of D = height\n"
        "(tree_decay^2 + sum over runs of children of tree_decay^(steps, on both sides) prod D(c, c')).\n"
        "The corpus score is the mean of segment scores."
    )
    paper: ClassVar[str] = (
        "Duma and Menzel 2017, https://aclanthology.org/W17-4766; Lodhi et al. 2002; Collins and Duffy 2002; "
        "Moschitti 2006"
    )
    quirks: ClassVar[str] = (
        "Trees are those of Penn brackets (parser=penn:FILES), or dependencies turned into trees (form). With back=\n"
        "the kernels of source and back-translation are averaged with those of hypothesis and reference."
    )
    undefined: ClassVar[str] = NO_SEGMENTS
    required: ClassVar[tuple[str, ...]] = ("parser",)

    parser: str = option("", PARSER_HELP, file=True)
    kernels: str = option("seq+sst+ptk", "kernels to average, joined by +: seq, sst, ptk", key="kernels")
    order: int = option(3, "longest subsequence of words", between=(1, 64), key="order")
    decay: float = option(
        0.9, "weight of each word that a subsequence stretches over", between=(0.01, 1), key="decay"
    )
    tree_decay: float = option(
        0.4, "weight of each rule or node of a part of a tree", between=(0.01, 1), key="tdecay"
    )
    height: float = option(0.4, "weight of each level of a partial tree", between=(0.01, 1), key="height")
    form: str = option("grct", "trees of dependencies: " + ", ".join(FORMS), choices=tuple(FORMS), key="form")
    several: str = option("max", "of several references: max or mean", choices=("max", "mean"), key="several")
    tok: str = option("13a", "tokeniser of seq, where there is no parser", aliases=("tokenize",))
    lowercase: bool = option(False, LOWERCASE_HELP, aliases=("lc",), key="lc")
    back: str = option("", "back-translations, a table: hypothesis, back-translation", file=True)
    source_parser: str = option("", "the parser of sources and back-translations", file=True)

    word_options: ClassVar[tuple[str, ...]] = ("tok", "parser")

    def __post_init__(self) -> None:
        super().__post_init__()
        tokenizers.check(self.tok)
        if self.parser:
            object.__setattr__(self, "tok", "none")  # the parser cuts words: one name for one metric
        for name in self.chosen:
            if name not in KERNELS:
                raise SpecError(f"tskm: there is no kernel {name!r}{did_you_mean(name, KERNELS)}")
        if len({*self.chosen}) < len(self.chosen):
            raise SpecError(f"tskm: a kernel is given twice: {self.kernels}")
        object.__setattr__(self, "kernels", "+".join(name for name in KERNELS if name in self.chosen))

    def finds_words_in(self, language: str) -> bool:
        return bool(self.parser) or tokenizers.cuts_words_of(self.tok, language)

    def for_language(self, language: str, tok: str) -> Metric:
        return self if self.parser else with_tok(self, tok)

    @classmethod
    def from_value(cls, value: str, options: dict[str, Any]) -> Metric:
        if "kernels" in options:
            raise SpecError(f"tskm:{value}: the kernels are given twice")
        return cls.from_options({"kernels": value, **options})

    @property
    def chosen(self) -> tuple[str, ...]:
        return tuple(self.kernels.split("+"))

    @property
    def label(self) -> str:
        parts = [self.kernels] * (self.chosen != KERNELS) + ["back"] * bool(self.back)
        return f"TSKM[{' '.join(parts)}]" if parts else "TSKM"

    @property
    def needs_source(self) -> bool:  # type: ignore[override]
        return bool(self.back)

    def _needed(self) -> tuple[str, ...]:
        trees = self.chosen != ("seq",)
        return ("parser",) * trees + ("source_parser",) * (trees and bool(self.back))

    # Signature.

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        items = super().signature_items(level)
        items |= self._opened(self.parser).items() if self.parser else tokenizers.signature_items(self.tok)
        if self.back:
            items |= {"back": written(self.back), "back-hash": self._back.hash}
            if self.source_parser:
                items |= {
                    f"src-{key}": value for key, value in self._opened(self.source_parser).items().items()
                }
        return items

    @classmethod
    def from_signature_items(cls, items: dict[str, str]) -> Metric:
        keys = {"parser": "parser", "source_parser": "src-parser", "back": "back"}
        further = {name: items.get(key, "") for name, key in keys.items()}
        if "tok" in items:
            further["tok"] = tokenizers.from_signature(items["tok"])
        own = {one.name: one.metadata.get("key", "") for one in fields(cls)}
        return cls.from_options({name: items[key] for name, key in own.items() if key in items} | further)

    def _opened(self, spec: str) -> OpenParser:
        made = parser(spec)
        if self.chosen != ("seq",) and not made.layers & {"heads", "phrases"}:
            raise SpecError(f"{self.name} needs trees, which the parser {spec!r} does not make")
        return made

    # Rows.

    @property
    def _back(self) -> BackTranslations:
        return read_back_translations(self.back)

    def _seen(self, texts: Sequence[str], spec: str) -> list[KernelText]:
        """Words and trees; without a parser the words are the tokeniser's."""
        if not spec:
            cut = tokenizers.tokenize(texts, self.tok)
            return [
                KernelText(text, tuple(word.lower() if self.lowercase else word for word in words))
                for text, words in zip(texts, cut, strict=True)
            ]
        found = self._opened(spec).parse(texts)
        if self.lowercase:
            found = [lowered(one) for one in found]
        trees = self.chosen != ("seq",)
        return [
            KernelText(text, one.words, tuple(text_trees(one, self.form)) if trees else ())
            for text, one in zip(texts, found, strict=True)
        ]

    def _prepare(self, references: References, threads: int) -> list[list[KernelText | None]]:
        streams = []
        for stream in references.streams:
            texts = list(stream)
            seen = self._seen([text or "" for text in texts], self.parser)
            streams.append([None if text is None else one for text, one in zip(texts, seen, strict=True)])
        return streams

    def _rows(
        self, hypotheses: Lines, prepared: list[list[KernelText | None]], sources: Lines | None, threads: int
    ) -> Statistics:
        texts = [text or "" for text in hypotheses]
        own = self._seen(texts, self.parser)
        found: list[list[float]] = [[] for _ in own]
        for stream in prepared:
            there = [i for i, one in enumerate(stream) if one is not None]
            pairs = [(own[i], stream[i]) for i in there]
            for i, score in zip(there, self._compared(pairs, threads), strict=True):
                found[i].append(score)
        combine = max if self.several == "max" else _mean
        scores = [combine(them) if them else 0.0 for them in found]
        if self.back:
            theirs = self._seen([text or "" for text in sources or ()], self.source_parser)
            ours = self._seen([self._back.of(text) for text in texts], self.source_parser)
            backs = self._compared(list(zip(ours, theirs, strict=True)), threads)
            scores = [(score + back) / 2 for score, back in zip(scores, backs, strict=True)]
        return DenseStatistics.of_lists(MEAN_COLUMNS, [(score, 1) for score in scores])

    def _compared(self, pairs: Sequence[tuple[KernelText, Any]], threads: int) -> list[float]:
        """The mean of the chosen kernels for each pair, from 0 to 1."""
        ours, theirs = ([pair[side] for pair in pairs] for side in (0, 1))
        numbered: dict[str, Any] = {}  # texts as kernels of a kind take them
        values = []
        for name in self.chosen:
            prepare, kernels = _KERNELS[name]
            if prepare.__name__ not in numbered:
                numbers = LabelNumbers()
                numbered[prepare.__name__] = prepare(ours, numbers), prepare(theirs, numbers)
            a, b = numbered[prepare.__name__]
            values.append(self._normalised(partial(kernels, self, threads), a, b, ours, theirs))
        return [_mean(them) for them in zip(*values, strict=True)]

    def _sequences(self, threads: int, one: Any, other: Any) -> Any:
        return _native.sequence_kernels(one[0], one[1], other[0], other[1], self.order, self.decay, threads)

    def _subset_trees(self, threads: int, one: Any, other: Any) -> Any:
        return _native.tree_kernels(one, other, False, self.tree_decay, self.height, threads)

    def _partial_trees(self, threads: int, one: Any, other: Any) -> Any:
        return _native.tree_kernels(one, other, True, self.tree_decay, self.height, threads)

    def _normalised(
        self, kernels: Any, a: Any, b: Any, ours: Sequence[KernelText], theirs: Sequence[KernelText]
    ) -> list[float]:
        """K(a, b) / sqrt(K(a, a) K(b, b)): 1 for equal texts; 0 where one of them has nothing to compare."""
        found = []
        for n, (both, one, other) in enumerate(zip(kernels(a, b), kernels(a, a), kernels(b, b), strict=True)):
            if any(map(math.isnan, (both, one, other))):
                size = max(len(ours[n].words), len(theirs[n].words))
                raise TextError(
                    f"tskm: a text of {size} words is too long to compare all parts of it; cut it into sentences",
                    ours[n].text,
                )
            if -math.inf in (one, other):  # no parts: a tree of one leaf has no rule
                same = one == other and bool(ours[n].words) and ours[n].words == theirs[n].words
                found.append(float(same))
            else:
                found.append(min(1.0, math.exp(both - (one + other) / 2)))
        return found

    def _scores(self, statistics: DenseStatistics, level: Level) -> Any:
        return _native.mean_scores(statistics.data, 0)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _words(texts: Iterable[KernelText], numbers: LabelNumbers) -> tuple[Any, array[int]]:
    """Words by number, and where each text begins."""
    words, begins = array("i"), array("q", [0])
    for text in texts:
        words.extend(map(numbers, text.words))
        begins.append(len(words))
    return buffer(words), begins


def _trees(texts: Iterable[KernelText], numbers: LabelNumbers) -> _native.TreeTexts:
    return tree_texts([text.trees for text in texts], numbers)


_KERNELS: Mapping[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "seq": (_words, TSKM._sequences),
    "sst": (_trees, TSKM._subset_trees),
    "ptk": (_trees, TSKM._partial_trees),
}
