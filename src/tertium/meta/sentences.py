"""All sentences that the answer to a task can hold, each with the condition that allows it.

A claim in words needs a test: no metric is best without one, and none is ahead of its equals. docs/meta.md prints this
table (`sentence_table`), and tests/meta/test_sentences.py walks it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from tertium.io.scorematrix import LEVELS
from tertium.meta.agreement_statistics import STATISTICS
from tertium.meta.correlations import LEVEL_NAMES, Correlations, everywhere

if TYPE_CHECKING:
    from tertium.meta.evaluation import Evaluation
    from tertium.meta.standard import FolderDefaults

MOST_NAMES = 8  # names that a sentence lists
DIGITS = 3
Facts = TypeVar("Facts")
Cases = Iterable[Mapping[str, object]]


@dataclass(frozen=True)
class Sentence(Generic[Facts]):
    """A sentence and when it is said.

    Attributes:
        name: for tests and documentation.
        template: filled by `str.format`.
        condition: when it may be said, in words.
        cases: the values to fill in, once for each time it is said; nothing where the condition does not hold.
    """

    name: str
    template: str
    condition: str
    cases: Callable[[Facts], Cases]

    def said(self, facts: Facts) -> Iterator[str]:
        """The sentence as often as it is true."""
        for values in self.cases(facts):
            yield self.template.format(**values)


@dataclass(frozen=True)
class LevelFacts:
    """The results of all language pairs at one level."""

    judged: tuple[Correlations, ...]

    @property
    def where(self) -> str:
        return LEVEL_NAMES[self.judged[0].level]

    @property
    def pairs(self) -> str:
        return listed([own.pair for own in self.judged])

    @property
    def symbol(self) -> str:
        return self.judged[0].symbol

    @property
    def means(self) -> dict[str, float]:
        """By metric with a value on every pair, the mean of these values; the highest first."""
        values = {name: np.mean(list(own.values())) for name, own in everywhere(self.judged).items()}
        return {name: float(values[name]) for name in sorted(values, key=lambda name: (-values[name], name))}

    @property
    def tested(self) -> list[Correlations]:
        """The pairs where differences between metrics were tested."""
        return [own for own in self.judged if own.wins is not None]

    @property
    def single(self) -> Correlations | None:
        """The only pair, if there is one only and metrics to compare."""
        return self.judged[0] if len(self.judged) == 1 and len(self.means) > 1 else None

    @property
    def several(self) -> bool:
        return len(self.judged) > 1 and len(self.means) > 1

    @property
    def counts(self) -> dict[str, int]:
        """On how many of the tested pairs no other metric outperforms a metric significantly."""
        return {name: sum(name in own.leading for own in self.tested) for name in self.means}


def listed(names: Sequence[str]) -> str:
    """Names in a sentence; of many the first ones and how many more.

    >>> listed(["a", "b", "c"]), listed([str(i) for i in range(12)])
    ('a, b and c', '0, 1, 2, 3, 4, 5, 6, 7 and 4 more')
    """
    if len(names) > MOST_NAMES:
        return f"{', '.join(names[:MOST_NAMES])} and {len(names) - MOST_NAMES} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _number(value: float) -> str:
    return f"{value:.{DIGITS}f}"


def _no_value(facts: LevelFacts) -> Cases:
    if not facts.means:
        yield {"where": facts.where, "pairs": facts.pairs}


def _one_metric(facts: LevelFacts) -> Cases:
    if len(facts.means) == 1:
        ((metric, value),) = facts.means.items()
        mean = "a mean of " if len(facts.judged) > 1 else ""
        shown = f"{mean}{facts.symbol} {_number(value)}"
        yield {"where": facts.where, "metric": metric, "value": shown, "pairs": facts.pairs}


def _pair(facts: LevelFacts, own: Correlations) -> dict[str, object]:
    return {"where": facts.where, "pair": own.pair, "symbol": facts.symbol, "test": own.significance}


def _beaten(own: Correlations) -> list[str]:
    return [cell.name for cell in own.cells if cell.value is not None and cell.name not in own.leading]


def _better_than_all(own: Correlations) -> str | None:
    """The metric that is significantly better than every other one that has a value."""
    if own.wins is None:
        return None
    valued = [i for i, cell in enumerate(own.cells) if cell.value is not None]
    return next((own.cells[i].name for i in valued if all(own.wins[i, j] for j in valued if j != i)), None)


def _best(facts: LevelFacts) -> Cases:
    own = facts.single
    if own is not None and (best := _better_than_all(own)) is not None:
        yield {**_pair(facts, own), "best": best, "value": _number(facts.means[best])}


def _leaders(facts: LevelFacts) -> Cases:
    own = facts.single
    if own is not None and own.wins is not None and _beaten(own) and _better_than_all(own) is None:
        names = [name for name in facts.means if name in own.leading]
        verb = "is" if len(names) == 1 else "are"
        n = len(_beaten(own))
        others = "one is" if n == 1 else f"{n} are"
        yield {**_pair(facts, own), "names": listed(names), "verb": verb, "others": others}


def _no_difference(facts: LevelFacts) -> Cases:
    own = facts.single
    if own is not None and own.wins is not None and not _beaten(own):
        yield _pair(facts, own)


def _untested(facts: LevelFacts) -> Cases:
    own = facts.single
    if own is not None and own.wins is None:
        yield {**_pair(facts, own), **_range(facts)}


def _range(facts: LevelFacts) -> dict[str, object]:
    """The highest and the lowest value, with all metrics that have them as printed."""
    shown = {name: _number(value) for name, value in facts.means.items()}
    high, low = next(iter(shown.values())), list(shown.values())[-1]
    found: dict[str, object] = {"high": high, "low": low}
    for end, value in (("best", high), ("worst", low)):
        found[end] = listed([name for name in shown if shown[name] == value])
    return found


def _pairs_untested(facts: LevelFacts) -> Cases:
    if facts.several and not facts.tested:
        yield {"where": facts.where, "symbol": facts.symbol, "pairs": len(facts.judged), **_range(facts)}


def _counted(facts: LevelFacts) -> dict[str, object] | None:
    """How often metrics are not outperformed, where that was tested."""
    if not facts.several or not facts.tested:
        return None
    counts = facts.counts
    most = max(counts.values())
    names = [name for name in counts if counts[name] == most]
    return {
        "where": facts.where,
        "tested": len(facts.tested),
        "most": most,
        "names": listed(names),
        "verb": "is" if len(names) == 1 else "are",
        "all": len(names) == len(counts),
        "times": len(facts.tested) - most,
    }


def _pairs_no_difference(facts: LevelFacts) -> Cases:
    counted = _counted(facts)
    if counted and counted["all"] and counted["most"] == counted["tested"]:
        yield counted


def _pairs_equal(facts: LevelFacts) -> Cases:
    counted = _counted(facts)
    if counted and counted["all"] and counted["most"] != counted["tested"]:
        yield counted


def _pairs_counts(facts: LevelFacts) -> Cases:
    counted = _counted(facts)
    if counted and not counted["all"]:
        yield counted


def _partly_tested(facts: LevelFacts) -> Cases:
    if facts.several and 0 < len(facts.tested) < len(facts.judged):
        others = [own.pair for own in facts.judged if own.wins is None]
        yield {"where": facts.where, "pairs": listed(others)}


def _grouped(
    defaults: Sequence[FolderDefaults], of: Callable[[FolderDefaults], tuple[object, ...] | None]
) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Language pairs for which the same is said, and what that is; None says nothing."""
    found = [(values, one.pair) for one in defaults if (values := of(one)) is not None]
    found.sort(key=lambda one: repr(one[0]))
    for _, group in groupby(found, key=lambda one: repr(one[0])):
        members = list(group)
        yield listed([pair for _, pair in members]), members[0][0]


