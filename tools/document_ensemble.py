"""Ensembles of metrics of documents, learnt from people: WMT23's English to German, MQM of documents.

    python -m tools.document_ensemble [--cache FILE]        # the table of docs/trained.md

Prints Markdown. Documents are in ten parts; an ensemble's scores of a part are those of a model that was trained on
the nine others, where its setting was chosen, too. Correlations and intervals are those of `tools.document_table`. What
is joined was fixed before: metrics of docs/document.md that need no parser, one of a kind.
"""

from __future__ import annotations

import argparse
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import tertium as tt
from tertium.io.scorematrix import ScoreMatrix
from tertium.meta.by_document import judge_documents
from tertium.meta.scored_metrics import ScoredMetric
from tertium.training.human_files import Gathered
from tertium.training.training import predicted
from tools.document_table import PAIR, Judged

OVERLAP = ("doc:bleu", "doc:chrf", "doc:ter", "doc:macrof", "doc:meteor:lang=de,modules=exact+stem")
DISCOURSE = (
    *("doc:coref:lang=de", "doc:cohesion:lang=de", "doc:cohesion:closeness,lang=de"),
    *("doc:connectives:lang=de", "doc:terms:lang=de,source_lang=en"),
)
LENGTHS = ("lengths.*",)
ENSEMBLES = (
    ("the five of overlap", OVERLAP, "ridge"),
    ("the five of discourse", DISCOURSE, "ridge"),
    ("all ten", (*OVERLAP, *DISCOURSE), "ridge"),
    ("all ten, lengths", (*OVERLAP, *DISCOURSE, *LENGTHS), "ridge"),
    ("all ten, lengths, svr", (*OVERLAP, *DISCOURSE, *LENGTHS), "svr"),
)


def ensembles(judged: Judged, threads: int) -> Iterator[ScoredMetric]:
    """Each with its scores of documents that it was not trained on."""
    gathered = Gathered(units="documents")
    gathered.add(judged.testset, judged.segments, "")
    documents = tuple(dict.fromkeys(judged.documents))
    places = [
        (system, document)
        for system, row in enumerate(judged.people.defined)
        for document in np.flatnonzero(row).tolist()
    ]
    for name, specs, learner in ENSEMBLES:
        values = np.full(judged.people.values.shape, np.nan)
        values[tuple(zip(*places, strict=True))] = predicted(
            gathered.judged(), specs, learner=learner, threads=threads
        )
        scores = ScoreMatrix(name, "document", tuple(judged.systems), documents, values)
        yield ScoredMetric(f"**{name}**", True, documents=scores)


def table(judged: Judged, cache: Path | None, threads: int) -> Iterator[str]:
    metrics = [*judged.scored((*OVERLAP, *DISCOURSE), cache, threads), *ensembles(judged, threads)]
    found = [
        judge_documents(judged.people, metrics, PAIR, averaging=averaging, missing="leave out")
        for averaging in ("none", "item")
    ]
    yield "| metric | all documents: r | 95% | within documents: mean r | 95% |"
    yield "|---|---|---|---|---|"
    for both in zip(*(one.cells for one in found), strict=True):
        row = [both[0].name if "**" in both[0].name else f"`{both[0].name}`"]
        for cell in both:
            row += [f"{cell.value:.3f}", f"{cell.low:.3f} to {cell.high:.3f}"]
        yield "| " + " | ".join(row) + " |"


def main() -> None:
    warnings.simplefilter("ignore", tt.TertiumWarning)
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cache", type=Path, metavar="FILE", help="scores that were made before (JSON)")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        for row in table(Judged(Path(made)), given.cache, given.threads):
            print(row, flush=True)


if __name__ == "__main__":
    main()
