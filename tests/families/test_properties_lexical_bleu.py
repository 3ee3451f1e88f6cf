"""On text at random BLEU's family, sentence BLEU, mteval's BLEU and NIST are what their twins say."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import strategies as st

from tertium import _native
from tertium._native import Lines
from tertium.families.bleu_family import DeconstructedBLEU, variant_names
from tertium.families.moses_bleu import MultiBLEU, SentBLEU
from tertium.families.mteval import NIST, MtevalBLEU
from tertium.text.tokenizers import NATIVE
from tests.families.test_properties import (
    SACREBLEU_TOKENIZERS,
    Corpus,
    close,
    corpora,
    examples,
    few_types,
    very_long_text,
)
from tests.twins import bleu as bleu_twin
from tests.twins import bleu_family as family_twin
from tests.twins import moses_bleu as moses_twin
from tests.twins import mteval as mteval_twin
from tests.twins.tokenizers import tokenize as tokenize_slowly

texts = st.one_of(very_long_text, few_types, few_types)
ENTITIES = ["&quot;", "&amp;", "&AMP;", "amp;", "&apos;", "&lt;", "<skipped>", "-\u2028", "\u2010\u2028"]
ODD_WORDS = [" ", " ", "3.", "0", "0 1", "«", "-", "\u2028", "x", ".5", "İ", "'", "A", "É", "ΟΔΟΣ", "Σ"]
odd_text = st.lists(st.sampled_from(ENTITIES + ODD_WORDS), max_size=12).map("".join)


def by_segment(corpus: Corpus, cut: Any) -> tuple[list[list[str]], list[list[list[str]]]]:
    """Tokens of the hypotheses, and of each segment's references."""
    hypotheses, streams = corpus
    references = [[cut(text) for text in column if text is not None] for column in zip(*streams, strict=True)]
    return [cut(text) for text in hypotheses], references


@examples(
    250,
    corpus=corpora(texts),
    tok=st.sampled_from(SACREBLEU_TOKENIZERS),
    names=st.lists(st.sampled_from(list(variant_names(range(1, 10)))), min_size=4, max_size=4),
    alpha=st.sampled_from([None, 0.25, 3.0]),
    lin_och=st.booleans(),
    suffix=st.sampled_from(["", "u", "b", "ub"]),
)
def test_the_family_is_its_twin(
    corpus: Corpus, tok: str, names: list[str], alpha: float | None, lin_och: bool, suffix: str
) -> None:
    rows = DeconstructedBLEU(tok=tok).statistics(*corpus)
    tokens, references = by_segment(corpus, lambda text: tokenize_slowly(tok, text))
    expected = [family_twin.family_row(*pair) for pair in zip(tokens, references, strict=True)]
    assert rows.array.tolist() == expected
    total = [sum(column) for column in zip(*expected, strict=True)]
    for name in names:
        ending = suffix if "B" in name else suffix.replace("b", "")
        options: dict[str, Any] = {} if "u" in ending else {"smooth": "lin-och" if lin_och else "all"}
        if ending != "u":
            options["alpha"] = alpha
        metric = DeconstructedBLEU(name + ending, tok, **options)
        given = options.get("alpha")
        for at_segments, row in ((True, expected[0]), (False, total)):
            a = given or (1.0 if at_segments else 0.0)
            wanted = family_twin.family_score(
                row,
                name,
                0.0 if "u" in ending else a,
                from_order=2 if options.get("smooth") == "lin-och" else 1,
                smooth_brevity=a if "b" in ending else 0.0,
            )
            if at_segments:
                found: float | None = float(metric.score_rows(rows, "segment")[0])
            else:
                found = metric.score_total(rows)
            assert close(found, wanted), f"{metric}: {found} instead of {wanted}"


