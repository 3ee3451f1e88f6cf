"""The ready-made program with the real unbabel-comet: `make check-comet` (installs torch and some 50 packages).

The models are tiny and random, made on the spot, since none can be downloaded; the package, its loading of checkpoints
and its scoring are the real ones. Every segment's score by `outside:program=comet` must be what unbabel-comet gives.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import tertium as tt
from tools.release.stating import ROOT

HERE = ROOT / "build" / "comet"
PACKAGES = (
    "unbabel-comet==2.2.7",
    "sentencepiece==0.2.0",
    "setuptools<80",
)  # a later sentencepiece needs a later protobuf
TORCH = "torch==2.13.0"  # first and by itself: the build for CPUs


def environment() -> Path:
    """A Python with unbabel-comet, which wants other versions than we do."""
    python = HERE / "bin" / "python"
    if not (HERE / "ready").exists():
        shutil.rmtree(HERE, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", HERE], check=True)
        for packages in ((TORCH,), PACKAGES):
            subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
        (HERE / "ready").touch()
    return python


def main() -> int:
    python, program = environment(), Path(__file__).with_name("comet_tiny.py")
    sample = ROOT / "src" / "tertium" / "data" / "sample"
    source, reference, hypothesis = (
        str(sample / name) for name in ("source.de", "reference1.en", "system-strong.en")
    )
    quiet = os.environ | {"HF_HUB_OFFLINE": "1", "PYTHONWARNINGS": "ignore"}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        texts = [source, reference, *map(str, sample.glob("system-*.en"))]
        subprocess.run(
            [str(python), str(program), "make", name, *texts],
            check=True,
            env=quiet,
            stderr=subprocess.DEVNULL,
        )
        asked = [python, program, "score", name, source, reference, hypothesis]
        said = subprocess.run(asked, check=True, env=quiet, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        wanted = json.loads(said.stdout.splitlines()[-1])
        furthest = 0.0
        for model, needs in (("regression", "both"), ("referenceless", "source")):
            metric = tt.metric(
                f'outside:program=comet,model="{folder / model}",python="{python}",needs={needs}'
            )
            lines = [Path(path).read_text("utf-8").splitlines() for path in (hypothesis, reference, source)]
            (found,) = tt.score(*lines[:2], metric, sources=lines[2], level="segment").scores
            apart = [abs(a - b) for a, b in zip(found.values, wanted[model], strict=True)]
            furthest = max(furthest, *apart)
            print(f"{model}: {len(apart)} segments, at most {max(apart):.1e} apart; {found.signature}")
    return int(furthest > 1e-6)


if __name__ == "__main__":
    sys.exit(main())
