"""Reading published score lines."""

from __future__ import annotations

import pytest

from tertium import registry
from tertium.errors import InputError, SpecError
from tertium.published import parse, parse_all, short_signature

SPECS = [
    "bleu",
    "bleu:lowercase=yes,tok=intl,smooth=floor,smooth_value=0.05",
    "bleu:smooth=add-k,order=3,eff=always",
]
SPECS += ["chrf", "chrf++", "chrf:beta=0.5,eps=yes,whitespace=yes", "ter", "ter:normalized=yes,no_punct=yes"]
SPECS += [
    "ter:asian_support=yes,case_sensitive=yes",
    "macrof",
    "macrof:beta=2,order=2",
    "microf:k=0.5",
    "microf:unit=char",
]


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("short", [False, True])
def test_our_own_lines(spec: str, short: bool) -> None:
    metric = registry.metric(spec)
    signature = metric.signature(3)
    shown = short_signature(metric, signature) if short else signature
    claim = parse(f"{metric.label}|{shown} = 12.34")
    assert (claim.metric, claim.n_references, claim.score.text, claim.notes) == (metric, 3, "12.34", ())


@pytest.mark.parametrize(
    ("line", "spec"),
    [
        (
            "BLEU+case.lc+lang.xx-yy+numrefs.1 +smooth.exp+tok.zh+version.1.4.13 = 30",
            "bleu:lowercase=yes,tok=zh",
        ),
        ("BLEU+c.mixed+#.1+s.add-k[2.00]+tok.13a+v.1.5.1 = 30", "bleu:smooth=add-k,smooth_value=2"),
        (
            "BLEU+case.mixed+numrefs.1+smooth.floor+tok.13a+version.1.4.2 = 30",
            "bleu:smooth=floor,smooth_value=0",
        ),
        ("BLEU+case.mixed+numrefs.1+smooth.floor[0.10]+tok.13a+version.1.5.0 = 30", "bleu:smooth=floor"),
        ("BLEU|nrefs:1|case:mixed|eff:yes|tok:13a|smooth:exp|version:2.0.0 = 30", "bleu:eff=always"),
        ("chrF1+lang.xx-yy+numchars.6 +space.false +version.1.4.13 = .5", "chrf1"),
        ("chrF3+n.5+s.true+v.1.5.1 = .5", "chrf:beta=3,char_order=5,whitespace=yes"),
        ("chrF2++|nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|version:2.3.1 = 50.5", "chrf++"),
        (
            "chrF2+|nrefs:1|case:lc|eff:no|nc:6|nw:1|space:no|version:2.3.1 = 50.5",
            "chrf+:lowercase=yes,eps=yes",
        ),
        (
            "TER+tok.tercom-norm-nopunct-asian-cased+version.1.5.1 = .5",
            "ter:norm=1,no_punct=1,asian=1,case_sensitive=1",
        ),
        (
            "MicroF[β=2]+average.micro+case.lc+ngram.1+numrefs.1+smooth.add-k.3+tok.13a+version.1.4.13 5",
            "microf:beta=2,lc=1,k=3",
        ),
        (" - BLEU   nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.0.0 = 30.1 %", "bleu"),
        ("`BLEU | nrefs:1 | case:mixed | eff:no | tok:13a | smooth:exp | version:2.0.0 = 30.1`", "bleu"),
        (
            "BLEU|nrefs:1|bs:1000|seed:12345|case:mixed|eff:no|tok:13a|smooth:exp|version:2.0.0 = 3 (μ = 3)",
            "bleu",
        ),
        (
            '{"name": "TER", "score": 3, "signature": "nrefs:1|case:mixed|tok:tercom|norm:no|punct:yes"}',
            "ter:case_sensitive=1",
        ),
    ],
)
def test_lines_as_people_print_them(line: str, spec: str) -> None:
    assert parse(line).metric == registry.metric(spec)


@pytest.mark.parametrize(
    ("number", "score", "holds"),
    [
        ("30.2", 30.2499, True),
        ("30.2", 30.2501, False),
        ("30.2", 30.15, True),
        ("30.2", 30.14, False),
        ("30", 29.6, True),
        ("30,25", 30.2549, True),
        ("30.250", 30.2549, False),
        ("0.302", 30.24, True),
        ("0.302", 30.26, False),
        (".5", 0.5, True),
        ("1", 100.0, False),
        ("1.00", 100.0, True),
        ("0", 0.0, True),
    ],
)
def test_printed_digits(number: str, score: float, holds: bool) -> None:
    assert parse(f"BLEU = {number}").holds(score) is holds


def test_an_undefined_score_holds_nothing() -> None:
    assert not parse("BLEU = 0.0").holds(None)


