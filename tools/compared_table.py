"""Metrics that learn from comparisons, beside their parts: WMT12's rankings, and WMT19's Kazakh to English.

    python -m tools.compared_table        # the table of docs/trained.md

Prints Markdown: WMT's tau (2014) and the share of comparisons that are decided as people did. WMT12 (Czech and German
to English, ranks of five systems) is in ten parts, none with a reference of another; scores of a part are those of
models trained on the nine others, where settings were chosen, too. WMT19's pairs (Kazakh to English, from direct
assessment) are judged by what was trained on all of WMT12, and were looked at for nothing else.
"""

from __future__ import annotations

import tarfile
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import tertium as tt
from tertium.io.metricfiles import MetricModel, bundled_model, write_model
from tertium.training.compared import JudgedPairs
from tertium.training.human_pairs import compared_in_folder, compared_with_texts
from tertium.training.training import predicted, train
from tools.da_segments import SHARED

SMALL = ("chrf", "bleu", "ter", "meteor:modules=exact+stem")
PARTS = ("bleu", "ter", "chrf", "chrf++", "meteor:modules=exact+stem", "eed", "beer", "tertium:blend")
LEARNERS = ("logistic", "ranksvm")


def scored(spec: str, judged: JudgedPairs) -> Any:
    """Scores of all texts by one metric."""
    metric = tt.metric(spec)
    rows = metric.statistics(judged.hypotheses, judged.references)
    return np.nan_to_num(metric.oriented(metric.score_rows(rows, "segment")))


def learnt(model: MetricModel, judged: JudgedPairs) -> Any:
    """Scores of all texts by a model."""
    with tempfile.TemporaryDirectory() as made:
        write_model(model, path := Path(made, "m.metric"))
        return scored(f"file:{path}", judged)


def rows(old: JudgedPairs, new: JudgedPairs) -> Iterator[str]:
    yield "| metric | WMT12: tau | right | WMT19 kk-en: tau | right |"
    yield "|---|---|---|---|---|"
    for spec in PARTS:
        yield row(f"`{spec}`", old, scored(spec, old), new, scored(spec, new))
    sets = {
        "chrF, BLEU, TER, METEOR": SMALL,
        "what `tertium:blend` is made of": bundled_model("blend").components,
    }
    for name, components in sets.items():
        for learner in LEARNERS:
            parts = predicted(old, components, learner=learner)
            model = train(old, components, learner=learner, ablation=False).model
            yield row(f"**{name}, {learner}**", old, parts, new, learnt(model, new))


def row(name: str, *given: Any) -> str:
    cells = []
    for judged, scores in zip(given[::2], given[1::2], strict=True):
        everything = np.ones(len(judged), dtype=bool)
        cells += [f"{judged.agreement(scores, everything):.3f}", f"{judged.accuracy(scores):.1%}"]
    return f"| {name} | {' | '.join(cells)} |"


def main() -> None:
    warnings.simplefilter("ignore", tt.TertiumWarning)
    with tempfile.TemporaryDirectory() as made:
        with tarfile.open(SHARED / "data" / "wmt12" / "wmt12-to-en.tar.xz") as archive:
            archive.extractall(made, filter="data")
        folder = Path(made, "wmt12")
        old = compared_in_folder(str(folder / "rankings.csv"), str(folder))
        new = compared_with_texts(str(SHARED / "data" / "wmt19-darr" / "kk-en.jsonl.gz"))
        told = (f"{len(one.sign):,} ({one.number():,} decided)" for one in (old, new))
        print("Comparisons: {}; {}.\n".format(*told))
        for line in rows(old, new):
            print(line, flush=True)


if __name__ == "__main__":
    main()
