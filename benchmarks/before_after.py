"""Two checkouts in one run, in turn: `python -m benchmarks.before_after OLD NEW` prints CPU time of each and the ratio.

Each checkout has an environment of its own in `.venv`. Times are the least of three rounds, 3,000 segments (the
last lines: of each of 16 systems).
"""

from __future__ import annotations

import json
import subprocess
import sys

SPECS = (
    "bleu", "chrf", "chrf++", "ter", "macrof1", "microf1", "nist", "wer", "per", "cder", "character", "rouge:L", "gtm",
    "ribes", "gleu", "eed", "ol", "mtevalbleu", "sentbleu", "multibleu",
)  # fmt: skip
SLOW = {"eed", "gtm", "ribes", "character"}
ROUNDS = 3
CODE = """
import json, sys, time
from benchmarks import texts
import tertium as tt
text = texts.corpus(3000)
found = {}
for spec, level, repeats in json.loads(sys.argv[1]):
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        tt.score(text.hypotheses, text.references, [spec], level=level)
        best = min(best, time.process_time() - start)
    found[f"{spec} ({level})"] = best / len(text) * 1e6

import numpy as np
from tertium.stats import accuracy
from tertium.stats.permutation import permutation_test, permutation_tests
rng = np.random.default_rng(1)
human = np.round(rng.normal(size=(16, 3000)) * 2) + np.linspace(0, 0.2, 16)[:, None]
metrics = [human + noise * rng.normal(size=human.shape) for noise in np.linspace(0.5, 3, 10)]
def soft():
    if hasattr(accuracy, "soft_pairwise_accuracies"):
        return accuracy.soft_pairwise_accuracies(human, metrics)
    return [accuracy.soft_pairwise_accuracy(human, metric) for metric in metrics]
for name, run, repeats in (
    ("soft accuracy, 10 metrics", soft, 5),
    ("PERM-BOTH of r, 1 pair", lambda: permutation_test(human, metrics[0], metrics[1], block=None), 5),
    ("PERM-BOTH of r, 45 pairs", lambda: permutation_tests(human, metrics, block=None), 1),
):
    best = float("inf")
    for _ in range(repeats):
        start = time.process_time()
        run()
        best = min(best, time.process_time() - start)
    found[name] = best / human.size * 1e6
print(json.dumps(found))
"""


def main(old: str, new: str) -> None:
    wanted = [[spec, "corpus", 3 if spec in SLOW else 15] for spec in SPECS]
    wanted += [[spec, "segment", 15] for spec in ("bleu", "chrf", "ter")]
    least: dict[str, dict[str, float]] = {old: {}, new: {}}
    for _ in range(ROUNDS):
        for tree in (old, new):
            command = [f"{tree}/.venv/bin/python", "-c", CODE, json.dumps(wanted)]
            done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=True)
            for name, value in json.loads(done.stdout).items():
                least[tree][name] = min(value, least[tree].get(name, value))
    print(f"{'us a segment':<28}{'before':>9}{'after':>9}{'ratio':>8}")
    for name, before in least[old].items():
        after = least[new][name]
        print(f"{name:<28}{before:>9.2f}{after:>9.2f}{after / before:>8.3f}")


if __name__ == "__main__":
    main(*sys.argv[1:3])
