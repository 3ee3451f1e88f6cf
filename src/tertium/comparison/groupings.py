"""Ways to divide the segments of a test set: by length, document, metadata, score difference, rarity of words;
and those that a comparison shows."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tertium._native import Lines
from tertium.errors import InputError, did_you_mean
from tertium.families.base import Metric
from tertium.io.files import LineReader
from tertium.measured import Measured
from tertium.text.segments import Texts, as_lines
from tertium.text.tokenizers import tokenize

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LENGTHS = (8, 25)  # first lengths of medium and long segments: 1-7, 8-24, 25+ (Simard 2019)
FREQUENCIES = (1, 2, 5, 10, 100, 1000)
DIFFERENCES = (1.0, 5.0, 20.0)  # points of a score


@dataclass(frozen=True, eq=False)
class Grouping:
    """Buckets by name, and the bucket of each segment (-1: in none)."""

    by: str
    labels: tuple[str, ...]
    groups: NDArray[np.int64]


def by_length(
    measured: Measured, side: str = "source", starts: Sequence[int] = LENGTHS, *, tok: str = "13a"
) -> Grouping:
    """By tokens of the "source", the "reference", the "hypothesis" (mean over all systems), or one system's output.

    `starts` are the first lengths of all buckets but the first, which begins at 1; empty texts have their own.

    >>> from tertium import TestSet, measure
    >>> found = by_length(measure(TestSet.sample(), "bleu"), starts=[10, 20])
    >>> found.labels, [int((found.groups == g).sum()) for g in range(3)]
    (('1-9', '10-19', '20+'), [8, 46, 15])
    """
    import numpy as np

    if side == "hypothesis":
        all_lengths = [measured.lengths(name, tok) for name in measured.systems]
        lengths = np.rint(np.mean(all_lengths, axis=0)).astype(np.int64)
        side = "hypothesis" if len(measured.systems) == 1 else "mean hypothesis"
    else:
        lengths = measured.lengths(side, tok)
    return _ranges(f"{side} length ({tok} tokens)", lengths, [1, *starts])


def by_document(measured: Measured) -> Grouping:
    """By the document each segment belongs to."""
    if measured.testset.documents is None:
        raise InputError("buckets by document need document ids: give one for each segment")
    return by_labels("document", measured.testset.documents)


def by_metadata(measured: Measured, column: str) -> Grouping:
    """By a column of metadata; empty fields make up their own bucket."""
    known = measured.testset.metadata
    if column not in known:
        raise InputError(f"there is no metadata column {column!r}{did_you_mean(column, known)}")
    return by_labels(column, known[column])


def by_labels(by: str, values: Iterable[Any]) -> Grouping:
    """By any value for each segment, in the order of first appearance.

    >>> by_labels("domain", ["news", "law", "news"]).groups.tolist()
    [0, 1, 0]
    """
    import numpy as np

    numbers: dict[str, int] = {}
    groups = [numbers.setdefault(str(value), len(numbers)) for value in values]
    labels = tuple(name or "(empty)" for name in numbers)
    return Grouping(by, labels, np.array(groups, dtype=np.int64))


def by_score_difference(
    measured: Measured,
    metric: str | Metric,
    systems: Sequence[str] | None = None,
    steps: Sequence[float] = DIFFERENCES,
) -> Grouping:
    """By how many points of a metric the first of two systems is better on the segment than the second.

    Segments where one has no score are left out.

    >>> from tertium import TestSet, measure
    >>> measured = measure(TestSet.sample(), "chrf", systems=["smooth", "literal"])
    >>> by_score_difference(measured, "chrf", steps=[10]).labels
    ('literal by 10 or more', 'literal by up to 10', 'equal', 'smooth by up to 10', 'smooth by 10 or more')
    """
    import numpy as np

    chosen, (a, b) = measured.metric(metric), measured.pair(systems)
    ordered = sorted(float(step) for step in steps)
    if not ordered or ordered[0] <= 0:
        raise InputError("steps of a score difference must be above 0")
    sign = 1 if chosen.higher_is_better else -1
    gap = sign * (measured.segment_scores(a, chosen) - measured.segment_scores(b, chosen))
    up = [f"by up to {ordered[0]:g}"]
    up += [f"by {low:g} to {high:g}" for low, high in pairwise(ordered)]
    up.append(f"by {ordered[-1]:g} or more")
    labels = [*(f"{b} {step}" for step in reversed(up)), "equal", *(f"{a} {step}" for step in up)]
    size = np.searchsorted(ordered, np.abs(np.nan_to_num(gap)), side="right") + 1
    groups = np.where(np.abs(gap) <= 1e-9, 0, np.sign(np.nan_to_num(gap)) * size) + len(up)
    groups = np.where(np.isnan(gap), -1, groups).astype(np.int64)
    return Grouping(f"difference in {chosen.label}", tuple(labels), groups)


def by_rarest_word(
    measured: Measured,
    training: Mapping[str, int],
    side: str = "source",
    starts: Sequence[int] = FREQUENCIES,
    *,
    tok: str = "13a",
) -> Grouping:
    """By the training frequency of the rarest token of each segment, in the language of the training corpus.

    >>> from tertium import TestSet, measure
    >>> ts = TestSet.of(["a b", "a c"], {"A": ["a", "c"]})
    >>> by_rarest_word(measure(ts, "bleu"), {"a": 9, "b": 3}, "reference", tok="none").labels
    ('0', '2-4')
    """
    import numpy as np

    texts = measured.testset.references.first if side == "reference" else measured.testset.sources
    if side not in ("source", "reference") or texts is None:
        raise InputError(
            f"rare words are counted in the source or the reference, but there is no {side!r} here"
        )
    tokens = tokenize([texts[i] or "" for i in range(len(texts))], tok)
    rarest = [min((training.get(word, 0) for word in words), default=-1) for words in tokens]
    return _ranges(
        f"training frequency of the rarest {side} word", np.array(rarest, dtype=np.int64), [0, *starts]
    )


def training_counts(training: str | os.PathLike[str] | Texts, tok: str = "13a") -> dict[str, int]:
    """How often each token occurs in a training corpus: a file of any size, or texts.

    >>> training_counts(["a b a"], tok="none")
    {'a': 2, 'b': 1}
    """
    from tertium.families.macrof import MacroF

    metric = MacroF(tok=tok)
    total: Any = None
    for batch in _batches(training):
        rows = metric.statistics(batch, Lines([""] * len(batch))).total()
        total = rows if total is None else total + rows
    if total is None:
        return {}
    names = total.types
    _, types, counts = total.entries
    return {names[t]: int(c[0]) for t, c in zip(types.tolist(), counts, strict=True)}


def _batches(training: Any) -> Iterator[Lines]:
    if isinstance(training, str | os.PathLike):
        with LineReader(training) as reader:
            yield from reader
    else:
        yield as_lines(training, "training corpus")


def frequency_ranges(starts: Sequence[int]) -> list[str]:
    """Names of ranges that begin at these numbers.

    >>> frequency_ranges([0, 1, 5, 10])
    ['0', '1-4', '5-9', '10+']
    """
    ends = [*(start - 1 for start in starts[1:]), None]
    return [
        f"{start}+" if end is None else str(start) if start == end else f"{start}-{end}"
        for start, end in zip(starts, ends, strict=True)
    ]


def _ranges(by: str, values: NDArray[np.int64], starts: Sequence[int]) -> Grouping:
    """Buckets of consecutive numbers; those without a segment are left out, smaller ones than the first are "empty"."""
    import numpy as np

    if list(starts) != sorted(set(starts)):
        raise InputError(f"buckets must begin at increasing numbers, not at {', '.join(map(str, starts))}")
    places = np.searchsorted(np.asarray(starts), values, side="right")
    labels = ["empty", *frequency_ranges(starts)]
    used = [int(place) for place in np.unique(places)]
    number = np.full(len(labels), -1, dtype=np.int64)
    number[used] = np.arange(len(used))
    return Grouping(by, tuple(labels[place] for place in used), number[places])


Pairs = Sequence[tuple[str, str]]
Divisions = list[tuple[Grouping, bool]]


def _by_length(side: str) -> Callable[[Measured, Pairs, str], Divisions]:
    return lambda measured, _pairs, tok: [(by_length(measured, side, tok=tok), True)]


NAMED: dict[str, Callable[[Measured, Pairs, str], Divisions]] = {
    **{side: _by_length(side) for side in ("source", "reference", "hypothesis")},
    "document": lambda measured, _pairs, _tok: [(by_document(measured), True)],
    "difference": lambda measured, pairs, _tok: [
        (by_score_difference(measured, measured.metrics[0], pair), False) for pair in pairs
    ],
}
MANY = 50  # documents: more are not shown unless asked for


def divided(
    measured: Measured,
    pairs: Pairs,
    by: Sequence[str] | None,
    metadata: Sequence[str],
    tok: str,
) -> Divisions:
    """Groupings, and whether differences within their buckets may be tested.

    By default length of the reference (of the source, where there are no references), document and metadata. Buckets
    by score difference are made from what they would test, so nothing is tested in them.

    >>> from tertium import TestSet, measure
    >>> measured = measure(TestSet.sample(), "chrf")
    >>> [grouping.by for grouping, _ in divided(measured, [], None, [], "13a")]
    ['reference length (13a tokens)', 'document']
    """
    documents = measured.testset.documents
    if by is None:
        by = [measured.length_side]
        n_documents = len(set(documents or ()))
        by += ["document"] if 1 < n_documents <= MANY and n_documents < len(measured) else []
        by += metadata
    found: Divisions = []
    for name in dict.fromkeys(by):
        if name in measured.testset.metadata:
            found.append((by_metadata(measured, name), True))
        elif name in NAMED:
            found += NAMED[name](measured, pairs, tok)
        else:
            known = [*NAMED, *measured.testset.metadata]
            raise InputError(f"segments cannot be divided by {name!r}{did_you_mean(name, known)}")
    return found
