"""Chains of mentions against others: of a resolver against people, or of a translation against its reference."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tertium.errors import InputError, did_you_mean
from tertium.io.coreference import CoreferenceDocument, read_chains
from tertium.io.tables import Column, Table, Value, number_column
from tertium.results import Result
from tertium.stats import coreference
from tertium.stats.coreference import MEASURES, Agreement, Blanc

LABELS = {
    "muc": "MUC",
    "b-cubed": "B-cubed",
    "ceaf-m": "CEAF (mentions)",
    "ceaf-e": "CEAF (entities)",
    "lea": "LEA",
    "blanc": "BLANC",
}
CONLL = ("muc", "b-cubed", "ceaf-e")  # whose mean ranked systems at CoNLL


@dataclass(frozen=True)
class CoreferenceScores(Result):
    """Recall, precision and F1 by every measure, over all documents and in each."""

    kind = "coreference scores"
    documents: tuple[str, ...]
    mentions: Agreement
    measures: Mapping[str, Agreement | Blanc]  # of all documents
    by_document: Mapping[str, Mapping[str, float]]  # F1

    @property
    def conll(self) -> float:
        """The mean F1 of MUC, B-cubed and CEAF over entities, as at CoNLL."""
        return sum(self.measures[name].f1 for name in CONLL) / len(CONLL)

    def contents(self) -> Mapping[str, Any]:
        return {
            "documents": len(self.documents),
            "mentions": _values(self.mentions),
            "measures": {name: _values(own) for name, own in self.measures.items()},
            "conll": self.conll,
            "by_document": self.by_document,
        }

    def table(self) -> Table:
        """A row for each measure, in percent."""
        rows: list[tuple[Value, ...]] = [("mentions", *_percent(self.mentions))]
        rows += [(LABELS[name], *_percent(own)) for name, own in self.measures.items()]
        columns = (
            Column("measure"),
            number_column("recall"),
            number_column("precision"),
            number_column("F1"),
        )
        return Table("", columns, tuple(rows))

    def words(self) -> Iterator[str]:
        number = len(self.documents)
        yield f"CoNLL score (mean of MUC, B-cubed and CEAF over entities): {100 * self.conll:.2f}, {number} documents"


def _values(own: Agreement | Blanc) -> dict[str, float]:
    sides = (own.recall, own.precision)
    recall, precision = (side if isinstance(side, float) else side.value for side in sides)
    return {"recall": recall, "precision": precision, "f1": own.f1}


def _percent(own: Agreement | Blanc) -> list[float]:
    return [100 * value for value in _values(own).values()]


def score_coreference(
    key: Mapping[str, CoreferenceDocument], response: Mapping[str, CoreferenceDocument]
) -> CoreferenceScores:
    """Chains against others, document by document. Both sides must have the same documents, of as many tokens.

    >>> key = {"d": CoreferenceDocument("d", 9, {"1": ((0, 1), (3,)), "2": ((5,),)})}
    >>> response = {"d": CoreferenceDocument("d", 9, {"7": ((0, 1), (3,), (5,))})}
    >>> found = score_coreference(key, response)
    >>> round(found.measures["b-cubed"].f1, 4), round(found.conll, 4)
    (0.7143, 0.6381)
    """
    for name in (*key, *response):
        for side, documents in (("key", key), ("response", response)):
            if name not in documents:
                raise InputError(f"the {side} has no document {name}{did_you_mean(name, list(documents))}")
        if key[name].tokens != response[name].tokens:
            raise InputError(
                f"document {name} has {key[name].tokens} tokens in the key and {response[name].tokens} in the "
                "response: these are not chains in the same text"
            )
    mentions: Agreement | None = None
    totals: dict[str, Agreement | Blanc] = {}
    by_document: dict[str, dict[str, float]] = {}
    for name in key:
        sides = list(key[name].chains.values()), list(response[name].chains.values())
        own = coreference.mentions(*sides)
        mentions = own if mentions is None else mentions.plus(own)
        found = {measure: scored(*sides) for measure, scored in MEASURES.items()}
        by_document[name] = {measure: one.f1 for measure, one in found.items()}
        for measure, one in found.items():
            totals[measure] = one if measure not in totals else totals[measure].plus(one)  # type: ignore[arg-type]
    if mentions is None:
        raise InputError("there is no document to score")
    return CoreferenceScores(tuple(key), mentions, totals, by_document)


def score_coreference_files(
    key: str | os.PathLike[str], response: str | os.PathLike[str]
) -> CoreferenceScores:
    """Chains in two files, each in CoNLL's format or CorefUD's."""
    return score_coreference(read_chains(key), read_chains(response))
