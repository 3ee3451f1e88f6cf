"""WMT17's English references beside the systems' outputs: which is easier to read? For docs/readability.md.

    python -m tools.readability_wmt17 [--shared ../shared] [--page docs/readability.md]

Every segment of newstest2017 into English that has three words or more in the reference and in all outputs; levels are
weighted by words. Intervals by drawing segments, all systems of a pair together.
"""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tertium.readability.counting import Counter
from tertium.readability.features import Numbers
from tertium.readability.scale import cefr, usual_scale
from tertium.stats.pvalues import percentile_interval
from tertium.stats.resampling import SEED, Draws
from tools.pages import put, table_parser

LEAST, RESAMPLES = 3, 1000


def lines(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode("utf-8").removesuffix("\n").split("\n")


def seen(texts: Sequence[str], counter: Counter) -> tuple[Numbers, Numbers]:
    """Levels and words of segments."""
    return usual_scale().levels(texts, "en"), np.asarray(counter.rows(texts))[:, 0].astype(float)


def pair(reference: Path, outputs: Sequence[Path], counter: Counter) -> tuple[str, list[float]]:
    """The row of a language pair, and by how much each system differs from the reference."""
    own = seen(lines(reference), counter)
    systems = [seen(lines(path), counter) for path in outputs]
    used = np.all([words >= LEAST for _, words in (own, *systems)], axis=0)
    sums = np.array([[levels * words * used, words * used] for levels, words in (own, *systems)])
    drawn = np.concatenate([*Draws(SEED).counts(len(used), RESAMPLES)])

    def gaps(weights: Numbers) -> Numbers:
        total = sums @ weights
        levels = total[:, 0] / total[:, 1]
        return np.asarray(levels[1:] - levels[0])

    found = gaps(np.ones(len(used)))
    draws = np.array([gaps(weights) for weights in drawn.astype(float)])
    whole = percentile_interval(draws.mean(axis=1))
    each = [percentile_interval(column) for column in draws.T]
    easier, harder = sum((one.high or 0.0) < 0 for one in each), sum((one.low or 0.0) > 0 for one in each)
    level = float(sums[0, 0].sum() / sums[0, 1].sum())
    lengths = sums[:, 1].sum(axis=1) / used.sum()
    cells = (
        f"{used.sum():,}",
        f"{level:.2f} ({cefr(level)})",
        f"{level + found.mean():.2f}",
        f"{found.mean():+.2f} [{whole.low:+.2f}, {whole.high:+.2f}]",
        f"{easier}, {harder} of {len(found)}",
        f"{lengths[0]:.1f}, {lengths[1:].mean():.1f}",
    )
    return " | ".join(cells), found.tolist()


def main() -> None:
    options = table_parser(__doc__).parse_args()
    base = options.shared / "data" / "wmt17"
    counter = Counter("en")
    head = (
        "| | segments | references | systems | systems - references | easier, harder | words a segment |\n"
        "|---|---|---|---|---|---|---|"
    )
    rows, every = [head], []
    for folder in sorted((base / "system-outputs").glob("*-en")):
        reference = base / "references" / f"newstest2017-{folder.name.replace('-', '')}-ref.en.gz"
        told, found = pair(reference, sorted(folder.iterdir()), counter)
        rows.append(f"| {folder.name} | {told} |")
        every += found
    easier = sum(one < 0 for one in every)
    told = f"{len(every)} systems, {easier} of them easier than their reference; the mean is {np.mean(every):+.2f}."
    put({"wmt17": "\n".join([*rows, "", told])}, options.page)


if __name__ == "__main__":
    main()