def _unknown_testset(run: Evaluation) -> Cases:
    of = _grouped(run.defaults, lambda one: None if one.testset else ())
    return ({"pairs": pairs, "layout": run.task.layout} for pairs, _ in of)


def _several_references(run: Evaluation) -> Cases:
    of = _grouped(run.defaults, lambda one: None if one.known_reference else (one.references,))
    return ({"pairs": pairs, "names": listed(references)} for pairs, (references,) in of)


def _unknown_metrics(run: Evaluation) -> Cases:
    def unknown(one: FolderDefaults) -> tuple[str] | None:
        return (one.testset,) if one.testset and not one.official_metrics and not run.task.outside else None

    return ({"pairs": pairs, "testset": testset} for pairs, (testset,) in _grouped(run.defaults, unknown))


def _no_official_metric(run: Evaluation) -> Cases:
    def absent(one: FolderDefaults) -> tuple[str] | None:
        stored = run.task.outside or one.metrics is not None
        return (one.testset,) if one.official_metrics and not stored else None

    return ({"pairs": pairs, "testset": testset} for pairs, (testset,) in _grouped(run.defaults, absent))


def _names(gold: Mapping[Any, str]) -> str:
    """Names of human scores, with the levels where they differ."""
    if len(set(gold.values())) == 1:
        return next(iter(gold.values()))
    levels = sorted(gold, key=LEVELS.index)
    return listed([f"{gold[level]} ({level}s)" for level in reversed(levels)])


