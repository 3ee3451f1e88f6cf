"""doc:cohesion: values computed by hand, and by a slow twin."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tertium as tt
from tertium import _native, registry
from tertium.errors import InputError, SpecError, TertiumError
from tertium.families.cohesion import Cohesion
from tertium.text.vectors import Vectors
from tests.twins import cohesion as twin


def value(spec: str, text: str, reference: str = "", **given: Any) -> float | None:
    return registry.metric(spec).score([text], [reference], **given)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The dog slept. Then the dogs barked loudly.", 100 * 1 / 4),  # dog slept DOGS barked loudly
        ("Trees. Houses, houses and a tree!", 100 * 2 / 3),  # Trees Houses HOUSES TREE
        ("Cats don't eat what cats didn't eat.", 100 * 2 / 3),  # Cats eat CATS EAT
        ("The 3 of them and the 3 others", None),  # no content word
        ("Alone.", None),
        ("Alone, together with him: unaccompanied", 0.0),
    ],
)
def test_repeated_stems_by_hand(text: str, expected: float | None) -> None:
    assert value("doc:cohesion", text) == (None if expected is None else pytest.approx(expected))


def test_sentences_do_not_matter_and_documents_add() -> None:
    m = registry.metric("doc:cohesion")
    one, other = "Old cats sleep. Cats dream.", "A dog. The dog barks at dogs. Good dogs!"
    assert m.score([one], [""]) == m.score([one.replace(". ", "\n")], [""]) == pytest.approx(25)
    assert m.score([other], [""]) == pytest.approx(60)  # dog DOG barks DOGS good DOGS
    assert m.score([one, other], ["", ""]) == pytest.approx(100 * (1 + 3) / (4 + 5))
    found = tt.score(
        ["Old cats sleep.", "Cats dream.", "A dog."], ["", "", ""], "doc:cohesion", documents=["p", "p", "q"]
    )
    assert found.scores[0].value == pytest.approx(25)


def test_other_languages_have_their_function_words_and_stems() -> None:
    assert value(
        "doc:cohesion:lang=de", "Das Haus ist alt. Die Häuser des Dorfes sind alt."
    ) == pytest.approx(50)
    assert value(
        "doc:cohesion:lang=fr", "L'ours dort. Qu'il dorme, comme les chats et le chat!"
    ) == pytest.approx(25)
    assert value("doc:cohesion:lang=es", "La casa es blanca; las casas son blancas") == pytest.approx(200 / 3)
    chinese = "doc:cohesion:lang=zh,content=all,tok=none"
    assert value(chinese, "猫 看 猫 。") == pytest.approx(50)
    assert value("doc:cohesion:lang=xx,content=all", "tu ku tu") == pytest.approx(50)
    assert "repeat:auto(word)" in registry.metric("doc:cohesion:lang=xx,content=all").signature()


def test_what_counts_is_chosen(tmp_path: Path) -> None:
    text = "The house and the houses"
    assert value("doc:cohesion:content=all,repeat=word", text) == pytest.approx(
        25
    )  # the house and THE houses
    assert value("doc:cohesion:repeat=word", text) == 0
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("The cat\nThe dog\nthe bird and fish\nof the end\n", "utf-8")
    frequent = f'doc:cohesion:content=frequency,idf="{corpus}"'
    # All lines have "the", one in four each of the others: more than 1/4 leaves "and" a content word, 0.2 does not.
    assert value(f"{frequent},share=0.25", "the and the and") == pytest.approx(100)
    assert value(f"{frequent},share=0.2", "the and the and") is None
    words = tmp_path / "words.txt"
    words.write_text("house houses", "utf-8")
    assert value(f'doc:cohesion:function_words="{words}"', "The house, the Houses, a") == pytest.approx(
        100
    )  # the THE


def test_parts_of_speech_and_lemmas_of_parses(tmp_path: Path) -> None:
    rows = [
        *("1\tMice\tmouse\tNOUN", "2\tran\trun\tVERB", "3\t,\t,\tPUNCT", "4\ta\ta\tDET"),
        *("5\tmouse\tmouse\tNOUN", "6\truns\trun\tVERB"),
    ]
    path = tmp_path / "a.conllu"
    path.write_text("\n".join(f"{row}\t_\t_\t0\troot\t_\t_" for row in rows) + "\n\n", "utf-8")
    text = "Mice ran , a mouse runs"
    assert value(f'doc:cohesion:parser="conllu:{path}"', text) == pytest.approx(200 / 3)
    assert value(f'doc:cohesion:parser="conllu:{path}",repeat=stem', text) == 0
    signature = registry.metric(f'doc:cohesion:parser="conllu:{path}"').signature()
    assert "content:auto(tags)" in signature
    assert "repeat:auto(lemma)" in signature


@pytest.fixture
def meanings(tmp_path: Path) -> Path:
    """dog and hound: set 1; both below animal, 2; cat, 3, below animal, too."""
    (tmp_path / "english.synsets").write_text("dog\n1\nhound\n1\nanimal\n2\ncat\n3\n", "utf-8")
    (tmp_path / "english.relations").write_text("1\n2\n2\n1 3\n3\n2\n", "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("text", "distance", "expected"),
    [
        ("dogs hounds", 0, 100),
        ("dog animal", 0, 0),
        ("dog animal", 1, 100),
        ("animal dog", 1, 100),
        ("dog cat", 1, 0),
        ("dog cat", 2, 100),
        ("dog stone animal cat", 1, 100 * 2 / 3),
        ("dog stone stones", 3, 50),
    ],
)
def test_synonyms_and_steps_by_hand(meanings: Path, text: str, distance: int, expected: float) -> None:
    spec = f'doc:cohesion:synonyms="{meanings}"' + (f",distance={distance}" if distance else "")
    assert value(spec, text) == pytest.approx(expected)
    metric = registry.metric(spec)
    assert registry.from_signature(metric.label, metric.signature()) == metric


def test_the_graph_of_wordnet_s_own_files(tmp_path: Path) -> None:
    licence = "  1 This is the licence.\n"
    nouns = [
        ("dog", "00000100", "@ 00000300 n 0000"),
        ("cat", "00000200", "@ 00000300 n 0000 ! 00000100 n 0101"),
    ]
    nouns.append(("animal", "00000300", "~ 00000100 n 0000"))
    (tmp_path / "index.noun").write_text(
        licence + "".join(f"{word} n 1 1 @ 1 0 {place}  \n" for word, place, _ in nouns), "utf-8"
    )
    (tmp_path / "data.noun").write_text(
        licence
        + "".join(
            f"{place} 05 n 01 {word} 0 {len(links.split()) // 4:03d} {links} | what it means  \n"
            for word, place, links in nouns
        ),
        "utf-8",
    )
    for name in ("index.verb", "index.adj", "index.adv", "data.verb"):
        (tmp_path / name).write_text(licence, "utf-8")
    assert value(f'doc:cohesion:synonyms="{tmp_path}",distance=1', "dog cat animal") == pytest.approx(50)
    assert value(f'doc:cohesion:synonyms="{tmp_path}",distance=2', "dog cat animal") == pytest.approx(100)
    (tmp_path / "data.noun").write_text("00000100 05 n\n", "utf-8")
    with pytest.raises(InputError, match=r"data\.noun: line 1 is not a line of WordNet's data"):
        value(f'doc:cohesion:synonyms="{tmp_path}",distance=3', "dog cat")


@pytest.fixture
def vectors(tmp_path: Path) -> Path:
    path = tmp_path / "small.vec"
    path.write_text("4 2\ncat 1 0\ndog 0.8 0.6\ncar 0 2\nfoe -1 0\n", "utf-8")
    return path


def test_cosines_by_hand(vectors: Path) -> None:
    spec = f'doc:cohesion:vectors="{vectors}"'
    assert value(spec, "Cat dog car") == pytest.approx(100 * (0.8 + 0.6) / 2)
    assert value(spec, "cat foe") == 0  # a negative cosine is 0
    assert value(spec, "cat blob car blob dogs Dog") == pytest.approx(
        100 * (0 + 0 + 1 + 0 + 1) / 5
    )  # DOG: dogs
    assert value(f"{spec},repeat=word", "blob dogs cat Dog") == pytest.approx(100 * 0.8 / 3)
    (words, links), *_ = registry.metric(spec).links(["a cat, a car and a dog"])  # type: ignore[attr-defined]
    assert (words.forms, links.earlier) == (["cat", "car", "dog"], [-1, -1, 0])


def test_vectors_as_the_twin_counts(tmp_path: Path) -> None:
    draw = random.Random(4)
    words = [f"w{chr(97 + i // 26)}{chr(97 + i % 26)}" for i in range(80)]
    rows = {word: [draw.gauss(0, 1) for _ in range(11)] for word in words[:60]}  # some have none
    path = tmp_path / "drawn.vec"
    lines = [f"{word} {' '.join(map(str, row))}" for word, row in rows.items()]
    path.write_text("\n".join([f"{len(rows)} 11", *lines]) + "\n", "utf-8")

    def cosine(one: str, other: str) -> float:
        if one == other:
            return 1.0
        if one not in rows or other not in rows:
            return 0.0
        a, b = np.array(rows[one]), np.array(rows[other])
        return max(0.0, float(a @ b / np.linalg.norm(a) / np.linalg.norm(b)))

    texts = [" ".join(draw.choices(words, k=draw.randint(1, 70))) for _ in range(30)]
    m = registry.metric(f'doc:cohesion:lang=xx,content=all,vectors="{path}"')
    found = m.score_rows(m.statistics(texts, [""] * len(texts)), "segment")
    for text, own in zip(texts, found, strict=True):
        given = text.split()
        assert own == pytest.approx(100 * twin.cohesion(given, cosine), abs=1e-4, nan_ok=True)
    repeating = registry.metric("doc:cohesion:lang=xx,content=all")
    found = repeating.score_rows(repeating.statistics(texts, [""] * len(texts)), "segment")
    expected = [100 * twin.cohesion(text.split(), twin.repeated) for text in texts]
    assert found == pytest.approx(np.array(expected), abs=1e-12, nan_ok=True)


def test_native_kernel_refuses_what_lies_outside(vectors: Path) -> None:
    table = Vectors.open(vectors).table
    for rows, starts in (([4], [0, 1]), ([0], [0, 2]), ([0, 1], [1, 0])):
        with pytest.raises((IndexError, ValueError)):
            _native.earlier_words(table, np.array(rows), np.array(starts), 1)
    with pytest.raises(ValueError, match="multiple of 8"):
        _native.earlier_units(np.zeros((2, 3), np.float32), np.array([0, 2]), 1)


def test_differences_and_ratios_by_hand() -> None:
    own, theirs = "cats sleep, cats dream", "cats sleep, dogs sleep, cats sleep"  # 1/3, 3/5
    assert value("doc:cohesion:difference", own, theirs) == pytest.approx(100 / 3 - 60)
    assert value("doc:cohesion:ratio", own, theirs) == pytest.approx(100 * (1 / 3) / 0.6)
    assert value("doc:cohesion:closeness", own, theirs) == pytest.approx(100 - (60 - 100 / 3))
    assert value("doc:cohesion:ratio", own, "cats sleep") is None  # over nothing
    assert value("doc:cohesion:difference", own, "cats") is None
    documents = [own, theirs], [theirs, own]
    assert registry.metric("doc:cohesion:difference").score(*documents) == pytest.approx(0)
    assert registry.metric("doc:cohesion:closeness").score(*documents) == pytest.approx(100 - (60 - 100 / 3))
    both = registry.metric("doc:cohesion:difference").score([own], [[theirs], [own]])
    assert both == pytest.approx(100 / 3 - 100 * (3 + 1) / (5 + 3))  # the words of both references together


def test_against_the_source() -> None:
    given = {"sources": ["Die Katze schläft. Die Katze träumt."]}  # 1/3
    spec = "doc:cohesion:against=source,source_lang=de"
    assert value(spec, "The cat sleeps. The animal dreams.", **given) == pytest.approx(-100 / 3)
    assert value(f"{spec},how=ratio", "The cat sleeps. The cat dreams.", **given) == pytest.approx(100)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("distance=2", "give synonyms as well"),
        ("vectors=a,synonyms=b", "vectors or synonyms, not both"),
        ("vectors=a,model=b", "vectors or model, not both"),
        ("source_lang=de", "source_lang is for against=source"),
        ("sum", "has no comparison 'sum'"),
        ("tok=zh,parser=spacy:x", "tok or parser, not both"),
        ("against=source", "needs source_lang"),
        ("lang=xx", "no list of function words for lang=xx"),
        ("content=tags", "needs tags, which the parser 'of words' does not make"),
        ("content=frequency", "needs idf=FILE"),
        ("repeat=stem,lang=xx,content=all", "no stemmer for lang=xx"),
        ("synonyms=nowhere", "nowhere"),
        ("vectors=nowhere", "nowhere"),
    ],
)
def test_what_cannot_be_done_is_said(spec: str, message: str) -> None:
    with pytest.raises(TertiumError, match=message):
        value(f"doc:cohesion:{spec}", "a text", sources=["ein Text"])


def test_comparisons_share_rows() -> None:
    specs = ["doc:cohesion:difference", "doc:cohesion:ratio", "doc:cohesion:closeness"]
    assert len({registry.metric(spec).analysis(1) for spec in specs}) == 1
    with pytest.raises(SpecError, match="given twice"):
        registry.metric("doc:cohesion:ratio,how=ratio")
    assert isinstance(registry.metric("doc:cohesion"), Cohesion)
