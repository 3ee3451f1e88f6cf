"""Outputs of several systems as one n-best list, with features that need no reference: who says it, how long it is, and
how well it agrees with what the others say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium.errors import InputError
from tertium.families.base import Metric
from tertium.io.nbest import SEPARATOR, NBest
from tertium.measuring import Specs, metrics_named
from tertium.progress import steps

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


def gather(
    outputs: Mapping[str, Sequence[str]], metrics: Specs = ("chrf",), *, sources: Any = None, threads: int = 1
) -> NBest:
    """A list of what systems say for each sentence; what several say alike is one candidate.

    Features are, for each system, whether it says so; the number of words; and by each metric the mean score with the
    other systems' outputs as references, one at a time (error metrics negated). The list's own score, and its order, is
    that of the first metric.

    >>> found = gather({"A": ["the cat"], "B": ["the cat"], "C": ["a cat"]}, ["ter"])
    >>> found.hypotheses, found.features[0]
    (('the cat', 'a cat'), 'A= 1 B= 1 C= 0 words= 2 ter= -25')
    """
    chosen = tuple(dict.fromkeys(metrics_named(metrics)))
    names = {name: "_".join(name.split()) or "system" for name in outputs}
    if len(outputs) < 2:
        raise InputError("a list is gathered from the outputs of two systems or more")
    if len({*names.values(), "words", *map(str, chosen)}) < len(names) + 1 + len(chosen):
        raise InputError("two features would have the same name: rename the files of the outputs")
    lengths = {len(texts) for texts in outputs.values()}
    if len(lengths) > 1:
        told = ", ".join(f"{name} {len(texts)}" for name, texts in outputs.items())
        raise InputError(f"outputs differ in their number of lines: {told}")
    if not lengths.pop():
        raise InputError("the outputs are empty")
    texts = {name: [_one_line(text) for text in own] for name, own in outputs.items()}
    agreed = [_agreement(texts, metric, sources, threads) for metric in steps(chosen, str)]
    segments, hypotheses, scores, features = [], [], [], []
    for i, said in enumerate(zip(*texts.values(), strict=True)):
        first = {text: said.index(text) for text in said}
        for text in sorted(first, key=lambda one: (-agreed[0][first[one], i], first[one])):
            own = [f"{names[name]}= {int(text == other)}" for name, other in zip(texts, said, strict=True)]
            own.append(f"words= {len(text.split())}")
            own += [
                f"{metric}= {found[first[text], i]:.10g}"
                for metric, found in zip(chosen, agreed, strict=True)
            ]
            segments.append(i)
            hypotheses.append(text)
            scores.append(float(agreed[0][first[text], i]))
            features.append(" ".join(own))
    return NBest(tuple(segments), tuple(hypotheses), tuple(scores), tuple(features))


def _agreement(texts: Mapping[str, list[str]], metric: Metric, sources: Any, threads: int) -> Array:
    """The mean score of each system's segments against each other system's (systems x segments)."""
    every = list(texts.values())
    sums = np.zeros((len(every), len(every[0])))
    for j, reference in enumerate(steps(every, "references")):
        prepared = metric.prepare(reference, threads=threads)
        for i, own in enumerate(every):
            if i != j:
                sums[i] += metric.reward(own, prepared, sources=sources, threads=threads)
    found: Array = sums / (len(every) - 1)
    return found


def short_names(paths: Sequence[str]) -> list[str]:
    """Names of files without what all share: folders, and parts between dots at the beginning and the end.

    >>> short_names(["out/news.A.0.de-en.gz", "out/news.B.1.de-en.gz"])
    ['A.0', 'B.1']
    """
    parts = [path.replace("\\", "/").rpartition("/")[2].split(".") for path in paths]
    for place in (0, -1):
        while min(map(len, parts)) > 1 and len({own[place] for own in parts}) == 1:
            for own in parts:
                del own[place]
    found = [".".join(own) for own in parts]
    return found if len(set(found)) == len(found) else list(paths)


def _one_line(text: str) -> str:
    """A text that can stand in a list."""
    return " ".join(text.replace(SEPARATOR, "| | |").split())
