"""Trains the model of BEER that comes with Tertium: `python -m tools.beer_model` writes data/models/beer.json.

Direct assessments of WMT15 and WMT16 into English (../shared/data/daseg-wmt15-16), standardised within each of the ten
sets. Ridge regression; its strength is the one whose mean correlation is best on sets that were left out one at a time.
WMT17 is not looked at.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import tertium as tt
from tertium._native import Lines
from tertium.families.beer import BEER, FEATURES
from tertium.io.metricfiles import MetricModel, TrainedOn, write_model
from tertium.text.segments import References
from tertium.training.models import RIDGE

DATA = Path("../shared/data/daseg-wmt15-16")
OUT = Path("src/tertium/data/models/beer.json")
Array = NDArray[np.float64]


def sets() -> Iterator[tuple[str, Array, Array, str]]:
    """Name, features, standardised judgements and the texts of each set."""
    for folder in sorted(DATA.glob("da-wmt*/*")):
        texts = {
            kind: next(folder.glob(f"*.{kind}.*")).read_text("utf-8").split("\n")[:-1]
            for kind in ("mt-system", "reference", "human")
        }
        human = np.array(list(map(float, texts["human"])))
        references = References.given(texts["reference"], len(human))
        features = BEER().features(Lines(texts["mt-system"]), references)
        name = f"{folder.parent.name.removeprefix('da-')} {folder.name}"
        yield name, features, (human - human.mean()) / human.std(), "\n".join(map("\n".join, texts.values()))


def ridge(features: Array, human: Array, strength: float) -> Array:
    """Weights of the features as they are."""
    return np.array(RIDGE.fit(features, human, strength)["weights"])


def main() -> None:
    names, features, human, texts = zip(*sets(), strict=True)

    def left_out(strength: float) -> list[float]:
        found = []
        for i in range(len(names)):
            kept = [k for k in range(len(names)) if k != i]
            weights = ridge(
                np.vstack([features[k] for k in kept]), np.concatenate([human[k] for k in kept]), strength
            )
            found.append(float(np.corrcoef(features[i] @ weights, human[i])[0, 1]))
        return found

    tried = {strength: left_out(strength) for strength in RIDGE.settings}
    for strength, values in tried.items():
        print(f"strength {strength:<7g} mean r {np.mean(values):.4f}")
    best = max(tried, key=lambda strength: float(np.mean(tried[strength])))
    for name, value in zip(names, tried[best], strict=True):
        print(f"  {name:<12} {value:.3f}")
    weights = ridge(np.vstack(features), np.concatenate(human), best)
    # From the value of texts that share nothing, which is 0, to that of equal texts, which is 1.
    equal = np.array([0.0 if name.startswith("imbalance") else 1.0 for name in FEATURES])
    weights = weights / float(equal @ weights)
    training = TrainedOn(
        data="direct assessments of WMT15 (cs, de, fi, ru) and WMT16 (cs, de, fi, ro, ru, tr) into English",
        segments=sum(map(len, human)),
        fingerprint=hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16],
        correlation=round(float(np.mean(tried[best])), 4),
        by=f"python -m tools.beer_model: ridge {best:g}; mean r of ten sets, each left out; tertium {tt.__version__}",
        licence="Apache-2.0 (weights); the judgements are WMT's, for research",
    )
    OUT.parent.mkdir(exist_ok=True)
    model = MetricModel("BEER", ("beer.*",), FEATURES, tuple(weights.tolist()), 0.0, training=training)
    write_model(model, OUT)


if __name__ == "__main__":
    main()
