"""Tags of words: made of post-edits, read from files, learnt, kept, and refused."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest

from tertium.cli import main
from tertium.errors import InputError
from tertium.estimation.estimator import Estimator, trained
from tertium.io.translations import Translations
from tertium.io.wordtags import TagLines, read_word_tags
from tertium.wordtags.results import evaluate_tags, tag_words
from tertium.wordtags.tagging import TagModel, WordTagger, best_threshold, matthews
from tertium.wordtags.tags import edit_tags, read_links, tags_of
from tests.estimation.test_estimation import WORDS, made


def tercom(ours: list[str], theirs: list[str]) -> tuple[list[bool], list[bool]]:
    """A readable twin: the table of edits filled as tercom does, word by word, and its path walked back."""
    a, b = [[word.lower() for word in side] for side in (ours, theirs)]
    best = {(0, 0): 0}
    came: dict[tuple[int, int], str] = {}
    for j in range(len(b) + 1):
        for i in range(len(a) + 1):
            ways = []
            if i and j:
                ways.append((best[i - 1, j - 1] + (a[i - 1] != b[j - 1]), "both"))
            if i:
                ways.append((best[i - 1, j] + 1, "ours"))
            if j:
                ways.append((best[i, j - 1] + 1, "theirs"))
            if ways:
                best[i, j], came[i, j] = min(ways, key=lambda way: way[0])  # the first of the cheapest
    words, gaps = [True] * len(ours), [False] * (len(ours) + 1)
    i, j, put_in = len(a), len(b), False
    while i or j:
        way = came[i, j]
        if way == "theirs":
            put_in, j = True, j - 1
            continue
        if way == "both" and put_in:
            gaps[i], put_in = True, False
        if way == "both":
            words[i - 1], j = ours[i - 1] != theirs[j - 1], j - 1
        i -= 1
    gaps[0] |= put_in
    return words, gaps


def test_tags_of_post_edits_are_those_of_a_plain_table() -> None:
    draw = Random(5)
    texts = [[draw.choice("abcAB") for _ in range(draw.randint(0, 9))] for _ in range(600)]
    ours, theirs = texts[:300], texts[300:]
    found, _ = edit_tags([" ".join(own) for own in ours], [" ".join(own) for own in theirs])
    assert found.gaps is not None
    expected = [tercom(a, b) for a, b in zip(ours, theirs, strict=True)]
    assert found.words.tolist() == [tag for words, _ in expected for tag in words]
    assert found.gaps.tolist() == [tag for _, gaps in expected for tag in gaps]


def test_a_source_word_is_bad_by_its_links() -> None:
    texts = Translations(
        "a", ["ein Haus", "der Hund"], ["a house", "the cat"], post_edits=["a house", "the big dog"],
        links=[((0, 0), (1, 1)), ((0, 0), (1, 1))],
    )  # fmt: skip
    found = tags_of(texts)
    assert found is not None
    assert found.source is not None
    assert found.words.tolist() == [False, False, False, True]
    assert found.source.tolist() == [False, False, False, True]
    assert tags_of(Translations("a", ["ein Haus"], ["a house"])) is None
    given = tags_of(
        Translations("a", ["ein"], ["a"], tags=TagLines([[True]]), source_tags=TagLines([[False]]))
    )
    assert given is not None
    assert given.source is not None
    assert (given.words.tolist(), given.gaps, given.source.tolist()) == ([True], None, [False])
    assert np.array_equal(edit_tags([], [])[0].words, [])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("OK OK\nOK\n", r"line 1: has 2 tags, but 3 words need 3 \(7 with gaps\)"),
        (
            "OK OK OK\nOK OK\n",
            r"line 1: has tags for words but none for gaps \(3; other lines have both: 7\)",
        ),
        ("OK OK OK OK OK OK OK\nOK OK\n", "line 2: has 2 tags, but 1 word and the gaps around them need 3"),
        ("OK OK GOOD\nOK\n", r"line 1: 'GOOD' is no tag \(known: BAD, OK\)"),
        ("OK OK bad\nOK\n", "'bad' is no tag"),
        ("OK OK OK\n", "has 1 line of tags for 2 texts"),
    ],
)
def test_bad_tags(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "a.tags").write_text(text)
    with pytest.raises(InputError, match=message):
        read_word_tags(tmp_path / "a.tags", ["a b c", "d"])


def test_tags_are_read_with_gaps_and_without(tmp_path: Path) -> None:
    path = tmp_path / "a.tags"
    path.write_text("OK BAD\n\n")
    assert read_word_tags(path, ["a b", ""]) == TagLines([[False, True], []])
    path.write_text("BAD OK OK BAD OK\nBAD\n")
    assert read_word_tags(path, ["a b", ""]) == TagLines([[False, True], []], [[True, False, False], [True]])
    with pytest.raises(InputError, match=r"has 5 tags, but 2 words need 2$"):
        read_word_tags(path, ["a b", ""], gaps=False)


def test_bad_links(tmp_path: Path) -> None:
    path = tmp_path / "a.align"
    for text, message in (
        ("0-0\n0-5\n", "line 2: the link 0-5 is out of range: the target has 1 words"),
        ("0-0\nx\n", "is not a link between words"),
        ("0-0\n", "has 1 line of links for 2 texts"),
    ):
        path.write_text(text)
        with pytest.raises(InputError, match=message):
            read_links(path, ["a b", "c"], ["x y", "z"])


def edited(number: int, seed: int = 1, *, tokens: bool = False) -> Translations:
    """Word for word, some of them wrong; the post-edit has the right ones, and one that is missing now and then."""
    texts = made(number, seed, tokens=tokens)
    right = [" ".join(WORDS.get(word, word) for word in source.split()) for source in texts.sources]
    return replace(texts, scores=None, post_edits=right)


@cache
def learnt() -> Estimator:
    return trained(edited(300), pair="de-en")


def test_a_tagger_learns_and_its_file_says_the_same(tmp_path: Path) -> None:
    new = edited(100, seed=2)
    learnt().write(tmp_path / "qe.model")
    read = Estimator.read(tmp_path / "qe.model")
    found = tag_words(read, new)
    assert found == tag_words(learnt(), new)
    scores = evaluate_tags(read, new, pair="de-en").scores
    assert scores["words"].mcc is not None
    assert scores["words"].mcc > 0.9
    assert scores["source"].mcc is not None
    assert scores["source"].mcc > 0.5
    assert "gaps" not in scores  # nothing was ever put in
    first = found.translations[0]
    assert first.words.words == tuple(new.translations[0].split())
    assert all(0 <= chance <= 1 for chance in first.words.chances)
    alone = replace(new, sources=new.sources[5:6], translations=new.translations[5:6], post_edits=None)
    assert tag_words(read, alone).translations[0] == found.translations[5]
    with pytest.raises(InputError, match="was trained for de-en, not for fr-en"):
        tag_words(read, new, pair="fr-en")


def test_log_probabilities_are_seen() -> None:
    tagger = trained(edited(120, tokens=True)).parts["words"]
    plain = trained(edited(120)).parts["words"]
    assert isinstance(tagger, WordTagger)
    assert isinstance(plain, WordTagger)
    assert tagger.models["words"].columns > plain.models["words"].columns


def test_empty_texts_are_tagged() -> None:
    found = tag_words(learnt(), Translations("a", ["", "ein haus", ""], ["", "", "a house"])).translations
    assert [len(one.words.words) for one in found] == [0, 0, 2]
    assert not tag_words(learnt(), Translations("a", [""], [""])).translations[0].words.tags


def test_the_best_threshold_is_the_best() -> None:
    draw = np.random.default_rng(3)
    chances = np.round(draw.random(200), 1)
    bad = draw.random(200) < chances
    worth = {value: matthews(bad, chances >= value) or -1.0 for value in np.unique(chances)}
    assert worth[best_threshold(bad, chances)] == max(worth.values())
    assert matthews(bad, np.zeros(200, bool)) is None


def test_what_a_tagger_refuses() -> None:
    plain = trained(made(60))
    assert "words" not in plain.parts
    with pytest.raises(InputError, match="does not tag words: train one on post-edits or tags"):
        tag_words(plain, made(3, seed=2))
    with pytest.raises(InputError, match="has no post-edits"):
        evaluate_tags(learnt(), made(3, seed=2))
    texts = made(60)
    same = TagLines([[False] * len(text.split()) for text in texts.translations])
    with pytest.raises(InputError, match="all tags of words are OK: there is nothing to learn"):
        trained(replace(texts, tags=same))
    assert "words" not in trained(replace(texts, post_edits=texts.translations)).parts


def test_damaged_taggers() -> None:
    tagger = learnt().parts["words"]
    assert isinstance(tagger, WordTagger)
    arrays = tagger.models["words"].arrays()
    for key, own, message in (
        ("weights", np.zeros(5), "numbers of values differ"),
        ("trees.threshold", np.zeros((1, 1)), "numbers of values differ"),
        ("trees.feature", arrays["trees.feature"] + 1_000, "outside"),
    ):
        with pytest.raises(ValueError, match=message):
            TagModel.from_arrays({**arrays, key: own})
    with pytest.raises(ValueError, match="no words"):
        WordTagger.from_arrays({})
    wide = {**tagger.arrays(), "words.numbers": arrays["numbers"] + [0, 0, 7, 0]}
    broken = replace(learnt(), parts={"words": WordTagger.from_arrays(wide)})
    with pytest.raises(InputError, match="is a damaged estimator"):
        tag_words(broken, made(3, seed=2))


def test_words_by_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, texts in (("train", edited(120)), ("test", edited(40, seed=2))):
        rows = zip(texts.sources, texts.translations, texts.post_edits or (), strict=True)
        Path(f"{name}.tsv").write_text("source\tmt\tpe\n" + "".join(f"{a}\t{b}\t{c}\n" for a, b, c in rows))
        tags, _ = edit_tags(texts.translations, texts.post_edits or ())
        marks = iter(np.where(tags.words, "BAD", "OK").tolist())
        lines = [" ".join(next(marks) for _ in text.split()) for text in texts.translations]
        Path(f"{name}.tags").write_text("\n".join(lines) + "\n")
    train = ["estimate", "train", "--data", "train.tsv", "-o", "qe.model", "-q"]
    assert main([*train, "--tags", "test.tags"]) == 2
    assert "has 40 lines of tags for 120 texts" in " ".join(capsys.readouterr().err.split())
    assert main([*train, "--tags", "train.tags"]) == 0
    capsys.readouterr()
    for how in (["--words"], ["--tags", "test.tags"]):
        assert main(["estimate", "evaluate", "--data", "test.tsv", *how]) == 0
        assert "MCC = 0.9" in capsys.readouterr().out.replace("1.000", "0.999")
    Path("src").write_text("ein haus und ein hund\n")
    Path("out").write_text("a house zap a dog\n")
    assert main(["estimate", "score", "src", "out", "--words"]) == 0
    shown = capsys.readouterr().out
    assert "a house [zap] a dog" in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert main(["estimate", "score", "src", "out", "--words", "-f", "tsv"]) == 0
    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert ["zap", "BAD"] in [row[3:5] for row in rows]
    assert main(["estimate", "score", "src", "out", "--words", "-f", "json"]) == 0
    assert '"BAD"' in capsys.readouterr().out
