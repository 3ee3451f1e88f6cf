"""How often the tests behind `tertium meta run` call one of two equally good metrics better.

    python -m tools.simulate_meta                                  # prints the table
    python -m tools.simulate_meta --page docs/meta-significance.md  # make simulate-meta: writes it into its page

Both metrics are people's view plus errors of the same size, so neither is better. Errors are independent, or partly
shared by all systems of a segment (the metric misjudges the sentence), or by all segments of a system (it likes the
system). The first metric is tested against the second, one-sided at 5%, so 5% of the tests should reject.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tertium.io.tables import Column, Table, number_column
from tertium.meta.correlations import CorrelationCell, Correlations
from tertium.meta.pooled import pooled
from tertium.stats.grouping import Averaging
from tertium.stats.hybrids import Hybrids, draw_hybrids, hybrid_tests
from tertium.stats.outcome_tests import outcome_tests
from tertium.stats.paired_statistics import (
    MeanAccuracy,
    MeanCalibratedAccuracy,
    MeanPearson,
    MeanSpearman,
    MeanTau,
    PairedStatistic,
)
from tertium.stats.permutation import PermutationTests, Shuffle, permutation_tests
from tertium.stats.resampling import Draws
from tertium.stats.soft_accuracy_tests import soft_accuracy_tests
from tertium.stats.taulike import WMT14, tau_intervals, tau_tests
from tertium.stats.williams import williams_tests
from tertium.stats.wins import interval_wins
from tools.pages import put, table_parser
from tools.simulate import expected

Matrix = NDArray[np.float64]
Nulls = tuple[Matrix, list[Matrix]]
ALPHA = 0.05
RESAMPLES = 199  # (199 + 1) * 0.05 is whole
ERRORS = ("independent", "shared by segment", "shared by system")
SHARED = {"shared by segment": 2.0, "shared by system": 1.0}  # times the standard deviation of other errors
MARGIN = 1.0  # of human scores, for better-worse pairs


def null(rng: np.random.Generator, systems: int, segments: int, errors: str) -> Nulls:
    """People's scores and those of two metrics that agree with them equally well, systems x segments."""
    quality = rng.normal(size=(systems, 1)) + 0.5 * rng.normal(size=(1, segments))
    human = quality + rng.normal(size=(systems, segments))
    shape = {"shared by segment": (1, segments), "shared by system": (systems, 1)}.get(errors)
    metrics = []
    for _ in range(2):
        metric = quality + rng.normal(size=(systems, segments))
        metrics.append(metric if shape is None else metric + SHARED[errors] * rng.normal(size=shape))
    return human, metrics


Rejects = Callable[[Nulls, int], bool]


def first_wins(tests: PermutationTests) -> bool:
    """Whether the first metric is significantly better than the second."""
    return bool(tests.p[0, 1] <= ALPHA)


def systems_change_sides(statistic: PairedStatistic) -> Rejects:
    def rejects(scores: Nulls, seed: int) -> bool:
        human, metrics = scores
        means = [metric.mean(axis=1, keepdims=True) for metric in metrics]
        gold = human.mean(axis=1, keepdims=True)
        return first_wins(
            permutation_tests(gold, means, statistic, resamples=RESAMPLES, block=None, seed=seed)
        )

    return rejects


def segment_scores_change_sides(scores: Nulls, seed: int) -> bool:
    """What `meta run` did before: systems' means after each segment score has changed sides alone."""
    human, metrics = scores
    first, second = ((metric - metric.mean()) / metric.std() for metric in metrics)
    cells = first.size
    bits = np.unpackbits(Draws(seed).coins(cells, RESAMPLES), axis=1, count=cells, bitorder="little")
    moved = (bits.reshape(-1, *first.shape) * (second - first)).mean(axis=2)
    gold = human.mean(axis=1) - human.mean()

    def r(means: Matrix) -> Matrix:
        centred = means - means.mean(axis=-1, keepdims=True)
        return np.asarray(centred @ gold / np.sqrt((centred**2).sum(axis=-1)))

    a, b = first.mean(axis=1), second.mean(axis=1)
    larger = int((r(a + moved) - r(b - moved) >= r(a) - r(b) - 1e-12).sum())
    return (larger + 1) / (RESAMPLES + 1) <= ALPHA


def williams_on(rows: Callable[[Matrix], Matrix]) -> Rejects:
    def rejects(scores: Nulls, seed: int) -> bool:
        human, metrics = scores
        return bool(williams_tests(rows(human), np.stack([rows(m) for m in metrics])).p[0, 1] < ALPHA)

    return rejects


def segments(statistic: PairedStatistic, averaging: Averaging, shuffle: Shuffle) -> Rejects:
    def rejects(scores: Nulls, seed: int) -> bool:
        human, metrics = scores
        return first_wins(
            permutation_tests(
                human, metrics, statistic, averaging=averaging, shuffle=shuffle,
                resamples=RESAMPLES, block=None, seed=seed,
            )
        )  # fmt: skip

    return rejects


