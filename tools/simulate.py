"""How often tests reject true nulls, and how often intervals hold what they should, by every metric.

    python -m tools.simulate [METRIC...]    # prints a line for each
    python -m tools.simulate --intervals    # kinds of intervals for metrics that count types, beside each other
    python -m tools.simulate --page         # make simulate: all of them, and the intervals, into docs/significance.md

The null is true by construction: outputs of two real systems change sides segment by segment, each by a coin. An
interval should hold the mean score of test sets of its size: segments drawn without replacement from a large set.
"""

from __future__ import annotations

import argparse
import gzip
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import exp, lgamma, log
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np

import tertium as tt
from tertium.comparison.confidence import confidence_interval
from tertium.comparison.significance import METHODS, ResamplingPlan
from tertium.families.base import Metric
from tertium.io.files import write_atomically
from tertium.statistics import Statistics
from tertium.stats.pvalues import bootstrap_p, randomisation_p
from tertium.stats.resampling import SEED, Draws
from tests.conftest import registered
from tests.vectors import Supply

ROOT = Path(__file__).resolve().parent.parent
WMT17 = ROOT.parent / "shared" / "data" / "wmt17"
PAGE = ROOT / "docs" / "significance.md"

FURTHER = ("macrof:order=2", "outside:aggregate=median")  # types are n-grams; a median
ALPHA, LEVEL = 0.05, 0.999
TIMES = 1_000  # nulls, and test sets
SEGMENTS, ALL = 200, 2_000  # of a test set, and of what it is drawn from
# What these look for hardly occurs in a single sentence: lines of a document, and documents of a test set.
DOCUMENTS = {"doc:terms": (5, 120), "doc:pronouns": (5, 120)}
OF_EACH = 1_000  # resamples where kinds of intervals are compared
RESAMPLES = 199  # (1 + 199) * 0.05 is whole: randomisation then rejects 5% exactly


def expected(rate: float, times: int = TIMES, level: float = LEVEL) -> tuple[int, int]:
    """The numbers that a binomial count lies between with probability `level`.

    >>> expected(0.05)
    (29, 74)
    """
    tail, chances = (1 - level) / 2, []
    for k in range(times + 1):
        ways = lgamma(times + 1) - lgamma(k + 1) - lgamma(times - k + 1)
        chances.append(exp(ways + k * log(rate) + (times - k) * log(1 - rate)))
    reached = np.cumsum(chances)
    return int(np.searchsorted(reached, tail)), int(np.searchsorted(reached, 1 - tail))


@dataclass(frozen=True)
class Texts:
    """A language pair of WMT17: outputs of two systems."""

    pair: str
    first: str
    second: str

    @property
    def references(self) -> list[str]:
        source, target = self.pair.split("-")
        return _lines(WMT17 / "references" / f"newstest2017-{source}{target}-ref.{target}.gz")

    @property
    def sources(self) -> list[str]:
        source, target = self.pair.split("-")
        return _lines(WMT17 / "sources" / f"newstest2017-{source}{target}-src.{source}.gz")

    def outputs(self, system: str) -> list[str]:
        [path] = (WMT17 / "system-outputs" / self.pair).glob(f"newstest2017.{system}.*")
        return _lines(path)

    def rows(self, metric: Metric, n: int | None = None) -> tuple[Statistics, Statistics]:
        """Of both systems, of the first `n` segments (of all where documents are made of them)."""
        lines, _ = DOCUMENTS.get(metric.name, (1, 0))
        n = n if lines == 1 else None
        sources = _joined(self.sources[:n], lines) if metric.needs_source else None
        prepared = metric.prepare(_joined(self.references[:n], lines))
        first, second = (
            metric.statistics(_joined(self.outputs(name)[:n], lines), prepared, sources=sources)
            for name in (self.first, self.second)
        )
        return first, second

    def supply(self, folder: Path) -> Supply:
        """Made-up vectors for two thirds of the words, and made-up parses."""
        texts = [*self.references[:ALL], *self.outputs(self.first)[:ALL], *self.outputs(self.second)[:ALL]]
        return Supply(folder, texts, self.sources[:ALL])


TEXTS = Texts("de-en", "KIT", "RWTH-nmt-ensemble")


def _lines(path: Path) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return file.read().splitlines()


def _joined(lines: list[str], number: int) -> list[str]:
    """Documents of so many lines."""
    whole = len(lines) - len(lines) % number
    return [" ".join(lines[i : i + number]) for i in range(0, whole, number)]


def false_alarms(
    metric: Metric, first: Any, second: Any, method: str | None = None, times: int = TIMES
) -> int:
    """In how many true nulls the test rejects at 5%."""
    chosen = ResamplingPlan(method=method).chosen_method(first)
    n = len(first)
    [coins] = Draws(SEED).swaps(n, times)
    observed = np.subtract(*reversed(metric.score_swapped(first, second, coins)))
    found = _randomised if chosen == "randomisation" else _bootstrapped
    return sum(p <= ALPHA for p in found(metric, first, second, coins, observed))


