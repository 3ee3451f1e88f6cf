"""The outcome of a comparison in sentences, for readers who have never heard of a p-value."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple

from tertium.comparison.pair_results import PairResult, PairTests

MOST_PAIRS = 6  # so many pairs of systems get a sentence each


def outcome(tests: Sequence[PairTests], baseline: str | None = None) -> Iterator[str]:
    """Who is best, what the tests of each pair that matters say, and what is undefined.

    >>> from tertium import TestSet, compare
    >>> found = compare(TestSet.sample(), ["chrf"], baseline="smooth", resamples=200)
    >>> next(outcome(found.tests))
    'strong has the best score (chrF2).'
    """
    yield from _leaders(tests)
    yield from _verdicts(tests, baseline)
    for found in tests:
        for system in found.systems:
            if system.value is None:
                yield f"{found.label} of {system.name} is undefined: {found.undefined_because}."


class _Seen(NamedTuple):
    """A pair by one metric, seen from one side: `difference` is the score of `a` minus that of `b`."""

    tests: PairTests
    pair: PairResult
    a: str
    b: str

    @property
    def difference(self) -> float | None:
        given = self.pair.difference
        return given if given is None or self.pair.second == self.a else -given

    @property
    def winner(self) -> str | None:
        return self.pair.better if self.pair.significant(self.tests.alpha) else None

    def turned(self) -> _Seen:
        return self._replace(a=self.b, b=self.a)

    def written(self, value: float) -> str:
        """Two decimals for scores up to 100, four for scores up to 1."""
        known = [abs(system.value) for system in self.tests.systems if system.value is not None]
        return f"{value:.{4 if max(known, default=100) <= 1.5 else 2}f}"

    def amount(self) -> str:
        difference, label = self.difference or 0.0, self.tests.label
        if difference == 0:
            return f"{label} (equal)"
        size = self.written(abs(difference))
        if self.tests.metric.higher_is_better:
            return f"{label} ({'+' if difference > 0 else '−'}{size})"
        return f"{label} ({size} {'higher' if difference > 0 else 'lower'})"


def _leaders(tests: Sequence[PairTests]) -> Iterator[str]:
    """Who has the best score, by which metric."""
    by_leader: dict[tuple[str, ...], list[str]] = {}
    for found in tests:
        values = {system.name: system.value for system in found.systems if system.value is not None}
        if values:
            top = (max if found.metric.higher_is_better else min)(values.values())
            leaders = tuple(name for name, value in values.items() if value == top)
            by_leader.setdefault(leaders, []).append(found.label)
    if len(by_leader) == 1:
        ((leaders, labels),) = by_leader.items()
        verb = "has the best score" if len(leaders) == 1 else "share the best score"
        every = " by every metric" if len(labels) > 1 else ""
        yield f"{joined(leaders)} {verb}{every} ({joined(labels)})."
    elif by_leader:
        parts = (
            f"{joined(labels)} {'puts' if len(labels) == 1 else 'put'} {joined(leaders)} first"
            for leaders, labels in by_leader.items()
        )
        yield f"The metrics disagree about the best system: {'; '.join(parts)}."


def _verdicts(tests: Sequence[PairTests], baseline: str | None) -> Iterator[str]:
    """What the tests say of each pair that matters."""
    best = _first(tests[0])
    grouped: dict[tuple[str, str], list[_Seen]] = {}
    for found in tests:
        for pair in found:
            seen = _Seen(found, pair, pair.first, pair.second)
            if (seen.a == baseline if baseline is not None else seen.b == best) or (
                (seen.b, seen.a) in grouped
            ):
                seen = seen.turned()
            grouped.setdefault((seen.a, seen.b), []).append(seen)
    wanted = list(grouped)
    if baseline is not None:
        wanted = [key for key in grouped if baseline in key]
    elif len(grouped) > MOST_PAIRS:
        wanted = [key for key in grouped if best in key][:MOST_PAIRS]
    for key in wanted:
        defined = [seen for seen in grouped[key] if seen.difference is not None]
        if defined:
            yield _verdict(defined)
        for seen in grouped[key]:
            if seen.difference is None:
                why = seen.tests.undefined_because
                yield f"{key[0]} and {key[1]} cannot be compared by {seen.tests.label}: {why}."
    if len(wanted) < len(grouped):
        more = len(grouped) - len(wanted)
        yield f"{more} more {'pair is' if more == 1 else 'pairs are'} in the table of pairs."


def _first(tests: PairTests) -> str:
    """The best system by one metric."""
    sign = 1 if tests.metric.higher_is_better else -1
    return max(tests.systems, key=lambda one: float("-inf") if one.value is None else sign * one.value).name


def _verdict(pairs: Sequence[_Seen]) -> str:
    a, b = pairs[0].a, pairs[0].b
    won = [seen for seen in pairs if seen.winner == a]
    lost = [seen for seen in pairs if seen.winner == b]
    even = [seen for seen in pairs if seen.winner is None]
    if lost and not won:
        a, b, won, lost = b, a, [seen.turned() for seen in lost], []
        even = [seen.turned() for seen in even]

    def listed(chosen: Iterable[_Seen]) -> str:
        return joined(seen.amount() for seen in chosen)

    if not won:
        smallest, label = even[0].pair.smallest_detectable, even[0].tests.label
        floor = (
            f" This test set can show differences from about {even[0].written(smallest)} {label} upwards."
            if smallest is not None
            else ""
        )
        return (
            f"{a} and {b} cannot be told apart: the difference may be due to chance by {listed(even)}.{floor}"
        )
    sure = f"{a} is better than {b} by {listed(won)}; chance alone would hardly produce such a difference ({_p(won)})"
    if lost:
        rival = listed(seen.turned() for seen in lost)
        sure = f"The metrics disagree about {a} and {b}: {a} is better by {listed(won)}, {b} by {rival}"
    return f"{sure}{f'. No clear difference by {listed(even)}' if even else ''}."


def _p(pairs: Sequence[_Seen]) -> str:
    """The weakest of these p-values, corrected for the number of tests."""
    known = [(seen.pair.p_holm, seen.tests) for seen in pairs if seen.pair.p_holm is not None]
    worst, tests = max(known, key=itemgetter(0))
    least = all(seen.tests.at_floor(seen.pair) for seen in pairs)
    floor = f", the least possible with {tests.times}" if least else ""
    if worst < 0.001:
        return f"p < 0.001{floor}"
    return f"p {'=' if len(known) == 1 else 'at most'} {worst:.3f}{floor}"


def joined(names: Iterable[str]) -> str:
    """A list in a sentence.

    >>> joined(["A", "B", "C"])
    'A, B and C'
    """
    words = list(names)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
