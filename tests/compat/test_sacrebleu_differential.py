"""Random texts and options: the drop-in and sacrebleu must say the same, in numbers and in print."""

from __future__ import annotations

import json
from typing import Any

import pytest
import sacrebleu as theirs
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import helpers as their_helpers
from sacrebleu.metrics.bleu import _get_tokenizer as their_tokenizer
from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp as TheirRegexp
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer as TheirTercom

import tertium.compat.sacrebleu as ours
from tertium.compat.sacrebleu.metrics import helpers as our_helpers
from tertium.compat.sacrebleu.metrics.bleu import _get_tokenizer as our_tokenizer
from tertium.compat.sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp as OurRegexp
from tertium.compat.sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer as OurTercom

# Few words, so that hypotheses and references have some in common; then anything at all.
SOME = [
    "the",
    "a",
    "cat",
    "Cat",
    "sat",
    "on",
    ",",
    ".",
    "1.5",
    "5-10",
    "don't",
    "(x)",
    "&amp;",
    "ÄÖ",
    "ß",
    "你好",
    "«",
]
WORDS = st.sampled_from(SOME)
LINES = st.one_of(
    st.lists(WORDS, max_size=12).map(" ".join),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
    st.text("ab .,-\n\t\x85\u2028'<>&;5", max_size=15),
)


@st.composite
def corpora(draw: Any, most: int = 5) -> tuple[list[str], list[list[str | None]]]:
    """Hypotheses and one to three streams of references, in some of which None stands for no reference."""
    n = draw(st.integers(1, most))
    hypotheses = draw(st.lists(LINES, min_size=n, max_size=n))
    first: list[Any] = draw(st.lists(LINES, min_size=n, max_size=n))
    more = draw(st.lists(st.lists(st.none() | LINES, min_size=n, max_size=n), max_size=2))
    return hypotheses, [first, *more]


BLEU_OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "lowercase": st.booleans(),
        "tokenize": st.sampled_from(["none", "13a", "intl", "char", "zh"]),
        "smooth_method": st.sampled_from(["exp", "floor", "add-k", "none"]),
        "smooth_value": st.none() | st.sampled_from([0, 0.01, 0.5, 1, 2]),
        "max_ngram_order": st.integers(1, 9),
        "effective_order": st.booleans(),
    },
)
CHRF_OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "char_order": st.integers(1, 8),
        "word_order": st.integers(0, 3),
        "beta": st.sampled_from([1, 2, 3, 0.5]),
        "lowercase": st.booleans(),
        "whitespace": st.booleans(),
        "eps_smoothing": st.booleans(),
    },
)
TER_OPTIONS = st.fixed_dictionaries(
    {},
    optional={name: st.booleans() for name in ("normalized", "no_punct", "asian_support", "case_sensitive")},
)
METRICS = st.one_of(
    st.tuples(st.just("BLEU"), BLEU_OPTIONS),
    st.tuples(st.just("CHRF"), CHRF_OPTIONS),
    st.tuples(st.just("TER"), TER_OPTIONS),
)
PARTS = {
    "BLEU": ["counts", "totals", "precisions", "bp", "sys_len", "ref_len", "ratio"],
    "CHRF": ["char_order", "word_order", "beta"],
    "TER": ["num_edits", "ref_length"],
}


def assert_same_score(kind: str, ours: Any, theirs: Any) -> None:
    assert type(ours).__name__ == type(theirs).__name__
    assert ours.name == theirs.name
    assert ours.score == pytest.approx(theirs.score, abs=1e-9)
    for part in PARTS[kind]:
        assert getattr(ours, part) == pytest.approx(getattr(theirs, part), rel=1e-12), part
    assert str(ours) == str(theirs)
    assert repr(ours) == repr(theirs)


def assert_same_signature(ours: Any, theirs: Any) -> str:
    long = str(ours.get_signature())
    assert long == str(theirs.get_signature())
    assert ours.get_signature().format(short=True) == theirs.get_signature().format(short=True)
    return long


@settings(max_examples=400, deadline=None)
@given(METRICS, corpora(), st.integers(0, 4))
def test_corpus(metric: tuple[str, dict[str, Any]], corpus: tuple[list[str], list[Any]], width: int) -> None:
    kind, options = metric
    hypotheses, references = corpus
    mine, other = getattr(ours, kind)(**options), getattr(theirs, kind)(**options)
    score, expected = mine.corpus_score(hypotheses, references), other.corpus_score(hypotheses, references)
    assert_same_score(kind, score, expected)
    signature = assert_same_signature(mine, other)
    for how in ({}, {"score_only": True}, {"is_json": True}):
        printed = score.format(width=width, signature=signature, **how)
        assert printed == expected.format(width=width, signature=signature, **how)
    assert json.loads(score.format(signature=signature, is_json=True))["version"] == theirs.__version__


