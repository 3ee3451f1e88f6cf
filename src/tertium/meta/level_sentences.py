"""The sentences about one level: which metrics the tests find better, over one language pair or several.

A claim in words needs a test: no metric is best without one, and none is ahead of its equals.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tertium.errors import many
from tertium.meta.correlations import LEVEL_NAMES, Correlations, everywhere
from tertium.meta.pooled import PooledCorrelations
from tertium.meta.sentences import Cases, SentenceTemplate, listed

DIGITS = 3


@dataclass(frozen=True)
class LevelFacts:
    """The results of all language pairs at one level, and of the test over all of them where there is one."""

    judged: tuple[Correlations, ...]
    over_pairs: PooledCorrelations | None = None

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
        """Several language pairs with metrics to compare, and no test over all of them."""
        return len(self.judged) > 1 and len(self.means) > 1 and self.pooled is None

    @property
    def pooled(self) -> PooledCorrelations | None:
        """The test over all language pairs, if it could show anything."""
        return None if self.over_pairs is None or self.over_pairs.wins is None else self.over_pairs

    @property
    def all_names(self) -> list[str]:
        """All metrics with a value on some pair, those with the highest mean first."""
        valued = (cell.name for own in self.judged for cell in own.cells if cell.value is not None)
        return list(dict.fromkeys((*self.means, *valued)))


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
    # What the test assumes stands below the table.
    test = own.significance.partition("; ")[0]
    return {"where": facts.where, "pair": own.pair, "symbol": facts.symbol, "test": test}


def _beaten(own: Correlations) -> list[str]:
    return [cell.name for cell in own.cells if cell.value is not None and cell.name not in own.leading]


def _better_than_all(own: Correlations) -> str | None:
    """The metric that is significantly better than every other one that has a value."""
    if own.wins is None:
        return None
    valued = [i for i, cell in enumerate(own.cells) if cell.value is not None]
    return next((own.cells[i].name for i in valued if all(own.wins[i, j] for j in valued if j != i)), None)


def _pooled_facts(facts: LevelFacts, pooled: PooledCorrelations) -> dict[str, object]:
    return {
        "where": facts.where,
        "pairs": many(len(pooled.pairs), "language pair"),
        "symbol": pooled.symbol,
        "test": pooled.significance.partition("; ")[0],
    }


def _pooled_winner(pooled: PooledCorrelations) -> int | None:
    """The metric that is significantly better than every other one over all pairs."""
    wins, n = pooled.wins, len(pooled.names)
    assert wins is not None
    return next((i for i in range(n) if all(wins[i, j] for j in range(n) if j != i)), None)


def _pooled_best(facts: LevelFacts) -> Cases:
    if (pooled := facts.pooled) is not None and (best := _pooled_winner(pooled)) is not None:
        value = _number(float(pooled.values[best]))
        yield {**_pooled_facts(facts, pooled), "best": pooled.names[best], "value": value}


def _pooled_leaders(facts: LevelFacts) -> Cases:
    pooled = facts.pooled
    if pooled is None or len(pooled.leading) == len(pooled.names) or _pooled_winner(pooled) is not None:
        return
    names = [name for name in facts.means if name in pooled.leading]
    n = len(pooled.names) - len(names)
    yield {
        **_pooled_facts(facts, pooled),
        "names": listed(names),
        "verb": "is" if len(names) == 1 else "are",
        "others": "one is" if n == 1 else f"{n} are",
    }


def _pooled_no_difference(facts: LevelFacts) -> Cases:
    if (pooled := facts.pooled) is not None and len(pooled.leading) == len(pooled.names):
        yield _pooled_facts(facts, pooled)


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


def _losers(facts: LevelFacts) -> list[str]:
    """Metrics that another one outperforms significantly on some language pair."""
    return list(dict.fromkeys(name for own in facts.tested for name in _beaten(own)))


def _pairs_facts(facts: LevelFacts) -> dict[str, object]:
    return {"where": facts.where, "tested": many(len(facts.tested), "language pair")}


def _pairs_no_difference(facts: LevelFacts) -> Cases:
    if facts.several and facts.tested and not _losers(facts):
        yield _pairs_facts(facts)


def _pairs_best_metric(facts: LevelFacts) -> str | None:
    """The metric that is significantly better than every other one on all tested pairs."""
    names = {_better_than_all(own) for own in facts.tested}
    return names.pop() if len(names) == 1 else None


def _pairs_best(facts: LevelFacts) -> Cases:
    if facts.several and (best := _pairs_best_metric(facts)) is not None:
        yield {**_pairs_facts(facts), "best": best}


def _pairs_losses(facts: LevelFacts) -> Cases:
    losers = _losers(facts)
    others = [name for name in facts.all_names if name not in losers]
    if facts.several and losers and others and _pairs_best_metric(facts) is None:
        verb = "is" if len(losers) == 1 else "are"
        yield {**_pairs_facts(facts), "names": listed(losers), "verb": verb, "others": listed(others)}


def _pairs_all_lose(facts: LevelFacts) -> Cases:
    losers = _losers(facts)
    if facts.several and losers and not [name for name in facts.all_names if name not in losers]:
        yield _pairs_facts(facts)


def _partly_tested(facts: LevelFacts) -> Cases:
    if facts.several and 0 < len(facts.tested) < len(facts.judged):
        others = [own.pair for own in facts.judged if own.wins is None]
        yield {"where": facts.where, "pairs": listed(others)}


ANSWER: tuple[SentenceTemplate[LevelFacts], ...] = (
    SentenceTemplate("meta.no-value", _no_value),
    SentenceTemplate("meta.one-metric", _one_metric),
    SentenceTemplate("meta.best", _best),
    SentenceTemplate("meta.leaders", _leaders),
    SentenceTemplate("meta.no-difference", _no_difference),
    SentenceTemplate("meta.untested", _untested),
    SentenceTemplate("meta.over-pairs-best", _pooled_best),
    SentenceTemplate("meta.over-pairs-leaders", _pooled_leaders),
    SentenceTemplate("meta.over-pairs-no-difference", _pooled_no_difference),
    SentenceTemplate("meta.pairs-best", _pairs_best),
    SentenceTemplate("meta.pairs-no-difference", _pairs_no_difference),
    SentenceTemplate("meta.pairs-losses", _pairs_losses),
    SentenceTemplate("meta.pairs-all-lose", _pairs_all_lose),
    SentenceTemplate("meta.pairs-partly-tested", _partly_tested),
    SentenceTemplate("meta.pairs-untested", _pairs_untested),
)
