"""Estimators: what they learn, what they refuse, and that a file says what memory says."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest

import tertium as tt
from tertium.cli import main
from tertium.errors import InputError, TertiumWarning
from tertium.estimation.estimator import Estimator, edit_rates, targets_of, trained
from tertium.estimation.features import FEATURES
from tertium.estimation.glassbox import by_word
from tertium.estimation.models import Regression, Trees
from tertium.estimation.view import Learnt, View, folds_of
from tertium.estimation.words import KeyedWords
from tertium.io.translations import Translations, read_token_scores, read_translations
from tertium.text.lexical import LexicalModel
from tertium.text.ngrams import DISCOUNT, NgramModel
from tertium.triage.results import estimate, evaluate

WORDS = {
    "ein": "a",
    "haus": "house",
    "hund": "dog",
    "baum": "tree",
    "rot": "red",
    "alt": "old",
    "und": "and",
    "sieht": "sees",
}


ASKED_FOR = {"tokens", "agreement", "encoder", "context", "checks"}  # sets that need more than texts


def made(number: int, seed: int = 1, *, tokens: bool = False) -> Translations:
    """Word for word, with some words lost or wrong; the score says how many."""
    draw = Random(seed)
    sources, outputs, scores, pieces, values = [], [], [], [], []
    for i in range(number):
        words = draw.choices(list(WORDS), k=draw.randint(4, 12))
        wrong = {k for k in range(len(words)) if draw.random() < (i % 5) / 8}
        output = [
            draw.choice(["zap", "foo", "bar"]) if k in wrong else WORDS[word] for k, word in enumerate(words)
        ]
        sources.append(" ".join([*words, str(i)]))
        outputs.append(" ".join([*output, str(i)]))
        scores.append(1 - len(wrong) / len(words))
        pieces.append([*output, str(i)])
        values.append(
            [-2.0 - draw.random() if k in wrong else -0.2 - draw.random() for k in range(len(words))]
            + [-0.1, -0.1]
        )
    found = Translations("made", sources, outputs, scores, "score")
    return replace(found, pieces=pieces, token_scores=values) if tokens else found


def test_an_estimator_learns_and_its_file_says_the_same(tmp_path: Path) -> None:
    learnt = trained(made(300, tokens=True), pair="de-en")
    assert learnt.correlation > 0.7
    assert learnt.write(tmp_path / "qe.model") < 5_000_000
    read = Estimator.read(tmp_path / "qe.model")
    new = made(100, seed=2, tokens=True)
    found = evaluate(read, new, pair="de-en")
    assert found.pearson is not None
    assert found.pearson > 0.7
    assert read.estimates(new).tolist() == learnt.estimates(new).tolist()
    assert estimate(tmp_path / "qe.model", new.sources, new.translations, pieces=new.pieces,
                    token_scores=new.token_scores).values == tuple(read.estimates(new).tolist())  # fmt: skip
    assert trained(made(300)).sets == tuple(one for one in FEATURES if one not in ASKED_FOR)


def test_the_features_of_a_segment_do_not_depend_on_the_others() -> None:
    texts = made(120)
    source, target = KeyedWords.of(texts.sources), KeyedWords.of(texts.translations)
    learnt = Learnt.of(source, target, targets_of(texts, "da"))
    for name in FEATURES:
        if name in ASKED_FOR - {"agreement"}:
            continue
        match = [(80, "a house")] if FEATURES[name].needs_memory else None
        whole = FEATURES[name].columns(View(source, target, learnt, matches=match and match * 120))
        one = np.array([5])
        alone = FEATURES[name].columns(View(source.take(one), target.take(one), learnt, matches=match))
        assert np.allclose(whole[5], alone[0], atol=1e-9), name
        assert np.isfinite(whole).all()
        empty = KeyedWords.of([""])
        assert np.isfinite(FEATURES[name].columns(View(empty, empty, learnt, matches=match))).all(), name


def test_trees_are_those_of_the_library() -> None:
    from sklearn.ensemble import GradientBoostingRegressor

    draw = np.random.default_rng(1)
    rows = draw.normal(size=(400, 6))
    values = rows[:, 0] ** 2 + rows[:, 1] + draw.normal(size=400) / 5
    how = {"n_estimators": 200, "learning_rate": 0.05, "max_depth": 2, "min_samples_leaf": 20}
    theirs = GradientBoostingRegressor(**how, subsample=0.5, max_features=0.5, random_state=12345).fit(
        rows, values
    )
    new = draw.normal(size=(50, 6))
    assert np.allclose(Trees.learnt(rows, values).of(new), theirs.predict(new), atol=1e-9)


def test_ngrams_against_the_formula() -> None:
    lines = ["the cat sat", "the cat ran", "a dog sat", "the dog"]
    model, words = NgramModel.learn(lines, order=2), [line.split() for line in lines]
    pairs = Counter(pair for own in words for pair in zip(["<s>", *own], own, strict=False))
    before = Counter(second for _, second in pairs)  # how many different words stand before each

    def word(second: str) -> float:
        total = sum(before.values())
        return max(before[second] - DISCOUNT, 0) / total + DISCOUNT * len(before) / total / (len(before) + 1)

    def probability(first: str, second: str) -> float:
        total = sum(count for (one, _), count in pairs.items() if one == first)
        if not total:
            return word(second)
        followers = len({other for one, other in pairs if one == first})
        return max(pairs[first, second] - DISCOUNT, 0) / total + DISCOUNT * followers / total * word(second)

    found = model.log_probabilities(KeyedWords.of(["the dog ran", "zebra sat"]))
    expected = [("<s>", "the"), ("the", "dog"), ("dog", "ran"), ("<s>", "zebra"), ("zebra", "sat")]
    assert found.tolist() == pytest.approx([math.log(probability(*pair)) for pair in expected], abs=1e-6)


def test_lexical_probabilities_find_the_dictionary() -> None:
    texts = made(300)
    source, target = KeyedWords.of(texts.sources), KeyedWords.of(texts.translations)
    model = LexicalModel.learn(target, source)

    def probability(given: str, word: str) -> float:
        return float(model.of(KeyedWords.of([given]).keys, KeyedWords.of([word]).keys)[0])

    for given, word in WORDS.items():
        assert max((*WORDS.values(), "zap", "foo"), key=lambda other: probability(given, other)) == word
    best, mean = model.best(KeyedWords.of(["house zebra"]), KeyedWords.of(["haus"]))
    assert best[0] > 0.3
    assert best[1] == pytest.approx(1e-4)
    assert (mean > 0).all()


def test_pieces_are_given_to_words_by_characters() -> None:
    values = np.array([-1.0, -2.0, -3.0, -4.0, -0.5])
    found = by_word(["Freiburg", "im", "Breisgau"], ["Frei@@", "burg", "im", "Breisgau"], values)
    assert found is not None
    assert found.tolist() == [-3.0, -3.0, -4.0]
    assert by_word([], ["a"], np.array([-1.0])) is None


def test_post_edits_give_edit_rates() -> None:
    assert edit_rates(["a b c d", "x"], ["a b c d", "y z"]).tolist() == pytest.approx([0.0, 1.0])
    texts = replace(made(60), scores=None, post_edits=made(60).sources)
    learnt = trained(texts)
    assert learnt.target == "hter"
    assert ((found := learnt.estimates(made(20, seed=3))) >= 0).all()
    assert (found <= 1).all()


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match="has 20 translations; at least 50 are needed"):
        trained(made(20))
    with pytest.raises(InputError, match="all values are the same"):
        trained(replace(made(60), scores=[0.5] * 60))
    with pytest.raises(InputError, match="has no HTER and no post-edits"):
        trained(made(60), target="hter")
    with pytest.raises(InputError, match="tokens have"):
        trained(replace(made(60, tokens=True), token_scores=[[-1.0]] * 60))
    learnt = trained(made(60, tokens=True), pair="de-en")
    with pytest.raises(InputError, match="was trained for de-en, not for fr-en: --force"):
        learnt.estimates(made(60, tokens=True), pair="fr-en")
    with pytest.raises(InputError, match="was trained with log-probabilities"):
        learnt.estimates(made(60))
    with pytest.warns(TertiumWarning, match="60 of 60 segments were in the training data"):
        learnt.estimates(made(60, tokens=True), pair="fr-en", force=True)


def test_equal_sources_are_left_out_together() -> None:
    folds = folds_of(["a", "b", "a", "c", "b"], 5)
    assert folds[0] == folds[2]
    assert folds[1] == folds[4]


def test_damaged_files(tmp_path: Path) -> None:
    path = tmp_path / "qe.model"
    learnt = trained(made(60))
    learnt.write(path)
    whole = path.read_bytes()
    for damaged in (b"", b"PK\3\4", whole[: len(whole) // 2], b"no archive at all"):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match=r"qe\.model: is no estimator, or damaged"):
            Estimator.read(path)
    arrays = learnt.regression.arrays()
    arrays["trees.feature"] = arrays["trees.feature"] + 1_000
    with pytest.raises(ValueError, match="outside"):
        Regression.from_arrays(arrays, len(learnt.regression.weighted.weights))
    with path.open("wb") as file:
        np.savez(file, about=np.zeros(1))
    with pytest.raises(InputError):
        Estimator.read(path)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("a\tb\n1\t2\n", "has no column with the source"),
        ("original\tb\n1\t2\n", "has no column with the translation"),
        ("original\tmt\tz_mean\n1\t2\tx\n", "is not a number"),
        ("original\tmt\tz_mean\n", "has no translations"),
    ],
)
def test_bad_tables(tmp_path: Path, table: str, message: str) -> None:
    (tmp_path / "a.tsv").write_text(table)
    with pytest.raises(InputError, match=message):
        read_translations(tmp_path / "a.tsv")


def test_bad_token_scores(tmp_path: Path) -> None:
    scores, pieces = tmp_path / "scores", tmp_path / "pieces"
    pieces.write_text("a b\nc\n")
    for text, message in (
        ("-1 -2\nx\n", "are numbers"),
        ("-1 -2\n-1 -2 -3\n", "1 tokens have 3"),
        ("1 -2\n-1\n", "below 0"),
        ("-1 -2\n", "has 1 lines, but"),
    ):
        scores.write_text(text)
        with pytest.raises(InputError, match=message):
            read_token_scores(scores, pieces)
    scores.write_text("-1 -2 -3\n-1\n")
    assert read_token_scores(scores, pieces) == ([["a", "b"], ["c"]], [[-1.0, -2.0, -3.0], [-1.0]])


def test_by_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, texts in (("train.tsv", made(120)), ("test.tsv", made(40, seed=2))):
        rows = zip(texts.sources, texts.translations, texts.scores or (), strict=True)
        Path(name).write_text("source\tmt\tscore\n" + "".join(f"{a}\t{b}\t{c}\n" for a, b, c in rows))
    assert main(["estimate", "train", "--data", "train.tsv", "-l", "de-en", "-o", "qe.model"]) == 0
    assert "Trained on 120 translations (de-en)" in capsys.readouterr().out
    assert main(["estimate", "evaluate", "--data", "test.tsv", "--model", "qe.model"]) == 0
    assert "r = " in capsys.readouterr().out
    Path("src").write_text("ein haus\nein hund\n")
    Path("out").write_text("a house\nzap foo\n")
    assert main(["estimate", "score", "src", "out", "--model", "qe.model", "-f", "tsv"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert float(lines[1].split("\t")[1]) > float(lines[2].split("\t")[1])
    assert main(["estimate", "score", "src", "out", "--model", "qe.model", "-l", "fr-en"]) == 2
    assert main(["estimate", "score", "src", "out", "--scores", "src"]) == 2
    assert main(["estimate", "score", "src", "train.tsv", "--model", "qe.model"]) == 2
    assert "has 2 lines" in capsys.readouterr().err


def test_an_estimator_is_a_metric(tmp_path: Path) -> None:
    """With the sources, beside others; one that estimates edits turns them round, so that higher is better."""
    texts, new = made(120), made(40, seed=2)
    trained(texts).write(tmp_path / "qe.model")
    trained(made(60, tokens=True)).write(tmp_path / "glass.model")
    edits = [1 - value for value in texts.scores or ()]
    trained(replace(texts, scores=None, hter=edits)).write(tmp_path / "hter.model")
    testset = tt.TestSet.of(list(new.sources), {"A": list(new.translations)}, sources=list(new.sources))
    scores = testset.score(
        [f"estimate:{tmp_path}/{name}.model" for name in ("qe", "hter")], level="segment"
    ).scores
    expected = estimate(tmp_path / "qe.model", new.sources, new.translations).values
    assert scores[0].values == pytest.approx(expected, abs=1e-9)
    assert all(np.corrcoef(np.array(own.values, float), new.scores)[0, 1] > 0.5 for own in scores)
    with pytest.raises(InputError, match="was trained with log-probabilities"):
        testset.score([f"estimate:{tmp_path}/glass.model"])


def test_swapped_sides_are_noticed() -> None:
    estimator = trained(made(80), sets=("lengths",), pair="de-en")
    german = ["Der Hund ist nicht in dem Haus, und die Katze ist auf dem Baum."] * 30
    english = ["The dog is not in the house, and the cat is on the tree."] * 30
    right, swapped = Translations("right", german, english), Translations("swapped", english, german)
    estimator.view(right)  # a warning would be an error here
    estimator.view(swapped, force=True)
    estimator.view(Translations("few", english[:5], german[:5]))  # too few to say
    with pytest.warns(TertiumWarning) as told:
        estimator.view(swapped)
    said = [str(own.message) for own in told]
    assert len(said) == 2
    assert said[0].startswith("the text of the sources seems to be in English, not German")
    assert said[1].startswith("the text of the translations seems to be in German, not English")
    assert all(own.endswith("was trained for de-en") for own in said)
