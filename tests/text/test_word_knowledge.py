"""Synonyms, paraphrases, and the places where METEOR's files are looked for."""

from __future__ import annotations

import gzip
import os
import random
import zipfile
from itertools import pairwise
from pathlib import Path

import pytest

from tertium import _native
from tertium._native import Lines
from tertium.errors import InputError, TertiumWarning
from tertium.text import meteor, paraphrases, synonyms


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TERTIUM_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv(meteor.VARIABLE, raising=False)
    return tmp_path / "cache"


# Synonyms


def test_words_are_led_back_to_base_forms() -> None:
    sets = b"base\n1\nbasis\n2\nbox\n3\nchurch\n4\nfly\n5\nhappy\n6\nman\n7\nrun\n8\nboss\n9\nbos\n10\nas\n11\na\n12\n"
    table = synonyms.from_meteor(sets, b"base\nbases\nbasis\nbases\nrun\nran\n", "sets")
    found = {
        word: table.sets_of(word)
        for word in [
            "bases",
            "boxes",
            "churches",
            "flies",
            "men",
            "ran",
            "runs",
            "boss",
            "as",
            "based",
            "basing",
        ]
    }
    assert found == {
        "bases": [1, 2],
        "boxes": [3],
        "churches": [4],
        "flies": [5],
        "men": [7],
        "ran": [8],
        "runs": [8],
        "boss": [9],
        "as": [11],
        "based": [1],
        "basing": [1],  # no rule for short words and those in -ss
    }
    assert len(table) == 12


@pytest.mark.parametrize(
    ("sets", "complaint"),
    [
        (b"word\n1 2\nother\n", "line 3: the file ends between a word and what belongs to it"),
        (b"word\n1 x\n", "line 2: numbers of sets were expected"),
        (b"word\n99999999999\n", "line 2: the number of a set is too large"),
        (b"word\n1\n\n2\n", "line 3: a word was expected"),
        (b"word\n1\nword\n2\n", "line 3: the word stands here twice"),
    ],
)
def test_damaged_synonyms(sets: bytes, complaint: str) -> None:
    with pytest.raises(InputError, match=f"^file: the synonym sets, {complaint}"):
        synonyms.from_meteor(sets, b"", "file")


def test_wordnet(tmp_path: Path) -> None:
    for part in ("noun", "verb", "adj", "adv"):
        (tmp_path / f"index.{part}").write_text("  1 the licence\n")
    with (tmp_path / "index.noun").open("a") as file:
        file.write("dog n 2 1 @ 2 1 02084071 10114209  \nhound n 1 2 @ ~ 1 0 02084071  \n")
    (tmp_path / "noun.exc").write_text("dawgs dog\n")
    table, source = synonyms.read(tmp_path)
    assert table.sets_of("hounds") == [4 * 2084071]
    assert table.sets_of("dawgs") == [4 * 2084071, 4 * 10114209]
    assert len(source) == 8
    (tmp_path / "index.verb").write_text("run v x\n")
    with pytest.raises(InputError, match=r"index.verb: line 1 is not a line of a WordNet index"):
        synonyms.read(tmp_path)


def test_multilingual_wordnet(tmp_path: Path) -> None:
    path = tmp_path / "wn-data-fra.tab"
    path.write_text(
        "# Wordnet\tfra\thttp://example.org\tCeCILL\n"
        "02084071-n\tfra:lemma\tchien\n02084071-n\tfra:lemma\ttoutou\n02084071-n\tfra:def\t0\tanimal\n"
        "00001740-a\tlemma\tHot dog\n",
        encoding="utf-8",
    )
    table, _ = synonyms.read(path)
    assert table.sets_of("chien") == table.sets_of("toutou") != []
    assert table.sets_of("hot_dog") == [4 * 1740 + 2]
    assert table.sets_of("chiens") == []  # rules of detachment are English
    path.write_text("chien\t1\n")
    with pytest.raises(InputError, match=r"line 1 is not set, lemma and word"):
        synonyms.read(path)
    path.write_text("# nothing\n")
    with pytest.raises(InputError, match="this file contains no lemmas"):
        synonyms.read(path)


