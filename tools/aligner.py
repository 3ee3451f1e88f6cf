"""Learns the weights of the monolingual aligner and says how well it does, on Edinburgh++.

    python -m tools.aligner ../shared/data/edinburghpp --vectors FILE [--write]

prints the table of docs/document.md. Every figure of ours is from ten-fold cross-validation: weights and the least
score of a link are learned from nine parts, links of the tenth are counted. Learned from are the pairs as they are,
and paragraphs of eight pairs of the same part, so that neither long nor short texts are strange to the weights.
`--write` learns from all parts and writes src/tertium/data/aligner.json, a set of weights for each combination of what
is known.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from tertium import _native
from tertium.text import meteor
from tertium.text.alignment import Aligner, Text, read_texts
from tertium.text.alignment_weights import CLASSES, FILE, FIRST, KNOWN, SECOND, Rows, Weights, key
from tools.edinburghpp import Link, Pair, paragraph, read

FOLDS, JOINED, SEED = 10, 8, 4
PENALTY = 1.0  # on squared weights
MODULES = {"synonyms": "synonym", "paraphrases": "paraphrase"}
SHOWN = ((), ("synonyms", "paraphrases"), ("synonyms", "paraphrases", "vectors"), ("parses",), KNOWN)
PAPER = (
    ("the paper: METEOR's aligner", 89.7, 71.0, 79.3, 10.8),
    ("the paper: its own aligner", 88.2, 65.7, 75.3, 10.1),
)
LEAST = (-0.6, -0.4, -0.2, 0.0)
Floats = NDArray[np.float64]


def layers(known: Iterable[str]) -> tuple[str, ...]:
    """What is used of parses."""
    return ("tags", "heads") if "parses" in known else ()


def sides(pairs: Sequence[Pair], known: Iterable[str]) -> tuple[list[Text], list[Text]]:
    """The texts, as parses or as words."""
    parsed = "parses" in known
    return (
        [pair.ours if parsed else pair.ours.words for pair in pairs],
        [pair.theirs if parsed else pair.theirs.words for pair in pairs],
    )


def logistic(evidence: Floats, right: NDArray[np.bool_]) -> list[float]:
    """Weights of a logistic regression with a quadratic penalty, and its constant, by Newton's method."""
    x = np.hstack([evidence, np.ones((len(evidence), 1))])
    penalty = np.full(x.shape[1], PENALTY)
    penalty[-1] = 1e-6
    found = np.zeros(x.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-np.clip(x @ found, -30, 30)))
        gradient = x.T @ (right - chance) - penalty * found
        curvature = (x * (chance * (1 - chance))[:, None]).T @ x + np.diag(penalty)
        step = np.linalg.solve(curvature, gradient)
        found += step
        if np.abs(step).max() < 1e-6:
            break
    return [round(value, 5) for value in found.tolist()]


@dataclass(frozen=True)
class Learner:
    """Learns where these things are known."""

    aligner: Aligner
    known: tuple[str, ...]

    def round(self, pairs: Sequence[Pair], weights: Weights, *, second: bool) -> Rows:
        """The weights of a round; those of the first are taken from `weights` in the second."""
        opened = replace(self.aligner, weights=weights).opened(layers(self.known))
        texts = self.aligner.read(*sides(pairs, self.known), layers(self.known))
        counts, places, evidence = opened.evidence(*texts, second)
        where, numbers = np.asarray(places), np.asarray(evidence)
        right = np.zeros(len(where), bool)
        begin = 0
        for pair, count in zip(pairs, counts, strict=True):
            part = where[begin : begin + count, :2].tolist()
            right[begin : begin + count] = [tuple(place) in pair.links for place in part]
            begin += count
        rows = []
        for kind in range(len(CLASSES)):
            chosen = where[:, 2] == kind
            rows.append(logistic(numbers[chosen], right[chosen]))
        return rows

    def learned(self, pairs: Sequence[Pair]) -> Weights:
        """Weights from pairs and from paragraphs of them."""
        joined = [paragraph(list(pairs[k : k + JOINED])) for k in range(0, len(pairs), JOINED)]
        everything = [*pairs, *joined]
        weights = Weights([[0.0] * (len(FIRST) + 1)] * 4, [[0.0] * (len(SECOND) + 1)] * 4, 0.0)
        weights = weights._replace(first=self.round(everything, weights, second=False))
        weights = weights._replace(second=self.round(everything, weights, second=True))
        tried = [(self.f1(pairs, weights._replace(least=least)), least) for least in LEAST]
        return weights._replace(least=max(tried)[1])

    def links(self, pairs: Sequence[Pair], weights: Weights) -> list[frozenset[Link]]:
        found = replace(self.aligner, weights=weights).align_many(*sides(pairs, self.known))
        return [frozenset(links) for links in found]

    def f1(self, pairs: Sequence[Pair], weights: Weights) -> float:
        return measured(pairs, self.links(pairs, weights)).f1


@dataclass(frozen=True)
class Measured:
    """Precision, recall, F1 over all links; F1 of the mean precision and recall of pairs; pairs without mistakes."""

    precision: float
    recall: float
    f1: float
    mean_f1: float
    exact: float


