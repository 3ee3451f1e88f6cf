"""Lists that were made up, for tests: candidates with features, of which we know how good they are."""

from __future__ import annotations

import random

from tertium.io.nbest import NBest
from tertium.io.nbestfeatures import FeatureLists

WORDS = [
    "the",
    "cat",
    "sat",
    "on",
    "a",
    "mat",
    "we",
    "all",
    "live",
    "in",
    "yellow",
    "submarines",
    "hello",
    "world",
]


def sentence(rng: random.Random) -> list[str]:
    return [rng.choice(WORDS) for _ in range(rng.randint(4, 12))]


def damaged(words: list[str], errors: int, rng: random.Random) -> str:
    found = list(words)
    for _ in range(errors):
        found[rng.randrange(len(found))] = rng.choice(WORDS)
    return " ".join(found)


def lists(
    sentences: int = 60, candidates: int = 8, features: int = 3, seed: int = 1
) -> tuple[FeatureLists, list[str]]:
    """The first feature falls with the number of errors, the others are noise."""
    rng = random.Random(seed)
    segments, texts, written, references = [], [], [], []
    for i in range(sentences):
        words = sentence(rng)
        references.append(" ".join(words))
        for _ in range(candidates):
            errors = rng.randint(0, 4)
            noise = [rng.gauss(0, 1) for _ in range(features - 1)]
            segments.append(i)
            texts.append(damaged(words, errors, rng))
            written.append(
                f"good= {rng.gauss(-errors, 0.5):.4f} noise= {' '.join(f'{n:.4f}' for n in noise)}"
                if noise
                else f"good= {rng.gauss(-errors, 0.5):.4f}"
            )
    nbest = NBest(tuple(segments), tuple(texts), (0.0,) * len(texts), tuple(written))
    return FeatureLists.of(nbest), references
