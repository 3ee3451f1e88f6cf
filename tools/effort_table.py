"""How often the work on a document is within the interval that was said: `python -m tools.effort_table`.

The memory of 98 Debian packages (../shared/data/memory): documents before a day (2021-01-01) are the memory, 100
segments of each later one are a new document. Their own translations say what was saved in the end.
"""

from __future__ import annotations

import json
import lzma
import os
import sys
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from tertium.analysis.deciding import EXACT_BANDS, band_of
from tertium.analysis.effort import READING, Portion, cost, effort_of
from tertium.analysis.experience import Experience
from tertium.estimation.estimator import edit_rates
from tertium.io.records import json_line
from tertium.matching.index import MemoryIndex
from tertium.matching.matching import Matcher
from tertium.matching.parts import HELPFUL
from tertium.matching.proposals import Context
from tertium.memory.importing import import_memory

DATA = os.path.join(os.path.dirname(__file__), "../../shared/data/memory/en-fr.jsonl.xz")
SINCE, RUN = "2021-01-01", 100


def main(since: str = SINCE) -> None:
    early: list[dict[str, str]] = []
    late: dict[tuple[str, str], list[dict[str, str]]] = defaultdict(list)
    with lzma.open(DATA, "rt", encoding="utf-8") as file:
        for line in file:
            unit = {**json.loads(line), "source_language": "en", "target_language": "fr"}
            if unit["date"] >= since:
                late[unit["client"], unit["document"]].append(unit)
            else:
                early.append(unit)
    with tempfile.TemporaryDirectory() as folder:
        path, memory = os.path.join(folder, "early.jsonl"), os.path.join(folder, "early.db")
        with open(path, "w", encoding="utf-8") as out:
            out.writelines(map(json_line, early))
        import_memory([path], memory)
        report(Matcher(MemoryIndex.open(memory), most=1), late)


def report(matcher: Matcher, late: Mapping[tuple[str, str], Sequence[dict[str, str]]]) -> None:
    experience = Experience.learnt(matcher)
    draws = np.random.default_rng(1)
    runs = []
    for units in late.values():
        start = int(draws.integers(0, max(1, len(units) - RUN + 1)))
        runs.append(units[start : start + RUN])
    inside = []
    errors, widths = [], []
    for units in runs:
        portions, spent = [], 0.0
        found = [matcher.propose(own["source"], Context(client=own["client"])) for own in units]
        proposed = [own[0].target if own else "" for own in found]
        saved = 1 - edit_rates(proposed, [own["target"] for own in units])
        for own, one, share in zip(units, found, saved.tolist(), strict=True):
            words = len(own["source"].split())
            rate = one[0].rate if one else 0
            band = band_of(rate)
            if rate < HELPFUL:
                portions.append(Portion(words, "new", 0.0))
                spent += words
                continue
            expected = float(experience.expected([rate])[0])
            portions.append(Portion(words, band, expected, band in EXACT_BANDS))
            spent += cost(Portion(words, band, share), READING)
        said = effort_of(portions, experience)
        assert said.low is not None
        assert said.high is not None
        inside.append(said.low <= spent <= said.high)
        errors.append((said.weighted - spent) / max(spent, 1.0))
        widths.append((said.high - said.low) / 2 / max(said.weighted, 1.0))
    print(f"memory: {len(matcher.index):,} units; learnt from {len(experience.rates):,} segments")
    print(f"spread of exact matches {experience.exact}, of fuzzy ones {experience.fuzzy}")
    print(f"{sum(inside)} of {len(inside)} documents within the interval ({np.mean(inside):.0%})")
    print(
        f"error: mean {np.mean(errors):+.1%}, mean size {np.mean(np.abs(errors)):.1%}; interval +-{np.mean(widths):.1%}"
    )


if __name__ == "__main__":
    main(*sys.argv[1:2])