def test_a_folder_without_synonyms(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"neither english.synsets \(METEOR\) nor index.noun"):
        synonyms.read(tmp_path)


# Paraphrases


def links(table: _native.ParaphraseTable, hypothesis: str, reference: str) -> list[tuple[int, ...]]:
    lexicon = _native.MeteorLexicon("none", [], None, table)
    references = _native.MeteorReferences(lexicon, [lexicon.read(Lines([reference]))])
    found = _native.MeteorLinks(lexicon.read(Lines([hypothesis])), references, ["paraphrase"], 40, 1)
    ((matches, _),) = found.matches(0)
    return [match[:4] for match in matches]


@pytest.mark.parametrize("packed", [False, True])
def test_paraphrases_open_from_the_cache(tmp_path: Path, own_cache: Path, packed: bool) -> None:
    text = b"0.5\nvery big\nhuge\n0.25\nhuge\nlarge\n"
    path = tmp_path / ("paraphrase-en.gz" if packed else "paraphrase-en")
    path.write_bytes(gzip.compress(text) if packed else text)
    table, text_hash = paraphrases.read(path)
    assert len(table) == 2
    assert links(table, "a very big dog", "a huge dog") == [(1, 2, 1, 1)]
    assert links(table, "a huge dog", "a very big dog") == [(1, 1, 1, 2)]  # both ways
    (cached,) = own_cache.glob("paraphrases/*.cache")
    written = os.stat(cached).st_mtime_ns
    again, same_hash = paraphrases.read(path)
    assert (len(again), same_hash) == (2, text_hash)
    assert os.stat(cached).st_mtime_ns == written
    path.write_bytes(gzip.compress(b"0.5\na\nb\n") if packed else b"0.5\na\nb\n")
    os.utime(path, ns=(1, 1))
    assert len(paraphrases.read(path)[0]) == 1


def test_a_table_of_thousands_finds_what_it_has_and_nothing_else(tmp_path: Path) -> None:
    rng = random.Random(8)
    words = [f"w{i}" for i in range(30)]

    def phrase() -> str:
        return " ".join(rng.choice(words) for _ in range(rng.randint(2, 5)))

    pairs = {(phrase(), phrase()) for _ in range(6000)}
    path = tmp_path / "table"
    path.write_text("".join(f"0.5\n{first}\n{second}\n" for first, second in pairs))
    table, _ = paraphrases.read(path)
    assert len(table) == len(pairs)
    known = pairs | {(second, first) for first, second in pairs}

    def spans(text: str) -> list[str]:
        parts = text.split()
        return [
            " ".join(parts[i:j]) for i in range(len(parts)) for j in range(i + 2, min(i + 5, len(parts)) + 1)
        ]

    some = sorted(pairs)[:300]
    texts = some + [(f"{a} {b}", f"{b} {a}") for (a, _), (b, _) in pairwise(some)]
    found = 0
    for hypothesis, reference in texts:
        wanted = any((a, b) in known for a in spans(hypothesis) for b in spans(reference))
        assert bool(links(table, hypothesis, reference)) == wanted, (hypothesis, reference)
        found += wanted
    assert 300 <= found < len(texts)


def test_a_cache_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("TERTIUM_CACHE", str(blocked))
    path = tmp_path / "table"
    path.write_text("0.5\na\nb c\n")
    assert links(paraphrases.read(path)[0], "a", "b c") == [(0, 1, 0, 2)]


