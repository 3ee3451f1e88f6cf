"""The weights of the detectors that come with Tertium, learnt of damage made on purpose.

    python -m tools.detector_model [-o FILE] [--no-encoder]

Texts: outputs of WMT17 and WMT12 systems, MLQE-PE's training parts, Debian's catalogues (../shared/data). Each set of
pairs teaches its own words, alone or with a second corpus, as a user's file would. Copies of its pairs are damaged, and
a logistic regression tells copies from pairs as they are. For each set the area under the curve is printed that weights
of all other sets reach. Nothing that people marked is looked at.
"""

from __future__ import annotations

import argparse
import gzip
import json
import lzma
import os
import tarfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from math import log
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tertium.detection import weighing
from tertium.detection.base import DETECTORS
from tertium.detection.detecting import combined
from tertium.detection.meaning import Detachment, with_vectors
from tertium.detection.pairs import PairKnowledge, SeenPairs
from tertium.detection.weighing import WeighedDetector, chances
from tertium.io.memories.unit import Unit
from tertium.memory.damages import DAMAGES, Others
from tertium.stats.detection import area_under_curve
from tertium.vetting.selftaught import nearest

SHARED = Path(os.environ.get("TERTIUM_SHARED", Path(__file__).resolve().parents[2] / "shared"))
DATA = SHARED / "data"
MODEL = Path(__file__).resolve().parents[1] / "src" / "tertium" / "data" / "detection.json"
FALSE = 0.01  # of pairs as they are that are told
MOST = 2500  # pairs of a set
PENALTY = 3.0
ENCODED = ("WMT17 de-en", "WMT12 de-en with WMT17", "WMT17 ru-en")  # whose languages the encoder knows
ENCODED_PAIRS = 700
Numbers = NDArray[np.float64]


class Set(NamedTuple):
    """Pairs as they are, and others that teach words."""

    name: str
    units: list[Unit]
    others: list[Unit]


def lines(path: Path) -> list[str]:
    opened = {".gz": gzip.open, ".xz": lzma.open}.get(path.suffix, open)
    with opened(path, "rt", encoding="utf-8-sig") as file:
        return [line.rstrip("\n") for line in file]


def _units(sources: Sequence[str], targets: Sequence[str], pair: str) -> list[Unit]:
    return [Unit(*own, *pair.split("-")) for own in zip(sources, targets, strict=True)]


def wmt17(pair: str) -> tuple[list[Unit], list[Unit]]:
    """Sources with the output of one system or another, and with the references."""
    source, target = pair.split("-")
    own = f"newstest2017-{source}{target}"
    sources = lines(DATA / "wmt17" / "sources" / f"{own}-src.{source}.gz")
    outputs = [lines(path) for path in sorted((DATA / "wmt17" / "system-outputs" / pair).glob("*.gz"))]
    draw = Random(pair)
    chosen = [outputs[draw.randrange(len(outputs))][i] for i in range(len(sources))]
    references = lines(DATA / "wmt17" / "references" / f"{own}-ref.{target}.gz")
    return _units(sources, chosen, pair), _units(sources, references, pair)


def wmt12() -> tuple[list[Unit], list[Unit]]:
    texts: dict[str, list[str]] = {}
    with tarfile.open(DATA / "wmt12" / "wmt12-to-en.tar.xz") as packed:
        for member in packed:
            file = packed.extractfile(member)
            if file is not None and ("/de-en/" in member.name or member.name.endswith((".de", "ref.en"))):
                texts[member.name] = file.read().decode("utf-8-sig").splitlines()
    sources = next(own for name, own in texts.items() if name.endswith(".de"))
    references = next(own for name, own in texts.items() if name.endswith("ref.en"))
    outputs = [own for name, own in sorted(texts.items()) if "/de-en/" in name and len(own) == len(sources)]
    draw = Random(12)
    chosen = [outputs[draw.randrange(len(outputs))][i] for i in range(len(sources))]
    return _units(sources, chosen, "de-en"), _units(sources, references, "de-en")


def mlqe(pair: str) -> list[Unit]:
    table = DATA / "mlqe-pe" / pair / "direct-assessments" / f"train.{pair.replace('-', '')}.df.short.tsv.xz"
    head, *rows = [line.split("\t") for line in lines(table)]
    at = head.index("original"), head.index("translation")
    return [Unit(row[at[0]], row[at[1]], *pair.split("-")) for row in rows if len(row) == len(head)]


