"""Minimum Bayes risk: the matrix of utilities of all pairs of candidates, against fastchrf and mbrs.

Part of `make bench`, where mbrs is left out; `make bench-heavy` has both (mbrs needs torch).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import numpy as np

from benchmarks.measure import HEADER, Line, seconds
from benchmarks.texts import corpus
from tertium.adapters.mbr import pairwise

NUMBER = 128


def lines(texts: list[str]) -> Iterator[Line]:
    pairs = len(texts) ** 2
    ours = {spec: seconds(lambda spec=spec: pairwise(texts, texts, spec), 5) for spec in ("chrf", "bleu")}
    if find_spec("fastchrf"):
        import fastchrf

        found = np.array(fastchrf.pairwise_chrf([texts], [texts])[0])
        assert np.abs(found - pairwise(texts, texts, "chrf")).max() < 1e-3
        theirs = seconds(lambda: fastchrf.pairwise_chrf([texts], [texts]), 3)
        yield Line("chrF2, all pairs", pairs, ours["chrf"], "fastchrf", theirs)
    if find_spec("mbrs"):
        bleu_file, chrf_file = _of_mbrs("bleu"), _of_mbrs("chrf")
        MetricBLEU, MetricChrF = bleu_file.MetricBLEU, chrf_file.MetricChrF
        chrf = MetricChrF(MetricChrF.Config(num_workers=1))
        found, theirs = _with_children(lambda: chrf.pairwise_scores(texts, texts))
        assert np.abs(found.numpy() - pairwise(texts, texts, "chrf")).max() < 1e-3
        yield Line("chrF2, all pairs", pairs, ours["chrf"], "mbrs", theirs, 50)
        bleu = MetricBLEU(MetricBLEU.Config(num_workers=1))
        found, theirs = _with_children(lambda: bleu.pairwise_scores(texts, texts))
        assert np.abs(found.numpy() - pairwise(texts, texts, "bleu")).max() < 1e-3
        yield Line("BLEU, all pairs", pairs, ours["bleu"], "mbrs", theirs, 50)


def _of_mbrs(name: str) -> Any:
    """A file of mbrs.metrics without its neighbours, which do not import with every version of transformers."""
    if "mbrs.metrics" not in sys.modules:
        import mbrs

        package = ModuleType("mbrs.metrics")
        package.__path__ = [os.path.join(mbrs.__path__[0], "metrics")]
        sys.modules["mbrs.metrics"] = package
        base = import_module("mbrs.metrics.base")
        package.Metric, package.MetricAggregatable = base.Metric, base.MetricAggregatable  # type: ignore[attr-defined]
        package.register = lambda _: lambda own: own  # type: ignore[attr-defined]
    return import_module(f"mbrs.metrics.{name}")


def _with_children(run: Callable[[], Any]) -> tuple[Any, float]:
    """What is found, and the CPU time with that of worker processes, which mbrs starts."""
    before = os.times()
    found = run()
    return found, sum(os.times()[:4]) - sum(before[:4])


def run() -> Iterator[Line]:
    """On the outputs of a system for the first segments: as far apart as candidates can be."""
    return lines(list(corpus(NUMBER).hypotheses))


if __name__ == "__main__":
    print(HEADER)
    for line in run():
        print(line.text(), flush=True)
