"""The monolingual aligner on longer and longer texts: time for a word should stay as it is.

python -m benchmarks.aligner
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measure import seconds
from benchmarks.texts import Corpus, corpus
from tertium.text.alignment import align

TARGET = 0.1  # seconds for 2,000 words against 2,000
LENGTHS = (250, 500, 1_000, 2_000, 4_000, 8_000)
HEADER = f"{'words':>8}{'against':>9}{'links':>8}{'ms':>10}{'us a word':>12}"


def run(text: Corpus) -> Iterator[str]:
    """Consecutive segments as one text, up to a number of words of the reference."""
    for length in LENGTHS:
        ours: list[str] = []
        theirs: list[str] = []
        for own, other in zip(text.hypotheses, text.references, strict=True):
            if len(theirs) < length:
                ours += own.split()
                theirs += other.split()
        links = align(ours, theirs)  # words are stemmed
        taken = seconds(lambda a=ours, b=theirs: align(a, b), 5)  # type: ignore[misc]
        missed = "  above the target" if length == 2_000 and taken > TARGET else ""
        sizes = f"{len(ours):>8,}{len(theirs):>9,}{len(links):>8,}"
        yield f"{sizes}{1e3 * taken:>10.2f}{1e6 * taken / len(ours):>12.2f}{missed}"


def main() -> None:
    print(HEADER)
    for line in run(corpus(3_000, "en")):
        print(line, flush=True)


if __name__ == "__main__":
    main()
