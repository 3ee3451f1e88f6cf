"""A translation against its source: levels, tests, reasons in words, what is read and what is withheld."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tertium.cli import main
from tertium.errors import InputError, SpecError
from tertium.readability.comparing import ReadabilityComparison, compare, compare_paired
from tertium.readability.documents import STEP
from tertium.readability.pairing import read_paired
from tertium.readability.reasons import facts_of, why_hard, why_harder
from tertium.readability.scale import DocumentStep, usual_scale

EASY = "The cat sat on the mat. It was warm and soft. The dog came in."
HARD = (
    "Nonobstant les considérations susmentionnées, le félin, dont la somnolence se prolongeait, que nul ne dérangeait, "
    "acquiesçait à l'irruption du molosse, lequel, subrepticement, s'était introduit dans l'appartement bourgeois."
)
SAME = "Le chat était assis sur le paillasson. Celui-ci était chaud et doux. Le chien est rentré à la maison."


def test_a_harder_target_is_found_and_explained() -> None:
    found = compare([EASY] * 8, [HARD] * 6 + [SAME] * 2)
    assert found.counts == {"harder": 6, "easier": 0, "same": 2, "withheld": 0}
    assert found.difference is not None
    assert found.difference > 1
    assert found.p is not None
    assert found.p < 0.05
    assert found.low is not None
    assert found.high is not None
    assert 0 < found.low < found.difference < found.high
    first = found.harder()[0]
    assert any(
        re.fullmatch(r"one sentence of \d+ words where the source has three", why) for why in first.reasons
    )
    assert any("rarer than the source's rarest" in why for why in first.reasons)
    assert first.low is not None
    assert first.difference is not None
    assert first.low < first.difference
    said = " ".join(found.text().split())
    assert said.startswith("The target is harder to read than the source: ")
    assert "Of 8 segments, 6 became harder by 0.5 of a level or more, 0 easier, 2 stayed the same." in said
    assert max(map(len, found.text().splitlines())) <= 80


def test_sides_can_be_turned_and_equal_texts_do_not_differ() -> None:
    there, back = (
        compare([EASY] * 6, [HARD] * 6),
        compare([HARD] * 6, [EASY] * 6, source_language="fr", target_language="en"),
    )
    assert there.difference == pytest.approx(-(back.difference or 0))
    assert back.counts["easier"] == 6
    assert back.text().startswith("The target is easier to read")
    same = compare([EASY] * 6, [EASY] * 6, target_language="en")
    assert same.difference == 0
    assert same.p == 1
    assert same.text().startswith("Nothing shows that")
    assert "shared_error" not in same.text()


def test_the_difference_is_the_mean_by_words_and_documents_are_drawn() -> None:
    sources, targets = (
        [EASY, "It is a good day.", EASY, "She has a dog."],
        [HARD, "Il fait beau ce jour.", SAME, HARD],
    )
    plain, by_document = compare(sources, targets), compare(sources, targets, documents=["a", "a", "b", "b"])
    assert plain.difference == by_document.difference
    assert (plain.drawn, by_document.drawn) == ("segment", "document")
    weights = [sum(one.words for one in (*own.source, *own.target)) / 2 for own in plain.units]
    gaps = [own.difference or 0.0 for own in plain.units]
    assert plain.difference == pytest.approx(np.average(gaps, weights=weights))
    assert by_document.text().startswith("Too few documents to say for sure")
    assert by_document.p == 0.5  # two documents: both signs turned, or none
    with pytest.raises(InputError, match="1 document name for 4 segments"):
        compare(sources, targets, documents=["a"])


def test_what_has_no_number_is_named() -> None:
    found = compare(
        [EASY, "Cat", "", EASY, EASY, EASY],
        [
            SAME,
            "Chat",
            "",
            "",
            "LE CHAT EST SUR LE TAPIS DU SALON.",
            "The children were playing with their friends because the weather was good.",
        ],
    )
    assert found.counts["withheld"] == 5
    assert set(found.left_out) == {
        "source: one word",
        "empty",
        "no target",
        "target: written in capitals",
        "target: mostly in English",
    }
    nothing = compare(["Cat"], ["Chat"])
    assert nothing.difference is None
    assert nothing.text().startswith("No number would mean anything here")


def test_reasons_are_those_that_add() -> None:
    table = usual_scale().table("en")
    long = (
        "We saw the house and the garden and the trees and the river and the road and the hill and the sky."
    )
    facts = facts_of([long], table)
    assert facts.sentences == (22,)
    assert why_hard(facts, {"length": 0.5, "vocabulary": 0.5}) == ("a sentence of 22 words",)
    assert why_hard(facts, {"length": 0.0}) == ()
    easy = facts_of(["You see, we like it."], table)
    dull = facts_of(["The jurisdiction, which was not amended, is exacerbated (sic)."], table)
    every = dict.fromkeys(
        ("length", "vocabulary", "clauses", "passive", "negation", "persons", "brackets"), 0.2
    )
    assert why_harder(easy, dull, every) == (
        "a sentence of 9 words for one of 5",
        "four words rarer than the source's rarest (see): exacerbated, sic, amended, jurisdiction",
        "one subordinate clause where the source has none",
        "two passives where the source has none",
        "one negation where the source has none",
        "never says I, we or you, as the source does two times",
        "one bracket where the source has none",
    )
    assert facts_of(["They don't go."], table).negation == 1
    assert facts_of(["They don't go."], table).sentences == (3,)


def whole(source: Path, target: Path, **given: bool) -> ReadabilityComparison:
    return compare_paired(read_paired(str(source), str(target), **given), usual_scale())  # type: ignore[arg-type]


def test_documents_are_wholes_or_aligned(tmp_path: Path) -> None:
    source, target = tmp_path / "a.html", tmp_path / "b.html"
    source.write_text(
        "<h1>Cats</h1><p>The cat sat on the mat. It was warm.</p><p>The dog came in at 9.</p>", "utf-8"
    )
    target.write_text(f"<h1>Chats</h1><p>{HARD}</p><p>Le chien est venu à 9 heures.</p>", "utf-8")
    found = whole(source, target)
    assert (found.unit, found.drawn, found.p) == ("document", "sentence", None)
    assert found.difference is not None
    assert found.difference > 0.5
    assert "sentences" in found.text()
    pairs = whole(source, target, aligned=True)
    assert pairs.unit == "segment"
    assert len(pairs.units) > 1
    (tmp_path / "one.txt").write_text("The cat sat on the mat.\nIt was warm.\n", "utf-8")
    (tmp_path / "other.txt").write_text("Le chat est sur le tapis, et il a chaud.\n", "utf-8")
    texts = read_paired(str(tmp_path / "one.txt"), str(tmp_path / "other.txt"))
    assert texts.unit == "document"
    assert "differ" in texts.notes[0]


def test_folders_are_paired_by_name(tmp_path: Path) -> None:
    for side, text in (("en", EASY), ("fr", HARD)):
        (tmp_path / side).mkdir()
        for n in range(6):
            (tmp_path / side / f"{n}.txt").write_text(f"{text}\n", "utf-8")
    (tmp_path / "en" / "more.txt").write_text("More of it.\n", "utf-8")
    found = whole(tmp_path / "en", tmp_path / "fr")
    assert (len(found.units), found.drawn) == (6, "document")
    assert found.p == pytest.approx(2 / 64)
    assert found.notes == ["1 document on one side only, left out"]
    with pytest.raises(InputError, match="two files, or two folders"):
        read_paired(str(tmp_path / "en"), str(tmp_path / "fr" / "1.txt"))


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "a.en", tmp_path / "a.fr"
    source.write_text(f"{EASY}\n" * 3, "utf-8")
    target.write_text(f"{HARD}\n" * 3, "utf-8")
    (tmp_path / "documents").write_text("a\nb\nc\n")
    assert main(["readability", "compare", str(source), str(target), "-f", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["counts"]["harder"] == 3
    assert data["units"][0]["target"][0]["level"] > 4
    call = ["readability", "compare", str(source), str(target), "--documents", str(tmp_path / "documents")]
    assert main(call) == 0
    assert "by documents" in " ".join(capsys.readouterr().out.split())
    units = tmp_path / "units.jsonl"
    units.write_text(json.dumps({"source": EASY, "target": HARD}) + "\n", "utf-8")
    assert main(["readability", "compare", str(units), "-l", "en-fr"]) == 0
    assert "one sentence of" in " ".join(capsys.readouterr().out.replace("│", " ").split())


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (["a.en", "a.fr", "-l", "en-de"], "no scale for the language 'de'"),
        (["a.en", "a.fr", "-l", "english"], "a language pair is source-target"),
        (["a.en", "a.fr", "--documents", "a.en2"], "2 lines for 1 segment"),
        (["a.en", "a.fr", "--frequencies", "a.en"], "--frequencies takes LANG=FILE"),
        (["a.en"], "which format?"),
        (["units.jsonl", "--align"], "are for two texts"),
        (["a.en", "empty.txt"], "the file is empty"),
    ],
)
def test_bad_calls(
    call: list[str],
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "a.en": EASY,
        "a.fr": SAME,
        "a.en2": "x\ny",
        "empty.txt": "",
        "units.jsonl": "{}",
    }.items():
        Path(name).write_text(text, "utf-8")
    assert main(["readability", "compare", *call]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert len(error.strip().splitlines()) == 1


def test_own_frequencies_and_a_step_to_documents_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for side, text in (("en", EASY), ("fr", HARD)):
        (tmp_path / side).write_text(f"{text}\n", "utf-8")
    (tmp_path / "counts").write_text(HARD, "utf-8")
    call = ["readability", "compare", str(tmp_path / "en"), str(tmp_path / "fr"), "-f", "json"]
    assert main(call) == 0
    plain = json.loads(capsys.readouterr().out)
    assert main([*call, "--frequencies", f"fr={tmp_path / 'counts'}"]) == 0
    own = json.loads(capsys.readouterr().out)
    assert own["source_level"] == plain["source_level"]
    assert own["target_level"] < plain["target_level"]  # none of its words is rare in itself
    number = len(STEP)
    step = DocumentStep(tuple(STEP), (0.0,) * number, (0.0,) * number, -0.5, 0.4)
    paths = str(tmp_path / "en"), str(tmp_path / "fr")
    scale = usual_scale()
    found, moved = (
        compare_paired(read_paired(*paths, whole=True), own_scale)
        for own_scale in (scale, replace(scale, document=step))
    )
    assert moved.target_level == pytest.approx((found.target_level or 0) - 0.5)


def test_other_languages_are_refused() -> None:
    with pytest.raises(SpecError, match="no scale for the language 'de'"):
        compare(["The cat."], ["Die Katze."], target_language="de")