def _randomised(metric: Metric, first: Any, second: Any, coins: Any, observed: Any) -> Iterator[float]:
    """A swap of swapped systems is a swap of the systems, so that all nulls are scored at once."""
    width = coins.shape[1]
    masks = np.concatenate(list(Draws(SEED + 1).swaps(len(first), len(coins) * RESAMPLES)))
    own = masks.reshape(len(coins), RESAMPLES, width) ^ coins[:, None, :]
    sides = metric.score_swapped(first, second, own.reshape(-1, width))
    for ours, theirs, difference in zip(
        *(side.reshape(len(coins), -1) for side in sides), observed, strict=True
    ):
        yield randomisation_p(ours, theirs, difference)


def _bootstrapped(metric: Metric, first: Any, second: Any, coins: Any, observed: Any) -> Iterator[float]:
    n, both = len(first), first.concat(second)
    swapped = np.unpackbits(coins, axis=1, count=n, bitorder="little").astype(np.int64) * n
    for i, difference in enumerate(observed):
        [counts] = Draws(i).counts(n, RESAMPLES)
        places = np.arange(n)
        ours, theirs = both.take(places + swapped[i]), both.take(places + n - swapped[i])
        scores = (metric.score_weighted(rows, counts) for rows in (ours, theirs))
        yield bootstrap_p(*scores, difference)


def held(metric: Metric, rows: Statistics, times: int = TIMES, size: int = SEGMENTS) -> int:
    """How many intervals of test sets of this size hold the mean score of such sets."""
    rng = np.random.default_rng(SEED)
    sets = [rows.take(rng.choice(len(rows), size, replace=False)) for _ in range(times)]
    scores = [metric.score_total(own) for own in sets]
    truth = sum(score for score in scores if score is not None) / times
    found = 0
    for i, own in enumerate(sets):
        interval = confidence_interval(own, metric, resamples=RESAMPLES, seed=i)
        found += interval.low is not None and interval.low <= truth <= (interval.high or 0)
    return found


@dataclass(frozen=True)
class Simulated:
    """What came of one metric."""

    spec: str
    method: str
    alarms: int
    held: int
    seconds: float

    @property
    def as_expected(self) -> bool:
        """Whether both counts lie where chance puts 99.9% of them."""
        low, high = expected(ALPHA)
        enough, most = expected(1 - ALPHA)
        return low <= self.alarms <= high and enough <= self.held <= most


def simulate(spec: str, supply: Supply, method: str | None = None, texts: Texts = TEXTS) -> Simulated:
    """Nulls of the first segments, test sets from all of them."""
    start, metric = time.process_time(), supply(tt.metric(spec))
    if metric.name in DOCUMENTS:
        metric = replace(metric, source_lang="de")  # type: ignore[call-arg]
    _, size = DOCUMENTS.get(metric.name, (1, SEGMENTS))
    whole, other = texts.rows(metric, ALL)
    first, second = (rows.take(range(SEGMENTS)) for rows in (whole, other))
    chosen = ResamplingPlan(method=method).chosen_method(first)
    counts = false_alarms(metric, first, second, method), held(metric, whole, size=size)
    return Simulated(spec, chosen, *counts, time.process_time() - start)


SUBSETS = {"halves": 1 / 2, "three quarters": 3 / 4, "nine tenths": 9 / 10}
COMPARED = [
    (spec + option, texts)
    for spec in ("macrof", "microf")
    for option, *texts in (
        ("", ("ru-en", "online-B"), ("zh-en", "online-B")),
        ("", ("en-ru", "uedin-nmt")),
        (":tok=zh", ("en-zh", "online-A")),
    )
]


