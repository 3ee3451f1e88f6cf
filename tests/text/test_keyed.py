"""Words by keys and the models over them: native kernels against their twins, files against memory."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium import _native
from tertium.errors import InputError
from tertium.estimation.view import MARKS, SURFACE
from tertium.text.keyed import KeyedWords, characters, mixed, shortened
from tertium.text.lexical import ITERATIONS, LEAST, LONGEST, UNSEEN, LexicalModel
from tertium.text.ngrams import DISCOUNT, NgramModel
from tests.twins import keyed as twin

LINES = [
    "",
    " ",
    "It's 3:45, isn't it? The well-known Mr. O'Neill paid 1,234.50 €.",
    "Schöne Grüße aus Köln – „wie geht’s“? Weiß ich nicht; «non».",
    "Ştefan și Țara İstanbul ΟΔΟΣ ΑΣ.Α Α.Σ. Σ ΣΑΣ' ǅungla ℵ ª Ⅷ ½ ² ١٢٣,٤ 四十二",
    "हिन्दी में शब्द किताबें ไทย 中文没有空格，对吧？ 🙂🙂 a_b __ \u200b\u0301x \ud800 \U0001d400\U00010400",
    "the the the cat the cat the cat 12 12 1.2 The The CAT",
    "x" * 300 + " " + "Ä" * 200,
]
ASIDE = [line[::-1] for line in LINES]
ALPHABET = st.sampled_from("aAzZ0 9.,:'’-_ΣσςİıßÄé½²中\u0301\u00a0\u200b\n🙂Ｆ٣ǅ\ud800")
TEXT = st.text(ALPHABET, max_size=30)


def keys_of(lines: list[str]) -> list[list[int]]:
    found = KeyedWords.of(lines)
    return [own.tolist() for own in np.split(found.keys, found.starts[1:-1])]


def test_words_and_keys_are_those_of_python() -> None:
    for lines in (LINES, ASIDE):
        words = KeyedWords.of(lines)
        assert keys_of(lines) == [twin.keys(line) for line in lines]
        assert words.characters.tolist() == [len(word) for line in lines for word in twin.words(line)]
        assert words.forms == [twin.words(line) for line in lines]
        assert np.array_equal(words.keys, KeyedWords.of(lines, threads=3).keys)


@settings(max_examples=300, deadline=None)
@given(TEXT, TEXT)
def test_any_text(source: str, target: str) -> None:
    assert keys_of([source, target]) == [twin.keys(source), twin.keys(target)]
    rows = surface([source], [target])
    assert rows[0].tolist() == twin.surface(source, target, list(MARKS.values()))
    found, starts = map(np.asarray, _native.letter_buckets(_native.Lines([source]), characters(), 1 << 15))
    assert found.tolist() == twin.letter_buckets(source, 1 << 15)
    assert starts.tolist() == [0, len(found)]


def surface(sources: list[str], targets: list[str], threads: int = 1) -> np.ndarray:
    texts = _native.Lines(sources), _native.Lines(targets)
    return np.asarray(_native.surface_signs(*texts, characters(), list(MARKS.values()), threads))


def test_what_texts_show() -> None:
    for sources, targets in ((LINES, ASIDE), (ASIDE, LINES[::-1])):
        rows = surface(sources, targets)
        assert rows.shape == (len(LINES), len(SURFACE) + len(MARKS))
        expected = [twin.surface(*pair, list(MARKS.values())) for pair in zip(sources, targets, strict=True)]
        assert rows.tolist() == expected
        assert np.array_equal(rows, surface(sources, targets, 3))


def test_sums_over_letters() -> None:
    weights = np.random.default_rng(1).normal(size=(2, 1 << 10)).astype(np.float32)
    found = np.asarray(_native.letter_sums(_native.Lines(LINES), characters(), weights, 2))
    expected = [[twin.letter_sum(line, row) for row in weights.astype(float).tolist()] for line in LINES]
    assert np.allclose(found, expected, atol=1e-9)
    with pytest.raises(ValueError, match="power of two"):
        _native.letter_sums(_native.Lines(LINES), characters(), weights[:, :1000].copy())


def test_ngrams_against_their_twin(tmp_path: Path) -> None:
    lines = [*LINES, *ASIDE, *LINES]
    model = NgramModel.learn(lines)
    expected = twin.Ngrams([twin.keys(line) for line in lines], 3, DISCOUNT)
    new = ["the cat the dog", "aus Köln", *LINES]
    values = [expected.probability(own, i) for own in map(twin.keys, new) for i in range(len(own))]
    assert model.log_probabilities(new).tolist() == pytest.approx([math.log(value) for value in values])
    assert np.array_equal(model.log_probabilities(new, threads=3), model.log_probabilities(new))
    counts = [expected.ngrams[1][own,] for line in new for own in twin.keys(line)]
    assert model.counts(new).tolist() == counts
    model.save(tmp_path / "words.ngrams")
    for same in (NgramModel.load(tmp_path / "words.ngrams"), NgramModel.from_arrays(model.arrays())):
        assert np.array_equal(same.log_probabilities(new), model.log_probabilities(new))
    assert not NgramModel.load(tmp_path / "words.ngrams").tables[1][0].flags.owndata  # mapped, not read


def test_probabilities_of_all_words_make_one() -> None:
    lines = ["a b c a b", "b c c", "a a b"] * 3
    model = NgramModel.learn(lines)
    known = sorted({word for line in lines for word in line.split()})
    for before in ("a b", "c", "b c", ""):
        last = [model.log_probabilities([f"{before} {word}"])[-1] for word in (*known, "unseen")]
        assert sum(map(math.exp, last)) == pytest.approx(1.0)


def test_lexical_models_against_their_twin(tmp_path: Path) -> None:
    given_lines, made_lines = [*LINES, *ASIDE, *LINES[:4]], [*ASIDE, *LINES, *LINES[:4]]
    made_lines[0] = "nothing was said"
    model = LexicalModel.learn(made_lines, given_lines)
    ours, theirs = ([twin.keys(line) for line in side] for side in (given_lines, made_lines))
    chances = twin.ibm1(theirs, ours, ITERATIONS, LONGEST)
    kept = {twin.short(*pair): value for pair, value in chances.items() if value >= LEAST}
    assert dict(zip(model.keys.tolist(), model.chances.tolist(), strict=True)) == pytest.approx(
        kept, rel=1e-6
    )
    best, mean = model.best(made_lines, given_lines, threads=2)
    table = dict(zip(model.keys.tolist(), model.chances.tolist(), strict=True))
    expected = [
        pair
        for own, other in zip(theirs, ours, strict=True)
        for pair in twin.best_links(lambda a, b: table.get(twin.short(a, b), 0.0), own, other, LONGEST)
    ]
    assert best.tolist() == pytest.approx([max(value, UNSEEN) for value, _ in expected])
    assert mean.tolist() == pytest.approx([max(value, UNSEEN / 10) for _, value in expected])
    model.save(tmp_path / "words.lexical")
    same = LexicalModel.load(tmp_path / "words.lexical")
    assert np.array_equal(same.best(made_lines, given_lines)[0], best)
    packed = LexicalModel.from_arrays(model.arrays())
    assert np.allclose(packed.chances, model.chances, rtol=1e-3)


def test_keys_are_mixed_as_in_the_twin() -> None:
    keys = KeyedWords.of(["one two three"]).keys
    whole = int(shortened(mixed(*(keys[i : i + 1] for i in range(3))))[0])
    assert whole == twin.short(*map(int, keys))


def test_damaged_files_of_models(tmp_path: Path) -> None:
    path = tmp_path / "a.ngrams"
    NgramModel.learn(LINES).save(path)
    whole = path.read_bytes()
    with pytest.raises(InputError, match=r"a\.ngrams: is no lexical model"):
        LexicalModel.load(path)
    for damaged in (b"", whole[:-1], b"x" + whole[1:], whole[:100] + b"x" + whole[101:], b"nothing"):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match=r"a\.ngrams: is no n-gram model, or damaged"):
            NgramModel.load(path)
    with pytest.raises(InputError, match="no such file"):
        NgramModel.load(tmp_path / "none")
    with pytest.raises(InputError, match="cannot be written"):
        NgramModel.learn(LINES).save("/proc/none/a.ngrams")


def test_arrays_that_do_not_fit() -> None:
    arrays = NgramModel.learn(LINES).arrays()
    short = {**arrays, "counts2": np.asarray(arrays["counts2"])[:-1]}
    with pytest.raises(ValueError, match="differ"):
        NgramModel.from_arrays(short)
    with pytest.raises(ValueError, match="four arrays"):
        NgramModel.from_arrays({"words": np.ones(1)})
    with pytest.raises(ValueError, match="differ"):
        LexicalModel.from_arrays({"keys": np.zeros(2, np.uint32), "chances": np.zeros(1, np.float16)})
    words = KeyedWords.of(["a b"])
    with pytest.raises(ValueError, match="cover"):
        NgramModel.learn(LINES)._native.probabilities(words.keys, np.array([0, 1]))
