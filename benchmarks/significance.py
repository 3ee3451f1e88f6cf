"""Significance tests on statistics that are there already, against sacrebleu's; then all pairs of many systems."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from typing import Any

import tertium as tt
from benchmarks.measure import Line, seconds
from benchmarks.texts import Corpus, systems_of
from tertium.comparison.significance import pair_tests
from tertium.statistics import Statistics

SPECS = ("bleu", "chrf", "chrf++", "ter", "macrof", "microf")


def degraded(text: Corpus, share: float, seed: int) -> list[str]:
    """A second system: the first with some of its words exchanged, so that tests have something to find."""
    rng = random.Random(seed)
    words = [word for line in text.references[:500] for word in line.split()]
    return [
        " ".join(rng.choice(words) if rng.random() < share else word for word in line.split())
        for line in text.hypotheses
    ]


def run(text: Corpus) -> Iterator[Line]:
    """BLEU, two systems: the tests alone on both sides, since both have the rows already."""
    from sacrebleu import significance as original
    from sacrebleu.metrics import BLEU

    metric, other = tt.metric("bleu"), degraded(text, 0.01, 1)
    rows = {
        "A": metric.statistics(text.hypotheses, text.references),
        "B": metric.statistics(other, text.references),
    }
    peer = BLEU(references=[text.references])
    first, second = (peer._extract_corpus_statistics(texts, None) for texts in (text.hypotheses, other))
    peer._extract_corpus_statistics = lambda *_: second  # type: ignore[method-assign]
    baseline = {"BLEU": (first, original.Result(peer._aggregate_and_compute(first).score))}

    def theirs(test: Callable[..., Any], number: int) -> Callable[[], float]:
        def call() -> float:
            _, results = test(baseline, "B", other, None, {"BLEU": peer}, number, -1, 12345)
            return float(results["BLEU"].p_value)

        return call

    def ours(method: str, like: str | None) -> Callable[[], float]:
        def call() -> float:
            found = pair_tests(rows, metric, baseline="A", method=method, like=like, intervals=0)
            assert found.pairs[0].p is not None
            return found.pairs[0].p

        return call

    bootstrap, randomisation = (
        theirs(original._paired_bs_test, 1000),
        theirs(original._paired_ar_test, 10000),
    )
    for name, mine, peers, exact, target in (
        ("paired bootstrap, 1,000", ours("bootstrap", "sacrebleu"), bootstrap, True, 20),
        ("paired bootstrap, our p-values", ours("bootstrap", None), bootstrap, False, 20),
        ("randomisation, 10,000", ours("randomisation", "sacrebleu"), randomisation, True, 35),
        ("randomisation, our p-values", ours("randomisation", None), randomisation, False, 150),
    ):
        p, expected = mine(), peers()
        if exact and p != expected:
            raise SystemExit(f"{name}: our p is {p}, sacrebleu's {expected}: no ratio for different numbers")
        yield Line(name, len(text), seconds(mine, 15), "sacrebleu", seconds(peers, 3), target)


def of_types(text: Corpus, trials: int = 200) -> Iterator[Line]:
    """Randomisation by MacroF1, beside numpy with a table of all segments and the types that change."""
    import numpy as np

    from tertium.stats.resampling import Draws

    metric, other = tt.metric("macrof"), degraded(text, 0.01, 1)
    first, second = (metric.statistics(texts, text.references) for texts in (text.hypotheses, other))
    [masks] = Draws(1).swaps(len(text), trials)
    coins = np.unpackbits(masks, axis=1, count=len(text), bitorder="little").astype(np.float64)
    starts, types, counts = first.concat(second).entries  # type: ignore[attr-defined]
    rows = np.repeat(np.arange(2 * len(text)), np.diff(starts))
    totals = np.zeros((types.max() + 1, 3))
    np.add.at(totals, types[rows < len(text)], counts[rows < len(text)])

    def numpys() -> Any:
        change = np.zeros((2, len(text), len(totals)))  # predicted and matched; references are the same
        sign = np.where(rows < len(text), -1.0, 1.0)
        for table, column in zip(change, (0, 2), strict=True):
            np.add.at(table, (rows % len(text), types), sign * counts[:, column])
        predicted, matched = (coins @ table + totals[:, c] for table, c in zip(change, (0, 2), strict=True))
        there = predicted + totals[:, 1]
        return (
            100
            * np.where(there > 0, 2 * matched / np.maximum(there, 1), 0).sum(axis=1)
            / (there > 0).sum(axis=1)
        )

    def ours() -> Any:
        return metric.score_swapped(first, second, masks)[0]

    if not np.allclose(ours(), numpys(), rtol=1e-12):
        raise SystemExit("MacroF1: numpy's scores of swapped systems differ: no ratio for different numbers")
    what = f"MacroF1 of {trials} swaps"
    yield Line(what, len(text), seconds(ours, 3), "numpy, one of the two", seconds(numpys, 1), 20)


def all_pairs(n_systems: int = 16, n_segments: int = 3000) -> Iterator[str]:
    """Seconds for all pairs of many systems by six metrics, texts already turned into rows."""
    name, outputs, references = systems_of(n_systems, n_segments)
    yield f"text: {name}, {len(outputs)} systems, {len(references)} segments, all pairs, one thread"
    total = 0.0
    for spec in SPECS:
        metric = tt.metric(spec)
        prepared = metric.prepare(references)
        rows: dict[str, Statistics] = {
            system: metric.statistics(texts, prepared) for system, texts in outputs.items()
        }
        start = time.process_time()
        found = pair_tests(rows, metric)
        taken = time.process_time() - start
        total += taken
        shown = f"{metric.label}, {len(found)} pairs, {found.resamples:,} resamples"
        yield f"{shown:<40}{taken:8.2f} s"
    yield f"{'all six':<40}{total:8.2f} s"
