"""MEANT 2.0 as one would explain it on paper: the slow twin of tertium.families.meant and tertium.text.srl.

Lo, "MEANT 2.0: accurate semantic MT evaluation for any output language", 2017. A sentence is a list of words and a list
of frames, a frame a dictionary from labels to (begin, end), the predicate's label being V.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations

Frames = list[dict[str, tuple[int, int]]]
Phrases = Callable[
    [tuple[int, int], tuple[int, int]], tuple[float, float]
]  # of the reference, of the hypothesis


def f(parts: tuple[float, float]) -> float:
    precision, recall = parts
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def best_pairs(weights: list[list[float]]) -> dict[int, int]:
    """The matching with the largest sum, by trying all of them."""
    if not weights or not weights[0]:
        return {}
    rows, columns = len(weights), len(weights[0])
    if rows > columns:
        turned = best_pairs([list(column) for column in zip(*weights, strict=True)])
        return {i: j for j, i in turned.items()}
    chosen = max(
        permutations(range(columns), rows), key=lambda p: sum(weights[i][j] for i, j in enumerate(p))
    )
    return dict(enumerate(chosen))


def structure(
    theirs: Frames, ours: Frames, phrases: Phrases, weight: Callable[[str], float]
) -> tuple[float, float]:
    """Precision and recall of frames; `weight` is that of a label. Labels are equal or not: no kinds here."""
    table = [[f(phrases(one["V"], two["V"])) for two in ours] for one in theirs]
    value = {"ours": [0.0] * len(ours), "theirs": [0.0] * len(theirs)}
    for i, j in best_pairs(table).items():
        one, two = theirs[i], ours[j]
        own_labels, other_labels = ([label for label in frame if label != "V"] for frame in (two, one))
        pairs = best_pairs([[f(phrases(one[a], two[b])) for b in own_labels] for a in other_labels])
        found = weight("V") * table[i][j]
        for a, b in pairs.items():
            if other_labels[a] == own_labels[b]:
                found += weight(own_labels[b]) * f(phrases(one[other_labels[a]], two[own_labels[b]]))
        value["ours"][j] = found / sum(map(weight, two))
        value["theirs"][i] = found / sum(map(weight, one))

    def mean(frames: Frames, values: list[float]) -> float:
        sizes = [sum(end - begin for begin, end in frame.values()) for frame in frames]
        return sum(size * value for size, value in zip(sizes, values, strict=True)) / sum(sizes)

    return mean(ours, value["ours"]), mean(theirs, value["theirs"])
