"""YiSi with static vectors: segments a second on one core, on sentences of 25 words; and how fast a table opens.

The author's C++ program cannot be installed from an index; golden/README.md has its time for YiSi-0 (5.9 s for 2,445
segments, whole process). The peer here is the usual way in Python: numpy, a matrix of cosines for each segment.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import tertium as tt
from benchmarks.measure import Line, seconds
from benchmarks.texts import Corpus
from tertium.text.tokenizers import tokenize
from tertium.text.vectors import Vectors

DIMENSION = 300
TARGET = 20_000  # segments a second and core


def about_25(text: Corpus) -> Corpus:
    """Segments whose reference has 20 to 30 words."""
    pairs = [
        (h, r) for h, r in zip(text.hypotheses, text.references, strict=True) if 20 <= len(r.split()) <= 30
    ]
    return Corpus(text.name, [h for h, _ in pairs], [r for _, r in pairs])


def write_vectors(path: Path, words: list[str]) -> None:
    """Random vectors in word2vec's binary form: their values do not change the work."""
    rows = np.random.default_rng(1).standard_normal((len(words), DIMENSION)).astype("<f4")
    with open(path, "wb") as file:
        file.write(f"{len(words)} {DIMENSION}\n".encode())
        for word, row in zip(words, rows, strict=True):
            file.write(word.encode() + b" " + row.tobytes() + b"\n")


def _numpy(text: Corpus, path: Path) -> float:
    """Recall and precision of words by cosines, as one writes it in numpy; words without weights, no n-grams."""
    vectors = Vectors.open(path)
    known = {word: vectors[word] / np.linalg.norm(vectors[word]) for word in vectors.words()}
    start = time.process_time()
    zero = np.zeros(DIMENSION, np.float32)
    for own, other in zip(tokenize(text.hypotheses, "13a"), tokenize(text.references, "13a"), strict=True):
        left = np.stack([known.get(word, zero) for word in own] or [zero])
        right = np.stack([known.get(word, zero) for word in other] or [zero])
        table = left @ right.T
        table.max(axis=0).mean(), table.max(axis=1).mean()
    return time.process_time() - start


def run(small: Corpus) -> Iterator[Line]:
    text = about_25(small)
    words = sorted({word for line in tokenize([*text.hypotheses, *text.references], "13a") for word in line})
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("TERTIUM_CACHE", folder)
        path = Path(folder, "random.bin")
        write_vectors(path, words)
        theirs = _numpy(text, path)
        for spec in (f'yisi1:vectors="{path}"', f'yisi1:vectors="{path}",storage=int8', "yisi0"):
            metric = tt.metric(spec)
            prepared = metric.prepare(text.references)
            ours = seconds(
                lambda metric=metric, prepared=prepared: metric.total(text.hypotheses, prepared), 5
            )  # type: ignore[misc]
            what = f"{metric.label}{' int8' if 'int8' in spec else ''}, {len(text) / ours:,.0f} segments/s"
            yield Line(what, len(text), ours, "numpy, YiSi-1 n=1", theirs)


def main() -> None:
    from benchmarks import texts
    from benchmarks.measure import HEADER

    print(HEADER)
    for line in run(texts.corpus(10_000)):
        print(line.text(), flush=True)


if __name__ == "__main__":
    main()
