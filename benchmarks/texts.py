"""Text to measure on: real WMT17 outputs from ../shared, else sentences made from the bundled sample."""

from __future__ import annotations

import gzip
import os
import random
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("TERTIUM_SHARED", ROOT.parent / "shared"))


@dataclass(frozen=True)
class Corpus:
    name: str
    hypotheses: list[str]
    references: list[str]

    def __len__(self) -> int:
        return len(self.references)

    def first(self, n: int) -> Corpus:
        return Corpus(self.name, self.hypotheses[:n], self.references[:n])


def _lines(path: Path) -> list[str]:
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return data.decode("utf-8").removesuffix("\n").split("\n")


def wmt17(target: str = "", systems: int = 2) -> Corpus | None:
    """newstest2017 into English, then the other pairs (or into `target` only): some systems each."""
    base = SHARED / "data" / "wmt17"
    if not base.is_dir():
        return None
    hypotheses: list[str] = []
    references: list[str] = []
    pairs = sorted(path.name for path in (base / "system-outputs").iterdir())
    pairs.sort(key=lambda pair: (not pair.endswith("-en"), pair))
    for turn in range(systems):  # a second system for each pair, until there is enough text
        for pair in pairs:
            source, into = pair.split("-")
            outputs = sorted((base / "system-outputs" / pair).iterdir())
            if into == "zh" or into != (target or into) or turn >= len(outputs):
                continue
            hypotheses += _lines(outputs[turn])
            references += _lines(next((base / "references").glob(f"*-{source}{into}-ref*")))
    return Corpus("WMT17 newstest2017 outputs", hypotheses, references)


def made(n: int) -> Corpus:
    """Sentences shuffled together from the bundled sample; not real text, but distinct lines of real length."""
    sample = ROOT / "src" / "tertium" / "data" / "sample"
    words = " ".join(_lines(sample / "reference1.en")).split()
    rng = random.Random(1)
    references, hypotheses = [], []
    for _ in range(n):
        start = rng.randrange(len(words) - 40)
        sentence = words[start : start + rng.randrange(8, 36)]
        rng.shuffle(sentence)
        output = list(sentence)
        for _ in range(len(output) // 4):
            output[rng.randrange(len(output))] = rng.choice(words)
        references.append(" ".join(sentence))
        hypotheses.append(" ".join(output))
    return Corpus("sentences made from the bundled sample", hypotheses, references)


def corpus(n: int, target: str = "", systems: int = 2) -> Corpus:
    """At least `n` segments where possible."""
    real = wmt17(target, systems)
    return made(n) if real is None else real.first(n)


def systems_of(number: int, n: int) -> tuple[str, dict[str, list[str]], list[str]]:
    """Outputs of `number` systems for the same `n` segments, with their references."""
    base = SHARED / "data" / "wmt17"
    if base.is_dir():
        folder = max(sorted((base / "system-outputs").iterdir()), key=lambda path: len(list(path.iterdir())))
        source, target = folder.name.split("-")
        references = _lines(next((base / "references").glob(f"*-{source}{target}-ref*")))[:n]
        outputs = {path.name: _lines(path)[:n] for path in sorted(folder.iterdir())[:number]}
        if len(outputs) == number:
            return f"WMT17 newstest2017 {folder.name}", outputs, references
    text, rng = corpus(n), random.Random(2)
    outputs = {}
    for i in range(number):
        kept = [rng.random() > 0.02 * i for _ in range(len(text))]
        outputs[f"system {i}"] = [
            line if keep else " ".join(line.split()[::-1])
            for line, keep in zip(text.hypotheses, kept, strict=True)
        ]
    return f"{text.name}, degraded", outputs, text.references


def columns(number: int, n: int) -> dict[str, list[str]]:
    """References ("ref") and outputs of `number` systems for `n` segments: where WMT17 has fewer systems of a language
    pair, further ones are mixtures of two of them, and where a pair has fewer segments, other pairs follow."""
    base, rng = SHARED / "data" / "wmt17", random.Random(7)
    if not base.is_dir():
        _, outputs, references = systems_of(number, n)
        return {"ref": references, **outputs}
    pairs = sorted(path.name for path in (base / "system-outputs").iterdir() if not path.name.endswith("zh"))
    pairs.sort(key=lambda pair: pair != "de-en")
    found: dict[str, list[str]] = {name: [] for name in ("ref", *(f"system{i}" for i in range(number)))}
    for turn in range(0, 10**6, number):
        for pair in pairs:
            source, into = pair.split("-")
            outputs = [_lines(path) for path in sorted((base / "system-outputs" / pair).iterdir())]
            found["ref"] += _lines(next((base / "references").glob(f"*-{source}{into}-ref*")))
            for i in range(number):
                one, other = (outputs[(turn + i + step) % len(outputs)] for step in (0, 1))
                mixed = i >= len(outputs)
                found[f"system{i}"] += (
                    [rng.choice(both) for both in zip(one, other, strict=True)] if mixed else one
                )
            if len(found["ref"]) >= n:
                return {name: lines[:n] for name, lines in found.items()}
    raise AssertionError
