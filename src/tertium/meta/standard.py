"""What a task takes by default from an mt-metrics-eval folder: reference, human scores, outliers, metrics.

What is known of the test set is used; what is not known is left open, and the answer says so first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tertium.errors import InputError, did_you_mean
from tertium.io.mtme import SYNTHETIC_REFERENCE, folder_contents, folder_settings, mtme_pairs
from tertium.io.mtmesets import FolderContents, StandardSettings
from tertium.io.scorematrix import Level

OFFICIAL = "official"  # as a name of human scores: those that are gold for the test set


@dataclass(frozen=True)
class FolderDefaults:
    """What is used of a folder for one language pair.

    Attributes:
        testset: the test set that the folder is recognised as; empty where it is not known.
        references: metrics score against these, and they are not judged; several only where no standard is known.
        known_reference: whether that is the standard reference, the only one, or the task's choice.
        gold: by level, the name of the human scores that are used; empty where they are not the folder's.
        official_gold: the official ones at these levels, as far as they are known.
        outliers: systems left out.
        metrics: base names of the stored metrics that are judged; None for all of them.
        official_metrics: whether the test set's primary metrics are known.
        other_metrics: base names of the stored metrics that are not judged.
        all_references: the references that the folder has.
        humans: other references that people scored, judged like systems.
        padded: stored metrics without scores of a judged system, where 0 is used as in mt-metrics-eval.
    """

    pair: str
    testset: str
    references: tuple[str, ...]
    known_reference: bool
    gold: Mapping[Level, str] = field(default_factory=dict)
    official_gold: Mapping[Level, str] = field(default_factory=dict)
    outliers: tuple[str, ...] = ()
    metrics: tuple[str, ...] | None = None
    official_metrics: bool = False
    other_metrics: tuple[str, ...] = ()
    all_references: tuple[str, ...] = ()
    humans: tuple[str, ...] = ()
    padded: tuple[str, ...] = ()


def folder_defaults(
    folder: Path, pair: str, *, human: str | None, reference: str | None, origin: str
) -> FolderDefaults:
    """What to use of a folder for a language pair.

    `human` names the human scores (`OFFICIAL`: those of the test set; None: they are not the folder's); `reference`
    overrides the standard one.
    """
    contents = folder_contents(folder, pair)
    settings = folder_settings(folder, pair)
    references, known = _references(contents, settings, reference, f"{folder}: {pair}")
    gold = {} if human is None else _gold(contents, settings, human)
    if human is not None and not gold:
        names = ", ".join(sorted({name for _, name in contents.human_scores})) or "nothing"
        if human != OFFICIAL:
            raise InputError(f"{origin}: {pair} has human scores called {names}: no {human!r}")
        raise InputError(
            f"{origin}: the official human scores of {pair} are not known; it has {names} (--human NAME)"
        )
    official = frozenset() if settings is None else settings.metrics
    judged = official & frozenset(contents.metrics)
    outliers = (SYNTHETIC_REFERENCE,) if settings is None else settings.outliers
    return FolderDefaults(
        pair,
        "" if settings is None else settings.testset,
        references,
        known,
        gold,
        {} if settings is None else {level: settings.gold[level] for level in gold if level in settings.gold},
        tuple(name for name in outliers if name in contents.systems),
        tuple(sorted(judged)) or None,
        bool(official),
        tuple(name for name in contents.metrics if name not in judged) if judged else (),
        contents.references,
    )


def pairs_with_gold(folder: Path, human: str) -> tuple[list[str], list[str]]:
    """The language pairs of a folder that have these human scores, and the others."""
    pairs = mtme_pairs(folder)
    there = []
    for pair in pairs:
        contents = folder_contents(folder, pair)
        if _gold(contents, folder_settings(folder, pair), human):
            there.append(pair)
    return there, [pair for pair in pairs if pair not in there]


def _references(
    contents: FolderContents, settings: StandardSettings | None, chosen: str | None, where: str
) -> tuple[tuple[str, ...], bool]:
    """The references to use, and whether that is the standard one, the only one, or the task's choice."""
    if chosen is not None:
        if chosen not in contents.references:
            near = did_you_mean(chosen, contents.references)
            raise InputError(f"{where}: there is no reference {chosen!r}{near}")
        return (chosen,), True
    if settings is not None:
        return (settings.reference,), True
    names = tuple(name for name in contents.references if name != SYNTHETIC_REFERENCE)
    if not names:
        raise InputError(f"{where}: there is no reference")
    return names, len(names) == 1


def _gold(contents: FolderContents, settings: StandardSettings | None, human: str) -> dict[Level, str]:
    """By level, the human scores to use, as far as they are there."""
    if human != OFFICIAL:
        return {level: name for level, name in contents.human_scores if name == human}
    official = {} if settings is None else settings.gold
    return {level: name for level, name in official.items() if (level, name) in contents.human_scores}
