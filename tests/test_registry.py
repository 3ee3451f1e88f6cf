"""Spec strings and signatures name metrics; what they do not name is refused with advice."""

from __future__ import annotations

import importlib.metadata
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from tertium import registry
from tertium.errors import SpecError, did_you_mean
from tertium.families.bleu import BLEU
from tertium.families.chrf import ChrF
from tertium.families.macrof import MacroF, MicroF
from tertium.families.ter import TER


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("bleu", BLEU()),
        (" BLEU ", BLEU()),
        ("bleu:tok=intl,smooth=floor", BLEU(tok="intl", smooth="floor")),
        ("bleu: tok = intl , smooth = floor ", BLEU(tok="intl", smooth="floor")),
        ('bleu:tok="intl"', BLEU(tok="intl")),
        ('bleu:tok="spm:a,b=c.model"', BLEU(tok="spm:a,b=c.model")),
        ("bleu:lc=yes", BLEU(lowercase=True)),
        ("bleu:lowercase=TRUE,diacritics=0", BLEU(lowercase=True, diacritics=False)),
        ("bleu:smooth=add-k,value=2", BLEU(smooth="add-k", smooth_value=2.0)),
        ("bleu:smooth=floor,smooth_value=none", BLEU(smooth="floor")),
        ("bleu:smooth=floor,smooth_value=0.1", BLEU(smooth="floor")),
        ("bleu:max_ngram_order=2", BLEU(order=2)),
        ("chrf1", ChrF(beta=1.0)),
        ("chrf3", ChrF(beta=3.0)),
        ("chrf+", ChrF(word_order=1)),
        ("chrF++", ChrF(word_order=2)),
        ("chrf++:beta=3,nc=4", ChrF(word_order=2, beta=3.0, char_order=4)),
        ("chrf++:nw=1", ChrF(word_order=1)),
        ("ter:norm=yes,asian=yes", TER(normalized=True, asian_support=True)),
        ("macrof1:beta=2", MacroF(beta=2.0)),
        ("microf:k=0,unit=char,order=3", MicroF(k=0.0, unit="char", order=3)),
    ],
)
def test_specs(spec: str, expected: tertium.Metric) -> None:
    assert registry.metric(spec) == expected
    assert registry.metric(str(expected)) == expected


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("blue", r"unknown metric 'blue'; did you mean 'bleu'\? \(known: .*bleu, .*chrf, .*ter.*\)"),
        ("zzz", r"unknown metric 'zzz' \(known: "),
        ("", "cannot read ''"),
        (":", "cannot read ':'"),
        (":tok=intl", "cannot read"),
        ("bleu:", "cannot read 'bleu:'"),
        ("bleu:tok=intl,", "cannot read"),
        ("bleu:,tok=intl", "cannot read"),
        ("bleu:tok=intl,,lc=yes", "cannot read"),
        ("bleu:tok=intl,value", "cannot read"),
        ("bleu:a,b", "cannot read"),
        ('bleu:tok="intl', "cannot read"),
        ('bleu:tok="intl"x', "cannot read"),
        ("bleu:PBCG4", r"bleu has no variant 'PBCG4'"),
        ("nist:x", r"nist takes options as key=value, not 'x'"),
        ("chrf3:x", r"chrf takes options as key=value, not 'x'"),
        ("bleu:token=intl", r"bleu has no option 'token'; did you mean 'tok'\? \(known: diacritics, eff"),
        ("bleu:tok=intl,tok=13a", "gives 'tok' twice"),
        ("bleu:tok=intl,tokenize=13a", "tok is given twice"),
        ("bleu:tok=13b", r"unknown tokeniser '13b'; did you mean '13a'\?"),
        ("bleu:tok=spm:", "needs a SentencePiece model: write tok=spm:FILE"),
        ("bleu:smooth=foo", r"smooth='foo' is not valid; did you mean 'floor'\?"),
        ("bleu:smooth=exp,value=1", "smooth=exp takes no smooth_value"),
        ("bleu:smooth=floor,value=-1", "smooth_value must be at least 0, not -1"),
        ("bleu:smooth=floor,value=inf", "smooth_value must be at least 0, not inf"),
        ("bleu:smooth=floor,value=nan", "smooth_value must be at least 0, not nan"),
        ("bleu:smooth=floor,value=x", "smooth_value must be a number, not 'x'"),
        ("bleu:eff=yes", "eff='yes' is not valid"),
        ("bleu:order=0", "order must be from 1 to 9, not 0"),
        ("bleu:order=10", "order must be from 1 to 9, not 10"),
        ("bleu:order=2.5", "order must be a number, not '2.5'"),
        ("bleu:lc=maybe", "lowercase must be yes or no, not 'maybe'"),
        ("chrf:beta=0", "beta must be above 0"),
        ("chrf:beta=nan", "beta must be above 0"),
        ("chrf:beta=inf", "beta must be above 0 and at most 1e\\+06, not inf"),
        ("chrf:char_order=0", "both 0: nothing is left to count"),
        ("chrf:char_order=-1", "char_order must be from 0"),
        ("macrof:beta=-1", "beta must be above 0"),
        ("macrof:beta=inf", "beta must be above 0 and at most"),
        ("macrof:order=0", "order must be from 1"),
        ("macrof:unit=syllable", "unit='syllable' is not valid"),
        ("macrof:unit=char,tok=intl", "unit=char uses no tokeniser"),
        ("macrof:k=1", "macrof has no option 'k'"),
        ("microf:k=-1", "k must be from 0"),
        ("microf:k=1e13", "k must be from 0 to 1e\\+06"),
    ],
)
def test_wrong_specs_are_refused_in_one_line(spec: str, message: str) -> None:
    with pytest.raises(SpecError, match=message) as caught:
        registry.metric(spec)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("given", [None, 3, b"bleu", BLEU])
