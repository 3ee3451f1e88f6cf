"""`make bench`: us and the peers, one process run, back to back, CPU time, one thread."""

from __future__ import annotations

import argparse
import platform
import sysconfig
from collections.abc import Iterable

from benchmarks import (
    aligner,
    commandline,
    compare,
    detection,
    estimation,
    lexical_bleu,
    lexical_errors,
    lexical_overlap,
    matching,
    mbr,
    memory,
    meta,
    metrics,
    paragraphs,
    readability,
    sentences,
    significance,
    texts,
    training,
    tuning,
    variants,
    yisi,
)
from benchmarks.measure import HEADER, Line


def show(title: str, lines: Iterable[Line]) -> None:
    print(f"\n{title}\n{HEADER}")
    for line in lines:
        print(line.text(), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="3k segments in process only")
    parser.add_argument(
        "--millions", type=float, default=1.0, help="segments of the memory test, in millions"
    )
    options = parser.parse_args()
    small = texts.corpus(3000)
    large = small if options.quick else texts.corpus(30000)
    tokens = sum(len(line.split()) for line in small.references) / len(small)
    optimised = "--enable-optimizations" in (sysconfig.get_config_var("CONFIG_ARGS") or "")
    print(f"text: {small.name}, {tokens:.1f} tokens a reference; Python {platform.python_version()}"
          f" ({'with' if optimised else 'without'} profile-guided optimisation), {platform.machine()}")  # fmt: skip
    show("Python lists of strings, one thread", metrics.run(small, large))
    show("other peers (not all compute the same number)", metrics.peers(small))
    show("BLEU's family and NIST", lexical_bleu.run(small))
    show("error rates", lexical_errors.run(small, large))
    show("ROUGE and other overlap", lexical_overlap.run(small, large))
    show(f"YiSi with static vectors (target {yisi.TARGET:,} segments/s)", yisi.run(small))
    print(f"\nparagraphs of {paragraphs.WORDS} words, without parses (target {paragraphs.TARGET:,} a second)")
    print(paragraphs.HEADER)
    for line in paragraphs.run(large if options.quick else texts.corpus(10_000, "en")):
        print(line, flush=True)
    print(
        f"\nthe aligner, texts of growing length (target: 2,000 words in {aligner.TARGET} s)\n{aligner.HEADER}"
    )
    for line in aligner.run(texts.corpus(3_000, "en")):
        print(line, flush=True)
    print(f"\nsentences of two documents, aligned\n{sentences.HEADER}")
    for line in sentences.run():
        print(line, flush=True)
    print(
        f"\ntuning, {tuning.SENTENCES:,} lists of {tuning.CANDIDATES} candidates, {tuning.FEATURES} features"
    )
    print(tuning.HEADER)
    for line in tuning.run(texts.corpus(3_000, "en")):
        print(line, flush=True)
    print(f"\ntrained metrics (targets: {training.TARGET} s; the sum of its parts)\n{training.HEADER}")
    for line in training.run(small):
        print(line, flush=True)
    print(f"\ndetectors (target {detection.TARGET:,} segments/s)\n{detection.HEADER}")
    for line in detection.run(small):
        print(line, flush=True)
    print(f"\nquality estimation (target {estimation.TARGET:,} segments/s)\n{estimation.HEADER}")
    for line in estimation.run(small):
        print(line, flush=True)
    print(f"\nreadability (target {readability.TARGET:,} sentences/s)\n{readability.RATES}")
    for line in readability.rates():
        print(line, flush=True)
    show("readability formulas (not the same counts of words and syllables)", readability.run())
    show("translation memories (target 50,000 units/s)", memory.run())
    show("significance tests of two systems by BLEU", significance.run(small))
    show("swaps of two systems by word types", significance.of_types(small))
    show("minimum Bayes risk: utilities of all pairs of 128 candidates", mbr.run())
    print("\nall pairs")
    for line in significance.all_pairs():
        print(line, flush=True)
    print("\neight variants of BLEU beside one")
    for line in variants.run(small):
        print(line, flush=True)
    show("leaving out each segment in turn", compare.run(small))
    show("judging metrics", meta.run())
    for line in (*meta.whole(), *meta.whole_task()):
        print(line, flush=True)
    if options.quick:
        return
    show("leaving out each segment in turn, as the text grows", compare.growth(texts.corpus(300_000)))
    show("command line, files in, number out", commandline.run(small, large))
    print(f"\nprogress on a terminal, comparing two systems: {commandline.progress(small)}")
    print("\nwhole comparisons")
    for line in compare.whole():
        print(line, flush=True)
    print("\na translation memory read, imported and checked (targets 50,000 and 20,000 units/s, 300 MB)")
    memory.growth([options.millions])
    print(f"\nproposals from a memory\n{matching.HEADER}")
    for line in matching.run(int(options.millions * 1_000_000)):
        print(line, flush=True)
    print("\nmemory, files in, BLEU and chrF in one pass")
    for line in commandline.memory(large, options.millions):
        print(line, flush=True)


if __name__ == "__main__":
    main()
