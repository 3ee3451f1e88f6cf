"""Chains of mentions in CoNLL's files (2011, 2012): one token a line, brackets with chains' numbers in the last column.

    #begin document (nw/0009); part 000
    nw/0009  0  0  The      (12
    nw/0009  0  1  harbour  12)|(7)
    #end document

A mention is where it begins and ends in its document, counted in tokens from 0; blank lines end sentences and count for
nothing.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from tertium.errors import InputError
from tertium.io.records import text_lines

Span = tuple[int, int]  # first and last token, from 0
_BRACKET = re.compile(r"(\()?(\d+)(\))?\|?")


@dataclass(frozen=True)
class CoreferenceDocument:
    """A document: its name, how many tokens it has, and its chains by number."""

    name: str
    tokens: int
    chains: dict[str, tuple[Span, ...]]


def read_conll_chains(path: str | os.PathLike[str]) -> dict[str, CoreferenceDocument]:
    """The documents of a file by name (that of the `#begin document` line)."""
    found: dict[str, CoreferenceDocument] = {}
    reading: _Reading | None = None
    for number, line in text_lines(path):
        where = f"{os.fspath(path)}: line {number}"
        if line.startswith("#begin document"):
            name = line.removeprefix("#begin document").strip()
            if reading is not None:
                raise InputError(f"{where}: {name} begins before {reading.name} has ended (#end document)")
            if name in found:
                raise InputError(f"{where}: there are two documents called {name}")
            reading = _Reading(name)
        elif line.startswith("#end document"):
            if reading is None:
                raise InputError(f"{where}: a document ends that has not begun (#begin document)")
            found[reading.name] = reading.document()
            reading = None
        elif line.strip() and not line.startswith("#"):
            if reading is None:
                raise InputError(f"{where}: a token before the first '#begin document' line")
            reading.token(line.split()[-1], where)
    if reading is not None:
        raise InputError(
            f"{os.fspath(path)}: {reading.name} has no end (#end document): the file was cut off"
        )
    if not found:
        raise InputError(
            f"{os.fspath(path)}: there is no document (a line that starts with '#begin document')"
        )
    return found


class _Reading:
    """A document while it is read."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._tokens = 0
        self._open: dict[str, list[tuple[int, int, str]]] = {}  # by chain: number, token, where
        self._begun = 0
        self._mentions: dict[int, tuple[str, Span]] = {}  # by number

    def token(self, cell: str, where: str) -> None:
        parts = [] if cell in ("-", "_", "*") else list(_BRACKET.finditer(cell))
        whole = "".join(part[0] for part in parts) == cell or cell in ("-", "_", "*")
        if not whole or any(not (part[1] or part[3]) for part in parts):
            raise InputError(
                f"{where}: {cell!r} is not made of brackets of chains, such as (12, 12) and (12)"
            )
        for begins, chain, ends in (part.groups() for part in parts):
            if begins:
                self._open.setdefault(chain, []).append((self._begun, self._tokens, where))
                self._begun += 1
            if ends:
                if not self._open.get(chain):
                    raise InputError(f"{where}: a mention of chain {chain} ends that has not begun")
                number, begin, _ = self._open[chain].pop()
                self._mentions[number] = chain, (begin, self._tokens)
        self._tokens += 1

    def document(self) -> CoreferenceDocument:
        for chain, begun in self._open.items():
            for *_, where in begun:
                raise InputError(
                    f"{where}: a mention of chain {chain} begins that does not end in {self.name}"
                )
        chain_of: dict[Span, str] = {}
        for _, (chain, span) in sorted(self._mentions.items()):
            chain_of.setdefault(span, chain)  # one that is repeated counts where it begins first
        chains: dict[str, tuple[Span, ...]] = {}
        for span, chain in chain_of.items():
            chains[chain] = (*chains.get(chain, ()), span)
        return CoreferenceDocument(self.name, self._tokens, chains)
