"""Parses in CoNLL-U, sentence by sentence (universaldependencies.org/format.html)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tertium.errors import InputError
from tertium.io.records import blocks
from tertium.io.streams import FilePath
from tertium.text.parses import NO_HEAD, Entity, Parsed, goes_round

_COLUMNS = 10
_ID = re.compile(r"([0-9]+)(?:-([0-9]+)|\.[0-9]+)?")
_NAMED = re.compile(r"[BIES]-(.+)")


class Line(NamedTuple):
    """The ten columns of a word, and where they stand."""

    where: str
    fields: tuple[str, ...]

    @property
    def misc(self) -> dict[str, str]:
        """The last column: `SpaceAfter=No|Entity=(e1-person)`."""
        return _pairs(self.fields[9])


class SentenceLines(NamedTuple):
    """A sentence as it stands in the file: comments with a value, syntactic words, surface words of several."""

    where: str
    comments: dict[str, str]
    words: list[Line]
    spread: dict[int, tuple[int, Line]]  # by the first of its words, from 0: the one after the last


def conllu_lines(path: FilePath) -> Iterator[SentenceLines]:
    """The sentences of a CoNLL-U file, their columns checked; empty nodes are left out."""
    for block in blocks(path):
        found = SentenceLines(block[0][0], {}, [], {})
        for where, line in block:
            key, _, value = line[1:].partition("=")
            if line.startswith("#"):
                found.comments.setdefault(key.strip(), value.strip())
            else:
                _add(Line(where, tuple(line.split("\t"))), found)
        if not found.words:
            raise InputError(f"{block[-1][0]}: a sentence without words ends here")
        for begin, (end, whole) in found.spread.items():
            if end > len(found.words):
                raise InputError(
                    f"{whole.where}: {whole.fields[0]} reaches beyond word {len(found.words)}, the last"
                )
            if end <= begin:
                raise InputError(f"{whole.where}: {whole.fields[0]} is not a range of words")
        yield found


def read_conllu(path: FilePath) -> list[Parsed]:
    """The sentences of a CoNLL-U file. Of a word such as French *du* the two syntactic words count, not the whole.

    The text is that of the comment `# text = ...`, or made of the words. Entities are read from the last column
    (`NER=B-PER`).

    >>> path = written("a.conllu", "# text = Il dort\\n1\\tIl\\til\\tPRON\\t_\\t_\\t2\\tnsubj\\t_\\t_\\n"
    ...     "2\\tdort\\tdormir\\tVERB\\t_\\tTense=Pres\\t0\\troot\\t_\\t_\\n")
    >>> (sentence,) = read_conllu(path)
    >>> sentence.words, sentence.heads, sentence.features[1]["Tense"], sentence.spans[1]
    (('Il', 'dort'), (1, -1), 'Pres', (3, 7))
    """
    return [parsed_lines(lines) for lines in conllu_lines(path)]


def parsed_lines(lines: SentenceLines) -> Parsed:
    """A sentence of a file as a parse."""
    columns = [[line.fields[column] for line in lines.words] for column in range(_COLUMNS)]
    text, spans = _spans(lines)
    return Parsed(
        text,
        tuple(columns[1]),
        tuple(map(_value, columns[2])),
        tuple(map(_value, columns[3])),
        tuple(map(_pairs, columns[5])),
        _heads(lines.words),
        tuple(map(_value, columns[7])),
        (0,),
        spans,
        tuple(_entities(lines.words)),
    )


def _add(line: Line, found: SentenceLines) -> None:
    fields, known = line.fields, len(found.words)
    if len(fields) != _COLUMNS:
        raise InputError(
            f"{line.where}: has {len(fields)} columns, but CoNLL-U has {_COLUMNS} separated by tabs"
        )
    number = _ID.fullmatch(fields[0])
    if not number:
        raise InputError(f"{line.where}: {fields[0]!r} is not a word number")
    if number[2]:
        found.spread[int(number[1]) - 1] = int(number[2]), line
    elif "." not in fields[0]:
        if int(fields[0]) != known + 1:
            raise InputError(f"{line.where}: word {fields[0]} follows word {known}")
        found.words.append(line)


def _value(field: str) -> str:
    return "" if field == "_" else field


def _pairs(field: str) -> dict[str, str]:
    named = (pair.partition("=") for pair in field.split("|") if field != "_")
    return {key: value for key, equals, value in named if equals}


def _heads(words: Sequence[Line]) -> tuple[int, ...]:
    """Heads of all words. A word that hangs on itself, by way of others, is refused: no tree has it."""
    heads = tuple(_head(line, len(words)) for line in words)
    place = goes_round(heads)
    if place is not None:
        raise InputError(
            f"{words[place].where}: word {place + 1} hangs on itself, by way of word {heads[place] + 1}: "
            "the heads are no tree"
        )
    return heads


def _head(line: Line, words: int) -> int:
    head = line.fields[6]
    if head in ("_", "0"):
        return NO_HEAD
    if not head.isdecimal() or int(head) > words or head == line.fields[0]:
        raise InputError(
            f"{line.where}: the head of word {line.fields[0]} is {head!r}, "
            f"which is no other word of this sentence (1 to {words}) and not 0"
        )
    return int(head) - 1


def _spans(lines: SentenceLines) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The text, and the characters of each word in it."""
    surface: list[tuple[Line, int]] = []  # with how many words each has
    place = 0
    while place < len(lines.words):
        end, line = lines.spread.get(place, (place + 1, lines.words[place]))
        surface.append((line, end - place))
        place = end
    text = lines.comments.get("text") or _made(surface)
    spans: list[tuple[int, int]] = []
    place = 0
    for line, words in surface:
        end = place
        for character in "".join(line.fields[1].split()):
            while text[end : end + 1].isspace():
                place, end = (place, end + 1) if end > place else (end + 1, end + 1)
            if text[end : end + 1] != character:
                raise InputError(
                    f"{line.where}: {line.fields[1]!r} is not what the sentence's text goes on with: "
                    f"{text[place:][:40]!r}"
                )
            end += 1
        spans += [(place, end)] * words
        place = end
    if text[place:].strip():
        raise InputError(
            f"{lines.words[-1].where}: the sentence's text goes on after its last word: {text[place:][:40]!r}"
        )
    return text, tuple(spans)


def _made(surface: Sequence[tuple[Line, int]]) -> str:
    return "".join(
        line.fields[1] + " " * (line.misc.get("SpaceAfter") != "No") for line, _ in surface
    ).strip()


def _entities(words: Sequence[Line]) -> Iterator[Entity]:
    begin, kind = 0, ""
    for place, line in enumerate(words):
        label = line.misc.get("NER") or line.misc.get("ner") or "O"
        named = _NAMED.fullmatch(label)
        if kind and (named is None or label[0] in "BS" or named[1] != kind):
            yield Entity(begin, place, kind)
            kind = ""
        if named and not kind:
            begin, kind = place, named[1]
    if kind:
        yield Entity(begin, len(words), kind)
