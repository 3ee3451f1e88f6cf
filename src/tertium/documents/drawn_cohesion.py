"""Lexical cohesion over texts: content words, each linked to the earlier one that it takes up (doc:cohesion)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tertium.documents.layers import Drawn, Layer, Link, Setting
from tertium.errors import SpecError
from tertium.families.cohesion import Cohesion
from tertium.registry import metric

LEAST = 0.5  # similarity: what is less is not drawn


def _drawn(setting: Setting) -> list[Drawn]:
    given = metric(setting.cohesion)
    if not isinstance(given, Cohesion):
        raise SpecError(f"{setting.cohesion}: cohesion is drawn as doc:cohesion finds it")
    found: list[list[Link]] = [[] for _ in setting.documents]
    for text, name in enumerate(setting.documents[0].names):
        foreign = name.role == "source"
        if foreign:  # vectors and synonyms are those of the translations' language
            own = Cohesion(lang=setting.source_lang, parser=setting.source_parser)
        else:
            own = replace(given, lang=setting.lang, parser=setting.parser, tok="")
        try:
            links = _links(own, text, setting)
        except SpecError:
            if not foreign:
                raise
            continue  # nothing is known of the source's language
        for document, added in zip(found, links, strict=True):
            document += added
    return [Drawn(links=tuple(own)) for own in found]


def _links(cohesion: Cohesion, text: int, setting: Setting) -> Sequence[list[Link]]:
    texts = [one.parsed[text].text for one in setting.documents]
    found = []
    for words, links in cohesion.links(texts, setting.threads):
        places = words.places
        pairs = zip(places, links.similarities, links.earlier, strict=True)
        found.append(
            [Link(text, i, text, places[j], value) for i, value, j in pairs if j >= 0 and value >= LEAST]
        )
    return found


COHESION = Layer(
    "Cohesion",
    "Content words on a tint take up an earlier one, to which they lead.",
    _drawn,
)
