"""Settings near a published one: what people who printed another number may have done."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations, islice, product
from typing import Any, NamedTuple

from tertium.errors import SpecError
from tertium.families.base import Metric
from tertium.published import Claim
from tertium.text import tokenizers

MOST_ANALYSES = 40  # of one claim: how often texts are analysed anew while looking for a setting
MOST_CHANGES = 3
MOST_SUBSETS = 15  # of several references

# What is tried for each family; of families that are not named here, tokenisers and case.
_TRIED = {
    "bleu": ("tok", "lowercase", "smooth", "eff", "order"),
    "chrf": ("word_order", "lowercase", "beta", "char_order", "whitespace", "eps"),
    "ter": ("case_sensitive", "normalized", "no_punct", "asian_support", "like"),
    "macrof": ("tok", "lowercase", "beta", "order", "unit"),
    "microf": ("tok", "lowercase", "beta", "order", "unit"),
}
_SWITCHES = ("lowercase", "whitespace", "eps", "case_sensitive", "normalized", "no_punct", "asian_support")
_VALUES: Mapping[str, tuple[Mapping[str, Any], ...]] = {
    "tok": tuple({"tok": name} for name in tokenizers.NATIVE),
    **{name: ({name: False}, {name: True}) for name in _SWITCHES},
    "smooth": (
        *({"smooth": name, "smooth_value": None} for name in ("exp", "floor", "add-k", "none")),
        {"smooth": "floor", "smooth_value": 0.0},
        {"smooth": "floor", "smooth_value": 0.01},
    ),
    "eff": ({"eff": "segment"}, {"eff": "always"}),
    "order": tuple({"order": n} for n in (1, 2, 3, 4)),
    "word_order": tuple({"word_order": n} for n in (0, 1, 2)),
    "char_order": tuple({"char_order": n} for n in (4, 5, 6)),
    "beta": tuple({"beta": n} for n in (1.0, 2.0, 3.0)),
    "like": ({"like": ""}, {"like": "tercom"}),
    "unit": ({"unit": "word"}, {"unit": "char"}),
}


class Way(NamedTuple):
    """A way to come to a number: a metric, the references, and what else was done."""

    metric: Metric
    streams: tuple[int, ...]
    swapped: bool = False  # system and reference
    mean: bool = False  # of segment scores


def other_texts(way: Way, number: int) -> Iterator[tuple[tuple[int, ...], bool]]:
    """The references as the line has them, then others; then system and reference the wrong way round."""
    yield way.streams, False
    everything = range(number)
    sizes = sorted(range(1, number + 1), key=lambda size: (size != len(way.streams), size))
    subsets = (chosen for size in sizes for chosen in combinations(everything, size))
    yield from ((chosen, False) for chosen in islice(subsets, MOST_SUBSETS) if chosen != way.streams)
    if number == 1:
        yield way.streams, True


def variants(claim: Claim, *, one_reference: bool) -> Iterator[tuple[int, Metric]]:
    """The metric and its variants, with their number of changes, fewest first; no more than so many analyses."""
    metric = claim.metric
    fields = {field.name for field in dataclasses.fields(metric)}
    names = _TRIED.get(metric.name, ("tok", "lowercase"))
    names = () if metric.required else tuple(name for name in names if name in fields)
    choices = []
    for name in reversed(names):  # what is named first varies fastest, and is found first
        values = _VALUES[name]
        if name == "tok" and (moses := _moses(claim)):
            values = (*values, {"tok": moses})
        others = [v for v in values if any(getattr(metric, key) != value for key, value in v.items())]
        choices.append([{}, *others])
    chosen = sorted(product(*choices), key=lambda parts: sum(map(bool, parts)))
    made: list[Metric] = []
    number = 1 if one_reference else None
    for parts in chosen:
        changed = sum(map(bool, parts))
        if changed > MOST_CHANGES:
            return
        try:
            variant = replace(metric, **{key: value for part in parts for key, value in part.items()})
        except SpecError:  # these do not go together
            continue
        if changed and variant == metric:
            continue
        rows = variant.analysis(number)
        if not any(other.covers(rows, number) for other in made):
            if len(made) == MOST_ANALYSES:
                continue
            made.append(rows)
        yield changed, variant


def _moses(claim: Claim) -> str | None:
    name = f"moses-{claim.language or 'en'}"
    try:
        tokenizers.check(name)
    except SpecError:
        return None
    return name


def changes(was: Way, now: Way, number: int) -> tuple[str, ...]:
    """How a way differs, in the words of signatures."""
    before, after = (way.metric.signature_items() for way in (was, now))
    said = [
        f"{key}:{after[key]} in place of {key}:{before[key]}" if key in before else f"{key}:{after[key]}"
        for key in after
        if before.get(key) != after[key]
    ]
    said += [f"without {key}:{before[key]}" for key in before if key not in after]
    if now.streams != was.streams:
        one = len(now.streams) == 1
        shown = "+".join(str(i + 1) for i in now.streams)
        said.append(f"reference{'' if one else 's'} {shown} of {number} only")
    if now.swapped:
        said.append("system and reference the wrong way round")
    if now.mean:
        said.append("the mean of segment scores in place of the corpus score")
    return tuple(said)
