"""All sentences that `meta run` can print, each with the condition that allows it: the table of docs/meta.md.

Those about single levels are in `level_sentences`; tests/meta/test_sentences.py walks the whole table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from tertium.io.scorematrix import LEVELS
from tertium.meta.agreement_statistics import STATISTICS
from tertium.meta.correlations import LEVEL_NAMES
from tertium.meta.level_sentences import ANSWER, LevelFacts
from tertium.meta.sentences import Cases, SentenceTemplate, listed

if TYPE_CHECKING:
    from tertium.meta.evaluation import Evaluation
    from tertium.meta.standard import FolderDefaults


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


def _references_together(run: Evaluation) -> Cases:
    for pair, names in run.several_references.items():
        yield {"pair": pair, "names": listed(names)}


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


FIRST: tuple[SentenceTemplate[Evaluation], ...] = (
    SentenceTemplate("meta.unknown-test-set", _unknown_testset),
    SentenceTemplate("meta.several-references", _several_references),
    SentenceTemplate("meta.references-together", _references_together),
    SentenceTemplate("meta.unknown-metrics", _unknown_metrics),
    SentenceTemplate("meta.no-official-metric", _no_official_metric),
    SentenceTemplate("meta.unknown-gold", _unknown_gold),
    SentenceTemplate("meta.other-gold", _other_gold),
    SentenceTemplate("meta.pairs-left-out", _pairs_left_out),
)

CAUTIONS: tuple[SentenceTemplate[Evaluation], ...] = (
    SentenceTemplate("meta.speed", _speed),
    SentenceTemplate("meta.two-systems", _two_systems),
    SentenceTemplate("meta.backwards", _backwards),
    SentenceTemplate("meta.undefined", _undefined),
)

NOTES: tuple[SentenceTemplate[Evaluation], ...] = (
    SentenceTemplate("meta.what-is-used", _what_is_used),
    SentenceTemplate("meta.outliers", _outliers),
    SentenceTemplate("meta.humans", _humans),
    SentenceTemplate("meta.other-metrics", _other_metrics),
    SentenceTemplate("meta.padded", _padded),
    SentenceTemplate("meta.left-out", _left_out),
)


def unknown(run: Evaluation) -> Iterator[str]:
    """What is not known of the data, and what is not judged therefore."""
    for sentence in FIRST:
        yield from sentence.said(run)


def answer(run: Evaluation) -> Iterator[str]:
    """The sentences above the tables: what is not known, the answer level by level, and what to be careful about."""
    yield from unknown(run)
    for level in run.levels:
        facts = LevelFacts(tuple(run.of(level)), run.over_pairs(level))
        for about in ANSWER:
            yield from about.said(facts)
    for sentence in CAUTIONS:
        yield from sentence.said(run)


def notes(run: Evaluation) -> Iterator[str]:
    """The sentences below the tables: what was used by default, and how much was left out."""
    for sentence in NOTES:
        yield from sentence.said(run)
