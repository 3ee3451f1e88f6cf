"""What a metric prefers when nothing speaks for it: a slot of a text is filled with alternatives that are all as wrong.

"He must be a doctor" and "She must be a doctor" are equally far from "You must be a doctor"; a metric without bias
scores them alike (Gowda et al. 2021, table 1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium import registry
from tertium._native import Lines
from tertium.errors import InputError
from tertium.io.tables import Column, Table, Value, number_column
from tertium.metrics.base import Metric
from tertium.stats.multiple import holm
from tertium.stats.pvalues import randomisation_p
from tertium.stats.resampling import SEED, Draws
from tertium.text.segments import References

SLOT = "{}"
TRIALS = 10_000
Scores = NDArray[np.float64]


@dataclass(frozen=True)
class Alternative:
    """What a metric says of one filling: the mean of segment scores, and whether the preferred one is really better.

    `p` is from paired approximate randomisation against the preferred filling over texts, `p_holm` for all of them
    together; None for the preferred one itself and where there is but one text.
    """

    filling: str
    score: float | None
    behind: float | None  # the preferred one's lead; never negative
    p: float | None
    p_holm: float | None


@dataclass(frozen=True)
class MetricProbe:
    """All fillings by one metric, the preferred first."""

    metric: Metric
    alternatives: tuple[Alternative, ...]
    signature: str

    @property
    def preferred(self) -> str:
        return self.alternatives[0].filling

    @property
    def spread(self) -> float | None:
        """The preferred one's lead over the last: 0 is no preference."""
        return max((one.behind for one in self.alternatives if one.behind is not None), default=None)


@dataclass(frozen=True)
class Probe:
    """What metrics prefer."""

    texts: tuple[str, ...]
    metrics: tuple[MetricProbe, ...]
    trials: int
    seed: int

    def data(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "texts": list(self.texts),
            "trials": self.trials,
            "seed": self.seed,
            "metrics": {
                str(own.metric): {
                    "spread": own.spread,
                    "signature": own.signature,
                    "alternatives": [vars(one) for one in own.alternatives],
                }
                for own in self.metrics
            },
        }

    def table(self) -> Table:
        """A row for each filling, the preferred one first."""
        rows: list[tuple[Value, ...]] = []
        for own in self.metrics:
            rows += [
                (own.metric.label, one.filling, one.score, one.behind, one.p_holm) for one in own.alternatives
            ]
        columns = (
            Column("metric"),
            Column("filling"),
            number_column("score", digits=4),
            number_column("behind", digits=4),
            number_column("p (Holm)", "p_holm", 4),
        )
        notes = [f"{own.metric.label}: {own.signature}" for own in self.metrics]
        if len(self.texts) == 1:
            notes.append(
                "one text: differences can be seen, but not tested; give more texts with the same slot"
            )
        else:
            notes.append(
                f"p: paired randomisation over {len(self.texts)} texts, {self.trials} trials, seed {self.seed}"
            )
        title = self.texts[0] if len(self.texts) == 1 else f"{len(self.texts)} texts, as in: {self.texts[0]}"
        best = frozenset((i, 2) for i, row in enumerate(rows) if row[3] == 0)
        return Table(title, columns, tuple(rows), tuple(notes), best)


def probe_bias(
    texts: Sequence[str],
    fillings: Sequence[str],
    references: Sequence[str],
    metrics: Sequence[str | Metric] = ("bleu", "chrf"),
    *,
    sources: Sequence[str] | None = None,
    slot: str = SLOT,
    trials: int = TRIALS,
    seed: int = SEED,
    threads: int = 1,
) -> Probe:
    """Fill the slot of each text with each alternative, and see what metrics prefer.

    >>> found = probe_bias(["{} must be a doctor."], ["He", "She"], ["You must be a doctor."])
    >>> [(own.metric.label, own.preferred, round(own.spread, 2)) for own in found.metrics]
    [('BLEU', 'He', 0.0), ('chrF2', 'He', 1.12)]
    """
    _check(texts, fillings, references, sources, slot, trials)
    checked = References.of(list(references), len(texts))
    source_lines = None if sources is None else Lines(list(sources))
    found = []
    for spec in metrics:
        metric = registry.metric(spec)
        if metric.needs_source and source_lines is None:
            raise InputError(f"{metric.name} compares with the source text: give sources")
        scores = np.array(
            [_scores(metric, texts, slot, one, checked, source_lines, threads) for one in fillings]
        )
        alternatives = _ranked(scores, list(fillings), metric, trials, seed)
        found.append(MetricProbe(metric, alternatives, metric.signature(checked.number, "segment")))
    return Probe(tuple(texts), tuple(found), trials, seed)


def _scores(
    metric: Metric,
    texts: Sequence[str],
    slot: str,
    filling: str,
    references: References,
    sources: Lines | None,
    threads: int,
) -> Scores:
    filled = [text.replace(slot, filling) for text in texts]
    rows = metric.statistics(filled, references, sources=sources, threads=threads)
    return metric.score(rows, "segment")


def _ranked(
    scores: Scores, fillings: list[str], metric: Metric, trials: int, seed: int
) -> tuple[Alternative, ...]:
    means = scores.mean(axis=1)
    turned = metric.oriented(means)
    order = np.argsort(-np.where(np.isnan(turned), -np.inf, turned), kind="stable").tolist()
    best = order[0]
    tested = order[1:] if scores.shape[1] > 1 else []
    p_values = {i: _p(scores[best], scores[i], trials, seed) for i in tested}
    adjusted = dict(zip(tested, holm([p_values[i] for i in tested]), strict=True))
    return tuple(
        Alternative(
            fillings[i],
            _defined(means[i]),
            _defined(turned[best] - turned[i]),
            p_values.get(i),
            adjusted.get(i),
        )
        for i in order
    )


def _p(first: Scores, second: Scores, trials: int, seed: int) -> float | None:
    """Paired approximate randomisation of the mean of segment scores."""
    differences = second - first
    if np.isnan(differences).any():
        return None
    n = len(differences)
    ours, theirs = [], []
    for block in Draws(seed).swaps(n, trials):
        bits = np.unpackbits(block, axis=1, count=n, bitorder="little").astype(np.float64)
        moved = bits @ differences / n
        ours.append(first.mean() + moved)
        theirs.append(second.mean() - moved)
    return randomisation_p(np.concatenate(ours), np.concatenate(theirs), float(differences.mean()))


def _defined(value: Any) -> float | None:
    return None if np.isnan(value) else float(value)


def _check(
    texts: Sequence[str],
    fillings: Sequence[str],
    references: Sequence[str],
    sources: Sequence[str] | None,
    slot: str,
    trials: int,
) -> None:
    if not texts:
        raise InputError("there is no text with a slot to fill")
    if not slot:
        raise InputError("the slot is empty: it is what stands for the filling in a text")
    for i, text in enumerate(texts, 1):
        if text.count(slot) != 1:
            raise InputError(f"text {i} has {text.count(slot)} slots {slot!r}, it needs one: {text[:60]!r}")
    if len(set(fillings)) < 2:
        raise InputError("two different fillings or more are needed")
    if len(set(fillings)) < len(fillings):
        raise InputError(f"a filling is given twice: {', '.join(fillings)}")
    if len(references) != len(texts):
        raise InputError(f"there are {len(texts)} texts, but {len(references)} references")
    if sources is not None and len(sources) != len(texts):
        raise InputError(f"there are {len(texts)} texts, but {len(sources)} sources")
    if trials < 1:
        raise InputError(f"the number of trials must be at least 1, not {trials}")
