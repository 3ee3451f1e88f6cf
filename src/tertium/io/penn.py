"""Trees in the brackets of the Penn Treebank, `(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))`, one behind the other on
any number of lines; or the same inside the XML of Stanford's parser (`<tree style="penn">`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from itertools import pairwise
from typing import NamedTuple

from tertium.errors import InputError
from tertium.io.records import numbered_lines
from tertium.io.streams import FilePath
from tertium.text.parses import NO_HEAD, Parsed, Tree

_PIECE = re.compile(r"[()]|[^\s()]+")
_BRACKETS = {"lrb": "(", "rrb": ")", "lsb": "[", "rsb": "]", "lcb": "{", "rcb": "}"}
_ESCAPED = re.compile(r"-(lrb|rrb|lsb|rsb|lcb|rcb)-", re.IGNORECASE)
_QUOTES = str.maketrans({'"': "''", "\u201c": "''", "\u201d": "''", "`": "'", "\u2018": "'", "\u2019": "'"})
_NONE = "-NONE-"  # the label of what is not in the text


class Bracketed(NamedTuple):
    """A tree with where it begins and where each of its words stands."""

    where: str
    tree: Tree
    wheres: tuple[str, ...]

    @property
    def parsed(self) -> Parsed:
        """The sentence that it is of, with its words and their tags."""
        inner = set(self.tree.parents)
        words = tuple(label for n, label in enumerate(self.tree.labels) if n not in inner)
        return Parsed(" ".join(words), words, phrases=(self.tree,))


def as_in_brackets(text: str) -> str:
    """A text, or a word, in one way of writing: round brackets for -LRB-, two single quotes for double ones.

    >>> as_in_brackets('\u201cYes\u201d (-LRB-)')
    "''Yes'' (()"
    """
    return (
        _ESCAPED.sub(lambda found: _BRACKETS[found[1].lower()], text).translate(_QUOTES).replace("\\\\/", "/")
    )


def read_penn(path: FilePath) -> Iterator[Bracketed]:
    """The trees of a file. Empty elements are left out, as are brackets without label around a whole tree.

    >>> path = written("a.mrg", "(S (NP (NNS men))\\n  (VP (VBP sleep)))")
    >>> [str(one.tree) for one in read_penn(path)]
    ['(S (NP (NNS men)) (VP (VBP sleep)))']
    """
    tree: _Growing | None = None
    where = ""
    for where, piece, label_follows in _pieces(path):
        if tree is None:
            if piece != "(":
                what = (
                    "a bracket closes that was not opened"
                    if piece == ")"
                    else f"{piece!r} stands outside of brackets"
                )
                raise InputError(f"{where}: {what}")
            tree = _Growing(where)
        elif piece == "(":
            tree.open(where)
        elif piece != ")":
            tree.name(piece) if label_follows else tree.word(where, as_in_brackets(piece))
        elif tree.close():
            yield tree.finished()
            tree = None
    if tree is not None:
        raise InputError(
            f"{tree.where}: the tree that begins here is never closed ({where} is the last line)"
        )


class _Growing:
    """A tree that is being read: nodes from the root down, and which of them are open."""

    def __init__(self, where: str) -> None:
        self.where = where
        self.labels, self.parents = [""], [NO_HEAD]
        self.wheres: list[str] = []  # of words
        self.path = [(0, 0)]  # open nodes, with how many words there were before

    def open(self, where: str) -> None:
        if len(self.path) > 1 and not self.labels[self.path[-1][0]]:
            raise InputError(f"{where}: these brackets stand in brackets without a label")
        self._add("")
        self.path.append((len(self.labels) - 1, len(self.wheres)))

    def _add(self, label: str) -> None:
        self.labels.append(label)
        self.parents.append(self.path[-1][0])

    def name(self, label: str) -> None:
        self.labels[self.path[-1][0]] = label

    def word(self, where: str, word: str) -> None:
        if self.labels[self.path[-1][0]] != _NONE:
            self._add(word)
            self.wheres.append(where)

    def close(self) -> bool:
        """Whether the tree is at its end. What has no words, such as empty elements, goes again."""
        node, words = self.path.pop()
        if len(self.wheres) == words:
            del self.labels[node:], self.parents[node:]
        return not self.path

    def finished(self) -> Bracketed:
        if not self.wheres:
            raise InputError(f"{self.where}: the tree that begins here has no words")
        labels, parents = self.labels, self.parents
        if not labels[0]:
            if parents.count(0) != 1:
                raise InputError(f"{self.where}: the tree that begins here has no label, and several parts")
            labels, parents = labels[1:], [parent - 1 for parent in parents[1:]]
        return Bracketed(self.where, Tree(tuple(labels), tuple(parents)), tuple(self.wheres))


def _pieces(path: FilePath) -> Iterator[tuple[str, str, bool]]:
    """Brackets and what stands between them, and whether it is a label: the first piece behind a bracket."""
    found = ((where, piece) for where, line in _bracket_lines(path) for piece in _PIECE.findall(line))
    for (_, before), (where, piece) in pairwise(_behind(("", ")"), found)):
        yield where, piece, before == "("


def _behind(first: tuple[str, str], others: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    yield first
    yield from others


def _bracket_lines(path: FilePath) -> Iterator[tuple[str, str]]:
    """The lines of a file; of XML only those inside of `<tree>`."""
    markup, inside = None, False
    for where, line in numbered_lines(path, markup=True):
        if markup is None and line.strip():
            markup = line.lstrip().startswith("<")
        if not markup:
            yield where, line
        elif line.lstrip().startswith("<tree"):
            inside = True
        elif line.lstrip().startswith("</tree"):
            inside = False
        elif inside:
            yield where, unescape(line)
