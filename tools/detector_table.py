"""The tables of docs/detectors.md: detectors on translations that people marked.

    python -m tools.detector_table [--no-encoder]

Hallucinations (../shared/data/hallucinations): words learnt of the file itself; with references of WMT17 and WMT12;
with all German-English texts that are here; and with an encoder. Beside them the ratio of lengths, and chrF against the
reference, which detectors do not see.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping

import numpy as np

import tertium as tt
from tertium.detection.marked import DetectorAreas, areas, areas_of
from tertium.io.markedtranslations import MarkedTranslations, read_marked
from tertium.io.memories.unit import Unit
from tools.detector_model import DATA, lines, mlqe, wmt12, wmt17

MARKS = ("full-unsupport", "strong-unsupport", "repetitions", "omission", "named-entities")
ROWS = ("detachment", "unsupported", "oscillation", "omission", "names", "numbers", "negation", "block")
ENCODED = ("detachment", "block")  # in which the encoder has a say
Corpus = tuple[list[str], list[str]]


def _corpus(units: list[Unit]) -> Corpus:
    return [unit.source for unit in units], [unit.target for unit in units]


def references() -> Corpus:
    """WMT17's and WMT12's German sources with their references."""
    return _corpus(wmt17("de-en")[1] + wmt12()[1])


def everything() -> Corpus:
    """And the other direction, the macro-averaging paper's test set, MLQE-PE's training part."""
    turned = [Unit(unit.target, unit.source) for unit in wmt17("en-de")[1] + mlqe("en-de")]
    folder = DATA / "macroavg" / "de-en"
    more = [Unit(*own) for own in zip(lines(folder / "src.de.gz"), lines(folder / "ref.en.gz"), strict=True)]
    return _corpus(wmt17("de-en")[1] + wmt12()[1] + more + turned)


def chrf(texts: MarkedTranslations) -> Mapping[str, float | None]:
    metric = tt.metric("chrf")
    rows = metric.statistics(list(texts.translations), metric.prepare(list(texts.references or ())))
    return areas_of(texts, -np.asarray(metric.score_rows(rows, "segment"), float))


def _row(name: str, own: Mapping[str, float | None]) -> str:
    return f"| {name} | " + " | ".join(f"{own[mark]:.3f}".lstrip("0") for mark in MARKS) + " |"


def table(texts: MarkedTranslations, found: Mapping[str, DetectorAreas]) -> Iterator[str]:
    first = next(iter(found.values()))
    yield f"{first.segments} translations; left out: lines {', '.join(map(str, first.left_out))}"
    yield "| | " + " | ".join(f"{mark} ({first.marked[mark]})" for mark in MARKS) + " |"
    yield "|---|" + "---:|" * len(MARKS)
    yield _row("length ratio", first.areas["length ratio"])
    yield _row("chrF against the reference", chrf(texts))
    for name, own in found.items():
        for detector in (
            "detachment",
            "unsupported",
            "oscillation",
            "omission",
            "names",
            "numbers",
            "negation",
            "block",
        ):
            yield _row(f"`{detector}`, {name}", own.areas[detector])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--no-encoder", action="store_true")
    given = parser.parse_args()
    texts = read_marked(DATA / "hallucinations" / "de-en.half.csv.gz")
    found = {
        "its own words": areas(texts, pair="de-en"),
        "with WMT": areas(texts, pair="de-en", corpus=references()),
        "with all": areas(texts, pair="de-en", corpus=everything()),
    }
    if not given.no_encoder:
        found["its own words, encoder"] = areas(texts, pair="de-en", encoder="use")
        found["with WMT, encoder"] = areas(texts, pair="de-en", corpus=references(), encoder="use")
    print("\n".join(table(texts, found)))


if __name__ == "__main__":
    main()
