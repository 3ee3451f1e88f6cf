"""How often tests of commands other than compare, report and meta reject true nulls, and how often intervals hold.

    python -m tools.simulate_others          # prints the tables
    python -m tools.simulate_others --page   # writes them into docs/evidence/tests.md

Each row asks functions that a command calls. Nulls are true by construction: what two sides have of a unit changes
sides by a coin, or both sides are drawn from one distribution. Values are skewed, tied and, where units are groups,
alike within a group, because that is what breaks tests.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

import tertium as tt
from tertium.adaptation.measures import MeasuredStream, paired_tests
from tertium.adaptation.streams import SourceSegment, StreamItem
from tertium.assignment.evaluating import _hits
from tertium.comparison.bias import _preferences
from tertium.human.campaigns.systemscores import _interval as system_interval
from tertium.human.campaigns.wins import _duel
from tertium.human.quality import _p as quality_p
from tertium.io.files import write_atomically
from tertium.matching.evaluating import _chance
from tertium.matching.evaluating import _interval as policy_interval
from tertium.monitor.comparing import adjusted_difference
from tertium.monitor.history import score_with_interval
from tertium.readability.comparing import _tested, _unpaired
from tertium.stats.blocks import block_permutation_p
from tertium.stats.proportions import mcnemar_exact, sign_test
from tertium.stats.ranktests import rank_sum_test, signed_rank_test
from tertium.stats.resampling import SEED
from tools.simulate import ALL, expected, page_with
from tools.simulate_few import ALPHA, HOLDS, PAGE, TEXTS, most

UNITS = (5, 10, 20, 40, 200)
TIMES = 1_000
Numbers = NDArray[np.float64]
# (rejected, held) of one null: None where there is no test, or no interval.
Outcome = tuple[bool | None, bool | None]


@dataclass(frozen=True)
class Case:
    """What a command prints: which test or interval, and how one null of n units comes out."""

    command: str
    subject: str
    test: str
    once: Callable[[np.random.Generator, int], Outcome]
    interval: str = ""
    note: str = ""  # why more than 5% may be rejected
    times: int = TIMES


@cache
def rates(case: Case, n: int, times: int) -> tuple[float | None, float | None]:
    """The share of true nulls rejected, and of printed intervals that hold."""
    rng = np.random.default_rng([SEED, n])
    outcomes = [case.once(rng, n) for _ in range(times)]
    sides = ([one[side] for one in outcomes if one[side] is not None] for side in (0, 1))
    rejected, held = (float(np.mean(known)) if known else None for known in sides)
    return rejected, held


def _inside(low: float | None, high: float | None, truth: float) -> bool | None:
    return None if low is None or high is None else low <= truth <= high


def least(times: int) -> float:
    """The smallest rate of intervals that hold which chance allows (99.9%) where 93% do."""
    return expected(HOLDS, times, 0.998)[0] / times


def seed_of(rng: np.random.Generator) -> int:
    """A seed of each null's own: one set of few flips for all nulls would reject all of them a little too often."""
    return int(rng.integers(2**31))


def _skewed(rng: np.random.Generator, size: Any) -> Numbers:
    """Scores from 0 to 100, most of them high, a tenth of them at the end of the scale."""
    return np.minimum(np.round(115 * rng.beta(4, 1.3, size)), 100.0)


SKEWED_MEAN = float(_skewed(np.random.default_rng(SEED), 1_000_000).mean())


def wins(rng: np.random.Generator, n: int) -> Outcome:
    """Two annotators of each segment, who agree four times in five; a fifth of the segments are level."""
    first = rng.choice([-1, 0, 1], n, p=[0.4, 0.2, 0.4])
    second = np.where(rng.random(n) < 0.8, first, rng.choice([-1, 0, 1], n))
    outcomes = [
        (int(sign), 10, (str(i), ""))
        for i, pair in enumerate(zip(first, second, strict=True))
        for sign in pair
    ]
    return _duel(("a", "b"), outcomes, seed_of(rng), 999).p <= ALPHA, None


def system_mean(rng: np.random.Generator, n: int) -> Outcome:
    found = system_interval(_skewed(rng, n), SEED)
    return None, _inside(found.low, found.high, SKEWED_MEAN)


BLOCK = 10  # segments; the command takes 25, for which there are too few here


