"""Hybrids made sentence by sentence, as metrics of whole documents see them.

The row of a document is no sum of its segments' rows, so what two systems wrote is put together and scored. A document
of k segments has 2^k mixtures: those that occur are scored once, and a hybrid is the sum of its documents' rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tertium._native import Lines
from tertium.errors import InputError, SpecError
from tertium.families.base import Metric
from tertium.measured import Measured
from tertium.measuring import measure
from tertium.stats.hybrids import Hybrids
from tertium.testset import TestSet
from tertium.text.units import numbered

Vector = NDArray[np.float64]
Masks = NDArray[np.uint8]


def mixes_documents(hybrids: Hybrids, documents: Sequence[int]) -> bool:
    """Whether some hybrid takes segments of one document (by its number) from two systems."""
    groups = np.asarray(documents)
    first = np.unique(groups, return_index=True)[1][groups]
    bits = np.unpackbits(hybrids.masks, axis=1, bitorder="little")[:, : len(groups)]
    return bool((bits != bits[:, first]).any())


class MixedDocuments:
    """Scores hybrids of two systems by metrics of documents; all metrics share the texts of a pair."""

    def __init__(
        self, measured: Measured, metrics: Sequence[Metric], names: Sequence[str], threads: int
    ) -> None:
        self._testset, self._metrics, self._names, self._threads = measured.testset, metrics, names, threads
        if self._testset.documents is None:
            raise InputError(
                "hybrids need a document id for each segment to be scored by metrics of documents"
            )
        for metric in metrics:
            if metric.needs_whole_set:
                raise SpecError(
                    f"{metric.label} weighs words by all references, which mixed documents would change: mix "
                    "whole documents instead"
                )
        groups = np.asarray(numbered(self._testset.documents))
        self._places = [np.flatnonzero(groups == group) for group in range(groups.max() + 1)]
        self._last: tuple[int, int] | None = None
        self._found: tuple[Measured, NDArray[np.int16]] | None = None

    def scores(self, metric: Metric, way: str, first: int, second: int, masks: Masks) -> Vector:
        """Of each hybrid: of its summed rows, or (`way` "segments") the mean of its documents' scores."""
        measured, weights = self._mixed(first, second, masks)
        rows = measured.rows["hybrid", metric]
        if way == "corpus":
            return metric.score_weighted(rows, weights, threads=self._threads)
        scores = metric.score_rows(rows, "document")
        known = np.isfinite(scores)
        with np.errstate(invalid="ignore"):
            return np.asarray(weights @ np.where(known, scores, 0.0) / (weights @ known))

    def _mixed(self, first: int, second: int, masks: Masks) -> tuple[Measured, NDArray[np.int16]]:
        """All mixtures of documents that these hybrids have, measured; and which of them each is made of."""
        if self._last != (first, second) or self._found is None:
            bits = np.unpackbits(masks, axis=1, bitorder="little")
            both = [self._testset.systems[self._names[system]] for system in (first, second)]
            places: list[int] = []
            texts: list[str] = []
            ids: list[str] = []
            chosen: list[NDArray[np.int64]] = []
            mixtures = 0
            for own in self._places:
                patterns, which = np.unique(bits[:, own], axis=0, return_inverse=True)
                for i, pattern in enumerate(patterns):
                    places += own.tolist()
                    texts += [
                        both[bit][place] or "" for bit, place in zip(pattern, own.tolist(), strict=True)
                    ]
                    ids += [str(mixtures + i)] * len(own)
                chosen.append(mixtures + which.reshape(-1))
                mixtures += len(patterns)
            weights = np.zeros((len(masks), mixtures), dtype=np.int16)
            for column in chosen:
                weights[np.arange(len(masks)), column] = 1
            self._last, self._found = (first, second), (self._measured(places, texts, ids), weights)
        return self._found

    def _measured(self, places: Sequence[int], texts: list[str], ids: Sequence[str]) -> Measured:
        mixed: TestSet = replace(
            self._testset.take(places), systems={"hybrid": Lines(texts)}, documents=tuple(ids)
        )
        return measure(mixed, list(self._metrics), "document", threads=self._threads)
