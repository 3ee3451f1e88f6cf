"""Chains of mentions against others: of a resolver against people, or of a translation against its reference."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tertium.errors import InputError, did_you_mean
from tertium.io.coreference import CoreferenceDocument, Mention, read_chains
from tertium.io.records import text_lines
from tertium.io.tables import Column, Table, Value, number_column
from tertium.results import Result
from tertium.stats import coreference
from tertium.stats.coreference import MEASURES, Agreement, Blanc
from tertium.text.coreference import Resolved, resolver
from tertium.text.parsers import parser as open_parser

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
                begins = (response if documents is key else key)[name].where
                has = f", which begins at {begins}" if begins else ""
                raise InputError(
                    f"{_file(documents) or f'the {side}'}: has no document {name}{has}"
                    f"{did_you_mean(name, list(documents))}"
                )
        sizes = [
            f"{one.tokens} tokens in the {side}{f' ({one.where})' if one.where else ''}"
            for side, one in (("key", key[name]), ("response", response[name]))
        ]
        if key[name].tokens != response[name].tokens:
            raise InputError(
                f"document {name} has {' and '.join(sizes)}: these are not chains in the same text"
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


def _file(documents: Mapping[str, CoreferenceDocument]) -> str:
    """The file that documents come from, if any."""
    return next((one.where.rpartition(": line")[0] for one in documents.values()), "")


def score_coreference_files(
    key: str | os.PathLike[str], response: str | os.PathLike[str]
) -> CoreferenceScores:
    """Chains in two files, each in CoNLL's format or CorefUD's."""
    return score_coreference(read_chains(key), read_chains(response))


def score_resolver(
    key: str | os.PathLike[str], chains: str = "rules", parser: str = "", *, singletons: bool = True
) -> CoreferenceScores:
    """What a source of chains finds in the texts of a file, against the chains there.

    Parses are those of the file if it is CorefUD's (gold, then), or come from another parser. Without `singletons`
    what is mentioned once counts on neither side.
    """
    documents = read_chains(key)
    path = os.fspath(key)
    opened = open_parser(parser or (f"conllu:{path}" if _has_parses(path) else ""))
    source = resolver(chains)
    found: dict[str, CoreferenceDocument] = {}
    for name, document in documents.items():
        if document.tokens and not document.text:
            raise InputError(f"{path}: document {name} has no words, only brackets: nothing can be resolved")
        text, places = _spaced(document)
        [resolved] = source.resolve(opened.parse([text]))
        found[name] = replace(document, chains=_on_tokens(resolved, places))
    if not singletons:
        documents, found = (
            {name: _repeated(one) for name, one in side.items()} for side in (documents, found)
        )
    return score_coreference(documents, found)


def _has_parses(path: str) -> bool:
    """Whether a file is CoNLL-U: ten columns, the first a number."""
    for _, line in text_lines(path):
        if line.strip() and not line.startswith("#"):
            return line.count("\t") == 9 and line[:1].isdecimal()
    return False


def _spaced(document: CoreferenceDocument) -> tuple[str, list[int]]:
    """The words of a document between blanks, and for each character its token; -1 for a blank."""
    text: list[str] = []
    places: list[int] = []
    end = 0
    for token, (begin, after) in enumerate(document.spans):
        if after > begin >= end:
            text += [document.text[begin:after], " "]
            places += [*[token] * (after - begin), -1]
            end = after
    return "".join(text[:-1]), places[:-1]


def _on_tokens(resolved: Resolved, places: Sequence[int]) -> dict[str, tuple[Mention, ...]]:
    spans = resolved.parsed.spans
    found = {}
    for number, chain in enumerate(resolved.chains, 1):
        mentions = (
            tuple(sorted({places[i] for word in one for i in range(*spans[word])} - {-1})) for one in chain
        )
        found[str(number)] = tuple(dict.fromkeys(one for one in mentions if one))
    return found


def _repeated(document: CoreferenceDocument) -> CoreferenceDocument:
    return replace(document, chains={name: own for name, own in document.chains.items() if len(own) > 1})