@cache
def _streams() -> tuple[MeasuredStream, MeasuredStream]:
    sides = [
        MeasuredStream(TEXTS.outputs(name)[:ALL], TEXTS.references[:ALL])
        for name in (TEXTS.first, TEXTS.second)
    ]
    for side in sides:
        side.segments  # noqa: B018 - measured once
    return sides[0], sides[1]


def _stream_pair(rng: np.random.Generator, n: int) -> dict[str, MeasuredStream]:
    """Blocks of two real outputs, which change sides by a coin."""
    blocks = rng.choice(ALL // BLOCK, n, replace=False)
    places = (blocks[:, None] * BLOCK + np.arange(BLOCK)).ravel()
    swapped = np.repeat(rng.integers(2, size=n), BLOCK)
    made = {}
    for name, side in (("a", swapped), ("b", 1 - swapped)):
        stream = MeasuredStream([""] * len(places), [""] * len(places))
        both = _streams()
        rows = {
            key: both[0].rows[key].concat(both[1].rows[key]).take(places + ALL * side) for key in both[0].rows
        }
        segments = {
            key: np.where(side, both[1].segments[key][places], both[0].segments[key][places])
            for key in both[0].segments
        }
        vars(stream).update(rows=rows, segments=segments)
        made[name] = stream
    return made


def adaptation(measure: str) -> Callable[[np.random.Generator, int], Outcome]:
    def once(rng: np.random.Generator, n: int) -> Outcome:
        items = [StreamItem(SourceSegment("", document=str(i // BLOCK)), "") for i in range(n * BLOCK)]
        for test in paired_tests(_stream_pair(rng, n), items, seed=seed_of(rng), resamples=199):
            if test.measure == measure:
                return test.p <= ALPHA, _inside(test.low, test.high, 0.0)
        raise AssertionError(measure)

    return once


@cache
def _document_scores(spec: str, n: int) -> tuple[Any, Any, float]:
    metric = tt.metric(spec)
    rows = TEXTS.rows(metric, ALL)[0]
    rng = np.random.default_rng(SEED)
    scores = [metric.score_total(rows.take(rng.choice(ALL, n, replace=False))) for _ in range(500)]
    return metric, rows, float(np.mean([score for score in scores if score is not None]))


def monitored(spec: str) -> Callable[[np.random.Generator, int], Outcome]:
    def once(rng: np.random.Generator, n: int) -> Outcome:
        metric, rows, truth = _document_scores(spec, n)
        _, low, high = score_with_interval(metric, [rows.take(rng.choice(ALL, n, replace=False))])
        return None, _inside(low, high, truth)

    return once


def periods(rng: np.random.Generator, n: int) -> Outcome:
    """n documents a period, of one to eight segments in three classes of length; segments of a document are alike."""
    sides: list[dict[Any, Any]] = []
    for _ in range(2):
        by_class: dict[Any, list[tuple[int, float]]] = {}
        for document in range(n):
            level = 10 * rng.exponential()
            for kind in rng.integers(3, size=rng.integers(1, 9)).tolist():
                by_class.setdefault(("", kind), []).append(
                    (document, level - 5 * kind + 10 * rng.exponential())
                )
        sides.append(by_class)
    _, low, high, p = adjusted_difference(*sides)
    return None if p is None else p <= ALPHA, _inside(low, high, 0.0)


def readability(rng: np.random.Generator, n: int) -> Outcome:
    """Differences of levels with a long tail, turned by a coin; units of 5 to 40 words."""
    gaps = rng.choice([-1.0, 1.0], n) * rng.exponential(size=n)
    weights = rng.integers(5, 41, n).astype(float)
    units: Any = [SimpleNamespace(document="", number=i, difference=gap) for i, gap in enumerate(gaps)]
    low, high, p = _tested(units, weights, "segment")
    return p <= ALPHA, _inside(low, high, 0.0)


def unaligned(rng: np.random.Generator, n: int) -> Outcome:
    """Sentences of two texts from one distribution of levels."""
    sides = [
        [
            SimpleNamespace(level=level, words=words)
            for level, words in zip(rng.gamma(2, 1, n), rng.integers(5, 41, n).tolist(), strict=True)
        ]
        for _ in range(2)
    ]
    unit: Any = SimpleNamespace(source=sides[0], target=sides[1])
    return None, _inside(*_unpaired(unit), 0.0)


def _clients(rng: np.random.Generator, n: int) -> tuple[Numbers, Numbers, list[NDArray[np.int64]]]:
    """Hits of two methods: 1 to 8 documents a client, who is easy or hard; methods change sides by client."""
    sizes = rng.integers(1, 9, n)
    ends = np.cumsum(sizes)
    groups = [np.arange(end - size, end) for end, size in zip(ends, sizes, strict=True)]
    chance = np.repeat(rng.beta(3, 1.5, n), sizes)
    both = np.stack([rng.random(len(chance)) < chance, rng.random(len(chance)) < 0.8 * chance]).astype(float)
    swap = np.repeat(rng.integers(2, size=n), sizes)
    places = np.arange(len(chance))
    return both[swap, places], both[1 - swap, places], groups


def assignment(rng: np.random.Generator, n: int) -> Outcome:
    one, other, groups = _clients(rng, n)
    [lead] = _hits("", one[:, None], other[:, None], groups, compared=True).leads
    return lead.p <= ALPHA, _inside(lead.low, lead.high, 0.0)


def assignment_hits(rng: np.random.Generator, n: int) -> Outcome:
    """Of one method: two of three documents are right, over all clients."""
    sizes = rng.integers(1, 9, n)
    ends = np.cumsum(sizes)
    groups = [np.arange(end - size, end) for end, size in zip(ends, sizes, strict=True)]
    hits = (rng.random(ends[-1]) < np.repeat(rng.beta(3, 1.5, n), sizes)).astype(float)[:, None]
    [(low, high)] = _hits("", hits, hits, groups, compared=False).intervals
    return None, _inside(low, high, 2 / 3)


def policy(rng: np.random.Generator, n: int) -> Outcome:
    """Edits saved: nothing in half of the segments; documents of 1 to 30 segments."""
    sizes = rng.integers(1, 31, n)
    document = np.repeat(np.arange(n), sizes)
    level = np.repeat(rng.normal(0, 0.2, n), sizes)
    differences = np.where(rng.random(len(document)) < 0.5, 0.0, level + rng.normal(0, 0.3, len(document)))
    differences *= np.repeat(rng.choice([-1.0, 1.0], n), sizes)
    low, high = policy_interval(differences + 0.5, document)  # a share; all of the differences are small
    return _chance(differences, document) <= ALPHA, _inside(low, high, 0.5)


def questions(rng: np.random.Generator, n: int) -> Outcome:
    hard = rng.beta(2, 1, n)
    one, other = rng.random(n) < hard, rng.random(n) < hard
    return mcnemar_exact(int((one & ~other).sum()), int((other & ~one).sum())) <= ALPHA, None


def judged_pairs(rng: np.random.Generator, n: int) -> Outcome:
    """Four of ten segments are ties."""
    verdicts = rng.choice([-1, 0, 1], n, p=[0.3, 0.4, 0.3])
    return sign_test(int((verdicts > 0).sum()), int((verdicts < 0).sum())) <= ALPHA, None


def judged_lead(rng: np.random.Generator, n: int) -> Outcome:
    """Marks in steps of five, one system's like the other's in half of the segments."""
    one = 5 * np.round(_skewed(rng, n) / 5)
    other = np.where(rng.random(n) < 0.5, one, 5 * np.round(_skewed(rng, n) / 5))
    swap = rng.random(n) < 0.5
    differences = np.where(swap, other - one, one - other)
    if differences.mean() < 0:
        differences = -differences
    p = signed_rank_test(differences, alternative="greater").p
    return p is not None and min(1.0, 2 * p) <= ALPHA, None


WORDS = 5


def _word_scores(rng: np.random.Generator, n: int) -> Numbers:
    """A sentence in which one word, whichever it is, costs much."""
    scores = rng.normal(50, 0.5, (n, WORDS))
    scores[np.arange(n), rng.integers(WORDS, size=n)] -= 10
    return scores


def probed(rng: np.random.Generator, n: int) -> Outcome:
    return block_permutation_p(_word_scores(rng, n), permutations=199, seed=seed_of(rng)) <= ALPHA, None


def probed_words(rng: np.random.Generator, n: int) -> Outcome:
    """Any of five words, after Holm."""
    names = [(str(i), "") for i in range(WORDS)]
    found = _preferences(tt.metric("chrf"), _word_scores(rng, n), np.eye(WORDS), names, 199, seed_of(rng))
    return any(one.p_holm is not None and one.p_holm <= ALPHA for one in found), None


def controls(test: Any, alternative: Any) -> Callable[[np.random.Generator, int], Outcome]:
    """Control items of an annotator whose marks depend on nothing (where items differ, Welch's test rejects less)."""

    def once(rng: np.random.Generator, n: int) -> Outcome:
        pairs = np.stack([np.clip(np.round(rng.normal(70, 14, n)), 0, 100) for _ in range(2)], axis=1)
        p = quality_p(pairs, test, alternative)
        return p is not None and p < ALPHA, None

    return once


def ranked(rng: np.random.Generator, n: int) -> Outcome:
    """Two systems of a cluster, in the order of their means."""
    sides = sorted((_skewed(rng, n), _skewed(rng, n)), key=lambda side: -float(side.mean()))
    p = rank_sum_test(*sides, alternative="greater").p
    return p is not None and p < ALPHA, None


ONE_SIDED = "one-sided in the order of the means, as WMT draws clusters; the output says so"
BOTH_TESTS = "two tests, of which one is enough; the output says so"
STUDENT = "resampled, Student's below 100"
CASES = (
    Case("annotate analyse", "wins, by segment", "sign flips", wins),
    Case("annotate analyse", "clusters, by segment", "rank sums", ranked, note=ONE_SIDED),
    Case("annotate analyse", "mean score, by segment", "", system_mean, STUDENT),
    *(
        Case("adapt simulate", f"{name}, by block", "randomisation", adaptation(name), STUDENT, times=500)
        for name in ("chrF", "TER", "saved")
    ),
    *(
        Case("monitor", f"{spec}, by segment", "", monitored(spec), "jackknife, Student's", times=500)
        for spec in ("chrf", "ter", "bleu")
    ),
    Case("monitor", "two periods, by document", "Welch's t", periods, "Welch's"),
    Case("readability compare", "difference, by segment", "sign flips", readability, STUDENT),
    Case("readability compare", "two texts, by sentence", "", unaligned, "resampled, Welch's below 100"),
    Case("assign evaluate", "hit@1, by client", "sign flips", assignment, STUDENT, times=500),
    Case("assign evaluate", "hit@1 of a method, by client", "", assignment_hits, STUDENT, times=500),
    Case("memory policy evaluate", "edits saved, by document", "sign flips", policy, STUDENT, times=500),
    Case("challenge compare", "two systems, by question", "McNemar, exact", questions),
    Case("judge pairs", "verdicts, by segment", "sign test, exact", judged_pairs),
    Case("judge rate", "lead, by segment", "signed ranks", judged_lead),
    Case("probe", "any preference, by sentence", "permutation", probed),
    Case("probe", "any of five words (Holm)", "permutation", probed_words),
    Case("meta gold", "degraded items", "signed ranks", controls("wilcoxon", "less")),
    Case("meta gold", "degraded items", "Welch's t", controls("welch", "less")),
    Case("meta gold", "degraded items", "either", controls("either", "less"), note=BOTH_TESTS),
    Case("meta gold", "repeats", "signed ranks", controls("wilcoxon", "two-sided")),
    Case("meta gold", "repeats", "either", controls("either", "two-sided"), note=BOTH_TESTS),
)


def rows(cases: Sequence[Case] = CASES, *, intervals: bool, times: int | None = None) -> Iterator[str]:
    """The table of rejected nulls, or of intervals that hold; ! marks what chance does not explain."""
    yield f"| command | subject | {'interval' if intervals else 'test'} | {' | '.join(f'n = {n}' for n in UNITS)} |"
    yield "|---|---|---|" + "---|" * len(UNITS)
    for case in cases:
        if not (case.interval if intervals else case.test):
            continue
        cells, number = [], times or case.times
        for n in UNITS:
            rejected, held = rates(case, n, number)
            rate = held if intervals else rejected
            if rate is None:
                cells.append("none")
            else:
                wrong = rate < least(number) if intervals else rate > most(number)
                cells.append(f"{100 * rate:.1f}%{' !' if wrong else ''}")
        name = case.interval if intervals else case.test + (f" ({case.note})" if case.note else "")
        yield f"| `{case.command}` | {case.subject} | {name} | {' | '.join(cells)} |"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--page", action="store_true", help=f"write the tables of {PAGE.name}")
    given = parser.parse_args(arguments)
    kept: list[str] = []
    for intervals in (False, True):
        for line in rows(intervals=intervals):
            print(line, flush=True)
            kept.append(line)
        kept.append("")
    if given.page:
        page = page_with(PAGE.read_text(encoding="utf-8"), "others", ["", *kept])
        with write_atomically(str(PAGE)) as file:
            file.write(page)


if __name__ == "__main__":
    main()
