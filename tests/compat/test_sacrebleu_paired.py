"""Paired tests: sacrebleu's p-values, means and intervals, to the last bit."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
import sacrebleu as theirs
import sacrebleu.significance as original

import tertium.compat.sacrebleu as ours
from tertium.compat.sacrebleu import significance
from tertium.errors import InputError

ROUNDING = 0 if sys.version_info < (3, 12) else 1e-15
METRICS = {"BLEU": "BLEU", "chrF2": "CHRF", "TER": "TER"}
FILES = {
    "sig_challenge_bs.json": "challenge/ref.fr",
    "sig_challenge_ar.json": "challenge/ref.fr",
    "sig_snmt_bs.json": "snmt/ref.en",
    "sig_snmt_ar.json": "snmt/ref.en",
    "sig_ted_bs.json": "ted/ref.detok.eng",
    "sig_ted_ar.json": "ted/ref.detok.eng",
}


@pytest.mark.golden
@pytest.mark.parametrize("file", FILES)
def test_golden_paired_tests(file: str, golden: Any, golden_lines: Any) -> None:
    """What `sacrebleu --paired-bs/--paired-ar --format json` printed: every digit of every number."""
    expected = golden(f"significance/{file}")
    texts = [
        (entry["system"], golden_lines(entry["system"].removeprefix("Baseline: "))) for entry in expected
    ]
    names = METRICS.keys() & expected[0].keys()
    references = [golden_lines(FILES[file])]
    metrics = {name: getattr(ours, METRICS[name])(references=references) for name in METRICS if name in names}
    test = significance.PairedTest(texts, metrics, None, test_type="bs" if "_bs" in file else "ar")
    _, scores = test()
    found = [
        {"system": name, **{key: vars(scores[key][i]) for key in metrics}}
        for i, name in enumerate(scores["System"])
    ]
    assert found == expected


def _wrapped(kind: str, references: Any, **options: Any) -> tuple[Any, Any]:
    return (
        getattr(ours, kind)(references=references, **options),
        getattr(theirs, kind)(references=references, **options),
    )


@pytest.mark.parametrize("seed", ["12345", "99"])
@pytest.mark.parametrize("test_type", ["bs", "ar"])
@pytest.mark.parametrize("kind", METRICS.values())
def test_as_sacrebleu_here(
    kind: str, test_type: str, seed: str, sample: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On NumPy 2 sacrebleu keeps more in single precision, hence the tolerance for means and intervals; from
    Python 3.12 on its `sum` rounds once, hence that for scores. Ours are the same numbers everywhere."""
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    systems = [(name, sample[f"system-{name}.en"]) for name in ("literal", "smooth", "strong")]
    options = {"test_type": test_type, "n_samples": 200, "n_ar_confidence": 150 if test_type == "ar" else -1}
    mine, other = _wrapped(kind, [sample["reference1.en"]])
    signatures, scores = significance.PairedTest(systems, {kind: mine}, None, **options)()
    expected_signatures, expected = original.PairedTest(systems, {kind: other}, None, **options)()
    assert scores.keys() == expected.keys()
    assert scores["System"] == expected["System"]
    [name] = signatures
    assert str(signatures[name]) == str(expected_signatures[name])
    for result, wanted in zip(scores[name], expected[name], strict=True):
        assert isinstance(result, significance.Result)
        assert isinstance(wanted, original.Result)
        assert result.p_value == wanted.p_value
        assert result.score == pytest.approx(wanted.score, rel=ROUNDING, abs=0)
        assert result.mean == pytest.approx(float(wanted.mean), abs=2e-5)
        assert result.ci == pytest.approx(float(wanted.ci), abs=2e-5)


def test_several_references_and_options(sample: Any) -> None:
    references = [sample["reference1.en"], sample["reference2.en"]]
    systems = [(name, sample[f"system-{name}.en"]) for name in ("literal", "smooth")]
    for kind, options in (
        ("TER", {"normalized": True}),
        ("CHRF", {"word_order": 2}),
        ("BLEU", {"tokenize": "intl"}),
    ):
        mine, other = _wrapped(kind, references, **options)
        _, scores = significance.PairedTest(systems, {"x": mine}, None, n_samples=500)()
        _, expected = original.PairedTest(systems, {"x": other}, None, n_samples=500)()
        assert [(r.score, r.p_value) for r in scores.popitem()[1]] == [
            (r.score, r.p_value) for r in expected.popitem()[1]
        ]


def test_defaults_and_bad_arguments(sample: Any) -> None:
    systems = [("A", ["a b", "c"]), ("B", ["a", "c d"])]
    metrics = {"chrf": ours.CHRF()}
    assert significance.PairedTest(systems, metrics, [["a b", "c d"]]).n_samples == 10000
    assert significance.PairedTest(systems, metrics, [["a b", "c d"]], "bs").n_samples == 1000
    assert (
        significance.PairedTest(systems, metrics, [["a b", "c d"]], n_ar_confidence=0).n_ar_confidence == 1000
    )
    with pytest.raises(AssertionError, match="Unknown test type"):
        significance.PairedTest(systems, metrics, [["a b", "c d"]], "xx")
    with pytest.raises(InputError):
        significance.PairedTest([("A", ["a"]), ("B", ["b"])], metrics, [["a"]])()


def test_the_baseline_alone_has_its_interval() -> None:
    _, scores = significance.PairedTest([("A", ["a b", "c"])], {"x": ours.CHRF()}, [["a b", "d"]], "bs")()
    [result] = scores["chrF2"]
    assert isinstance(result, significance.Result)
    assert result.p_value is None
    assert result.ci is not None
    _, scores = significance.PairedTest([("A", ["a b", "c"])], {"x": ours.CHRF()}, [["a b", "d"]], "ar")()
    assert "mean=None,ci=None" in repr(scores["chrF2"])


def test_estimate_ci_is_theirs() -> None:
    scores = np.random.default_rng(3).normal(size=1000)
    assert significance.estimate_ci(scores) == original.estimate_ci(scores)
    with pytest.raises(ValueError, match="no scores"):
        significance.estimate_ci([])
