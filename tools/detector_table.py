"""The tables of docs/detectors.md: detectors on translations that people marked.

    python -m tools.detector_table [--no-encoder | --critical]

Hallucinations (../shared/data/hallucinations): words learnt of the file itself; with references of WMT17 and WMT12;
with all German-English texts that are here; and with an encoder. Beside them the ratio of lengths, and chrF against the
reference, which detectors do not see. Critical errors (../shared/data/mlqe-pe/critical-errors): Matthews' coefficient,
with edges chosen on parts of the training data that were left out, and on the development part.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping

import numpy as np

import tertium as tt
from tertium.detection.base import DETECTORS
from tertium.detection.detecting import detected
from tertium.detection.marked import DetectorAreas, areas, areas_of
from tertium.detection.pairs import PairKnowledge, SeenPairs, units_of
from tertium.estimation.view import folds_of
from tertium.io.markedtranslations import MarkedTranslations, read_marked
from tertium.io.memories.unit import Unit
from tertium.stats.detection import best_cut, matthews
from tertium.triage.blocking import agreement_on, blocking_of, trained_to_block
from tools.detector_model import DATA, fitted, lines, mlqe, wmt12, wmt17

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


def critical() -> Iterator[str]:
    """Matthews' coefficient of what is blocked: by detectors as they are, weighed anew, and by a model of marks."""
    folder = DATA / "mlqe-pe" / "critical-errors"
    train, dev = (read_marked(folder / f"ende_majority_{part}.tsv.xz") for part in ("train", "dev"))
    wrong, marked = (np.asarray(own.marks["critical"]) for own in (train, dev))
    units = [units_of(own.sources, own.translations, "en-de") for own in (train, dev)]
    knowledge = PairKnowledge.learnt([*units[0], *units[1]])
    seen = [SeenPairs(own, knowledge) for own in units]
    blocked = [detected(own).blocked for own in seen]
    rows = [np.column_stack([own for name in ROWS[:-1] for own in _signs(name, pairs)]) for pairs in seen]
    folds, left = folds_of(train.sources, 5), np.zeros(len(wrong))
    for fold in range(5):
        others = folds != fold
        left[~others] = fitted(rows[0][others], wrong[others], np.ones(others.sum())).odds(rows[0][~others])
    cut, agreement = best_cut(wrong, left)
    told = fitted(rows[0], wrong, np.ones(len(wrong))).odds(rows[1]) >= cut
    estimator = trained_to_block(train, pair="en-de")
    model = agreement_on(estimator, dev)
    yield f"| blocked | training part, left out ({len(train)}) | development part ({len(dev)}) |"
    yield "|---|---:|---:|"
    yield "| nothing | 0 | 0 |"
    yield f"| by detectors as they are | {matthews(wrong, blocked[0]):.3f} | {matthews(marked, blocked[1]):.3f} |"
    yield f"| by a logistic regression of their signs | {agreement:.3f} | {matthews(marked, told):.3f} |"
    yield f"| by `tertium estimate block` | {blocking_of(estimator).agreement:.3f} | {model.agreement:.3f} |"


def _signs(name: str, pairs: SeenPairs) -> list[np.ndarray]:
    return list(DETECTORS[name]().signs(pairs).values())  # type: ignore[attr-defined]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--no-encoder", action="store_true")
    parser.add_argument("--critical", action="store_true", help="critical errors only")
    given = parser.parse_args()
    if given.critical:
        print("\n".join(critical()))
        return
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
