"""Detectors: segments a second on one core, with reasons and spans, without an encoder.

    python -m benchmarks.detection

Texts are the 7,000 English to German translations of MLQE-PE's training part (../shared), or a made corpus. Learning
their words comes once for a file, and is a line of its own. The least CPU time of several runs, one thread.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.estimation import SEGMENTS, material
from benchmarks.measure import seconds
from benchmarks.texts import Corpus, corpus
from tertium.detection.detecting import detected
from tertium.detection.pairs import PairKnowledge, SeenPairs, units_of

TARGET = 10_000  # segments a second and core
REPEATS = 5
HEADER = f"{'':<52}{'':>14}{'target':>12}"


def run(text: Corpus) -> Iterator[str]:
    texts = material(text if len(text) >= SEGMENTS else corpus(SEGMENTS))
    units = units_of(texts.sources, texts.translations, "en-de")
    knowledge = PairKnowledge.learnt(units)
    finding = seconds(lambda: detected(SeenPairs(units, knowledge)), REPEATS)
    learning = seconds(lambda: PairKnowledge.learnt(units), REPEATS)
    yield f"{'all detectors, with reasons and spans':<52}{f'{len(units) / finding:,.0f}/s':>14}{f'{TARGET:,}/s':>12}"
    yield f"{f'  learning the words of {len(units):,} pairs':<52}{f'{learning:.1f} s':>14}{'':>12}"


def main() -> None:
    print(HEADER)
    for line in run(corpus(SEGMENTS)):
        print(line)


if __name__ == "__main__":
    main()
