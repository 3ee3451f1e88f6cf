"""Trees as kernels take them: phrases of Penn brackets, or dependencies turned into trees (Croce et al. 2011)."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from tertium import _native
from tertium.text.parses import NO_HEAD, Parsed, Tree


class LabelNumbers:
    """Labels and rules by number, the same for all texts that are compared."""

    def __init__(self) -> None:
        self._known: dict[Any, int] = defaultdict(lambda: len(self._known))

    def __call__(self, thing: Any) -> int:
        return self._known[thing]


def tree_texts(texts: Sequence[Sequence[Tree]], numbers: LabelNumbers) -> _native.TreeTexts:
    """The trees of each text, numbered: a rule is a label with the labels of its children, -1 for leaves."""
    labels, rules, parents, begins = array("i"), array("i"), array("i"), array("q", [0])
    for text in texts:
        nodes = 0
        for tree in text:
            own = [numbers(label) for label in tree.labels]
            below: list[list[int]] = [[] for _ in own]
            for label, parent in zip(own, tree.parents, strict=True):
                if parent != NO_HEAD:
                    below[parent].append(label)
            labels.extend(own)
            rules.extend(
                numbers((label, *under)) if under else -1 for label, under in zip(own, below, strict=True)
            )
            parents.extend(parent if parent == NO_HEAD else parent + nodes for parent in tree.parents)
            nodes += len(own)
        begins.append(begins[-1] + nodes)
    return _native.TreeTexts(buffer(labels), buffer(rules), buffer(parents), begins)


def buffer(values: array[int]) -> Any:
    """An empty buffer has no place in memory, which kernels do not like."""
    return values if values else memoryview(array("i", [0]))[:0]


class _Node(NamedTuple):
    """What stands in the tree for a word: a label for it all, labels of leaves, and whether the word stands apart."""

    label: str
    first: tuple[str, ...] = ()  # a chain at the word's own place among its dependents
    last: tuple[str, ...] = ()  # leaves behind the last dependent


def _relations(relation: str, tag: str, word: str) -> _Node:
    return _Node(relation, (tag, word))


def _words_with_more(relation: str, tag: str, word: str) -> _Node:
    return _Node(word, (), (relation, tag))


def _words(relation: str, tag: str, word: str) -> _Node:
    return _Node(word)


FORMS: Mapping[str, Callable[[str, str, str], _Node]] = {
    "grct": _relations,
    "lct": _words_with_more,
    "loct": _words,
}


def dependency_trees(parsed: Parsed, form: str = "grct") -> tuple[Tree, ...]:
    """The dependencies of a text as trees, one for each word without head.

    `grct`: relations with tag and word below them; `lct`: words with relation and tag below them; `loct`: words.

    >>> tags, relations = ("NOUN", "VERB"), ("nsubj", "root")
    >>> parsed = Parsed("men sleep", ("men", "sleep"), tags=tags, heads=(1, -1), relations=relations)
    >>> [str(*dependency_trees(parsed, form)) for form in ("grct", "lct", "loct")]
    ['(root (nsubj (NOUN men)) (VERB sleep))', '(sleep (men nsubj NOUN) root VERB)', '(sleep men)']
    """
    made = [FORMS[form](*them) for them in zip(parsed.relations, parsed.tags, parsed.words, strict=True)]
    return tuple(_tree(parsed, root, made) for root, head in enumerate(parsed.heads) if head == NO_HEAD)


def _tree(parsed: Parsed, root: int, made: Sequence[_Node]) -> Tree:
    labels: list[str] = []
    parents: list[int] = []

    def add(label: str, parent: int) -> int:
        labels.append(label)
        parents.append(parent)
        return len(labels) - 1

    waiting: list[tuple[int | tuple[str, ...], int]] = [(root, NO_HEAD)]  # words, or chains of labels
    while waiting:
        what, parent = waiting.pop()
        if isinstance(what, tuple):
            for label in what:
                parent = add(label, parent)
            continue
        node, place = made[what], add(made[what].label, parent)
        own: list[int | tuple[str, ...]] = [below for below in parsed.children[what] if below < what]
        own += [node.first] if node.first else []
        own += [below for below in parsed.children[what] if below > what]
        own += [(leaf,) for leaf in node.last]
        waiting += [(below, place) for below in reversed(own)]
    return Tree(tuple(labels), tuple(parents))


def lowered(parsed: Parsed) -> Parsed:
    """The same with words in lower case, in phrases too."""
    phrases = []
    for tree in parsed.phrases:
        inner = set(tree.parents)
        labels = (label if n in inner else label.lower() for n, label in enumerate(tree.labels))
        phrases.append(Tree(tuple(labels), tree.parents))
    return replace(parsed, words=tuple(word.lower() for word in parsed.words), phrases=tuple(phrases))


def text_trees(parsed: Parsed, form: str) -> Iterator[Tree]:
    """The phrases of a text where its parser makes them, else its dependencies."""
    yield from parsed.phrases or dependency_trees(parsed, form)
