"""How often tests reject true nulls and intervals hold with few segments, documents or runs.

    python -m tools.simulate_few            # prints the tables
    python -m tools.simulate_few --page     # make simulate: writes them into docs/evidence/tests.md
    python -m tools.simulate_few --choose   # from how many units intervals hold (Metric.fewest_for_interval)

A null is true by construction: outputs of two real systems change sides by a coin for each unit. An interval should
hold the mean score of test sets of its size. Both are asked of the functions that commands call.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import tertium as tt
from tertium.comparison.buckets import score_buckets
from tertium.comparison.confidence import confidence_interval
from tertium.comparison.groupings import by_labels
from tertium.comparison.significance import ResamplingPlan, pair_tests
from tertium.families.base import Metric
from tertium.io.files import write_atomically
from tertium.measuring import measure
from tertium.statistics import Statistics
from tertium.stats.pvalues import resample_interval
from tertium.stats.resampling import SEED, Draws
from tertium.stats.subsampling import around, subset_size
from tests.conftest import registered
from tools.simulate import ALL, DOCUMENTS, ROOT, Texts, expected, page_with

PAGE = ROOT / "docs" / "evidence" / "tests.md"
SPECS = ("bleu", "chrf", "ter", "macrof", "meteor:modules=exact+stem")
UNITS = (5, 10, 20, 40, 200)
NULLS, SETS = 2_000, 50  # nulls, and the test sets they are made of
ALPHA, RESAMPLES = 0.05, 199
TEXTS = Texts("en-cs", "online-A", "online-B")  # weak systems, whose scores are skewed: harder than de-en
PAIRS = (TEXTS, Texts("de-en", "KIT", "RWTH-nmt-ensemble"))
OF_BUCKETS = 999  # of 20 buckets p after Holm is then .02 at least: with fewer none could be significant
HOLDS = 0.93


def most(times: int = NULLS) -> float:
    """The largest rate of rejections that chance allows (99.9%) where 5% are right."""
    return expected(ALPHA, times, 0.998)[1] / times


def nulls(
    first: Statistics, second: Statistics, n: int, times: int
) -> Iterator[tuple[Statistics, Statistics]]:
    """Pairs of systems without a true difference: n units whose outputs change sides by coins."""
    rng = np.random.default_rng(SEED + n)
    for i in range(SETS):
        chosen = rng.choice(len(first), n, replace=False)
        both = first.take(chosen).concat(second.take(chosen))
        here = range(i * times // SETS, (i + 1) * times // SETS)
        for swap in rng.integers(2, size=(len(here), n)):
            places = np.arange(n)
            yield both.take(places + n * swap), both.take(places + n * (1 - swap))


def rejected(
    metric: Metric, rows: tuple[Statistics, Statistics], n: int, times: int = NULLS, **how: Any
) -> float:
    """The share of true nulls that are rejected at 5%."""
    found = 0
    for i, (first, second) in enumerate(nulls(*rows, n, times)):
        # A seed for each null: under the same few swaps for all, the rate is that of these swaps, not of the test.
        settings = {"resamples": RESAMPLES, "intervals": 0, "seed": i} | how
        [pair] = pair_tests({"a": first, "b": second}, metric, **settings).pairs
        found += pair.p is not None and pair.p <= ALPHA
    return found / times


def held(
    metric: Metric, rows: Statistics, n: int, times: int = 1_000, *, whatever: bool = False
) -> float | None:
    """The share of 95% intervals that hold the mean score of test sets of this size; None where there are none.

    `whatever`: also where the metric says that there are too few units.
    """
    rng = np.random.default_rng(SEED)
    sets = [rows.take(rng.choice(len(rows), n, replace=False)) for _ in range(times)]
    scores = [metric.score_total(one) for one in sets]
    known = [score for score in scores if score is not None]
    truth, found = sum(known) / len(known), 0
    for i, (one, score) in enumerate(zip(sets, scores, strict=True)):
        interval = (
            _interval(metric, one, score, i)
            if whatever
            else confidence_interval(one, metric, resamples=400, seed=i)
        )
        if interval.low is None and not whatever:
            return None
        found += interval.low is not None and interval.low <= truth <= (interval.high or 0.0)
    return found / times


def _interval(metric: Metric, rows: Statistics, score: float | None, seed: int) -> Any:
    n = len(rows)
    if rows.bootstrappable:
        [counts] = Draws(seed).counts(n, 400)
        return resample_interval(metric.score_weighted(rows, counts), score, n)
    [taken] = Draws(seed).subsets(n, subset_size(n), 400)
    return resample_interval(around(score, metric.score_weighted(rows, taken), n), score, n, bootstrap=False)


def buckets_alarmed(metric: Metric, texts: Texts, *, documents: int, size: int, times: int) -> float:
    """The share of null comparisons of some documents in which any is called significantly different."""
    n, found = documents * size, 0
    rows = texts.rows(metric, ALL)
    testset = tt.TestSet.of(
        texts.references[:n], {"a": texts.outputs(texts.first)[:n], "b": texts.outputs(texts.second)[:n]}
    )
    labels = [str(i // size) for i in range(n)]
    for i, (first, second) in enumerate(nulls(*rows, n, times)):
        measured = measure(testset, metric)
        measured = type(measured)(
            **{**vars(measured), "rows": {("a", metric): first, ("b", metric): second}, "_known": {}}
        )
        buckets = score_buckets(
            measured, by_labels("document", labels), test=ResamplingPlan(resamples=OF_BUCKETS, seed=i)
        )
        found += any(
            p is not None and p <= ALPHA for bucket in buckets.buckets for p in bucket.p_holm.values()
        )
    return found / times


def runs_rejected(
    metric: Metric, rows: tuple[Statistics, Statistics], n: int, runs: int, times: int
) -> float:
    """As `rejected`, of two systems with several runs that differ from each other in a fifth of their segments."""
    rng, found = np.random.default_rng(SEED), 0
    for i, (first, second) in enumerate(nulls(*rows, n, times)):
        both = first.concat(second)
        sides = []
        for base in (0, n):
            swaps = rng.random((runs, n)) < 0.1
            places = np.arange(n)
            sides.append([both.take(np.where(swap, (places + n - base), places + base)) for swap in swaps])
        [pair] = pair_tests(
            {"a": sides[0], "b": sides[1]}, metric, resamples=RESAMPLES, intervals=0, seed=i
        ).pairs
        found += pair.p is not None and pair.p <= ALPHA
    return found / times


def rate_table(specs: Sequence[str], times: int = NULLS) -> Iterator[str]:
    """Rejected nulls by metric and number of segments, by the usual test, the bootstrap and sacrebleu's bootstrap."""
    yield "| metric | test | " + " | ".join(f"n = {n}" for n in UNITS) + " |"
    yield "|---|---|" + "---|" * len(UNITS)
    ways = {
        "usual": {},
        "bootstrap": {"method": "bootstrap"},
        "as sacrebleu's bootstrap": {"like": "sacrebleu", "method": "bootstrap"},
    }
    with tempfile.TemporaryDirectory() as folder:
        supply = TEXTS.supply(Path(folder))
        for spec in specs:
            metric = supply(tt.metric(spec))
            rows = TEXTS.rows(metric, ALL)
            for name, how in ways.items():
                rates = [rejected(metric, rows, n, times, **how) for n in UNITS]
                cells = [_cell(rate, times) for rate in rates]
                yield f"| `{spec}` | {name} | {' | '.join(cells)} |"


