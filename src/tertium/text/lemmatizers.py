"""Lemmas and tags without a parser: simplemma (MIT) and HanTa (LGPL), both extras that carry their data inside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tertium.errors import MissingExtraError, SpecError, did_you_mean
from tertium.io.records import tab_rows
from tertium.text.cut import words_only
from tertium.text.parsers import Parser
from tertium.text.parses import Features, Parsed

HANTA_MODELS = {"de": "morphmodel_ger.pgz", "en": "morphmodel_en.pgz", "nl": "morphmodel_dutch.pgz"}
_TAGS = Path(__file__).parent.parent / "data" / "tags" / "hanta.tsv"


@dataclass(frozen=True)
class Lemmatizer:
    """Words cut by rule, with what a package says of them."""

    name: str
    version: str
    analyse: Callable[[Parsed], Parsed]
    layers: frozenset[str]

    def items(self) -> dict[str, str]:
        return {"parser": f'"{self.name}"', "parser-version": self.version}

    def parse(self, texts: Sequence[str]) -> list[Parsed]:
        return [self.analyse(words_only(text)) for text in texts]


@cache
def _simplemma(language: str) -> Lemmatizer:
    try:
        import simplemma
        from simplemma.strategies.dictionaries import DefaultDictionaryFactory
    except ImportError:
        raise MissingExtraError("the parser simplemma", "lemmas") from None
    try:
        DefaultDictionaryFactory().get_dictionary(language)
    except Exception:
        raise SpecError(
            f"simplemma has no lemmas of the language {language!r}: give a code such as fr"
        ) from None

    def analyse(parsed: Parsed) -> Parsed:
        found = (simplemma.lemmatize(word, lang=language).lower() for word in parsed.words)
        return replace(parsed, lemmas=tuple(found))

    return Lemmatizer(f"simplemma:{language}", version("simplemma"), analyse, frozenset(["lemmas"]))


@cache
def _hanta(language: str) -> Lemmatizer:
    if language not in HANTA_MODELS:
        raise SpecError(f"HanTa has no model of {language!r}{did_you_mean(language, HANTA_MODELS)}")
    try:
        from HanTa.HanoverTagger import HanoverTagger
    except ImportError:
        raise MissingExtraError("the parser hanta", "hanta") from None
    tagger = HanoverTagger(HANTA_MODELS[language])
    table = _universal(language)

    @lru_cache(maxsize=1 << 16)
    def tagged(sentence: tuple[str, ...]) -> list[tuple[str, str, str]]:
        found: list[tuple[str, str, str]] = tagger.tag_sent(list(sentence))
        return found

    def analyse(parsed: Parsed) -> Parsed:
        found = [one for begin, end in parsed.sentences for one in tagged(parsed.words[begin:end])]
        meant = [_meaning(tag, table) for _, _, tag in found]
        return replace(
            parsed,
            lemmas=tuple(lemma for _, lemma, _ in found),
            tags=tuple(tag for tag, _ in meant),
            features=tuple(features for _, features in meant),
        )

    layers = ("lemmas", "tags", "features") if any(table[tag][1] for tag in table) else ("lemmas", "tags")
    return Lemmatizer(f"hanta:{language}", version("HanTa"), analyse, frozenset(layers))


@cache
def _universal(language: str) -> dict[str, tuple[str, Features]]:
    """Universal tags and features by the beginning of a language's own tags."""
    rows: Any = (fields for _, fields in tab_rows(_TAGS))
    return {
        begins: (tag, dict(pair.split("=") for pair in features.split("|") if pair))
        for code, begins, tag, features in rows
        if code == language
    }


def _meaning(tag: str, table: dict[str, tuple[str, Features]]) -> tuple[str, Features]:
    """What the longest beginning of a tag means that the table has."""
    for length in range(len(tag), 0, -1):
        if tag[:length] in table:
            return table[tag[:length]]
    return "X", {}


SIMPLEMMA = Parser(
    "Lemmas by simplemma, some fifty languages: simplemma:fr (extra: tertium[lemmas]).", _simplemma
)
HANTA = Parser("Lemmas and tags by HanTa (LGPL): hanta:de, en or nl (extra: tertium[hanta]).", _hanta)
