"""IBM model 1 in numpy, as it was before there was a kernel: every pair of words in one array."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tertium.text.ibm1 import ALIKE, EMPTY, ITERATIONS, LEARNT_FROM, LONGEST, TENSION

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tertium.text.alignment import Links

_FLOOR = 1e-9  # of a pair of words never seen together
_NOTHING = ""  # the empty word


def align(
    sources: Sequence[Sequence[str]],
    targets: Sequence[Sequence[str]],
    *,
    iterations: int = ITERATIONS,
    longest: int = LONGEST,
) -> list[Links]:
    """Links between the words of each sentence pair, case ignored."""
    if len(sources) != len(targets):
        raise ValueError(f"{len(sources)} sources and {len(targets)} targets")
    ours, theirs = _lower(sources), _lower(targets)
    forward = _links(_learn(ours, theirs, iterations, longest), ours, theirs)
    backward = _links(_learn(theirs, ours, iterations, longest), theirs, ours)
    return [
        tuple(sorted({(i, j) for j, i in there} & set(back)))
        for there, back in zip(forward, backward, strict=True)
    ]


def _lower(sentences: Sequence[Sequence[str]]) -> list[list[str]]:
    return [[word.lower() for word in sentence] for sentence in sentences]


@dataclass(frozen=True)
class _Model:
    """t(f | e) by numbered words: sorted keys e * width + f, and a probability for each."""

    given: dict[str, int]
    made: dict[str, int]
    keys: NDArray[np.int64]
    probabilities: NDArray[np.float64]

    def of(self, given: NDArray[np.int64], made: NDArray[np.int64]) -> NDArray[np.float64]:
        """A table of probabilities: a row for each generated word, a column for each given word."""
        import numpy as np

        wanted = given[None, :] * len(self.made) + made[:, None]
        wanted[(given[None, :] < 0) | (made[:, None] < 0)] = -1
        places = np.searchsorted(self.keys, wanted).clip(max=len(self.keys) - 1)
        return np.where(self.keys[places] == wanted, self.probabilities[places], _FLOOR)


def _numbered(sentences: Sequence[Sequence[str]], first: Sequence[str] = ()) -> dict[str, int]:
    words = dict.fromkeys(first)
    for sentence in sentences:
        words.update(dict.fromkeys(sentence))
    return {word: number for number, word in enumerate(words)}


def _learn(given: list[list[str]], made: list[list[str]], iterations: int, longest: int) -> _Model:
    """Expectation maximisation over all pairs of words that occur together in a sentence pair."""
    import numpy as np

    chosen = [n for n in range(len(given)) if 0 < len(given[n]) <= longest and 0 < len(made[n]) <= longest]
    if len(chosen) > LEARNT_FROM:
        chosen = [chosen[n * len(chosen) // LEARNT_FROM] for n in range(LEARNT_FROM)]
    from_words = _numbered([given[n] for n in chosen], [_NOTHING])
    to_words = _numbered([made[n] for n in chosen])
    together: list[NDArray[np.int64]] = []
    widths: list[int] = []
    for n in chosen:
        e = np.array([0, *(from_words[word] for word in given[n])], dtype=np.int64)
        f = np.array([to_words[word] for word in made[n]], dtype=np.int64)
        together.append((e[None, :] * len(to_words) + f[:, None]).ravel())
        widths += [len(e)] * len(f)
    if not together:
        return _Model(from_words, to_words, np.array([-2]), np.array([_FLOOR]))
    keys, places = np.unique(np.concatenate(together), return_inverse=True)
    del together
    starts = np.concatenate(([0], np.cumsum(widths)[:-1]))
    owners = keys // max(1, len(to_words))
    chances: Any = np.ones(len(keys))
    alike = [(e, to_words[word]) for word, e in from_words.items() if word in to_words]
    same = np.array([e * len(to_words) + f for e, f in alike], dtype=np.int64)
    chances[np.isin(keys, same)] = ALIKE
    for _ in range(iterations):
        shares = chances[places]
        shares /= np.repeat(np.add.reduceat(shares, starts), widths)
        counts = np.bincount(places, shares, len(keys))
        chances = counts / np.bincount(owners, counts)[owners]
    return _Model(from_words, to_words, keys, chances)


def _links(model: _Model, given: list[list[str]], made: list[list[str]]) -> list[list[tuple[int, int]]]:
    """For each generated word the given word that most likely generated it, unless that is the empty word."""
    import numpy as np

    found: list[list[tuple[int, int]]] = []
    for e_words, f_words in zip(given, made, strict=True):
        if not e_words or not f_words:
            found.append([])
            continue
        e = np.array([0, *(model.given.get(word, -1) for word in e_words)], dtype=np.int64)
        f = np.array([model.made.get(word, -1) for word in f_words], dtype=np.int64)
        table = model.of(e, f)
        table[:, 0] *= EMPTY
        rows, columns = np.arange(len(f)) * 2 + 1, np.arange(len(e_words)) * 2 + 1
        away = np.abs(rows[:, None] * len(e_words) - columns[None, :] * len(f)) / (
            2.0 * len(f) * len(e_words)
        )
        table[:, 1:] *= [[math.exp(-TENSION * one) for one in row] for row in away]
        best = table.argmax(axis=1)
        known = table.max(axis=1) > _FLOOR  # which no weight lifts a word never seen above
        found.append([(j, int(i) - 1) for j, i in enumerate(best) if i > 0 and known[j]])
    return found
