"""A whole offline run of the real lighteval with our metrics: `make check-lighteval` (installs torch and 90 packages).

The command `lighteval custom` reads a task and a model from tools/lighteval_task.py and texts from a folder. What it
writes must be `tertium.score` of the same texts, to the last digit; how its standard errors come about is checked too.
"""

from __future__ import annotations

import json
import math
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import tertium as tt
import tertium._native
from tertium.adapters import harness
from tools.release.stating import ROOT

HERE = ROOT / "build" / "lighteval"
TORCH = "torch==2.13.0"  # first and by itself: the build for CPUs
# lighteval 0.13 runs with neither a later hub (which transformers 5 needs) nor a later xxhash, and bounds neither.
PACKAGES = ("lighteval==0.13.0", "huggingface_hub<1", "transformers<5", "xxhash<4")
METRICS = ("chrf++", "bleu:tok=intl,lowercase=yes", "ter")
RESAMPLES = 1000


def environment() -> Path:
    """The folder of commands of a Python with lighteval, which pins an older nltk than our tests have."""
    commands = HERE / "bin"
    if not (HERE / "ready").exists():
        shutil.rmtree(HERE, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", HERE], check=True)
        for packages in ((TORCH,), PACKAGES):
            subprocess.run([commands / "python", "-m", "pip", "install", "--quiet", *packages], check=True)
        (tiny,) = HERE.glob("lib/python*/site-packages/lighteval/tasks/tasks/tiny_benchmarks.py")
        # lighteval imports all of its tasks for any of them, and this one fetches a file where there is none.
        tiny.with_name("tinyBenchmarks.pkl").touch()
        (HERE / "ready").touch()
    core = os.environ | {"SKBUILD_CMAKE_DEFINE": f"TERTIUM_PREBUILT={tertium._native.__file__}"}
    own = [commands / "python", "-m", "pip", "install", "--quiet", "--no-deps", "--editable", ROOT]
    subprocess.run(own, check=True, env=core)
    return commands


def main() -> int:
    commands, task = environment(), Path(__file__).with_name("lighteval_task.py")
    sample = ROOT / "src" / "tertium" / "data" / "sample"
    names = ("source.de", "reference1.en", "reference2.en", "system-strong.en")
    source, first, second, answers = ((sample / name).read_text("utf-8").splitlines() for name in names)
    # Every third segment has one reference only.
    lists = [[a, b][: 1 + (i % 3 > 0)] for i, (a, b) in enumerate(zip(first, second, strict=True))]
    rows = [
        {"source": text, "references": references, "answer": answer}
        for text, references, answer in zip(source, lists, answers, strict=True)
    ]
    with tempfile.TemporaryDirectory() as name:
        data, made = Path(name) / "data", Path(name) / "made"
        data.mkdir()
        (data / "test.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
        given = {"TERTIUM_FOLDER": str(data), "TERTIUM_METRICS": " ".join(METRICS)}
        quiet = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(Path(name) / "hf"), "PYTHONWARNINGS": "ignore"}
        command = [commands / "lighteval", "custom", "parrot", task, "translation", "--custom-tasks", task]
        said = subprocess.run(
            [*map(str, command), "--output-dir", str(made), "--save-details"],
            env=os.environ | quiet | given,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if said.returncode:
            print(said.stdout)
            return 1
        (path,) = made.glob("results/parrot/*.json")
        found = json.loads(path.read_text("utf-8"))["results"]["translation|0"]
        assert list(made.glob("details/parrot/*/*.parquet"))
    order = list(range(len(rows)))
    random.Random(42).shuffle(order)  # as lighteval has it
    pairs = [(lists[i], answers[i]) for i in order]
    wrong = 0
    scores = tt.score(answers, references_per_segment=lists, metrics=METRICS)
    for spec, score in zip(METRICS, scores, strict=True):
        own = f"tertium_{spec}".replace(",", ";")
        whole, rng = harness.aggregation(score.metric), random.Random(0)
        drawn = [whole(rng.choices(pairs, k=len(pairs))) for _ in range(RESAMPLES)]
        deviation, error = statistics.stdev(drawn), found[f"{own}_stderr"]
        fine = found[own] == score.value and math.isclose(error, deviation / math.sqrt(RESAMPLES))
        wrong += not fine
        print(
            f"{own}: lighteval {found[own]}, tertium {score.value}; {len(rows)} segments; {score.signature}"
        )
        print(f"  Stderr {error:.4f}; the {RESAMPLES} resamples deviate by {deviation:.4f}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
