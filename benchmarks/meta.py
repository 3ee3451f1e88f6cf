"""Meta-evaluation: correlations, Williams' matrix, hybrids, tie calibration and permutation tests, beside scipy and
plain numpy versions of what mt-metrics-eval publishes (our own, from the papers: PyPI's package of that name is a
stranger).

Numbers are compared before times are: no ratio for different numbers.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import numpy as np

import tertium as tt
from benchmarks import texts
from benchmarks.measure import Line, seconds
from benchmarks.texts import systems_of
from tertium.measuring import measure
from tertium.meta.hybrids import score_hybrids
from tertium.stats.accuracy import soft_pairwise_accuracies
from tertium.stats.calibration import calibrated_accuracy
from tertium.stats.grouping import Averaging, grouped
from tertium.stats.hybrids import draw_hybrids
from tertium.stats.kendall import tau_b
from tertium.stats.paired_statistics import MeanAccuracy, MeanTau
from tertium.stats.permutation import permutation_test
from tertium.stats.resampling import SEED
from tertium.stats.williams import williams_tests

METRICS = ("bleu", "chrf", "chrf++", "ter", "nist", "wer", "per", "character", "macrof1", "microf1")
HYBRIDS = 10_000


def same(what: str, ours: Any, theirs: Any, tolerance: float = 1e-9) -> None:
    if not np.allclose(ours, theirs, atol=tolerance, rtol=tolerance, equal_nan=True):
        raise SystemExit(f"{what}: the other version gives other numbers: no ratio for different numbers")


def line(
    what: str, n: int, ours: Callable[[], Any], peer: str, theirs: Callable[[], Any], repeats: int = 5
) -> Line:
    same(what, ours(), theirs())
    return Line(what, n, seconds(ours, repeats), peer, seconds(theirs, max(1, repeats // 3)))


# The other versions.


def scipy_williams(human: np.ndarray, metrics: np.ndarray) -> np.ndarray:
    """A test for each pair, one after the other."""
    from scipy import stats

    n, p = len(human), np.full((len(metrics), len(metrics)), np.nan)
    for i, first in enumerate(metrics):
        for j, second in enumerate(metrics):
            if i == j:
                continue
            r12, r13 = (abs(stats.pearsonr(human, m).statistic) for m in (first, second))
            signs = np.sign(np.corrcoef(human, first)[0, 1]) * np.sign(np.corrcoef(human, second)[0, 1])
            r23 = stats.pearsonr(first, second).statistic * signs
            k = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
            spread = np.sqrt(2 * k * (n - 1) / (n - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3)
            p[i, j] = stats.t.sf((r12 - r13) * np.sqrt((n - 1) * (1 + r23)) / spread, n - 3)
    return p


def numpy_hybrids(
    rows: list[np.ndarray], drawn: Any, score: Callable[[np.ndarray], np.ndarray]
) -> np.ndarray:
    """For each hybrid the rows of its segments, picked and summed."""
    totals = np.empty((len(drawn), rows[0].shape[1]), dtype=np.int64)
    for h in range(len(drawn)):
        take = np.unpackbits(drawn.masks[h], count=drawn.n_segments, bitorder="little").astype(bool)
        totals[h] = np.where(take[:, None], rows[drawn.second[h]], rows[drawn.first[h]]).sum(axis=0)
    return score(totals)


def numpy_calibration(human: np.ndarray, metric: np.ndarray) -> tuple[float, float]:
    """All pairs of all items at once, sorted by distance, right ones counted up to each threshold."""
    first, second = np.triu_indices(len(human), 1)
    gold, apart = np.sign(human[first] - human[second]), metric[first] - metric[second]
    right = (gold * np.sign(apart) > 0).ravel()
    change = (gold == 0).ravel().astype(float) - right
    distance = np.abs(apart).ravel()
    order = np.argsort(distance, kind="stable")
    values = right.sum() + np.cumsum(change[order])
    last = np.append(np.diff(distance[order]) > 0, True)
    best = int(np.argmax(np.where(last, values, -1.0)))
    if right.sum() >= values[best] and distance[order][0] > 0:
        return float(right.sum() / distance.size), 0.0
    return float(values[best] / distance.size), float(distance[order][best])


def numpy_shuffles(
    human: np.ndarray, first: np.ndarray, second: np.ndarray, masks: np.ndarray, statistic: str
) -> tuple[np.ndarray, np.ndarray]:
    """For each shuffle the signs of all pairs of all items anew; the signs of people are kept."""
    i, j = np.triu_indices(len(human), 1)
    gold = np.sign(human[i] - human[j])
    found: list[tuple[float, ...]] = []
    for mask in masks:
        values = []
        for a, b in ((first, second), (second, first)):
            own = np.where(mask, b, a)
            signs = np.sign(own[i] - own[j])
            if statistic == "accuracy":
                values.append(float((signs == gold).mean(axis=0).mean()))
            else:
                with np.errstate(invalid="ignore", divide="ignore"):
                    size = np.sqrt((gold != 0).sum(axis=0) * (signs != 0).sum(axis=0))
                    values.append(float(np.nanmean((gold * signs).sum(axis=0) / size)))
        found.append(tuple(values))
    return tuple(np.array(found).T)  # type: ignore[return-value]


def numpy_soft_accuracies(human: np.ndarray, metrics: list[np.ndarray], coins: np.ndarray) -> list[float]:
    """For people and each metric, for each pair of systems: the differences with the coins' signs, summed."""
    signs, pairs = 1.0 - 2.0 * coins, list(combinations(range(len(human)), 2))

    def shares(scores: np.ndarray) -> np.ndarray:
        found = []
        for i, j in pairs:
            apart = scores[i] - scores[j]
            found.append(1 + int((signs @ apart >= apart.sum() - 1e-9).sum()))
        return np.array(found) / (1 + len(signs))

    return [float(1 - np.abs(shares(human) - shares(metric)).mean()) for metric in metrics]