def soft(shuffle: Shuffle) -> Rejects:
    def rejects(scores: Nulls, seed: int) -> bool:
        human, metrics = scores
        return first_wins(
            soft_accuracy_tests(human, metrics, shuffle=shuffle, trials=199, resamples=RESAMPLES, seed=seed)
        )

    return rejects


def better_worse(scores: Nulls) -> tuple[list[int], Matrix, list[int]]:
    """Verdicts of people and metrics on pairs of systems that people tell apart, and the segments of these pairs."""
    human, metrics = scores
    one, other = np.triu_indices(len(human), 1)
    apart = human[one] - human[other]
    place, segment = np.nonzero(np.abs(apart) >= MARGIN)
    people = (1 - np.sign(apart[place, segment])).astype(int)
    verdicts = [(1 - np.sign(m[one[place], segment] - m[other[place], segment])).astype(int) for m in metrics]
    return people.tolist(), np.stack(verdicts), segment.tolist()


def outcomes(scores: Nulls, seed: int) -> bool:
    human, metrics = scores
    return first_wins(outcome_tests(human, metrics, resamples=RESAMPLES, seed=seed))


def darr(by_segment: bool) -> Rejects:
    def rejects(scores: Nulls, seed: int) -> bool:
        people, verdicts, units = better_worse(scores)
        where = units if by_segment else None
        return first_wins(tau_tests(people, verdicts, WMT14, units=where, resamples=RESAMPLES, seed=seed))

    return rejects


def darr_intervals(scores: Nulls, seed: int) -> bool:
    people, verdicts, _ = better_worse(scores)
    return bool(
        interval_wins(tau_intervals(people, verdicts, resamples=RESAMPLES, seed=seed).intervals)[0, 1]
    )


def hybrids_of(scores: Nulls, seed: int) -> tuple[Matrix, Matrix, Hybrids]:
    human, metrics = scores
    drawn = draw_hybrids(*human.shape, 1_000, seed=seed)
    second = np.unpackbits(drawn.masks, axis=1, count=human.shape[1], bitorder="little")

    def mixed(matrix: Matrix) -> Matrix:
        first = matrix.sum(axis=1)[drawn.first]
        moved = (matrix @ second.T.astype(np.float64)).T
        places = np.arange(len(drawn))
        return np.asarray(first - moved[places, drawn.first] + moved[places, drawn.second])

    return drawn.mixed_by_share(human.mean(axis=1)), np.stack([mixed(m) for m in metrics]), drawn


def hybrids(scores: Nulls, seed: int) -> bool:
    people, table, drawn = hybrids_of(scores, seed)
    return first_wins(hybrid_tests(people, table, drawn, resamples=RESAMPLES, seed=seed))


def hybrids_williams(scores: Nulls, seed: int) -> bool:
    people, table, _ = hybrids_of(scores, seed)
    return bool(williams_tests(people, table).p[0, 1] < ALPHA)


def pooled_systems(scores: Nulls, seed: int) -> bool:
    """Three language pairs with a third of the systems each."""
    human, metrics = scores
    judged = []
    for rows in np.array_split(np.arange(len(human)), 3):
        means = [metric[rows].mean(axis=1, keepdims=True) for metric in metrics]
        tests = permutation_tests(
            human[rows].mean(axis=1, keepdims=True), means, resamples=RESAMPLES, block=None, seed=seed
        )
        cells = tuple(
            CorrelationCell(name, value) for name, value in zip("AB", tests.values.tolist(), strict=True)
        )
        judged.append(Correlations("xx-yy", "system", "pearson", len(rows), cells, resampled=tests))
    found = pooled(judged)
    return found is not None and bool(found.p_values[0, 1] <= ALPHA)


@dataclass(frozen=True)
class Case:
    """A test, the numbers of systems and segments it is tried with, and the errors that it allows."""

    name: str
    rejects: Rejects
    allowed: tuple[str, ...]
    sizes: Sequence[tuple[int, int]]
    used: str  # by `meta run`: by default, on request, or no more
    share: float = 1.0  # of the nulls, for slow tests


BOTH, SEGMENTS, SYSTEMS = Shuffle.BOTH, Shuffle.SEGMENTS, Shuffle.SYSTEMS
NONE, ITEM, SYSTEM = Averaging.NONE, Averaging.ITEM, Averaging.SYSTEM
OF_SYSTEMS, OF_SEGMENTS, SMALL = ((8, 100), (12, 100), (20, 100)), ((12, 100), (12, 500)), ((12, 100),)
ALONE, BY_SEGMENT = ERRORS[:1], ERRORS[:2]
DEFAULT, ASKED, NO_MORE = "default", "on request", "no more"