def catalogues() -> list[Unit]:
    rows = (json.loads(line) for line in lines(DATA / "memory" / "en-fr.jsonl.xz")[::60])
    return [Unit(row["source"], row["target"], "en", "fr") for row in rows]


def sets() -> Iterator[Set]:
    new, references = wmt17("de-en")
    old, old_references = wmt12()
    yield Set("WMT17 de-en", new[:1700], [])
    yield Set("WMT17 de-en with WMT12", new, old_references)
    yield Set("WMT12 de-en", old[:1700], [])
    yield Set("WMT12 de-en with WMT17", old, references)
    yield Set("WMT17 en-de", wmt17("en-de")[0], [])
    yield Set("WMT17 ru-en", wmt17("ru-en")[0], [])
    yield Set("WMT17 cs-en", wmt17("cs-en")[0], [])
    yield Set("MLQE-PE et-en", mlqe("et-en"), [])
    yield Set("MLQE-PE ro-en", mlqe("ro-en"), [])
    yield Set("catalogues en-fr", catalogues(), [])


def said_again(unit: Unit, _others: Others, draw: Random, _before: Unit | None) -> str | None:
    """A phrase of one to six words is said three times or more, in a row or with a word between; or a character is."""
    words = unit.target.split()
    if draw.random() < 0.05:
        return unit.target + unit.target[-1:] * draw.randrange(20, 200)
    if len(words) < 3:
        return None
    size = min(draw.choice((1, 1, 2, 3, 4, 5, 6)), len(words))
    begin = draw.randrange(len(words) - size + 1)
    phrase = words[begin : begin + size]
    between = [draw.choice((",", "and", "und", "the"))] if draw.random() < 0.3 else []
    times = draw.choice((2, 2, 3, 4, 6, 10, 20))
    end = words[begin + size :] if draw.random() < 0.5 else []
    return " ".join([*words[:begin], *phrase, *(between + phrase) * times, *end])


def other_of_any_length(unit: Unit, others: Others, draw: Random, _before: Unit | None) -> str | None:
    """The target of another unit, from half as long to twice as long."""
    for _ in range(8):
        found = others.targets[draw.randrange(len(others.targets))]
        if 0.5 <= len(found.target) / max(len(unit.target), 1) <= 2 and found.source != unit.source:
            return found.target
    return None


def half_made_up(unit: Unit, others: Others, draw: Random, before: Unit | None) -> str | None:
    """A third to nine tenths of the words become those of another unit."""
    make = general_other if draw.random() < 0.5 else other_of_any_length
    other = make(unit, others, draw, before)
    words = unit.target.split()
    if other is None or len(words) < 5:
        return None
    kept = max(1, int(len(words) * draw.uniform(0.1, 0.67)))
    theirs = other.split()
    rest = theirs[-(len(words) - kept) :] if draw.random() < 0.5 else theirs[: len(words) - kept]
    return " ".join([*words[:kept], *rest] if draw.random() < 0.5 else [*rest, *words[-kept:]])


def part_cut(unit: Unit, _others: Others, draw: Random, _before: Unit | None) -> str | None:
    """A fifth to four fifths of the words go, from anywhere."""
    words = unit.target.split()
    if len(words) < 5:
        return None
    size = max(2, int(len(words) * draw.uniform(0.2, 0.8)))
    begin = draw.randrange(len(words) - size + 1)
    return " ".join([*words[:begin], *words[begin + size :]]) or None


def nearest_other(unit: Unit, others: Others, _draw: Random, _before: Unit | None) -> str | None:
    """The target most like its own, of another source."""
    found = _nearest(tuple(others.targets)).get(unit)
    return None if found is None or found.source == unit.source else found.target


def general_other(unit: Unit, others: Others, draw: Random, before: Unit | None) -> str | None:
    """Of twenty targets, the one whose words are the most frequent: what systems make up is of that kind."""
    counts = _counts(tuple(others.targets))
    drawn = {other_of_any_length(unit, others, draw, before) for _ in range(20)} - {None, unit.target}
    texts = sorted(filter(None, drawn))
    return max(
        texts, key=lambda text: sum(counts[word] for word in text.split()) / len(text.split()), default=None
    )


@cache
def _counts(units: tuple[Unit, ...]) -> dict[str, float]:
    counts = Counter(word for unit in units for word in unit.target.split())
    return {word: log(number) for word, number in counts.items()}


@cache
def _nearest(units: tuple[Unit, ...]) -> dict[Unit, Unit]:
    return {unit: units[k] for unit, k in zip(units, nearest([own.target for own in units]), strict=True)}


