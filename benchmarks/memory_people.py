"""Checks of memories against people: crawled pairs that people judged, and critical errors of machine translation.

    python -m benchmarks.memory_people [paracrawl] [critical] [--languages es fr] [--encoder use]

Paracrawl (../shared/data/paracrawl-judged): the area under the curve for "wrong language or misaligned" (L or A), and
the average precision of each class: of bicleaner's column, of the combined probability as it comes, of that with
`--mismatched 0.2`, of what the check `fit` says alone, and with labels, cross-validated in ten parts.
Critical errors (../shared/data/mlqe-pe): fitted on the training part as with `--labels`, reported on the development
part, for the combination and for each number of the checks.
"""

from __future__ import annotations

import argparse
import gzip
import lzma
import sys
import zlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.memory import SHARED
from tertium.io.memories.unit import Unit
from tertium.stats.detection import area_under_curve, detection_precision
from tertium.vetting.checks.base import EncodingLearner
from tertium.vetting.combining import FIT, shipped
from tertium.vetting.judging import CombinedJudge, forgetful_names
from tertium.vetting.labelling import LabelledJudge
from tools.memory_model import batches, memory

PARTS = 10
CRAWLED = 0.2  # share of crawled pairs whose sides do not belong together
BATCH = 2048
CLASSES = ("L", "A", "T", "MT", "E", "F")


class JudgedPair(NamedTuple):
    """A crawled pair, bicleaner's score, and the class that people gave it."""

    unit: Unit
    bicleaner: float
    kind: str


def crawled(language: str) -> dict[str, list[JudgedPair]]:
    """The releases of a language."""
    found: dict[str, list[JudgedPair]] = {}
    for path in sorted((SHARED / "data" / "paracrawl-judged").glob(f"en-{language}.*.tsv.gz")):
        release = path.name.split(".", 1)[1].removesuffix(".tsv.gz")
        score = 6 if release == "v3" else 4
        with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
            rows = [line.rstrip("\n").split("\t") for line in lines]
        found[release] = [
            JudgedPair(
                Unit(row[2], row[3], "en", language, document=release),
                float(row[score]),
                row[score + 1].strip(),
            )
            for row in rows
        ]
    return found


def numbers(judge: CombinedJudge, texts: Sequence[Unit]) -> NDArray[np.float64]:
    return np.concatenate([judge.looked(texts[i : i + BATCH])[1] for i in range(0, len(texts), BATCH)])


def cross_validated(
    judge: CombinedJudge, texts: Sequence[Unit], wrong: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Probabilities of each pair, refined by the labels of the others (no copy of it among them)."""
    found = np.zeros(len(texts))
    parts = np.array([zlib.crc32(unit.source.encode()) % PARTS for unit in texts])
    for part in range(PARTS):
        own = np.flatnonzero(parts == part)
        labels = [(texts[i], bool(wrong[i])) for i in np.flatnonzero(parts != part)]
        suspicions = LabelledJudge(judge, labels).judge([texts[i] for i in own])
        found[own] = [suspicion.probability for suspicion in suspicions]
    return found


def paracrawl(languages: Sequence[str], encoder: str | None) -> Iterator[str]:
    columns = ("bicleaner", "combined", "mismatched", "fit", "--labels")
    for language in languages:
        releases = crawled(language)
        texts = [own.unit for pairs in releases.values() for own in pairs]
        judge = CombinedJudge.of([*forgetful_names(), *(["vectors"] if encoder else [])])
        for learner in judge.learners.values():
            if encoder and isinstance(learner, EncodingLearner):
                learner.use(encoder)
        if language == "fr":
            for batch in batches(memory()):
                judge.learn(batch, own=False)
        judge.learn(texts)
        every = numbers(judge, texts)
        name = {"fr": "French", "es": "Spanish"}[language]
        yield f"\nEnglish-{name}: area under the curve for L or A; of each class, average precision"
        yield f"{'release':<24}{'pairs':>7}{'L or A':>8}" + "".join(f"{name:>12}" for name in columns)
        at = 0
        for release, pairs in releases.items():
            rows = every[at : at + len(pairs)]
            at += len(pairs)
            wrong = np.array([own.kind in ("L", "A") for own in pairs])
            scores = [
                np.array([-own.bicleaner for own in pairs]),
                shipped().odds(judge.names, rows),
                shipped().odds(judge.names, rows, CRAWLED),
                rows[:, judge.names.index(FIT)],
                cross_validated(judge, [own.unit for own in pairs], wrong),
            ]
            shown = "".join(f"{area_under_curve(wrong, own):>12.3f}" for own in scores)
            yield f"{release:<24}{len(pairs):>7}{wrong.sum():>8}{shown}"
            for kind in CLASSES:
                own_kind = np.array([own.kind == kind for own in pairs])
                if own_kind.any():
                    shown = "".join(f"{detection_precision(own_kind, own):>12.3f}" for own in scores)
                    yield f"{'  ' + kind:<24}{'':>7}{own_kind.sum():>8}{shown}"


def critical(_languages: Sequence[str], _encoder: str | None) -> Iterator[str]:
    parts: dict[str, tuple[list[Unit], list[bool]]] = {}
    for part in ("train", "dev"):
        path = SHARED / "data" / "mlqe-pe" / "critical-errors" / f"ende_majority_{part}.tsv.xz"
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            rows = [line.rstrip("\n").split("\t") for line in lines]
        parts[part] = (
            [Unit(row[1], row[2], "en", "de") for row in rows],
            [row[-1].strip() == "ERR" for row in rows],
        )
    judge = CombinedJudge.of(forgetful_names())
    for texts, _ in parts.values():
        judge.learn(texts)
    texts, marks = parts["dev"]
    dev, wrong = numbers(judge, texts), np.array(marks)
    before = shipped().odds(judge.names, dev)
    labelled = LabelledJudge(judge, list(zip(*parts["train"], strict=True)))
    after = [suspicion.probability for suspicion in labelled.judge(texts)]
    yield f"\nCritical errors, English-German: {wrong.sum()} of {len(wrong)} translations of the development part"
    yield f"{'area under the curve':<32}{'':>8}"
    yield f"{'combined, fitted on train':<32}{area_under_curve(wrong, after):>8.3f}"
    yield f"{'combined, as it comes':<32}{area_under_curve(wrong, before):>8.3f}"
    for i, name in enumerate(judge.names):
        area = area_under_curve(wrong, dev[:, i])
        if dev[:, i].any():
            yield f"{name:<32}{area:>8.3f}"


TABLES = {"paracrawl": paracrawl, "critical": critical}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", nargs="*", choices=[*TABLES, []], help="which tables (all)")
    parser.add_argument("--languages", nargs="+", choices=("es", "fr"), default=["es", "fr"])
    parser.add_argument("--encoder", help="compare vectors of crawled pairs, too")
    options = parser.parse_args()
    for name in options.tables or TABLES:
        for line in TABLES[name](options.languages, options.encoder):
            print(line)
            sys.stdout.flush()


if __name__ == "__main__":
    main()
