"""The answer of a comparison, in five sentences or fewer: which system has the best score, which are significantly
worse, which do not differ significantly from it, and where the difference comes from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from tertium.comparison.pair_results import PairResult, PairTests, SystemResult
from tertium.comparison.winners import better
from tertium.io.tables import p_text, sentences
from tertium.io.terminal import cut
from tertium.results import ANSWER, sentence

if TYPE_CHECKING:
    from tertium.comparison.buckets import Bucket, Buckets
    from tertium.comparison.components import Components
    from tertium.comparison.preferences import Preferences

MOST_NAMES = 6  # in a sentence
MOST_CLAUSES = 3  # about where a lead comes from
MOST_GROUPS = 3  # of systems that fare alike, a sentence each
BEHIND, TIED, AHEAD = "significantly worse", "not significantly different", "significantly better"
_ORDER = (AHEAD, BEHIND, TIED)
SMALLEST_SHARE = 0.05  # of all words: less than that is not where a lead comes from


@dataclass(frozen=True)
class Brevity:
    """How much is said: systems and metrics in a list, clauses of a lead, columns of a name, sizes of differences."""

    names: int = MOST_NAMES
    clauses: int = MOST_CLAUSES
    labels: int | None = None  # None: all metrics
    columns: int | None = None  # None: names as they are
    details: bool = True

    def systems(self, names: Iterable[str]) -> str:
        return listed(names, self.names, "systems")

    def metrics(self, labels: Sequence[str]) -> str:
        return listed(labels, len(labels) if self.labels is None else self.labels, "metrics")

    def shorter(self, names: Iterable[str]) -> dict[str, str]:
        """Names without their middle, where they are too long; as they are, if they could not be told apart then."""
        given = list(names)
        short = {name: name if self.columns is None else cut(name, self.columns) for name in given}
        return short if len(set(short.values())) == len(set(given)) else dict(zip(given, given, strict=True))


FULL = Brevity()
_LADDER = (
    *(
        Brevity(names, clauses)
        for names, clauses in product((MOST_NAMES, 4, 3, 2), range(MOST_CLAUSES, -1, -1))
    ),
    *(Brevity(2, 0, 3, columns) for columns in (None, 32, 24, 16)),
    *(Brevity(names, 0, names, columns, details=False) for names in (2, 1) for columns in (24, 16, 12, 8)),
)


def outcome(
    tests: Sequence[PairTests], baseline: str | None = None, *, brief: Brevity = FULL
) -> Iterator[str]:
    """Which system has the best score, which are significantly worse, which are not, and what is undefined.

    >>> from tertium import TestSet, compare
    >>> found = compare(TestSet.sample(), ["chrf"])
    >>> for line in outcome(found.tests):
    ...     print(line)
    strong has the best score (chrF2).
    Significantly worse: literal and smooth (p ≤ .024, Holm).
    """
    short = brief.shorter(one.name for one in tests[0].systems)
    tests = [_renamed(found, short) for found in tests]
    baseline = short.get(baseline or "", baseline)
    centre = baseline or ranked(tests[0])[0].name
    others = {one.name: _against(tests, one.name, centre) for one in ranked(tests[0]) if one.name != centre}
    known = {name: seen for name, seen in others.items() if any(one.difference is not None for one in seen)}
    if len(others) == 1:
        yield from (_verdict(seen, baseline, brief) for seen in known.values())
    else:
        leader = list(_leaders(tests, brief))
        yield from leader
        if all(found.least >= found.alpha for found in tests):
            yield _nothing_possible(tests)
            known = {}
        only = baseline is None and _alone_first(tests, centre)
        middle = "" if only else f"the baseline, {centre}" if baseline else centre
        yield from _groups(known, middle, brief)
    undefined = {
        found.label: [system.name for system in found.systems if system.value is None] for found in tests
    }
    why = {found.label: found.undefined_because for found in tests}
    concerned = {label: lacking for label, lacking in undefined.items() if lacking}
    if concerned and brief.details:
        parts = (
            f"{label} of {brief.systems(own)} is undefined: {why[label]}" for label, own in concerned.items()
        )
        yield sentence("compare.undefined", parts="; ".join(parts))
    elif concerned:
        lacking = dict.fromkeys(name for own in concerned.values() for name in own)
        yield sentence(
            "compare.undefined-short", metrics=brief.metrics(list(concerned)), systems=brief.systems(lacking)
        )


def _nothing_possible(tests: Sequence[PairTests]) -> str:
    """That no p-value of these tests can be below alpha, by the tests whose least p-value is smallest."""
    closest = min(tests, key=lambda found: found.least)
    return sentence(
        "compare.nothing-possible",
        limit=closest.limit(),
        p=p_text(closest.least, alpha=closest.alpha),
        holm=" after Holm" if len(closest.pairs) > 1 else "",
        advice=closest.advice,
    )


def fitted(answer: Callable[[Brevity], Iterable[str]], width: int) -> list[str]:
    """The sentences of `answer`, with as many names and details as five lines hold; if need be, one paragraph."""
    chosen: list[str] = []
    for brief in _LADDER:
        chosen = list(answer(brief))
        if _holds(chosen, width):
            return chosen
    while chosen and not _holds([" ".join(chosen)], width):
        chosen.pop()  # the later ones matter less
    return [" ".join(chosen)]


def _holds(said: Sequence[str], width: int) -> bool:
    """Whether these are five lines or fewer, none of them too long."""
    lines = sentences(said, width=width).splitlines()
    return len(lines) <= ANSWER and max(map(len, lines), default=0) <= width


def _renamed(tests: PairTests, names: Mapping[str, str]) -> PairTests:
    if all(name == short for name, short in names.items()):
        return tests
    systems = tuple(replace(one, name=names[one.name]) for one in tests.systems)
    pairs = tuple(
        replace(
            one,
            first=names[one.first],
            second=names[one.second],
            better=one.better and names[one.better],
        )
        for one in tests.pairs
    )
    return replace(tests, systems=systems, pairs=pairs)


def ranked(tests: PairTests) -> list[SystemResult]:
    """The systems by one metric, best first."""
    sign = 1 if tests.metric.higher_is_better else -1
    return sorted(tests.systems, key=lambda one: float("inf") if one.value is None else -sign * one.value)


def where(
    tests: PairTests,
    baseline: str | None,
    preferences: Sequence[Preferences],
    buckets: Sequence[Buckets],
    components: Components,
) -> tuple[dict[str, str], list[str]]:
    """Where the lead of the best system over the next (or the baseline) comes from, if it is significant: clauses."""
    best, second = (one.name for one in ranked(tests)[:2])
    rival = baseline if baseline not in (None, best) else second
    seen = _against([tests], best, str(rival))
    if not seen or seen[0].winner != best:
        return {}, []
    parts = [
        *_share(preferences, best, str(rival), tests),
        *_lengths(buckets, seen[0]),
        *_ratios(components, seen[0]),
    ]
    return {"best": best, "rival": str(rival), "amount": seen[0].amount(signed=False)}, parts


def about_runs(runs: Mapping[str, Sequence[str]], shown: Mapping[str, str]) -> Iterator[str]:
    """Which run of a system stands for all of them."""
    several = {system: names for system, names in runs.items() if len(names) > 1}
    if several:
        listing = ", ".join(f"{shown[system]} of {len(names)} runs" for system, names in several.items())
        yield sentence("compare.runs", runs=listing)


def _share(preferences: Sequence[Preferences], best: str, rival: str, tests: PairTests) -> Iterator[str]:
    for found in preferences:
        if set(found.systems) == {best, rival}:
            rates = next((own.plain for own in found.metrics if own.metric == tests.metric), None)
            if rates is not None:
                own, other = (rates.first, rates.second)[:: 1 if found.systems[0] == best else -1]
                yield f"better on {100 * own:.0f}% of {tests.metric.scope}s, worse on {100 * other:.0f}%"
            return


def _lengths(buckets: Sequence[Buckets], seen: _Seen) -> Iterator[str]:
    """The lengths that most of the lead comes from, a bucket counting as much as its words, and those without any."""
    for found in buckets:
        metric = seen.tests.metric
        if " length " not in found.by or metric not in found.metrics:
            continue
        leads: list[tuple[float, Bucket]] = []
        for bucket in found.buckets:
            a, b = bucket.scores[seen.a, metric], bucket.scores[seen.b, metric]
            if (bucket.share_of_words or 0) >= SMALLEST_SHARE and a is not None and b is not None:
                leads.append((abs(a - b) * better(metric, a, b), bucket))
        if len(leads) > 1:
            lead, most = max(leads, key=lambda one: one[0] * one[1].words)
            none = [bucket.name for lead, bucket in leads if lead <= 0]
            lacking = f", none on {listed(none)}" if none else ""
            side = found.by.partition(" length")[0]
            yield f"most on {most.name} {side} tokens ({seen.written(lead)} there){lacking}"
        return


def _ratios(components: Components, seen: _Seen) -> Iterator[str]:
    """The lengths of the outputs, where they differ enough to matter."""
    for own in components.metrics:
        ratios = dict(zip(components.systems, own.parts.get("ratio", ()), strict=False))
        a, b = ratios.get(seen.a), ratios.get(seen.b)
        if a is not None and b is not None:
            if abs(a - b) > 0.02:
                yield f"length {a:.2f} of the references against {b:.2f}"
            return


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

    @property
    def outcome(self) -> str:
        return TIED if self.winner is None else AHEAD if self.winner == self.a else BEHIND

    def turned(self) -> _Seen:
        return self._replace(a=self.b, b=self.a)

    def written(self, value: float) -> str:
        """Two decimals for scores up to 100, four for scores up to 1."""
        known = [abs(system.value) for system in self.tests.systems if system.value is not None]
        return f"{value:.{4 if max(known, default=100) <= 1.5 else 2}f}"

    def amount(self, *, signed: bool = True) -> str:
        difference, label = self.difference or 0.0, self.tests.label
        if not signed:
            return f"{self.written(abs(difference))} {label}"
        if difference == 0:
            return f"{label} (equal)"
        size = self.written(abs(difference))
        if self.tests.metric.higher_is_better:
            return f"{label} ({'+' if difference > 0 else '−'}{size})"
        return f"{label} ({size} {'higher' if difference > 0 else 'lower'})"


def _leaders(tests: Sequence[PairTests], brief: Brevity) -> Iterator[str]:
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
        has = "has" if len(leaders) == 1 else "share"
        every = " by every metric" if len(labels) > 1 else ""
        named = {"systems": brief.systems(leaders), "metrics": brief.metrics(labels)}
        yield sentence("compare.best-score", has=has, every=every, **named)
    elif by_leader and not brief.details:
        first = dict.fromkeys(name for leaders in by_leader for name in leaders)
        yield sentence("compare.no-common-best-short", systems=brief.systems(first))
    elif by_leader:
        parts = (
            f"{brief.metrics(labels)} {'puts' if len(labels) == 1 else 'put'} {brief.systems(leaders)} first"
            for leaders, labels in by_leader.items()
        )
        yield sentence("compare.no-common-best", leaders="; ".join(parts))


def _alone_first(tests: Sequence[PairTests], name: str) -> bool:
    """Whether a system alone has the best score by every metric."""
    for found in tests:
        best = [
            one.name for one in ranked(found) if one.value is not None and one.value == ranked(found)[0].value
        ]
        if best and best != [name]:
            return False
    return True


def _against(tests: Sequence[PairTests], a: str, b: str) -> list[_Seen]:
    """The pair of two systems by every metric, seen from the first."""
    return [
        _Seen(found, pair, a, b) for found in tests for pair in found if {pair.first, pair.second} == {a, b}
    ]


def _groups(others: dict[str, list[_Seen]], centre: str, brief: Brevity) -> Iterator[str]:
    """Systems that fare alike against the one in the centre (empty: the one just named), in a sentence."""
    groups: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for name, seen in others.items():
        said = tuple((one.tests.label, one.outcome) for one in seen if one.difference is not None)
        groups.setdefault(said, []).append(name)
    alike = [key for key in groups if len({how for _, how in key}) == 1]
    clear = sorted(alike, key=lambda key: _ORDER.index(key[0][1]))
    mixed = [key for key in groups if key not in clear]
    every = len(others) == len(groups[clear[0]]) > 2 if clear else False
    for key in clear:
        how, names = key[0][1], groups[key]
        named = f"all {len(names)} others" if every else brief.systems(names)
        seen = [one for name in names for one in others[name] if one.difference is not None]
        from_ = f" from {centre}" if centre else ""
        if how == TIED and not brief.details:
            yield sentence("compare.not-significant-short", from_=from_, systems=named)
        elif how == TIED:
            apart = max(
                (one for one in seen if one.tests is seen[0].tests),
                key=lambda one: abs(one.difference or 0.0),
            )
            amount = apart.amount(signed=False)
            yield sentence("compare.not-significant", from_=from_, systems=named, amount=amount)
        else:
            name = "compare.worse" if how == BEHIND else "compare.better"
            yield sentence(name, than=f" than {centre}" if centre else "", systems=named, p=_p(seen))
    if len(clear) + len(mixed) > MOST_GROUPS or (mixed and not brief.details):
        names = [name for key in mixed for name in groups[key]]
        yield sentence("compare.mixed-short", systems=brief.systems(names))
        return
    for key in mixed:
        by = {how: [label for label, said in key if said == how] for how in _ORDER}
        text = ", ".join(f"{how} by {brief.metrics(labels)}" for how, labels in by.items() if labels)
        yield sentence("compare.mixed", systems=brief.systems(groups[key]), parts=text)


def _verdict(pairs: Sequence[_Seen], baseline: str | None, brief: Brevity) -> str:
    """Two systems in a sentence."""

    def amounts(chosen: Iterable[_Seen]) -> str:
        return brief.metrics([seen.amount() if brief.details else seen.tests.label for seen in chosen])

    pairs = [seen for seen in pairs if seen.difference is not None]
    a, b = pairs[0].a, pairs[0].b
    won = [seen for seen in pairs if seen.winner == a]
    lost = [seen for seen in pairs if seen.winner == b]
    even = [seen for seen in pairs if seen.winner is None]
    if (lost and not won) or (not lost and not won and baseline is None):
        a, b, won, lost = b, a, [seen.turned() for seen in lost], [seen.turned() for seen in won]
        even = [seen.turned() for seen in even]
    if not won:
        smallest, label = even[0].pair.smallest_detectable, even[0].tests.label
        floor = ""
        if smallest and brief.details:  # of equal outputs it is 0
            floor = sentence("compare.pair-floor", amount=f"{even[0].written(smallest)} {label}")
        elif all(seen.tests.least >= seen.tests.alpha for seen in even):
            floor = " " + _nothing_possible([seen.tests for seen in even])
        named = {"first": a, "second": b, "amounts": amounts(even), "p": _least_p(even)}
        return sentence("compare.pair-not-significant", floor=floor, **named)
    rest = sentence("compare.pair-rest", amounts=amounts(even)) if even else ""
    if lost:
        rival = amounts(seen.turned() for seen in lost)
        named = {"winner": a, "loser": b, "amounts": amounts(won), "others": rival}
        return sentence("compare.pair-disagreement", rest=rest, **named)
    return sentence("compare.pair-significant", winner=a, loser=b, amounts=amounts(won), p=_p(won), rest=rest)


def _p(pairs: Sequence[_Seen]) -> str:
    """The largest of these p-values, corrected for the number of tests."""
    known = [seen.pair.p_holm for seen in pairs if seen.pair.p_holm is not None]
    return _p_words(max(known), pairs, "=" if len(known) == 1 else "≤")


def _least_p(pairs: Sequence[_Seen]) -> str:
    """The smallest of them, for differences that are not significant."""
    known = [seen.pair.p_holm for seen in pairs if seen.pair.p_holm is not None]
    if not known:
        return "no p-value"
    return _p_words(min(known), pairs, "=" if len(known) == 1 else "≥")


def _p_words(p: float, pairs: Sequence[_Seen], sign: str) -> str:
    text = p_text(p, alpha=pairs[0].tests.alpha)
    holm = ", Holm" if len(pairs[0].tests.pairs) > 1 else ""
    return f"p {text if text.startswith('<') else f'{sign} {text}'}{holm}"


def listed(names: Iterable[str], most: int = MOST_NAMES, what: str = "names") -> str:
    """A list in a sentence; of many names the first, or only their number.

    >>> listed(["A", "B", "C"]), listed("ABCDEFGH", most=4), listed("AB", 1, "systems")
    ('A, B and C', 'A, B, C and 5 more', '2 systems')
    """
    words = list(names)
    if len(words) > most == 1:
        return f"{len(words)} {what}"
    if len(words) > most:
        words = [*words[: most - 1], f"{len(words) - most + 1} more"]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
