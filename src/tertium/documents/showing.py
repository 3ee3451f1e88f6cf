"""Documents of two systems side by side, with what is drawn over them: what `tertium doc show` makes its page of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tertium.documents.layers import LAYERS, DocumentTexts, Drawn, Layer, Setting, TextName
from tertium.errors import InputError, SpecError, did_you_mean
from tertium.io.tables import Column, Table, Value, number_column
from tertium.measuring import Specs, measure
from tertium.results import Result, metric_facts, metric_labels
from tertium.testset import TestSet
from tertium.text import meteor
from tertium.text.parsers import parser as opened

MOST_SYSTEMS = 2
METRICS = ("doc:chrf",)


@dataclass(frozen=True)
class ShownDocuments(Result):
    """DocumentTexts side by side: the source where there is one, references, systems; layers over them; and scores."""

    kind = "documents shown"
    name: str
    documents: tuple[DocumentTexts, ...]
    layers: Mapping[str, Layer]
    drawn: Mapping[str, Sequence[Drawn]]  # by layer, for each document
    metrics: tuple[Any, ...]
    scores: Mapping[str, Mapping[str, Sequence[float]]]  # by label and system, for each document
    parser: str = ""
    source_parser: str = ""
    chains: str = "rules"
    languages: tuple[str, str] = ("other", "other")

    @property
    def names(self) -> tuple[TextName, ...]:
        return self.documents[0].names

    @property
    def systems(self) -> list[str]:
        return [name.name for name in self.names if name.role == "system"]

    def contents(self) -> Mapping[str, Any]:
        return {
            "name": self.name,
            "systems": self.systems,
            "texts": [name._asdict() for name in self.names],
            "layers": [
                {"name": name, "title": one.title, "sentence": one.sentence, "counting": one.counting}
                for name, one in self.layers.items()
            ],
            "parser": self.parser,
            "source_parser": self.source_parser,
            "chains": self.chains,
            "languages": self.languages,
            "metrics": metric_facts(self.metrics),
            "scores": self.scores,
            "documents": [self._document(d) for d in range(len(self.documents))],
        }

    def _document(self, d: int) -> dict[str, Any]:
        one = self.documents[d]
        return {
            "id": one.document,
            "texts": [{"text": own.text, "words": own.spans} for own in one.parsed],
            "layers": [
                {
                    "links": [list(link) for link in self.drawn[name][d].links],
                    "groups": [group._asdict() for group in self.drawn[name][d].groups],
                }
                for name in self.layers
            ],
        }

    def table(self) -> Table:
        """A row for each document: how long it is, and its scores."""
        labels = list(self.scores)
        columns = [Column("document"), number_column("segments"), number_column("words")]
        columns += [number_column(f"{label} {name}") for label in labels for name in self.systems]
        first = next(place for place, name in enumerate(self.names) if name.role == "reference")
        rows: list[tuple[Value, ...]] = []
        for d, one in enumerate(self.documents):
            text = one.parsed[first]
            values = [self.scores[label][name][d] for label in labels for name in self.systems]
            rows.append((one.document, text.text.count("\n") + 1, len(text), *values))
        return Table("", tuple(columns), tuple(rows))

    def words(self) -> Iterator[str]:
        if "alignment" in self.drawn:
            shares = (f"{name} {share:.1%}" for name, share in self._linked())
            yield f"Words with a counterpart in the reference: {', '.join(shares)}."
        if "chains" in self.drawn:
            chains, kept = self._kept()
            if chains:
                shares = (f"{name} {own}" for name, own in kept.items())
                yield f"Of the {chains} chains of the reference, these are chains again: {', '.join(shares)}."

        if "terms" in self.drawn:
            terms = sum(len(drawn.groups) for drawn in self.drawn["terms"])
            if terms:
                varied = (f"{name.name} {number}" for name, number in self._varied())
                yield f"Of {terms} terms that the source repeats, these have several translations: {', '.join(varied)}."

    def _varied(self) -> Iterator[tuple[TextName, int]]:
        for text, name in enumerate(self.names):
            if name.role != "source":
                yield (
                    name,
                    sum(
                        any(mark.text == text and mark.remark for mark in group.marks)
                        for drawn in self.drawn["terms"]
                        for group in drawn.groups
                    ),
                )

    def _linked(self) -> Iterator[tuple[str, float]]:
        first = next(place for place, name in enumerate(self.names) if name.role == "reference")
        for place, name in enumerate(self.names):
            if name.role == "system":
                linked = sum(
                    link.text == first and link.other_text == place
                    for drawn in self.drawn["alignment"]
                    for link in drawn.links
                )
                yield name.name, linked / max(1, sum(len(one.parsed[place]) for one in self.documents))

    def _kept(self) -> tuple[int, dict[str, int]]:
        """Chains of the first reference, and how many of them have two mentions or more in each system."""
        first = next(place for place, name in enumerate(self.names) if name.role == "reference")
        groups = [group for drawn in self.drawn["chains"] for group in drawn.groups]
        counts = [
            [sum(mark.text == t for mark in group.marks) for t in range(len(self.names))] for group in groups
        ]
        own = [count for count in counts if count[first] > 1]
        kept = {
            name.name: sum(count[t] > 1 for count in own)
            for t, name in enumerate(self.names)
            if name.role == "system"
        }
        return len(own), kept


def show_documents(
    testset: TestSet,
    *,
    systems: Sequence[str] = (),
    documents: Sequence[str] = (),
    layers: Sequence[str] = (),
    metrics: Specs = METRICS,
    parser: str = "",
    source_parser: str = "",
    chains: str = "rules",
    cohesion: str = "doc:cohesion",
    glossary: str = "",
    languages: tuple[str | None, str | None] = (None, None),
    threads: int = 1,
) -> ShownDocuments:
    """Documents side by side with their layers: those named, or all for which enough is known of the language. Without
    document ids a segment is a document.

    >>> found = show_documents(TestSet.sample(), systems=["literal", "strong"], languages=("de", "en"))
    >>> len(found.documents), [name.name for name in found.names]
    (8, ['source', 'reference 1', 'reference 2', 'literal', 'strong'])
    """
    chosen = [testset.name_of(name) for name in systems] or list(testset.systems)
    if not 0 < len(chosen) <= MOST_SYSTEMS:
        raise InputError(
            f"there are {len(chosen)} systems, and a page shows one or two side by side: "
            "name them with --systems"
        )
    texts = replace(testset, systems={name: testset.systems[name] for name in chosen})
    if texts.documents is None:
        texts = replace(texts, documents=tuple(str(i + 1) for i in range(len(texts))))
    texts = _with_documents(texts, documents)
    made = measure(texts, metrics, "document", threads=threads)
    used = made.metrics
    scores = {
        label: {name: list(one.score_rows(made.rows[name, one], "document")) for name in chosen}
        for label, one in zip(metric_labels(used), used, strict=True)
    }
    whole = texts.of_documents()
    known = tuple(_language(code) for code in languages)
    versions = list(_versions(whole))
    parsed = [
        opened(source_parser if name.role == "source" else parser).parse([line or "" for line in lines])
        for name, lines in versions
    ]
    shown = [
        DocumentTexts(document, tuple(name for name, _ in versions), tuple(own[d] for own in parsed))
        for d, document in enumerate(whole.documents or ())
    ]
    setting = Setting(shown, known[1], known[0], parser, source_parser, chains, cohesion, glossary, threads)
    drawn = {}
    for name in layers or LAYERS:
        try:
            drawn[name] = LAYERS[name].drawn(setting)
        except SpecError:
            if layers:
                raise
    return ShownDocuments(
        name=testset.name,
        documents=tuple(shown),
        layers={name: LAYERS[name] for name in drawn},
        drawn=drawn,
        metrics=tuple(used),
        scores=scores,
        parser=parser,
        source_parser=source_parser,
        chains=chains,
        languages=(known[0], known[1]),
    )


def _with_documents(testset: TestSet, wanted: Sequence[str]) -> TestSet:
    """Only the documents that are named."""
    if not wanted:
        return testset
    ids = testset.documents or ()
    for name in wanted:
        if name not in ids:
            raise InputError(f"there is no document {name!r}{did_you_mean(name, dict.fromkeys(ids))}")
    return testset.take([place for place, name in enumerate(ids) if name in wanted])


def _versions(testset: TestSet) -> Iterator[tuple[TextName, Any]]:
    if testset.sources is not None:
        yield TextName("source", "source"), testset.sources
    streams = testset.references.streams
    for number, lines in enumerate(streams, 1):
        several = f" {number}" if len(streams) > 1 else ""
        yield TextName("reference", f"reference{several}"), lines
    for name, lines in testset.systems.items():
        yield TextName("system", name), lines


def _language(code: str | None) -> str:
    """What the aligner knows of languages; of one it does not know, words count as they are."""
    return code if code in meteor.LANGUAGES or code in meteor.ALIASES else "other"
