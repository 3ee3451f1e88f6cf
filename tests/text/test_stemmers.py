"""Stems are those of METEOR's jar (Snowball in 2015)."""

from __future__ import annotations

import random
import shutil
from collections import defaultdict
from pathlib import Path

import pytest

from tertium.errors import MissingExtraError, SpecError
from tertium.text import stemmers
from tests.conftest import skip_or_fail
from tools.check_stems import SOURCES, jar_stems

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
    assert dict(zip(words, map(stemmers.stemmer(language), words), strict=True)) == words


def words_of_the_jar() -> dict[str, dict[str, str]]:
    """Some 300 words of each language of Snowball's, from real text, with the stems that METEOR's jar gives."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for line in Path(__file__).with_name("stems_of_the_jar.tsv").read_text("utf-8").splitlines():
        language, word, stem = line.split("\t")
        found[language][word] = stem
    return found


WORDS = words_of_the_jar()


@pytest.mark.parametrize("language", stemmers.LANGUAGES)
def test_words_of_real_text(language: str) -> None:
    words = WORDS[language]
    assert len(words) >= 300
    assert dict(zip(words, map(stemmers.stemmer(language), words), strict=True)) == words


def test_endings_that_the_jar_does_not_find() -> None:
    """-iden, -siin and -seen are in the list of Finnish words, and keep most of themselves."""
    for ending in ("iden", "siin", "seen"):
        words = {word: stem for word, stem in WORDS["finnish"].items() if word.endswith(ending)}
        assert len(words) >= 10
        assert sum(stem in (word[:-2], word[:-3]) for word, stem in words.items()) >= 10


@pytest.mark.parametrize("language", stemmers.LANGUAGES)
def test_the_jar_itself(meteor_home: Path, language: str) -> None:
    """The stored stems are the jar's, and so are those of nonsense in the letters and endings of the language."""
    if shutil.which("java") is None:
        skip_or_fail("there is no Java to run METEOR's jar with")
    known = list(WORDS[language])
    rng = random.Random(language)
    letters = sorted(set("".join(known)) - {"-", "'", "\u2019"})
    words = known + [
        "".join(rng.choice(letters) for _ in range(rng.randint(0, 5)))
        + rng.choice(known)[-rng.randint(1, 6) :]
        for _ in range(500)
    ]
    words = [word for word in words if word.strip("-.,")]  # what looks like a number is not stemmed there
    stems = jar_stems(words, SOURCES[language][0], meteor_home / "meteor-1.5.jar")
    assert {w: s for w, s in zip(words, stems, strict=True) if w in WORDS[language]} == WORDS[language]
    assert dict(zip(words, map(stemmers.stemmer(language), words), strict=True)) == dict(
        zip(words, stems, strict=True)
    )


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
    assert list(map(stemmers.stemmer("english"), words)) == theirs.stemWords(words)


def test_other_languages_are_the_package() -> None:
    snowballstemmer = pytest.importorskip("snowballstemmer")
    words = ["maison", "maisons", "continuellement", "fortement", "yeux"]
    assert list(map(stemmers.stemmer("french"), words)) == snowballstemmer.stemmer("french").stemWords(words)


def test_a_language_without_stemmer_is_named() -> None:
    with pytest.raises(SpecError, match="no stemmer for 'czech'"):
        stemmers.stemmer("czech")


def test_a_newer_package_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("snowballstemmer")
    monkeypatch.setattr("importlib.metadata.version", lambda name: "3.0.1")
    with pytest.raises(
        MissingExtraError, match=r"3.0.1 gives other stems\) needs an extra: pip install 'tertium\[stem\]'"
    ):
        stemmers._snowball("french")


def test_a_table_of_stems() -> None:
    stem = stemmers.table_stemmer(["a 1 x 3 y 3 z", "b 2 b"])
    assert [stem(word) for word in "abc"] == ["y", "b", "c"]
    for bad in ("a", "a 1", "a x 1"):
        with pytest.raises(ValueError, match="line 2"):
            stemmers.table_stemmer(["a 1 x", bad])
