"""WER, PER, CDER, tercom's and Moses' TER and CharacTER agree with their twins on text at random."""

from __future__ import annotations

import warnings

import pytest
from hypothesis import strategies as st

import tertium as tt
from tertium import registry
from tertium.families.character import CharacTER
from tertium.families.ter import TER
from tertium.families.wer import CDER, PER, WER, warn_wordless
from tertium.text.tokenizers import tokenize
from tests.families.test_properties import Corpus, calm_text, corpora, examples, few_types, long_line, text
from tests.twins import character as character_twin
from tests.twins import wer as twin
from tests.twins.ter_cost_beam import MOSES, TERCOM, ter_kinds
from tests.twins.tokenizers import tokenize_tercom_java

pytestmark = pytest.mark.filterwarnings("ignore::tertium.errors.TertiumWarning")
few_words = st.lists(st.sampled_from(["a", "b", "c", "d", "e", "f", "g"]), max_size=70).map(" ".join)
lines = st.one_of(text, few_types, few_types, few_words)
short_lines = st.one_of(calm_text, few_types, few_types)


def words_of(corpus: Corpus) -> list[tuple[list[str], list[list[str]]]]:
    """For each segment the words of the hypothesis, and of its references."""
    return [
        (hypothesis.split(), [line.split() for line in texts if line is not None])
        for hypothesis, *texts in zip(corpus[0], *corpus[1], strict=True)
    ]


@examples(150, corpus=corpora(lines))
def test_clean_forms_are_their_twins(corpus: Corpus) -> None:
    for metric, kind in ((WER(), twin.wer), (PER(), twin.per), (CDER(), twin.cder)):
        expected = [twin.best(kind, hypothesis, references) for hypothesis, references in words_of(corpus)]
        assert metric.statistics(*corpus).array.tolist() == expected


@examples(150, corpus=corpora(lines))
def test_moses_forms_are_their_twins(corpus: Corpus) -> None:
    for metric, kind in ((WER(like="moses"), twin.wer), (CDER(like="moses"), twin.cder)):
        expected = [twin.moses(kind, hypothesis, references) for hypothesis, references in words_of(corpus)]
        assert metric.statistics(*corpus).array.tolist() == expected
    rows = PER(like="moses").statistics(*corpus).array.tolist()
    for row, (hypothesis, references) in zip(rows, words_of(corpus), strict=True):
        assert row in [[twin.common(hypothesis, r), len(hypothesis), len(r)] for r in references]


