"""Texts beside the training data: what models learn from them, what is not kept, and who is told of them."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

from tertium.cli import main
from tertium.errors import InputError, TertiumWarning
from tertium.estimation import corpora as room
from tertium.estimation.corpora import Corpora
from tertium.estimation.estimator import Estimator, trained
from tertium.estimation.view import Learnt
from tertium.estimation.words import KeyedWords
from tertium.text.lexical import LexicalModel
from tertium.text.ngrams import NgramModel
from tertium.triage.results import described
from tests.estimation.test_estimation import WORDS, made

RARE = {f"wort{n}": f"word{n}" for n in range(400)}


def rare_pairs(number: int, seed: int) -> list[tuple[str, str]]:
    """Texts with words that hardly anything else has."""
    draw = Random(seed)
    every = {**WORDS, **RARE}
    found = []
    for _ in range(number):
        words = draw.choices(list(every), k=8)
        found.append((" ".join(words), " ".join(every[word] for word in words)))
    return found


def both(pairs: list[tuple[str, str]]) -> tuple[KeyedWords, KeyedWords]:
    return KeyedWords.of([own for own, _ in pairs]), KeyedWords.of([own for _, own in pairs])


def test_models_learn_from_all_texts_that_are_given() -> None:
    """Pairs teach both sides and links; a text of one side teaches that side alone."""
    texts = made(60)
    sides = KeyedWords.of(texts.sources), KeyedWords.of(texts.translations)
    values, folds = np.asarray(texts.scores), np.zeros(60, np.int64)

    def learnt(corpora: Corpora) -> Learnt:
        return Learnt.of(*sides, values, corpora=corpora.words(texts.sources, texts.translations, folds))

    pairs = rare_pairs(900, 1)
    plain, parallel = Learnt.of(*sides, values), learnt(Corpora(pairs))
    one = learnt(Corpora(target=[own for _, own in pairs]))
    source, target = (KeyedWords.of([own]) for own in ("wort7", "word7"))
    assert plain.forward.best(target, source)[0][0] < 0.01 < 0.3 < parallel.forward.best(target, source)[0][0]
    assert parallel.source.counts(source)[0] > 0 < parallel.target.counts(target)[0]
    assert one.target.counts(target)[0] == parallel.target.counts(target)[0]
    assert one.source.counts(source)[0] == 0
    assert one.forward.best(target, source)[0][0] < 0.01
    whole = NgramModel.learn([*texts.translations, *(own for _, own in pairs)])
    assert parallel.target.log_probabilities(["word7 and"]) == pytest.approx(
        whole.log_probabilities(["word7 and"])
    )


def test_a_corpus_with_rare_words_helps_where_there_are_such_words() -> None:
    """The training data are short of these words; their translations are told from wrong ones nevertheless."""
    draw = Random(5)
    sources, outputs, scores = [], [], []
    for one, other in rare_pairs(200, 2):
        words = other.split()
        wrong = draw.sample(range(8), draw.choice((0, 4)))
        sources.append(one)
        outputs.append(
            " ".join(draw.choice(list(RARE.values())) if k in wrong else word for k, word in enumerate(words))
        )
        scores.append(1 - len(wrong) / 8)
    texts = replace(made(200), sources=sources, translations=outputs, scores=scores)
    sets = ("translated",)
    alone, beside = trained(texts, sets=sets), trained(texts, sets=sets, corpora=Corpora(rare_pairs(1500, 3)))
    assert beside.correlation > alone.correlation + 0.02


def test_no_part_of_the_training_is_learnt_from_in_a_corpus() -> None:
    """A corpus that holds the training data makes nothing better on parts left out."""
    texts = made(60)
    folds = np.arange(60) % 5
    pairs = list(zip(texts.sources, texts.translations, strict=True))
    words = Corpora([*pairs, ("neu", "new")], target=["newer", f" {texts.translations[3].upper()} . "]).words(
        texts.sources, texts.translations, folds
    )
    assert words.source_folds.tolist() == [*folds.tolist(), -1]
    assert words.target_folds.tolist() == [*folds.tolist(), -1, -1, 3]
    less = words.without(3)
    assert (less.pairs, len(less.source), len(less.target)) == (49, 49, 50)
    assert not set(less.target.lines) & {
        own for own, fold in zip(texts.translations, folds, strict=True) if fold == 3
    }


def test_pruned_models_keep_what_was_seen_most() -> None:
    lines = [f"often w{n} w{n + 1}" for n in range(300)] + ["often often thing"] * 5
    model = NgramModel.learn(lines)
    less = model.pruned((50, 60, 10))
    assert [len(own[0]) <= most for own, most in zip(less.tables[1:], (50, 60, 10), strict=True)] == [
        True
    ] * 3
    assert less.counts(["often w7"])[0] == model.counts(["often w7"])[0] > 0
    assert np.isfinite(less.log_probabilities(lines)).all()
    same = model.pruned((10_000, 10_000, 10_000))
    assert np.array_equal(same.log_probabilities(lines), model.log_probabilities(lines))
    pairs = rare_pairs(300, 4)
    table = LexicalModel.learn([own for _, own in pairs], [own for own, _ in pairs])
    likeliest = table.pruned(48)
    assert likeliest.chances.tolist() == [
        own for own in table.chances.tolist() if own >= likeliest.chances.min()
    ]
    assert len(likeliest.keys) == 48 < len(table.keys)
    assert table.pruned(10**6) is table


def test_at_most_so_many_lines_evenly_spread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MOST_PAIRS", 10)
    monkeypatch.setattr(room, "MOST_LINES", 15)
    found = Corpora([(f"{n}", f"{n}") for n in range(100)], target=[f"line {n}" for n in range(50)])
    assert [one for one, _ in found.pairs] == [str(n) for n in range(0, 100, 10)]
    assert list(found.target) == [f"line {n}" for n in range(0, 50, 10)]


def test_a_test_segment_in_a_corpus_is_told(tmp_path: Path) -> None:
    """By either side, from the file as well; a corpus without it says nothing."""
    texts, new = made(60), made(30, seed=2)
    corpora = Corpora(
        [("ein Haus", "a house")], source=[new.sources[4].upper()], target=[f"{new.translations[9]} ."]
    )
    trained(texts, corpora=corpora).write(tmp_path / "qe.model")
    read = Estimator.read(tmp_path / "qe.model")
    assert read.corpora is not None
    assert described(read, 1).corpora == "1 pair, 1 line of the source, 1 line of the target"
    with pytest.warns(TertiumWarning, match=r"2 of 30 segments are in the corpora .* \(5, 10\)"):
        read.estimates(new)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read.estimates(made(30, seed=3))


def test_the_file_says_what_memory_says(tmp_path: Path) -> None:
    texts, new = made(80), made(30, seed=2)
    learnt = trained(texts, corpora=Corpora(rare_pairs(50, 1)))
    learnt.write(tmp_path / "qe.model")
    assert np.array_equal(Estimator.read(tmp_path / "qe.model").estimates(new), learnt.estimates(new))


def test_corpora_on_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    texts = made(80)
    rows = zip(texts.sources, texts.translations, texts.scores or (), strict=True)
    Path("train.tsv").write_text(
        "source\ttranslation\tscore\n" + "".join(f"{a}\t{b}\t{c}\n" for a, b, c in rows), "utf-8"
    )
    pairs = rare_pairs(40, 1)
    Path("s").write_text("".join(f"{own}\n" for own, _ in pairs), "utf-8")
    Path("t").write_text("".join(f"{own}\n" for _, own in pairs), "utf-8")
    Path("units.tsv").write_text("".join(f"{a}\t{b}\n" for a, b in pairs), "utf-8")
    Path("empty").write_text("\n\n", "utf-8")
    command = ["estimate", "train", "--data", "train.tsv", "-l", "de-en", "-o", "qe.model"]
    given = [
        "--corpus",
        "s",
        "t",
        "--corpus",
        "s",
        "t",
        "--corpus-target",
        "t",
        "--corpus-memory",
        "units.tsv",
    ]
    assert main([*command, *given]) == 0
    assert "learnt from corpora, too: 120 pairs, 40 lines of the target." in " ".join(
        capsys.readouterr().out.split()
    )
    assert main(["estimate", "score", "s", "t", "--model", "qe.model"]) == 0
    assert "40 of 40 segments are in the corpora" in " ".join(capsys.readouterr().err.split())
    assert main([*command, "--corpus", "s", "empty"]) == 2
    assert "s has 40 lines, but empty has 2" in capsys.readouterr().err
    assert main([*command, "--corpus-source", "empty"]) == 2
    assert "the corpora have no text" in capsys.readouterr().err
    assert main([*command, "--corpus-source", "missing"]) == 2
    capsys.readouterr()
    assert main([*command, "-l", "", "--corpus-memory", "units.tsv"]) == 2
    assert "which are they? (-l en-fr)" in capsys.readouterr().err


def test_corpora_that_do_not_fit_are_refused() -> None:
    with pytest.raises(InputError, match="no text"):
        Corpora.read()
