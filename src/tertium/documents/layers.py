"""What can be drawn over texts side by side: layers by name, each made of links between words and groups of words.

A layer takes all documents at once and gives, for each, links (two words of two texts, or of one) and groups (words of
several texts that belong together: a chain of mentions, a term). Packages add theirs under `tertium.layers`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from tertium.registry import Registry
from tertium.text import crosslinks
from tertium.text.alignment import Aligner, Links
from tertium.text.parses import Parsed

ROLES = ("source", "reference", "system")


class TextName(NamedTuple):
    """What a text is: the source, a reference, or the output of a system."""

    role: str
    name: str


@dataclass(frozen=True)
class DocumentTexts:
    """One document in all its versions; `names` are the same for all documents."""

    document: str
    names: tuple[TextName, ...]
    parsed: tuple[Parsed, ...]

    def places(self, role: str) -> list[int]:
        return [place for place, name in enumerate(self.names) if name.role == role]


class Link(NamedTuple):
    """Two words that belong together; `strength` is 1 for what is equal."""

    text: int
    word: int
    other_text: int
    other_word: int
    strength: float = 1.0


class Mark(NamedTuple):
    """Words of one text, which need not stand together, and what is to say about them."""

    text: int
    words: tuple[int, ...]
    remark: str = ""


class MarkedGroup(NamedTuple):
    """Marks that belong together, in several texts."""

    label: str
    marks: tuple[Mark, ...]
    remark: str = ""


@dataclass(frozen=True)
class Drawn:
    """A layer of one document."""

    links: tuple[Link, ...] = ()
    groups: tuple[MarkedGroup, ...] = ()


@dataclass(frozen=True)
class Setting:
    """How layers are made: languages, parsers, where chains and similarities come from; and what several layers need,
    made once."""

    documents: Sequence[DocumentTexts]
    lang: str = "other"
    source_lang: str = "other"
    parser: str = ""
    source_parser: str = ""
    chains: str = "rules"
    cohesion: str = "doc:cohesion"
    glossary: str = ""
    threads: int = 1
    _links: dict[tuple[int, int], list[Links]] = field(default_factory=dict, repr=False)

    def links(self, text: int, other: int) -> list[Links]:
        """Links between words of two texts of each document."""
        if (text, other) not in self._links:
            names = self.documents[0].names
            foreign = "source" in (names[text].role, names[other].role)
            made = self._across(text, other) if foreign else self._within(text, other)
            self._links[text, other] = made
        return self._links[text, other]

    def _within(self, text: int, other: int) -> list[Links]:
        """One language: by form and stem, whatever the sentences."""
        mine, theirs = ([one.parsed[place].words for one in self.documents] for place in (text, other))
        return Aligner(lang=self.lang).align_many(mine, theirs, self.threads)

    def _across(self, text: int, other: int) -> list[Links]:
        """Two languages: by a small statistical model, learnt from these texts, line by line."""
        turned = self.documents[0].names[other].role == "source"
        target = text if turned else other
        found = self._to_source[target]
        return [tuple(sorted((j, i) for i, j in own)) for own in found] if turned else found

    @cached_property
    def _to_source(self) -> dict[int, list[Links]]:
        [source] = self.documents[0].places("source")
        targets = [place for place in range(len(self.documents[0].names)) if place != source]
        pairs: list[tuple[Parsed, Parsed]] = []
        whose: list[tuple[int, int, int, int]] = []  # text, document, and where its pieces begin
        for target in targets:
            for d, one in enumerate(self.documents):
                mine, theirs = by_line(one.parsed[source]), by_line(one.parsed[target])
                if len(mine) != len(theirs):
                    mine, theirs = [(0, one.parsed[source])], [(0, one.parsed[target])]
                for (begin, ours), (other, own) in zip(mine, theirs, strict=True):
                    whose.append((target, d, begin, other))
                    pairs.append((ours, own))
        found: dict[int, list[list[tuple[int, int]]]] = {
            target: [[] for _ in self.documents] for target in targets
        }
        for (target, d, begin, other), links in zip(whose, crosslinks.align(pairs), strict=True):
            found[target][d] += [(begin + i, other + j) for i, j in links]
        return {target: [tuple(sorted(own)) for own in each] for target, each in found.items()}


def by_line(parsed: Parsed) -> list[tuple[int, Parsed]]:
    """The lines of a text: where their words begin, and their words and sentences.

    >>> [(begin, own.words) for begin, own in by_line(Parsed("a b\\n\\nc", ("a", "b", "c")))]
    [(0, ('a', 'b')), (2, ()), (2, ('c',))]
    """
    counts = [0] * (parsed.text.count("\n") + 1)
    line, before = 0, 0
    for begin, _ in parsed.spans:
        line += parsed.text.count("\n", before, begin)
        before = max(before, begin)
        counts[line] += 1
    found, first = [], 0
    for count in counts:
        words = parsed.words[first : first + count]
        starts = tuple(start - first for start in parsed.starts if first <= start < first + count)
        whole = (0, *(start for start in starts if start)) if count else ()
        found.append((first, Parsed(" ".join(words), words, starts=whole)))
        first += count
    return found


@dataclass(frozen=True)
class Layer:
    """Something to draw: its title, a sentence on how to read it, and how it is made.

    `counting` says how its groups are called: by numbers or by letters.
    """

    title: str
    sentence: str
    drawn: Callable[[Setting], list[Drawn]]
    counting: str = "numbers"


LAYERS: Registry[Layer] = Registry(
    "layer",
    "tertium.layers",
    {
        "alignment": "tertium.documents.layers:ALIGNMENT",
        "chains": "tertium.documents.drawn_chains:CHAINS",
        "cohesion": "tertium.documents.drawn_cohesion:COHESION",
        "terms": "tertium.documents.drawn_terms:TERMS",
    },
)


def _aligned(setting: Setting) -> list[Drawn]:
    """Every version with every other."""
    names = setting.documents[0].names
    found: list[list[Link]] = [[] for _ in setting.documents]
    for text in range(len(names)):
        for other in range(text + 1, len(names)):
            for own, links in zip(found, setting.links(text, other), strict=True):
                own += [Link(text, i, other, j) for i, j in links]
    return [Drawn(links=tuple(own)) for own in found]


ALIGNMENT = Layer(
    "Alignment",
    "Words without a counterpart are underlined by dots; the others lead to theirs.",
    _aligned,
)
