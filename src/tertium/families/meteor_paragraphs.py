"""METEOR over paragraphs, hard and soft (Libovický, Brovelli and Cartoni 2018), by links of the monolingual aligner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from tertium import _native
from tertium._native import Lines
from tertium.errors import SpecError, did_you_mean
from tertium.families.base import Level, option
from tertium.families.meteor_links import LINK_COLUMNS, HardMeteor
from tertium.families.parsed import SignsParser
from tertium.statistics import DenseStatistics
from tertium.text import meteor
from tertium.text.alignment import Aligner, layer_values, read_texts
from tertium.text.parsers import PARSER_HELP, OpenParser, parser
from tertium.text.segments import References
from tertium.text.similarity import LETTERS, pair_weights, word_similarity
from tertium.text.vectors import file_items

KINDS = ("hard", "soft")


@dataclass(frozen=True)
class Ready:
    """References as words by number, what a parser knows of them, and the numbers of lemmas seen so far."""

    references: _native.MeteorReferences
    layers: list[_native.AlignerLayers]
    lemmas: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class ParagraphMeteor(SignsParser, HardMeteor):
    """METEOR over the links of whole paragraphs.

    >>> import tertium as tt
    >>> m = tt.metric("doc:meteor")
    >>> round(m.score(["The dog ran. It was late."], ["It was late when the dog ran."]), 1)
    84.1
    """

    name: ClassVar[str] = "doc:meteor"
    title: ClassVar[str] = "METEOR over links of whole paragraphs, hard or soft (doc:meteor:soft,vectors=...)"
    formula: ClassVar[str] = (
        "a = 10 P R / (R + 9 P), d = 0.5 (chunks / linked words)^3, METEOR = a (1 - d);\n"
        "hard: P = linked words / words of the hypothesis, R = linked words / words of the reference;\n"
        "soft: links weigh as much as their words are similar, 1 for equal words."
    )
    quirks: ClassVar[str] = (
        "Links are those of the monolingual aligner (docs/document.md), whatever the sentences, between words that\n"
        "are alike; links=all has also those that only their places speak for. With a parser words are the\n"
        "parser's, in lower case. Even equal texts have a penalty, 0.5 / n^3 for n words. Several references: the best."
    )
    scope: ClassVar[Any] = "document"

    kind: str = option("hard", "hard, or soft (also as doc:meteor:soft)", choices=KINDS, key="kind")
    links: str = option(
        "alike",
        "which links count: alike (of words that are alike), all (also of words in corresponding places)",
        choices=("alike", "all"),
        key="links",
    )
    vectors: str = option(
        "",
        "file of word vectors, for links and weights; or letters: similarity of spelling, for weights",
        file=True,
    )
    parser: str = option("", PARSER_HELP, key="parser", file=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.beam != 40:
            raise SpecError(f"{self.name}: its aligner has no beam")

    @classmethod
    def from_value(cls, value: str, options: dict[str, Any]) -> Self:
        if value not in KINDS:
            raise SpecError(f"{cls.name} is {' or '.join(KINDS)}, not {value!r}{did_you_mean(value, KINDS)}")
        if "kind" in options:
            raise SpecError(f"{cls.name}:{value}: the kind is given twice")
        return cls.from_options({"kind": value, **options})

    @property
    def label(self) -> str:  # type: ignore[override]
        return f"{self.name}[{self.kind}]"

    @property
    def _function_words(self) -> str:
        return meteor.own_function_words(self.lang)

    @property
    def _vector_file(self) -> str:
        return "" if self.vectors == LETTERS else self.vectors

    @property
    def _parser(self) -> OpenParser:
        return parser(self.parser)

    @property
    def _layers(self) -> frozenset[str]:
        """What is used of parses: trees only with tags."""
        made = self._parser.layers
        return (made & {"lemmas", "tags"}) | ({"heads"} if {"tags", "heads"} <= made else frozenset())

    def _known(self, lines: Lines, lemmas: dict[str, int]) -> tuple[_native.MeteorTexts, Any]:
        """Texts as words by number, and what a parser knows of them."""
        if not self.parser:
            return self._read(lines), None
        texts: Sequence[str | None] = list(lines)
        parsed = iter(self._parser.parse([text for text in texts if text is not None]))
        found = [None if text is None else next(parsed) for text in texts]
        return read_texts(self._knowledge, found), layer_values(found, self._layers, lemmas)

    def _prepare(self, references: References, threads: int) -> Any:
        if self.kind == "soft" and not self.vectors:
            raise SpecError(
                "doc:meteor:soft weights links by word vectors: give vectors=<file>, or vectors=letters to compare "
                "spelling"
            )
        lemmas: dict[str, int] = {}
        streams = [self._known(stream, lemmas) for stream in references.streams]
        paired = _native.MeteorReferences(self._knowledge.lexicon, [texts for texts, _ in streams])
        return Ready(paired, [layers for _, layers in streams if layers is not None], lemmas)

    def _rows(
        self, hypotheses: Lines, prepared: Ready, sources: Lines | None, threads: int
    ) -> DenseStatistics:
        texts, layers = self._known(hypotheses, prepared.lemmas)
        files = self.resources, self.synonyms, self.paraphrases, self._vector_file
        opened = Aligner(self.lang, self.module_names, *files).opened(self._layers if self.parser else ())
        alike = self.links == "alike"
        links = opened.links(texts, prepared.references, layers, prepared.layers, alike, threads)
        weights = [] if self.kind == "hard" else pair_weights(links.pairs(), word_similarity(self.vectors))
        return DenseStatistics(LINK_COLUMNS, links.rows(weights, threads))

    def signature_items(self, level: Level = "corpus") -> dict[str, str]:
        items = {"kind": self.kind, "links": self.links} | self._text_items()
        if self.vectors:
            items |= file_items("vectors", self.vectors) if self._vector_file else {"vectors": LETTERS}
        return items | self._parser.items() | Aligner(lang=self.lang).items()

    @classmethod
    def words_from(cls, items: dict[str, str]) -> dict[str, Any]:
        return {"vectors": items.get("vectors", "")}