def _unknown_gold(run: Evaluation) -> Cases:
    def unknown(one: FolderDefaults) -> tuple[str, str] | None:
        return (one.testset, _names(one.gold)) if one.testset and one.gold and not one.official_gold else None

    of = _grouped(run.defaults, unknown)
    return ({"pairs": pairs, "testset": testset, "names": names} for pairs, (testset, names) in of)


def _other_gold(run: Evaluation) -> Cases:
    def other(one: FolderDefaults) -> tuple[str, str] | None:
        differs = any(one.gold[level] != name for level, name in one.official_gold.items())
        return (_names(one.gold), _names(one.official_gold)) if differs else None

    of = _grouped(run.defaults, other)
    return ({"pairs": pairs, "names": names, "official": official} for pairs, (names, official) in of)


def _pairs_left_out(run: Evaluation) -> Cases:
    if run.pairs_not_judged:
        name = run.task.human.get("name", "")
        yield {"name": name, "pairs": listed(run.pairs_not_judged)}


def _speed(run: Evaluation) -> Cases:
    costs = run.costs("system")
    means = {name: sum(cost for cost, _ in own.values()) / len(own) for name, own in costs.items()}
    shown = {name: f"{mean:,.1f}" for name, mean in sorted(means.items(), key=lambda one: one[1])}
    if len(set(shown.values())) > 1:
        (fast, low), *_, (slow, high) = shown.items()
        yield {"fast": fast, "low": low, "slow": slow, "high": high}


def _two_systems(run: Evaluation) -> Cases:
    if few := [own.pair for own in run.of("system") if own.n == 2]:
        yield {"pairs": listed(few)}


def _backwards(run: Evaluation) -> Cases:
    found = [
        f"{cell.name} on {own.pair} ({LEVEL_NAMES[own.level].lower()})"
        for own in run.judged
        for cell in own.cells
        if STATISTICS[own.statistic].absolute and cell.value is not None and cell.value < 0
    ]
    if found:
        yield {"names": listed(found)}


def _undefined(run: Evaluation) -> Cases:
    found = dict.fromkeys(
        f"{cell.name} on {own.pair}" for own in run.judged for cell in own.cells if cell.reason
    )
    if found:
        yield {"names": listed(list(found))}


def _what_is_used(run: Evaluation) -> Cases:
    def used(one: FolderDefaults) -> tuple[str, str, str]:
        return (
            one.testset or run.task.name,
            ", ".join(one.references),
            _names(one.gold) if one.gold else "files",
        )

    of = _grouped(run.defaults, used)
    return (
        {"pairs": pairs, "testset": testset, "references": references, "gold": gold}
        for pairs, (testset, references, gold) in of
    )


def _outliers(run: Evaluation) -> Cases:
    given = run.task.without is not None
    of = _grouped(run.defaults, lambda one: (one.outliers,) if one.outliers and not given else None)
    return ({"pairs": pairs, "names": listed(names)} for pairs, (names,) in of)