def test_ppdb(tmp_path: Path) -> None:
    path = tmp_path / "ppdb-2.0-s-lexical"
    path.write_text(
        "[NN] ||| dog ||| hound ||| PPDB2.0Score=4.1 ||| 0-0 ||| Equivalence\n"
        "[NP] ||| [NN,1] of dogs ||| dogs' [NN,1] ||| PPDB2.0Score=1 ||| 0-1 ||| Other\n"
        "[X] ||| a [b] c ||| d ||| x\n"
    )
    with pytest.warns(TertiumWarning, match=r"1 paraphrases have gaps \(\[NP,1\]\) and are left out"):
        table, _ = paraphrases.read(path)
    assert len(table) == 2
    assert links(table, "hound", "dog") == [(0, 1, 0, 1)]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("0.5\na\n", "line 2: the file ends in the middle of an entry"),
        ("a\nb\nc\n", "line 1: a probability was expected"),
        ("0.5\na\n\n", "line 3: a phrase was expected"),
        ("", "there are no paraphrases"),
        ("[X] ||| a ||| b ||| c\n[X] ||| a\n", r"line 2: '\[category\] \|\|\| phrase"),
    ],
)
def test_damaged_paraphrases(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "table"
    path.write_text(text)
    with pytest.raises(InputError, match=f"table: .*{complaint}"):
        paraphrases.read(path)


def test_truncated_gzip(tmp_path: Path) -> None:
    path = tmp_path / "paraphrase-en.gz"
    path.write_bytes(gzip.compress(b"0.5\na\nb\n" * 1000)[:-12])
    with pytest.raises(InputError, match=r"paraphrase-en.gz.*(truncated|incomplete|ends)"):
        paraphrases.read(path)
    (tmp_path / "english.synsets.gz").write_bytes(path.read_bytes())
    with pytest.raises(InputError, match=r"english.synsets.gz"):
        synonyms.read(tmp_path)


# Where files are


def test_files_in_a_folder_or_a_jar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(tmp_path / "meteor-1.5.jar", "w") as jar:
        jar.writestr("function/english.words", "the\nof\n")
        jar.writestr("function/german.words", "der\n")
        jar.writestr("nonbreaking/english.prefixes", "# comment\nMr\nNo #NUMERIC_ONLY# \n")
        jar.writestr("stem/arabic-buckwalter-reduced.gz", gzip.compress(b"ktb 2 kitAb\n"))
    for given in (str(tmp_path), str(tmp_path / "meteor-1.5.jar")):
        assert meteor.function_words("en", given)[0] == ["the", "of"]
        assert meteor.function_words("de", given)[0] == ["the", "of"]  # METEOR 1.5 takes English ones
        assert meteor.function_words("de", given, "language")[0] == ["der"]
        native, _ = meteor.normalizer("en", punctuation=True, given=given)
        cut = native.cut(Lines(["Mr. X No. 5 No. X Dr. X"]))[0]
        assert cut == "Mr. X No. 5 No . X Dr . X"
    (tmp_path / "english.words").write_text("a\n")
    assert meteor.function_words("en", str(tmp_path))[0] == ["a"]  # a file before the jar
    monkeypatch.setenv(meteor.VARIABLE, str(tmp_path))
    assert meteor.function_words("en")[0] == ["a"]
    own = tmp_path / "own"
    own.write_text("x y\n")
    assert meteor.function_words("en", choice=str(own))[0] == ["x", "y"]
    wanted = meteor.Wanted("ar-bw-red", ("exact", "stem"))
    stem = meteor.knowledge(wanted).stem
    assert stem is not None
    assert stem("ktb") == "kitAb"


def test_a_new_language(tmp_path: Path) -> None:
    """METEOR's -new: a folder with function.words and paraphrase.gz."""
    (tmp_path / "function.words").write_text("le la\n")
    (tmp_path / "paraphrase.gz").write_bytes(gzip.compress(b"0.5\nmaison\ndomicile\n"))
    found = meteor.knowledge(meteor.Wanted("other", ("exact", "paraphrase"), str(tmp_path)))
    assert dict(found.sources).keys() == {"func", "para"}
    assert meteor.function_words("other", str(tmp_path))[0] == ["le", "la"]


def test_what_is_no_jar(tmp_path: Path) -> None:
    (tmp_path / "meteor-1.5.jar").write_bytes(b"PK nonsense")
    with pytest.raises(InputError, match=r"meteor-1.5.jar: cannot be read as a jar"):
        meteor.function_words("en", str(tmp_path))
    with pytest.raises(InputError, match=r"resources=/no/such/place: no such directory"):
        meteor.resources("/no/such/place")


def test_function_words_of_our_own() -> None:
    for code, some in {
        "en": {"the", "of", "."},
        "de": {"der", "und"},
        "cz": {"a", "se"},
        "ru": {"и", "в"},
    }.items():
        words, source = meteor.function_words(code, choice="language")
        assert source == "tertium" or len(source) == 8
        assert some <= set(words)
        assert 40 < len(words) < 120
