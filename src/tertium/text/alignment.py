"""Links between words of two texts, and how far they keep the order; `align` finds them inside a language."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tertium import _native
from tertium.errors import InputError
from tertium.text import meteor
from tertium.text.alignment_weights import Weights, digest, weights
from tertium.text.cut import Cut
from tertium.text.parses import Parsed
from tertium.text.vectors import Vectors

Links = tuple[tuple[int, int], ...]  # (source word, target word), both from 0, in order
Text = Sequence[str] | Parsed
CONTENT = frozenset(("NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM", "X", "SYM", "INTJ"))
NONE = 255  # no tag, no relation
_FUNCTION = ("ADP", "AUX", "CCONJ", "DET", "PART", "PRON", "SCONJ", "PUNCT")
_TAGS = {tag: n for n, tag in enumerate((*_FUNCTION, *sorted(CONTENT)))}
_EQUIVALENT = (
    "nsubj csubj",
    "obj iobj nsubj:pass csubj:pass",
    "obl nmod appos",
    "amod acl nummod compound",
    "ccomp xcomp advcl parataxis",
    "det",
    "case mark",
    "aux cop",
    "advmod",
    "conj",
    "cc",
    "root",
)
_RELATIONS = {name: n for n, names in enumerate(_EQUIVALENT) for name in names.split()}
_LINK = re.compile(r"([0-9]{1,6})-([0-9]{1,6})")


def parse_pharaoh(line: str, n_source: int, n_target: int, where: str) -> Links:
    """A line in Pharaoh's format, `0-0 1-2`: source and target words, counted from 0.

    >>> parse_pharaoh("1-2 0-0", 2, 3, "a.align: line 1")
    ((0, 0), (1, 2))
    """
    found = set()
    for text in line.split():
        match = _LINK.fullmatch(text)
        if match is None:
            raise InputError(f"{where}: {text!r} is not a link between words, such as 0-1")
        link = (int(match[1]), int(match[2]))
        for side, place, words in (("source", link[0], n_source), ("target", link[1], n_target)):
            if place >= words:
                raise InputError(f"{where}: the link {text} is out of range: the {side} has {words} words")
        found.add(link)
    return tuple(sorted(found))


def crossing_share(links: Iterable[tuple[int, int]]) -> float | None:
    """Of the pairs of links that differ on both sides, the share that cross: 0 if word order is kept, 1 if it is
    reversed (Kendall's distance over links); None where no two links can cross.

    >>> crossing_share([(0, 0), (1, 2), (2, 1)])
    0.3333333333333333
    """
    ordered = sorted(links)
    crossing = total = 0
    for n, (i, j) in enumerate(ordered):
        for k, m in ordered[n + 1 :]:
            if i != k and j != m:
                total += 1
                crossing += j > m
    return crossing / total if total else None


def moved_most(links: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
    """The link that crosses the most others (the first, if several do); None if no links cross.

    >>> moved_most([(0, 3), (1, 0), (2, 1), (3, 2)])
    (0, 3)
    """
    counts = [sum((i - k) * (j - m) < 0 for k, m in links) for i, j in links]
    most = max(counts, default=0)
    return links[counts.index(most)] if most else None


@dataclass(frozen=True)
class Aligner:
    """Links words of texts in one language: a hypothesis and its reference, whatever their sentences.

    Texts are words, or parses (`Parsed`), whose trees, tags and lemmas are then evidence. `modules` and files are
    METEOR's (families/meteor.py): without files, words are known by form and stem. `vectors` is a file of word vectors.
    """

    lang: str = "en"
    modules: tuple[str, ...] = ()  # exact, stem, synonym, paraphrase; default: those that need no file
    resources: str = ""
    synonyms: str = ""
    paraphrases: str = ""
    vectors: str = ""
    alike: bool = False  # only links between words that are alike, none for the sake of their places
    weights: Weights | None = None  # default: those learned, for what is known

    def __post_init__(self) -> None:
        object.__setattr__(self, "modules", self.modules or meteor.free_modules(self.lang))

    @property
    def knowledge(self) -> meteor.Knowledge:
        """What is known of words."""
        files = self.resources, self.synonyms, self.paraphrases, meteor.own_function_words(self.lang)
        return meteor.knowledge(meteor.Wanted(self.lang, self.modules, *files))

    def align_many(
        self, hypotheses: Sequence[Text], references: Sequence[Text], threads: int = 1
    ) -> list[Links]:
        """The links of each pair of texts, given as words or parses."""
        found: list[Links] = [()] * len(hypotheses)
        groups: dict[frozenset[str], list[int]] = {}
        for t, pair in enumerate(zip(hypotheses, references, strict=True)):
            groups.setdefault(_layers(pair[0]) & _layers(pair[1]), []).append(t)
        for layers, places in groups.items():
            sides = [hypotheses[t] for t in places], [references[t] for t in places]
            links = self.opened(layers).links(*self.read(*sides, layers), self.alike, threads)
            for t, place in enumerate(places):
                found[place] = tuple(sorted([(i, j) for i, _, j, _, _ in links.matches(t)[0][0]]))
        return found

    def link_many(
        self, hypotheses: Sequence[Parsed], references: Sequence[Parsed], threads: int = 1
    ) -> list[Links]:
        """Like `align_many`, but words of equal texts are their own counterparts."""
        same = [one.words == other.words for one, other in zip(hypotheses, references, strict=True)]
        others = [
            pair
            for pair, equal in zip(zip(hypotheses, references, strict=True), same, strict=True)
            if not equal
        ]
        found = iter(self.align_many([one for one, _ in others], [other for _, other in others], threads))
        return [
            tuple((i, i) for i in range(len(one))) if equal else next(found)
            for one, equal in zip(hypotheses, same, strict=True)
        ]

    def items(self) -> dict[str, str]:
        """What signatures say: which weights decided."""
        return {"aligner": digest()}

    def opened(self, layers: Collection[str] = ()) -> _native.WordAligner:
        """The aligner for texts with these layers of parses."""
        known = {
            "parses": "heads" in layers,
            "synonyms": "synonym" in self.modules,
            "paraphrases": "paraphrase" in self.modules,
            "vectors": bool(self.vectors),
        }
        table = Vectors.open(self.vectors).table if self.vectors else None
        chosen = self.weights or weights(name for name, there in known.items() if there)
        return _native.WordAligner(chosen.flat(), known["synonyms"], known["paraphrases"], table)

    def read(self, hypotheses: Sequence[Text], references: Sequence[Text], layers: Collection[str]) -> Read:
        """Both sides as the kernel takes them."""
        knowledge = self.knowledge
        sides = [read_texts(knowledge, side) for side in (hypotheses, references)]
        numbers: dict[str, int] = {}  # of lemmas
        known = [layer_values(side, layers, numbers) for side in (hypotheses, references)]
        paired = _native.MeteorReferences(knowledge.lexicon, [sides[1]])
        return Read(sides[0], paired, known[0], [known[1]])


@dataclass(frozen=True, eq=False)
class PlainTexts:
    """Texts cut by rule, as the aligner reads them; references need be read only once.

    >>> forms = _native.Forms()
    >>> both = [PlainTexts.of(Aligner(), Cut.of([text], forms)) for text in ("the old man", "the man")]
    >>> both[0].links(both[1])[0]
    ((0, 0), (2, 1))
    """

    aligner: Aligner
    knowledge: meteor.Knowledge
    cut: Cut
    read: _native.MeteorTexts

    @classmethod
    def of(cls, aligner: Aligner, cut: Cut) -> PlainTexts:
        knowledge = aligner.knowledge
        return cls(aligner, knowledge, cut, meteor.read_words(knowledge, cut.numbered.lowered()))

    def links(self, references: PlainTexts, threads: int = 1) -> _native.TextLinks:
        """The links of each pair of texts; words of equal texts are their own counterparts."""
        if self.knowledge is not references.knowledge:
            raise ValueError("both sides must be read with the same knowledge of words")
        paired = _native.MeteorReferences(self.knowledge.lexicon, [references.read])
        found = self.aligner.opened().links(self.read, paired, None, [], self.aligner.alike, threads)
        return _native.word_links(found, self.cut.numbered, references.cut.numbered)


class Read(NamedTuple):
    """Texts as words by number, and what a parser knows of them."""

    hypotheses: _native.MeteorTexts
    references: _native.MeteorReferences
    layers: _native.AlignerLayers
    reference_layers: list[_native.AlignerLayers]


def read_texts(knowledge: meteor.Knowledge, texts: Sequence[Text | None]) -> _native.MeteorTexts:
    """Texts as words by number; those that are missing stay so."""
    lines = [None if text is None else _line(_words(text)) for text in texts]
    return meteor.read_words(knowledge, lines)


def _words(text: Text) -> Sequence[str]:
    return text.words if isinstance(text, Parsed) else text


def _line(words: Sequence[str]) -> str:
    """Words in lower case and without white space in them, so that a line of them has as many."""
    line = " ".join(words)
    if line.split() != list(words):
        line = " ".join("".join(word.split()) or "\u00a0" for word in words)
    return line.lower()


def _layers(text: Text) -> frozenset[str]:
    """What a parser made: trees count only with tags."""
    if not isinstance(text, Parsed):
        return frozenset()
    found = {name for name in ("lemmas", "tags", "relations") if any(getattr(text, name))}
    return frozenset(found - {"relations"} | ({"heads"} if {"tags", "relations"} <= found else set()))


def layer_values(
    texts: Sequence[Text | None], layers: Collection[str], numbers: dict[str, int]
) -> _native.AlignerLayers:
    """What parses know, word by word; `numbers` are those of lemmas, on both sides."""
    parses = [text for text in texts if isinstance(text, Parsed)] if layers else []
    classes = tags = relations = b""
    heads: list[int] = []
    lemmas: list[int] = []
    if "tags" in layers:
        classes = bytes(tag not in CONTENT for one in parses for tag in one.tags)
    if "heads" in layers:
        tags = bytes(_TAGS.get(tag, NONE) for one in parses for tag in one.tags)
        relations = bytes(_relation_class(name) for one in parses for name in one.relations)
        heads = [head for one in parses for head in one.heads]
    if "lemmas" in layers:
        words = (lemma or word for one in parses for lemma, word in zip(one.lemmas, one.words, strict=True))
        lemmas = [numbers.setdefault(word.lower(), len(numbers)) for word in words]
    return _native.AlignerLayers(classes, tags, relations, heads, lemmas)


def _relation_class(name: str) -> int:
    """Relations that stand for each other have one number: the subject of a passive is what is acted upon."""
    return _RELATIONS.get(name, _RELATIONS.get(name.partition(":")[0], NONE))


def align(hypothesis: Text, reference: Text, aligner: Aligner | None = None) -> Links:
    """Links between the words of two texts in one language, one to one: places in both, counted from 0.

    >>> align("the old man slept".split(), "at night the man sleeps".split())
    ((0, 2), (2, 3), (3, 4))
    """
    return (aligner or Aligner()).align_many([hypothesis], [reference])[0]