def _cases() -> Iterator[Case]:
    measures = {
        "Pearson": MeanPearson(),
        "Spearman": MeanSpearman(),
        "Kendall": MeanTau(),
        "accuracy": MeanAccuracy(),
    }
    for name, measure in measures.items():
        yield Case(
            f"systems: {name}, systems change sides",
            systems_change_sides(measure), ERRORS, OF_SYSTEMS, DEFAULT,
        )  # fmt: skip
    yield Case("systems: SPA, systems change sides", soft(SYSTEMS), ERRORS, OF_SYSTEMS, DEFAULT)
    yield Case("systems: Pearson, mean of three pairs", pooled_systems, ERRORS, ((24, 100),), DEFAULT)
    by_systems = williams_on(lambda matrix: matrix.mean(axis=1))
    yield Case("systems: Pearson, Williams", by_systems, ERRORS, OF_SYSTEMS, ASKED)
    yield Case("systems: SPA, each segment score alone", soft(BOTH), BY_SEGMENT, SMALL, ASKED, 0.1)
    old = segment_scores_change_sides
    yield Case("systems: Pearson, each segment score alone", old, BY_SEGMENT, OF_SYSTEMS, NO_MORE)
    for averaging, which in ((NONE, "all"), (ITEM, "by item"), (SYSTEM, "by system")):
        for name, measure in (*measures.items(), ("acc_eq", MeanCalibratedAccuracy())):
            if name != "accuracy":
                yield Case(
                    f"segments: {name} {which}, segments change sides",
                    segments(measure, averaging, SEGMENTS), BY_SEGMENT,
                    OF_SEGMENTS if averaging is ITEM or name == "Pearson" else SMALL, DEFAULT,
                    1.0 if averaging is ITEM or name == "Pearson" else 0.3,
                )  # fmt: skip
    documents = ((8, 10), (8, 20))
    for name, measure in (("Pearson", MeanPearson()), ("Kendall", MeanTau())):
        rejects = segments(measure, NONE, SEGMENTS)
        yield Case(f"documents: {name} all, documents change sides", rejects, BY_SEGMENT, documents, DEFAULT)
    yield Case("pairs: tau, segments change sides", darr(True), BY_SEGMENT, OF_SEGMENTS, DEFAULT)
    yield Case("hybrids: Pearson, systems change sides", hybrids, ERRORS, OF_SYSTEMS, DEFAULT, 0.2)
    yield Case("segments: Pearson all, Williams", williams_on(np.ravel), ALONE, OF_SEGMENTS, ASKED)
    one_by_one = segments(MeanPearson(), NONE, BOTH)
    yield Case("segments: Pearson all, each score alone", one_by_one, ALONE, OF_SEGMENTS, ASKED)
    yield Case("segments: acc_eq by item, each comparison alone", outcomes, ALONE, OF_SEGMENTS, ASKED)
    yield Case("pairs: tau, each comparison alone", darr(False), (), OF_SEGMENTS, ASKED)
    yield Case("pairs: tau, intervals apart", darr_intervals, BY_SEGMENT, SMALL, ASKED)
    yield Case("hybrids: Pearson, Williams", hybrids_williams, (), OF_SYSTEMS, ASKED)


CASES = tuple(_cases())


def rejections(case: Case, systems: int, segments: int, errors: str, times: int) -> int:
    """In how many of so many nulls the test says that the first metric is better."""
    count = 0
    for number in range(times):
        key = zlib.crc32(f"{systems} {segments} {errors} {number}".encode())
        count += case.rejects(null(np.random.default_rng(key), systems, segments, errors), number)
    return count


def limit(times: int) -> int:
    """The largest number of rejections that is compatible with 5%, at 99.9%."""
    return expected(ALPHA, times)[1]


def table(times: int) -> Table:
    """Rates in per cent; bold: above 5% by more than chance."""
    rows: list[tuple[str | float, ...]] = []
    high = set()
    for case in CASES:
        nulls = round(case.share * times)
        for systems, many in case.sizes:
            counts = [rejections(case, systems, many, errors, nulls) for errors in ERRORS]
            high |= {(len(rows), 5 + place) for place, count in enumerate(counts) if count > limit(nulls)}
            rates = [100 * count / nulls for count in counts]
            rows.append((case.name, case.used, systems, many, nulls, *rates))
            print(*rows[-1], sep="\t", flush=True)
    columns = (
        Column("test"), Column("used"), number_column("systems"), number_column("segments"), number_column("nulls"),
        *(number_column(errors, digits=1) for errors in ERRORS),
    )  # fmt: skip
    return Table("", columns, tuple(rows), (), frozenset(high))


def main() -> None:
    parser = table_parser(__doc__)
    parser.add_argument("--times", type=int, default=1000)
    given = parser.parse_args()
    found = table(given.times)
    if given.page is not None:
        put({"null-rates": found.markdown()}, given.page)


if __name__ == "__main__":
    main()
