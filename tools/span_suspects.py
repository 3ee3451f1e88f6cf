"""Chooses the threshold of `comparison/suspects.py` on half of WMT23's documents; the other half says what it is worth.

    python -m tools.span_suspects [--shared ../shared] [--page docs/annotate.md]

English to German, twelve systems, errors marked by professional annotators (MQM). Character F1: characters that both
mark, against those that either marks. Documents are split by a seeded draw; the threshold is that with the best mean F1
of the metrics below on the first half. A random baseline marks words by the share that is best on the first half.
"""

from __future__ import annotations

import argparse
import json
import random
import tarfile
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tertium import TestSet, metric
from tertium.comparison.suspects import LEAST, Occluded, occluded
from tools.doctor_table import lines_of
from tools.pages import filled

_HERE = Path(__file__).resolve().parent.parent
METRICS = ("chrf", "bleu", "wer")
SHARES = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5)
Counts = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Judged:
    """An output with its errors: characters of each word, those of them that are wrong, all that are wrong."""

    system: str
    line: int
    sizes: Counts
    wrong: Counts
    all_wrong: int


def judged(base: Path, texts: TestSet) -> list[Judged]:
    found, seen = [], dict.fromkeys(texts.systems, 0)
    path = base / "human-scores" / "en-de.mqm.merged.seg.rating"
    for row in lines_of(path):
        system, _, rating = row.partition("\t")
        if system not in seen:
            continue
        line, text = seen[system], texts.systems[system][seen[system]] or ""
        seen[system] += 1
        if rating == "None" or not text:
            continue
        bad = np.zeros(len(text))
        for error in json.loads(rating)["errors"]:
            if not error["is_source_error"]:
                bad[error["start"] : error["end"]] = 1
        words = _words(text)
        found.append(
            Judged(
                system,
                line,
                np.array([end - start for start, end in words], dtype=float),
                np.array([bad[start:end].sum() for start, end in words]),
                int(bad.sum()),
            )
        )
    return found


def _words(text: str) -> list[tuple[int, int]]:
    from tertium.comparison.suspects import _WORD

    return [one.span() for one in _WORD.finditer(text)]


def f1(items: Sequence[Judged], marked: Sequence[npt.NDArray[np.bool_]]) -> tuple[float, float, float]:
    """F1, precision and recall of characters."""
    both = sum(float(one.wrong[own].sum()) for one, own in zip(items, marked, strict=True))
    ours = sum(float(one.sizes[own].sum()) for one, own in zip(items, marked, strict=True))
    theirs = sum(one.all_wrong for one in items)
    return 2 * both / (ours + theirs), both / ours if ours else 0.0, both / theirs


def drawn(items: Sequence[Judged], share: float) -> list[npt.NDArray[np.bool_]]:
    draw = np.random.default_rng(1)
    return [draw.random(len(one.sizes)) < share for one in items]


def table(base: Path) -> str:
    """Tunes on the first half, reports the second."""
    outputs = {path.stem: lines_of(path) for path in sorted((base / "system-outputs" / "en-de").iterdir())}
    systems = {name: lines for name, lines in outputs.items() if "ref" not in name}
    texts = TestSet.of(lines_of(base / "references" / "en-de.refA.txt"), systems)
    documents = [row.split("\t")[-1] for row in lines_of(base / "documents" / "en-de.docs")]
    names = sorted(set(documents))
    random.Random(1).shuffle(names)
    first = set(names[: len(names) // 2])
    items = judged(base, texts)
    halves = [[one for one in items if (documents[one.line] in first) == tuning] for tuning in (True, False)]
    losses: dict[str, dict[tuple[str, int], Occluded]] = {}
    for name in METRICS:
        losses[name] = {
            (system, line): one
            for system in systems
            for line, one in enumerate(occluded(texts, metric(name), system))
        }
        print(name, "measured", flush=True)

    def found(name: str, half: Sequence[Judged], share: float) -> tuple[float, float, float]:
        return f1(half, [losses[name][one.system, one.line].suspects(share) for one in half])

    means = {share: np.mean([found(name, halves[0], share)[0] for name in METRICS]) for share in SHARES}
    best = max(means, key=lambda share: means[share])
    print("mean F1 on the first half:", {share: round(float(mean), 3) for share, mean in means.items()})
    print(f"best: {best}; in the code: {LEAST}")
    chance = max(
        (share / 20 for share in range(1, 21)), key=lambda share: f1(halves[0], drawn(halves[0], share))[0]
    )
    rows = [
        "| spans by | character F1 | precision | recall |",
        "| --- | ---: | ---: | ---: |",
        *(
            f"| {metric(name).label} | {f:.3f} | {p:.3f} | {r:.3f} |"
            for name in METRICS
            for f, p, r in [found(name, halves[1], LEAST)]
        ),
    ]
    f, p, r = f1(halves[1], drawn(halves[1], chance))
    rows.append(f"| words drawn at random ({chance:.0%}) | {f:.3f} | {p:.3f} | {r:.3f} |")
    share = sum(float(one.sizes.sum()) for one in halves[1])
    print(f"{len(halves[0])} and {len(halves[1])} outputs; errors have", end=" ")
    print(f"{sum(one.all_wrong for one in halves[1]) / share:.1%} of the characters")
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--shared", type=Path, default=_HERE.parent / "shared")
    parser.add_argument("--page", type=Path, default=_HERE / "docs" / "annotate.md")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(given.shared / "data" / "mtme" / "wmt23-en-de.tar.xz") as file:
            file.extractall(folder, filter="data")
        made = table(Path(folder) / "wmt23")
    given.page.write_text(
        filled(given.page.read_text(encoding="utf-8"), {"suspects": made}), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