def kinds_of_intervals(metric: Metric, rows: Statistics, seed: int) -> Iterator[tuple[str, float, Any]]:
    """Of one test set: the name of a kind, its standard error, its 95% interval.

    Percentile, basic and bias-corrected bootstrap (Efron and Tibshirani 1993), subsets (Politis and Romano 1994), and
    the jackknife (Quenouille 1956) with normal quantiles.
    """
    n, score, draws = len(rows), metric.score_total(rows) or 0.0, Draws(seed)
    tails, normal = np.array([ALPHA / 2, 1 - ALPHA / 2]), NormalDist()
    [counts] = draws.counts(n, OF_EACH)
    scores = metric.score_weighted(rows, counts)
    spread, ends = float(scores.std(ddof=1)), np.quantile(scores, tails)
    yield "percentile", spread, ends
    yield "basic", spread, 2 * score - ends[::-1]
    below = min(max(float((scores < score).mean()), 0.5 / OF_EACH), 1 - 0.5 / OF_EACH)
    moved = [normal.cdf(2 * normal.inv_cdf(below) + normal.inv_cdf(tail)) for tail in tails]
    yield "bias-corrected", spread, np.quantile(scores, moved)
    for name, share in SUBSETS.items():
        m = round(share * n)
        [taken] = draws.subsets(n, m, OF_EACH)
        scores = metric.score_weighted(rows, taken)
        varied = score + (scores - scores.mean()) * np.sqrt(m / (n - m))
        yield name, float(varied.std(ddof=1)), np.quantile(varied, tails)
    without = metric.score_rows(rows.without_each(), "corpus")
    spread = float(np.sqrt((n - 1) * np.var(without)))
    yield "jackknife", spread, score + spread * np.array([normal.inv_cdf(tail) for tail in tails])


def compared_intervals(times: int = 300) -> Iterator[str]:
    """The table of kinds: how many hold the mean score, and their standard errors over the true one."""
    head: list[str] = []
    for spec, texts in COMPARED:
        metric = tt.metric(spec)
        parts = [Texts(pair, system, system).rows(metric)[0] for pair, system in texts]
        rows = parts[0].concat(parts[1]) if len(parts) > 1 else parts[0]
        rng = np.random.default_rng(SEED)
        sets = [rows.take(rng.choice(len(rows), SEGMENTS, replace=False)) for _ in range(times)]
        scores = np.array([metric.score_total(own) for own in sets])
        held: dict[str, int] = {}
        errors: dict[str, float] = {}
        for i, own in enumerate(sets):
            for kind, spread, (low, high) in kinds_of_intervals(metric, own, i):
                held[kind] = held.get(kind, 0) + int(low <= scores.mean() <= high)
                errors[kind] = errors.get(kind, 0.0) + spread / times / float(scores.std(ddof=1))
        if not head:
            named = {"percentile": "bootstrap", "halves": "", "three quarters": "", "jackknife": ""}
            head = ["metric", "texts", *held, *(f"s.e.: {named[kind] or kind}" for kind in named)]
            yield from (f"| {' | '.join(head)} |", "|---" * len(head) + "|")
        label = ", ".join(f"{pair} ({system})" for pair, system in texts)
        rates = [f"{number / times:.1%}" for number in held.values()]
        yield f"| {' | '.join([f'`{spec}`', label, *rates, *(f'{errors[kind]:.2f}' for kind in named)])} |"


def page_with(page: str, name: str, rows: Sequence[str]) -> str:
    """The page with these rows as the table of this name."""
    begin, end = (f"<!-- {name}: {side} -->" for side in ("begin", "end"))
    head, rest = page.split(begin)
    return "\n".join([head + begin, *rows, end + rest.split(end)[1]])


def table_of(found: Sequence[Simulated]) -> list[str]:
    """The rows of the table of rates."""
    rows = ["| metric | test | true nulls rejected at 5% | intervals that hold |", "|---|---|---|---|"]
    for one in found:
        rates = f"{100 * one.alarms / TIMES:.1f}% | {100 * one.held / TIMES:.1f}%"
        rows.append(f"| `{one.spec}` | {one.method} | {rates} |")
    return rows


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("metrics", nargs="*", help="metrics (all)")
    parser.add_argument("--method", choices=METHODS, help="this test instead of each metric's own")
    parser.add_argument("--page", action="store_true", help="write the tables of docs/significance.md")
    parser.add_argument(
        "--intervals", action="store_true", help="kinds of intervals beside each other, and no rates"
    )
    given = parser.parse_args(arguments)
    page, kinds = PAGE.read_text(encoding="utf-8"), []
    if given.intervals or given.page:
        for line in compared_intervals():
            print(line, flush=True)
            kinds.append(line)
        page = page_with(page, "intervals", kinds)
    found: list[Simulated] = []
    with tempfile.TemporaryDirectory() as folder:
        supply = TEXTS.supply(Path(folder))
        for spec in [] if given.intervals else given.metrics or [*registered(), *FURTHER]:
            found.append(one := simulate(spec, supply, given.method))
            rates = f"{one.alarms / TIMES:7.1%}{one.held / TIMES:7.1%}{one.seconds:8.1f} s"
            print(f"{spec:<32}{one.method:<16}{rates}{'' if one.as_expected else '  !'}", flush=True)
    if given.page:
        with write_atomically(str(PAGE)) as file:
            file.write(page if given.intervals else page_with(page, "simulated", table_of(found)))
    if not all(one.as_expected for one in found):
        raise SystemExit("some rates (!) lie outside the 99.9% binomial interval")


if __name__ == "__main__":
    main()
