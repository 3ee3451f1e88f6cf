"""Metrics over parses against HUME of 2017, English to Czech (seed 003, table 13): AutoDA trained on HUME, by tenths.

    pip install cs-core-news-sm
    python -m tools.hume_table

cs-core-news-sm is a model of spaCy under CC BY-NC-SA 3.0: it is used, not shipped, and no weights learnt with it are.
"""

from __future__ import annotations

import numpy as np

import tertium as tt
from tertium.io.streams import read_bytes
from tertium.testset import TestSet
from tertium.training.human_files import judged_in
from tertium.training.training import predicted
from tools.da_segments import SHARED

FOLDER = SHARED / "data" / "hume"
SYSTEMS = {"Chimera": "chimera", "NMT": "nmt", "Tecto": "tecto"}
PARSER = "lang=cs,parser=spacy:cs_core_news_sm"
PUBLISHED = {"chrF": 0.383, "TreeAggreg": 0.323, "AutoDA": 0.391}


def main() -> None:
    def lines(name: str) -> list[str]:
        return read_bytes(FOLDER / "en-cs" / f"{name}.cs.gz").decode("utf-8").splitlines()

    testset = TestSet.of(lines("ref"), {system: lines(name) for system, name in SYSTEMS.items()})
    judged = judged_in(testset, str(FOLDER / "sentences.cs.tsv.gz"))
    texts = list(judged.hypotheses), list(judged.references)
    found = {}
    for label, spec in (("chrF", "chrf"), ("chrF3", "chrf3"), ("TreeAggreg", f"treeaggreg:{PARSER}")):
        metric = tt.metric(spec)
        found[label] = metric.score_rows(metric.statistics(*texts), "segment")
    found["AutoDA"] = predicted(judged, [f"autoda.*:{PARSER}"], learner="linear")
    print(f"| r, {len(judged)} translations | here | table 13 |\n|---|---|---|")
    for label, own in found.items():
        r, theirs = float(np.corrcoef(own, judged.judgements)[0, 1]), PUBLISHED.get(label)
        print(f"| {label} | {r:.3f} | {'' if theirs is None else f'{theirs:.3f}'} |")


if __name__ == "__main__":
    main()
