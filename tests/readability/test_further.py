"""Surprise and parses: features of scales that are trained with them, and asked for wherever those read."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tertium.cli import main
from tertium.errors import InputError, SpecError
from tertium.io.marks import MarkedTexts
from tertium.readability.features import FEATURES
from tertium.readability.frequencies import of_counts
from tertium.readability.further import (
    PARSES,
    SURPRISE,
    Helpers,
    LanguageModel,
    helpers,
    parse_row,
    sets_of,
    surprise_rows,
)
from tertium.readability.learning import learn
from tertium.readability.scale import read_scale, usual_scale
from tertium.text.ngrams import NgramModel
from tertium.text.parses import Parsed

WORDS = ["the", "old", "cat", "sat", "on", "a", "warm", "mat", "and", "saw", "one", "dog"]
FEW = of_counts("few", dict.fromkeys(WORDS, 1))
USUAL = [" ".join(WORDS)] * 5 + ["a dog sat", "the cat saw"]


def shuffled(mark: int, n: int) -> str:
    """The same words always, the more of them out of their place the higher the mark."""
    words = list(WORDS)
    rng = np.random.default_rng(n)
    for _ in range(mark - 1):
        i, j = rng.choice(len(words), 2, replace=False)
        words[i], words[j] = words[j], words[i]
    return " ".join(words)


def marked(lang: str = "en", size: int = 120) -> MarkedTexts:
    marks = [1 + n % 6 for n in range(size)]
    texts = [shuffled(mark, n) for n, mark in enumerate(marks)]
    names = [str(n) for n in range(size)]
    return MarkedTexts(lang, texts, [float(mark) for mark in marks], names, ["", *[""] * (size - 1)])


def test_surprise_is_that_of_the_model() -> None:
    model = NgramModel.learn(USUAL)
    texts = ["the cat sat", "", "zebra mat the on", "dog"]
    rows = surprise_rows(model, texts)
    assert rows[1].tolist() == [0.0] * len(SURPRISE)
    for text, row in zip(texts, rows, strict=True):
        if text:
            own = -model.log_probabilities([text])
            told = (own.mean(), own.max(), np.quantile(own, 0.75), own.sum() / math.sqrt(len(own)))
            assert row.tolist() == pytest.approx(told)


def test_parses_by_hand() -> None:
    # When he came , we saw the dog that barked .  Oui .
    words = ("When", "he", "came", ",", "we", "saw", "the", "dog", "that", "barked", ".", "Oui", ".")
    heads = (2, 2, 5, 5, 5, -1, 7, 5, 9, 7, 5, -1, 11)
    relations = [""] * 13
    relations[2], relations[9] = "advcl", "acl:relcl"
    tags = tuple("PUNCT" if word in ",." else "X" for word in words)
    one = Parsed("", words, tags=tags, heads=heads, relations=tuple(relations), starts=(0, 11))
    row = dict(zip(PARSES, parse_row(one), strict=True))
    assert math.expm1(row["parse depth"]) == pytest.approx(3)  # that, barked, dog, saw
    assert row["mean depth"] == pytest.approx((2 + 2 + 1 + 1 + 1 + 0 + 2 + 1 + 3 + 2 + 1 + 0 + 1) / 13)
    lengths = [2, 1, 3, 1, 1, 2, 1, 2]  # signs count nothing
    assert math.expm1(row["dependency length"]) == pytest.approx(sum(lengths) / len(lengths))
    assert math.expm1(row["longest dependency"]) == pytest.approx(3)
    assert row["clauses"] == 2
    assert math.expm1(row["before the verb"]) == pytest.approx(5)
    assert parse_row(Parsed("", ())) == [0.0] * len(PARSES)


def test_a_scale_with_surprise_needs_the_model_it_was_trained_with(tmp_path: Path) -> None:
    own = Helpers(LanguageModel.of(USUAL, "usual"))
    plain, helped = (learn([marked()], {"en": FEW}, helpers=given) for given in (None, {"en": own}))
    assert plain.learnt is not None
    assert helped.learnt is not None
    assert helped.learnt.correlation["en"] > plain.learnt.correlation["en"] + 0.3
    assert sets_of(helped.features) == ("surprise",)
    assert sets_of(plain.features) == ()
    helped.write(tmp_path / "a.json")
    read = read_scale(tmp_path / "a.json")
    easy, hard = read.helped({"en": own}).levels([shuffled(1, 0), shuffled(6, 3)], "en", FEW)
    assert easy + 1 < hard
    with pytest.raises(InputError, match=r"needs a language model of the language 'en'.*--language-model"):
        read.levels(["a cat"], "en", FEW)
    other = Helpers(LanguageModel.of(["another text"], "other.txt"))
    with pytest.raises(InputError, match=r"other\.txt: is not the text"):
        read.helped({"en": other})
    with pytest.raises(InputError, match="takes no language model of the language 'en'"):
        usual_scale().helped({"en": own})
    with pytest.raises(InputError, match="no texts of fr"):
        learn([marked()], {"en": FEW}, helpers={"fr": own})
    given = json.loads((tmp_path / "a.json").read_text("utf-8"))
    (tmp_path / "bad.json").write_text(json.dumps(given | {"features": [*FEATURES, "surprise"]}))
    with pytest.raises(InputError, match="other features"):
        read_scale(tmp_path / "bad.json")


def test_a_language_without_the_features_counts_nothing_for_them() -> None:
    own = Helpers(LanguageModel.of(USUAL))
    both = learn([marked("en"), marked("fr")], {"en": FEW, "fr": FEW}, helpers={"en": own})
    assert both.languages["fr"].reads == ()
    rest = len(FEATURES)
    assert both.languages["fr"].mean[rest:] == (0.0,) * len(SURPRISE)
    moved = replace(both, weights=(*both.weights[:rest], *[9.0] * len(SURPRISE)))
    assert moved.levels(["the cat sat"], "fr", FEW) == both.levels(["the cat sat"], "fr", FEW)


def conllu(text: str, mark: int) -> str:
    """A chain as long as the mark says; the rest hang on its end."""
    words = text.split()
    heads = [0, *(n if n < mark + 1 else 1 for n in range(1, len(words)))]
    rows = [
        f"{n}\t{word}\t_\tX\t_\t_\t{head}\tdep\t_\t_"
        for n, (word, head) in enumerate(zip(words, heads, strict=True), 1)
    ]
    return "\n".join([f"# text = {text}", *rows, "", ""])


def test_parses_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = marked("en", 90)
    pairs = list(zip(made.texts, made.marks, strict=True))
    (tmp_path / "a.tsv").write_text("text\tmark\n" + "".join(f"{text}\t{mark}\n" for text, mark in pairs))
    extra = "The cat sat on the mat."
    trees = [*(conllu(text, int(mark)) for text, mark in pairs), conllu(extra, 5)]
    (tmp_path / "a.conllu").write_text("".join(trees))
    (tmp_path / "a.txt").write_text(extra + "\n")
    scale, parser = str(tmp_path / "a.json"), f"conllu:{tmp_path / 'a.conllu'}"
    train = ["readability", "train", "--data", f"en={tmp_path / 'a.tsv'}", "-o", scale]
    assert main([*train, "--parser", f"en={parser}", "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["correlation"]["en"] > 0.9
    read = ["readability", str(tmp_path / "a.txt"), "--scale", scale]
    assert main([*read, "--parser", parser, "-f", "json"]) == 0
    deep = json.loads(capsys.readouterr().out)["texts"][0]["level"]
    (tmp_path / "flat.conllu").write_text(conllu(extra, 1))
    assert main([*read, "--parser", f"conllu:{tmp_path / 'flat.conllu'}", "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["texts"][0]["level"] < deep - 1
    pair = ["readability", "compare", *[str(tmp_path / "a.txt")] * 2, "-l", "en-en", "--scale", scale]
    assert main([*pair, "--parser", f"en={parser}"]) == 0
    capsys.readouterr()
    for call, message in (
        (read, "needs a parser of the language 'en'"),
        ([*read, "--parser", "simplemma:fr"], "needs heads"),
        ([*read, "--parser", parser, "--language-model", str(tmp_path / "a.txt")], "takes no language model"),
        ([*train, "--parser", "en"], "--parser takes LANG=PARSER"),
        ([*train, "--language-model", str(tmp_path / "a.txt")], "--language-model takes LANG=FILE"),
        ([*pair, "--parser", parser], "--parser takes LANG=PARSER"),
    ):
        assert main(call) == 2
        told = capsys.readouterr().err
        assert message in told
        assert len(told.splitlines()) == 1
    (tmp_path / "a.txt").write_text("A dog came in at once.\n")
    assert main([*read, "--parser", parser]) == 2
    assert "no sentence begins as this text does" in capsys.readouterr().err


def test_helpers_are_checked(tmp_path: Path) -> None:
    (tmp_path / "none.txt").write_text("12 ...\n")
    with pytest.raises(InputError, match="no words"):
        helpers(model=str(tmp_path / "none.txt"))
    with pytest.raises(SpecError, match="heads"):
        helpers(parser="simplemma:fr")
