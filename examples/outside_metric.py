"""An outside metric for Tertium in thirty lines: how similar two texts are as difflib sees them.

    tertium score reference.txt -i output.txt -m 'outside:command="python examples/outside_metric.py"'

Standard input and output are JSON Lines (docs/metrics/outside.md). A real one would load COMET, MetricX or BLEURT where
this one defines `similarity`, and score a whole batch at once.
"""

from __future__ import annotations

import hashlib
import json
import platform
import sys
from difflib import SequenceMatcher
from pathlib import Path


def similarity(hypothesis: str, reference: str) -> float:
    return SequenceMatcher(None, hypothesis, reference, autojunk=False).ratio()


def scored(batch: list[dict]) -> None:
    """Answer a batch. The best reference counts; without any reference there is no score."""
    for segment in batch:
        found = [similarity(segment["hypothesis"], reference) for reference in segment["references"]]
        print(json.dumps({"id": segment["id"], "score": max(found, default=None)}))
    sys.stdout.flush()


def main() -> None:
    about = {
        "name": "difflib ratio",
        "version": "1.0",
        "hash": hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:12],
        "versions": {"python": platform.python_version()},
        "needs": ["references"],
        "stays": True,  # loaded once, it answers any number of batches
    }
    print(json.dumps(about), flush=True)  # who we are, before anything is read
    batch: list[dict] = []
    for line in sys.stdin:
        if line.strip():
            batch.append(json.loads(line))
        else:  # an empty line: the batch is complete, all of it must be answered now
            scored(batch)
            batch = []
    scored(batch)  # the end of input


if __name__ == "__main__":
    main()
