"""Metrics over parses against direct assessment of WMT17 into English (seed 003, table 11), parsed by link-grammar:

    python -m tools.parsed_table --texts texts.en
    python -m tools.link_grammar texts.en -o trees --morphology hanta:en
    python -m tools.parsed_table --trees trees

The model that comes with Tertium, data/models/autoda.json, is the trees.metric that this wrote.
AutoDA is trained on WMT15 alone, as its authors did; nothing is chosen on WMT17. The program has two seconds for a line
and draws 100 of its linkages, so that another machine or order of lines changes the last digits.
"""

from __future__ import annotations

import argparse
import csv
import gzip
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import tertium as tt
from tertium.families.autoda import AutoDA
from tertium.io.metricfiles import write_model
from tertium.training.judged import JudgedSegments
from tertium.training.training import train

DATA = Path("../shared/data")
PAIRS = ("cs-en", "de-en", "ru-en", "zh-en")
PUBLISHED = {  # table 11
    "TreeAggreg": (0.486, 0.526, 0.555, 0.535),
    "UHH_TSKM": (0.507, 0.479, 0.465, 0.477),
    "AutoDA": (0.499, 0.543, 0.584, 0.583),
    "chrF": (0.514, 0.531, 0.599, 0.591),
}


class Judged(NamedTuple):
    """Segments of a set: hypotheses, references, judgements."""

    hypotheses: list[str]
    references: list[str]
    human: NDArray[np.float64]


def _lines(path: Path) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8-sig", newline="\n") as file:
        return [" ".join(line.split()) for line in file]


def wmt15() -> Iterator[tuple[str, Judged]]:
    """The sets of WMT15, judgements standardised within each."""
    for folder in sorted((DATA / "daseg-wmt15-16" / "da-wmt15").iterdir()):
        texts = {
            kind: next(folder.glob(f"*.{kind}.*")).read_text("utf-8").split("\n")[:-1]
            for kind in ("mt-system", "reference", "human")
        }
        human = np.array(list(map(float, texts["human"])))
        ours, theirs = (
            [" ".join(text.split()) for text in texts[kind]] for kind in ("mt-system", "reference")
        )
        yield folder.name, Judged(ours, theirs, (human - human.mean()) / human.std())


def wmt17() -> Iterator[tuple[str, Judged]]:
    """The 560 segments of each pair."""
    with (DATA / "wmt17" / "DA-seglevel.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter=" "))
    for pair in PAIRS:
        folder, references = DATA / "wmt17" / "system-outputs" / pair, DATA / "wmt17" / "references"
        theirs = _lines(references / f"newstest2017-{pair.replace('-', '')}-ref.en.gz")
        systems: dict[str, list[str]] = {}
        found = Judged([], [], np.array([float(row["HUMAN"]) for row in rows if row["LP"] == pair]))
        for row in rows:
            if row["LP"] == pair:
                name = row["SYSTEM"].split("+")[0]
                if name not in systems:
                    systems[name] = _lines(folder / f"newstest2017.{name}.{pair}.gz")
                found.hypotheses.append(systems[name][int(row["SID"]) - 1])
                found.references.append(theirs[int(row["SID"]) - 1])
        yield pair, found


def trained(trees: str) -> str:
    """AutoDA's weights, in a file beside the trees."""
    sets = list(wmt15())
    judged = JudgedSegments(
        tuple(text for _, one in sets for text in one.hypotheses),
        tuple(text for _, one in sets for text in one.references),
        None,
        np.concatenate([one.human for _, one in sets]),
        tuple(name for name, one in sets for _ in one.hypotheses),
    )
    spec = f'autoda.*:parser="conllu:{trees}.conllu"'
    found = train(judged, [spec], learner="linear", name="AutoDA", ablation=False)
    print(f"AutoDA on WMT15: r = {found.correlation:.3f} on sets that were left out; weights:")
    for name, weight in zip(AutoDA.names(), found.model.weights, strict=True):
        print(f"  {name:<22} {weight:7.3f}")
    told = found.model.training
    assert told is not None
    training = replace(
        told,
        data="direct assessments of WMT15 (cs, de, fi, ru) into English",
        by=f"{told.by}: python -m tools.parsed_table; heads by link-grammar, lemmas, tags and features by hanta:en",
        licence="Apache-2.0 (weights); the judgements are WMT's, for research",
    )
    model = replace(found.model, components=("autoda.*",), signatures=(), training=training)
    write_model(model, f"{trees}.metric")
    return f"{trees}.metric"


def table(trees: str) -> None:
    conllu, penn = f'parser="conllu:{trees}.conllu"', f'parser="penn:{trees}.penn"'
    specs = {
        "chrF3": "chrf3",
        "TreeAggreg": f"treeaggreg:{conllu}",
        "TreeAggreg, phrases=children": f"treeaggreg:phrases=children,{conllu}",
        "TreeAggreg, phrases=linked": f"treeaggreg:phrases=linked,{conllu}",
        "UHH_TSKM": f"tskm:{penn}",
        "UHH_TSKM, seq": f"tskm:seq,{penn}",
        "UHH_TSKM, sst": f"tskm:sst,{penn}",
        "UHH_TSKM, ptk": f"tskm:ptk,{penn}",
        "AutoDA": f'autoda:model="{trained(trees)}",{conllu}',
    }
    sets = list(wmt17())
    print("| metric | " + " | ".join(PAIRS) + " | mean |\n|---|" + "---|" * (len(PAIRS) + 1))
    for name, values in PUBLISHED.items():
        print(
            f"| {name}, table 11 | "
            + " | ".join(f"{value:.3f}" for value in (*values, np.mean(values)))
            + " |"
        )
    for name, spec in specs.items():
        metric = tt.metric(spec)
        found = []
        for _, one in sets:
            scores = metric.score_rows(metric.statistics(one.hypotheses, one.references), "segment")
            found.append(abs(float(np.corrcoef(scores, one.human)[0, 1])))
        print(
            f"| {name} | " + " | ".join(f"{value:.3f}" for value in (*found, np.mean(found))) + " |",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts")
    parser.add_argument("--trees")
    given = parser.parse_args()
    if given.texts:
        sets = [one for _, one in (*wmt15(), *wmt17())]
        lines = dict.fromkeys(text for one in sets for text in (*one.hypotheses, *one.references))
        Path(given.texts).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        print(f"{given.texts}: {len(lines)} lines")
    if given.trees:
        table(given.trees)


if __name__ == "__main__":
    main()
