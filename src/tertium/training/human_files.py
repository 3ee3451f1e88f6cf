"""Judgements as people have them: WMT's tables beside a folder of texts, or any file that `tertium meta` reads."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from tertium.errors import InputError, did_you_mean, many
from tertium.io.records import numbered_lines
from tertium.io.scorematrix import Level, ScoreMatrix
from tertium.io.streams import FilePath, display_name
from tertium.io.wmtlayout import human_pairs, is_wmt_layout
from tertium.meta.materials import PairData, pair_data, pairs_of, task_of_files
from tertium.meta.task import Task
from tertium.testset import TestSet
from tertium.text.units import Units
from tertium.training.judged import SEGMENTS, JudgedSegments, is_judgement, read_judgements


@dataclass
class Gathered:
    """Segments as they come together, system by system."""

    hypotheses: list[str] = field(default_factory=list)
    references: list[tuple[str, ...]] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    judgements: list[float] = field(default_factory=list)
    sets: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)  # the system, and its set
    with_sources: bool = True
    units: str = SEGMENTS
    pseudo: tuple[str, ...] = ()

    def add(self, testset: TestSet, scores: ScoreMatrix, name: str) -> None:
        """The judged segments of a test set, or its documents where these are `units`; what people judged that is not
        in it is named and refused."""
        self.pseudo = testset.references.pseudo
        scores = _without(scores, self.pseudo)
        for system in scores.systems:
            if system not in testset.systems:
                raise InputError(
                    f"{scores.label}: there is no output of system {system!r}{did_you_mean(system, testset.systems)}"
                )
        sets = testset.documents if testset.documents and not name else (name,) * len(testset)
        if self.units == SEGMENTS:
            place = {str(i + 1): i for i in range(len(testset))}
        else:
            testset, scores, place = _of_documents(testset, scores)
            sets = (name,) * len(testset)
        self.with_sources &= testset.sources is not None
        references = all_references(testset)
        for system, row in zip(scores.systems, scores.values, strict=True):
            for item, value in zip(scores.items, row.tolist(), strict=True):
                if math.isnan(value):
                    continue
                if item not in place:
                    raise _unknown(scores, item, system, len(testset))
                i = place[item]
                self.hypotheses.append(testset.systems[system][i] or "")
                self.references.append(references[i])
                self.sources.append("" if testset.sources is None else testset.sources[i] or "")
                self.judgements.append(value)
                self.sets.append(sets[i])
                self.outputs.append(f"{name} {system}")

    def judged(self) -> JudgedSegments:
        streams = in_streams(self.references)
        return JudgedSegments(
            tuple(self.hypotheses),
            streams[0],
            tuple(self.sources) if self.with_sources else None,
            np.array(self.judgements),
            tuple(self.sets),
            self.units,
            None if self.units == SEGMENTS else tuple(self.outputs),
            self.pseudo,
            streams[1:],
        )


def _without(scores: ScoreMatrix, pseudo: Sequence[str]) -> ScoreMatrix:
    """People's scores without those of pseudo-references, which are not scored."""
    kept = [system for system in scores.systems if system not in pseudo]
    return scores if len(kept) == len(scores.systems) else scores.selected(kept)


def all_references(testset: TestSet) -> list[tuple[str, ...]]:
    """The references of each segment: as many for all."""
    for number, stream in enumerate(testset.references.streams, 1):
        if stream.count_missing():
            where = next(i for i, text in enumerate(stream, 1) if text is None)
            raise InputError(
                f"reference {number} lacks segment {where}: a metric is trained with all references of all"
            )
    return [tuple(map(str, texts)) for texts in zip(*testset.references.streams, strict=True)]


