"""A head on the vectors of a sentence encoder, and sources that were seen with other translations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tertium.cli import main
from tertium.errors import InputError, TertiumWarning
from tertium.estimation.encoderhead import EncoderHead
from tertium.estimation.estimator import Estimator, trained
from tertium.estimation.words import KeyedWords
from tertium.io.translations import Translations
from tertium.triage.results import evaluate
from tests.estimation.test_estimation import WORDS, made


def vectors(name: str, texts: Sequence[str]) -> np.ndarray:
    """An encoder that knows both languages: how often each thing is said; strange words are nothing."""
    things = {word: k for k, pair in enumerate(WORDS.items()) for word in pair}
    found = np.zeros((len(texts), len(WORDS)), np.float32)
    for row, text in zip(found, texts, strict=True):
        for word in text.split():
            if word in things:
                row[things[word]] += 1
    return found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-9)


@pytest.fixture
def encoder(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    import tertium.text.sentences as room

    monkeypatch.setattr(room, "sentence_vectors", vectors)
    monkeypatch.setattr(room, "encoder_hash", lambda name: f"hash of {name}")
    monkeypatch.setattr("tertium.estimation.estimator.check_encoder", lambda name: None)
    return monkeypatch


def test_a_head_learns_what_vectors_say(encoder: pytest.MonkeyPatch, tmp_path: Path) -> None:
    texts, others = made(120), made(60, seed=8)
    learnt = trained(texts, sets=("lengths", "encoder"), encoder="things")
    plain = trained(texts, sets=("lengths",))
    truth = np.asarray(others.scores)
    both = [np.corrcoef(own.estimates(others), truth)[0, 1] for own in (plain, learnt)]
    assert both[1] > max(0.5, both[0] + 0.1)
    learnt.write(tmp_path / "qe.model")
    again = Estimator.read(tmp_path / "qe.model")
    assert (again.estimates(others) == learnt.estimates(others)).all()
    assert len(again.estimates(replace(others, sources=[""] * 60, translations=[""] * 60))) == 60
    encoder.setattr("tertium.text.sentences.encoder_hash", lambda name: "another")
    with pytest.raises(InputError, match="was trained with the encoder things"):
        again.estimates(others)


def test_a_head_is_a_ridge_regression(encoder: pytest.MonkeyPatch) -> None:
    texts = made(80)
    sides = KeyedWords.of(texts.sources), KeyedWords.of(texts.translations)
    values = np.asarray(texts.scores)
    head = EncoderHead.learnt("things", *sides, values)
    cosine, loose, held = head.of(*sides)
    expected = (vectors("", texts.sources) * vectors("", texts.translations)).sum(axis=1)
    assert cosine == pytest.approx(expected, abs=1e-6)
    assert loose.mean() == pytest.approx(values.mean(), abs=1e-6)
    assert held.std() < loose.std() < values.std()
    again = EncoderHead.from_arrays(head.arrays())
    assert again is not None
    assert again.encoder == "things"
    assert EncoderHead.from_arrays({}) is None
    with pytest.raises(ValueError, match="number of weights"):
        EncoderHead.from_arrays({**head.arrays(), "weights": np.zeros((1, 4))})


def test_an_encoder_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = made(60)
    rows = zip(texts.sources, texts.translations, texts.scores or (), strict=True)
    table = tmp_path / "da.tsv"
    table.write_text(
        "source\tmt\tscore\n" + "".join(f"{a}\t{b}\t{c}\n" for a, b, c in rows), encoding="utf-8"
    )
    assert main(["estimate", "train", "--data", str(table), "--encoder", "no-such-encoder", "-o", "x"]) == 2
    assert "no-such-encoder" in capsys.readouterr().err


def test_sources_with_other_translations_are_named() -> None:
    texts = made(60)
    learnt = trained(texts, sets=("lengths",))
    other = replace(texts, translations=[f"{line} zap" for line in texts.translations])
    learnt.estimates(other)  # which may be, but is no test
    with pytest.warns(
        TertiumWarning, match=r"60 of 60 sources .* with other translations \(1, 2, 3, 4, 5, \.\.\.\)"
    ):
        evaluate(learnt, other)


THINGS = {
    "dog": "Hund",
    "cat": "Katze",
    "horse": "Pferd",
    "bird": "Vogel",
    "cow": "Kuh",
    "pig": "Schwein",
    "child": "Kind",
    "teacher": "Lehrer",
}
PLACES = {
    "kitchen": "Küche",
    "garden": "Garten",
    "school": "Schule",
    "church": "Kirche",
    "forest": "Wald",
    "street": "Straße",
    "town": "Stadt",
    "river": "Fluss",
}


@pytest.mark.heavy
def test_a_real_encoder_of_sentences(tmp_path: Path) -> None:
    """`use` knows English and German: what has another meaning than its source is told from what has not, in words
    that the training did not have; the file keeps its name and hash, and works with nothing but them."""
    sentences = [
        (f"The {a} sleeps in the {p}.", f"{b} schläft jetzt: {q}.")
        for a, b in THINGS.items()
        for p, q in PLACES.items()
    ]
    wrong = [
        output if n % 2 else sentences[(n + 27) % len(sentences)][1]
        for n, (_, output) in enumerate(sentences)
    ]
    texts = Translations(
        "sentences", [own for own, _ in sentences], wrong, [float(n % 2) for n in range(len(sentences))]
    )
    learnt = trained(texts, sets=("lengths", "encoder"), pair="en-de", encoder="use")
    assert learnt.correlation > max(0.6, trained(texts, sets=("lengths",)).correlation + 0.3)
    learnt.write(tmp_path / "qe.model")
    again = Estimator.read(tmp_path / "qe.model")
    assert again.learnt.head is not None
    assert again.learnt.head.encoder == "use"
    new = Translations(
        "new",
        ["The king reads a book.", "She buys bread and milk."] * 2,
        [
            *("Der König liest ein Buch.", "Sie kauft Brot und Milch."),
            *("Morgen regnet es überall.", "Das Parlament stimmt ab."),
        ],
    )
    found = again.estimates(new)
    assert np.array_equal(found, learnt.estimates(new))
    assert found[:2].min() > found[2:].max()
