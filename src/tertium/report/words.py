"""The comparison in sentences for somebody who has never heard of a p-value.

Made from pairs and scores where the analysis brings no sentences of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

MOST_PAIRS = 6  # so many pairs of systems get a sentence each

Pair = Mapping[str, Any]


def digits(comparison: Mapping[str, Any], label: str) -> int:
    """Decimals that people want to read: two for scores up to 100, four for scores up to 1."""
    values = (table[label]["value"] for table in comparison["scores"].values())
    return 4 if max((abs(value) for value in values if value is not None), default=100) <= 1.5 else 2


def summary(comparison: Mapping[str, Any]) -> list[str]:
    """The given sentences, or our own."""
    if comparison["summary"] is not None:
        return list(comparison["summary"])
    return [
        *_leaders(comparison),
        *_verdicts(comparison),
        *_undefined(comparison),
        *(comparison["reversals"] or ()),
    ]


def _leaders(comparison: Mapping[str, Any]) -> Iterable[str]:
    """Who has the best score, by which metric."""
    if len(comparison["systems"]) == 1:
        return
    by_leader: dict[tuple[str, ...], list[str]] = {}
    for metric in comparison["metrics"]:
        label = metric["label"]
        values = {
            system: comparison["scores"][system][label]["value"]
            for system in comparison["systems"]
            if comparison["scores"][system][label]["value"] is not None
        }
        if values:
            top = (max if metric["higher_is_better"] else min)(values.values())
            by_leader.setdefault(tuple(s for s, value in values.items() if value == top), []).append(label)
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


def _verdicts(comparison: Mapping[str, Any]) -> Iterable[str]:
    """What the tests say of each pair that matters."""
    systems, baseline = comparison["systems"], comparison["baseline"]
    if comparison["pairs"] is None:
        if len(systems) > 1:
            yield "No significance test was run: small differences may be due to chance."
        return
    grouped: dict[tuple[str, str], list[Pair]] = {}
    best = _first(comparison)
    for pair in comparison["pairs"]:
        against = pair["a"] == baseline if baseline is not None else pair["b"] == best
        turned = _turned(pair) if against else pair
        key = (turned["a"], turned["b"])
        if key[::-1] in grouped:
            key, turned = key[::-1], _turned(turned)
        grouped.setdefault(key, []).append(turned)
    if baseline is not None:
        wanted = [key for key in grouped if baseline in key]
    elif len(grouped) <= MOST_PAIRS:
        wanted = list(grouped)
    else:
        wanted = [key for key in grouped if best in key][:MOST_PAIRS]
    for key in wanted:
        defined = [pair for pair in grouped[key] if pair["difference"] is not None]
        if defined:
            yield _verdict(comparison, defined)
        for pair in grouped[key]:
            if pair["difference"] is None:
                why = f", because {pair['reason']}" if pair["reason"] else ""
                yield f"{key[0]} and {key[1]} cannot be compared by {pair['metric']}{why}."
    if len(wanted) < len(grouped):
        more = len(grouped) - len(wanted)
        yield f"{more} more {'pair is' if more == 1 else 'pairs are'} in the table of pairs."


def _first(comparison: Mapping[str, Any]) -> str:
    """The best system by the first metric."""
    metric = comparison["metrics"][0]
    sign = 1 if metric["higher_is_better"] else -1

    def goodness(system: str) -> float:
        value = comparison["scores"][system][metric["label"]]["value"]
        return float("-inf") if value is None else sign * float(value)

    return str(max(comparison["systems"], key=goodness))


def _turned(pair: Pair) -> Pair:
    difference = pair["difference"]
    return {**pair, "a": pair["b"], "b": pair["a"], "difference": None if difference is None else -difference}


def _verdict(comparison: Mapping[str, Any], pairs: Sequence[Pair]) -> str:
    a, b = pairs[0]["a"], pairs[0]["b"]
    won = [pair for pair in pairs if pair["better"] == a]
    lost = [pair for pair in pairs if pair["better"] == b]
    even = [pair for pair in pairs if pair["better"] is None]
    if lost and not won:
        a, b, won, lost = b, a, [_turned(pair) for pair in lost], []
        even = [_turned(pair) for pair in even]

    def listed(chosen: Sequence[Pair]) -> str:
        return joined(_amount(comparison, pair) for pair in chosen)

    if not won:
        smallest = even[0]["smallest_detectable"]
        floor = (
            f" This test set can show differences from about {_written(comparison, even[0]['metric'], smallest)}"
            f" {even[0]['metric']} upwards."
            if smallest is not None
            else ""
        )
        return (
            f"{a} and {b} cannot be told apart: the difference may be due to chance by {listed(even)}.{floor}"
        )
    sure = f"{a} is better than {b} by {listed(won)}; chance alone would hardly produce such a difference ({_p(won)})"
    if lost:
        rival = listed([_turned(pair) for pair in lost])
        sure = f"The metrics disagree about {a} and {b}: {a} is better by {listed(won)}, {b} by {rival}"
    return f"{sure}{f'. No clear difference by {listed(even)}' if even else ''}."


def _amount(comparison: Mapping[str, Any], pair: Pair) -> str:
    difference = pair["difference"]
    size = _written(comparison, pair["metric"], abs(difference))
    if difference == 0:
        return f"{pair['metric']} (equal)"
    metric = next(metric for metric in comparison["metrics"] if metric["label"] == pair["metric"])
    if metric["higher_is_better"]:
        return f"{pair['metric']} ({'+' if difference > 0 else '−'}{size})"
    return f"{pair['metric']} ({size} {'higher' if difference > 0 else 'lower'})"


def _written(comparison: Mapping[str, Any], label: str, value: float) -> str:
    return f"{value:.{digits(comparison, label)}f}"


def _p(pairs: Sequence[Pair]) -> str:
    """The weakest of these p-values, corrected for the number of tests where that is known."""
    known = [
        p
        for pair in pairs
        for p in [pair["p"] if pair["p_holm"] is None else pair["p_holm"]]
        if p is not None
    ]
    if not known:
        return "significant"
    worst = max(known)
    if worst < 0.001:
        return "p < 0.001"
    return f"p = {worst:.3f}" if len(known) == 1 else f"p at most {worst:.3f}"


def _undefined(comparison: Mapping[str, Any]) -> Iterable[str]:
    for system in comparison["systems"]:
        for label, score in comparison["scores"][system].items():
            if score["value"] is None:
                why = f", because {score['reason']}" if score["reason"] else ""
                yield f"{label} of {system} is undefined{why}."


def joined(names: Iterable[str]) -> str:
    """A list in a sentence.

    >>> joined(["A", "B", "C"])
    'A, B and C'
    """
    words = list(names)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
