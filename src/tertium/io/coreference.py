"""Chains of mentions in files: CoNLL's (2011, 2012) and CorefUD's. One token a line; brackets open and close mentions.

CoNLL's has the brackets in the last column:

    #begin document (nw/0009); part 000
    nw/0009  0  0  The      (12
    nw/0009  0  1  harbour  12)|(7)
    #end document

CorefUD's is CoNLL-U with brackets in the column MISC, `Entity=(e1-place-2(e7-person-1)` and `Entity=e1)`. What stands
between the dashes is named by `# global.Entity = eid-etype-head-other`; parts of a mention that is torn apart are
`(e1[1/2]-place-1)` and `(e1[2/2])`; words that are not said (empty nodes, `8.1`) are tokens, too.

A mention is its tokens, counted in the document from 0; blank lines end sentences and count for nothing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain as chained
from typing import NamedTuple

from tertium.errors import InputError
from tertium.io.records import text_lines

Mention = tuple[int, ...]  # its tokens, from 0
Lines = Iterator[tuple[int, str]]
_BRACKET = re.compile(r"(\()?(\d+)(\))?\|?")
_ENTITY = re.compile(r"\(([^()]+)(\)?)|([^()]+)\)")
_PART = re.compile(r"([^\[\]]+)(?:\[(\d+)/(\d+)\])?")
_ID = re.compile(r"(\d+)(?:-(\d+)|\.\d+)?")
_COMMENT = re.compile(r"#\s*(newdoc(?:\s+id)?|global\.Entity|sent_id|text)\s*(?:=\s*(.*\S)\s*)?")
_IDENTITY = ("eid", "GRP")  # names of the field that says which chain
_COLUMNS = 10


@dataclass(frozen=True)
class CoreferenceDocument:
    """A document: its name, how many tokens it has, its chains by number, its characters but for white space, and which
    of them each token has (none where it is not said; the same where two words are written as one)."""

    name: str
    tokens: int
    chains: dict[str, tuple[Mention, ...]]
    text: str = ""
    spans: tuple[tuple[int, int], ...] = ()
    where: str = field(default="", compare=False)  # it begins: `gold.conll: line 1`


class Bracket(NamedTuple):
    """Where a mention, or a part of one, begins or ends; where it has one token, both."""

    chain: str
    begins: bool
    ends: bool
    part: int = 1
    parts: int = 1


def read_chains(path: str | os.PathLike[str]) -> dict[str, CoreferenceDocument]:
    """The documents of a file by name, whichever of the two formats it has."""
    lines, seen = text_lines(path), []
    for numbered in lines:
        seen.append(numbered)
        line = numbered[1]
        if line.startswith("#begin document"):
            break
        if _COMMENT.fullmatch(line) or (line.count("\t") == _COLUMNS - 1 and _ID.match(line)):
            return _read_corefud(os.fspath(path), chained(seen, lines))
        if line.strip() and not line.startswith("#"):
            break
    return _read_conll(os.fspath(path), chained(seen, lines))


def _read_conll(path: str, lines: Lines) -> dict[str, CoreferenceDocument]:
    found: dict[str, CoreferenceDocument] = {}
    reading: _Reading | None = None
    for number, line in lines:
        where = f"{path}: line {number}"
        if line.startswith("#begin document"):
            name = line.removeprefix("#begin document").strip()
            if reading is not None:
                raise InputError(f"{where}: {name} begins before {reading.name} has ended (#end document)")
            if name in found:
                raise InputError(f"{where}: there are two documents called {name}")
            reading = _Reading(name, where)
        elif line.startswith("#end document"):
            if reading is None:
                raise InputError(f"{where}: a document ends that has not begun (#begin document)")
            found[reading.name] = reading.document()
            reading = None
        elif line.strip() and not line.startswith("#"):
            if reading is None:
                raise InputError(f"{where}: a token before the first '#begin document' line")
            cells = line.split()
            reading.says(cells[3] if len(cells) > 4 else cells[-2] if len(cells) > 1 else "")
            reading.token(_conll_brackets(cells[-1], where), where)
    if reading is not None:
        raise InputError(f"{path}: {reading.name} has no end (#end document): the file was cut off")
    if not found:
        raise InputError(f"{path}: there is no document (a line that starts with '#begin document')")
    return found


def _conll_brackets(cell: str, where: str) -> list[Bracket]:
    parts = [] if cell in ("-", "_", "*") else list(_BRACKET.finditer(cell))
    whole = "".join(part[0] for part in parts) == cell or cell in ("-", "_", "*")
    if not whole or any(not (part[1] or part[3]) for part in parts):
        raise InputError(f"{where}: {cell!r} is not made of brackets of chains, such as (12, 12) and (12)")
    return [Bracket(chain, bool(begins), bool(ends)) for begins, chain, ends in (p.groups() for p in parts)]


def _read_corefud(path: str, lines: Lines) -> dict[str, CoreferenceDocument]:
    found: dict[str, CoreferenceDocument] = {}
    reading: _Reading | None = None
    identity = 0  # the place of the field that says which chain
    for number, line in lines:
        where = f"{path}: line {number}"
        comment = _COMMENT.fullmatch(line.rstrip())
        if comment and comment[1].startswith("newdoc"):
            if reading is not None:
                found[reading.name] = reading.document()
            name = comment[2] or str(len(found) + 1)
            if name in found:
                raise InputError(f"{where}: there are two documents called {name}")
            reading = _Reading(name, where)
        elif comment and comment[1] == "global.Entity":
            fields = (comment[2] or "").split("-")
            identity = next((place for place, field in enumerate(fields) if field in _IDENTITY), -1)
            if identity < 0:
                raise InputError(f"{where}: global.Entity names no field eid, which says the chain")
        elif line.strip() and not line.startswith("#"):
            reading = reading or _Reading(str(len(found) + 1), where)
            _read_word(line, reading, identity, where)
        elif reading is not None:
            reading.said.clear()  # surface words end with their sentence
    if reading is None:
        raise InputError(f"{path}: there are no words")
    found[reading.name] = reading.document()
    return found


def _read_word(line: str, reading: _Reading, identity: int, where: str) -> None:
    fields = line.split("\t")
    if len(fields) != _COLUMNS:
        raise InputError(f"{where}: has {len(fields)} columns, but CoNLL-U has {_COLUMNS} separated by tabs")
    number = _ID.fullmatch(fields[0])
    if number is None:
        raise InputError(f"{where}: {fields[0]!r} is not a word number")
    if number[2]:  # a surface word: the words that follow are written as this one
        reading.says(fields[1], int(number[2]) - int(number[1]) + 1)
        return
    if "." in fields[0]:
        reading.is_silent()
    elif not reading.said:
        reading.says(fields[1])
    misc = dict(pair.partition("=")[::2] for pair in fields[9].split("|"))
    reading.token(_entity_brackets(misc.get("Entity", ""), identity, where), where)
    for key in ("Bridge", "SplitAnte"):
        for pair in filter(None, misc.get(key, "").split(",")):
            reading.named += [(chain, where) for chain in pair.partition(":")[0].split("<")]


def _entity_brackets(cell: str, identity: int, where: str) -> list[Bracket]:
    found = []
    parts = list(_ENTITY.finditer(cell))
    if "".join(part[0] for part in parts) != cell:
        raise InputError(
            f"{where}: Entity={cell} is not made of brackets of chains, such as (e1-person-1, e1) and (e1-person-1)"
        )
    for opened, closed, closing in (part.groups() for part in parts):
        fields = opened.split("-") if opened else []
        name = closing or (fields[identity] if identity < len(fields) else "")
        part = _PART.fullmatch(name)
        if part is None:
            raise InputError(f"{where}: Entity={cell} has a bracket that does not say its chain")
        place, parts_there = int(part[2] or 1), int(part[3] or 1)
        if not 1 <= place <= parts_there:
            raise InputError(f"{where}: {name} is no part of a mention: parts count from [1/{parts_there}]")
        found.append(Bracket(part[1], bool(opened), bool(closing or closed), place, parts_there))
    return found


class _Reading:
    """A document while it is read."""

    def __init__(self, name: str, where: str) -> None:
        self.name, self.where = name, where
        self.named: list[tuple[str, str]] = []  # chains that relations name, and where
        self.said: list[tuple[int, int]] = []  # characters of the tokens that follow
        self._length = 0
        self._words: list[str] = []
        self._spans: list[tuple[int, int]] = []
        self._open: dict[tuple[str, int, int], list[tuple[int, int, str]]] = {}  # number, token, where
        self._torn: dict[tuple[str, int], list[tuple[int, int, Mention, str]]] = {}  # number, last part
        self._pieced: list[tuple[str, Mention, str]] = []  # mentions that were torn apart
        self._begun = 0
        self._mentions: dict[int, tuple[str, Mention]] = {}  # by number

    def says(self, word: str, tokens: int = 1) -> None:
        """The next token is written so; or the next ones, which are written as one word."""
        written = "".join(word.split())
        self._words.append(written)
        self.said = [(self._length, self._length + len(written))] * tokens
        self._length += len(written)

    def is_silent(self) -> None:
        """The next token is not written."""
        self.said.append((self._length, self._length))

    def token(self, brackets: list[Bracket], where: str) -> None:
        """The next token, with what begins and ends there."""
        place = len(self._spans)
        self._spans.append(self.said.pop())
        for chain, begins, ends, part, parts in brackets:
            key = chain, part, parts
            if begins:
                self._open.setdefault(key, []).append((self._begun, place, where))
                self._begun += 1
            if ends:
                if not self._open.get(key):
                    raise self._wrong(where, f"a mention of chain {_shown(key)} ends that has not begun")
                number, begin, begun_at = self._open[key].pop()
                self._close(key, number, tuple(range(begin, place + 1)), begun_at)

    def _close(self, key: tuple[str, int, int], number: int, tokens: Mention, where: str) -> None:
        chain, part, parts = key
        waiting = self._torn.setdefault((chain, parts), [])
        if part > 1:
            before = next((one for one in reversed(waiting) if one[1] == part - 1), None)
            if before is None:
                raise self._wrong(
                    where, f"there is no part {part - 1} of the mention of chain {_shown(key)} before it"
                )
            waiting.remove(before)
            if before[2][-1] >= tokens[0]:
                raise self._wrong(where, f"parts of a mention of chain {chain} cross: {_shown(key)}")
            number, tokens, where = before[0], before[2] + tokens, before[3]
        if part == parts:
            self._mentions[number] = chain, tokens
            if parts > 1:
                self._pieced.append((chain, tokens, where))
        else:
            waiting.append((number, part, tokens, where))

    def _check_crossing(self) -> None:
        """Brackets of one chain are inside each other; only mentions that are torn apart can cross."""
        for chain, tokens, where in self._pieced:
            for other, theirs in self._mentions.values():
                shared = set(tokens) & set(theirs) if other == chain else None
                if shared and len(shared) < min(len(tokens), len(theirs)):
                    raise self._wrong(where, f"two mentions of chain {chain} cross here")

    def _wrong(self, where: str, what: str) -> InputError:
        return InputError(f"{where}: {what} (document {self.name})")

    def document(self) -> CoreferenceDocument:
        for key, begun in self._open.items():
            for *_, where in begun:
                raise InputError(
                    f"{where}: a mention of chain {_shown(key)} begins that does not end in {self.name}"
                )
        for (chain, parts), torn in self._torn.items():
            for _, part, _, where in torn:
                missing = _shown((chain, part + 1, parts))
                raise InputError(
                    f"{where}: of a mention of chain {chain} there is no {missing} in {self.name}"
                )
        self._check_crossing()
        chain_of: dict[Mention, str] = {}
        for _, (chain, tokens) in sorted(self._mentions.items()):
            chain_of.setdefault(tokens, chain)  # one that is repeated counts where it begins first
        chains: dict[str, list[Mention]] = {}
        for tokens, chain in chain_of.items():
            chains.setdefault(chain, []).append(tokens)
        known = {chain for chain, _ in self._mentions.values()}
        for chain, where in self.named:
            if chain not in known:
                raise self._wrong(where, f"there is no mention of {chain}")
        return CoreferenceDocument(
            self.name,
            len(self._spans),
            {chain: tuple(own) for chain, own in chains.items()},
            "".join(self._words),
            tuple(self._spans),
            self.where,
        )


def _shown(key: tuple[str, int, int]) -> str:
    chain, part, parts = key
    return chain if parts == 1 else f"{chain}[{part}/{parts}]"
