"""Everything wrong with a file of items, line by line, and what looks odd in a set that can be used."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from tertium.challenge.authors import Release, is_release, read_release
from tertium.challenge.items import ChallengeSet, Item
from tertium.challenge.judgements import read_judgements
from tertium.challenge.judges.hints import Hints
from tertium.challenge.judges.patterns import check_patterns
from tertium.challenge.outputs import read_outputs
from tertium.challenge.setfiles import each_item
from tertium.errors import InputError, SpecError
from tertium.io.records import text_lines
from tertium.io.streams import FilePath, display_name
from tertium.io.tables import Column, Table, Value, number_column
from tertium.text.normalize import plain_characters, plain_words

_SIDES = ("source", "reference")
FEW = 3  # a subcategory with fewer items has a rate that means little
SHOWN = 3  # doubts of one kind


def problems(
    path: FilePath, outputs: Sequence[str | os.PathLike[str]] = (), judgements: Sequence[FilePath] = ()
) -> list[str]:
    """Everything wrong with a set, its outputs and its judgements, one line each; empty if all can be used.

    Outputs and judgements are held against the items; if some of these cannot be read, judgements
    are only checked in themselves, and outputs not at all.
    """
    wrong: list[InputError] = []
    own: Release | None = None
    items: list[Item] = []
    with _going_on(wrong):
        if is_release(path):
            own = read_release(path, wrong.append)
            items = list(own.items)
        else:
            for item in each_item(path):
                if isinstance(item, InputError):
                    wrong.append(item)
                else:
                    items.append(item)
    if not items and not wrong:
        wrong.append(InputError(f"{display_name(path)}: has no items"))
    complete = None if wrong else ChallengeSet(tuple(items), display_name(path))
    for item in items:
        with _going_on(wrong):
            Hints.of(item)
    texts = None if own is None else own.outputs
    for name in outputs:
        more = None
        with _going_on(wrong):
            more = None if complete is None else read_outputs([name], complete, wrong.append)
        with _going_on(wrong):
            texts = more if texts is None or more is None else texts.merged(more)
    with _going_on(wrong):
        if judgements:
            # an output that was refused would make each of its judgements wrong, too
            usable = None if wrong else texts
            read_judgements(judgements, complete, usable, refuse=wrong.append)
    return list(map(str, wrong))


@contextmanager
def _going_on(wrong: list[InputError]) -> Iterator[None]:
    """What cannot be read any further is one more thing wrong; the next file is still looked at. That nothing is left
    of a file whose lines were all refused is not said again."""
    before = len(wrong)
    try:
        yield
    except InputError as error:
        if len(wrong) == before:
            wrong.append(error)


@dataclass(frozen=True)
class RareWord:
    """A word of the set that the training corpus has too seldom, and the items that use it."""

    side: str
    word: str
    count: int
    items: tuple[str, ...]


def rare_words(items: ChallengeSet, training: Sequence[FilePath], least: int = 100) -> list[RareWord]:
    """Words that occur fewer than `least` times in a training corpus, the rarest first; case does not count. Its first
    file is held against the sources, a second against the references.

    Isabelle, Cherry and Foster (2017) wrote their set in words that occur at least 100 times there: a system that
    fails then does not fail for lack of data.

    >>> items = ChallengeSet((Item("1", "Lexical", "", "Well?", "The spilt milk."),))
    >>> [(rare.word, rare.count) for rare in rare_words(items, [written("train.en", "The milk\\n" * 100)])]
    [('spilt', 0)]
    """
    if not 1 <= len(training) <= len(_SIDES):
        raise SpecError("a training corpus is one file, for the sources, or two: sources, then references")
    found = []
    for side, path in zip(_SIDES, training, strict=False):
        uses: dict[str, dict[str, None]] = {}
        for item in items:
            for word in _words(getattr(item, side)):
                uses.setdefault(word, {})[item.id] = None
        counts = dict.fromkeys(uses, 0)
        for _, line in text_lines(path):
            for word in _words(line):
                if word in counts:
                    counts[word] += 1
        rare = (word for word, count in counts.items() if count < least)
        found += [RareWord(side, word, counts[word], tuple(uses[word])) for word in rare]
    return sorted(found, key=lambda rare: (rare.count, _SIDES.index(rare.side), rare.word))


def _words(text: str) -> list[str]:
    return [word for word, _ in plain_words(plain_characters(text).casefold())]


def rare_words_table(found: Sequence[RareWord], least: int) -> Table:
    columns = (Column("word"), Column("in"), number_column("training", "count"), Column("items"))
    rows = tuple(
        (
            rare.word,
            rare.side,
            rare.count,
            ", ".join(rare.items[:3]) + (", ..." if len(rare.items) > 3 else ""),
        )
        for rare in found
    )
    return Table(f"Words that occur fewer than {least} times in the training corpus", columns, rows)


def contents_table(items: ChallengeSet) -> Table:
    """How many items of each category and subcategory, and what they have."""
    columns = (
        Column("category"),
        Column("subcategory"),
        *map(number_column, ("items", "references", "highlighted", "judge")),
    )
    rows: list[tuple[Value, ...]] = []
    for category, subcategories in items.categories.items():
        for name in subcategories:
            own = [item for item in items if (item.category, item.subcategory) == (category, name)]
            rows.append((category, name, *_counts(own)))
    rows.append(("Overall", "", *_counts(list(items))))
    languages = Counter(item.languages or "unknown" for item in items)
    notes = ("languages: " + ", ".join(f"{pair} ({n})" for pair, n in languages.items()),)
    return Table(items.name, columns, tuple(rows), notes)


def _counts(items: list[Item]) -> tuple[int, int, int, int]:
    return (
        len(items),
        sum(bool(item.reference) for item in items),
        sum(bool(item.source_spans or item.reference_spans) for item in items),
        sum(item.judge is not None for item in items),
    )


def doubts(release: Release) -> Iterator[str]:
    """What can be used but looks odd, or is not finished."""
    items = release.items
    yield from check_patterns(items)
    sharing: dict[str, list[str]] = {}
    for item in items:
        sharing.setdefault(item.source, []).append(item.id)
    again = [ids for ids in sharing.values() if len(ids) > 1]
    for ids in again[:SHOWN]:
        yield f"the same source sentence occurs {len(ids)} times ({', '.join(ids)})"
    if len(again) > SHOWN:
        yield f"{len(again) - SHOWN} more source sentences occur more than once"
    sizes = Counter((item.category, item.subcategory) for item in items)
    few = [subcategory for (_, subcategory), number in sizes.items() if subcategory and number < FEW]
    if few:
        yield f"subcategories with fewer than {FEW} items, too few for a rate: {', '.join(few)}"
    if release.outputs is not None:
        yield f"outputs of {', '.join(system.label for system in release.outputs.systems)}"
        for system, lacking in release.outputs.missing(items).items():
            shown = ", ".join(lacking[:5]) + (", ..." if len(lacking) > 5 else "")
            yield f"{system.label} has no output for {len(lacking)} items: {shown}"
        for system, texts in release.outputs.texts.items():
            if empty := [item for item, text in texts.items() if not text.strip()]:
                yield f"{system.label} has an empty output for {', '.join(empty[:5])}"
    if release.judgements is not None:
        names = ", ".join(release.judgements.annotators())
        yield f"{len(release.judgements)} judgements by {names}"