MADE: dict[str, tuple[Callable[[Unit, Others, Random, Unit | None], str | None], ...]] = {
    "oscillation": (said_again,),
    "detachment": (other_of_any_length, nearest_other, general_other),
    "unsupported": (half_made_up, half_made_up, half_made_up, DAMAGES["clause added"]),
    "omission": (part_cut, part_cut, DAMAGES["clause dropped"], DAMAGES["truncated"]),
    "names": (DAMAGES["name changed"],),
    "numbers": (DAMAGES["number changed"], DAMAGES["digits swapped"]),
    "negation": (DAMAGES["negation dropped"],),
}


def damaged(kind: str, units: Sequence[Unit], seed: int = 7) -> list[Unit]:
    """Copies of units, damaged so that a detector should tell them; each in one of its ways."""
    others, makers = Others(units), MADE[kind]
    found = []
    for i, unit in enumerate(units):
        target = makers[i % len(makers)](unit, others, Random(f"{seed} {kind} {i}"), None)
        if target and target.strip() and target != unit.target:
            found.append(unit.changed(target=target))
    return found


class Fitted(NamedTuple):
    bias: float
    weights: Numbers

    def odds(self, rows: Numbers) -> Numbers:
        return self.bias + rows @ self.weights


def fitted(rows: Numbers, wrong: NDArray[np.bool_], weights: Numbers) -> Fitted:
    """Logistic regression with a ridge, on standardised columns, by Newton's method."""
    centre, spread = rows.mean(axis=0), rows.std(axis=0)
    spread[spread == 0] = 1.0
    x = np.column_stack([np.ones(len(rows)), (rows - centre) / spread])
    beta, penalty = np.zeros(x.shape[1]), PENALTY * np.eye(x.shape[1])
    penalty[0, 0] = 0.0
    for _ in range(30):
        chance = 1 / (1 + np.exp(-np.clip(x @ beta, -30, 30)))
        gradient = x.T @ (weights * (wrong - chance)) - penalty @ beta
        curve = (x * (weights * np.maximum(chance * (1 - chance), 1e-6))[:, None]).T @ x + penalty
        step = np.linalg.solve(curve, gradient)
        beta += step
        if np.abs(step).max() < 1e-6:
            break
    own = beta[1:] / spread
    return Fitted(float(beta[0] - own @ centre), own)


class Gathered(NamedTuple):
    """Signs of pairs as they are and of damaged ones, by detector and set."""

    clean: dict[str, list[Numbers]]
    wrong: dict[str, list[Numbers]]
    names: dict[str, tuple[str, ...]]
    seen: list[tuple[SeenPairs, dict[str, SeenPairs]]]
    sets: list[str]


def gathered(chosen: Sequence[str]) -> Gathered:
    found = Gathered({}, {}, {}, [], [])
    for own in sets():
        knowledge = PairKnowledge.learnt(own.units[: 2 * MOST], own.others)
        units = _some(own.units, MOST)
        clean = SeenPairs(units, knowledge)
        wrong = {name: SeenPairs(damaged(name, units), knowledge) for name in chosen}
        for name in chosen:
            detector = DETECTORS[name]()
            for pairs, rows in ((clean, found.clean), (wrong[name], found.wrong)):
                signs: Mapping[str, Numbers] = detector.signs(pairs)  # type: ignore[attr-defined]
                found.names[name] = tuple(signs)
                rows.setdefault(name, []).append(np.column_stack(list(signs.values())))
        found.seen.append((clean, wrong))
        found.sets.append(own.name)
        print(f"{own.name}: {len(units)} pairs", {name: len(wrong[name]) for name in chosen}, flush=True)
    return found


