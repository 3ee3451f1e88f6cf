"""What to change for an audience, and languages that have formulas only."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tertium.cli import main
from tertium.errors import SpecError
from tertium.readability.audience import advise, replaced, split
from tertium.readability.counting import Counter
from tertium.readability.formulas import formula
from tertium.readability.results import ReadabilityLevels, text_level
from tertium.readability.scale import usual_scale
from tertium.readability.unscaled import formula_values, formulas_for

EASY = "The cat sat on the mat. It was warm and soft. The dog came in."
HARD = (
    "Notwithstanding the aforementioned considerations, the commission, whose deliberations were protracted, "
    "acknowledged that jurisdictional ambiguities had been exacerbated by contradictory interpretations; "
    "and the jurisdictional ambiguities persisted, because nobody had been consulted about them in time."
)
SCALE = usual_scale()


def levels(*parts: str) -> ReadabilityLevels:
    return ReadabilityLevels("en", [text_level("a.txt", parts, "en", SCALE)])


def test_changes_come_by_what_they_help_and_are_what_was_tried() -> None:
    found = levels(EASY, HARD)
    text = found.texts[0]
    advice = advise(found, "A2", SCALE)
    one = advice.texts[0]
    assert not one.there
    assert one.above == [4]
    gains = [change.gain for change in one.changes]
    assert gains == sorted(gains, reverse=True)
    assert min(gains) > 0
    cut = next(change for change in one.changes if change.kind == "split")
    assert cut.before is not None
    assert cut.after is not None
    total = sum(own.words for own in text.read)
    words = text.read[3].words
    assert cut.gain == pytest.approx((cut.before - cut.after) * words / total)
    assert text.read[3].level == cut.before
    rare = next(change for change in one.changes if change.kind == "replace")
    assert rare.text in HARD.lower()
    assert rare.sentences == (4,)
    assert "jurisdictional" not in replaced(HARD, ["jurisdictional"], "like")
    assert one.reached is not None
    assert text.level is not None
    assert one.reached < text.level
    said = " ".join(advice.text().split())
    assert said.startswith("a.txt is at ")
    assert "above A2: 1 of 4 sentences is above it." in said
    assert max(map(len, advice.text().splitlines())) <= 80


def test_a_text_that_is_there_is_told_so() -> None:
    advice = advise(levels(EASY), "B1", SCALE)
    assert advice.texts[0].there
    assert not advice.texts[0].changes
    assert "is there already" in advice.text()
    assert "no sentence above it" in " ".join(advice.text().split())
    nothing = advise(levels("Cat"), "B1", SCALE)
    assert not nothing.texts[0].there
    assert nothing.text() == "a.txt: no number would mean anything: one word."
    with pytest.raises(SpecError, match="no level 'B3'"):
        advise(levels(EASY), "B3", SCALE)


def test_sentences_are_cut_where_clauses_meet() -> None:
    table = SCALE.table("en")
    assert split("The cat sat on the mat.", table) == ["The cat sat on the mat."]
    parts = split(HARD, table)
    assert len(parts) == 2
    assert "And the jurisdictional ambiguities persisted" in " ".join(parts)
    assert all(part[0].isupper() and part.endswith(".") for part in parts)
    whole = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    assert split(whole, table) == [whole]
    french = SCALE.table("fr")
    assert (
        len(split("Le vieil homme est allé à la mer, et son ami est venu après lui avec le bateau.", french))
        == 2
    )


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.txt"
    path.write_text(f"{EASY}\n\n{HARD}\n", "utf-8")
    page = tmp_path / "page.html"
    assert main(["readability", str(path), "--audience", "A2", "--html", str(page), "-f", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["audience"] == "A2"
    assert data["texts"][0]["changes"][0]["gain"] > 0
    text = page.read_text("utf-8")
    assert 'id="changes"' in text
    assert 'href="#text-0-4"' in text
    assert 'id="text-0-4"' in text
    assert main(["readability", str(path), "--audience", "B9"]) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) <= 4


def test_a_language_without_a_scale_has_the_formulas_that_hold(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert formulas_for("de") == ["lix", "rix", "amstad"]
    assert formulas_for("fi") == ["lix", "rix"]
    text = "Die Katze schläft auf dem alten Sofa. Der Hund kommt herein."
    found = formula_values("a", [text], "de")
    assert (found.sentences, found.words) == (2, 11)
    assert found.values["amstad"] == pytest.approx(formula("amstad")(Counter("de").of([text])[0]))
    for parts, why in (
        (["Katze"], "one word"),
        (["int main() { return foo_bar(3); }", "x = foo_bar(y); print(x)"], "mostly code"),
        (["DIE KATZE SCHLÄFT AUF DEM SOFA."], "written in capitals"),
    ):
        other = formula_values("a", parts, "de")
        assert other.withheld == why
        assert set(other.values.values()) == {None}
    partly = formula_values("a", [text, "x = foo_bar(y); print(x)"], "de")
    assert partly.values == found.values
    assert [one.left_out for one in partly.read] == ["", "", "code"]
    path = tmp_path / "a.txt"
    path.write_text(text, "utf-8")
    assert main(["readability", str(path), "--lang", "de"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert said.startswith("There is no scale for the language 'de' (known: en, fr), so there is no level")
    assert main(["readability", str(path), "--lang", "nonsense"]) == 2
    assert "no language 'nonsense'" in capsys.readouterr().err
    assert main(["readability", str(path), "--lang", "fr_CA", "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["texts"][0]["withheld"] == "mostly in German"
    path.write_text(text, "utf-16")
    assert main(["readability", str(path), "--lang", "de", "-e", "utf-16"]) == 0
    capsys.readouterr()
    page = tmp_path / "a.html"
    page.write_text(f"<h1>Tiere</h1><p>{text}</p>", "utf-8")
    assert main(["readability", str(page), "--lang", "de", "--html", str(tmp_path / "x.html")]) == 0
    assert "1 h1" in capsys.readouterr().out
    assert "of more than six letters" in (tmp_path / "x.html").read_text("utf-8")
    given = ["--lang", "de", "--audience", "B1", "--html", str(tmp_path / "y.html")]
    assert main(["readability", str(page), *given]) == 2
    assert "no scale for the language 'de'" in capsys.readouterr().err
    assert not (tmp_path / "y.html").exists()
