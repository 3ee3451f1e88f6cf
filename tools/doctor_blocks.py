"""Fits the weights of `comparison/doctor/blocks.py`, and says how large log odds are in outputs as they are.

    python -m tools.doctor_blocks [--shared ../shared]

On WMT17's de-en and cs-en, from which the numbers in the code are; no other file has any part in them.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tertium.comparison.doctor import swaps
from tertium.comparison.doctor.blocks import ALONE, AMONG, LEAST, OTHERS, Neighbours
from tertium.comparison.doctor.column import TextColumn
from tertium.comparison.doctor.order import _gains, all_gains
from tertium.comparison.doctor.words import Vocabulary
from tertium.text.segments import as_lines
from tools.doctor_table import Material, findable

_HERE = Path(__file__).resolve().parent.parent
CHOSEN_ON = ("de-en", "cs-en")
Numbers = npt.NDArray[np.float64]


def neighbours(whole: Material) -> Iterator[Neighbours]:
    """Every system beside the reference and some others, one line on and one line back."""
    vocabulary = Vocabulary()
    reference = TextColumn("reference", "reference", as_lines(whole.reference), vocabulary)
    systems = [
        TextColumn(name, "system", as_lines(lines), vocabulary) for name, lines in whole.systems.items()
    ]
    for system in systems:
        others = [other for other in systems if other is not system][:OTHERS]
        for distance in (-1, 1):
            gains = np.zeros(len(system))
            places, values, _ = _gains(system, reference, distance)
            gains[places] = values
            yield Neighbours(system, reference, others, gains, distance)


def features(near: Neighbours) -> Numbers:
    """Of each line but the first and the last: characters, words, characters of other systems."""
    places = range(1, len(near.column) - 1)
    away = [near.distance] * len(places)
    beside = np.mean([near.likeness(other, places, away) for other in near.others], axis=0)
    like = near.likeness(near.reference, places, away)
    return np.stack([like, near.gains[1:-1], beside], axis=1)


def exchanges(whole: Material) -> Iterator[tuple[str, swaps.Swaps]]:
    """Every system, to be asked about lines that have changed places."""
    vocabulary = Vocabulary()
    reference = TextColumn("reference", "reference", as_lines(whole.reference), vocabulary)
    source = TextColumn("source", "source", as_lines(whole.source), vocabulary)
    systems = [
        TextColumn(name, "system", as_lines(lines), vocabulary) for name, lines in whole.systems.items()
    ]
    for system in systems:
        others = [other for other in systems if other is not system][:OTHERS]
        yield system.name, swaps.Swaps(system, reference, others, source, all_gains)


def of_all(one: swaps.Swaps, length: int, distance: int) -> Numbers:
    """The features of every place where such lines could be."""
    return one.features(np.arange(len(one.column) - length), one.steps(length, distance))


def fitted(rows: Numbers) -> Numbers:
    """Weights of a logistic regression without a constant: a shifted line is a line as it is with all signs turned."""
    weights = np.zeros(rows.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-rows @ weights))
        hessian = (rows * (p * (1 - p))[:, None]).T @ rows / len(rows) + 2e-4 * np.eye(len(weights))
        weights -= np.linalg.solve(hessian, rows.T @ p / len(rows) + 2e-4 * weights)
    return weights


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--shared", type=Path, default=_HERE.parent / "shared")
    given = parser.parse_args()
    wholes = [Material.wmt17(given.shared, pair) for pair in CHOSEN_ON]
    found = [near for whole in wholes for near in neighbours(whole)]
    rows = np.concatenate([features(near) for near in found])
    print("alone: characters, words", *np.round(fitted(rows[:, :2]), 1))
    print("among other systems: characters, words, characters of others", *np.round(fitted(rows), 1))
    largest: dict[float, list[float]] = {ALONE[-1]: [], AMONG[-1]: []}
    for near in found:
        for blocks in near.promising(()):
            for first, last, odds, least in blocks:
                if last - first + 1 >= LEAST:
                    largest[least].append(odds)
    for least, values in sorted(largest.items()):
        said = ", ".join(f"{value:.1f}" for value in sorted(values, reverse=True)[:5])
        print(f"needed {least:g}; largest in outputs as they are: {said or 'no two lines come near'}")
    report_swaps(wholes)


def report_swaps(wholes: Sequence[Material]) -> None:
    """Weights of lines that have changed places, the largest log odds as things are, and what would be missed."""
    every = [(whole, *one) for whole in wholes for one in exchanges(whole)]
    pairs = [of_all(one, 1, 1) for *_, one in every]
    told = np.array(
        [
            findable(whole, name, 1, at, late=False)
            for (whole, name, _), own in zip(every, pairs, strict=True)
            for at in range(len(own))
        ]
    )
    rows = {(1, 1): np.concatenate(pairs)}
    for distance in (1, -1):
        rows[2, distance] = np.concatenate([of_all(one, 2, distance) for *_, one in every])
    for (source, others), (weights, least) in swaps.WEIGHTS.items():
        chosen = [0, 1, 2, *([3, 4, 5] if source else []), *([6] if others else [])]
        print("lines that changed places:", ", ".join(swaps.SIGNS[k] for k in chosen))
        print("   weights", *np.round(fitted(rows[1, 1][:, chosen]), 1))
        for (length, distance), own in rows.items():
            odds = own @ np.array(weights)
            largest = ", ".join(f"{value:.1f}" for value in sorted(odds, reverse=True)[:5])
            needed = least[length - 1]
            # turned round, lines as they are have the same odds with the other sign
            lost = np.mean((odds[told] if length == 1 else odds) > -needed)
            print(f"   {length} by {distance:+d}: needed {needed:g}, largest {largest}; missed {lost:.2%}")


if __name__ == "__main__":
    main()
