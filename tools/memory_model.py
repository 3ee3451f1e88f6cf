"""The combination of checks that comes with Tertium: boosted trees, fitted to damaged copies of real units.

    python -m tools.memory_model [-o FILE]

Units of ../shared/data/memory, split by client (`part`): trees are fitted on the clients of the training part only;
the lexical model of each unit is cross-fitted over the whole memory, without labels.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
from hashlib import sha256
from math import log
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tertium.io.memories.unit import Unit
from tertium.memory.damages import DAMAGES, Others, damaged
from tertium.vetting.combining import VERSION, Combination
from tertium.vetting.judging import CombinedJudge, forgetful_names

SHARED = Path(os.environ.get("TERTIUM_SHARED", Path(__file__).resolve().parents[2] / "shared"))
DATA = SHARED / "data" / "memory" / "en-fr.jsonl.xz"
MODEL = Path(__file__).resolve().parents[1] / "src" / "tertium" / "data" / "memory" / "combination.json"
SHARE = 0.01  # of wrong units that the odds are for
OF_A_KIND = 6000  # damaged units of each kind
TREES, LEAVES, RATE = 250, 12, 0.06
DAMAGE = 0.1  # weight of all damage, that of undamaged units being 1
LEAST_WORDS = 3  # of a source that is fitted to
SURE = 4.0  # odds at which one check is enough
BATCH = 4096


def part(client: str) -> str:
    """Six tenths of the clients are for training, two for choices, two for the test.

    >>> part("gimp"), part("apt")
    ('train', 'train')
    """
    place = int(sha256(client.encode()).hexdigest(), 16) % 10
    return "train" if place < 6 else "dev" if place < 8 else "test"


def memory() -> list[Unit]:
    with lzma.open(DATA, "rt", encoding="utf-8") as lines:
        return [Unit(source_language="en", target_language="fr", **json.loads(line)) for line in lines]


def batches(units: list[Unit]) -> list[list[Unit]]:
    return [units[i : i + BATCH] for i in range(0, len(units), BATCH)]


def rows_of(judge: CombinedJudge, units: list[Unit]) -> NDArray[np.float64]:
    return np.concatenate([judge.looked(batch)[1] for batch in batches(units)])


def training(judge: CombinedJudge, units: list[Unit], seed: int = 1) -> tuple[NDArray[np.float64], list[str]]:
    """Rows of numbers of the training part, and what each is: "" for units as they are, or the kind of damage."""
    units = [own for own in units if part(own.client) == "train" and len(own.source.split()) >= LEAST_WORDS]
    others = Others(units)
    rows, kinds = [rows_of(judge, units)], [""] * len(units)
    for kind in DAMAGES:
        made = list(damaged(kind, units, others, seed).values())
        made = Random(f"{seed} {kind}").sample(made, min(OF_A_KIND, len(made)))
        rows.append(rows_of(judge, made))
        kinds += [kind] * len(made)
    return np.concatenate(rows), kinds


def fit(names: tuple[str, ...], rows: NDArray[np.float64], kinds: list[str], seed: int = 1) -> dict[str, Any]:
    """Trees, as `Combination.parse` takes them. All kinds weigh the same."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    labels = np.array([kind != "" for kind in kinds])
    counts = {kind: kinds.count(kind) for kind in set(kinds)}
    own = len(counts) - 1
    weights = np.array([DAMAGE / own / counts[kind] if kind else 1.0 / counts[kind] for kind in kinds])
    model = HistGradientBoostingClassifier(
        max_iter=TREES,
        max_leaf_nodes=LEAVES,
        learning_rate=RATE,
        min_samples_leaf=40,
        random_state=seed,
        monotonic_cst=[int(" " not in name) for name in names],  # what a check doubts never speaks for a unit
    )
    model.fit(rows, labels, sample_weight=weights * counts[""])
    trees = []
    for (predictor,) in model._predictors:
        nodes = predictor.nodes
        leaves = nodes["is_leaf"].astype(bool)
        trees.append(
            [
                np.where(leaves, -1, nodes["feature_idx"]).tolist(),
                [
                    float(f"{value:.5g}")
                    for value in np.where(leaves, nodes["value"], np.minimum(nodes["num_threshold"], 1e9))
                ],
                np.where(leaves, 0, nodes["left"]).tolist(),
                np.where(leaves, 0, nodes["right"]).tolist(),
            ]
        )
    bias = float(model._baseline_prediction.item()) + log(SHARE / (1.0 - SHARE) / DAMAGE)
    return {
        "version": VERSION,
        "names": list(names),
        "share": SHARE,
        "bias": round(bias, 6),
        "sure": sure(names, rows, labels, np.where(labels, weights * SHARE / DAMAGE, weights)),
        "trees": trees,
    }


def sure(
    names: tuple[str, ...], rows: NDArray[np.float64], wrong: NDArray[np.bool_], weights: NDArray[np.float64]
) -> list[list[Any]]:
    """Checks, scores in tenths, and the odds of units with that score or more, where these alone are enough. Half an
    undamaged unit is added, so that nothing is certain."""
    found: list[list[Any]] = []
    half = float(weights[~wrong].mean()) / 2
    for place, name in enumerate(names):
        for tenths in range(1, 11) if " " not in name else ():
            told = rows[:, place] >= tenths / 10 - 1e-9
            odds = float(weights[told & wrong].sum() / (weights[told & ~wrong].sum() + half))
            if odds >= SURE and told.sum() >= 100:
                found.append([name, tenths / 10, float(f"{odds:.4g}")])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, default=MODEL)
    options = parser.parse_args()
    units = memory()
    judge = CombinedJudge.of(forgetful_names(), combination=NOTHING)
    for batch in batches(units):
        judge.learn(batch)
    rows, kinds = training(judge, units)
    write(fit(judge.names, rows, kinds), options.output)


def write(made: dict[str, Any], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(made, separators=(",", ":")) + "\n", encoding="utf-8")


NOTHING = Combination.parse(
    {
        "version": VERSION,
        "names": [],
        "share": SHARE,
        "bias": 0.0,
        "trees": [[[-1], [0.0], [0], [0]]],
    },
    "nothing",
)

if __name__ == "__main__":
    main()
