"""On text at random our statistics are sacrebleu's (and our twins'), and scores agree to 1e-9.

The examples are the same in every run. TERTIUM_FUZZ=60 makes every test go on with new ones for 60 seconds.
"""

from __future__ import annotations

import functools
import importlib.util
import math
import os
import random
import time
from collections.abc import Callable, Sequence
from typing import Any

import pytest
import sacrebleu
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tertium.families.base import Metric
from tertium.families.bleu import BLEU
from tertium.families.chrf import ChrF
from tertium.families.macrof import MacroF, MicroF
from tertium.families.ter import TER
from tertium.text.normalize import strip_diacritics
from tests.conftest import skip_or_fail
from tests.twins import bleu as bleu_twin
from tests.twins import macrof as macrof_twin
from tests.twins.tokenizers import tokenize

SACREBLEU_TOKENIZERS = ("none", "13a", "intl", "char", "zh")  # those that it, and our twins, have as well
FUZZ = float(os.environ.get("TERTIUM_FUZZ", "0"))
Streams = list[list[str | None]]
Corpus = tuple[list[str], Streams]


def examples(
    number: int, **drawn: st.SearchStrategy[Any]
) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """Runs a test on this many examples, and with TERTIUM_FUZZ on new ones until its seconds are over."""

    def decorate(test: Callable[..., None]) -> Callable[[], None]:
        quiet = settings(
            max_examples=number,
            derandomize=FUZZ == 0,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        checked = quiet(given(**drawn)(test))

        def run() -> None:
            end = time.monotonic() + FUZZ
            checked()
            while time.monotonic() < end:
                checked()

        run.__name__, run.__doc__ = test.__name__, test.__doc__
        return run

    return decorate


CASED = [
    "İstanbul",
    "ISTANBUL",
    "ı",
    "I",
    "STRASSE",
    "Straße",
    "ß",
    "ΟΔΥΣΣΕΥΣ",
    "ΣΑΣ",
    "σας",
    "Σ",
    "Ǆ",
    "ǅ",
    "ﬁ",
    "K",
    "Å",
    "ŉ",
    "ΐ",
    "Ω",
]
WORDS = [
    "a",
    "b",
    "c",
    "a.",
    "'tis",
    "3.5",
    "1,000",
    "U.S.",
    ",,",
    "--",
    "5-6",
    "don't",
    "&quot;",
    "&lt;b&gt;",
    "<skipped>",
    "(hi)",
    "¿qué?",
    "東京",
    "、",
    "한국어",
    "ｘ",
    "é",
    "é",
]
ODD = [
    "",
    "\0",
    "\x1c",
    "\x85",
    "\u2028",
    "\u200b",
    "\ufeff",
    "\u3000",
    "\xa0",
    "\r",
    "\n",
    "\t",
    "-\n",
    "\n-",
]
ODD += ["\ud800", "\udfff", "\U0010ffff", "\U0001f600", "\u0307", "\x1f"]
words = st.sampled_from(WORDS + CASED)
spaces = st.sampled_from([" ", " ", " ", "  ", *ODD])


def glued(parts: Sequence[tuple[str, str]]) -> str:
    return "".join(word + space for word, space in parts)


def long_line(seed: int, length: int, vocabulary: int) -> str:
    """Many tokens of few types."""
    draw = random.Random(seed)
    return " ".join(
        draw.choice(["x", "yy", "zzz", "wörter", "lastword"]) + str(draw.randrange(vocabulary))
        for _ in range(length)
    )


def long_lines(shortest: int, longest: int) -> st.SearchStrategy[str]:
    lengths = st.sampled_from([63, 64, 65, 127, 128, 129, 130, 140, 600, 640, 700])
    return st.builds(
        long_line,
        st.integers(0, 9),
        lengths.filter(lambda n: shortest <= n <= longest),
        st.sampled_from([1, 2, 5, 40]),
    )


any_text = st.text(st.characters(exclude_categories=()), max_size=30)
short_text = st.lists(st.tuples(words, spaces), max_size=14).map(glued)
repeated = st.builds(lambda word, n: f"{word} " * n, words, st.integers(1, 30))
text = st.one_of(short_text, short_text, any_text, repeated, st.sampled_from(ODD), long_lines(0, 130))
very_long_text = st.one_of(text, long_lines(600, 700))
calm_text = st.lists(words, max_size=14).map(" ".join)


@st.composite
def corpora(draw: st.DrawFn, texts: st.SearchStrategy[str] = text, most: int = 3) -> Corpus:
    """Hypotheses and one to five reference streams, some references missing; some texts on both sides."""
    n = draw(st.integers(1, most))
    pool = draw(st.lists(texts, min_size=1, max_size=2 * n + 1))
    chosen = st.sampled_from(pool)
    hypotheses = draw(st.lists(chosen, min_size=n, max_size=n))
    column = st.lists(st.one_of(chosen, chosen, st.none()), min_size=n, max_size=n)
    streams = draw(st.lists(column, min_size=1, max_size=5))
    for i in range(n):
        if all(stream[i] is None for stream in streams):
            streams[draw(st.integers(0, len(streams) - 1))][i] = draw(chosen)
    return hypotheses, streams


def close(ours: float | None, theirs: float | None) -> bool:
    if ours is None or theirs is None or math.isnan(ours):
        return ours is theirs or (theirs is None and ours is not None and math.isnan(ours))
    return abs(ours - theirs) <= 1e-9


def compare(
    metric: Metric, segment_oracle: Any, oracle: Any, corpus: Corpus, rows: Any, statistics: Any
) -> None:
    """Rows are equal; scores of every segment and of the corpus agree."""
    hypotheses, streams = corpus
    expected = oracle._extract_corpus_statistics(hypotheses, streams)
    assert statistics == [list(row) for row in expected]
    ours = metric.score_rows(rows, "segment").tolist()
    theirs = [segment_oracle._compute_score_from_stats(list(row)).score for row in expected]
    assert all(map(close, ours, theirs)), f"segments {ours} instead of {theirs}"
    total = metric.score_total(rows), oracle.corpus_score(hypotheses, streams).score
    assert close(*total), f"corpus {total[0]} instead of {total[1]}"
    number = None if oracle.num_refs == -1 else oracle.num_refs
    assert metric.prepare(streams).n_references == number


smoothings = st.one_of(
    st.tuples(st.sampled_from(["exp", "none", "floor", "add-k"]), st.none()),
    st.tuples(st.sampled_from(["floor", "add-k"]), st.floats(0, 10)),
)


def compare_bleu(
    corpus: Corpus, tok: str, lowercase: bool, smoothing: tuple[str, float | None], order: int, always: bool
) -> None:
    metric = BLEU(
        tok=tok,
        lowercase=lowercase,
        smooth=smoothing[0],
        smooth_value=smoothing[1],
        order=order,
        eff="always" if always else "segment",
    )
    options = {
        "tokenize": tok,
        "lowercase": lowercase,
        "smooth_method": smoothing[0],
        "smooth_value": smoothing[1],
        "max_ngram_order": order,
        "force": True,
    }
    make = mecab_oracle if tok.endswith("mecab") else sacrebleu.BLEU
    segment_oracle, oracle = make(**options, effective_order=True), make(**options, effective_order=always)
    rows = metric.statistics(*corpus)
    compare(metric, segment_oracle, oracle, corpus, rows, rows.array.tolist())


@functools.cache
def mecab_oracle(**options: Any) -> sacrebleu.BLEU:
    return sacrebleu.BLEU(**options)  # not a fresh one every time: MeCab never gives its memory back


@examples(
    500,
    corpus=corpora(very_long_text),
    tok=st.sampled_from(SACREBLEU_TOKENIZERS),
    lowercase=st.booleans(),
    smoothing=smoothings,
    order=st.integers(1, 9),
    always=st.booleans(),
)
def test_bleu_is_sacrebleu(**drawn: Any) -> None:
    compare_bleu(**drawn)


@pytest.mark.parametrize("tok", ["ja-mecab", "ko-mecab"])
def test_bleu_with_mecab_is_sacrebleu(tok: str) -> None:
    package = {"ja-mecab": "MeCab", "ko-mecab": "mecab_ko"}[tok]
    if importlib.util.find_spec(package) is None:
        skip_or_fail(f"{package} is not installed")
    run = examples(30, corpus=corpora(calm_text), lowercase=st.booleans())
    run(lambda corpus, lowercase: compare_bleu(corpus, tok, lowercase, ("exp", None), 4, False))()


@examples(
    150,
    corpus=corpora(very_long_text),
    tok=st.sampled_from(SACREBLEU_TOKENIZERS),
    order=st.integers(1, 9),
    smoothing=smoothings,
    eff=st.sampled_from(["segment", "always", "never"]),
)
def test_bleu_is_its_twin(
    corpus: Corpus, tok: str, order: int, smoothing: tuple[str, float | None], eff: str
) -> None:
    hypotheses, streams = corpus
    metric = BLEU(tok=tok, order=order, smooth=smoothing[0], smooth_value=smoothing[1], eff=eff)
    rows = metric.statistics(hypotheses, streams)
    expected = [
        bleu_twin.bleu_row(
            tokenize(tok, hypothesis), [tokenize(tok, t) for t in texts if t is not None], order
        )
        for hypothesis, *texts in zip(hypotheses, *streams, strict=True)
    ]
    assert rows.array.tolist() == expected
    defaults = {"floor": 0.1, "add-k": 1.0}
    value = defaults.get(smoothing[0], 0.0) if smoothing[1] is None else smoothing[1]
    total = [sum(column) for column in zip(*expected, strict=True)]
    assert close(
        metric.score_total(rows), bleu_twin.bleu_score(total, smoothing[0], value, effective=eff == "always")
    )
    segments = [bleu_twin.bleu_score(row, smoothing[0], value, effective=eff != "never") for row in expected]
    assert all(map(close, metric.score_rows(rows, "segment").tolist(), segments))


@examples(
    500,
    corpus=corpora(very_long_text),
    char_order=st.integers(1, 8),
    word_order=st.integers(0, 3),
    beta=st.one_of(st.integers(1, 4), st.sampled_from([0.5, 1.5, 2.25])),
    whitespace=st.booleans(),
    lowercase=st.booleans(),
    eps=st.booleans(),
)
def test_chrf_is_sacrebleu(corpus: Corpus, eps: bool, **options: Any) -> None:
    metric = ChrF(**options, eps=eps)
    oracle = sacrebleu.CHRF(**options, eps_smoothing=eps)
    rows = metric.statistics(*corpus)
    compare(metric, oracle, oracle, corpus, rows, rows.array.tolist())


def compare_ter(corpus: Corpus, options: dict[str, bool]) -> None:
    metric, oracle = TER(**options), sacrebleu.TER(**options)
    rows = metric.statistics(*corpus)
    kinds = [rows[kind] for kind in ("insertions", "deletions", "substitutions", "shifts")]
    assert all((kind >= 0).all() for kind in kinds)
    statistics = [
        list(row) for row in zip(sum(kinds).tolist(), rows["reference_length"].tolist(), strict=True)
    ]
    compare(metric, oracle, oracle, corpus, rows, statistics)
    if len(corpus[1]) == 1:  # then it is known which reference the edits lead to
        lengths = [len(oracle._preprocess_segment(text).split()) for text in corpus[0]]
        assert (lengths + kinds[0] - kinds[1]).tolist() == rows["reference_length"].tolist()


flags = st.fixed_dictionaries(
    {name: st.booleans() for name in ("normalized", "no_punct", "asian_support", "case_sensitive")}
)
few_types = st.lists(st.sampled_from(["a", "b", "c", "d", "e"]), max_size=25).map(" ".join)


@examples(250, corpus=corpora(st.one_of(text, few_types, few_types, few_types), most=2), options=flags)
def test_ter_is_sacrebleu(corpus: Corpus, options: dict[str, bool]) -> None:
    compare_ter(corpus, options)


def moved(line: str, blocks: Sequence[tuple[int, int, int]], cut: slice) -> str:
    """The line after moving blocks (start, size, target) and leaving a stretch out."""
    tokens = line.split()
    for start, size, target in blocks:
        block = tokens[start : start + size]
        del tokens[start : start + size]
        tokens[target:target] = block
    del tokens[cut]
    return " ".join(tokens)


@pytest.mark.parametrize(
    ("blocks", "cut"),
    [
        ([(100, 4, 130), (400, 10, 360)], slice(500, 503)),  # within the beam and the limits of a shift
        ([(10, 11, 40), (300, 3, 355)], slice(0, 1)),  # a block too large, and one too far away
        ([(250, 5, 260)], slice(600, 640)),  # the end is missing
    ],
)
def test_ter_of_very_long_lines_is_sacrebleu(blocks: list[tuple[int, int, int]], cut: slice) -> None:
    reference = long_line(1, 640, 10**6)
    compare_ter(([moved(reference, blocks, cut)], [[reference]]), {})
    compare_ter(([long_line(1, 70, 40)], [[long_line(2, 610, 40)]]), {})


type_options = {
    "corpus": corpora(very_long_text),
    "lowercase": st.booleans(),
    "beta": st.sampled_from([1.0, 2.0, 0.5, 3.3]),
    "order": st.sampled_from([1, 1, 2, 3, 7]),
    "unit_tok": st.sampled_from([*(("word", tok) for tok in SACREBLEU_TOKENIZERS), ("char", "13a")]),
}


@examples(300, **type_options, k=st.sampled_from([1.0, 0.0, 0.25, 10.0]))
def test_macrof_and_microf_are_their_twin(
    corpus: Corpus, lowercase: bool, beta: float, order: int, unit_tok: tuple[str, str], k: float
) -> None:
    unit, tok = unit_tok
    hypotheses, streams = corpus
    options: dict[str, Any] = {"beta": beta, "tok": tok, "lowercase": lowercase, "order": order, "unit": unit}
    twin: dict[str, Any] = {"tokenizer": tok, "lowercase": lowercase, "order": order, "unit": unit}
    macro, micro = MacroF(**options), MicroF(**options, k=k)
    rows = macro.statistics(hypotheses, streams)
    found = {row.type: (row.predicted, row.reference, row.matched) for row in rows.table()}
    entries = macrof_twin.classes(hypotheses, streams, **twin)
    assert found == {name: (c.predicted, c.reference, c.matched) for name, c in entries.items()}
    assert close(macro.score_total(rows), macrof_twin.macrof(entries.values(), beta))
    assert close(micro.score_total(rows), macrof_twin.microf(entries.values(), beta, k))
    for i, hypothesis in enumerate(hypotheses):
        alone = macrof_twin.classes([hypothesis], [[stream[i]] for stream in streams], **twin).values()
        assert close(macro.score_rows(rows, "segment")[i], macrof_twin.macrof(alone, beta))
        assert close(micro.score_rows(rows, "segment")[i], macrof_twin.microf(alone, beta, k))


@examples(60, corpus=corpora())
def test_without_diacritics_is_scoring_stripped_text(corpus: Corpus) -> None:
    hypotheses = [strip_diacritics(line) for line in corpus[0]]
    streams = [[None if line is None else strip_diacritics(line) for line in stream] for stream in corpus[1]]
    for family in (BLEU, ChrF, TER):
        stripped = family().statistics(hypotheses, streams).array.tolist()
        assert family(diacritics=False).statistics(*corpus).array.tolist() == stripped


def test_examples_fail_when_they_should() -> None:
    """A test that compares nothing, or cannot fail, would pass: this one must not."""
    seen: list[Corpus] = []

    @examples(20, corpus=corpora())
    def wrong(corpus: Corpus) -> None:
        seen.append(corpus)
        compare_bleu(corpus, "13a", False, ("exp", None), 4, False)
        assert len(seen) < 10, "enough"

    with pytest.raises(AssertionError, match="enough"):
        wrong()
