"""Lexical cohesion over a text: content words, each linked to the last one before it that it repeats."""

from __future__ import annotations

from collections.abc import Iterator

from tertium.documents.layers import Drawn, Layer, Link, Setting
from tertium.text import meteor, stemmers
from tertium.text.parses import Parsed

_CONTENT = ("NOUN", "PROPN", "VERB", "ADJ", "ADV")
_SHORT = 3  # letters of words that are no content where neither tags nor a list say what is


def _drawn(setting: Setting) -> list[Drawn]:
    names = setting.documents[0].names
    langs = [setting.source_lang if name.role == "source" else setting.lang for name in names]
    return [
        Drawn(
            links=tuple(
                Link(text, word, text, before)
                for text, parsed in enumerate(one.parsed)
                for word, before in repetitions(parsed, langs[text])
            )
        )
        for one in setting.documents
    ]


def repetitions(parsed: Parsed, lang: str) -> Iterator[tuple[int, int]]:
    """Each content word with the last one before it of the same lemma; of the same stem, where there are no lemmas.

    >>> list(repetitions(Parsed("the ships sank ; one ship", ("the", "ships", "sank", ";", "one", "ship")), "en"))
    [(5, 1)]
    """
    stem = _stemmer(lang)
    functions = set(meteor.function_words(lang, choice="language")[0])
    last: dict[str, int] = {}
    for word, form in enumerate(parsed.words):
        tag, low = parsed.tags[word], form.lower()
        content = tag in _CONTENT if tag else len(low) > _SHORT and low not in functions
        if not content or not any(character.isalpha() for character in form):
            continue
        key = (parsed.lemmas[word] or stem(low)).lower()
        if key in last:
            yield word, last[key]
        last[key] = word


def _stemmer(lang: str) -> stemmers.Stem:
    name = meteor.language(lang).name
    return stemmers.stemmer(name) if name in stemmers.LANGUAGES else str.lower


COHESION = Layer(
    "Cohesion",
    "Content words on a tint repeat an earlier one, to which they lead.",
    _drawn,
)
