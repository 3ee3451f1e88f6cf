"""COMET, MetricX and BLEURT as outside metrics: one file that any Python with the package can run.

    python neural.py comet --model FOLDER/checkpoints/model.ckpt

Nothing is downloaded: the model must be a file or folder, and the libraries are told to stay offline. It reads and
writes JSON Lines (docs/metrics/outside.md); everything else that the packages print goes to standard error.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NamedTuple

Segments = Sequence[dict[str, Any]]
Scorer = Callable[[Segments], Sequence[float]]
OFFLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}


class Missing(Exception):
    """What is not there, in one line."""


def comet(model: str, options: argparse.Namespace) -> Scorer:
    """A checkpoint of COMET, with references or without (CometKiwi)."""
    loaded = import_module("comet").load_from_checkpoint(checkpoint(model), local_files_only=True)
    gpus = int(import_module("torch").cuda.is_available())

    def scores(segments: Segments) -> Sequence[float]:
        asked = []
        for segment in segments:
            own = {"src": segment["source"] or "", "mt": segment["hypothesis"]}
            asked.append({**own, "ref": first(segment)} if options.references else own)
        found = loaded.predict(asked, batch_size=options.batch, gpus=gpus, progress_bar=False)
        return [float(score) for score in found.scores]

    return scores


def checkpoint(model: str) -> str:
    """The file of a checkpoint, which may lie in `checkpoints` of the folder that is named."""
    inside = os.path.join(model, "checkpoints", "model.ckpt")
    return inside if os.path.isdir(model) and os.path.isfile(inside) else model


def metricx(model: str, options: argparse.Namespace) -> Scorer:
    """MetricX-24 from Google's repository (the package `metricx24`): lower is better, 0 to 25."""
    torch, transformers = import_module("torch"), import_module("transformers")
    models = import_module("metricx24.models")
    tokenizer = transformers.AutoTokenizer.from_pretrained(options.tokenizer or model, local_files_only=True)
    loaded = models.MT5ForRegression.from_pretrained(model, torch_dtype="auto", local_files_only=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    loaded.to(device)
    loaded.eval()

    def text(segment: dict[str, Any]) -> str:
        said = f"source: {segment['source'] or ''} candidate: {segment['hypothesis']}"
        return f"{said} reference: {first(segment)}" if options.references else said

    def scores(segments: Segments) -> Sequence[float]:
        found: list[float] = []
        for segment in segments:  # one by one: padding would change the numbers
            ids = tokenizer(text(segment), max_length=1536, truncation=True)["input_ids"][
                :-1
            ]  # without the end
            batch = torch.tensor([ids], device=device)
            with torch.no_grad():
                answer = loaded(input_ids=batch, attention_mask=torch.ones_like(batch))
            found.append(float(answer.predictions[0]))
        return found

    return scores


def bleurt(model: str, options: argparse.Namespace) -> Scorer:
    """A BLEURT checkpoint."""
    scorer = import_module("bleurt.score").BleurtScorer(model)

    def scores(segments: Segments) -> Sequence[float]:
        references, candidates = [first(own) for own in segments], [own["hypothesis"] for own in segments]
        found = scorer.score(references=references, candidates=candidates, batch_size=options.batch)
        return [float(score) for score in found]

    return scores


def first(segment: dict[str, Any]) -> str:
    """The reference: these models take one."""
    return str((segment["references"] or [""])[0])


class Known(NamedTuple):
    """A metric of a package."""

    load: Callable[[str, argparse.Namespace], Scorer]
    module: str
    package: str  # by which its version is known
    get: str
    needs: tuple[str, ...]
    beside: tuple[str, ...]  # packages whose versions matter
    better: str = "higher"


KNOWN = {
    "comet": Known(
        comet,
        "comet",
        "unbabel-comet",
        "pip install unbabel-comet",
        ("source", "references"),
        ("torch", "transformers"),
    ),
    "metricx": Known(
        metricx,
        "metricx24",
        "metricx24",
        "git clone https://github.com/google-research/metricx, and name its folder in PYTHONPATH",
        ("source", "references"),
        ("torch", "transformers"),
        "lower",
    ),
    "bleurt": Known(
        bleurt,
        "bleurt",
        "bleurt",
        "pip install git+https://github.com/google-research/bleurt",
        ("references",),
        ("tensorflow",),
    ),
}


def introduced(name: str, model: str, *, references: bool) -> dict[str, Any]:
    """What is said of a model before it is loaded; refused if the package or the model is not here."""
    from importlib.util import find_spec

    known = KNOWN[name]
    if find_spec(known.module) is None:
        raise Missing(f"{known.module} is not installed for {sys.executable}: {known.get}")
    if not os.path.exists(model):
        raise Missing(f"there is no model at {model}: name a local file or folder, nothing is downloaded")
    needs = [need for need in known.needs if references or need != "references"]
    if not needs:
        raise Missing(f"{name} compares with references alone: it cannot do without")
    versions = {}
    for package in (known.package, *known.beside):
        try:
            versions[package] = version(package)
        except (PackageNotFoundError, ValueError):
            continue
    said = {"name": f"{name} {called(model)}", "hash": digest(os.path.abspath(model))}
    return {
        **said,
        "version": versions.get(known.package, ""),
        "versions": versions,
        "needs": needs,
        "stays": True,
    }


def called(model: str) -> str:
    """What people call a model: its folder, also where a checkpoint in it or a snapshot of a hub is named.

    >>> called("/models/wmt22-comet-da/checkpoints/model.ckpt")
    'wmt22-comet-da'
    >>> called("/hub/models--Unbabel--wmt22-comet-da/snapshots/f49d328/checkpoints/model.ckpt")
    'wmt22-comet-da'
    """
    parts = os.path.abspath(model).split(os.sep)
    if parts[-2:] == ["checkpoints", "model.ckpt"]:
        parts = parts[:-2]
    if parts[-2:-1] == ["snapshots"]:
        parts = [parts[-3].rpartition("--")[2]]
    return parts[-1]


def digest(path: str) -> str:
    """The hash of a model: of its file, or of all files in its folder."""
    found = hashlib.sha256()
    paths = [path]
    if os.path.isdir(path):
        walked = (os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names)
        paths = sorted(walked)
    for own in paths:
        found.update(os.path.relpath(own, path).encode("utf-8", "surrogateescape"))
        with open(own, "rb") as file:
            while block := file.read(1 << 20):
                found.update(block)
    return found.hexdigest()[:12]


def main(argv: Sequence[str] | None = None) -> int:
    """Answer until the input ends."""
    parser = argparse.ArgumentParser(description="COMET, MetricX and BLEURT as outside metrics of Tertium")
    parser.add_argument("name", choices=sorted(KNOWN))
    parser.add_argument("--model", required=True, help="a local file or folder")
    parser.add_argument("--tokenizer", default="", help="MetricX: the folder of its tokenizer")
    parser.add_argument("--no-references", dest="references", action="store_false", help="the source alone")
    parser.add_argument("--batch", type=int, default=16, help="segments at a time")
    options = parser.parse_args(argv)
    os.environ.update(OFFLINE)
    answers, sys.stdout = sys.stdout, sys.stderr  # packages may print what they like
    own = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [path for path in sys.path if os.path.abspath(path or ".") != own]

    def say(what: dict[str, Any]) -> None:
        answers.write(json.dumps(what) + "\n")
        answers.flush()

    try:
        say(introduced(options.name, options.model, references=options.references))
        scorer: Scorer | None = None
        batch: list[dict[str, Any]] = []
        for line in _lines():
            if line.strip():
                batch.append(json.loads(line))
                continue
            if batch:
                scorer = scorer or KNOWN[options.name].load(options.model, options)
                for segment, score in zip(batch, scorer(batch), strict=True):
                    say({"id": segment["id"], "score": score})
            batch = []
    except Missing as error:
        say({"error": str(error)})
    except Exception as error:
        say({"error": f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"})
    return 0


def _lines() -> Any:
    """Standard input, with an empty line at its end."""
    yield from sys.stdin
    yield ""


if __name__ == "__main__":
    sys.exit(main())
