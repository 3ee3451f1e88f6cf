"""Which buckets a comparison shows: by name, or what the test set offers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tertium.comparison.groupings import Grouping, by_document, by_length, by_metadata, by_score_difference
from tertium.errors import InputError, did_you_mean
from tertium.measured import Measured

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

    By default length (of the source, if it is there), document and metadata. Buckets by score difference are made from
    what they would test, so nothing is tested in them.

    >>> from tertium import TestSet, measure
    >>> measured = measure(TestSet.sample(), "chrf")
    >>> [grouping.by for grouping, _ in divided(measured, [], None, [], "13a")]
    ['source length (13a tokens)', 'document']
    """
    documents = measured.testset.documents
    if by is None:
        by = [measured.word_weights(tok)[1]]
        by += ["document"] if documents is not None and 1 < len(set(documents)) <= MANY else []
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
