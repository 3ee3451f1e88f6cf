"""The judge by metric difference: is the output closer to the reference or to a wrong version of it?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tertium import registry
from tertium.challenge.items import Item, Span
from tertium.challenge.judges.hints import read_hints
from tertium.challenge.judges.verdicts import Ruling
from tertium.challenge.outputs import System
from tertium.errors import SpecError
from tertium.text.normalize import plain_typography, plain_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tertium.families.base import Metric


@dataclass(frozen=True)
class MetricJudge:
    """Compares an output with the reference and with each `wrong` version of an item, by any metric m.

    Only the place in question counts: the words that are highlighted in the reference or differ in the wrong version,
    with `context` words on either side. Of the output, the runs of about as many words that come nearest to either.
    With r and w the places in the reference and in the wrong version, and x a run of words in the output,

        D = m(r, r) - m(r, w)        d = max_x m(x, r) - max_x m(x, w)

    it says yes if d >= margin D for every wrong version, no if d <= -margin D for one, and unsure in between. It is
    unsure, too, if the nearest run is further than `reach` D from both: then the output says something else. `whole`
    compares whole sentences instead (for languages without spaces between words), and knows no reach.

    >>> item = Item("1", "Morpho-Syntactic", "", "Is agreement right?", "The calls from his mother should have helped.",
    ...     "Les appels de sa mère auraient dû aider.", judge={"wrong": ["Les appels de sa mère aurait dû aider."]})
    >>> outputs = ["Les appels de sa mère auraient dû servir.", "Ces appels de la mère aurait dû aider.", "Bof."]
    >>> for ruling in MetricJudge("chrf").rule(System("A"), [item] * 3, outputs):
    ...     print(*ruling)
    yes nearer to the reference (chrF2 100.00: mère auraient dû) than to a wrong version (chrF2 73.15: mère auraient dû)
    no nearer to a wrong version (chrF2 100.00: mère aurait dû) than to the reference (chrF2 65.30: mère aurait dû)
    unsure far from the reference and from its wrong versions
    """

    metric: str = "chrf"
    margin: float = 0.25
    reach: float = 1.0
    context: int = 1
    whole: bool = False
    systems = None

    def __post_init__(self) -> None:
        if self.margin < 0 or self.reach < 0 or self.context < 0:
            raise SpecError("margin, reach and context of the metric judge cannot be negative")
        if self._metric.needs_whole_set:
            raise SpecError(
                f"{self._metric.label} weighs words by the whole set of references, so it cannot compare two versions "
                "of one sentence: choose another metric"
            )

    @cached_property
    def _metric(self) -> Metric:
        return registry.metric(self.metric)

    @property
    def name(self) -> str:
        return f"metric:{self.metric}"

    @property
    def signature(self) -> str:
        where = "whole" if self.whole else f"context:{self.context}|reach:{self.reach:g}"
        return (
            f"difference of metric|margin:{self.margin:g}|{where}|{self._metric.signature(level='segment')}"
        )

    def rule(self, system: System, items: Sequence[Item], texts: Sequence[str]) -> list[Ruling]:
        hints = read_hints(items)
        cases = [
            _Case.of(self, item, wrong, text)
            for item, text in zip(items, texts, strict=True)
            if item.reference
            for wrong in hints[item.id].wrong
        ]
        compared = iter(_compare(self._metric, cases))
        found = []
        for item, text in zip(items, texts, strict=True):
            wrong = hints[item.id].wrong if item.reference else ()
            rulings = [self._ruling(case, scores) for _ in wrong for case, scores in [next(compared)]]
            if not item.reference:
                found.append(Ruling("unsure", "the item has no reference"))
            elif not rulings:
                found.append(Ruling("unsure", "the item has no 'wrong' versions"))
            elif not plain_typography(text):
                found.append(Ruling("unsure", "the output is empty"))
            else:
                found.append(_together(rulings))
        return found

    def _ruling(self, case: _Case, scores: NDArray[np.float64]) -> Ruling:
        import numpy as np

        n = len(case.runs)
        apart = float(scores[0] - scores[1])
        near, far = scores[2 : 2 + n], scores[2 + n :]
        if not n or not np.isfinite(near).any() or not np.isfinite(far).any():
            return Ruling("unsure", "the output has nothing to compare")
        if not apart > 0:
            return Ruling(
                "unsure", f"{self._metric.label} cannot tell the reference from a wrong version of it"
            )
        right, wrong = int(np.nanargmax(near)), int(np.nanargmax(far))
        if not self.whole and float(scores[0]) - max(near[right], far[wrong]) > self.reach * apart:
            return Ruling("unsure", "far from the reference and from its wrong versions")
        ours = self._shown("the reference", near[right], case.runs[right])
        theirs = self._shown("a wrong version", far[wrong], case.runs[wrong])
        share = float(near[right] - far[wrong]) / apart
        if abs(share) < self.margin or share == 0:
            return Ruling("unsure", f"about as near to {ours} as to {theirs}")
        if share > 0:
            return Ruling("yes", f"nearer to {ours} than to {theirs}")
        return Ruling("no", f"nearer to {theirs} than to {ours}")

    def _shown(self, what: str, score: float, run: str) -> str:
        metric = self._metric
        value = float(score) if metric.higher_is_better else 0.0 - float(score)
        part = "" if self.whole else f": {run}"
        return f"{what} ({metric.label} {value:.2f}{part})"


def _together(rulings: Sequence[Ruling]) -> Ruling:
    """No if one says no; yes if all say yes; otherwise the first doubt."""
    for call in ("no", "unsure"):
        for ruling in rulings:
            if ruling.call == call:
                return ruling
    return rulings[0]


@dataclass(frozen=True)
class _Case:
    """The place in question in the reference and in a wrong version, and the runs of the output to compare."""

    right: str
    wrong: str
    runs: tuple[str, ...]
    source: str

    @classmethod
    def of(cls, judge: MetricJudge, item: Item, wrong: str, output: str) -> _Case:
        plain = plain_typography(output)
        if judge.whole:
            return cls(
                plain_typography(item.reference),
                plain_typography(wrong),
                (plain,) if plain else (),
                item.source,
            )
        reference, spans = _plain_spans(item)
        ours, theirs = regions(reference, spans, plain_typography(wrong), judge.context)
        lengths = [len(ours.split()), len(theirs.split())]
        sizes = range(min(lengths), max(lengths) + 1)
        return cls(ours, theirs, tuple(windows(plain, sizes)), item.source)


def _plain_spans(item: Item) -> tuple[str, tuple[Span, ...]]:
    """The reference in plain typography, with its highlighted spans where these then are."""
    spans = []
    for start, end in item.reference_spans:
        first = len(plain_typography(item.reference[:start] + "x")) - 1
        spans.append((first, len(plain_typography(item.reference[:end] + "x")) - 1))
    return plain_typography(item.reference), tuple(spans)


def _compare(metric: Metric, cases: Sequence[_Case]) -> list[tuple[_Case, NDArray[np.float64]]]:
    """For each case the scores, higher being better: the reference with itself and with the wrong version; the runs
    with the reference; the runs with the wrong version. All are scored in one call."""
    import numpy as np

    hypotheses: list[str] = []
    references: list[str] = []
    sources: list[str] = []
    edges = [0]
    for case in cases:
        n = len(case.runs)
        hypotheses += [case.right, case.right, *case.runs, *case.runs]
        references += [case.right, case.wrong, *[case.right] * n, *[case.wrong] * n]
        sources += [case.source] * (2 + 2 * n)
        edges.append(len(hypotheses))
    if not hypotheses:
        return []
    rows = metric.statistics(hypotheses, [references], sources=sources)
    scores = metric.oriented(metric.score_rows(rows, "segment"))
    return list(zip(cases, np.split(scores, edges[1:-1]), strict=True))


def regions(reference: str, spans: Sequence[Span], wrong: str, context: int = 1) -> tuple[str, str]:
    """The part of the reference that is highlighted or differs from the wrong version, and its counterpart there,
    with some words of context on either side. Both texts are in plain typography, and spans count in the reference.

    >>> regions("Les appels de sa mère auraient dû nous alerter.", (), "Les appels de sa mère aurait dû nous alerter.")
    ('mère auraient dû', 'mère aurait dû')
    """
    placed = plain_words(reference)
    ours, theirs = [word for word, _ in placed], [word for word, _ in plain_words(wrong)]
    shorter = min(len(ours), len(theirs))
    same = [a.casefold() == b.casefold() for a, b in zip(ours, theirs, strict=False)]
    before = next((place for place, equal in enumerate(same) if not equal), shorter)
    behind = 0
    while behind < shorter - before and ours[-1 - behind].casefold() == theirs[-1 - behind].casefold():
        behind += 1
    places = [(start, start + len(word)) for word, start in placed]
    for start, end in spans:
        inside = [i for i, (first, last) in enumerate(places) if first < end and start < last]
        if inside:
            before, behind = min(before, inside[0]), min(behind, len(ours) - 1 - inside[-1])
    before, behind = max(0, before - context), max(0, behind - context)
    return " ".join(ours[before : len(ours) - behind]), " ".join(theirs[before : len(theirs) - behind])


def windows(text: str, sizes: Sequence[int]) -> Iterator[str]:
    """Runs of words of these lengths; the whole text if it is shorter.

    >>> list(windows("a b c", [2]))
    ['a b', 'b c']
    """
    found = [word for word, _ in plain_words(text)]
    for size in dict.fromkeys(min(size, len(found)) for size in sizes if size > 0):
        for start in range(len(found) - size + 1):
            if size:
                yield " ".join(found[start : start + size])
