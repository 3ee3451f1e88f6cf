"""From sentences to paragraphs and documents: intervals, and the step where marks of documents are given."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tertium.cli import main
from tertium.errors import InputError
from tertium.io.marks import MarkedTexts
from tertium.readability.documents import STEP, document_level, learn_step, step_row, weighted_quantile
from tertium.readability.results import text_level
from tertium.readability.scale import Scale, read_scale, usual_scale
from tertium.readability.sentences import ReadSentence, read_sentences

EASY = "The cat sat on the mat."
MIDDLE = "The council will discuss the new plan for the harbour, which many people in the town do not like."
HARD = (
    "Notwithstanding the aforementioned considerations, the commission, whose deliberations were protracted, "
    "acknowledged that jurisdictional ambiguities had been exacerbated by contradictory interpretations."
)


def test_quantiles_are_weighted_by_length() -> None:
    levels, words = np.array([4.0, 1.0, 2.0]), np.array([8.0, 1.0, 1.0])
    assert weighted_quantile(levels, words, 0.5) == pytest.approx(2 + 2 * (0.5 - 0.15) / 0.45)
    assert weighted_quantile(levels, words, 0.99) == 4
    assert weighted_quantile(levels, words, 0.0) == 1


def test_numbers_of_a_document_by_hand() -> None:
    read = [
        ReadSentence("The cat saw the dog.", 0, 5, 2.0, 1, 3),
        ReadSentence("The cat slept there.", 0, 5, 4.0, 3, 5),
        ReadSentence("CODE", 0, 1, None, None, None, "code"),
    ]
    row = dict(zip(STEP, step_row(read, "en").tolist(), strict=True))
    assert row["mean"] == 3
    assert row["quantile 50"] == 0
    assert row["quantile 90"] == 1
    assert row["sentences"] == pytest.approx(np.log(2))
    assert row["cohesion"] == pytest.approx(1 / 6)  # cat saw dog cat slept code
    assert row["variety"] == pytest.approx(5 / 6**0.5)


def test_paragraphs_have_intervals_narrower_than_sentences() -> None:
    found = text_level("a", [" ".join([MIDDLE, EASY] * 4), EASY, "Cat."], "en", usual_scale())
    first, second, third = found.paragraphs
    assert first is not None
    assert second is not None
    assert third is None
    assert first.sentences == 8
    assert first.high - first.low < second.high - second.low
    assert found.low is not None
    assert found.level is not None
    assert found.low < found.level
    assert text_level("a", [EASY], "en", usual_scale()).paragraphs == []


def _documents() -> MarkedTexts:
    """People mark these by their hardest sentences, not by the mean."""
    kinds = [([EASY] * 6, 1.0), ([MIDDLE] * 6, 3.5), ([EASY] * 5 + [HARD], 5.0), ([HARD] * 6, 6.0)]
    texts = [" ".join(kinds[n % 4][0]) for n in range(40)]
    marks = [kinds[n % 4][1] for n in range(40)]
    return MarkedTexts("en", texts, marks, texts, [""] * 40)


def test_the_step_is_learnt_from_documents() -> None:
    scale = usual_scale()
    step = learn_step(scale, [_documents()])
    assert step.documents == 40
    assert step.error < 0.6 * step.derived
    assert step.correlation > 0.95
    read = read_sentences([" ".join([EASY] * 5 + [HARD])], "en", scale)
    derived, learnt = (document_level(read, "en", own) for own in (scale, replace(scale, document=step)))
    assert derived is not None
    assert learnt is not None
    assert learnt.level == pytest.approx(5.0, abs=0.5)
    assert learnt.high - learnt.low <= 2 * 1.2816 * step.error
    with pytest.raises(InputError, match="2 documents with a level are too few"):
        learn_step(
            scale, [MarkedTexts("en", [EASY, HARD, "Cat"], [1.0, 6.0, 1.0], ["a", "b", "c"], [""] * 3)]
        )


def test_files_and_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def learnt(marked: object, **given: object) -> Scale:
        return usual_scale()

    monkeypatch.setattr("tertium.readability.learning.learn", learnt)
    made = _documents()
    rows = [f"{text}\t{mark}" for text, mark in zip(made.texts, made.marks, strict=True)]
    (tmp_path / "d.tsv").write_text("\n".join(["text\tmark", *rows]) + "\n")
    (tmp_path / "s.tsv").write_text("text\tmark\nThe cat sat.\t1\n")
    data = ["--data", f"en={tmp_path / 's.tsv'}"]
    out = str(tmp_path / "a.json")
    train = ["readability", "train", *data, "-o", out]
    assert main([*train, "--documents", f"en={tmp_path / 'd.tsv'}", "-f", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["document_step"]["documents"] == 40
    assert read_scale(out).document is not None
    assert main([*train, "--documents", "d.tsv"]) == 2
    assert "--documents takes LANG=TSV" in capsys.readouterr().err
    given = json.loads(Path(out).read_text())
    given["document"]["weights"] = [1.0]
    (tmp_path / "bad.json").write_text(json.dumps(given))
    with pytest.raises(InputError, match="step to documents differ"):
        read_scale(tmp_path / "bad.json")