def _humans(run: Evaluation) -> Cases:
    of = _grouped(run.defaults, lambda one: (one.humans,) if one.humans else None)
    return ({"pairs": pairs, "names": listed(names)} for pairs, (names,) in of)


def _other_metrics(run: Evaluation) -> Cases:
    def others(one: FolderDefaults) -> tuple[int] | None:
        return (len(one.other_metrics),) if one.other_metrics and not run.task.outside else None

    return ({"pairs": pairs, "n": n} for pairs, (n,) in _grouped(run.defaults, others))


def _padded(run: Evaluation) -> Cases:
    of = _grouped(run.defaults, lambda one: (one.padded,) if one.padded else None)
    return ({"pairs": pairs, "names": listed(names)} for pairs, (names,) in of)


def _left_out(run: Evaluation) -> Cases:
    for pair, n in run.unread.items():
        if n:
            yield {"pair": pair, "where": "reading", "n": n}
    for own in run.judged:
        if n := sum(left.rows for coverage in own.coverages for left in coverage.left_out):
            yield {"pair": own.pair, "where": LEVEL_NAMES[own.level].lower(), "n": n}


FIRST: tuple[Sentence[Evaluation], ...] = (
    Sentence(
        "unknown test set",
        "{pairs}: {layout} is not recognised as a test set of mt-metrics-eval; standard reference, official human "
        "scores, outliers and primary metrics are not known.",
        "the folder is laid out as mt-metrics-eval's, and neither its name nor its contents are a known test set's",
        _unknown_testset,
    ),
    Sentence(
        "several references",
        "{pairs}: there are several references ({names}) and none is known as the standard: metrics against any of "
        "them are listed.",
        "no standard reference is known, the task names none, and the folder has more than one",
        _several_references,
    ),
    Sentence(
        "unknown metrics",
        "{pairs}: the primary metrics of {testset} are not known: all stored metrics are judged.",
        "the test set is recognised, but has no list of primary metrics",
        _unknown_metrics,
    ),
    Sentence(
        "no official metric",
        "{pairs}: none of the primary metrics of {testset} is stored here: all stored metrics are judged.",
        "primary metrics are known, and the folder stores scores of none of them",
        _no_official_metric,
    ),
    Sentence(
        "unknown gold",
        "{pairs}: the official human scores of {testset} are not known: {names} is used.",
        "the test set is recognised, but names no official human scores of the pair",
        _unknown_gold,
    ),
    Sentence(
        "other gold",
        "{pairs}: human scores are {names}; the official ones are {official}.",
        "the human scores that were asked for are not the official ones",
        _other_gold,
    ),
    Sentence(
        "pairs left out",
        "Not judged, because they have no human scores called {name}: {pairs}.",
        "no pairs were named, and some of the folder lack these human scores",
        _pairs_left_out,
    ),
)

ANSWER: tuple[Sentence[LevelFacts], ...] = (
    Sentence(
        "no value",
        "{where}: no metric has a value on {pairs}.",
        "no metric has a value on every language pair",
        _no_value,
    ),
    Sentence(
        "one metric",
        "{where}: {metric} has {value} with people on {pairs}; there is no other metric to compare it with.",
        "exactly one metric has a value on every language pair",
        _one_metric,
    ),
    Sentence(
        "best",
        "{where}, {pair}: {best} ({symbol} {value}) agrees significantly better with people than every other metric "
        "({test}).",
        "one language pair; the test finds this metric better than each of the others",
        _best,
    ),
    Sentence(
        "leaders",
        "{where}, {pair}: {names} {verb} not significantly outperformed by any other metric; the other {others} "
        "({test}).",
        "one language pair; the test finds differences, but no metric that is better than each of the others",
        _leaders,
    ),
    Sentence(
        "no difference",
        "{where}, {pair}: no metric is significantly better than another ({test}).",
        "one language pair; the test finds no difference",
        _no_difference,
    ),
    Sentence(
        "untested",
        "{where}, {pair}: {symbol} goes from {high} ({best}) to {low} ({worst}); no test says whether metrics differ.",
        "one language pair; differences were not tested",
        _untested,
    ),
    Sentence(
        "pairs: no difference",
        "{where}: no metric is significantly outperformed on any of {tested} language pairs.",
        "several language pairs; no test finds a difference",
        _pairs_no_difference,
    ),
    Sentence(
        "pairs: equal",
        "{where}: none is ahead; each metric is significantly outperformed on {times} of {tested} language pairs.",
        "several language pairs; tests find differences, and every metric is outperformed equally often",
        _pairs_equal,
    ),
    Sentence(
        "pairs: counts",
        "{where}: {names} {verb} not significantly outperformed on {most} of {tested} language pairs, the others on "
        "fewer.",
        "several language pairs; at least one other metric is outperformed more often than these",
        _pairs_counts,
    ),
    Sentence(
        "pairs: partly tested",
        "{where}: no test says whether metrics differ on {pairs}.",
        "several language pairs; differences were tested on some only",
        _partly_tested,
    ),
    Sentence(
        "pairs: untested",
        "{where}: mean {symbol} over {pairs} language pairs goes from {high} ({best}) to {low} ({worst}); no test says "
        "whether metrics differ.",
        "several language pairs; differences were tested on none",
        _pairs_untested,
    ),
)