def _some(units: Sequence[Unit], most: int) -> list[Unit]:
    chosen = units[:: max(1, len(units) // most)][:most]
    return [unit for unit in chosen if unit.target.strip() and unit.source.strip()]


def encoder_weights(plain: dict[str, object]) -> dict[str, object]:
    """Weights of what words and what vectors say, in languages that the encoder knows."""
    found = Gathered({}, {}, {}, [], [])
    before = weighing.shipped()
    before["detachment"] = plain
    for own in sets():
        if own.name in ENCODED:
            knowledge = PairKnowledge.learnt(own.units[: 2 * MOST], own.others, "use")
            units = _some(own.units, ENCODED_PAIRS)
            for kind, rows in ((units, found.clean), (damaged("detachment", units), found.wrong)):
                pairs = SeenPairs(kind, knowledge)
                signs = with_vectors(pairs, WeighedDetector.odds(Detachment(), pairs))
                found.names["encoder"] = tuple(signs)
                rows.setdefault("encoder", []).append(np.column_stack(list(signs.values())))
            found.sets.append(own.name)
    return weights_of(found, "encoder")[0]


def _fit(clean: Sequence[Numbers], wrong: Sequence[Numbers]) -> Fitted:
    """Every set weighs the same, and so do pairs as they are and damaged ones."""
    rows, marks, weights = [], [], []
    for right, bad in zip(clean, wrong, strict=True):
        for own, mark in ((right, False), (bad, True)):
            if len(own) and len(bad) >= 20:
                rows.append(own)
                marks.append(np.full(len(own), mark))
                weights.append(np.full(len(own), 1000.0 / len(own)))
    return fitted(np.concatenate(rows), np.concatenate(marks), np.concatenate(weights))


def edge_of(odds: Numbers) -> float:
    """Where one in a hundred is told; above what all others have that show no sign."""
    edge, usual = float(np.quantile(odds, 1 - FALSE)), float(np.median(odds))
    above = odds[odds > usual + 1e-9]
    return max(edge, (usual + float(above.min())) / 2 if len(above) else usual + 1.0)


def weights_of(found: Gathered, name: str) -> tuple[dict[str, object], Fitted]:
    """The weights of a detector; 0 is where one pair in a hundred that are right is told, in the middle of all sets."""
    clean, wrong = found.clean[name], found.wrong[name]
    areas = []
    for k in range(len(clean)):
        if len(clean) > 1 and len(wrong[k]) >= 20:
            left = _fit(*([own for i, own in enumerate(side) if i != k] for side in (clean, wrong)))
            marks = np.repeat([False, True], [len(clean[k]), len(wrong[k])])
            areas.append(
                (found.sets[k], area_under_curve(marks, left.odds(np.concatenate([clean[k], wrong[k]]))))
            )
    made = _fit(clean, wrong)
    edges = [edge_of(made.odds(own)) for own in clean]
    made = made._replace(bias=made.bias - float(np.median(edges)))
    told = [float((made.odds(own) >= 0).mean()) for own in wrong if len(own) >= 20]
    print(f"{name}: left out", ", ".join(f"{at} {area:.3f}" for at, area in areas))
    print(
        f"   found at 1 in 100: {np.mean(told):.2f}",
        dict(zip(found.names[name], made.weights.round(2), strict=True)),
    )
    weights = dict(zip(found.names[name], (float(f"{own:.5g}") for own in made.weights), strict=True))
    return {"bias": round(made.bias, 5), "weights": weights}, made


def block_of(found: Gathered, models: dict[str, object]) -> dict[str, object]:
    """How much all detectors must say, so that one pair in a hundred that are right is blocked."""
    odds = {}
    for name in MADE:
        own = models[name]
        assert isinstance(own, dict)
        odds[name] = Fitted(own["bias"], np.array(list(own["weights"].values())))

    def rows(pairs: SeenPairs) -> Numbers:
        scores = {}
        for name, own in odds.items():
            signs: Mapping[str, Numbers] = DETECTORS[name]().signs(pairs)  # type: ignore[attr-defined]
            scores[name] = chances(own.odds(np.column_stack(list(signs.values()))))
        return combined(scores)

    clean = [rows(own) for own, _ in found.seen]
    margin = float(np.median([edge_of(own) for own in clean]))
    false = [float((own >= margin).mean()) for own in clean]
    print(
        f"block: margin {margin:.2f}, of pairs as they are",
        dict(zip(found.sets, np.round(false, 3), strict=True)),
    )
    for name in MADE:
        told = [float((rows(own[name]) >= margin).mean()) for _, own in found.seen if len(own[name]) >= 20]
        print(f"   blocked of {name}: {np.mean(told):.2f}")
    return {"margin": round(margin, 5)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", default=str(MODEL))
    parser.add_argument("--no-encoder", action="store_true")
    given = parser.parse_args()
    found = gathered(tuple(MADE))
    models = {name: weights_of(found, name)[0] for name in MADE}
    if not given.no_encoder:
        models["detachment with encoder"] = encoder_weights(models["detachment"])
    models["block"] = block_of(found, models)
    about = {"version": 1, "made by": "python -m tools.detector_model", "detectors": models}
    Path(given.output).write_text(json.dumps(about, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
