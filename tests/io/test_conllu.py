"""CoNLL-U: what is read, and what is refused by line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tertium.errors import InputError
from tertium.io.conllu import read_conllu
from tertium.text.parses import Entity, Parsed, joined


def word(number: str, form: str, tag: str) -> str:
    return "\t".join([number, form, form, tag, *"______"])


def test_words_tags_and_texts(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    lines = [
        "# sent_id = 1",
        "# text = Il vient du port.",
        word("1", "Il", "PRON"),
        word("2", "vient", "VERB"),
        word("3-4", "du", "_"),
        word("3", "de", "ADP"),
        word("4", "le", "DET"),
        word("4.1", "grand", "ADJ"),
        word("5", "port", "NOUN"),
        word("6", ".", "PUNCT"),
        "",
        "",
        word("1", "Oui", "INTJ"),
    ]
    path.write_text("\r\n".join(lines), encoding="utf-8")
    first, second = read_conllu(path)
    assert first.words == ("Il", "vient", "de", "le", "port", ".")
    assert first.tags == ("PRON", "VERB", "ADP", "DET", "NOUN", "PUNCT")
    assert first.text == "Il vient du port."
    assert first.spans == ((0, 2), (3, 8), (9, 11), (9, 11), (12, 16), (16, 17))
    assert (second.words, second.tags, second.text) == (("Oui",), ("INTJ",), "Oui")


def test_all_columns(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    rows = [
        ("1", "Anna", "Anna", "PROPN", "_", "_", "2", "nsubj", "_", "NER=B-PER"),
        ("2", "rit", "rire", "VERB", "_", "Number=Sing|Tense=Pres", "0", "root", "_", "SpaceAfter=No"),
        ("3", "!", "!", "PUNCT", "_", "_", "2", "punct", "_", "_"),
    ]
    path.write_text("\n".join(map("\t".join, rows)), encoding="utf-8")
    (sentence,) = read_conllu(path)
    assert sentence.text == "Anna rit!"
    assert sentence.lemmas == ("Anna", "rire", "!")
    assert sentence.features == ({}, {"Number": "Sing", "Tense": "Pres"}, {})
    assert (sentence.heads, sentence.relations) == ((1, -1, 1), ("nsubj", "root", "punct"))
    assert (sentence.starts, sentence.spans) == ((0,), ((0, 4), (5, 8), (8, 9)))
    assert sentence.entities == (Entity(0, 1, "PER"),)
    assert sentence.children == ((), (0, 2), ())


def test_sentences_make_up_a_text() -> None:
    one = Parsed("Il dort.", ("Il", "dort", "."), heads=(1, -1, 1))
    two = Parsed("Le soir .", ("Le", "soir", "."), heads=(1, -1, 1), entities=(Entity(0, 2),))
    both = joined([one, two], " Il dort. Le  soir.")
    assert [both.text[begin:end] for begin, end in both.spans] == ["Il", "dort", ".", "Le", "soir", "."]
    assert (both.heads, both.starts, both.entities) == ((1, -1, 1, 4, -1, 4), (0, 3), (Entity(3, 5),))
    assert list(both.sentences) == [(0, 3), (3, 6)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1\tIl\tPRON\n", "a.conllu: line 1: has 3 columns, but CoNLL-U has 10"),
        (word("x", "Il", "PRON"), "line 1: 'x' is not a word number"),
        (word("1", "Il", "PRON") + "\n" + word("3", "dort", "VERB"), "line 2: word 3 follows word 1"),
        ("# text = Il\n\n", "line 1: a sentence without words ends here"),
        (
            "# text = Il rit\n" + word("1", "Elle", "PRON"),
            "line 2: 'Elle' is not what the sentence's text goes on",
        ),
        ("# text = Il rit\n" + word("1", "Il", "PRON"), "text goes on after its last word: ' rit'"),
        (
            word("1-2", "du", "_") + "\n" + word("1", "de", "ADP"),
            "line 1: 1-2 reaches beyond word 1, the last",
        ),
        (
            word("1", "Il", "PRON").replace("_\t_\t_\t_", "_\t_\t7\t_"),
            "the head of word 1 is '7', which is no other",
        ),
    ],
)
def test_what_is_damaged_is_refused_by_line(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "a.conllu"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_conllu(path)
    assert said in str(error.value)
