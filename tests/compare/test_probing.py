"""The bias probe: what a metric prefers, tested over texts; by hand, by scipy, and with bad input."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tertium.compare import probe_bias
from tertium.compare.probing import _p
from tertium.errors import InputError
from tertium.metrics.outside import PythonFunction

TEXTS = [
    f"{{}} {rest}" for rest in ("must be a doctor.", "is here.", "came late.", "will win.", "left.", "sings.")
]
REFERENCES = [text.replace("{}", "You") for text in TEXTS]


def biased(items: list[Any]) -> list[float]:
    """Likes 'He' better, by a little that depends on the text."""
    return [
        1.0 + len(i["hypothesis"]) / 100 + (0.5 if i["hypothesis"].startswith("He ") else 0.0) for i in items
    ]


def test_a_metric_without_bias_prefers_nothing() -> None:
    """One word is as wrong as the other for BLEU: table 1 of the paper."""
    found = probe_bias(TEXTS, ["He", "She", "Joe", "Sue"], REFERENCES, ["bleu", "wer"])
    for own in found.metrics:
        assert own.spread == pytest.approx(0, abs=1e-12)
        assert [one.p_holm for one in own.alternatives] == [None, 1.0, 1.0, 1.0]


def test_a_bias_is_found() -> None:
    metric = PythonFunction.of(biased, called="biased")
    found = probe_bias(TEXTS * 3, ["Joe", "He", "Sue"], REFERENCES * 3, [metric])
    (own,) = found.metrics
    assert own.preferred == "He"
    assert own.spread == pytest.approx(0.5 - 0.01, abs=1e-9)
    assert own.alternatives[0].p is None
    assert all(one.p is not None and one.p < 0.001 for one in own.alternatives[1:])
    assert own.alternatives[1].p_holm == pytest.approx(2 * (own.alternatives[1].p or 0))
    shown = found.table().text(terminal=False)
    assert "He" in shown
    assert "18 texts, 10000 trials, seed 12345" in shown
    data = found.data()
    assert data["metrics"][str(metric)]["alternatives"][0]["filling"] == "He"


def test_lower_may_be_better() -> None:
    found = probe_bias(TEXTS, ["He", "Somebody else"], REFERENCES, ["ter"])
    (own,) = found.metrics
    assert own.preferred == "He"
    assert (own.alternatives[0].score or 0) < (own.alternatives[1].score or 0)
    assert (own.alternatives[1].behind or 0) > 0


def test_one_text_is_not_tested() -> None:
    found = probe_bias(TEXTS[:1], ["He", "She"], REFERENCES[:1], ["chrf"])
    assert [one.p for one in found.metrics[0].alternatives] == [None, None]
    assert "not tested" in found.table().text(terminal=False)


def test_p_is_that_of_scipys_permutation_test() -> None:
    from scipy.stats import permutation_test

    draw = np.random.default_rng(6)
    first, second = draw.normal(size=12), draw.normal(size=12) + 0.6
    ours = _p(first, second, 20_000, 3)
    theirs = permutation_test(
        (first, second),
        lambda a, b, axis: np.mean(b - a, axis=axis),
        permutation_type="samples",
        vectorized=True,
    )
    assert ours == pytest.approx(theirs.pvalue, abs=0.01)
    assert _p(first, second, 20_000, 3) == ours


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"texts": []}, "there is no text with a slot"),
        ({"texts": ["no slot"], "references": ["r"]}, r"text 1 has 0 slots '\{\}', it needs one: 'no slot'"),
        ({"texts": ["{} and {}"], "references": ["r"]}, "text 1 has 2 slots"),
        ({"fillings": ["He"]}, "two different fillings or more"),
        ({"fillings": ["He", "She", "He"]}, "a filling is given twice"),
        ({"references": ["r"]}, "there are 6 texts, but 1 references"),
        ({"sources": ["s"]}, "there are 6 texts, but 1 sources"),
        ({"slot": ""}, "the slot is empty"),
        ({"trials": 0}, "the number of trials must be at least 1"),
        ({"metrics": ["yisi2:vectors=a,source_vectors=b"]}, "yisi2 compares with the source text"),
    ],
)
def test_bad_input(change: dict[str, Any], message: str) -> None:
    given: dict[str, Any] = {"texts": TEXTS, "fillings": ["He", "She"], "references": REFERENCES} | change
    with pytest.raises(InputError, match=message):
        probe_bias(**given)