@examples(200, corpus=corpora(short_lines))
def test_ter_like_moses_is_its_twin(corpus: Corpus) -> None:
    rows = tt.metric("ter:like=moses").statistics(*corpus)
    for row, (hypothesis, references) in zip(rows.array.tolist(), words_of(corpus), strict=True):
        kinds = [ter_kinds(hypothesis, reference, MOSES) for reference in references]
        assert tuple(row[:4]) == min(kinds, key=sum)
    lengths = [100 * sum(map(len, references)) // len(references) for _, references in words_of(corpus)]
    assert (100 * rows["reference_length"]).round().tolist() == lengths


@examples(
    100, corpus=corpora(short_lines), letters=st.sampled_from(["", "n", "p", "np", "a", "na", "pa", "npa"])
)
def test_ter_like_tercom_is_its_twin(corpus: Corpus, letters: str) -> None:
    switches = {"n": "normalized", "p": "no_punct", "a": "asian_support"}
    metric = TER(like="tercom", case_sensitive=True, **{switches[letter]: True for letter in letters})
    rows = metric.statistics(*corpus)
    for place, row in enumerate(rows.array.tolist()):
        hypothesis, *references = (
            tokenize_tercom_java(texts[place] or "", letters)
            for texts in (corpus[0], *corpus[1])
            if texts[place] is not None
        )
        assert tuple(row[:4]) == min((ter_kinds(hypothesis, r, TERCOM) for r in references), key=sum)
        mean = sum(map(len, references)) / len(references)
        assert rows["reference_length"].tolist()[place] == pytest.approx(mean, abs=1e-12)


@pytest.mark.parametrize(
    ("text", "letters", "words"),
    [
        ("a\u00a0b\u3000c d", "", ["a\u00a0b\u3000c", "d"]),
        ("a\u00a0b, c", "n", ["a\u00a0b", ",", "c"]),
        ('" a ( b', "p", ["", "a", "b"]),
        ('"a ( b', "p", ["a", "b"]),
        ("...", "p", [""]),
        (". .", "p", []),
        ("", "p", []),
        ("<skipped>", "n", [""]),
        ("x&amp;lt;y", "n", ["x", "<", "y"]),
        ("\u3072\u3089\u30ab\u30bf\u30fb\u30ca\u6f22\u5b57", "na", ["ひら", "カタ", "・", "ナ", "漢", "字"]),
        ("\u3072\u3089\u30ab\u30bf", "n", ["ひらカタ"]),
        ("\x1fa\x1fb\x1f", "", ["a\x1fb"]),
    ],
)
def test_words_of_tercom(text: str, letters: str, words: list[str]) -> None:
    name = "-".join(filter(None, ("tercom-java", letters)))
    assert tokenize([text], name) == [words] == [tokenize_tercom_java(text, letters)]


@examples(200, corpus=corpora(short_lines))
def test_character_is_its_twin(corpus: Corpus) -> None:
    rows = CharacTER().statistics(*corpus)
    expected = [
        min(character_twin.character(hypothesis, reference) for reference in references)
        for hypothesis, references in words_of(corpus)
    ]
    assert CharacTER().score_rows(rows, "segment").tolist() == pytest.approx(expected, abs=1e-12)
    mean = sum(expected) / len(expected)
    assert CharacTER().score_total(rows) == pytest.approx(mean, abs=1e-12)


def moved(line: str, start: int, size: int, target: int) -> str:
    tokens = line.split()
    block = tokens[start : start + size]
    del tokens[start : start + size]
    tokens[target:target] = block
    return " ".join(tokens)


@pytest.mark.parametrize("length", [63, 64, 65, 127, 129, 200])
@pytest.mark.parametrize("types", [5, 30, 10**6])
def test_long_lines_are_their_twins(length: int, types: int) -> None:
    reference = long_line(1, length, types)
    hypotheses = [
        long_line(2, length, types),
        long_line(1, length // 2, types),
        moved(moved(reference, 10, 5, 40), 50, 2, 3),
        reference,
        "a",
    ]
    for hypothesis in hypotheses:
        for one, other in ((hypothesis, reference), (reference, hypothesis)):
            a, b = one.split(), other.split()
            for metric, kind in ((WER(), twin.wer), (PER(), twin.per), (CDER(), twin.cder)):
                assert metric.statistics([one], [other]).array.tolist() == [[*kind(a, b), len(b)]]
            if length < 70:
                for program, rules in (("moses", MOSES), ("tercom", TERCOM)):
                    if program == "tercom" and types < 30:
                        continue  # tens of thousands of shifts: the twin would take minutes
                    found = tt.metric(f"ter:like={program}").statistics([one], [other]).array.tolist()[0]
                    assert tuple(found[:4]) == ter_kinds(a, b, rules)


@pytest.mark.parametrize(("length", "types"), [(90, 30), (90, 10**6), (200, 10**6)])
def test_character_of_long_lines_is_its_twin(length: int, types: int) -> None:
    reference = long_line(1, length, types)
    for hypothesis in (moved(moved(reference, 10, 5, 40), 50, 2, 3), long_line(1, length - 20, types)):
        found = CharacTER().statistics([hypothesis], [reference])
        expected = character_twin.character(hypothesis.split(), reference.split())
        assert CharacTER().score_total(found) == pytest.approx(expected, abs=1e-12)


def test_ten_thousand_words_on_a_line_come_to_an_end() -> None:
    reference = long_line(1, 10_000, 500)
    others = long_line(2, 10_000, 500).split()
    hypothesis = " ".join(
        o if i % 3 else w for i, (w, o) in enumerate(zip(reference.split(), others, strict=True))
    )
    for spec in ("wer", "per", "cder", "ter:like=moses", "ter:like=tercom", "character"):
        score = tt.score([hypothesis], [reference], spec)[spec].value
        assert score is not None
        assert score > 0


@pytest.mark.parametrize(
    ("spec", "words_against_none", "none_against_none"),
    [
        *(("wer", 100.0, 0.0), ("per", 100.0, 0.0), ("cder", 100.0, 0.0), ("character", 1.0, 1.0)),
        *(("wer:like=moses", 0.0, 0.0), ("cder:like=moses", 0.0, 0.0), ("per:like=moses", 100.0, 100.0)),
        *(("ter:like=moses", 0.0, 0.0), ("ter:like=tercom", 100.0, 0.0)),
    ],
)
def test_references_without_words(spec: str, words_against_none: float, none_against_none: float) -> None:
    metric = registry.metric(spec)
    rows = metric.statistics(["a b", ""], ["", " "])
    assert metric.score_rows(rows, "segment").tolist() == [words_against_none, none_against_none]


def test_references_without_words_warn_once() -> None:
    warn_wordless.cache_clear()
    with pytest.warns(tt.TertiumWarning, match="wer: there are references without words"):
        WER().statistics(["a b"], [""])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        WER().statistics(["a b"], [""])
        WER().statistics(["a b"], ["a"])


def test_the_reference_with_the_lowest_rate_counts() -> None:
    streams = [["a x c d e f"], ["a b"], [""]]
    assert WER().statistics(["a b c"], streams).array.tolist() == [
        [0, 1, 0, 2]
    ]  # 1/2 against 4/6: 50 percent
    assert WER().statistics(["a b c d e f g h"], streams).array.tolist() == [[0, 2, 1, 6]]
    assert WER().statistics([""], streams).array.tolist() == [[0, 0, 0, 0]]


def test_ascii_letters_alone_are_folded() -> None:
    """As Perl's lc does without a locale, which Moses' evaluator was fed with at WMT17."""
    for spec in ("wer", "per", "cder", "ter:like=moses"):
        found = [
            tt.metric(f"{spec}{',' if ':' in spec else ':'}lc={case}").score(["ÄA B"], ["äa b"])
            for case in ("no", "ascii", "yes")
        ]
        assert found == [100.0, 50.0, 0.0]


def test_moses_cuts_off_what_it_compares() -> None:
    """The second reference is better, but both accuracies are 0 as integers; only a perfect one counts more."""
    metric = WER(like="moses")
    assert metric.statistics(["a b c d"], [["a x y z"], ["a b c x"]]).array.tolist() == [[0, 0, 3, 4]]
    assert metric.statistics(["a b c d"], [["a x y z"], ["a b c d"]]).array.tolist() == [[0, 0, 0, 4]]
    assert metric.statistics(["a b c d"], [["x"], ["a x y z"]]).array.tolist() == [[0, 0, 3, 4]]


def test_character_by_length() -> None:
    plain, long = CharacTER(), CharacTER(weight="length")
    hypotheses, references = ["ab", "cd ef gh"], ["ax", "cd ef gh"]
    assert plain.score_total(plain.statistics(hypotheses, references)) == 0.25
    assert long.score_total(long.statistics(hypotheses, references)) == pytest.approx(0.5 * 2 / 10, abs=1e-15)


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("wer:like=mose", "wer: like='mose' is not valid; did you mean 'moses'"),
        ("ter:like=tercom,tok=13a", "tok is for like=moses"),
        ("wer:lc=asci", "lowercase must be yes or no or ascii"),
        ("ter:like=moses,norm=yes", "like=moses compares tokens as they are"),
        ("ter:like=moses,case_sensitive=yes", "like=moses compares tokens as they are"),
        ("character:weight=words", "weight='words' is not valid"),
        ("per:tok=13b", "unknown tokeniser '13b'"),
    ],
)
def test_wrong_specs(spec: str, complaint: str) -> None:
    with pytest.raises(tt.SpecError, match=complaint):
        registry.metric(spec)


def test_ter_like_moses_takes_a_tokeniser() -> None:
    hypotheses, references = ["Hello, world.", "a (b)"], ["Hello world.", "a b"]
    tokenised = [
        [" ".join(words) for words in tokenize(texts, "moses-en")] for texts in (hypotheses, references)
    ]
    direct = tt.metric("ter:like=moses,tok=moses-en").statistics(hypotheses, references)
    before = tt.metric("ter:like=moses").statistics(*tokenised)
    assert direct.array.tolist() == before.array.tolist()
    with pytest.raises(tt.TertiumError, match="tok is for like=moses"):
        tt.metric("ter:tok=13a")


def test_character_without_a_cap() -> None:
    texts = ["a", "the cat"], ["a long sentence about something else", "the cat"]
    capped, free = (tt.metric(spec).statistics(*texts) for spec in ("character", "character:capped=no"))
    assert tt.metric("character").score_rows(capped, "segment").tolist() == [1.0, 0.0]
    assert tt.metric("character:capped=no").score_rows(free, "segment").tolist() == [35.0, 0.0]
