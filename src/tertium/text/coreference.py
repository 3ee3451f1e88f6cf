"""Chains of mentions in a text: who or what is spoken of again, and where such chains come from.

Sources of chains are registered values, open to packages (entry-point group `tertium.resolvers`): `rules`, our own
small resolver over parses (text/coreference_rules.py); `files:FILES`, CoNLL's or CorefUD's, looked up by text;
`program:COMMAND`, a program that answers in JSON Lines.
"""

from __future__ import annotations

import hashlib
import os
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any, Protocol

from tertium.errors import InputError, TextError
from tertium.io.coreference import CoreferenceDocument, Mention, read_chains
from tertium.io.programs import Program, ask_other, introduction
from tertium.io.streams import check_readable
from tertium.registry import Registry
from tertium.text.alignment import Links
from tertium.text.parses import Parsed

Chain = tuple[Mention, ...]
Span = tuple[int, int]  # characters: the first, and the one after the last
Function = Callable[[list[str]], Sequence[Any]]
_WHAT = "resolver"  # what a program is to us, in messages


@dataclass(frozen=True)
class Resolved:
    """A text and its chains; a mention is its words, which need not stand together."""

    parsed: Parsed
    chains: tuple[Chain, ...] = ()

    @classmethod
    def of(cls, parsed: Parsed, chains: Iterable[Iterable[Sequence[Span]]], where: str) -> Resolved:
        """From characters: a mention is one span or several. It has all words that it touches; one without any is none.

        >>> two = Parsed("Ann slept. She woke.", ("Ann", "slept", ".", "She", "woke", "."))
        >>> Resolved.of(two, [[[(0, 3)], [(11, 14)]]], "here").chains
        (((0,), (3,)),)
        """
        begins, ends = [b for b, _ in parsed.spans], [e for _, e in parsed.spans]
        found: list[Chain] = []
        for chain in chains:
            own: dict[Mention, None] = {}
            for mention in chain:
                words: set[int] = set()
                for begin, end in mention:
                    if not 0 <= begin < end <= len(parsed.text):
                        raise InputError(
                            f"{where}: a mention has the characters {begin} to {end}, but the text has "
                            f"{len(parsed.text)}"
                        )
                    words.update(range(bisect_right(ends, begin), bisect_left(begins, end)))
                if words:
                    own[tuple(sorted(words))] = None
            if own:
                found.append(tuple(own))
        return cls(parsed, tuple(found))

    def without_singletons(self) -> Resolved:
        """Only what is mentioned again."""
        return Resolved(self.parsed, tuple(chain for chain in self.chains if len(chain) > 1))

    def shown(self) -> list[list[str]]:
        """The words of every mention, for people.

        >>> Resolved(Parsed("Ann slept.", ("Ann", "slept", ".")), (((0,),),)).shown()
        [['Ann']]
        """
        words = self.parsed.words
        return [[" ".join(words[i] for i in mention) for mention in chain] for chain in self.chains]


class OpenResolver(Protocol):
    """A source of chains at work: what decides them (for signatures), and the chains."""

    def items(self) -> dict[str, str]: ...

    def resolve(self, texts: Sequence[Parsed]) -> list[Resolved]: ...


@dataclass(frozen=True)
class Resolver:
    """A way to get chains: a sentence about it, and how it is opened, given what stands after the colon."""

    sentence: str
    opened: Callable[[str], OpenResolver]
    runs_programs: bool = False

    @classmethod
    def of(cls, function: Function, sentence: str) -> Resolver:
        """A Python function that gives the chains of texts, as characters: [[[0, 3], [11, 14]]] for each text."""
        return cls(sentence, lambda _argument: _Called(function))


RESOLVERS: Registry[Resolver] = Registry(
    "source of chains",
    "tertium.resolvers",
    {
        "rules": "tertium.text.coreference_rules:RULES",
        "files": "tertium.text.coreference:FILES",
        "program": "tertium.text.coreference:PROGRAM",
    },
)
CHAINS_HELP = "where chains come from: rules, files:FILES (CoNLL or CorefUD, separated by ;), program:COMMAND"


def resolver(spec: str) -> OpenResolver:
    """The source of chains that `name:argument` names."""
    name, _, argument = spec.partition(":")
    return RESOLVERS[name].opened(argument)


@dataclass(frozen=True)
class _Program:
    """A program that reads a text a line and writes its chains, as characters (`tertium.io.programs`)."""

    command: str

    def items(self) -> dict[str, str]:
        who = introduction(self.command, what=_WHAT)
        return {"resolver": f'"{" ".join(filter(None, (who.name, who.version, who.hash)))}"'}

    def resolve(self, texts: Sequence[Parsed]) -> list[Resolved]:
        def read(program: Program, answer: Mapping[str, Any]) -> Resolved:
            where = f"{program.who}: line {program.lines_read} of its output"
            return Resolved.of(texts[answer["id"] - 1], _characters(answer.get("chains"), where), where)

        return ask_other(self.command, [{"text": text.text} for text in texts], read, _WHAT) if texts else []


@dataclass(frozen=True)
class _Called:
    function: Function

    def items(self) -> dict[str, str]:
        return {"resolver": f'"{getattr(self.function, "version", "unknown")}"'}

    def resolve(self, texts: Sequence[Parsed]) -> list[Resolved]:
        where = f"resolver {getattr(self.function, '__name__', 'without a name')!r}"
        given = list(self.function([text.text for text in texts]))
        if len(given) != len(texts):
            raise InputError(f"{where}: gave the chains of {len(given)} texts, but there are {len(texts)}")
        return [
            Resolved.of(text, _characters(chains, where), where)
            for text, chains in zip(texts, given, strict=True)
        ]


