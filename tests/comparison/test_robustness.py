"""Drop and consistency under noise: against scores computed apart, and on outputs where the answer is known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

import tertium as tt
from tertium.comparison.confidence import confidence_interval
from tertium.comparison.robustness import Robustness, measure_robustness
from tertium.errors import InputError, SpecError
from tertium.stats.resampling import Draws

SAMPLE = tt.TestSet.sample()
TEXTS = {name: [lines[n] or "" for n in range(len(SAMPLE))] for name, lines in SAMPLE.systems.items()}
CLEAN = tt.TestSet.of(SAMPLE.references, {name: TEXTS[name] for name in ("strong", "smooth")})
NOISY = {
    "some": {"strong": [t.replace("the", "teh") for t in TEXTS["strong"]], "smooth": TEXTS["smooth"]},
    "much": {name: [t[: len(t) // 2] for t in TEXTS[name]] for name in ("strong", "smooth")},
}


def value(texts: list[str], references: Any, spec: str) -> float:
    found = tt.score(texts, references, spec)[spec].value
    assert found is not None
    return found


def of(found: Robustness, label: str, noise: str, system: str):  # type: ignore[no-untyped-def]
    return next(own for own in found.drops if (own.metric, own.noise, own.system) == (label, noise, system))


def test_scores_are_those_of_the_metrics() -> None:
    found = measure_robustness(CLEAN, NOISY, ["chrf", "ter"], resamples=50)
    assert len(found.drops) == 8
    for spec, label, sign in (("chrf", "chrF2", 1), ("ter", "TER", -1)):
        own = of(found, label, "much", "strong")
        clean = value(TEXTS["strong"], SAMPLE.references, spec)
        noisy = value(NOISY["much"]["strong"], SAMPLE.references, spec)
        assert (own.clean, own.noisy) == (pytest.approx(clean), pytest.approx(noisy))
        assert own.drop == pytest.approx(sign * (clean - noisy))
        assert own.drop > 0
        assert own.drop_low < own.drop < own.drop_high
        assert own.consistency == pytest.approx(value(NOISY["much"]["strong"], TEXTS["strong"], spec))


def test_nothing_changes_nothing() -> None:
    own = of(measure_robustness(CLEAN, NOISY, ["chrf"], resamples=50), "chrF2", "some", "smooth")
    assert (own.drop, own.drop_low, own.drop_high, own.consistency, own.same) == (0, 0, 0, 100, 1)
    assert own.p == 1
    assert own.same_interval[1] == 1


def test_intervals_are_those_of_paired_resamples() -> None:
    """The same draws for both: written down a second time."""
    metric = tt.metric("chrf")
    found = measure_robustness(CLEAN, NOISY, [metric], resamples=30, seed=7)
    own = of(found, "chrF2", "some", "strong")
    references = [[stream[n] or "" for n in range(len(SAMPLE))] for stream in SAMPLE.references.streams]
    differences = []
    for counts in np.concatenate(list(Draws(7).counts(len(SAMPLE), 30))):
        drawn = np.repeat(np.arange(len(SAMPLE)), counts)
        streams = [[stream[n] for n in drawn] for stream in references]
        first, second = (
            value([texts[n] for n in drawn], streams, "chrf")
            for texts in (TEXTS["strong"], NOISY["some"]["strong"])
        )
        differences.append(first - second)
    n = len(SAMPLE)
    half = stats.t.ppf(0.975, n - 1) * np.std(differences, ddof=1) * np.sqrt(n / (n - 1))
    assert (own.drop_low, own.drop_high) == (pytest.approx(own.drop - half), pytest.approx(own.drop + half))
    alike = metric.statistics(NOISY["some"]["strong"], [TEXTS["strong"]])
    interval = confidence_interval(alike, metric, resamples=30, seed=7)
    assert (own.consistency_low, own.consistency_high) == (interval.low, interval.high)


def test_who_loses_most() -> None:
    found = measure_robustness(CLEAN, NOISY, ["chrf", "bleu"], resamples=100)
    spread = next(own for own in found.spreads if (own.metric, own.noise) == ("chrF2", "some"))
    assert (spread.least, spread.most) == ("smooth", "strong")
    assert spread.low > 0
    first, second = found.words()
    assert first.startswith("Under some, smooth loses least (0.00 chrF2), strong most (")
    assert "Under much" in second
    assert [own.p_holm is not None and own.p is not None and own.p_holm >= own.p for own in found.drops] == [
        True
    ] * 8
    assert {"noisy", "clean", "p_holm"} <= set(found.records()[0])


def test_documents_and_metrics_of_types() -> None:
    found = measure_robustness(
        SAMPLE, {"half": {n: [x[:20] for x in t] for n, t in TEXTS.items()}}, ["macrof1"]
    )
    assert found.units == "documents"
    assert all(own.drop is not None and own.drop > 0 for own in found.drops)


def test_refused() -> None:
    with pytest.raises(InputError, match="no output of 'smooth' under 'x'"):
        measure_robustness(CLEAN, {"x": {"strong": TEXTS["strong"]}})
    with pytest.raises(InputError, match="no outputs for noisy sources"):
        measure_robustness(CLEAN, {})
    with pytest.raises(InputError, match="'strong under x' has 2"):
        measure_robustness(CLEAN, {"x": {"strong": ["a", "b"], "smooth": ["a", "b"]}})
    with pytest.raises(SpecError, match="at least one resample"):
        measure_robustness(CLEAN, NOISY, resamples=0)