def numpy_pearson_shuffles(
    human: np.ndarray, first: np.ndarray, second: np.ndarray, masks: np.ndarray
) -> int:
    """Both correlations anew after each shuffle; how often the difference is as large as it was."""
    gold = human.ravel()
    a, b = ((scores.ravel() - scores.mean()) / scores.std() for scores in (first, second))
    edge = np.corrcoef(gold, a)[0, 1] - np.corrcoef(gold, b)[0, 1] - 1e-12
    exceeding = 0
    for mask in masks:
        ours, theirs = np.where(mask, b, a), np.where(mask, a, b)
        exceeding += np.corrcoef(gold, ours)[0, 1] - np.corrcoef(gold, theirs)[0, 1] >= edge
    return int(exceeding)


# What is measured.


def made(systems: int, items: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """People with ties, and two metrics, one a little better."""
    rng = np.random.default_rng(seed)
    human = np.round(rng.normal(size=(systems, items)) * 2)
    return human, human + 2.0 * rng.normal(size=human.shape), human + 2.2 * rng.normal(size=human.shape)


def run() -> Iterator[Line]:
    from scipy import stats

    human, first, second = made(16, 3000)
    x, y = human.ravel(), first.ravel()
    yield line(
        "tau-b with p", x.size, lambda: tau_b(x, y).value, "scipy", lambda: stats.kendalltau(x, y).statistic
    )

    rng = np.random.default_rng(2)
    people = rng.normal(size=HYBRIDS)
    metrics = people + np.linspace(0.2, 2, 10)[:, None] * rng.normal(size=(10, HYBRIDS))
    yield line(
        "Williams, 10 metrics", HYBRIDS, lambda: williams_tests(people, metrics).p,
        "scipy, pair by pair", lambda: scipy_williams(people, metrics),
    )  # fmt: skip

    _, outputs, references = systems_of(16, 3000)
    metric = tt.metric("bleu")
    prepared = metric.prepare(references)
    rows = [metric.statistics(texts, prepared) for texts in outputs.values()]
    drawn = draw_hybrids(len(rows), len(references), HYBRIDS)
    few = draw_hybrids(len(rows), len(references), 500)

    def ours(hybrids: Any) -> np.ndarray:
        scores = np.empty(len(hybrids))
        for i, j, places in hybrids.by_pair():
            scores[places] = metric.score_mixed(rows[i], rows[j], hybrids.masks[places])
        return scores

    def theirs() -> np.ndarray:
        arrays = [np.asarray(own.array) for own in rows]  # type: ignore[attr-defined]
        return numpy_hybrids(
            arrays, few, lambda totals: metric.score_rows(type(rows[0])(rows[0].columns, totals))
        )  # type: ignore

    same("hybrids", ours(few), theirs(), 0.0)
    # The peer makes 500 and is taken twenty times: it has nothing that many hybrids share.
    yield Line(f"BLEU of {HYBRIDS:,} hybrids", HYBRIDS, seconds(lambda: ours(drawn), 3), "numpy, one by one",
               seconds(theirs, 1) * HYBRIDS / 500)  # fmt: skip

    human, first, second = made(16, 10_000)
    yield line(
        "calibrated accuracy by item", 10_000,
        lambda: (lambda f: (f.accuracy, f.epsilon))(calibrated_accuracy(human, first)),
        "numpy, all pairs", lambda: numpy_calibration(human, first), 3,
    )  # fmt: skip
    one, other = human[:1].T, first[:1].T
    yield line(
        "calibrated accuracy, 50M pairs", 10_000,
        lambda: (lambda f: (f.accuracy, f.epsilon))(calibrated_accuracy(human[:1], first[:1], Averaging.NONE)),
        "numpy, all pairs", lambda: numpy_calibration(one, other), 1,
    )  # fmt: skip

    human, first, second = made(16, 3000)
    groups = grouped(human, Averaging.ITEM)
    masks = np.random.default_rng(3).random((100, *human.shape)) < 0.5
    cells = masks.reshape(100, -1)[:, groups.cells]
    for label, statistic, kind in (
        ("100 shuffles, tau-b by item", MeanTau(), "tau"),
        ("100 shuffles, accuracy by item", MeanAccuracy(), "accuracy"),
    ):
        yield line(
            label, 3000,
            lambda s=statistic: s.shuffled(groups, groups.scores(first), groups.scores(second), cells),  # type: ignore[misc]
            "numpy, all pairs", lambda k=kind: numpy_shuffles(human, first, second, masks, k), 3,  # type: ignore[misc]
        )  # fmt: skip

    gap = np.linspace(0, 0.2, 16)[:, None]
    noise = np.random.default_rng(5)
    metrics = [human + gap + s * noise.normal(size=human.shape) for s in np.linspace(0.5, 3, 10)]
    coins = np.random.default_rng(SEED).integers(2, size=(1000, 3000), dtype=bool)
    yield line(
        "soft accuracy, 10 metrics", 3000,
        lambda: [found.value for found in soft_pairwise_accuracies(human + gap, metrics)],
        "numpy, pair by pair", lambda: numpy_soft_accuracies(human + gap, metrics, coins), 3,
    )  # fmt: skip
    masks = np.random.default_rng(SEED).integers(2, size=(1000, human.size), dtype=bool)
    yield line(
        "1,000 shuffles, r of all segments", 48_000,
        lambda: permutation_test(human, first, second, block=None).exceeding,
        "numpy, one by one", lambda: numpy_pearson_shuffles(human, first, second, masks), 3,
    )  # fmt: skip


def whole() -> Iterator[str]:
    """What people wait for, in seconds of CPU."""
    name, outputs, references = systems_of(16, 3000)
    yield f"{name}: {len(outputs)} systems, {len(references)} segments"
    start = time.process_time()
    measured = measure(tt.TestSet.of(references, outputs), METRICS)
    yield f"{'rows of ' + str(len(METRICS)) + ' metrics':<52}{time.process_time() - start:8.2f} s"
    people = dict(zip(outputs, np.random.default_rng(4).normal(size=len(outputs)).tolist(), strict=True))
    start = time.process_time()
    found = score_hybrids(measured, people)
    yield f"{f'{len(found.hybrids):,} hybrids x {len(METRICS)} metrics':<52}{time.process_time() - start:8.2f} s"
    start = time.process_time()
    score_hybrids(measured, people, aggregation="segments")
    yield f"{'the same, means of segment scores':<52}{time.process_time() - start:8.2f} s"
    start = time.process_time()
    found.williams()
    yield f"{'Williams matrix over the hybrids':<52}{time.process_time() - start:8.3f} s"
    human, first, second = made(16, 3000)
    for label, statistic in (("tau-b", MeanTau()), ("accuracy", MeanAccuracy())):
        start = time.process_time()
        permutation_test(human, first, second, statistic, averaging=Averaging.ITEM, block=None)
        yield f"{f'PERM-BOTH, 1,000 shuffles, {label} by item':<52}{time.process_time() - start:8.2f} s"
    pairs = len(list(combinations(range(16), 2))) * 3000
    yield f"({pairs:,} pairs of scores in each of the last two)"


def whole_task(threads: int = 2) -> Iterator[str]:
    """The metrics task of WMT17, as a user runs it: eight pairs, ten metrics and sentBLEU, hybrids, tables, figures."""
    folder = texts.SHARED / "data" / "wmt17"
    if not folder.is_dir():
        yield f"no whole task: there is nothing at {folder}"
        return
    with tempfile.TemporaryDirectory() as made:
        task = Path(made, "wmt17.toml")
        task.write_text(
            f'name = "WMT17"\nlayout = "{folder}"\nmetrics = ["@wmt17"]\nmissing = "leave out"\n'
            'levels = ["system", "segment", "hybrids"]\nhybrids = 10000\n'
            '[human]\nsystem = "DA-syslevel.csv"\nsegment = "DA-seglevel.csv"\nkind = "DA"\n'
        )
        command = [sys.executable, "-m", "tertium", "meta", "run", str(task), "-f", "latex", "-q"]
        command += ["--html", str(Path(made, "page.html")), "--figures", made, "--threads", str(threads)]
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        what = "WMT17: 8 pairs, 11 metrics, 80,000 hybrids, page"
        yield f"{what:<52}{cpu:8.2f} s CPU, {time.perf_counter() - start:.1f} s by the clock, {threads} threads"


def main() -> None:
    """Only this part: `python -m benchmarks.meta`."""
    from benchmarks.measure import HEADER

    print(HEADER)
    for found in run():
        print(found.text(), flush=True)
    print()
    for text in chain(whole(), whole_task()):
        print(text, flush=True)


if __name__ == "__main__":
    main()
