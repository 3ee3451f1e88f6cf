"""The scale: features in both languages, what is learnt, what is withheld, files."""

from __future__ import annotations

import json
import zlib
from pathlib import Path

import numpy as np
import pytest

from tertium.cli import main
from tertium.errors import InputError, SpecError
from tertium.io.marks import MarkedTexts
from tertium.readability.features import BUCKETS, FEATURES, Seen, WordTable, letter_buckets
from tertium.readability.frequencies import of_counts, read_frequencies
from tertium.readability.learning import learn
from tertium.readability.results import text_level
from tertium.readability.scale import read_scale, usual_scale

FEW = of_counts(
    "few",
    {
        word: 100 - n
        for n, word in enumerate(["the", "cat", "sat", "on", "mat", "and", "dog", "le", "chat", "sur", "et"])
    },
)
EASY = "The cat sat on the mat."
HARD = (
    "Notwithstanding the aforementioned considerations, the commission, whose deliberations were protracted, "
    "acknowledged that jurisdictional ambiguities had been exacerbated by contradictory interpretations."
)


def seen(text: str, lang: str = "en") -> dict[str, float]:
    rows = Seen(WordTable(lang, FEW), [text, ""]).features()
    assert np.isfinite(rows).all()
    return dict(zip(FEATURES, rows[0].tolist(), strict=True))


def test_features_by_hand() -> None:
    found = seen("The cat wasn't fed, and (oddly) the dog that barked was chased.")
    assert np.exp(found["words"]) == pytest.approx(12)
    assert found["negation"] == 1
    assert found["brackets"] == 1
    assert found["passive"] == 1  # was chased; fed is no participle by its end
    assert found["subordination"] == 1
    assert found["rarest"] == FEW.unknown
    assert seen("Le chat n'est pas sur le chat.", "fr")["negation"] == 2


def test_a_scale_is_learnt_in_two_languages_and_read_again(tmp_path: Path) -> None:
    marked = []
    for lang, word in (("en", "cat"), ("fr", "chat")):
        marks = [1.0 + n % 6 for n in range(90)]
        texts = [" ".join([word] * int(3 * mark + n % 3)) + "." for n, mark in enumerate(marks)]
        marked.append(
            MarkedTexts(lang, texts, marks, [str(n) for n in range(90)], [str(n % 4) for n in range(90)])
        )
    scale = learn(marked, {"en": FEW, "fr": FEW})
    assert scale.learnt is not None
    assert min(scale.learnt.correlation.values()) > 0.9
    scale.write(tmp_path / "a.json")
    again = read_scale(tmp_path / "a.json")
    short, long = again.levels(["cat " * 4, "cat " * 18], "en", FEW)
    assert short + 2 < long
    assert again.levels(["cat cat cat"], "en", FEW) == pytest.approx(scale.levels(["cat cat cat"], "en", FEW))
    assert sum(scale.probabilities(3.2)) == pytest.approx(1)
    with pytest.raises(SpecError, match="no scale for the language 'de'"):
        again.levels(["Die Katze."], "de")
    with pytest.raises(InputError, match="too few to learn from"):
        learn([MarkedTexts("en", ["a"], [1.0], ["a"], [""])], {"en": FEW})


