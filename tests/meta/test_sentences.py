"""The table of the sentences of `meta run`: each is printed only when its condition, computed here anew, holds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tertium.io.coverage import Coverage, LeftOut
from tertium.meta.correlations import CorrelationCell, Correlations
from tertium.meta.evaluation import Evaluation
from tertium.meta.level_sentences import ANSWER, LevelFacts
from tertium.meta.pooled import PooledCorrelations
from tertium.meta.run_sentences import CAUTIONS, FIRST, NOTES
from tertium.meta.sentences import SentenceTemplate
from tertium.meta.standard import FolderDefaults
from tertium.meta.task import OutsideScores, Task
from tertium.results import sentence_table

METRICS = ("alpha", "beta", "gamma", "delta")


def made(
    rng: np.random.Generator,
    pair: str,
    *,
    tested: bool,
    n: int = 9,
    likely: float = 0.5,
    statistic: str = "pearson",
) -> Correlations:
    """Random values and decisions; none beats a higher value, and what is undefined neither wins nor loses."""
    names = METRICS[: rng.integers(1, 5)]
    values = [None if rng.random() < 0.1 else float(rng.normal(0.4, 0.4)) for _ in names]
    cells = tuple(
        CorrelationCell(name, value, None, None if value is not None else "all scores are equal")
        for name, value in zip(names, values, strict=True)
    )
    wins = np.zeros((len(names), len(names)), dtype=bool)
    for i, first in enumerate(values):
        for j, second in enumerate(values):
            if first is not None and second is not None and first > second:
                wins[i, j] = rng.random() < likely
    coverage = Coverage("x", "systems", n, (LeftOut("no score", 2),) if rng.random() < 0.3 else ())
    return Correlations(
        pair,
        "system",
        statistic,
        n,
        cells,
        wins if tested else None,
        "a test" if tested else "",
        (),
        (coverage,),
    )


def made_pooled(
    rng: np.random.Generator, judged: list[Correlations], likely: float
) -> PooledCorrelations | None:
    """A test over all pairs, of the metrics that have a value on each, with random decisions."""
    names = tuple(name for name in judged[0].names if name in valued(judged))
    if len(judged) < 2 or len(names) < 2:
        return None
    means = np.array([np.mean([own[name].value for own in judged]) for name in names])
    wins = (means[:, None] > means[None, :]) & (rng.random((len(names), len(names))) < likely)
    pairs = tuple(own.pair for own in judged)
    weights = np.full(len(pairs), 1 / len(pairs))
    decided = None if rng.random() < 0.2 else wins
    p = np.full(wins.shape, np.nan)
    return PooledCorrelations(
        "system", "pearson", "|r|", pairs, names, means, weights, p, decided, "a pooled test"
    )


def levels() -> Iterator[tuple[list[Correlations], PooledCorrelations | None]]:
    """Two thousand levels: one to three language pairs, tested or not, together or not, few differences or many."""
    rng = np.random.default_rng(11)
    for _ in range(2000):
        likely = float(rng.choice([0.0, 0.3, 0.6, 1.0]))
        tested = rng.choice([0.0, 0.5, 1.0])
        judged = [
            made(rng, pair, tested=bool(rng.random() < tested), likely=likely)
            for pair in ("cs-en", "de-en", "zh-en")[: rng.integers(1, 4)]
        ]
        yield judged, made_pooled(rng, judged, likely) if rng.random() < 0.4 else None


# The conditions, computed from the cells and the decisions and nothing else.
def valued(judged: list[Correlations]) -> list[str]:
    """Metrics with a value on every pair."""
    found = [{cell.name for cell in own.cells if cell.value is not None} for own in judged]
    return sorted(set.intersection(*found))


def beats(own: Correlations, first: str, second: str) -> bool:
    assert own.wins is not None
    return bool(own.wins[own.names.index(first), own.names.index(second)])


def free(own: Correlations, name: str) -> bool:
    """Whether no metric beats this one."""
    return own[name].value is not None and not any(beats(own, other, name) for other in own.names)


def lost(own: Correlations) -> list[str]:
    return [cell.name for cell in own.cells if cell.value is not None and not free(own, cell.name)]


def sovereign(own: Correlations) -> list[str]:
    """Metrics that beat every other one with a value."""
    there = [cell.name for cell in own.cells if cell.value is not None]
    return [one for one in there if all(beats(own, one, other) for other in there if other != one)]


def beaten_somewhere(judged: list[Correlations]) -> set[str]:
    return {name for own in judged if own.wins is not None for name in lost(own)}


def anywhere(judged: list[Correlations]) -> set[str]:
    """Metrics with a value on some pair."""
    return {cell.name for own in judged for cell in own.cells if cell.value is not None}


def best_everywhere(judged: list[Correlations]) -> set[str]:
    return set.intersection(*(set(sovereign(own)) for own in judged if own.wins is not None))


def single(judged: list[Correlations]) -> bool:
    return len(judged) == 1 and len(valued(judged)) > 1


def several(judged: list[Correlations], tested: str) -> bool:
    n = sum(own.wins is not None for own in judged)
    fits = {"all or some": n > 0, "some": 0 < n < len(judged), "none": n == 0}[tested]
    return len(judged) > 1 and len(valued(judged)) > 1 and fits


CONDITIONS: dict[str, Callable[[list[Correlations]], bool]] = {
    "meta.no-value": lambda judged: not valued(judged),
    "meta.one-metric": lambda judged: len(valued(judged)) == 1,
    "meta.best": lambda judged: (
        single(judged) and judged[0].wins is not None and len(sovereign(judged[0])) == 1
    ),
    "meta.leaders": lambda judged: (
        single(judged) and judged[0].wins is not None and bool(lost(judged[0])) and not sovereign(judged[0])
    ),
    "meta.no-difference": lambda judged: (
        single(judged) and judged[0].wins is not None and not lost(judged[0])
    ),
    "meta.untested": lambda judged: single(judged) and judged[0].wins is None,
    "meta.pairs-best": lambda judged: several(judged, "all or some") and len(best_everywhere(judged)) == 1,
    "meta.pairs-no-difference": lambda judged: (
        several(judged, "all or some") and not beaten_somewhere(judged)
    ),
    "meta.pairs-losses": lambda judged: (
        several(judged, "all or some")
        and 0 < len(beaten_somewhere(judged)) < len(anywhere(judged))
        and not best_everywhere(judged)
    ),
    "meta.pairs-all-lose": lambda judged: (
        several(judged, "all or some") and beaten_somewhere(judged) == anywhere(judged)
    ),
    "meta.pairs-partly-tested": lambda judged: several(judged, "some"),
    "meta.pairs-untested": lambda judged: several(judged, "none"),
}


def pooled_losers(pooled: PooledCorrelations) -> set[str]:
    assert pooled.wins is not None
    return {pooled.names[j] for j in range(len(pooled.names)) if pooled.wins[:, j].any()}


def pooled_sovereign(pooled: PooledCorrelations) -> set[str]:
    assert pooled.wins is not None
    n = len(pooled.names)
    return {pooled.names[i] for i in range(n) if pooled.wins[i].sum() == n - 1}


POOLED: dict[str, Callable[[PooledCorrelations], bool]] = {
    "meta.over-pairs-best": lambda pooled: len(pooled_sovereign(pooled)) == 1,
    "meta.over-pairs-leaders": lambda pooled: bool(pooled_losers(pooled)) and not pooled_sovereign(pooled),
    "meta.over-pairs-no-difference": lambda pooled: not pooled_losers(pooled),
}


def _holds(name: str, judged: list[Correlations], pooled: PooledCorrelations | None) -> bool:
    """Where a test over all pairs was made, its sentences take the place of those that count pairs."""
    together = pooled is not None and pooled.wins is not None
    if name in POOLED:
        return together and POOLED[name](pooled)  # type: ignore[arg-type]
    return CONDITIONS[name](judged) and not (together and name.startswith("meta.pairs-"))


def test_a_sentence_of_the_answer_is_said_when_its_condition_holds() -> None:
    assert {*CONDITIONS, *POOLED} == {sentence.name for sentence in ANSWER}
    said: Counter[str] = Counter()
    for judged, pooled in levels():
        facts = LevelFacts(tuple(judged), pooled)
        here = [sentence.name for sentence in ANSWER if list(sentence.said(facts))]
        for sentence in ANSWER:
            assert (sentence.name in here) == _holds(sentence.name, judged, pooled), (
                sentence.name,
                judged,
                pooled,
            )
        assert len([name for name in here if name != "meta.pairs-partly-tested"]) == 1, here
        said.update(here)
    for sentence in ANSWER:
        assert 5 < said[sentence.name] < 1995, (sentence.name, said)


def template_of(own: SentenceTemplate[Any]) -> str:
    """The text of a sentence in the table."""
    return sentence_table()["meta"][own.name.removeprefix("meta.")]["text"]


def test_what_the_answer_names() -> None:
    """The metrics in a sentence are those of which it is true."""
    for judged, pooled in levels():
        facts = LevelFacts(tuple(judged), pooled)
        for sentence in ANSWER:
            for values in sentence.cases(facts):
                text = template_of(sentence).format(**values)
                named = {name for name in METRICS if re.search(rf"\b{name}\b", text)}
                if sentence.name == "meta.best":
                    assert named == set(sovereign(judged[0]))
                elif sentence.name == "meta.leaders":
                    assert named == {name for name in judged[0].names if free(judged[0], name)}
                elif sentence.name == "meta.over-pairs-best":
                    assert named == pooled_sovereign(pooled)  # type: ignore[arg-type]
                elif sentence.name == "meta.over-pairs-leaders":
                    assert named == set(pooled.names) - pooled_losers(pooled)  # type: ignore[arg-type,union-attr]
                elif sentence.name == "meta.pairs-best":
                    assert named == best_everywhere(judged)
                elif sentence.name == "meta.pairs-losses":
                    before = {name for name in METRICS if re.search(rf"\b{name}\b", text.partition(";")[0])}
                    assert (before, named) == (beaten_somewhere(judged), anywhere(judged))
                elif "difference" in sentence.name or sentence.name == "meta.pairs-all-lose":
                    assert not named


def test_no_sentence_claims_more_than_a_test() -> None:
    for sentence in (*FIRST, *ANSWER, *CAUTIONS, *NOTES):
        words = re.sub(r"\{\w+\}", "", template_of(sentence)).lower()
        for word in (
            "best",
            "worst",
            "surely",
            "hardly",
            "clearly",
            "winner",
            "agrees least",
            "more often than",
        ):
            assert word not in words, (sentence.name, word)
        if "better" in words or "outperformed" in words:
            assert "significantly" in words, sentence.name


def defaults(rng: np.random.Generator, pair: str) -> FolderDefaults:
    def maybe(value: Any, other: Any = ()) -> Any:
        return value if rng.random() < 0.5 else other

    testset = maybe("wmt23", "")
    official = bool(testset) and bool(rng.random() < 0.5)
    gold = maybe({"system": "mqm", "segment": "mqm"}, {})
    official_gold = maybe({"system": str(rng.choice(["mqm", "esa"]))}, {}) if testset and gold else {}
    return FolderDefaults(
        pair,
        testset,
        ("refA",),
        bool(testset) or bool(rng.random() < 0.5),
        gold,
        official_gold,
        maybe(("bad",)),
        maybe(("BLEU",), None) if official else None,
        official,
        maybe(("mine",)),
        ("refA", "refB"),
        maybe(("refB",)),
        maybe(("chrF-refA",)),
    )


def runs() -> Iterator[Evaluation]:
    rng = np.random.default_rng(5)
    for _ in range(600):
        pairs = ("cs-en", "de-en", "zh-en")[: rng.integers(1, 4)]
        settings: dict[str, Any] = {}
        if rng.random() < 0.3:
            settings["outside"] = (OutsideScores((Path("mine.tsv"),)),)
        if rng.random() < 0.3:
            settings["without"] = ("A",)
        task = Task("wmt23", layout=Path("wmt23"), human={"name": "mqm"}, metrics=("bleu",), **settings)
        statistic = str(rng.choice(["pearson", "kendall"]))
        judged = tuple(
            made(rng, pair, tested=False, n=int(rng.choice([2, 9])), statistic=statistic) for pair in pairs
        )
        seconds = {name: dict.fromkeys(pairs, float(rng.choice([1.0, 2.0]))) for name in METRICS[:2]}
        here = rng.random() < 0.8
        yield Evaluation(
            task,
            judged,
            seconds if rng.random() < 0.5 else {},
            {},
            {},
            translations=dict.fromkeys(pairs, 100),
            defaults=tuple(defaults(rng, pair) for pair in pairs) if here else (),
            pairs_not_judged=("xx-yy",) if rng.random() < 0.3 else (),
            several_references={pairs[0]: ("ref", "refB")} if rng.random() < 0.3 else {},
            unread={pair: int(rng.integers(0, 2)) for pair in pairs},
        )


def timed(run: Evaluation) -> bool:
    """Whether two of our metrics took different times, where they have values."""
    there = {
        name: [
            1e6 * times[own.pair] / 100
            for own in run.judged
            if name in own.names and own[name].value is not None
        ]
        for name, times in run.seconds.items()
    }
    return len({f"{sum(own) / len(own):,.1f}" for own in there.values() if own}) > 1


def cells(run: Evaluation) -> list[tuple[Correlations, CorrelationCell]]:
    return [(own, cell) for own in run.judged for cell in own.cells]


def differs(one: FolderDefaults) -> bool:
    return any(one.gold.get(level) != name for level, name in one.official_gold.items())


RUN_CONDITIONS: dict[str, Callable[[Evaluation], bool]] = {
    "meta.unknown-test-set": lambda run: any(one.testset == "" for one in run.defaults),
    "meta.several-references": lambda run: any(not one.known_reference for one in run.defaults),
    "meta.references-together": lambda run: len(run.several_references) > 0,
    "meta.unknown-metrics": lambda run: (
        any(one.testset and not one.official_metrics for one in run.defaults) and not run.task.outside
    ),
    "meta.no-official-metric": lambda run: (
        any(one.official_metrics and one.metrics is None for one in run.defaults) and not run.task.outside
    ),
    "meta.unknown-gold": lambda run: any(
        one.testset and one.gold and not one.official_gold for one in run.defaults
    ),
    "meta.other-gold": lambda run: any(map(differs, run.defaults)),
    "meta.pairs-left-out": lambda run: len(run.pairs_not_judged) > 0,
    "meta.speed": timed,
    "meta.two-systems": lambda run: any(own.n == 2 for own in run.judged),
    "meta.backwards": lambda run: any(
        own.statistic == "pearson" and (cell.value or 0) < 0 for own, cell in cells(run)
    ),
    "meta.undefined": lambda run: any(cell.value is None for _, cell in cells(run)),
    "meta.what-is-used": lambda run: len(run.defaults) > 0,
    "meta.outliers": lambda run: any(one.outliers for one in run.defaults) and run.task.without is None,
    "meta.humans": lambda run: any(one.humans for one in run.defaults),
    "meta.other-metrics": lambda run: any(one.other_metrics for one in run.defaults) and not run.task.outside,
    "meta.padded": lambda run: any(one.padded for one in run.defaults),
    "meta.left-out": lambda run: (
        any(run.unread.values()) or any(c.left_out for own in run.judged for c in own.coverages)
    ),
}


def test_a_sentence_about_a_run_is_said_when_its_condition_holds() -> None:
    table = (*FIRST, *CAUTIONS, *NOTES)
    assert set(RUN_CONDITIONS) == {sentence.name for sentence in table}
    said: Counter[str] = Counter()
    n = 0
    for run in runs():
        n += 1
        for sentence in table:
            here = bool(list(sentence.said(run)))
            assert here == RUN_CONDITIONS[sentence.name](run), (sentence.name, run.defaults)
            said[sentence.name] += here
    for sentence in table:
        assert 5 < said[sentence.name] < n - 5, (sentence.name, said)


def test_every_sentence_of_a_run_is_from_the_table() -> None:
    """In the order: what is not known, the answer, cautions; below the tables the notes."""
    patterns = [
        re.compile(re.sub(r"\\\{\w+\\\}", ".+", re.escape(template_of(sentence))))
        for sentence in (*FIRST, *ANSWER, *CAUTIONS)
    ]
    for run in runs():
        for line in run.words():
            assert any(pattern.fullmatch(line) for pattern in patterns), line
        text = run.text(terminal=False)
        assert text.startswith("\n".join(run.words()))
        assert "What was used" not in text


@pytest.mark.parametrize("terminal", [True, False])
def test_the_answer_comes_first_however_long_it_is(terminal: bool) -> None:
    for run in runs():
        if len(list(run.words())) > 5:
            assert run.text(terminal=terminal, width=500).startswith(next(run.words()))
            return
    raise AssertionError("no run has many sentences")
