"""Comparisons as people have them: preferences, rankings, WMT's tables of better and worse, with the texts compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tertium.errors import InputError, did_you_mean
from tertium.human.consistency import consistent
from tertium.human.gold_files import kind_of
from tertium.human.kinds import KINDS
from tertium.io.comparisons import Comparisons
from tertium.io.pairs import BetterWorse, read_pairs_jsonl
from tertium.io.records import json_rows
from tertium.io.wmtlayout import is_pairs_table, read_pairs_table
from tertium.meta.materials import pairs_of_folder
from tertium.meta.paragraphs import fitting_comparisons
from tertium.testset import TestSet
from tertium.training.compared import JudgedPairs
from tertium.training.human_files import all_references, in_streams, in_units
from tertium.training.judged import SEGMENTS

_COMPARED = ("comparisons", "rankings", "wmt-rankings")


def compared_kind(path: str) -> str | None:
    """What kind of comparisons a file holds: `texts` with the texts themselves, `better-worse`, or one of those that
    `tertium meta` reads; None if it holds no comparisons, or is the name of scores in a folder and no file.
    """
    if not Path(path).is_file():
        return None
    if ".jsonl" in Path(path).name:
        _, first = next(json_rows(path), (1, {}))
        if {"better", "worse"} <= set(first):
            return "texts"
        return "comparisons" if "votes" in first else None
    if is_pairs_table(path):
        return "better-worse"
    kind = kind_of(path)
    return kind if kind in _COMPARED else None


@dataclass
class GatheredPairs:
    """Texts and comparisons of them as they come together, set by set."""

    units: str = SEGMENTS
    hypotheses: list[str] = field(default_factory=list)
    references: list[tuple[str, ...]] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    sets: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    pairs: list[tuple[int, int, int]] = field(default_factory=list)  # two texts, and the sign
    with_sources: bool = True
    pseudo: tuple[str, ...] = ()

    def add(self, testset: TestSet, comparisons: Comparisons, name: str) -> None:
        """What people compared of a test set, each text once; what is not in it is named and refused. Comparisons of
        annotators who do not agree with themselves are left out, where that is known."""
        sets = testset.documents if testset.documents and not name else (name,) * len(testset)
        if self.units == SEGMENTS:
            items, what = [str(i + 1) for i in range(len(testset))], "segment"
        else:
            items, what = list(dict.fromkeys(testset.documents or ())), "document"
        self.pseudo = testset.references.pseudo
        kept = consistent(comparisons)[0].without(self.pseudo)
        kept = fitting_comparisons(kept, testset, items, what)
        if self.units != SEGMENTS:
            testset = testset.of_documents()
            sets = (name,) * len(testset)
        references = all_references(testset)
        self.with_sources &= testset.sources is not None
        place = {item: i for i, item in enumerate(items)}
        known: dict[tuple[int, int], int] = {}

        def text(system: int, i: int) -> int:
            if (system, i) not in known:
                known[system, i] = len(self.hypotheses)
                self.hypotheses.append(testset.systems[kept.systems[system]][i] or "")
                self.references.append(references[i])
                self.sources.append("" if testset.sources is None else testset.sources[i] or "")
                self.sets.append(sets[i])
                self.outputs.append(f"{name} {kept.systems[system]}")
            return known[system, i]

        rows = zip(kept.segment, kept.first.tolist(), kept.second.tolist(), kept.sign.tolist(), strict=True)
        for segment, first, second, sign in rows:
            i = place[segment]
            self.pairs.append((text(first, i), text(second, i), sign))

    def judged(self) -> JudgedPairs:
        streams = in_streams(self.references)
        pairs = np.array(self.pairs, dtype=np.int64).reshape(-1, 3)
        return JudgedPairs(
            tuple(self.hypotheses),
            streams[0],
            tuple(self.sources) if self.with_sources else None,
            pairs[:, 0],
            pairs[:, 1],
            pairs[:, 2].astype(np.int8),
            tuple(self.sets),
            self.units,
            None if self.units == SEGMENTS else tuple(self.outputs),
            self.pseudo,
            streams[1:],
        )


def compared_in(testset: TestSet, human: str, *, units: str = SEGMENTS) -> JudgedPairs:
    """The segments or documents of a test set that one file of preferences or rankings compares."""
    kind = compared_kind(human)
    if kind not in _COMPARED:
        raise InputError(
            f"{human}: has pairs of several language pairs: give the folder of texts with --testset"
        )
    found = GatheredPairs(units)
    found.add(in_units(testset, units), KINDS[kind](human)[0], "")
    return found.judged()


def compared_in_folder(
    human: str,
    folder: str,
    pairs: Sequence[str] = (),
    *,
    units: str = SEGMENTS,
    pseudo: Sequence[str] = (),
    instead: bool = False,
) -> JudgedPairs:
    """What people compared in a shared task's folder, by WMT's raw rankings or its table of better and worse: a set for
    each language pair."""
    root, kind = Path(folder), compared_kind(human)
    if not root.is_dir():
        raise InputError(f"{folder}: is no folder of a shared task")
    read = _OF_PAIR.get(kind or "")
    if read is None:
        raise InputError(
            f"{human}: does not say which language pair each comparison is of: give the texts, not a folder"
        )
    known = pairs_of_folder(root)
    for pair in pairs:
        if pair not in known:
            raise InputError(f"{folder}: there are no outputs of {pair!r}{did_you_mean(pair, known)}")
    found, missing = GatheredPairs(units), None
    for pair in pairs or known:
        try:
            comparisons = read(human, pair)
        except InputError as error:
            if pairs:
                raise
            missing = error  # a pair that nobody compared
            continue
        testset = TestSet.load(root, pair=pair)
        if pseudo or instead:
            testset = testset.with_pseudo_references(pseudo, instead=instead)
        found.add(in_units(testset, units), comparisons, pair)
    if missing is not None and not found.pairs:
        raise missing
    return found.judged()


def compared_with_texts(human: str) -> JudgedPairs:
    """Pairs of better and worse translations with their texts."""
    read = read_pairs_jsonl(human)
    systems = {name: [text or "" for text in own] for name, own in read.outputs.items()}
    found = GatheredPairs()
    found.add(TestSet.of(read.references, systems, sources=read.sources), _as_comparisons(read.pairs), "")
    return found.judged()


def _ranked(human: str, pair: str) -> Comparisons:
    found: Comparisons = KINDS["wmt-rankings"](human, task=pair)[0]
    return found


def _better_worse(human: str, pair: str) -> Comparisons:
    return _as_comparisons(read_pairs_table(human, pair)[0])


_OF_PAIR: dict[str, Callable[[str, str], Comparisons]] = {
    "wmt-rankings": _ranked,
    "better-worse": _better_worse,
}


def _as_comparisons(pairs: BetterWorse) -> Comparisons:
    rows = [
        ("people", str(segment), pairs.systems[better], pairs.systems[worse], 1)
        for segment, better, worse in zip(
            pairs.segment.tolist(), pairs.better.tolist(), pairs.worse.tolist(), strict=True
        )
    ]
    lines = None if pairs.lines is None else pairs.lines.tolist()
    return Comparisons.of(rows, lines=lines, origin=pairs.origin)