@examples(150, corpus=corpora(texts), tok=st.sampled_from(SACREBLEU_TOKENIZERS))
def test_sentence_and_multi_bleu_are_their_twins(corpus: Corpus, tok: str) -> None:
    metric = SentBLEU(tok=tok)
    rows = metric.statistics(*corpus)
    tokens, references = by_segment(corpus, lambda text: tokenize_slowly(tok, text))
    expected = [bleu_twin.bleu_row(*pair) for pair in zip(tokens, references, strict=True)]
    segments = [moses_twin.sentence_bleu(row) for row in expected]
    assert all(map(close, metric.score_rows(rows, "segment").tolist(), segments))
    assert close(metric.score_total(rows), sum(segments) / len(segments))
    lengths = {"shortest": min, "average": lambda sizes: sum(sizes) // len(sizes)}
    for reflen, choose in lengths.items():
        found = MultiBLEU(tok=tok, reflen=reflen).statistics(*corpus)
        assert found["reference_length"].tolist() == [
            choose([len(text) for text in several]) for several in references
        ]


@examples(
    200,
    corpus=corpora(st.one_of(texts, odd_text, odd_text)),
    tok=st.sampled_from([*SACREBLEU_TOKENIZERS, "13a", "intl"]),
    lowercase=st.booleans(),
    order=st.integers(1, 9),
    smooth=st.booleans(),
)
def test_mteval_bleu_is_its_twin(corpus: Corpus, tok: str, lowercase: bool, order: int, smooth: bool) -> None:
    metric = MtevalBLEU(tok=tok, lowercase=lowercase, order=order, smooth="halving" if smooth else "none")
    rows = metric.statistics(*corpus)
    pairs = by_segment(corpus, lambda text: mteval_twin.mteval_tokens(text, tok, lowercase=lowercase))
    expected = [bleu_twin.bleu_row(*pair, order) for pair in zip(*pairs, strict=True)]
    assert rows.array.tolist() == expected
    segments = [mteval_twin.mteval_bleu(row, smooth=smooth) for row in expected]
    assert all(map(close, metric.score_rows(rows, "segment").tolist(), segments))
    total = [sum(column) for column in zip(*expected, strict=True)]
    assert close(metric.score_total(rows), mteval_twin.mteval_bleu(total, smooth=smooth))


@examples(
    200,
    corpus=corpora(st.one_of(texts, odd_text), most=4),
    tok=st.sampled_from(["13a", "intl", "none"]),
    lowercase=st.booleans(),
    order=st.integers(1, 9),
    nltk=st.booleans(),
)
def test_nist_is_its_twin(corpus: Corpus, tok: str, lowercase: bool, order: int, nltk: bool) -> None:
    metric = NIST(tok=tok, lowercase=lowercase, order=order, like="nltk" if nltk else "mteval")
    rows = metric.statistics(*corpus)
    tokens, references = by_segment(
        corpus, lambda text: mteval_twin.mteval_tokens(text, tok, lowercase=lowercase)
    )
    expected = mteval_twin.nist_rows(tokens, references, order, nltk=nltk)
    for i, (counts, gains, length) in enumerate(expected):
        assert [int(rows[f"count_{n}"][i]) for n in range(1, order + 1)] == counts
        found = [float(rows[f"information_{n}"][i]) for n in range(1, order + 1)]
        assert found == pytest.approx(gains, abs=1e-9)
        assert float(rows["reference_length"][i]) == pytest.approx(length, abs=1e-9)
    assert all(
        close(score, mteval_twin.nist_score([row]))
        for score, row in zip(metric.score_rows(rows, "segment").tolist(), expected, strict=True)
    )
    assert close(metric.score_total(rows), mteval_twin.nist_score(expected))


@examples(60, corpus=corpora(few_types, most=4), order=st.integers(1, 6))
def test_nist_like_nltk_is_nltk(corpus: Corpus, order: int) -> None:
    nist_score = pytest.importorskip("nltk.translate.nist_score")
    tokens, references = by_segment(corpus, str.split)
    metric = NIST(tok="none", lowercase=False, order=order, like="nltk")
    rows = metric.statistics(*corpus)
    if any(rows.total()[f"count_{n}"][0] == 0 for n in range(1, order + 1)):
        return  # nltk divides by zero there
    if not any(map(len, (text for several in references for text in several))):
        return
    try:
        theirs = nist_score.corpus_nist(references, tokens, order)
    except ZeroDivisionError:
        return
    assert close(metric.score_total(rows), theirs)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("ABC Éa", ["abc", "Éa"]),  # ASCII only
        ("&AMP; &amp;", ["&", "amp", ";", "&"]),  # no entity, and one
    ],
)
def test_lower_case_of_13a(text: str, tokens: list[str]) -> None:
    assert _native.tokenize(Lines([text]), "13a-lc") == [tokens]


@pytest.mark.parametrize("tok", NATIVE)
def test_every_native_tokeniser_has_a_lower_case(tok: str) -> None:
    lines = Lines(["The CAT, 3.5 Élan 東京 &AMP;", ""])
    lower = [
        [token.replace("É", "_").lower().replace("_", "É") for token in line]
        for line in _native.tokenize(lines, tok)
    ]
    assert _native.tokenize(lines, f"{tok}-lc") == lower