CAUTIONS: tuple[Sentence[Evaluation], ...] = (
    Sentence(
        "speed",
        "In this run {fast} was the fastest metric with {low} microseconds per translation, {slow} the slowest with "
        "{high}.",
        "at least two metrics were scored here, with different times",
        _speed,
    ),
    Sentence(
        "two systems",
        "{pairs}: two systems only, where every correlation is 1 or -1 by construction.",
        "people scored two systems of the pair",
        _two_systems,
    ),
    Sentence(
        "backwards",
        "Ranks backwards, although tables show absolute values: {names}.",
        "tables show absolute values of the statistic, and a metric's value is negative",
        _backwards,
    ),
    Sentence(
        "undefined",
        "Undefined: {names}; the notes below the tables say why.",
        "a metric has no value on a language pair",
        _undefined,
    ),
)

NOTES: tuple[Sentence[Evaluation], ...] = (
    Sentence(
        "what is used",
        "{testset} {pairs}: metrics score against {references}; human scores: {gold}.",
        "the folder is laid out as mt-metrics-eval's",
        _what_is_used,
    ),
    Sentence(
        "outliers",
        "{pairs}: left out as outliers: {names}.",
        "the test set's outliers are left out",
        _outliers,
    ),
    Sentence(
        "humans",
        "{pairs}: human translations that are judged like systems: {names}.",
        "people scored references other than those that metrics score against",
        _humans,
    ),
    Sentence(
        "other metrics",
        "{pairs}: {n} stored metrics that are neither primary nor baseline are not judged (--metric '*' judges all).",
        "the official metrics are known, and the folder stores scores of others",
        _other_metrics,
    ),
    Sentence(
        "padded",
        "{pairs}: without scores of some system, which counts as 0 there, as in mt-metrics-eval: {names}.",
        "a stored metric lacks scores of a system that people scored",
        _padded,
    ),
    Sentence(
        "left out",
        "{pair}, {where}: {n} left out (--provenance says what and why).",
        "rows of files, or systems and segments that only one side has, are left out",
        _left_out,
    ),
)


def answer(run: Evaluation) -> Iterator[str]:
    """The sentences above the tables: what is not known, the answer level by level, and what to be careful about."""
    for sentence in FIRST:
        yield from sentence.said(run)
    for level in run.levels:
        facts = LevelFacts(tuple(run.of(level)))
        for about in ANSWER:
            yield from about.said(facts)
    for sentence in CAUTIONS:
        yield from sentence.said(run)


def notes(run: Evaluation) -> Iterator[str]:
    """The sentences below the tables: what was used by default, and how much was left out."""
    for sentence in NOTES:
        yield from sentence.said(run)


def sentence_table() -> str:
    """The sentences and their conditions in Markdown, as docs/meta.md has them."""
    rows = ["| sentence | printed when |", "|---|---|"]
    every: tuple[Sentence[Any], ...] = (*FIRST, *ANSWER, *CAUTIONS, *NOTES)
    rows += [f"| {sentence.template} | {sentence.condition} |" for sentence in every]
    return "\n".join(rows)
