"""What mt-metrics-eval takes as standard for its test sets: reference, gold, outliers, primary metrics.

The facts are data/meta/mtme.toml. A folder is recognised by its name, or else by what it holds.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from tertium.io.scorematrix import SHORT, Level

_LEVEL_OF = {short: level for level, short in SHORT.items()}
LEAST_OVERLAP = (
    0.5  # share of a test set's official metrics that a folder must store to be recognised by them
)


@dataclass(frozen=True)
class StandardSettings:
    """The standard settings of one test set and language pair; empty where mt-metrics-eval names none.

    Attributes:
        testset: name of the test set, such as "wmt23".
        reference: the reference that metrics score against.
        gold: by level, the name of the official human scores.
        outliers: systems that are left out.
        metrics: base names (without the reference) of primary submissions and baselines.
    """

    testset: str
    reference: str
    gold: Mapping[Level, str]
    outliers: tuple[str, ...]
    metrics: frozenset[str]


@dataclass(frozen=True)
class FolderContents:
    """What a folder holds of one language pair, by name: what a test set is recognised by."""

    references: tuple[str, ...]
    systems: tuple[str, ...]
    human_scores: tuple[tuple[Level, str], ...]
    metrics: tuple[str, ...]  # base names


@cache
def _facts() -> dict[str, Any]:
    text = files("tertium").joinpath("data", "meta", "mtme.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def known_testsets() -> tuple[str, ...]:
    """The names of all test sets.

    >>> known_testsets()[:3]
    ('wmt25', 'wmt24pp', 'wmt24')
    """
    return tuple(_facts())


def known_pairs(testset: str) -> tuple[str, ...]:
    """The language pairs of a test set."""
    return tuple(_facts()[testset]["pairs"])


@cache
def standard_settings(testset: str, pair: str) -> StandardSettings | None:
    """The standard settings of a language pair; None where the test set has no such pair.

    >>> found = standard_settings("wmt23", "he-en")
    >>> found.reference, found.gold["system"], found.outliers, len(found.metrics)
    ('refB', 'mqm', (), 32)
    """
    common = _facts().get(testset, {})
    if pair not in common.get("pairs", {}):
        return None
    values = {**common, **common["pairs"][pair]}
    return StandardSettings(
        testset,
        values["reference"],
        {_LEVEL_OF[level]: name for level, name in values["gold"].items()},
        tuple(values["outliers"]),
        frozenset((*values["primary"], *values.get("also_primary", ()), *values["baseline"])),
    )


def recognised_by_name(name: str) -> str | None:
    """The test set that a folder's name names: the longest name that stands in it as a word.

    >>> [recognised_by_name(name) for name in ("wmt23.sent", "WMT23", "mtme_wmt21.news-copy", "mine")]
    ['wmt23.sent', 'wmt23', 'wmt21.news', None]
    """
    for known in sorted(known_testsets(), key=len, reverse=True):
        if re.search(rf"(?<![a-z0-9]){re.escape(known)}(?![a-z0-9])", name.lower()):
            return known
    return None


def recognised_by_contents(contents: Mapping[str, FolderContents]) -> str | None:
    """The test set that the language pairs of a folder fit; None where none fits, or several equally well.

    A pair fits where the standard reference, the gold files and the outliers are there, and at least half of the
    official metrics are stored (where there are any).
    """
    scores: dict[str, tuple[float, int]] = {}
    for testset in known_testsets():
        if not set(contents) <= set(known_pairs(testset)):
            continue
        fits = [
            fit
            for pair, one in contents.items()
            if (settings := standard_settings(testset, pair)) is not None
            and (fit := _fit(settings, one)) is not None
        ]
        if fits:
            scores[testset] = sum(overlap for overlap, _ in fits), sum(found for _, found in fits)
    best = max(scores.values(), default=None)
    names = [name for name, score in scores.items() if score == best]
    return names[0] if len(names) == 1 else None


def _fit(settings: StandardSettings, contents: FolderContents) -> tuple[float, int] | None:
    """How well a pair fits: the share of official metrics that are stored, and the number of outliers found."""
    gold = set(settings.gold.items())
    there = settings.reference in contents.references and gold <= set(contents.human_scores)
    if not there or not set(settings.outliers) <= set(contents.systems):
        return None
    if not settings.metrics:
        # Without official metrics only outliers tell a set from another: their names end in submission numbers.
        return (0.0, len(settings.outliers)) if settings.outliers else None
    overlap = len(settings.metrics & set(contents.metrics)) / len(settings.metrics)
    return (overlap, len(settings.outliers)) if overlap >= LEAST_OVERLAP else None


def recognised_testset(folder: Path, contents: Callable[[], Mapping[str, FolderContents]]) -> str | None:
    """The test set of a folder, by its name or else by what it holds; None where it is not one that is known."""
    return recognised_by_name(folder.resolve().name) or recognised_by_contents(contents())
