"""Runs and relevance judgements in TREC's formats.

A run has a line for each retrieved document: `query Q0 document rank score tag`. Judgements (qrels) have a line for
each judged document: `query iteration document relevance`; above 0 is relevant. White space separates fields.

A run is ordered by its scores, and documents with equal scores by descending name; the rank column is ignored. This is
what trec_eval does, so that equal files give equal numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tertium.errors import InputError
from tertium.io.files import write_atomically
from tertium.io.records import bare_rows, numbered_lines, real_number
from tertium.io.streams import FilePath, display_name


@dataclass(frozen=True)
class Run:
    """What a system retrieved: for each query documents and scores, best first."""

    name: str
    queries: Mapping[str, tuple[tuple[str, float], ...]]

    def documents(self, query: str) -> tuple[str, ...]:
        """The documents of a query, best first; none where nothing was retrieved."""
        return tuple(document for document, _ in self.queries.get(query, ()))


@dataclass(frozen=True)
class Qrels:
    """What people judged: for each query the relevance of documents."""

    name: str
    queries: Mapping[str, Mapping[str, int]]

    def relevant(self, query: str) -> dict[str, int]:
        """The relevant documents of a query."""
        return {document: gain for document, gain in self.queries.get(query, {}).items() if gain > 0}


def ranked(documents: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    """Documents by descending score, equal ones by descending name.

    >>> ranked({"a": 1.0, "b": 2.0, "c": 1.0})
    (('b', 2.0), ('c', 1.0), ('a', 1.0))
    """
    by_name = sorted(documents.items(), reverse=True)
    return tuple(sorted(by_name, key=lambda pair: -pair[1]))


def read_run(path: FilePath) -> Run:
    """Read a run; files may be packed.

    >>> path = written("bm25.run", "q1 Q0 d2 1 0.5 bm25\\nq1 Q0 d1 2 0.9 bm25\\n")
    >>> read_run(path).documents("q1")
    ('d1', 'd2')
    """
    found: dict[str, dict[str, float]] = {}
    for where, fields in _lines(path, 6, "query Q0 document rank score tag"):
        query, _, document, _, text, _ = fields
        documents = found.setdefault(query, {})
        if document in documents:
            raise InputError(f"{where}: document {document!r} is retrieved twice for query {query!r}")
        documents[document] = real_number(text, "score", where)
    return Run(display_name(path), {query: ranked(documents) for query, documents in found.items()})


def read_qrels(path: FilePath) -> Qrels:
    """Read relevance judgements; files may be packed.

    >>> read_qrels(written("qrels", "q1 0 d1 2\\nq1 0 d2 0\\n")).relevant("q1")
    {'d1': 2}
    """
    found: dict[str, dict[str, int]] = {}
    for where, fields in _lines(path, 4, "query iteration document relevance"):
        query, _, document, text = fields
        documents = found.setdefault(query, {})
        if document in documents:
            raise InputError(f"{where}: document {document!r} is judged twice for query {query!r}")
        try:
            documents[document] = int(text)
        except ValueError:
            raise InputError(f"{where}: the relevance {text!r} is not a whole number") from None
    return Qrels(display_name(path), found)


def read_queries(path: FilePath) -> dict[str, str]:
    """Read queries: the query's name, a tab, its words.

    >>> read_queries(written("queries.tsv", "q1\\tfloods in Poland\\n"))
    {'q1': 'floods in Poland'}
    """
    found: dict[str, str] = {}
    for row in bare_rows(path, "query", "words"):
        query, words = row.named("query", "words")
        if query in found:
            raise InputError(f"{row.where}: there are two queries {query!r}")
        found[query] = words
    if not found:
        raise InputError(f"{display_name(path)}: there are no queries in this file")
    return found


def write_run(path: FilePath, run: Run) -> None:
    """Write a run, ranks from 1; scores with all their digits."""
    with write_atomically(path) as file:
        for query, documents in run.queries.items():
            for rank, (document, score) in enumerate(documents, 1):
                for name in (query, document, run.name):
                    if not name or name.split() != [name]:
                        raise InputError(
                            f"{name!r} cannot be used in a run: white space separates its fields"
                        )
                file.write(f"{query} Q0 {document} {rank} {score!r} {run.name}\n")


def _lines(path: FilePath, number: int, shape: str) -> Iterator[tuple[str, list[str]]]:
    for where, line in numbered_lines(path):
        fields = line.split()
        if len(fields) != number:
            raise InputError(f"{where} has {len(fields)} of {number} fields: {shape}")
        yield where, fields
