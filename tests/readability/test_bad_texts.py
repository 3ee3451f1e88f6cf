"""Texts without a level, wholly or in part: each is named, and the number withheld where it would mean nothing."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tertium.cli import main
from tertium.readability.results import text_level
from tertium.readability.scale import usual_scale

SCALE = usual_scale()
PROSE = ["The children were playing in the garden.", "Their mother was looking for the dog."]
FRENCH = "Les enfants jouent dans le jardin, et leur mère cherche le chien qui est parti."
RUSSIAN = "Дети играют в саду, а их мать ищет собаку, которая убежала."
CHINESE = "孩子们在花园里玩，他们的母亲在找狗，天气很好。"
CODE = "if (count_of > 3) { return foo_bar(count_of); } else { count_of += 1; }"
RUN = " ".join(["and then we went to the house and we saw the dog"] * 8)


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        (["Cat"], "one word"),
        (["Cats", "Dogs", "Two mice"], "no sentence of three words or more"),
        (["12", "...", "3.5"], "no sentence of three words or more"),
        (
            ["Cats", "Dogs", "Mice", "The cat sat."] + ["Birds"] * 6,
            "mostly single words: a list, a table or code",
        ),
        (["| 12 | 7 | the | 9 |", "| 13 | 8 | cat | 10 |"], "mostly numbers: a table"),
        (
            ["total 12 24 36 the 48 60 dog 72 84", "sum 1 2 3 4 of 5 6 all 7 8 9 10"],
            "mostly numbers: a table",
        ),
        ([CODE, "x = [i for i in range(10)]; print(x)"], "mostly code"),
        (["THE CAT SAT ON THE MAT.", "THE DOG CAME IN."], "written in capitals"),
        ([RUN], "no sentence end: where sentences begin, nobody can tell"),
        ([FRENCH, FRENCH], "mostly in French"),
        ([RUSSIAN, RUSSIAN], "mostly in another script"),
        ([CHINESE, CHINESE], "mostly in another script"),
    ],
)
def test_the_number_is_withheld_and_the_reason_named(
    parts: list[str], why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = text_level("a", parts, "en", SCALE)
    assert found.level is None
    assert found.low is None
    assert found.withheld == why
    path = tmp_path / "a.txt"
    path.write_text("\n".join(parts), "utf-8")
    assert main(["readability", str(path), "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["texts"][0]["withheld"] == why
    assert main(["readability", str(path)]) == 0
    assert f"no number would mean anything: {why}" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("extra", "why"),
    [
        ("Dogs", "fewer than three words"),
        (CODE, "code"),
        ("12 13 14 15 of the cat 16 17 18 19", "a row of a table"),
        ("THE CAT IS HERE.", "in capitals"),
        ("Les enfants jouent dans le jardin.", "in French"),
        ("Дети играют в саду, а собака спит.", "in another script"),
    ],
)
def test_a_part_is_left_out_and_named(extra: str, why: str) -> None:
    plain = text_level("a", PROSE * 3, "en", SCALE)
    found = text_level("a", [*PROSE * 3, extra], "en", SCALE)
    assert found.left_out == {why: 1}
    assert found.level == plain.level
    assert found.sentences == plain.sentences + 1


@pytest.mark.parametrize(
    "text",
    [
        "How do I become a wizard?",  # function words of Czech, too
        "See https://example.org/a_b?c=d for the rest of the story.",
        "Use the option --quiet to see less of it.",
        "We met at NATO with the FBI.",
        "It's 5 o'clock on 12 May 2017.",
    ],
)
def test_usual_sentences_keep_their_level(text: str) -> None:
    assert text_level("a", [text], "en", SCALE).withheld == ""


def test_a_long_sentence_with_an_end_has_a_level() -> None:
    assert text_level("a", [RUN + "."], "en", SCALE).level is not None


def test_nothing_at_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.html").write_text("<script>x</script>", "utf-8")
    assert main(["readability", str(tmp_path / "a.html")]) == 2
    assert "there is no text" in capsys.readouterr().err


def test_without_its_packages_the_extra_of_the_room_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not that of alignment, which cuts sentences, too, but has no frequencies of words."""
    monkeypatch.setitem(sys.modules, "sentencex", None)
    text = tmp_path / "a.en"
    text.write_text("The cat sat on the mat.\n")
    for words in (
        ["score", str(text)],
        ["score", str(text), "--lang", "de"],
        ["compare", str(text), str(text), "--align"],
    ):
        assert main(["readability", *words]) == 2
        assert "pip install 'tertium[readability]'" in capsys.readouterr().err