def measured(pairs: Sequence[Pair], links: Sequence[frozenset[Link]]) -> Measured:
    right = [len(pair.links & found) for pair, found in zip(pairs, links, strict=True)]
    precision, recall = sum(right) / sum(map(len, links)), sum(right) / sum(len(pair.links) for pair in pairs)
    means = (
        np.mean([r / len(found) if found else 0.0 for r, found in zip(right, links, strict=True)]),
        np.mean([r / len(pair.links) if pair.links else 0.0 for r, pair in zip(right, pairs, strict=True)]),
    )
    exact = sum(pair.links == found for pair, found in zip(pairs, links, strict=True)) / len(pairs)
    mean_f1 = 2 * means[0] * means[1] / (means[0] + means[1])
    return Measured(precision, recall, 2 * precision * recall / (precision + recall), float(mean_f1), exact)


def folds(pairs: Sequence[Pair]) -> list[list[Pair]]:
    """Ten parts, drawn with a seed."""
    order = list(pairs)
    random.Random(SEED).shuffle(order)
    return [order[n::FOLDS] for n in range(FOLDS)]


def cross_validated(learner: Learner, parts: Sequence[list[Pair]]) -> tuple[Measured, Measured]:
    """Of pairs, and of paragraphs."""
    tested: list[list[Any]] = [[], [], [], []]
    for n, part in enumerate(parts):
        weights = learner.learned([pair for k, other in enumerate(parts) if k != n for pair in other])
        long = [paragraph(part[k : k + JOINED]) for k in range(0, len(part), JOINED)]
        for texts, where in ((part, 0), (long, 2)):
            tested[where] += texts
            tested[where + 1] += learner.links(texts, weights)
    return measured(*tested[:2]), measured(*tested[2:])


def meteors(pairs: Sequence[Pair], modules: tuple[str, ...]) -> Measured:
    """METEOR 1.5's links; words of two phrases are linked from the left."""
    known = meteor.knowledge(meteor.Wanted("en", modules))
    ours, theirs = (
        read_texts(known, side) for side in ([pair.ours for pair in pairs], [pair.theirs for pair in pairs])
    )
    found = _native.MeteorLinks(ours, _native.MeteorReferences(known.lexicon, [theirs]), modules, 40, 1)
    return measured(
        pairs,
        [
            frozenset((i + k, j + k) for i, n, j, m, _ in found.matches(t)[0][0] for k in range(min(n, m)))
            for t in range(len(pairs))
        ],
    )


def one_to_one(pairs: Sequence[Pair]) -> Measured:
    """The most of people's links that can be had one to one."""
    found = []
    for pair in pairs:
        table = np.zeros((len(pair.ours), len(pair.theirs)))
        for link in pair.links:
            table[link] = 1
        rows, columns = linear_sum_assignment(-table)
        found.append(
            frozenset(link for link in zip(rows.tolist(), columns.tolist(), strict=True) if table[link])
        )
    return measured(pairs, found)


def line(name: str, own: Measured, joined: Measured | None = None) -> str:
    shown = [own.precision, own.recall, own.f1, own.mean_f1, own.exact]
    cells = [f"{100 * value:.1f}" for value in shown]
    return f"| {name} | {' | '.join(cells)} | {f'{100 * joined.f1:.1f}' if joined else ''} |"


def learner(known: tuple[str, ...], vectors: str) -> Learner:
    modules = ("exact", "stem", *(MODULES[name] for name in known if name in MODULES))
    return Learner(Aligner(modules=modules, vectors=vectors if "vectors" in known else ""), known)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--vectors", default="", help="a file of word vectors")
    parser.add_argument("--write", action="store_true", help="learn from everything and write the weights")
    given = parser.parse_args()
    pairs = read(given.folder)
    names = KNOWN if given.vectors else KNOWN[:-1]
    if given.write:
        order = [pair for part in folds(pairs) for pair in part]
        sets = {}
        for size in range(len(names) + 1):
            for known in itertools.combinations(names, size):
                sets[key(known)] = learner(known, given.vectors).learned(order)._asdict()
                print(key(known), flush=True)
        about = f"weights of text/alignment.py, learned from {len(pairs)} pairs of Edinburgh++ by tools/aligner.py"
        write(about, sets)
        return
    print("| links | P | R | F1 | F1 of means | exact | F1 in paragraphs |\n|---|---|---|---|---|---|---|")
    for name, *values, exact in PAPER:
        print(f"| {name} | {' | '.join(map(str, values))} | | {exact} | |")
    for modules in (("exact", "stem"), ("exact", "stem", "synonym", "paraphrase")):
        print(line(f"METEOR 1.5: {', '.join(modules)}", meteors(pairs, modules)), flush=True)
    print(line("people's, as many as one to one", one_to_one(pairs)), flush=True)
    for known in SHOWN:
        if set(known) <= set(names):
            found = cross_validated(learner(known, given.vectors), folds(pairs))
            print(line(f"ours: words{''.join(f', {name}' for name in known)}", *found), flush=True)


def write(about: str, sets: dict[str, Any]) -> None:
    """A row of weights a line."""
    lines = [f'{{"about": {json.dumps(about)},', '"sets": {']
    for name, rows in sets.items():
        lines.append(f'"{name}": {{')
        for part in ("first", "second"):
            written = [json.dumps(row, separators=(",", ":")) for row in rows[part]]
            lines += [f'"{part}": [', *(f"{row}," for row in written[:-1]), f"{written[-1]}],"]
        lines.append(f'"least": {rows["least"]}}},')
    lines[-1] = lines[-1].removesuffix(",")
    FILE.write_text("\n".join([*lines, "}}", ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