def test_what_is_no_spec_is_refused(given: object) -> None:
    with pytest.raises(SpecError, match="a metric is a spec string or a Metric"):
        registry.metric(given)  # type: ignore[arg-type]


def test_a_model_that_a_spec_could_not_name_is_refused() -> None:
    with pytest.raises(SpecError, match="quotation mark"):
        BLEU(tok='spm:a"b')


def test_names_and_shorthands() -> None:
    assert list(registry.METRICS) == list(registry.METRICS.table)
    for name in registry.METRICS:
        assert registry.METRICS[name].name == name
    for shorthand, spec in registry.SHORTHANDS.items():
        if spec.startswith("outside:"):  # models are nowhere unless they are named
            assert registry.metric(f"{shorthand}:model=m") == registry.metric(f"{spec},model=m")
        else:
            assert registry.metric(shorthand) == registry.metric(spec)
    assert registry.metric(BLEU(order=2)) == BLEU(order=2)


# Round trips of options at random

finite = st.floats(1e-6, 1e6)
option_values: dict[type[tertium.Metric], dict[str, st.SearchStrategy[object]]] = {
    BLEU: {
        "tok": st.sampled_from(["none", "13a", "intl", "char", "zh"]),
        "lowercase": st.booleans(),
        "diacritics": st.booleans(),
        "smooth": st.sampled_from(["floor", "add-k"]),
        "smooth_value": st.one_of(st.none(), finite, st.sampled_from([0.1, 1.0, 0.12, 0.125, 1e-5])),
        "order": st.integers(1, 9),
        "eff": st.sampled_from(["segment", "always", "never"]),
    },
    ChrF: {
        "char_order": st.integers(1, 32),
        "word_order": st.integers(0, 5),
        "beta": st.one_of(finite, st.sampled_from([1.0, 2.0, 3.0])),
        "whitespace": st.booleans(),
        "lowercase": st.booleans(),
        "diacritics": st.booleans(),
        "eps": st.booleans(),
    },
    TER: {
        name: st.booleans()
        for name in ("normalized", "no_punct", "asian_support", "case_sensitive", "diacritics")
    },
    MicroF: {
        "beta": finite,
        "lowercase": st.booleans(),
        "diacritics": st.booleans(),
        "order": st.integers(1, 99),
        "unit": st.sampled_from(["word", "char"]),
        "k": st.floats(0, 1e6),
    },
}
variants = st.one_of([st.builds(family, **values) for family, values in option_values.items()])


@settings(max_examples=500, derandomize=True, deadline=None)
@given(variants, variants)
def test_round_trips(one: tertium.Metric, other: tertium.Metric) -> None:
    for metric in (one, other):
        assert registry.metric(str(metric)) == metric
        assert registry.from_signature(metric.label, metric.signature()) == metric
    signatures = (one.name, one.signature()), (other.name, other.signature())
    assert (signatures[0] == signatures[1]) == (one == other)


# Signatures


