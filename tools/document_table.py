"""How metrics of whole documents agree with people: WMT23's English to German, against MQM of documents.

    python -m tools.document_table [--cache FILE] [SPEC...]        # the table of docs/document.md
    python -m tools.document_table --hybrids 2000 [SPEC...]        # what mixing sentences or documents does to metrics

Prints Markdown. Two correlations (Pearson's r) with 95% intervals over documents: of all documents of all systems in
one, and the mean over documents of the correlation over systems, which leaves out how hard a document is. Texts and
scores of people are those of ../shared/data/mtme; nothing here was chosen on them. `--cache` keeps scores of metrics
by signature, so that one more metric costs no more than itself.
"""

from __future__ import annotations

import argparse
import json
import os
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

import tertium as tt
from tertium.io.scorematrix import ScoreMatrix
from tertium.meta.by_document import judge_documents
from tertium.meta.hybrids import score_hybrids
from tertium.meta.materials import pair_data
from tertium.meta.metric_lists import entries_of
from tertium.meta.scored_metrics import ScoredMetric, measure_metrics
from tertium.meta.task import Task
from tertium.stats.hybrids import draw_hybrids
from tertium.text.units import numbered

SHARED = Path(os.environ.get("TERTIUM_SHARED", Path(__file__).resolve().parents[2] / "shared"))
PAIR = "en-de"
SENTENCES = ("bleu", "chrf", "ter", "macrof", "meteor:lang=de,modules=exact+stem", "meteor-hard:lang=de")
DOCUMENTS = (
    *("doc:bleu", "doc:chrf", "doc:ter", "doc:macrof"),
    *("doc:meteor:lang=de,modules=exact+stem", "doc:meteor-hard:lang=de"),
    *("doc:coref:lang=de", "doc:coref:blanc,lang=de", "doc:coref:lea,lang=de"),
    *("doc:cohesion:lang=de", "doc:cohesion:closeness,lang=de", "doc:cohesion:lang=de,parser=hanta:de"),
    "doc:cohesion:closeness,lang=de,parser=hanta:de",
    "doc:cohesion:difference,against=source,source_lang=en,lang=de",
    *("doc:connectives:lang=de", "doc:terms:lang=de,source_lang=en"),
)
MIXED = (
    *("bleu", "chrf", "doc:bleu", "doc:chrf", "doc:coref:muc,lang=de"),
    *("doc:cohesion:lang=de", "doc:connectives:lang=de"),
)


class Judged:
    """The test set with people's scores."""

    def __init__(self, folder: Path) -> None:
        with tarfile.open(SHARED / "data" / "mtme" / "wmt23-en-de.tar.xz") as archive:
            archive.extractall(folder, filter="data")
        task = Task("wmt23", layout=folder / "wmt23", human={"name": "mqm"}, metrics=("bleu",))
        data = pair_data(task, PAIR)
        assert data.testset is not None
        assert data.testset.documents is not None
        people = data.human["segment"]
        self.systems = [name for name in people.systems if name in data.testset.systems and "ref" not in name]
        self.testset = replace(
            data.testset, systems={name: data.testset.systems[name] for name in self.systems}
        )
        self.documents = data.testset.documents
        self.segments = people.selected(self.systems, people.items)
        self.people = self.segments.document_means(self.documents)

    def scored(self, specs: Sequence[str], cache: Path | None, threads: int) -> Iterator[ScoredMetric]:
        """Metrics with their scores of documents, measured or as they were kept."""
        kept = json.loads(cache.read_text("utf-8")) if cache is not None and cache.exists() else {}
        keys = {spec: f"{spec} {tt.metric(spec).signature(1)}" for spec in specs}
        if wanted := [spec for spec in specs if keys[spec] not in kept]:
            measured, _ = measure_metrics(
                self.testset, entries_of(wanted), PAIR, systems=self.systems, threads=threads
            )
            for spec, own in zip(wanted, measured, strict=True):
                assert own.documents is not None
                rows = own.documents.values
                kept[keys[spec]] = [[float(x) if np.isfinite(x) else None for x in row] for row in rows]
            if cache is not None:
                cache.write_text(json.dumps(kept), "utf-8")
        names = tuple(dict.fromkeys(self.documents))
        for spec in specs:
            values = np.array([[np.nan if x is None else x for x in row] for row in kept[keys[spec]]])
            scores = ScoreMatrix(spec, "document", tuple(self.systems), names, values)
            metric = tt.metric(spec)
            yield ScoredMetric(spec, metric.higher_is_better is not False, documents=scores, metric=metric)


def table(judged: Judged, specs: Sequence[str], cache: Path | None, threads: int) -> Iterator[str]:
    metrics = list(judged.scored(specs, cache, threads))
    found = [
        judge_documents(judged.people, metrics, PAIR, averaging=averaging, missing="leave out")
        for averaging in ("none", "item")
    ]
    yield "| metric | all documents: r | 95% | within documents: mean r | 95% | scores |"
    yield "|---|---|---|---|---|---|"
    for both in zip(*(one.cells for one in found), strict=True):
        row = [f"`{both[0].name}`"]
        for cell in both:
            if cell.value is None or cell.low is None or cell.high is None:
                row += ["undefined", ""]
            else:
                row += [f"{cell.value:.3f}", f"{cell.low:.3f} to {cell.high:.3f}"]
        yield "| " + " | ".join([*row, f"{both[0].n:,}"]) + " |"


def hybrids(judged: Judged, specs: Sequence[str], number: int, threads: int) -> Iterator[str]:
    """Scores of hybrids beside the straight line between the two systems that they are made of."""
    measured = tt.measure(judged.testset, specs, systems=judged.systems, threads=threads)
    human = {name: judged.segments.row(name) for name in judged.systems}
    groups = numbered(judged.documents)
    segments = len(judged.documents)
    yield "| metric | mixed by sentences: r | off the line | mixed by documents: r | off the line | systems apart |"
    yield "|---|---|---|---|---|---|"
    drawn = [draw_hybrids(len(judged.systems), segments, number, documents=own) for own in (None, groups)]
    scored = [score_hybrids(measured, human, hybrids=own, threads=threads) for own in drawn]
    for m, spec in enumerate(specs):
        metric = tt.metric(spec)
        whole = np.array([measured.corpus_score(name, metric) for name in judged.systems])
        row = [f"`{spec}`"]
        for own, found in zip(drawn, scored, strict=True):
            share = own.taken / segments
            line = (1 - share) * whole[own.first] + share * whole[own.second]
            off = found.metrics[m].scores - line
            r = found.correlations()[m].value
            row += [f"{abs(r or 0):.3f}", f"{np.nanmean(off):+.3f}"]
        yield "| " + " | ".join([*row, f"{whole.std():.2f}"]) + " |"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("specs", nargs="*", metavar="SPEC", help="metrics (those of the page)")
    parser.add_argument("--hybrids", type=int, metavar="N", help="N hybrids of each kind instead")
    parser.add_argument("--cache", type=Path, metavar="FILE", help="scores that were made before (JSON)")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        judged = Judged(Path(made))
        if given.hybrids:
            rows = hybrids(judged, given.specs or MIXED, given.hybrids, given.threads)
        else:
            rows = table(judged, given.specs or SENTENCES + DOCUMENTS, given.cache, given.threads)
        for row in rows:
            print(row, flush=True)


if __name__ == "__main__":
    main()
