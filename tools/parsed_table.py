"""Metrics over parses against direct assessment of WMT17 into English (seed 003, table 11). Parses are those of
en_ud_model (Universal Dependencies; `tools/ud_heads.py` says how to install it):

    python -m tools.parsed_table --texts texts.en
    ud/bin/python tools/ud_heads.py texts.en > heads.conllu
    python -m tools.ud_trees heads.conllu texts.en -o trees --morphology hanta:en
    python -m tools.parsed_table --trees trees

or of Debian's link-grammar, with phrases besides (half an hour):

    python -m tools.link_grammar texts.en -o trees --morphology hanta:en
    python -m tools.parsed_table --trees trees --by link-grammar

The model that comes with Tertium, data/models/autoda.json, is the trees.metric of the former.
AutoDA is trained on WMT15 alone, as its authors did; nothing is chosen on WMT17. link-grammar has two seconds for a
line and draws 100 of its linkages, so that another machine or order of lines changes the last digits.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np

from tertium.families.autoda import AutoDA
from tertium.io.metricfiles import write_model
from tertium.training.training import train
from tools.da_segments import wmt15, wmt17
from tools.trained_table import PAIRS, PUBLISHED, by_pair, scores

SHOWN = ("TreeAggreg", "UHH_TSKM", "AutoDA", "chrF")


def texts() -> list[str]:
    """All that must be parsed: WMT15 to train on, WMT17 to test on."""
    found: dict[str, None] = {}
    for judged in (wmt15(), wmt17(PAIRS)):
        for pair in zip(judged.hypotheses, judged.references, strict=True):
            found |= dict.fromkeys(" ".join(text.split()) for text in pair)
    return list(found)


def trained(trees: str, by: str) -> str:
    """AutoDA's weights, in a file beside the trees."""
    spec = f'autoda.*:parser="conllu:{trees}.conllu"'
    found = train(wmt15(), [spec], learner="linear", name="AutoDA", ablation=False)
    print(f"AutoDA on WMT15: r = {found.correlation:.3f} on sets that were left out; weights:")
    for name, weight in zip(AutoDA.names(), found.model.weights, strict=True):
        print(f"  {name:<22} {weight:7.3f}")
    told = found.model.training
    assert told is not None
    training = replace(
        told,
        data="direct assessments of WMT15 (cs, de, fi, ru) into English",
        by=f"{told.by}: python -m tools.parsed_table; heads by {by}, lemmas and features by hanta:en",
        licence="Apache-2.0 (weights); the judgements are WMT's, for research",
    )
    model = replace(found.model, components=("autoda.*",), signatures=(), training=training)
    write_model(model, f"{trees}.metric")
    return f"{trees}.metric"


def table(trees: str, by: str) -> None:
    conllu = f'parser="conllu:{trees}.conllu"'
    penn = f'parser="penn:{trees}.penn"' if Path(f"{trees}.penn").exists() else conllu
    specs = {
        "chrF3": "chrf3",
        "TreeAggreg": f"treeaggreg:{conllu}",
        "TreeAggreg, phrases=children": f"treeaggreg:phrases=children,{conllu}",
        "TreeAggreg, phrases=linked": f"treeaggreg:phrases=linked,{conllu}",
        "UHH_TSKM": f"tskm:{penn}",
        "UHH_TSKM, seq": f"tskm:seq,{penn}",
        "UHH_TSKM, sst": f"tskm:sst,{penn}",
        "UHH_TSKM, ptk": f"tskm:ptk,{penn}",
        "AutoDA": f'autoda:model="{trained(trees, by)}",{conllu}',
    }
    judged = wmt17(PAIRS)
    print("| metric | " + " | ".join(PAIRS) + " | mean |\n|---|" + "---|" * (len(PAIRS) + 1))
    for name in SHOWN:
        values = PUBLISHED[name]
        print(
            f"| {name}, table 11 | "
            + " | ".join(f"{value:.3f}" for value in (*values, np.mean(values)))
            + " |"
        )
    for name, spec in specs.items():
        found = by_pair(scores(spec, judged), judged)
        print(
            f"| {name} | " + " | ".join(f"{value:.3f}" for value in (*found, np.mean(found))) + " |",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--texts")
    parser.add_argument("--trees", help="prefix of .conllu and, if there are phrases, .penn")
    parser.add_argument("--by", default="en_ud_model 1.1.0", help="whose heads they are")
    given = parser.parse_args()
    if given.texts:
        lines = texts()
        Path(given.texts).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        print(f"{given.texts}: {len(lines)} lines")
    if given.trees:
        table(given.trees, given.by)


if __name__ == "__main__":
    main()