def _cell(rate: float, times: int) -> str:
    return f"{100 * rate:.1f}%" + (" !" if rate > most(times) else "")


def bucket_table(times: int = 500) -> Iterator[str]:
    """Null comparisons with any significant bucket, and rejected nulls of systems with several runs."""
    yield "| metric | what | n | rejected |"
    yield "|---|---|---|---|"
    for spec in ("bleu", "chrf", "ter", "macrof"):
        metric = tt.metric(spec)
        for documents, size in ((20, 10), (20, 30)):
            rate = buckets_alarmed(metric, TEXTS, documents=documents, size=size, times=times)
            yield f"| `{spec}` | any bucket of 20 documents | {size} segments each | {_cell(rate, times)} |"
        for n, runs in ((20, 4), (40, 5), (200, 5)):
            rate = runs_rejected(metric, TEXTS.rows(metric, ALL), n, runs, times)
            units = f"{n} segments, {runs} against {runs} runs"
            yield f"| `{spec}` | systems with several runs | {units} | {_cell(rate, times)} |"


def interval_table(specs: Sequence[str], times: int = 1_000, *, whatever: bool = False) -> Iterator[str]:
    """Intervals that hold, by metric and number of segments: the smaller rate of two language pairs."""
    yield "| metric | " + " | ".join(f"n = {n}" for n in UNITS) + " |"
    yield "|---|" + "---|" * len(UNITS)
    with tempfile.TemporaryDirectory() as folder:
        supplies = [
            texts.supply(Path(folder, texts.pair)) for texts in PAIRS if not Path(folder, texts.pair).mkdir()
        ]
        for spec in specs:
            cells = []
            rows = []
            for texts, supply in zip(PAIRS, supplies, strict=True):
                metric = supply(tt.metric(spec))
                rows.append((metric, texts.rows(metric, ALL)[0]))
            for n in UNITS:
                rates = [held(metric, one, n, times, whatever=whatever) for metric, one in rows]
                known = [rate for rate in rates if rate is not None]
                cells.append(f"{100 * min(known):.1f}%" if known else "none")
            yield f"| `{spec}` | {' | '.join(cells)} |"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("metrics", nargs="*", help="metrics (five)")
    parser.add_argument("--page", action="store_true", help=f"write the tables of {PAGE.name}")
    parser.add_argument(
        "--choose", action="store_true", help="intervals of all metrics whatever their number of units"
    )
    parser.add_argument("--only", help="this table only: few, few intervals, buckets")
    given = parser.parse_args(arguments)
    if given.choose:
        known = [
            spec for spec in registered() if tt.metric(spec).name not in (*DOCUMENTS, "llm", "doc:coref")
        ]
        for line in interval_table(given.metrics or known, whatever=True):
            print(line, flush=True)
        return
    specs = given.metrics or SPECS
    tables = {"few": rate_table(specs), "few intervals": interval_table(specs), "buckets": bucket_table()}
    tables = {name: lines for name, lines in tables.items() if given.only in (None, name)}
    page = PAGE.read_text(encoding="utf-8") if given.page else ""
    for name, lines in tables.items():
        kept = []
        for line in lines:
            print(line, flush=True)
            kept.append(line)
        page = page_with(page, name, kept) if given.page else ""
    if given.page:
        with write_atomically(str(PAGE)) as file:
            file.write(page)


if __name__ == "__main__":
    main()
