"""Term consistency of systems, and the terms that they translate in more than one way, with the places."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tertium.errors import InputError
from tertium.families.terms import Terms, counts
from tertium.io.escaping import one_line
from tertium.io.tables import Column, Table, Value, number_column
from tertium.results import Result
from tertium.testset import TestSet
from tertium.text.term_choices import TermUse
from tertium.text.units import numbered

SHOWN = 20  # terms of a system
_REFERENCE = "reference"
Choices = tuple[tuple[str, tuple[int, ...]], ...]  # a translation and its segments, counted from 1


@dataclass(frozen=True)
class VariedTerm:
    """A term with several translations: the document, what was chosen where, and what the reference chose."""

    document: str
    term: str
    choices: Choices
    reference: Choices = ()
    listed: tuple[str, ...] = ()

    @property
    def needless(self) -> bool:
        """Whether the reference keeps to one translation (or, without one, whether a glossary does)."""
        return len(self.reference) == 1 or len(self.listed) == 1

    def rank(self) -> tuple[bool, int]:
        """What is shown first: what the reference does better, and what occurs most often."""
        return not self.needless, -sum(len(segments) for _, segments in self.choices)

    @property
    def first(self) -> int:
        """The first segment."""
        return min((segments[0] for _, segments in self.choices), default=0)


@dataclass(frozen=True)
class SystemTerms:
    """What was counted of a system."""

    system: str
    pairs: int
    same: int
    terms: int  # translated at least twice
    consistent: int
    occurrences: int
    translated: int
    listed: int
    varied: tuple[VariedTerm, ...]
    against: tuple[VariedTerm, ...] = ()  # a glossary: terms that are not translated as listed

    @property
    def consistency(self) -> float | None:
        return 100 * self.same / self.pairs if self.pairs else None

    @property
    def as_listed(self) -> float | None:
        return 100 * self.listed / self.occurrences if self.occurrences else None


@dataclass(frozen=True)
class TermConsistency(Result):
    """Systems, references first, and their terms with several translations."""

    kind = "term consistency"
    documents: int
    segments: int
    terms: int
    glossary: str
    systems: tuple[SystemTerms, ...]
    references: int = 0  # the first so many of the systems
    shown: int = SHOWN  # terms of each system that are printed; 0: all

    def __getitem__(self, system: str) -> SystemTerms:
        return next(own for own in self.systems if own.system == system)

    def contents(self) -> Mapping[str, Any]:
        return {
            "documents": self.documents,
            "segments": self.segments,
            "terms": self.terms,
            "glossary": self.glossary or None,
            "systems": [
                {
                    "system": own.system,
                    "consistency": own.consistency,
                    "as_listed": own.as_listed if self.glossary else None,
                    "pairs": own.pairs,
                    "same": own.same,
                    "terms": own.terms,
                    "consistent": own.consistent,
                    "occurrences": own.occurrences,
                    "translated": own.translated,
                    "varied": [_data(one) for one in own.varied],
                    **({"not_as_listed": [_data(one) for one in own.against]} if self.glossary else {}),
                }
                for own in self.systems
            ],
        }

    def table(self) -> Table:
        """A row for each system."""
        columns = [
            Column("system"),
            number_column("consistency", digits=1),
            number_column("terms"),
            number_column("varied"),
            number_column("occurrences"),
            number_column("found"),
            *([number_column("as listed", digits=1)] if self.glossary else []),
        ]
        rows: list[tuple[Value, ...]] = [
            (
                own.system,
                own.consistency,
                own.terms,
                own.terms - own.consistent,
                own.occurrences,
                own.translated,
                *([own.as_listed] if self.glossary else []),
            )
            for own in self.systems
        ]
        return Table("Term consistency", tuple(columns), tuple(rows))

    def words(self) -> Iterator[str]:
        what = "terms of the glossary" if self.glossary else "repeated terms"
        yield f"{self.segments} segments in {self.documents} documents have {self.terms} {what}."
        yield "consistency: pairs of occurrences with the same translation; terms: translated"
        yield "twice or more; found: occurrences whose translation was found."

    def text(self, *, terminal: bool | None = None, width: int | None = None) -> str:
        """The table, and below it the terms of each system with their segments."""
        parts = [self.table().text(terminal=terminal, width=width), "\n".join(self.words())]
        for own in (*self.systems[self.references :], *self.systems[: self.references]):
            several = "term has" if len(own.varied) == 1 else "terms have"
            parts += _block(
                f"{own.system}: {len(own.varied)} {several} several translations",
                own.varied,
                self.shown,
                width,
            )
            if own.against:
                number = "term is" if len(own.against) == 1 else "terms are"
                parts += _block(
                    f"{own.system}: {len(own.against)} {number} not translated as listed",
                    own.against,
                    self.shown,
                    width,
                )
        return "\n\n".join(parts)

    def records(self) -> list[dict[str, Any]]:
        return self.table().records()


def _block(head: str, terms: Sequence[VariedTerm], shown: int, width: int | None) -> Iterator[str]:
    """Terms with their translations, one below the other."""
    if not terms:
        return
    lines = [head]
    document = ""
    chosen = sorted(terms, key=VariedTerm.rank)[: shown or None]
    for one in sorted(chosen, key=lambda one: (not one.needless, one.first)):
        mark = "" if one.needless or not one.reference else " (the reference varies, too)"
        lines += [f"  {one_line(one.document)}"] if one.document != document else []
        document = one.document
        lines += _wrapped(f"    {one_line(one.term)}: ", _told(one.choices) + mark, width)
        if one.listed:
            lines += _wrapped("      listed: ", " | ".join(map(one_line, one.listed)), width)
        if one.reference and one.needless:
            lines += _wrapped(f"      {_REFERENCE}: ", _told(one.reference), width)
    if len(terms) > len(chosen):
        lines.append(f"  and {len(terms) - len(chosen)} more (--most 0 shows all)")
    yield "\n".join(lines)


def _told(choices: Choices) -> str:
    if not choices:
        return "not found"
    return ", ".join(f"{one_line(text)} ({', '.join(map(str, segments))})" for text, segments in choices)


def _wrapped(head: str, text: str, width: int | None) -> list[str]:
    return textwrap.wrap(
        text, width or 80, initial_indent=head, subsequent_indent="        ", break_on_hyphens=False
    )


def _data(one: VariedTerm) -> dict[str, Any]:
    return {
        "document": one.document,
        "term": one.term,
        "choices": _chosen(one.choices),
        "reference": _chosen(one.reference),
        **({"listed": list(one.listed)} if one.listed else {}),
    }


def _chosen(choices: Choices) -> list[dict[str, Any]]:
    return [{"translation": text, "segments": list(segments)} for text, segments in choices]


def term_consistency(testset: TestSet, metric: Terms | None = None, *, shown: int = SHOWN) -> TermConsistency:
    """Term consistency of all systems of a test set and of its references, and the terms that vary.

    Which links are credible is learnt from all of them, so that numbers may differ a little from those of the metric
    `doc:terms`, which sees one system.

    >>> import tertium as tt
    >>> found = term_consistency(tt.TestSet.sample(), Terms(lang="en", source_lang="de"))
    >>> [own.system for own in found.systems]
    ['reference 1', 'reference 2', 'literal', 'smooth', 'strong']
    """
    metric = metric or Terms()
    if testset.sources is None:
        raise InputError("terms are terms of the source: name the source texts (--source FILE)")
    if testset.documents is None:
        raise InputError(
            "terms are looked for in documents: give a document id for each segment (--documents FILE), or say what a "
            "document is (--units blank, --units words:180)"
        )
    groups = numbered(testset.documents)
    names = list(dict.fromkeys(testset.documents))
    places: list[list[int]] = [[] for _ in names]
    for i, group in enumerate(groups):
        places[group].append(i)

    def documents(lines: Sequence[str | None]) -> list[list[str]]:
        return [[lines[i] or "" for i in own] for own in places]

    streams = testset.references.streams
    several = len(streams) > 1
    texts = {f"{_REFERENCE}{f' {n}' if several else ''}": list(own) for n, own in enumerate(streams, 1)}
    texts |= {name: list(lines) for name, lines in testset.systems.items()}
    sources = metric.parsed_sources(documents(list(testset.sources)))
    terms = metric.terms(sources)
    found = metric.uses(terms, sources, [documents(own) for own in texts.values()])
    first = found[0] if streams else None
    systems = []
    for number, (name, uses) in enumerate(zip(texts, found, strict=True)):
        ceiling = first if number >= len(streams) else None
        systems.append(_system(name, uses, ceiling, names, places))
    return TermConsistency(
        len(names), len(testset), sum(map(len, terms)), metric.glossary, tuple(systems), len(streams), shown
    )


def _system(
    name: str,
    uses: Sequence[Sequence[TermUse]],
    ceiling: Sequence[Sequence[TermUse]] | None,
    names: Sequence[str],
    places: Sequence[Sequence[int]],
) -> SystemTerms:
    pairs, same, terms, consistent, occurrences, translated, as_listed = (
        sum(column) for column in zip(*map(counts, uses), strict=True)
    )
    varied, against = [], []
    for number, (document, own) in enumerate(zip(names, places, strict=True)):
        for k, use in enumerate(uses[number]):
            other = ceiling[number][k] if ceiling is not None else None
            listed = use.term.listed
            one = VariedTerm(
                document, use.term.text, _choices(use, own), _choices(other, own) if other else (), listed
            )
            if not use.consistent:
                varied.append(one)
            elif listed and not all(choice.listed for choice in use.choices):
                against.append(one)
    return SystemTerms(
        name,
        pairs,
        same,
        terms,
        consistent,
        occurrences,
        translated,
        as_listed,
        tuple(varied),
        tuple(against),
    )


def _choices(use: TermUse, places: Sequence[int]) -> Choices:
    return tuple(
        (choice.text, tuple(places[segment] + 1 for segment in use.segments(choice)))
        for choice in use.choices
    )
