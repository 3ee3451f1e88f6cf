"""CoNLL-U: what is read, and what is refused by line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tertium.errors import InputError
from tertium.io.conllu import read_conllu


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
        "",
        "",
        word("1", "Oui", "INTJ"),
    ]
    path.write_text("\r\n".join(lines), encoding="utf-8")
    first, second = read_conllu(path)
    assert first.words == ("Il", "vient", "de", "le", "port")
    assert first.tags == ("PRON", "VERB", "ADP", "DET", "NOUN")
    assert first.text == "Il vient du port."
    assert second == (("Oui",), ("INTJ",), "")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1\tIl\tPRON\n", "a.conllu: line 1: has 3 columns, but CoNLL-U has 10"),
        (word("x", "Il", "PRON"), "line 1: 'x' is not a word number"),
        (word("1", "Il", "PRON") + "\n" + word("3", "dort", "VERB"), "line 2: word 3 follows word 1"),
        ("# text = Il\n\n", "line 1: a sentence without words ends here"),
    ],
)
def test_what_is_damaged_is_refused_by_line(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "a.conllu"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_conllu(path)
    assert said in str(error.value)
