"""Stems are those of METEOR's jar (Snowball in 2015)."""

from __future__ import annotations

import random

import pytest

from tertium.errors import MissingExtraError, SpecError
from tertium.text import stemmers

# From METEOR's jar: words where snowballstemmer 2.2 has another stem, and some where it has not.
OF_THE_JAR = {
    "german": {
        "ereignisse": "ereigniss",
        "bedürfnisse": "bedurfniss",
        "tfnafnißen": "tfnafniss",
        "häuser": "haus",
    },
    "russian": {"актёром": "актёр", "артём": "артём", "вооружённые": "вооружён", "важная": "важн"},
    "portuguese": {"instituciones": "institu", "revolución": "revolu", "mentes": "ment"},
    "danish": {"6_june_1944": "6_june_194", "adapt??": "adapt?", "huse": "hus"},
    "finnish": {
        "000": "00",
        "100a": "10a",
        "appliqu??e": "appliqu?",
        "receptuře": "receptuř",
        "appliquée": "appliqué",
    },
}


@pytest.mark.parametrize("language", OF_THE_JAR)
def test_stems_of_2015(language: str) -> None:
    words = OF_THE_JAR[language]
    assert dict(zip(words, stemmers.stem(words, language), strict=True)) == words


def test_english_is_snowballs() -> None:
    """The native stemmer against the package, on words and on nonsense with every ending."""
    snowballstemmer = pytest.importorskip("snowballstemmer")
    theirs = snowballstemmer.stemmer("english")
    rng = random.Random(1)
    endings = "ing ed edly ingly ies ied eed eedly ational tional izer li ogi ative ement ion s 's ' 's' e l ll y ss us"
    letters = "aeioyblstnrg'"
    words = [
        "".join(rng.choice(letters) for _ in range(rng.randint(1, 8))) + rng.choice([*endings.split(), ""])
        for _ in range(20000)
    ]
    words += [
        "skis",
        "dying",
        "news",
        "succeed",
        "generous",
        "communal",
        "arsenal",
        "inning",
        "ski",
        "sky",
        "yyy",
        "y",
        "'s",
        "à",
        "la",
        "naïveté",
        "über",
    ]
    assert stemmers.stem(words, "english") == theirs.stemWords(words)


def test_other_languages_are_the_package() -> None:
    snowballstemmer = pytest.importorskip("snowballstemmer")
    words = ["maison", "maisons", "continuellement", "fortement", "yeux"]
    assert stemmers.stem(words, "french") == snowballstemmer.stemmer("french").stemWords(words)


def test_a_language_without_stemmer_is_named() -> None:
    with pytest.raises(SpecError, match="no stemmer for 'czech'"):
        stemmers.stem(["slovo"], "czech")


def test_a_newer_package_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("snowballstemmer")
    monkeypatch.setattr("importlib.metadata.version", lambda name: "3.0.1")
    with pytest.raises(
        MissingExtraError, match=r"3.0.1 has other stems\) needs an extra: pip install 'tertium\[stem\]'"
    ):
        stemmers._snowball("french")


def test_a_table_of_stems() -> None:
    stem = stemmers.table_stemmer(["a 1 x 3 y 3 z", "b 2 b"])
    assert [stem(word) for word in "abc"] == ["y", "b", "c"]
    for bad in ("a", "a 1", "a x 1"):
        with pytest.raises(ValueError, match="line 2"):
            stemmers.table_stemmer(["a 1 x", bad])
