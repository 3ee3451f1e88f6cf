"""Whether a document is in the language that a memory translates from: by its letters, then by its function words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from tertium.comparison.doctor.languages import function_words, language_name, languages_known
from tertium.text.scripts import base_language, script_of, scripts_of

_WORD = re.compile(r"[^\W\d_]{2,}")  # single letters are signs and variables, too
_LEAST = 5  # function words of the other language
_SHARE = 0.1  # of all words
_TIMES = 2  # as many as of its own language
_LETTERS = 20
_LOOKED_AT = 2000  # segments
_NAMED = 4  # words that are named


def other_language(texts: Sequence[str], expected: str) -> str | None:
    """What says that a text is in another language than expected; None where nothing does, or nobody can tell.

    >>> german = ["Das ist nicht die Datei, die wir mit dem Programm öffnen und auf der Platte haben."]
    >>> other_language(german, "en")
    'seems to be in German, not English (12 of 16 words are function words: auf, das, dem, die; of English 0)'
    >>> other_language(german, "de"), other_language(["Файл находится в папке, откройте его"], "en")
    (None, 'is not in English (30 of 30 letters are not LATIN)')
    """
    language = base_language(expected) or ""
    looked = texts[:: max(1, len(texts) // _LOOKED_AT)]
    scripts = Counter(script_of(letter) for text in looked for letter in text)
    scripts.pop(None, None)
    letters, strange = scripts.total(), scripts.total() - sum(scripts[own] for own in scripts_of(language))
    if language and letters >= _LETTERS and 2 * strange > letters:
        names = " or ".join(scripts_of(language))
        return f"is not in {language_name(language)} ({strange:,} of {letters:,} letters are not {names})"
    words = Counter(word for text in looked for word in _WORD.findall(text.lower()))
    known = function_words(language)
    if not known:
        return None
    counts = {code: sum(words[word] for word in function_words(code)) for code in languages_known()}
    best = max(counts, key=counts.__getitem__)
    alone = function_words(best) - known  # those that both have say nothing
    strange = sum(words[word] for word in alone)
    own = sum(words[word] for word in known - function_words(best))
    if strange < max(_LEAST, _SHARE * words.total(), _TIMES * own):
        return None
    named = sorted(sorted(alone & set(words), key=lambda word: (-words[word], word))[:_NAMED])
    return (
        f"seems to be in {language_name(best)}, not {language_name(language)} ({strange:,} of"
        f" {words.total():,} words are function words: {', '.join(named)}; of {language_name(language)} {own:,})"
    )