def test_words_have_scores_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a word's vector teaches is kept, and the encoder is not needed afterwards."""
    hard = {"torque": 1.0, "flange": 1.0, "couple": 1.0, "bride": 1.0}

    def vectors(encoder: str, texts: list[str]) -> np.ndarray:
        assert encoder == "some"
        return np.array([[1.0, hard.get(text, -1.0)] if text else [0.0, 0.0] for text in texts], np.float32)

    monkeypatch.setattr("tertium.readability.wordscores.sentence_vectors", vectors)
    marked, lists = [], {}
    for lang, words in (("en", "apple torque house flange"), ("fr", "pomme couple toit bride")):
        easy, harder, simple, difficult = words.split()
        lists[lang] = of_counts(lang, dict.fromkeys(words.split(), 1))
        marks = [1.0 + n % 6 for n in range(120)]
        texts = [
            " ".join([(harder, difficult)[n % 2]] * int(mark) + [(easy, simple)[n // 6 % 2]] * int(7 - mark))
            for n, mark in enumerate(marks)
        ]
        names = [str(n) for n in range(120)]
        marked.append(MarkedTexts(lang, texts, marks, names, [str(n % 4) for n in range(120)]))
    scale = learn(marked, lists, encoder="some")
    assert scale.words["en"].of("torque") > 0 > scale.words["en"].of("apple")
    assert scale.words["en"].of("of") == 0
    scale.write(tmp_path / "a.json")
    monkeypatch.undo()
    again = read_scale(tmp_path / "a.json")
    easy, hard_level = again.levels(["apple apple apple", "torque torque torque"], "en", lists["en"])
    assert easy + 1 < hard_level
    given = json.loads((tmp_path / "a.json").read_text("utf-8"))
    given["words"]["en"]["table"] = given["words"]["en"]["table"][:-1]
    (tmp_path / "bad.json").write_text(json.dumps(given))
    with pytest.raises(InputError, match="table of words is damaged"):
        read_scale(tmp_path / "bad.json")


def test_damaged_scales_are_refused(tmp_path: Path) -> None:
    data = Path(__file__).parents[2] / "src/tertium/data/models/readability.json"
    given = json.loads(data.read_text("utf-8"))
    for key, value, message in (
        ("format", "x", "is no readability scale"),
        ("version", 9, "is version 9"),
        ("weights", [1.0], "differ"),
        ("thresholds", [1.0], "thresholds"),
    ):
        (tmp_path / "bad.json").write_text(json.dumps(given | {key: value}), "utf-8")
        with pytest.raises(InputError, match=message):
            read_scale(tmp_path / "bad.json")


def test_hard_sentences_are_hard_and_numbers_are_withheld() -> None:
    scale = usual_scale()
    easy, hard = (text_level("a", [text], "en", scale, None) for text in (EASY, HARD))
    assert easy.level is not None
    assert hard.level is not None
    assert easy.level + 2 < hard.level
    assert hard.low is not None
    assert hard.low < hard.level
    assert text_level("a", ["Cat"], "en", scale).withheld == "one word"
    assert text_level("a", ["THE CAT SAT ON THE MAT."], "en", scale).withheld == "written in capitals"
    assert "list" in text_level("a", ["cat", "dog", "mat", "the cat sat"] + ["one"] * 9, "en", scale).withheld


def test_frequencies_of_files(tmp_path: Path) -> None:
    (tmp_path / "counts.tsv").write_text("cat\t3\nthe\t9\n")
    (tmp_path / "corpus.txt").write_text("The cat saw the dog.\n")
    assert read_frequencies(tmp_path / "counts.tsv").ranks == {"the": 1, "cat": 2}
    assert read_frequencies(tmp_path / "corpus.txt").ranks["the"] == 1
    (tmp_path / "none.txt").write_text("12 . !\n")
    with pytest.raises(InputError, match="no words"):
        read_frequencies(tmp_path / "none.txt")


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").write_text(EASY)
    assert main(["readability", str(tmp_path / "a.txt"), "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["texts"][0]["sentences"] == 1
    assert main(["readability", str(tmp_path / "a.txt"), "--lang", "de", "--audience", "B1"]) == 2
    assert "no scale for the language 'de'" in capsys.readouterr().err
    assert main(["readability", "train", "--data", "x.tsv"]) == 2
    assert "LANG=TSV" in capsys.readouterr().err


def test_letters_of_words_are_runs_by_their_checksums() -> None:
    words = ["", "a", "of", "naïveté", "\ud83d", "日本語"]
    flat, ends = letter_buckets(words)
    for word, own in zip(words, np.split(flat, ends[1:-1]), strict=True):
        edged = f"<{word}>"
        runs = [edged[i : i + n] for n in (2, 3, 4) for i in range(len(edged) - n + 1)] if word else []
        told = [*runs, f"={word}"] if word else []
        assert own.tolist() == [zlib.crc32(run.encode("utf-8", "replace")) % BUCKETS for run in told]
