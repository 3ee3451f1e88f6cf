"""Which buckets a comparison shows: by name, or what the test set offers."""

from __future__ import annotations

from collections.abc import Sequence

from tertium.comparison.groupings import Grouping, by_document, by_length, by_metadata, by_score_difference
from tertium.errors import InputError, did_you_mean
from tertium.measured import Measured

LENGTHS = ("source", "reference", "hypothesis")
NAMES = (*LENGTHS, "document", "difference")
MANY = 50  # documents: more are not shown unless asked for


def divided(
    measured: Measured,
    pairs: Sequence[tuple[str, str]],
    by: Sequence[str] | None,
    metadata: Sequence[str],
    tok: str,
) -> list[tuple[Grouping, bool]]:
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
    found: list[tuple[Grouping, bool]] = []
    for name in dict.fromkeys(by):
        if name in measured.testset.metadata:
            found.append((by_metadata(measured, name), True))
        elif name in LENGTHS:
            found.append((by_length(measured, name, tok=tok), True))
        elif name == "document":
            found.append((by_document(measured), True))
        elif name == "difference":
            found += [(by_score_difference(measured, measured.metrics[0], pair), False) for pair in pairs]
        else:
            known = [*NAMES, *measured.testset.metadata]
            raise InputError(f"segments cannot be divided by {name!r}{did_you_mean(name, known)}")
    return found