@pytest.mark.parametrize(
    ("label", "signature", "spec"),
    [
        ("BLEU", "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0", "bleu"),
        (
            "BLEU",
            "nrefs:var|bs:1000|seed:12345|case:lc|eff:yes|tok:intl|smooth:floor[0.10]|version:2.0.0",
            "bleu:tok=intl,lc=yes,smooth=floor,eff=always",
        ),
        (
            "BLEU",
            "nrefs:1|case:mixed|eff:no|tok:ja-mecab-0.996-IPA|smooth:add-k[2.00]|version:2.6.0",
            "bleu:tok=ja-mecab,smooth=add-k,value=2",
        ),
        (
            "BLEU",
            'nrefs:1|case:mixed|eff:no|tok:"spm:a|b.model"|smooth:none|tertium:0.1.0',
            'bleu:tok="spm:a|b.model",smooth=none',
        ),
        ("chrF2++", "nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|version:2.6.0", "chrf++"),
        (
            "chrF3",
            "nrefs:1|case:lc|eff:no|nc:6|nw:0|space:yes|version:2.6.0",
            "chrf3:lc=yes,eps=yes,space=yes",
        ),
        ("chrF0.5", "nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0", "chrf:beta=0.5"),
        ("chrF1e-05+", "nrefs:1|case:mixed|eff:yes|nc:6|nw:1|space:no|version:2.6.0", "chrf+:beta=1e-5"),
        (
            "TER",
            "nrefs:1|case:lc|tok:tercom|norm:yes|punct:no|asian:yes|version:2.6.0",
            "ter:norm=yes,no_punct=yes,asian=yes",
        ),
        ("MacroF1", "nrefs:1|avg:macro|beta:1|case:mixed|tok:13a|ngram:1|tertium:0.1.0", "macrof"),
        (
            "MicroF2",
            "nrefs:1|avg:micro|beta:2|case:mixed|unit:char|ngram:3|k:0.5|tertium:0.1.0",
            "microf:beta=2,unit=char,order=3,k=0.5",
        ),
    ],
)
def test_signatures_name_metrics(label: str, signature: str, spec: str) -> None:
    assert registry.from_signature(label, signature) == registry.metric(spec)


@pytest.mark.parametrize("label", ["BLUE", "", "++", "chrfoo", "bleurt"])
def test_labels_that_name_no_metric_are_refused(label: str) -> None:
    with pytest.raises(SpecError, match=f"unknown metric {label.lower()!r}".replace("+", r"\+")):
        registry.from_signature(label, "nrefs:1|case:mixed")


def test_signature_says_everything_but_the_number_of_references_once() -> None:
    items = registry.signature_items(BLEU(order=3, lowercase=True).signature(2))
    assert items == {
        "nrefs": "2",
        "case": "lc",
        "eff": "no",
        "tok": "13a",
        "smooth": "exp",
        "order": "3",
        "tertium": tertium.__version__,
    }
    assert BLEU().signature(None).startswith("nrefs:var|")
    assert "|eff:yes|" in BLEU().signature(1, "segment")
    assert "|eff:no|" in BLEU().signature(1, "document")
    assert "|eff:never|" in BLEU(eff="never").signature(1, "segment")


def test_model_file_is_part_of_the_signature(tmp_path: Path) -> None:
    model = tmp_path / "a|b.model"
    model.write_bytes(b"one")
    metric = BLEU(tok=f"spm:{model}")
    first = metric.signature()
    assert re.search(r'\|tok:"spm:.*a\|b\.model"\|spm:[0-9a-f]{12}\|', first)
    assert registry.from_signature("BLEU", first) == metric
    model.write_bytes(b"two")
    assert metric.signature() != first
    with pytest.raises(tertium.InputError, match="no SentencePiece model at 'absent'"):
        BLEU(tok="spm:absent").signature()


# Plug-ins


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    names = {"Bleu3Vec": "tests.families.plugin:Jaccard", "bleu": "tests.families.plugin:Jaccard"}
    entries = [importlib.metadata.EntryPoint(n, v, "tertium.metrics") for n, v in names.items()]
    monkeypatch.setattr(
        importlib.metadata, "entry_points", lambda **_: importlib.metadata.EntryPoints(entries)
    )
    registry.plugins.cache_clear()
    yield
    registry.plugins.cache_clear()


def test_plugins_do_not_hide_ours_and_longer_names_win(plugins: None) -> None:
    assert registry.METRICS["bleu"] is BLEU
    assert list(registry.METRICS) == [*registry.METRICS.table, "bleu3vec"]
    assert registry.METRICS["bleu3vec"].__name__ == "Jaccard"
    found = registry.from_signature("bleu3vec", "nrefs:1|power:2|tertium:0.1.0")
    assert type(found).__name__ == "Jaccard"
    assert registry.from_signature("BLEU", "nrefs:1|case:lc|tok:13a|smooth:exp") == BLEU(lowercase=True)


def test_advice() -> None:
    assert did_you_mean("blue", ["chrf", "bleu", "bleu"]) == "; did you mean 'bleu'? (known: bleu, chrf)"
    assert did_you_mean("qqq", ["bleu"]) == " (known: bleu)"