@pytest.mark.parametrize(
    ("line", "error", "words"),
    [
        ("BLEU|nrefs:1|foo:bar = 3", SpecError, "the line says foo:bar"),
        ("BLEU|nrefs:1|case:upper = 3", SpecError, "the line says case:upper"),
        ("BLEU|nrefs:some = 3", InputError, "nrefs:some"),
        ("BLEU|nrefs:1|smooth:floor[x] = 3", SpecError, "makes no sense"),
        ("chrF2|nrefs:1|nc:six = 3", SpecError, "char_order must be a number"),
        ("MacroBLEU[β=1]+average.macro+version.1.4.13 37.82", SpecError, "unknown metric 'macrobleu'"),
        ('{"name": "BLEU"}', InputError, "JSON"),
        ("{", InputError, "JSON"),
        ("", InputError, "cannot read"),
        ("= 30", InputError, "cannot read"),
        ("BLEU = thirty", InputError, "cannot read"),
    ],
)
def test_refused(line: str, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words.replace("[", r"\[")):
        parse(line)


def test_what_the_line_leaves_out_is_said() -> None:
    assert "tok:13a" in parse("BLEU|nrefs:1|case:lc = 3").notes[0]
    assert "no signature" in parse("BLEU = 3").notes[0]
    assert parse(f"BLEU|{registry.metric('bleu').signature()}|test:wmt17 = 3").texts == (("test", "wmt17"),)
    assert (
        "Tertium 0.0.1"
        in parse("TER|nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|tertium:0.0.1 = 3").notes[0]
    )


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("BLEU+case.lc+numrefs.1+smooth.exp+tok.intl+version.1.4.13 = 3", "intl took its characters"),
        (
            "BLEU+case.lc+numrefs.1+smooth.floor+tok.13a+version.1.4.13 = 3",
            "floor smoothing without a value meant 0",
        ),
        ("chrF2+numchars.6+space.false+version.1.4.13 = .3", "only the first reference"),
        ("TER|nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.3.1 = 3", "empty reference"),
    ],
)
def test_known_differences_of_versions(line: str, words: str) -> None:
    assert any(words in note for note in parse(line).notes)


def test_a_model_for_a_tokeniser_that_is_only_named(tmp_path: object) -> None:
    with pytest.raises(SpecError, match="-tok spm:FILE"):
        parse("BLEU|nrefs:1|tok:flores200 = 3")
    claim = parse(
        "BLEU|nrefs:1|case:mixed|eff:no|tok:flores200|smooth:exp|version:2.3.1 = 3", tokenizer="intl"
    )
    assert claim.metric == registry.metric("bleu:tok=intl")
    assert claim.notes == ("tokenised with intl where the line says flores200",)


@pytest.mark.parametrize(
    ("rest", "parts", "interval"),
    [
        ("", "", None),
        ("59.3/29.9/16.9/9.8", "p1=59.3 p2=29.9 p3=16.9 p4=9.8", None),
        (
            "60/30 (BP = 0.980 ratio = 0.981 hyp_len = 1187 ref_len = 1211)",
            "p1=60 p2=30 BP=0.980 ratio=0.981 hyp_len=1187 ref_len=1211",
            None,
        ),
        (
            ", 60.1/30.2 (BP=0.98, ratio=0.981, hyp_len=11)",
            "p1=60.1 p2=30.2 BP=0.98 ratio=0.981 hyp_len=11",
            None,
        ),
        ("(μ = 30.1 ± 1.2)", "", ("30.1", "1.2")),
        ("(μ = 30.1 ± 1.2) 78.0 (BP = 1.000)", "p1=78.0 BP=1.000", ("30.1", "1.2")),
        ("( BP = 1.000 ratio = 1.016)", "BP=1.000 ratio=1.016", None),
        ("P = 0.7 chunks = 5 (exact+stem = 3/1)", "P=0.7 chunks=5", None),
    ],
)
def test_what_follows_the_number(rest: str, parts: str, interval: tuple[str, str] | None) -> None:
    claim = parse(f"BLEU = 30.2 {rest}" if not rest.startswith(",") else f"BLEU = 30.2{rest}")
    assert " ".join(f"{part.name}={part.text}" for part in claim.parts) == parts
    assert (claim.interval and tuple(part.text for part in claim.interval)) == interval


def test_several_claims_at_once() -> None:
    entry = (
        '{"name": "TER", "score": 3, "signature": "nrefs:1|bs:200|seed:7|case:lc", "confidence_mean": 3.1,'
    )
    entry += ' "confidence_var": 0.5}'
    claims = parse_all(f"[{entry}, {entry}]")
    assert [(c.resamples, c.seed, c.interval and c.interval[1].text) for c in claims] == [(200, 7, "0.5")] * 2
    assert [str(c.metric) for c in parse_all("  BLEU = 3\n\nchrF2++ = 4\n")] == ["bleu", "chrf:word_order=2"]


@pytest.mark.parametrize("text", ["[]", "[3]", '[{"name": "BLEU"}]', " "])
def test_no_claims(text: str) -> None:
    with pytest.raises(InputError, match="cannot read"):
        parse_all(text)


@pytest.mark.parametrize("item", ["bs:0", "bs:many", "bs:99999999", "seed:x"])
def test_draws_that_make_no_sense(item: str) -> None:
    with pytest.raises(InputError, match="makes no sense"):
        parse(f"BLEU|nrefs:1|{item} = 3 (μ = 3 ± 1)")