def in_streams(references: Sequence[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """References stream by stream."""
    if len({len(own) for own in references}) > 1:
        raise InputError(
            "some sets have more references than others: a metric is trained with as many for all"
        )
    return tuple(zip(*references, strict=True)) or ((),)


def in_units(testset: TestSet, units: str) -> TestSet:
    """A test set whose documents are what `units` says, if they are not yet."""
    if units == SEGMENTS:
        return testset
    if units not in (testset.units, "documents"):
        named = Units.of(units).named(testset.references, testset.documents)
        testset = replace(testset, documents=None if named is None else tuple(named), units=units)
    if testset.documents is None:
        raise InputError(
            "metrics of documents learn from documents: give a document id for each segment (--documents FILE), or say "
            "what a document is (--units blank, --units words:180)"
        )
    return testset


def _unknown(scores: ScoreMatrix, item: str, system: str, segments: int) -> InputError:
    return InputError(
        f"{scores.label}: people judged segment {item!r} of {system}, but the test set has segments 1 to {segments}"
    )


def _of_documents(testset: TestSet, scores: ScoreMatrix) -> tuple[TestSet, ScoreMatrix, dict[str, int]]:
    """A test set with a text for each document, scores of documents (the means of their segments', if segments were
    judged), and where each document stands."""
    documents = in_units(testset, "documents").documents or ()
    place = {name: i for i, name in enumerate(dict.fromkeys(documents))}
    numbers = tuple(str(i + 1) for i in range(len(testset)))
    if scores.level == "document":
        pass
    elif set(scores.items) <= set(place):
        if set(scores.items) <= set(numbers) and documents != numbers:
            raise InputError(
                f"{scores.label}: {scores.items[0]!r} can be a segment or a document: give documents ids that are no "
                "numbers"
            )
    else:
        for item in sorted(set(scores.items) - set(numbers)):
            raise InputError(
                f"{scores.label}: people judged {item!r}, which is neither a document{did_you_mean(item, place)} "
                f"nor a segment from 1 to {len(testset)}"
            )
        scores = scores.document_means(documents)
    return testset.of_documents(), scores, place


def is_lines_of_numbers(path: str) -> bool:
    """Whether a file of judgements is a number a line, and no table."""
    first = next((line for _, line in numbered_lines(path)), "")
    return is_judgement(first)


def judged_in_folder(
    human: str,
    folder: str,
    pairs: Sequence[str] = (),
    *,
    units: str = SEGMENTS,
    pseudo: Sequence[str] = (),
    instead: bool = False,
) -> JudgedSegments:
    """The segments or documents that people judged in a shared task's folder: a set for each language pair. `pseudo`
    are systems whose outputs are references, `instead` of others."""
    root = Path(folder)
    if not root.is_dir():
        raise InputError(f"{folder}: is no folder of a shared task")
    common: dict[str, Any] = {"levels": ("segment",), "metrics": ("chrf",)}  # a task judges some metric
    common |= {"pseudo_references": tuple(pseudo), "without_references": instead}
    task = task_of_files(human, layout=root, pairs=tuple(pairs), **common)
    if is_wmt_layout(root):
        known = human_pairs(human)
        for pair in pairs:
            if pair not in known:
                raise InputError(f"{human}: there are no judgements of {pair!r}{did_you_mean(pair, known)}")
        wanted = tuple(pairs or known)
        task = Task(root.name, layout=root, human={"segment": Path(human)}, pairs=wanted, **common)
    found = Gathered(units=units)
    for pair in pairs_of(task):
        data = pair_data(task, pair)
        found.add(in_units(_texts(data, human), units), _segments(data, human), pair)
    return found.judged()


def judged_in(testset: TestSet, human: str, *, units: str = SEGMENTS) -> JudgedSegments:
    """The segments or documents of a test set with one file of judgements of all its systems."""
    task = task_of_files(human, levels=("segment",), metrics=("chrf",))
    data = pair_data(task, "xx-yy", texts_inside=False)
    found = Gathered(units=units)
    found.add(testset, _segments(data, human), "")
    return found.judged()


def judged_by_lines(testset: TestSet, files: Sequence[FilePath], *, units: str = SEGMENTS) -> JudgedSegments:
    """The segments of a test set, with a file of judgements for each system: a line a segment. Where documents were
    judged, a line a document will do, too."""
    if len(files) != len(testset.systems):
        raise InputError(f"there are {len(testset.systems)} systems, but {len(files)} files of judgements")
    names = tuple(str(i + 1) for i in range(len(testset)))
    documents = tuple(dict.fromkeys(testset.documents or ())) if units != SEGMENTS else ()
    found = Gathered(units=units)
    for system, path in zip(testset.systems, files, strict=True):
        values = np.array(read_judgements(path))
        by_document = len(values) == len(documents) != len(testset)
        if len(values) != len(testset) and not by_document:
            or_so = f" in {many(len(documents), 'document')}" if documents else ""
            raise InputError(
                f"{display_name(path)}: has {len(values)} judgements, but {system} has {len(testset)} segments{or_so}"
            )
        level: Level = "document" if by_document else "segment"
        items = documents if by_document else names
        found.add(testset, ScoreMatrix(display_name(path), level, (system,), items, values[None]), "")
    return found.judged()


def _texts(data: PairData, human: str) -> TestSet:
    if data.testset is None:
        raise InputError(f"{human}: there are no texts of {data.pair}")
    return data.testset


def _segments(data: PairData, human: str) -> ScoreMatrix:
    if "segment" not in data.human:
        raise InputError(f"{human}: has no judgements of segments")
    return data.human["segment"]
