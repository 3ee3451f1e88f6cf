"""How well detectors find what people marked: the area under the curve, by detector and mark."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tertium.detection.detecting import detect
from tertium.io.markedtranslations import MarkedTranslations, damaged_rows
from tertium.io.tables import Column, Table, number_column
from tertium.results import Result
from tertium.stats.detection import area_under_curve

LENGTH = "length ratio"


@dataclass(frozen=True)
class DetectorAreas(Result):
    """How likely a marked translation has the higher score, by detector and mark; None where nothing is marked."""

    kind = "areas of detectors"
    segments: int
    left_out: tuple[int, ...]  # lines of damaged rows
    marked: Mapping[str, int]
    areas: Mapping[str, Mapping[str, float | None]]  # by detector, then mark

    def table(self) -> Table:
        columns = (Column("detector"), *(number_column(name, digits=3) for name in self.marked))
        rows = tuple((name, *own.values()) for name, own in self.areas.items())
        return Table("", columns, rows)

    def words(self) -> Iterator[str]:
        listed = ", ".join(f"{name} {number}" for name, number in self.marked.items())
        yield f"Area under the curve on {self.segments} translations, of which people marked: {listed}."
        yield from damaged_rows(self.left_out)


def areas(
    texts: MarkedTranslations,
    *,
    pair: str = "",
    corpus: tuple[Sequence[str], Sequence[str]] | None = None,
    encoder: str | None = None,
    detectors: Sequence[str] = (),
) -> DetectorAreas:
    """What detectors make of marked translations, beside the ratio of lengths (how far it is from the usual one).

    >>> texts = ["Ein Haus", "Ein Baum"], ["A house", "A a a a a a"]
    >>> made = MarkedTranslations("few", *texts, None, {"bad": [False, True]})
    >>> areas(made).areas["oscillation"]
    {'bad': 1.0}
    """
    found = detect(
        texts.sources, texts.translations, pair=pair, corpus=corpus, encoder=encoder, detectors=detectors
    )
    columns = {
        **found.scores,
        "block": found.block,
        LENGTH: length_distance(texts.sources, texts.translations),
    }
    return DetectorAreas(
        len(texts),
        texts.left_out,
        {name: sum(own) for name, own in texts.marks.items()},
        {name: areas_of(texts, own) for name, own in columns.items()},
    )


def areas_of(texts: MarkedTranslations, scores: np.ndarray) -> dict[str, float | None]:
    """The area of one column of scores, by mark."""
    found = {name: area_under_curve(own, scores) for name, own in texts.marks.items()}
    return {name: None if np.isnan(own) else own for name, own in found.items()}


def length_distance(sources: Sequence[str], translations: Sequence[str]) -> np.ndarray:
    """How far the logarithm of the ratio of characters is from the usual one."""
    pairs = zip(sources, translations, strict=True)
    ratios = np.array([np.log((len(b) + 1) / (len(a) + 1)) for a, b in pairs])
    return np.asarray(np.abs(ratios - np.median(ratios)))
