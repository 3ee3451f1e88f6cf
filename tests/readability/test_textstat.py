"""Formulas equal those of textstat given its counts; syllables beside pyphen's hyphenation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from tertium.readability.formulas import FORMULAS, TextCounts
from tertium.readability.syllables import syllables

DATA = Path(__file__).parent.parent.parent / "src/tertium/data"
TEXTS = (
    "The harbour was quiet. Nobody had expected the ferry before noon, and the ticket office was closed. "
    "Eventually an administrator appeared with an extraordinary number of keys.",
    "Rain fell. We waited under the old bridge until the thunderstorm had moved towards the mountains.",
    "He's well-known - isn't he? 42 people (or more) said so; the phlegmatic connoisseur didn't.",
    "We ate. We slept.",
)


@pytest.fixture
def textstat(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    found = pytest.importorskip("textstat")
    counting = import_module("textstat.backend.counts._count_syllables")
    monkeypatch.setattr(counting, "get_cmudict", lambda lang: None)  # it would be downloaded
    yield found
    found.set_lang("en_US")


def counts(textstat: ModuleType, text: str, lang: str) -> TextCounts:
    """What textstat counts, in its language; only in English it has words that are easy."""
    listed = lang == "en_US"
    return TextCounts(
        words=textstat.lexicon_count(text),
        sentences=textstat.sentence_count(text),
        syllables=textstat.syllable_count(text),
        letters=textstat.letter_count(text),
        polysyllables=textstat.polysyllabcount(text),
        complex=textstat.difficult_words(text, 3) if listed else 0,
        long=textstat.long_word_count(text),
        hard=textstat.difficult_words(text, 0) if listed else 0,
    )


# The language that textstat is set to, and its function.
THEIRS: dict[str, tuple[str, str]] = {
    "flesch": ("en_US", "flesch_reading_ease"),
    "flesch-kincaid": ("en_US", "flesch_kincaid_grade"),
    "smog": ("en_US", "smog_index"),
    "fog": ("en_US", "gunning_fog"),
    "coleman-liau": ("en_US", "coleman_liau_index"),
    "ari": ("en_US", "automated_readability_index"),
    "dale-chall": ("en_US", "dale_chall_readability_score"),
    "lix": ("en_US", "lix"),
    "rix": ("en_US", "rix"),
    "kandel-moles": ("fr", "flesch_reading_ease"),
    "amstad": ("de", "flesch_reading_ease"),
    "fernandez-huerta": ("es", "fernandez_huerta"),
    "douma": ("nl", "flesch_reading_ease"),
    "gulpease": ("it", "gulpease_index"),
}


def characters(textstat: ModuleType, text: str, own: TextCounts) -> TextCounts:
    """ARI and Gulpease: textstat counts characters with their signs, over words that may be signs alone."""
    words = textstat.lexicon_count(text, removepunct=False)
    return own._replace(letters=textstat.char_count(text) / words * own.words)


CHANGED: dict[str, Callable[[ModuleType, str, TextCounts], TextCounts]] = {
    "ari": characters,
    "gulpease": characters,
    # textstat has 0.058 where the paper has 0.0588
    "coleman-liau": lambda textstat, text, own: own._replace(letters=own.letters * 0.058 / 0.0588),
}


def test_every_formula_has_its_peer() -> None:
    assert set(THEIRS) == set(FORMULAS.table)


@pytest.mark.parametrize("name", list(THEIRS))
def test_formulas_equal_those_of_textstat_given_the_same_counts(name: str, textstat: ModuleType) -> None:
    lang, function = THEIRS[name]
    textstat.set_lang(lang)
    for text in TEXTS:
        own = counts(textstat, text, lang)
        given = CHANGED.get(name, lambda _, __, same: same)(textstat, text, own)
        assert FORMULAS[name](given) == pytest.approx(getattr(textstat, function)(text), abs=1e-9), text


@pytest.mark.parametrize(("lang", "least"), [("en", 0.62), ("fr", 0.62)])
def test_syllables_are_seldom_fewer_than_the_parts_of_hyphenation(lang: str, least: float) -> None:
    """Hyphenation parts words at syllables, but not at all of them: never far more, seldom fewer."""
    pyphen = pytest.importorskip("pyphen")
    listed = [
        word for word in (DATA / f"common_words/{lang}.txt").read_text("utf-8").split() if word.isalpha()
    ]
    parted = pyphen.Pyphen(lang=lang)
    differences = [syllables(word, lang) - len(parted.inserted(word).split("-")) for word in listed]
    assert sum(difference == 0 for difference in differences) > least * len(listed)
    assert sum(difference >= -1 for difference in differences) == len(listed)
