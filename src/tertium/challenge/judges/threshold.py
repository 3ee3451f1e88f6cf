"""The judge by threshold: how close is the whole output to the reference? The limits are learnt from people.

It knows nothing of the question, so it is a weak judge: a baseline to beat. It needs no patterns and no wrong versions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from tertium import registry
from tertium.challenge.decisions import NotApplicable, decisions
from tertium.challenge.items import ChallengeSet, Item
from tertium.challenge.judgements import ChallengeJudgements, Place
from tertium.challenge.judges.verdicts import Ruling, Verdict, Verdicts
from tertium.challenge.outputs import Outputs
from tertium.errors import InputError, SpecError
from tertium.text.normalize import plain_typography

if TYPE_CHECKING:
    from tertium.families.base import Metric

FEWEST = 10  # outputs beyond a limit, for its precision to mean anything


@dataclass(frozen=True)
class Limits:
    """Yes from `yes` up, no below `no`, unsure in between; in scores where higher is better. None: never."""

    yes: float | None
    no: float | None


def reference_scores(metric: Metric, items: Sequence[Item], texts: Sequence[str]) -> list[float | None]:
    """The scores of outputs against the references of their items, oriented so that higher is better; None where the
    item has no reference, or the metric is undefined.

    >>> item = Item("1", "Lexical", "", "Well?", "It rains.", "Il pleut.")
    >>> reference_scores(registry.metric("wer"), [item, item], ["Il pleut.", "Il neige."])
    [0.0, -50.0]
    """
    chosen = [place for place, item in enumerate(items) if item.reference]
    found: list[float | None] = [None] * len(items)
    if chosen:
        rows = metric.statistics(
            [plain_typography(texts[place]) for place in chosen],
            [[plain_typography(items[place].reference) for place in chosen]],
            sources=[items[place].source for place in chosen],
        )
        values = metric.oriented(metric.score_rows(rows, "segment")).tolist()
        for place, value in zip(chosen, values, strict=True):
            found[place] = value if value == value else None
    return found


def _turned(metric: Metric, value: float | None) -> float | None:
    return value if value is None or metric.higher_is_better else 0.0 - value


def _ruling(metric: Metric, score: float | None, limits: Limits) -> Ruling:
    if score is None:
        return Ruling("unsure", f"{metric.label} is undefined here, or the item has no reference")
    said = f"{metric.label} {_turned(metric, score):.2f}"
    if limits.yes is not None and score >= limits.yes:
        return Ruling("yes", f"{said}, as good as {_turned(metric, limits.yes):.2f} or better")
    if limits.no is not None and score < limits.no:
        return Ruling("no", f"{said}, worse than {_turned(metric, limits.no):.2f}")
    return Ruling("unsure", f"{said}, between the limits")


def fit_limits(scores: Sequence[float], right: Sequence[bool], precision: float | None = None) -> Limits:
    """The limits that people's verdicts on outputs suggest for their scores.

    Without `precision`, one limit that agrees with most verdicts (the lowest of equally good ones), and nothing
    is unsure. With it, the widest two limits beyond which yes and no are right at least so often, with ten
    outputs or more; None where there are none.

    >>> fit_limits([10, 20, 30, 40], [False, False, True, True])
    Limits(yes=25.0, no=25.0)
    """
    pairs = sorted(zip(scores, right, strict=True))
    if not pairs:
        raise InputError("there is nothing to learn limits from")
    values = [score for score, _ in pairs]
    cuts = [values[0], *((a + b) / 2 for a, b in pairwise(values) if a < b)]
    below = [sum(score < cut for score in values) for cut in cuts]
    yes_below = [sum(right for _, right in pairs[:n]) for n in below]
    total, n = sum(right for _, right in pairs), len(pairs)
    agreeing = [(total - yes) + (k - yes) for k, yes in zip(below, yes_below, strict=True)]
    best = cuts[agreeing.index(max(agreeing))]
    if precision is None:
        return Limits(best, best)
    if not 0 < precision <= 1:
        raise SpecError(f"precision must be above 0 and at most 1, not {precision:g}")
    counts = list(zip(cuts, below, yes_below, strict=True))
    yes = [cut for cut, k, y in counts if n - k >= FEWEST and total - y >= precision * (n - k)]
    no = [cut for cut, k, y in counts if k >= FEWEST and k - y >= precision * k]
    low, high = max(no, default=None), min(yes, default=None)
    if low is not None and high is not None and high < low:
        return Limits(best, best)  # both hold between them, so nothing need be unsure
    return Limits(high, low)


def judge_left_out(
    items: ChallengeSet,
    outputs: Outputs,
    judgements: ChallengeJudgements,
    metric: str = "chrf",
    *,
    precision: float | None = None,
    na: NotApplicable = "negative",
) -> Verdicts:
    """What a threshold on a metric's score says of each output, with limits learnt from all *other* items, so that no
    verdict depends on limits that it helped to set. Outputs that people have not judged are judged, too.
    """
    chosen = registry.metric(metric)
    outputs.check(items)
    people = decisions(judgements, na)
    places = [
        Place(item.id, system)
        for system, texts in outputs.texts.items()
        for item in items
        if item.id in texts
    ]
    texts = [outputs.texts[place.system][place.item] for place in places]
    values = reference_scores(chosen, [items[place.item] for place in places], texts)
    scores = dict(zip(places, values, strict=True))
    limits = _limits_without(
        items, scores, {place: found.right for place, found in people.items()}, precision
    )
    found = [Verdict(*place, *_ruling(chosen, score, limits[place.item])) for place, score in scores.items()]
    how = "most agreement" if precision is None else f"precision {precision:g}"
    signature = f"threshold|limits:{how},learnt from all other items|{chosen.signature(level='segment')}"
    name = f"threshold:{metric}" if precision is None else f"threshold:{metric}@{precision:g}"
    return Verdicts(name, tuple(found), signature)


def _limits_without(
    items: ChallengeSet,
    scores: Mapping[Place, float | None],
    right: Mapping[Place, bool | None],
    precision: float | None,
) -> dict[str, Limits]:
    """For each item the limits that all others suggest."""
    known = [
        (place.item, score, verdict)
        for place, score in scores.items()
        if score is not None and (verdict := right.get(place)) is not None
    ]
    found = {}
    for item in items:
        others = [(score, verdict) for identity, score, verdict in known if identity != item.id]
        if not others:
            raise InputError("the limits cannot be learnt: no other item has a reference and judged outputs")
        found[item.id] = fit_limits(
            [score for score, _ in others], [verdict for _, verdict in others], precision
        )
    return found