def _characters(given: Any, where: str) -> list[list[list[Span]]]:
    """Chains as a program writes them: a mention is [begin, end], or several such spans."""

    def span(value: Any) -> Span:
        if not isinstance(value, list | tuple) or [type(place) for place in value] != [int, int]:
            raise InputError(f"{where}: {value!r} is no span of characters, [begin, end]")
        return value[0], value[1]

    def listed(value: Any, what: str) -> Sequence[Any]:
        if not isinstance(value, list | tuple):
            raise InputError(f'{where}: has no {what}: expected {{"id": 1, "chains": [[[0, 3], [10, 13]]]}}')
        return value

    return [
        [
            [span(part) for part in mention] if _has_parts(mention) else [span(mention)]
            for mention in listed(chain, "list of mentions")
        ]
        for chain in listed(given, "chains")
    ]


def _has_parts(mention: Any) -> bool:
    return isinstance(mention, list | tuple) and bool(mention) and not isinstance(mention[0], int | float)


@dataclass(frozen=True)
class _Files:
    """Chains in files, looked up by text: a text is found wherever its words stand in a row, white space aside."""

    names: str
    hash: str
    documents: tuple[CoreferenceDocument, ...]

    @cached_property
    def _begins(self) -> list[int]:
        """Where each document begins in all characters."""
        return list(accumulate((len(document.text) + 1 for document in self.documents), initial=0))

    @cached_property
    def _all(self) -> str:
        return "\0".join(document.text for document in self.documents)

    def items(self) -> dict[str, str]:
        return {"chains-hash": self.hash}

    def resolve(self, texts: Sequence[Parsed]) -> list[Resolved]:
        return [self._found(text) for text in texts]

    def _found(self, parsed: Parsed) -> Resolved:
        places = [place for place, character in enumerate(parsed.text) if not character.isspace()]
        solid = "".join(parsed.text[place] for place in places)
        if not solid:
            return Resolved(parsed)
        at = self._all.find(solid)
        if at < 0:
            raise TextError(f"{self.names}: no document has this text: {_short(parsed.text)!r}", parsed.text)
        which = bisect_right(self._begins, at) - 1
        document, first = self.documents[which], at - self._begins[which]
        last = first + len(solid)
        chains = []
        for chain in document.chains.values():
            spans = ([document.spans[token] for token in mention] for mention in chain)
            said = ([(b, e) for b, e in mention if e > b] for mention in spans)
            chains.append(
                [
                    [(places[b - first], places[e - first - 1] + 1) for b, e in mention]
                    for mention in said
                    if mention and first <= mention[0][0] and mention[-1][1] <= last
                ]
            )
        return Resolved.of(parsed, chains, document.name)


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 80 else f"{flat[:50]} ... {flat[-25:]}"


_opened: dict[str, tuple[Any, _Files]] = {}


def _open_files(names: str) -> _Files:
    """The chains of these files, read once as long as they do not change."""
    paths = names.split(";")
    for path in paths:
        check_readable(path, path)
    stamps = [(os.stat(path).st_mtime_ns, os.stat(path).st_size) for path in paths]
    known = _opened.get(names)
    if known is None or known[0] != stamps:
        digest = hashlib.sha256()
        for path in paths:
            with open(path, "rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        documents = tuple(document for path in paths for document in read_chains(path).values())
        known = _opened[names] = stamps, _Files(names, digest.hexdigest()[:12], documents)
    return known[1]


FILES = Resolver("Files in CoNLL's or CorefUD's format, looked up by text: files:FILES.", _open_files)
PROGRAM = Resolver(
    "A program that reads texts and writes chains in JSON Lines: program:COMMAND.",
    _Program,
    runs_programs=True,
)


def projected(
    hypothesis: Resolved, reference: Resolved, links: Links, match: str = "overlap"
) -> list[list[object]]:
    """The chains of a hypothesis, whose mentions are those of its reference as far as links between words lead there.

    A mention stands for the one of the reference that has exactly the words its own are linked to; with `overlap`, for
    the one with which these have most in common (Dice's coefficient; the largest first, one to one). One without such a
    counterpart stands for itself.

    >>> words = lambda text: Parsed(text, tuple(text.split()))
    >>> mine = Resolved(words("the boat sank : it was old"), (((0, 1), (4,)),))
    >>> gold = Resolved(words("a ship sank and it was old"), (((0, 1), (4,)),))
    >>> projected(mine, gold, ((1, 1), (2, 2), (4, 4)))
    [[(0, 1), (4,)]]
    >>> projected(mine, gold, ((1, 1), (2, 2), (4, 4)), "exact")
    [[('own', (0, 1)), (4,)]]
    """
    target = dict(links)
    theirs: dict[int, list[Mention]] = {}
    for mention in {mention: None for chain in reference.chains for mention in chain}:
        for word in mention:
            theirs.setdefault(word, []).append(mention)
    pairs = []
    for mention in {mention: None for chain in hypothesis.chains for mention in chain}:
        shared: dict[Mention, int] = {}
        for word in mention:
            for other in theirs.get(target.get(word, -1), ()):
                shared[other] = shared.get(other, 0) + 1
        for other, n in shared.items():
            alike = 2 * n / (len(mention) + len(other))
            if alike == 1 or match == "overlap":
                pairs.append((-alike, mention, other))
    found: dict[Mention, Mention] = {}
    taken: set[Mention] = set()
    for _, mention, other in sorted(pairs):
        if mention not in found and other not in taken:
            found[mention] = other
            taken.add(other)
    return [[found.get(mention, ("own", mention)) for mention in chain] for chain in hypothesis.chains]
