"""Pairs against random ones, by the lexical tables of an estimator."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

from tertium.cli import main
from tertium.errors import InputError
from tertium.estimation.estimator import Estimator, trained
from tertium.estimation.explaining import LEAST, related, unrelated
from tertium.estimation.words import KeyedWords
from tertium.io.translations import Translations
from tertium.triage.blocking import said_by


def texts(number: int, seed: int) -> Translations:
    """Word for word, with eighty words."""
    draw = Random(seed)
    words = [draw.choices(range(80), k=draw.randint(6, 14)) for _ in range(number)]
    sources, outputs = ([" ".join(f"{form}{n}a" for n in own) for own in words] for form in ("wort", "mot"))
    return Translations("made", sources, outputs, [draw.random() for _ in words], "score")


@pytest.fixture(scope="module")
def estimator() -> Estimator:
    return trained(texts(400, 1), pair="de-en")


def exchanged(number: int) -> tuple[list[str], list[str]]:
    """Good translations, except that the first and the third belong to other sources."""
    made = texts(number + 2, 2)
    outputs = list(made.translations)
    outputs[0], outputs[2] = outputs[number], outputs[number + 1]
    return list(made.sources[:number]), outputs[:number]


@pytest.mark.parametrize("number", [12, 36])
def test_translations_of_other_sources_are_told(estimator: Estimator, number: int) -> None:
    sources, outputs = exchanged(number)
    above = related(estimator.learnt, KeyedWords.of(sources), KeyedWords.of(outputs))
    told = unrelated(above) >= 0.5
    assert np.argsort(above)[:2].tolist() in ([0, 2], [2, 0])
    assert np.flatnonzero(told).tolist() == [0, 2]


def test_little_text_says_nothing(estimator: Estimator) -> None:
    sources, outputs = exchanged(LEAST - 1)
    above = related(estimator.learnt, KeyedWords.of(sources), KeyedWords.of(outputs))
    assert np.isnan(above).all()
    assert (unrelated(above) == 0).all()
    sources, outputs = exchanged(LEAST + 2)
    outputs[5], sources[6] = "", " "
    above = related(estimator.learnt, KeyedWords.of(sources), KeyedWords.of(outputs))
    assert np.flatnonzero(np.isnan(above)).tolist() == [5, 6]
    empty = KeyedWords.of([""] * 12)
    assert (unrelated(related(estimator.learnt, empty, empty)) == 0).all()
    same = KeyedWords.of(["ein Haus"] * 12)
    assert (unrelated(related(estimator.learnt, same, same)) < 0.5).all()


def test_tables_that_know_nothing_of_the_words_tell_nothing(estimator: Estimator) -> None:
    strange = [f"q{n} x{n} z{n * 7}" for n in range(40)]
    told = unrelated(related(estimator.learnt, KeyedWords.of(strange), KeyedWords.of(strange[::-1])))
    assert (told < 0.5).all()


def test_an_ordinary_estimator_helps_detectors(
    estimator: Estimator, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sources, outputs = exchanged(36)
    assert list(said_by(estimator, sources, outputs)) == ["tables"]
    with pytest.raises(InputError, match="was trained for de-en, not for fr-en"):
        said_by(estimator, sources, outputs, pair="fr-en")
    estimator.write(tmp_path / "qe.model")
    for name, lines in (("source", sources), ("mt", outputs)):
        (tmp_path / name).write_text("\n".join(lines) + "\n", "utf-8")
    files = [str(tmp_path / "source"), str(tmp_path / "mt")]
    assert main(["estimate", "detect", *files, "--model", str(tmp_path / "qe.model"), "-q", "-f", "tsv"]) == 0
    assert "by the estimator's tables its words have" in " ".join(capsys.readouterr().out.split())
