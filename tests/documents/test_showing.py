"""Documents side by side: texts, links, chains and repetitions as data."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import tertium as tt
from tertium.documents.layers import LAYERS, DocumentTexts, Setting, TextName, by_line
from tertium.documents.showing import show_documents
from tertium.errors import InputError, SpecError
from tertium.text.parses import Parsed

REFERENCE = ["We met Ann Lee. Boats sank.", "Then Ann Lee saw a boat."]
GOOD = ["We saw Ann Lee. Boats sank.", "Then Ann Lee saw a boat."]
BAD = ["We met Anna Lea. Ships sank.", "Then she saw one vessel."]


def small() -> tt.TestSet:
    return tt.TestSet.of(
        REFERENCE, {"good": GOOD, "bad": BAD}, sources=["Wir trafen Ann Lee.", "Dann."], documents=["d", "d"]
    )


def test_texts_and_layers() -> None:
    found = show_documents(small(), languages=("de", "en"))
    assert [tuple(name) for name in found.names] == [
        ("source", "source"),
        ("reference", "reference"),
        ("system", "good"),
        ("system", "bad"),
    ]
    data = found.data()
    (document,) = data["documents"]
    assert document["texts"][1]["text"] == "\n".join(REFERENCE)
    layers = dict(zip([layer["name"] for layer in data["layers"]], document["layers"], strict=True))
    words = [[text["text"][b:e] for b, e in text["words"]] for text in document["texts"]]
    pairs = {(words[t][i], words[u][j]) for t, i, u, j, _ in layers["alignment"]["links"] if (t, u) == (1, 2)}
    assert ("Ann", "Ann") in pairs
    assert ("met", "saw") in pairs  # another word in the same place
    (chain,) = layers["chains"]["groups"]
    assert chain["label"] == "Ann Lee"
    assert sorted(text for text, *_ in chain["marks"]) == [1, 1, 2, 2, 3]  # Anna Lea, once
    again = {(t, words[t][i], words[u][j]) for t, i, u, j, _ in layers["cohesion"]["links"]}
    assert (1, "boat", "Boats") in again  # by its stem
    assert all(t == u for t, _, u, _, _ in layers["cohesion"]["links"])
    assert data["scores"]["doc:chrF2"]["good"][0] > data["scores"]["doc:chrF2"]["bad"][0]
    good, bad = next(found.words()).partition("good ")[2].split(", bad ")
    assert float(good.rstrip("%")) > float(bad.rstrip("%."))
    assert (
        list(found.words())[1] == "Of the 1 chains of the reference, these are chains again: good 1, bad 0."
    )


def test_fewer_systems_documents_and_layers() -> None:
    sample = tt.TestSet.sample()
    found = show_documents(
        sample, systems=["strong"], documents=["letter-aunt"], layers=["alignment"], metrics=["bleu"]
    )
    assert [one.document for one in found.documents] == ["letter-aunt"]
    assert (list(found.drawn), list(found.scores)) == (["alignment"], ["BLEU"])
    alone = show_documents(replace(small(), documents=None, sources=None))
    assert [one.document for one in alone.documents] == ["1", "2"]
    with pytest.raises(InputError, match="there are 3 systems, and a page shows one or two"):
        show_documents(sample)
    with pytest.raises(InputError, match="there is no document 'letter-ant'; did you mean 'letter-aunt'"):
        show_documents(sample, systems=["strong"], documents=["letter-ant"])
    with pytest.raises(SpecError, match="unknown layer 'chain'"):
        show_documents(sample, systems=["strong"], layers=["chain"])


def test_chains_that_differ_are_said_to() -> None:
    """One chain of the translation where the reference has two: the smaller part is in another chain there."""
    tags = ("PROPN", "VERB", "PUNCT")
    reference = Parsed(
        "Ann sang. Eve sang. Ann slept. Eve slept.",
        ("Ann", "sang", ".", "Eve", "sang", ".", "Ann", "slept", ".", "Eve", "slept", "."),
        (),
        tags * 4,
    )
    same = Parsed(
        "Ann sang. Ann sang. Ann slept. Eve slept.",
        ("Ann", "sang", ".", "Ann", "sang", ".", "Ann", "slept", ".", "Eve", "slept", "."),
        (),
        tags * 4,
    )
    names = (TextName("reference", "reference"), TextName("system", "A"))
    setting = Setting([DocumentTexts("d", names, (reference, same))], "en")
    (drawn,) = LAYERS["chains"].drawn(setting)
    ann, eve = drawn.groups
    assert (ann.label, eve.label) == ("Ann", "Eve")
    assert [mark.words for mark in ann.marks if mark.text == 1] == [(0,), (3,), (6,)]
    assert [mark.words for mark in eve.marks] == [(3,), (9,), (9,)]


def test_texts_with_other_numbers_of_lines() -> None:
    """Paragraphs between blank lines may have any number of lines: source and translation are then one each."""
    names = (TextName("source", "source"), TextName("reference", "reference"))
    texts = Parsed("Haus\nBaum", ("Haus", "Baum")), Parsed("house tree", ("house", "tree"))
    setting = Setting([DocumentTexts("d", names, texts), DocumentTexts("e", names, texts)])
    assert len(setting.links(0, 1)) == 2
    assert [tuple(sorted((j, i) for i, j in own)) for own in setting.links(0, 1)] == setting.links(1, 0)
    assert [(begin, own.words) for begin, own in by_line(texts[0])] == [(0, ("Haus",)), (1, ("Baum",))]


def test_layers_that_need_more_are_left_out() -> None:
    """Nothing is known of content words in an unknown language; whoever asks for them is told so."""
    found = show_documents(small(), languages=("xx", "yy"))
    assert list(found.drawn) == ["alignment", "chains"]
    with pytest.raises(SpecError, match="no list of function words"):
        show_documents(small(), layers=["cohesion"])
    with pytest.raises(SpecError, match="cohesion is drawn as doc:cohesion finds it"):
        show_documents(small(), layers=["cohesion"], cohesion="bleu")
    foreign = show_documents(small(), layers=["cohesion"], languages=("xx", "en"))
    assert {link.text for link in foreign.drawn["cohesion"][0].links} == {1, 2}


def test_similar_words_by_vectors(tmp_path: Path) -> None:
    (tmp_path / "v.vec").write_text("3 2\nboats 1 0\nvessel 0.8 0.6\nsank 0 1\n", "utf-8")
    texts = tt.TestSet.of(["Boats sank. One vessel."], {"A": ["Boats."]}, documents=["d"])
    found = show_documents(
        texts,
        layers=["cohesion"],
        languages=("de", "en"),
        cohesion=f'doc:cohesion:vectors="{tmp_path / "v.vec"}"',
    )
    [link] = found.drawn["cohesion"][0].links
    assert (link.word, link.other_word) == (4, 0)
    assert link.strength == pytest.approx(0.8, abs=1e-6)


def test_terms_and_what_they_become(tmp_path: Path) -> None:
    texts = tt.TestSet.of(
        ["die Bank öffnet", "die Bank schließt", "die Bank schläft", "ein Haus schläft"],
        {"A": ["die Bank öffnet", "das Ufer schließt", "das Ufer schläft", "ein Haus schläft"]},
        sources=["the bank opens", "the bank closes", "the bank sleeps", "a house sleeps"],
        documents=["d"] * 4,
    )
    found = show_documents(texts, languages=("en", "de"), layers=["terms"])
    [drawn] = found.drawn["terms"]
    bank = next(group for group in drawn.groups if group.label == "bank")
    words = [text.words for text in found.documents[0].parsed]
    marked = [(mark.text, [words[mark.text][i] for i in mark.words], mark.remark) for mark in bank.marks]
    assert [own for own in marked if own[0] == 0] == [(0, ["bank"], "")] * 3
    assert [own for own in marked if own[0] == 1] == [(1, ["Bank"], "")] * 3
    ours = [(form, remark) for text, [form], remark in marked if text == 2]
    assert ours == [("Ufer", ""), ("Ufer", ""), ("Bank", "another translation")]
    assert bank.remark == "varies in A"
    assert [mark.words for mark in bank.marks if mark.text == 2] == [(4,), (7,), (1,)]
    (tmp_path / "g.tsv").write_text("house\tHaus\n", "utf-8")
    listed = show_documents(texts, languages=("en", "de"), layers=["terms"], glossary=str(tmp_path / "g.tsv"))
    assert [group.label for group in listed.drawn["terms"][0].groups] == ["house"]
    with pytest.raises(SpecError, match="terms are terms of the source"):
        show_documents(replace(texts, sources=None), languages=("en", "de"), layers=["terms"])
