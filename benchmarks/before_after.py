"""Two checkouts in one run, in turn: `python -m benchmarks.before_after OLD NEW` prints CPU time of each and the ratio.

Each has an environment of its own in `.venv` and one process, asked in turn, call by call, so that both see the
same moments of a noisy machine; the least of all calls counts. 3,000 segments (the last lines: of each of 16 systems).
Freed memory is kept (`MALLOC`); else it hangs on what ran before whether the same kernel finds its tables' pages
at hand or takes some 500 page faults a call, a quarter of NIST's time.
"""

from __future__ import annotations

import os
import subprocess
import sys

SPECS = (
    "bleu", "chrf", "chrf++", "ter", "macrof1", "microf1", "nist", "wer", "per", "cder", "character", "rouge:L", "gtm",
    "ribes", "gleu", "eed", "ol", "mtevalbleu", "sentbleu", "multibleu",
)  # fmt: skip
SLOW = {"eed": 20, "PERM-BOTH of r, 45 pairs": 2, "PERM-BOTH of r, 1 pair": 8, "soft accuracy, 10 metrics": 8}
CALLS = 120
MALLOC = {"MALLOC_TRIM_THRESHOLD_": str(1 << 30), "MALLOC_MMAP_THRESHOLD_": str(1 << 30)}  # glibc's
CODE = """
import sys, time
from benchmarks import texts
import numpy as np
import tertium as tt
from tertium.stats import accuracy
from tertium.stats.permutation import permutation_test, permutation_tests
text = texts.corpus(3000)
rng = np.random.default_rng(1)
human = np.round(rng.normal(size=(16, 3000)) * 2) + np.linspace(0, 0.2, 16)[:, None]
metrics = [human + noise * rng.normal(size=human.shape) for noise in np.linspace(0.5, 3, 10)]
def soft():
    if hasattr(accuracy, "soft_pairwise_accuracies"):
        return accuracy.soft_pairwise_accuracies(human, metrics)
    return [accuracy.soft_pairwise_accuracy(human, metric) for metric in metrics]
others = {
    "soft accuracy, 10 metrics": soft,
    "PERM-BOTH of r, 1 pair": lambda: permutation_test(human, metrics[0], metrics[1], block=None),
    "PERM-BOTH of r, 45 pairs": lambda: permutation_tests(human, metrics, block=None),
}
for line in sys.stdin:
    spec, _, level = line.strip().partition("|")
    start = time.process_time()
    if level:
        tt.score(text.hypotheses, text.references, [spec], level=level)
    else:
        others[spec]()
    print((time.process_time() - start) / (len(text) if level else human.size) * 1e6, flush=True)
"""


class Checkout:
    """A process that times one thing after another with the code of one checkout."""

    def __init__(self, tree: str) -> None:
        command = [f"{tree}/.venv/bin/python", "-c", CODE]
        self._process = subprocess.Popen(
            command,
            cwd=tree,
            text=True,
            env=os.environ | MALLOC,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def time(self, what: str) -> float:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(what + "\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline())


def main(old: str, new: str) -> None:
    wanted = [f"{spec}|corpus" for spec in SPECS] + [f"{spec}|segment" for spec in ("bleu", "chrf", "ter")]
    trees = Checkout(old), Checkout(new)
    print(f"{'us a segment':<28}{'before':>9}{'after':>9}{'ratio':>8}")
    for what in (*wanted, *list(SLOW)[1:]):
        calls = [[tree.time(what) for tree in trees] for _ in range(SLOW.get(what.partition("|")[0], CALLS))]
        before, after = map(min, zip(*calls, strict=True))
        print(f"{what.replace('|', ', '):<28}{before:>9.2f}{after:>9.2f}{after / before:>8.3f}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:3])
