"""BLEU equals sacrebleu 2.6.0: all 98,376 values of golden/sacrebleu_bleu.json. like=nltk equals nltk."""

from __future__ import annotations

import dataclasses
import json
import random
from pathlib import Path
from typing import Any

import pytest

import tertium as tt
from tertium.families.bleu import BLEU
from tests.conftest import SHARED
from tests.families.golden import (
    Case,
    assert_equal,
    parametrized,
    present,
    read,
    rows,
    sacrebleu_cases,
    signature,
)
from tests.families.inputs import files

pytestmark = pytest.mark.golden
CASES = sacrebleu_cases("sacrebleu_bleu.json")
OPTIONS = {
    "tokenize": "tok",
    "lowercase": "lowercase",
    "smooth_method": "smooth",
    "smooth_value": "smooth_value",
    "max_ngram_order": "order",
}


def metric_of(case: Case) -> BLEU:
    options = {OPTIONS[key]: value for key, value in case.options.items() if key != "effective_order"}
    return BLEU(**options, eff="always" if case.options.get("effective_order") else "segment")


def as_sacrebleu_reports(counts: list[int], metric: BLEU) -> list[int]:
    """Its counts have k in them, from bigrams on; ours are what was counted."""
    k = int(metric.smooth_value or 1) if metric.smooth == "add-k" else 0
    return [counts[0], *(count + k for count in counts[1:])]


@parametrized(CASES)
def test_bleu(shared: Path, case: Case) -> None:
    metric = metric_of(case)
    found = rows(metric, case)
    parts = metric.components(found.total())
    score = metric.score_total(found)
    ours: dict[str, Any] = {
        "signature": signature(metric, case, beyond_sacrebleu="order"),
        "system": score,
        "format": f"{metric.label} = {score:.2f} {metric.verbose(found.total())}",
        "counts": as_sacrebleu_reports(parts["matches"], metric),
        "totals": as_sacrebleu_reports(parts["counts"], metric),
        "precisions": parts["precisions"],
        "bp": parts["brevity_penalty"],
        "sys_len": parts["hypothesis_length"],
        "ref_len": parts["reference_length"],
    }
    if "segment" in case.results:
        ours["segment"] = metric.score_rows(found, "segment").tolist()
    if "segment_no_effective_order" in case.results:
        never = dataclasses.replace(metric, eff="never")
        ours["segment_no_effective_order"] = never.score_rows(found, "segment").tolist()
    assert_equal(ours, case)


def test_number_of_values(shared: Path) -> None:
    assert len(CASES) == 356
    assert sum(case.number_of_values() for case in CASES) == 98376


NLTK = json.loads((SHARED / "golden" / "rouge_nltk.json").read_text("utf-8"))["sets"] if present() else {}
NLTK_RUNS = [(dataset, system) for dataset, systems in NLTK.items() for system in systems]


@pytest.mark.parametrize(("dataset", "system"), NLTK_RUNS or [(None, None)])
def test_nltk(shared: Path, dataset: str, system: str) -> None:
    hypotheses, references = files(dataset, system, tokenized=True)
    texts = read(hypotheses), [read(name) for name in references]
    found = tt.metric("bleu:like=nltk,tok=none").score(*texts)
    assert found / 100 == pytest.approx(NLTK[dataset][system]["nltk_bleu"], abs=1e-9)


@pytest.mark.filterwarnings("ignore:\\nThe hypothesis contains 0 counts")
@pytest.mark.parametrize("method", range(5))
@pytest.mark.parametrize("order", [1, 2, 4, 5])
def test_nltk_on_text_at_random(method: int, order: int) -> None:
    """Corpus and sentences, many of them too short for four-grams, and some empty."""
    nltk = pytest.importorskip("nltk.translate.bleu_score")
    rng = random.Random(10 * method + order)

    def line() -> str:
        return " ".join(rng.choice("abcdefg") for _ in range(rng.choice([0, 1, 2, 3, 5, 12])))

    smoothing = getattr(nltk.SmoothingFunction(), f"method{method}")
    weights = (1 / order,) * order
    metric = tt.metric(f"bleu:like=nltk,tok=none,order={order},method={method}")
    for _ in range(40):
        hypotheses = [line() for _ in range(rng.randint(1, 6))]
        streams = [[line() for _ in hypotheses] for _ in range(rng.randint(1, 3))]
        listed = [[text.split() for text in texts] for texts in zip(*streams, strict=True)]
        words = [text.split() for text in hypotheses]
        rows = metric.statistics(hypotheses, streams)
        whole = nltk.corpus_bleu(listed, words, weights, smoothing)
        assert metric.score_total(rows) == pytest.approx(100 * whole, abs=1e-9)
        single = [nltk.sentence_bleu(r, h, weights, smoothing) for r, h in zip(listed, words, strict=True)]
        assert metric.score_rows(rows, "segment").tolist() == pytest.approx(
            [100 * s for s in single], abs=1e-9
        )


def test_nltk_has_its_own_smoothing() -> None:
    for spec, message in (
        ("bleu:like=nltk,smooth=floor", "chosen by method"),
        ("bleu:method=1", "method is nltk's"),
        ("bleu:like=nltk,method=5", "method must be from 0 to 4"),
    ):
        with pytest.raises(tt.TertiumError, match=message):
            tt.metric(spec)
    metric = tt.metric("bleu:like=nltk,method=3,order=2,lc=yes")
    assert tt.metric(str(metric)) == metric
    assert "smooth:method3|order:2|like:nltk" in metric.signature(1)