@settings(max_examples=200, deadline=None)
@given(METRICS, corpora(most=1))
def test_sentence(metric: tuple[str, dict[str, Any]], corpus: tuple[list[str], list[Any]]) -> None:
    kind, options = metric
    (hypothesis,), references = corpus
    segment = [stream[0] for stream in references]
    mine, other = getattr(ours, kind)(**options), getattr(theirs, kind)(**options)
    score = mine.sentence_score(hypothesis, segment)
    assert_same_score(kind, score, other.sentence_score(hypothesis, segment))
    assert_same_signature(mine, other)


@settings(max_examples=100, deadline=None)
@given(METRICS, corpora(), corpora())
def test_cached_references(metric: tuple[str, dict[str, Any]], corpus: Any, another: Any) -> None:
    kind, options = metric
    hypotheses, references = corpus
    mine = getattr(ours, kind)(**options, references=references)
    other = getattr(theirs, kind)(**options, references=references)
    assert_same_signature(mine, other)
    for texts in (hypotheses, list(reversed(hypotheses))):
        assert_same_score(kind, mine.corpus_score(texts, None), other.corpus_score(texts, None))
    assert_same_score(kind, mine.corpus_score(*another), other.corpus_score(*another))
    assert_same_signature(mine, other)
    assert_same_score(kind, mine.corpus_score(hypotheses, None), other.corpus_score(hypotheses, None))


@settings(max_examples=100, deadline=None)
@given(corpora())
def test_functions(corpus: tuple[list[str], list[Any]]) -> None:
    hypotheses, references = corpus
    segment = [stream[0] for stream in references]
    for name, kind in [("bleu", "BLEU"), ("chrf", "CHRF"), ("ter", "TER")]:
        corpus_function, sentence_function = f"corpus_{name}", f"sentence_{name}"
        assert_same_score(
            kind,
            getattr(ours, corpus_function)(hypotheses, references),
            getattr(theirs, corpus_function)(hypotheses, references),
        )
        assert_same_score(
            kind,
            getattr(ours, sentence_function)(hypotheses[0], segment),
            getattr(theirs, sentence_function)(hypotheses[0], segment),
        )
    raw = ours.raw_corpus_bleu(hypotheses, references)
    assert_same_score("BLEU", raw, theirs.raw_corpus_bleu(hypotheses, references))


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.integers(0, 30), min_size=10, max_size=10),
    st.sampled_from(["exp", "floor", "add-k", "none"]),
    st.sampled_from([None, 0.1, 2]),
    st.booleans(),
)
def test_compute_bleu(numbers: list[int], method: str, value: float | None, effective: bool) -> None:
    correct, total = numbers[:4], [a + b for a, b in zip(numbers[:4], numbers[4:8], strict=True)]
    rest: tuple[Any, ...] = (*numbers[8:], method, value, effective)
    score = ours.BLEU.compute_bleu(list(correct), list(total), *rest)
    assert_same_score("BLEU", score, theirs.BLEU.compute_bleu(list(correct), list(total), *rest))


@settings(max_examples=200, deadline=None)
@given(LINES)
def test_tokenizers(line: str) -> None:
    for name in ("none", "13a", "intl", "char", "zh"):
        mine, other = our_tokenizer(name)(), their_tokenizer(name)()
        assert mine.signature() == other.signature()
        assert mine(line) == other(line), name
    assert OurRegexp()(line) == TheirRegexp()(line)
    for flags in range(16):
        options = [bool(flags & 1 << bit) for bit in range(4)]
        assert OurTercom(*options)(line) == TheirTercom(*options)(line), options


@settings(max_examples=100, deadline=None)
@given(LINES, st.integers(1, 4), st.booleans())
def test_ngrams(line: str, n: int, whitespace: bool) -> None:
    for name, arguments in [
        ("extract_all_word_ngrams", (line, 1, n)),
        ("extract_word_ngrams", (line.split(), n)),
        ("extract_char_ngrams", (line, n, whitespace)),
        ("extract_all_char_ngrams", (line, n, whitespace)),
    ]:
        assert getattr(our_helpers, name)(*arguments) == getattr(their_helpers, name)(*arguments)


@pytest.mark.parametrize(
    ("name", "line"), [("ja-mecab", "すもももももももものうち。"), ("ko-mecab", "안녕하세요, 세계.")]
)
def test_mecab(name: str, line: str) -> None:
    mine, other = ours.BLEU(tokenize=name), theirs.BLEU(tokenize=name)
    assert mine.tokenizer(line) == other.tokenizer(line)
    references = [[line[:4] + line[5:]]]
    assert_same_score("BLEU", mine.corpus_score([line], references), other.corpus_score([line], references))
    assert_same_signature(mine, other)


@pytest.mark.parametrize("reference", ["..0", ",,5 apples", "a's. b"])
def test_ter_tokenises_references_twice(reference: str) -> None:
    """A quirk of sacrebleu's: normalising is not idempotent, and hypotheses go through it once."""
    for no_punct in (False, True):
        options = {"normalized": True, "no_punct": no_punct}
        score = ours.corpus_ter([""], [[reference]], **options)
        assert_same_score("TER", score, theirs.corpus_ter([""], [[reference]], **options))
