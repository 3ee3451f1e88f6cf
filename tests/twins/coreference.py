"""Agreement of chains, pair by pair and mention by mention."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations
from typing import Any

from tertium.families.coreference import FRACTIONS
from tertium.stats import coreference as measures
from tertium.text.coreference import Resolved


def f1(recall: float, precision: float) -> float:
    return 2 * recall * precision / (recall + precision) if recall + precision else 0.0


def share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def pairs(chains: list[list[Any]]) -> tuple[set[Any], set[Any]]:
    """Pairs of mentions that corefer, and those that do not."""
    linked = {frozenset(pair) for chain in chains for pair in combinations(chain, 2)}
    everything = {frozenset(pair) for pair in combinations([m for chain in chains for m in chain], 2)}
    return linked, everything - linked


def of_sets(key: set[Any], response: set[Any]) -> float:
    return f1(share(len(key & response), len(key)), share(len(key & response), len(response)))


def b_cubed(chains: list[list[Any]], others: list[list[Any]]) -> float:
    """For each mention, how much of its chain the other side has with it."""
    shares = []
    for chain in chains:
        for mention in chain:
            theirs = next((set(other) for other in others if mention in other), set())
            shares.append(len(set(chain) & theirs) / len(chain))
    return sum(shares) / len(shares)


def ceaf(key: list[list[Any]], response: list[list[Any]]) -> float:
    """Of all ways to pair chains the best, by shared mentions."""
    few, many = sorted((key, response), key=len)
    best = max(
        sum(len(set(a) & set(b)) for a, b in zip(few, chosen, strict=True))
        for chosen in permutations(many, len(few))
    )
    return f1(best / sum(map(len, key)), best / sum(map(len, response)))


def scores(key: list[list[Any]], response: list[list[Any]]) -> dict[str, float]:
    links, others = (of_sets(ours, theirs) for ours, theirs in zip(pairs(key), pairs(response), strict=True))
    kinds = [value for value, there in zip((links, others), pairs(key), strict=True) if there]
    found = {"b-cubed": f1(b_cubed(key, response), b_cubed(response, key)), "ceaf-m": ceaf(key, response)}
    found |= {"links": links, "non-links": others}
    return found | ({"blanc": sum(kinds) / len(kinds)} if kinds else {})


def row(reference: Resolved, response: Sequence[Sequence[object]]) -> list[float]:
    """The row of a document, measure by measure."""
    key: Any = reference.chains
    found = measures.every(key, response)
    blanc = found["blanc"]
    assert isinstance(blanc, measures.Blanc)
    found |= {"links": blanc.links, "non-links": blanc.others}
    row: list[float] = []
    for name in FRACTIONS:
        own = found[name]
        assert isinstance(own, measures.Agreement)
        row += [*own.recall, *own.precision]
    return [*row, bool(key or response), blanc.same]


def names(words: Sequence[str], starts: Sequence[int]) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Runs of words with capitals, chained where they are the same."""
    capitals = [place for place, word in enumerate(words) if word[:1].isupper()]
    inside = {words[place] for place in capitals if place not in starts}
    runs: list[tuple[int, ...]] = []
    for place in capitals:
        if words[place] in inside:
            if runs and runs[-1][-1] == place - 1 and place not in starts:
                runs[-1] += (place,)
            else:
                runs.append((place,))
    chains: dict[tuple[str, ...], list[tuple[int, ...]]] = {}
    for run in runs:
        chains.setdefault(tuple(words[i] for i in run), []).append(run)
    return tuple(map(tuple, chains.values()))
